//! What keeps a schema from being one.

use crate::text::TextError;

/// What keeps a schema from being one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// There are no columns.
    #[error("the schema has no columns; a model needs at least one feature")]
    NoColumns,
    /// Two columns, or a column and the label, have the same name.
    #[error("the name {name:?} is duplicated in the schema; columns and label need distinct names")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Two categories of a column have the same name.
    #[error("column {column:?} has the category {level:?} twice")]
    DuplicateLevel {
        /// The column.
        column: String,
        /// The name of the category.
        level: String,
    },
    /// A column of dates makes no column of the model.
    #[error("column {column:?} has dates of which no part is a feature; name one, such as month")]
    NoParts {
        /// The column.
        column: String,
    },
    /// The dates of a column have no order in common in two files.
    #[error(
        "column {column:?} has dates in different orders; in one file, {first}; in another, {other}; write them in one order"
    )]
    DateOrders {
        /// The column.
        column: String,
        /// How they are written in one file.
        first: String,
        /// How they are written in the other.
        other: String,
    },
    /// A column of texts cannot be one.
    #[error("column {column:?}: {error}")]
    Text {
        /// The column.
        column: String,
        /// What is wrong with it.
        error: TextError,
    },
    /// There are other columns than one of texts.
    #[error(
        "the schema has other columns than one of texts, so that rows are not made of texts alone; count the texts of a \
         column with `Text::count`"
    )]
    NotOneText,
    /// Two schemas, to be used as one, make numbers of texts in different ways.
    #[error(
        "column {column:?} has other words, buckets or weights in one schema than in the other; both must be learnt with \
         the same settings"
    )]
    TextMismatch {
        /// The column.
        column: String,
    },
    /// Two schemas, to be used as one, have learnt different inverse document frequencies.
    #[error(
        "column {column:?} has other inverse document frequencies in one schema than in the other, and sums of other \
         values cannot be added; train both models with the schema of one of them, or without these weights"
    )]
    FrequencyMismatch {
        /// The column.
        column: String,
    },
    /// Two schemas, to be used as one, differ.
    #[error(
        "column {position} is {left:?} in one schema and {right:?} in the other; they must have the same columns"
    )]
    Mismatch {
        /// The column, counted from 0.
        position: usize,
        /// Its name and kind on this side, or nothing.
        left: String,
        /// Its name and kind on the other side, or nothing.
        right: String,
    },
}
