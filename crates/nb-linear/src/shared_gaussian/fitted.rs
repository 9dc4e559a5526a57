//! The fitted shared-variance Gaussian family: parameters and densities.

use nb_core::{
    Density, FeatureModel, FittedGaussian, Gaussian, Likelihood, Missing,
    error::{ParameterError, ValueError, ValueProblem},
    exact::domain::MAX_ABS_VALUE,
    family::{Block, ClassSums, Moments, Scores, SumForm, SumLayout},
};
use ndarray::{Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use exact_sums::{Compensated, product};
use nb_simd::error_free::{two_prod, two_sum};

/// A fitted Gaussian family with one variance per column.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedSharedGaussian {
    /// Says which values can be observed, and what to do with missing cells.
    gaussian: Gaussian,
    /// `n_classes × n_columns`.
    means: Array2<f64>,
    /// What rounding took from the means, so that scores at huge offsets keep their digits.
    mean_rests: Array2<f64>,
    /// Positive; infinite where the column carries no information.
    variances: Vec<f64>,
    /// `1 / (2v)` in two doubles; zero where the column carries no information.
    half_inv_variances: Vec<(f64, f64)>,
    /// `-½ log(2πv)`; zero where the column carries no information.
    log_norms: Vec<f64>,
    /// The sum of `log_norms`.
    log_norm: Compensated,
    /// Up to this size the values of a column can surely be scored.
    limits: Vec<f64>,
}

impl FittedSharedGaussian {
    /// A fitted family from parameters that come from elsewhere: means, `n_classes × n_columns`, and one variance per
    /// column.
    ///
    /// # Errors
    /// [`ParameterError`] if there is not one variance per column, a mean is not finite or too large, or a variance is
    /// not positive or not one that can be divided by.
    pub fn new(
        means: &ArrayView2<'_, f64>,
        variances: &[f64],
        missing: Missing,
    ) -> Result<Self, ParameterError> {
        let (expected, found) = ((1, means.ncols()), (1, variances.len()));
        if expected != found {
            return Err(ParameterError::Shape { name: "the table of variances", expected, found });
        }
        // The same ranges as for a variance per class.
        let repeated = Array2::from_shape_fn(means.dim(), |(_, column)| variances[column]);
        FittedGaussian::new(means, &repeated.view(), missing)?;
        let gaussian = Gaussian { missing, ..Gaussian::default() };
        let mut fitted = Self::empty(gaussian, means.nrows(), means.ncols());
        for (column, (means, &variance)) in means.columns().into_iter().zip(variances).enumerate() {
            fitted.set(column, means.iter().map(|&mean| (mean, 0.0)), Some(variance));
        }
        Ok(fitted.finish())
    }

    /// The means, `n_classes × n_columns`.
    pub fn means(&self) -> ArrayView2<'_, f64> {
        self.means.view()
    }

    /// What rounding to a double took from each mean: the exact mean is `means + mean_rests` to about 106 bits.
    pub fn mean_rests(&self) -> ArrayView2<'_, f64> {
        self.mean_rests.view()
    }

    /// The variances after smoothing, one per column; infinite where the column was constant over all training rows
    /// and is left out of the scores.
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }

    /// What the family does with missing cells.
    pub fn missing(&self) -> Missing {
        self.gaussian.missing
    }

    /// Parameters to be [`set`](Self::set) for each column and [`finish`](Self::finish)ed.
    pub(super) fn empty(gaussian: Gaussian, n_classes: usize, n_columns: usize) -> Self {
        Self {
            gaussian,
            means: Array2::zeros((n_classes, n_columns)),
            mean_rests: Array2::zeros((n_classes, n_columns)),
            variances: vec![f64::INFINITY; n_columns],
            half_inv_variances: vec![(0.0, 0.0); n_columns],
            log_norms: vec![0.0; n_columns],
            log_norm: Compensated::default(),
            limits: vec![0.0; n_columns],
        }
    }

    /// Sets the parameters of a column: the means as two doubles each, and the variance unless the column carries no
    /// information.
    pub(super) fn set(
        &mut self,
        column: usize,
        means: impl Iterator<Item = (f64, f64)>,
        variance: Option<f64>,
    ) {
        let mut farthest = 0.0_f64;
        for (class, mean) in means.enumerate() {
            (self.means[[class, column]], self.mean_rests[[class, column]]) = mean;
            farthest = farthest.max(mean.0.abs());
        }
        let Some(variance) = variance else { return };
        let half_inv_variance = 0.5 / variance;
        let (back, error) = two_prod(half_inv_variance, variance);
        let rest = ((0.5 - back) - error) / variance;
        self.variances[column] = variance;
        self.half_inv_variances[column] = (half_inv_variance, if rest.is_finite() { rest } else { 0.0 });
        self.log_norms[column] = -0.5 * ln_tau_times(variance);
        // (x - μ)² / 2v stays below the largest double while |x - μ| is below this.
        self.limits[column] = (libm::sqrt(variance) * 1e150 - farthest).min(MAX_ABS_VALUE);
    }

    /// Derives what scoring needs of all columns together.
    pub(super) fn finish(mut self) -> Self {
        self.log_norm = self.log_norms.iter().copied().collect();
        self
    }

    /// `(x - μ)² / 2v` in two doubles. Classes share `v`, and of two huge distances the difference is what matters.
    #[inline(always)]
    fn distance(&self, class: usize, column: usize, value: f64) -> (f64, f64) {
        let at = [class, column];
        let (high, low) = two_sum(value, -self.means[at]);
        let difference = two_sum(high, low - self.mean_rests[at]);
        product(product(difference, difference), self.half_inv_variances[column])
    }

    fn problem(&self, column: usize, value: f64) -> Option<ValueProblem> {
        let size = value.abs();
        if size <= self.limits[column] {
            return None; // the common case, in one comparison that NaN fails
        }
        if value.is_nan() {
            return (self.missing() == Missing::Error).then_some(ValueProblem::Missing);
        }
        if size > MAX_ABS_VALUE {
            return Some(if size.is_infinite() { ValueProblem::Infinite } else { ValueProblem::TooLarge });
        }
        let overflows = |class| !self.distance(class, column, value).0.is_finite();
        (0..self.means.nrows()).any(overflows).then_some(ValueProblem::Unscorable)
    }
}

/// `ln(2πv)`, also where the product is near one and the logarithm near zero.
fn ln_tau_times(variance: f64) -> f64 {
    const TAU_REST: f64 = 2.449_293_598_294_706_4e-16; // 2π minus its double
    let (product, error) = two_prod(variance, std::f64::consts::TAU);
    libm::log(product) + (variance * TAU_REST + error) / product
}

impl Likelihood for FittedSharedGaussian {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.means.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        ValueError::first(rows.find_stored(|column, value| self.problem(column, value)))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() { 0.0 } else { self.log_norms[column] - self.distance(class, column, value).0 }
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let n_classes = scores.n_classes();
        rows.for_each_row(|row, cells| {
            let mut norm = self.log_norm;
            for (&value, &log_norm) in cells.iter().zip(&self.log_norms) {
                if value.is_nan() {
                    norm.add(-log_norm);
                }
            }
            for class in 0..n_classes {
                scores.add(row, class, norm.high());
                scores.add(row, class, norm.low());
                for (column, &value) in cells.iter().enumerate() {
                    if !value.is_nan() {
                        let (high, low) = self.distance(class, column, value);
                        scores.add(row, class, -high);
                        scores.add(row, class, -low);
                    }
                }
            }
        });
        Ok(())
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedSharedGaussian {
    fn sum_layout(&self) -> Option<SumLayout> {
        self.gaussian.layout(self.means.ncols()).ok()
    }

    /// `Σ_j -½ n_cj log(2π v_j) - Σ w (x_j - μ_cj)² / (2 v_j)`, with exact squared distances.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let n_columns = self.means.ncols();
        if sums.n_parts() != 3 || (0..3).any(|part| sums.part(part).len() != n_columns) {
            return None;
        }
        let mut total = Compensated::default();
        for column in (0..n_columns).filter(|&column| self.variances[column].is_finite()) {
            let center = (self.means[[class, column]], self.mean_rests[[class, column]]);
            let (weight, squares) = Moments::squares_about(sums, column, center);
            let (high, low) = product(squares.to_pair(), self.half_inv_variances[column]);
            total.add(weight.to_f64() * self.log_norms[column]);
            total.add(-high);
            total.add(-low);
        }
        Some(total.value())
    }
}

impl Density for FittedSharedGaussian {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let (at, variance) = ([class, column], self.variances[column]);
        // A column without information is constant over all training rows.
        let deviation = if variance.is_finite() { libm::sqrt(variance) } else { 0.0 };
        let normal: f64 = StandardNormal.sample(rng);
        self.means[at] + (self.mean_rests[at] + deviation * normal)
    }
}
