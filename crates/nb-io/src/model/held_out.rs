//! How rows were classified that a model was not learnt from.

use nb_core::error::LayoutError;
use serde::{Deserialize, Serialize};

/// How rows were classified that were held out from all that was learnt.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HeldOutMeasures {
    /// The mean log-loss, in natural logarithms.
    pub log_loss: f64,
    /// The same if only the shares of the classes are known.
    pub log_loss_of_prior: f64,
    /// The share of rows whose class is the most probable one.
    pub accuracy: f64,
    /// The share of the largest class.
    pub majority: f64,
    /// The area under the ROC curve, if it was measured.
    pub auc: Option<f64>,
    /// The calibration error, if it was measured.
    pub calibration_error: Option<f64>,
}

impl HeldOutMeasures {
    /// Log-loss and accuracy, each with that of the class prior alone;
    /// [`Model::with_held_out`](crate::Model::with_held_out) has an example.
    pub fn new([log_loss, log_loss_of_prior]: [f64; 2], [accuracy, majority]: [f64; 2]) -> Self {
        Self { log_loss, log_loss_of_prior, accuracy, majority, auc: None, calibration_error: None }
    }

    /// The same with the area under the ROC curve and the calibration error, if they were measured.
    #[must_use]
    pub fn with_auc_and_calibration(self, auc: Option<f64>, calibration_error: Option<f64>) -> Self {
        Self { auc, calibration_error, ..self }
    }

    /// Refuses what is no number.
    pub(super) fn check(&self) -> Result<(), LayoutError> {
        let Self { log_loss, log_loss_of_prior, accuracy, majority, auc, calibration_error } = *self;
        let measures = [log_loss, log_loss_of_prior, accuracy, majority].into_iter();
        match measures.chain(auc).chain(calibration_error).find(|measure| !measure.is_finite()) {
            Some(value) => {
                Err(LayoutError::Parameter { name: "a measure of held-out rows", value, must_be: "finite" })
            }
            None => Ok(()),
        }
    }
}
