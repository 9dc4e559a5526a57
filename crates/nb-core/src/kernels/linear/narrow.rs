//! Tables of smaller entries, for the estimates of sparse rows: less memory that they walk about in, most of
//! which is not in a cache.
//!
//! # Bound
//! An entry that is wrong by `e` makes `Σ x w` wrong by no more than `e Σ x`; products and sums are those of
//! double precision.
//!
//! - Single precision: `e` is `2^-24 |w|`, or where the entry is too small for it `2^-150`: a ten-millionth
//!   of the largest.
//! - Sixteen bits: entries are whole numbers of steps from the middle between the least and the largest, and
//!   `e` is half a scale, a hundred-thousandth of what is between these. That leaves few labels in doubt, and
//!   next to the wait for memory it pays to score those in full.

use crate::kernels::linear::table::Table;
use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

/// What a table is made of.
pub(crate) trait Entry: Copy {
    /// Eight entries, in double precision.
    fn load<V: Vector>(entries: &[Self; LANES]) -> V;
}

impl Entry for f64 {
    #[inline(always)]
    fn load<V: Vector>(entries: &[Self; LANES]) -> V {
        V::load(entries)
    }
}

impl Entry for f32 {
    #[inline(always)]
    fn load<V: Vector>(entries: &[Self; LANES]) -> V {
        V::load_f32(entries)
    }
}

impl Entry for i16 {
    #[inline(always)]
    fn load<V: Vector>(entries: &[Self; LANES]) -> V {
        V::load_i16(entries)
    }
}

/// A table of `zero_point + scale * entry`, column after column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantized<'a, T> {
    pub(crate) cells: &'a [T],
    pub(crate) scale: f64,
    pub(crate) zero_point: f64,
    /// By how much what they stand for can be wrong.
    pub(crate) error: f64,
}

impl<'a> Quantized<'a, f64> {
    /// Those of the table itself.
    pub(crate) fn of_table(table: &'a Table) -> Self {
        Self { cells: table.cells(), scale: 1.0, zero_point: 0.0, error: 0.0 }
    }
}

/// A table in single precision.
#[derive(Debug)]
pub(crate) struct WeightsF32 {
    entries: Vec<f32>,
    error: f64,
}

impl WeightsF32 {
    /// Of entries that are finite, none larger than `largest`, or negative infinity.
    pub(crate) fn new(table: &Table, largest: f64) -> Self {
        const TOO_SMALL: f64 = f64::from_bits((1023 - 150) << 52);
        let round = Narrow { entries: table.cells(), round: |value| value as f32 };
        let error = f64::from(f32::EPSILON) / 2.0 * largest + TOO_SMALL;
        Self { entries: InstructionSet::current().run(round), error }
    }

    pub(crate) fn entries(&self) -> Quantized<'_, f32> {
        Quantized { cells: &self.entries, scale: 1.0, zero_point: 0.0, error: self.error }
    }
}

/// A table in sixteen bits.
#[derive(Debug)]
pub(crate) struct WeightsI16 {
    entries: Vec<i16>,
    scale: f64,
    zero_point: f64,
}

impl WeightsI16 {
    /// Of entries from `least` to `most`, both finite and far from overflowing.
    pub(crate) fn new(table: &Table, least: f64, most: f64) -> Self {
        /// Adding this rounds to a whole number.
        const SHIFTER: f64 = (3_u64 << 51) as f64;
        let (zero_point, half) = (least / 2.0 + most / 2.0, most / 2.0 - least / 2.0);
        // Not zero, which would make entries that are no numbers of those that are all the same.
        let scale = f64::max(half / f64::from(i16::MAX), f64::MIN_POSITIVE);
        let round = move |value: f64| (((value - zero_point) / scale + SHIFTER) - SHIFTER) as i16;
        let entries = InstructionSet::current().run(Narrow { entries: table.cells(), round });
        Self { entries, scale, zero_point }
    }

    pub(crate) fn entries(&self) -> Quantized<'_, i16> {
        // Half a step, and a little for the rounding of the division. For the rounding of the zero_point,
        // which is less than a unit of the largest entry, `Linear::bound` has room.
        let error = 0.5001 * self.scale;
        Quantized { cells: &self.entries, scale: self.scale, zero_point: self.zero_point, error }
    }
}

/// Rounds doubles to something smaller.
struct Narrow<'a, F> {
    entries: &'a [f64],
    round: F,
}

impl<T, F: Fn(f64) -> T> Kernel for Narrow<'_, F> {
    type Output = Vec<T>;

    #[inline(always)]
    fn run<C: Isa>(self) -> Vec<T> {
        self.entries.iter().map(|&value| (self.round)(value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an entry stands for, by the loads of a set.
    struct Stands<'a, T>(Quantized<'a, T>);

    impl<T: Entry> Kernel for Stands<'_, T> {
        type Output = f64;

        #[inline(always)]
        fn run<C: Isa>(self) -> f64 {
            let mut lanes = [0.0; LANES];
            let (entries, _) = self.0.cells.as_chunks();
            T::load::<C::Vector>(&entries[0]).store(&mut lanes);
            self.0.zero_point + self.0.scale * lanes[0]
        }
    }

    /// A table of one entry.
    fn table(entry: f64) -> Table {
        let mut table = Table::zeros(1, 1);
        table.set(0, 0, entry);
        table
    }

    #[test]
    fn singles_are_as_wrong_as_is_said() {
        for value in [0.0, -0.1, 1.0 / 3.0, -1e-39, 1.1e-45, 0.7e-45, 3e-300, 1e38, f64::NEG_INFINITY] {
            for set in InstructionSet::ALL {
                let largest = if value.is_finite() { value.abs() } else { 0.0 };
                let singles = set.with(|| WeightsF32::new(&table(value), largest));
                let found = set.run(Stands(singles.entries()));
                assert!(
                    found == value || (found - value).abs() <= singles.entries().error,
                    "{value}: {found}"
                );
            }
        }
    }

    #[test]
    fn shorts_are_as_wrong_as_is_said() {
        for (least, most) in
            [(-12.5, -1.5), (-3.0, 4.0), (0.0, 1e-30), (-1e30, 1e29), (-2.0, -2.0), (0.0, 0.0)]
        {
            for part in [0.0, 1e-9, 0.3, 1.0 / 3.0, 0.5, 0.77, 1.0] {
                let value = least + part * (most - least);
                for set in InstructionSet::ALL {
                    let shorts = set.with(|| WeightsI16::new(&table(value), least, most));
                    let found = set.run(Stands(shorts.entries()));
                    let error = (found - value).abs();
                    assert!(error <= shorts.entries().error + 1e-15 * value.abs(), "{value}: {found}");
                    // Nor are they useless.
                    assert!(error <= 1e-5 * (most - least) + 1e-15 * value.abs(), "{value}: {found}");
                }
            }
        }
    }
}
