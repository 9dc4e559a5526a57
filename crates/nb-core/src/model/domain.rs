//! Which values families can observe: finite ones.

use exact_sums::domain::{all_not_negative, is_number};

use crate::{
    data::Block,
    model::{Missing, ValueError, ValueProblem},
};

/// The largest weight of a row: sums of fewer than `2^50` weights do not overflow.
pub(crate) const MAX_WEIGHT: f64 = 1e290;

/// What is wrong with a value that should be any real number, if anything.
#[inline]
pub(crate) fn real(value: f64, missing: Missing) -> Option<ValueProblem> {
    if value.is_finite() {
        return None;
    }
    if value.is_nan() {
        return (missing == Missing::Error).then_some(ValueProblem::Missing);
    }
    Some(ValueProblem::Infinite)
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

/// Refuses the first stored cell of a block that is no [`count`]; whether there are counts of sizes that
/// kernels cannot take.
pub(crate) fn check_counts(rows: &Block<'_>, missing: Missing) -> Result<bool, ValueError> {
    let Some(doubles) = rows.doubles() else {
        return check_block(rows, |value| count(value, missing)).map(|()| false);
    };
    if all_not_negative(doubles.stored()) {
        return Ok(false);
    }
    check_block(rows, |value| count(value, missing))?;
    Ok(doubles.stored().iter().any(|&value| !value.is_nan() && !is_number(value, false)))
}
