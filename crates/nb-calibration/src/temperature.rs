//! Temperature scaling: one number for all classes.

use nb_core::exact::ExactSums;
use ndarray::ArrayView2;

use crate::{CalibrationError, CalibrationMap, Calibrator, rows::CheckedRows, softmax::normalise};

/// Temperature scaling: all scores are divided by the temperature that gives the smallest log-loss.
///
/// # Model
/// `p(c | row) ∝ exp(β z_c)` with log-posteriors `z` and the inverse temperature `β = 1/T`; `β < 1` makes a
/// model that is too sure more modest. The answers stay the same, and so does their order within a row.
///
/// # Estimator
/// `β` minimises the log-loss of rows held out, `L(β) = Σ_i w_i ln Σ_c exp(β d_ic)` with `d_ic = z_ic - z_iy`
/// for the true class `y`. It is convex: `L' = Σ w E[d]` and `L'' = Σ w Var[d]`, the mean and variance of `d`
/// under the posteriors at `β`. Newton's method inside a bracket finds the zero of `L'` to the precision to
/// which it can be computed.
///
/// # References
/// Guo, Pleiss, Sun and Weinberger (2017), *On calibration of modern neural networks*, ICML, 1321-1330, 4.2.
/// The safeguards are those of `rtsafe` in Press, Teukolsky, Vetterling and Flannery (2007), *Numerical
/// Recipes*, 9.4.
///
/// # Example
///
/// ```
/// use nb_calibration::{CalibrationMap, Calibrator, Temperature};
/// use ndarray::array;
///
/// // Scores that are right in two of three rows, and nearly sure of each.
/// let mut scores = array![[-0.01_f64, -4.6], [-0.01, -4.6], [-0.01, -4.6]];
/// let map = Temperature.fit(scores.view(), &[0, 0, 1], None)?;
/// map.apply(scores.view_mut())?;
/// assert!((scores[[0, 0]].exp() - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Temperature;

/// A temperature for scores of this many classes. A class that is impossible stays impossible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedTemperature {
    inverse_temperature: f64,
    n_classes: usize,
}

impl FittedTemperature {
    /// The temperature `T`: above 1 where the scores were too sure.
    ///
    /// ```
    /// # use nb_calibration::{Calibrator, Temperature};
    /// # use ndarray::array;
    /// // Log-odds of 4, and 2 of 3 rows are of the class: ln 2 would have been right.
    /// let scores = array![[0.0, -4.0], [0.0, -4.0], [0.0, -4.0]];
    /// let map = Temperature.fit(scores.view(), &[0, 0, 1], None)?;
    /// assert!((map.temperature() - 4.0 / 2.0_f64.ln()).abs() < 1e-12);
    /// # Ok::<(), nb_calibration::CalibrationError>(())
    /// ```
    pub fn temperature(&self) -> f64 {
        1.0 / self.inverse_temperature
    }

    /// The inverse temperature `β = 1/T`, by which scores are multiplied.
    ///
    /// ```
    /// # use nb_calibration::{Calibrator, Temperature};
    /// # use ndarray::array;
    /// // Log-odds of 4, and 2 of 3 rows are of the class: ln 2 would have been right.
    /// let scores = array![[0.0, -4.0], [0.0, -4.0], [0.0, -4.0]];
    /// let map = Temperature.fit(scores.view(), &[0, 0, 1], None)?;
    /// assert!((map.inverse_temperature() - 2.0_f64.ln() / 4.0).abs() < 1e-12);
    /// # Ok::<(), nb_calibration::CalibrationError>(())
    /// ```
    pub fn inverse_temperature(&self) -> f64 {
        self.inverse_temperature
    }
}

impl CalibrationMap for FittedTemperature {
    fn n_classes(&self) -> usize {
        self.n_classes
    }

    fn apply_row(&self, log_posteriors: &mut [f64]) {
        // The best is taken away first, so that the product of huge scores cannot overflow to more than one
        // infinity.
        let top = log_posteriors.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if top > f64::NEG_INFINITY {
            for score in log_posteriors.iter_mut() {
                *score = (*score - top) * self.inverse_temperature;
            }
            normalise(log_posteriors);
        }
    }
}

impl Calibrator for Temperature {
    type Fitted = FittedTemperature;

    /// Fits the temperature.
    ///
    /// # Errors
    /// [`CalibrationError`], among them three for rows that have no best temperature: one is
    /// [impossible](CalibrationError::Impossible) in its true class, all are
    /// [answered right](CalibrationError::Separated), or the scores are
    /// [no better than nothing](CalibrationError::Uninformative).
    fn fit(
        &self,
        log_posteriors: ArrayView2<'_, f64>,
        truth: &[usize],
        weights: Option<&[f64]>,
    ) -> Result<FittedTemperature, CalibrationError> {
        let rows = CheckedRows::new(&log_posteriors, truth, weights)?;
        let scale = rows.scale();
        let loss = LogLoss::new(&rows, scale)?;
        let inverse_temperature = loss.minimum()? * scale;
        if !inverse_temperature.is_normal() || !inverse_temperature.recip().is_normal() {
            return Err(CalibrationError::Range { inverse_temperature });
        }
        Ok(FittedTemperature { inverse_temperature, n_classes: rows.n_classes() })
    }
}

/// The log-loss as a function of the inverse temperature.
struct LogLoss {
    /// `d`, row after row, with the true class itself; negative infinity for impossible classes.
    differences: Vec<f64>,
    weights: Vec<f64>,
    n_classes: usize,
}

impl LogLoss {
    fn new(rows: &CheckedRows<'_>, scale: f64) -> Result<Self, CalibrationError> {
        let (mut differences, mut weights) = (Vec::new(), Vec::new());
        for row in rows.iter() {
            let of_truth = row.scores[row.truth];
            if of_truth == f64::NEG_INFINITY {
                return Err(CalibrationError::Impossible { row: row.number, class: row.truth });
            }
            differences.extend(row.scores.iter().map(|score| score * scale - of_truth * scale));
            weights.push(row.weight);
        }
        Ok(Self { differences, weights, n_classes: rows.n_classes() })
    }

    /// The first and second derivative. Sums over rows are exact, so that the order of the rows does not
    /// matter.
    fn derivatives(&self, beta: f64) -> (f64, f64) {
        let mut sums = ExactSums::new(2);
        let mut odds = vec![0.0; self.n_classes];
        for (differences, &weight) in self.differences.chunks_exact(self.n_classes).zip(&self.weights) {
            let top = differences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (mut total, mut sum) = (0.0, 0.0);
            // Impossible classes have no part in the posteriors at any temperature, 0 among them.
            let possible = || differences.iter().copied().enumerate().filter(|(_, d)| d.is_finite());
            for (class, d) in possible() {
                odds[class] = libm::exp((d - top) * beta);
                total += odds[class];
                sum += odds[class] * d;
            }
            let mean = sum / total;
            let squares: f64 = possible().map(|(class, d)| odds[class] * (d - mean) * (d - mean)).sum();
            sums.add_product(0, weight, mean);
            sums.add_product(1, weight, squares / total);
        }
        (sums.get(0).to_f64(), sums.get(1).to_f64())
    }

    /// Where the first derivative is zero.
    fn minimum(&self) -> Result<f64, CalibrationError> {
        if self.derivatives(0.0).0 >= 0.0 {
            return Err(CalibrationError::Uninformative);
        }
        if !self.differences.iter().any(|&d| d > 0.0) {
            return Err(CalibrationError::Separated);
        }
        let (mut low, mut high) = self.bracket()?;
        let mut beta = low;
        let (mut last, mut before_last) = (high - low, high - low);
        loop {
            let (slope, curvature) = self.derivatives(beta);
            if slope == 0.0 {
                return Ok(beta);
            }
            if slope < 0.0 {
                low = beta;
            } else {
                high = beta;
            }
            let newton = beta - slope / curvature;
            // A step of a few units in the last place is the last, if the derivative changes its sign nearby.
            let nearby = 8.0 * f64::EPSILON * beta;
            if (newton - beta).abs() <= nearby {
                let beyond = if slope < 0.0 { beta + nearby } else { beta - nearby };
                if (self.derivatives(beyond).0 < 0.0) != (slope < 0.0) {
                    return Ok(newton);
                }
            }
            // A step that is outside, or not half of the last but one, gives way to bisection.
            let is_good = newton > low && newton < high && (newton - beta).abs() <= 0.5 * before_last;
            let next = if is_good { newton } else { low + 0.5 * (high - low) };
            (before_last, last) = (last, (next - beta).abs());
            if last <= f64::EPSILON * beta {
                return Ok(next);
            }
            beta = next;
        }
    }

    /// A number before the minimum and its double, which is not.
    fn bracket(&self) -> Result<(f64, f64), CalibrationError> {
        let is_before = |beta: f64| self.derivatives(beta).0 < 0.0;
        let mut low = 1.0;
        while !is_before(low) {
            low *= 0.5;
            if low == 0.0 {
                return Err(CalibrationError::Range { inverse_temperature: low });
            }
        }
        let mut high = low * 2.0;
        while is_before(high) {
            (low, high) = (high, high * 2.0);
            if high == f64::INFINITY {
                return Err(CalibrationError::Range { inverse_temperature: high });
            }
        }
        Ok((low, high))
    }
}
