//! Errors: one small enum per operation, with fields instead of strings; every message says what to do next.

use exact_sums::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO};

mod stats;

pub use stats::{MismatchError, RetractError, ScaleError, StatsError};

use super::MAX_WEIGHT;

/// Why a family cannot take a column layout.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// There are no columns.
    #[error("there are no columns; a model needs at least one feature")]
    NoColumns,
    /// There are more columns than memory for their sums can be relied on.
    #[error("there are {n_columns} columns; a model has at most {most}, so hash them into fewer")]
    TooManyColumns {
        /// The number of columns.
        n_columns: usize,
        /// The largest number of columns.
        most: usize,
    },
    /// A class would keep more counts of pairs of categories than memory can be relied on for.
    #[error(
        "{n_categories} categories and bins in all columns make {n_pairs} pairs, and a class keeps counts of at most {most}; \
         leave out columns with many categories, or make fewer bins"
    )]
    TooManyPairs {
        /// The number of categories and bins of all columns together.
        n_categories: usize,
        /// The number of their pairs.
        n_pairs: u64,
        /// The largest number of pairs.
        most: u64,
    },
    /// A hyper-parameter is out of its range.
    #[error("{name} is {}; it must be {must_be}", short(*.value))]
    Parameter {
        /// The hyper-parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// A hyper-parameter with one entry per column has another length.
    #[error("{name} has {found} entries for {n_columns} columns; give one per column")]
    Length {
        /// The hyper-parameter.
        name: &'static str,
        /// Its length.
        found: usize,
        /// The number of columns.
        n_columns: usize,
    },
    /// A block of a mixed model names a column that the data do not have.
    #[error("a block has column {column}, but columns are counted from 0, and their number is {n_columns}")]
    NoSuchColumn {
        /// The column.
        column: usize,
        /// The number of columns.
        n_columns: usize,
    },
    /// Two blocks of a mixed model name the same column, which would count its evidence twice.
    #[error("column {column} is in two blocks, which would count it twice")]
    ColumnTwice {
        /// The column.
        column: usize,
    },
    /// No block of a mixed model names the column.
    #[error("column {column} is in no block; give it a family, or list it in `ignore`")]
    ColumnUnused {
        /// The column.
        column: usize,
    },
}

/// A value that a family cannot observe.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("row {row}, column {column}: {} {reason}", short(*.value))]
pub struct ValueError {
    /// The row, counted from 0.
    pub row: usize,
    /// The column, counted from 0.
    pub column: usize,
    /// The value.
    pub value: f64,
    /// What is wrong with it, and what to do.
    pub reason: ValueProblem,
}

impl ValueError {
    /// The first refused cell of a block, in the form in which
    /// [`Block::find_stored`](crate::family::Block::find_stored) reports it.
    ///
    /// # Errors
    /// If there was one.
    pub fn first(found: Option<(usize, usize, f64, ValueProblem)>) -> Result<(), Self> {
        match found {
            Some((row, column, value, reason)) => Err(Self { row, column, value, reason }),
            None => Ok(()),
        }
    }
}

/// A number as people write it: without hundreds of zeros.
fn short(value: f64) -> String {
    let size = value.abs();
    if value.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueProblem {
    /// NaN, while missing values are errors.
    #[error("is missing; drop or impute the cell, or choose `Missing::Skip` for the family")]
    Missing,
    /// An infinite value.
    #[error("is infinite; clip or drop the row")]
    Infinite,
    /// A value whose square would overflow, where a family needs it: those of nb-core do not.
    #[error(
        "is beyond {MAX_ABS_VALUE:e} in size and cannot be squared exactly; scale the column by a power of two"
    )]
    TooLarge,
    /// A value whose square would underflow, where a family needs it: those of nb-core do not.
    #[error(
        "is below {MIN_ABS_NONZERO:e} in size, but not 0, and cannot be squared exactly; scale the column by a power of two, or round to 0"
    )]
    TooSmall,
    /// A negative count.
    #[error("is negative; counts start at 0")]
    Negative,
    /// A count or category that is not a whole number.
    #[error("is not a whole number")]
    Fractional,
    /// A category that was not declared.
    #[error("is not one of the {n_categories} declared categories, which are coded from 0")]
    Undeclared {
        /// The number of categories that the column has.
        n_categories: usize,
    },
    /// A category code so large that the codes are hardly 0, 1, 2, ...
    #[error("is beyond {largest}, the largest category code; code categories as 0, 1, 2, ...")]
    CodeTooLarge {
        /// The largest code.
        largest: usize,
    },
    /// A category not seen in training.
    #[error("is a category not seen in training; `Unseen` has other policies than this error")]
    Unseen,
    /// So far from every class that no log-likelihood is a double.
    #[error(
        "is so many standard deviations away from every class that its log-likelihood overflows; clip or drop the row"
    )]
    Unscorable,
    /// For families outside this crate: what is wrong, in words that follow the value.
    #[error("{0}")]
    Other(String),
}

/// Why an update or a retraction was refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The rows have another number of columns than the statistics.
    #[error("the rows have {found} columns, the statistics {expected}")]
    Columns {
        /// The columns of the statistics.
        expected: usize,
        /// The columns of the rows.
        found: usize,
    },
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// There is not one weight per row.
    #[error("rows: {rows}, weights: {weights}; give one weight per row")]
    Weights {
        /// The number of rows.
        rows: usize,
        /// The number of weights.
        weights: usize,
    },
    /// A weight is negative, not finite, or so large that a sum of weights could overflow.
    #[error("the weight of row {row} is {weight:e}; weights are from 0 to {MAX_WEIGHT:e}")]
    Weight {
        /// The row.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// A cell holds what the family cannot observe.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The statistics were made for another family, or with hyper-parameters that give the sums another
    /// meaning.
    #[error(transparent)]
    Layout(#[from] MismatchError),
    /// Rows were retracted that cannot have been added.
    #[error(transparent)]
    Retract(#[from] RetractError),
}

/// The sums of a class do not determine a distribution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("class {class} (in label order), column {column}: {problem}")]
pub struct FamilyError {
    /// Position of the class in label order.
    pub class: usize,
    /// The column, counted from 0.
    pub column: usize,
    /// What is missing, and what to do.
    pub problem: FamilyProblem,
}

/// What keeps sums from determining a distribution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FamilyProblem {
    /// No cell of the column was observed in the class.
    #[error("no value was observed; drop the column or the class, or add rows")]
    NoData,
    /// The variance is exactly zero after smoothing.
    #[error("the variance is 0; choose a larger variance smoothing, or drop the column")]
    ZeroVariance,
    /// The unbiased variance needs a weight above one.
    #[error(
        "the unbiased variance needs more than one row, there is a weight of {weight}; use the maximum-likelihood estimator"
    )]
    SingleRow {
        /// The weight of the observed cells.
        weight: f64,
    },
    /// The variance is too small or too large for a double.
    #[error(
        "the variance {variance:e} is too small or too large beside those of the other classes; choose another variance smoothing, or drop the column"
    )]
    VarianceRange {
        /// The variance, as far as a double can say it.
        variance: f64,
    },
    /// Scaling has taken the weight too far from one.
    #[error(
        "the weight is {weight:e}, out of the range from 2^-100 to 2^100; scale the statistics, or forget the class"
    )]
    WeightRange {
        /// The weight of the observed cells.
        weight: f64,
    },
    /// Sums that no rows can have, such as a negative count.
    #[error(
        "the sums are impossible ({sum}); rows were removed that had never been added, or the statistics are damaged"
    )]
    Impossible {
        /// The impossible sum.
        sum: f64,
    },
    /// The total of all counts of a class is too large for a double.
    #[error("the total of the counts of all columns is above the largest double; scale the counts")]
    TotalRange,
    /// A weight of the complement model is infinite.
    #[error("no other class has the feature, so its complement weight is infinite; use a smoothing above 0")]
    InfiniteWeight,
    /// Only one class, while the family compares a class with the others.
    #[error("there is only one class, and complement naive Bayes needs at least two")]
    OneClass,
    /// For families outside this crate.
    #[error("{0}")]
    Other(String),
}

/// Why given parameters are not those of a classifier.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// A table of parameters has another shape than it should.
    #[error("{name} has the shape {found:?}; it must be {expected:?}")]
    Shape {
        /// The parameter.
        name: &'static str,
        /// The shape that it should have.
        expected: (usize, usize),
        /// The shape that it has.
        found: (usize, usize),
    },
    /// Labels do not increase.
    #[error("label {position} is not above the one before it; sort the labels, and everything with them")]
    Labels {
        /// The position of the label.
        position: usize,
    },
    /// A parameter is out of its range.
    #[error("{name} is {} in row {row}, column {column}; it must be {must_be}", short(*.value))]
    Value {
        /// The parameter.
        name: &'static str,
        /// The row of the table.
        row: usize,
        /// The column of the table.
        column: usize,
        /// The value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
}

/// Why statistics could not be turned into a classifier.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// There is no evidence.
    #[error("there are no rows with a positive weight; a model needs at least one")]
    NoRows,
    /// A hyper-parameter is out of range or does not fit the columns.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The statistics were made for another family.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// The prior does not fit.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The sums of a class do not determine a distribution.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// For models outside this crate that keep more than statistics.
    #[error("{0}")]
    Other(String),
}

/// A prior that is not a distribution over the classes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PriorError {
    /// Not one probability per class.
    #[error(
        "the prior has {found} probabilities for {n_classes} classes; give one per class, in label order"
    )]
    Length {
        /// The number of probabilities.
        found: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// A probability is negative or not finite.
    #[error("the prior of class {class} (in label order) is {probability}; it must be a number from 0 to 1")]
    Probability {
        /// Position of the class in label order.
        class: usize,
        /// Its prior.
        probability: f64,
    },
    /// The probabilities do not add up to one.
    #[error("the prior adds up to {sum}; divide it by its sum")]
    Sum {
        /// The sum of the probabilities.
        sum: f64,
    },
}

/// Why a model could not be made from rows in one go.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitRowsError {
    /// A hyper-parameter is out of range or does not fit the columns.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The rows were refused.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// The statistics could not be turned into a classifier.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// Why rows could not be scored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictError {
    /// The rows have another number of columns than the model.
    #[error("the rows have {found} columns, the model {expected}")]
    Columns {
        /// The columns of the model.
        expected: usize,
        /// The columns of the rows.
        found: usize,
    },
    /// A cell holds what the model cannot score.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// No class can have produced the row, so that it has no label.
    #[error(
        "row {row} is impossible under every class; fit with a smoothing above 0, or use `try_predict_each`"
    )]
    Impossible {
        /// The row.
        row: usize,
    },
    /// The memory for the answers has another shape.
    #[error("the output is {} x {}, and must be {} x {}", found.0, found.1, expected.0, expected.1)]
    Output {
        /// Rows and columns that the answers have.
        expected: (usize, usize),
        /// Rows and columns of the memory.
        found: (usize, usize),
    },
    /// The columns depend on each other, so that none has its own contribution.
    #[error("the score of this family is no sum over columns, which an explanation would show")]
    NotAdditive,
    /// There is no such row.
    #[error("there is no row {row}: there are {n_rows} rows, counted from 0")]
    NoSuchRow {
        /// The row.
        row: usize,
        /// The number of rows.
        n_rows: usize,
    },
}

/// Why the log-likelihood of rows cannot be told from their statistics.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LikelihoodError {
    /// The statistics are of another family or of other columns than the classifier.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// The family does not tell a log-likelihood from sums.
    #[error("the family has no log-likelihood from sums; score the rows instead")]
    NoForm,
    /// Scaling has taken the sums out of the range of doubles.
    #[error("the sums of class {class} (in label order) leave the range of doubles; scale the statistics")]
    Range {
        /// Position of the class in the label order of the statistics.
        class: usize,
    },
}

/// Why rows could not be assigned to folds. Nothing was added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FoldError {
    /// There is not one fold per row.
    #[error("rows: {rows}, numbers of folds: {folds}; give one fold per row")]
    Length {
        /// The number of rows.
        rows: usize,
        /// The number of numbers of folds.
        folds: usize,
    },
    /// A row is assigned to a fold that does not exist.
    #[error("row {row} is assigned to fold {fold}, but there are only {n_folds}, counted from 0")]
    NoSuchFold {
        /// The row.
        row: usize,
        /// Its fold.
        fold: usize,
        /// The number of folds.
        n_folds: usize,
    },
    /// The rows were refused.
    #[error(transparent)]
    Update(#[from] UpdateError),
}

/// Why hyper-parameters could not be cross-validated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrossValidationError {
    /// There are no rows.
    #[error("the folds have no rows with a positive weight; add rows first")]
    NoRows,
    /// The rows of the other folds do not determine a classifier.
    #[error("without fold {fold}, {error}")]
    Fit {
        /// The fold that was held out.
        fold: usize,
        /// What keeps the others from determining one.
        error: FitError,
    },
    /// The rows of a fold have no log-likelihood.
    #[error("fold {fold}: {error}")]
    Likelihood {
        /// The fold that was held out.
        fold: usize,
        /// What keeps it from having one.
        error: LikelihoodError,
    },
}

/// Why rows could not be drawn from a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The model has no such class.
    #[error("the model has no such class; see `classes`")]
    UnknownClass,
}
