//! The traits: what is fitted to rows held out, and what comes of it.

use ndarray::{ArrayView2, ArrayViewMut2};

use crate::{ApplyError, CalibrationError, rows::find_no_score};

/// A way to calibrate: fits a map of scores to rows whose true classes are known.
///
/// The rows must not be those that the scoring model was fitted to, on which it is surer than on new ones.
/// See [`HeldOutScores`](crate::HeldOutScores) for scores of all rows by models that have not seen them.
pub trait Calibrator {
    /// The map that is fitted.
    type Fitted: CalibrationMap;

    /// Fits the map to log-posteriors, `n_rows × n_classes` in natural logarithms, the true class of each
    /// row, counted from 0, and weights, one per row: a row of weight 2 counts as two rows.
    ///
    /// A number that is added to all scores of a row changes nothing, so joint log-likelihoods are accepted.
    /// Negative infinity says that a class is impossible. The order of the rows does not show in any bit
    /// of the map.
    ///
    /// # Errors
    /// [`CalibrationError`] names the row that is wrong, or says why there is no best map.
    fn fit(
        &self,
        log_posteriors: ArrayView2<'_, f64>,
        truth: &[usize],
        weights: Option<&[f64]>,
    ) -> Result<Self::Fitted, CalibrationError>;
}

/// A fitted map from scores to calibrated log-posteriors.
pub trait CalibrationMap {
    /// The number of classes.
    fn n_classes(&self) -> usize;

    /// Replaces the scores of one row, one per class, by calibrated log-posteriors. The scores are finite or
    /// negative infinity, which whoever calls this makes sure of; the answers are logarithms of
    /// probabilities that add up to one, but of a map that leaves scores as they are
    /// ([`FittedCalibration::None`](crate::FittedCalibration::None)). A row that is impossible under
    /// every class stays so.
    fn apply_row(&self, log_posteriors: &mut [f64]);

    /// Replaces scores, `n_rows × n_classes`, by calibrated log-posteriors in natural logarithms.
    ///
    /// # Errors
    /// [`ApplyError`] if there is not one column per class, or a score is NaN or positive infinity. Nothing
    /// was changed then.
    fn apply(&self, mut log_posteriors: ArrayViewMut2<'_, f64>) -> Result<(), ApplyError> {
        let (expected, found) = (self.n_classes(), log_posteriors.ncols());
        if found != expected {
            return Err(ApplyError::Classes { expected, found });
        }
        if let Some((row, class, value)) = find_no_score(&log_posteriors.view()) {
            return Err(ApplyError::Score { row, class, value });
        }
        let mut scores = vec![0.0; expected];
        for mut row in log_posteriors.rows_mut() {
            scores.iter_mut().zip(&row).for_each(|(to, from)| *to = *from);
            self.apply_row(&mut scores);
            row.iter_mut().zip(&scores).for_each(|(to, from)| *to = *from);
        }
        Ok(())
    }
}
