//! AVX-512: eight doubles in a register, sixteen floats in another.
//!
//! To transpose, halves of two rows are loaded into one register, and two rounds of shuffles pair what lies
//! one and two places apart: 16 of them for 64 numbers, where moving them one by one takes 128 instructions.
//! Places are picked by a comparison and a compression. Codes are transposed so that those of a column lie
//! along the lanes, and looked up in tables that are registers.
#![expect(
    unsafe_code,
    reason = "instructions that were detected at run time, and loads and stores by pointer"
)]
#![cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "a list of instructions tells nothing"))]

use std::arch::x86_64::*;

use crate::{
    LANES, LANES_F32,
    f32x16::{CODES, Table, VectorF32, Words},
    f64x8::{EXPONENT_BITS, ONE_LESS_ROOT_HALF, ROOT_HALF, TWO_TO_52, TWO_TO_52_AND_1023, Vector},
    isa::{COMPRESS_LANES, Isa, Kernel},
};

/// Runs a kernel with the instructions of AVX-512.
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")]
pub(crate) fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512<false>>()
}
/// Isa with the instructions of AVX-512, and with those that multiply whole numbers of 52 bits if `IFMA`.
pub(crate) struct Avx512<const IFMA: bool>;

impl<const IFMA: bool> Isa for Avx512<IFMA> {
    type Vector = F64x8<IFMA>;
    type VectorF32 = F32x16;

    const HAS_FMA: bool = true;
    const HAS_32_REGISTERS: bool = true;

    #[inline(always)]
    fn transpose(rows: &[&[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        // SAFETY: the processor has the instructions, or `run_avx512` would not have been called.
        unsafe { transpose_avx512(rows) }
    }

    #[inline(always)]
    fn gather_bytes(codes: &[u8], stride: usize) -> Words {
        // SAFETY: as above.
        unsafe { gather_bytes_avx512(codes, stride) }
    }

    #[inline(always)]
    fn compress(
        numbers: &[u32; COMPRESS_LANES],
        wanted: u32,
        first: u32,
        places: &mut [u32; COMPRESS_LANES],
    ) -> usize {
        // SAFETY: as above.
        unsafe { compress_avx512(numbers, wanted, first, places) }
    }
}

/// What `VRANGEPD` is to choose: the smaller or the larger size, without its sign. (Intel 64 and IA-32
/// Architectures Software Developer's Manual, volume 2C. Of a pair with a NaN it gives the other.)
const SMALLER_SIZE: i32 = 0b10_10;
const LARGER_SIZE: i32 = 0b10_11;

/// One register of AVX-512. Only code under `run_avx512` names it, and with `IFMA` only code under
/// `run_avx512_ifma`.
#[derive(Clone, Copy)]
pub(crate) struct F64x8<const IFMA: bool>(pub(super) __m512d);

impl<const IFMA: bool> Vector for F64x8<IFMA> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the processor has the instructions, here and below, or `run_avx512` would not have been
        // called.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn load(lanes: &[f64; LANES]) -> Self {
        // SAFETY: as above; there are eight numbers.
        Self(unsafe { _mm512_loadu_pd(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn load_f32(lanes: &[f32; LANES]) -> Self {
        // SAFETY: as above; there are eight numbers.
        Self(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(lanes.as_ptr())) })
    }

    #[inline(always)]
    fn load_i16(lanes: &[i16; LANES]) -> Self {
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
    fn store_f32(self, lanes: &mut [f32; LANES]) {
        // SAFETY: as above; there is room for eight numbers.
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), _mm512_cvtpd_ps(self.0)) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_abs_pd(self.0) })
    }

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let bits = _mm512_or_si512(_mm512_castpd_si512(self.0), _mm512_castpd_si512(other.0));
            Self(_mm512_castsi512_pd(bits))
        }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as above. Of a pair with a NaN the instruction gives the second.
        Self(unsafe { _mm512_max_pd(other.0, self.0) })
    }

    #[inline(always)]
    fn min_bits_minus_one(self, size: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let below = _mm512_sub_epi64(_mm512_castpd_si512(size.0), _mm512_set1_epi64(1));
            Self(_mm512_castsi512_pd(_mm512_min_epu64(_mm512_castpd_si512(self.0), below)))
        }
    }

    #[inline(always)]
    fn all_le(self, limit: Self) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, limit.0) == u8::MAX }
    }

    #[inline(always)]
    fn bits_ge(self, limit: Self) -> bool {
        // SAFETY: as above.
        unsafe {
            _mm512_cmpge_epu64_mask(_mm512_castpd_si512(self.0), _mm512_castpd_si512(limit.0)) == u8::MAX
        }
    }

    #[inline(always)]
    fn max_upper(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let larger = _mm512_max_epu32(_mm512_castpd_si512(self.0), _mm512_castpd_si512(other.0));
            Self(_mm512_castsi512_pd(larger))
        }
    }

    #[inline(always)]
    fn min_upper_minus_one(self, size: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let below = _mm512_sub_epi64(_mm512_castpd_si512(size.0), _mm512_set1_epi64(1));
            Self(_mm512_castsi512_pd(_mm512_min_epu32(_mm512_castpd_si512(self.0), below)))
        }
    }

    #[inline(always)]
    fn max_upper_abs(self, value: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_range_pd::<LARGER_SIZE>(self.0, value.0) })
    }

    #[inline(always)]
    fn min_upper_abs_minus_one(self, value: Self) -> Self {
        // SAFETY: as above. What is one less than zero, of either sign, is no number: it is passed over.
        unsafe {
            let below = _mm512_sub_epi64(_mm512_castpd_si512(value.0), _mm512_set1_epi64(1));
            Self(_mm512_range_pd::<SMALLER_SIZE>(self.0, _mm512_castsi512_pd(below)))
        }
    }

    #[inline(always)]
    fn upper_ge(self, limit: Self) -> bool {
        const UPPER: u16 = 0xAAAA;
        // SAFETY: as above.
        unsafe {
            let (value, limit) = (_mm512_castpd_si512(self.0), _mm512_castpd_si512(limit.0));
            _mm512_cmplt_epu32_mask(value, limit) & UPPER == 0
        }
    }

    #[inline(always)]
    fn out_of_range_mask(self, lowest: Self, highest: Self) -> u8 {
        // SAFETY: as above.
        unsafe {
            let above = _mm512_cmp_pd_mask::<_CMP_NLE_UQ>(self.0, highest.0);
            let below = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, lowest.0);
            above | _mm512_mask_cmp_pd_mask::<_CMP_NEQ_OQ>(below, self.0, _mm512_setzero_pd())
        }
    }

    #[inline(always)]
    fn zero_lanes(self, lanes: u8) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_maskz_mov_pd(!lanes, self.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_fmadd_pd(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn square(self) -> (Self, Self) {
        let product = self.mul(self);
        // SAFETY: as above.
        (product, Self(unsafe { _mm512_fmsub_pd(self.0, self.0, product.0) }))
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_div_pd(self.0, divisor.0) })
    }

    #[inline(always)]
    fn select_gt(self, limit: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let above = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, limit.0);
            Self(_mm512_mask_blend_pd(above, otherwise.0, then.0))
        }
    }

    #[inline(always)]
    fn zero_where_eq(self, left: Self, right: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let differ = _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(left.0, right.0);
            Self(_mm512_maskz_mov_pd(differ, self.0))
        }
    }

    #[inline(always)]
    fn mul_power_of_two(self, exponent: Self) -> Self {
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
    fn add_on_fma_port(self, term: Self, one: Self) -> Self {
        self.mul_add(one, term)
    }

    #[inline(always)]
    fn sub_on_fma_port(self, term: Self, one: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_fmsub_pd(self.0, one.0, term.0) })
    }
}

/// One register of AVX-512. Only code under `run_avx512` names it.
#[derive(Clone, Copy)]
pub(crate) struct F32x16(__m512);

impl F32x16 {
    /// Lanes 4i and 4i + 2 hold halves of what lanes 4i to 4i + 3 of `self` sum up to, the others those of
    /// `other`.
    #[inline(always)]
    fn pair(self, other: Self) -> Self {
        // SAFETY: the processor has the instructions, here and below, or `run_avx512` would not have been
        // called.
        Self(unsafe {
            _mm512_add_ps(_mm512_unpacklo_ps(self.0, other.0), _mm512_unpackhi_ps(self.0, other.0))
        })
    }

    /// The same for pairs of lanes: each quarter of the register holds parts of the sums of four rows.
    #[inline(always)]
    fn pair_of_pairs(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let (a, b) = (_mm512_castps_pd(self.0), _mm512_castps_pd(other.0));
            let (low, high) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
            _mm512_add_ps(_mm512_castpd_ps(low), _mm512_castpd_ps(high))
        })
    }

    /// The even and the odd quarters of both, added.
    #[inline(always)]
    fn quarters(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let even = _mm512_shuffle_f32x4::<0b10_00_10_00>(self.0, other.0);
            let odd = _mm512_shuffle_f32x4::<0b11_01_11_01>(self.0, other.0);
            _mm512_add_ps(even, odd)
        })
    }

    #[inline(always)]
    fn four(rows: &[Self; LANES_F32], first: usize) -> Self {
        let low = rows[first].pair(rows[first + 1]);
        let high = rows[first + 2].pair(rows[first + 3]);
        low.pair_of_pairs(high)
    }
}

impl VectorF32 for F32x16 {
    #[inline(always)]
    fn table_lookup<const N: usize>(table: &[Table; N], words: &[u32; LANES_F32], byte: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { look_up_avx512(table, words, byte) })
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn load(lanes: &[f32; LANES_F32]) -> Self {
        // SAFETY: as above; there are sixteen numbers.
        Self(unsafe { _mm512_loadu_ps(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f32; LANES_F32]) {
        // SAFETY: as above; there is room for sixteen numbers.
        unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // Of a pair with a NaN in it the instruction gives the second.
        // SAFETY: as above.
        Self(unsafe { _mm512_max_ps(other.0, self.0) })
    }

    #[inline(always)]
    fn lane_sums(rows: &[Self; LANES_F32]) -> Self {
        let low = Self::four(rows, 0).quarters(Self::four(rows, 4));
        let high = Self::four(rows, 8).quarters(Self::four(rows, 12));
        low.quarters(high)
    }
}

type Square = [[f64; LANES]; LANES];

/// The columns of eight rows of eight.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_avx512(rows: &[&[f64; LANES]; LANES]) -> Square {
    let mut turned = [[0.0; LANES]; LANES];
    for left in [0, 4] {
        // Half of a row, and half of the row two below it.
        let load = |row: usize| -> __m512d {
            // SAFETY: a row has eight numbers, and `left` is at most 4.
            let half = |row: usize| unsafe { _mm256_loadu_pd(rows[row].as_ptr().add(left)) };
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(half(row)), half(row + 2))
        };
        let rows = [load(0), load(1), load(4), load(5)];
        // Neighbouring rows: lane 2i of the low and lane 2i + 1 of the high result hold a pair of one column.
        let low = [_mm512_unpacklo_pd(rows[0], rows[1]), _mm512_unpacklo_pd(rows[2], rows[3])];
        let high = [_mm512_unpackhi_pd(rows[0], rows[1]), _mm512_unpackhi_pd(rows[2], rows[3])];
        // Pairs of pairs, by quarters of a register: the even quarters of both, then the odd ones.
        let columns = [
            _mm512_shuffle_f64x2::<0b10_00_10_00>(low[0], low[1]),
            _mm512_shuffle_f64x2::<0b10_00_10_00>(high[0], high[1]),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(low[0], low[1]),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(high[0], high[1]),
        ];
        for (to, from) in turned[left..].iter_mut().zip(columns) {
            // SAFETY: each column has eight numbers.
            unsafe { _mm512_storeu_pd(to.as_mut_ptr(), from) };
        }
    }
    turned
}

/// See [`Isa::compress`].
#[inline]
#[target_feature(enable = "avx512f")]
fn compress_avx512(
    numbers: &[u32; COMPRESS_LANES],
    wanted: u32,
    first: u32,
    places: &mut [u32; COMPRESS_LANES],
) -> usize {
    // SAFETY: there are sixteen numbers of four bytes.
    let numbers = unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) };
    let mask = _mm512_cmpeq_epi32_mask(numbers, _mm512_set1_epi32(wanted.cast_signed()));
    let steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let all = _mm512_add_epi32(_mm512_set1_epi32(first.cast_signed()), steps);
    let found = _mm512_maskz_compress_epi32(mask, all);
    // SAFETY: there is room for sixteen.
    unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), found) };
    mask.count_ones() as usize
}

/// A quarter of a register for each row, then two rounds of shuffles that pair rows one and two apart.
#[inline]
#[target_feature(enable = "avx512f")]
fn gather_bytes_avx512(codes: &[u8], stride: usize) -> Words {
    let codes = &codes[..(LANES_F32 - 1) * stride + CODES];
    // SAFETY: a row has sixteen codes, and the last of them are the last of all.
    let row = |row: usize| unsafe { _mm_loadu_si128(codes.as_ptr().add(row * stride).cast()) };
    // Every fourth row.
    let load = |first: usize| -> __m512i {
        let rows = _mm512_castsi128_si512(row(first));
        let rows = _mm512_inserti32x4::<1>(rows, row(first + 4));
        let rows = _mm512_inserti32x4::<2>(rows, row(first + 8));
        _mm512_inserti32x4::<3>(rows, row(first + 12))
    };
    let rows = [load(0), load(1), load(2), load(3)];
    let low = [_mm512_unpacklo_epi32(rows[0], rows[1]), _mm512_unpacklo_epi32(rows[2], rows[3])];
    let high = [_mm512_unpackhi_epi32(rows[0], rows[1]), _mm512_unpackhi_epi32(rows[2], rows[3])];
    let turned = [
        _mm512_unpacklo_epi64(low[0], low[1]),
        _mm512_unpackhi_epi64(low[0], low[1]),
        _mm512_unpacklo_epi64(high[0], high[1]),
        _mm512_unpackhi_epi64(high[0], high[1]),
    ];
    let mut words = [[0; LANES_F32]; CODES / 4];
    for (words, turned) in words.iter_mut().zip(turned) {
        // SAFETY: there is room for sixteen words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), turned) };
    }
    words
}

/// See [`VectorF32::table_lookup`]. The instructions pass over the bits of an index that they do not need.
#[inline]
#[target_feature(enable = "avx512f")]
fn look_up_avx512(table: &[Table], words: &[u32; LANES_F32], byte: u32) -> __m512 {
    // SAFETY: there are sixteen words.
    let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    let codes = _mm512_srl_epi32(words, _mm_cvtsi32_si128(8 * byte.cast_signed()));
    // SAFETY: a table has sixteen entries.
    let load = |Table(entries): &Table| unsafe { _mm512_loadu_ps(entries.as_ptr()) };
    match table {
        [table] => _mm512_permutexvar_ps(codes, load(table)),
        [low, high] => _mm512_permutex2var_ps(load(low), codes, load(high)),
        _ => unreachable!("tables are one or two"),
    }
}
