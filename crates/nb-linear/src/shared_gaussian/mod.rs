//! Shared-variance Gaussian: a normal distribution per class and column, with the same variance in all
//! classes.

mod description;
mod fitted;

pub use fitted::FittedSharedGaussian;

use nb_core::{
    FeatureModel, Gaussian, Missing, VarianceEstimator, VarianceSmoothing,
    error::{FamilyError, FamilyProblem, LayoutError, ValueError},
    exact::{Dyadic, Exact, ExactSums, rounds_surely},
    family::{
        Accumulator, Block, ClassSums, Moments, SumLayout, Weights, WideMoments, has_wide, unit_exponent,
    },
};

use ndarray::Array2;

/// The Gaussian family with one variance per column, shared by all classes.
///
/// # Model
/// `x_j | c ~ N(μ_cj, v_j)`. What is quadratic in `x` is the same for all classes, so that log-odds are
/// linear in `x`: it is linear discriminant analysis with a diagonal covariance matrix.
///
/// # Sums kept
/// Those of [`Gaussian`]: per class and column `Σ w x`, `Σ w x²` and the weight of missing cells, all exact.
///
/// # Estimators
/// `μ_cj = Σ w x / n_cj` and `v_j = Σ_c Σ w (x - μ_cj)² / (n_j - d K)`, pooled over the `K` classes, where
/// `n_j` is the weight of the observed cells and `d` is 0 (maximum likelihood) or 1 (unbiased); then variance
/// smoothing.
///
/// # References
/// Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning* (2009), 4.3; Mitchell, *Generative
/// and discriminative classifiers* (2005), section 3.
///
/// # Example
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

    /// The pooled variance of a column before smoothing, rounded correctly, and its remainder.
    fn pooled(&self, moments: &[Moments]) -> Result<(f64, f64), FamilyProblem> {
        let (mut weight, mut squares) = (Exact::ZERO, Exact::ZERO);
        for class in moments {
            // Sums of squares are not negative: adding up quotients of two doubles each loses nothing that
            // counts.
            let (high, low) = class.deviation.divided_by(&class.weight);
            squares = &(&squares + &Exact::from(high)) + &Exact::from(low);
            weight = &weight + &class.weight;
        }
        let divisor = match self.estimator {
            VarianceEstimator::MaximumLikelihood => weight,
            VarianceEstimator::Unbiased => &weight - &Exact::from(moments.len() as f64),
        };
        if divisor.to_f64() <= 0.0 {
            return Err(too_few_rows(moments.len()));
        }
        let variance = squares.divided_by(&divisor);
        if rounds_surely(variance) {
            return Ok(variance);
        }
        let terms = moments.iter().map(|class| (&class.deviation, &class.weight));
        let terms = terms.map(|(deviation, weight)| (Dyadic::from(deviation), Dyadic::from(weight)));
        Ok(as_one_quotient(terms, &Dyadic::from(&divisor)).to_pair())
    }

    /// The same for moments of any size.
    fn pooled_wide(&self, moments: &[WideMoments]) -> Result<Dyadic, FamilyProblem> {
        let mut weight = moments.iter().fold(Dyadic::ZERO, |total, class| &total + &class.weight);
        if self.estimator == VarianceEstimator::Unbiased {
            weight = &weight - &Dyadic::from(moments.len() as f64);
        }
        if weight.is_zero() || weight.is_negative() {
            return Err(too_few_rows(moments.len()));
        }
        let terms = moments.iter().map(|class| (class.deviation(), class.weight.clone()));
        Ok(as_one_quotient(terms, &weight))
    }

    /// [`fit`](FeatureModel::fit) for cells of any size.
    fn fit_wide(
        &self,
        classes: &[ClassSums<'_>],
        n_columns: usize,
    ) -> Result<FittedSharedGaussian, FamilyError> {
        let mut fitted = FittedSharedGaussian::empty(self.gaussian(), classes.len(), n_columns);
        let mut exponents = Vec::with_capacity(n_columns);
        let mut all_means = Array2::default((classes.len(), n_columns));
        let mut variances = Vec::with_capacity(n_columns);
        for (column, floor) in self.smoothing.wide_floors(classes, n_columns).into_iter().enumerate() {
            let moments: Vec<_> = classes.iter().map(|class| WideMoments::of_class(class, column)).collect();
            for (class, moments) in moments.iter().enumerate() {
                moments.check().map_err(|problem| FamilyError { class, column, problem })?;
                all_means[[class, column]] = moments.mean().to_pair();
            }
            let problem = |problem| FamilyError { class: 0, column, problem };
            let variance =
                self.pooled_wide(&moments).and_then(|pooled| floor.apply(pooled)).map_err(problem)?;
            let exponent = unit_exponent(&moments, &variance);
            let means = moments.iter().map(|moments| moments.mean().times_power_of_two(exponent).to_pair());
            let scaled = variance.as_ref().map(|variance| variance.times_power_of_two(2 * exponent).to_f64());
            let variance = variance.map_or(f64::INFINITY, |variance| variance.to_f64());
            if scaled.is_some_and(|scaled| !(f64::MIN_POSITIVE..=1e280).contains(&scaled)) {
                return Err(problem(FamilyProblem::VarianceRange { variance }));
            }
            fitted.set(column, means, scaled);
            exponents.push(exponent);
            variances.push(variance);
        }
        if exponents.iter().all(|&exponent| exponent == 0) {
            return Ok(fitted.finish());
        }
        Ok(fitted.with_units(exponents, &all_means, variances))
    }
}

/// The sum of quotients over a divisor, by one common denominator, so that it is rounded once.
fn as_one_quotient(quotients: impl Iterator<Item = (Dyadic, Dyadic)>, divisor: &Dyadic) -> Dyadic {
    let (sum, denominator) =
        quotients.fold((Dyadic::ZERO, Dyadic::from(1.0)), |(sum, denominator), (numerator, weight)| {
            (&(&sum * &weight) + &(&numerator * &denominator), &denominator * &weight)
        });
    sum.divided_by(&(&denominator * divisor))
}

/// The problem that a pooled variance has without enough rows.
fn too_few_rows(n_classes: usize) -> FamilyProblem {
    FamilyProblem::Other(format!(
        "the unbiased pooled variance divides by the weight of the rows minus the number of classes ({n_classes}), \
         which is not positive; use the maximum-likelihood estimator"
    ))
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
        if has_wide(classes) {
            return self.fit_wide(classes, n_columns);
        }
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
