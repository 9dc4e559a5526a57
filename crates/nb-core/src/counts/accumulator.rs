//! Sums of counts of several classes at once.

use super::cells::{Cells, LARGEST_COUNT};
use crate::{
    Accumulator, Block, ClassifiedRows, ExactSums, InstructionSet, Missing, ValueError,
    exact::{Ahead, Counts, RowSet, Windows},
    instructions::{Code, Kernel, LANES},
    observable::{self, check_block},
};

/// What is counted of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counted {
    /// The value itself, which is no less than zero.
    Value(Missing),
    /// The value itself, which is a whole number.
    Whole,
    /// One if the value is above a threshold.
    Above(f64),
}

/// Gathers `Σ x` of every column into the first part of the sums. Rows with cells that need another part, or an error,
/// are left to the family.
pub(crate) struct CountAccumulator {
    counted: Counted,
    n_columns: usize,
    set: InstructionSet,
    /// The sums of dense rows by class.
    windows: Vec<Windows<Counts>>,
    /// The sums of sparse rows.
    cells: Cells,
    /// Memory for a block of ones and zeros.
    ones: Vec<f64>,
}

impl CountAccumulator {
    pub(crate) fn new(counted: Counted, n_columns: usize) -> Self {
        Self {
            counted,
            n_columns,
            set: InstructionSet::current(),
            windows: Vec::new(),
            cells: Cells::new(n_columns),
            ones: Vec::new(),
        }
    }

    /// Adds dense rows; whether all values are counts.
    fn add_dense(
        &mut self,
        values: &[f64],
        rows: &ClassifiedRows<'_>,
        ahead: impl Fn(usize) -> Ahead,
    ) -> bool {
        let missing = if let Counted::Value(missing) = self.counted { missing } else { Missing::Error };
        self.windows.resize_with(rows.n_classes(), || Windows::new(self.n_columns));
        self.windows.iter_mut().enumerate().all(|(class, windows)| {
            let rows = RowSet { values, rows: rows.of_class(class), ahead: ahead(class) };
            windows.add(self.set, &rows, missing)
        })
    }
}

impl Accumulator for CountAccumulator {
    fn add(&mut self, rows: &ClassifiedRows<'_>) -> Result<bool, ValueError> {
        match (rows.block(), self.counted) {
            (Block::Dense(dense), Counted::Value(missing)) => {
                if !self.add_dense(dense.values(), rows, |class| rows.ahead(class)) {
                    check_block(&rows.block(), |value| observable::count(value, missing))?;
                }
                Ok(true)
            }
            (Block::Dense(dense), Counted::Whole) => {
                Ok(self.set.run(AreWhole { values: dense.values(), largest: LARGEST_COUNT })
                    && self.add_dense(dense.values(), rows, |class| rows.ahead(class)))
            }
            (Block::Dense(dense), Counted::Above(threshold)) => {
                if !self.set.run(AreFinite { values: dense.values() }) {
                    return Ok(false);
                }
                let mut ones = std::mem::take(&mut self.ones);
                ones.clear();
                ones.extend(dense.values().iter().map(|&value| f64::from(u8::from(value > threshold))));
                let added = self.add_dense(&ones, rows, |_| Ahead::Nothing);
                self.ones = ones;
                Ok(added)
            }
            (Block::Sparse(sparse), counted) => {
                let (first, last) = (sparse.indptr.first(), sparse.indptr.last());
                let values = &sparse.values[first.map_or(0, |&at| at)..last.map_or(0, |&at| at)];
                Ok(match counted {
                    Counted::Value(_) | Counted::Whole => {
                        self.set.run(AreWhole { values, largest: LARGEST_COUNT })
                            && self.cells.add(&sparse, rows, |value| value)
                    }
                    // Zeros that are not stored are above a threshold that is negative.
                    Counted::Above(threshold) => {
                        threshold >= 0.0
                            && self.set.run(AreFinite { values })
                            && self.cells.add(&sparse, rows, |value| f64::from(u8::from(value > threshold)))
                    }
                })
            }
        }
    }

    fn finish(&mut self, class: usize, sums: &mut [ExactSums]) {
        if let Some(windows) = self.windows.get_mut(class) {
            sums[0].merge(&std::mem::replace(windows, Windows::new(0)).finish().0);
        }
        if let Some(plane) = self.cells.take(class) {
            sums[0].add_plane(plane);
        }
    }
}

/// Whether all values are whole numbers from zero to a largest one, itself far below `2^52`.
struct AreWhole<'a> {
    values: &'a [f64],
    largest: f64,
}

impl Kernel for AreWhole<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        const SHIFTER: f64 = (1_u64 << 52) as f64;
        all(self.values, |value| {
            (value + SHIFTER) - SHIFTER == value && (0.0..=self.largest).contains(&value)
        })
    }
}

/// Whether no value is infinite or not a number.
struct AreFinite<'a> {
    values: &'a [f64],
}

impl Kernel for AreFinite<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        all(self.values, |value| value.abs() < f64::INFINITY)
    }
}

/// Whether something is true of all values; without branches, so that it is asked of many at a time.
#[inline(always)]
fn all(values: &[f64], is_so: impl Fn(f64) -> bool) -> bool {
    let mut wrong = [0.0; LANES];
    let (strips, rest) = values.as_chunks::<LANES>();
    for strip in strips {
        for lane in 0..LANES {
            wrong[lane] = if is_so(strip[lane]) { wrong[lane] } else { 1.0 };
        }
    }
    wrong == [0.0; LANES] && rest.iter().all(|&value| is_so(value))
}
