//! The fitted shared-variance Gaussian family: parameters and densities.

use nb_core::{
    Density, FeatureModel, Gaussian, Likelihood, Missing,
    error::{ParameterError, ValueError, ValueProblem},
    exact::{Dyadic, domain::MAX_ABS_VALUE},
    family::{
        Block, ClassSums, Estimates, Moments, Scores, SumForm, SumLayout, WideMoments, has_wide, in_units,
    },
    fitted::FittedGaussian,
};
use ndarray::{Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use exact_sums::{Compensated, product};
use nb_simd::error_free::{two_prod, two_sum};

/// A fitted Gaussian family with one variance per column.
///
/// ```
/// use nb_core::{Missing, NaiveBayes};
/// use nb_linear::SharedGaussian;
/// use ndarray::array;
///
/// let x = array![[1.0], [5.0], [7.0], [11.0]];
/// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &['a', 'a', 'b', 'b'])?;
/// let fitted = classifier.likelihood();
/// assert_eq!(fitted.means(), array![[3.0], [9.0]]);
/// assert_eq!(fitted.variances(), [4.0]); // every value is 2 from the mean of its class
/// assert_eq!(fitted.standard_deviations(), [2.0]);
/// assert_eq!(fitted.missing(), Missing::Error);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedSharedGaussian {
    /// Says which values can be observed, and what to do with missing cells.
    gaussian: Gaussian,
    /// `n_classes × n_columns`, in units.
    means: Array2<f64>,
    /// What rounding took from the means, so that scores at huge offsets keep their digits.
    mean_rests: Array2<f64>,
    /// Positive, in units; infinite where the column carries no information.
    variances: Vec<f64>,
    /// `1 / (2v)` in two doubles, in units; zero where the column carries no information.
    half_inv_variances: Vec<(f64, f64)>,
    /// `-½ log(2πv)` without units; zero where the column carries no information.
    log_norms: Vec<f64>,
    /// The sum of `log_norms`.
    log_norm: Compensated,
    /// Up to this size in units the values of a column can surely be scored.
    limits: Vec<f64>,
    /// The units of the columns, if some are not one.
    units: Option<Box<Units>>,
    /// The same densities with a variance for each class, for estimates; not with units, or columns that
    /// carry no information.
    estimator: Option<Box<FittedGaussian>>,
}

/// The units of columns, and parameters without them.
#[derive(Clone, Debug, PartialEq)]
struct Units {
    /// The `k` of each column: its cells are multiplied by `2^k`.
    exponents: Vec<i64>,
    means: Array2<f64>,
    mean_rests: Array2<f64>,
    variances: Vec<f64>,
}

impl FittedSharedGaussian {
    /// A fitted family from parameters that come from elsewhere: means, `n_classes × n_columns`, and one
    /// variance per column.
    ///
    /// ```
    /// # use nb_core::{Likelihood, Missing};
    /// # use nb_linear::FittedSharedGaussian;
    /// # use ndarray::array;
    /// let fitted = FittedSharedGaussian::new(&array![[3.0], [9.0]].view(), &[4.0], Missing::Error)?;
    /// // (5 - 9)²/8 - (5 - 3)²/8
    /// assert_eq!(fitted.log_likelihood(0, 0, 5.0) - fitted.log_likelihood(1, 0, 5.0), 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if there is not one variance per column, a mean is not finite or too large, or a
    /// variance is not positive or not one that can be divided by.
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
        self.units.as_ref().map_or_else(|| self.means.view(), |units| units.means.view())
    }

    /// What rounding to a double took from each mean: the exact mean is `means + mean_rests` to about 106
    /// bits.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_linear::SharedGaussian;
    /// # use ndarray::array;
    /// let x = array![[1e16], [1e16 + 2.0], [5.0], [7.0]]; // the mean of the first two is no double
    /// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &['a', 'a', 'b', 'b'])?;
    /// let fitted = classifier.likelihood();
    /// assert_eq!((fitted.means()[[0, 0]], fitted.mean_rests()[[0, 0]]), (1e16, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_rests(&self) -> ArrayView2<'_, f64> {
        self.units.as_ref().map_or_else(|| self.mean_rests.view(), |units| units.mean_rests.view())
    }

    /// The variances after smoothing, one per column; infinite where the column was constant over all
    /// training rows and is left out of the scores.
    ///
    /// A variance beyond the range of doubles, as that of values of 1e-310 or 1e300 is, is 0 or infinite
    /// here; [`standard_deviations`](Self::standard_deviations) have all their digits, and so have
    /// scores.
    pub fn variances(&self) -> &[f64] {
        self.units.as_ref().map_or(&self.variances, |units| &units.variances)
    }

    /// The square roots of the variances, one per column; infinite where the column carries no information.
    pub fn standard_deviations(&self) -> Vec<f64> {
        let deviations = self.variances.iter().enumerate();
        deviations
            .map(|(column, &variance)| in_units(libm::sqrt(variance), -self.unit_exponent(column)))
            .collect()
    }

    /// The `k` of a column that is scored in units of `2^-k`; zero for one that is scored as it is.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_linear::SharedGaussian;
    /// # use ndarray::array;
    /// let family = NaiveBayes::new(SharedGaussian::default());
    /// let fit = |x: ndarray::Array2<f64>| family.fit(&x, &['a', 'a', 'b', 'b']);
    /// assert_eq!(fit(array![[1.0], [5.0], [7.0], [11.0]])?.likelihood().unit_exponent(0), 0);
    /// let tiny = fit(array![[1e-310], [5e-310], [7e-310], [11e-310]])?;
    /// assert!(tiny.likelihood().unit_exponent(0) > 900); // cells are multiplied by 2^k first
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unit_exponent(&self, column: usize) -> i64 {
        self.units.as_ref().map_or(0, |units| units.exponents[column])
    }

    /// Means, what rounding took from them, and variances in the units of
    /// [`unit_exponent`](Self::unit_exponent).
    pub(crate) fn parameters_in_units(&self) -> (ArrayView2<'_, f64>, ArrayView2<'_, f64>, &[f64]) {
        (self.means.view(), self.mean_rests.view(), &self.variances)
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
            units: None,
            estimator: None,
        }
    }

    /// The same family with these units, in which its parameters are, and its parameters without units: the
    /// means, class after class, and the variances.
    pub(super) fn with_units(
        mut self,
        exponents: Vec<i64>,
        means: &Array2<(f64, f64)>,
        variances: Vec<f64>,
    ) -> Self {
        for ((log_norm, &variance), &exponent) in
            self.log_norms.iter_mut().zip(&self.variances).zip(&exponents)
        {
            let shift = exponent as f64 * std::f64::consts::LN_2;
            *log_norm += if variance.is_finite() { shift } else { 0.0 };
        }
        let (means, mean_rests) = (means.mapv(|mean| mean.0), means.mapv(|mean| mean.1));
        self.units = Some(Box::new(Units { exponents, means, mean_rests, variances }));
        self.finish()
    }

    /// Sets the parameters of a column: the means as two doubles each, and the variance unless the column
    /// carries no information.
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
        self.estimator = if self.units.is_none() { self.estimator() } else { None };
        self
    }

    fn estimator(&self) -> Option<Box<FittedGaussian>> {
        if !self.variances.iter().all(|variance| variance.is_finite()) {
            return None;
        }
        let variances = Array2::from_shape_fn(self.means.dim(), |(_, column)| self.variances[column]);
        let fitted = FittedGaussian::new(&self.means.view(), &variances.view(), self.missing()).ok()?;
        fitted.with_mean_rests(&self.mean_rests.view()).ok().map(Box::new)
    }

    /// `(x - μ)² / 2v` in two doubles. Classes share `v`, and of two huge distances the difference is what
    /// matters.
    #[inline(always)]
    fn distance(&self, class: usize, column: usize, value: f64) -> (f64, f64) {
        let value = self.units.as_ref().map_or(value, |units| in_units(value, units.exponents[column]));
        let distance = self.distance_in_units(class, column, value, 1.0);
        if distance.0.is_finite() { distance } else { self.far_distance(class, column, value) }
    }

    /// The same for a value in units, and times the square of a factor, which is a power of two.
    #[inline(always)]
    fn distance_in_units(&self, class: usize, column: usize, value: f64, factor: f64) -> (f64, f64) {
        let at = [class, column];
        let (high, low) = two_sum(value * factor, -self.means[at] * factor);
        let difference = two_sum(high, low - self.mean_rests[at] * factor);
        product(product(difference, difference), self.half_inv_variances[column])
    }

    /// The same where the square of the difference overflows, though the distance may not.
    #[cold]
    fn far_distance(&self, class: usize, column: usize, value: f64) -> (f64, f64) {
        /// `2^511`, whose square is still a double.
        const LARGE: f64 = f64::from_bits((1023 + 511) << 52);
        if self.half_inv_variances[column].0 == 0.0 {
            return (0.0, 0.0);
        }
        let (high, low) = self.distance_in_units(class, column, value, 1.0 / LARGE);
        let high = high * LARGE * LARGE;
        (high, if high.is_finite() { low * LARGE * LARGE } else { 0.0 })
    }

    fn problem(&self, column: usize, value: f64) -> Option<ValueProblem> {
        if self.units.is_none() && value.abs() <= self.limits[column] {
            return None; // the common case, in one comparison that NaN fails
        }
        if value.is_nan() {
            return (self.missing() == Missing::Error).then_some(ValueProblem::Missing);
        }
        if value.is_infinite() {
            return Some(ValueProblem::Infinite);
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

    /// Those of the family with a variance for each class, whose bound allows for twice what rounding takes
    /// from a plain sum: that the last bits of `1 / (2v)` are missing there is less than the other half.
    /// Values that it surely scores have a size at which they are scored here.
    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.estimator.as_ref().is_some_and(|estimator| estimator.estimate(rows, estimates))
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
        let is_wide = has_wide(std::slice::from_ref(sums));
        let mut total = Compensated::default();
        for column in (0..n_columns).filter(|&column| self.variances[column].is_finite()) {
            let center = (self.means[[class, column]], self.mean_rests[[class, column]]);
            let unit = self.unit_exponent(column);
            if unit != 0 || is_wide {
                let center = &Dyadic::from(center.0) + &Dyadic::from(center.1);
                let moments = WideMoments::of_class(sums, column);
                let squares = moments.squares_about(&center.times_power_of_two(-unit));
                let half_inv_variance = self.half_inv_variances[column];
                let half_inv_variance =
                    &Dyadic::from(half_inv_variance.0) + &Dyadic::from(half_inv_variance.1);
                total.add(moments.weight.to_f64() * self.log_norms[column]);
                total.add(-(&squares.times_power_of_two(2 * unit) * &half_inv_variance).to_f64());
                continue;
            }
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
        in_units(self.means[at] + (self.mean_rests[at] + deviation * normal), -self.unit_exponent(column))
    }
}
