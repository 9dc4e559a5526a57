//! Measures of rows that were not learnt from, beside those of the class prior.

use crate::output::{Head, Table, measure, rough, short};

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
    /// The standard errors of log-loss and accuracy.
    pub(super) errors: [Option<f64>; 2],
}

impl Measured {
    /// As a table about `rows` and a model, each in a word or two.
    pub(super) fn table(&self, rows: &str, model: &str) -> Table {
        let [of_log_loss, of_accuracy] = self.errors;
        let heads = [Head::Left(rows), Head::Right(model)];
        let error = of_log_loss.or(of_accuracy).map(|_| Head::Right("standard error"));
        let mut table =
            Table::with_heads(heads.into_iter().chain(error).chain([Head::Right("baseline: class prior")]));
        for (name, value, error, baseline) in [
            ("log-loss", self.log_loss, of_log_loss, self.log_loss_of_prior),
            ("accuracy", self.accuracy, of_accuracy, self.majority),
            ("AUC", self.auc, None, Some(0.5)),
            ("calibration error", self.calibration_error, None, None),
        ] {
            let Some(value) = value else { continue };
            let errors = self.errors.iter().any(Option::is_some);
            let error = error.map_or_else(String::new, rough);
            let baseline = baseline.map_or_else(String::new, short);
            let cells = [name.to_owned(), measure(name, value)];
            table.row(cells.into_iter().chain(errors.then_some(error)).chain([baseline]));
        }
        table
    }
}
