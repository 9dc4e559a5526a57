//! The measures, the same for all contenders.

use nb_compare::{Table, labels};
use nb_metrics::{Evaluation, Settings};
use ndarray::Array2;

/// The least probability that counts in the log-loss, so that one row cannot decide it all.
pub(super) const LEAST_PROBABILITY: f64 = 1e-15;

/// How good answers are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Score {
    /// The part of the rows whose class was predicted.
    pub(super) accuracy: f64,
    /// The mean of `-ln p(true class)`, clipped.
    pub(super) log_loss: f64,
}

/// Measures the log-probabilities of all rows.
///
/// # Errors
/// If they are no distribution in some row.
pub(super) fn score(table: &Table, answers: &Array2<f64>) -> Result<Score, String> {
    let least = LEAST_PROBABILITY.ln();
    let mut evaluation = Evaluation::with(table.classes.len(), Settings::default().with_keep_scores(false));
    for ((row, label), answer) in labels(answers).into_iter().enumerate().zip(answers.rows()) {
        // Not `max`, which would make a number of NaN.
        let clipped: Vec<f64> =
            answer.iter().map(|&value| if value < least { least } else { value }).collect();
        evaluation
            .add(table.labels[row], label, &clipped, 1.0)
            .map_err(|error| format!("{}, row {}: {error}", table.name, row + 1))?;
    }
    let measures = evaluation.measures();
    let both = measures.accuracy.zip(measures.log_loss);
    both.map(|(accuracy, log_loss)| Score { accuracy, log_loss })
        .ok_or_else(|| format!("{} has no rows", table.name))
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    fn table() -> Table {
        let x = Array2::zeros((3, 0));
        Table::new("three rows", Vec::new(), x, vec!["a".into(), "b".into()], vec![0, 1, 1]).expect("a table")
    }

    #[test]
    fn losses_are_clipped() {
        let half = 0.5_f64.ln();
        let answers = array![[half, half], [f64::NEG_INFINITY, 0.0], [0.0, f64::NEG_INFINITY]];
        let found = score(&table(), &answers).expect("a score");
        assert!((found.accuracy - 2.0 / 3.0).abs() < 1e-15);
        assert!((found.log_loss - (0.5_f64.ln() + 1e-15_f64.ln()) / -3.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        for bad in [f64::NAN, 0.5, f64::NEG_INFINITY] {
            let answers = array![[0.0, f64::NEG_INFINITY], [bad, bad], [0.0, f64::NEG_INFINITY]];
            let error = score(&table(), &answers).expect_err("no distribution");
            assert!(error.starts_with("three rows, row 2: "), "{error}");
        }
    }
}
