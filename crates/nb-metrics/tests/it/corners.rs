//! Where measures do not exist, what is refused, and sizes at the ends of the range.

use std::num::NonZeroU32;

use nb_metrics::{Evaluation, Measures, MergeError, RowError, Settings};

const IMPOSSIBLE: f64 = f64::NEG_INFINITY;

/// Two classes, the second with this posterior.
fn binary(posterior: f64) -> [f64; 2] {
    [(-posterior).ln_1p(), posterior.ln()]
}

#[test]
fn without_rows_nothing_exists() {
    for n_classes in [0, 1, 2, 3] {
        let mut measures = Evaluation::new(n_classes).measures();
        assert_eq!(measures.classes.len(), n_classes);
        assert!(measures.classes.iter().all(|class| class.f1.is_none() && class.auc.is_none()));
        measures.classes.clear();
        assert_eq!(measures, Measures::default());
    }
}

#[test]
fn one_class_has_no_area() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(1);
    evaluation.add(0, 0, &[0.0], 1.0)?;
    let measures = evaluation.measures();
    assert_eq!((measures.accuracy, measures.log_loss, measures.brier), (Some(1.0), Some(0.0), Some(0.0)));
    assert_eq!((measures.auc, measures.auc_pairwise), (None, None));
    assert_eq!((measures.balanced_accuracy, measures.macro_f1), (Some(1.0), Some(1.0)));
    Ok(())
}

/// scikit-learn 1.9.1 with the unseen class and no answer as classes 2 and 3: `matthews_corrcoef([0, 0, 1, 1,
/// 2], [0, 1, 1, 3, 0])`, `cohen_kappa_score` of the same.
#[test]
fn agreement_beyond_chance_counts_unseen_classes_and_rows_without_an_answer() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    for (truth, predicted) in
        [(Some(0), Some(0)), (Some(0), Some(1)), (Some(1), Some(1)), (Some(1), None), (None, Some(0))]
    {
        evaluation.add_label(truth, predicted, 1.0)?;
    }
    let measures = evaluation.measures();
    assert!(measures.matthews.is_some_and(|value| (value - 0.125).abs() < 1e-15), "{measures:?}");
    assert!(
        measures.kappa.is_some_and(|value| (value - 0.117_647_058_823_529_55).abs() < 1e-15),
        "{measures:?}"
    );
    Ok(())
}

#[test]
fn one_class_has_no_correlation() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    evaluation.add_label(0, 0, 1.0)?;
    assert_eq!((evaluation.measures().matthews, evaluation.measures().kappa), (None, None));
    evaluation.add_label(1, 0, 1.0)?;
    assert_eq!((evaluation.measures().matthews, evaluation.measures().kappa), (Some(0.0), Some(0.0)));
    Ok(())
}

#[test]
fn a_class_that_is_absent_has_no_recall_and_one_never_predicted_no_precision() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(4);
    evaluation.add_label(0, 0, 1.0)?;
    evaluation.add_label(1, 2, 1.0)?;
    let measures = evaluation.measures();
    let [right, missed, wrong, absent] = measures.classes[..] else { unreachable!() };
    assert_eq!((right.precision, right.recall, right.f1), (Some(1.0), Some(1.0), Some(1.0)));
    assert_eq!((missed.precision, missed.recall, missed.f1), (None, Some(0.0), Some(0.0)));
    assert_eq!((wrong.precision, wrong.recall, wrong.f1), (Some(0.0), None, Some(0.0)));
    assert_eq!((absent.precision, absent.recall, absent.f1), (None, None, None));
    assert_eq!((measures.balanced_accuracy, measures.macro_f1), (Some(0.5), Some(1.0 / 3.0)));
    Ok(())
}

#[test]
fn rows_of_an_unseen_class() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    for (truth, posterior) in [(0, 0.25), (1, 0.75)] {
        evaluation.add(truth, truth, &binary(posterior), 1.0)?;
    }
    let before = evaluation.measures();
    evaluation.add(None, 1, &binary(0.75), 2.0)?;
    let after = evaluation.measures();
    assert_eq!((after.rows.rows, after.unseen.rows, after.unseen.weight), (3, 1, 2.0));
    assert_eq!((after.impossible, after.unanswered.rows), (after.unseen, 0));
    assert_eq!(after.accuracy, Some(0.5));
    assert_eq!(after.balanced_accuracy, Some(2.0 / 3.0));
    assert_eq!(after.macro_f1, Some((1.0 + 0.5) / 3.0));
    assert_eq!(after.log_loss, Some(f64::INFINITY));
    assert_eq!(after.log_loss_of_possible, before.log_loss);
    // 2/16 for the two known rows, 1 + 1/16 + 9/16 for the others.
    assert!(after.brier.is_some_and(|brier| (brier - (2.0 * 0.125 + 2.0 * 1.625) / 4.0).abs() < 1e-15));
    assert_eq!((after.auc, before.auc), (Some(1.0), Some(1.0)));
    // A gap of 1/4 in one bin, whose square is less than the variance of the accuracy: 1/16 - 1/4 by 3.
    assert_eq!((after.calibration_error, after.calibration_bins), (Some(0.0), 1));
    Ok(())
}

#[test]
fn rows_without_an_answer() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    evaluation.add(0, 0, &binary(0.25), 1.0)?;
    evaluation.add(1, None, &[IMPOSSIBLE; 2], 1.0)?;
    let measures = evaluation.measures();
    assert_eq!((measures.unanswered.rows, measures.impossible.rows, measures.unseen.rows), (1, 1, 0));
    assert_eq!((measures.accuracy, measures.balanced_accuracy), (Some(0.5), Some(0.5)));
    assert_eq!(measures.classes[1].predicted, 0.0);
    assert_eq!(measures.log_loss, Some(f64::INFINITY));
    assert_eq!(measures.reliability.iter().map(|bin| bin.rows.rows).sum::<u64>(), 1);
    assert!(evaluation.confusion().cells().eq([(Some(0), Some(0), 1.0), (Some(1), None, 1.0)]));
    // An unseen class without an answer is no right answer.
    evaluation.add(None, None, &[IMPOSSIBLE; 2], 2.0)?;
    assert_eq!(evaluation.measures().accuracy, Some(0.25));
    Ok(())
}

#[test]
fn labels_alone_end_the_measures_of_posteriors() -> Result<(), Box<dyn std::error::Error>> {
    let mut evaluation = Evaluation::new(2);
    evaluation.add(0, 0, &binary(0.25), 1.0)?;
    let mut labels = Evaluation::new(2);
    labels.add_label(1, 1, 0.0)?;
    evaluation.merge(&labels)?;
    assert!(evaluation.measures().log_loss.is_some());
    labels.add_label(1, 1, 1.0)?;
    evaluation.merge(&labels)?;
    let measures = evaluation.measures();
    assert_eq!(measures.accuracy, Some(1.0));
    assert_eq!((measures.log_loss, measures.log_loss_of_possible, measures.brier), (None, None, None));
    assert_eq!((measures.auc, measures.auc_pairwise, measures.calibration_error), (None, None, None));
    assert!(measures.reliability.is_empty());
    Ok(())
}

#[test]
fn what_is_refused_changes_nothing() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    evaluation.add(1, 0, &binary(0.25), 1.0)?;
    let before = evaluation.measures();
    let half = binary(0.5);
    let refused = [
        evaluation.add(2, 0, &half, 1.0),
        evaluation.add(0, 7, &half, 1.0),
        evaluation.add(0, 0, &half[..1], 1.0),
        evaluation.add(0, 0, &[0.0, f64::NAN], 1.0),
        evaluation.add(0, 0, &[0.0, f64::INFINITY], 1.0),
        evaluation.add(0, 0, &[0.0, 0.0], 1.0),
        evaluation.add(0, 0, &[-3.0, IMPOSSIBLE], 0.0),
        evaluation.add(0, 0, &half, -1.0),
        evaluation.add(0, 0, &half, f64::NAN),
        evaluation.add(0, 0, &half, f64::INFINITY),
        evaluation.add(0, 0, &half, 1e-30),
        evaluation.add_label(2, 0, 1.0),
        evaluation.add_label(0, 2, 1.0),
        evaluation.add_label(0, 0, f64::NEG_INFINITY),
    ];
    for refused in refused {
        let message = refused.expect_err("refused").to_string();
        assert!(
            message.starts_with(|letter: char| letter.is_lowercase()) && message.contains(';'),
            "{message}"
        );
    }
    assert_eq!(evaluation.measures(), before);
    Ok(())
}

#[test]
fn evaluations_of_different_kinds_do_not_merge() {
    let mut evaluation = Evaluation::new(2);
    let classes = evaluation.merge(&Evaluation::new(3));
    assert_eq!(classes, Err(MergeError::Classes { ours: 2, theirs: 3 }));
    let without_scores = Settings::default().with_keep_scores(false);
    let one_bin = Settings::default().with_n_bins(NonZeroU32::MIN);
    for settings in [without_scores, one_bin] {
        assert_eq!(evaluation.merge(&Evaluation::with(2, settings)), Err(MergeError::Settings));
    }
}

#[test]
fn what_rounding_leaves_above_zero_is_zero() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    evaluation.add(0, 0, &[1e-7, -30.0], 1.0)?;
    let measures = evaluation.measures();
    assert_eq!(measures.log_loss, Some(0.0));
    assert!(measures.brier.is_some_and(|brier| brier < 1e-25));
    assert_eq!(measures.reliability[0].upper, 1.0);
    Ok(())
}

#[test]
fn sure_rows_keep_their_digits() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    let unit = 2.0_f64.powi(-70);
    for doubt in [unit, 3.0 * unit] {
        evaluation.add(0, 0, &[-doubt, doubt.ln()], 1.0)?;
    }
    let measures = evaluation.measures();
    assert_eq!(measures.log_loss, Some(2.0 * unit));
    assert!(measures.brier.is_some_and(|brier| (brier / (10.0 * unit * unit) - 1.0).abs() < 1e-13));
    assert_eq!(measures.calibration_error, Some(2.0 * unit));
    Ok(())
}

#[test]
fn losses_of_any_size_do_not_overflow() -> Result<(), Box<dyn std::error::Error>> {
    let mut evaluation = Evaluation::with(2, Settings::default().with_keep_scores(false));
    let weight = 2.0_f64.powi(60);
    evaluation.add(1, 0, &[0.0, -1e270], weight)?;
    for _ in 0..80 {
        evaluation.merge(&evaluation.clone())?; // more rows than can be counted
    }
    let measures = evaluation.measures();
    assert_eq!(measures.rows.rows, u64::MAX);
    assert_eq!(measures.log_loss, None); // the sum of the losses is too large
    assert_eq!(measures.brier, Some(2.0));
    Ok(())
}

#[test]
fn a_loss_beyond_measure_is_infinite() -> Result<(), RowError> {
    let mut evaluation = Evaluation::new(2);
    evaluation.add(1, 0, &[0.0, -1e300], 2.0_f64.powi(60))?;
    evaluation.add(1, 0, &[0.0, -1e270], 2.0_f64.powi(60))?;
    let measures = evaluation.measures();
    assert_eq!((measures.log_loss, measures.log_loss_of_possible), (Some(f64::INFINITY), Some(1e270)));
    assert_eq!(measures.impossible.rows, 1);
    Ok(())
}

#[test]
fn areas_at_their_ends() -> Result<(), RowError> {
    for (scores, area) in [([0.1, 0.9, 0.2, 0.8], 1.0), ([0.9, 0.1, 0.8, 0.2], 0.0), ([0.5; 4], 0.5)] {
        let mut evaluation = Evaluation::new(2);
        for (row, score) in scores.into_iter().enumerate() {
            evaluation.add(row % 2, 0, &binary(score), 0.1 * (row + 1) as f64)?;
        }
        assert_eq!(evaluation.measures().auc, Some(area));
    }
    Ok(())
}
