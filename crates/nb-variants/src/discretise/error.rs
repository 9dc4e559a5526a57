//! Errors of cut points, and of learning and using them.

/// Why numbers are not the cut points of columns.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CutsError {
    /// A cut point is infinite or not a number.
    #[error("cut {position} of column {column} is {cut}; cut points must be finite")]
    NotFinite {
        /// The column.
        column: usize,
        /// The position of the cut among those of the column.
        position: usize,
        /// The cut.
        cut: f64,
    },
    /// A cut point is not above the one before it.
    #[error(
        "cut {position} of column {column} is {cut}, which is not above the one before it; sort the cut points and drop duplicates"
    )]
    Order {
        /// The column.
        column: usize,
        /// The position of the cut among those of the column.
        position: usize,
        /// The cut.
        cut: f64,
    },
    /// There are more bins than memory should be spent on.
    #[error(
        "there are {n_bins} bins over all columns; there may be {most}, and 1048576 in a column; ask for fewer"
    )]
    TooManyBins {
        /// The number of bins over all columns.
        n_bins: usize,
        /// How many there may be.
        most: usize,
    },
}

/// Why rows could not be discretised, or no cut points learnt from them.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DiscretiseError {
    /// No bins were requested.
    #[error("there cannot be 0 bins; ask for at least 1")]
    NoBins,
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// The rows have another number of columns than there are cut points for.
    #[error("the rows have {found} columns, the cut points {expected}")]
    Columns {
        /// The columns of the cut points.
        expected: usize,
        /// The columns of the rows.
        found: usize,
    },
    /// A cell is infinite. (NaN is a missing cell.)
    #[error("row {row}, column {column}: {value} is infinite; clip or drop the row")]
    Infinite {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// The cut points are not usable.
    #[error(transparent)]
    Cuts(#[from] CutsError),
}
