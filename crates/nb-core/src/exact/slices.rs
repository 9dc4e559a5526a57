//! The arithmetic of [`window`](super::window): values are cut into short slices as they are added.
//!
//! # Idea
//! A plain sum that starts at a large number and stays in its binade takes from a value what is a multiple of its own
//! last bit, and what it leaves is known exactly: the error of the addition (Dekker 1971, *Numerische Mathematik*
//! 18, 224-242). That goes to the next plain sum, and so on until the last one takes all.
//!
//! ```text
//!   value ──┬──▶ 3 N T + Σ     multiples of 2^-41 T, by sums that stay between 2 N T and 4 N T
//!           └rest▶ Σ           at most 2^-42 T each, so that N of them add up without rounding
//! ```
//!
//! `T` is the window's top, which no value exceeds, and `N = 2^10` is [`MOST_ROWS`]. The last sum of `N` rests is at most
//! `2^-32 T`, and exact if all that is added is a multiple of `2^-85 T`.

use std::ops::Range;

use super::{
    ExactSums,
    columns::add_lanes,
    row_set::Cell,
    totals::Totals,
    window::{Lanes, MANY_ROWS, MOST_ROWS},
};
use crate::{
    Missing, ValueProblem,
    instructions::{LANES, Vector},
    observable,
};

/// The tops of windows in which no product of slices underflows, and all that fits is observable: a multiple of
/// `2^-360` and at most `2^400`.
const TOPS: std::ops::RangeInclusive<i32> = -270..=398;

/// Where a sum starts from which values of up to 1 are to leave rests.
const START: f64 = 3.0 * MOST_ROWS as f64;

/// Up to this share of the square of the top the rounding error of a square can be, `2^-54`.
const SQUARE_ERROR: f64 = power_of_two(-54);

/// The edges of a window, for each column of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edges {
    /// `2^e`; zero if there is no window.
    tops: Lanes,
}

impl Edges {
    /// No window: nothing fits.
    pub(super) const NONE: Self = Self { tops: [0.0; LANES] };

    /// Windows with room above the sizes of these values. A column of zeros gets one somewhere.
    pub(super) fn around(sizes: &Lanes) -> Self {
        Self { tops: sizes.map(top_above) }
    }

    /// The windows below these; none where values would be too small for one.
    pub(super) fn below<S: Slices>(&self) -> Self {
        const LEAST: f64 = power_of_two(*TOPS.start());
        let tops = self.tops.map(|top| top * const { power_of_two(-S::RANGE) });
        Self { tops: tops.map(|top| if top < LEAST { 0.0 } else { top }) }
    }

    /// These windows, but moved up where rows are above them, if many or not by far, and down where all of many rows are
    /// below.
    pub(super) fn moved_to<S: Slices>(&self, rows: &[Lanes]) -> Self {
        let mut tops = self.tops;
        for (lane, top) in tops.iter_mut().enumerate() {
            let sizes = rows.iter().map(|row| row[lane].abs());
            let largest = sizes.clone().fold(0.0, f64::max);
            let n_above = sizes.filter(|size| size > top).count();
            let is_above =
                largest > *top && largest < *top * power_of_two(S::RANGE) || 4 * n_above > rows.len();
            let is_below = largest < *top * power_of_two(-S::RANGE) && largest > 0.0;
            if *top == 0.0 || is_above || is_below && rows.len() >= MANY_ROWS {
                *top = top_above(largest);
            }
        }
        Self { tops }
    }

    /// These windows, with one raised to hold this size, if that is above it and not by far: what has turned up once comes
    /// again.
    pub(super) fn raised_to<S: Slices>(mut self, lane: usize, size: f64) -> Option<Self> {
        let top = &mut self.tops[lane];
        if size <= *top || size >= *top * power_of_two(S::RANGE) {
            return None;
        }
        *top = power_of_two((exponent(size) + 1).min(*TOPS.end()));
        (self.tops[lane] > size).then_some(self)
    }

    /// Whether there is a window at all.
    pub(super) fn are_set(&self) -> bool {
        self.tops[0] != 0.0
    }

    /// The least and the largest size that fits, besides zero.
    #[inline(always)]
    pub(super) fn limits<S: Slices, V: Vector>(&self) -> (V, V) {
        let tops = V::load(&self.tops);
        (tops.times(V::splat(const { power_of_two(-S::RANGE) })), tops)
    }

    /// Sums of nothing: the tops, raised to a power, times numbers.
    #[inline(always)]
    fn starts<const N: usize>(&self, factors: [(i32, f64); N]) -> [Lanes; N] {
        let mut starts = [self.tops; N];
        for (start, (power, factor)) in starts.iter_mut().zip(factors) {
            for top in start {
                *top *= if power == 1 { factor } else { *top * factor };
            }
        }
        starts
    }
}

/// The top of a window with room above a size.
fn top_above(size: f64) -> f64 {
    let exponent = if size == 0.0 { 0 } else { exponent(size) + 2 };
    power_of_two(exponent.clamp(*TOPS.start(), *TOPS.end()))
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// `2^exponent`, for a normal result.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Adds to `sum` what is a multiple of its last bit and nearest to `value`, and returns what is left of it.
#[inline(always)]
fn take<V: Vector>(sum: &mut V, value: V, one: V) -> V {
    let more = sum.plus(value);
    let taken = more.minus_by_multiplier(*sum, one);
    *sum = more;
    value.minus(taken)
}

/// Loads planes. (`map` on arrays would not be compiled with the instructions of the caller.)
#[inline(always)]
fn load_all<V: Vector, const N: usize>(planes: &[Lanes; N]) -> [V; N] {
    let mut registers = [V::splat(0.0); N];
    for (register, plane) in registers.iter_mut().zip(planes) {
        *register = V::load(plane);
    }
    registers
}

/// Stores planes.
#[inline(always)]
fn store_all<V: Vector, const N: usize>(registers: &[V; N], planes: &mut [Lanes; N]) {
    for (plane, register) in planes.iter_mut().zip(registers) {
        register.store(plane);
    }
}

/// What was added to planes since they were at their starts.
#[inline(always)]
fn gathered<const N: usize>(mut planes: [Lanes; N], starts: &[Lanes; N]) -> [Lanes; N] {
    for (plane, start) in planes.as_flattened_mut().iter_mut().zip(starts.as_flattened()) {
        *plane -= start;
    }
    planes
}

/// A way to slice values, and what is summed of the slices.
pub(crate) trait Slices: Sized {
    /// What values are given as.
    type Cell: Cell;
    /// The plain sums of one strip.
    type Planes: Copy + Default + std::fmt::Debug + Send;
    /// The same in registers.
    type Registers<V: Vector>: Copy;
    /// What they are emptied into.
    type Sums: Totals;

    /// Whether values may be negative; if not, negative ones do not fit a window.
    const SIGNED: bool;

    /// How many powers of two below the window's top a value that is not zero may lie.
    const RANGE: i32;

    /// What is wrong with a value, if anything.
    fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
        if Self::SIGNED { observable::real(value, missing) } else { observable::count(value, missing) }
    }

    /// The planes of nothing in a window.
    fn starts(edges: &Edges) -> Self::Planes;

    /// The planes from memory.
    fn load<V: Vector>(planes: &Self::Planes) -> Self::Registers<V>;

    /// The planes to memory.
    fn store<V: Vector>(registers: &Self::Registers<V>, planes: &mut Self::Planes);

    /// Adds one value to each lane. `one` is 1, unknown to the compiler.
    fn add<V: Vector>(registers: &mut Self::Registers<V>, values: V, one: V);

    /// Whether nothing was added that is not a number, where values are [`SIGNED`](Self::SIGNED).
    fn are_numbers<V: Vector>(registers: &Self::Registers<V>) -> bool;

    /// Moves the lanes `own` of the planes to the sums of as many columns; lane 0 stands for column `first`.
    fn empty<V: Vector>(
        planes: &Self::Planes,
        edges: &Edges,
        sums: &mut Self::Sums,
        first: usize,
        own: Range<usize>,
    );
}

/// `Σ x` of counts: a multiple of `2^-81 T` if not below `2^-28 T`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts;

impl Slices for Counts {
    type Cell = f64;
    type Planes = [Lanes; 2];
    type Registers<V: Vector> = [V; 2];
    type Sums = ExactSums;

    const SIGNED: bool = false;
    const RANGE: i32 = 28;

    #[inline(always)]
    fn starts(edges: &Edges) -> [Lanes; 2] {
        edges.starts([(1, START), (1, 0.0)])
    }

    #[inline(always)]
    fn load<V: Vector>(planes: &[Lanes; 2]) -> [V; 2] {
        load_all(planes)
    }

    #[inline(always)]
    fn store<V: Vector>(registers: &[V; 2], planes: &mut [Lanes; 2]) {
        store_all(registers, planes);
    }

    #[inline(always)]
    fn add<V: Vector>([high, low]: &mut [V; 2], values: V, one: V) {
        let rest = take(high, values, one);
        *low = low.plus(rest);
    }

    fn are_numbers<V: Vector>(_: &[V; 2]) -> bool {
        true
    }

    #[inline(always)]
    fn empty<V: Vector>(
        planes: &[Lanes; 2],
        edges: &Edges,
        sums: &mut ExactSums,
        first: usize,
        own: Range<usize>,
    ) {
        let planes = gathered(*planes, &Self::starts(edges));
        add_lanes::<V>(sums, first, own, &planes);
    }
}

/// `Σ x` and `Σ x²`. A square is its rounded value, at most `T²`, and the error of that, at most `2^-54 T²`; each goes to
/// two sums. If `x` is not below `2^-16 T`, they are multiples of `2^-84 T²` and `2^-136 T² = 2^-82 (2^-54 T²)`.
///
/// Fourteen operations, against some 65 for chains of error-free additions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments;

impl Slices for Moments {
    type Cell = f64;
    type Planes = [Lanes; 6];
    type Registers<V: Vector> = [V; 6];
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];

    const SIGNED: bool = true;
    const RANGE: i32 = 16;

    #[inline(always)]
    fn starts(edges: &Edges) -> Self::Planes {
        edges.starts([(1, START), (1, 0.0), (2, START), (2, 0.0), (2, START * SQUARE_ERROR), (2, 0.0)])
    }

    #[inline(always)]
    fn load<V: Vector>(planes: &Self::Planes) -> Self::Registers<V> {
        load_all(planes)
    }

    #[inline(always)]
    fn store<V: Vector>(registers: &Self::Registers<V>, planes: &mut Self::Planes) {
        store_all(registers, planes);
    }

    #[inline(always)]
    fn add<V: Vector>([sum, sum_low, square, square_low, error, error_low]: &mut [V; 6], values: V, one: V) {
        let (product, product_error) = values.square();
        // By the multiplier where there is a separate one: the adders are what this loop waits for.
        *sum_low = take(sum, values, one).plus_by_multiplier(*sum_low, one);
        *square_low = take(square, product, one).plus_by_multiplier(*square_low, one);
        *error_low = take(error, product_error, one).plus_by_multiplier(*error_low, one);
    }

    #[inline(always)]
    fn are_numbers<V: Vector>([sum, ..]: &[V; 6]) -> bool {
        sum.is_at_most(V::splat(f64::MAX))
    }

    #[inline(always)]
    fn empty<V: Vector>(
        planes: &Self::Planes,
        edges: &Edges,
        [sums, squares]: &mut [ExactSums; 2],
        first: usize,
        own: Range<usize>,
    ) {
        let [high, low, of_squares @ ..] = gathered(*planes, &Self::starts(edges));
        add_lanes::<V>(sums, first, own.clone(), &[high, low]);
        add_lanes::<V>(squares, first, own, &of_squares);
    }
}

/// The same for values of single precision, whose squares have at most 48 bits and no error: multiples of `2^-84 T²`
/// unless `x` is below `2^-19 T`. Sums of the values themselves, multiples of `2^-42 T`, never round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleMoments;

impl Slices for SingleMoments {
    type Cell = f32;
    type Planes = [Lanes; 3];
    type Registers<V: Vector> = [V; 3];
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];

    const SIGNED: bool = true;
    const RANGE: i32 = 19;

    #[inline(always)]
    fn starts(edges: &Edges) -> Self::Planes {
        edges.starts([(1, 0.0), (2, START), (2, 0.0)])
    }

    #[inline(always)]
    fn load<V: Vector>(planes: &Self::Planes) -> Self::Registers<V> {
        load_all(planes)
    }

    #[inline(always)]
    fn store<V: Vector>(registers: &Self::Registers<V>, planes: &mut Self::Planes) {
        store_all(registers, planes);
    }

    #[inline(always)]
    fn add<V: Vector>([sum, square, square_low]: &mut [V; 3], values: V, one: V) {
        *sum = sum.plus(values);
        *square_low = take(square, values.times(values), one).plus_by_multiplier(*square_low, one);
    }

    #[inline(always)]
    fn are_numbers<V: Vector>([sum, ..]: &[V; 3]) -> bool {
        sum.is_at_most(V::splat(f64::MAX))
    }

    #[inline(always)]
    fn empty<V: Vector>(
        planes: &Self::Planes,
        edges: &Edges,
        [sums, squares]: &mut [ExactSums; 2],
        first: usize,
        own: Range<usize>,
    ) {
        let [sum, of_squares @ ..] = gathered(*planes, &Self::starts(edges));
        add_lanes::<V>(sums, first, own.clone(), &[sum]);
        add_lanes::<V>(squares, first, own, &of_squares);
    }
}
