//! The measures, the same for all contenders.

use nb_compare::labels;
use nb_metrics::{Evaluation, Settings};
use ndarray::{Array2, Axis};

use super::data::Data;

/// The least probability that counts in the log-loss, so that one row cannot decide it all.
pub(super) const LEAST_PROBABILITY: f64 = 1e-15;

/// How good answers are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// The part of the rows whose class was predicted.
    pub(super) accuracy: f64,
    /// The mean of `-ln p(true class)`, clipped.
    pub(super) log_loss: f64,
    /// The mean over the classes, weighted by their sizes, of the area under the ROC curve of each against
    /// all others.
    pub(super) auc: f64,
    /// The calibration error of nb-metrics.
    pub(super) calibration_error: f64,
    /// The loss of each tested row.
    pub(super) losses: Vec<f64>,
}

/// Measures the log-probabilities of all tested rows of a split.
///
/// # Errors
/// If they are no distribution in some row.
pub(super) fn score(set: &Data, repeat: usize, answers: &Array2<f64>) -> Result<Score, String> {
    let tested = set.repeats[repeat].tested();
    let truth: Vec<usize> = tested.iter().map(|&row| set.table.labels[row]).collect();
    one(&truth, set.table.classes.len(), &answers.select(Axis(0), &tested))
        .map_err(|(place, error)| format!("{}, row {}: {error}", set.table.name, tested[place] + 1))
}

/// The means over repeats of the same rows.
pub(super) fn mean<'a>(scores: impl IntoIterator<Item = &'a Score>) -> Score {
    let (mut sum, mut n) = (Score::default(), 0.0);
    for score in scores {
        sum.accuracy += score.accuracy;
        sum.log_loss += score.log_loss;
        sum.auc += score.auc;
        sum.calibration_error += score.calibration_error;
        sum.losses.resize(score.losses.len(), 0.0);
        sum.losses.iter_mut().zip(&score.losses).for_each(|(sum, loss)| *sum += loss);
        n += 1.0;
    }
    let means = [&mut sum.accuracy, &mut sum.log_loss, &mut sum.auc, &mut sum.calibration_error];
    means.into_iter().chain(&mut sum.losses).for_each(|sum| *sum /= n);
    sum
}

/// Measures the answers to rows, or says which of them is no distribution.
fn one(truth: &[usize], n_classes: usize, answers: &Array2<f64>) -> Result<Score, (usize, String)> {
    let least = LEAST_PROBABILITY.ln();
    let mut evaluation = Evaluation::with(n_classes, Settings::default().with_keep_scores(false));
    let mut losses = Vec::with_capacity(truth.len());
    for ((row, label), answer) in labels(answers).into_iter().enumerate().zip(answers.rows()) {
        // Not `max`, which would make a number of NaN.
        let clipped: Vec<f64> =
            answer.iter().map(|&value| if value < least { least } else { value }).collect();
        evaluation.add(truth[row], label, &clipped, 1.0).map_err(|error| (row, error.to_string()))?;
        losses.push(-clipped[truth[row]]);
    }
    let measures = evaluation.measures();
    Ok(Score {
        accuracy: measures.accuracy.unwrap_or(f64::NAN),
        log_loss: measures.log_loss.unwrap_or(f64::NAN),
        auc: auc(truth, n_classes, answers),
        calibration_error: measures.calibration_error.unwrap_or(f64::NAN),
        losses,
    })
}

/// The area under the ROC curve of each class against all others, weighted by the sizes of the classes.
/// nb-metrics has it with equal weights, where classes of two or three rows decide.
fn auc(truth: &[usize], n_classes: usize, answers: &Array2<f64>) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for class in 0..n_classes {
        let n_own = truth.iter().filter(|&&label| label == class).count();
        let n_others = truth.len() - n_own;
        if n_own == 0 || n_others == 0 {
            continue;
        }
        let mut scores: Vec<(f64, bool)> =
            answers.column(class).iter().zip(truth).map(|(&score, &label)| (score, label == class)).collect();
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Pairs in the right order, ties by halves.
        let (mut pairs, mut others_before) = (0.0, 0.0);
        for tied in scores.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            let own = tied.iter().filter(|(_, is_own)| *is_own).count() as f64;
            let others = tied.len() as f64 - own;
            pairs += own * (others_before + 0.5 * others);
            others_before += others;
        }
        sum += pairs / n_others as f64;
        weight += n_own as f64;
    }
    if weight > 0.0 { sum / weight } else { f64::NAN }
}

/// The mean difference of the losses of rows, and its standard error.
pub(super) fn difference(losses: &[f64], others: &[f64]) -> (f64, f64) {
    let n = losses.len() as f64;
    let differences: Vec<f64> = losses.iter().zip(others).map(|(loss, other)| loss - other).collect();
    let mean = differences.iter().sum::<f64>() / n;
    let squares = differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn losses_are_clipped() {
        let half = 0.5_f64.ln();
        let answers = array![[half, half], [f64::NEG_INFINITY, 0.0], [0.0, f64::NEG_INFINITY]];
        let found = one(&[0, 1, 1], 2, &answers).expect("a score");
        assert!((found.accuracy - 2.0 / 3.0).abs() < 1e-15);
        assert!((found.log_loss - (0.5_f64.ln() + 1e-15_f64.ln()) / -3.0).abs() < 1e-12);
        assert!((found.losses.iter().sum::<f64>() / 3.0 - found.log_loss).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        for bad in [f64::NAN, 0.5, f64::NEG_INFINITY] {
            let answers = array![[0.0, f64::NEG_INFINITY], [bad, bad], [0.0, f64::NEG_INFINITY]];
            assert_eq!(one(&[0, 1, 1], 2, &answers).expect_err("no distribution").0, 1);
        }
    }

    #[test]
    fn areas_are_means_by_the_sizes_of_classes() {
        // Of class 0 one of two pairs is tied, of class 1 all are right, of class 2 none is.
        let answers = array![[0.5, 0.2, 0.3], [0.1, 0.6, 0.3], [0.5, 0.4, 0.1]].mapv(f64::ln);
        let expected = (0.75 + 1.0 + 0.0) / 3.0;
        assert!((auc(&[0, 1, 2], 3, &answers) - expected).abs() < 1e-12);
        let same = Array2::from_elem((4, 2), 0.5_f64.ln());
        assert!((auc(&[0, 0, 0, 1], 2, &same) - 0.5).abs() < 1e-12);
        assert!(auc(&[0, 0], 2, &Array2::zeros((2, 2))).is_nan());
    }

    #[test]
    fn means_are_of_all_measures_and_rows() {
        let score = |value: f64| Score {
            accuracy: value,
            log_loss: 2.0 * value,
            auc: 3.0 * value,
            calibration_error: 4.0 * value,
            losses: vec![value, -value],
        };
        assert_eq!(mean(&[score(1.0), score(2.0)]), score(1.5));
    }

    #[test]
    fn differences_have_standard_errors() {
        let (mean, error) = difference(&[1.0, 3.0, 5.0], &[0.0, 1.0, 2.0]);
        assert!((mean - 2.0).abs() < 1e-12 && (error - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
