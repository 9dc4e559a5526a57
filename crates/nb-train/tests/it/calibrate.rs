//! Probabilities that are calibrated by rows of another sample.

use nb_calibration::Calibration::{Isotonic, Platt, Temperature};
use nb_io::{Model, Schema};
use nb_train::{CalibrateError, CalibrationRows, Effort, Trainer, calibrate};
use ndarray::{Array2, array};

/// Log-posteriors of two classes from log-odds of the second.
fn log_posteriors(log_odds: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn((log_odds.len(), 2), |(row, class)| {
        let odds = if class == 1 { log_odds[row] } else { -log_odds[row] };
        -(-odds).exp().ln_1p()
    })
}

fn model() -> Model {
    let lengths = Array2::from_shape_fn((20, 1), |(row, _)| row as f64);
    let labels: Vec<String> = (0..20).map(|row| ["large", "small"][usize::from(row < 11)].into()).collect();
    let trainer = Trainer::default().with_effort(Effort::Plain);
    trainer.fit(&Schema::numeric(["length"], "size"), &lengths, &labels).unwrap().model
}

fn rows(log_odds: &[f64], truths: &[usize]) -> CalibrationRows {
    CalibrationRows::new(log_posteriors(log_odds), truths.to_vec(), |_| None::<u8>).unwrap()
}

/// Log-odds of ±4 in turn, every fourth of which is wrong.
fn too_sure(n_rows: usize) -> (Vec<f64>, Vec<usize>) {
    let odds = |row: usize| if row.is_multiple_of(2) { 4.0 } else { -4.0 };
    let truth = |row: usize| usize::from((odds(row) > 0.0) != (row % 8 < 2));
    ((0..n_rows).map(odds).collect(), (0..n_rows).map(truth).collect())
}

#[test]
fn a_temperature_makes_too_sure_a_model_as_sure_as_it_is_right() {
    let (odds, truths) = too_sure(200);
    let calibrated = calibrate(&model(), &rows(&odds, &truths), Temperature).unwrap();
    assert_eq!(calibrated.n_kept, 0);
    // Three quarters of the rows are right, with log-odds of ln 3.
    let nb_train::ModelMap::Line { factor, offsets } = &calibrated.map else { panic!("a line") };
    assert!((factor * 4.0 - 3.0_f64.ln()).abs() < 1e-9, "{factor}");
    assert_eq!(offsets, &[0.0, 0.0]);
    let entropy = -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
    assert!((calibrated.after.log_loss - entropy).abs() < 1e-3, "{:?}", calibrated.after);
    assert!(!calibrated.change.is_clear_loss());
    assert_eq!(calibrated.model.refinement().unwrap().held_out, calibrated.after);
}

#[test]
fn rows_of_a_group_are_in_one_fold() {
    // Every row stands five times, and the rows of four of five groups are answered wrong.
    let odds: Vec<f64> = (0..100).map(|row| if row % 2 == 0 { 2.0 } else { -2.0 }).collect();
    let truths: Vec<usize> = (0..100).map(|row| usize::from((odds[row] > 0.0) != (row / 20 == 0))).collect();
    let grouped = CalibrationRows::new(log_posteriors(&odds), truths.clone(), |row| Some(row / 20)).unwrap();
    let alone = rows(&odds, &truths);
    let of = |rows| calibrate(&model(), rows, Temperature).unwrap();
    let (grouped, alone) = (of(&grouped), of(&alone));
    assert_eq!(grouped.map, alone.map, "the map of all rows knows no folds");
    assert_eq!(grouped.before, alone.before);
    assert!(grouped.after.log_loss > alone.after.log_loss + 0.01, "{:?} {:?}", grouped.after, alone.after);
    // Without the group that is answered wrong all rows are right: its rows keep what they have.
    assert_eq!(grouped.n_kept, 20);
}

#[test]
fn rows_without_a_best_map_are_named() {
    let error = |odds: &[f64], truths: &[usize], calibration| {
        calibrate(&model(), &rows(odds, truths), calibration).unwrap_err()
    };
    let right = [-1.0, 1.0, -2.0, 2.0];
    assert!(matches!(error(&right, &[0, 1, 0, 1], Temperature), CalibrateError::Separated));
    assert!(matches!(error(&right, &[1, 0, 1, 0], Temperature), CalibrateError::Uninformative));
    assert!(
        matches!(error(&right, &[1, 1, 1, 1], Platt), CalibrateError::OneClass { class } if class == "small")
    );
    let (odds, truths) = too_sure(80);
    let opposite: Vec<f64> = odds.iter().map(|odds| -odds).collect();
    assert!(matches!(error(&opposite, &truths, Platt), CalibrateError::Opposite));
    let flat = vec![1.0; 80];
    assert!(matches!(error(&flat, &truths, Platt), CalibrateError::Flat { .. }));
    assert!(matches!(error(&flat, &truths, Isotonic), CalibrateError::Opposite));
    let mut impossible = odds;
    impossible[3] = f64::INFINITY;
    let error = error(&impossible, &[&[0, 1, 0, 0], &truths[4..]].concat(), Temperature);
    assert!(matches!(&error, CalibrateError::Impossible { row: 3, class } if class == "large"), "{error}");
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let three = || array![[0.2_f64, 0.3, 0.5], [0.6, 0.2, 0.2]].ln();
    let of = |truths: Vec<usize>| CalibrationRows::new(three(), truths, |_| None::<u8>);
    assert!(matches!(of(vec![0]), Err(CalibrateError::Lengths { rows: 2, truths: 1 })));
    assert!(matches!(of(vec![0, 3]), Err(CalibrateError::Truth { row: 1, truth: 3, n_classes: 3 })));
    let error = calibrate(&model(), &of(vec![0, 2]).unwrap(), Temperature).unwrap_err();
    assert!(matches!(error, CalibrateError::Classes { found: 3, n_classes: 2 }), "{error}");
}
