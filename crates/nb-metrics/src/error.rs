//! Errors: why a row or another evaluation was refused. What is refused changes nothing.

use crate::evaluation::{LARGEST_WEIGHT, SMALLEST_WEIGHT, SUM_TOLERANCE};

/// Why a row could not be added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// The true class does not exist.
    #[error(
        "the true class is {class}, but there are only {n_classes}, counted from 0; \
         pass `None` for a class that the model never saw"
    )]
    Truth {
        /// The class.
        class: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// The predicted class does not exist.
    #[error(
        "the predicted class is {class}, but there are only {n_classes}, counted from 0; \
         pass `None` for a row without an answer"
    )]
    Predicted {
        /// The class.
        class: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// The group does not exist.
    #[error("the group is {group}, but there are only {n_groups}, counted from 0")]
    Group {
        /// The group.
        group: usize,
        /// The number of groups.
        n_groups: usize,
    },
    /// Not one log-posterior per class.
    #[error("there are {found} log-posteriors for {n_classes} classes; give one per class, in label order")]
    Length {
        /// The number of log-posteriors.
        found: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// A log-posterior is no number.
    #[error("the log-posterior of class {class} is NaN; drop the row, or add it without posteriors")]
    NotANumber {
        /// The class.
        class: usize,
    },
    /// The posteriors are no distribution.
    #[error(
        "the posteriors add up to {sum}, not to 1 within {SUM_TOLERANCE:e}; \
         pass natural logarithms of normalised probabilities"
    )]
    Sum {
        /// The sum of the posteriors.
        sum: f64,
    },
    /// The weight is out of its range.
    #[error(
        "the weight is {weight:e}; it must be 0 or from {SMALLEST_WEIGHT:e} to {LARGEST_WEIGHT:e}; \
         scale the weights of all rows by a power of two"
    )]
    Weight {
        /// The weight.
        weight: f64,
    },
}

/// Why two evaluations could not be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// They are about different numbers of classes.
    #[error("one evaluation has {ours} classes, the other {theirs}; merge evaluations of the same model")]
    Classes {
        /// The classes of the one that was to grow.
        ours: usize,
        /// The classes of the other.
        theirs: usize,
    },
    /// They are about different numbers of groups.
    #[error("one evaluation has {ours} groups, the other {theirs}; merge evaluations of the same groups")]
    Groups {
        /// The groups of the one that was to grow.
        ours: usize,
        /// The groups of the other.
        theirs: usize,
    },
    /// Their settings differ.
    #[error("the evaluations have different settings; make both with the same `Settings`")]
    Settings,
}
