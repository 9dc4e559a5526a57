//! What values add to the weights of rows.

use nb_core::family::ClassSums;

use super::super::{PairCounts, pair_counts::pair};

/// `f K` of every code of every column: the share of the rows that have it, times the number of codes of the
/// column; from counts of pairs.
pub(super) fn weights(counts: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<f64>> {
    let n_rows: f64 = classes.iter().map(|class| class.weight().to_f64()).sum();
    let of_column = |(start, n_codes): (usize, usize)| {
        let weight = |code: usize| {
            let place = pair(start + code, start + code);
            let own: f64 = classes.iter().map(|class| class.part(0).get(place).to_f64()).sum();
            if n_rows > 0.0 { own / n_rows * n_codes as f64 } else { 0.0 }
        };
        (0..n_codes).map(weight).collect()
    };
    counts.starts().into_iter().zip(counts.n_codes()).map(of_column).collect()
}
