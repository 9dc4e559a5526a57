//! Measures beside those of scikit-learn.

use nb_metrics::Evaluation;

use crate::{
    cases::{Row, evaluate},
    reference::{REFERENCES, Reference},
};

/// Both are equal within a few units in the last place of numbers near 1.
fn assert_close(ours: Option<f64>, theirs: f64, what: &str, case: &str) {
    let is_close = ours.map_or(theirs.is_nan(), |ours| (ours - theirs).abs() <= 4e-15);
    assert!(is_close, "{case}: {what} is {ours:?}, and {theirs} in scikit-learn");
}

#[test]
fn measures_are_those_of_scikit_learn() {
    for reference in REFERENCES {
        let Reference { name, case, .. } = reference;
        let n_classes = case.n_classes as usize;
        let evaluation = evaluate(n_classes, &case.rows());
        let measures = evaluation.measures();
        let close = |ours, theirs, what: &str| assert_close(ours, theirs, what, name);
        close(measures.accuracy, reference.accuracy, "accuracy");
        close(measures.balanced_accuracy, reference.balanced_accuracy, "balanced accuracy");
        close(measures.macro_f1, reference.macro_f1, "macro F1");
        close(measures.matthews, reference.matthews, "Matthews' correlation");
        close(measures.kappa, reference.kappa, "kappa");
        close(measures.root_mean_squared_error, reference.root_mean_squared_error, "root mean squared error");
        close(
            measures.expected_calibration_error,
            reference.expected_calibration_error,
            "expected calibration error",
        );
        close(measures.log_loss, reference.log_loss, "log-loss");
        close(measures.log_loss_of_possible, reference.log_loss, "log-loss of possible rows");
        close(measures.brier, reference.brier, "Brier score");
        close(measures.auc, reference.auc, "AUC");
        close(measures.calibration_error, reference.calibration_error, "calibration error");
        assert_eq!(measures.calibration_bins, reference.calibration_bins, "{name}");
        if let Some(auc) = reference.auc_pairwise {
            close(measures.auc_pairwise, auc, "pairwise AUC");
        }
        if let Some((lower, upper)) = reference.interval {
            close(measures.accuracy_interval.map(|interval| interval.lower), lower, "lower end");
            close(measures.accuracy_interval.map(|interval| interval.upper), upper, "upper end");
        }
        for (class, measures) in measures.classes.iter().enumerate() {
            close(measures.precision, reference.precision[class], "precision");
            // The recall of an absent class does not exist here; there it was asked to be NaN.
            close(measures.recall, reference.recall[class], "recall");
            assert_eq!(measures.support, reference.support[class], "{name}");
        }
        for (cell, &weight) in reference.confusion.iter().enumerate() {
            assert_eq!(evaluation.confusion().weight(cell / n_classes, cell % n_classes), weight, "{name}");
        }
        assert_eq!(measures.reliability.len(), reference.bin_weight.len(), "{name}");
        for (number, bin) in measures.reliability.iter().enumerate() {
            close(Some(bin.accuracy), reference.bin_accuracy[number], "accuracy of a bin");
            close(Some(bin.confidence), reference.bin_confidence[number], "confidence of a bin");
            assert_eq!(bin.rows.weight, reference.bin_weight[number], "{name}");
        }
    }
}

#[test]
fn a_class_that_was_never_seen() {
    // scikit-learn 1.9.1, with 9 for `None`: accuracy_score, balanced_accuracy_score,
    // f1_score(average="macro", zero_division=0) of truth 0 0 0 1 1 3 9 9 0 1 and predictions 0 1 0 1 1 1
    // 0 1 2 1.
    let truth = [Some(0), Some(0), Some(0), Some(1), Some(1), Some(3), None, None, Some(0), Some(1)];
    let predicted = [0, 1, 0, 1, 1, 1, 0, 1, 2, 1];
    let mut evaluation = Evaluation::new(5);
    for (truth, predicted) in truth.into_iter().zip(predicted) {
        evaluation.add_label(truth, predicted, 1.0).expect("a row in order");
    }
    let measures = evaluation.measures();
    let close = |ours, theirs, what: &str| assert_close(ours, theirs, what, "an unseen class");
    close(measures.accuracy, 0.5, "accuracy");
    close(measures.balanced_accuracy, 0.375, "balanced accuracy");
    close(measures.macro_f1, 0.247_619_047_619_047_63, "macro F1");
    assert_eq!((measures.unseen.rows, measures.unseen.weight), (2, 2.0));
}

#[test]
fn posteriors_that_round_to_one_are_ranked() {
    // scikit-learn 1.9.1: roc_auc_score of these log-odds, which it does not see once they are posteriors.
    let log_odds = [(0, -900.0), (0, -800.0), (0, 750.0), (1, 760.0), (1, -850.0), (1, 800.0_f64)];
    let mut evaluation = Evaluation::new(2);
    for (truth, log_odds) in log_odds {
        let log_posteriors = [(-log_odds).min(0.0), log_odds.min(0.0)];
        evaluation.add(truth, usize::from(log_odds > 0.0), &log_posteriors, 1.0).expect("a row in order");
    }
    assert_close(evaluation.measures().auc, 0.777_777_777_777_777_8, "AUC", "sure rows");
}

#[test]
fn posteriors_of_zero() {
    // scikit-learn 1.9.1: roc_auc_score(multi_class="ovr"), the same with "ovo",
    // brier_score_loss(scale_by_half=False). Its log_loss is finite, because it clips posteriors.
    let rows = [
        (2, [0.0, 0.0, 1.0]),
        (1, [0.0, 1.0, 0.0]),
        (0, [1.0, 0.0, 0.0]),
        (1, [0.5, 0.5, 0.0]),
        (2, [0.0, 0.25, 0.75]),
        (2, [1.0, 0.0, 0.0]),
    ];
    let rows = rows.map(|(truth, posteriors)| Row::new(Some(truth), &posteriors, 1.0));
    let measures = evaluate(3, &rows).measures();
    let close = |ours, theirs, what: &str| assert_close(ours, theirs, what, "posteriors of zero");
    close(measures.auc, 0.911_111_111_111_111_1, "AUC");
    close(measures.auc_pairwise, 0.916_666_666_666_666_6, "pairwise AUC");
    close(measures.brier, 0.4375, "Brier score");
    close(measures.log_loss_of_possible, -(0.5 * 0.75_f64).ln() / 5.0, "log-loss of possible rows");
    assert_eq!(measures.log_loss, Some(f64::INFINITY));
    assert_eq!((measures.impossible.rows, measures.impossible.weight), (1, 1.0));
}
