//! Rows by which probabilities are calibrated.

use std::collections::BTreeMap;

use nb_calibration::{Calibration, CalibrationMap, Calibrator, FittedCalibration};
use nb_io::HeldOutMeasures;
use nb_metrics::Evaluation;
use ndarray::{Array2, Axis};

use super::{CalibrateError, ModelMap};
use crate::LossChange;

/// The folds by which a map is measured on rows that it was not learnt from.
const FOLDS: usize = 5;

/// What a model says of rows that were held out from its training, with their classes, dealt into five folds.
///
/// [`calibrate`](crate::calibrate) has an example.
#[derive(Clone, Debug)]
pub struct CalibrationRows {
    log_posteriors: Array2<f64>,
    truths: Vec<usize>,
    folds: Vec<usize>,
}

/// How the rows are classified before, and by maps of other rows.
pub(super) struct Measured {
    pub(super) before: HeldOutMeasures,
    pub(super) after: HeldOutMeasures,
    pub(super) n_kept: usize,
    pub(super) change: LossChange,
}

impl CalibrationRows {
    /// Rows with the natural logarithms of their posterior probabilities (rows × classes in label order) and
    /// the places of their classes.
    ///
    /// The rows of each class are dealt to the folds in turn, and so are those that are answered wrong, as
    /// there is no best map without any. Rows of the same `group` are in the fold of the first of them.
    ///
    /// # Errors
    /// [`CalibrateError::Lengths`], and [`CalibrateError::Truth`] if there is no such class.
    pub fn new<G: Ord>(
        log_posteriors: Array2<f64>,
        truths: Vec<usize>,
        group: impl Fn(usize) -> Option<G>,
    ) -> Result<Self, CalibrateError> {
        let (n_rows, n_classes) = log_posteriors.dim();
        if truths.len() != n_rows {
            return Err(CalibrateError::Lengths { rows: n_rows, truths: truths.len() });
        }
        if let Some(row) = truths.iter().position(|&truth| truth >= n_classes) {
            return Err(CalibrateError::Truth { row, truth: truths[row], n_classes });
        }
        let (mut n_right, mut n_wrong) = (vec![0; n_classes], 0);
        let mut of_groups = BTreeMap::new();
        let mut folds = Vec::with_capacity(n_rows);
        for (row, &truth) in truths.iter().enumerate() {
            let is_right = largest(log_posteriors.row(row).iter()) == truth;
            let dealt = if is_right { &mut n_right[truth] } else { &mut n_wrong };
            let own = *dealt % FOLDS;
            *dealt += 1;
            folds.push(match group(row) {
                Some(group) => {
                    let next = of_groups.len() % FOLDS;
                    *of_groups.entry(group).or_insert(next)
                }
                None => own,
            });
        }
        Ok(Self { log_posteriors, truths, folds })
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.truths.len()
    }

    /// The best map of all rows.
    pub(super) fn map(
        &self,
        calibration: Calibration,
        classes: &[String],
    ) -> Result<ModelMap, CalibrateError> {
        self.check(calibration, classes)?;
        let map = ModelMap::of(self.fit(calibration, classes, |_| true)?).ok_or(CalibrateError::NoMap)?;
        // A single block has the same probability for all rows.
        let is_flat = |map: &ModelMap| matches!(map, ModelMap::Isotonic(map) if map.steps().iter().all(|steps| steps.len() < 2));
        if is_flat(&map) { Err(CalibrateError::Opposite) } else { Ok(map) }
    }

    fn check(&self, calibration: Calibration, classes: &[String]) -> Result<(), CalibrateError> {
        let n_classes = self.log_posteriors.ncols();
        if n_classes != classes.len() {
            return Err(CalibrateError::Classes { found: n_classes, n_classes: classes.len() });
        }
        if calibration == Calibration::Platt && n_classes != 2 {
            return Err(CalibrateError::NotTwoClasses { n_classes });
        }
        let is_impossible =
            |(row, &truth): (usize, &usize)| self.log_posteriors[[row, truth]] == f64::NEG_INFINITY;
        if calibration != Calibration::Isotonic
            && let Some(row) = self.truths.iter().enumerate().position(is_impossible)
        {
            return Err(CalibrateError::Impossible { row, class: classes[self.truths[row]].clone() });
        }
        match self.truths.as_slice() {
            [first, rest @ ..] if rest.iter().all(|truth| truth == first) => {
                Err(CalibrateError::OneClass { class: classes[*first].clone() })
            }
            _ => Ok(()),
        }
    }

    /// The map that is best for the rows of some folds.
    fn fit(
        &self,
        calibration: Calibration,
        classes: &[String],
        is_used: impl Fn(usize) -> bool,
    ) -> Result<FittedCalibration, CalibrateError> {
        let rows: Vec<usize> = (0..self.n_rows()).filter(|&row| is_used(self.folds[row])).collect();
        let scores = self.log_posteriors.select(Axis(0), &rows);
        let truths: Vec<usize> = rows.iter().map(|&row| self.truths[row]).collect();
        let fitted = calibration
            .fit(scores.view(), &truths, None)
            .map_err(|error| CalibrateError::of(error, classes))?;
        match ModelMap::of(fitted.clone()) {
            Some(ModelMap::Line { factor, .. }) if factor <= 0.0 => Err(CalibrateError::Opposite),
            _ => Ok(fitted),
        }
    }

    /// How the rows are classified before, and by maps that were learnt from the rows of the other folds.
    pub(super) fn measures(
        &self,
        calibration: Calibration,
        classes: &[String],
        shares: &[f64],
    ) -> Result<Measured, CalibrateError> {
        let (mut before, mut after) = (Evaluation::new(classes.len()), Evaluation::new(classes.len()));
        let (mut n_kept, mut losses) = (0, Vec::with_capacity(self.n_rows()));
        for fold in 0..FOLDS {
            let rows: Vec<usize> = (0..self.n_rows()).filter(|&row| self.folds[row] == fold).collect();
            if rows.is_empty() {
                continue;
            }
            let fitted = match self.fit(calibration, classes, |other| other != fold) {
                Ok(fitted) => Some(fitted),
                Err(CalibrateError::Separated) => {
                    n_kept += rows.len();
                    None
                }
                Err(error) => return Err(error),
            };
            for row in rows {
                let mut own = self.log_posteriors.row(row).to_vec();
                let truth = self.truths[row];
                before.add(Some(truth), Some(largest(&own)), &own, 1.0)?;
                let loss_before = -own[truth];
                if let Some(fitted) = &fitted {
                    fitted.apply_row(&mut own);
                }
                after.add(Some(truth), Some(largest(&own)), &own, 1.0)?;
                losses.push(([loss_before, -own[truth]], 1.0));
            }
        }
        let [before, after] = [before, after].map(|evaluation| self.held_out(&evaluation, shares));
        Ok(Measured { before, after, n_kept, change: LossChange::of(losses) })
    }

    /// The measures as a model has them, beside those of the class shares of training.
    fn held_out(&self, evaluation: &Evaluation, shares: &[f64]) -> HeldOutMeasures {
        let n_rows = self.n_rows() as f64;
        let of_prior = self.truths.iter().map(|&truth| -shares[truth].ln()).sum::<f64>() / n_rows;
        let majority = largest(shares);
        let of_majority = self.truths.iter().filter(|&&truth| truth == majority).count() as f64 / n_rows;
        let measures = evaluation.measures();
        let [loss, accuracy] = [measures.log_loss, measures.accuracy].map(|one| one.unwrap_or(f64::INFINITY));
        HeldOutMeasures::new([loss, of_prior], [accuracy, of_majority])
            .with_auc_and_calibration(measures.auc, measures.calibration_error)
    }
}

/// The place of the largest number; the first of equal ones.
fn largest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (place, &number) in numbers.into_iter().enumerate() {
        if number > best.1 {
            best = (place, number);
        }
    }
    best.0
}
