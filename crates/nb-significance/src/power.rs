//! Power: how probable it is that a difference is found, and how many splits or data sets that takes.

use crate::{
    CorrectedT,
    scores::{Differences, ScoreError},
    special::{halve, normal_cdf, student_two_sided_quantile},
};

/// More splits and data sets than anybody has: a difference that needs more is not found.
const MOST: usize = 1 << 30;

/// The asymptotic efficiency of the signed-rank test relative to the t-test for normal differences, `3/π`.
const EFFICIENCY: f64 = 3.0 / std::f64::consts::PI;

/// Why there is no number of data sets.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PowerError {
    /// The scores are no pairs.
    #[error(transparent)]
    Scores(#[from] ScoreError),
    /// The difference is none.
    #[error("the difference to be found is {difference}; it must be finite and more than 0, such as 0.01")]
    Difference {
        /// The difference.
        difference: f64,
    },
    /// The significance level is none.
    #[error("the significance level is {alpha}; it must lie between 0 and 1, such as 0.05")]
    Alpha {
        /// The level.
        alpha: f64,
    },
    /// The power is none that can be reached, or less than that of chance.
    #[error("the power is {power}; it must lie between the significance level {alpha} and 1, such as 0.8")]
    Power {
        /// The power.
        power: f64,
        /// The significance level.
        alpha: f64,
    },
}

impl CorrectedT {
    /// The power of the test: how probable it is that it finds a true mean difference of this size, in either
    /// direction, with as many splits whose differences vary as much, at the level of the interval.
    ///
    /// With `ν = J - 1` and the quantile `c` of Student's distribution it is the probability that a
    /// non-central `t` with the parameter `difference/standard_error` is beyond `±c` (Cohen 1988,
    /// *Statistical power analysis for the behavioral sciences*, 2nd ed., section 2.5). The deviation is
    /// taken as known, although it is an estimate.
    ///
    /// A difference that is no number has the power of 0.
    ///
    /// ```
    /// use nb_significance::corrected_cross_validation_t;
    ///
    /// let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.80, 0.80, 0.79, 0.78]);
    /// let test = corrected_cross_validation_t(&first, &second, 5, 0.95)?;
    /// assert!(test.power(0.01) < 0.2 && test.power(0.1) > 0.99);
    /// assert!((test.power(0.0) - 0.05).abs() < 1e-9);
    /// # Ok::<(), nb_significance::CorrectedTError>(())
    /// ```
    pub fn power(&self, difference: f64) -> f64 {
        let alpha = 1.0 - self.level;
        if self.standard_error == 0.0 {
            return if difference == 0.0 { alpha } else { f64::from(u8::from(!difference.is_nan())) };
        }
        power(difference / self.standard_error, self.degrees_of_freedom, alpha)
    }

    /// The smallest difference that the test finds with this probability, with as many splits; infinite if
    /// the power is no number between that of chance and 1.
    ///
    /// ```
    /// # let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.80, 0.80, 0.79, 0.78]);
    /// # let test = nb_significance::corrected_cross_validation_t(&first, &second, 5, 0.95)?;
    /// let difference = test.detectable_difference(0.8);
    /// assert!((test.power(difference) - 0.8).abs() < 1e-9);
    /// # Ok::<(), nb_significance::CorrectedTError>(())
    /// ```
    pub fn detectable_difference(&self, power: f64) -> f64 {
        if !(power > 1.0 - self.level && power < 1.0) {
            return f64::INFINITY;
        }
        let unit = self.standard_error;
        if unit == 0.0 {
            return 0.0;
        }
        let mut most = unit;
        while self.power(most) < power {
            most *= 2.0;
        }
        halve(0.0, most, |difference| self.power(difference) < power)
    }

    /// How many splits find a true mean difference of this size with this probability. `None` if no number of
    /// splits does: training sets overlap, so that the standard error does not fall below
    /// `√(n_test/n_train) s`, and more rows are needed.
    ///
    /// ```
    /// # let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.80, 0.80, 0.79, 0.78]);
    /// # let test = nb_significance::corrected_cross_validation_t(&first, &second, 5, 0.95)?;
    /// assert_eq!(test.splits_needed(0.05, 0.8), Some(6));
    /// assert_eq!(test.splits_needed(0.01, 0.8), None);
    /// # Ok::<(), nb_significance::CorrectedTError>(())
    /// ```
    pub fn splits_needed(&self, difference: f64, power: f64) -> Option<usize> {
        let inflation = |n: f64| (1.0 / n + self.test_to_train).sqrt();
        let deviation = self.standard_error / inflation(self.n as f64);
        let of = |n: usize| {
            let n = n as f64;
            let test =
                Self { standard_error: deviation * inflation(n), degrees_of_freedom: n - 1.0, ..*self };
            test.power(difference)
        };
        fewest(2, |n| of(n) >= power)
    }
}

/// How many data sets show a mean difference of this size with the probability `power` by Wilcoxon's
/// signed-rank test at the significance level `alpha`, if differences vary over data sets as these do. `None`
/// if more than a thousand million.
///
/// It is the number of pairs for the paired t-test, by its non-central distribution, times `π/3`, which is
/// exact for many pairs of normal differences (Hodges and Lehmann 1956, *The efficiency of some nonparametric
/// competitors of the t-test*, Annals of Mathematical Statistics 27, 324-335). For any distribution of
/// differences it is at most 11 % more of them.
///
/// # Errors
/// If the scores do not pair up or are fewer than 2, or a number is out of range.
///
/// ```
/// use nb_significance::data_sets_needed;
///
/// let (first, second) = ([0.80, 0.71, 0.93, 0.65, 0.88, 0.79], [0.78, 0.70, 0.90, 0.61, 0.83, 0.73]);
/// assert_eq!(data_sets_needed(&first, &second, 0.01, 0.05, 0.8)?, Some(32));
/// # Ok::<(), nb_significance::PowerError>(())
/// ```
pub fn data_sets_needed(
    first: &[f64],
    second: &[f64],
    difference: f64,
    alpha: f64,
    power: f64,
) -> Result<Option<usize>, PowerError> {
    if !(difference > 0.0 && difference.is_finite()) {
        return Err(PowerError::Difference { difference });
    }
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(PowerError::Alpha { alpha });
    }
    if !(power > alpha && power < 1.0) {
        return Err(PowerError::Power { power, alpha });
    }
    let deviation = Differences::of(first, second, 2)?.moments().deviation;
    let of = |n: usize| self::power(difference * (n as f64).sqrt() / deviation, n as f64 - 1.0, alpha);
    let of_t = if deviation == 0.0 { Some(2) } else { fewest(2, |n| of(n) >= power) };
    Ok(of_t.map(|n| (n as f64 / EFFICIENCY).ceil() as usize))
}

/// The fewest from `start` on for which something holds that holds for all that are more.
fn fewest(start: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let mut most = start;
    while !holds(most) {
        most *= 2;
        if most > MOST {
            return None;
        }
    }
    let mut least = start;
    while least < most {
        let middle = least.midpoint(most);
        if holds(middle) { most = middle } else { least = middle + 1 }
    }
    Some(most)
}

/// The probability that a non-central `t` is beyond the two-sided quantile of the central one.
///
/// `P(|T| > c) = ∫ (Φ(δ - c y) + Φ(-δ - c y)) f(y) dy` with `f` the density of `y = √(χ²_ν/ν)`, by Simpson's
/// rule.
fn power(parameter: f64, degrees_of_freedom: f64, alpha: f64) -> f64 {
    const STEPS: u32 = 5000;
    /// Standard deviations of `y`, which are about `1/√(2ν)`, on each side.
    const REACH: f64 = 12.0;
    if parameter.is_nan() {
        return 0.0;
    }
    let (shift, nu) = (parameter.abs(), degrees_of_freedom);
    let quantile = student_two_sided_quantile(alpha, nu);
    let reach = REACH / (2.0 * nu).sqrt();
    let from = (1.0 - reach).max(0.0);
    let step = (1.0 + reach - from) / f64::from(STEPS);
    let half = 0.5 * nu;
    let log_constant = std::f64::consts::LN_2 + half * libm::log(half) - libm::lgamma(half);
    let (mut sum, mut weights) = (0.0, 0.0);
    for place in 0..=STEPS {
        let y = from + step * f64::from(place);
        let weight = if place == 0 || place == STEPS { 1.0 } else { f64::from(2 + 2 * (place % 2)) };
        let log_y = if nu == 1.0 { 0.0 } else { (nu - 1.0) * libm::log(y) };
        let density = weight * libm::exp(log_constant + log_y - half * y * y);
        sum += density * (normal_cdf(shift - quantile * y) + normal_cdf(-shift - quantile * y));
        weights += density;
    }
    // The density sums to 1 except for the error of the rule, which the quotient takes out.
    (sum / weights).clamp(0.0, 1.0)
}
