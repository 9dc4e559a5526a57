//! Why log-count ratios could not be fitted.

use nb_core::error::{FamilyError, LayoutError, ParameterError, UpdateError};
use nb_linear::LogisticError;

/// Why log-count ratios could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CountRatioError {
    /// What is added to the sums is out of its range.
    #[error("alpha is {alpha}; it must be from 2^-60 to 2^60")]
    Alpha {
        /// What should be added.
        alpha: f64,
    },
    /// There are no columns.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Rows or labels are invalid, or do not go with the statistics.
    #[error(transparent)]
    Rows(#[from] UpdateError),
    /// The statistics have sums that no rows can have, or are scaled too far.
    #[error(transparent)]
    Sums(#[from] FamilyError),
    /// The statistics and the labels have different classes.
    #[error(
        "the classes of the statistics are not those of the labels; take rows and statistics of the same classes"
    )]
    Classes,
    /// All rows have the same label, or there are none.
    #[error("there are fewer than two classes, and a ratio needs two")]
    OneClass,
    /// A regression has no solution.
    #[error("class {class} (in label order) against the others: {error}")]
    Logistic {
        /// Position of the class in label order.
        class: usize,
        /// What is wrong.
        error: LogisticError,
    },
    /// The coefficients are too large to be used.
    #[error(transparent)]
    Coefficients(#[from] ParameterError),
}
