//! Logarithms of ratios of exact numbers: what probabilities are read from counts by.

use exact_sums::Exact;

/// The logarithm of a ratio of exact numbers.
pub trait LogRatio {
    /// `ln(self / divisor)` for two positive numbers, accurate to about one unit in the last place, also where the
    /// quotient is near one and the logarithm near zero; negative infinity where `self` is zero.
    fn ln_ratio(&self, divisor: &Self) -> f64;
}

impl LogRatio for Exact {
    fn ln_ratio(&self, divisor: &Self) -> f64 {
        if self.is_zero() {
            return f64::NEG_INFINITY;
        }
        let is_usual = |value: f64| (SMALLEST..=LARGEST).contains(&value);
        if !is_usual(self.to_f64()) || !is_usual(divisor.to_f64()) {
            return ln_unusual_ratio(self, divisor);
        }
        let (high, low) = self.divided_by(divisor);
        if high > 0.5 && high < 2.0 {
            // ln(a / b) = log1p((a - b) / b), with the difference formed exactly.
            let (excess, _) = (self - divisor).divided_by(divisor);
            libm::log1p(excess)
        } else {
            libm::log(high) + low / high
        }
    }
}

/// Sizes between which no step of a division underflows or overflows.
const SMALLEST: f64 = f64::from_bits((1023 - 400) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 400) << 52);

/// The same where one of the numbers is so small or large that their quotient may be no double, as with a pseudo-count of
/// 1e-300.
#[cold]
fn ln_unusual_ratio(numerator: &Exact, divisor: &Exact) -> f64 {
    const SHIFT: f64 = f64::from_bits((1023 + 600) << 52);
    const BACK: f64 = f64::from_bits((1023 - 600) << 52);
    let are = |test: &dyn Fn(f64) -> bool| test(numerator.to_f64()) && test(divisor.to_f64());
    if are(&|value| value < SMALLEST) {
        return numerator.times(SHIFT).ln_ratio(&divisor.times(SHIFT));
    }
    if are(&|value| value > LARGEST) {
        return numerator.times(BACK).ln_ratio(&divisor.times(BACK));
    }
    let ln = |number: &Exact| {
        let (high, low) = number.to_pair();
        libm::log(high) + low / high
    };
    ln(numerator) - ln(divisor)
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
        assert_eq!(Exact::ZERO.ln_ratio(&a), f64::NEG_INFINITY);
        assert_eq!(Exact::from(1.0).ln_ratio(&Exact::from(8.0)), -3.0 * std::f64::consts::LN_2);
    }
}
