//! Learning the `λ` of a power transform by maximum likelihood.

use std::collections::BTreeMap;

use nb_core::{
    Missing, Rows,
    error::{ValueError, ValueProblem},
};

use super::{Transform, Units, curve::power_of_log, units::Curve};
use crate::walk::each_row;

/// How often a step away from `λ = 1` is doubled, at most: up to 2^40.
const DOUBLINGS: u32 = 40;

/// How far apart the ends of the last golden section are.
const FINE: f64 = 1e-8;

/// What is next to a `λ` of 1. With eight digits a standard deviation is known to `1e-8`, so that the place
/// where digits end is blurred by about that much.
const BESIDE: f64 = 1e-5;

/// The logarithm of the least ratio of a standard deviation to the largest value that leaves eight digits of
/// it.
const EIGHT_DIGITS: f64 = -18.0;

/// A transform with a `λ` to be learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerTransform {
    /// [`Transform::BoxCox`], for columns of positive values.
    BoxCox,
    /// [`Transform::YeoJohnson`], for any columns.
    YeoJohnson,
}

/// Why the `λ` of columns cannot be learnt.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LambdaError {
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// A cell cannot be transformed.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl PowerTransform {
    fn with(self, lambda: f64) -> Transform {
        match self {
            Self::BoxCox => Transform::BoxCox { lambda },
            Self::YeoJohnson => Transform::YeoJohnson { lambda },
        }
    }
}

/// The transform of each column, and the units of its values.
pub(super) fn learn<L: Ord>(
    rows: &(impl Rows + ?Sized),
    labels: &[L],
    transform: PowerTransform,
    missing: Missing,
) -> Result<Vec<(Transform, Units)>, LambdaError> {
    // `λ = 1` changes nothing that matters: what it cannot take no transform of the family can.
    let columns = values_of(rows, labels, |_, value| transform.with(1.0).problem(value, missing))?;
    let learnt = columns.iter().map(|classes| {
        let all: Vec<f64> = classes.iter().flatten().copied().collect();
        let units = match transform {
            PowerTransform::BoxCox => Units::geometric(&all),
            PowerTransform::YeoJohnson => Units::standard(&all),
        };
        (transform.with(Column::new(transform, units, missing, classes).best()), units)
    });
    Ok(learnt.collect())
}

/// For each column whether doubles end next to its `λ`, so that the search could go no further.
pub(super) fn are_at_limit<L: Ord>(
    rows: &(impl Rows + ?Sized),
    labels: &[L],
    curves: &[Curve],
    missing: Missing,
) -> Result<Vec<bool>, LambdaError> {
    let columns = values_of(rows, labels, |column, value| {
        curves.get(column).and_then(|curve| curve.problem(value, missing))
    })?;
    let of_column = |(&Curve { transform, units }, classes): (&Curve, &Vec<Vec<f64>>)| {
        let (transform, lambda) = match transform {
            Transform::BoxCox { lambda } => (PowerTransform::BoxCox, lambda),
            Transform::YeoJohnson { lambda } => (PowerTransform::YeoJohnson, lambda),
            Transform::Identity | Transform::Log => return false,
        };
        Column::new(transform, units, missing, classes).is_limit(lambda)
    };
    Ok(curves.iter().zip(&columns).map(of_column).collect())
}

/// The values that are known, by column and class.
fn values_of<L: Ord>(
    rows: &(impl Rows + ?Sized),
    labels: &[L],
    problem: impl Fn(usize, f64) -> Option<ValueProblem>,
) -> Result<Vec<Vec<Vec<f64>>>, LambdaError> {
    if rows.n_rows() != labels.len() {
        return Err(LambdaError::Labels { rows: rows.n_rows(), labels: labels.len() });
    }
    let mut columns: Vec<BTreeMap<&L, Vec<f64>>> = vec![BTreeMap::new(); rows.n_columns()];
    each_row(rows, |row, cells| {
        for (column, (&value, classes)) in cells.iter().zip(&mut columns).enumerate() {
            if let Some(reason) = problem(column, value) {
                return Err(ValueError { row, column, value, reason });
            }
            if !value.is_nan() {
                classes.entry(&labels[row]).or_default().push(value);
            }
        }
        Ok(())
    })?;
    Ok(columns.into_iter().map(|classes| classes.into_values().collect()).collect())
}

/// The smallest and the largest value.
fn ends<'a>(values: impl Iterator<Item = &'a f64> + Clone) -> [f64; 2] {
    let least = values.clone().copied().fold(f64::INFINITY, f64::min);
    [least, values.copied().fold(f64::NEG_INFINITY, f64::max)]
}

/// How far from a `λ` the last golden section may end: no nearer than doubles of its size are to each other.
fn fine(lambda: f64) -> f64 {
    FINE.max(4.0 * f64::EPSILON * lambda.abs())
}

/// A column whose `λ` is sought.
struct Column {
    transform: PowerTransform,
    units: Units,
    missing: Missing,
    /// Its classes that have different values.
    samples: Vec<Sample>,
    /// The smallest and the largest value, which are transformed to the largest numbers.
    ends: [f64; 2],
}

impl Column {
    fn new(transform: PowerTransform, units: Units, missing: Missing, classes: &[Vec<f64>]) -> Self {
        let scaled = |values: &Vec<f64>| -> Vec<f64> {
            values.iter().map(|value| (value - units.center) / units.scale).collect()
        };
        let samples = classes.iter().filter_map(|values| Sample::new(transform, &scaled(values))).collect();
        Self { transform, units, missing, samples, ends: ends(classes.iter().flatten()) }
    }

    /// The logarithm of the profile likelihood; negative infinity where doubles do not hold the transformed
    /// values.
    fn likelihood(&self, lambda: f64) -> f64 {
        let curve = Curve { transform: self.transform.with(lambda), units: self.units };
        if self.ends.iter().any(|&end| curve.problem(end, self.missing).is_some()) {
            return f64::NEG_INFINITY;
        }
        let total: Option<f64> =
            self.samples.iter().map(|sample| sample.profile_log_likelihood(lambda)).sum();
        // A variance that has underflowed to zero is no fit.
        total.filter(|total| total.is_finite()).unwrap_or(f64::NEG_INFINITY)
    }

    /// Whether there is a likelihood at a `λ`, and next to it there is none.
    fn is_limit(&self, lambda: f64) -> bool {
        let next = BESIDE * lambda.abs().max(1.0);
        let has_none = |lambda| self.likelihood(lambda) == f64::NEG_INFINITY;
        !self.samples.is_empty() && !has_none(lambda) && (has_none(lambda - next) || has_none(lambda + next))
    }

    /// The `λ` with the largest likelihood: steps away from 1 that double until it falls, then golden
    /// sections.
    fn best(&self) -> f64 {
        if self.samples.is_empty() {
            return 1.0;
        }
        let mut start = (self.likelihood(1.0), 1.0);
        let (mut low, mut high) = (0.0, 2.0);
        for direction in [-1.0, 1.0] {
            let (mut before, mut step) = (1.0, 1.0);
            for _ in 0..DOUBLINGS {
                let next = 1.0 + direction * step;
                let here = self.likelihood(next);
                if here <= start.0 {
                    break;
                }
                // The peak is between what was left behind and what comes next.
                let beyond = next + direction * step;
                (low, high) = if direction < 0.0 { (beyond, before) } else { (before, beyond) };
                (before, start) = (next, (here, next));
                step *= 2.0;
            }
        }
        self.between(low, high, start)
    }

    /// The same between two `λ` around one whose likelihood is known.
    fn between(&self, mut low: f64, mut high: f64, start: (f64, f64)) -> f64 {
        let golden = (libm::sqrt(5.0) - 1.0) / 2.0;
        let inner = |low: f64, high: f64| (high - golden * (high - low), low + golden * (high - low));
        let (mut left, mut right) = inner(low, high);
        let (mut at_left, mut at_right) = (self.likelihood(left), self.likelihood(right));
        let mut best = start;
        while high - low > fine(low).max(fine(high)) {
            for point in [(at_left, left), (at_right, right)] {
                best = if point.0 > best.0 { point } else { best };
            }
            // Where neither has a likelihood, it is on the side of that which has.
            let is_left =
                if at_left.max(at_right) == f64::NEG_INFINITY { best.1 < right } else { at_left >= at_right };
            if is_left {
                high = right;
                (right, at_right) = (left, at_left);
                left = inner(low, high).0;
                at_left = self.likelihood(left);
            } else {
                low = left;
                (left, at_left) = (right, at_right);
                right = inner(low, high).1;
                at_right = self.likelihood(right);
            }
        }
        let found = low + (high - low) / 2.0;
        match self.likelihood(found) {
            // The peak is cut off, and this is just beyond.
            f64::NEG_INFINITY => best.1,
            // Whole numbers are among the first values; golden sections only come near.
            here if here > start.0 => found,
            _ => start.1,
        }
    }
}

/// The values of one class in one column, in the form in which powers of them are computed without loss.
#[derive(Debug)]
struct Sample {
    transform: PowerTransform,
    /// Box-Cox: `ln(x / x₀)` with a value `x₀` of the class, which scales all powers alike, but keeps their
    /// differences where all values are huge and near each other. Yeo-Johnson: `ln(1 + |x|)` with the sign
    /// of `x`.
    logs: Vec<f64>,
    /// `ln x₀`; zero for Yeo-Johnson.
    log_scale: f64,
    /// The factor of `λ - 1` in `Σ ln T'(x)`.
    slope: f64,
    /// The smallest and the largest value.
    ends: [f64; 2],
    /// The least sufficient [`resolution`](Self::resolution).
    coarsest: f64,
}

impl Sample {
    /// `None` if all values are equal, so that the variance is zero for every `λ`.
    fn new(transform: PowerTransform, values: &[f64]) -> Option<Self> {
        let first = *values.first()?;
        if values.iter().all(|&value| value == first) {
            return None;
        }
        let (logs, log_scale): (Vec<f64>, f64) = match transform {
            PowerTransform::BoxCox => {
                (values.iter().map(|&value| log_ratio(value, first)).collect(), libm::log(first))
            }
            PowerTransform::YeoJohnson => {
                (values.iter().map(|&value| libm::copysign(libm::log1p(value.abs()), value)).collect(), 0.0)
            }
        };
        let slope = logs.iter().sum::<f64>() + values.len() as f64 * log_scale;
        let ends = ends(values.iter());
        let mut sample = Self { transform, logs, log_scale, slope, ends, coarsest: EIGHT_DIGITS };
        // Values near each other at a large offset have fewer digits to begin with; two more may go.
        let at_one = sample.resolution(1.0, sample.log_variance(1.0));
        sample.coarsest = EIGHT_DIGITS.min(at_one - 4.0);
        Some(sample)
    }

    /// `-n/2 ln v(λ) + Σ ln T_λ'(x)`; `None` if the transformed values, as doubles, keep too little of the
    /// differences between them. (Large negative powers of large numbers are all nearly zero, and Box-Cox
    /// subtracts one from them.)
    fn profile_log_likelihood(&self, lambda: f64) -> Option<f64> {
        let log_variance = self.log_variance(lambda);
        let is_kept = self.resolution(lambda, log_variance) >= self.coarsest;
        is_kept.then(|| -0.5 * self.logs.len() as f64 * log_variance + (lambda - 1.0) * self.slope)
    }

    /// The logarithm of the standard deviation, relative to the largest size.
    fn resolution(&self, lambda: f64, log_variance: f64) -> f64 {
        let sizes = self.ends.map(|end| self.transform.with(lambda).apply(end).abs());
        0.5 * log_variance - libm::log(sizes[0].max(sizes[1]))
    }

    /// `ln v(λ)`.
    fn log_variance(&self, lambda: f64) -> f64 {
        let transformed: Vec<f64> = match self.transform {
            PowerTransform::BoxCox => self.logs.iter().map(|&log| power_of_log(log, lambda)).collect(),
            PowerTransform::YeoJohnson => {
                let power = |&log: &f64| match log {
                    ..0.0 => -power_of_log(-log, 2.0 - lambda),
                    _ => power_of_log(log, lambda),
                };
                self.logs.iter().map(power).collect()
            }
        };
        // T(x) = x₀^λ T(x / x₀) and a constant.
        log_variance(&transformed) + 2.0 * lambda * self.log_scale
    }
}

/// `ln(a / b)` of positive numbers, also where the quotient is near one and its logarithm near zero.
fn log_ratio(a: f64, b: f64) -> f64 {
    if a > b / 2.0 && a < b * 2.0 { libm::log1p((a - b) / b) } else { libm::log(a) - libm::log(b) }
}

/// The logarithm of the maximum-likelihood variance, also where squares leave the range of doubles.
fn log_variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().map(|value| value / n).sum::<f64>();
    let largest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    let scaled = values.iter().map(|value| (value - mean) / largest);
    let (sum, squares) = scaled.fold((0.0, 0.0), |(sum, squares), d| (sum + d, squares + d * d));
    // The mean was rounded; what is left of it is taken out (Chan, Golub and LeVeque 1983, equation 1.7).
    libm::log((squares - sum * sum / n) / n) + 2.0 * libm::log(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variances_have_no_limits() {
        assert!((log_variance(&[1.0, 3.0]) - 0.0).abs() < 1e-15);
        assert!((log_variance(&[1e200, 3e200]) - 400.0 * std::f64::consts::LN_10).abs() < 1e-12);
        assert!((log_variance(&[1e9 + 1.0, 1e9 + 3.0, 1e9 + 5.0]) - libm::log(8.0 / 3.0)).abs() < 1e-15);
    }

    #[test]
    fn the_scale_does_not_matter_to_box_cox() {
        let values = [0.5, 1.2, 3.0, 4.4, 20.0];
        let scaled = values.map(|value| value * 1e9);
        let at = |values: &[f64], lambda| {
            Sample::new(PowerTransform::BoxCox, values)?.profile_log_likelihood(lambda)
        };
        let (near, far) = (at(&values, 0.7).expect("spread"), at(&scaled, 0.7).expect("spread"));
        // A density in other units differs by the logarithm of the unit for every value.
        assert!((near - far - 5.0 * libm::log(1e9)).abs() < 1e-10, "{near}, {far}");
    }
}
