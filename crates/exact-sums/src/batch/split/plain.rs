//! Plain sums that take what they can hold.
//!
//! # Idea
//! A plain sum that starts at a large number and stays in its binade takes from a value what is a multiple of
//! its own last bit, and what it leaves is known exactly: the error of the addition (Dekker 1971, *Numerische
//! Mathematik* 18, 224-242). That goes to the next plain sum, and so on until the last one takes all.
//!
//! ```text
//!   value ──┬──▶ 3 N T + Σ     multiples of 2^-41 T, by sums that stay between 2 N T and 4 N T
//!           └rest▶ Σ           at most 2^-42 T each, so that N of them add up without rounding
//! ```
//!
//! `T` is the bin's top, which no value exceeds, and `N = 2^10` is [`MOST_ROWS`]. The last sum of `N` rests
//! is at most `2^-32 T`, and exact if all that is added is a multiple of `2^-85 T`.

use std::ops::Range;

use crate::{
    batch::{
        Lanes,
        bounds::{BinBounds, power_of_two},
        split::{Split, load_all, store_all},
    },
    chains::add_lanes,
    sums::ExactSums,
};
use nb_simd::{FixedPoint, MagnitudeRange, Vector};

/// How many rows can be added before a plain sum could round. Twice as many would leave out twice as many
/// small values; half as many are moved to the exact sums too often.
const MOST_ROWS: usize = 1 << 10;

/// Where a sum starts from which values of up to 1 are to leave rests.
const START: f64 = 3.0 * MOST_ROWS as f64;

/// Up to this share of the square of the top the rounding error of a square can be, `2^-54`.
const SQUARE_ERROR: f64 = power_of_two(-54);

/// Adds to `sum` what is a multiple of its last bit and nearest to `value`, and returns what is left of it.
#[inline(always)]
fn take<V: Vector>(sum: &mut V, value: V, one: V) -> V {
    let more = sum.add(value);
    let taken = more.sub_on_fma_port(*sum, one);
    *sum = more;
    value.sub(taken)
}

/// What was added to planes since they were at their starts.
#[inline(always)]
fn gathered<const N: usize>(mut planes: [Lanes; N], starts: &[Lanes; N]) -> [Lanes; N] {
    for (plane, start) in planes.as_flattened_mut().iter_mut().zip(starts.as_flattened()) {
        *plane -= start;
    }
    debug_assert!(are_exact(&planes, starts), "PROOFS.md, lemma 9: {planes:?} from {starts:?}");
    planes
}

/// Whether what was gathered shows that no sum left its binade, and that rests were not too large to be added
/// up.
fn are_exact<const N: usize>(gathered: &[Lanes; N], starts: &[Lanes; N]) -> bool {
    /// The largest rest, of the top.
    const REST: f64 = power_of_two(-42);
    (0..N).all(|plane| {
        gathered[plane].iter().enumerate().all(|(lane, sum)| match starts[plane][lane] {
            0.0 if plane == 0 || starts[plane - 1][lane] == 0.0 => true,
            0.0 => sum.abs() <= starts[plane - 1][lane] / 3.0 * REST,
            start => sum.abs() <= start / 3.0,
        })
    })
}

/// Plain sums in registers, and the sizes of what was added.
#[derive(Clone, Copy, Debug)]
pub struct Registers<V, const N: usize> {
    sums: [V; N],
    span: MagnitudeRange<V>,
}

impl<V: FixedPoint, const N: usize> Registers<V, N> {
    #[inline(always)]
    fn load(planes: &[Lanes; N]) -> Self {
        Self { sums: load_all(planes), span: MagnitudeRange::empty() }
    }

    /// Whether all sizes fit the bin.
    #[inline(always)]
    fn all_fitted<S: Split>(&self, bounds: &BinBounds) -> bool {
        let (lowest, highest) = bounds.limits::<S, V>();
        // Sizes may pass over what is no number.
        self.span.is_between(lowest, highest) && self.sums[0].all_le(V::splat(f64::MAX))
    }
}

/// `Σ x` of counts: a multiple of `2^-80 T` if not below `2^-28 T`.
#[derive(Clone, Copy, Debug)]
pub struct BinnedCounts;

impl Split for BinnedCounts {
    type Cell = f64;
    type Planes = [Lanes; 2];
    type Registers<V: FixedPoint> = Registers<V, 2>;
    type Sums = ExactSums;

    const SIGNED: bool = false;
    const MOST_ROWS: usize = MOST_ROWS;
    const RANGE: i32 = 28;

    #[inline(always)]
    fn starts(bounds: &BinBounds) -> [Lanes; 2] {
        bounds.starts([(1, START), (1, 0.0)])
    }

    #[inline(always)]
    fn load<V: FixedPoint>(planes: &[Lanes; 2], _: &BinBounds) -> Self::Registers<V> {
        Registers::load(planes)
    }

    #[inline(always)]
    fn store<V: FixedPoint>(registers: &Self::Registers<V>, planes: &mut [Lanes; 2]) {
        store_all(&registers.sums, planes);
    }

    #[inline(always)]
    fn add<V: FixedPoint>(registers: &mut Self::Registers<V>, values: V, one: V) {
        registers.span.include(values);
        let [high, low] = &mut registers.sums;
        let rest = take(high, values, one);
        *low = low.add(rest);
    }

    #[inline(always)]
    fn all_fitted<V: FixedPoint>(registers: &Self::Registers<V>, bounds: &BinBounds, _: usize) -> bool {
        registers.all_fitted::<Self>(bounds)
    }

    #[inline(always)]
    fn empty<V: FixedPoint>(
        planes: &[Lanes; 2],
        bounds: &BinBounds,
        _: usize,
        sums: &mut ExactSums,
        first: usize,
        own: Range<usize>,
    ) {
        let planes = gathered(*planes, &Self::starts(bounds));
        add_lanes::<V>(sums, first, own, &planes);
    }
}

/// `Σ x` and `Σ x²`. A square is its rounded value, at most `T²`, and the error of that, at most `2^-54 T²`;
/// each goes to two sums. If `x` is not below `2^-16 T`, they are multiples of `2^-84 T²` and `2^-136 T² =
/// 2^-82 (2^-54 T²)`.
///
/// Fourteen operations, against some 65 for chains of error-free additions.
#[derive(Clone, Copy, Debug)]
pub struct BinnedMoments;

impl Split for BinnedMoments {
    type Cell = f64;
    type Planes = [Lanes; 6];
    type Registers<V: FixedPoint> = Registers<V, 6>;
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];

    const SIGNED: bool = true;
    const MOST_ROWS: usize = MOST_ROWS;
    const RANGE: i32 = 16;

    #[inline(always)]
    fn starts(bounds: &BinBounds) -> Self::Planes {
        bounds.starts([(1, START), (1, 0.0), (2, START), (2, 0.0), (2, START * SQUARE_ERROR), (2, 0.0)])
    }

    #[inline(always)]
    fn load<V: FixedPoint>(planes: &Self::Planes, _: &BinBounds) -> Self::Registers<V> {
        Registers::load(planes)
    }

    #[inline(always)]
    fn store<V: FixedPoint>(registers: &Self::Registers<V>, planes: &mut Self::Planes) {
        store_all(&registers.sums, planes);
    }

    #[inline(always)]
    fn add<V: FixedPoint>(registers: &mut Self::Registers<V>, values: V, one: V) {
        registers.span.include_abs(values);
        let [sum, sum_low, square, square_low, error, error_low] = &mut registers.sums;
        let (product, product_error) = values.square();
        // By the multiplier where there is a separate one: the adders are what this loop waits for.
        *sum_low = take(sum, values, one).add_on_fma_port(*sum_low, one);
        *square_low = take(square, product, one).add_on_fma_port(*square_low, one);
        *error_low = take(error, product_error, one).add_on_fma_port(*error_low, one);
    }

    #[inline(always)]
    fn all_fitted<V: FixedPoint>(registers: &Self::Registers<V>, bounds: &BinBounds, _: usize) -> bool {
        registers.all_fitted::<Self>(bounds)
    }

    #[inline(always)]
    fn empty<V: FixedPoint>(
        planes: &Self::Planes,
        bounds: &BinBounds,
        _: usize,
        [sums, squares]: &mut [ExactSums; 2],
        first: usize,
        own: Range<usize>,
    ) {
        let [high, low, of_squares @ ..] = gathered(*planes, &Self::starts(bounds));
        add_lanes::<V>(sums, first, own.clone(), &[high, low]);
        add_lanes::<V>(squares, first, own, &of_squares);
    }
}

/// The same for values of single precision, whose squares have at most 48 bits and no error: multiples of
/// `2^-84 T²` unless `x` is below `2^-19 T`. Sums of the values themselves, multiples of `2^-42 T`, never
/// round.
#[derive(Clone, Copy, Debug)]
pub struct BinnedMomentsF32;

impl Split for BinnedMomentsF32 {
    type Cell = f32;
    type Planes = [Lanes; 3];
    type Registers<V: FixedPoint> = Registers<V, 3>;
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];

    const SIGNED: bool = true;
    const MOST_ROWS: usize = MOST_ROWS;
    const RANGE: i32 = 19;

    #[inline(always)]
    fn starts(bounds: &BinBounds) -> Self::Planes {
        bounds.starts([(1, 0.0), (2, START), (2, 0.0)])
    }

    #[inline(always)]
    fn load<V: FixedPoint>(planes: &Self::Planes, _: &BinBounds) -> Self::Registers<V> {
        Registers::load(planes)
    }

    #[inline(always)]
    fn store<V: FixedPoint>(registers: &Self::Registers<V>, planes: &mut Self::Planes) {
        store_all(&registers.sums, planes);
    }

    #[inline(always)]
    fn add<V: FixedPoint>(registers: &mut Self::Registers<V>, values: V, one: V) {
        registers.span.include_abs(values);
        let [sum, square, square_low] = &mut registers.sums;
        *sum = sum.add(values);
        *square_low = take(square, values.mul(values), one).add_on_fma_port(*square_low, one);
    }

    #[inline(always)]
    fn all_fitted<V: FixedPoint>(registers: &Self::Registers<V>, bounds: &BinBounds, _: usize) -> bool {
        registers.all_fitted::<Self>(bounds)
    }

    #[inline(always)]
    fn empty<V: FixedPoint>(
        planes: &Self::Planes,
        bounds: &BinBounds,
        _: usize,
        [sums, squares]: &mut [ExactSums; 2],
        first: usize,
        own: Range<usize>,
    ) {
        let [sum, of_squares @ ..] = gathered(*planes, &Self::starts(bounds));
        add_lanes::<V>(sums, first, own.clone(), &[sum]);
        add_lanes::<V>(squares, first, own, &of_squares);
    }
}
