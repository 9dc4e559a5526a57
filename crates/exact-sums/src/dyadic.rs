//! Dyadic rationals: whole numbers times powers of two, exact and of any size.

use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, Mul, Neg, Sub},
};

use crate::{Exact, number::rounds_surely};

/// The bits of a digit.
const BITS: i64 = u32::BITS as i64;

/// A dyadic rational: a whole number times a power of two, such as every finite double. Sums and products are
/// exact, and there is no largest or smallest one: this is what [`Exact`] is for numbers and products beyond
/// the range of doubles, and about a hundred times slower.
///
/// ```
/// use exact_sums::Dyadic;
///
/// let square = &Dyadic::from(1e-300) * &Dyadic::from(1e-300);
/// assert!(square.to_f64() == 0.0 && !square.is_zero());
/// assert_eq!((&square * &Dyadic::from(1e300)).to_f64(), 1e-300);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Dyadic {
    negative: bool,
    /// The place of the first digit, whose unit is `2^(32 lowest)`.
    lowest: i64,
    /// In base `2^32`, the lowest first; neither the first nor the last is zero.
    digits: Vec<u32>,
}

impl Dyadic {
    /// The number zero.
    pub const ZERO: Self = Self { negative: false, lowest: 0, digits: Vec::new() };

    /// The number with these digits in base `2^32`, the lowest first, of which the first counts units of
    /// `2^(32 lowest)`. `None` if this is not the form that [`digits`](Self::digits) and
    /// [`lowest`](Self::lowest) give, in which the first and the last digit are not zero, and zero is
    /// positive, without digits and at place 0.
    ///
    /// ```
    /// use exact_sums::Dyadic;
    ///
    /// let number = Dyadic::from(-1.5);
    /// assert_eq!((number.is_negative(), number.lowest(), number.digits()), (true, -1, &[1 << 31, 1][..]));
    /// assert_eq!(Dyadic::from_digits(true, -1, vec![1 << 31, 1]), Some(number));
    /// assert_eq!(Dyadic::from_digits(true, -1, vec![1 << 31, 1, 0]), None);
    /// ```
    pub fn from_digits(negative: bool, lowest: i64, digits: Vec<u32>) -> Option<Self> {
        let is_canonical = match (digits.first(), digits.last()) {
            (Some(&first), Some(&last)) => first != 0 && last != 0 && lowest.unsigned_abs() <= MOST_PLACES,
            _ => !negative && lowest == 0,
        };
        is_canonical.then_some(Self { negative, lowest, digits })
    }

    /// The digits in base `2^32`, the lowest first.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// assert_eq!(Dyadic::from(7.0).digits(), [7]);
    /// let number = Dyadic::from(2.0_f64.powi(32) + 5.0);
    /// assert_eq!(number.digits(), [5, 1]);
    /// ```
    pub fn digits(&self) -> &[u32] {
        &self.digits
    }

    /// The place of the lowest digit, which counts units of 2 to the power of 32 times this.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// assert_eq!(Dyadic::from(7.0).lowest(), 0);
    /// assert_eq!(Dyadic::from(0.5).lowest(), -1); // 2^31 units of 2^-32
    /// ```
    pub fn lowest(&self) -> i64 {
        self.lowest
    }

    /// Whether the number is zero.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// let x = Dyadic::from(0.1);
    /// assert!((&x - &x).is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether the number is below zero.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// assert!(Dyadic::from(-0.1).is_negative() && !Dyadic::ZERO.is_negative());
    /// ```
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The exponent of the size, `⌊log2 |x|⌋`; `None` for zero.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// assert_eq!(Dyadic::from(10.0).exponent(), Some(3)); // 8 <= 10 < 16
    /// assert_eq!(Dyadic::ZERO.exponent(), None);
    /// ```
    pub fn exponent(&self) -> Option<i64> {
        let last = self.digits.last()?;
        Some(BITS * (self.end() - 1) + i64::from(last.ilog2()))
    }

    /// The number times `2^exponent`, exactly.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// let huge = Dyadic::from(3.0).times_power_of_two(5000);
    /// assert_eq!(huge.times_power_of_two(-5001).to_f64(), 1.5);
    /// ```
    #[must_use]
    pub fn times_power_of_two(&self, exponent: i64) -> Self {
        let (places, bits) = (exponent.div_euclid(BITS), exponent.rem_euclid(BITS));
        let mut carry = 0;
        let mut digits = Vec::with_capacity(self.digits.len() + 1);
        for &digit in &self.digits {
            let shifted = u64::from(digit) << bits | carry;
            digits.push(low(shifted));
            carry = shifted >> BITS;
        }
        digits.push(low(carry));
        Self { negative: self.negative, lowest: self.lowest + places, digits }.trimmed()
    }

    /// The number rounded to the nearest double, ties to even; infinite beyond the largest double.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// let x = Dyadic::from(1e308);
    /// assert_eq!(x.to_f64(), 1e308);
    /// assert_eq!((&x + &x).to_f64(), f64::INFINITY);
    /// ```
    pub fn to_f64(&self) -> f64 {
        let Some(exponent) = self.exponent() else { return 0.0 };
        if exponent > 1023 {
            return self.signed(f64::INFINITY);
        }
        let unit = (exponent - 52).max(-1074);
        let units = self.rounded_units(unit);
        // Both factors are powers of two, and the first product is exact.
        let (first, second) = (unit.max(-1022), unit.min(-1022) + 1022);
        self.signed(units as f64 * power_of_two(first) * power_of_two(second))
    }

    /// The number as two doubles: rounded, and the rounded remainder. The second is zero if the first is
    /// infinite.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// let number = &Dyadic::from(1e20) + &Dyadic::from(1.0);
    /// assert_eq!(number.to_pair(), (1e20, 1.0));
    /// ```
    pub fn to_pair(&self) -> (f64, f64) {
        let high = self.to_f64();
        if high.is_finite() { (high, (self - &Self::from(high)).to_f64()) } else { (high, 0.0) }
    }

    /// The number rounded to `bits` bits, at most 63; ties to even.
    #[must_use]
    fn rounded_to(&self, bits: i64) -> Self {
        let Some(exponent) = self.exponent() else { return Self::ZERO };
        let unit = exponent + 1 - bits;
        let units = self.rounded_units(unit);
        let number =
            Self { negative: self.negative, lowest: 0, digits: vec![low(units), low(units >> BITS)] };
        number.trimmed().times_power_of_two(unit)
    }

    /// The number rounded to 159 bits: three doubles, each the rounded remainder of those before it.
    #[must_use]
    pub(crate) fn rounded(&self) -> Self {
        (0..3).fold(Self::ZERO, |sum, _| &sum + &(self - &sum).rounded_to(53))
    }

    /// How many units of `2^unit` the size is, rounded to nearest, ties to even. There must be at most
    /// `2^63`.
    fn rounded_units(&self, unit: i64) -> u64 {
        let (place, bit) = (unit.div_euclid(BITS), unit.rem_euclid(BITS));
        let digit = |place: i64| u128::from(self.digit(place));
        let whole = (digit(place) | digit(place + 1) << BITS | digit(place + 2) << (2 * BITS)) >> bit;
        let whole = u64::try_from(whole).unwrap_or(u64::MAX);
        let (place, bit) = ((unit - 1).div_euclid(BITS), (unit - 1).rem_euclid(BITS));
        let below = self.digit(place);
        let is_half = below >> bit & 1 == 1;
        let is_more = self.lowest < place || below & ((1 << bit) - 1) != 0;
        whole + u64::from(is_half && (is_more || whole & 1 == 1))
    }

    /// The quotient `self / divisor`, with a relative error below `2^-103`; rounded to a double it is the
    /// exact quotient rounded, as [`Exact::divided_by`] has it. The divisor must not be zero.
    ///
    /// ```
    /// # use exact_sums::Dyadic;
    /// let [seven, two] = [7.0, 2.0].map(|x| Dyadic::from(x).times_power_of_two(5000));
    /// assert_eq!(seven.divided_by(&two).to_f64(), 3.5);
    /// ```
    #[must_use]
    pub fn divided_by(&self, divisor: &Self) -> Self {
        let (Some(own), Some(other)) = (self.exponent(), divisor.exponent()) else { return Self::ZERO };
        let (mut high, mut low) = self.leading(own).divided_by(&divisor.leading(other));
        if !rounds_surely((high, low)) {
            // The leading digits do not tell on which side of a middle between two doubles the quotient is.
            let [numerator, divisor] = [(self, own), (divisor, other)].map(|(n, e)| n.times_power_of_two(-e));
            (high, low) = numerator.rounded_quotient(&divisor, high);
        }
        (&Self::from(high) + &Self::from(low)).times_power_of_two(own - other)
    }

    /// The quotient `self / divisor` rounded to nearest, ties to even, and its remainder: so that the sum of
    /// the two rounds to the first. It must be between the neighbours of `near`.
    #[cold]
    pub(crate) fn rounded_quotient(&self, divisor: &Self, near: f64) -> (f64, f64) {
        let rest_of = |quotient: f64| self - &(divisor * &Self::from(quotient));
        let rest = rest_of(near);
        if rest.is_zero() {
            return (near, 0.0);
        }
        let is_above = rest.negative == divisor.negative;
        let other = if is_above { near.next_up() } else { near.next_down() };
        // The remainders have different signs, so that their sum has the sign of the larger.
        let rest_of_other = rest_of(other);
        let sum = &rest + &rest_of_other;
        let is_other = if sum.is_zero() { near.to_bits() & 1 == 1 } else { sum.negative == rest.negative };
        let (high, rest) = if is_other { (other, rest_of_other) } else { (near, rest) };
        let low = rest.plain_quotient(divisor);
        // What is less than half a unit must not become half a unit by rounding.
        let half = (if low < 0.0 { high.next_down() } else { high.next_up() } - high) / 2.0;
        let is_rounded_up = !sum.is_zero() && low.abs() >= half.abs();
        (high, if is_rounded_up { half.abs().next_down().copysign(low) } else { low })
    }

    /// The quotient `self / divisor` within some units in the last place.
    fn plain_quotient(&self, divisor: &Self) -> f64 {
        let (Some(own), Some(other)) = (self.exponent(), divisor.exponent()) else { return 0.0 };
        let [numerator, divisor] = [(self, own), (divisor, other)].map(|(n, e)| n.times_power_of_two(-e));
        Self::from(numerator.to_f64() / divisor.to_f64()).times_power_of_two(own - other).to_f64()
    }

    /// The number divided by `2^exponent`, its own, except for what is below `2^-960`.
    fn leading(&self, exponent: i64) -> Exact {
        const DIGITS: usize = 30;
        let from = self.digits.len().saturating_sub(DIGITS);
        let parts = self.digits[from..].iter().zip(self.lowest + places(from)..);
        Exact::sum(
            parts
                .map(|(&digit, place)| self.signed(f64::from(digit) * power_of_two(BITS * place - exponent))),
        )
    }

    /// The number as doubles that add up to it; infinite, or with what is below `2^-1074` rounded, where it
    /// has no such form.
    pub(crate) fn to_exact(&self) -> Exact {
        let mut components = Vec::new();
        let mut rest = self.clone();
        loop {
            let component = rest.to_f64();
            if component.is_infinite() {
                return Exact::from(component);
            }
            if component == 0.0 {
                return if rest.is_zero() {
                    Exact::of_components(components)
                } else {
                    Exact::of_leading_components(components)
                };
            }
            components.push(component);
            rest = &rest - &Self::from(component);
        }
    }

    fn signed(&self, size: f64) -> f64 {
        if self.negative { -size } else { size }
    }

    /// One more than the place of the last digit.
    fn end(&self) -> i64 {
        self.lowest + places(self.digits.len())
    }

    fn digit(&self, place: i64) -> u32 {
        let index = usize::try_from(place - self.lowest).unwrap_or(usize::MAX);
        self.digits.get(index).copied().unwrap_or(0)
    }

    /// Without zeros at either end.
    fn trimmed(mut self) -> Self {
        while self.digits.pop_if(|digit| *digit == 0).is_some() {}
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.lowest += places(zeros);
        if self.digits.is_empty() { Self::ZERO } else { self }
    }

    /// How the sizes of two numbers compare.
    fn cmp_size(&self, other: &Self) -> Ordering {
        let places = || (self.lowest.min(other.lowest)..self.end()).rev();
        let by_digits = || places().map(|place| self.digit(place).cmp(&other.digit(place)));
        match (self.is_zero(), other.is_zero()) {
            (false, false) => self
                .end()
                .cmp(&other.end())
                .then_with(|| by_digits().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)),
            (is_zero, other_is_zero) => other_is_zero.cmp(&is_zero),
        }
    }

    /// The sum of two numbers, of which the other is negated if `flip` is true.
    fn plus(&self, other: &Self, flip: bool) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        let other_is_negative = other.negative != flip;
        if self.is_zero() {
            return Self { negative: other_is_negative, ..other.clone() };
        }
        let subtract = self.negative != other_is_negative;
        let is_less = subtract && self.cmp_size(other).is_lt();
        let (large, small) = if is_less { (other, self) } else { (self, other) };
        let lowest = large.lowest.min(small.lowest);
        let mut carry = 0_i64;
        let mut digits = Vec::new();
        for place in lowest..large.end().max(small.end()) {
            let term = i64::from(small.digit(place));
            let sum = i64::from(large.digit(place)) + if subtract { -term } else { term } + carry;
            digits.push(low(sum.cast_unsigned()));
            carry = sum >> BITS;
        }
        digits.push(low(carry.cast_unsigned()));
        let negative = if is_less { other_is_negative } else { self.negative };
        Self { negative, lowest, digits }.trimmed()
    }
}

/// Numbers from files have their lowest digit no further from place 0, so that sums of them take no more
/// memory than some hundred kilobytes each.
const MOST_PLACES: u64 = 1 << 16;

/// This many places.
fn places(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The lower half.
#[expect(clippy::cast_possible_truncation, reason = "the other half is what is carried")]
fn low(number: u64) -> u32 {
    number as u32
}

/// `2^exponent`; zero below the normal numbers.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(u64::try_from(1023 + exponent).unwrap_or(0) << 52)
}

/// The number itself; an infinity counts as `2^1024`.
impl From<f64> for Dyadic {
    fn from(value: f64) -> Self {
        let bits = value.to_bits();
        let (exponent, mantissa) = ((bits >> 52 & 0x7FF).cast_signed(), bits & ((1 << 52) - 1));
        let (units, unit) =
            if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
        let digits = vec![low(units), low(units >> BITS)];
        Self { negative: value < 0.0, lowest: 0, digits }.trimmed().times_power_of_two(unit)
    }
}

impl From<&Exact> for Dyadic {
    fn from(number: &Exact) -> Self {
        number.components().iter().fold(Self::ZERO, |sum, &part| &sum + &Self::from(part))
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        self.plus(other, false)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self.plus(other, true)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        let mut digits = vec![0; self.digits.len() + other.digits.len()];
        for (place, &digit) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (sum, &factor) in digits[place..].iter_mut().zip(&other.digits) {
                let total = u64::from(digit) * u64::from(factor) + u64::from(*sum) + carry;
                *sum = low(total);
                carry = total >> BITS;
            }
            digits[place + other.digits.len()] = low(carry);
        }
        let negative = self.negative != other.negative;
        Dyadic { negative, lowest: self.lowest + other.lowest, digits }.trimmed()
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.cmp_size(other),
            (true, true) => other.cmp_size(self),
            (is_negative, other_is_negative) => other_is_negative.cmp(&is_negative),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{:?} * 2^(32 * {})", self.digits, self.lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_doubles, is_rounded, rational, rational_sum, ties};
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{One, Signed, Zero};
    use proptest::prelude::*;

    fn power(exponent: i64) -> BigRational {
        let power = BigRational::from(BigInt::one() << exponent.unsigned_abs());
        if exponent < 0 { power.recip() } else { power }
    }

    fn value(number: &Dyadic) -> BigRational {
        let unit = power(BITS * number.lowest);
        let digits = number.digits.iter().rev().fold(BigInt::zero(), |sum, &digit| (sum << 32) + digit);
        let size = BigRational::from(digits) * unit;
        if number.negative { -size } else { size }
    }

    fn sum(values: &[f64]) -> Dyadic {
        values.iter().fold(Dyadic::ZERO, |sum, &value| &sum + &Dyadic::from(value))
    }

    proptest! {
        #[test]
        fn sums_and_products_are_those_of_rational_arithmetic(
            a in prop::collection::vec(any_doubles(), 0..6),
            b in prop::collection::vec(any_doubles(), 0..6),
            exponent in -3000..3000_i64,
        ) {
            let [a, b] = [&a, &b].map(|values| sum(values));
            let [x, y] = [&a, &b].map(value);
            prop_assert_eq!(value(&(&a + &b)), &x + &y);
            prop_assert_eq!(value(&(&a - &b)), &x - &y);
            prop_assert_eq!(value(&(&a * &b)), &x * &y);
            prop_assert_eq!(value(&-&a), -&x);
            prop_assert_eq!(a.cmp(&b), x.cmp(&y));
            prop_assert_eq!(a == b, x == y);
            prop_assert_eq!(a.is_zero(), x.is_zero());
            let shifted = a.times_power_of_two(exponent);
            prop_assert_eq!(value(&shifted), &x * power(exponent));
            for number in [a, b, shifted] {
                let parts = (number.negative, number.lowest, number.digits.clone());
                prop_assert_eq!(Dyadic::from_digits(parts.0, parts.1, parts.2), Some(number.clone()));
                if let Some(exponent) = number.exponent() {
                    let size = value(&number).abs();
                    prop_assert!(power(exponent) <= size && size < power(exponent + 1));
                }
            }
        }

        #[test]
        fn rounding_is_to_the_nearest_double(
            a in any_doubles(),
            b in any_doubles(),
            rest in any_doubles(),
            is_product in any::<bool>(),
        ) {
            let [x, y] = [a, b].map(Dyadic::from);
            prop_assert_eq!(x.to_f64(), a + 0.0);
            let number = if is_product { &x * &y } else { &x + &y };
            // A hardware operation rounds to nearest, also to subnormal numbers and to infinity.
            prop_assert_eq!(number.to_f64(), if is_product { a * b } else { a + b });
            let number = &number + &Dyadic::from(rest);
            let (high, low) = number.to_pair();
            if high.is_finite() {
                let error = |candidate: f64| (value(&number) - rational(candidate)).abs();
                for neighbour in [high.next_up(), high.next_down()].into_iter().filter(|value| value.is_finite()) {
                    prop_assert!(error(high) <= error(neighbour));
                }
                prop_assert!(rational(low).abs() <= error(high) * BigRational::from(BigInt::from(2)));
            }
            let rounded = number.rounded();
            prop_assert!((value(&number) - value(&rounded)).abs() <= value(&number).abs() * power(-159));
            prop_assert_eq!(rounded.rounded(), rounded);
        }

        #[test]
        fn quotients_have_103_bits(
            a in prop::collection::vec(any_doubles(), 1..5),
            b in prop::collection::vec(any_doubles(), 1..5),
        ) {
            let (a, b) = (sum(&a), sum(&b));
            if !b.is_zero() {
                let exact = value(&a) / value(&b);
                prop_assert!((value(&a.divided_by(&b)) - &exact).abs() <= exact.abs() * power(-103));
            }
        }

        #[test]
        fn quotients_in_and_around_the_middle_of_doubles_are_rounded_correctly(
            parts in ties(),
            digits in prop::collection::vec(any::<u32>(), 0..40),
            exponent in -2000..2000_i64,
        ) {
            // A divisor of any length, also longer than what the division looks at.
            let divisor = digits.iter().fold(Dyadic::from(3.0), |number, &digit| {
                &number.times_power_of_two(32) + &Dyadic::from(f64::from(digit))
            });
            let quotient = sum(&parts);
            let shifted = (&quotient * &divisor).times_power_of_two(exponent);
            let found = shifted.divided_by(&divisor).times_power_of_two(-exponent).to_f64();
            prop_assert!(is_rounded(found, &rational_sum(parts)), "{found:e} {quotient:?}");
        }

        #[test]
        fn expansions_are_the_same_numbers(values in prop::collection::vec(any_doubles(), 0..6)) {
            let number = sum(&values);
            let exact = number.to_exact();
            if exact.to_f64().is_finite() {
                prop_assert_eq!(Dyadic::from(&exact), number);
            }
        }
    }

    #[test]
    fn numbers_in_another_form_are_refused() {
        for (negative, lowest, digits) in
            [(true, 0, vec![]), (false, 1, vec![]), (false, 0, vec![0, 1]), (true, 3, vec![1, 0])]
        {
            assert_eq!(Dyadic::from_digits(negative, lowest, digits), None);
        }
        assert_eq!(Dyadic::from_digits(false, i64::MAX, vec![1]), None);
        assert_eq!(Dyadic::from_digits(false, 0, vec![]), Some(Dyadic::ZERO));
    }

    #[test]
    fn what_no_double_holds_is_infinite_or_zero() {
        let huge = Dyadic::from(f64::MAX);
        assert_eq!((&huge + &huge).to_f64(), f64::INFINITY);
        assert_eq!((&-&huge + &-&huge).to_pair(), (f64::NEG_INFINITY, 0.0));
        let tiny = Dyadic::from(5e-324);
        assert_eq!(tiny.to_f64(), 5e-324);
        assert_eq!(tiny.times_power_of_two(-1).to_f64(), 0.0);
        assert_eq!((&tiny + &tiny.times_power_of_two(-1)).to_f64(), 1e-323);
        assert_eq!(Dyadic::from(f64::INFINITY).exponent(), Some(1024));
    }

    /// The sum of squares of these numbers lies beside the middle of two doubles, on the side that a bit far
    /// below `2^-1074` says.
    #[test]
    fn bits_below_all_doubles_decide_ties() {
        let numbers = [4.656_612_873_077_392e-10, 16_777_216.0, 0.1, -5e-324];
        let squares = numbers.map(|number| &Dyadic::from(number) * &Dyadic::from(number));
        let whole = squares.iter().fold(Dyadic::ZERO, |sum, square| &sum + square);
        let exact = whole.to_exact();
        let rest = &whole - &Dyadic::from(&exact);
        assert_eq!(rest, Dyadic::from(1.0).times_power_of_two(-2148));
        let [.., last_but_one, last] = *exact.components() else { panic!("{exact:?}") };
        // A tie, which would be even without that bit.
        assert_ne!(last_but_one + last, last_but_one);
    }
}
