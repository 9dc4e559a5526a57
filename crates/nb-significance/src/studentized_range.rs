//! The studentised range with infinite degrees of freedom: how far the largest of `k` normal values lies
//! above the smallest.

use crate::special::{largest_where, normal_cdf};
use std::f64::consts::PI;

/// The step of the trapezoidal rule. The integrand is analytic and falls off doubly exponentially on one side
/// and like a normal density on the other, so that the error falls exponentially with the inverse of the
/// step; it is below the rounding errors for up to `10^12` values.
const STEP: f64 = 1.0 / 32.0;

/// Why there is no such distribution, or no such quantile.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudentizedRangeError {
    /// A range needs two values.
    #[error("the range of {n_values} values is no question; give at least 2")]
    TooFew {
        /// The number of values.
        n_values: usize,
    },
    /// The tail is no probability that has a quantile.
    #[error("the tail probability is {tail}; it must lie between 0 and 1, both excluded")]
    Tail {
        /// The tail.
        tail: f64,
    },
}

/// The distribution of the range `R`, largest less smallest, of `k` independent standard normal values: the
/// studentised range with infinite degrees of freedom, by which Nemenyi's test judges differences of average
/// ranks.
///
/// `P(R ≤ q) = k ∫ φ(z) [Φ(z) - Φ(z - q)]^(k-1) dz`, where `z` is the largest value (Tukey 1953, *The problem
/// of multiple comparisons*; Hochberg and Tamhane 1987, *Multiple comparison procedures*, appendix 3). As
/// `k ∫ φ(z) Φ(z)^(k-1) dz = 1`, the tail is
///
/// `P(R > q) = k ∫ φ(z) Φ(z)^(k-1) {1 - [1 - Φ(z - q)/Φ(z)]^(k-1)} dz`,
///
/// a sum of positive terms, which keeps its digits however small it is. It is integrated by the trapezoidal
/// rule.
///
/// ```
/// use nb_significance::StudentizedRange;
///
/// // The value that tables print as 3.633 for four values and 5 %.
/// let range = StudentizedRange::new(4)?;
/// let q = range.quantile(0.05)?;
/// assert!((q - 3.633_160).abs() < 1e-6);
/// assert!((range.tail(q) - 0.05).abs() < 1e-12);
/// # Ok::<(), nb_significance::StudentizedRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudentizedRange {
    n_values: usize,
}

impl StudentizedRange {
    /// The range of `n_values` values.
    ///
    /// # Errors
    /// If there are fewer than two values.
    pub fn new(n_values: usize) -> Result<Self, StudentizedRangeError> {
        if n_values < 2 {
            return Err(StudentizedRangeError::TooFew { n_values });
        }
        Ok(Self { n_values })
    }

    /// `P(R > q)`, with a relative error of about `1e-13`; 1 for a `q` that is not positive.
    pub fn tail(self, q: f64) -> f64 {
        // A `q` that is no number is not positive either.
        if q.is_nan() || q <= 0.0 {
            return 1.0;
        }
        // The tail has underflowed.
        if q > 78.0 {
            return 0.0;
        }
        let k = self.n_values as f64;
        // Outside, the integrand is less than 1e-17 of the integral: below, as the largest of two values or
        // more is hardly ever less than -9; above, as `k φ(z)` is that small, or as `φ(z) Φ(z - q)`
        // has fallen from its largest value near `q/2` like the square of a normal density.
        let lower = -9.0;
        let upper = q / 2.0 + (2.0 * (40.0 + k.ln())).sqrt();
        let n_steps = ((upper - lower) / STEP).ceil();
        let sum: f64 = (0..=n_steps as usize).map(|i| self.tail_density(lower + STEP * i as f64, q)).sum();
        (sum * STEP).min(1.0)
    }

    /// `P(R ≤ q)`: one less the tail.
    pub fn cdf(self, q: f64) -> f64 {
        1.0 - self.tail(q)
    }

    /// The `q` with `P(R > q) = tail`.
    ///
    /// # Errors
    /// If the tail is not between 0 and 1.
    pub fn quantile(self, tail: f64) -> Result<f64, StudentizedRangeError> {
        if !(tail > 0.0 && tail < 1.0) {
            return Err(StudentizedRangeError::Tail { tail });
        }
        Ok(largest_where(|q| self.tail(q) >= tail))
    }

    /// The density of the largest value at `z`, times the probability that the smallest is less than `z - q`
    /// then.
    fn tail_density(self, z: f64, q: f64) -> f64 {
        let below = normal_cdf(z);
        let others = self.n_values as f64 - 1.0;
        let none_far_below = others * (-normal_cdf(z - q) / below).ln_1p();
        let density = (others + 1.0) * (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
        density * (others * below.ln()).exp() * -none_far_below.exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_have_twelve_digits() -> Result<(), StudentizedRangeError> {
        // The first integral of the documentation, one less it, by mpmath 1.4.1 `quad` with 35 to 250 digits.
        for (k, q, reference) in [
            (2, 0.01, 0.994_358_151_179_968_4),
            (2, 1.0, 0.479_500_122_186_953_5),
            (2, 2.772, 0.049_984_103_551_055_77),
            (2, 40.0, 5.395_865_611_607_901e-176),
            (3, 0.25, 0.982_919_660_968_390_2),
            (3, 3.314_493, 0.050_000_013_903_938_07),
            (5, 3.857_656, 0.049_999_952_457_900_08),
            (10, 4.474_124, 0.050_000_023_632_541_11),
            (10, 1.0, 0.999_480_130_544_535_9),
            (10, 12.0, 9.683_825_946_252_486e-16),
            (20, 25.0, 1.184_069_128_576_183e-67),
            (50, 5.5, 0.071_622_556_325_182_75),
            (100, 6.0, 0.062_516_555_461_499_04),
            (1000, 6.5, 0.449_246_855_850_292_55),
            (1000, 9.0, 8.938_676_615_213_837e-5),
            (10_000, 8.0, 0.225_630_693_259_453_16),
        ] {
            let tail = StudentizedRange::new(k)?.tail(q);
            assert!((tail / reference - 1.0).abs() < 1e-12, "{k}, {q}: {tail:e}, {reference:e}");
        }
        Ok(())
    }

    #[test]
    fn of_two_values_it_is_a_normal_difference() -> Result<(), StudentizedRangeError> {
        for q in [0.1, 1.0, 3.0, 20.0] {
            let tail = StudentizedRange::new(2)?.tail(q);
            let reference = crate::special::normal_two_sided(q / 2.0_f64.sqrt());
            assert!((tail / reference - 1.0).abs() < 1e-13, "{q}: {tail:e}, {reference:e}");
        }
        Ok(())
    }

    #[test]
    fn odd_questions_have_answers() -> Result<(), StudentizedRangeError> {
        for k in [2, 7, 1_000_000, usize::MAX] {
            let range = StudentizedRange::new(k)?;
            assert!((range.tail(1e-300) - 1.0).abs() < 1e-13);
            assert_eq!(range.tail(0.0), 1.0);
            assert_eq!(range.tail(-3.0), 1.0);
            assert_eq!(range.tail(f64::NAN), 1.0);
            assert_eq!(range.tail(f64::INFINITY), 0.0);
            assert!((0.0..=1.0).contains(&range.cdf(3.0)));
            for tail in [1e-300, 1e-17, 0.5, 1.0 - 1e-9] {
                let q = range.quantile(tail)?;
                assert!((range.tail(q) / tail - 1.0).abs() < 1e-11, "{k}, {tail}: {q}");
            }
        }
        assert_eq!(StudentizedRange::new(1), Err(StudentizedRangeError::TooFew { n_values: 1 }));
        for tail in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert!(StudentizedRange::new(2)?.quantile(tail).is_err());
        }
        Ok(())
    }
}
