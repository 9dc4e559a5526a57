//! The loops over rows behind every answer, which know no labels, and no types of families and rows: they are
//! compiled once.

use ndarray::ArrayViewMut2;

use nb_simd::InstructionSet;

use crate::{
    answers::{
        Classifier,
        posterior::{Posteriors, RowScores, finish},
    },
    data::{Block, BlockBuffer, Rows, chunk_rows},
    model::{
        Density, Estimates, Likelihood, PredictError, Scores, ValueProblem,
        estimates::{UNSURE, decide},
        scores::padded,
    },
};

/// The number of a row that is impossible under every class.
const IMPOSSIBLE: u32 = u32::MAX - 1;

/// A classifier without its labels.
#[derive(Debug)]
pub(crate) struct Scorer<'a, F: ?Sized> {
    likelihood: &'a F,
    log_prior: &'a [f64],
    n_columns: usize,
}

impl<F: ?Sized> Clone for Scorer<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: ?Sized> Copy for Scorer<'_, F> {}

impl<L, F> Classifier<L, F> {
    pub(crate) fn scorer(&self) -> Scorer<'_, F> {
        Scorer { likelihood: &self.likelihood, log_prior: &self.log_prior, n_columns: self.n_columns }
    }
}

impl<'a, F: Likelihood> Scorer<'a, F> {
    /// The same for a family of any type. Its methods are called once a chunk.
    pub(crate) fn erased(self) -> Scorer<'a, dyn Likelihood + 'a> {
        let Self { likelihood, log_prior, n_columns } = self;
        Scorer { likelihood, log_prior, n_columns }
    }
}

impl<F: ?Sized> Scorer<'_, F> {
    pub(crate) fn check_width(self, found: usize) -> Result<(), PredictError> {
        if found == self.n_columns {
            Ok(())
        } else {
            Err(PredictError::Columns { expected: self.n_columns, found })
        }
    }
}

impl Scorer<'_, dyn Likelihood + '_> {
    /// The number of the most probable class of each row, in label order; larger than all for a row that is
    /// impossible under every class.
    pub(crate) fn predict_class(self, rows: &dyn Rows) -> Result<Vec<u32>, PredictError> {
        let mut classes = vec![0; rows.n_rows()];
        self.for_each_chunk(rows, 1, &mut classes, |scratch, chunk, out| {
            out.copy_from_slice(scratch.labels(self, rows, chunk, out.len())?);
            Ok(())
        })?;
        Ok(classes)
    }

    /// One output row of `n_classes` doubles per input row.
    pub(crate) fn matrix_into(
        self,
        rows: &dyn Rows,
        which: Matrix,
        mut out: ArrayViewMut2<'_, f64>,
    ) -> Result<(), PredictError> {
        check_output((rows.n_rows(), self.log_prior.len()), out.dim())?;
        if let Some(cells) = out.as_slice_mut() {
            return self.fill(rows, which, cells);
        }
        let mut cells = vec![0.0; out.len()];
        self.fill(rows, which, &mut cells)?;
        out.iter_mut().zip(cells).for_each(|(to, from)| *to = from);
        Ok(())
    }

    fn fill(self, rows: &dyn Rows, which: Matrix, cells: &mut [f64]) -> Result<(), PredictError> {
        let n_classes = self.log_prior.len();
        let set = InstructionSet::current();
        self.for_each_chunk(rows, n_classes, cells, |scratch, chunk, out| {
            let n_rows = out.len() / n_classes;
            let mut buffer = std::mem::take(&mut scratch.buffer);
            let scored = scratch.sum_scores(self, &buffer.read(rows, chunk..chunk + n_rows));
            scratch.buffer = buffer;
            scored.map_err(|error| at_row(error, |row| chunk + row))?;
            let Scratch { high, low, .. } = scratch;
            match which {
                Matrix::Joint => {
                    finish(high, low);
                    for (row, out) in out.chunks_exact_mut(n_classes).enumerate() {
                        let scores = high[row..].iter().step_by(padded(n_rows));
                        out.iter_mut().zip(scores).for_each(|(to, from)| *to = *from);
                    }
                }
                Matrix::Posterior | Matrix::LogPosterior => {
                    let logarithms = which == Matrix::LogPosterior;
                    Posteriors { high, low, n_classes, logarithms, out }.write(set);
                }
            }
            Ok(())
        })
    }

    /// Walks through the rows in chunks, on all cores with the feature `rayon`; `width` outputs belong to
    /// each row. `work` gets the number of the first row and the outputs of the chunk. Of several errors
    /// that of the first row is reported.
    pub(crate) fn for_each_chunk<T: Send>(
        self,
        rows: &dyn Rows,
        width: usize,
        out: &mut [T],
        work: impl Fn(&mut Scratch, usize, &mut [T]) -> Result<(), PredictError> + Sync,
    ) -> Result<(), PredictError> {
        self.check_width(rows.n_columns())?;
        let step = chunk_rows(rows.n_columns().max(self.log_prior.len()));
        #[cfg(feature = "rayon")]
        if out.len() > step * width {
            use rayon::prelude::*;
            let set = InstructionSet::current();
            let chunks = out.par_chunks_mut(step * width).enumerate();
            let errors = chunks.map_init(Scratch::default, |scratch, (number, out)| {
                set.with(|| work(scratch, number * step, out)).err()
            });
            return match errors.find_first(Option::is_some).flatten() {
                Some(error) => Err(error),
                None => Ok(()),
            };
        }
        let mut scratch = Scratch::default();
        let mut chunks = out.chunks_mut(step * width).enumerate();
        chunks.try_for_each(|(number, out)| work(&mut scratch, number * step, out))
    }

    /// `log p(row)` of each row.
    pub(crate) fn log_evidence(
        self,
        rows: &dyn Rows,
        density: &dyn Density,
    ) -> Result<Vec<f64>, PredictError> {
        let mut evidence = vec![0.0; rows.n_rows()];
        self.for_each_chunk(rows, 1, &mut evidence, |scratch, chunk, out| {
            let mut buffer = std::mem::take(&mut scratch.buffer);
            let block = buffer.read(rows, chunk..chunk + out.len());
            let scored = scratch.score(self, &block);
            scored.map_err(|error| at_row(error, |row| chunk + row))?;
            let n_rows = out.len();
            for (row, out) in out.iter_mut().enumerate() {
                *out = RowScores::new(&scratch.high, &scratch.low, row, n_rows).log_sum();
            }
            density.add_log_base_measure(&block, out);
            scratch.buffer = buffer;
            Ok(())
        })?;
        Ok(evidence)
    }
}

/// What a matrix of answers holds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Matrix {
    Joint,
    Posterior,
    LogPosterior,
}

/// Memory for the answers to one chunk of rows, used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    buffer: BlockBuffer,
    /// The rows that estimates leave unsure.
    unsure: BlockBuffer,
    unsure_rows: Vec<usize>,
    /// Scores or estimates, class after class.
    pub(super) high: Vec<f64>,
    pub(super) low: Vec<f64>,
    classes: Vec<u32>,
}

impl Scratch {
    /// The class of one row.
    pub(crate) fn label_row<F: Likelihood + ?Sized>(
        &mut self,
        scorer: Scorer<'_, F>,
        row: &Block<'_>,
    ) -> Result<Option<usize>, PredictError> {
        self.estimate(scorer, row);
        if self.classes[0] != UNSURE {
            return Ok(Some(self.classes[0] as usize));
        }
        self.score(scorer, row)?;
        Ok(RowScores::new(&self.high, &self.low, 0, 1).best())
    }

    /// The posteriors of one row, or their logarithms.
    pub(crate) fn posteriors_of_row<F: Likelihood + ?Sized>(
        &mut self,
        scorer: Scorer<'_, F>,
        row: &Block<'_>,
        logarithms: bool,
        out: &mut [f64],
    ) -> Result<(), PredictError> {
        self.score(scorer, row)?;
        RowScores::new(&self.high, &self.low, 0, 1).write(logarithms, out);
        Ok(())
    }

    /// Finished scores of checked rows.
    pub(super) fn score<F: Likelihood + ?Sized>(
        &mut self,
        scorer: Scorer<'_, F>,
        block: &Block<'_>,
    ) -> Result<(), PredictError> {
        self.sum_scores(scorer, block)?;
        finish(&mut self.high, &mut self.low);
        Ok(())
    }

    /// Scores of checked rows, to be finished.
    pub(super) fn sum_scores<F: Likelihood + ?Sized>(
        &mut self,
        scorer: Scorer<'_, F>,
        block: &Block<'_>,
    ) -> Result<(), PredictError> {
        let likelihood = scorer.likelihood;
        match likelihood.score(block, &mut self.start_scores(scorer.log_prior, block.n_rows())) {
            Err(error) if error.reason == ValueProblem::Unscorable => {
                // Kernels give up where a class is too far; another class may be near.
                likelihood.check(block)?;
                let mut scores = self.start_scores(scorer.log_prior, block.n_rows());
                scores
                    .add_cells(block, |class, column, value| likelihood.log_likelihood(class, column, value));
                scores.add_interactions(block, likelihood.interactions());
                Ok(())
            }
            scored => Ok(scored?),
        }
    }

    /// The log-priors as first scores.
    fn start_scores(&mut self, log_prior: &[f64], n_rows: usize) -> Scores<'_> {
        self.start(log_prior, n_rows);
        self.low.resize(self.high.len(), 0.0);
        self.low.fill(0.0);
        Scores::new(n_rows, &mut self.high, &mut self.low)
    }

    /// The log-priors as first scores or estimates.
    fn start(&mut self, log_prior: &[f64], n_rows: usize) {
        let stride = padded(n_rows);
        if self.high.len() == log_prior.len() * stride {
            for (high, &log_prior) in self.high.chunks_exact_mut(stride.max(1)).zip(log_prior) {
                high.fill(log_prior);
            }
        } else {
            // Memory of another size is not worth clearing first.
            self.high.clear();
            for &log_prior in log_prior {
                self.high.resize(self.high.len() + stride, log_prior);
            }
        }
    }

    /// The class numbers of `n_rows` rows from `first` on.
    pub(super) fn labels<F: Likelihood + ?Sized>(
        &mut self,
        scorer: Scorer<'_, F>,
        rows: &dyn Rows,
        first: usize,
        n_rows: usize,
    ) -> Result<&[u32], PredictError> {
        let chunk = first..first + n_rows;
        let stored = rows.block(chunk.clone());
        let estimated = stored.is_some_and(|block| self.estimate(scorer, &block));
        if !estimated && !matches!(stored, Some(Block::F64(_) | Block::Sparse(_))) {
            let mut buffer = std::mem::take(&mut self.buffer);
            self.estimate(scorer, &buffer.read(rows, chunk));
            self.buffer = buffer;
        }
        if self.classes.contains(&UNSURE) {
            self.unsure_rows.clear();
            let unsure = self.classes.iter().enumerate().filter(|(_, class)| **class == UNSURE);
            self.unsure_rows.extend(unsure.map(|(row, _)| first + row));
            let mut unsure = std::mem::take(&mut self.unsure);
            let block = if self.unsure_rows.len() == n_rows {
                unsure.read(rows, first..first + n_rows)
            } else {
                rows.copy_rows(&self.unsure_rows, &mut unsure);
                unsure.block()
            };
            let scored = self.score(scorer, &block);
            self.unsure = unsure;
            scored.map_err(|error| at_row(error, |row| self.unsure_rows[row]))?;
            let n_unsure = self.unsure_rows.len();
            for (position, row) in self.unsure_rows.iter().enumerate() {
                let best = RowScores::new(&self.high, &self.low, position, n_unsure).best();
                self.classes[row - first] = best.map_or(IMPOSSIBLE, |class| class as u32);
            }
        }
        Ok(&self.classes)
    }

    /// The classes of the rows, as far as estimates tell them; whether there were estimates.
    fn estimate<F: Likelihood + ?Sized>(&mut self, scorer: Scorer<'_, F>, rows: &Block<'_>) -> bool {
        let n_rows = rows.n_rows();
        self.classes.clear();
        self.classes.resize(n_rows, UNSURE);
        self.start(scorer.log_prior, n_rows);
        self.low.clear();
        self.low.resize(padded(n_rows), 0.0);
        let mut estimates = Estimates::new(n_rows, &mut self.high, &mut self.low);
        let estimated = scorer.likelihood.estimate(rows, &mut estimates);
        if estimated {
            decide(InstructionSet::current(), &estimates, &mut self.classes);
        }
        estimated
    }
}

/// The error with the row number of the whole table, given that within the block.
pub(super) fn at_row(mut error: PredictError, row: impl Fn(usize) -> usize) -> PredictError {
    if let PredictError::Value(value) = &mut error {
        value.row = row(value.row);
    }
    error
}

pub(crate) fn check_output(expected: (usize, usize), found: (usize, usize)) -> Result<(), PredictError> {
    if found == expected { Ok(()) } else { Err(PredictError::Output { expected, found }) }
}
