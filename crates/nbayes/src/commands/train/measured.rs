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
    /// Log-loss and accuracy of a plain model on the same rows.
    pub(super) plain: [Option<f64>; 2],
}

impl Measured {
    /// As a table about `rows` and a model, each in a word or two.
    pub(super) fn table(&self, rows: &str, model: &str) -> Table {
        let (has_errors, has_plain) =
            (self.errors.iter().any(Option::is_some), self.plain.iter().any(Option::is_some));
        let mut heads = vec![Head::Left(rows), Head::Right(model)];
        heads.extend(has_errors.then_some(Head::Right("standard error")));
        heads.extend(has_plain.then_some(Head::Right("plain")));
        heads.push(Head::Right("baseline: class prior"));
        let mut table = Table::with_heads(heads);
        let ([of_log_loss, of_accuracy], [plain_log_loss, plain_accuracy]) = (self.errors, self.plain);
        for (name, value, error, plain, baseline) in [
            ("log-loss", self.log_loss, of_log_loss, plain_log_loss, self.log_loss_of_prior),
            ("accuracy", self.accuracy, of_accuracy, plain_accuracy, self.majority),
            ("AUC", self.auc, None, None, Some(0.5)),
            ("calibration error", self.calibration_error, None, None, None),
        ] {
            let Some(value) = value else { continue };
            let mut cells = vec![name.to_owned(), measure(name, value)];
            cells.extend(has_errors.then(|| error.map_or_else(String::new, rough)));
            cells.extend(has_plain.then(|| plain.map_or_else(String::new, short)));
            cells.push(baseline.map_or_else(String::new, short));
            table.row(cells);
        }
        table
    }
}
