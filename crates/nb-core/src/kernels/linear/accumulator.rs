//! Sums of counts of several classes at once.

use crate::kernels::linear::{
    cells::{CellCount, Cells, are_countable},
    scores::{Above, Count, Value},
};
use nb_simd::{InstructionSet, Isa, Kernel};

use exact_sums::{ExactSums, batch::BinnedCounts};

use crate::{
    data::Block,
    kernels::column_partitions::Panels,
    model::{Accumulator, ClassRows, Missing, Plan, ValueError, domain as observable, domain::check_block},
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

/// Gathers `Σ x` of every column into the first part of the sums. Rows with cells that need another part, or
/// an error, are left to the family.
pub(crate) struct CountAccumulator {
    counted: Counted,
    set: InstructionSet,
    /// The sums of dense rows by class.
    dense: Panels<BinnedCounts>,
    /// The sums of sparse rows.
    cells: Cells,
    /// Memory for a block of ones and zeros.
    ones: Vec<f64>,
}

impl CountAccumulator {
    pub(crate) fn new(counted: Counted, n_columns: usize) -> Self {
        let set = InstructionSet::current();
        let dense = match counted {
            Counted::Value(_) => Panels::new(set, n_columns),
            // All cells of a block are looked at beforehand, which threads share by rows.
            Counted::Whole | Counted::Above(_) => Panels::undivided(set, n_columns),
        };
        Self { counted, set, dense, cells: Cells::new(n_columns), ones: Vec::new() }
    }

    /// Adds dense rows; whether all values are counts.
    fn add_dense(&mut self, values: &[f64], rows: &ClassRows<'_>) -> bool {
        let missing = if let Counted::Value(missing) = self.counted { missing } else { Missing::Error };
        self.dense.add(rows.n_classes(), |class| rows.row_set(values, class), missing.nan())
    }
}

impl Accumulator for CountAccumulator {
    fn add(&mut self, rows: &ClassRows<'_>) -> Result<bool, ValueError> {
        match (rows.block(), self.counted) {
            (Block::F64(dense), Counted::Value(missing)) => {
                if !self.add_dense(dense.values(), rows) {
                    check_block(&rows.block(), |value| observable::count(value, missing))?;
                }
                Ok(true)
            }
            (Block::F64(dense), Counted::Whole) => {
                Ok(self.set.run(AreCountable { values: dense.values(), count: Value })
                    && self.add_dense(dense.values(), rows))
            }
            (Block::F64(dense), Counted::Above(threshold)) => {
                let count = Above(threshold);
                if !self.set.run(AreCountable { values: dense.values(), count }) {
                    return Ok(false);
                }
                let mut ones = std::mem::take(&mut self.ones);
                ones.clear();
                ones.extend(dense.values().iter().map(|&value| count.count(value)));
                let added = self.add_dense(&ones, &ClassRows { continues: false, ..*rows });
                self.ones = ones;
                Ok(added)
            }
            (Block::Sparse(sparse), Counted::Value(_) | Counted::Whole) => {
                Ok(self.cells.add(self.set, &sparse, rows, Value))
            }
            // Zeros that are not stored are above a threshold that is negative.
            (Block::Sparse(sparse), Counted::Above(threshold)) => {
                Ok(threshold >= 0.0 && self.cells.add(self.set, &sparse, rows, Above(threshold)))
            }
            (Block::F32(_) | Block::U8(_), _) => Ok(false),
        }
    }

    fn plan(&self) -> Plan {
        let n_threads = self.dense.n_threads();
        // Threads that share rows instead take a tenth longer with many.
        Plan { n_threads, many_f64: n_threads > 1, many_f32: false }
    }

    fn finish(&mut self, class: usize, sums: &mut [ExactSums]) {
        if let Some((gathered, _)) = self.dense.finish(class) {
            sums[0].merge_owned(gathered);
        }
        if let Some(plane) = self.cells.take(class) {
            sums[0].add_plane(plane);
        }
    }
}

/// Whether all values can be counted.
struct AreCountable<'a, K> {
    values: &'a [f64],
    count: K,
}

impl<K: CellCount> Kernel for AreCountable<'_, K> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Isa>(self) -> bool {
        are_countable(self.values, self.count)
    }
}
