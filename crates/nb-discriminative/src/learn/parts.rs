//! Work on all rows, some at a time.

use std::ops::Range;

/// How many scores are worked on at a time, so that they stay in the nearest cache.
const AT_ONCE: usize = 2048;

/// How many rows are worth their own part.
const LEAST_ROWS: usize = 4096;

/// The most sums that are kept apart.
const MOST_PARTS: usize = 8;

/// Calls `work` with ranges of rows and a vector of `n_sums` to add to; returns the sum of its answers and of
/// the vectors. With the feature `rayon` parts of the rows are worked on at the same time. The parts, and
/// with them the bits of the sums, depend on the numbers of rows and classes alone.
pub(super) fn sum_over_rows(
    (n_rows, n_classes): (usize, usize),
    n_sums: usize,
    work: impl Fn(Range<usize>, &mut [f64]) -> f64 + Sync,
) -> (f64, Vec<f64>) {
    let at_once = (AT_ONCE / n_classes.max(1)).max(1);
    let n_chunks = n_rows.div_ceil(at_once);
    let n_parts = n_rows.div_ceil(LEAST_ROWS).clamp(1, MOST_PARTS);
    let of_part = |part: usize| {
        let mut sums = vec![0.0; n_sums];
        let mut total = 0.0;
        for chunk in part * n_chunks / n_parts..(part + 1) * n_chunks / n_parts {
            total += work(chunk * at_once..n_rows.min((chunk + 1) * at_once), &mut sums);
        }
        (total, sums)
    };
    let parts = each(n_parts, of_part);
    let mut parts = parts.into_iter();
    let (mut total, mut sums) = parts.next().unwrap_or_default();
    for (more, other) in parts {
        total += more;
        for (sum, other) in sums.iter_mut().zip(other) {
            *sum += other;
        }
    }
    (total, sums)
}

/// The answers for 0, 1, and so on.
#[cfg(feature = "rayon")]
pub(super) fn each<R: Send>(n: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    (0..n).into_par_iter().map(work).collect()
}

/// The answers for 0, 1, and so on.
#[cfg(not(feature = "rayon"))]
pub(super) fn each<R>(n: usize, work: impl Fn(usize) -> R) -> Vec<R> {
    (0..n).map(work).collect()
}
