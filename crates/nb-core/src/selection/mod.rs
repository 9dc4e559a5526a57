//! Hyper-parameters compared on folds, without the rows: the statistics of the folds are enough.

pub(crate) mod cross_validation;
pub(crate) mod folds;

pub use cross_validation::{CrossValidation, FoldLikelihood};
pub use folds::{FoldAssignment, FoldedStats};
