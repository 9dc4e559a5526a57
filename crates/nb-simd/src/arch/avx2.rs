//! AVX2 with fused multiply-add: eight doubles in two registers, sixteen floats in two.
#![expect(
    unsafe_code,
    reason = "instructions that were detected at run time, and loads and stores by pointer"
)]
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "a list of instructions tells nothing"))]

use std::arch::x86_64::*;

use crate::{
    LANES, LANES_F32,
    f32x16::VectorF32,
    f64x8::{
        EXPONENT_BITS, EXPONENT_IN_LOW_BITS, ONE_LESS_ROOT_HALF, ROOT_HALF, SHIFTER, TWO_TO_52,
        TWO_TO_52_AND_1023, Vector,
    },
    isa::{Isa, Kernel},
    u52x8::FixedPoint,
};

/// Runs a kernel with the instructions of AVX2.
#[target_feature(enable = "avx2,fma")]
pub(crate) fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}
/// Isa with the instructions of AVX2.
pub(crate) struct Avx2;

impl Isa for Avx2 {
    type Vector = F64x8;
    type VectorF32 = F32x16;

    const HAS_FMA: bool = true;

    #[inline(always)]
    fn transpose(rows: &[&[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        // SAFETY: the processor has the instructions, or `run_avx2` would not have been called.
        unsafe { transpose_avx2(rows) }
    }
}

/// Half of [`Vector::min_bits_minus_one`]. Only code under `run_avx2` calls it.
#[inline(always)]
fn min_bits_minus_one(kept: __m256d, size: __m256d) -> __m256d {
    // SAFETY: the processor has the instructions, here and below, or `run_avx2` would not have been called.
    unsafe {
        let below = _mm256_sub_epi64(_mm256_castpd_si256(size), _mm256_set1_epi64x(1));
        let below = _mm256_castsi256_pd(below);
        _mm256_blendv_pd(kept, below, bits_below(below, kept))
    }
}

/// All ones where the bits of `value` are a smaller unsigned integer than those of `limit`. Only code under
/// `run_avx2` calls it.
#[inline(always)]
fn bits_below(value: __m256d, limit: __m256d) -> __m256d {
    // SAFETY: as above. Comparisons are of signed integers, so that the highest bits are turned over.
    unsafe {
        let high = _mm256_set1_epi64x(i64::MIN);
        let value = _mm256_xor_si256(_mm256_castpd_si256(value), high);
        let limit = _mm256_xor_si256(_mm256_castpd_si256(limit), high);
        _mm256_castsi256_pd(_mm256_cmpgt_epi64(limit, value))
    }
}

/// Half of [`Vector::out_of_range_mask`], as masks of the lanes. Only code under `run_avx2` calls it.
#[inline(always)]
fn out_of_range_mask(values: __m256d, lowest: __m256d, highest: __m256d) -> __m256d {
    // SAFETY: as above.
    unsafe {
        let above = _mm256_cmp_pd::<_CMP_NLE_UQ>(values, highest);
        let below = _mm256_cmp_pd::<_CMP_LT_OQ>(values, lowest);
        let is_zero = _mm256_cmp_pd::<_CMP_EQ_OQ>(values, _mm256_setzero_pd());
        _mm256_or_pd(above, _mm256_andnot_pd(is_zero, below))
    }
}

/// Half of [`Vector::mul_power_of_two`], by the steps of [`mul_power_of_two`](super::mul_power_of_two). Only
/// code under `run_avx2` calls it.
#[inline(always)]
fn times_power_of_two_avx2(value: __m256d, exponent: __m256d) -> __m256d {
    // SAFETY: as above.
    unsafe {
        let shifter = _mm256_set1_pd(SHIFTER);
        let half = _mm256_mul_pd(exponent, _mm256_set1_pd(0.5));
        let half = _mm256_sub_pd(_mm256_add_pd(half, shifter), shifter);
        let once = _mm256_mul_pd(value, power_of_two_avx2(half));
        _mm256_mul_pd(once, power_of_two_avx2(_mm256_sub_pd(exponent, half)))
    }
}

/// Two to the power of whole numbers from -1022 to 1023. Only code under `run_avx2` calls it.
#[inline(always)]
fn power_of_two_avx2(exponent: __m256d) -> __m256d {
    // SAFETY: as above.
    unsafe {
        let low = _mm256_add_pd(exponent, _mm256_set1_pd(EXPONENT_IN_LOW_BITS));
        _mm256_castsi256_pd(_mm256_slli_epi64::<52>(_mm256_castpd_si256(low)))
    }
}

/// Half of [`Vector::split_exponent`]. Only code under `run_avx2` calls it.
#[inline(always)]
fn split_exponent_avx2(value: __m256d) -> (__m256d, __m256d) {
    // SAFETY: as above.
    unsafe {
        let bits = _mm256_castpd_si256(value);
        let counted = _mm256_add_epi64(bits, _mm256_set1_epi64x(ONE_LESS_ROOT_HALF.cast_signed()));
        let exponent = _mm256_and_si256(counted, _mm256_set1_epi64x(EXPONENT_BITS.cast_signed()));
        let k = _mm256_or_si256(
            _mm256_srli_epi64::<52>(exponent),
            _mm256_castpd_si256(_mm256_set1_pd(TWO_TO_52)),
        );
        let k = _mm256_sub_pd(_mm256_castsi256_pd(k), _mm256_set1_pd(TWO_TO_52_AND_1023));
        let left = _mm256_sub_epi64(counted, exponent);
        (k, _mm256_castsi256_pd(_mm256_add_epi64(left, _mm256_set1_epi64x(ROOT_HALF.cast_signed()))))
    }
}

/// Two registers of AVX2. Only code under `run_avx2` names it.
#[derive(Clone, Copy)]
pub(crate) struct F64x8(__m256d, __m256d);

impl Vector for F64x8 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the processor has the instructions, here and below, or `run_avx2` would not have been
        // called.
        let half = unsafe { _mm256_set1_pd(value) };
        Self(half, half)
    }

    #[inline(always)]
    fn load(lanes: &[f64; LANES]) -> Self {
        // SAFETY: as above; there are twice four numbers.
        unsafe { Self(_mm256_loadu_pd(lanes.as_ptr()), _mm256_loadu_pd(lanes.as_ptr().add(4))) }
    }

    #[inline(always)]
    fn load_f32(lanes: &[f32; LANES]) -> Self {
        // SAFETY: as above; there are twice four numbers.
        unsafe {
            let (low, high) = (_mm_loadu_ps(lanes.as_ptr()), _mm_loadu_ps(lanes.as_ptr().add(4)));
            Self(_mm256_cvtps_pd(low), _mm256_cvtps_pd(high))
        }
    }

    #[inline(always)]
    fn load_i16(lanes: &[i16; LANES]) -> Self {
        // SAFETY: as above; there are eight numbers.
        unsafe {
            let lanes = _mm_loadu_si128(lanes.as_ptr().cast());
            let (low, high) = (_mm_cvtepi16_epi32(lanes), _mm_cvtepi16_epi32(_mm_srli_si128::<8>(lanes)));
            Self(_mm256_cvtepi32_pd(low), _mm256_cvtepi32_pd(high))
        }
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f64; LANES]) {
        // SAFETY: as above; there is room for twice four numbers.
        unsafe {
            _mm256_storeu_pd(lanes.as_mut_ptr(), self.0);
            _mm256_storeu_pd(lanes.as_mut_ptr().add(4), self.1);
        }
    }

    #[inline(always)]
    fn store_f32(self, lanes: &mut [f32; LANES]) {
        // SAFETY: as above; there is room for twice four numbers.
        unsafe {
            _mm_storeu_ps(lanes.as_mut_ptr(), _mm256_cvtpd_ps(self.0));
            _mm_storeu_ps(lanes.as_mut_ptr().add(4), _mm256_cvtpd_ps(self.1));
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: as above.
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            Self(_mm256_andnot_pd(sign, self.0), _mm256_andnot_pd(sign, self.1))
        }
    }

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_or_pd(self.0, other.0), _mm256_or_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as above. Of a pair with a NaN the instruction gives the second.
        unsafe { Self(_mm256_max_pd(other.0, self.0), _mm256_max_pd(other.1, self.1)) }
    }

    #[inline(always)]
    fn min_bits_minus_one(self, size: Self) -> Self {
        Self(min_bits_minus_one(self.0, size.0), min_bits_minus_one(self.1, size.1))
    }

    #[inline(always)]
    fn all_le(self, limit: Self) -> bool {
        // SAFETY: as above.
        unsafe {
            let low = _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, limit.0);
            let high = _mm256_cmp_pd::<_CMP_LE_OQ>(self.1, limit.1);
            _mm256_movemask_pd(_mm256_and_pd(low, high)) == 0b1111
        }
    }

    #[inline(always)]
    fn bits_ge(self, limit: Self) -> bool {
        let (low, high) = (bits_below(self.0, limit.0), bits_below(self.1, limit.1));
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(_mm256_or_pd(low, high)) == 0 }
    }

    #[inline(always)]
    fn out_of_range_mask(self, lowest: Self, highest: Self) -> u8 {
        let (low, high) =
            (out_of_range_mask(self.0, lowest.0, highest.0), out_of_range_mask(self.1, lowest.1, highest.1));
        // SAFETY: as above.
        unsafe { (_mm256_movemask_pd(low) | _mm256_movemask_pd(high) << 4) as u8 }
    }

    #[inline(always)]
    fn zero_lanes(self, lanes: u8) -> Self {
        // SAFETY: as above.
        unsafe {
            let lanes = _mm256_set1_epi64x(i64::from(lanes));
            let (low, high) = (_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128));
            let in_low = _mm256_cmpeq_epi64(_mm256_and_si256(lanes, low), low);
            let in_high = _mm256_cmpeq_epi64(_mm256_and_si256(lanes, high), high);
            Self(
                _mm256_andnot_pd(_mm256_castsi256_pd(in_low), self.0),
                _mm256_andnot_pd(_mm256_castsi256_pd(in_high), self.1),
            )
        }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_fmadd_pd(self.0, factor.0, term.0), _mm256_fmadd_pd(self.1, factor.1, term.1)) }
    }

    #[inline(always)]
    fn square(self) -> (Self, Self) {
        let product = self.mul(self);
        // SAFETY: as above.
        let error = unsafe {
            Self(_mm256_fmsub_pd(self.0, self.0, product.0), _mm256_fmsub_pd(self.1, self.1, product.1))
        };
        (product, error)
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_div_pd(self.0, divisor.0), _mm256_div_pd(self.1, divisor.1)) }
    }

    #[inline(always)]
    fn select_gt(self, limit: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let low = _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, limit.0);
            let high = _mm256_cmp_pd::<_CMP_GT_OQ>(self.1, limit.1);
            Self(_mm256_blendv_pd(otherwise.0, then.0, low), _mm256_blendv_pd(otherwise.1, then.1, high))
        }
    }

    #[inline(always)]
    fn zero_where_eq(self, left: Self, right: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let low = _mm256_cmp_pd::<_CMP_EQ_OQ>(left.0, right.0);
            let high = _mm256_cmp_pd::<_CMP_EQ_OQ>(left.1, right.1);
            Self(_mm256_andnot_pd(low, self.0), _mm256_andnot_pd(high, self.1))
        }
    }

    #[inline(always)]
    fn mul_power_of_two(self, exponent: Self) -> Self {
        Self(times_power_of_two_avx2(self.0, exponent.0), times_power_of_two_avx2(self.1, exponent.1))
    }

    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        let (low, high) = (split_exponent_avx2(self.0), split_exponent_avx2(self.1));
        (Self(low.0, high.0), Self(low.1, high.1))
    }

    #[inline(always)]
    fn add_on_fma_port(self, term: Self, one: Self) -> Self {
        self.mul_add(one, term)
    }

    #[inline(always)]
    fn sub_on_fma_port(self, term: Self, one: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_fmsub_pd(self.0, one.0, term.0), _mm256_fmsub_pd(self.1, one.1, term.1)) }
    }
}

impl FixedPoint for F64x8 {}

/// Two registers of AVX2. Only code under `run_avx2` names it.
#[derive(Clone, Copy)]
pub(crate) struct F32x16(__m256, __m256);

impl F32x16 {
    /// The sums of the lanes of four rows, a part in each half.
    #[inline(always)]
    fn four(rows: &[Self; LANES_F32], first: usize) -> __m256 {
        let half = |row: usize| -> __m256 {
            let Self(low, high) = rows[first + row];
            // SAFETY: the processor has the instructions, here and below, or `run_avx2` would not have been
            // called.
            unsafe { _mm256_add_ps(low, high) }
        };
        // SAFETY: as above.
        unsafe {
            let (a, b, c, d) = (half(0), half(1), half(2), half(3));
            let low = _mm256_castps_pd(_mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)));
            let high = _mm256_castps_pd(_mm256_add_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d)));
            let (even, odd) = (_mm256_unpacklo_pd(low, high), _mm256_unpackhi_pd(low, high));
            _mm256_add_ps(_mm256_castpd_ps(even), _mm256_castpd_ps(odd))
        }
    }

    /// The sums of the lanes of eight rows.
    #[inline(always)]
    fn eight(rows: &[Self; LANES_F32], first: usize) -> __m256 {
        let (low, high) = (Self::four(rows, first), Self::four(rows, first + 4));
        // SAFETY: as above.
        unsafe {
            let left = _mm256_permute2f128_ps::<0x20>(low, high);
            let right = _mm256_permute2f128_ps::<0x31>(low, high);
            _mm256_add_ps(left, right)
        }
    }
}

impl VectorF32 for F32x16 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as above.
        let half = unsafe { _mm256_set1_ps(value) };
        Self(half, half)
    }

    #[inline(always)]
    fn load(lanes: &[f32; LANES_F32]) -> Self {
        // SAFETY: as above; there are twice eight numbers.
        unsafe { Self(_mm256_loadu_ps(lanes.as_ptr()), _mm256_loadu_ps(lanes.as_ptr().add(8))) }
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f32; LANES_F32]) {
        // SAFETY: as above; there is room for twice eight numbers.
        unsafe {
            _mm256_storeu_ps(lanes.as_mut_ptr(), self.0);
            _mm256_storeu_ps(lanes.as_mut_ptr().add(8), self.1);
        }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_fmadd_ps(self.0, factor.0, term.0), _mm256_fmadd_ps(self.1, factor.1, term.1)) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_max_ps(other.0, self.0), _mm256_max_ps(other.1, self.1)) }
    }

    #[inline(always)]
    fn lane_sums(rows: &[Self; LANES_F32]) -> Self {
        Self(Self::eight(rows, 0), Self::eight(rows, 8))
    }
}

type Square = [[f64; LANES]; LANES];

/// The columns of eight rows of eight.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_avx2(rows: &[&[f64; LANES]; LANES]) -> Square {
    let mut turned = [[0.0; LANES]; LANES];
    for top in [0, 4] {
        for left in [0, 4] {
            let load = |row: usize| -> __m256d {
                // SAFETY: a row has eight numbers, and `left` is at most 4.
                unsafe { _mm256_loadu_pd(rows[top + row].as_ptr().add(left)) }
            };
            let rows = [load(0), load(1), load(2), load(3)];
            let pairs = [
                _mm256_unpacklo_pd(rows[0], rows[1]),
                _mm256_unpackhi_pd(rows[0], rows[1]),
                _mm256_unpacklo_pd(rows[2], rows[3]),
                _mm256_unpackhi_pd(rows[2], rows[3]),
            ];
            let columns = [
                _mm256_permute2f128_pd::<0x20>(pairs[0], pairs[2]),
                _mm256_permute2f128_pd::<0x20>(pairs[1], pairs[3]),
                _mm256_permute2f128_pd::<0x31>(pairs[0], pairs[2]),
                _mm256_permute2f128_pd::<0x31>(pairs[1], pairs[3]),
            ];
            for (column, from) in columns.into_iter().enumerate() {
                // SAFETY: a column has eight numbers, and `top` is at most 4.
                unsafe { _mm256_storeu_pd(turned[left + column].as_mut_ptr().add(top), from) };
            }
        }
    }
    turned
}
