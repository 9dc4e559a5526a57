//! The range of values in which every statistic is exact.
//!
//! A variance needs `n Σwx² - (Σwx)²` without rounding. With values from `2^-360` to `2^400` in size and weights
//! from `2^-60` to `2^60`, and fewer than `2^50` rows, no product overflows and no lowest bit falls below `2^-1074`.

use nb_simd::{Code, InstructionSet, Kernel, Vector};

use crate::{Block, Missing, ValueError, ValueProblem};

/// The largest size of a real value or a count: `2^400`.
pub const LARGEST: f64 = f64::from_bits((1023 + 400) << 52);

/// The smallest size of a real value or a count that is not zero: `2^-360`.
pub const SMALLEST: f64 = f64::from_bits((1023 - 360) << 52);

/// Whether a weight, or a factor for weights, is usable: zero or from `2^-60` to `2^60`.
pub(crate) fn is_weight(weight: f64) -> bool {
    const LIMIT: f64 = (1_u64 << 60) as f64;
    weight == 0.0 || (1.0 / LIMIT..=LIMIT).contains(&weight)
}

/// What is wrong with a value that should be any real number, if anything.
#[inline]
pub(crate) fn real(value: f64, missing: Missing) -> Option<ValueProblem> {
    let size = value.abs();
    if (SMALLEST..=LARGEST).contains(&size) || size == 0.0 {
        return None;
    }
    Some(if value.is_nan() {
        return (missing == Missing::Error).then_some(ValueProblem::Missing);
    } else if value.is_infinite() {
        ValueProblem::Infinite
    } else if size > LARGEST {
        ValueProblem::TooLarge
    } else {
        ValueProblem::TooSmall
    })
}

/// Whether a value is a number that [`real`] accepts, or [`count`] unless it may be negative: not a missing one. Without
/// branches.
#[expect(clippy::needless_bitwise_bool, reason = "without branches all cells of a row go the same way")]
#[inline(always)]
pub(crate) fn is_plain(value: f64, may_be_negative: bool) -> bool {
    let size = value.abs();
    (size <= LARGEST) & ((size >= SMALLEST) | (size == 0.0)) & (may_be_negative | (value >= 0.0))
}

/// What is wrong with a value that should be a count, whole or not, if anything.
#[inline]
pub(crate) fn count(value: f64, missing: Missing) -> Option<ValueProblem> {
    if value < 0.0 && value.is_finite() { Some(ValueProblem::Negative) } else { real(value, missing) }
}

/// Refuses the first stored cell of a block that `problem` objects to.
#[inline]
pub(crate) fn check_block(
    rows: &Block<'_>,
    mut problem: impl FnMut(f64) -> Option<ValueProblem>,
) -> Result<(), ValueError> {
    ValueError::first(rows.find_stored(|_, value| problem(value)))
}

/// Refuses the first stored cell of a block that is no [`count`].
pub(crate) fn check_counts(rows: &Block<'_>, missing: Missing) -> Result<(), ValueError> {
    let are_counts = |values| {
        let kernel = AllWithin { values, smallest: SMALLEST, lowest: 0.0, largest: LARGEST };
        InstructionSet::current().run(kernel)
    };
    if rows.doubles().is_some_and(|rows| are_counts(rows.stored())) {
        return Ok(());
    }
    check_block(rows, |value| count(value, missing))
}

/// Whether all values of a slice are numbers that [`real`] accepts, missing ones not among them.
pub(crate) fn all_real(values: &[f64]) -> bool {
    InstructionSet::current().run(AllWithin {
        values,
        smallest: SMALLEST,
        lowest: -LARGEST,
        largest: LARGEST,
    })
}

/// Whether the sizes of all values are at most this, and none is missing.
pub(crate) fn all_within(values: &[f64], largest: f64) -> bool {
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
    fn run<C: Code>(self) -> bool {
        let (strips, rest) = self.values.as_chunks();
        let limit = C::Vector::splat(self.largest);
        // One less in the bits, as `smaller_bits` has it; with zero as the limit nothing is below.
        let least = C::Vector::splat(f64::from_bits(self.smallest.to_bits().saturating_sub(1)));
        let lowest = C::Vector::splat(self.lowest);
        let mut smallest = C::Vector::splat(f64::from_bits(u64::MAX));
        let mut all = true;
        for strip in strips {
            let values = C::Vector::load(strip);
            let sizes = values.size();
            smallest = smallest.smaller_bits(sizes);
            all &= sizes.is_at_most(limit) & lowest.is_at_most(values);
        }
        let within = |value: &f64| {
            let size = value.abs();
            *value >= self.lowest && size <= self.largest && (size >= self.smallest || size == 0.0)
        };
        all && smallest.has_bits_of_at_least(least) && rest.iter().all(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_checked_as_values_are() {
        let usual = [0.0, -0.0, 1.0, -1e100, SMALLEST, LARGEST, -SMALLEST, 3.5, 2.0, 7.0];
        for set in InstructionSet::ALL {
            let all = |values: &[f64], smallest: f64, largest: f64| {
                set.run(AllWithin { values, smallest, lowest: -largest, largest })
            };
            assert!(all(&usual, SMALLEST, LARGEST) && all(&usual, 0.0, LARGEST));
            assert!(!all(&usual, 0.0, 1e99));
            for value in [f64::NAN, f64::INFINITY, -f64::INFINITY, LARGEST * 1.5, SMALLEST / 2.0, -5e-324] {
                for place in 0..usual.len() {
                    let mut values = usual;
                    values[place] = value;
                    assert!(!all(&values, SMALLEST, LARGEST), "{value} at {place}");
                    assert_eq!(all(&values, 0.0, LARGEST), value.abs() <= LARGEST, "{value} at {place}");
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
