//! Turning eight rows of eight into columns, in registers.
//!
//! Three rounds of shuffles, each of which pairs what lies one, two and four places apart: 24 instructions of 512 bits
//! for 64 numbers, where moving them one by one takes 128.

use std::arch::x86_64::{
    __m256d, __m512d, _mm256_loadu_pd, _mm256_permute2f128_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd, _mm512_loadu_pd, _mm512_shuffle_f64x2, _mm512_storeu_pd, _mm512_unpackhi_pd,
    _mm512_unpacklo_pd,
};

use super::LANES;

type Square = [[f64; LANES]; LANES];

#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads and stores by pointer")]
pub(super) fn turn_avx512(rows: &[&[f64; LANES]; LANES]) -> Square {
    let load = |row: usize| -> __m512d {
        // SAFETY: a row has eight numbers.
        unsafe { _mm512_loadu_pd(rows[row].as_ptr()) }
    };
    // (`map` on arrays would not be compiled with these instructions.)
    let rows = [load(0), load(1), load(2), load(3), load(4), load(5), load(6), load(7)];
    // Neighbouring rows: lane 2i of the low and lane 2i + 1 of the high result hold a pair of one column.
    let low = |a, b| _mm512_unpacklo_pd(a, b);
    let high = |a, b| _mm512_unpackhi_pd(a, b);
    let pairs = [
        low(rows[0], rows[1]),
        high(rows[0], rows[1]),
        low(rows[2], rows[3]),
        high(rows[2], rows[3]),
        low(rows[4], rows[5]),
        high(rows[4], rows[5]),
        low(rows[6], rows[7]),
        high(rows[6], rows[7]),
    ];
    // Pairs of pairs, by quarters of a register: the even quarters of both, then the odd ones.
    let even = |a, b| _mm512_shuffle_f64x2::<0b10_00_10_00>(a, b);
    let odd = |a, b| _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b);
    let (even_0, even_1) = (even(pairs[0], pairs[2]), even(pairs[1], pairs[3]));
    let (odd_0, odd_1) = (odd(pairs[0], pairs[2]), odd(pairs[1], pairs[3]));
    let (even_4, even_5) = (even(pairs[4], pairs[6]), even(pairs[5], pairs[7]));
    let (odd_4, odd_5) = (odd(pairs[4], pairs[6]), odd(pairs[5], pairs[7]));
    let columns = [
        even(even_0, even_4),
        even(even_1, even_5),
        even(odd_0, odd_4),
        even(odd_1, odd_5),
        odd(even_0, even_4),
        odd(even_1, even_5),
        odd(odd_0, odd_4),
        odd(odd_1, odd_5),
    ];
    let mut turned = [[0.0; LANES]; LANES];
    for (to, from) in turned.iter_mut().zip(columns) {
        // SAFETY: each column has eight numbers.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), from) };
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
