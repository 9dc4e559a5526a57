//! Maps beside those of scikit-learn and of mpmath.

use nb_calibration::{CalibrationMap, Calibrator, Ends, Isotonic, Platt, Temperature};
use ndarray::Array2;

use crate::{
    cases::case,
    reference::{INVERSE_TEMPERATURES, ISOTONIC, SIGMOID, SIGMOID_SCIKIT, THREE_ISOTONIC, THREE_SIGMOID},
};

fn assert_close(ours: f64, theirs: f64, tolerance: f64) {
    assert!((ours - theirs).abs() <= tolerance * theirs.abs().max(1e-300), "{ours:?}, not {theirs:?}");
}

#[test]
fn temperatures_are_those_of_mpmath() {
    for (case, expected) in
        [case(1, 60, 2, 64, true), case(2, 90, 3, 1_000_003, true)].iter().zip(INVERSE_TEMPERATURES)
    {
        let map = Temperature.fit(case.scores.view(), &case.truth, Some(&case.weights)).expect("a minimum");
        assert_close(map.inverse_temperature(), expected, 1e-15);
        assert_eq!(map.temperature(), 1.0 / map.inverse_temperature());
    }
}

#[test]
fn sigmoids_are_those_of_mpmath_and_scikit_learn() {
    let case = case(1, 60, 2, 64, true);
    let map = Platt.fit(case.scores.view(), &case.truth, Some(&case.weights)).expect("a minimum");
    let [sigmoid] = map.sigmoids() else { panic!("two classes have one sigmoid") };
    assert_close(sigmoid.slope, SIGMOID[0], 2e-15);
    assert_close(sigmoid.intercept(), SIGMOID[1], 4e-15);
    // scikit-learn stops at a gradient of 1e-6.
    assert_close(sigmoid.slope, SIGMOID_SCIKIT[0], 1e-7);
    assert_close(sigmoid.intercept(), SIGMOID_SCIKIT[1], 1e-7);
}

#[test]
fn isotonic_regression_is_that_of_scikit_learn() {
    let case = case(1, 60, 2, 64, true);
    let isotonic = Isotonic { ends: Ends::Exact };
    let map = isotonic.fit(case.scores.view(), &case.truth, Some(&case.weights)).expect("valid");
    let mut grid = Array2::zeros((ISOTONIC.len(), 2));
    for (row, mut scores) in grid.rows_mut().into_iter().enumerate() {
        scores[1] = (row as f64 - 80.0) / 8.0;
    }
    map.apply(grid.view_mut()).expect("valid");
    for (answer, expected) in grid.rows().into_iter().zip(ISOTONIC) {
        assert!((answer[1].exp() - expected).abs() <= 1e-15, "{} {expected}", answer[1].exp());
        assert!((answer[0].exp() - (1.0 - expected)).abs() <= 1e-15);
    }
}

#[test]
fn three_classes_are_those_of_scikit_learn() {
    let held_out = case(2, 90, 3, 1_000_003, true);
    let new = case(3, 20, 3, 1_000_003, false).scores;
    let (scores, truth, weights) = (held_out.scores.view(), &held_out.truth[..], Some(&held_out.weights[..]));
    let mut isotonic = new.clone();
    let map = Isotonic { ends: Ends::Exact }.fit(scores, truth, weights).expect("valid");
    map.apply(isotonic.view_mut()).expect("valid");
    let mut sigmoid = new;
    let map = Platt.fit(scores, truth, weights).expect("valid");
    map.apply(sigmoid.view_mut()).expect("valid");
    for (ours, expected) in isotonic.iter().zip(THREE_ISOTONIC) {
        assert!((ours.exp() - expected).abs() <= 2e-15, "{} {expected}", ours.exp());
    }
    for (ours, expected) in sigmoid.iter().zip(THREE_SIGMOID) {
        assert!((ours.exp() - expected).abs() <= 1e-6, "{} {expected}", ours.exp());
    }
}
