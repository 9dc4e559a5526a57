//! Logarithms of ratios of exact numbers: what probabilities are read from counts by.

use exact_sums::{Dyadic, Exact, quotient};

/// The logarithm of a ratio of exact numbers.
pub trait LogRatio {
    /// `ln(self / divisor)` for two positive numbers, accurate to about one unit in the last place, also
    /// where the quotient is near one and the logarithm near zero; negative infinity where `self` is
    /// zero.
    fn ln_ratio(&self, divisor: &Self) -> f64;
}

/// No remainder of a division underflows then.
const USUAL: std::ops::RangeInclusive<f64> = 1e-200..=1e200;

impl LogRatio for Exact {
    fn ln_ratio(&self, divisor: &Self) -> f64 {
        let of_doubles = match (self.components(), divisor.components()) {
            (&[numerator], &[divisor]) => ln_ratio(numerator, divisor),
            _ => None,
        };
        of_doubles.unwrap_or_else(|| ln_ratio_at_length(self, divisor))
    }
}

/// [`LogRatio::ln_ratio`] by numbers of any length.
pub(crate) fn ln_ratio_at_length(numerator: &Exact, divisor: &Exact) -> f64 {
    if numerator.is_zero() {
        return f64::NEG_INFINITY;
    }
    if ![numerator, divisor].into_iter().all(|number| USUAL.contains(&number.to_f64())) {
        return Dyadic::from(numerator).ln_ratio(&Dyadic::from(divisor));
    }
    let (high, low) = numerator.divided_by(divisor);
    if high > 0.5 && high < 2.0 {
        // ln(a / b) = log1p((a - b) / b), with the difference formed exactly.
        let (excess, _) = (numerator - divisor).divided_by(divisor);
        libm::log1p(excess)
    } else {
        libm::log(high) + low / high
    }
}

/// `ln(numerator / divisor)`, with the bits of exact arithmetic and no memory; `None` for sizes that the
/// steps were not meant for.
pub(crate) fn ln_ratio(numerator: f64, divisor: f64) -> Option<f64> {
    // No remainder below underflows and no product overflows: the smallest is about 2^-200 * 2^-106.
    const SMALLEST: f64 = f64::from_bits((1023 - 200) << 52);
    const LARGEST: f64 = f64::from_bits((1023 + 200) << 52);
    let is_usual = |value: f64| (SMALLEST..=LARGEST).contains(&value);
    if !is_usual(divisor) {
        return None;
    }
    if numerator == 0.0 {
        return Some(f64::NEG_INFINITY);
    }
    if !is_usual(numerator) {
        return None;
    }
    let (high, low) = quotient(numerator, divisor);
    Some(if high > 0.5 && high < 2.0 {
        // The difference is exact (Sterbenz).
        libm::log1p(quotient(numerator - divisor, divisor).0)
    } else {
        libm::log(high) + low / high
    })
}

impl LogRatio for Dyadic {
    fn ln_ratio(&self, divisor: &Self) -> f64 {
        let ratio = self.divided_by(divisor);
        let Some(exponent) = ratio.exponent() else { return f64::NEG_INFINITY };
        let rounded = ratio.to_f64();
        if rounded > 0.5 && rounded < 2.0 {
            return libm::log1p((self - divisor).divided_by(divisor).to_f64());
        }
        if exponent.abs() < 900 {
            let (high, low) = ratio.to_pair();
            return libm::log(high) + low / high;
        }
        let (high, low) = ratio.times_power_of_two(-exponent).to_pair();
        exponent as f64 * std::f64::consts::LN_2 + (libm::log(high) + low / high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_that_are_no_double_have_logarithms() {
        let least = Exact::from(5e-324);
        let ln_least = -744.440_071_921_381_2;
        let check = |found: f64, expected: f64| {
            assert!(
                (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(),
                "{found} is not {expected}"
            );
        };
        check(least.ln_ratio(&Exact::from(1.0)), ln_least);
        check(least.ln_ratio(&(&Exact::from(1e300) + &least)), ln_least - libm::log(1e300));
        check(least.ln_ratio(&least.times(3.0)), -libm::log(3.0));
        check(Exact::from(1e-300).ln_ratio(&Exact::from(1e300)), -2.0 * libm::log(1e300));
        check(Exact::from(1e300).ln_ratio(&Exact::from(8e300)), -3.0 * std::f64::consts::LN_2);
        check(Exact::from(1e300).ln_ratio(&least), libm::log(1e300) - ln_least);
    }

    #[test]
    fn logarithms_near_one_keep_their_digits() {
        let a = Exact::from(1e6);
        let b = &a + &Exact::from(1e-3);
        // ln(1 / (1 + 1e-9)) = -1e-9 + 5e-19 - 1e-27/3
        assert_eq!(a.ln_ratio(&b), -9.999_999_995_000_001e-10);
        assert_eq!(Dyadic::from(&a).ln_ratio(&Dyadic::from(&b)), -9.999_999_995_000_001e-10);
        assert_eq!(Dyadic::ZERO.ln_ratio(&Dyadic::from(1.0)), f64::NEG_INFINITY);
        let huge = &Dyadic::from(1e300) * &Dyadic::from(1e300);
        assert_eq!(huge.ln_ratio(&Dyadic::from(1.0)), 1_381.551_055_796_427_4);
        assert_eq!(Exact::ZERO.ln_ratio(&a), f64::NEG_INFINITY);
        assert_eq!(Exact::from(1.0).ln_ratio(&Exact::from(8.0)), -3.0 * std::f64::consts::LN_2);
    }
}
