//! Picking places by number, sixteen at a time: a comparison and a compression where one by one takes three operations
//! for each.

use std::arch::x86_64::{
    _mm512_add_epi32, _mm512_cmpeq_epi32_mask, _mm512_loadu_si512, _mm512_maskz_compress_epi32,
    _mm512_set1_epi32, _mm512_setr_epi32, _mm512_storeu_si512,
};

use super::PICKED;

#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads and stores by pointer")]
pub(super) fn pick_avx512(
    numbers: &[u32; PICKED],
    wanted: u32,
    first: u32,
    places: &mut [u32; PICKED],
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
