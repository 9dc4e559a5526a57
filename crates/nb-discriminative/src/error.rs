//! Why nothing can be learnt.

use nb_variants::DiscretiseError;

/// Why weights and corrections cannot be learnt from rows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There are no rows.
    #[error("there are no rows to learn from")]
    NoRows,
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// There is not one weight per row.
    #[error("rows: {rows}, weights: {weights}; give one weight per row")]
    Weights {
        /// The number of rows.
        rows: usize,
        /// The number of weights.
        weights: usize,
    },
    /// A weight is out of its range.
    #[error("row {row}: {weight} is not a weight; weights are 0, or from 1e-290 to 1e290")]
    Weight {
        /// The row.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// There is not one group per row.
    #[error("rows: {rows}, groups: {groups}; give the group of each row")]
    Groups {
        /// The number of rows.
        rows: usize,
        /// The number of groups.
        groups: usize,
    },
    /// All rows are of one group.
    #[error(
        "all rows are of one group; rows are held out by whole groups, of which there must be two at least"
    )]
    OneGroup,
    /// Cut points are not in order.
    #[error("column {column}: the cut points are not finite numbers in ascending order")]
    Cuts {
        /// The column.
        column: usize,
    },
    /// Only the probabilities of two classes are monotone in a column.
    #[error(
        "column {column}: probabilities that rise with a number are those of one of two classes, and there are {n_classes} classes"
    )]
    RisingClasses {
        /// The column.
        column: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// Only numbers have an order.
    #[error(
        "column {column} is no column of numbers, and its values have no order in which probabilities could rise"
    )]
    RisingKind {
        /// The column.
        column: usize,
    },
    /// There is not one feature per column.
    #[error("{columns} columns but {features} features; say of each column what it holds")]
    Features {
        /// The number of columns.
        columns: usize,
        /// The number of features.
        features: usize,
    },
    /// A label is no class.
    #[error("row {row}: class {label} of {n_classes}; classes are counted from 0")]
    Class {
        /// The row.
        row: usize,
        /// The label.
        label: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// A cell of a categorical column is no category.
    #[error(
        "row {row}, column {column}: {value} is not a category; categories are the whole numbers below {n_categories}"
    )]
    Category {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The cell.
        value: f64,
        /// How many there are.
        n_categories: usize,
    },
    /// A cell of a column of counts is none.
    #[error("row {row}, column {column}: {value} is not a count; counts are finite and not negative")]
    Count {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The cell.
        value: f64,
    },
    /// An option is out of its range.
    #[error("{name} is {value}; it must be {must_be}")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// Numbers cannot be discretised.
    #[error("column {column}: {error}")]
    Discretise {
        /// The column.
        column: usize,
        /// What is wrong with its cells.
        error: DiscretiseError,
    },
}
