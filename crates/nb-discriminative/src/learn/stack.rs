//! What two classifiers say of rows that neither was learnt from, and how they are put together.

use super::{
    row_weights::RowWeights,
    settings::{Settings, Stage},
    shares::shares,
    sums,
};

/// How many rows must be held out for shares to be believed by half.
const DOUBT: f64 = 10.0;

/// What weights, and terms with several penalties, add to the logarithms of the prior of held-out rows. All
/// are `n_rows × n_classes`.
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

/// Terms that were learnt with some settings.
pub(super) struct Candidate {
    pub(super) settings: Settings,
    pub(super) stage: Stage,
    by_terms: Vec<f64>,
    /// The loss of each row.
    losses: Vec<f64>,
}

impl Stack<'_> {
    /// Adds the terms of other settings; whether they are better than those before them, in the same stage.
    pub(super) fn push(&mut self, stage: Stage, settings: Settings, by_terms: Vec<f64>) -> bool {
        let mut scores = self.scores(&by_terms);
        let rows = scores.chunks_exact_mut(self.n_classes).zip(self.labels).enumerate();
        let losses = rows.map(|(row, (scores, &label))| {
            normalise(scores);
            -self.row_weights.of(row) * scores[label]
        });
        let candidate = Candidate { settings, stage, losses: losses.collect(), by_terms };
        let before = self.candidates.last().filter(|last| last.stage == stage);
        let is_better = before.is_none_or(|last| self.gain(&candidate, last, None)[0] > 0.0);
        self.candidates.push(candidate);
        is_better
    }

    /// The terms to use: of each stage those before the first that are worse, if they are better than those
    /// of the stages before by more than a standard error. What the rows of one fold say can be left out.
    pub(super) fn best(&self, without: Option<usize>) -> Option<&Candidate> {
        let mut stages = self.candidates.chunk_by(|one, next| one.stage == next.stage);
        let of_stage = |candidates: &'_ [Candidate]| {
            let is_worse = |pair: &[Candidate]| self.gain(&pair[1], &pair[0], without)[0] <= 0.0;
            candidates.windows(2).position(is_worse).unwrap_or(candidates.len() - 1)
        };
        let first = stages.next()?;
        let mut best = &first[of_stage(first)];
        for candidates in stages {
            let found = &candidates[of_stage(candidates)];
            let [gain, error] = self.gain(found, best, without);
            if gain > error {
                best = found;
            }
        }
        Some(best)
    }

    /// By how much the loss of one candidate is smaller than that of another, and the standard error of this.
    fn gain(&self, one: &Candidate, other: &Candidate, without: Option<usize>) -> [f64; 2] {
        let rows = one.losses.iter().zip(&other.losses).zip(self.folds);
        let (mut n, mut gain, mut squares) = (0.0, 0.0, 0.0);
        for ((one, other), _) in rows.filter(|(_, fold)| Some(**fold) != without) {
            n += 1.0;
            gain += other - one;
            squares += (other - one).powi(2);
        }
        [gain, libm::sqrt((squares - gain * gain / n).max(0.0))]
    }

    /// How much of weights and of the best terms is used. What the rows of one fold say can be left out. The
    /// shares that are best on `n` held-out rows are multiplied by `n / (n + 10)`: of few rows some are
    /// always well predicted by chance.
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

    /// The log-posteriors of all rows, for which penalty and shares were chosen by the rows of the other
    /// folds.
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
        let loss = |best: &Candidate| best.losses.iter().sum::<f64>() / self.total();
        self.best(None).map_or(f64::INFINITY, loss)
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
