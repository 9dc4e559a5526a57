//! Work on all cores, with the feature `rayon`; one after the other without it.

#[cfg(feature = "rayon")]
use nb_simd::InstructionSet;

/// What `work` makes of each item, in order.
pub(crate) fn map<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    #[cfg(feature = "rayon")]
    if items.len() > 1 {
        use rayon::prelude::*;
        let set = InstructionSet::current();
        // They are few and large: each can go to a thread that has nothing to do.
        return items.into_par_iter().with_max_len(1).map(|item| set.with(|| work(item))).collect();
    }
    items.into_iter().map(work).collect()
}

/// How many threads there are.
pub(crate) fn count() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// How many of `n` things each thread gets, which is at least one and no fewer than `fewest` unless there are
/// fewer.
pub(crate) fn share(n: usize, fewest: usize) -> usize {
    n.div_ceil(count()).max(fewest).max(1)
}
