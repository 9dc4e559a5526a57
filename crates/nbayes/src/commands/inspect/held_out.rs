//! How rows held out in training were classified.

use nb_io::HeldOutMeasures;

use crate::output::{measure, short};

/// In words, with what the class prior alone has.
pub(super) fn text(measures: &HeldOutMeasures, is_of_calibration: bool) -> String {
    let rows = if is_of_calibration { "the calibration" } else { "training" };
    let mut text = format!(
        "held-out rows of {rows}: log-loss {} (class prior {}), accuracy {} (class prior {})",
        short(measures.log_loss),
        short(measures.log_loss_of_prior),
        short(measures.accuracy),
        short(measures.majority)
    );
    for (name, value) in [("AUC", measures.auc), ("calibration error", measures.calibration_error)] {
        if let Some(value) = value {
            text.push_str(&format!(", {name} {}", measure(name, value)));
        }
    }
    text
}
