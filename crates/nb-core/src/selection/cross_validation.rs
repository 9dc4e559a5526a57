//! Cross-validated log-likelihood, from the statistics of folds alone.

use exact_sums::Exact;

use crate::{
    estimator::NaiveBayes,
    model::{CrossValidationError, FeatureModel},
    selection::{FoldedStats, folds::without},
    stats::SufficientStats,
};

/// How a model fitted from the other folds does on each fold held out: its joint log-likelihood.
///
/// This is how well the model describes rows with their labels, from statistics alone. How good the
/// probabilities of the labels are is another question, which needs the rows: where a column is constant
/// within a class, the density of rows held out grows without bound as the floor of the variance falls, while
/// the probabilities get worse. The program `nbayes` tunes by the log-loss of rows.
///
/// References: Stone (1974), *Cross-validatory choice and assessment of statistical predictions*, JRSS B 36;
/// Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning* (2009), 7.10.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct CrossValidation {
    /// The folds that have rows, in order; at least one.
    pub folds: Vec<FoldLikelihood>,
}

/// What a model fitted without a fold says of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct FoldLikelihood {
    /// The number of the fold.
    pub fold: usize,
    /// The weight of its rows; above zero.
    pub weight: f64,
    /// `Σ w (log p(class) + log p(row | class))` over its rows, as from
    /// [`log_likelihood_of_stats`](crate::Classifier::log_likelihood_of_stats).
    pub log_likelihood: f64,
}

impl FoldLikelihood {
    /// The mean log-likelihood of a row.
    pub fn mean(&self) -> f64 {
        self.log_likelihood / self.weight
    }
}

impl CrossValidation {
    /// The mean log-likelihood of a row, over all folds: what to maximise. Negative infinity if a row is
    /// impossible in its class for the model that has not seen it.
    pub fn mean(&self) -> f64 {
        let (sum, weight) = self
            .folds
            .iter()
            .fold((0.0, 0.0), |(sum, weight), fold| (sum + fold.log_likelihood, weight + fold.weight));
        sum / weight
    }

    /// The standard error of the [mean](Self::mean), from the spread of the means of the `k` folds:
    /// `√(Σ (m_i - m)² / k(k - 1))` around their mean `m`. Infinite with a single fold, or if a row is
    /// impossible.
    ///
    /// Of hyper-parameters within one standard error of the best the simplest may be as good (Breiman et al.
    /// (1984), *Classification and Regression Trees*, 3.4.3).
    pub fn standard_error(&self) -> f64 {
        let k = self.folds.len() as f64;
        let center = self.folds.iter().map(FoldLikelihood::mean).sum::<f64>() / k;
        if self.folds.len() < 2 || !center.is_finite() {
            return f64::INFINITY;
        }
        let squares: f64 = self.folds.iter().map(|fold| (fold.mean() - center).powi(2)).sum();
        (squares / (k * (k - 1.0))).sqrt()
    }
}

impl<L: Ord + Clone> FoldedStats<L> {
    /// Fits without each fold and tells the log-likelihood of the rows held out, from statistics alone.
    ///
    /// What to look out for: a class that has rows in one fold only is impossible there (see
    /// [`forget_class`](Self::forget_class)), and so is a category that only one fold has, unless categories
    /// are declared or unseen ones are provided for. [`Prior::Given`](crate::Prior::Given) needs every
    /// class outside each fold. The [`Complement`](crate::Complement) family has no log-likelihood.
    ///
    /// ```
    /// use nb_core::{Gaussian, NaiveBayes, selection::{FoldAssignment, FoldedStats}};
    /// use ndarray::array;
    ///
    /// let x = array![[1.0], [7.0], [2.0], [9.0], [3.0], [8.0]];
    /// let mut folds = FoldedStats::new(&Gaussian::default(), 1, 3, FoldAssignment::Stratified)?;
    /// folds.update(&Gaussian::default(), &x, &["a", "b", "a", "b", "a", "b"])?;
    /// let result = folds.cross_validate(&NaiveBayes::new(Gaussian::default()))?;
    /// assert_eq!(result.folds.len(), 3);
    /// assert!(result.mean() < 0.0 && result.standard_error() > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CrossValidationError`] if there are no rows, the others do not determine a classifier, or the family
    /// tells no log-likelihood from sums.
    pub fn cross_validate<M: FeatureModel>(
        &self,
        naive_bayes: &NaiveBayes<M>,
    ) -> Result<CrossValidation, CrossValidationError> {
        let mut results = self.cross_validate_each(std::slice::from_ref(naive_bayes));
        results.pop().unwrap_or(Err(CrossValidationError::NoRows))
    }

    /// Cross-validates every candidate, such as the same family with different smoothing; one result per
    /// candidate. Each fold is left out once for all of them.
    ///
    /// ```
    /// use nb_core::{Bernoulli, NaiveBayes, Smoothing, selection::{FoldAssignment, FoldedStats}};
    /// use ndarray::array;
    ///
    /// let x = array![[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
    /// let mut folds = FoldedStats::new(&Bernoulli::default(), 2, 3, FoldAssignment::Stratified)?;
    /// folds.update(&Bernoulli::default(), &x, &["a", "a", "a", "b", "b", "b"])?;
    /// let mut candidates = Vec::new();
    /// for l in [0.0, 0.1, 1.0, 10.0] {
    ///     let smoothing = Smoothing::new(l)?;
    ///     candidates.push(NaiveBayes::new(Bernoulli { smoothing, ..Bernoulli::default() }));
    /// }
    /// let results = folds.cross_validate_each(&candidates).into_iter().collect::<Result<Vec<_>, _>>()?;
    /// let means: Vec<f64> = results.iter().map(|result| result.mean()).collect();
    /// assert_eq!(means[0], f64::NEG_INFINITY); // without smoothing a row held out is impossible
    /// assert!(means[2] > means[1] && means[3] > means[2]); // so few rows say next to nothing
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cross_validate_each<M: FeatureModel>(
        &self,
        candidates: &[NaiveBayes<M>],
    ) -> Vec<Result<CrossValidation, CrossValidationError>> {
        let mut results: Vec<_> = candidates.iter().map(|_| Ok(Vec::new())).collect();
        let whole = self.whole();
        for (number, fold) in self.folds().iter().enumerate() {
            let weights = fold.class_weights();
            if weights.is_empty() {
                continue;
            }
            let weight = Exact::sum(weights.iter().flat_map(Exact::components).copied()).to_f64();
            let others = without(&whole, fold);
            for (result, candidate) in results.iter_mut().zip(candidates) {
                let Ok(held_out) = result else { continue };
                match log_likelihood(candidate, &others, number, fold) {
                    Ok(log_likelihood) => {
                        held_out.push(FoldLikelihood { fold: number, weight, log_likelihood });
                    }
                    Err(error) => *result = Err(error),
                }
            }
        }
        let not_empty = |folds: Vec<FoldLikelihood>| {
            if folds.is_empty() { Err(CrossValidationError::NoRows) } else { Ok(CrossValidation { folds }) }
        };
        results.into_iter().map(|result| result.and_then(not_empty)).collect()
    }
}

/// The log-likelihood of the rows of a fold under the model fitted from the others.
fn log_likelihood<L: Ord + Clone, M: FeatureModel>(
    naive_bayes: &NaiveBayes<M>,
    others: &SufficientStats<L>,
    number: usize,
    fold: &SufficientStats<L>,
) -> Result<f64, CrossValidationError> {
    let classifier =
        naive_bayes.fit_stats(others).map_err(|error| CrossValidationError::Fit { fold: number, error })?;
    classifier
        .log_likelihood_of_stats(fold)
        .map_err(|error| CrossValidationError::Likelihood { fold: number, error })
}
