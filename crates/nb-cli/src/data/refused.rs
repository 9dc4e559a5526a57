//! Errors of the model, in the words of the data file.

use nb_core::{PredictError, ValueError};
use nb_io::Schema;

/// Says which row of a file, counted from 1, and which column has the refused cell. `first_row` rows came before.
pub(crate) fn refused(error: PredictError, file: &str, schema: &Schema, first_row: usize) -> anyhow::Error {
    let PredictError::Value(ValueError { row, column, value, reason }) = error else {
        return anyhow::Error::new(error).context(file.to_owned());
    };
    let column = schema.feature_name(column).unwrap_or_default();
    let row = first_row + row + 1;
    anyhow::anyhow!("{file}, row {row}, column {column:?}: {} {reason}", crate::output::exact(value))
}
