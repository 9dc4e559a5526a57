//! Why a logistic regression could not be fitted.

use nb_core::error::FitRowsError;

/// Why a logistic regression could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LogisticError {
    /// A parameter is out of its range.
    #[error("{name} is {value}; it must be {must_be}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// Rows, labels or weights are invalid.
    #[error(transparent)]
    Rows(#[from] FitRowsError),
    /// A cell is missing.
    #[error(
        "row {row}, column {column}: the cell is missing, and logistic regression cannot leave it out; drop the row or impute the cell"
    )]
    Missing {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// All rows have the same label.
    #[error("all rows have the same label; logistic regression needs at least two classes")]
    OneClass,
    /// The classes can be separated, so that the likelihood has no maximum.
    #[error(
        "a hyperplane separates the classes, so that without a penalty the coefficients grow without bound; choose a larger l2"
    )]
    Separable,
    /// A column is a linear combination of others, so that the minimum is not unique.
    #[error(
        "column {column} is a linear combination of the columns before it and a constant, so that without a penalty its weight is not determined; drop it, or choose a larger l2"
    )]
    Collinear {
        /// The column.
        column: usize,
    },
    /// Newton's method was requested for too many coefficients.
    #[error(
        "{n_coefficients} coefficients are too many for Newton's method, which takes up to {most}; use `Solver::Lbfgs`"
    )]
    TooManyCoefficients {
        /// The number of coefficients.
        n_coefficients: usize,
        /// The most that it takes.
        most: usize,
    },
    /// The minimum was not found.
    #[error(
        "no minimum after {iterations} iterations, the largest component of the gradient is {gradient:e} per row; raise max_iterations, tolerance or l2"
    )]
    NotConverged {
        /// The number of iterations.
        iterations: usize,
        /// The largest component of the gradient of the mean log-loss, for standardised columns.
        gradient: f64,
    },
}
