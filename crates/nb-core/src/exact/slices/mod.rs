//! The arithmetic of [`window`](super::window): values are cut into short slices, and those are summed.
//!
//! There are two ways: [`plain`] sums that take what they can hold without rounding, for all processors, and sums of whole
//! numbers, [`fixed_point`], for those that multiply them quickly.

mod fixed_point;
mod plain;

use std::ops::Range;

use super::{edges::Edges, row_set::Cell, totals::Totals, window::Lanes};
use nb_simd::{FixedPoint, InstructionSet, Kernel};

use crate::{Missing, ValueProblem, observable};

pub(crate) use fixed_point::{FixedMoments, FixedSingleMoments};
pub(crate) use plain::{Counts, Moments, SingleMoments};

/// A way to slice values, and what is summed of the slices.
pub(crate) trait Slices: Sized {
    /// What values are given as.
    type Cell: Cell;
    /// The sums of one strip.
    type Planes: Copy + Default + std::fmt::Debug + Send;
    /// The same in registers, and what is known of the values that were added to them there.
    type Registers<V: FixedPoint>: Copy;
    /// What they are emptied into.
    type Sums: Totals;

    /// Whether values may be negative; if not, negative ones do not fit a window.
    const SIGNED: bool;

    /// How many rows can be added to the planes before some sum could lose a bit.
    const MOST_ROWS: usize;

    /// How many powers of two below the window's top a value that is not zero may lie.
    const RANGE: i32;

    /// Runs a kernel that adds values, compiled for a set of instructions.
    fn run<K: Kernel>(set: InstructionSet, kernel: K) -> K::Output {
        set.run(kernel)
    }

    /// What is wrong with a value, if anything.
    fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
        if Self::SIGNED { observable::real(value, missing) } else { observable::count(value, missing) }
    }

    /// The planes of nothing in a window.
    fn starts(edges: &Edges) -> Self::Planes;

    /// The planes from memory.
    fn load<V: FixedPoint>(planes: &Self::Planes, edges: &Edges) -> Self::Registers<V>;

    /// The planes to memory.
    fn store<V: FixedPoint>(registers: &Self::Registers<V>, planes: &mut Self::Planes);

    /// Adds one value to each lane. `one` is 1, unknown to the compiler.
    fn add<V: FixedPoint>(registers: &mut Self::Registers<V>, values: V, one: V);

    /// Whether all values fitted the window that were added since the planes came from memory. With them it has had so many
    /// rows.
    fn all_fitted<V: FixedPoint>(registers: &Self::Registers<V>, edges: &Edges, n_rows: usize) -> bool;

    /// Moves the lanes `own` of the planes, which have had so many rows, to the sums of as many columns; lane 0 stands for
    /// column `first`.
    fn empty<V: FixedPoint>(
        planes: &Self::Planes,
        edges: &Edges,
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
