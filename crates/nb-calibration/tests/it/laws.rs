//! What holds of all rows.

use nb_calibration::{
    Calibration, CalibrationError, CalibrationMap, Calibrator, Ends, Isotonic, Platt, Temperature,
};
use ndarray::{Array2, Axis, concatenate};
use proptest::prelude::*;

use crate::cases::Case;

const ALL: [Calibration; 3] = [Calibration::Temperature, Calibration::Platt, Calibration::Isotonic];

/// Rows in `n_classes` classes, with equal scores among them and some impossible ones, and an order of them.
fn cases(n_classes: impl Strategy<Value = usize>) -> impl Strategy<Value = (Case, Vec<usize>)> {
    (n_classes, 1..24_usize).prop_flat_map(|(n_classes, n_rows)| {
        let score = prop_oneof![
            10 => (-6..=0_i8).prop_map(f64::from),
            10 => -50.0..0.0_f64,
            2 => (-800.0..8.0_f64).prop_map(|size| -size.exp()),
            1 => Just(f64::NEG_INFINITY),
        ];
        let weight = prop_oneof![4 => Just(1.0), 2 => 0.001..3.0_f64, 1 => Just(0.0)];
        (
            prop::collection::vec(score, n_rows * n_classes),
            prop::collection::vec(0..n_classes, n_rows),
            prop::collection::vec(weight, n_rows),
            Just((0..n_rows).collect::<Vec<_>>()).prop_shuffle(),
        )
            .prop_map(move |(scores, truth, weights, order)| {
                let scores = Array2::from_shape_vec((n_rows, n_classes), scores).expect("as many as cells");
                (Case { scores, truth, weights }, order)
            })
    })
}

/// The same with zero for scores so small that the derivatives made of them lose digits to the end of the
/// range of doubles.
fn without_underflow(mut case: Case) -> Case {
    case.scores.mapv_inplace(|score| if score.abs() < 1e-280 { 0.0 } else { score });
    case
}

fn fit<C: Calibrator>(calibrator: &C, case: &Case) -> Result<C::Fitted, CalibrationError> {
    calibrator.fit(case.scores.view(), &case.truth, Some(&case.weights))
}

/// The weighted log-loss of a map on the rows it was fitted to.
fn log_loss(map: &impl CalibrationMap, case: &Case) -> f64 {
    let mut answers = case.scores.clone();
    map.apply(answers.view_mut()).expect("the same rows");
    let rows = answers.rows().into_iter().zip(&case.truth).zip(&case.weights).filter(|row| *row.1 > 0.0);
    rows.map(|((answers, &truth), weight)| -weight * answers[truth]).sum()
}

/// The isotonic regression by its formula, `max_{a ≤ i} min_{b ≥ i} mean(a..=b)` (Robertson, Wright and
/// Dykstra 1988, 1.4), for means and weights of increasing scores.
fn min_max(means: &[f64], weights: &[f64]) -> Vec<f64> {
    let mean = |a: usize, b: usize| {
        let weight: f64 = weights[a..=b].iter().sum();
        means[a..=b].iter().zip(&weights[a..=b]).map(|(mean, weight)| mean * weight).sum::<f64>() / weight
    };
    let lowest = |a, i| (i..means.len()).map(|b| mean(a, b)).fold(f64::INFINITY, f64::min);
    (0..means.len()).map(|i| (0..=i).map(|a| lowest(a, i)).fold(f64::NEG_INFINITY, f64::max)).collect()
}

proptest! {
    #[test]
    fn answers_are_distributions((case, _) in cases(2..5_usize)) {
        for calibration in ALL {
            let Ok(map) = fit(&calibration, &case) else { continue };
            prop_assert_eq!(map.n_classes(), case.scores.ncols());
            let mut answers = case.scores.clone();
            map.apply(answers.view_mut()).expect("the same rows");
            for (answers, scores) in answers.rows().into_iter().zip(case.scores.rows()) {
                prop_assert!(answers.iter().all(|answer| *answer <= 1e-15), "{:?} {}", calibration, answers);
                let total: f64 = answers.iter().map(|answer| answer.exp()).sum();
                let is_possible = scores.iter().any(|score| score.is_finite());
                prop_assert!((total - f64::from(u8::from(is_possible))).abs() < 1e-13, "{:?} {}", calibration, answers);
            }
        }
    }

    #[test]
    fn what_is_refused_has_no_best_map((case, _) in cases(2..5_usize)) {
        for calibration in ALL {
            let Err(error) = fit(&calibration, &case) else { continue };
            let has_reason = match error {
                CalibrationError::NoRows => case.weights.iter().all(|weight| *weight == 0.0),
                CalibrationError::NoClass { row } => case.scores.row(row).iter().all(|score| score.is_infinite()),
                CalibrationError::Impossible { row, class } => {
                    calibration != Calibration::Isotonic && case.truth[row] == class && case.scores[[row, class]].is_infinite()
                }
                CalibrationError::Separated | CalibrationError::Uninformative => calibration == Calibration::Temperature,
                CalibrationError::Flat { .. } => calibration == Calibration::Platt,
                _ => false,
            };
            prop_assert!(has_reason, "{:?} {:?}", calibration, error);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter((case, order) in cases(2..5_usize)) {
        let shuffled = Case {
            scores: case.scores.select(Axis(0), &order),
            truth: order.iter().map(|&row| case.truth[row]).collect(),
            weights: order.iter().map(|&row| case.weights[row]).collect(),
        };
        for calibration in ALL {
            match (fit(&calibration, &case), fit(&calibration, &shuffled)) {
                (Ok(map), Ok(again)) => prop_assert_eq!(map, again),
                (Err(_), Err(_)) => {}
                (one, other) => prop_assert!(false, "{:?} {:?}", one, other),
            }
        }
    }

    #[test]
    fn a_weight_of_two_is_two_rows((case, _) in cases(2..5_usize)) {
        let mut case = without_underflow(case);
        let twice = Case {
            scores: concatenate![Axis(0), case.scores, case.scores],
            truth: [&case.truth[..], &case.truth[..]].concat(),
            weights: [&case.weights[..], &case.weights[..]].concat(),
        };
        case.weights.iter_mut().for_each(|weight| *weight *= 2.0);
        for calibration in ALL {
            prop_assert_eq!(fit(&calibration, &case).ok(), fit(&calibration, &twice).ok());
        }
    }

    #[test]
    fn no_other_temperature_is_better((case, _) in cases(2..5_usize)) {
        let Ok(map) = fit(&Temperature, &case) else { return Ok(()) };
        let loss = log_loss(&map, &case);
        for factor in [0.5, 0.99, 1.01, 2.0] {
            let other = Case { scores: &case.scores * factor, ..case.clone() };
            prop_assert!(log_loss(&map, &other) >= loss * (1.0 - 1e-12) - 1e-12);
        }
    }

    #[test]
    fn scaled_scores_have_a_scaled_temperature((case, _) in cases(2..5_usize), factor in 0.01..100.0_f64) {
        let case = without_underflow(case);
        let Ok(map) = fit(&Temperature, &case) else { return Ok(()) };
        // Scores that say nearly nothing have a temperature that rests on the rounding of their sums.
        let sizes = case.scores.iter().filter(|score| score.is_finite()).map(|score| score.abs());
        if sizes.fold(0.0, f64::max) * map.inverse_temperature() < 1e-6 {
            return Ok(());
        }
        let scaled = Case { scores: &case.scores * factor, ..case };
        let again = fit(&Temperature, &scaled).expect("as before");
        let ratio = again.temperature() / (map.temperature() * factor);
        prop_assert!((ratio - 1.0).abs() < 1e-9, "{}", ratio);
        // What is calibrated has a temperature of 1, up to digits that tiny scores lose beside a logarithm of 2.
        if scaled.scores.iter().any(|score| *score != 0.0 && score.abs() < 1e-3) {
            return Ok(());
        }
        let mut calibrated = scaled.clone();
        again.apply(calibrated.scores.view_mut()).expect("the same rows");
        let identity = fit(&Temperature, &calibrated).expect("as before");
        prop_assert!((identity.temperature() - 1.0).abs() < 1e-6, "{}", identity.temperature());
    }

    #[test]
    fn isotonic_steps_are_those_of_the_formula((case, _) in cases(Just(2_usize))) {
        let Ok(map) = fit(&Isotonic { ends: Ends::Exact }, &case) else { return Ok(()) };
        let mut rows: Vec<(f64, f64, f64)> = Vec::new();
        for ((scores, &truth), &weight) in case.scores.rows().into_iter().zip(&case.truth).zip(&case.weights) {
            rows.push((scores[1] - scores[0], truth as f64, weight));
        }
        rows.retain(|row| row.2 > 0.0);
        rows.sort_by(|a, b| (a.0 + 0.0).total_cmp(&(b.0 + 0.0)));
        let groups: Vec<_> = rows.chunk_by(|a, b| a.0 == b.0).collect();
        let weights: Vec<f64> = groups.iter().map(|rows| rows.iter().map(|row| row.2).sum()).collect();
        let sums = groups.iter().map(|rows| rows.iter().map(|row| row.1 * row.2).sum::<f64>());
        let means: Vec<f64> = sums.zip(&weights).map(|(sum, weight)| sum / weight).collect();
        for (group, expected) in groups.iter().zip(min_max(&means, &weights)) {
            let log_odds = group[0].0;
            let step = map.steps()[0].iter().find(|step| log_odds >= step.first && log_odds <= step.last);
            let probability = step.expect("every score is in a block").probability;
            prop_assert!((probability - expected).abs() < 1e-14, "{} {}", probability, expected);
        }
    }

    #[test]
    fn maps_of_log_odds_keep_the_order((case, _) in cases(Just(2_usize)), mut new in prop::collection::vec(-60.0..60.0_f64, 40)) {
        new.sort_by(f64::total_cmp);
        let grid = Array2::from_shape_fn((40, 2), |(row, class)| if class == 0 { 0.0 } else { new[row] });
        let steps = Isotonic::default();
        if let Ok(map) = fit(&steps, &case) {
            let mut answers = grid.clone();
            map.apply(answers.view_mut()).expect("valid");
            prop_assert!(answers.column(1).iter().is_sorted(), "{}", answers);
            prop_assert!(answers.iter().all(|answer| answer.is_finite()));
        }
        if let Ok(map) = fit(&Platt, &case) {
            let mut answers = grid;
            map.apply(answers.view_mut()).expect("valid");
            let rising = map.sigmoids()[0].slope > 0.0;
            let is_in_order = |pair: (&f64, &f64)| {
                let (low, high) = if rising { pair } else { (pair.1, pair.0) };
                *low <= high + 1e-15 * high.abs()
            };
            let column = answers.column(1).to_vec();
            prop_assert!(column.iter().zip(&column[1..]).all(is_in_order), "{:?}", column);
        }
    }

    #[test]
    fn temperatures_keep_labels((case, _) in cases(2..5_usize)) {
        let Ok(map) = fit(&Temperature, &case) else { return Ok(()) };
        let mut answers = case.scores.clone();
        map.apply(answers.view_mut()).expect("the same rows");
        for (answers, scores) in answers.rows().into_iter().zip(case.scores.rows()) {
            for (a, b) in [(0, 1), (1, 0)] {
                prop_assert!(scores[a] > scores[b] || answers[a] <= answers[b]);
            }
        }
    }
}

#[test]
fn a_temperature_of_one_is_the_identity() {
    let ln = |p: f64| p.ln();
    // One of four is wrong at odds of 3 to 1: calibrated as it is.
    let mut scores = Array2::from_shape_fn((4, 2), |(_, class)| ln([0.75, 0.25][class]));
    let map = Temperature.fit(scores.view(), &[0, 0, 1, 0], None).expect("a minimum");
    assert!((map.temperature() - 1.0).abs() < 4e-16, "{}", map.temperature());
    map.apply(scores.view_mut()).expect("valid");
    assert!(
        scores
            .rows()
            .into_iter()
            .all(|row| (row[0] - ln(0.75)).abs() < 1e-15 && (row[1] - ln(0.25)).abs() < 1e-15)
    );
}
