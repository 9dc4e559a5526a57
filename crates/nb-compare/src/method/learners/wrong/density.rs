//! Normal densities, out of log space.

use std::f64::consts::LN_2;

const INVERSE_ROOT_OF_TAU: f64 = 0.398_942_280_401_432_7;

/// The formula of the textbooks.
pub(super) fn density([value, mean, deviation]: [f64; 3]) -> f64 {
    let distance = (value - mean) / deviation;
    INVERSE_ROOT_OF_TAU * libm::exp(-0.5 * distance * distance) / deviation
}

/// R's `dnorm`: beyond five standard deviations the exponent is split to keep digits, and where the result
/// would be below the smallest subnormal double it is zero.
pub(super) fn r_dnorm([value, mean, deviation]: [f64; 3]) -> f64 {
    /// R's `DBL_MIN_EXP + 1 - DBL_MANT_DIG` with the constants of C, which count from a half: -1021 + 1 - 53.
    const SMALLEST_EXPONENT: f64 = -1073.0;
    if deviation == 0.0 {
        return if value == mean { f64::INFINITY } else { 0.0 };
    }
    let distance = ((value - mean) / deviation).abs();
    if distance < 5.0 {
        return density([distance, 0.0, 1.0]) / deviation;
    }
    if distance > (-2.0 * LN_2 * SMALLEST_EXPONENT).sqrt() {
        return 0.0;
    }
    let coarse = (distance * 65536.0).round_ties_even() / 65536.0;
    let rest = distance - coarse;
    let halves = libm::exp(-0.5 * coarse * coarse) * libm::exp((-0.5 * rest - coarse) * rest);
    INVERSE_ROOT_OF_TAU / deviation * halves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dnorm_is_a_density_until_it_underflows() {
        // scipy 1.17.1: norm.pdf(0), norm.pdf(6), norm.pdf(38), of which the last is subnormal and has few
        // digits.
        assert!((r_dnorm([0.0, 0.0, 1.0]) - 0.398_942_280_401_432_7).abs() < 1e-16);
        assert!((r_dnorm([9.0, 3.0, 1.0]) / 6.075_882_849_823_286e-9 - 1.0).abs() < 1e-14);
        assert!((r_dnorm([38.0, 0.0, 1.0]) / 1.097_221_052e-314 - 1.0).abs() < 1e-8);
        // R's bound is 38.56804.
        assert!(r_dnorm([38.56, 0.0, 1.0]) > 0.0);
        assert_eq!(r_dnorm([38.575, 0.0, 1.0]), 0.0);
        assert_eq!((r_dnorm([2.0, 2.0, 0.0]), r_dnorm([3.0, 2.0, 0.0])), (f64::INFINITY, 0.0));
        assert!((density([9.0, 3.0, 2.0]) - r_dnorm([9.0, 3.0, 2.0])).abs() < 1e-18);
    }
}
