//! Why rows cannot be removed from a model, with the names of classes, columns and categories.

use nb_core::{
    SufficientStats,
    error::{ImpossibleSums, MismatchError, RetractError, SumProblem, UpdateError},
};

use crate::{Kind, Schema};

/// Why rows cannot be removed from a model. Nothing was changed.
///
/// What is left must be sums that rows can have. These are necessary conditions, as a model does not keep its
/// rows: rows that were never added pass if some rows could have left the same sums.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RemovalError {
    /// The rows are invalid.
    #[error(transparent)]
    Rows(UpdateError),
    /// The rows are of another family.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// A class of the rows is not in the model.
    #[error("cannot remove these rows: they were not in the model (it has no class {class:?})")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// The fingerprint of the rows of the model is not one of rows among which these are.
    #[error(
        "cannot remove these rows: they were not all in the model, by the fingerprint of its rows; give the rows as they were added"
    )]
    NotAdded,
    /// The rows of a class weigh more than all those in the model.
    #[error(
        "cannot remove these rows: they were not in the model (class {class:?} would be left with {weight} rows)"
    )]
    Weight {
        /// The class.
        class: String,
        /// The weight that it would be left with.
        weight: f64,
    },
    /// As many rows of a class as are in the model, but other ones.
    #[error(
        "cannot remove these rows: they were not in the model (class {class:?} has as many rows, with other values)"
    )]
    Leftover {
        /// The class.
        class: String,
    },
    /// Some of the rows were not in the model: what would be left are no sums of rows.
    #[error(
        "cannot remove these rows: they were not in the model (column {column:?}{}, class {class:?}: {problem})",
        category.as_ref().map_or_else(String::new, |category| format!(", category {category:?}"))
    )]
    Sums {
        /// The class.
        class: String,
        /// The column.
        column: String,
        /// The category, if the sum is that of a category with a name.
        category: Option<String>,
        /// What is wrong with the sum.
        problem: SumProblem,
    },
}

impl RemovalError {
    /// Names what `error` counts; `removed` are the statistics of the rows.
    pub(super) fn of(
        error: RetractError,
        schema: &Schema,
        model: &SufficientStats<String>,
        removed: &SufficientStats<String>,
    ) -> Self {
        let name =
            |stats: &SufficientStats<String>, class| stats.classes().nth(class).cloned().unwrap_or_default();
        match error {
            RetractError::UnknownClass { class } => Self::UnknownClass { class: name(removed, class) },
            RetractError::NegativeWeight { class, weight } => {
                Self::Weight { class: name(model, class), weight }
            }
            RetractError::Leftover { class } => Self::Leftover { class: name(model, class) },
            RetractError::Impossible { class, sums: ImpossibleSums { column, category, problem, .. } } => {
                Self::Sums {
                    class: name(model, class),
                    column: schema.feature_name(column).unwrap_or_else(|| column.to_string()),
                    category: category.and_then(|category| category_name(schema, column, category)),
                    problem,
                }
            }
            RetractError::Mismatch(error) => Self::Mismatch(error),
            error => Self::Rows(error.into()),
        }
    }
}

/// The name of a category; a bin of numbers has none.
fn category_name(schema: &Schema, feature: usize, category: usize) -> Option<String> {
    match schema.feature(feature).map(|feature| feature.kind()) {
        Some(Kind::Categorical { levels }) => levels.get(category).cloned(),
        _ => None,
    }
}
