//! All measures of a classifier on some rows.

use nb_metrics::Evaluation;

use crate::{Fitted, MethodError, Table, Values, labels};

/// All measures of the answers to these rows, as [`run`](crate::run) has them for a fold.
pub(crate) fn score(fitted: &dyn Fitted, table: &Table, rows: &[usize]) -> Result<Values, MethodError> {
    let log_posteriors = fitted.log_posteriors(table, rows)?;
    let mut evaluation = Evaluation::new(table.classes.len());
    for ((&row, label), posteriors) in rows.iter().zip(labels(&log_posteriors)).zip(log_posteriors.rows()) {
        evaluation.add(table.labels[row], label, &posteriors.to_vec(), 1.0).map_err(MethodError::failed)?;
    }
    Ok(Values::of(&evaluation.measures()))
}
