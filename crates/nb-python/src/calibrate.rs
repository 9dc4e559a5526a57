//! Probabilities of models of tables mapped to calibrated ones, as `nbayes calibrate` does.

use nb_calibration::Calibration;
use nb_io::Model;
use nb_train::{CalibrateError, Calibrated, CalibrationRows};
use pyo3::{PyErr, PyResult, exceptions::PyValueError};

use crate::errors;

/// The model with the best map of the rows, which are what it says without the map that it has.
pub(crate) fn calibrated(model: &Model, rows: &CalibrationRows, method: &str) -> PyResult<Calibrated> {
    let calibration = match method {
        "temperature" => Calibration::Temperature,
        "platt" => Calibration::Platt,
        "isotonic" => Calibration::Isotonic,
        other => {
            let message = format!("method is {other:?}; it must be temperature, platt or isotonic");
            return Err(PyValueError::new_err(message));
        }
    };
    nb_train::calibrate(model, rows, calibration).map_err(explained)
}

/// The error in the words of Python.
pub(crate) fn explained(error: CalibrateError) -> PyErr {
    match error {
        CalibrateError::Impossible { row, .. } => PyValueError::new_err(format!(
            "row {row}: the model says that its class is impossible, which only method='isotonic' changes"
        )),
        CalibrateError::NotAdditive => {
            PyValueError::new_err("the score of this model is no sum over columns; use method='isotonic'")
        }
        CalibrateError::NoConvergence { class } => PyValueError::new_err(format!(
            "no best map of class {class:?} was found, as some of its probabilities are too near 0 or 1; hold \
             out more rows, or use another method"
        )),
        error => errors::value(error),
    }
}
