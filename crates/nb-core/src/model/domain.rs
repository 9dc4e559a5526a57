//! Which values families can observe: those whose statistics are exact.

use exact_sums::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO, all_not_negative};

use crate::{
    data::Block,
    model::{Missing, ValueError, ValueProblem},
};

/// What is wrong with a value that should be any real number, if anything.
#[inline]
pub(crate) fn real(value: f64, missing: Missing) -> Option<ValueProblem> {
    let size = value.abs();
    if (MIN_ABS_NONZERO..=MAX_ABS_VALUE).contains(&size) || size == 0.0 {
        return None;
    }
    Some(if value.is_nan() {
        return (missing == Missing::Error).then_some(ValueProblem::Missing);
    } else if value.is_infinite() {
        ValueProblem::Infinite
    } else if size > MAX_ABS_VALUE {
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

/// Refuses the first stored cell of a block that is no [`count`].
pub(crate) fn check_counts(rows: &Block<'_>, missing: Missing) -> Result<(), ValueError> {
    if rows.doubles().is_some_and(|rows| all_not_negative(rows.stored())) {
        return Ok(());
    }
    check_block(rows, |value| count(value, missing))
}
