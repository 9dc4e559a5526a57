//! How rows held out in training were classified.

use nb_io::HeldOutMeasures;
use serde::Serialize;

use crate::output::short;

#[derive(Serialize)]
pub(super) struct HeldOutLine {
    log_loss: f64,
    log_loss_of_prior: f64,
    accuracy: f64,
    majority: f64,
    auc: Option<f64>,
    calibration_error: Option<f64>,
}

impl HeldOutLine {
    pub(super) fn new(measures: &HeldOutMeasures) -> Self {
        Self {
            log_loss: measures.log_loss,
            log_loss_of_prior: measures.log_loss_of_prior,
            accuracy: measures.accuracy,
            majority: measures.majority,
            auc: measures.auc,
            calibration_error: measures.calibration_error,
        }
    }

    /// In words, with what the class prior alone has.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "held-out rows of training: log-loss {} (class prior {}), accuracy {} (class prior {})",
            short(self.log_loss),
            short(self.log_loss_of_prior),
            short(self.accuracy),
            short(self.majority)
        );
        for (name, value) in [("AUC", self.auc), ("calibration error", self.calibration_error)] {
            if let Some(value) = value {
                text.push_str(&format!(", {name} {}", short(value)));
            }
        }
        text
    }
}
