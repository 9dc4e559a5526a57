//! Adding rows to statistics: check, group by class, add.
//!
//! ```text
//!  rows ─chunk─▶ Block ─┬─ accumulator ─────────────────────────────────finish─▶ sums of each class
//!                       └─ check ─▶ rows of one class together ─update─▶ sums of that class
//! ```
//!
//! The upper way is that of families that have an [`Accumulator`], for rows without weights, and for many
//! rows with weights (`weighted`); the lower is general.
//! A call adds all its rows or none. A single chunk is checked before anything is added; more chunks go to
//! fresh statistics that are merged at the end, which gives the same bits because the sums are exact.

use std::ops::Range;

#[cfg(feature = "rayon")]
use nb_simd::InstructionSet;

use exact_sums::ExactSums;

use crate::{
    data::{Block, BlockBuffer, Rows, dense_chunk_rows, fit_chunk_rows},
    model::{Accumulator, ClassRows, FeatureModel, MAX_WEIGHT, Plan, UpdateError, ValueError, Weights},
    stats::{
        SufficientStats,
        grouping::Grouping,
        weighted::{Pass, Size, passes},
    },
};

/// Sparse rows that lie in memory as a block does are added this many at a time, as long as they have no more
/// than this many cells: a family that takes copies gets some of 16 bytes each.
const SPARSE_ROWS: usize = 4096;
const SPARSE_CELLS: usize = 1 << 19;

/// A family as adding rows needs it, whatever its fitted form: the loops below are compiled once for all
/// families and all kinds of rows, and call them once a chunk.
trait Summed: Send + Sync {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError>;
    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]);
    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>>;
}

impl<M: FeatureModel + ?Sized> Summed for &M {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        (**self).check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        (**self).update(rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        (**self).accumulator(n_columns)
    }
}

/// Adds rows to `stats`; on error nothing was added.
pub(crate) fn add_rows<L: Ord + Clone + Send + Sync>(
    stats: &mut SufficientStats<L>,
    model: &(impl FeatureModel + ?Sized),
    rows: &(impl Rows + ?Sized),
    labels: &[L],
    weights: Option<&[f64]>,
) -> Result<(), UpdateError> {
    Batch { model: &model, rows: &rows, labels, weights }.add_to(stats)
}

/// The arguments of one call.
struct Batch<'a, L> {
    model: &'a dyn Summed,
    rows: &'a dyn Rows,
    labels: &'a [L],
    weights: Option<&'a [f64]>,
}

impl<L: Ord + Clone + Send + Sync> Batch<'_, L> {
    /// Adds all rows or, if labels, weights or rows are refused, none.
    fn add_to(&self, stats: &mut SufficientStats<L>) -> Result<(), UpdateError> {
        let Self { rows, labels, weights, .. } = *self;
        let n_rows = rows.n_rows();
        if rows.n_columns() != stats.n_columns() {
            return Err(UpdateError::Columns { expected: stats.n_columns(), found: rows.n_columns() });
        }
        if labels.len() != n_rows {
            return Err(UpdateError::Labels { rows: n_rows, labels: labels.len() });
        }
        if let Some(weights) = weights {
            if weights.len() != n_rows {
                return Err(UpdateError::Weights { rows: n_rows, weights: weights.len() });
            }
            if let Some(row) = weights.iter().position(|weight| !(0.0..=MAX_WEIGHT).contains(weight)) {
                return Err(UpdateError::Weight { row, weight: weights[row] });
            }
        }
        if let Some(passes) = self.passes(stats)
            && let Some(sums) = self.sum_by_passes(&passes, stats)
        {
            stats.merge(&sums)?;
            return Ok(());
        }
        if n_rows <= fit_chunk_rows(rows.n_columns(), n_rows) {
            return self.add_range(0..n_rows, stats);
        }
        let sums = self.sum_range(&stats.empty(), 0..n_rows)?;
        if stats.classes().len() == 0 {
            *stats = sums; // without a copy
            return Ok(());
        }
        stats.merge(&sums)?;
        Ok(())
    }

    /// How rows with weights are added as rows without, if that is faster.
    fn passes(&self, stats: &SufficientStats<L>) -> Option<Vec<Pass>> {
        let weights = self.weights?;
        let n_columns = self.rows.n_columns();
        self.model.accumulator(n_columns)?;
        let n_cells = match self.rows.block(0..weights.len()) {
            Some(Block::Sparse(sparse)) => sparse.stored().len(),
            _ => weights.len().saturating_mul(n_columns),
        };
        let n_sums = stats.layout().parts.iter().map(|part| part.len.max(n_columns)).sum();
        passes(weights, self.labels, Size { n_cells, n_sums })
    }

    /// The statistics of all rows, from sums without weights; `None` if a row is refused.
    fn sum_by_passes(&self, passes: &[Pass], empty: &SufficientStats<L>) -> Option<SufficientStats<L>> {
        let mut sums = empty.empty();
        for Pass { numbers, factors } in passes {
            let labels: Vec<(u32, &L)> = numbers.iter().copied().zip(self.labels).collect();
            let rows = Batch { model: self.model, rows: self.rows, labels: &labels, weights: None };
            for ((number, label), evidence) in
                rows.sum_range(&empty.empty_of(), 0..labels.len()).ok()?.into_evidence()
            {
                let factor = factors[number as usize];
                if factor > 0.0 {
                    sums.class_mut(label).add_multiple(&evidence, factor);
                }
            }
        }
        Some(sums)
    }

    /// The statistics of a range of rows, with all cores if there are enough rows.
    fn sum_range(
        &self,
        empty: &SufficientStats<L>,
        range: Range<usize>,
    ) -> Result<SufficientStats<L>, UpdateError> {
        #[cfg(feature = "rayon")]
        {
            let chunks = range.len() / fit_chunk_rows(self.rows.n_columns(), range.len());
            let threads_of_piece = self.threads_of_piece(&range);
            let pieces = rayon::current_num_threads().div_ceil(threads_of_piece).min(chunks / 2);
            if pieces > 1 || threads_of_piece > 1 {
                // On a thread of the pool, which need not be woken up for each chunk.
                let set = InstructionSet::current();
                return rayon::scope(|_| set.with(|| self.sum_in_parallel(empty, range, pieces)));
            }
        }
        let mut stats = empty.empty();
        self.add_range(range, &mut stats)?;
        Ok(stats)
    }

    /// How many threads add one piece, as they share its columns.
    #[cfg(feature = "rayon")]
    fn threads_of_piece(&self, range: &Range<usize>) -> usize {
        let accumulator = self.model.accumulator(self.rows.n_columns());
        accumulator
            .filter(|_| self.weights.is_none() && self.are_dense(range))
            .map_or(1, |accumulator| accumulator.plan().n_threads)
    }

    /// Whether the rows of a range can be added without a copy, and are dense.
    #[cfg(feature = "rayon")]
    fn are_dense(&self, range: &Range<usize>) -> bool {
        matches!(self.rows.block(range.clone()), Some(Block::F64(_) | Block::F32(_)))
    }

    /// The same statistics, from as many pieces; of several errors that of the first row is reported.
    #[cfg(feature = "rayon")]
    fn sum_in_parallel(
        &self,
        empty: &SufficientStats<L>,
        range: Range<usize>,
        pieces: usize,
    ) -> Result<SufficientStats<L>, UpdateError> {
        if pieces <= 1 {
            let mut stats = empty.empty();
            self.add_range(range, &mut stats)?;
            return Ok(stats);
        }
        let middle = range.start + range.len() / 2;
        let set = InstructionSet::current();
        let (left, right) = rayon::join(
            || set.with(|| self.sum_in_parallel(empty, range.start..middle, pieces / 2)),
            || set.with(|| self.sum_in_parallel(empty, middle..range.end, pieces - pieces / 2)),
        );
        let mut stats = left?;
        stats.merge(&right?)?;
        Ok(stats)
    }

    /// How many rows of a range to add next, if this many classes are known.
    fn chunk_rows(
        &self,
        range: &Range<usize>,
        n_classes: usize,
        accumulator: Option<&(dyn Accumulator + '_)>,
    ) -> usize {
        let n_columns = self.rows.n_columns();
        let rows = fit_chunk_rows(n_columns, range.len());
        if range.len() <= rows {
            return rows; // what is added as a whole or not at all stays one chunk
        }
        let plan = accumulator.map_or_else(Plan::default, Accumulator::plan);
        match self.rows.block(range.clone()) {
            Some(Block::F32(_)) => {
                let of_half_the_bytes = 2 * rows;
                dense_chunk_rows(size_of::<f32>() * n_columns, n_classes, of_half_the_bytes, plan.many_f32)
            }
            Some(Block::F64(_)) => {
                dense_chunk_rows(size_of::<f64>() * n_columns, n_classes, rows, plan.many_f64)
            }
            // The more of them are of one class, the better.
            Some(Block::Sparse(sparse)) => {
                let cells_of_row = sparse.stored().len().div_ceil(range.len().max(1));
                (SPARSE_CELLS / cells_of_row.max(1)).clamp(rows, SPARSE_ROWS.max(rows))
            }
            Some(Block::U8(_)) | None => rows,
        }
    }

    /// Adds the rows of a range chunk by chunk. A chunk that is refused adds nothing; those before it may
    /// stay.
    fn add_range(&self, range: Range<usize>, stats: &mut SufficientStats<L>) -> Result<(), UpdateError> {
        let mut accumulator =
            if self.weights.is_none() { self.model.accumulator(self.rows.n_columns()) } else { None };
        let mut buffer = BlockBuffer::default();
        let mut grouping = Grouping::default();
        let mut first = range.start;
        while first < range.end {
            let step = self.chunk_rows(&range, grouping.classes().len(), accumulator.as_deref());
            let chunk = first..range.end.min(first + step);
            first = chunk.end;
            grouping.group(chunk.clone(), self.labels, self.weights);
            let gathered = match &mut accumulator {
                Some(accumulator) => {
                    self.gather(accumulator.as_mut(), chunk.clone(), &mut grouping, &mut buffer)
                }
                None => Ok(false),
            };
            let error = |mut error: ValueError| {
                error.row += chunk.start;
                error
            };
            if !gathered.map_err(error)? {
                self.model.check(&buffer.read(self.rows, chunk.clone())).map_err(error)?;
                self.add_chunk(&chunk, stats, &mut buffer, &grouping);
            }
        }
        if let Some(mut accumulator) = accumulator {
            for (label, class) in grouping.classes() {
                let gathered = grouping.gathered.get(class).copied().unwrap_or(0);
                if gathered > 0 {
                    let evidence = stats.class_mut(label);
                    evidence.weight.add(0, gathered as f64);
                    accumulator.finish(class, &mut evidence.parts);
                }
            }
        }
        Ok(())
    }

    /// Lets the accumulator add a chunk as it is stored or, if it declines, as doubles; whether it did.
    fn gather(
        &self,
        accumulator: &mut dyn Accumulator,
        chunk: Range<usize>,
        grouping: &mut Grouping<'_, L>,
        buffer: &mut BlockBuffer,
    ) -> Result<bool, ValueError> {
        let (order, ends) = (&grouping.rows.order, &grouping.rows.ends);
        let stored = self.rows.block(chunk.clone());
        let mut gathered = match stored {
            Some(block) => accumulator.add(&ClassRows { block, order, ends, continues: true })?,
            None => false,
        };
        if !gathered && !matches!(stored, Some(Block::F64(_) | Block::Sparse(_))) {
            let block = buffer.read(self.rows, chunk);
            gathered = accumulator.add(&ClassRows { block, order, ends, continues: false })?;
        }
        if gathered {
            grouping.count_gathered();
        }
        Ok(gathered)
    }

    /// Adds checked rows, class by class.
    fn add_chunk(
        &self,
        chunk: &Range<usize>,
        stats: &mut SufficientStats<L>,
        buffer: &mut BlockBuffer,
        grouping: &Grouping<'_, L>,
    ) {
        let mut weights = Vec::new();
        let mut numbers = Vec::new();
        for (label, class) in grouping.classes() {
            let rows = grouping.rows.of_class(class);
            if rows.is_empty() {
                continue;
            }
            numbers.clear();
            numbers.extend(rows.iter().map(|&row| chunk.start + row as usize));
            let evidence = stats.class_mut(label);
            let weights = match self.weights {
                None => {
                    evidence.weight.add(0, rows.len() as f64);
                    Weights::Unit
                }
                Some(all) => {
                    weights.clear();
                    weights.extend(numbers.iter().map(|&row| all[row]));
                    for &weight in &weights {
                        evidence.weight.add(0, weight);
                    }
                    Weights::Each(&weights)
                }
            };
            let in_place = if rows.len() == chunk.len() { self.rows.block(chunk.clone()) } else { None };
            let block = if let Some(block) = in_place {
                block.widened(buffer)
            } else {
                self.rows.copy_rows(&numbers, buffer);
                buffer.block()
            };
            self.model.update(&block, weights, &mut evidence.parts);
        }
    }
}
