//! One exact sum under construction.

use std::iter::Sum;

use nb_simd::error_free::two_sum;

use crate::{Dyadic, Exact};

/// How many components may gather beyond the first three before they are brought into canonical form.
const OVERFLOW_LIMIT: usize = 8;

/// Up to this size, `2^1021`, sums are kept as doubles, which no addition takes out of their range.
const LARGEST: f64 = f64::from_bits((1023 + 1021) << 52);

/// One exact sum under construction: what [`ExactSums`](crate::ExactSums) is for many.
///
/// ```
/// use exact_sums::ExactSum;
///
/// let sum: ExactSum = [1e16, 1.0, -1e16].into_iter().sum();
/// assert_eq!(sum.value(), 1.0);
/// let sum: ExactSum = [1e308, 1e308, -1e308].into_iter().sum();
/// assert_eq!(sum.value(), 1e308);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExactSum {
    components: [f64; 3],
    /// What leaves the third component.
    overflow: Vec<f64>,
    /// What would make the components too large.
    beyond: Option<Box<Dyadic>>,
}

impl ExactSum {
    /// Adds a finite number. A sum beyond the largest double is infinite when it is read, and counts on as
    /// what it is.
    ///
    /// ```
    /// # use exact_sums::ExactSum;
    /// let mut sum = ExactSum::default();
    /// sum.add(1e100);
    /// sum.add(1.0);
    /// sum.add(-1e100);
    /// assert_eq!(sum.value(), 1.0);
    /// ```
    #[inline]
    pub fn add(&mut self, value: f64) {
        let (mut components, mut carry) = (self.components, value);
        for component in &mut components {
            (*component, carry) = two_sum(*component, carry);
        }
        if components[0].abs() > LARGEST {
            return self.add_beyond(&Dyadic::from(value));
        }
        self.components = components;
        if carry != 0.0 {
            self.overflow.push(carry);
            if self.overflow.len() > OVERFLOW_LIMIT {
                self.overflow = Exact::sum(self.overflow.iter().copied()).components().to_vec();
            }
        }
    }

    #[cold]
    fn add_beyond(&mut self, value: &Dyadic) {
        let beyond = self.beyond.get_or_insert_default();
        **beyond = &**beyond + value;
    }

    /// Adds another sum.
    ///
    /// ```
    /// # use exact_sums::ExactSum;
    /// let mut sum: ExactSum = [1e100, 0.5].into_iter().sum();
    /// let other: ExactSum = [-1e100, 0.5].into_iter().sum();
    /// sum.merge(&other);
    /// assert_eq!(sum.value(), 1.0);
    /// ```
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        for &component in other.components.iter().chain(&other.overflow) {
            self.add(component);
        }
        if let Some(beyond) = &other.beyond {
            self.add_beyond(beyond);
        }
    }

    /// The double nearest to the sum, the even one of two; infinite beyond the largest.
    ///
    /// ```
    /// # use exact_sums::ExactSum;
    /// let sum: ExactSum = [0.1; 10].into_iter().sum();
    /// assert_eq!(sum.value(), 1.0);
    /// ```
    #[inline]
    pub fn value(&self) -> f64 {
        let [first, second, third] = self.components;
        if let Some(beyond) = &self.beyond {
            let parts = self.components.iter().chain(&self.overflow);
            return parts.fold((**beyond).clone(), |sum, &part| &sum + &Dyadic::from(part)).to_f64();
        }
        if second == 0.0 && third == 0.0 && self.overflow.is_empty() {
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
    fn a_sum_beyond_doubles_is_infinite_and_comes_back() {
        let mut sum: ExactSum = [f64::MAX, 1.0, f64::MAX].into_iter().sum();
        assert_eq!(sum.value(), f64::INFINITY);
        sum.add(-1.0);
        sum.merge(&sum.clone());
        assert_eq!(sum.value(), f64::INFINITY);
        [-f64::MAX; 3].into_iter().for_each(|value| sum.add(value));
        assert_eq!(sum.value(), f64::MAX);
    }
}
