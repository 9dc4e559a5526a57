//! Adding rows to statistics: check, group by class, add.
//!
//! ```text
//!  rows ─chunk─▶ Block ─check─▶ rows of one class together ─update─▶ sums of that class
//! ```
//!
//! A call adds all its rows or none. A single chunk is checked before anything is added; more chunks go to fresh
//! statistics that are merged at the end, which gives the same bits because the sums are exact.

use std::{collections::BTreeMap, ops::Range};

use crate::{
    BlockBuffer, FeatureModel, Rows, SufficientStats, UpdateError, Weights,
    observable::is_weight,
    rows::{block_of, chunk_rows},
};

/// Adds rows to `stats`; on error nothing was added.
pub(crate) fn add_rows<L: Ord + Clone + Send + Sync, M: FeatureModel + ?Sized, R: Rows + ?Sized>(
    stats: &mut SufficientStats<L>,
    model: &M,
    rows: &R,
    labels: &[L],
    weights: Option<&[f64]>,
) -> Result<(), UpdateError> {
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
        if let Some(row) = weights.iter().position(|&weight| !is_weight(weight)) {
            return Err(UpdateError::Weight { row, weight: weights[row] });
        }
    }
    let batch = Batch { model, rows, labels, weights };
    if n_rows <= chunk_rows(rows.n_columns()) {
        return batch.add_range(0..n_rows, stats);
    }
    stats.merge(&batch.sum_range(&stats.empty(), 0..n_rows)?)?;
    Ok(())
}

/// The arguments of one call, with labels and weights known to fit the rows.
struct Batch<'a, L, M: ?Sized, R: ?Sized> {
    model: &'a M,
    rows: &'a R,
    labels: &'a [L],
    weights: Option<&'a [f64]>,
}

impl<L: Ord + Clone + Send + Sync, M: FeatureModel + ?Sized, R: Rows + ?Sized> Batch<'_, L, M, R> {
    /// The statistics of a range of rows, with all cores if there are enough rows.
    fn sum_range(
        &self,
        empty: &SufficientStats<L>,
        range: Range<usize>,
    ) -> Result<SufficientStats<L>, UpdateError> {
        #[cfg(feature = "rayon")]
        {
            let chunks = range.len() / chunk_rows(self.rows.n_columns());
            if chunks >= 4 && rayon::current_num_threads() > 1 {
                let pieces = rayon::current_num_threads().min(chunks / 2);
                return self.sum_in_parallel(empty, range, pieces);
            }
        }
        let mut stats = empty.empty();
        self.add_range(range, &mut stats)?;
        Ok(stats)
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
        let (left, right) = rayon::join(
            || self.sum_in_parallel(empty, range.start..middle, pieces / 2),
            || self.sum_in_parallel(empty, middle..range.end, pieces - pieces / 2),
        );
        let mut stats = left?;
        stats.merge(&right?)?;
        Ok(stats)
    }

    /// Adds the rows of a range chunk by chunk. A chunk that is refused adds nothing; those before it stay.
    fn add_range(&self, range: Range<usize>, stats: &mut SufficientStats<L>) -> Result<(), UpdateError> {
        let mut buffer = BlockBuffer::default();
        let mut scratch = Grouping::default();
        let step = chunk_rows(self.rows.n_columns());
        for first in range.clone().step_by(step) {
            let end = range.end.min(first + step);
            self.model.check(&block_of(self.rows, first, end, &mut buffer)).map_err(|mut error| {
                error.row += first;
                error
            })?;
            self.add_chunk(first..end, stats, &mut buffer, &mut scratch);
        }
        Ok(())
    }

    /// Adds checked rows, class by class.
    fn add_chunk(
        &self,
        range: Range<usize>,
        stats: &mut SufficientStats<L>,
        buffer: &mut BlockBuffer,
        grouping: &mut Grouping,
    ) {
        let groups = grouping.by_class(range.clone(), self.labels, self.weights);
        let alone = groups.len() == 1;
        for (label, group) in groups {
            let evidence = stats.class_mut(label);
            let weights = if self.weights.is_some() { Weights::Each(&group.weights) } else { Weights::Unit };
            match weights {
                Weights::Unit => evidence.weight.add(0, group.rows.len() as f64),
                Weights::Each(weights) => weights.iter().for_each(|&weight| evidence.weight.add(0, weight)),
            }
            let whole = alone && group.rows.len() == range.len();
            let in_place = if whole { self.rows.block(range.start, range.end) } else { None };
            let block = in_place.unwrap_or_else(|| {
                self.rows.copy_rows(&group.rows, buffer);
                buffer.block()
            });
            self.model.update(&block, weights, &mut evidence.parts);
        }
    }
}

/// The rows of a chunk by class; memory that is used again for the next chunk.
#[derive(Default)]
struct Grouping {
    groups: Vec<Group>,
}

/// The rows of one class, with their weights if there are any.
#[derive(Default)]
struct Group {
    rows: Vec<usize>,
    weights: Vec<f64>,
}

impl Grouping {
    /// The classes of a range of rows in label order, each with its rows in order. Rows of weight zero are left out.
    fn by_class<'a, L: Ord>(
        &mut self,
        range: Range<usize>,
        labels: &'a [L],
        weights: Option<&[f64]>,
    ) -> Vec<(&'a L, &Group)> {
        let mut numbers: BTreeMap<&L, usize> = BTreeMap::new();
        let mut last: Option<(&L, usize)> = None;
        for row in range {
            let weight = weights.map(|weights| weights[row]);
            if weight == Some(0.0) {
                continue;
            }
            let label = &labels[row];
            let number = match last {
                Some((known, number)) if known == label => number,
                _ => {
                    let next = numbers.len();
                    let number = *numbers.entry(label).or_insert(next);
                    if number == next {
                        if self.groups.len() == next {
                            self.groups.push(Group::default());
                        }
                        self.groups[next].rows.clear();
                        self.groups[next].weights.clear();
                    }
                    number
                }
            };
            last = Some((label, number));
            self.groups[number].rows.push(row);
            self.groups[number].weights.extend(weight);
        }
        numbers.into_iter().map(|(label, number)| (label, &self.groups[number])).collect()
    }
}
