//! Sums of whole numbers, for processors that multiply those of 52 bits as quickly as they multiply doubles.
//!
//! # Idea
//! Added to `6 T`, where `T` is the bin's top, a value is rounded to a multiple of `u = 2^-50 T`, and which
//! one the low 52 bits of the sum tell: a number in fixed point. What is left of the value is known exactly
//! (Dekker 1971, *Numerische Mathematik* 18, 224-242) and goes the same way to multiples of `v = 2^-25 u`.
//!
//! ```text
//!   value ──┬──▶ 6 T + value   bits: a whole number h + 2^51, this many u
//!           └rest▶ M + rest    bits: a whole number r + 2^25, this many v
//!
//!   Σ x  = u Σ h + v Σ r
//!   Σ x² = u² Σ h² + 2 u v Σ h r + v² Σ r²
//! ```
//!
//! Of products of such bits the processor adds the lower and the upper 52 to sums of 64 bits, which take
//! [`MOST_ROWS`] of them (VPMADD52LUQ and VPMADD52HUQ; Gueron and Krasnov 2016, *Accelerating big integer
//! arithmetic using Intel IFMA extensions*, 23rd IEEE Symposium on Computer Arithmetic). Multiplied is what
//! the bits say, `h + 2^51` and `r + 2^25`; what that is too much is a matter of `Σ h`, `Σ r` and the number
//! of rows, and is taken off in the end.
//!
//! # Whether a value fits
//! It does if the first sum stays in the binade of `6 T`, which its upper bits tell, and if the value is a
//! multiple of `v`. Two sums of the rests prove that: one of the whole numbers, which are rounded down, and a
//! plain one that is rounded up at each addition. They are the same only if nothing was rounded, however
//! small it was.
//!
//! Thirteen operations for `Σ x` and `Σ x²` and whether all fits, where plain sums take seventeen; on Zen 4
//! fits take a sixth less time, of single precision a fifth. Bins reach down to values a hundred times
//! smaller besides.

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
use nb_simd::{FixedPoint, InstructionSet, Kernel, LANES};

/// The bits of a number in fixed point.
const BITS: u32 = 52;
const MANTISSA: u64 = (1 << BITS) - 1;

/// Number of products of 52 bits whose sum is below `2^64`.
const MOST_ROWS: usize = 1 << (64 - BITS);

/// What the bits say too much of a value.
const TOO_MUCH: u64 = 1 << (BITS - 1);

/// The bits of a rest, and what its bits say too much.
const REST_BITS: u32 = 25;
const TOO_MUCH_OF_REST: u64 = 1 << REST_BITS;

/// What values are added to so that their bits tell multiples of a unit, as many units as there are.
const fn grid(too_much: u64) -> f64 {
    ((1 << BITS) + too_much) as f64
}

/// Sums in registers, and what tells whether all values fitted.
#[derive(Clone, Copy, Debug)]
pub struct Registers<V, const N: usize> {
    sums: [V; N],
    /// What values are added to.
    grid: V,
    /// The bits in which the sums of values and the grid differ.
    differences: V,
}

impl<V: FixedPoint, const N: usize> Registers<V, N> {
    #[inline(always)]
    fn load(planes: &[Lanes; N], grid: V) -> Self {
        Self { sums: load_all(planes), grid, differences: V::splat(0.0) }
    }

    /// Whether no value left the binade of the grid.
    #[inline(always)]
    fn stayed_on_grid(&self) -> bool {
        V::splat(f64::from_bits(MANTISSA)).bits_ge(self.differences)
    }
}

/// The tops of bins times a number.
#[inline(always)]
fn tops_times<V: FixedPoint>(bounds: &BinBounds, factor: f64) -> V {
    V::load(bounds.tops()).mul(V::splat(factor))
}

/// What some whole numbers add up to, of which the sum of the bits is known, on a grid.
#[inline(always)]
fn on_grid(bits: u64, grid: f64, n_rows: usize) -> i64 {
    bits.wrapping_sub((n_rows as u64).wrapping_mul(grid.to_bits())).cast_signed()
}

/// `Σ h²` as its lower 52 bits and what is above them, by the sums for `h + 2^51`, which are `2^52 (Σ h +
/// 2^50 n)` too much.
#[inline(always)]
fn square_of_whole(lower: u64, upper: u64, whole: i64, n_rows: usize) -> (i64, i64) {
    let too_much = whole.cast_unsigned().wrapping_add((n_rows as u64) << (BITS - 2));
    let above = upper.wrapping_add(lower >> BITS).wrapping_sub(too_much);
    (low_bits(lower.cast_signed(), BITS), above.cast_signed())
}

/// What is left of a number less a multiple of `2^n_bits`.
#[inline(always)]
fn low_bits(number: i64, n_bits: u32) -> i64 {
    number & ((1 << n_bits) - 1)
}

/// A number as doubles in units of `2^n_bits` and of 1.
#[inline(always)]
fn split(number: i64, n_bits: u32) -> (f64, f64) {
    ((number >> n_bits) as f64, low_bits(number, n_bits) as f64)
}

/// Moves the lanes `own` of the planes to the sums of as many columns. `totals` says what the sums of one
/// lane come to, given its top and the number of rows: the parts of `Σ x` and of `Σ x²`.
#[inline(always)]
fn empty_lanes<V: FixedPoint, const N: usize, const P: usize>(
    planes: &[Lanes; N],
    bounds: &BinBounds,
    n_rows: usize,
    totals: impl Fn([u64; N], f64, usize) -> ([f64; 2], [f64; P]),
    [sums, squares]: &mut [ExactSums; 2],
    first: usize,
    own: Range<usize>,
) {
    let (mut of_sums, mut of_squares) = ([[0.0; LANES]; 2], [[0.0; LANES]; P]);
    for (lane, &top) in bounds.tops().iter().enumerate() {
        let (sum, square) = totals(planes.map(|plane| plane[lane].to_bits()), top, n_rows);
        of_sums.iter_mut().zip(sum).for_each(|(lanes, part)| lanes[lane] = part);
        of_squares.iter_mut().zip(square).for_each(|(lanes, part)| lanes[lane] = part);
    }
    add_lanes::<V>(sums, first, own.clone(), &of_sums);
    add_lanes::<V>(squares, first, own, &of_squares);
}

/// `Σ x` and `Σ x²` of doubles. A value not below `2^-23 T` is a multiple of `2^-75 T`, which is `v`.
#[derive(Clone, Copy, Debug)]
pub struct FixedMoments;

impl FixedMoments {
    /// `u` and `v`, in tops.
    const UNIT: f64 = power_of_two(-50);
    const REST_UNIT: f64 = power_of_two(-50 - REST_BITS.cast_signed());

    const GRID: f64 = Self::UNIT * grid(TOO_MUCH);
    const REST_GRID: f64 = Self::REST_UNIT * grid(TOO_MUCH_OF_REST);

    /// `Σ x` and `Σ x²` of one lane, the largest parts first. (Numbers of 128 bits would be shorter to write,
    /// but not go by vectors: fits of wide tables take some 2 % longer.)
    #[inline(always)]
    fn totals(sums: [u64; 8], top: f64, n_rows: usize) -> ([f64; 2], [f64; 4]) {
        let [wholes, rests, square_low, square_high, mixed_low, mixed_high, rest_square, _] = sums;
        let n = n_rows.cast_signed() as i64;
        let whole = on_grid(wholes, top * Self::GRID, n_rows);
        let rest = on_grid(rests, top * Self::REST_GRID, n_rows);

        // Of products (h + a)(r + b) = h r + a (r + b) + b h the sums are that much too large:
        //   Σ h² = square + 2^52 square_above,  Σ h r = mixed_low + 2^51 mixed_above - 2^25 Σ h.
        let (square, square_above) = square_of_whole(square_low, square_high, whole, n_rows);
        let mixed_above = 2 * mixed_high.cast_signed() - rest - (n << 25);
        let rest_square = rest_square.cast_signed().wrapping_sub((rest << 26).wrapping_add(n << 50));

        // All three in units of v², where 2^25 are u v and 2^50 are u²: the lowest 50 bits, the next 52, and
        // the others.
        let lowest = rest_square + (low_bits(mixed_low.cast_signed(), 24) << 26);
        let middle = square + (mixed_low >> 24).cast_signed() + (low_bits(mixed_above, 25) << 27)
            - (low_bits(whole, 51) << 1)
            + (lowest >> 50);
        let highest = square_above + (mixed_above >> 25) - (whole >> 51) + (middle >> 52);
        debug_assert!(n_rows <= MOST_ROWS, "PROOFS.md, lemma 15: {n_rows} rows");
        debug_assert!(
            // There is no grid without a top.
            top == 0.0
                || rest.abs() <= n << 24
                    && (0..=n << 48).contains(&rest_square)
                    && (0..1 << 61).contains(&lowest)
                    && (-1 << 52..1 << 54).contains(&middle)
                    && highest >= 0,
            "PROOFS.md, lemma 13: {rest} {rest_square} {lowest} {middle} {highest} of {n} rows"
        );
        let (upper, lower) = split(highest, 32);
        let (u, v) = (top * Self::UNIT, top * Self::REST_UNIT);
        let squares = [
            upper * (u * power_of_two(52 + 32) * u),
            lower * (u * power_of_two(52) * u),
            low_bits(middle, 52) as f64 * (u * u),
            low_bits(lowest, 50) as f64 * (v * v),
        ];

        // Σ x = u Σ h + v Σ r.
        let (upper, lower) = split(whole, 25);
        ([upper * (u * power_of_two(25)), (lower * power_of_two(25) + rest as f64) * v], squares)
    }
}

impl Split for FixedMoments {
    type Cell = f64;
    type Planes = [Lanes; 8];
    type Registers<V: FixedPoint> = (Registers<V, 8>, V);
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];

    const SIGNED: bool = true;
    const MOST_ROWS: usize = MOST_ROWS;
    const RANGE: i32 = 23;

    fn run<K: Kernel>(set: InstructionSet, kernel: K) -> K::Output {
        set.run_with_ifma(kernel)
    }

    #[inline(always)]
    fn starts(_: &BinBounds) -> Self::Planes {
        Self::Planes::default()
    }

    #[inline(always)]
    fn load<V: FixedPoint>(planes: &Self::Planes, bounds: &BinBounds) -> Self::Registers<V> {
        (Registers::load(planes, tops_times(bounds, Self::GRID)), tops_times(bounds, Self::REST_GRID))
    }

    #[inline(always)]
    fn store<V: FixedPoint>((registers, _): &Self::Registers<V>, planes: &mut Self::Planes) {
        store_all(&registers.sums, planes);
    }

    #[inline(always)]
    fn add<V: FixedPoint>((registers, rest_grid): &mut Self::Registers<V>, values: V, _: V) {
        let Registers { sums, grid, differences } = registers;
        let [wholes, rests, square_low, square_high, mixed_low, mixed_high, rest_square, sum_of_rests] = sums;
        let whole = values.add(*grid);
        let left = values.sub(whole.sub(*grid));
        let rest = left.add_down(*rest_grid);
        *differences = differences.or_xor(whole, *grid);
        *wholes = wholes.add_bits(whole);
        *rests = rests.add_bits(rest);
        *sum_of_rests = sum_of_rests.add_up(left);
        *square_low = square_low.madd52_low(whole, whole);
        *square_high = square_high.madd52_high(whole, whole);
        *mixed_low = mixed_low.madd52_low(whole, rest);
        *mixed_high = mixed_high.madd52_high(whole, rest);
        // The upper half is zero.
        *rest_square = rest_square.madd52_low(rest, rest);
    }

    #[inline(always)]
    fn all_fitted<V: FixedPoint>(
        (registers, rest_grid): &Self::Registers<V>,
        bounds: &BinBounds,
        n_rows: usize,
    ) -> bool {
        let [_, rests, .., sum_of_rests] = registers.sums;
        let rounded_down = rests.sub_bits(rest_grid.mul_bits(n_rows as u64)).i64_to_f64_down();
        let limit = rounded_down.mul(tops_times(bounds, Self::REST_UNIT));
        registers.stayed_on_grid() && sum_of_rests.all_le(limit)
    }

    #[inline(always)]
    fn empty<V: FixedPoint>(
        planes: &Self::Planes,
        bounds: &BinBounds,
        n_rows: usize,
        sums: &mut [ExactSums; 2],
        first: usize,
        own: Range<usize>,
    ) {
        empty_lanes::<V, _, _>(planes, bounds, n_rows, Self::totals, sums, first, own);
    }
}

/// The same for values of single precision, which leave no rests: one not below `2^-19 T` is a multiple of
/// `2^-42 T`. (Larger bins would have sums of the values themselves that round.)
#[derive(Clone, Copy, Debug)]
pub struct FixedMomentsF32;

impl FixedMomentsF32 {
    const UNIT: f64 = power_of_two(-42);
    const GRID: f64 = Self::UNIT * grid(TOO_MUCH);

    /// `Σ x` and `Σ x²` of one lane, the largest parts first.
    #[inline(always)]
    fn totals(
        [wholes, square_low, square_high, _]: [u64; 4],
        top: f64,
        n_rows: usize,
    ) -> ([f64; 2], [f64; 3]) {
        let u = top * Self::UNIT;
        let whole = on_grid(wholes, top * Self::GRID, n_rows);
        let (upper, lower) = split(whole, 32);
        let sum = [upper * (u * power_of_two(32)), lower * u];

        let (square, above) = square_of_whole(square_low, square_high, whole, n_rows);
        debug_assert!(n_rows <= MOST_ROWS, "PROOFS.md, lemma 15: {n_rows} rows");
        debug_assert!(top == 0.0 || (0..=1 << 62).contains(&above), "PROOFS.md, lemma 13: {above}");
        let (upper, lower) = split(above, 32);
        let of_above = [u * power_of_two(52 + 32) * u, u * power_of_two(52) * u];
        (sum, [upper * of_above[0], lower * of_above[1], square as f64 * (u * u)])
    }
}

impl Split for FixedMomentsF32 {
    type Cell = f32;
    type Planes = [Lanes; 4];
    type Registers<V: FixedPoint> = Registers<V, 4>;
    /// `Σ x` and `Σ x²`.
    type Sums = [ExactSums; 2];

    const SIGNED: bool = true;
    const MOST_ROWS: usize = MOST_ROWS;
    const RANGE: i32 = 19;

    fn run<K: Kernel>(set: InstructionSet, kernel: K) -> K::Output {
        set.run_with_ifma(kernel)
    }

    #[inline(always)]
    fn starts(_: &BinBounds) -> Self::Planes {
        Self::Planes::default()
    }

    #[inline(always)]
    fn load<V: FixedPoint>(planes: &Self::Planes, bounds: &BinBounds) -> Self::Registers<V> {
        Registers::load(planes, tops_times(bounds, Self::GRID))
    }

    #[inline(always)]
    fn store<V: FixedPoint>(registers: &Self::Registers<V>, planes: &mut Self::Planes) {
        store_all(&registers.sums, planes);
    }

    #[inline(always)]
    fn add<V: FixedPoint>(registers: &mut Self::Registers<V>, values: V, _: V) {
        let Registers { sums: [wholes, square_low, square_high, sum], grid, differences } = registers;
        let whole = values.add_down(*grid);
        *differences = differences.or_xor(whole, *grid);
        *wholes = wholes.add_bits(whole);
        *sum = sum.add_up(values);
        *square_low = square_low.madd52_low(whole, whole);
        *square_high = square_high.madd52_high(whole, whole);
    }

    #[inline(always)]
    fn all_fitted<V: FixedPoint>(registers: &Self::Registers<V>, bounds: &BinBounds, n_rows: usize) -> bool {
        let [wholes, .., sum] = registers.sums;
        let rounded_down = wholes.sub_bits(registers.grid.mul_bits(n_rows as u64)).i64_to_f64_down();
        registers.stayed_on_grid() && sum.all_le(rounded_down.mul(tops_times(bounds, Self::UNIT)))
    }

    #[inline(always)]
    fn empty<V: FixedPoint>(
        planes: &Self::Planes,
        bounds: &BinBounds,
        n_rows: usize,
        sums: &mut [ExactSums; 2],
        first: usize,
        own: Range<usize>,
    ) {
        empty_lanes::<V, _, _>(planes, bounds, n_rows, Self::totals, sums, first, own);
    }
}
