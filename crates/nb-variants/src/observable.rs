//! Which values can be observed, as nb-core has it.

use nb_core::{Missing, error::ValueProblem, exact::domain::MAX_ABS_VALUE};

/// What is wrong with a value that should be a real number, if anything; how small it is does not matter.
pub(crate) fn real(value: f64, missing: Missing) -> Option<ValueProblem> {
    if value.abs() <= MAX_ABS_VALUE {
        return None;
    }
    if value.is_nan() {
        return (missing == Missing::Error).then_some(ValueProblem::Missing);
    }
    Some(if value.is_infinite() { ValueProblem::Infinite } else { ValueProblem::TooLarge })
}
