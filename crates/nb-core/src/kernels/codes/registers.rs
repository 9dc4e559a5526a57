//! Codes of one byte, looked up in tables that are registers: sixteen rows at a time, in single precision.
//!
//! An instruction of AVX-512 looks up sixteen codes in a table of sixteen entries, or of thirty-two, which
//! takes it longer. A look-up in memory is for eight classes of one row, be there as many or not: with 16
//! categories labels of 2 classes take three fifths of the time this way, of 20 four fifths.

use crate::kernels::codes::lookup::Lookup;
use nb_simd::{CODES, Isa, Kernel, LANES_F32, Table, VectorF32};

use crate::{data::Dense, model::Estimates};

/// The columns whose entries are summed in single precision.
const PANEL: usize = 64;

/// The most classes that are summed together.
const MOST_CLASSES: usize = 8;

/// What each code of each column adds to each class, in single precision.
#[derive(Clone, Debug)]
pub(crate) struct InRegisters {
    n_classes: usize,
    n_columns: usize,
    /// By column and class, one or two of them each: for 16 or 32 codes. Not a number where a code is
    /// refused.
    tables: Vec<Table>,
    /// How wrong a sum of one entry of each column can be.
    error: f64,
}

impl InRegisters {
    /// `None` if memory is quicker for this many codes and classes, if there are no classes, or if entries
    /// are too large.
    pub(crate) fn new(lookup: &Lookup) -> Option<Self> {
        /// More than these are quicker in memory where they take two tables each.
        const FEW_CLASSES: usize = 5;
        const LARGEST: f64 = 1e30;
        let (n_classes, n_columns) = lookup.dim();
        let (error, sizes) = lookup.error_and_sizes();
        let n_codes = lookup.n_codes();
        let is_quicker = n_codes <= LANES_F32 || n_codes <= 2 * LANES_F32 && n_classes <= FEW_CLASSES;
        if !is_quicker || n_classes == 0 || sizes > LARGEST {
            return None;
        }
        let mut tables = Vec::with_capacity(n_columns * n_classes * n_codes / LANES_F32);
        for column in 0..n_columns {
            for class in 0..n_classes {
                let mut entries = lookup.entries(class, column).map(|entry| entry as f32);
                for _ in 0..n_codes / LANES_F32 {
                    tables.push(Table(std::array::from_fn(|_| entries.next().unwrap_or_default())));
                }
            }
        }
        // Each entry and each addition rounds by half a unit of the largest size that sums can have; twice as
        // much covers what rounding adds to the sizes. What is too small for single precision
        // vanishes.
        let rounding = (PANEL.min(n_columns) as f64 + 16.0) * f64::from(f32::EPSILON);
        let error = error + rounding * sizes + n_columns as f64 * f64::from(f32::MIN_POSITIVE);
        Some(Self { n_classes, n_columns, tables, error })
    }
}

/// Estimates the scores of rows of codes for which there are entries.
pub(crate) struct Estimate<'a, 'b> {
    pub(crate) tables: &'a InRegisters,
    pub(crate) codes: &'a Dense<'a, u8>,
    pub(crate) estimates: &'a mut Estimates<'b>,
}

impl Kernel for Estimate<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(mut self) {
        let InRegisters { n_classes, n_columns, ref tables, .. } = *self.tables;
        match tables.len() / (n_classes * n_columns) {
            1 => self.estimate_all::<C, 1>(),
            _ => self.estimate_all::<C, 2>(),
        }
        // The sums were added to what was there before.
        self.estimates.add_rounding(n_columns.div_ceil(PANEL));
    }
}

impl Estimate<'_, '_> {
    /// Adds the sums of all rows, a panel of sixteen rows at a time. `T` is the number of tables for a column
    /// and class.
    #[inline(always)]
    fn estimate_all<C: Isa, const T: usize>(&mut self) {
        let InRegisters { n_classes, n_columns, ref tables, error } = *self.tables;
        let (tables, _) = tables.as_chunks::<T>();
        let panels = tables.chunks(PANEL * n_classes);
        let mut words = [[0; LANES_F32]; PANEL / 4];
        for (first_column, tables) in (0..n_columns).step_by(PANEL).zip(panels) {
            let error = if first_column == 0 { error } else { 0.0 };
            for first_row in (0..self.codes.n_rows()).step_by(LANES_F32) {
                self.transpose::<C>(first_row, first_column, &mut words);
                let mut first = 0;
                while first < n_classes {
                    let n_groups = (n_classes - first).div_ceil(MOST_CLASSES);
                    let n = (n_classes - first).div_ceil(n_groups);
                    let mut sums = [[0.0; LANES_F32]; MOST_CLASSES];
                    let panel = Panel { words: &words, tables, n_classes, first };
                    match n {
                        1 => panel.sum::<C::VectorF32, 1>(&mut sums),
                        2 => panel.sum::<C::VectorF32, 2>(&mut sums),
                        3 => panel.sum::<C::VectorF32, 3>(&mut sums),
                        4 => panel.sum::<C::VectorF32, 4>(&mut sums),
                        5 => panel.sum::<C::VectorF32, 5>(&mut sums),
                        6 => panel.sum::<C::VectorF32, 6>(&mut sums),
                        7 => panel.sum::<C::VectorF32, 7>(&mut sums),
                        _ => panel.sum::<C::VectorF32, MOST_CLASSES>(&mut sums),
                    }
                    if first == 0 {
                        // A code that is refused makes all classes not a number.
                        let error = |sum: f32| if sum.is_nan() { f64::INFINITY } else { error };
                        self.estimates.add_errors(first_row, &sums[0].map(error));
                    }
                    for (class, sums) in (first..first + n).zip(&sums) {
                        let values = &mut self.estimates.class_mut(class)[first_row..][..LANES_F32];
                        for (value, &sum) in values.iter_mut().zip(sums) {
                            *value += f64::from(sum);
                        }
                    }
                    first += n;
                }
            }
        }
    }

    /// The codes of a panel of sixteen rows. Rows beyond the last, and columns beyond the last, are
    /// unspecified.
    #[inline(always)]
    fn transpose<C: Isa>(
        &self,
        first_row: usize,
        first_column: usize,
        words: &mut [[u32; LANES_F32]; PANEL / 4],
    ) {
        let (cells, n_columns) = (self.codes.values(), self.codes.n_columns());
        let (turned, _) = words.as_chunks_mut();
        for (turned, column) in turned.iter_mut().zip((first_column..n_columns).step_by(CODES)) {
            let cells = &cells[first_row * n_columns + column..];
            *turned = if cells.len() >= (LANES_F32 - 1) * n_columns + CODES {
                C::gather_bytes(cells, n_columns)
            } else {
                let mut copies = [0; LANES_F32 * CODES];
                let (rows, _) = copies.as_chunks_mut::<CODES>();
                for (copy, row) in rows.iter_mut().zip(cells.chunks(n_columns)) {
                    copy.iter_mut().zip(row).for_each(|(copy, code)| *copy = *code);
                }
                C::gather_bytes(&copies, CODES)
            };
        }
    }
}

/// Codes of sixteen rows, and what they add to classes.
struct Panel<'a, const T: usize> {
    words: &'a [[u32; LANES_F32]],
    /// By column and class.
    tables: &'a [[Table; T]],
    n_classes: usize,
    /// The first class of those that are summed together.
    first: usize,
}

impl<const T: usize> Panel<'_, T> {
    /// The sums of `N` classes, from the first on.
    #[inline(always)]
    fn sum<S: VectorF32, const N: usize>(&self, out: &mut [[f32; LANES_F32]; MOST_CLASSES]) {
        let mut sums = [S::splat(0.0); N];
        for (words, columns) in self.words.iter().zip(self.tables.chunks(4 * self.n_classes)) {
            for byte in 0..4 {
                // The last word may have fewer columns.
                let tables = columns.get(byte * self.n_classes + self.first..);
                if let Some(tables) = tables.and_then(|tables| tables.first_chunk::<N>()) {
                    for (sum, table) in sums.iter_mut().zip(tables) {
                        *sum = sum.add(S::table_lookup(table, words, byte as u32));
                    }
                }
            }
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            sum.store(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_simd::InstructionSet;

    use crate::{
        data::{Block, Dense},
        families::{FittedCategorical, Unseen},
        model::{Missing, Scores, scores::padded, test_rng::uniforms},
    };
    use ndarray::Array2;
    use proptest::prelude::*;

    /// Logarithms of any numbers from zero to one, some of them impossible; and a source of such numbers.
    fn case(
        n_classes: usize,
        n_columns: usize,
        n_codes: usize,
        unseen: Unseen,
        seed: u64,
    ) -> (FittedCategorical, impl FnMut() -> f64) {
        let mut next = uniforms(seed);
        let mut column = |_| {
            Array2::from_shape_simple_fn((n_codes, n_classes), || {
                if next() < 0.01 { f64::NEG_INFINITY } else { libm::log(next()) }
            })
        };
        let columns = (0..n_columns).map(&mut column).collect();
        (FittedCategorical::new(columns, unseen, Missing::Error).expect("logarithms of probabilities"), next)
    }

    proptest! {
        #[test]
        fn estimates_are_no_more_wrong_than_they_say(
            (n_classes, n_codes) in prop_oneof![(1..30_usize, 1..=16_usize), (1..6_usize, 17..=32_usize)],
            n_rows in 1..40_usize,
            n_columns in prop_oneof![1..20_usize, 60..70_usize, 120..140_usize],
            other in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let unseen = if other { Unseen::Ignore } else { Unseen::Error };
            let (fitted, mut next) = case(n_classes, n_columns, n_codes, unseen, seed);
            let lookup = fitted.lookup().expect("a small table");
            let tables = InRegisters::new(lookup).expect("few codes");
            let mut codes: Vec<u8> = (0..n_rows * n_columns).map(|_| (next() * n_codes as f64) as u8).collect();
            // A code of no category, for which there is an entry all the same.
            let strange = (n_codes % LANES_F32 > 0).then(|| (next() * codes.len() as f64) as usize);
            if let Some(place) = strange {
                codes[place] = n_codes as u8;
            }
            let start = || (0..n_classes).flat_map(|class| vec![-0.5 * class as f64; padded(n_rows)]).collect::<Vec<_>>();
            let cells: Vec<f64> = codes.iter().copied().map(f64::from).collect();
            let rows = Block::F64(Dense::new(&cells, n_rows, n_columns).expect("whole rows"));
            let (mut high, mut low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
            fitted.add_row_by_row(&rows, &mut Scores::new(n_rows, &mut high, &mut low));
            let codes = Dense::new(&codes, n_rows, n_columns).expect("whole rows");
            let mut expected = None;
            for set in InstructionSet::ALL {
                let (mut values, mut errors) = (start(), vec![0.0; padded(n_rows)]);
                let estimates = &mut Estimates::new(n_rows, &mut values, &mut errors);
                set.run(Estimate { tables: &tables, codes: &codes, estimates });
                for (row, &error) in errors[..n_rows].iter().enumerate() {
                    if strange.is_some_and(|place| place / n_columns == row) && !other {
                        prop_assert_eq!(error, f64::INFINITY);
                        continue;
                    }
                    for at in (row..values.len()).step_by(padded(n_rows)) {
                        let exact = high[at] + low[at];
                        let is_within = values[at] == exact || (values[at] - exact).abs() <= error;
                        prop_assert!(is_within, "{set:?}: {} is not {exact}", values[at]);
                    }
                    // And not so wide that every label would be in doubt.
                    prop_assert!(error <= 1e-3 * n_columns as f64);
                }
                let bits = |values: &[f64]| values[..n_rows].iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                let found = (bits(&errors), bits(&values));
                prop_assert_eq!(&found, expected.get_or_insert_with(|| found.clone()));
            }
        }
    }

    #[test]
    fn what_is_quicker_in_memory_is_left_to_it() {
        let tables = |n_classes: usize, n_codes: usize| {
            let (fitted, _) = case(n_classes, 3, n_codes, Unseen::Error, 7);
            InRegisters::new(fitted.lookup()?)
        };
        assert!(tables(30, 16).is_some());
        assert!(tables(5, 32).is_some());
        assert!(tables(6, 17).is_none());
        assert!(tables(2, 33).is_none());
        assert!(tables(0, 16).is_none());
    }
}
