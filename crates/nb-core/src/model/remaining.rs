//! Arithmetic with sums, in numbers of usual and of any size, and what remains of a sum after some of it,
//! where scaling may have rounded both.
//!
//! [`ExactSums::scale`] rounds each sum to about 159 bits, so that a weight of which all rows are accounted
//! for can come out below zero by a unit of its last place. That is a zero, and not evidence of damage.

use exact_sums::{Dyadic, Exact, ExactSums};

/// An exact number: [`Exact`] where all terms of the sums are of usual size, which is quick, or [`Dyadic`].
pub(crate) trait Number: Clone + From<f64> {
    /// The same number.
    fn of_exact(number: &Exact) -> Self;
    /// One of some sums.
    fn of(sums: &ExactSums, index: usize) -> Self;
    fn is_zero(&self) -> bool;
    fn is_negative(&self) -> bool;
    fn to_f64(&self) -> f64;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// The quotient rounded, and the rest.
    fn divided_by(&self, divisor: &Self) -> (f64, f64);
}

macro_rules! number {
    ($number:ty, $get:ident, $of_exact:expr, |$a:ident, $b:ident| $quotient:expr) => {
        impl Number for $number {
            fn of_exact(number: &Exact) -> Self {
                $of_exact(number)
            }

            fn of(sums: &ExactSums, index: usize) -> Self {
                sums.$get(index)
            }

            fn is_zero(&self) -> bool {
                self.is_zero()
            }

            fn is_negative(&self) -> bool {
                self.is_negative()
            }

            fn to_f64(&self) -> f64 {
                self.to_f64()
            }

            fn plus(&self, other: &Self) -> Self {
                self + other
            }

            fn minus(&self, other: &Self) -> Self {
                self - other
            }

            fn times(&self, other: &Self) -> Self {
                self * other
            }

            fn divided_by(&self, divisor: &Self) -> (f64, f64) {
                let ($a, $b) = (self, divisor);
                $quotient
            }
        }
    };
}

number!(Exact, get, Exact::clone, |a, b| Exact::divided_by(a, b));
number!(Dyadic, get_dyadic, Dyadic::from, |a, b| Dyadic::divided_by(a, b).to_pair());

/// By how much, relative to the larger of the two, a difference can be negative because of scaling: a unit in
/// the last place of 159 bits for each of many thousands of scalings.
const SCALING: f64 = f64::from_bits((1023 - 140) << 52);

/// `total - part`; zero if it is negative by no more than scaling loses.
pub(crate) fn remaining<N: Number>(total: &N, part: &N) -> N {
    let difference = total.minus(part);
    if difference.is_negative() && !difference.plus(&total.times(&N::from(SCALING))).is_negative() {
        return N::from(0.0);
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
        assert!(remaining(&Dyadic::from(&total), &Dyadic::from(&above)).is_zero());
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
