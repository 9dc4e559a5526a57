//! Eight doubles in registers.
//!
//! Compilers make vectors of plain arrays, but not dependably: whether they see them changes with the code around. The
//! innermost loops spell their operations out. Kernels are written with [`Vector`] and do not know which it is.

use super::LANES;

/// Eight doubles that are worked on together.
pub(crate) trait Vector: Copy {
    /// All lanes the same.
    fn splat(value: f64) -> Self;

    /// From memory.
    fn load(lanes: &[f64; LANES]) -> Self;

    /// To memory.
    fn store(self, lanes: &mut [f64; LANES]);

    /// Lane by lane, rounded.
    fn plus(self, other: Self) -> Self;

    /// Lane by lane, rounded.
    fn minus(self, other: Self) -> Self;

    /// Lane by lane, rounded.
    fn times(self, other: Self) -> Self;

    /// `self * factor + term`, rounded once or twice: for exact products and for estimates.
    fn times_plus(self, factor: Self, term: Self) -> Self;

    /// `self + term`, by the multiplier if it is fused; `one` is 1.
    #[inline(always)]
    fn plus_by_multiplier(self, term: Self, one: Self) -> Self {
        let _ = one;
        self.plus(term)
    }

    /// `self - term`, by the multiplier if it is fused; `one` is 1.
    #[inline(always)]
    fn minus_by_multiplier(self, term: Self, one: Self) -> Self {
        let _ = one;
        self.minus(term)
    }
}

/// `high + low += term`, as [`add_compensated`](crate::scores::add_compensated) with finite sums.
///
/// Of the seven additions three go by the multiplier where it is fused, because processors with
/// separate adders and multipliers would otherwise have the latter idle; `one` is 1, unknown to the compiler, and changes
/// no bit.
#[inline(always)]
pub(crate) fn add_compensated<V: Vector>(high: &mut V, low: &mut V, term: V, one: V) {
    let sum = high.plus(term);
    let term_rounded = sum.minus(*high);
    let high_rounded = sum.minus_by_multiplier(term_rounded, one);
    let term_error = term.minus_by_multiplier(term_rounded, one);
    let error = high.minus(high_rounded).plus(term_error);
    *high = sum;
    *low = error.plus_by_multiplier(*low, one);
}

/// An array, for all that has no kind of its own. Two lanes at a time is what x86-64 and ARM have at least.
#[derive(Clone, Copy)]
pub(crate) struct Array([f64; LANES]);

impl Array {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        let mut lanes = self.0;
        for (lane, other) in lanes.iter_mut().zip(other.0) {
            *lane = operation(*lane, other);
        }
        Self(lanes)
    }
}

impl Vector for Array {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn load(lanes: &[f64; LANES]) -> Self {
        Self(*lanes)
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f64; LANES]) {
        *lanes = self.0;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        self.times(factor).plus(term)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "instructions that the processor was asked for, and loads and stores by pointer"
)]
mod x86 {
    use std::arch::x86_64::{
        __m256d, __m512d, _mm256_add_pd, _mm256_fmadd_pd, _mm256_fmsub_pd, _mm256_loadu_pd, _mm256_mul_pd,
        _mm256_set1_pd, _mm256_storeu_pd, _mm256_sub_pd, _mm512_add_pd, _mm512_fmadd_pd, _mm512_fmsub_pd,
        _mm512_loadu_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_storeu_pd, _mm512_sub_pd,
    };

    use super::{LANES, Vector};

    /// One register of AVX-512. Only code under `run_avx512` names it.
    #[derive(Clone, Copy)]
    pub(in crate::instructions) struct Avx512(__m512d);

    impl Vector for Avx512 {
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
        fn store(self, lanes: &mut [f64; LANES]) {
            // SAFETY: as above; there is room for eight numbers.
            unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), self.0) }
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
        fn times_plus(self, factor: Self, term: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_fmadd_pd(self.0, factor.0, term.0) })
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

    /// Two registers of AVX2. Only code under `run_avx2` names it.
    #[derive(Clone, Copy)]
    pub(in crate::instructions) struct Avx2(__m256d, __m256d);

    impl Vector for Avx2 {
        #[inline(always)]
        fn splat(value: f64) -> Self {
            // SAFETY: the processor has the instructions, here and below, or `run_avx2` would not have been called.
            let half = unsafe { _mm256_set1_pd(value) };
            Self(half, half)
        }

        #[inline(always)]
        fn load(lanes: &[f64; LANES]) -> Self {
            // SAFETY: as above; there are twice four numbers.
            unsafe { Self(_mm256_loadu_pd(lanes.as_ptr()), _mm256_loadu_pd(lanes.as_ptr().add(4))) }
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
        fn plus(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn times_plus(self, factor: Self, term: Self) -> Self {
            // SAFETY: as above.
            unsafe {
                Self(_mm256_fmadd_pd(self.0, factor.0, term.0), _mm256_fmadd_pd(self.1, factor.1, term.1))
            }
        }

        #[inline(always)]
        fn plus_by_multiplier(self, term: Self, one: Self) -> Self {
            self.times_plus(one, term)
        }

        #[inline(always)]
        fn minus_by_multiplier(self, term: Self, one: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_fmsub_pd(self.0, one.0, term.0), _mm256_fmsub_pd(self.1, one.1, term.1)) }
        }
    }
}
