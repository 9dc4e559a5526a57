//! Answers beside the truth.

use nb_metrics::Evaluation;
use ndarray::Array2;

use crate::{MethodError, Table};

/// The log-posteriors of rows of these numbers and the labels predicted from them, beside the classes that the rows have.
pub(crate) fn evaluate(
    table: &Table,
    rows: &[usize],
    log_posteriors: &Array2<f64>,
    predicted: &[Option<usize>],
) -> Result<Evaluation, MethodError> {
    let mut evaluation = Evaluation::new(table.classes.len());
    for ((&row, &label), posteriors) in rows.iter().zip(predicted).zip(log_posteriors.rows()) {
        evaluation.add(table.labels[row], label, &posteriors.to_vec(), 1.0).map_err(MethodError::failed)?;
    }
    Ok(evaluation)
}
