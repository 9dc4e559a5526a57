//! One exact real number, as a canonical expansion.

use nb_simd::error_free::{two_prod, two_sum};

use crate::{dyadic::Dyadic, number::summation::Summation};

mod summation;

/// An exact real number: the unevaluated sum of a few doubles.
///
/// The components are canonical: the first is the number rounded to nearest, the second the rest rounded to
/// nearest, and so on until nothing is left. Equal numbers therefore have equal components.
///
/// Sums and differences of finite numbers are exact, whatever their sizes, and so are products without bits
/// below `2^-1074`. A result that rounds beyond the largest double is infinite: it has one component, an
/// infinity. [`Dyadic`] has numbers of any size.
///
/// ```
/// use exact_sums::Exact;
///
/// let sum = &(&Exact::from(1e100) + &Exact::from(1.0)) - &Exact::from(1e100);
/// assert_eq!(sum.to_f64(), 1.0);
/// assert_eq!(Exact::sum([1e308, 1e308, -1e308]).to_f64(), 1e308);
/// assert_eq!(Exact::sum([1e308, 1e308]).to_f64(), f64::INFINITY);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exact {
    /// Canonical, largest first, no zeros.
    components: Components,
}

impl Exact {
    /// The number zero.
    pub const ZERO: Self = Self { components: Components::NONE };

    /// The exact sum of `parts`, in any order and with any overlap. An infinity or NaN among them makes it
    /// what adding them as doubles would.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert_eq!(Exact::sum([0.1; 10]).to_f64(), 1.0);
    /// assert_ne!([0.1; 10].iter().sum::<f64>(), 1.0); // additions that round
    /// ```
    #[inline]
    pub fn sum(parts: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Summation::default();
        parts.into_iter().for_each(|part| sum.add(part));
        sum.finish()
    }

    /// The number with these components, which are canonical.
    fn of_canonical(components: Components) -> Self {
        let exact = Self { components };
        debug_assert!(exact.is_rounded(), "PROOFS.md, lemma 6: {exact:?}");
        exact
    }

    /// The number with these components, which are canonical, or one infinity or NaN.
    pub(crate) fn of_components(components: Vec<f64>) -> Self {
        Self::of_canonical(Components::Many(components))
    }

    /// The number with these components, which are canonical for a number with bits below `2^-1074`: these
    /// have no component, and may have decided in which direction the last one was rounded.
    pub(crate) fn of_leading_components(components: Vec<f64>) -> Self {
        Self { components: Components::Many(components) }
    }

    /// Whether each component is its sum with those after it, rounded, as in a canonical form; or the number
    /// is infinite.
    fn is_rounded(&self) -> bool {
        let components = self.components();
        let is_rounded = |place: usize| {
            let (this, next) = (components[place], components[place + 1]);
            // In the middle between two doubles what is below decides.
            let is_half = (this + 2.0 * next) - this == 2.0 * next;
            let is_decided = || components.get(place + 2).is_some_and(|below| (*below < 0.0) != (next < 0.0));
            this + next == this || is_half && is_decided()
        };
        !self.to_f64().is_finite() || (1..components.len()).all(|place| is_rounded(place - 1))
    }

    /// The exact dot product of two slices; of the shorter length if they differ.
    ///
    /// ```
    /// assert_eq!(exact_sums::Exact::dot(&[1e200, 3.0, -1e200], &[1e100, 0.5, 1e100]).to_f64(), 1.5);
    /// ```
    #[inline]
    pub fn dot(left: &[f64], right: &[f64]) -> Self {
        let mut sum = Summation::default();
        left.iter().zip(right).for_each(|(&a, &b)| sum.add_product(a, b));
        sum.finish()
    }

    /// The components, largest first; none for zero.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert_eq!(Exact::sum([1.0, 1e20]).components(), [1e20, 1.0]);
    /// assert!(Exact::ZERO.components().is_empty());
    /// ```
    #[inline]
    pub fn components(&self) -> &[f64] {
        self.components.as_slice()
    }

    /// The number rounded to the nearest double, ties to even.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert_eq!(Exact::sum([1.0, 1e20]).to_f64(), 1e20);
    /// ```
    #[inline]
    pub fn to_f64(&self) -> f64 {
        self.components().first().copied().unwrap_or(0.0)
    }

    /// The number as two doubles, about 106 bits: the rounded value and the rounded rest.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert_eq!(Exact::sum([1.0, 1e20]).to_pair(), (1e20, 1.0));
    /// ```
    #[inline]
    pub fn to_pair(&self) -> (f64, f64) {
        (self.to_f64(), self.components().get(1).copied().unwrap_or(0.0))
    }

    /// Whether the number is exactly zero.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert!(Exact::sum([0.1, 1e20, -0.1, -1e20]).is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.components().is_empty()
    }

    /// Whether the number is below zero.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert!(Exact::sum([1e20, -1.0, -1e20]).is_negative());
    /// ```
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.to_f64() < 0.0
    }

    /// The exact product with one double.
    ///
    /// ```
    /// # use exact_sums::Exact;
    /// assert_eq!(Exact::sum([1.0, 1e20]).times(3.0).to_pair(), (3e20, 3.0));
    /// ```
    #[must_use]
    #[inline]
    pub fn times(&self, factor: f64) -> Self {
        product(self.components(), &[factor])
    }

    /// The quotient `self / divisor` as two doubles: the first is the quotient rounded to nearest, ties to
    /// even, and the second the remainder of it, so that both have a relative error below `2^-103`.
    /// (PROOFS.md, lemma 6a.)
    ///
    /// The divisor must not be zero. One step of long division: the remainder of the rounded quotient is
    /// formed exactly, so that no cancellation in it costs digits.
    ///
    /// ```
    /// use exact_sums::Exact;
    ///
    /// // A little above the middle between 1 and the next double.
    /// let sum = Exact::sum([2.0, f64::EPSILON, 2.0_f64.powi(-107)]);
    /// assert_eq!(sum.divided_by(&Exact::from(2.0)).0, 1.0 + f64::EPSILON);
    /// ```
    #[inline]
    pub fn divided_by(&self, divisor: &Self) -> (f64, f64) {
        /// No remainder underflows then, and no product overflows.
        const USUAL: std::ops::RangeInclusive<f64> = 1e-60..=1e60;
        match (self.components(), divisor.components()) {
            (&[numerator], &[divisor])
                if USUAL.contains(&numerator.abs()) && USUAL.contains(&divisor.abs()) =>
            {
                quotient(numerator, divisor)
            }
            _ => self.divided_at_length(divisor),
        }
    }

    fn divided_at_length(&self, divisor: &Self) -> (f64, f64) {
        let first = self.to_f64() / divisor.to_f64();
        let rest = self - &divisor.times(first);
        let second = rest.to_f64() / divisor.to_f64();
        let rest = &rest - &divisor.times(second);
        let third = rest.to_f64() / divisor.to_f64();
        let (high, low) = two_sum(first, second);
        let (high, low) = two_sum(high, low + third);
        // Two doubles that are all of the quotient are rounded as they should, in the middle as well.
        if rounds_surely((high, low)) || rest.is_zero() || !high.is_finite() {
            return (high, low);
        }
        // Next to the middle between two doubles: all digits decide.
        Dyadic::from(self).rounded_quotient(&Dyadic::from(divisor), high)
    }
}

impl From<f64> for Exact {
    fn from(value: f64) -> Self {
        Self { components: Components::few([value, 0.0, 0.0]) }
    }
}

impl std::ops::Add for &Exact {
    type Output = Exact;
    fn add(self, other: &Exact) -> Exact {
        Exact::sum(self.components().iter().chain(other.components()).copied())
    }
}

impl std::ops::Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: &Exact) -> Exact {
        Exact::sum(self.components().iter().copied().chain(other.components().iter().map(|c| -c)))
    }
}

impl std::ops::Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: &Exact) -> Exact {
        product(self.components(), other.components())
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self - other).to_f64().partial_cmp(&0.0)
    }
}

/// [`Exact::divided_by`] for single doubles that are neither huge nor tiny. The remainder of a rounded
/// quotient is always a double, and no quotient of doubles is in the middle between two.
///
/// ```
/// # use exact_sums::quotient;
/// assert_eq!(quotient(7.0, 2.0), (3.5, 0.0));
/// // The double next to 1/3 is 2^-54/3 below it.
/// assert_eq!(quotient(1.0, 3.0), (1.0 / 3.0, 2.0_f64.powi(-54) / 3.0));
/// ```
#[inline]
pub fn quotient(numerator: f64, divisor: f64) -> (f64, f64) {
    let first = numerator / divisor;
    let (product, error) = two_prod(divisor, first);
    (first, ((numerator - product) - error) / divisor)
}

/// Whether `high` is `high + rest` rounded to nearest, even if that sum is wrong by `2^-81` of it.
/// (PROOFS.md, lemma 17.)
///
/// ```
/// # use exact_sums::rounds_surely;
/// assert!(rounds_surely((1.0, 1e-20)));
/// assert!(!rounds_surely((1.0, f64::EPSILON / 2.0))); // in the middle between two doubles
/// ```
#[expect(clippy::needless_bitwise_bool, reason = "without branches all columns go the same way")]
#[inline(always)]
pub fn rounds_surely((high, rest): (f64, f64)) -> bool {
    let doubt = high * (1.0 / (1_u128 << 80) as f64);
    (high + (rest - doubt) == high) & (high + (rest + doubt) == high)
}

/// Doubles of decreasing size: up to three, as almost all numbers have, without memory of their own.
#[derive(Clone)]
enum Components {
    Few { len: usize, values: [f64; 3] },
    Many(Vec<f64>),
}

impl Components {
    const NONE: Self = Self::Few { len: 0, values: [0.0; 3] };

    /// Those of three doubles that come before the zeros.
    fn few(values: [f64; 3]) -> Self {
        let len = values.iter().position(|&value| value == 0.0).unwrap_or(values.len());
        Self::Few { len, values }
    }

    fn as_slice(&self) -> &[f64] {
        match self {
            Self::Few { len, values } => &values[..*len],
            Self::Many(values) => values,
        }
    }
}

impl Default for Components {
    fn default() -> Self {
        Self::NONE
    }
}

impl PartialEq for Components {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl std::fmt::Debug for Components {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// The canonical components of a sum of three doubles, if a few additions without error find them: then the
/// first is the sum rounded, also with what is below, and so is the second. No negative zeros.
///
/// This is what almost all sums need; the general way takes twenty times as long.
#[inline(always)]
pub(crate) fn canonical([first, second, third]: [f64; 3]) -> Option<[f64; 3]> {
    let (second, third) = two_sum(second, third);
    let (first, second) = two_sum(first, second);
    let (second, third) = two_sum(second, third);
    // Where the rest is exactly half a unit of the first, what is below decides how the first is rounded.
    let is_half = second != 0.0 && (first + 2.0 * second) - first == 2.0 * second;
    let is_rounded = first + second == first && second + third == second && (!is_half || third == 0.0);
    if is_rounded { Some([first + 0.0, second + 0.0, third + 0.0]) } else { None }
}

/// The exact product of two sums of doubles.
fn product(a: &[f64], b: &[f64]) -> Exact {
    let mut sum = Summation::default();
    for &x in a {
        for &y in b {
            sum.add_product(x, y);
        }
    }
    sum.finish()
}

#[cfg(test)]
mod tests {
    use super::{
        summation::{Partials, lowest_bit},
        *,
    };
    use crate::test_support::{any_doubles, doubles, is_rounded, rational, rational_sum, ties};
    use num_traits::Signed;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_exact_and_canonical(mut values in prop::collection::vec(doubles(), 0..40)) {
            let exact = Exact::sum(values.iter().copied());
            prop_assert_eq!(rational_sum(exact.components().iter().copied()), rational_sum(values.iter().copied()));
            values.reverse();
            prop_assert_eq!(&Exact::sum(values.iter().copied()), &exact);
            // Canonical: each component is the double nearest to the rest.
            let mut rest = rational_sum(values);
            for &component in exact.components() {
                let error = (&rest - rational(component)).abs();
                prop_assert!(error <= (&rest - rational(component.next_up())).abs());
                prop_assert!(error <= (&rest - rational(component.next_down())).abs());
                rest -= rational(component);
            }
        }

        #[test]
        fn sums_of_any_doubles_are_exact_or_infinite(mut values in prop::collection::vec(any_doubles(), 0..20)) {
            let exact = Exact::sum(values.iter().copied());
            let expected = rational_sum(values.iter().copied());
            if exact.to_f64().is_finite() {
                prop_assert_eq!(rational_sum(exact.components().iter().copied()), expected);
            } else {
                // Beyond the middle between the largest double and the next power of two.
                let limit = rational(f64::MAX) + rational(2.0_f64.powi(970));
                prop_assert!(expected.abs() >= limit && expected.is_negative() == exact.is_negative());
                prop_assert_eq!(exact.components().len(), 1);
            }
            values.reverse();
            prop_assert_eq!(Exact::sum(values), exact);
        }

        #[test]
        fn quotients_in_and_around_the_middle_of_doubles_are_rounded_correctly(
            parts in ties(),
            divisor in prop_oneof![(1..1000_u32).prop_map(f64::from), 0.5..2.0_f64, Just(0.1), Just(-3.0)],
            divisor_rest in prop_oneof![Just(0.0), Just(1e-20), Just(-1e-33)],
        ) {
            let divisor = Exact::sum([divisor, divisor_rest]);
            let quotient = Exact::sum(parts.iter().copied());
            let (high, low) = (&quotient * &divisor).divided_by(&divisor);
            let expected = rational_sum(parts);
            prop_assert!(is_rounded(high, &expected), "{high:e} {low:e} {quotient:?}");
            prop_assert_eq!(high + low, high);
            let error = (rational(high) + rational(low) - &expected).abs();
            prop_assert!(error <= expected.abs() * rational(2.0_f64.powi(-103)));
        }

        #[test]
        fn quotients_are_rounded_correctly(
            a in prop::collection::vec(doubles(), 1..4),
            b in prop::collection::vec(doubles(), 1..3),
        ) {
            let (numerator, denominator) = (Exact::sum(a.iter().copied()), Exact::sum(b.iter().copied()));
            prop_assume!(!denominator.is_zero() && !numerator.is_zero());
            prop_assume!((1e-250..1e250).contains(&(numerator.to_f64() / denominator.to_f64()).abs()));
            let (high, _) = numerator.divided_by(&denominator);
            prop_assert!(is_rounded(high, &(rational_sum(a) / rational_sum(b))));
        }

        #[test]
        fn products_are_exact(
            a in prop::collection::vec(doubles(), 1..4),
            b in prop::collection::vec(doubles(), 1..4),
        ) {
            let product = &Exact::sum(a.iter().copied()) * &Exact::sum(b.iter().copied());
            let expected = rational_sum(a) * rational_sum(b);
            prop_assert_eq!(rational_sum(product.components().iter().copied()), expected);
        }

        #[test]
        fn quotients_have_a_hundred_bits(
            a in prop::collection::vec(doubles(), 1..4),
            b in prop::collection::vec(doubles(), 1..4),
        ) {
            let (numerator, denominator) = (Exact::sum(a.iter().copied()), Exact::sum(b.iter().copied()));
            prop_assume!(!denominator.is_zero() && !numerator.is_zero());
            prop_assume!((numerator.to_f64() / denominator.to_f64()).abs() > 1e-250);
            let (high, low) = numerator.divided_by(&denominator);
            let expected = rational_sum(a) / rational_sum(b);
            let error = (rational(high) + rational(low) - &expected) / &expected;
            let bound = rational(2.0_f64.powi(-103));
            prop_assert!(error < bound.clone() && error > -bound);
        }

        #[test]
        fn quotients_of_doubles_are_those_of_long_division(a in doubles(), b in doubles()) {
            let (a, b) = (Exact::from(a), Exact::from(b));
            prop_assume!(!b.is_zero());
            prop_assert_eq!(a.divided_by(&b), a.divided_at_length(&b));
        }
    }

    #[test]
    fn the_lowest_bit_of_a_number_is_known() {
        for (number, bit) in [
            (1.0, 1.0),
            (-6.0, 2.0),
            (1.0 + f64::EPSILON, f64::EPSILON),
            (5e-324, 5e-324),
            (1.5e-323, 5e-324),
        ] {
            assert_eq!(lowest_bit(number), bit, "{number}");
        }
        assert!(!Partials { parts: vec![1.0, 3.0] }.is_expansion());
        assert!(Partials { parts: vec![1.0, 6.0] }.is_expansion());
        assert!(!Exact { components: Components::Many(vec![1.0, 1.0]) }.is_rounded());
    }

    #[test]
    fn numbers_beyond_doubles_are_infinite_and_no_numbers_stay_so() {
        let components = |parts: &[f64]| Exact::sum(parts.iter().copied()).components().to_vec();
        assert_eq!(components(&[1e308, 1e308]), [f64::INFINITY]);
        assert_eq!(components(&[-1e308, -1e308, 1.0]), [f64::NEG_INFINITY]);
        assert_eq!(components(&[1e308, 1e308, 1.0, -1e308, -1e308]), [1.0]);
        // The border of lemma 1.
        let (a, b) = (-2.993_760_464_302_079_7e292, f64::MAX);
        assert_eq!(components(&[a, b]), components(&[b, a]));
        assert_eq!(rational_sum(components(&[a, b])), rational(a) + rational(b));
        assert_eq!(components(&[1.0, f64::INFINITY]), [f64::INFINITY]);
        assert!(components(&[f64::INFINITY, f64::NEG_INFINITY])[0].is_nan());
        assert!(Exact::sum([f64::NAN]).to_f64().is_nan());
        // Factors that are too large to be split, and a product that is too large.
        assert_eq!(Exact::dot(&[1e301, 1e200, -1e200], &[3.0, 1e200, 1e200]), Exact::from(1e301).times(3.0));
        assert_eq!(Exact::from(1e200).times(1e200).to_f64(), f64::INFINITY);
        assert_eq!(
            (&Exact::from(1e301) * &Exact::from(0.1)).components(),
            Exact::dot(&[0.1], &[1e301]).components()
        );
    }

    #[test]
    fn rounding_looks_below_half_a_unit() {
        let half = f64::EPSILON / 2.0;
        assert_eq!(Exact::sum([1.0, half]).to_f64(), 1.0); // a tie goes to even
        assert_eq!(Exact::sum([1.0, half, 1e-300]).to_f64(), 1.0 + f64::EPSILON);
        assert_eq!(Exact::sum([1.0, half, -1e-300]).to_f64(), 1.0);
        assert_eq!(Exact::sum([1e-300, half, 1.0]).components(), [1.0 + f64::EPSILON, -half, 1e-300]);
    }
}
