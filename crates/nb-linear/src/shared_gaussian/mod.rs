//! Shared-variance Gaussian: a normal distribution per class and column, with the same variance in all classes.
//!
//! # Model
//! `x_j | c ~ N(μ_cj, v_j)`. What is quadratic in `x` is the same for all classes, so that log-odds are linear in `x`:
//! it is linear discriminant analysis with a diagonal covariance matrix.
//!
//! # Sums kept
//! Those of [`Gaussian`]: per class and column `Σ w x`, `Σ w x²` and the weight of missing cells, all exact.
//!
//! # Estimators
//! `μ_cj = Σ w x / n_cj` and `v_j = Σ_c Σ w (x - μ_cj)² / (n_j - d K)`, pooled over the `K` classes, where `n_j` is the
//! weight of the observed cells and `d` is 0 (maximum likelihood) or 1 (unbiased); then variance smoothing.
//!
//! # References
//! Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning* (2009), 4.3; Mitchell, *Generative and
//! discriminative classifiers* (2005), section 3.

mod description;
mod fitted;

pub use fitted::FittedSharedGaussian;

use nb_core::{
    FeatureModel, Gaussian, Missing, VarianceEstimator, VarianceSmoothing,
    error::{FamilyError, FamilyProblem, LayoutError, ValueError},
    exact::{Exact, ExactSums},
    family::{Accumulator, Block, ClassSums, Moments, SumLayout, Weights},
};

/// The Gaussian family with one variance per column, shared by all classes.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_linear::SharedGaussian;
/// use ndarray::array;
///
/// let x = array![[1.0], [3.0], [7.0], [11.0]];
/// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &['a', 'a', 'b', 'b'])?;
/// assert_eq!(classifier.likelihood().variances(), [2.5]); // (1 + 1 + 4 + 4) / 4
/// assert_eq!(classifier.predict(&array![[5.5], [6.5]])?, ['a', 'b']); // the boundary is at 5.5
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its statistics are those of [`Gaussian`], and either family can be fitted from them:
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, SufficientStats};
/// use nb_linear::SharedGaussian;
/// use ndarray::array;
///
/// let mut stats = SufficientStats::new(&Gaussian::default(), 1)?;
/// stats.update(&Gaussian::default(), &array![[1.0], [3.0], [7.0], [11.0]], &['a', 'a', 'b', 'b'])?;
/// let own = NaiveBayes::new(Gaussian::default()).fit_stats(&stats)?;
/// assert_eq!(own.likelihood().variances(), array![[1.0], [4.0]]);
/// let shared = NaiveBayes::new(SharedGaussian::default()).fit_stats(&stats)?;
/// assert_eq!(shared.likelihood().variances(), [2.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SharedGaussian {
    /// The divisor of the pooled variance: `n` for maximum likelihood, `n - K` for unbiased.
    pub estimator: VarianceEstimator,
    /// What keeps variances away from zero.
    pub smoothing: VarianceSmoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl SharedGaussian {
    /// The family with a variance per class, which keeps the same sums and observes the same values.
    fn gaussian(&self) -> Gaussian {
        Gaussian { estimator: self.estimator, smoothing: self.smoothing, missing: self.missing }
    }

    /// The pooled variance of a column before smoothing, as two doubles.
    fn pooled(&self, moments: &[Moments]) -> Result<(f64, f64), FamilyProblem> {
        let (mut weight, mut squares) = (Exact::ZERO, Exact::ZERO);
        for class in moments {
            // Sums of squares are not negative: adding up quotients of two doubles each loses nothing that counts.
            let (high, low) = class.deviation.divided_by(&class.weight);
            squares = &(&squares + &Exact::from(high)) + &Exact::from(low);
            weight = &weight + &class.weight;
        }
        let divisor = match self.estimator {
            VarianceEstimator::MaximumLikelihood => weight,
            VarianceEstimator::Unbiased => &weight - &Exact::from(moments.len() as f64),
        };
        if divisor.to_f64() <= 0.0 {
            return Err(FamilyProblem::Other(format!(
                "the unbiased pooled variance divides by the weight of the rows minus the number of classes ({}), \
                 which is not positive; use the maximum-likelihood estimator",
                moments.len()
            )));
        }
        Ok(squares.divided_by(&divisor))
    }
}

impl FeatureModel for SharedGaussian {
    type Fitted = FittedSharedGaussian;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.gaussian().layout(n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.gaussian().check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        self.gaussian().update(rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        /// How the sums are gathered depends on what is done with missing cells, and on nothing else.
        const fn gathering(missing: Missing) -> Gaussian {
            let (estimator, smoothing) = (VarianceEstimator::MaximumLikelihood, VarianceSmoothing::None);
            Gaussian { estimator, smoothing, missing }
        }
        static ALL: Gaussian = gathering(Missing::Error);
        static OBSERVED: Gaussian = gathering(Missing::Skip);
        let gaussian = match self.missing {
            Missing::Error => &ALL,
            Missing::Skip => &OBSERVED,
        };
        gaussian.accumulator(n_columns)
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedSharedGaussian, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(0).len());
        let mut fitted = FittedSharedGaussian::empty(self.gaussian(), classes.len(), n_columns);
        for (column, floor) in self.smoothing.floors(classes, n_columns).into_iter().enumerate() {
            let moments = classes.iter().enumerate().map(|(class, sums)| {
                let moments = Moments::of_class(sums, column);
                let problem = |problem| FamilyError { class, column, problem };
                moments.check().map(|()| moments).map_err(problem)
            });
            let moments = moments.collect::<Result<Vec<_>, _>>()?;
            let means = moments.iter().map(Moments::mean);
            // The variance belongs to no class; the error names the first.
            let problem = |problem| FamilyError { class: 0, column, problem };
            let variance = self.pooled(&moments).and_then(|pooled| floor.apply(pooled)).map_err(problem)?;
            fitted.set(column, means, variance);
        }
        Ok(fitted.finish())
    }
}
