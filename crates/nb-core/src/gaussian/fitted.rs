//! The fitted Gaussian family: parameters and densities.

use ndarray::{Array2, ArrayView1, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::{
    Block, Density, Exact, Likelihood, Missing, ParameterError, Scores, ValueError, ValueProblem,
    exact::two_prod,
    observable,
    parameters::{check_shape, check_values},
    scores::add_compensated,
};

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
    /// A fitted family from parameters that come from elsewhere, both `n_classes × n_columns`.
    ///
    /// # Errors
    /// [`ParameterError`] if the shapes differ, a mean is not finite or too large, or a variance is not positive or not
    /// one that can be divided by.
    pub fn new(
        means: &ArrayView2<'_, f64>,
        variances: &ArrayView2<'_, f64>,
        missing: Missing,
    ) -> Result<Self, ParameterError> {
        check_shape("the table of variances", variances, means.dim())?;
        check_values("a mean", means, "from -2^400 to 2^400", |mean| mean.abs() <= observable::LARGEST)?;
        let range = super::smoothing::USABLE_VARIANCES;
        check_values("a variance", variances, "from 2.3e-308 to 1e280", |variance| {
            range.contains(&variance)
        })?;
        let mut fitted = Self::empty(means.nrows(), means.ncols(), missing);
        for ((class, column), &mean) in means.indexed_iter() {
            fitted.set(class, column, (mean, 0.0), Some(variances[[class, column]]));
        }
        Ok(fitted.finish())
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

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

    /// All parameters zero, to be [`set`](Self::set) and [`finish`](Self::finish)ed.
    pub(super) fn empty(n_classes: usize, n_columns: usize, missing: Missing) -> Self {
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

    /// Sets the parameters of a class and column: the mean as two doubles, and the variance unless the column carries
    /// no information.
    pub(super) fn set(&mut self, class: usize, column: usize, mean: (f64, f64), variance: Option<f64>) {
        let at = [class, column];
        (self.means[at], self.mean_rests[at]) = mean;
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

    /// Derives what scoring needs of all parameters together.
    pub(super) fn finish(mut self) -> Self {
        let sum = |row: ArrayView1<'_, f64>| Exact::sum(row.iter().copied()).to_pair();
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
            (0..self.means.nrows()).any(overflows).then_some(ValueProblem::Unscorable)
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
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.means.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        ValueError::first(rows.find_stored(|column, value| self.problem(column, value)))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let at = [class, column];
        self.log_norms[at]
            - Self::distance(value, self.means[at], self.mean_rests[at], self.half_precisions[at])
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
        let deviation = if self.variances[at].is_finite() { libm::sqrt(self.variances[at]) } else { 0.0 };
        let normal: f64 = StandardNormal.sample(rng);
        self.means[at] + (self.mean_rests[at] + deviation * normal)
    }
}
