//! The rows that a map is fitted to, checked.

use ndarray::{ArrayView1, ArrayView2};

use crate::CalibrationError;

/// Scores, true classes and weights that belong together.
pub(crate) struct CheckedRows<'a> {
    scores: ArrayView2<'a, f64>,
    truth: &'a [usize],
    weights: Option<&'a [f64]>,
}

/// One of them.
pub(crate) struct Row<'a> {
    pub(crate) number: usize,
    pub(crate) scores: ArrayView1<'a, f64>,
    pub(crate) truth: usize,
    pub(crate) weight: f64,
}

impl<'a> CheckedRows<'a> {
    /// Refuses what cannot be fitted; at least one row has a weight.
    pub(crate) fn new(
        scores: &ArrayView2<'a, f64>,
        truth: &'a [usize],
        weights: Option<&'a [f64]>,
    ) -> Result<Self, CalibrationError> {
        let (rows, n_classes) = scores.dim();
        if n_classes < 2 {
            return Err(CalibrationError::Classes { found: n_classes });
        }
        if truth.len() != rows {
            return Err(CalibrationError::Labels { rows, labels: truth.len() });
        }
        if let Some(row) = truth.iter().position(|&class| class >= n_classes) {
            return Err(CalibrationError::Truth { row, class: truth[row], n_classes });
        }
        if let Some(weights) = weights {
            if weights.len() != rows {
                return Err(CalibrationError::Weights { rows, weights: weights.len() });
            }
            if let Some(row) = weights.iter().position(|&weight| !is_weight(weight)) {
                return Err(CalibrationError::Weight { row, weight: weights[row] });
            }
        }
        if let Some((row, class, value)) = find_no_score(scores) {
            return Err(CalibrationError::Score { row, class, value });
        }
        let checked = Self { scores: *scores, truth, weights };
        if checked.iter().next().is_none() { Err(CalibrationError::NoRows) } else { Ok(checked) }
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.scores.ncols()
    }

    /// The rows that have a weight, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Row<'a>> + '_ {
        let rows = self.scores.into_outer_iter().zip(self.truth).enumerate();
        let rows = rows.map(|(number, (scores, &truth))| {
            let weight = self.weights.map_or(1.0, |weights| weights[number]);
            Row { number, scores, truth, weight }
        });
        rows.filter(|row| row.weight > 0.0)
    }

    /// The factor, a power of two, that brings the scores into a range whose squares can be summed with any
    /// weights: 1 unless a score is beyond `2^400`.
    pub(crate) fn scale(&self) -> f64 {
        let is_huge = |score: &f64| score.is_finite() && score.abs() > nb_core::exact::domain::MAX_ABS_VALUE;
        if self.scores.iter().any(is_huge) { HUGE_TO_LARGE } else { 1.0 }
    }
}

/// `2^-625`: from the largest doubles to half of [`nb_core::exact::domain::MAX_ABS_VALUE`], so that
/// differences are within it.
const HUGE_TO_LARGE: f64 = f64::from_bits((1023 - 625) << 52);

/// The first cell that is neither finite nor negative infinity.
pub(crate) fn find_no_score(scores: &ArrayView2<'_, f64>) -> Option<(usize, usize, f64)> {
    let mut cells = scores.indexed_iter();
    let no_score = |value: f64| value.is_nan() || value == f64::INFINITY;
    cells.find_map(|((row, class), &value)| no_score(value).then_some((row, class, value)))
}

/// Zero or from `2^-60` to `2^60`.
fn is_weight(weight: f64) -> bool {
    const LIMIT: f64 = (1_u64 << 60) as f64;
    weight == 0.0 || (1.0 / LIMIT..=LIMIT).contains(&weight)
}
