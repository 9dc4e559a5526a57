//! What two classifiers say of rows that neither was learnt from, and how they are put together.

use super::{row_weights::RowWeights, shares::shares, sums};
use crate::Penalty;

/// How many rows must be held out for shares to be believed by half.
const DOUBT: f64 = 10.0;

/// What weights, and terms with several penalties, add to the logarithms of the prior of held-out rows. All are
/// `n_rows × n_classes`.
pub(super) struct Stack<'a> {
    pub(super) n_classes: usize,
    pub(super) labels: &'a [usize],
    pub(super) row_weights: RowWeights<'a>,
    /// The fold in which each row is held out.
    pub(super) folds: &'a [usize],
    pub(super) n_folds: usize,
    pub(super) prior: Vec<f64>,
    pub(super) by_weights: Vec<f64>,
    pub(super) candidates: Vec<Candidate>,
}

/// Terms with one penalty.
pub(super) struct Candidate {
    pub(super) penalty: Penalty,
    by_terms: Vec<f64>,
    /// The loss of the rows of each fold.
    losses: Vec<f64>,
}

impl Candidate {
    /// The loss of the rows of all folds, but one.
    fn loss(&self, without: Option<usize>) -> f64 {
        let folds = self.losses.iter().enumerate().filter(|(fold, _)| Some(*fold) != without);
        folds.map(|(_, loss)| loss).sum()
    }
}

impl Stack<'_> {
    /// Adds the terms of another penalty; whether they are better than those of the one before.
    pub(super) fn push(&mut self, penalty: Penalty, by_terms: Vec<f64>) -> bool {
        let losses = (0..self.n_folds).map(|fold| {
            let used = |of_row: usize| of_row == fold;
            let (scores, labels) = self.select(&self.scores(&by_terms), used);
            sums::loss(&scores, &labels, RowWeights::of_all(self.weights_of(used).as_ref()), self.n_classes)
        });
        let candidate = Candidate { penalty, losses: losses.collect(), by_terms };
        let is_better = self.candidates.last().is_none_or(|last| candidate.loss(None) < last.loss(None));
        self.candidates.push(candidate);
        is_better
    }

    /// The terms to use: those before the first that are worse. What the rows of one fold say can be left out.
    pub(super) fn best(&self, without: Option<usize>) -> Option<&Candidate> {
        let mut best = self.candidates.first()?;
        for candidate in &self.candidates[1..] {
            if candidate.loss(without) >= best.loss(without) {
                break;
            }
            best = candidate;
        }
        Some(best)
    }

    /// How much of weights and of the best terms is used. What the rows of one fold say can be left out. The shares that are best on `n`
    /// held-out rows are multiplied by `n / (n + 10)`: of few rows some are always well predicted by chance.
    pub(super) fn shares(&self, without: Option<usize>) -> [f64; 2] {
        let used = |of_row: usize| Some(of_row) != without;
        let (prior, labels) = self.select(&self.prior, used);
        let (by_weights, _) = self.select(&self.by_weights, used);
        let row_weights = self.weights_of(used);
        let row_weights = RowWeights::of_all(row_weights.as_ref());
        let by_terms = match self.best(without) {
            Some(best) => self.select(&best.by_terms, used).0,
            None => vec![0.0; prior.len()],
        };
        let [generative, discriminative] =
            shares(&prior, [&by_weights, &by_terms], &labels, row_weights, self.n_classes);
        let n_rows = labels.len() as f64;
        let trust = n_rows / (n_rows + DOUBT);
        [trust * generative, if self.candidates.is_empty() { 0.0 } else { trust * discriminative }]
    }

    /// The log-posteriors of all rows, for which penalty and shares were chosen by the rows of the other folds.
    pub(super) fn log_posteriors(&self) -> Vec<f64> {
        let mut all = self.prior.clone();
        for fold in 0..self.n_folds {
            let [generative, discriminative] = self.shares(Some(fold));
            let best = self.best(Some(fold));
            for row in (0..self.labels.len()).filter(|&row| self.folds[row] == fold) {
                let range = row * self.n_classes..(row + 1) * self.n_classes;
                for entry in range.clone() {
                    let by_terms = best.map_or(0.0, |best| discriminative * best.by_terms[entry]);
                    all[entry] += generative * self.by_weights[entry] + by_terms;
                }
                normalise(&mut all[range]);
            }
        }
        all
    }

    /// The mean loss of scores that are added to the prior.
    pub(super) fn loss(&self, added: &[f64]) -> f64 {
        sums::loss(&self.scores(added), self.labels, self.row_weights, self.n_classes) / self.total()
    }

    /// The mean loss of the best terms; infinite without any.
    pub(super) fn loss_of_terms(&self) -> f64 {
        self.best(None).map_or(f64::INFINITY, |best| best.loss(None) / self.total())
    }

    /// The weight of all rows.
    fn total(&self) -> f64 {
        self.row_weights.total(self.labels.len())
    }

    /// The weights of the rows of some folds.
    fn weights_of(&self, used: impl Fn(usize) -> bool) -> Option<Vec<f64>> {
        self.row_weights.select((0..self.labels.len()).filter(|&row| used(self.folds[row])))
    }

    fn scores(&self, added: &[f64]) -> Vec<f64> {
        self.prior.iter().zip(added).map(|(prior, added)| prior + added).collect()
    }

    /// The values and labels of the rows of some folds.
    fn select(&self, values: &[f64], used: impl Fn(usize) -> bool) -> (Vec<f64>, Vec<usize>) {
        let rows = values.chunks_exact(self.n_classes).zip(self.labels).zip(self.folds);
        let rows = rows.filter(|(_, fold)| used(**fold)).map(|(row, _)| row);
        let (values, labels): (Vec<&[f64]>, Vec<usize>) = rows.map(|(row, label)| (row, *label)).unzip();
        (values.concat(), labels)
    }
}

/// Takes the logarithm of the sum of exponentials off.
pub(super) fn normalise(log: &mut [f64]) {
    let most = log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = log.iter().map(|log| libm::exp(log - most)).sum();
    let shift = most + libm::log(total);
    for log in log {
        *log -= shift;
    }
}
