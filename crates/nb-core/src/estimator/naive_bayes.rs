//! The estimator: a family and a prior.

use crate::{
    answers::Classifier,
    data::Rows,
    model::{FeatureModel, FitError, FitRowsError, Prior},
    stats::{SufficientStats, update::add_rows},
};

/// Naive Bayes: a family of class-conditional distributions and a prior over the classes.
///
/// This holds hyper-parameters only; evidence is in [`SufficientStats`], parameters are in [`Classifier`].
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, Prior};
/// use ndarray::array;
///
/// let x = array![[5.1, 1.4], [4.9, 1.5], [6.3, 4.7], [6.5, 4.6]];
/// let y = ["setosa", "setosa", "versicolor", "versicolor"];
/// let naive_bayes = NaiveBayes { model: Gaussian::default(), prior: Prior::Uniform };
/// let classifier = naive_bayes.fit(&x, &y)?;
/// assert_eq!(classifier.predict(&array![[5.0, 1.6]])?, ["setosa"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct NaiveBayes<M> {
    /// The family of distributions, with its hyper-parameters.
    pub model: M,
    /// The prior over the classes.
    pub prior: Prior,
}

impl<M: FeatureModel> NaiveBayes<M> {
    /// A family with the empirical prior.
    ///
    /// ```
    /// use nb_core::{Gaussian, NaiveBayes, Prior};
    ///
    /// let naive_bayes = NaiveBayes::new(Gaussian::default());
    /// assert_eq!(naive_bayes.prior, Prior::Empirical);
    /// ```
    pub fn new(model: M) -> Self {
        Self { model, prior: Prior::Empirical }
    }

    /// Fits rows, `n_rows × n_columns`, with one label per row: the short way through
    /// [`SufficientStats::update`] and [`fit_stats`](Self::fit_stats).
    ///
    /// ```
    /// use nb_core::{Gaussian, NaiveBayes};
    /// use ndarray::array;
    ///
    /// let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.predict(&array![[2.0]])?, ["low"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitRowsError`] if hyper-parameters, rows or labels are invalid or do not determine a model.
    pub fn fit<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Classifier<L, M::Fitted>, FitRowsError> {
        let mut stats = SufficientStats::new(&self.model, rows.n_columns())?;
        add_rows(&mut stats, &self.model, rows, labels, None)?;
        Ok(self.fit_stats(&stats)?)
    }

    /// Fits rows with weights: a row of weight 2 counts as two rows.
    ///
    /// ```
    /// use nb_core::{Gaussian, NaiveBayes};
    /// use ndarray::array;
    ///
    /// let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// let classifier = NaiveBayes::new(Gaussian::default()).fit_weighted(&x, &[0, 0, 1, 1], &[1.0, 3.0, 1.0, 1.0])?;
    /// assert_eq!(classifier.likelihood().means()[[0, 0]], 2.5); // (1 + 3 · 3)/4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitRowsError`] if hyper-parameters, rows, labels or weights are invalid or do not determine a model.
    pub fn fit_weighted<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: &[f64],
    ) -> Result<Classifier<L, M::Fitted>, FitRowsError> {
        let mut stats = SufficientStats::new(&self.model, rows.n_columns())?;
        add_rows(&mut stats, &self.model, rows, labels, Some(weights))?;
        Ok(self.fit_stats(&stats)?)
    }

    /// Reads a classifier off statistics, which stay as they are and can be updated and fitted again.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// use nb_core::{NaiveBayes, Prior};
    ///
    /// let naive_bayes = NaiveBayes { model, prior: Prior::Uniform };
    /// assert_eq!(naive_bayes.fit_stats(&stats)?.predict(&array![[6.9]])?, ["b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitError`] if there is no evidence, the prior does not fit, or the sums do not determine a
    /// distribution.
    pub fn fit_stats<L: Ord + Clone>(
        &self,
        stats: &SufficientStats<L>,
    ) -> Result<Classifier<L, M::Fitted>, FitError> {
        if stats.classes().len() == 0 {
            return Err(FitError::NoRows);
        }
        stats.check_layout(self.model.layout(stats.n_columns())?)?;
        stats.with_class_sums(|weights, sums| {
            let log_prior = self.prior.log(weights)?;
            let likelihood = self.model.fit(sums)?;
            Ok(Classifier::new(stats.classes().cloned().collect(), log_prior, likelihood, stats.n_columns()))
        })
    }
}
