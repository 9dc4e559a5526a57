//! The probabilities that a model gives to new rows.

use nb_significance::SampleMoments;

/// Sums over rows.
#[derive(Clone, Debug)]
pub(crate) struct Posteriors {
    n: f64,
    /// Of each class the sum of its probabilities, and that of their squares.
    sums: Vec<[f64; 2]>,
    /// The sum of the largest probability of each row.
    largest: f64,
    /// Rows that are impossible under every class.
    pub(crate) impossible: u64,
    /// Labelled rows: their number, and sum and sum of squares of the log-loss.
    losses: [f64; 3],
}

impl Posteriors {
    pub(crate) fn new(n_classes: usize) -> Self {
        Self { n: 0.0, sums: vec![[0.0; 2]; n_classes], largest: 0.0, impossible: 0, losses: [0.0; 3] }
    }

    /// Adds a row, with its class if that is known.
    pub(crate) fn add(&mut self, log_posterior: &[f64], truth: Option<usize>) {
        if log_posterior.iter().all(|log| *log == f64::NEG_INFINITY) {
            self.impossible += 1;
            return;
        }
        self.n += 1.0;
        let mut largest = 0.0_f64;
        for (sums, log) in self.sums.iter_mut().zip(log_posterior) {
            let probability = libm::exp(*log);
            sums[0] += probability;
            sums[1] += probability * probability;
            largest = largest.max(probability);
        }
        self.largest += largest;
        if let Some(truth) = truth {
            let loss = -log_posterior[truth];
            self.losses[0] += 1.0;
            self.losses[1] += loss;
            self.losses[2] += loss * loss;
        }
    }

    /// The probability of each class: moments over rows.
    pub(super) fn classes(&self) -> Vec<SampleMoments> {
        self.sums.iter().map(|[sum, squares]| moments(self.n, *sum, *squares)).collect()
    }

    /// The mean of the largest probability.
    pub(crate) fn mean_probability(&self) -> Option<f64> {
        (self.n > 0.0).then(|| self.largest / self.n)
    }

    /// The log-loss of labelled rows: moments over rows.
    pub(super) fn losses(&self) -> SampleMoments {
        let [n, sum, squares] = self.losses;
        moments(n, sum, squares)
    }
}

fn moments(n: f64, sum: f64, squares: f64) -> SampleMoments {
    if n <= 0.0 {
        return SampleMoments { n: 0.0, mean: 0.0, variance: 0.0 };
    }
    let mean = sum / n;
    SampleMoments { n, mean, variance: (squares / n - mean * mean).max(0.0) }
}
