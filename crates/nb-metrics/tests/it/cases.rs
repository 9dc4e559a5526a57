//! Rows for the tests, made the same way here and in `tests/reference.py`.

use nb_metrics::{Evaluation, RowError};

/// A row as an evaluation takes it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) truth: Option<usize>,
    pub(crate) predicted: Option<usize>,
    pub(crate) log_posteriors: Vec<f64>,
    pub(crate) weight: f64,
}

impl Row {
    /// A row that answers with the most probable class, the first of several.
    pub(crate) fn new(truth: Option<usize>, posteriors: &[f64], weight: f64) -> Self {
        let best = (0..posteriors.len()).rev().max_by(|&a, &b| posteriors[a].total_cmp(&posteriors[b]));
        let log_posteriors = posteriors.iter().map(|posterior| posterior.ln()).collect();
        Self { truth, predicted: best, log_posteriors, weight }
    }

    pub(crate) fn add_to(&self, evaluation: &mut Evaluation) -> Result<(), RowError> {
        evaluation.add(self.truth, self.predicted, &self.log_posteriors, self.weight)
    }
}

/// An evaluation of rows that are in order.
pub(crate) fn evaluate<'a>(n_classes: usize, rows: impl IntoIterator<Item = &'a Row>) -> Evaluation {
    let mut evaluation = Evaluation::new(n_classes);
    for row in rows {
        row.add_to(&mut evaluation).expect("a row in order");
    }
    evaluation
}

/// How to make a case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseOf {
    pub(crate) seed: u64,
    pub(crate) n_rows: usize,
    pub(crate) n_classes: u64,
    pub(crate) largest: u64,
    pub(crate) noise: u64,
    pub(crate) weighted: bool,
}

/// Knuth's linear congruential generator (MMIX).
struct Generator(u64);

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

impl CaseOf {
    /// Posteriors in proportion to small numbers; the truth is drawn from them, or, of 10 rows, `noise` at
    /// random.
    pub(crate) fn rows(self) -> Vec<Row> {
        let Self { n_classes, largest, .. } = self;
        let mut draw = Generator(self.seed);
        let mut row = || {
            let size = |class: u64| draw.below(largest) as f64 + (37 + 11 * class * class) as f64 / 1024.0;
            let sizes: Vec<f64> = (0..n_classes).map(size).collect();
            let sum: f64 = sizes.iter().sum();
            let posteriors: Vec<f64> = sizes.iter().map(|size| size / sum).collect();
            let truth = if draw.below(10) < self.noise {
                draw.below(n_classes) as usize
            } else {
                let steps = 8 * largest * n_classes;
                let at = draw.below(steps) as f64 / steps as f64 * sum;
                let is_above = |&class: &usize| at < sizes[..=class].iter().sum();
                (0..sizes.len()).find(is_above).expect("below the sum")
            };
            let weight = if self.weighted { (1 + draw.below(8)) as f64 / 4.0 } else { 1.0 };
            Row::new(Some(truth), &posteriors, weight)
        };
        (0..self.n_rows).map(|_| row()).collect()
    }
}
