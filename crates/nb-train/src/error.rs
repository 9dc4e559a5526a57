//! Why a table has no model.

use nb_core::error::{FitError, ValueError};
use nb_io::{ModelError, read::ReadError};

use crate::RefineError;

/// Why no model was made of a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A cell holds what cannot be learnt from.
    #[error("{name}, row {row} (counted from 0), column {column:?}: {} {}", .error.value, .error.reason)]
    Value {
        /// What the table is called.
        name: String,
        /// The row of the table.
        row: usize,
        /// The name of the column.
        column: String,
        /// What is wrong.
        error: ValueError,
    },
    /// No column is left.
    #[error("no column is left to learn from: {column:?} is left out, as {why}")]
    NoColumns {
        /// The first column that is left out.
        column: String,
        /// Why.
        why: String,
    },
    /// Weights and corrections cannot be learnt.
    #[error(transparent)]
    Refine(#[from] RefineError),
    /// Rows cannot be added.
    #[error(transparent)]
    Train(#[from] nb_io::read::TrainFileError),
    /// Columns and family do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The rows do not determine a classifier.
    #[error("cannot build a model from these rows")]
    Fit(#[from] FitError),
}
