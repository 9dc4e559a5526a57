//! The arithmetic of [bins](super): values are cut into short parts, and those are summed.
//!
//! There are two ways: [`plain`] sums that take what they can hold without rounding, for all processors, and
//! sums of whole numbers, [`fixed_point`], for those that multiply them quickly.

mod fixed_point;
mod plain;

use std::ops::Range;

use crate::{
    batch::{Lanes, bounds::BinBounds, row_view::Cell, totals::Totals},
    domain::{self, Nan},
};
use nb_simd::{FixedPoint, InstructionSet, Kernel};

pub use fixed_point::{FixedMoments, FixedMomentsF32};
pub use plain::{BinnedCounts, BinnedMoments, BinnedMomentsF32};

/// A way to slice values, and what is summed of the parts.
pub trait Split: Sized {
    /// What values are given as.
    type Cell: Cell;
    /// The sums of one column group.
    type Planes: Copy + Default + std::fmt::Debug + Send;
    /// The same in registers, and what is known of the values that were added to them there.
    type Registers<V: FixedPoint>: Copy;
    /// What they are emptied into.
    type Sums: Totals;

    /// Whether values may be negative; if not, negative ones do not fit a bin.
    const SIGNED: bool;

    /// How many rows can be added to the planes before some sum could lose a bit.
    const MOST_ROWS: usize;

    /// How many powers of two below the bin's top a value that is not zero may lie.
    const RANGE: i32;

    /// Runs a kernel that adds values, compiled for a set of instructions.
    fn run<K: Kernel>(set: InstructionSet, kernel: K) -> K::Output {
        set.run(kernel)
    }

    /// Whether a value can be summed.
    fn accepts(value: f64, nan: Nan) -> bool {
        domain::accepts(value, Self::SIGNED, nan)
    }

    /// The planes of nothing in a bin.
    fn starts(bounds: &BinBounds) -> Self::Planes;

    /// The planes from memory.
    fn load<V: FixedPoint>(planes: &Self::Planes, bounds: &BinBounds) -> Self::Registers<V>;

    /// The planes to memory.
    fn store<V: FixedPoint>(registers: &Self::Registers<V>, planes: &mut Self::Planes);

    /// Adds one value to each lane. `one` is 1, unknown to the compiler.
    fn add<V: FixedPoint>(registers: &mut Self::Registers<V>, values: V, one: V);

    /// Whether all values that were added since the planes came from memory fitted the bin, which has then
    /// taken `n_rows` rows.
    fn all_fitted<V: FixedPoint>(registers: &Self::Registers<V>, bounds: &BinBounds, n_rows: usize) -> bool;

    /// Moves the lanes `own` of the planes, which have had this many rows, to the sums of as many columns;
    /// lane 0 stands for column `first`.
    fn empty<V: FixedPoint>(
        planes: &Self::Planes,
        bounds: &BinBounds,
        n_rows: usize,
        sums: &mut Self::Sums,
        first: usize,
        own: Range<usize>,
    );
}

/// Loads planes. (`map` on arrays would not be compiled with the instructions of the caller.)
#[inline(always)]
fn load_all<V: FixedPoint, const N: usize>(planes: &[Lanes; N]) -> [V; N] {
    let mut registers = [V::splat(0.0); N];
    for (register, plane) in registers.iter_mut().zip(planes) {
        *register = V::load(plane);
    }
    registers
}

/// Stores planes.
#[inline(always)]
fn store_all<V: FixedPoint, const N: usize>(registers: &[V; N], planes: &mut [Lanes; N]) {
    for (plane, register) in planes.iter_mut().zip(registers) {
        register.store(plane);
    }
}
