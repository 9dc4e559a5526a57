//! Folds of the rows of a plain model: each row is classified by a model of the rows of the other folds.
//!
//! Sums of folds are added up beside those of all rows, and a model without a fold is that of the sum of the
//! others; so a second pass over the rows is all it takes.

mod deal;
mod judges;

use std::fmt::Display;

use nb_core::{
    Classifier, SufficientStats,
    error::LayoutError,
    selection::{FoldAssignment, FoldedStats},
};
use nb_io::{Family, FittedFamily, Schema, read::Chunk};

use crate::source::groups;
use deal::{Dealer, FOLDS};
pub use judges::FoldMeasures;
pub(crate) use judges::{JudgeError, Judges};

/// The seed of the folds.
const SEED: u64 = 0;
/// With fewer rows there is too little to hold out.
const FEWEST_ROWS: u64 = 30;
/// The most sums of all classes for which there is memory in each fold.
const MOST_SUMS: usize = 1 << 22;

/// The sums of five folds of the rows of a plain model, and what tells the fold of a row.
/// [`Watch`](crate::Watch) adds the rows.
#[derive(Debug)]
pub(crate) struct Folds {
    family: Family,
    /// `None` if they were given up.
    stats: Option<FoldedStats<String>>,
    dealer: Dealer,
    /// How many sums a class keeps, as far as that is known before there are rows.
    sums_per_class: usize,
    is_too_large: bool,
}

/// Why no rows are held out of a plain model.
///
/// ```
/// use nb_train::{Effort, NotHeldOut, Trainer};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let trainer = Trainer::default().with_effort(Effort::Plain);
/// let trained = trainer.fit(&schema, &array![[1.5], [2.5], [7.5]], &["a", "a", "b"])?;
/// assert!(matches!(trained.folds, Some(Err(NotHeldOut::FewRows))));
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotHeldOut {
    /// There are too few rows.
    #[error("there are fewer than {FEWEST_ROWS} rows")]
    FewRows,
    /// There is one class.
    #[error("there are no two classes")]
    OneClass,
    /// All rows are of one group, or of groups that one fold has.
    #[error("there are too few groups; rows are held out by whole groups")]
    FewGroups,
    /// There are too many classes and features.
    #[error("the sums of five folds take too much memory")]
    TooLarge,
    /// The rows were refused.
    #[error("the rows changed")]
    RowsChanged,
    /// The rows of four folds do not determine a model, or one that can score the fifth.
    #[error("without a fifth of the rows there is no model: {0}")]
    NoModel(String),
    /// The weights of rows are too far apart.
    #[error(
        "{name}, row {row} (counted from 0): the weight is {weight:e}; rows are held out with weights of 0, or from 2^-60 to 2^60"
    )]
    Weight {
        /// What the part of the table is called.
        name: String,
        /// The row of the part.
        row: usize,
        /// Its weight.
        weight: f64,
    },
}

impl Folds {
    /// For rows with this number of features, of the family that the model will have.
    ///
    /// # Errors
    /// [`LayoutError`] if the family cannot have this number of features.
    pub(crate) fn new(family: &Family, n_features: usize) -> Result<Self, LayoutError> {
        let stats = FoldedStats::new(family, n_features, FOLDS, FoldAssignment::Plain)?;
        let of_codes = family
            .code_memory(n_features, 1)
            .iter()
            .map(|memory| memory.n_counts)
            .fold(0, u64::saturating_add);
        let sums_per_class = n_features.max(usize::try_from(of_codes).unwrap_or(usize::MAX));
        let (family, dealer) = (family.clone(), Dealer::new(SEED));
        Ok(Self { family, stats: Some(stats), dealer, sums_per_class, is_too_large: false })
    }

    /// Adds rows with labels, and with hashes of what they hold. What is wrong with them is said where they
    /// are learnt from.
    pub(crate) fn add(&mut self, chunk: &Chunk, keys: &[u64]) {
        let (Some(labels), Some(stats)) = (&chunk.labels, &mut self.stats) else { return };
        let folds = self.dealer.deal(labels, keys, groups(chunk));
        self.is_too_large = self.dealer.classes().len().saturating_mul(self.sums_per_class) > MOST_SUMS;
        let (family, rows) = (&self.family, &chunk.rows);
        let added = match &chunk.weights {
            Some(weights) => stats.update_assigned_weighted(family, rows, labels, weights, &folds),
            None => stats.update_assigned(family, rows, labels, &folds),
        };
        if self.is_too_large || added.is_err() {
            self.stats = None;
        }
    }

    /// The same with other hyper-parameters of the family.
    #[must_use]
    pub(crate) fn with_family(self, family: &Family) -> Self {
        Self { family: family.clone(), ..self }
    }

    /// The models without each of the folds, which are to see all rows once more, in the same order. `fit`
    /// makes a classifier of the sums of four folds.
    ///
    /// # Errors
    /// [`NotHeldOut`] says why there are none.
    pub(crate) fn judges<E: Display>(
        self,
        schema: &Schema,
        fit: impl Fn(&Family, SufficientStats<String>) -> Result<Classifier<String, FittedFamily>, E>,
    ) -> Result<Judges, NotHeldOut> {
        let Self { family, stats, dealer, is_too_large, .. } = self;
        let Some(stats) = stats else {
            return Err(if is_too_large { NotHeldOut::TooLarge } else { NotHeldOut::RowsChanged });
        };
        if dealer.n_rows() < FEWEST_ROWS {
            return Err(NotHeldOut::FewRows);
        }
        let whole = stats.whole();
        if whole.classes().len() < 2 {
            return Err(NotHeldOut::OneClass);
        }
        if stats.folds().iter().filter(|fold| fold.classes().len() > 0).count() < 2 {
            return Err(NotHeldOut::FewGroups);
        }
        let of_others = |fold: usize| {
            let others = stats.without(fold).ok_or(NotHeldOut::RowsChanged)?;
            fit(&family, others).map_err(|error| NotHeldOut::NoModel(format!("{error:#}")))
        };
        let judges = (0..FOLDS).map(of_others).collect::<Result<_, _>>()?;
        Ok(Judges::new(judges, &stats, &whole, (schema, &dealer)))
    }
}
