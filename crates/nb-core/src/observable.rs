//! The range of values in which every statistic is exact.
//!
//! A variance needs `n Σwx² - (Σwx)²` without rounding. With values from `2^-360` to `2^400` in size and weights
//! from `2^-60` to `2^60`, and fewer than `2^50` rows, no product overflows and no lowest bit falls below `2^-1074`.

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

/// Whether all values of a slice are numbers that [`real`] accepts, missing ones not among them. Without branches, so
/// that it is done many values at a time.
pub(crate) fn all_real(values: &[f64]) -> bool {
    let accepted = |count, value: &f64| {
        let size = value.abs();
        count + u64::from((SMALLEST..=LARGEST).contains(&size)) + u64::from(size == 0.0)
    };
    values.iter().fold(0, accepted) == values.len() as u64
}
