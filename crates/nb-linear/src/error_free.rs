//! Error-free transformations, and sums that keep what rounding takes.

/// `a + b` as its rounded value and the exact error (Knuth, *The Art of Computer Programming* vol. 2, 4.2.2).
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_rounded = sum - a;
    (sum, (a - (sum - b_rounded)) + (b - b_rounded))
}

/// The two halves of `a`, of 26 bits each, whose products are exact (Veltkamp; Dekker 1971).
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = FACTOR * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// `a * b` as its rounded value and the exact error (Dekker 1971, *Numerische Mathematik* 18, 224-242), for factors
/// below `2^996` in size whose product neither overflows nor falls below `1e-290`.
#[inline(always)]
pub(crate) fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

/// The product of two numbers of two doubles each, as two doubles.
#[inline(always)]
pub(crate) fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (high, error) = two_prod(a.0, b.0);
    let low = error + (a.0 * b.1 + a.1 * b.0);
    // Factors too large to be split give no error term, and an overflow has none.
    if low.is_finite() { two_sum(high, low) } else { (high, 0.0) }
}

/// A sum in two doubles: rounding errors are collected and not lost (Ogita, Rump and Oishi 2005, Sum2), so that huge
/// terms that two sums share cancel in their difference. Negative infinity stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    #[inline(always)]
    pub(crate) fn add(&mut self, term: f64) {
        let (sum, error) = two_sum(self.high, term);
        self.high = sum;
        // Where the sum is infinite the error is not a number; the infinity says it all.
        self.low += if sum.is_finite() { error } else { 0.0 };
    }

    /// Adds the product of two finite factors with the error of its rounding.
    #[inline(always)]
    pub(crate) fn add_product(&mut self, a: f64, b: f64) {
        let (product, error) = two_prod(a, b);
        self.add(product);
        // Factors too large to be split give no error term.
        self.low += if error.is_finite() { error } else { 0.0 };
    }

    /// The sum without what rounding took.
    #[inline(always)]
    pub(crate) fn high(self) -> f64 {
        self.high
    }

    /// What rounding took.
    #[inline(always)]
    pub(crate) fn low(self) -> f64 {
        self.low
    }

    /// The sum, rounded.
    #[inline(always)]
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }

    /// `self - other`, of which at least one must be finite.
    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> f64 {
        (self.high - other.high) + (self.low - other.low)
    }

    /// Whether the sum is negative infinity.
    #[inline(always)]
    pub(crate) fn is_impossible(self) -> bool {
        self.high == f64::NEG_INFINITY
    }
}

impl From<f64> for Sum {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        assert_eq!(two_sum(1e16, 1.0), (1e16, 1.0));
        for (a, b) in [(0.1, 0.3), (-3.0e9, 123_456_789.012_345_67), (1.0 + f64::EPSILON, 7e119)] {
            assert_eq!(two_prod(a, b), (a * b, f64::mul_add(a, b, -(a * b))));
        }
        let third = (1.0 / 3.0, 1.850_371_707_708_594e-17);
        let (high, low) = product(third, (3.0, 0.0));
        assert!((high - 1.0).abs() + low.abs() < 1e-31);
    }

    #[test]
    fn what_two_sums_share_cancels() {
        let [a, b] = [0.25, 0.75].map(|small| [small, 1e20, small].into_iter().collect::<Sum>());
        assert_eq!(b.minus(a), 1.0);
        let impossible: Sum = [1.0, f64::NEG_INFINITY, 3.0].into_iter().collect();
        assert!(impossible.is_impossible() && impossible.value() == f64::NEG_INFINITY);
    }
}
