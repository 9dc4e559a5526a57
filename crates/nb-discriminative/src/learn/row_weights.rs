//! How much each row counts.

use std::ops::Range;

/// The weight of each of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowWeights<'a>(Option<&'a [f64]>);

impl RowWeights<'_> {
    /// The weight 1 for all rows.
    pub(super) const ONES: Self = Self(None);
}

impl<'a> RowWeights<'a> {
    /// One weight per row.
    #[cfg(test)]
    pub(super) fn new(weights: &'a [f64]) -> Self {
        Self(Some(weights))
    }

    /// The weights, if they are not all 1.
    pub(super) fn given(self) -> Option<&'a [f64]> {
        self.0
    }

    /// The weight of a row.
    #[inline(always)]
    pub(super) fn of(self, row: usize) -> f64 {
        self.0.map_or(1.0, |weights| weights[row])
    }

    /// Those of some of the rows that follow one another.
    pub(super) fn slice(self, rows: Range<usize>) -> Self {
        Self(self.0.map(|weights| &weights[rows]))
    }

    /// Those of some of the rows, in this order, as [`of_all`](Self::of_all) takes them.
    pub(super) fn select(self, rows: impl Iterator<Item = usize>) -> Option<Vec<f64>> {
        self.0.map(|weights| rows.map(|row| weights[row]).collect())
    }

    /// Weights that were [selected](Self::select).
    pub(super) fn of_all(weights: Option<&'a Vec<f64>>) -> Self {
        Self(weights.map(Vec::as_slice))
    }

    /// The sum of the weights of `n_rows` rows.
    pub(super) fn total(self, n_rows: usize) -> f64 {
        self.0.map_or(n_rows as f64, |weights| weights.iter().sum())
    }

    /// Multiplies the scores of each row with its weight.
    pub(super) fn multiply(self, scores: &mut [f64], n_classes: usize) {
        let Some(weights) = self.0 else { return };
        for (scores, weight) in scores.chunks_exact_mut(n_classes).zip(weights) {
            for score in scores {
                *score *= weight;
            }
        }
    }
}
