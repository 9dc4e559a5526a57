//! The logarithm of a negative binomial probability, without the cancellation that differences of `log Γ`
//! have.
//!
//! Loader, *Fast and accurate computation of binomial probabilities* (2000): in Stirling's formula for the
//! three gamma functions the large terms are taken together as two deviances, each small where the count is
//! near its mean, so that `r = 1/α` may be large or small, and the Poisson distribution is the limit without
//! a jump.

use crate::families::saddle_point::{HALF_LN_TAU, deviance, stirling_error};

/// `log p(count)` for a mean, of two doubles, and a dispersion above zero.
pub(crate) fn log_mass(count: f64, (mean, mean_rest): (f64, f64), dispersion: f64) -> f64 {
    let size = 1.0 / dispersion;
    if count == 0.0 {
        return -size * libm::log1p(mean / size);
    }
    // What size and count would be in proportion to `r` and `μ`, given their sum, and how far they are from
    // it.
    let scale = (size + count) / (size + mean);
    let difference = ((count - mean) - mean_rest) * (size / (size + mean));
    let deviances = deviance(size, size * scale, -difference) + deviance(count, mean * scale, difference);
    let corrections = stirling_error(size + count) - stirling_error(size) - stirling_error(count);
    corrections - deviances - HALF_LN_TAU - 0.5 * (libm::log(count) + libm::log1p(count / size))
}

/// [`log_mass`] for a count or a mean so large that sums and products overflow: deviances are those of
/// numbers that are smaller by a factor, times the factor.
pub(crate) fn huge_log_mass(count: f64, mean: f64, dispersion: f64) -> f64 {
    /// `2^520`.
    const FACTOR: f64 = f64::from_bits((1023 + 520) << 52);
    let size = 1.0 / dispersion;
    // log(1 + a / b)
    let log1p_ratio = |a: f64, b: f64| {
        let ratio = a / b;
        if ratio.is_finite() { libm::log1p(ratio) } else { libm::log(a) - libm::log(b) }
    };
    if count == 0.0 {
        return -size * log1p_ratio(mean, size);
    }
    let [small_size, small_count, small_mean] = [size, count, mean].map(|number| number / FACTOR);
    let scale = (small_size + small_count) / (small_size + small_mean);
    let difference = (small_count - small_mean) * (small_size / (small_size + small_mean));
    let deviances = deviance(small_size, small_size * scale, -difference)
        + deviance(small_count, small_mean * scale, difference);
    let corrections = stirling_error(size + count) - stirling_error(size) - stirling_error(count);
    corrections - deviances * FACTOR - HALF_LN_TAU - 0.5 * (libm::log(count) + log1p_ratio(count, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_counts_are_as_others() {
        for (count, mean, dispersion) in
            [(0.0, 1e12, 0.5), (1e15, 2e15, 0.5), (3e9, 3.1e9, 1e-3), (1.0, 1e14, 2.0)]
        {
            let (got, expected) =
                (huge_log_mass(count, mean, dispersion), log_mass(count, (mean, 0.0), dispersion));
            assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{count}: {got} {expected}");
        }
        // With a size far below the count it is nearly the density of a gamma distribution: here of an
        // exponential one.
        let got = huge_log_mass(3e300, 1e300, 1.0);
        assert!((got - (-3.0 - 300.0 * std::f64::consts::LN_10)).abs() < 1e-9, "{got}");
        assert!(huge_log_mass(f64::MAX, 1e300, 1e-3) < -1e10);
    }

    /// By mpmath 1.3 with 60 digits:
    ///
    /// ```text
    /// python3 -c 'from mpmath import *; mp.dps = 60
    /// for x, m, a in [(0, 2.5, 0.5), (1, 2.5, 0.5), (7, 2.5, 0.5), (3, 3, 1e-12), (40, 3, 1e-6), (3, 1e-3, 1e3),
    ///                 (1, 1e-8, 5), (1000, 1e3, 2), (999983, 1e6, 0.01), (12345, 1e2, 1e-3), (2, 1e9, 100),
    ///                 (14, 15, 0.07), (16, 15, 1/16)]:
    ///     x, m, r = mpf(x), mpf(m), 1 / mpf(a)
    ///     print((x, m, a), nstr(loggamma(x + r) - loggamma(r) - loggamma(x + 1) + r * log(r / (r + m)) + x * log(m / (r + m)), 20))'
    /// ```
    const CASES: [(f64, f64, f64, f64); 13] = [
        (0.0, 2.5, 0.5, -1.621_860_432_432_657_5),
        (1.0, 2.5, 0.5, -1.516_499_916_774_831_2),
        (7.0, 2.5, 0.5, -3.656_925_545_067_654_8),
        (3.0, 3.0, 1e-12, -1.495_922_603_225_226),
        (40.0, 3.0, 1e-6, -69.375_483_678_131_8),
        (3.0, 0.001, 1000.0, -10.085_002_881_135_908),
        (1.0, 1e-8, 5.0, -18.420_680_803_952_365),
        (1000.0, 1000.0, 2.0, -8.326_943_791_353_475),
        (999_983.0, 1e6, 0.01, -12.432_730_341_393_182),
        (12_345.0, 100.0, 0.001, -26_151.550_437_675_8),
        (2.0, 1e9, 100.0, -5.541_651_395_944_314),
        (14.0, 15.0, 0.07, -2.605_682_279_425_117_5),
        (16.0, 15.0, 0.0625, -2.676_275_706_659_072_6),
    ];

    #[test]
    fn masses_are_those_of_long_arithmetic() {
        for (count, mean, dispersion, expected) in CASES {
            let found = log_mass(count, (mean, 0.0), dispersion);
            // The logarithms of which it is the difference are rounded.
            let size = f64::max(expected.abs(), 16.0);
            assert!(
                (found - expected).abs() < 1e-15 * size,
                "{count} of {mean}, {dispersion}: {found} {expected}"
            );
        }
    }

    #[test]
    fn masses_add_up_to_one() {
        for (mean, dispersion) in [(3.0, 0.2), (0.1, 5.0), (20.0, 1e-9)] {
            let total: f64 =
                (0..4000).map(|count| log_mass(f64::from(count), (mean, 0.0), dispersion).exp()).sum();
            assert!((total - 1.0).abs() < 1e-12, "{mean}, {dispersion}: {total}");
        }
    }
}
