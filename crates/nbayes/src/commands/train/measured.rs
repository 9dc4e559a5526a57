//! Measures of rows that were not learnt from, beside those of the class prior.

use crate::output::{Head, Table, measure, short};

/// What was measured; `None` if it was not, or does not exist.
pub(super) struct Measured {
    pub(super) log_loss: Option<f64>,
    /// That of the class prior alone.
    pub(super) log_loss_of_prior: Option<f64>,
    pub(super) accuracy: Option<f64>,
    /// The accuracy of the majority class for every row.
    pub(super) majority: Option<f64>,
    pub(super) auc: Option<f64>,
    pub(super) calibration_error: Option<f64>,
}

impl Measured {
    /// As a table about `rows` and a model, each in a word or two.
    pub(super) fn table(&self, rows: &str, model: &str) -> Table {
        let heads = [Head::Left(rows), Head::Right(model), Head::Right("baseline: class prior")];
        let mut table = Table::with_heads(heads);
        for (name, value, baseline) in [
            ("log-loss", self.log_loss, self.log_loss_of_prior),
            ("accuracy", self.accuracy, self.majority),
            ("AUC", self.auc, Some(0.5)),
            ("calibration error", self.calibration_error, None),
        ] {
            if let Some(value) = value {
                table.row([name, &measure(name, value), &baseline.map_or_else(String::new, short)]);
            }
        }
        table
    }
}
