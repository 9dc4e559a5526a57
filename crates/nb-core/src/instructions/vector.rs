//! Eight doubles in registers.
//!
//! Compilers make vectors of plain arrays, but not dependably: whether they see them changes with the code around. The
//! innermost loops spell their operations out. Kernels are written with [`Vector`] and do not know which it is.

use super::LANES;
use crate::exact::two_prod;

/// Eight doubles that are worked on together.
pub(crate) trait Vector: Copy {
    /// All lanes the same.
    fn splat(value: f64) -> Self;

    /// From memory.
    fn load(lanes: &[f64; LANES]) -> Self;

    /// From memory, made double precision.
    fn load_single(lanes: &[f32; LANES]) -> Self;

    /// To memory.
    fn store(self, lanes: &mut [f64; LANES]);

    /// Lane by lane, rounded.
    fn plus(self, other: Self) -> Self;

    /// Lane by lane, rounded.
    fn minus(self, other: Self) -> Self;

    /// Lane by lane, rounded.
    fn times(self, other: Self) -> Self;

    /// Lane by lane, without the sign.
    fn size(self) -> Self;

    /// The larger of each lane; a NaN in `other` is passed over.
    fn larger(self, other: Self) -> Self;

    /// Taking lanes as the unsigned integers that their bits are: the smaller of `self` and one less than `size`, which
    /// makes zero the largest of all.
    fn smaller_bits(self, size: Self) -> Self;

    /// Whether no lane is above that of `limit`, nor NaN.
    fn is_at_most(self, limit: Self) -> bool;

    /// Whether no lane is below that of `limit`, both taken as the unsigned integers that their bits are.
    fn has_bits_of_at_least(self, limit: Self) -> bool;

    /// The lanes that are not zero and not from `lowest` to `highest`, NaN among them, as the bits of a number.
    fn strays(self, lowest: Self, highest: Self) -> u8;

    /// Zero in the lanes whose bits are set.
    fn without(self, lanes: u8) -> Self;

    /// `self * factor + term`, rounded once or twice: for exact products and for estimates.
    fn times_plus(self, factor: Self, term: Self) -> Self;

    /// The square and the exact error of its rounding, as [`two_prod`](crate::exact::two_prod) gives them.
    fn square(self) -> (Self, Self);

    /// Lane by lane, rounded.
    fn over(self, divisor: Self) -> Self;

    /// The lanes of `then` where those of `self` are above those of `limit`, else those of `otherwise`.
    fn choose_above(self, limit: Self, then: Self, otherwise: Self) -> Self;

    /// Two to the power of each lane, a whole number from -1022 to 1023.
    fn power_of_two(self) -> Self;

    /// Whole `k` and `f` with `f * 2^k == self` and `√½ ≤ f < √2`, for normal numbers of at least 1.
    fn split_exponent(self) -> (Self, Self);

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
/// Of the seven additions two go by the multiplier where it is fused, because processors with
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
    *low = error.plus(*low);
}

/// An array, for all that has no kind of its own. Two lanes at a time is what x86-64 and ARM have at least.
#[derive(Clone, Copy)]
pub(crate) struct Array([f64; LANES]);

impl Array {
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn zip(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        let mut lanes = self.0;
        for lane in 0..LANES {
            lanes[lane] = operation(self.0[lane], other.0[lane]);
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
    fn load_single(lanes: &[f32; LANES]) -> Self {
        let mut wide = [0.0; LANES];
        for (wide, &lane) in wide.iter_mut().zip(lanes) {
            *wide = f64::from(lane);
        }
        Self(wide)
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
    fn size(self) -> Self {
        self.zip(self, |a, _| a.abs())
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.zip(other, |a, b| if b > a { b } else { a })
    }

    #[inline(always)]
    fn smaller_bits(self, size: Self) -> Self {
        self.zip(size, |a, b| f64::from_bits(a.to_bits().min(b.to_bits().wrapping_sub(1))))
    }

    #[inline(always)]
    fn is_at_most(self, limit: Self) -> bool {
        self.0.iter().zip(&limit.0).all(|(value, limit)| value <= limit)
    }

    #[inline(always)]
    fn has_bits_of_at_least(self, limit: Self) -> bool {
        self.0.iter().zip(&limit.0).all(|(value, limit)| value.to_bits() >= limit.to_bits())
    }

    #[inline(always)]
    fn strays(self, lowest: Self, highest: Self) -> u8 {
        let mut strays = 0;
        for lane in 0..LANES {
            let value = self.0[lane];
            let is_within = u8::from(value >= lowest.0[lane]) & u8::from(value <= highest.0[lane]);
            strays |= (u8::from(value != 0.0) & !is_within) << lane;
        }
        strays
    }

    #[inline(always)]
    fn without(mut self, lanes: u8) -> Self {
        for (lane, value) in self.0.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                *value = 0.0;
            }
        }
        self
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        self.times(factor).plus(term)
    }

    #[inline(always)]
    fn square(self) -> (Self, Self) {
        let (mut products, mut errors) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            (products[lane], errors[lane]) = two_prod(self.0[lane], self.0[lane]);
        }
        (Self(products), Self(errors))
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.zip(divisor, |a, b| a / b)
    }

    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn choose_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        let mut lanes = otherwise.0;
        for lane in 0..LANES {
            lanes[lane] = if self.0[lane] > limit.0[lane] { then.0[lane] } else { lanes[lane] };
        }
        Self(lanes)
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        self.zip(self, |a, _| power_of_two(a))
    }

    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        (self.zip(self, |a, _| split_exponent(a).0), self.zip(self, |a, _| split_exponent(a).1))
    }
}

/// What is added to a whole number from -1022 to 1023 so that its exponent field is in the lowest bits.
const EXPONENT_IN_LOW_BITS: f64 = 4_503_599_627_370_496.0 + 1023.0; // 2^52 + 1023

/// Two to the power of a whole number from -1022 to 1023.
#[inline(always)]
pub(crate) fn power_of_two(exponent: f64) -> f64 {
    f64::from_bits((exponent + EXPONENT_IN_LOW_BITS).to_bits() << 52)
}

const ROOT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
const EXPONENT_BITS: u64 = 0xFFF0_0000_0000_0000;
const TWO_TO_52: f64 = 4_503_599_627_370_496.0;

/// [`Vector::split_exponent`] of one number. Counting from √½, the exponent is what the high bits say, and what is left
/// belongs to the fraction. An exponent becomes a number by way of its bits, which every instruction set can do.
#[inline(always)]
pub(crate) fn split_exponent(value: f64) -> (f64, f64) {
    let exponent = value.to_bits().wrapping_sub(ROOT_HALF) & EXPONENT_BITS;
    let k = f64::from_bits(TWO_TO_52.to_bits() | exponent >> 52) - TWO_TO_52;
    (k, f64::from_bits(value.to_bits().wrapping_sub(exponent)))
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
        __m256d, __m512d, _CMP_EQ_OQ, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_OQ, _CMP_NLE_UQ,
        _mm_loadu_ps, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256, _mm256_andnot_pd, _mm256_blendv_pd,
        _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_cmpgt_epi64, _mm256_cvtps_pd,
        _mm256_div_pd, _mm256_fmadd_pd, _mm256_fmsub_pd, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_max_pd,
        _mm256_movemask_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_set1_pd,
        _mm256_setzero_pd, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_pd, _mm256_sub_epi64,
        _mm256_sub_pd, _mm256_xor_si256, _mm512_abs_pd, _mm512_add_pd, _mm512_and_si512, _mm512_castpd_si512,
        _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_cmpge_epu64_mask, _mm512_cvtps_pd, _mm512_div_pd,
        _mm512_fmadd_pd, _mm512_fmsub_pd, _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_mask_cmp_pd_mask,
        _mm512_maskz_mov_pd, _mm512_max_pd, _mm512_min_epu64, _mm512_mul_pd, _mm512_or_si512,
        _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd, _mm512_slli_epi64, _mm512_srli_epi64,
        _mm512_storeu_pd, _mm512_sub_epi64, _mm512_sub_pd,
    };

    use super::{EXPONENT_BITS, EXPONENT_IN_LOW_BITS, LANES, ROOT_HALF, TWO_TO_52, Vector};

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
        fn load_single(lanes: &[f32; LANES]) -> Self {
            // SAFETY: as above; there are eight numbers.
            Self(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(lanes.as_ptr())) })
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
        fn size(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_abs_pd(self.0) })
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
        fn power_of_two(self) -> Self {
            // SAFETY: as above.
            unsafe {
                let low = _mm512_add_pd(self.0, _mm512_set1_pd(EXPONENT_IN_LOW_BITS));
                Self(_mm512_castsi512_pd(_mm512_slli_epi64::<52>(_mm512_castpd_si512(low))))
            }
        }

        #[inline(always)]
        fn split_exponent(self) -> (Self, Self) {
            // SAFETY: as above.
            unsafe {
                let bits = _mm512_castpd_si512(self.0);
                let offset = _mm512_sub_epi64(bits, _mm512_set1_epi64(ROOT_HALF.cast_signed()));
                let exponent = _mm512_and_si512(offset, _mm512_set1_epi64(EXPONENT_BITS.cast_signed()));
                let shifter = _mm512_set1_pd(TWO_TO_52);
                let k = _mm512_or_si512(_mm512_srli_epi64::<52>(exponent), _mm512_castpd_si512(shifter));
                let fraction = _mm512_castsi512_pd(_mm512_sub_epi64(bits, exponent));
                (Self(_mm512_sub_pd(_mm512_castsi512_pd(k), shifter)), Self(fraction))
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

    /// Half of [`Vector::smaller_bits`]. Only code under `run_avx2` calls it.
    #[inline(always)]
    fn smaller_bits(kept: __m256d, size: __m256d) -> __m256d {
        // SAFETY: as above.
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

    /// Half of [`Vector::strays`], as masks of the lanes. Only code under `run_avx2` calls it.
    #[inline(always)]
    fn strays(values: __m256d, lowest: __m256d, highest: __m256d) -> __m256d {
        // SAFETY: as above.
        unsafe {
            let above = _mm256_cmp_pd::<_CMP_NLE_UQ>(values, highest);
            let below = _mm256_cmp_pd::<_CMP_LT_OQ>(values, lowest);
            let is_zero = _mm256_cmp_pd::<_CMP_EQ_OQ>(values, _mm256_setzero_pd());
            _mm256_or_pd(above, _mm256_andnot_pd(is_zero, below))
        }
    }

    /// Half of [`Vector::power_of_two`]. Only code under `run_avx2` calls it.
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
            let offset = _mm256_sub_epi64(bits, _mm256_set1_epi64x(ROOT_HALF.cast_signed()));
            let exponent = _mm256_and_si256(offset, _mm256_set1_epi64x(EXPONENT_BITS.cast_signed()));
            let shifter = _mm256_set1_pd(TWO_TO_52);
            let k = _mm256_or_si256(_mm256_srli_epi64::<52>(exponent), _mm256_castpd_si256(shifter));
            let fraction = _mm256_castsi256_pd(_mm256_sub_epi64(bits, exponent));
            (_mm256_sub_pd(_mm256_castsi256_pd(k), shifter), fraction)
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
        fn load_single(lanes: &[f32; LANES]) -> Self {
            // SAFETY: as above; there are twice four numbers.
            unsafe {
                let (low, high) = (_mm_loadu_ps(lanes.as_ptr()), _mm_loadu_ps(lanes.as_ptr().add(4)));
                Self(_mm256_cvtps_pd(low), _mm256_cvtps_pd(high))
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
        fn size(self) -> Self {
            // SAFETY: as above.
            unsafe {
                let sign = _mm256_set1_pd(-0.0);
                Self(_mm256_andnot_pd(sign, self.0), _mm256_andnot_pd(sign, self.1))
            }
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // SAFETY: as above. Of a pair with a NaN the instruction gives the second.
            unsafe { Self(_mm256_max_pd(other.0, self.0), _mm256_max_pd(other.1, self.1)) }
        }

        #[inline(always)]
        fn smaller_bits(self, size: Self) -> Self {
            Self(smaller_bits(self.0, size.0), smaller_bits(self.1, size.1))
        }

        #[inline(always)]
        fn is_at_most(self, limit: Self) -> bool {
            // SAFETY: as above.
            unsafe {
                let low = _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, limit.0);
                let high = _mm256_cmp_pd::<_CMP_LE_OQ>(self.1, limit.1);
                _mm256_movemask_pd(_mm256_and_pd(low, high)) == 0b1111
            }
        }

        #[inline(always)]
        fn has_bits_of_at_least(self, limit: Self) -> bool {
            let (low, high) = (bits_below(self.0, limit.0), bits_below(self.1, limit.1));
            // SAFETY: as above.
            unsafe { _mm256_movemask_pd(_mm256_or_pd(low, high)) == 0 }
        }

        #[inline(always)]
        fn strays(self, lowest: Self, highest: Self) -> u8 {
            let (low, high) = (strays(self.0, lowest.0, highest.0), strays(self.1, lowest.1, highest.1));
            // SAFETY: as above.
            unsafe { (_mm256_movemask_pd(low) | _mm256_movemask_pd(high) << 4) as u8 }
        }

        #[inline(always)]
        fn without(self, lanes: u8) -> Self {
            let mut kept = [0.0; LANES];
            self.store(&mut kept);
            for (lane, value) in kept.iter_mut().enumerate() {
                if lanes >> lane & 1 == 1 {
                    *value = 0.0;
                }
            }
            Self::load(&kept)
        }

        #[inline(always)]
        fn times_plus(self, factor: Self, term: Self) -> Self {
            // SAFETY: as above.
            unsafe {
                Self(_mm256_fmadd_pd(self.0, factor.0, term.0), _mm256_fmadd_pd(self.1, factor.1, term.1))
            }
        }

        #[inline(always)]
        fn square(self) -> (Self, Self) {
            let product = self.times(self);
            // SAFETY: as above.
            let error = unsafe {
                Self(_mm256_fmsub_pd(self.0, self.0, product.0), _mm256_fmsub_pd(self.1, self.1, product.1))
            };
            (product, error)
        }

        #[inline(always)]
        fn over(self, divisor: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_div_pd(self.0, divisor.0), _mm256_div_pd(self.1, divisor.1)) }
        }

        #[inline(always)]
        fn choose_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
            // SAFETY: as above.
            unsafe {
                let low = _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, limit.0);
                let high = _mm256_cmp_pd::<_CMP_GT_OQ>(self.1, limit.1);
                Self(_mm256_blendv_pd(otherwise.0, then.0, low), _mm256_blendv_pd(otherwise.1, then.1, high))
            }
        }

        #[inline(always)]
        fn power_of_two(self) -> Self {
            Self(power_of_two_avx2(self.0), power_of_two_avx2(self.1))
        }

        #[inline(always)]
        fn split_exponent(self) -> (Self, Self) {
            let (low, high) = (split_exponent_avx2(self.0), split_exponent_avx2(self.1));
            (Self(low.0, high.0), Self(low.1, high.1))
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
