//! Tails of distributions, to full relative accuracy where the tail is small.

mod beta;

use libm::erfc;
use statrs::function::gamma::checked_gamma_ur;
use std::f64::consts::FRAC_1_SQRT_2;

pub(crate) use beta::{Proportion, half_binomial_probability, incomplete_beta};

/// `Φ(z)`, the distribution function of the standard normal distribution.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

/// `P(|Z| ≥ |z|)` for a standard normal `Z`.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() * FRAC_1_SQRT_2)
}

/// `P(X ≥ x)` for a χ² distribution.
pub(crate) fn chi_squared_tail(x: f64, degrees_of_freedom: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    // What is refused here is `x = ∞`.
    checked_gamma_ur(degrees_of_freedom / 2.0, x / 2.0).unwrap_or(0.0).clamp(0.0, 1.0)
}

/// `P(|T| ≥ |t|)` for Student's distribution: `I_x(ν/2, 1/2)` with `x = ν/(ν + t²)`.
///
/// Abramowitz and Stegun 1964, *Handbook of mathematical functions*, 26.7.1 and 26.5.27.
pub(crate) fn student_two_sided(t: f64, degrees_of_freedom: f64) -> f64 {
    let odds = t / degrees_of_freedom.sqrt();
    incomplete_beta(degrees_of_freedom / 2.0, 0.5, Proportion::of_odds(1.0 / (odds * odds)))
}

/// The `t` that Student's distribution exceeds in size with probability `tail`, which is in (0, 1).
pub(crate) fn student_two_sided_quantile(tail: f64, degrees_of_freedom: f64) -> f64 {
    largest_where(|t| student_two_sided(t, degrees_of_freedom) >= tail)
}

/// `P(F ≥ f)` for the F distribution: `I_x(ν₂/2, ν₁/2)` with `x = ν₂/(ν₂ + ν₁ f)`.
///
/// Abramowitz and Stegun 1964, 26.6.2.
pub(crate) fn f_tail(f: f64, numerator: f64, denominator: f64) -> f64 {
    incomplete_beta(denominator / 2.0, numerator / 2.0, Proportion::of_odds(denominator / (numerator * f)))
}

/// The end of the interval from 0 on which a condition holds, to the last bit, by doubling and halving.
pub(crate) fn largest_where(holds: impl Fn(f64) -> bool) -> f64 {
    let mut upper = 1.0;
    while holds(upper) && upper < f64::MAX / 2.0 {
        upper *= 2.0;
    }
    halve(0.0, upper, holds)
}

/// The place between two numbers up to which a condition holds.
pub(crate) fn halve(mut lower: f64, mut upper: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = lower + (upper - lower) / 2.0;
        if middle <= lower || middle >= upper {
            return lower;
        }
        if holds(middle) {
            lower = middle;
        } else {
            upper = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// References here are by mpmath 1.4.1 with 40 digits: `erfc`, `gammainc(..., regularized=True)` and
    /// `betainc(..., regularized=True)`.
    fn check(name: &str, value: f64, reference: f64, tolerance: f64) {
        assert!((value / reference - 1.0).abs() < tolerance, "{name}: {value:e} instead of {reference:e}");
    }

    #[test]
    fn normal_tails() {
        for (z, reference) in [
            (0.1, 0.920_344_325_445_942),
            (2.5, 0.012_419_330_651_552_27),
            (6.0, 1.973_175_290_075_396e-9),
            (20.0, 5.507_248_237_212_467e-89),
            (35.0, 2.249_821_412_944_812_5e-268),
        ] {
            check("normal", normal_two_sided(z), reference, 1e-13);
            assert_eq!(normal_two_sided(z), normal_two_sided(-z));
        }
    }

    #[test]
    fn chi_squared_tails() {
        for (x, degrees, reference) in [
            (9.28, 3.0, 0.025_790_724_198_756_782),
            (0.001, 5.0, 0.999_999_998_318_512_3),
            (200.0, 4.0, 3.757_276_735_781_044e-42),
            (30.0, 40.0, 0.875_218_784_967_475_2),
            (1.0, 1.0, 0.317_310_507_862_914_1),
            (100.0, 1.0, 1.523_970_604_832_105e-23),
        ] {
            check("chi squared", chi_squared_tail(x, degrees), reference, 1e-12);
        }
        assert_eq!(chi_squared_tail(0.0, 3.0), 1.0);
        assert_eq!(chi_squared_tail(f64::INFINITY, 3.0), 0.0);
    }

    #[test]
    fn student_tails() {
        for (t, degrees, reference) in [
            (2.0, 9.0, 0.076_552_823_770_701_04),
            (0.001, 1.0, 0.999_363_380_439_838_9),
            (12.0, 4.0, 0.000_276_428_548_502_972_95),
            (5.0, 99.0, 2.481_396_013_040_947_8e-6),
            (3.0, 99_999.0, 0.002_700_460_890_713_429),
            (1e8, 2.0, 9.999_999_999_999_999e-17),
            (40.0, 30.0, 1.372_604_519_440_640_3e-27),
        ] {
            let tail = student_two_sided(t, degrees);
            check("t", tail, reference, 1e-12);
            check("quantile of t", student_two_sided_quantile(tail, degrees), t, 1e-11);
        }
        assert_eq!(student_two_sided(0.0, 3.0), 1.0);
        assert_eq!(student_two_sided(f64::INFINITY, 3.0), 0.0);
        assert_eq!(student_two_sided(1e300, 3.0), 0.0);
    }

    #[test]
    fn f_tails() {
        for (f, numerator, denominator, reference) in [
            (3.69, 3.0, 39.0, 0.019_744_099_689_488_885),
            (0.01, 4.0, 36.0, 0.999_791_989_272_092_2),
            (100.0, 2.0, 10.0, 2.448_519_270_213_934e-7),
            (1.01, 20.0, 2000.0, 0.446_166_704_283_610_3),
            (60.0, 9.0, 4000.0, 1.850_425_900_792_205e-103),
        ] {
            check("F", f_tail(f, numerator, denominator), reference, 1e-11);
        }
        assert_eq!(f_tail(0.0, 3.0, 4.0), 1.0);
        assert_eq!(f_tail(f64::INFINITY, 3.0, 4.0), 0.0);
    }

    #[test]
    fn beta_distributions_of_few_and_of_many() {
        check("beta", incomplete_beta(3.0, 8.0, Proportion::HALF), 0.945_312_5, 1e-14);
        check("beta", incomplete_beta(500.0, 501.0, Proportion::HALF), 0.512_612_509_089_180_4, 1e-12);
        // At most 499 000 heads in a million throws, as a sum of 40-digit terms.
        let at_most = incomplete_beta(501_000.0, 499_001.0, Proportion::HALF);
        check("binomial", at_most, 0.022_804_149_932_691_04, 1e-11);
    }

    #[test]
    fn probabilities_of_few_throws_and_of_many() {
        check("seven of 25", half_binomial_probability(7.0, 25.0), 0.014_325_976_371_765_137, 1e-14);
        let million = half_binomial_probability(499_000.0, 1e6);
        check("of a million", million, 0.000_107_981_978_018_915_16, 1e-12);
        let milliard = half_binomial_probability(5e8 - 1e5, 1e9);
        check("of a milliard", milliard, 5.200_563_146_957_047e-14, 1e-12);
        assert_eq!(half_binomial_probability(0.0, 1.0), 0.5);
    }
}
