//! What is learnt from rows.

use nb_discriminative::{ColumnKind, LearnError, Learner, Learnt, Penalty};
use ndarray::{Array2, Axis, array, concatenate};

/// A data set, with its labels as numbers.
fn numbered(name: &str) -> (Array2<f64>, Vec<usize>, usize) {
    let data = nb_datasets::load(name).expect("embedded");
    (data.x(), data.labels.clone(), data.classes.len())
}

fn learn(x: &Array2<f64>, y: &[usize], n_classes: usize) -> Learnt {
    Learner::default().learn(x, &vec![ColumnKind::Numbers; x.ncols()], y, n_classes).expect("numbers")
}

#[test]
fn held_out_rows_are_more_probable_than_by_the_class_shares() {
    for name in ["iris", "breast_cancer", "pima", "liver"] {
        let (x, y, n_classes) = numbered(name);
        let learnt = learn(&x, &y, n_classes);
        let summary = learnt.summary;
        assert!(summary.held_out < summary.of_prior, "{name}: {summary:?}");
        // Choosing without a row costs no more than chance: a standard error.
        let best = summary.of_weights.min(summary.of_terms);
        assert!(summary.held_out <= best + standard_error(&learnt, &y, n_classes), "{name}: {summary:?}");
        assert!(summary.accuracy > summary.majority, "{name}: {summary:?}");
    }
}

/// That of the mean log-loss of held-out rows.
fn standard_error(learnt: &Learnt, y: &[usize], n_classes: usize) -> f64 {
    let held_out = &learnt.held_out;
    let posteriors = held_out.log_posteriors.chunks_exact(n_classes).zip(&held_out.rows);
    let losses: Vec<f64> = posteriors.map(|(posteriors, &row)| -posteriors[y[row]]).collect();
    let n = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / n;
    (losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / (n * (n - 1.0))).sqrt()
}

#[test]
fn noise_leaves_the_class_shares() {
    let x = Array2::from_shape_fn((400, 5), |(row, column)| ((row * 7919 + column * 104_729) % 1009) as f64);
    let y: Vec<usize> = (0..400).map(|row| usize::from((row * row + 3 * row) % 11 < 4)).collect();
    let summary = learn(&x, &y, 2).summary;
    assert!(summary.held_out < summary.of_prior + 0.005, "{summary:?}");
}

#[test]
fn evidence_that_is_there_twice_is_counted_once() {
    let (x, y, n_classes) = numbered("pima");
    let twice = concatenate![Axis(1), x, x];
    let (once, twice) = (learn(&x, &y, n_classes).summary, learn(&twice, &y, n_classes).summary);
    assert!((once.held_out - twice.held_out).abs() < 0.01, "{once:?} {twice:?}");
}

#[test]
fn a_missing_cell_may_be_what_tells_the_class() {
    let x =
        Array2::from_shape_fn((200, 1), |(row, _)| if row % 2 == 0 { f64::NAN } else { (row % 7) as f64 });
    let y: Vec<usize> = (0..200).map(|row| row % 2).collect();
    let learnt = learn(&x, &y, 2);
    assert!(learnt.summary.accuracy == 1.0 && learnt.summary.held_out < 0.1, "{:?}", learnt.summary);
    let missing = learnt.refinement.corrections[0].at(f64::NAN);
    assert!(missing[0] > missing[1]);
}

#[test]
fn tables_of_no_use_are_learnt_from_all_the_same() {
    // One row, one class, a constant column, a column without values, more classes than rows.
    for (x, y, n_classes) in [
        (array![[1.0]], vec![0], 1),
        (array![[1.0], [2.0]], vec![0, 0], 1),
        (array![[1.0], [1.0], [1.0]], vec![0, 1, 0], 2),
        (array![[f64::NAN], [f64::NAN]], vec![0, 1], 2),
        (array![[1.0], [2.0]], vec![3, 4], 9),
    ] {
        let learnt = learn(&x, &y, n_classes);
        let corrections = learnt.refinement.corrections[0].levels();
        assert!(corrections.iter().chain(&learnt.log_prior).all(|term| term.is_finite()), "{learnt:?}");
        assert!(learnt.summary.held_out.is_finite(), "{learnt:?}");
    }
    let none =
        Learner::default().learn(&Array2::<f64>::zeros((3, 0)), &[], &[0, 1, 0], 2).expect("no columns");
    assert!(none.refinement.weights.is_empty() && none.log_prior[0] > none.log_prior[1]);
}

#[test]
fn weights_alone_have_no_corrections() {
    let (x, y, n_classes) = numbered("iris");
    let learner = Learner::default().weights_only();
    let learnt = learner.learn(&x, &[ColumnKind::Numbers; 4], &y, n_classes).expect("numbers");
    // What is taken off a column, so that missing cells add nothing, is the same for all of its bins.
    for correction in &learnt.refinement.corrections {
        let mut levels = correction.levels().chunks_exact(n_classes);
        let first = levels.next().expect("bins");
        assert!(levels.all(|level| level == first));
    }
    assert!(learnt.summary.penalty.is_none() && learnt.summary.discriminative == 0.0);
    assert!(learnt.refinement.weights.iter().all(|weight| *weight >= 0.0));
}

#[test]
fn penalties_are_chosen_on_some_rows_and_terms_learnt_from_all() {
    let (x, y, n_classes) = numbered("breast_cancer");
    let mut learner = Learner::default();
    learner.most_held_out = 200;
    let learnt = learner.learn(&x, &[ColumnKind::Numbers; 30], &y, n_classes).expect("numbers");
    assert_eq!(learnt.summary.n_rows, 569);
    assert!(learnt.summary.held_out < 0.3, "{:?}", learnt.summary);
}

#[test]
fn errors_say_what_is_wrong() {
    let x = array![[0.0, 1.0], [1.0, 2.0]];
    let numbers = [ColumnKind::Numbers; 2];
    let error = |learner: &Learner, x: &Array2<f64>, features: &[ColumnKind], y: &[usize]| {
        learner.learn(x, features, y, 2).expect_err("refused").to_string()
    };
    let default = Learner::default();
    assert_eq!(error(&default, &Array2::zeros((0, 2)), &numbers, &[]), "there are no rows to learn from");
    assert_eq!(error(&default, &x, &numbers, &[0]), "rows: 2, labels: 1; give one label per row");
    assert_eq!(
        error(&default, &x, &numbers[..1], &[0, 1]),
        "2 columns but 1 features; say of each column what it holds"
    );
    assert_eq!(error(&default, &x, &numbers, &[0, 2]), "row 1: class 2 of 2; classes are counted from 0");
    assert_eq!(
        error(&default, &x, &[ColumnKind::Categories(1), ColumnKind::Numbers], &[0, 1]),
        "row 1, column 0: 1 is not a category; categories are the whole numbers below 1"
    );
    let infinite = array![[0.0, f64::INFINITY], [1.0, 2.0]];
    let found = default.learn(&infinite, &numbers, &[0, 1], 2).expect_err("infinite");
    assert!(matches!(found, LearnError::Discretise { column: 1, .. }), "{found}");
    assert_eq!(
        error(&default.clone().with_bins(0), &x, &numbers, &[0, 1]),
        "the number of bins is 0; it must be at least 1"
    );
    let mut flat = default.clone();
    flat.penalties = vec![Penalty { ridge: 0.0, smoothness: 1.0 }];
    assert_eq!(error(&flat, &x, &numbers, &[0, 1]), "the ridge penalty is 0; it must be finite and above 0");
}
