//! A fitted family whose posteriors are calibrated.

use std::sync::Arc;

use nb_calibration::{CalibrationMap, FittedIsotonic};
use nb_core::{
    Classifier, Likelihood,
    error::{PredictError, ValueError},
    family::{Block, Scores},
};

use super::FittedFamily;

/// The family of a model with a [calibration](crate::Model::calibration).
///
/// The score of a row and class is `log g(c | x) − log p(c)`, with the calibrated posterior `g` and the class
/// prior `p`, so that a classifier with the same prior answers with the posteriors `g`. It is no sum over
/// columns; the contributions of the columns are those of the classifier [without the map](Self::classifier).
#[derive(Clone, Debug)]
pub struct FittedCalibrated {
    classifier: Classifier<usize, FittedFamily>,
    map: Arc<FittedIsotonic>,
    /// For each class its place among those of the map.
    places: Vec<usize>,
}

impl FittedCalibrated {
    pub(crate) fn new(
        classifier: Classifier<usize, FittedFamily>,
        map: Arc<FittedIsotonic>,
        places: Vec<usize>,
    ) -> Self {
        Self { classifier, map, places }
    }

    /// The classifier without the map; its classes are numbers, in the same order.
    pub fn classifier(&self) -> &Classifier<usize, FittedFamily> {
        &self.classifier
    }

    /// Replaces the log-posteriors of a row by calibrated ones; `scratch` is memory.
    fn apply(&self, log_posteriors: &mut [f64], scratch: &mut Vec<f64>) {
        scratch.clear();
        scratch.resize(log_posteriors.len(), 0.0);
        for (&log, &place) in log_posteriors.iter().zip(&self.places) {
            scratch[place] = log;
        }
        self.map.apply_row(scratch);
        for (log, &place) in log_posteriors.iter_mut().zip(&self.places) {
            *log = scratch[place];
        }
    }
}

impl Likelihood for FittedCalibrated {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.classifier.likelihood().check(rows)
    }

    fn shape(&self) -> Option<(usize, usize)> {
        self.classifier.likelihood().shape()
    }

    fn is_additive(&self) -> bool {
        false
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.classifier.likelihood().log_likelihood(class, column, value)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        let n_classes = self.places.len();
        let mut logs = vec![0.0; rows.n_rows() * n_classes];
        match self.classifier.log_posteriors_of_block(rows, &mut logs) {
            Ok(()) => {}
            Err(PredictError::Value(error)) => return Err(error),
            // The rows have the columns of the classifier, or whoever called this would have refused them.
            Err(error) => unreachable!("{error}"),
        }
        let mut scratch = Vec::with_capacity(n_classes);
        for (row, logs) in logs.chunks_exact_mut(n_classes).enumerate() {
            self.apply(logs, &mut scratch);
            for (class, (&log, &log_prior)) in logs.iter().zip(self.classifier.log_prior()).enumerate() {
                // What the classifier began with is taken off first, which leaves nothing of it. A class with
                // a prior of zero stays impossible.
                if log_prior.is_finite() {
                    scores.add(row, class, -log_prior);
                }
                scores.add(row, class, log);
            }
        }
        Ok(())
    }
}
