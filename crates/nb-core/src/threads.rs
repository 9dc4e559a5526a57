//! Work on all cores, with the feature `rayon`; one after the other without it.

/// What `work` makes of each item, in order.
pub(crate) fn map<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    #[cfg(feature = "rayon")]
    if items.len() > 1 {
        use rayon::prelude::*;
        return items.into_par_iter().map(&work).collect();
    }
    items.into_iter().map(work).collect()
}
