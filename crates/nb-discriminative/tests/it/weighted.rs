//! Rows with weights, and bins that are there before.

use nb_discriminative::{ColumnKind, LabelledRows, LearnError, Learner, Learnt, Line};
use ndarray::{Array2, Axis};

fn data(name: &str) -> (Array2<f64>, Vec<usize>, Vec<ColumnKind>, usize) {
    let data = nb_datasets::load(name).expect("embedded");
    let features = vec![ColumnKind::Numbers; data.x().ncols()];
    (data.x(), data.labels.clone(), features, data.classes.len())
}

fn weighted(name: &str, weights: &[f64]) -> Learnt {
    let (x, y, features, n_classes) = data(name);
    let rows = LabelledRows::new(&x, &features, &y, n_classes).with_weights(weights);
    Learner::default().learn_from(&rows).expect("learnt")
}

/// Once, twice or three times, whatever the class.
fn times(row: usize) -> usize {
    1 + (row * 7 / 4) % 3
}

#[test]
fn only_ratios_of_weights_matter() {
    let weights: Vec<f64> = (0..768).map(|row| times(row) as f64).collect();
    let once = weighted("pima", &weights);
    for factor in [1.0 / 1024.0, 4096.0] {
        let scaled: Vec<f64> = weights.iter().map(|weight| factor * weight).collect();
        let scaled = weighted("pima", &scaled);
        assert_eq!((&scaled.refinement, scaled.summary), (&once.refinement, once.summary));
        assert_eq!(scaled.log_prior, once.log_prior);
        let pseudo_counts: Vec<f64> = once.pseudo_counts.iter().map(|count| factor * count).collect();
        assert_eq!(scaled.pseudo_counts, pseudo_counts);
    }
}

#[test]
fn equal_weights_are_none() {
    let (x, y, features, n_classes) = data("iris");
    let plain = Learner::default().learn(&x, &features, &y, n_classes).expect("learnt");
    assert_eq!(weighted("iris", &[1.0; 150]), plain);
    assert_eq!(weighted("iris", &[0.3; 150]).refinement, plain.refinement);
}

#[test]
fn rows_of_weight_zero_are_absent() {
    let (x, y, features, n_classes) = data("pima");
    let kept: Vec<usize> = (0..768).filter(|row| row % 5 != 2).collect();
    let weight = |row: usize| if row % 5 == 2 { 0.0 } else { times(row) as f64 };
    let all: Vec<f64> = (0..768).map(weight).collect();
    let with_zeros = weighted("pima", &all);
    let own: Vec<f64> = kept.iter().map(|&row| all[row]).collect();
    let labels: Vec<usize> = kept.iter().map(|&row| y[row]).collect();
    let x = x.select(Axis(0), &kept);
    let rows = LabelledRows::new(&x, &features, &labels, n_classes).with_weights(&own);
    let without = Learner::default().learn_from(&rows).expect("learnt");
    assert_eq!((&with_zeros.refinement, with_zeros.summary), (&without.refinement, without.summary));
    assert_eq!(with_zeros.held_out.log_posteriors, without.held_out.log_posteriors);
    let rows: Vec<usize> = without.held_out.rows.iter().map(|&row| kept[row]).collect();
    assert_eq!(with_zeros.held_out.rows, rows);
}

/// Not the same, as penalties are for the number of rows. So probabilities are compared. Copies of a row are
/// held out together.
#[test]
fn weights_are_nearly_repeated_rows() {
    let (x, y, features, n_classes) = data("pima");
    let weights: Vec<f64> = (0..768).map(|row| if y[row] == 1 { 3.0 } else { 1.0 }).collect();
    let repeated: Vec<usize> =
        (0..768).flat_map(|row| std::iter::repeat_n(row, weights[row] as usize)).collect();
    let labels: Vec<usize> = repeated.iter().map(|&row| y[row]).collect();
    let rows = x.select(Axis(0), &repeated);
    let often = LabelledRows::new(&rows, &features, &labels, n_classes).with_groups(&repeated);
    let often = Learner::default().learn_from(&often).expect("learnt");
    let by_weights = weighted("pima", &weights);
    let plain = Learner::default().learn(&x, &features, &y, n_classes).expect("learnt");
    // The class that counts three times is as probable as in the repeated rows.
    assert!((by_weights.summary.of_prior - often.summary.of_prior).abs() < 0.01);
    assert!((by_weights.summary.majority - often.summary.majority).abs() < 1e-12);
    assert!((often.summary.held_out - by_weights.summary.held_out).abs() < 0.03);
    assert!(by_weights.summary.held_out < by_weights.summary.of_prior);
    // Glucose of 100 and 170: the same steps of log-odds.
    let log_odds = |learnt: &Learnt, value: f64| {
        let correction = &learnt.refinement.corrections[1];
        let at = correction.at(value);
        let slope = |line: &Line| (line.per_unit[1] - line.per_unit[0]) * line.distance(value);
        at[1] - at[0] + correction.line().map_or(0.0, slope)
    };
    let step = |learnt: &Learnt| log_odds(learnt, 170.0) - log_odds(learnt, 100.0);
    let (weighted, often, plain) = (step(&by_weights), step(&often), step(&plain));
    assert!(weighted > 0.0 && (weighted - often).abs() < 0.8, "{weighted} {often} {plain}");
}

#[test]
fn bins_that_are_there_stay() {
    let (x, y, features, n_classes) = data("pima");
    let first = Learner::default().learn(&x, &features, &y, n_classes).expect("learnt");
    let rows = LabelledRows::new(&x, &features, &y, n_classes).with_cuts(&first.cuts);
    let again = Learner::default().learn_from(&rows).expect("learnt");
    assert_eq!(again.cuts, first.cuts);
    // All that differs is in the folds, so that the penalty may.
    assert!((again.summary.held_out - first.summary.held_out).abs() < 0.02, "{again:?}");
    let coarse: Vec<Vec<f64>> =
        (0..8).map(|column| if column == 1 { vec![120.0] } else { Vec::new() }).collect();
    let coarse = Learner::default().learn_from(&rows.with_cuts(&coarse)).expect("learnt");
    assert_eq!(coarse.refinement.corrections[1].cuts(), Some(&[120.0][..]));
    assert!(coarse.summary.held_out > again.summary.held_out);
}

#[test]
fn what_is_no_weight_or_cut_is_refused() {
    let (x, y, features, n_classes) = data("iris");
    let learn = |weights: &[f64]| {
        Learner::default()
            .learn_from(&LabelledRows::new(&x, &features, &y, n_classes).with_weights(weights))
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(learn(&[1.0; 3]), "rows: 150, weights: 3; give one weight per row");
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1e-300] {
        let mut weights = vec![1.0; 150];
        weights[7] = bad;
        assert_eq!(
            learn(&weights),
            format!("row 7: {bad} is not a weight; weights are 0, or from 1e-290 to 1e290")
        );
    }
    assert_eq!(learn(&[0.0; 150]), LearnError::NoRows.to_string());
    let cuts = |cuts: &[Vec<f64>]| {
        let rows = LabelledRows::new(&x, &features, &y, n_classes).with_cuts(cuts);
        Learner::default().learn_from(&rows).expect_err("refused")
    };
    assert_eq!(cuts(&[]), LearnError::Features { columns: 4, features: 0 });
    let message = "column 2: the cut points are not finite numbers in ascending order";
    assert_eq!(cuts(&[vec![], vec![1.0], vec![2.0, 1.0], vec![]]).to_string(), message);
    assert_eq!(cuts(&[vec![], vec![1.0], vec![f64::NAN], vec![]]).to_string(), message);
}
