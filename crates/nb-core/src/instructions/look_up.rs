//! Codes of sixteen rows: turned so that those of a column lie along the lanes, and looked up in tables that are registers.

use std::arch::x86_64::{
    __m512, __m512i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm512_castsi128_si512, _mm512_inserti32x4,
    _mm512_loadu_ps, _mm512_loadu_si512, _mm512_permutex2var_ps, _mm512_permutexvar_ps, _mm512_srl_epi32,
    _mm512_storeu_si512, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32,
    _mm512_unpacklo_epi64,
};

use super::{CODES, SINGLES, Table, Words};

/// A quarter of a register for each row, then two rounds of shuffles that pair rows one and two apart.
#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads and stores by pointer")]
pub(super) fn words_avx512(codes: &[u8], stride: usize) -> Words {
    let codes = &codes[..(SINGLES - 1) * stride + CODES];
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
    let mut words = [[0; SINGLES]; CODES / 4];
    for (words, turned) in words.iter_mut().zip(turned) {
        // SAFETY: there is room for sixteen words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), turned) };
    }
    words
}

/// See [`Singles::look_up`](super::Singles::look_up). The instructions pass over the bits of an index that they do not need.
#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads by pointer")]
pub(super) fn look_up_avx512(table: &[Table], words: &[u32; SINGLES], byte: u32) -> __m512 {
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
