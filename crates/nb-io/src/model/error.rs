//! Why parts are no model, and why two models cannot be merged.

use nb_core::error::{LayoutError, MismatchError, PriorError, StatsError};

use super::{MAX_DEPTH, ModelCalibrationError, OtherClassesError, RemovalError};
use crate::SchemaError;

/// What keeps parts from being a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The schema is none.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The family does not take the columns.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The family gives the sums another meaning than the evidence has.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// The prior is no distribution.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The decision is for other classes.
    #[error(transparent)]
    Decision(#[from] OtherClassesError),
    /// The calibration is for other classes.
    #[error(transparent)]
    Calibration(#[from] ModelCalibrationError),
    /// Blocks are within blocks within blocks, and so on.
    #[error("blocks are nested more than {MAX_DEPTH} deep; put their columns into one list of blocks")]
    Depth,
    /// The evidence does not fit.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A column of named categories belongs to a family that would take the codes for numbers.
    #[error(
        "column {column:?} has named categories, but its family takes numbers; put it into a categorical block"
    )]
    CategoriesAsNumbers {
        /// The column.
        column: String,
    },
    /// A column of texts belongs to a family that does not count terms.
    #[error(
        "column {column:?} has texts, of which terms are counted; put it into a multinomial, complement or Bernoulli block"
    )]
    TextAsNumbers {
        /// The column.
        column: String,
    },
    /// The terms of a column of texts are not all in one block, so that it cannot have further ones.
    #[error(
        "column {column:?} cannot get further terms, because its terms are not together in one block; put them there, in \
         order, or train all models with one vocabulary"
    )]
    TermsApart {
        /// The column.
        column: String,
    },
    /// The family has hyper-parameters for each term, so that there cannot be further ones.
    #[error(
        "the columns cannot get further terms, because the family has one smoothing per term; choose the same for all, or \
         train all models with one vocabulary"
    )]
    SmoothingPerTerm,
    /// The family takes a term that is not there for one that is.
    #[error(
        "the columns cannot get further terms, because the threshold {threshold} takes absent ones for present; raise it \
         to 0, or train all models with one vocabulary"
    )]
    Threshold {
        /// The threshold of the Bernoulli family.
        threshold: f64,
    },
    /// A column has a name for fewer or more categories than the family declares.
    #[error("column {column:?} has {levels} named categories, but its family declares {declared}")]
    Levels {
        /// The column.
        column: String,
        /// The number of names.
        levels: usize,
        /// The number of categories that the family declares.
        declared: usize,
    },
}

/// Why two models could not be merged. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The columns differ.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The families differ.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// Both have cut points, weights and corrections, and others.
    #[error(
        "cut points, weights and corrections of the models were learnt from different rows; train one model from all rows, \
         update one with the rows of the other, or merge models without weights and corrections (`nbayes train --plain`)"
    )]
    Refinements,
    /// Cut points, the grid, the power or the parents of a column are others.
    #[error(
        "column {column:?} has other cut points, another grid, another power or other parents in the other model, which are learnt before \
         rows are summed; train one model from all rows, or add the rows of the other to this one (`nbayes update`)"
    )]
    Learnt {
        /// The column.
        column: String,
    },
    /// Evidence was to be removed that is not in the model.
    #[error(transparent)]
    Removal(#[from] RemovalError),
    /// The models have different calibration maps.
    #[error(
        "the models have different calibration maps, which were learnt from different rows; remove that of one of them with \
         `nbayes calibrate MODEL --none`, merge, and calibrate the model of both"
    )]
    Calibration,
    /// The models have different decision rules.
    #[error(
        "the models have different decision rules; remove one of them with `nbayes decide --none`, and then merge"
    )]
    Decision,
    /// The categories of both together do not fit the family.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The first names, and how many more there are.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let first: Vec<String> = names.iter().take(5).map(|name| format!("{:?}", name.as_ref())).collect();
    match names.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
