//! Rows as the logarithms of the probabilities of their values, from which weights are learnt.

use nb_core::{NaiveBayes, Rows, error::FitRowsError};

use super::{
    AttributeWeighted, AttributeWeights, CommonWeights, WeightRule,
    objective::{Classes, Mixture, Objective},
};
use crate::{minimise::minimise, walk::each_row};

/// A step that lowers the mean loss by less than this is the last one.
const PRECISION: f64 = 1e-16;

/// Rows with their classes, and what naive Bayes says of their values.
pub(super) struct WeighedRows {
    pub(super) n_columns: usize,
    pub(super) n_classes: usize,
    /// The number of the class of each row.
    pub(super) classes: Vec<usize>,
    /// The logarithms of the shares of the classes.
    pub(super) log_shares: Vec<f64>,
    /// `log P(x_j | y)` of all codes of all columns, `n_classes` numbers for each; the last has zeros, for
    /// missing cells.
    pub(super) logs: Vec<f64>,
    /// The number of the code of each cell among all of them, row by row.
    pub(super) cells: Vec<usize>,
}

impl WeighedRows {
    /// The rows with what naive Bayes, which is this family, says of them.
    pub(super) fn new<L: Ord + Clone + Send + Sync>(
        unweighted: &AttributeWeighted,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, FitRowsError> {
        let classifier = NaiveBayes::new(unweighted).fit(rows, labels)?;
        let (fitted, names) = (classifier.likelihood(), classifier.classes());
        let (n_columns, n_classes) = (unweighted.n_columns(), names.len());
        let counts = unweighted.counts();
        let (starts, n_codes) = (counts.starts(), counts.n_codes().collect::<Vec<_>>());
        let n_all: usize = n_codes.iter().sum();
        let mut logs = Vec::with_capacity((n_all + 1) * n_classes);
        for (column, &n_codes) in n_codes.iter().enumerate() {
            for code in 0..n_codes {
                let log = |class| fitted.naive_bayes().log_of_code(class, column, code as f64);
                logs.extend((0..n_classes).map(log));
            }
        }
        logs.resize((n_all + 1) * n_classes, 0.0);
        let mut cells = Vec::with_capacity(labels.len() * n_columns);
        each_row(rows, |_, row| {
            cells.extend(row.iter().enumerate().map(|(column, &value)| {
                if value.is_nan() {
                    n_all
                } else {
                    starts[column] + counts.codings.code(column, value) as usize
                }
            }));
            Ok::<(), FitRowsError>(())
        })?;
        // Each is there, as all labels were added.
        let classes: Vec<usize> =
            labels.iter().map(|label| names.binary_search(label).unwrap_or_default()).collect();
        let mut n_rows = vec![0.0; n_classes];
        for &class in &classes {
            n_rows[class] += 1.0;
        }
        let log_shares = n_rows.iter().map(|own| libm::log(own / labels.len() as f64)).collect();
        Ok(Self { n_columns, n_classes, classes, log_shares, logs, cells })
    }

    /// The weights by a rule that searches them.
    pub(super) fn weights(&self, rule: WeightRule) -> AttributeWeights {
        let n_weights = self.n_columns * self.n_classes;
        let by_column =
            |x: &[f64]| -> Vec<Vec<f64>> { x.chunks(self.n_classes.max(1)).map(<[f64]>::to_vec).collect() };
        if rule != WeightRule::Regularized {
            let objective = Classes { rows: self, is_squared: rule == WeightRule::Mse };
            let x = self.minimised(&objective, vec![1.0; n_weights]);
            return AttributeWeights { columns: by_column(&x), ..AttributeWeights::default() };
        }
        let mixture = Mixture { rows: self };
        let mut start = vec![1.0; n_weights + self.n_columns];
        start.push(0.0);
        let x = self.minimised(&mixture, start);
        let (own, rest) = x.split_at(n_weights);
        let (columns, share) = rest.split_at(self.n_columns);
        let common = CommonWeights {
            columns: columns.to_vec(),
            share: share.first().map_or(0.0, |share| Mixture::share_of_common(*share)),
        };
        AttributeWeights { columns: by_column(own), common: Some(common), values: Vec::new() }
    }

    /// The minimum of the mean loss that is reached from somewhere.
    fn minimised(&self, objective: &impl Objective, mut x: Vec<f64>) -> Vec<f64> {
        let share = 1.0 / self.classes.len().max(1) as f64;
        minimise(
            &mut x,
            0,
            PRECISION,
            |_| (),
            |x, gradient| {
                gradient.fill(0.0);
                let loss = objective.add_loss(x, gradient);
                for entry in gradient {
                    *entry *= share;
                }
                loss * share
            },
        );
        x
    }

    /// The numbers of the codes of a row.
    fn row(&self, row: usize) -> &[usize] {
        &self.cells[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// Puts `log P(y) + Σ_j w_yj log P(x_j | y)` of a row into `scores`.
    pub(super) fn score(&self, row: usize, weight: impl Fn(usize, usize) -> f64, scores: &mut [f64]) {
        scores.copy_from_slice(&self.log_shares);
        for (column, &code) in self.row(row).iter().enumerate() {
            let logs = &self.logs[code * self.n_classes..(code + 1) * self.n_classes];
            for (class, (score, log)) in scores.iter_mut().zip(logs).enumerate() {
                *score += weight(class, column) * log;
            }
        }
    }

    /// Calls `add` with the derivative of the score of every class by the weight of every column.
    pub(super) fn for_each_log(&self, row: usize, mut add: impl FnMut(usize, usize, f64)) {
        for (column, &code) in self.row(row).iter().enumerate() {
            let logs = &self.logs[code * self.n_classes..(code + 1) * self.n_classes];
            for (class, log) in logs.iter().enumerate() {
                add(class, column, *log);
            }
        }
    }
}
