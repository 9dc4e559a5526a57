//! What is wrong with a decision.

/// Why there is no such decision.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecisionError {
    /// The classes are not in order, each once.
    #[error(
        "the classes of a decision rule must be in the order of their labels, each once, and one at least"
    )]
    Order,
    /// The rule has not as many numbers as it needs.
    #[error("the decision rule has {found} for {expected}")]
    Numbers {
        /// How many numbers it has, in words.
        found: String,
        /// What there must be a number for.
        expected: String,
    },
    /// A weight is none.
    #[error("the weight {value} of class {class:?} must be a finite number above 0")]
    Weight {
        /// The weight.
        value: f64,
        /// The place of its class.
        class: usize,
    },
    /// A cost is none.
    #[error("a cost is {value}, and must be a finite number that is not below 0")]
    Cost {
        /// The cost.
        value: f64,
    },
    /// A wrong answer costs no more than the right one.
    #[error(
        "a wrong answer costs nothing more than the right one; give every mistake a cost above that of the right answer"
    )]
    NoMistake,
    /// The threshold is none.
    #[error("the threshold is {value}, and must be between 0 and 1")]
    Threshold {
        /// The threshold.
        value: f64,
    },
    /// There is no such class.
    #[error("there is no class number {class}")]
    Positive {
        /// The number of the class, counted from 0.
        class: usize,
    },
    /// A probability is none.
    #[error("the probability is {value}, and must be from 0 to 1")]
    Probability {
        /// The probability.
        value: f64,
    },
    /// The label of undecided rows is that of a class.
    #[error("{label} is a class of the model; use another label for rows that are not decided")]
    Label {
        /// The label, as `Debug` writes it.
        label: String,
    },
    /// There are no rows from which prediction sets could be made.
    #[error("prediction sets need at least one held-out row")]
    NoRows,
}
