//! What remains of a sum after some of it, where scaling may have rounded both.
//!
//! [`ExactSums::scale`](exact_sums::ExactSums::scale) rounds each sum to about 159 bits, so that a weight of which all rows
//! are accounted for can come out below zero by a unit of its last place. That is a zero, and not evidence of damage.

use exact_sums::Exact;

/// By how much, relative to the larger of the two, a difference can be negative because of scaling: a unit in the last place
/// of 159 bits for each of many thousands of scalings.
const SCALING: f64 = f64::from_bits((1023 - 140) << 52);

/// `total - part`; zero if it is negative by no more than scaling loses.
pub(crate) fn remaining(total: &Exact, part: &Exact) -> Exact {
    let difference = total - part;
    if difference.is_negative() && !(&difference + &total.times(SCALING)).is_negative() {
        return Exact::ZERO;
    }
    difference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_in_the_last_place_below_zero_is_zero() {
        let total = Exact::from(0.3).times(0.93);
        let above = &total + &total.times(f64::from_bits((1023 - 159) << 52));
        assert!((&total - &above).is_negative());
        assert!(remaining(&total, &above).is_zero());
        assert!(!remaining(&above, &total).is_zero());
    }

    #[test]
    fn what_is_really_negative_stays_so() {
        let total = Exact::from(0.3);
        let above = &total + &Exact::from(0.3 * f64::EPSILON * f64::EPSILON);
        assert!(remaining(&total, &above).is_negative());
        assert!(remaining(&Exact::ZERO, &total).is_negative());
    }
}
