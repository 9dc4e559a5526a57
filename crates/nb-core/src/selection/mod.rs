//! Hyper-parameters compared on folds, from sums.

pub(crate) mod cross_validation;
pub(crate) mod folds;

pub use cross_validation::{CrossValidation, HeldOut};
pub use folds::{FoldAssignment, FoldedStats};
