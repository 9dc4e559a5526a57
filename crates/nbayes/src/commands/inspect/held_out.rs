//! How rows held out in training were classified.

use nb_io::HeldOutMeasures;

use crate::output::short;

/// In words, with what the class prior alone has.
pub(super) fn text(measures: &HeldOutMeasures) -> String {
    let mut text = format!(
        "held-out rows of training: log-loss {} (class prior {}), accuracy {} (class prior {})",
        short(measures.log_loss),
        short(measures.log_loss_of_prior),
        short(measures.accuracy),
        short(measures.majority)
    );
    for (name, value) in [("AUC", measures.auc), ("calibration error", measures.calibration_error)] {
        if let Some(value) = value {
            text.push_str(&format!(", {name} {}", short(value)));
        }
    }
    text
}
