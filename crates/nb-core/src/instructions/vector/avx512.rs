//! Eight doubles in one register of AVX-512.
#![expect(
    unsafe_code,
    reason = "instructions that the processor was asked for, and loads and stores by pointer"
)]

use std::arch::x86_64::{
    __m512d, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_OQ, _CMP_NEQ_UQ, _CMP_NLE_UQ, _mm_loadu_si128,
    _mm256_cvtepi16_epi32, _mm256_loadu_ps, _mm256_storeu_ps, _mm512_abs_pd, _mm512_add_epi64, _mm512_add_pd,
    _mm512_and_si512, _mm512_castpd_si512, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_cmpge_epu64_mask,
    _mm512_cmplt_epu32_mask, _mm512_cvtepi32_pd, _mm512_cvtpd_ps, _mm512_cvtps_pd, _mm512_div_pd,
    _mm512_fmadd_pd, _mm512_fmsub_pd, _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_mask_cmp_pd_mask,
    _mm512_maskz_mov_pd, _mm512_max_epu32, _mm512_max_pd, _mm512_min_epu32, _mm512_min_epu64, _mm512_mul_pd,
    _mm512_or_si512, _mm512_range_pd, _mm512_scalef_pd, _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd,
    _mm512_srli_epi64, _mm512_storeu_pd, _mm512_sub_epi64, _mm512_sub_pd,
};

use super::{EXPONENT_BITS, LANES, ONE_LESS_ROOT_HALF, ROOT_HALF, TWO_TO_52, TWO_TO_52_AND_1023, Vector};

/// What `VRANGEPD` is to choose: the smaller or the larger size, without its sign. (Intel 64 and IA-32 Architectures Software
/// Developer's Manual, volume 2C. Of a pair with a NaN it gives the other.)
const SMALLER_SIZE: i32 = 0b10_10;
const LARGER_SIZE: i32 = 0b10_11;

/// One register of AVX-512. Only code under `run_avx512` names it, and with `IFMA` only code under `run_avx512_ifma`.
#[derive(Clone, Copy)]
pub(in crate::instructions) struct Avx512<const IFMA: bool>(pub(super) __m512d);

impl<const IFMA: bool> Vector for Avx512<IFMA> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the processor has the instructions, here and below, or `run_avx512` would not have been called.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn load(lanes: &[f64; LANES]) -> Self {
        // SAFETY: as above; there are eight numbers.
        Self(unsafe { _mm512_loadu_pd(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn load_single(lanes: &[f32; LANES]) -> Self {
        // SAFETY: as above; there are eight numbers.
        Self(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(lanes.as_ptr())) })
    }

    #[inline(always)]
    fn load_short(lanes: &[i16; LANES]) -> Self {
        // SAFETY: as above; there are eight numbers.
        unsafe {
            let lanes = _mm256_cvtepi16_epi32(_mm_loadu_si128(lanes.as_ptr().cast()));
            Self(_mm512_cvtepi32_pd(lanes))
        }
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f64; LANES]) {
        // SAFETY: as above; there is room for eight numbers.
        unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn store_single(self, lanes: &mut [f32; LANES]) {
        // SAFETY: as above; there is room for eight numbers.
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), _mm512_cvtpd_ps(self.0)) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn size(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_abs_pd(self.0) })
    }

    #[inline(always)]
    fn either(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let bits = _mm512_or_si512(_mm512_castpd_si512(self.0), _mm512_castpd_si512(other.0));
            Self(_mm512_castsi512_pd(bits))
        }
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        // SAFETY: as above. Of a pair with a NaN the instruction gives the second.
        Self(unsafe { _mm512_max_pd(other.0, self.0) })
    }

    #[inline(always)]
    fn smaller_bits(self, size: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let below = _mm512_sub_epi64(_mm512_castpd_si512(size.0), _mm512_set1_epi64(1));
            Self(_mm512_castsi512_pd(_mm512_min_epu64(_mm512_castpd_si512(self.0), below)))
        }
    }

    #[inline(always)]
    fn is_at_most(self, limit: Self) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, limit.0) == u8::MAX }
    }

    #[inline(always)]
    fn has_bits_of_at_least(self, limit: Self) -> bool {
        // SAFETY: as above.
        unsafe {
            _mm512_cmpge_epu64_mask(_mm512_castpd_si512(self.0), _mm512_castpd_si512(limit.0)) == u8::MAX
        }
    }

    #[inline(always)]
    fn larger_upper(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let larger = _mm512_max_epu32(_mm512_castpd_si512(self.0), _mm512_castpd_si512(other.0));
            Self(_mm512_castsi512_pd(larger))
        }
    }

    #[inline(always)]
    fn smaller_upper(self, size: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let below = _mm512_sub_epi64(_mm512_castpd_si512(size.0), _mm512_set1_epi64(1));
            Self(_mm512_castsi512_pd(_mm512_min_epu32(_mm512_castpd_si512(self.0), below)))
        }
    }

    #[inline(always)]
    fn larger_size(self, value: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_range_pd::<LARGER_SIZE>(self.0, value.0) })
    }

    #[inline(always)]
    fn smaller_size(self, value: Self) -> Self {
        // SAFETY: as above. What is one less than zero, of either sign, is no number: it is passed over.
        unsafe {
            let below = _mm512_sub_epi64(_mm512_castpd_si512(value.0), _mm512_set1_epi64(1));
            Self(_mm512_range_pd::<SMALLER_SIZE>(self.0, _mm512_castsi512_pd(below)))
        }
    }

    #[inline(always)]
    fn has_upper_of_at_least(self, limit: Self) -> bool {
        const UPPER: u16 = 0xAAAA;
        // SAFETY: as above.
        unsafe {
            let (value, limit) = (_mm512_castpd_si512(self.0), _mm512_castpd_si512(limit.0));
            _mm512_cmplt_epu32_mask(value, limit) & UPPER == 0
        }
    }

    #[inline(always)]
    fn strays(self, lowest: Self, highest: Self) -> u8 {
        // SAFETY: as above.
        unsafe {
            let above = _mm512_cmp_pd_mask::<_CMP_NLE_UQ>(self.0, highest.0);
            let below = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, lowest.0);
            above | _mm512_mask_cmp_pd_mask::<_CMP_NEQ_OQ>(below, self.0, _mm512_setzero_pd())
        }
    }

    #[inline(always)]
    fn without(self, lanes: u8) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_maskz_mov_pd(!lanes, self.0) })
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_fmadd_pd(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn square(self) -> (Self, Self) {
        let product = self.times(self);
        // SAFETY: as above.
        (product, Self(unsafe { _mm512_fmsub_pd(self.0, self.0, product.0) }))
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_div_pd(self.0, divisor.0) })
    }

    #[inline(always)]
    fn choose_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let above = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, limit.0);
            Self(_mm512_mask_blend_pd(above, otherwise.0, then.0))
        }
    }

    #[inline(always)]
    fn zero_where_same(self, left: Self, right: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let differ = _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(left.0, right.0);
            Self(_mm512_maskz_mov_pd(differ, self.0))
        }
    }

    #[inline(always)]
    fn times_power_of_two(self, exponent: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_scalef_pd(self.0, exponent.0) })
    }

    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        // SAFETY: as above.
        unsafe {
            let bits = _mm512_castpd_si512(self.0);
            let counted = _mm512_add_epi64(bits, _mm512_set1_epi64(ONE_LESS_ROOT_HALF.cast_signed()));
            let exponent = _mm512_and_si512(counted, _mm512_set1_epi64(EXPONENT_BITS.cast_signed()));
            let k = _mm512_or_si512(
                _mm512_srli_epi64::<52>(exponent),
                _mm512_castpd_si512(_mm512_set1_pd(TWO_TO_52)),
            );
            let k = _mm512_sub_pd(_mm512_castsi512_pd(k), _mm512_set1_pd(TWO_TO_52_AND_1023));
            let left = _mm512_sub_epi64(counted, exponent);
            let fraction = _mm512_add_epi64(left, _mm512_set1_epi64(ROOT_HALF.cast_signed()));
            (Self(k), Self(_mm512_castsi512_pd(fraction)))
        }
    }

    #[inline(always)]
    fn plus_by_multiplier(self, term: Self, one: Self) -> Self {
        self.times_plus(one, term)
    }

    #[inline(always)]
    fn minus_by_multiplier(self, term: Self, one: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_fmsub_pd(self.0, one.0, term.0) })
    }
}
