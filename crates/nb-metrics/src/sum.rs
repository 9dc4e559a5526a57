//! Exact sums, so that neither the order of the rows nor the way they were split shows in a measure.

use std::iter::Sum as StdSum;

/// A sum of doubles of which nothing is rounded off: an expansion, an unevaluated sum of doubles (Shewchuk 1997,
/// *Adaptive precision floating-point arithmetic and fast robust geometric predicates*, Discrete & Computational
/// Geometry 18, 305-363).
///
/// What an addition to the first part rounds off is added to the second, and so on; what leaves the third goes to a
/// tail. Counts need one part, and few sums a tail.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    head: [f64; 3],
    tail: Vec<f64>,
}

impl Sum {
    /// Adds a finite number. A sum beyond the largest double becomes and stays infinite.
    pub(crate) fn add(&mut self, value: f64) {
        if self.head[0].is_infinite() {
            return;
        }
        let mut carry = value;
        for part in &mut self.head {
            (*part, carry) = two_sum(*part, carry);
        }
        if self.head[0].is_infinite() {
            *self = Self { head: [self.head[0], 0.0, 0.0], tail: Vec::new() };
        } else if carry != 0.0 {
            grow_tail(&mut self.tail, carry);
        }
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        for &part in other.head.iter().chain(&other.tail) {
            self.add(part);
        }
    }

    /// The double nearest to the sum, the even one of two.
    pub(crate) fn value(&self) -> f64 {
        let [first, second, third] = self.head;
        if self.tail.is_empty() {
            if second == 0.0 && third == 0.0 {
                return first;
            }
            let mut parts = [third, 0.0, 0.0];
            let n_parts = grow(&mut parts, 1, second);
            let n_parts = grow(&mut parts, n_parts, first);
            return nearest(&parts[..n_parts]);
        }
        let mut parts = self.tail.clone();
        for part in [third, second, first] {
            grow_tail(&mut parts, part);
        }
        nearest(&parts)
    }
}

/// Adds a number to an expansion, whose parts increase in size and do not overlap (Shewchuk's grow-expansion, without
/// zeros), in memory with room for one part more; returns the number of parts.
fn grow(parts: &mut [f64], n_parts: usize, value: f64) -> usize {
    let mut carry = value;
    let mut kept = 0;
    for index in 0..n_parts {
        let (sum, error) = two_sum(carry, parts[index]);
        if error != 0.0 {
            parts[kept] = error;
            kept += 1;
        }
        carry = sum;
    }
    if carry != 0.0 {
        parts[kept] = carry;
        kept += 1;
    }
    kept
}

/// Adds a number to an expansion of any length.
fn grow_tail(parts: &mut Vec<f64>, value: f64) {
    let n_parts = parts.len();
    parts.push(0.0);
    let n_parts = grow(parts, n_parts, value);
    parts.truncate(n_parts);
}

/// The double nearest to an expansion whose parts do not overlap.
fn nearest(parts: &[f64]) -> f64 {
    let mut parts = parts.iter().rev().copied();
    let Some(mut value) = parts.next() else {
        return 0.0;
    };
    while let Some(part) = parts.next() {
        let (sum, error) = two_sum(value, part);
        value = sum;
        if error != 0.0 {
            // Half a unit is rounded to even, unless a smaller part says that it is more than half.
            let twice = 2.0 * error;
            let next = value + twice;
            let is_half = next - value == twice;
            let continues = parts.next().is_some_and(|rest| (rest > 0.0) == (error > 0.0));
            return if is_half && continues { next } else { value };
        }
    }
    value
}

impl<'a> StdSum<&'a Self> for Sum {
    fn sum<I: Iterator<Item = &'a Self>>(sums: I) -> Self {
        let mut total = Self::default();
        sums.for_each(|sum| total.merge(sum));
        total
    }
}

impl StdSum<f64> for Sum {
    fn sum<I: Iterator<Item = f64>>(values: I) -> Self {
        let mut total = Self::default();
        values.for_each(|value| total.add(value));
        total
    }
}

/// `a + b` rounded, and the exact error (Knuth, *The Art of Computer Programming* vol. 2, 4.2.2, theorem B).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_rounded = sum - a;
    (sum, (a - (sum - b_rounded)) + (b - b_rounded))
}

/// A quotient of sums, where it has a value.
pub(crate) fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    let is_defined = denominator > 0.0 && denominator.is_finite() && numerator.is_finite();
    is_defined.then(|| numerator / denominator)
}

/// The mean of the values that there are, whatever their order; `None` if there are none.
pub(crate) fn mean(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let n_values = values.clone().count();
    ratio(values.sum::<Sum>().value(), n_values as f64)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use num_traits::{ToPrimitive, Zero};
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-1.0..1.0_f64, -200..200_i32).prop_map(|(x, exponent)| x * 2.0_f64.powi(exponent)),
            (-1.0..1.0_f64, -30..0_i32).prop_map(|(x, exponent)| x * 2.0_f64.powi(exponent)),
            (-4..5_i32).prop_map(f64::from),
            Just(2.0_f64.powi(53)),
            Just(2.0_f64.powi(-53)),
            Just(-(2.0_f64.powi(-106))),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn sums_are_those_of_rational_arithmetic(values in prop::collection::vec(number(), 0..40), cut in 0..40_usize) {
            let exact = values.iter().filter_map(|&value| BigRational::from_float(value));
            let exact = exact.fold(BigRational::zero(), |sum, value| sum + value);
            let (front, back) = values.split_at(cut.min(values.len()));
            let mut merged: Sum = back.iter().copied().sum();
            merged.merge(&front.iter().copied().sum());
            let whole: Sum = values.iter().copied().sum();
            prop_assert_eq!(merged.value(), whole.value());
            let nearest = exact.to_f64();
            prop_assert!(nearest.is_some_and(|nearest| nearest == whole.value()), "{:?} {:?}", nearest, whole);
        }
    }

    #[test]
    fn halves_are_rounded_by_what_follows() {
        let unit = 2.0_f64.powi(-53);
        assert_eq!([1.0, unit].into_iter().sum::<Sum>().value(), 1.0);
        assert_eq!([1.0, unit, 1e-300].into_iter().sum::<Sum>().value(), 1.0 + f64::EPSILON);
        assert_eq!([1.0, unit, -1e-300].into_iter().sum::<Sum>().value(), 1.0);
        assert_eq!([1e16, 1.0, -1e16].into_iter().sum::<Sum>().value(), 1.0);
    }

    #[test]
    fn a_sum_beyond_doubles_is_infinite_and_never_nan() {
        let mut sum: Sum = [f64::MAX, 1.0, f64::MAX].into_iter().sum();
        assert_eq!(sum.value(), f64::INFINITY);
        sum.add(-1.0);
        sum.merge(&sum.clone());
        assert_eq!(sum.value(), f64::INFINITY);
        assert_eq!(ratio(sum.value(), sum.value()), None);
    }
}
