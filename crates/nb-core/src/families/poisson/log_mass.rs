//! The logarithm of a Poisson probability, without the cancellation of `x log λ - λ - log x!`.

use exact_sums::domain::MAX_ABS_VALUE;

use crate::{
    families::saddle_point::{deviance, log_factorial_rest},
    kernels::linear::times_log,
};

/// Below this rate all terms are negative, and ratios with it may overflow.
pub(super) const LEAST_RATE: f64 = 1e-150;

/// `log p(count)` for a rate of two doubles, where neither is beyond `2^400`: `-D - δ` with the deviance
/// `D = x log(x / λ) + λ - x` and `δ = log x! - (x log x - x)`. Zero for a missing cell.
pub(crate) fn log_mass(count: f64, (rate, rate_rest): (f64, f64), log_rate: f64) -> f64 {
    if count.is_nan() {
        return 0.0;
    }
    if count == 0.0 {
        return -rate;
    }
    if rate < LEAST_RATE {
        return times_log(count, log_rate) - rate - libm::lgamma(count + 1.0);
    }
    -deviance(count, rate, (count - rate) - rate_rest) - log_factorial_rest(count)
}

/// [`log_mass`] for an `x` or a `λ` beyond `2^400`: by Stirling's formula, and so that large terms do not
/// overflow one by one.
pub(crate) fn huge_log_mass(value: f64, rate: (f64, f64), log_rate: f64) -> f64 {
    if value.is_nan() || value.max(rate.0) <= MAX_ABS_VALUE {
        return log_mass(value, rate, log_rate);
    }
    let (rate, _) = rate;
    if value <= 1.0 {
        return times_log(value, log_rate) - rate;
    }
    let log = libm::log(value);
    let stirling = 0.5 * (std::f64::consts::TAU.ln() + log) + (1.0 / 12.0) / value;
    value * (log_rate - log + 1.0 - rate / value) - stirling
}
