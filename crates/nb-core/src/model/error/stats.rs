//! Errors of statistics: of putting them together, taking them apart, and scaling them.

use crate::model::{ImpossibleSums, LayoutError};
/// Why parts cannot be put together to statistics.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// The family does not take the columns.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A class has another number of parts than the layout.
    #[error("class {class} (in order) has {found} vectors of sums; the family keeps {expected}")]
    Parts {
        /// Position of the class among those given.
        class: usize,
        /// The number of vectors of the layout.
        expected: usize,
        /// The number of vectors of the class.
        found: usize,
    },
    /// A class has more sums in a part of fixed length than the layout.
    #[error("class {class} (in order) has {found} sums in part {part}; the family keeps {expected}")]
    PartLength {
        /// Position of the class among those given.
        class: usize,
        /// The part.
        part: usize,
        /// The number of sums of the layout.
        expected: usize,
        /// The number of sums of the class.
        found: usize,
    },
    /// The weight of a class is not positive.
    #[error("class {class} (in order) has a weight of {weight}; it must be above 0")]
    Weight {
        /// Position of the class among those given.
        class: usize,
        /// Its weight.
        weight: f64,
    },
    /// The sums of a class are none that rows can have.
    #[error(
        "class {class} (in order), {sums}; the statistics are damaged, or rows were removed that had never been added"
    )]
    Impossible {
        /// Position of the class among those given.
        class: usize,
        /// The sums.
        sums: ImpossibleSums,
    },
    /// Two classes have the same label.
    #[error("class {class} (in order) has the label of an earlier one")]
    Duplicate {
        /// Position of the class among those given.
        class: usize,
    },
}

/// Statistics that do not belong together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MismatchError {
    /// Two numbers of columns.
    #[error("statistics of {left} columns do not go with {right} columns")]
    Columns {
        /// Columns on this side.
        left: usize,
        /// Columns on the other side.
        right: usize,
    },
    /// Two families, or two meanings of the sums.
    #[error("statistics of {left} do not go with {right}")]
    Family {
        /// The layout on this side.
        left: String,
        /// The layout on the other side.
        right: String,
    },
}

/// Evidence was retracted that was never added. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RetractError {
    /// The statistics do not belong together.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// A retracted row has a label that the statistics do not know; `class` counts the labels of what was
    /// retracted in order.
    #[error(
        "class {class} (in label order) of the removed rows is not in the statistics; only rows that were added can be removed"
    )]
    UnknownClass {
        /// Position of the label among the labels of what was retracted, in order.
        class: usize,
    },
    /// More weight was retracted from a class than it had.
    #[error(
        "class {class} (in label order) would be left with a weight of {weight}; only rows that were added can be removed"
    )]
    NegativeWeight {
        /// Position of the class in label order.
        class: usize,
        /// The weight it would be left with.
        weight: f64,
    },
    /// A class would be left with sums that no rows can have.
    #[error("class {class} (in label order), {sums}; only rows that were added can be removed")]
    Impossible {
        /// Position of the class in label order.
        class: usize,
        /// The sums.
        sums: ImpossibleSums,
    },
    /// A class would be left without rows but with non-zero sums.
    #[error(
        "class {class} (in label order) would be left without rows but with non-zero sums; only rows that were added can be removed"
    )]
    Leftover {
        /// Position of the class in label order.
        class: usize,
    },
}

/// A factor by which statistics cannot be scaled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the factor is {factor}; it must be 0 or from 2^-60 to 2^60")]
pub struct ScaleError {
    /// The factor.
    pub factor: f64,
}
