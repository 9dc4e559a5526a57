//! Ways to learn, and what has been learnt: the two traits behind every variant.

mod error;
pub(crate) mod learners;
mod rows;
mod wrappers;

use ndarray::Array2;

pub use error::MethodError;
pub use learners::{
    CategoryModel, ColumnModel, CountRatioMethod, DependentMethod, DirichletMultinomialMethod,
    Discretisation, KernelWidth, LearntModel, LogisticMethod, NaiveBayesMethod, PriorMethod, PrivateMethod,
    RefinedMethod, WrongGaussian, WrongRule,
};
pub(crate) use learners::{entry, is_fixed, one, option_name, setting};
pub use wrappers::{CalibratedMethod, TunedMethod};

use crate::{FailedValues, Folds, PowerLimit, Table};

/// A way to learn a classifier from rows of a table, with all that it learns before: cut points,
/// vocabularies, scales.
///
/// Only the rows named as training rows may be looked at.
pub trait Method: Send + Sync {
    /// Learns from the rows of these numbers.
    ///
    /// # Errors
    /// [`MethodError::NotApplicable`] if the method is not for such tables; [`MethodError::Failed`] if it is,
    /// and these rows determine no classifier.
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError>;

    /// A quicker way to what [`fit`](Self::fit) learns from all rows but those of each fold, the very same
    /// bits, if the method has one: the statistics of all rows are summed once, and those of a fold taken
    /// out again. By default there is none.
    ///
    /// # Errors
    /// As from [`fit`](Self::fit).
    fn fold<'a>(
        &'a self,
        table: &'a Table,
        folds: &'a Folds,
    ) -> Result<Option<Box<dyn Retracting + 'a>>, MethodError> {
        let _ = (table, folds);
        Ok(None)
    }

    /// A quicker way to what [`fit`](Self::fit) learns from sets of rows of which each contains the one
    /// before, the very same bits, if the method has one: each row is summed once. By default there is
    /// none.
    ///
    /// # Errors
    /// As from [`fit`](Self::fit).
    fn grow<'a>(&'a self, table: &'a Table) -> Result<Option<Box<dyn Growing + 'a>>, MethodError> {
        let _ = table;
        Ok(None)
    }
}

/// What was summed from all rows, from which a fold can be taken out.
pub trait Retracting {
    /// What is learnt from all rows but those of a fold.
    ///
    /// # Errors
    /// As from [`Method::fit`].
    fn without(&mut self, fold: usize) -> Result<Box<dyn Fitted>, MethodError>;
}

/// Sums of no rows at first, to which rows are added.
pub trait Growing {
    /// Adds the rows of these numbers.
    ///
    /// # Errors
    /// As from [`Method::fit`]; no row was added.
    fn add(&mut self, rows: &[usize]) -> Result<(), MethodError>;

    /// What is learnt from the rows so far.
    ///
    /// # Errors
    /// As from [`Method::fit`]; more rows may be added nevertheless.
    fn fit(&self) -> Result<Box<dyn Fitted>, MethodError>;
}

/// A classifier, ready to answer.
pub trait Fitted: Send + Sync {
    /// The log-posteriors of the rows of these numbers, `rows × classes of the table`, in natural logarithms:
    /// a distribution in each row, or negative infinity throughout for a row that is impossible under
    /// every class. A class without training rows has negative infinity.
    ///
    /// # Errors
    /// [`MethodError::Failed`] names the row that cannot be scored.
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError>;

    /// How many numbers it keeps to answer.
    fn n_parameters(&self) -> usize;

    /// What was chosen on the training rows, if the method is a choice: none by default.
    fn chosen(&self) -> Option<&TunedValues> {
        None
    }

    /// The columns whose power was cut off where doubles end, each of one fold: none by default.
    fn limits(&self) -> &[PowerLimit] {
        &[]
    }
}

/// What a method chose on its training rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TunedValues {
    /// The name of the candidate.
    pub name: String,
    /// The candidates that could not learn from these rows.
    pub failed: Vec<FailedValues>,
}

/// The class of the largest log-posterior of each row, the first of several; `None` for a row that is
/// impossible under every class.
pub fn labels(log_posteriors: &Array2<f64>) -> Vec<Option<usize>> {
    let best = |row: ndarray::ArrayView1<'_, f64>| {
        let mut best = None;
        for (class, &value) in row.iter().enumerate() {
            if value > best.map_or(f64::NEG_INFINITY, |(_, most)| most) {
                best = Some((class, value));
            }
        }
        best.map(|(class, _)| class)
    };
    log_posteriors.rows().into_iter().map(best).collect()
}
