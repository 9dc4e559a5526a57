//! One exact real number, as a canonical expansion.

use nb_simd::error_free::{two_prod, two_sum};

/// An exact real number: the unevaluated sum of a few doubles.
///
/// The components are canonical: the first is the number rounded to nearest, the second the rest rounded to
/// nearest, and so on until nothing is left. Equal numbers therefore have equal components.
///
/// Sums, differences and products are exact as long as nothing overflows or falls below `2^-1074`.
///
/// ```
/// use exact_sums::Exact;
///
/// let sum = &(&Exact::from(1e100) + &Exact::from(1.0)) - &Exact::from(1e100);
/// assert_eq!(sum.to_f64(), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exact {
    /// Canonical, largest first, no zeros.
    components: Components,
}

impl Exact {
    /// The number zero.
    pub const ZERO: Self = Self { components: Components::NONE };

    /// The exact sum of `parts`, in any order and with any overlap.
    #[inline]
    pub fn sum(parts: impl IntoIterator<Item = f64>) -> Self {
        // Three doubles hold most sums, and adding to them does not branch; what they cannot hold is kept apart.
        let (mut leading, mut partials) = ([0.0; 3], Partials::default());
        for part in parts {
            let (mut sum, mut carry) = (leading, part);
            for component in &mut sum {
                (*component, carry) = two_sum(*component, carry);
            }
            if !sum[0].is_finite() {
                partials.add(part);
                continue;
            }
            leading = sum;
            if carry != 0.0 {
                partials.add(carry);
            }
        }
        if partials.parts.is_empty()
            && let Some(components) = canonical(leading)
        {
            let exact = Self { components: Components::few(components) };
            debug_assert!(exact.is_rounded(), "PROOFS.md, lemma 6: {exact:?}");
            return exact;
        }
        for part in leading.into_iter().rev().filter(|&part| part != 0.0) {
            partials.add(part);
        }
        let exact = Self { components: Components::Many(partials.into_canonical()) };
        debug_assert!(exact.is_rounded(), "PROOFS.md, lemma 6: {exact:?}");
        exact
    }

    /// Whether each component is its sum with those after it, rounded, as in a canonical form; or the number is infinite.
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
        let products = left.iter().zip(right).map(|(&a, &b)| two_prod(a, b));
        Self::sum(products.flat_map(|(product, error)| [product, error]))
    }

    /// The components, largest first; none for zero.
    #[inline]
    pub fn components(&self) -> &[f64] {
        self.components.as_slice()
    }

    /// The number rounded to the nearest double, ties to even.
    #[inline]
    pub fn to_f64(&self) -> f64 {
        self.components().first().copied().unwrap_or(0.0)
    }

    /// The number as two doubles, about 106 bits: the rounded value and the rounded rest.
    #[inline]
    pub fn to_pair(&self) -> (f64, f64) {
        (self.to_f64(), self.components().get(1).copied().unwrap_or(0.0))
    }

    /// Whether the number is exactly zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.components().is_empty()
    }

    /// Whether the number is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.to_f64() < 0.0
    }

    /// The exact product with one double.
    #[must_use]
    #[inline]
    pub fn times(&self, factor: f64) -> Self {
        Self::sum(products(self.components(), &[factor]))
    }

    /// The quotient `self / divisor` as two doubles, with a relative error below `2^-103`.
    ///
    /// The divisor must not be zero. One step of long division: the remainder of the rounded quotient is formed
    /// exactly, so that no cancellation in it costs digits.
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
        two_sum(high, low + third)
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
        Exact::sum(products(self.components(), other.components()))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self - other).to_f64().partial_cmp(&0.0)
    }
}

/// [`Exact::divided_by`] for single doubles that are neither huge nor tiny. The remainder of a rounded quotient is always
/// a double.
#[inline]
pub fn quotient(numerator: f64, divisor: f64) -> (f64, f64) {
    let remainder = |numerator: f64, quotient: f64| {
        let (product, error) = two_prod(divisor, quotient);
        (numerator - product) - error
    };
    let first = numerator / divisor;
    let rest = remainder(numerator, first);
    let second = rest / divisor;
    let third = remainder(rest, second) / divisor;
    let (high, low) = two_sum(first, second);
    two_sum(high, low + third)
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

/// The canonical components of a sum of three doubles, if a few additions without error find them: then the first is the
/// sum rounded, also with what is below, and so is the second. No negative zeros.
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

/// All products of a component of `a` with one of `b`, each with its error term.
fn products<'a>(a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    a.iter().flat_map(move |&x| {
        b.iter().flat_map(move |&y| {
            let (product, error) = two_prod(x, y);
            [error, product]
        })
    })
}

/// The value of the lowest bit of a number that is set; of a number other than zero.
fn lowest_bit(number: f64) -> f64 {
    const MANTISSA: u64 = (1 << (f64::MANTISSA_DIGITS - 1)) - 1;
    let bits = number.to_bits();
    // A power of two is its only bit.
    let others = if bits & MANTISSA == 0 { 0.0 } else { f64::from_bits(bits & (bits - 1)) };
    (number - others).abs()
}

/// A sum under construction: non-overlapping doubles of increasing size (Shewchuk 1997, grow-expansion with the
/// zeros left out).
#[derive(Default)]
struct Partials {
    parts: Vec<f64>,
}

impl Partials {
    fn add(&mut self, value: f64) {
        let mut carry = value;
        let mut kept = 0;
        for i in 0..self.parts.len() {
            let (sum, error) = two_sum(carry, self.parts[i]);
            if error != 0.0 {
                self.parts[kept] = error;
                kept += 1;
            }
            carry = sum;
        }
        self.parts.truncate(kept);
        if carry != 0.0 {
            self.parts.push(carry);
        }
        debug_assert!(self.is_expansion(), "PROOFS.md, lemma 5: {:?}", self.parts);
    }

    /// Whether each part is smaller than the lowest bit of the next; or something has overflowed.
    fn is_expansion(&self) -> bool {
        self.parts.iter().any(|part| !part.is_finite())
            || self.parts.windows(2).all(|pair| pair[0] != 0.0 && pair[0].abs() < lowest_bit(pair[1]))
    }

    /// The sum rounded to nearest, ties to even. Adding from the top is exact until a rounding error appears; below
    /// it only the sign of what is left matters, and only when the error is exactly half a unit.
    fn rounded(&self) -> f64 {
        let mut below = self.parts.iter().rev();
        let Some(&first) = below.next() else { return 0.0 };
        let mut total = first;
        let mut error = 0.0;
        for &part in below.by_ref() {
            (total, error) = two_sum(total, part);
            if error != 0.0 {
                break;
            }
        }
        if let Some(&next) = below.next()
            && error != 0.0
            && (error < 0.0) == (next < 0.0)
        {
            let doubled = 2.0 * error;
            let neighbour = total + doubled;
            if neighbour - total == doubled {
                total = neighbour;
            }
        }
        total
    }

    fn into_canonical(mut self) -> Vec<f64> {
        let mut canonical = Vec::with_capacity(self.parts.len());
        while !self.parts.is_empty() {
            let leading = self.rounded();
            canonical.push(leading);
            if !leading.is_finite() {
                break; // an overflow, which the callers' ranges exclude; never loop on it
            }
            self.add(-leading);
        }
        canonical
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{doubles, rational, rational_sum};
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
    fn rounding_looks_below_half_a_unit() {
        let half = f64::EPSILON / 2.0;
        assert_eq!(Exact::sum([1.0, half]).to_f64(), 1.0); // a tie goes to even
        assert_eq!(Exact::sum([1.0, half, 1e-300]).to_f64(), 1.0 + f64::EPSILON);
        assert_eq!(Exact::sum([1.0, half, -1e-300]).to_f64(), 1.0);
        assert_eq!(Exact::sum([1e-300, half, 1.0]).components(), [1.0 + f64::EPSILON, -half, 1e-300]);
    }
}
