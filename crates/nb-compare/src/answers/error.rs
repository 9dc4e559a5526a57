//! Why answers of another program cannot be used.

use super::TOLERANCE;

/// Why answers of another program cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// There are fewer repeats.
    #[error("there is no repeat {repeat}; the splits have {repeats}, counted from 0")]
    NoRepeat {
        /// The repeat of the answer.
        repeat: usize,
        /// How many there are.
        repeats: usize,
    },
    /// There are fewer rows.
    #[error("there is no row {row} of the data, which has {n_rows}, counted from 0")]
    NoRow {
        /// The row of the answer.
        row: usize,
        /// How many there are.
        n_rows: usize,
    },
    /// The row is always trained on.
    #[error("row {row} of the data is not tested in repeat {repeat}; give answers to tested rows alone")]
    NotTested {
        /// The row.
        row: usize,
        /// The repeat.
        repeat: usize,
    },
    /// The row is tested in another fold, so that the splits are other ones.
    #[error(
        "row {row} of the data is tested in fold {tested} of repeat {repeat}, and the answer is of fold {fold}; answers must be of \
         the same splits (`--write-splits` writes them)"
    )]
    Fold {
        /// The row.
        row: usize,
        /// The repeat.
        repeat: usize,
        /// The fold of the answer.
        fold: usize,
        /// That of the row.
        tested: usize,
    },
    /// The row has an answer already.
    #[error("row {row} of the data has two answers in repeat {repeat}")]
    Twice {
        /// The row.
        row: usize,
        /// The repeat.
        repeat: usize,
    },
    /// The row has another label in the data.
    #[error(
        "the label of row {row} of the data is {own:?}, and the answer says {label:?}; are the rows in another order?"
    )]
    Label {
        /// The row.
        row: usize,
        /// The label of the answer.
        label: String,
        /// That of the data.
        own: String,
    },
    /// The predicted label is no class of the data.
    #[error("the label {label:?} predicted for row {row} of the data is no class; there are {}", classes.join(", "))]
    Class {
        /// The row.
        row: usize,
        /// The label.
        label: String,
        /// The classes.
        classes: Vec<String>,
    },
    /// The answer has neither a label nor probabilities.
    #[error("row {row} of the data has neither a predicted label nor probabilities")]
    NoAnswer {
        /// The row.
        row: usize,
    },
    /// Only some answers have probabilities.
    #[error(
        "row {row} of the data has probabilities and others have not, or the other way round; give them for all rows or for none"
    )]
    SomePosteriors {
        /// The row.
        row: usize,
    },
    /// Not one probability for each class.
    #[error("row {row} of the data has {found} probabilities for {classes} classes")]
    Length {
        /// The row.
        row: usize,
        /// How many it has.
        found: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// A probability is none.
    #[error(
        "the probability of class {class:?} for row {row} of the data is {value}, and must be from 0 to 1"
    )]
    Probability {
        /// The row.
        row: usize,
        /// The class.
        class: String,
        /// Its probability.
        value: f64,
    },
    /// The probabilities are no distribution.
    #[error(
        "the probabilities of row {row} of the data add up to {sum}, not to 1 within {TOLERANCE:e}; write them with more digits"
    )]
    Sum {
        /// The row.
        row: usize,
        /// Their sum.
        sum: f64,
    },
    /// A tested row has no answer.
    #[error("row {row} of the data has no answer in repeat {repeat}, in which {n} tested rows have none")]
    Missing {
        /// The first such row.
        row: usize,
        /// The repeat.
        repeat: usize,
        /// How many of its rows have none.
        n: usize,
    },
}
