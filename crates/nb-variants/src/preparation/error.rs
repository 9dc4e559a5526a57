//! Why nothing can be learnt from rows.

use nb_core::error::{FitRowsError, LayoutError, UpdateError, ValueError, ValueProblem};

use crate::{DiscretiseError, GridError, LambdaError};

/// Why nothing can be learnt from rows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreparationError {
    /// A cell cannot be of its family.
    #[error("column {column}: {} {reason}", short(*.value))]
    Value {
        /// The column.
        column: usize,
        /// The value of the cell.
        value: f64,
        /// What is wrong with it.
        reason: ValueProblem,
    },
    /// A column has no values.
    #[error("column {column} has no values to learn from; leave it out")]
    NoValues {
        /// The column.
        column: usize,
    },
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// There are too many bins.
    #[error(transparent)]
    Bins(DiscretiseError),
    /// A column has no grid.
    #[error(transparent)]
    Grid(GridError),
    /// There are more counts of columns with their parents than there may be, or a hyper-parameter is out of
    /// range.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The parents cannot be learnt.
    #[error(transparent)]
    Parents(FitRowsError),
}

/// A number as people write it: without hundreds of zeros.
fn short(value: f64) -> String {
    let is_plain = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    if is_plain { value.to_string() } else { format!("{value:e}") }
}

impl PreparationError {
    /// The same with the numbers of columns of a whole table, of which the family has these.
    ///
    /// ```
    /// # use nb_variants::PreparationError;
    /// // The second of the columns 0 and 4.
    /// let error = PreparationError::NoValues { column: 1 }.in_columns(&[0, 4]);
    /// assert_eq!(error.to_string(), "column 4 has no values to learn from; leave it out");
    /// ```
    #[must_use]
    pub fn in_columns(self, columns: &[usize]) -> Self {
        let place = |column: usize| columns.get(column).copied().unwrap_or(column);
        match self {
            Self::Value { column, value, reason } => Self::Value { column: place(column), value, reason },
            Self::NoValues { column } => Self::NoValues { column: place(column) },
            error => error,
        }
    }

    /// The column that it is about, if it is about one.
    ///
    /// ```
    /// # use nb_variants::PreparationError;
    /// assert_eq!(PreparationError::NoValues { column: 4 }.column(), Some(4));
    /// assert_eq!(PreparationError::Labels { rows: 3, labels: 2 }.column(), None);
    /// ```
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Value { column, .. } | Self::NoValues { column } => Some(*column),
            _ => None,
        }
    }
}

impl From<ValueError> for PreparationError {
    fn from(ValueError { column, value, reason, .. }: ValueError) -> Self {
        Self::Value { column, value, reason }
    }
}

impl From<DiscretiseError> for PreparationError {
    fn from(error: DiscretiseError) -> Self {
        match error {
            DiscretiseError::Infinite { column, value, .. } => {
                Self::Value { column, value, reason: ValueProblem::Infinite }
            }
            error => Self::Bins(error),
        }
    }
}

impl From<GridError> for PreparationError {
    fn from(error: GridError) -> Self {
        match error {
            GridError::Value(error) => error.into(),
            GridError::NoData { column } => Self::NoValues { column },
            error => Self::Grid(error),
        }
    }
}

impl From<LambdaError> for PreparationError {
    fn from(error: LambdaError) -> Self {
        match error {
            LambdaError::Value(error) => error.into(),
            LambdaError::Labels { rows, labels } => Self::Labels { rows, labels },
        }
    }
}

impl From<FitRowsError> for PreparationError {
    fn from(error: FitRowsError) -> Self {
        match error {
            FitRowsError::Update(UpdateError::Value(error)) => error.into(),
            FitRowsError::Layout(error) => Self::Layout(error),
            error => Self::Parents(error),
        }
    }
}
