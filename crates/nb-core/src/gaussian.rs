//! Gaussian: a normal distribution per class and column.
//!
//! # Model
//! `x_j | c ~ N(μ_cj, v_cj)`, with `log p = -½ log(2π v) - (x - μ)² / (2v)`.
//!
//! # Sums kept
//! Per class and column `Σ w x`, `Σ w x²` and the weight of missing cells, all exact.
//!
//! # Estimators
//! `μ = Σ w x / n` and `v = Σ w (x - μ)² / (n - d)`, where `d` is 0 (maximum likelihood) or 1 (unbiased) and `n` the
//! weight of the observed cells; then variance smoothing. The sum of squared deviations is formed as
//! `(n Σ w x² - (Σ w x)²) / n` in exact arithmetic, so that nothing cancels: the variance is correctly rounded at any
//! offset, and the variance of a constant column is exactly zero.
//!
//! # References
//! Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning* (2009), 6.6.3; Murphy, *Machine Learning: A
//! Probabilistic Perspective* (2012), 3.5.

use ndarray::{Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::{
    Block, ClassSums, Density, Exact, ExactSums, FamilyError, FamilyProblem, FeatureModel, LayoutError,
    Likelihood, Missing, Scores, SumLayout, ValueError, ValueProblem, Weights,
    exact::{add_column_sums_and_squares, two_prod},
    observable::{self, check_block},
    scores::add_compensated,
};

/// Which divisor the variance has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VarianceEstimator {
    /// Maximum likelihood: divides by `n`, as scikit-learn does.
    #[default]
    MaximumLikelihood,
    /// Divides by `n - 1`, as R's `sd` does; a class needs a weight above one.
    Unbiased,
}

/// What keeps variances away from zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VarianceSmoothing {
    /// A variance is at least this share of the column's own variance over all training rows. Free of units: changing
    /// the unit of one column changes no label. A column that is constant over all training rows carries no
    /// information and is left out of the scores.
    RelativeFloor(f64),
    /// scikit-learn's `var_smoothing`: this share of the largest column variance is added to every variance. One
    /// column in large units then blurs all the others.
    LargestVariance(f64),
    /// A variance is at least this number.
    AbsoluteFloor(f64),
    /// Nothing: a variance of exactly zero is an error.
    None,
}

impl Default for VarianceSmoothing {
    /// A relative floor of `1e-9`.
    fn default() -> Self {
        Self::RelativeFloor(1e-9)
    }
}

/// The Gaussian family.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, VarianceEstimator};
/// use ndarray::array;
///
/// let gaussian = Gaussian { estimator: VarianceEstimator::Unbiased, ..Gaussian::default() };
/// let classifier = NaiveBayes::new(gaussian).fit(&array![[1.0], [3.0], [7.0], [9.0]], &['a', 'a', 'b', 'b'])?;
/// assert_eq!(classifier.likelihood().means()[[0, 0]], 2.0);
/// assert_eq!(classifier.likelihood().variances()[[0, 0]], 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaussian {
    /// The divisor of the variance.
    pub estimator: VarianceEstimator,
    /// What keeps variances away from zero.
    pub smoothing: VarianceSmoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

const SUM: usize = 0;
const SQUARES: usize = 1;
const MISSING: usize = 2;

impl FeatureModel for Gaussian {
    type Fitted = FittedGaussian;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check()?;
        let parts = [
            ("sum", n_columns),
            ("sum of squares", n_columns),
            ("missing", n_columns),
        ];
        Ok(SumLayout::new("gaussian", parts))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_block(rows, |value| observable::real(value, self.missing))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [sum, squares, missing] = sums else { return };
        if let (Block::Dense(dense), Weights::Unit) = (rows, weights)
            && (self.missing == Missing::Error || !dense.values().iter().any(|value| value.is_nan()))
        {
            return add_column_sums_and_squares(dense.values(), sum, squares);
        }
        rows.for_each_stored(|row, column, value| {
            let weight = weights.get(row);
            if value.is_nan() {
                missing.add(column, weight);
            } else {
                sum.add_product(column, weight, value);
                squares.add_triple_product(column, value, value, weight);
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedGaussian, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(SUM).len());
        let mut fitted = FittedGaussian::empty(classes.len(), n_columns, self.missing);
        let floors = self.smoothing.floors(classes, n_columns);
        for (class, sums) in classes.iter().enumerate() {
            for (column, &floor) in floors.iter().enumerate() {
                let moments = Moments::of_class(sums, column);
                let error = |problem| FamilyError {
                    class,
                    column,
                    problem,
                };
                fitted.set(
                    class,
                    column,
                    &moments,
                    self.variance(&moments, floor).map_err(error)?,
                );
            }
        }
        Ok(fitted.finish())
    }
}

impl Gaussian {
    /// The variance of one class and column after smoothing; `None` if the column carries no information.
    fn variance(&self, moments: &Moments, floor: Floor) -> Result<Option<f64>, FamilyProblem> {
        let Moments {
            weight, deviation, ..
        } = moments;
        if weight.is_zero() {
            return Err(FamilyProblem::NoData);
        }
        if deviation.is_negative() || weight.is_negative() {
            return Err(FamilyProblem::Impossible {
                sum: deviation.to_f64().min(weight.to_f64()),
            });
        }
        let divisor = match self.estimator {
            VarianceEstimator::MaximumLikelihood => weight.clone(),
            VarianceEstimator::Unbiased => weight - &Exact::from(1.0),
        };
        if divisor.to_f64() <= 0.0 {
            return Err(FamilyProblem::SingleRow {
                weight: weight.to_f64(),
            });
        }
        let (high, low) = deviation.divided_by(&(weight * &divisor));
        let variance = match floor {
            Floor::Uninformative => return Ok(None),
            Floor::AtLeast(floor) => high.max(floor),
            Floor::Add(high_add, low_add) => Exact::sum([high, low, high_add, low_add]).to_f64(),
        };
        if variance == 0.0 && deviation.is_zero() {
            return Err(FamilyProblem::ZeroVariance);
        }
        // Below, the reciprocal overflows; above, the exact product with 2π does.
        if !(f64::MIN_POSITIVE..=1e280).contains(&variance) {
            return Err(FamilyProblem::VarianceRange { variance });
        }
        Ok(Some(variance))
    }
}

/// The moments of a column, in one class or over all.
struct Moments {
    /// The weight `n` of the observed cells.
    weight: Exact,
    /// `Σ w x`.
    sum: Exact,
    /// `n Σ w x² - (Σ w x)²`, which is `n` times the sum of squared deviations; exact.
    deviation: Exact,
}

impl Moments {
    fn new(weight: Exact, sum: Exact, squares: &Exact) -> Self {
        let deviation = &(&weight * squares) - &(&sum * &sum);
        Self {
            weight,
            sum,
            deviation,
        }
    }

    fn of_class(class: &ClassSums<'_>, column: usize) -> Self {
        let weight = class.weight() - &class.part(MISSING).get(column);
        Self::new(
            weight,
            class.part(SUM).get(column),
            &class.part(SQUARES).get(column),
        )
    }

    /// The moments over all classes together.
    fn of_all(classes: &[ClassSums<'_>], column: usize) -> Self {
        let total = |part: &dyn Fn(&ClassSums<'_>) -> Exact| {
            classes
                .iter()
                .fold(Exact::ZERO, |total, class| &total + &part(class))
        };
        let weight = total(&|class| class.weight() - &class.part(MISSING).get(column));
        let sum = total(&|class| class.part(SUM).get(column));
        Self::new(weight, sum, &total(&|class| class.part(SQUARES).get(column)))
    }

    /// The maximum-likelihood variance, as two doubles; zero without any weight.
    fn variance(&self) -> (f64, f64) {
        if self.weight.is_zero() {
            (0.0, 0.0)
        } else {
            self.deviation.divided_by(&(&self.weight * &self.weight))
        }
    }
}

/// What smoothing does to the variances of a column.
#[derive(Clone, Copy)]
enum Floor {
    /// The column is constant over all rows: leave it out.
    Uninformative,
    AtLeast(f64),
    /// Adds an amount, given as two doubles.
    Add(f64, f64),
}

impl VarianceSmoothing {
    /// Refuses a share or floor that is negative or not finite.
    pub(crate) fn check(self) -> Result<(), LayoutError> {
        let (Self::RelativeFloor(value) | Self::LargestVariance(value) | Self::AbsoluteFloor(value)) = self
        else {
            return Ok(());
        };
        if (0.0..=1e60).contains(&value) {
            return Ok(());
        }
        Err(LayoutError::Parameter {
            name: "variance smoothing",
            value,
            must_be: "from 0 to 1e60",
        })
    }

    /// The floor of each column.
    fn floors(self, classes: &[ClassSums<'_>], n_columns: usize) -> Vec<Floor> {
        let variances = || (0..n_columns).map(|column| Moments::of_all(classes, column).variance());
        match self {
            Self::RelativeFloor(share) if share > 0.0 => variances()
                .map(|(variance, _)| {
                    if variance == 0.0 {
                        Floor::Uninformative
                    } else {
                        Floor::AtLeast(share * variance)
                    }
                })
                .collect(),
            Self::LargestVariance(share) => {
                let (high, low) =
                    variances().fold((0.0, 0.0), |most, this| if this > most { this } else { most });
                let (product, error) = two_prod(share, high);
                vec![Floor::Add(product, error + share * low); n_columns]
            }
            Self::AbsoluteFloor(floor) => vec![Floor::AtLeast(floor); n_columns],
            Self::RelativeFloor(_) | Self::None => vec![Floor::AtLeast(0.0); n_columns],
        }
    }
}

/// A fitted Gaussian family.
#[derive(Clone, Debug)]
pub struct FittedGaussian {
    missing: Missing,
    /// All `n_classes × n_columns`.
    means: Array2<f64>,
    /// What rounding took from the means, so that scores at huge offsets keep their digits.
    mean_rests: Array2<f64>,
    /// Positive; infinite where the column carries no information.
    variances: Array2<f64>,
    /// `1 / (2v)`; zero where the column carries no information.
    half_precisions: Array2<f64>,
    /// `-½ log(2πv)`; zero where the column carries no information.
    log_norms: Array2<f64>,
    /// The sum of `log_norms` over columns, per class, with its rounding error.
    log_norm_sums: Vec<(f64, f64)>,
    /// Up to this size the values of a column can surely be scored.
    limits: Vec<f64>,
}

impl FittedGaussian {
    /// The means, `n_classes × n_columns`.
    pub fn means(&self) -> ArrayView2<'_, f64> {
        self.means.view()
    }

    /// What rounding to a double took from each mean: the exact mean is `means + mean_rests` to about 106 bits.
    pub fn mean_rests(&self) -> ArrayView2<'_, f64> {
        self.mean_rests.view()
    }

    /// The variances after smoothing, `n_classes × n_columns`; infinite where the column was constant over all
    /// training rows and is left out of the scores.
    pub fn variances(&self) -> ArrayView2<'_, f64> {
        self.variances.view()
    }

    fn empty(n_classes: usize, n_columns: usize, missing: Missing) -> Self {
        let zeros = || Array2::zeros((n_classes, n_columns));
        Self {
            missing,
            means: zeros(),
            mean_rests: zeros(),
            variances: zeros(),
            half_precisions: zeros(),
            log_norms: zeros(),
            log_norm_sums: Vec::new(),
            limits: vec![observable::LARGEST; n_columns],
        }
    }

    fn set(&mut self, class: usize, column: usize, moments: &Moments, variance: Option<f64>) {
        let at = [class, column];
        (self.means[at], self.mean_rests[at]) = moments.sum.divided_by(&moments.weight);
        let Some(variance) = variance else {
            self.variances[at] = f64::INFINITY;
            return;
        };
        self.variances[at] = variance;
        self.half_precisions[at] = 0.5 / variance;
        self.log_norms[at] = -0.5 * ln_tau_times(variance);
        // (x - μ)² / 2v stays below the largest double while |x - μ| is below this.
        let reach = libm::sqrt(variance) * 1e150 - self.means[at].abs();
        self.limits[column] = self.limits[column].min(reach);
    }

    fn finish(mut self) -> Self {
        let sum = |row: ndarray::ArrayView1<'_, f64>| Exact::sum(row.iter().copied()).to_pair();
        self.log_norm_sums = self.log_norms.rows().into_iter().map(sum).collect();
        self
    }

    /// `(x - μ)² / 2v`. The difference is formed with both doubles of the mean.
    #[inline(always)]
    fn distance(value: f64, mean: f64, mean_rest: f64, half_precision: f64) -> f64 {
        let difference = (value - mean) - mean_rest;
        difference * difference * half_precision
    }

    fn problem(&self, column: usize, value: f64) -> Option<ValueProblem> {
        if value.abs() <= self.limits[column] {
            return None; // the common case, in one comparison that NaN fails
        }
        observable::real(value, self.missing).or_else(|| {
            let overflows = |class| self.log_likelihood(class, column, value).is_infinite();
            (0..self.means.nrows())
                .any(overflows)
                .then_some(ValueProblem::Unscorable)
        })
    }
}

/// `ln(2πv)`, also where the product is near one and the logarithm near zero.
fn ln_tau_times(variance: f64) -> f64 {
    const TAU_REST: f64 = 2.449_293_598_294_706_4e-16; // 2π minus its double
    let (product, error) = two_prod(variance, std::f64::consts::TAU);
    libm::log(product) + (variance * TAU_REST + error) / product
}

impl Likelihood for FittedGaussian {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        ValueError::first(rows.find_stored(|column, value| self.problem(column, value)))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let at = [class, column];
        self.log_norms[at]
            - Self::distance(
                value,
                self.means[at],
                self.mean_rests[at],
                self.half_precisions[at],
            )
    }

    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        rows.for_each_row(|row, cells| {
            let any_missing = self.missing == Missing::Skip && cells.iter().any(|value| value.is_nan());
            let (high, low) = scores.row_mut(row);
            for (class, (high, low)) in high.iter_mut().zip(low).enumerate() {
                if any_missing {
                    for (column, &value) in cells.iter().enumerate() {
                        add_compensated(high, low, self.log_likelihood(class, column, value));
                    }
                    continue;
                }
                let (norm, norm_rest) = self.log_norm_sums[class];
                add_compensated(high, low, norm);
                add_compensated(high, low, norm_rest);
                let means = self.means.row(class).into_iter().zip(self.mean_rests.row(class));
                let parameters = means.zip(self.half_precisions.row(class));
                for (&value, ((&mean, &rest), &half_precision)) in cells.iter().zip(parameters) {
                    add_compensated(high, low, -Self::distance(value, mean, rest, half_precision));
                }
            }
        });
    }
}

impl Density for FittedGaussian {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let at = [class, column];
        // A column without information is constant over all training rows.
        let deviation = if self.variances[at].is_finite() {
            libm::sqrt(self.variances[at])
        } else {
            0.0
        };
        let normal: f64 = StandardNormal.sample(rng);
        self.means[at] + (self.mean_rests[at] + deviation * normal)
    }
}
