//! Any method, calibrated on cross-validated scores of its training rows.

use nb_calibration::{Calibration, CalibrationMap, Calibrator, FittedCalibration};
use ndarray::Array2;

use crate::{
    Dealing, Fitted, Folds, Method, MethodError, Plan, PowerLimit, Table, TunedValues,
    method::rows::parts::{inner_folds, labels_of},
};

/// A method whose posteriors are calibrated: the training rows are dealt into folds, each fold is scored by
/// what was learnt from the others, and the calibration is fitted to these scores. The classifier itself is
/// learnt from all training rows.
pub struct CalibratedMethod {
    method: Box<dyn Method>,
    calibration: Calibration,
    n_folds: usize,
}

impl std::fmt::Debug for CalibratedMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("CalibratedMethod");
        shown.field("calibration", &self.calibration).field("n_folds", &self.n_folds).finish_non_exhaustive()
    }
}

impl CalibratedMethod {
    /// Calibrates a method.
    pub fn new(method: Box<dyn Method>, calibration: Calibration, n_folds: usize) -> Self {
        Self { method, calibration, n_folds }
    }

    /// The folds of training rows with these labels, if rows are dealt one by one: they depend on nothing
    /// else. Groups stay whole.
    ///
    /// # Errors
    /// [`MethodError`] if there are fewer rows than folds.
    pub fn folds(&self, labels: &[usize]) -> Result<Folds, MethodError> {
        let plan = Plan::CrossValidation { folds: self.n_folds, repeats: 1 };
        plan.deal("training rows", "calibration", labels, 0, 0).map_err(|_| {
            MethodError::failed(format!(
                "calibration deals the training rows into {} folds, and there are {}; use more rows, or no calibration",
                self.n_folds,
                labels.len()
            ))
        })
    }

    /// The scores of all training rows, each by what was learnt from other folds.
    fn scores(&self, table: &Table, train: &[usize]) -> Result<Array2<f64>, MethodError> {
        let folds = match table.dealing {
            // Rows of a group would be scored by what was learnt from others of it.
            Dealing::Groups { .. } => inner_folds(&table.with_rows(train), self.n_folds, "calibration")?,
            Dealing::Rows | Dealing::Given(_) => self.folds(&labels_of(table, train)?)?,
        };
        let mut scores = Array2::zeros((train.len(), table.classes.len()));
        for fold in 0..folds.n_folds {
            let numbers =
                |places: Vec<usize>| places.into_iter().map(|place| train[place]).collect::<Vec<_>>();
            let fitted = self.method.fit(table, &numbers(folds.train(fold)))?;
            let places = folds.test(fold);
            let found = fitted.log_posteriors(table, &numbers(places.clone()))?;
            for (row, place) in found.rows().into_iter().zip(places) {
                scores.row_mut(place).assign(&row);
            }
        }
        Ok(scores)
    }
}

impl Method for CalibratedMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let scores = self.scores(table, train)?;
        let labels = labels_of(table, train)?;
        let map = self.calibration.fit(scores.view(), &labels, None).map_err(MethodError::failed)?;
        Ok(Box::new(Calibrated { fitted: self.method.fit(table, train)?, map }))
    }
}

struct Calibrated {
    fitted: Box<dyn Fitted>,
    map: FittedCalibration,
}

impl Fitted for Calibrated {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let mut found = self.fitted.log_posteriors(table, rows)?;
        self.map.apply(found.view_mut()).map_err(MethodError::failed)?;
        Ok(found)
    }

    fn n_parameters(&self) -> usize {
        self.fitted.n_parameters()
    }

    fn chosen(&self) -> Option<&TunedValues> {
        self.fitted.chosen()
    }

    fn limits(&self) -> &[PowerLimit] {
        self.fitted.limits()
    }
}
