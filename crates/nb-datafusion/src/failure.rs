//! Errors on their way through the engine, which carries texts from one process to another.

use std::fmt::Display;

use datafusion::error::DataFusionError;

/// What went wrong while a query ran, as the engine's error.
pub(crate) fn failed(error: impl Display) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}

/// What is wrong with a query before it runs, as the engine's error.
pub(crate) fn refused(error: impl Display) -> DataFusionError {
    DataFusionError::Plan(error.to_string())
}
