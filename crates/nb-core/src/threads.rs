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

/// How many of `n` things each thread gets, which is at least one and no fewer than `fewest` unless there are fewer.
pub(crate) fn share(n: usize, fewest: usize) -> usize {
    #[cfg(feature = "rayon")]
    let n_threads = rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let n_threads = 1;
    n.div_ceil(n_threads).max(fewest).max(1)
}
