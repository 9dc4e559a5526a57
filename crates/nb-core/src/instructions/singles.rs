//! Sixteen floats of single precision in registers, for estimates: twice as many as there are doubles.

/// The floats that kernels work on together.
pub(crate) const SINGLES: usize = 16;

/// So many codes of a row are turned together.
pub(crate) const CODES: usize = 16;

/// For each four columns of codes a word of sixteen rows, the first column in the lowest byte.
pub(crate) type Words = [[u32; SINGLES]; CODES / 4];

/// Entries of a table, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Table(pub(crate) [f32; SINGLES]);

/// Sixteen floats that are worked on together.
pub(crate) trait Singles: Copy {
    /// All lanes the same.
    fn splat(value: f32) -> Self;

    /// From memory.
    fn load(lanes: &[f32; SINGLES]) -> Self;

    /// To memory.
    fn store(self, lanes: &mut [f32; SINGLES]);

    /// Lane by lane, rounded.
    fn times(self, other: Self) -> Self;

    /// `self * factor + term`, rounded once or twice.
    fn times_plus(self, factor: Self, term: Self) -> Self;

    /// Lane by lane, rounded.
    fn plus(self, other: Self) -> Self;

    /// The larger of each lane; a NaN in `other` is passed over.
    fn larger(self, other: Self) -> Self;

    /// The entries that the codes in a byte of some words have in one or two tables: codes are below 16 or 32.
    #[inline(always)]
    fn look_up<const N: usize>(table: &[Table; N], words: &[u32; SINGLES], byte: u32) -> Self {
        let entry = |word: u32| {
            let code = (word >> (8 * byte)) as usize % (SINGLES * N);
            table[code / SINGLES].0[code % SINGLES]
        };
        Self::load(&words.map(entry))
    }

    /// For each row the sum of its lanes, halves added to halves: four additions deep.
    fn lane_sums(rows: &[Self; SINGLES]) -> Self;
}

/// An array, for all that has no kind of its own.
#[derive(Clone, Copy)]
pub(crate) struct Array([f32; SINGLES]);

impl Array {
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "iterators hide the lanes from the compiler")]
    fn zip(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let mut lanes = self.0;
        for lane in 0..SINGLES {
            lanes[lane] = operation(self.0[lane], other.0[lane]);
        }
        Self(lanes)
    }
}

impl Singles for Array {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; SINGLES])
    }

    #[inline(always)]
    fn load(lanes: &[f32; SINGLES]) -> Self {
        Self(*lanes)
    }

    #[inline(always)]
    fn store(self, lanes: &mut [f32; SINGLES]) {
        *lanes = self.0;
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        self.times(factor).plus(term)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.zip(other, |a, b| if b > a { b } else { a })
    }

    #[inline(always)]
    fn lane_sums(rows: &[Self; SINGLES]) -> Self {
        let mut sums = [0.0; SINGLES];
        for (sum, Self(row)) in sums.iter_mut().zip(rows) {
            let mut lanes = *row;
            for width in [8, 4] {
                for lane in 0..width {
                    lanes[lane] += lanes[lane + width];
                }
            }
            *sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
        }
        Self(sums)
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
        __m256, __m512, _mm256_add_ps, _mm256_castpd_ps, _mm256_castps_pd, _mm256_fmadd_ps, _mm256_loadu_ps,
        _mm256_max_ps, _mm256_mul_ps, _mm256_permute2f128_ps, _mm256_set1_ps, _mm256_storeu_ps,
        _mm256_unpackhi_pd, _mm256_unpackhi_ps, _mm256_unpacklo_pd, _mm256_unpacklo_ps, _mm512_add_ps,
        _mm512_castpd_ps, _mm512_castps_pd, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps,
        _mm512_set1_ps, _mm512_shuffle_f32x4, _mm512_storeu_ps, _mm512_unpackhi_pd, _mm512_unpackhi_ps,
        _mm512_unpacklo_pd, _mm512_unpacklo_ps,
    };

    use super::{SINGLES, Singles, Table};
    use crate::instructions::look_up::look_up_avx512;

    /// One register of AVX-512. Only code under `run_avx512` names it.
    #[derive(Clone, Copy)]
    pub(in crate::instructions) struct Avx512(__m512);

    impl Avx512 {
        /// Lanes 4i and 4i + 2 hold halves of what lanes 4i to 4i + 3 of `self` sum up to, the others those of `other`.
        #[inline(always)]
        fn pair(self, other: Self) -> Self {
            // SAFETY: the processor has the instructions, here and below, or `run_avx512` would not have been called.
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
        fn four(rows: &[Self; SINGLES], first: usize) -> Self {
            let low = rows[first].pair(rows[first + 1]);
            let high = rows[first + 2].pair(rows[first + 3]);
            low.pair_of_pairs(high)
        }
    }

    impl Singles for Avx512 {
        #[inline(always)]
        fn look_up<const N: usize>(table: &[Table; N], words: &[u32; SINGLES], byte: u32) -> Self {
            // SAFETY: as above.
            Self(unsafe { look_up_avx512(table, words, byte) })
        }

        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_set1_ps(value) })
        }

        #[inline(always)]
        fn load(lanes: &[f32; SINGLES]) -> Self {
            // SAFETY: as above; there are sixteen numbers.
            Self(unsafe { _mm512_loadu_ps(lanes.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, lanes: &mut [f32; SINGLES]) {
            // SAFETY: as above; there is room for sixteen numbers.
            unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times_plus(self, factor: Self, term: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // Of a pair with a NaN in it the instruction gives the second.
            // SAFETY: as above.
            Self(unsafe { _mm512_max_ps(other.0, self.0) })
        }

        #[inline(always)]
        fn lane_sums(rows: &[Self; SINGLES]) -> Self {
            let low = Self::four(rows, 0).quarters(Self::four(rows, 4));
            let high = Self::four(rows, 8).quarters(Self::four(rows, 12));
            low.quarters(high)
        }
    }

    /// Two registers of AVX2. Only code under `run_avx2` names it.
    #[derive(Clone, Copy)]
    pub(in crate::instructions) struct Avx2(__m256, __m256);

    impl Avx2 {
        /// The sums of the lanes of four rows, a part in each half.
        #[inline(always)]
        fn four(rows: &[Self; SINGLES], first: usize) -> __m256 {
            let half = |row: usize| -> __m256 {
                let Self(low, high) = rows[first + row];
                // SAFETY: the processor has the instructions, here and below, or `run_avx2` would not have been called.
                unsafe { _mm256_add_ps(low, high) }
            };
            // SAFETY: as above.
            unsafe {
                let (a, b, c, d) = (half(0), half(1), half(2), half(3));
                let low = _mm256_castps_pd(_mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)));
                let high =
                    _mm256_castps_pd(_mm256_add_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d)));
                let (even, odd) = (_mm256_unpacklo_pd(low, high), _mm256_unpackhi_pd(low, high));
                _mm256_add_ps(_mm256_castpd_ps(even), _mm256_castpd_ps(odd))
            }
        }

        /// The sums of the lanes of eight rows.
        #[inline(always)]
        fn eight(rows: &[Self; SINGLES], first: usize) -> __m256 {
            let (low, high) = (Self::four(rows, first), Self::four(rows, first + 4));
            // SAFETY: as above.
            unsafe {
                let left = _mm256_permute2f128_ps::<0x20>(low, high);
                let right = _mm256_permute2f128_ps::<0x31>(low, high);
                _mm256_add_ps(left, right)
            }
        }
    }

    impl Singles for Avx2 {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: as above.
            let half = unsafe { _mm256_set1_ps(value) };
            Self(half, half)
        }

        #[inline(always)]
        fn load(lanes: &[f32; SINGLES]) -> Self {
            // SAFETY: as above; there are twice eight numbers.
            unsafe { Self(_mm256_loadu_ps(lanes.as_ptr()), _mm256_loadu_ps(lanes.as_ptr().add(8))) }
        }

        #[inline(always)]
        fn store(self, lanes: &mut [f32; SINGLES]) {
            // SAFETY: as above; there is room for twice eight numbers.
            unsafe {
                _mm256_storeu_ps(lanes.as_mut_ptr(), self.0);
                _mm256_storeu_ps(lanes.as_mut_ptr().add(8), self.1);
            }
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn times_plus(self, factor: Self, term: Self) -> Self {
            // SAFETY: as above.
            unsafe {
                Self(_mm256_fmadd_ps(self.0, factor.0, term.0), _mm256_fmadd_ps(self.1, factor.1, term.1))
            }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_max_ps(other.0, self.0), _mm256_max_ps(other.1, self.1)) }
        }

        #[inline(always)]
        fn lane_sums(rows: &[Self; SINGLES]) -> Self {
            Self(Self::eight(rows, 0), Self::eight(rows, 8))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::{Code, InstructionSet, Kernel};

    struct LaneSums([[f32; SINGLES]; SINGLES]);

    impl Kernel for LaneSums {
        type Output = [f32; SINGLES];

        #[inline(always)]
        fn run<C: Code>(self) -> Self::Output {
            let mut rows = [C::Singles::load(&self.0[0]); SINGLES];
            for (row, lanes) in rows.iter_mut().zip(&self.0) {
                *row = C::Singles::load(lanes);
            }
            let mut sums = [0.0; SINGLES];
            C::Singles::lane_sums(&rows).store(&mut sums);
            sums
        }
    }

    struct Larger([f32; SINGLES], [f32; SINGLES]);

    impl Kernel for Larger {
        type Output = [f32; SINGLES];

        #[inline(always)]
        fn run<C: Code>(self) -> Self::Output {
            let mut larger = [0.0; SINGLES];
            C::Singles::load(&self.0).larger(C::Singles::load(&self.1)).store(&mut larger);
            larger
        }
    }

    #[test]
    fn every_set_keeps_what_is_no_number_and_passes_others_over() {
        let (mut ours, mut others) = ([1.0; SINGLES], [2.0; SINGLES]);
        for lane in [0, 9] {
            ours[lane] = f32::NAN;
            others[lane + 1] = f32::NAN;
            others[lane + 2] = 0.5;
        }
        for set in InstructionSet::ALL {
            let larger = set.run(Larger(ours, others));
            for (lane, larger) in larger.into_iter().enumerate() {
                match lane {
                    0 | 9 => assert!(larger.is_nan(), "{set:?}, lane {lane}"),
                    1 | 2 | 10 | 11 => assert_eq!(larger, 1.0, "{set:?}, lane {lane}"),
                    _ => assert_eq!(larger, 2.0, "{set:?}, lane {lane}"),
                }
            }
        }
    }

    #[test]
    fn every_set_sums_every_lane_of_every_row() {
        // Powers of two of their own for the lanes, and a factor for the row: each sum tells which lanes are in it.
        let rows: [[f32; SINGLES]; SINGLES] =
            std::array::from_fn(|row| std::array::from_fn(|lane| (row + 1) as f32 * (1_u32 << lane) as f32));
        for set in InstructionSet::ALL {
            let sums = set.run(LaneSums(rows));
            for (row, sum) in sums.into_iter().enumerate() {
                assert_eq!(sum, (row + 1) as f32 * 65535.0, "{set:?}, row {row}");
            }
        }
    }
}
