//! A table in single precision, for the estimates of sparse rows: half the memory that they walk about in.
//!
//! # Bound
//! Rounding makes an entry `w` wrong by no more than `2^-24 |w|`, or where it is too small for single precision by
//! `2^-150`; products and sums are those of double precision. So `Σ x w` is wrong by another `Σ x` times
//! [`Entry::error`], a ten-millionth of the largest entry, which leaves nearly every label beyond doubt.

use super::table::Table;
use crate::{
    exact::Cell,
    instructions::{Code, InstructionSet, Kernel},
};

/// What a table is made of.
pub(super) trait Entry: Cell {
    /// By how much an entry can be wrong, if none that is finite is larger than `largest`.
    fn error(largest: f64) -> f64;
}

impl Entry for f64 {
    #[inline(always)]
    fn error(_: f64) -> f64 {
        0.0
    }
}

impl Entry for f32 {
    #[inline(always)]
    fn error(largest: f64) -> f64 {
        const TOO_SMALL: f64 = f64::from_bits((1023 - 150) << 52);
        f64::from(f32::EPSILON) / 2.0 * largest + TOO_SMALL
    }
}

/// The table in single precision, of entries that are finite or negative infinity.
pub(super) fn narrow(table: &Table) -> Vec<f32> {
    InstructionSet::current().run(Rounded(table.cells()))
}

/// Rounds doubles to single precision.
struct Rounded<'a>(&'a [f64]);

impl Kernel for Rounded<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<C: Code>(self) -> Vec<f32> {
        self.0.iter().map(|&value| value as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_wrong_as_is_said() {
        for value in [0.0, -0.1, 1.0 / 3.0, -1e-39, 1.1e-45, 0.7e-45, 3e-300, 1e38, f64::NEG_INFINITY] {
            for set in InstructionSet::ALL {
                let [rounded] = set.run(Rounded(&[value]))[..] else { unreachable!("one entry") };
                let (rounded, is_finite) = (f64::from(rounded), value.is_finite());
                let error = <f32 as Entry>::error(if is_finite { value.abs() } else { 0.0 });
                assert!(
                    rounded == value || is_finite && (rounded - value).abs() <= error,
                    "{value}: {rounded}"
                );
            }
        }
    }
}
