//! The range of values of which sums, sums of squares and variances are exact.
//!
//! A variance needs `n Σwx² - (Σwx)²` without rounding. With values from `2^-360` to `2^400` in size and
//! weights from `2^-60` to `2^60`, and fewer than `2^50` rows, no product overflows and no lowest bit falls
//! below `2^-1074`.
//!
//! Finite values and weights outside this range are exact, too, but in numbers of another kind, which take a
//! hundred times as long: see [`ExactSums::add_weighted`](crate::ExactSums::add_weighted).

use nb_simd::{InstructionSet, Isa, Kernel, Vector};

/// The largest absolute value in the domain: `2^400`.
pub const MAX_ABS_VALUE: f64 = f64::from_bits((1023 + 400) << 52);

/// The smallest absolute value in the domain that is not zero: `2^-360`.
pub const MIN_ABS_NONZERO: f64 = f64::from_bits((1023 - 360) << 52);

/// What a batch does with NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nan {
    /// It is outside the domain, like an infinity.
    Refuse,
    /// It is left out of the sums and counted.
    Count,
}

/// Whether a weight, or a factor for weights, is in the domain: zero or from `2^-60` to `2^60`.
///
/// ```
/// # use exact_sums::domain::is_weight;
/// assert!(is_weight(0.0) && is_weight(2.5));
/// assert!(!is_weight(-1.0) && !is_weight(1e-30) && !is_weight(f64::NAN));
/// ```
#[inline]
pub fn is_weight(weight: f64) -> bool {
    const LIMIT: f64 = (1_u64 << 60) as f64;
    weight == 0.0 || (1.0 / LIMIT..=LIMIT).contains(&weight)
}

/// Whether a value is a number in the domain, and not negative unless it may be. Without branches.
///
/// ```
/// # use exact_sums::domain::is_number;
/// assert!(is_number(-2.5, true) && !is_number(-2.5, false));
/// assert!(!is_number(1e200, true) && !is_number(f64::NAN, true));
/// ```
#[expect(clippy::needless_bitwise_bool, reason = "without branches all cells of a row go the same way")]
#[inline(always)]
pub fn is_number(value: f64, may_be_negative: bool) -> bool {
    let size = value.abs();
    (size <= MAX_ABS_VALUE) & ((size >= MIN_ABS_NONZERO) | (size == 0.0)) & (may_be_negative | (value >= 0.0))
}

/// Whether products of the weight with the value and with its square are exact: both are in the domain.
///
/// ```
/// # use exact_sums::domain::is_term;
/// assert!(is_term(-1.0, 2.5)); // negative weights take out what was added
/// assert!(!is_term(1.0, 1e200) && !is_term(1e30, 2.5));
/// ```
#[inline]
pub fn is_term(weight: f64, value: f64) -> bool {
    is_number(value, true) && is_weight(weight.abs())
}

/// Whether a value is a number outside the domain of which sums can be formed all the same, as
/// [wide](crate::ExactSums::add_wide) terms: finite, and not negative unless it may be.
#[inline]
pub(crate) fn is_wide(value: f64, may_be_negative: bool) -> bool {
    value.is_finite() && (may_be_negative || value >= 0.0) && !is_number(value, may_be_negative)
}

/// Whether a value is in the domain, with this policy for NaN.
#[inline]
pub(crate) fn accepts(value: f64, may_be_negative: bool, nan: Nan) -> bool {
    is_number(value, may_be_negative) || (nan == Nan::Count && value.is_nan())
}

/// Whether all values are numbers in the domain.
///
/// ```
/// # use exact_sums::domain::all_numbers;
/// assert!(all_numbers(&[0.0, -2.5]));
/// assert!(!all_numbers(&[0.0, f64::NAN]));
/// ```
#[inline]
pub fn all_numbers(values: &[f64]) -> bool {
    InstructionSet::current().run(AllWithin {
        values,
        smallest: MIN_ABS_NONZERO,
        lowest: -MAX_ABS_VALUE,
        largest: MAX_ABS_VALUE,
    })
}

/// Whether all values are numbers in the domain and none is negative.
///
/// ```
/// # use exact_sums::domain::all_not_negative;
/// assert!(all_not_negative(&[0.0, 3.0]));
/// assert!(!all_not_negative(&[0.0, -3.0]));
/// ```
#[inline]
pub fn all_not_negative(values: &[f64]) -> bool {
    InstructionSet::current().run(AllWithin {
        values,
        smallest: MIN_ABS_NONZERO,
        lowest: 0.0,
        largest: MAX_ABS_VALUE,
    })
}

/// Whether all absolute values are at most this, and no value is NaN.
///
/// ```
/// # use exact_sums::domain::all_within;
/// assert!(all_within(&[0.5, -2.0], 2.0));
/// assert!(!all_within(&[0.5, -2.0], 1.0));
/// ```
#[inline]
pub fn all_within(values: &[f64], largest: f64) -> bool {
    InstructionSet::current().run(AllWithin { values, smallest: 0.0, lowest: -largest, largest })
}

/// Whether all sizes are zero or between two numbers, and no value is below the lowest.
struct AllWithin<'a> {
    values: &'a [f64],
    smallest: f64,
    lowest: f64,
    largest: f64,
}

impl Kernel for AllWithin<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Isa>(self) -> bool {
        let (strips, rest) = self.values.as_chunks();
        let limit = C::Vector::splat(self.largest);
        // One less in the bits, as `min_bits_minus_one` has it; with zero as the limit nothing is below.
        let least = C::Vector::splat(f64::from_bits(self.smallest.to_bits().saturating_sub(1)));
        let lowest = C::Vector::splat(self.lowest);
        let mut smallest = C::Vector::splat(f64::from_bits(u64::MAX));
        let mut all = true;
        for strip in strips {
            let values = C::Vector::load(strip);
            let sizes = values.abs();
            smallest = smallest.min_bits_minus_one(sizes);
            all &= sizes.all_le(limit) & lowest.all_le(values);
        }
        let within = |value: &f64| {
            let size = value.abs();
            *value >= self.lowest && size <= self.largest && (size >= self.smallest || size == 0.0)
        };
        all && smallest.bits_ge(least) && rest.iter().all(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Exact, ExactSums,
        test_support::{rational, rational_sum},
    };
    use num_traits::Zero;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moments_at_the_edges_of_the_domain_are_exact(
            rows in prop::collection::vec((any::<bool>(), 0..8_usize, 0..6_usize), 1..20),
        ) {
            const LARGEST_WEIGHT: f64 = (1_u64 << 60) as f64;
            let values = [
                0.0,
                MAX_ABS_VALUE,
                MAX_ABS_VALUE.next_down(),
                MIN_ABS_NONZERO,
                MIN_ABS_NONZERO.next_up(),
                MIN_ABS_NONZERO * (2.0 - f64::EPSILON),
                1.0 + f64::EPSILON,
                -0.1,
            ];
            let least = 1.0 / LARGEST_WEIGHT;
            let weights =
                [LARGEST_WEIGHT, LARGEST_WEIGHT.next_down(), least, least.next_up(), least * (2.0 - f64::EPSILON), 0.7];
            let mut sums = ExactSums::new(3);
            let mut expected = [(); 3].map(|()| num_rational::BigRational::zero());
            for (negative, value, weight) in rows {
                let (value, weight) = (if negative { -values[value] } else { values[value] }, weights[weight]);
                prop_assert!(is_number(value, true) && is_weight(weight));
                sums.add(0, weight);
                sums.add_product(1, weight, value);
                sums.add_triple_product(2, value, value, weight);
                let mut term = rational(weight);
                for expected in &mut expected {
                    *expected += &term;
                    term *= rational(value);
                }
            }
            let [n, sum, squares] = [0, 1, 2].map(|index| sums.get(index));
            let number = |exact: &Exact| rational_sum(exact.components().iter().copied());
            prop_assert_eq!([&n, &sum, &squares].map(number), expected.clone());
            let deviation = &(&n * &squares) - &(&sum * &sum);
            let [n, sum, squares] = expected;
            prop_assert_eq!(number(&deviation), n * squares - &sum * &sum);
        }
    }

    #[test]
    fn slices_are_checked_as_values_are() {
        let usual = [0.0, -0.0, 1.0, -1e100, MIN_ABS_NONZERO, MAX_ABS_VALUE, -MIN_ABS_NONZERO, 3.5, 2.0, 7.0];
        for set in InstructionSet::ALL {
            let all = |values: &[f64], smallest: f64, largest: f64| {
                set.run(AllWithin { values, smallest, lowest: -largest, largest })
            };
            assert!(all(&usual, MIN_ABS_NONZERO, MAX_ABS_VALUE) && all(&usual, 0.0, MAX_ABS_VALUE));
            assert!(!all(&usual, 0.0, 1e99));
            for value in
                [f64::NAN, f64::INFINITY, -f64::INFINITY, MAX_ABS_VALUE * 1.5, MIN_ABS_NONZERO / 2.0, -5e-324]
            {
                for place in 0..usual.len() {
                    let mut values = usual;
                    values[place] = value;
                    assert!(!all(&values, MIN_ABS_NONZERO, MAX_ABS_VALUE), "{value} at {place}");
                    assert_eq!(
                        all(&values, 0.0, MAX_ABS_VALUE),
                        value.abs() <= MAX_ABS_VALUE,
                        "{value} at {place}"
                    );
                    let counts = values.map(f64::abs);
                    let at_least = |values: &[f64], lowest| {
                        set.run(AllWithin { values, smallest: 0.0, lowest, largest: f64::MAX })
                    };
                    assert_eq!(at_least(&counts, 0.0), value.is_finite(), "{value} at {place}");
                    let mut counts = counts;
                    counts[place] = -5e-324;
                    assert!(!at_least(&counts, 0.0));
                    counts[place] = -0.0;
                    let others_are_finite = at_least(&counts, f64::MIN);
                    assert_eq!(at_least(&counts, 0.0), others_are_finite);
                }
            }
        }
    }
}
