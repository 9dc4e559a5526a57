//! What can be wrong with the result of a fitting query.

/// Why the result of a query is not the evidence of a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The design is none.
    #[error(transparent)]
    Design(#[from] crate::DesignError),
    /// The text is not CSV.
    #[error("line {line}: {problem}; write the result as comma-separated values with a header")]
    Csv {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A column of the result is missing.
    #[error("there is no column {name:?} among {found:?}; write the result of the query with its header")]
    NoColumn {
        /// The column.
        name: &'static str,
        /// The columns that there are.
        found: Vec<String>,
    },
    /// The result has a column of groups, and the design names none.
    #[error(
        "the result has a column \"nb_group\": it is that of a query with groups; import it with the column of groups"
    )]
    Grouped,
    /// The rows of one group are not the evidence of a model.
    #[error("group {group:?}")]
    InGroup {
        /// The group.
        group: String,
        /// What is wrong.
        #[source]
        error: Box<Self>,
    },
    /// There are rows without a group.
    #[error(
        "{} of the table without a value of {column:?}, which has the groups (line {line}); leave them out in the query of the \
         table, or give them a value",
        if *n_rows == 1.0 { "there is 1 row".to_owned() } else { format!("there are {n_rows} rows") }
    )]
    Ungrouped {
        /// The line of the result, counted from 1.
        line: u64,
        /// How many rows of the table and of one class.
        n_rows: f64,
        /// The column of groups.
        column: String,
    },
    /// A cell is not what it must be.
    #[error("line {line}, column {column:?}: {value:?} is {problem}; write the result of the query as it is")]
    Cell {
        /// The line, counted from 1.
        line: u64,
        /// The column of the result.
        column: &'static str,
        /// What the cell holds.
        value: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// There are no classes.
    #[error("the result has no classes: the table of the query has no rows with a weight above zero")]
    NoRows,
    /// Rows of the table have no label.
    #[error(
        "{n_rows} rows of the table have no label (line {line}); leave rows in which {label:?} is NULL out in the query of \
         --table"
    )]
    Unlabelled {
        /// The line of the result, counted from 1.
        line: u64,
        /// How many rows of the table have no label.
        n_rows: f64,
        /// The label column.
        label: String,
    },
    /// Rows of a class have weights that cannot be weights.
    #[error(
        "{n_rows} rows of class {class:?} have weights that are missing, negative or not from 2^-60 to 2^60 (line {line}); \
         correct or leave out these rows"
    )]
    Weights {
        /// The line of the result, counted from 1.
        line: u64,
        /// The class.
        class: String,
        /// How many rows of the table.
        n_rows: f64,
    },
    /// Cells of a column have values that its family cannot observe.
    #[error(
        "{n_rows} rows of class {class:?} have values of {feature:?} that its family cannot observe, such as negative or \
         fractional counts, or infinity (line {line}); correct or leave out these rows, or choose another family"
    )]
    Refused {
        /// The line of the result, counted from 1.
        line: u64,
        /// The class.
        class: String,
        /// The column of the table.
        feature: String,
        /// How many rows of the table.
        n_rows: f64,
    },
    /// A row names a class without its own row.
    #[error("line {line}: there is no row of kind class for {class:?}; import the whole result of the query")]
    UnknownClass {
        /// The line, counted from 1.
        line: u64,
        /// The class.
        class: String,
    },
    /// A row names a column that the schema does not have, or has for another purpose.
    #[error(
        "line {line}: the schema has no column {feature:?} for a row of kind {kind:?}; import with the schema that the query \
         was made from"
    )]
    UnknownFeature {
        /// The line, counted from 1.
        line: u64,
        /// The column of the table.
        feature: String,
        /// The kind of the row.
        kind: String,
    },
    /// Two rows say the same.
    #[error(
        "line {line} repeats class {class:?}, feature {feature:?}, category {category:?}; import one result only"
    )]
    Duplicate {
        /// The line, counted from 1.
        line: u64,
        /// The class.
        class: String,
        /// The column of the table; empty for the row of the class.
        feature: String,
        /// The category; empty where there is none.
        category: String,
    },
    /// A class lacks the row of a column.
    #[error(
        "there is no row for column {feature:?} in class {class:?}; import the whole result of the query"
    )]
    NoFeature {
        /// The class.
        class: String,
        /// The column of the table.
        feature: String,
    },
    /// Numbers of the result contradict one another.
    #[error(
        "{what} of {feature:?} in class {class:?} is {found}, and that of the class {expected}; import the result of one query"
    )]
    Disagree {
        /// Which number.
        what: &'static str,
        /// The class.
        class: String,
        /// The column of the table.
        feature: String,
        /// The number of the column.
        found: f64,
        /// The number of the class, or its bound.
        expected: f64,
    },
    /// No row has a category.
    #[error("no row has a value of {feature:?}; give it the family ignore in the schema")]
    NoCategory {
        /// The column of the table.
        feature: String,
    },
    /// A sum of squares is below what the sum demands, by more than rounding can have lost.
    #[error(
        "the sums of {feature:?} in class {class:?} would make a negative variance, {variance:e}, beyond the rounding of the \
         engine; import the result of one query as it is"
    )]
    NegativeVariance {
        /// The class.
        class: String,
        /// The column of the table.
        feature: String,
        /// What the variance would be.
        variance: f64,
    },
    /// The family refuses missing cells, and there are some.
    #[error(
        "{feature:?} has missing cells in class {class:?}, and the model refuses them; skip them, or leave these rows out"
    )]
    Missing {
        /// The class.
        class: String,
        /// The column of the table.
        feature: String,
    },
    /// The family does not go with what was kept.
    #[error(
        "the family of column {feature:?} needs other sums than the query kept; import with the schema of the query"
    )]
    Family {
        /// The column of the table.
        feature: String,
    },
    /// Schema, family and sums do not make a model.
    #[error(transparent)]
    Model(#[from] nb_io::ModelError),
    /// The sums are not the evidence of any rows.
    #[error(transparent)]
    Stats(#[from] nb_core::error::StatsError),
}
