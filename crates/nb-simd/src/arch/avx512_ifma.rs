//! AVX-512 with IFMA: numbers in fixed point, as the bits of eight doubles.
#![expect(
    unsafe_code,
    reason = "instructions that were detected at run time, and loads and stores by pointer"
)]
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "a list of instructions tells nothing"))]

use std::arch::x86_64::*;

use super::avx512::{Avx512, F64x8};
use crate::{
    f64x8::Vector,
    isa::Kernel,
    u52x8::{FixedPoint, product_of_52_bits},
};

/// Runs a kernel with the instructions of AVX-512 and those that multiply whole numbers of 52 bits.
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,avx512ifma")]
pub(crate) fn run_avx512_ifma<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512<true>>()
}
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

/// `a | (b ^ c)`: a bit for each of the eight cases, counted by `a b c`.
const WITH_DIFFERENCES: i32 = 0b1111_0110;

impl<const IFMA: bool> F64x8<IFMA> {
    #[inline(always)]
    fn bits(self) -> __m512i {
        // SAFETY: the processor has the instructions, here and below, or `run_avx512` would not have been
        // called.
        unsafe { _mm512_castpd_si512(self.0) }
    }

    #[inline(always)]
    fn of_bits(bits: __m512i) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_castsi512_pd(bits) })
    }
}

impl<const IFMA: bool> FixedPoint for F64x8<IFMA> {
    #[inline(always)]
    fn add_down(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_round_pd::<DOWN>(self.0, other.0) })
    }

    #[inline(always)]
    fn add_up(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_round_pd::<UP>(self.0, other.0) })
    }

    #[inline(always)]
    fn add_bits(self, other: Self) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe { _mm512_add_epi64(self.bits(), other.bits()) })
    }

    #[inline(always)]
    fn sub_bits(self, other: Self) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe { _mm512_sub_epi64(self.bits(), other.bits()) })
    }

    #[inline(always)]
    fn mul_bits(self, factor: u64) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe { _mm512_mullo_epi64(self.bits(), _mm512_set1_epi64(factor.cast_signed())) })
    }

    #[inline(always)]
    fn or_xor(self, a: Self, b: Self) -> Self {
        // SAFETY: as above.
        Self::of_bits(unsafe {
            _mm512_ternarylogic_epi64::<WITH_DIFFERENCES>(self.bits(), a.bits(), b.bits())
        })
    }

    #[inline(always)]
    fn madd52_low(self, a: Self, b: Self) -> Self {
        if !IFMA {
            return self.add_bits(a.map_bits(b, |a, b| product_of_52_bits(a, b).0));
        }
        // SAFETY: as above, by `run_avx512_ifma`.
        Self::of_bits(unsafe { _mm512_madd52lo_epu64(self.bits(), a.bits(), b.bits()) })
    }

    #[inline(always)]
    fn madd52_high(self, a: Self, b: Self) -> Self {
        if !IFMA {
            return self.add_bits(a.map_bits(b, |a, b| product_of_52_bits(a, b).1));
        }
        // SAFETY: as above, by `run_avx512_ifma`.
        Self::of_bits(unsafe { _mm512_madd52hi_epu64(self.bits(), a.bits(), b.bits()) })
    }

    #[inline(always)]
    fn i64_to_f64_down(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_cvt_roundepi64_pd::<DOWN>(self.bits()) })
    }
}
