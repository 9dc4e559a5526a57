//! Turning eight rows of eight into columns, in registers.
//!
//! With AVX-512 halves of two rows are loaded into one register, and two rounds of shuffles pair what lies one and two places
//! apart: 16 of them for 64 numbers, where moving them one by one takes 128 instructions.

use std::arch::x86_64::{
    __m256d, __m512d, _mm256_loadu_pd, _mm256_permute2f128_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd, _mm512_castpd256_pd512, _mm512_insertf64x4, _mm512_shuffle_f64x2, _mm512_storeu_pd,
    _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

use super::LANES;

type Square = [[f64; LANES]; LANES];

#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads and stores by pointer")]
pub(super) fn turn_avx512(rows: &[&[f64; LANES]; LANES]) -> Square {
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

#[inline]
#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "loads and stores by pointer")]
pub(super) fn turn_avx2(rows: &[&[f64; LANES]; LANES]) -> Square {
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
