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

#[cfg(test)]
mod tests {
    use super::*;

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
