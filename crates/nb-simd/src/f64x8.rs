//! Eight doubles in registers.
//!
//! Compilers make vectors of plain arrays, but not dependably: whether they see them changes with the code
//! around. The innermost loops spell their operations out. Kernels are written with [`Vector`] and do not
//! know which it is.

use crate::LANES;

/// Eight doubles that are worked on together.
pub trait Vector: Copy {
    /// All lanes the same.
    fn splat(value: f64) -> Self;

    /// From memory.
    fn load(lanes: &[f64; LANES]) -> Self;

    /// From memory, made double precision.
    fn load_f32(lanes: &[f32; LANES]) -> Self;

    /// From memory, made double precision.
    fn load_i16(lanes: &[i16; LANES]) -> Self;

    /// To memory.
    fn store(self, lanes: &mut [f64; LANES]);

    /// To memory, rounded to single precision.
    fn store_f32(self, lanes: &mut [f32; LANES]);

    /// Lane by lane, rounded.
    fn add(self, other: Self) -> Self;

    /// Lane by lane, rounded.
    fn sub(self, other: Self) -> Self;

    /// Lane by lane, rounded.
    fn mul(self, other: Self) -> Self;

    /// Lane by lane, without the sign.
    fn abs(self) -> Self;

    /// The bits that one or the other has.
    fn bitor(self, other: Self) -> Self;

    /// The larger of each lane; a NaN in `other` is passed over.
    fn max(self, other: Self) -> Self;

    /// Taking lanes as the unsigned integers that their bits are: the smaller of `self` and one less than
    /// `size`, which makes zero the largest of all.
    fn min_bits_minus_one(self, size: Self) -> Self;

    /// Whether no lane is above that of `limit`, nor NaN.
    fn all_le(self, limit: Self) -> bool;

    /// Whether no lane is below that of `limit`, both taken as the unsigned integers that their bits are.
    fn bits_ge(self, limit: Self) -> bool;

    /// Taking lanes as the unsigned integers that the upper halves of their bits are: the larger one. The
    /// lower halves are undefined afterwards. This and its relatives are quick only where registers are
    /// many.
    #[inline(always)]
    fn max_upper(self, other: Self) -> Self {
        self.map_bits(other, u64::max)
    }

    /// The same, the smaller of `self` and of what is one less in its bits than `size`, which makes zero the
    /// largest of all.
    #[inline(always)]
    fn min_upper_minus_one(self, size: Self) -> Self {
        self.map_bits(size, |kept, size| kept.min(size.wrapping_sub(1)))
    }

    /// [`larger_upper`](Self::max_upper) with the size of `value`, but NaN may be passed over.
    #[inline(always)]
    fn max_upper_abs(self, value: Self) -> Self {
        self.max_upper(value.abs())
    }

    /// [`smaller_upper`](Self::min_upper_minus_one) with the size of `value`, but NaN may be passed over.
    #[inline(always)]
    fn min_upper_abs_minus_one(self, value: Self) -> Self {
        self.min_upper_minus_one(value.abs())
    }

    /// Whether no lane is below that of `limit`, both taken as the unsigned integers that the upper halves of
    /// their bits are.
    #[inline(always)]
    fn upper_ge(self, limit: Self) -> bool {
        let (mut lanes, mut limits) = ([0.0; LANES], [0.0; LANES]);
        self.store(&mut lanes);
        limit.store(&mut limits);
        lanes.iter().zip(&limits).all(|(lane, limit)| lane.to_bits() >> 32 >= limit.to_bits() >> 32)
    }

    /// Lane by lane, by way of memory.
    #[inline(always)]
    fn map_bits(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        let (mut lanes, mut others) = ([0.0; LANES], [0.0; LANES]);
        self.store(&mut lanes);
        other.store(&mut others);
        for (lane, other) in lanes.iter_mut().zip(others) {
            *lane = f64::from_bits(operation(lane.to_bits(), other.to_bits()));
        }
        Self::load(&lanes)
    }

    /// The lanes that are not zero and not from `lowest` to `highest`, NaN among them, as the bits of a
    /// number.
    fn out_of_range_mask(self, lowest: Self, highest: Self) -> u8;

    /// Zero in the lanes whose bits are set.
    fn zero_lanes(self, lanes: u8) -> Self;

    /// `self * factor + term`, rounded once or twice: for exact products and for estimates.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// The square and the exact error of its rounding, as [`two_prod`](crate::error_free::two_prod) gives
    /// them.
    fn square(self) -> (Self, Self);

    /// Lane by lane, rounded.
    fn div(self, divisor: Self) -> Self;

    /// The lanes of `then` where those of `self` are above those of `limit`, else those of `otherwise`.
    fn select_gt(self, limit: Self, then: Self, otherwise: Self) -> Self;

    /// Zero in the lanes in which two others are the same numbers.
    fn zero_where_eq(self, left: Self, right: Self) -> Self;

    /// As [`mul_power_of_two`] does it, lane by lane.
    fn mul_power_of_two(self, exponent: Self) -> Self;

    /// Whole `k` and `f` with `f * 2^k == self` and `√½ ≤ f < √2`, for positive normal numbers.
    fn split_exponent(self) -> (Self, Self);

    /// `self + term`, by the multiplier if it is fused; `one` is 1.
    #[inline(always)]
    fn add_on_fma_port(self, term: Self, one: Self) -> Self {
        let _ = one;
        self.add(term)
    }

    /// `self - term`, by the multiplier if it is fused; `one` is 1.
    #[inline(always)]
    fn sub_on_fma_port(self, term: Self, one: Self) -> Self {
        let _ = one;
        self.sub(term)
    }
}

/// Whether no lane of some vectors is above that of `limit`, nor NaN. (Closures that iterators are given need
/// not be compiled with the instructions of the caller, and then each instruction is a call.)
#[inline(always)]
pub fn all_vectors_le<V: Vector>(vectors: &[V], limit: V) -> bool {
    let mut are = true;
    for vector in vectors {
        are &= vector.all_le(limit);
    }
    are
}

/// The least and the largest of the sizes seen, zeros left out, lane by lane: their upper halves, which is
/// what they are compared by.
#[derive(Clone, Copy, Debug)]
pub struct MagnitudeRange<V> {
    /// One less than the least.
    least: V,
    largest: V,
}

impl<V: Vector> MagnitudeRange<V> {
    /// Of no sizes.
    #[inline(always)]
    pub fn empty() -> Self {
        Self { least: V::splat(f64::from_bits(u64::MAX)), largest: V::splat(0.0) }
    }

    /// Takes in some more sizes. One with a sign, or that is no number, is larger than all others.
    #[inline(always)]
    pub fn include(&mut self, sizes: V) {
        self.least = self.least.min_upper_minus_one(sizes);
        self.largest = self.largest.max_upper(sizes);
    }

    /// Takes in the sizes of some more values, with AVX-512 in a quarter fewer operations. What is no number
    /// may be passed over.
    #[inline(always)]
    pub fn include_abs(&mut self, values: V) {
        self.least = self.least.min_upper_abs_minus_one(values);
        self.largest = self.largest.max_upper_abs(values);
    }

    /// Whether all sizes lie between these powers of two, which do not count.
    #[inline(always)]
    pub fn is_between(&self, lowest: V, highest: V) -> bool {
        // The upper half of what comes before a power of two is less than its own.
        let before = highest.mul(V::splat(1.0 - f64::EPSILON / 2.0));
        self.least.upper_ge(lowest) & before.upper_ge(self.largest)
    }
}

/// `high + low += term`, with finite sums.
///
/// Of the additions two go by the multiplier where it is fused, because processors with
/// separate adders and multipliers would otherwise have the latter idle; `one` is 1, unknown to the compiler,
/// and changes no bit.
#[inline(always)]
pub fn add_compensated<V: Vector>(high: &mut V, low: &mut V, term: V, one: V) {
    let sum = high.add(term);
    let term_rounded = sum.sub(*high);
    let high_rounded = sum.sub_on_fma_port(term_rounded, one);
    let term_error = term.sub_on_fma_port(term_rounded, one);
    let error = high.sub(high_rounded).add(term_error);
    *high = sum;
    *low = error.add(*low);
}

/// [`add_compensated`] where no term is larger than the sum: the same bits by three operations fewer (Dekker
/// 1971, *Numerische Mathematik* 18, 224-242).
#[inline(always)]
pub fn add_smaller<V: Vector>(high: &mut V, low: &mut V, term: V, one: V) {
    let sum = high.add(term);
    let error = term.sub_on_fma_port(sum.sub(*high), one);
    *high = sum;
    // Not by the multiplier: what waits for the sum before is best done by what is quickest.
    *low = error.add(*low);
}

/// [`add_smaller`] of the term's negative, which need not be formed.
#[inline(always)]
pub fn take_smaller<V: Vector>(high: &mut V, low: &mut V, term: V, one: V) {
    let sum = high.sub(term);
    let error = high.sub(sum).sub_on_fma_port(term, one);
    *high = sum;
    *low = error.add(*low);
}

/// What is added to a whole number from -1022 to 1023 so that its exponent field is in the lowest bits.
pub(crate) const EXPONENT_IN_LOW_BITS: f64 = 4_503_599_627_370_496.0 + 1023.0; // 2^52 + 1023

/// `1.5 * 2^52`: to add it, and to subtract it again, rounds to a whole number.
pub const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// `value * 2^exponent`, rounded once, for values near one and whole numbers from -2000 to 2000.
///
/// Two steps, so that neither power of two is out of range where the result is not normal; the first one is
/// exact.
#[inline(always)]
pub fn mul_power_of_two(value: f64, exponent: f64) -> f64 {
    let half = (exponent * 0.5 + SHIFTER) - SHIFTER;
    value * power_of_two(half) * power_of_two(exponent - half)
}

/// Two to the power of a whole number from -1022 to 1023.
#[inline(always)]
fn power_of_two(exponent: f64) -> f64 {
    f64::from_bits((exponent + EXPONENT_IN_LOW_BITS).to_bits() << 52)
}

pub(crate) const ROOT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
pub(crate) const ONE_LESS_ROOT_HALF: u64 = 1.0_f64.to_bits() - ROOT_HALF;
pub(crate) const EXPONENT_BITS: u64 = 0xFFF0_0000_0000_0000;
pub(crate) const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
pub(crate) const TWO_TO_52_AND_1023: f64 = TWO_TO_52 + 1023.0;

/// [`Vector::split_exponent`] of one number. Counting from √½, the exponent is what the high bits say less
/// 1023, and what is left belongs to the fraction. An exponent becomes a number by way of its bits, which
/// every instruction set can do.
#[inline(always)]
pub fn split_exponent(value: f64) -> (f64, f64) {
    let counted = value.to_bits().wrapping_add(ONE_LESS_ROOT_HALF);
    let exponent = counted & EXPONENT_BITS;
    let k = f64::from_bits(TWO_TO_52.to_bits() | exponent >> 52) - TWO_TO_52_AND_1023;
    (k, f64::from_bits(ROOT_HALF + (counted - exponent)))
}
