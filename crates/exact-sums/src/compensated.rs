//! Sums and products in two doubles: not exact, but with the rounding errors kept.

use nb_simd::error_free::{two_prod, two_sum};

/// A sum in two doubles, so that huge terms that two sums share cancel in their difference.
///
/// The second double collects the rounding errors of the first (Ogita, Rump and Oishi 2005, *Accurate sum and
/// dot product*, Sum2). Negative infinity stays.
///
/// ```
/// use exact_sums::Compensated;
///
/// let [a, b] = [0.25, 0.75].map(|small| [small, 1e20, small].into_iter().collect::<Compensated>());
/// assert_eq!(b.minus(a), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compensated {
    high: f64,
    low: f64,
}

impl Compensated {
    /// Adds a term.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// let mut sum = Compensated::default();
    /// sum.add(1e20);
    /// sum.add(1.0);
    /// sum.add(-1e20);
    /// assert_eq!(sum.value(), 1.0);
    /// ```
    #[inline(always)]
    pub fn add(&mut self, term: f64) {
        let (sum, error) = two_sum(self.high, term);
        self.high = sum;
        // If the sum is infinite, or the term as large as doubles are, the error is NaN: keep none.
        self.low += if error.is_finite() { error } else { 0.0 };
    }

    /// Adds the product of two finite factors with the error of its rounding.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// let a = 1.0 + 2.0_f64.powi(-30);
    /// let mut sum = Compensated::default();
    /// sum.add_product(a, a);
    /// assert_eq!((sum.high(), sum.low()), (1.0 + 2.0_f64.powi(-29), 2.0_f64.powi(-60)));
    /// ```
    #[inline(always)]
    pub fn add_product(&mut self, a: f64, b: f64) {
        let (product, error) = two_prod(a, b);
        self.add(product);
        // Factors too large to be split give no error term.
        self.low += if error.is_finite() { error } else { 0.0 };
    }

    /// The sum without the rounding errors.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// let sum: Compensated = [1e20, 1.0].into_iter().collect();
    /// assert_eq!(sum.high(), 1e20);
    /// ```
    #[inline(always)]
    pub fn high(self) -> f64 {
        self.high
    }

    /// The rounding errors.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// let sum: Compensated = [1e20, 1.0].into_iter().collect();
    /// assert_eq!(sum.low(), 1.0);
    /// ```
    #[inline(always)]
    pub fn low(self) -> f64 {
        self.low
    }

    /// The sum, rounded.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// let sum: Compensated = [0.1; 10].into_iter().collect();
    /// assert_eq!(sum.value(), 1.0);
    /// ```
    #[inline(always)]
    pub fn value(self) -> f64 {
        self.high + self.low
    }

    /// `self - other`, of which at least one must be finite.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// let sum: Compensated = [1e20, 1.0].into_iter().collect();
    /// assert_eq!(sum.minus(Compensated::from(1e20)), 1.0);
    /// ```
    #[inline(always)]
    pub fn minus(self, other: Self) -> f64 {
        (self.high - other.high) + (self.low - other.low)
    }

    /// Whether the sum is negative infinity: the logarithm of an impossible event.
    ///
    /// ```
    /// # use exact_sums::Compensated;
    /// assert!(Compensated::from(0.0_f64.ln()).is_impossible());
    /// assert!(!Compensated::from(-1e300).is_impossible());
    /// ```
    #[inline(always)]
    pub fn is_impossible(self) -> bool {
        self.high == f64::NEG_INFINITY
    }
}

impl From<f64> for Compensated {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

impl FromIterator<f64> for Compensated {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

/// The product of two numbers of two doubles each, as two doubles.
///
/// ```
/// let third = (1.0 / 3.0, 1.850_371_707_708_594e-17);
/// let (high, low) = exact_sums::product(third, (3.0, 0.0));
/// assert!((high - 1.0).abs() + low.abs() < 1e-31);
/// ```
#[inline(always)]
pub fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (high, error) = two_prod(a.0, b.0);
    let low = error + (a.0 * b.1 + a.1 * b.0);
    // Factors too large to be split give no error term, and an overflow has none.
    if low.is_finite() { two_sum(high, low) } else { (high, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_sums_stay_impossible() {
        let impossible: Compensated = [1.0, f64::NEG_INFINITY, 3.0].into_iter().collect();
        assert!(impossible.is_impossible() && impossible.value() == f64::NEG_INFINITY);
        assert!(!Compensated::from(-1e300).is_impossible());
    }

    #[test]
    fn the_largest_terms_leave_no_nan() {
        let sum: Compensated = [-2.993_760_464_302_079_7e292, f64::MAX].into_iter().collect();
        assert!(sum.value() > 1.7e308);
    }

    #[test]
    fn products_keep_their_error() {
        let mut sum = Compensated::default();
        sum.add_product(0.1, 0.3);
        assert_eq!((sum.high(), sum.low()), (0.1 * 0.3, f64::mul_add(0.1, 0.3, -(0.1 * 0.3))));
    }
}
