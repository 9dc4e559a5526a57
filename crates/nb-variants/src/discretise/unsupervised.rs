//! Cuts that do not look at the labels. All runs are of one class, so that each is its own value.

use super::columns::{Run, between};

/// Bins of equal width.
pub(super) fn equal_width(runs: &[Run], n_bins: usize) -> Vec<f64> {
    let (Some(least), Some(most)) = (runs.first(), runs.last()) else { return Vec::new() };
    let (least, most) = (least.value, most.value);
    // Where the range exceeds the largest double, that of the halves does not.
    let unit = if (most - least).is_finite() { 1.0 } else { 0.5 };
    let width = (most * unit - least * unit) / n_bins as f64;
    let mut cuts: Vec<f64> = (1..n_bins).map(|cut| (least * unit + cut as f64 * width) / unit).collect();
    // A cut at the largest value would have nothing above it.
    cuts.retain(|&cut| cut < most);
    cuts.dedup();
    cuts
}

/// Bins of nearly equally many values.
pub(super) fn equal_frequency(runs: &[Run], n_bins: usize) -> Vec<f64> {
    let n = n_values(runs);
    let mut below = 0;
    let neighbours = runs.iter().zip(runs.get(1..).unwrap_or(&[]));
    // Where a cut may stand: between different values, with this many values below it.
    let places: Vec<(usize, f64)> = neighbours
        .map(|(run, next)| {
            below += run.count;
            (below, between(run.value, next.value))
        })
        .collect();
    // |below - cut n / n_bins|, in whole numbers.
    let distance = |place: &(usize, f64), cut: usize| {
        (place.0 as u128 * n_bins as u128).abs_diff(cut as u128 * n as u128)
    };
    let (mut place, mut cuts) = (0, Vec::new());
    if places.is_empty() {
        return cuts;
    }
    for cut in 1..n_bins {
        while let Some(next) = places.get(place + 1)
            && distance(next, cut) < distance(&places[place], cut)
        {
            place += 1;
        }
        cuts.push(places[place].1);
    }
    cuts.dedup();
    cuts
}

/// As many bins of equal frequency as the root of the number of values.
pub(super) fn proportional(runs: &[Run]) -> Vec<f64> {
    equal_frequency(runs, n_values(runs).isqrt())
}

fn n_values(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.count).sum()
}
