//! One exact sum under construction.

use std::iter::Sum;

use nb_simd::error_free::two_sum;

use crate::Exact;

/// How many components may gather beyond the first three before they are brought into canonical form.
const OVERFLOW_LIMIT: usize = 8;

/// One exact sum under construction: what [`ExactSums`](crate::ExactSums) is for many.
///
/// ```
/// use exact_sums::ExactSum;
///
/// let sum: ExactSum = [1e16, 1.0, -1e16].into_iter().sum();
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExactSum {
    components: [f64; 3],
    /// What leaves the third component.
    overflow: Vec<f64>,
}

impl ExactSum {
    /// Adds a finite number. A sum beyond the largest double becomes and stays infinite.
    #[inline]
    pub fn add(&mut self, value: f64) {
        if self.components[0].is_infinite() {
            return;
        }
        let mut carry = value;
        for component in &mut self.components {
            (*component, carry) = two_sum(*component, carry);
        }
        if self.components[0].is_infinite() {
            *self = Self { components: [self.components[0], 0.0, 0.0], overflow: Vec::new() };
        } else if carry != 0.0 {
            self.overflow.push(carry);
            if self.overflow.len() > OVERFLOW_LIMIT {
                self.overflow = Exact::sum(self.overflow.iter().copied()).components().to_vec();
            }
        }
    }

    /// Adds another sum.
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        for &component in other.components.iter().chain(&other.overflow) {
            self.add(component);
        }
    }

    /// The double nearest to the sum, the even one of two.
    #[inline]
    pub fn value(&self) -> f64 {
        let [first, second, third] = self.components;
        if first.is_infinite() || second == 0.0 && third == 0.0 && self.overflow.is_empty() {
            return first;
        }
        Exact::sum(self.components.iter().chain(&self.overflow).copied()).to_f64()
    }
}

impl<'a> Sum<&'a Self> for ExactSum {
    fn sum<I: Iterator<Item = &'a Self>>(sums: I) -> Self {
        let mut total = Self::default();
        sums.for_each(|sum| total.merge(sum));
        total
    }
}

impl Sum<f64> for ExactSum {
    fn sum<I: Iterator<Item = f64>>(values: I) -> Self {
        let mut total = Self::default();
        values.for_each(|value| total.add(value));
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::rational_sum;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

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
            let exact = rational_sum(values.iter().copied());
            let (front, back) = values.split_at(cut.min(values.len()));
            let mut merged: ExactSum = back.iter().copied().sum();
            merged.merge(&front.iter().copied().sum());
            let whole: ExactSum = values.iter().copied().sum();
            prop_assert_eq!(merged.value(), whole.value());
            let nearest = exact.to_f64();
            prop_assert!(nearest.is_some_and(|nearest| nearest == whole.value()), "{:?} {:?}", nearest, whole);
        }
    }

    #[test]
    fn halves_are_rounded_by_what_follows() {
        let unit = 2.0_f64.powi(-53);
        assert_eq!([1.0, unit].into_iter().sum::<ExactSum>().value(), 1.0);
        assert_eq!([1.0, unit, 1e-300].into_iter().sum::<ExactSum>().value(), 1.0 + f64::EPSILON);
        assert_eq!([1.0, unit, -1e-300].into_iter().sum::<ExactSum>().value(), 1.0);
        assert_eq!([1e16, 1.0, -1e16].into_iter().sum::<ExactSum>().value(), 1.0);
    }

    #[test]
    fn a_sum_beyond_doubles_is_infinite_and_never_nan() {
        let mut sum: ExactSum = [f64::MAX, 1.0, f64::MAX].into_iter().sum();
        assert_eq!(sum.value(), f64::INFINITY);
        sum.add(-1.0);
        sum.merge(&sum.clone());
        assert_eq!(sum.value(), f64::INFINITY);
    }
}
