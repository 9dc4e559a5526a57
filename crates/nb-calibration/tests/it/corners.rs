//! Where there is no best map, what is refused, and scores at the ends of the range.

use nb_calibration::{
    ApplyError, Calibration, CalibrationError, CalibrationMap, Calibrator, Ends, Isotonic, Platt, Temperature,
};
use ndarray::{Array2, array};

const IMPOSSIBLE: f64 = f64::NEG_INFINITY;

const ALL: [Calibration; 4] =
    [Calibration::None, Calibration::Temperature, Calibration::Platt, Calibration::Isotonic];

#[test]
fn what_does_not_belong_together_is_refused() {
    let scores = array![[-0.1, -2.0], [-0.3, -1.0], [-0.2, -1.5]];
    for calibration in ALL {
        let fit = |truth: &[usize], weights: Option<&[f64]>| calibration.fit(scores.view(), truth, weights);
        assert_eq!(fit(&[0, 1], None), Err(CalibrationError::Labels { rows: 3, labels: 2 }));
        assert_eq!(fit(&[0, 1, 2], None), Err(CalibrationError::Truth { row: 2, class: 2, n_classes: 2 }));
        assert_eq!(fit(&[0, 1, 0], Some(&[1.0; 4])), Err(CalibrationError::Weights { rows: 3, weights: 4 }));
        for weight in [-1.0, 1e-30, 1e30, f64::INFINITY] {
            let refused = Err(CalibrationError::Weight { row: 1, weight });
            assert_eq!(fit(&[0, 1, 0], Some(&[1.0, weight, 1.0])), refused);
        }
        assert!(fit(&[0, 1, 0], Some(&[1.0, f64::NAN, 1.0])).is_err());
        assert_eq!(fit(&[0, 1, 0], Some(&[0.0; 3])), Err(CalibrationError::NoRows));
        let none = Array2::zeros((0, 2));
        assert_eq!(calibration.fit(none.view(), &[], None), Err(CalibrationError::NoRows));
        let one_class = array![[0.0]];
        assert_eq!(
            calibration.fit(one_class.view(), &[0], None),
            Err(CalibrationError::Classes { found: 1 })
        );
        let infinite = array![[0.0, 0.0], [0.0, f64::INFINITY]];
        let value = f64::INFINITY;
        assert_eq!(
            calibration.fit(infinite.view(), &[0, 1], None),
            Err(CalibrationError::Score { row: 1, class: 1, value })
        );
    }
}

#[test]
fn maps_refuse_other_classes_and_no_scores() {
    let scores = array![[-0.1, -2.0], [-0.3, -1.0], [-0.2, -1.5]];
    for calibration in ALL {
        let map = calibration.fit(scores.view(), &[0, 1, 0], None).expect("a map");
        let mut three = Array2::zeros((1, 3));
        assert_eq!(map.apply(three.view_mut()), Err(ApplyError::Classes { expected: 2, found: 3 }));
        let mut nan = array![[-1.0, -1.0], [0.0, f64::NAN]];
        assert!(matches!(map.apply(nan.view_mut()), Err(ApplyError::Score { row: 1, class: 1, .. })));
        assert_eq!(nan.row(0), array![-1.0, -1.0]);
    }
}

#[test]
fn rows_without_a_best_temperature() {
    let right = array![[-0.1, -2.0], [-3.0, -0.05], [-0.7, -0.7]];
    assert_eq!(Temperature.fit(right.view(), &[0, 1, 0], None), Err(CalibrationError::Separated));
    let wrong = array![[-0.1, -2.0], [-3.0, -0.05]];
    assert_eq!(Temperature.fit(wrong.view(), &[1, 0], None), Err(CalibrationError::Uninformative));
    let flat = array![[-0.7, -0.7], [-0.7, -0.7]];
    assert_eq!(Temperature.fit(flat.view(), &[1, 0], None), Err(CalibrationError::Uninformative));
    let impossible = array![[0.0, IMPOSSIBLE], [-0.1, -2.0], [-0.1, -2.0], [-2.0, -0.1]];
    let error = CalibrationError::Impossible { row: 0, class: 1 };
    for result in [
        Temperature.fit(impossible.view(), &[1, 0, 1, 1], None).err(),
        Platt.fit(impossible.view(), &[1, 0, 1, 1], None).err(),
    ] {
        assert_eq!(result.as_ref(), Some(&error));
    }
    // Without a weight it does no harm.
    let weights = [0.0, 2.0, 1.0, 1.0];
    assert!(Temperature.fit(impossible.view(), &[1, 0, 1, 1], Some(&weights)).is_ok());
}

#[test]
fn impossible_classes() {
    let scores = array![
        [-0.1, -2.0, IMPOSSIBLE],
        [-0.5, -1.0, -3.0],
        [-0.5, -1.0, -3.0],
        [-3.0, -1.0, -0.3],
        [-2.0, -0.1, -4.0],
        [0.0, IMPOSSIBLE, IMPOSSIBLE],
    ];
    let truth = [0, 0, 1, 2, 1, 0];
    for calibration in [Calibration::Temperature, Calibration::Platt] {
        let map = calibration.fit(scores.view(), &truth, None).expect("a map");
        let mut answers = array![
            [-0.2, -1.7, IMPOSSIBLE],
            [IMPOSSIBLE, 0.0, IMPOSSIBLE],
            [IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE]
        ];
        map.apply(answers.view_mut()).expect("valid");
        assert_eq!(answers[[0, 2]], IMPOSSIBLE, "{calibration:?}");
        assert!((answers[[0, 0]].exp() + answers[[0, 1]].exp() - 1.0).abs() < 1e-15);
        assert_eq!(answers.row(1), array![IMPOSSIBLE, 0.0, IMPOSSIBLE]);
        assert_eq!(answers.row(2), array![IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE]);
    }
    let nothing = array![[IMPOSSIBLE, IMPOSSIBLE], [-0.1, -2.0]];
    assert_eq!(
        Isotonic::default().fit(nothing.view(), &[0, 1], None),
        Err(CalibrationError::NoClass { row: 0 })
    );
}

#[test]
fn isotonic_regression_learns_what_impossible_means() {
    // Of four rows that are impossible in class 1, one is of this class.
    let mut scores = Array2::from_elem((8, 2), 0.0);
    scores.slice_mut(ndarray::s![..4, 1]).fill(IMPOSSIBLE);
    let truth = [0, 0, 1, 0, 1, 1, 1, 0];
    let map = Isotonic { ends: Ends::Exact }.fit(scores.view(), &truth, None).expect("valid");
    let mut answers = array![[0.0, IMPOSSIBLE], [0.0, -7.0], [0.0, 9.0], [IMPOSSIBLE, 0.0]];
    map.apply(answers.view_mut()).expect("valid");
    let probabilities: Vec<f64> = answers.column(1).iter().map(|answer| answer.exp()).collect();
    assert_eq!(probabilities, [0.25, 0.75, 0.75, 0.75]);
}

#[test]
fn separated_classes_keep_finite_log_losses() {
    let scores = array![[0.0, -3.0], [0.0, -2.0], [0.0, 1.0], [0.0, 5.0]];
    let truth = [0, 0, 1, 1];
    for calibration in [Calibration::Platt, Calibration::Isotonic] {
        let map = calibration.fit(scores.view(), &truth, None).expect("a map");
        let mut answers = array![[0.0, -1e9], [0.0, 1e9], [0.0, -2.5]];
        map.apply(answers.view_mut()).expect("valid");
        assert!(answers.iter().all(|answer| answer.is_finite()), "{calibration:?}");
        assert!(answers[[0, 0]] > answers[[0, 1]] && answers[[1, 1]] > answers[[1, 0]]);
    }
    // (2 + 1)/(2 + 2) at either end.
    let map = Isotonic::default().fit(scores.view(), &truth, None).expect("valid");
    assert_eq!((map.steps()[0][0].probability, map.steps()[0][1].probability), (0.25, 0.75));
}

#[test]
fn where_all_classes_get_zero_they_get_the_same() {
    // Each class is itself from log-odds of 0.1 on, and certainly not up to -0.1; three equal scores have
    // -ln 2.
    let scores = array![[1.0, 0.9, -20.0], [-20.0, 1.0, 0.9], [0.9, -20.0, 1.0]];
    let map = Isotonic { ends: Ends::Exact }.fit(scores.view(), &[0, 1, 2], None).expect("valid");
    let third = -1.098_612_288_668_109_6; // -ln 3
    let mut rows = array![[0.0, 0.0, 0.0], [0.0, 9.0, 0.0]];
    map.apply(rows.view_mut()).expect("valid");
    assert_eq!(rows, array![[third, third, third], [IMPOSSIBLE, 0.0, IMPOSSIBLE]]);
}

#[test]
fn equal_log_odds_have_no_slope() {
    let scores = array![[-0.7, -0.7, IMPOSSIBLE], [-0.7, -0.7, IMPOSSIBLE]];
    assert_eq!(Platt.fit(scores.view(), &[0, 1], None), Err(CalibrationError::Flat { class: 0 }));
    let infinite = array![[0.0, IMPOSSIBLE], [IMPOSSIBLE, 0.0]];
    assert_eq!(Platt.fit(infinite.view(), &[0, 1], None), Err(CalibrationError::Flat { class: 1 }));
}

#[test]
fn log_odds_that_differ_in_their_last_digits() {
    // Two rows: the line goes through the targets of both, 1/3 and 2/3, however steep it must be.
    for distance in [1e-6, 1e-13, 4.0 * f64::EPSILON] {
        for offset in [-700.0, -1.0, 1e6] {
            let scores = array![[0.0, offset], [0.0, offset + distance * offset]];
            for truth in [[0, 1], [1, 0]] {
                let map = Platt.fit(scores.view(), &truth, None).expect("a minimum");
                let mut answers = scores.clone();
                map.apply(answers.view_mut()).expect("valid");
                for (answers, truth) in answers.rows().into_iter().zip(truth) {
                    let of_truth = answers[truth].exp();
                    assert!((of_truth - 2.0 / 3.0).abs() < 1e-15, "{distance:e} from {offset}: {of_truth}");
                }
            }
        }
    }
}

#[test]
fn huge_and_tiny_scores() {
    let pattern = array![[0.0, -3.0], [0.0, -1.0], [0.0, 1.0], [0.0, 2.0], [0.0, 4.0]];
    let truth = [0, 1, 0, 1, 1];
    let plain = Temperature.fit(pattern.view(), &truth, None).expect("a minimum");
    let line = Platt.fit(pattern.view(), &truth, None).expect("a minimum").sigmoids()[0];
    for exponent in [-900, -300, 300, 1000] {
        let factor = 2.0_f64.powi(exponent);
        let scores = &pattern * factor;
        let map = Temperature.fit(scores.view(), &truth, None).expect("a minimum");
        let ratio = map.inverse_temperature() * factor / plain.inverse_temperature();
        assert!((ratio - 1.0).abs() < 1e-14, "2^{exponent}: {ratio}");
        let map = Platt.fit(scores.view(), &truth, None).expect("a minimum");
        let ratio = map.sigmoids()[0].slope * factor / line.slope;
        assert!((ratio - 1.0).abs() < 1e-13, "2^{exponent}: {ratio}");
        for calibration in ALL {
            let map = calibration.fit(scores.view(), &truth, None).expect("a map");
            let mut answers = array![[-f64::MAX, f64::MAX], [f64::MAX, 0.0], [-f64::MIN_POSITIVE, 0.0]];
            map.apply(answers.view_mut()).expect("valid");
            assert!(!answers.iter().any(|answer| answer.is_nan()), "{calibration:?} 2^{exponent}");
        }
    }
}
