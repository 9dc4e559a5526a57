//! Why sums cannot be designed, released or merged.

/// Why a design is none.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// There is no class.
    #[error("there are no classes; name all that a row can have")]
    NoClasses,
    /// There is no column.
    #[error("there are no columns")]
    NoColumns,
    /// A class is named twice.
    #[error("class {class} of the list is there twice")]
    ClassTwice {
        /// Its place among the sorted classes.
        class: usize,
    },
    /// The bounds of a column are not in order.
    #[error("column {column}: bounds {low} and {high}; both must be finite, and the first below the second")]
    Bounds {
        /// The column.
        column: usize,
        /// The least number.
        low: f64,
        /// The largest number.
        high: f64,
    },
    /// A column has no categories, or too many.
    #[error("column {column}: {n} categories; there must be from 1 to 1048576")]
    Categories {
        /// The column.
        column: usize,
        /// How many there are.
        n: usize,
    },
}

/// Why sums are not released. Nothing was drawn, and nothing spent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// The rows have another number of columns than the design.
    #[error("the design has {expected} columns, and the rows have {found}")]
    Columns {
        /// The number of columns of the design.
        expected: usize,
        /// That of the rows.
        found: usize,
    },
    /// There are more rows than sums have room for.
    #[error("there are {rows} rows; at most 1099511627776 are summed")]
    Rows {
        /// The number of rows.
        rows: usize,
    },
    /// A label is no class of the design.
    #[error(
        "row {row}: its label is no class of the design; name all classes in the design, or leave the row out"
    )]
    Label {
        /// The row.
        row: usize,
    },
    /// A cell is missing, or no category of its column.
    #[error(
        "row {row}, column {column}: {value} cannot be in this column; fill the cell in, or leave the row out"
    )]
    Value {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The cell.
        value: f64,
    },
    /// The budget is out of its range.
    #[error("a budget of {budget}; it must be above 0 and at most 1024")]
    Budget {
        /// The budget.
        budget: f64,
    },
    /// The noise would be larger than what sums have room for.
    #[error(
        "a budget of {budget} is too small for {n_changed} sums that each row changes; use fewer columns, or spend more"
    )]
    SmallBudget {
        /// The budget.
        budget: f64,
        /// How many sums one row changes.
        n_changed: usize,
    },
}

/// Why noised sums cannot be merged; nothing was merged then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The sums are of other classes or columns.
    #[error("the sums are of different designs; classes, bounds and categories must be the same")]
    Designs,
    /// A release is in both.
    #[error("both have the release {release:#034x}; its rows would count twice")]
    Twice {
        /// The number of the release.
        release: u128,
    },
    /// A sum is out of range.
    #[error("a merged sum does not fit into 64 bits")]
    Overflow,
}
