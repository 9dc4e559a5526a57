//! Numbers in fixed point in one register of AVX-512.
#![expect(unsafe_code, reason = "instructions that the processor was asked for")]

use std::arch::x86_64::{
    __m512i, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEG_INF, _MM_FROUND_TO_POS_INF, _mm512_add_epi64,
    _mm512_add_round_pd, _mm512_castpd_si512, _mm512_castsi512_pd, _mm512_cvt_roundepi64_pd,
    _mm512_madd52hi_epu64, _mm512_madd52lo_epu64, _mm512_mullo_epi64, _mm512_set1_epi64, _mm512_sub_epi64,
    _mm512_ternarylogic_epi64,
};

use super::{Avx512, FixedPoint, Vector, fixed_point::product_of_52_bits};

const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

/// `a | (b ^ c)`: a bit for each of the eight cases, counted by `a b c`.
const WITH_DIFFERENCES: i32 = 0b1111_0110;

impl<const IFMA: bool> Avx512<IFMA> {
    #[inline(always)]
    fn bits(self) -> __m512i {
        // SAFETY: the processor has the instructions, here and below, or `run_avx512` would not have been called.
        unsafe { _mm512_castpd_si512(self.0) }
    }

    #[inline(always)]
    fn of_bits(bits: __m512i) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_castsi512_pd(bits) })
    }
}

impl<const IFMA: bool> FixedPoint for Avx512<IFMA> {
    #[inline(always)]
    fn plus_down(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_round_pd::<DOWN>(self.0, other.0) })
    }

    #[inline(always)]
    fn plus_up(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_round_pd::<UP>(self.0, other.0) })
    }

    #[inline(always)]
    fn plus_bits(self, other: Self) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe { _mm512_add_epi64(self.bits(), other.bits()) })
    }

    #[inline(always)]
    fn minus_bits(self, other: Self) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe { _mm512_sub_epi64(self.bits(), other.bits()) })
    }

    #[inline(always)]
    fn times_bits(self, factor: u64) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe { _mm512_mullo_epi64(self.bits(), _mm512_set1_epi64(factor.cast_signed())) })
    }

    #[inline(always)]
    fn with_differences(self, a: Self, b: Self) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe {
            _mm512_ternarylogic_epi64::<WITH_DIFFERENCES>(self.bits(), a.bits(), b.bits())
        })
    }

    #[inline(always)]
    fn plus_low_product(self, a: Self, b: Self) -> Self {
        if !IFMA {
            return self.plus_bits(a.by_bits(b, |a, b| product_of_52_bits(a, b).0));
        }
        // SAFETY: as above, by `run_avx512_ifma`.
        Self::of_bits(unsafe { _mm512_madd52lo_epu64(self.bits(), a.bits(), b.bits()) })
    }

    #[inline(always)]
    fn plus_high_product(self, a: Self, b: Self) -> Self {
        if !IFMA {
            return self.plus_bits(a.by_bits(b, |a, b| product_of_52_bits(a, b).1));
        }
        // SAFETY: as above, by `run_avx512_ifma`.
        Self::of_bits(unsafe { _mm512_madd52hi_epu64(self.bits(), a.bits(), b.bits()) })
    }

    #[inline(always)]
    fn whole_number_down(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_cvt_roundepi64_pd::<DOWN>(self.bits()) })
    }
}
