//! Rows dealt into those that are learnt from and those that are held out, and
//! measures of answers.

use std::error::Error;

use naive_bayes::{
    metrics::{Evaluation, Measures},
    ndarray::{Array2, Axis},
};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// A table with its labels as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) x: Array2<f64>,
    pub(crate) y: Vec<usize>,
}

impl Table {
    pub(crate) fn rows(&self, rows: &[usize]) -> Self {
        Self {
            x: self.x.select(Axis(0), rows),
            y: rows.iter().map(|&row| self.y[row]).collect(),
        }
    }

    /// Every `step`-th row is held out: the rows to learn from, then those held
    /// out.
    pub(crate) fn split(&self, step: usize) -> (Self, Self) {
        let (test, train): (Vec<usize>, Vec<usize>) =
            (0..self.y.len()).partition(|row| row % step == 0);
        (self.rows(&train), self.rows(&test))
    }
}

/// The numbers of `n` rows in a random order.
pub(crate) fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..n).collect();
    rows.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    rows
}

/// Measures of log-posteriors, `n_rows × n_classes`.
pub(crate) fn measures(
    log_posteriors: &Array2<f64>,
    y: &[usize],
) -> Result<Measures, Box<dyn Error>> {
    let mut evaluation = Evaluation::new(log_posteriors.ncols());
    for (posteriors, &truth) in log_posteriors.rows().into_iter().zip(y) {
        let posteriors = posteriors.to_vec();
        let predicted = (1..posteriors.len())
            .fold(0, |a, b| if posteriors[b] > posteriors[a] { b } else { a });
        evaluation.add(truth, predicted, &posteriors, 1.0)?;
    }
    Ok(evaluation.measures())
}
