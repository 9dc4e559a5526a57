//! The arithmetic of [`window`](super::window): values as short slices whose sums and products do not round.

use std::ops::Range;

use super::{
    ExactSums,
    columns::{add_strip_squares, add_strip_sums},
    window::Lanes,
};
use crate::{
    Missing, ValueProblem,
    instructions::{LANES, Vector},
    observable,
};

/// The bits of a value, from the window's top down, that slices hold.
const BITS: i32 = 80;

/// How far below the window's top a value that is not zero may lie, so that its 53 bits are among these.
const RANGE: i32 = BITS - 53;

/// The tops of windows in which no product of slices underflows, and all that fits is observable: a multiple of
/// `2^-360` and at most `2^400`.
const TOPS: std::ops::RangeInclusive<i32> = -270..=398;

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
        Self {
            tops: sizes.map(|size| {
                let exponent = if size == 0.0 { 0 } else { exponent(size) + 2 };
                power_of_two(exponent.clamp(*TOPS.start(), *TOPS.end()))
            }),
        }
    }

    /// Windows that reach as high as either; both are set, or this one is not.
    pub(super) fn wider(&self, other: &Self) -> Self {
        let mut tops = self.tops;
        for (top, other) in tops.iter_mut().zip(other.tops) {
            *top = top.max(other);
        }
        Self { tops }
    }

    /// Whether there is a window at all.
    pub(super) fn are_set(&self) -> bool {
        self.tops[0] != 0.0
    }

    /// Whether all values that were seen fit.
    #[inline(always)]
    pub(super) fn contain<V: Vector>(&self, seen: &Seen<V>) -> bool {
        let tops = V::load(&self.tops);
        // One less in the bits of the lowest size, as in `seen`.
        let bottoms =
            self.tops.map(|top| f64::from_bits((top * const { power_of_two(-RANGE) }).to_bits() - 1));
        seen.largest.is_at_most(tops)
            && seen.smallest.has_bits_of_at_least(V::load(&bottoms))
            && V::splat(0.0).is_at_most(seen.least)
    }

    /// For each lane the number that, added and taken off again, rounds to multiples of `2^(e - bits)`.
    #[inline(always)]
    fn rounders<V: Vector>(&self, bits: i32) -> V {
        // One and a half times the number whose last bit is that multiple: the sum stays in its binade.
        V::load(&self.tops).times(V::splat(1.5 * power_of_two(52 - bits)))
    }
}

/// The extremes of the values in each lane.
#[derive(Clone, Copy)]
pub(super) struct Seen<V> {
    /// The largest size.
    largest: V,
    /// The smallest size but zero, as [`Vector::smaller_bits`] has it.
    smallest: V,
    /// The least value below zero where there must be none, else zero.
    least: V,
}

impl<V: Vector> Seen<V> {
    /// No values.
    #[inline(always)]
    pub(super) fn nothing() -> Self {
        let all_bits = V::splat(f64::from_bits(u64::MAX));
        Self { largest: V::splat(0.0), smallest: all_bits, least: V::splat(0.0) }
    }

    /// Looks at one value of each lane.
    #[inline(always)]
    pub(super) fn see<S: Slices>(&mut self, values: V) {
        let sizes = values.size();
        self.largest = self.largest.larger(sizes);
        self.smallest = self.smallest.smaller_bits(sizes);
        if !S::SIGNED {
            self.least = self.least.smaller(values);
        }
    }
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

/// `2^exponent`, for a normal result.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// `value` rounded to a multiple, and what is left; both exact.
#[inline(always)]
fn slice<V: Vector>(value: V, rounder: V) -> (V, V) {
    let high = value.plus(rounder).minus(rounder);
    (high, value.minus(high))
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

/// Stores planes unless the first of them says that a value was no number, which makes sums so, too.
#[inline(always)]
fn store_finite<V: Vector, const N: usize>(registers: &[V; N], planes: &mut [Lanes; N]) -> bool {
    let are_finite = registers[0].size().is_at_most(V::splat(f64::MAX));
    if are_finite {
        for (plane, register) in planes.iter_mut().zip(registers) {
            register.store(plane);
        }
    }
    are_finite
}

/// A way to slice values, and what is summed of the slices.
pub(crate) trait Slices: Sized {
    /// The plain sums of one strip.
    type Planes: Copy + Default + std::fmt::Debug + Send;
    /// The same in registers.
    type Registers<V: Vector>: Copy;
    /// What they are emptied into.
    type Sums: Clone + std::fmt::Debug + Send;
    /// What is computed once for many rows.
    type Constants<V: Vector>: Copy;

    /// Whether values may be negative; if not, negative ones do not fit a window.
    const SIGNED: bool;

    /// What is wrong with a value, if anything.
    fn problem(value: f64, missing: Missing) -> Option<ValueProblem>;

    /// Sums of `n_columns` columns, all zero.
    fn sums(n_columns: usize) -> Self::Sums;

    /// What [`add`](Self::add) needs to know of the window.
    fn constants<V: Vector>(edges: &Edges) -> Self::Constants<V>;

    /// The planes from memory.
    fn load<V: Vector>(planes: &Self::Planes) -> Self::Registers<V>;

    /// The planes to memory, unless one is not finite; whether they were stored.
    fn store<V: Vector>(registers: &Self::Registers<V>, planes: &mut Self::Planes) -> bool;

    /// Adds one value to each lane.
    fn add<V: Vector>(registers: &mut Self::Registers<V>, values: V, constants: &Self::Constants<V>);

    /// Moves the lanes `own` of the planes to the sums of as many columns; lane 0 stands for column `first`.
    fn empty(planes: &Self::Planes, sums: &mut Self::Sums, first: usize, own: Range<usize>);

    /// Adds rows to the sums of the columns from `first` on, one value at a time.
    fn add_slowly<'a>(sums: &mut Self::Sums, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone);
}

/// `Σ x` of counts, by two slices of forty bits: each sum of 4096 has at most 52.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts;

impl Slices for Counts {
    type Planes = [Lanes; 2];
    type Registers<V: Vector> = [V; 2];
    type Sums = ExactSums;
    type Constants<V: Vector> = V;

    const SIGNED: bool = false;

    fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
        observable::count(value, missing)
    }

    fn sums(n_columns: usize) -> ExactSums {
        ExactSums::new(n_columns)
    }

    #[inline(always)]
    fn constants<V: Vector>(edges: &Edges) -> V {
        edges.rounders(BITS / 2)
    }

    #[inline(always)]
    fn load<V: Vector>(planes: &[Lanes; 2]) -> [V; 2] {
        load_all(planes)
    }

    #[inline(always)]
    fn store<V: Vector>(registers: &[V; 2], planes: &mut [Lanes; 2]) -> bool {
        store_finite(registers, planes)
    }

    #[inline(always)]
    fn add<V: Vector>(planes: &mut [V; 2], values: V, rounder: &V) {
        let (high, low) = slice(values, *rounder);
        planes[0] = planes[0].plus(high);
        planes[1] = planes[1].plus(low);
    }

    fn empty(planes: &[Lanes; 2], sums: &mut ExactSums, first: usize, own: Range<usize>) {
        add_strip_sums(sums, first + own.start, planes.iter().map(|plane| &plane[own.clone()]));
    }

    fn add_slowly<'a>(sums: &mut ExactSums, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone) {
        add_strip_sums(sums, first, rows);
    }
}

/// `Σ x` and `Σ x²`, by four slices of twenty bits, `x = a + b + c + d`:
///
/// ```text
///  Σ x  = Σ a + Σ b + Σ (c + d)
///  Σ x² = Σ aa + 2 Σ ab + 2 Σ ac + Σ bb + 2 Σ ad + 2 Σ bc + 2 Σ bd + Σ cc + 2 Σ cd + Σ dd
/// ```
///
/// A product has at most 40 bits, a sum of 4096 at most 52. Nine additions for the slices and thirteen operations for
/// the sums, against some 65 for chains of error-free additions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments;

/// `Σ` of three slices, then of ten products; how often each counts.
const FACTORS: [f64; 13] = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 1.0, 2.0, 2.0, 2.0, 1.0, 2.0, 1.0];

/// How many of these are slices.
const N_SLICES: usize = 3;

impl Slices for Moments {
    type Planes = [Lanes; FACTORS.len()];
    type Registers<V: Vector> = [V; FACTORS.len()];
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];
    /// Rounders, and the number 1, unknown to the compiler.
    type Constants<V: Vector> = ([V; 3], V);

    const SIGNED: bool = true;

    fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
        observable::real(value, missing)
    }

    fn sums(n_columns: usize) -> [ExactSums; 2] {
        [ExactSums::new(n_columns), ExactSums::new(n_columns)]
    }

    #[inline(always)]
    fn constants<V: Vector>(edges: &Edges) -> ([V; 3], V) {
        let rounders = [edges.rounders(BITS / 4), edges.rounders(BITS / 2), edges.rounders(BITS / 4 * 3)];
        (rounders, V::splat(std::hint::black_box(1.0)))
    }

    #[inline(always)]
    fn load<V: Vector>(planes: &Self::Planes) -> Self::Registers<V> {
        load_all(planes)
    }

    #[inline(always)]
    fn store<V: Vector>(registers: &Self::Registers<V>, planes: &mut Self::Planes) -> bool {
        store_finite(registers, planes)
    }

    #[inline(always)]
    fn add<V: Vector>(sums: &mut Self::Registers<V>, values: V, (rounders, one): &([V; 3], V)) {
        let (a, rest) = slice(values, rounders[0]);
        let (b, rest) = slice(rest, rounders[1]);
        let (c, d) = slice(rest, rounders[2]);
        // By the multiplier where there is a separate one: the adders are what this loop waits for.
        sums[0] = a.plus_by_multiplier(sums[0], *one);
        sums[1] = b.plus_by_multiplier(sums[1], *one);
        sums[2] = rest.plus_by_multiplier(sums[2], *one);
        sums[3] = a.times_plus(a, sums[3]);
        sums[4] = a.times_plus(b, sums[4]);
        sums[5] = a.times_plus(c, sums[5]);
        sums[6] = b.times_plus(b, sums[6]);
        sums[7] = a.times_plus(d, sums[7]);
        sums[8] = b.times_plus(c, sums[8]);
        sums[9] = b.times_plus(d, sums[9]);
        sums[10] = c.times_plus(c, sums[10]);
        sums[11] = c.times_plus(d, sums[11]);
        sums[12] = d.times_plus(d, sums[12]);
    }

    fn empty(planes: &Self::Planes, [sums, squares]: &mut [ExactSums; 2], first: usize, own: Range<usize>) {
        let mut whole = *planes;
        for (plane, factor) in whole.iter_mut().zip(FACTORS) {
            for sum in plane {
                *sum *= factor;
            }
        }
        let (of_slices, of_products) = whole.split_at(N_SLICES);
        add_strip_sums(sums, first + own.start, of_slices.iter().map(|plane| &plane[own.clone()]));
        add_strip_sums(squares, first + own.start, of_products.iter().map(|plane| &plane[own.clone()]));
    }

    fn add_slowly<'a>(
        [sums, squares]: &mut [ExactSums; 2],
        first: usize,
        rows: impl Iterator<Item = &'a [f64]> + Clone,
    ) {
        add_strip_squares(sums, squares, first, rows);
    }
}
