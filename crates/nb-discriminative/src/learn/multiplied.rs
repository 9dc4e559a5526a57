//! Numbers of rows that are multiplied with terms.

use std::ops::Range;

use super::sums::products::Power;

/// Numbers of some rows that are multiplied with terms: the counts of words, or the cells of columns.
pub(super) trait Multiplied: Sync {
    /// How many terms there are.
    fn n_terms(&self) -> usize;

    /// Adds to the scores of a range of the rows the numbers times the values of the terms, one per class.
    fn add_terms(&self, rows: Range<usize>, values: &[f64], n_classes: usize, scores: &mut [f64]);

    /// Adds to the sums of terms the scores of a range of the rows, times a power of their numbers.
    fn add_scores(
        &self,
        rows: Range<usize>,
        scores: &[f64],
        n_classes: usize,
        power: Power,
        sums: &mut [f64],
    );
}
