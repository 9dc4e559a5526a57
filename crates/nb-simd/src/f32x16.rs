//! Sixteen floats of single precision in registers, for estimates: twice as many as there are doubles.

/// The floats that kernels work on together.
pub const LANES_F32: usize = 16;

/// Number of codes of a row that are transposed together.
pub const CODES: usize = 16;

/// For each four columns of codes a word of sixteen rows, the first column in the lowest byte.
pub type Words = [[u32; LANES_F32]; CODES / 4];

/// Entries of a table, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Table(pub [f32; LANES_F32]);

/// Sixteen floats that are worked on together.
pub trait VectorF32: Copy {
    /// All lanes the same.
    fn splat(value: f32) -> Self;

    /// From memory.
    fn load(lanes: &[f32; LANES_F32]) -> Self;

    /// To memory.
    fn store(self, lanes: &mut [f32; LANES_F32]);

    /// Lane by lane, rounded.
    fn mul(self, other: Self) -> Self;

    /// `self * factor + term`, rounded once or twice.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Lane by lane, rounded.
    fn add(self, other: Self) -> Self;

    /// The larger of each lane; a NaN in `other` is passed over.
    fn max(self, other: Self) -> Self;

    /// The entries that the codes in a byte of some words have in one or two tables: codes are below 16
    /// or 32.
    #[inline(always)]
    fn table_lookup<const N: usize>(table: &[Table; N], words: &[u32; LANES_F32], byte: u32) -> Self {
        let entry = |word: u32| {
            let code = (word >> (8 * byte)) as usize % (LANES_F32 * N);
            table[code / LANES_F32].0[code % LANES_F32]
        };
        Self::load(&words.map(entry))
    }

    /// For each row the sum of its lanes, halves added to halves: four additions deep.
    fn lane_sums(rows: &[Self; LANES_F32]) -> Self;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstructionSet, Isa, Kernel};

    struct LaneSums([[f32; LANES_F32]; LANES_F32]);

    impl Kernel for LaneSums {
        type Output = [f32; LANES_F32];

        #[inline(always)]
        fn run<C: Isa>(self) -> Self::Output {
            let mut rows = [C::VectorF32::load(&self.0[0]); LANES_F32];
            for (row, lanes) in rows.iter_mut().zip(&self.0) {
                *row = C::VectorF32::load(lanes);
            }
            let mut sums = [0.0; LANES_F32];
            C::VectorF32::lane_sums(&rows).store(&mut sums);
            sums
        }
    }

    struct Larger([f32; LANES_F32], [f32; LANES_F32]);

    impl Kernel for Larger {
        type Output = [f32; LANES_F32];

        #[inline(always)]
        fn run<C: Isa>(self) -> Self::Output {
            let mut larger = [0.0; LANES_F32];
            C::VectorF32::load(&self.0).max(C::VectorF32::load(&self.1)).store(&mut larger);
            larger
        }
    }

    #[test]
    fn every_set_keeps_what_is_no_number_and_passes_others_over() {
        let (mut ours, mut others) = ([1.0; LANES_F32], [2.0; LANES_F32]);
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
        // Powers of two of their own for the lanes, and a factor for the row: each sum tells which lanes are
        // in it.
        let rows: [[f32; LANES_F32]; LANES_F32] =
            std::array::from_fn(|row| std::array::from_fn(|lane| (row + 1) as f32 * (1_u32 << lane) as f32));
        for set in InstructionSet::ALL {
            let sums = set.run(LaneSums(rows));
            for (row, sum) in sums.into_iter().enumerate() {
                assert_eq!(sum, (row + 1) as f32 * 65535.0, "{set:?}, row {row}");
            }
        }
    }
}
