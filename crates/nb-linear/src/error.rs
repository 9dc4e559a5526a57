//! Errors: one small enum per operation; every message says what to do next.

use nb_core::error::PredictError;

/// Why a linear form could not answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// The rows could not be scored.
    #[error(transparent)]
    Predict(#[from] PredictError),
    /// There is no such class.
    #[error("there is no class {class}: there are {n_classes}, counted from 0 in label order")]
    NoSuchClass {
        /// The class.
        class: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// The same class is on both sides of a boundary.
    #[error("class {class} has no boundary against itself; name two classes")]
    SameClass {
        /// The class.
        class: usize,
    },
    /// There is no such column.
    #[error("there is no column {column}: there are {n_columns}, counted from 0")]
    NoSuchColumn {
        /// The column.
        column: usize,
        /// The number of columns.
        n_columns: usize,
    },
    /// The same column is to span both directions of a plane.
    #[error("column {column} was named twice; name two columns")]
    SameColumn {
        /// The column.
        column: usize,
    },
    /// The column does not enter the form as a number.
    #[error(
        "column {column} is compared with a threshold, one of categories, or ignored; name columns of numbers"
    )]
    NotNumeric {
        /// The column.
        column: usize,
    },
    /// A weight or intercept is infinite, so that there is no hyperplane.
    #[error(
        "the form is infinite for a class that cannot have produced every row; fit with a smoothing and priors above 0"
    )]
    Infinite,
    /// The question is for two classes.
    #[error("there are {n_classes} classes, and the question is for two; choose a pair of classes")]
    NotTwoClasses {
        /// The number of classes.
        n_classes: usize,
    },
    /// A number that is no label in the chosen convention.
    #[error("label {label} of row {row} is neither {negative} nor {positive}")]
    Label {
        /// The row.
        row: usize,
        /// The label.
        label: i8,
        /// The label of the first class.
        negative: i8,
        /// The label of the second class.
        positive: i8,
    },
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
}
