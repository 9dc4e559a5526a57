//! The bandwidth of Sheather and Jones, *A reliable data-based bandwidth selection method for kernel density
//! estimation* (J. R. Stat. Soc. B 53, 1991), section 5: the solution of its own equation.

use super::{
    cross_validation::{LEAST_SHARE, OVERSMOOTHED},
    pairs::Pairs,
};

/// The interquartile range of the standard normal distribution.
const NORMAL_RANGE: f64 = 1.349;

/// How often the range in which a solution is looked for is widened, as in R's `bw.SJ`.
const WIDENINGS: u32 = 99;

/// How often the range of a solution is halved.
const HALVINGS: u32 = 60;

/// The solution `h` of `h = (R(K) / (n S(α h^(5/7))))^(1/5)`, in steps; `None` if there is none, or the
/// values are too few to estimate what it needs. Deviation and interquartile range (if it is known) are in
/// steps.
pub(super) fn bandwidth(pairs: &Pairs, deviation: f64, range: Option<f64>) -> Option<f64> {
    let n = pairs.total();
    let scale = range.map_or(deviation, |range| deviation.min(range / NORMAL_RANGE));
    let sixth = -sixth(pairs, 1.23 * scale * libm::pow(n, -1.0 / 9.0));
    let fourth_at_start = fourth(pairs, 1.24 * scale * libm::pow(n, -1.0 / 7.0));
    let alpha = 1.357 * libm::pow(fourth_at_start / sixth, 1.0 / 7.0);
    if !(sixth > 0.0 && sixth.is_finite() && alpha.is_finite()) {
        return None;
    }
    let roughness_of_kernel = 1.0 / (2.0 * libm::sqrt(std::f64::consts::PI));
    // A negative estimate has no root; it is the sign of far too small a bandwidth.
    let excess = |h: f64| {
        let roughness = fourth(pairs, alpha * libm::pow(h, 5.0 / 7.0));
        let next = libm::pow(roughness_of_kernel / (n * roughness), 0.2);
        if next.is_nan() { f64::INFINITY } else { next - h }
    };
    let mut high = OVERSMOOTHED * scale * libm::pow(n, -0.2);
    let mut low = LEAST_SHARE * high;
    let mut widenings = 0;
    while (excess(low) > 0.0) == (excess(high) > 0.0) {
        if widenings == WIDENINGS {
            return None;
        }
        if widenings % 2 == 0 {
            high *= 1.2;
        } else {
            low /= 1.2;
        }
        widenings += 1;
    }
    let sign = excess(low) > 0.0;
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        if (excess(middle) > 0.0) == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low + (high - low) / 2.0)
}

/// `S(g)`, the estimate of `∫ p''²` with bandwidth `g`: the mean of the fourth derivative of the normal
/// density over all pairs, each value with itself included.
fn fourth(pairs: &Pairs, bandwidth: f64) -> f64 {
    let sum = pairs.sum(bandwidth, |d| libm::exp(-d / 2.0) * ((d - 6.0) * d + 3.0));
    mean_derivative(pairs, 3.0, sum, libm::pow(bandwidth, 5.0))
}

/// `-T(g)`, the estimate of `-∫ p'''²` with bandwidth `g`: the same of the sixth derivative.
fn sixth(pairs: &Pairs, bandwidth: f64) -> f64 {
    let sum = pairs.sum(bandwidth, |d| libm::exp(-d / 2.0) * (((d - 15.0) * d + 45.0) * d - 15.0));
    mean_derivative(pairs, -15.0, sum, libm::pow(bandwidth, 7.0))
}

/// The mean over all pairs in both orders, with `at_zero` for each value with itself.
fn mean_derivative(pairs: &Pairs, at_zero: f64, sum: f64, power: f64) -> f64 {
    let n = pairs.total();
    (2.0 * sum + n * at_zero) / (n * (n - 1.0) * power * libm::sqrt(std::f64::consts::TAU))
}
