//! Answers beside the truth.

use nb_metrics::Evaluation;
use ndarray::Array2;

use crate::{MethodError, Table};

/// The labels predicted for rows of these numbers and, if there are any, the log-posteriors, beside the
/// classes that the rows have.
pub(crate) fn evaluate(
    table: &Table,
    rows: &[usize],
    log_posteriors: Option<&Array2<f64>>,
    predicted: &[Option<usize>],
) -> Result<Evaluation, MethodError> {
    let mut evaluation = Evaluation::new(table.classes.len());
    for (place, (&row, &label)) in rows.iter().zip(predicted).enumerate() {
        let truth = table.labels[row];
        let added = match log_posteriors {
            Some(all) => evaluation.add(truth, label, &all.row(place).to_vec(), 1.0),
            None => evaluation.add_label(truth, label, 1.0),
        };
        added.map_err(MethodError::failed)?;
    }
    Ok(evaluation)
}
