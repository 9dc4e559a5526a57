//! What is measured, with the vectors of x86-64.

use super::{CLASSES, Column, Terms, VECTORS};
use std::{
    arch::x86_64::{
        __m512d, _MM_HINT_T0, _mm_prefetch, _mm256_add_pd, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_fmsub_pd,
        _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_set1_ps, _mm256_sub_pd, _mm512_add_pd,
        _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_fmsub_pd, _mm512_loadu_pd, _mm512_mul_pd,
        _mm512_reduce_add_pd, _mm512_set_pd, _mm512_set1_pd, _mm512_set1_ps, _mm512_setzero_pd,
        _mm512_sub_pd,
    },
    hint::black_box,
};

/// How far ahead to fetch, in doubles: 8 KiB, where plain reading is fastest.
const AHEAD: usize = 1024;

#[target_feature(enable = "avx512f")]
pub(super) fn sum_512(data: &[f64]) -> f64 {
    fetching(
        data,
        |block, sums: &mut [__m512d; 8]| {
            let (lanes, _) = block.as_chunks::<8>();
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                let [a, b, c, d, e, f, g, h] = *lane;
                *sum = _mm512_add_pd(*sum, _mm512_set_pd(h, g, f, e, d, c, b, a));
            }
        },
        |sums| sums.iter().map(|&sum| _mm512_reduce_add_pd(sum)).sum(),
        [_mm512_setzero_pd(); 8],
    )
}

#[target_feature(enable = "avx2")]
pub(super) fn sum_256(data: &[f64]) -> f64 {
    super::sum_in_lanes(data)
}

/// Walks through blocks of 64 doubles and asks for those that come later.
#[inline(always)]
fn fetching<S>(
    data: &[f64],
    mut add: impl FnMut(&[f64; 64], &mut S),
    total: impl FnOnce(S) -> f64,
    mut sums: S,
) -> f64 {
    let (blocks, rest) = data.as_chunks::<64>();
    for block in blocks {
        for line in 0..8 {
            let ahead = block.as_ptr().wrapping_add(AHEAD + 8 * line);
            #[expect(unsafe_code, reason = "fetching ahead takes an address")]
            // SAFETY: a prefetch reads nothing that the program can see, and no address makes it fail.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
            }
        }
        add(block, &mut sums);
    }
    total(sums) + rest.iter().sum::<f64>()
}

/// As many sums side by side as there are registers for.
macro_rules! multiply_adds {
    ($name:ident, $features:literal, $sums:literal, $splat:ident, $multiply_add:ident) => {
        #[target_feature(enable = $features)]
        pub(super) fn $name(rounds: usize) {
            let (half, one) = ($splat(black_box(0.5)), $splat(black_box(1.0)));
            let mut sums = [one; $sums];
            for _ in 0..rounds {
                for sum in &mut sums {
                    *sum = $multiply_add(*sum, half, one);
                }
            }
            black_box(sums);
        }
    };
}

multiply_adds!(multiply_adds_512, "avx512f", 16, _mm512_set1_pd, _mm512_fmadd_pd);
multiply_adds!(multiply_adds_256, "avx2,fma", 12, _mm256_set1_pd, _mm256_fmadd_pd);
multiply_adds!(single_multiply_adds_512, "avx512f", 16, _mm512_set1_ps, _mm512_fmadd_ps);
multiply_adds!(single_multiply_adds_256, "avx2,fma", 12, _mm256_set1_ps, _mm256_fmadd_ps);

/// Two classes, and one vector of values after the other, so that means and factors are read by the
/// operations that need them. Of the four additions of a compensated sum one goes by the multipliers.
macro_rules! terms {
    ($name:ident, $features:literal, $lanes:literal, $load:ident, $splat:ident, $add:ident, $minus:ident,
     $times:ident, $times_minus:ident) => {
        #[target_feature(enable = $features)]
        #[expect(unsafe_code, reason = "loading takes an address")]
        pub(super) fn $name(terms: &Terms<{ VECTORS * $lanes }>, rounds: usize) {
            let one = $splat(black_box(1.0));
            for vector in 0..VECTORS {
                let mut sums = [($splat(-1e6), $splat(0.0)); CLASSES];
                for _ in 0..rounds {
                    for bundle in black_box(&terms.bundles) {
                        let mut totals = [$splat(0.0); CLASSES];
                        for (number, Column { values, classes }) in bundle.iter().enumerate() {
                            let (vectors, _) = values.as_chunks::<$lanes>();
                            // SAFETY: a vector has as many numbers.
                            let value = unsafe { $load(vectors[vector].as_ptr()) };
                            for (total, [mean, factor]) in totals.iter_mut().zip(classes) {
                                let difference = $minus(value, $splat(*mean));
                                let term = $times($times(difference, difference), $splat(*factor));
                                *total = if number == 0 { term } else { $add(*total, term) };
                            }
                        }
                        for ((sum, rest), total) in sums.iter_mut().zip(totals) {
                            let next = $minus(*sum, total);
                            *rest = $add($times_minus($minus(*sum, next), one, total), *rest);
                            *sum = next;
                        }
                    }
                }
                black_box(sums);
            }
        }
    };
}

terms!(
    terms_512,
    "avx512f",
    8,
    _mm512_loadu_pd,
    _mm512_set1_pd,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    _mm512_fmsub_pd
);
terms!(
    terms_256,
    "avx2,fma",
    4,
    _mm256_loadu_pd,
    _mm256_set1_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_fmsub_pd
);
