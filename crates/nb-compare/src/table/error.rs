//! What can be wrong with a table.

/// Why a table cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Cells, columns and labels are not as many as each other.
    #[error("the cells are {} x {}, but there are {rows} labels and {columns} columns", shape.0, shape.1)]
    Shape {
        /// Rows and columns of the cells.
        shape: (usize, usize),
        /// The number of labels.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A label is no position among the classes.
    #[error("row {row} has label {label}, but there are {n_classes} classes")]
    Label {
        /// The row, counted from 0.
        row: usize,
        /// Its label.
        label: usize,
        /// How many classes there are.
        n_classes: usize,
    },
    /// A cell is not what its column says.
    #[error(
        "row {row}: {value} is no value for column `{column}`; numbers are finite, counts not negative, categories and texts positions"
    )]
    Cell {
        /// The row, counted from 0.
        row: usize,
        /// The name of the column.
        column: String,
        /// The value.
        value: f64,
    },
    /// No column is left.
    #[error("`{table}` has no column of the kind asked for")]
    NoColumns {
        /// The table.
        table: String,
    },
    /// A class does not exist.
    #[error("`{table}` has no class `{class}`; its classes are {}", classes.join(", "))]
    NoSuchClass {
        /// The table.
        table: String,
        /// The class requested.
        class: String,
        /// Those that exist.
        classes: Vec<String>,
    },
    /// The groups of a protected column are those of other rows.
    #[error("column {column:?} has groups of {found} rows, and the table has {rows}")]
    Protected {
        /// The protected column.
        column: String,
        /// The rows of the table.
        rows: usize,
        /// The rows that have a group or a missing cell.
        found: usize,
    },
    /// Documents are no compressed rows.
    #[error("the counts of the documents: {0}")]
    Documents(String),
    /// An embedded data set cannot be loaded.
    #[error("{0}")]
    Dataset(String),
}
