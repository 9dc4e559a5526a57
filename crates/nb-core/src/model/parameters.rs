//! Checks of parameters that come from elsewhere.

use ndarray::ArrayView2;

use crate::model::ParameterError;

/// Refuses a table of another shape.
pub(crate) fn check_shape(
    name: &'static str,
    table: &ArrayView2<'_, f64>,
    expected: (usize, usize),
) -> Result<(), ParameterError> {
    if table.dim() == expected {
        Ok(())
    } else {
        Err(ParameterError::Shape { name, expected, found: table.dim() })
    }
}

/// Refuses the first entry of a table that is not as it must be.
pub(crate) fn check_values(
    name: &'static str,
    table: &ArrayView2<'_, f64>,
    must_be: &'static str,
    is_valid: impl Fn(f64) -> bool,
) -> Result<(), ParameterError> {
    match table.indexed_iter().find(|&(_, &value)| !is_valid(value)) {
        Some(((row, column), &value)) => Err(ParameterError::Value { name, row, column, value, must_be }),
        None => Ok(()),
    }
}

/// Refuses logarithms of what is not a probability.
pub(crate) fn check_log_probabilities(
    name: &'static str,
    table: &ArrayView2<'_, f64>,
) -> Result<(), ParameterError> {
    // Rounding may take the logarithm of a probability of one a little above zero.
    check_values(name, table, "the logarithm of a probability", |log| log <= 1e-9)
}
