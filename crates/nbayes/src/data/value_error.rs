//! Errors of the model, in the words of the data file.

use nb_core::error::{PredictError, ValueError, ValueProblem};
use nb_io::{Schema, read::TrainError};

/// Says which row of a file, counted from 1, and which column has the refused cell. `first_row` rows came before.
pub(crate) fn value_error(
    error: PredictError,
    file: &str,
    schema: &Schema,
    first_row: usize,
) -> anyhow::Error {
    let PredictError::Value(ValueError { row, column, value, reason }) = error else {
        return anyhow::Error::new(error).context(file.to_owned());
    };
    let column = schema.feature_name(column).unwrap_or_default();
    cell(file, first_row + row, &column, value, &reason)
}

/// The same for rows to be learnt from.
pub(crate) fn not_learnt(error: TrainError) -> anyhow::Error {
    match error {
        TrainError::Value { file, column, error: ValueError { row, value, reason, .. } } => {
            cell(&file, row, &column, value, &reason)
        }
        error => error.into(),
    }
}

fn cell(file: &str, row: usize, column: &str, value: f64, reason: &ValueProblem) -> anyhow::Error {
    anyhow::anyhow!("{file}, row {}, column {column:?}: {} {reason}", row + 1, crate::output::exact(value))
}
