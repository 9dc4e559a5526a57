//! Averaged one-dependence estimators (AODE): every column in turn is the parent of all others.
//!
//! # Model
//! `P(y, x) = 1/|I| Σ_{i ∈ I} P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`, where `I` are the columns whose value `x_i`
//! has a training weight of at least `m` over all classes. A row without such a column is scored by naive Bayes.
//!
//! # Sums kept
//! Those of [`PairCounts`]: per class the weight of every pair of categories of two columns, and of every
//! single category.
//!
//! # Estimators
//! Posterior means under symmetric Dirichlet priors, which for `l = 1` are Laplace estimates:
//! `P(y, x_i) = (n(y, x_i) + l_i) / (n_i + l_i C K_i)` and
//! `P(x_j | y, x_i) = (n(y, x_i, x_j) + l_j) / (n_j(y, x_i) + l_j K_j)`,
//! with `C` classes, `K_j` categories of column `j`, the weight `n_i` of the rows in which column `i` is
//! observed, and the weight `n_j(y, x_i)` of the rows of class `y` with `x_i` in which column `j` is observed.
//! The prior of the classes is part of the first. Naive Bayes, where it takes over, has the empirical prior and
//! the probabilities of [`Categorical`](nb_core::Categorical).
//!
//! # Missing cells
//! A missing cell is no parent, and as a child it adds nothing. The same goes for codes that are no category with
//! [`Unseen::Ignore`](nb_core::Unseen); with [`Unseen::Other`](nb_core::Unseen) each column has one category
//! more, which no training row has, so that it is a child but no parent. Without smoothing, a child of which
//! the training rows of the class and the parent say nothing adds nothing, too.
//!
//! # References
//! Webb, Boughton and Wang, *Not so naive Bayes: aggregating one-dependence estimators* (Machine Learning 58,
//! 2005), where `m = 30`.

mod classifier;
mod pair_counts;
mod tables;

pub use classifier::AodeClassifier;
pub use pair_counts::{FittedPairCounts, PairCounts};

use nb_core::{
    NaiveBayes, Rows, SufficientStats,
    error::{FitError, LayoutError, TrainError},
};

use tables::Tables;

/// Averaged one-dependence estimators: the hyper-parameters.
///
/// It is no [`FeatureModel`](nb_core::FeatureModel), since its score is no sum over columns; its evidence is
/// that of one, [`PairCounts`], so that it can be streamed, merged and retracted.
///
/// ```
/// use nb_variants::{Aode, PairCounts};
/// use ndarray::array;
///
/// let x = array![[0, 0], [1, 1], [0, 1], [1, 0]];
/// let y = ["same", "same", "other", "other"];
/// let aode = Aode { minimum_count: 1.0, ..Aode::new(PairCounts::new(vec![2, 2])) };
/// let classifier = aode.fit(&x, &y)?;
/// assert_eq!(classifier.predict(&array![[1, 1], [1, 0]])?, ["same", "other"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Aode {
    /// The evidence, with the smoothing of all estimates.
    pub counts: PairCounts,
    /// The training weight `m` that a value needs to be a parent; a value that no training row has is never one.
    pub minimum_count: f64,
}

impl Aode {
    /// Estimators from such evidence, with `m = 30`.
    pub fn new(counts: PairCounts) -> Self {
        Self { counts, minimum_count: 30.0 }
    }

    /// Fits rows of category codes, `n_rows × n_columns`, with one label per row.
    ///
    /// # Errors
    /// [`TrainError`] if hyper-parameters, rows or labels are invalid or do not determine a model.
    pub fn fit<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<AodeClassifier<L>, TrainError> {
        let mut stats = SufficientStats::new(&self.counts, rows.n_columns())?;
        stats.update(&self.counts, rows, labels)?;
        Ok(self.fit_stats(&stats)?)
    }

    /// Reads a classifier off the statistics of [`PairCounts`], which stay as they are.
    ///
    /// Takes `C D²` doubles of memory for `C` classes and `D` categories in all columns together.
    ///
    /// # Errors
    /// [`FitError`] if there is no evidence, `minimum_count` is negative or no number, or the statistics are of
    /// another family, other categories, or not those of rows.
    pub fn fit_stats<L: Ord + Clone>(
        &self,
        stats: &SufficientStats<L>,
    ) -> Result<AodeClassifier<L>, FitError> {
        if self.minimum_count.is_nan() || self.minimum_count < 0.0 {
            let (name, value) = ("the minimum count", self.minimum_count);
            return Err(LayoutError::Parameter { name, value, must_be: "at least 0" }.into());
        }
        let naive_bayes = NaiveBayes::new(&self.counts).fit_stats(stats)?;
        let pairs: Vec<_> = stats.class_sums().filter_map(<[_]>::first).collect();
        let tables = Tables::new(&self.counts, &pairs)?;
        Ok(AodeClassifier::new(naive_bayes, tables, self.minimum_count))
    }
}
