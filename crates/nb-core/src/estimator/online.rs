//! A classifier that rows are added to, and that is ready after each.

use std::fmt;

use exact_sums::Exact;

use crate::{
    answers::Classifier,
    data::{Block, Dense},
    estimator::NaiveBayes,
    model::{ClassSums, FeatureModel, MismatchError, UpdateError, Weights},
    stats::SufficientStats,
};

/// A classifier that rows are added to one by one, and that is ready to answer after each: online learning.
///
/// It is always what [`NaiveBayes::fit_stats`] gives for all rows so far, bit for bit. Families that have a
/// way ([`FeatureModel::refit`]) compute the parameters of the row's class alone; the others are fitted
/// again. Where answers are wanted less often than rows come, a [`Stream`](crate::Stream) adds rows in a
/// fraction of the time.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, OnlineClassifier, SufficientStats};
///
/// let naive_bayes = NaiveBayes::new(Gaussian::default());
/// let stats = SufficientStats::new(&naive_bayes.model, 1)?;
/// let mut online = OnlineClassifier::new(naive_bayes, stats)?;
/// assert!(online.classifier().is_none()); // there is no class yet
/// for (row, label) in [([1.0], "low"), ([3.0], "low"), ([7.0], "high"), ([9.0], "high")] {
///     online.add(&row, &label)?;
/// }
/// let classifier = online.classifier().unwrap();
/// assert_eq!(classifier.predictor().label(&[2.5])?, &"low");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OnlineClassifier<L, M: FeatureModel> {
    naive_bayes: NaiveBayes<M>,
    stats: SufficientStats<L>,
    /// The weights of the classes.
    weights: Vec<Exact>,
    classifier: Option<Classifier<L, M::Fitted>>,
}

impl<L: Ord + Clone, M: FeatureModel> OnlineClassifier<L, M> {
    /// A classifier of the rows that are in `stats`, to which more are added.
    ///
    /// # Errors
    /// [`MismatchError`] if the statistics are of another family.
    pub fn new(naive_bayes: NaiveBayes<M>, stats: SufficientStats<L>) -> Result<Self, MismatchError> {
        stats.check_model(&naive_bayes.model)?;
        let mut online = Self { naive_bayes, stats, weights: Vec::new(), classifier: None };
        online.fit();
        Ok(online)
    }

    /// The classifier of all rows so far; `None` if they do not determine one, for which
    /// [`NaiveBayes::fit_stats`] with the [statistics](Self::stats) gives the reason.
    pub fn classifier(&self) -> Option<&Classifier<L, M::Fitted>> {
        self.classifier.as_ref()
    }

    /// The statistics of all rows so far.
    pub fn stats(&self) -> &SufficientStats<L> {
        &self.stats
    }

    /// The statistics, to go on with in another way.
    pub fn into_stats(self) -> SufficientStats<L> {
        self.stats
    }

    /// Adds a row of as many cells as there are columns.
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; the row was not added then.
    pub fn add(&mut self, row: &[f64], label: &L) -> Result<(), UpdateError> {
        let n_columns = self.stats.n_columns();
        let Some(dense) = Dense::new(row, 1, n_columns) else {
            return Err(UpdateError::Columns { expected: n_columns, found: row.len() });
        };
        let block = Block::F64(dense);
        self.naive_bayes.model.check(&block)?;
        let evidence = self.stats.class_mut(label);
        evidence.weight.add(0, 1.0);
        self.naive_bayes.model.update(&block, Weights::Unit, &mut evidence.parts);
        let weight = evidence.weight.get(0);
        if self.refit(label, weight).is_none() {
            self.fit();
        }
        Ok(())
    }

    /// Brings the classifier up to date after a row of a class; `None` if it must be fitted anew.
    fn refit(&mut self, label: &L, weight: Exact) -> Option<()> {
        let Self { naive_bayes, stats, weights, classifier } = self;
        let classifier = classifier.as_mut()?;
        let class = classifier.classes.binary_search(label).ok()?;
        weights[class] = weight;
        classifier.log_prior = naive_bayes.prior.log(weights).ok()?;
        let sums: Vec<ClassSums<'_>> = weights
            .iter()
            .zip(stats.class_sums())
            .map(|(weight, parts)| ClassSums::new(weight, parts))
            .collect();
        naive_bayes.model.refit(&sums, class, &mut classifier.likelihood).then_some(())
    }

    fn fit(&mut self) {
        self.weights = self.stats.class_weights();
        self.classifier = self.naive_bayes.fit_stats(&self.stats).ok();
    }
}

impl<L, M: FeatureModel> fmt::Debug for OnlineClassifier<L, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnlineClassifier")
            .field("classes", &self.weights.len())
            .field("is_ready", &self.classifier.is_some())
            .finish_non_exhaustive()
    }
}
