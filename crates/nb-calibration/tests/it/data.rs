//! Real data: log-loss and calibration error of rows that neither model nor calibration has seen.

use nb_calibration::{Calibrated, Calibration, Calibrator, FittedCalibration, HeldOutScores, Temperature};
use nb_core::{FeatureModel, Gaussian, Multinomial, NaiveBayes, VarianceSmoothing};
use nb_datasets::ColumnKind;
use nb_metrics::Evaluation;
use ndarray::{Array2, Axis};

use crate::reference::PIMA;

const ALL: [Calibration; 4] =
    [Calibration::None, Calibration::Temperature, Calibration::Platt, Calibration::Isotonic];

/// Log-loss and calibration error with each calibration, fitted to two of three rows and measured on the
/// third, three times.
fn measure<M: FeatureModel + Clone>(model: M, x: &Array2<f64>, labels: &[usize]) -> [(f64, f64); 4] {
    ALL.map(|calibration| {
        let calibrated = Calibrated::new(NaiveBayes::new(model.clone()), calibration, 10);
        let mut evaluation = Evaluation::new(labels.iter().max().map_or(0, |largest| largest + 1));
        for third in 0..3 {
            let part = |is_new: bool| {
                let rows: Vec<usize> = (0..labels.len()).filter(|row| (row % 3 == third) == is_new).collect();
                (x.select(Axis(0), &rows), rows.iter().map(|&row| labels[row]).collect::<Vec<_>>())
            };
            let ((x, y), (new_x, new_y)) = (part(false), part(true));
            let classifier = calibrated.fit(&x, &y).expect("valid");
            let answers = classifier.predict_log_proba(&new_x).expect("valid");
            let predicted = classifier.predict(&new_x).expect("valid");
            for ((answers, truth), predicted) in answers.rows().into_iter().zip(new_y).zip(predicted) {
                evaluation.add(truth, predicted, &answers.to_vec(), 1.0).expect("valid");
            }
        }
        let measures = evaluation.measures();
        (measures.log_loss.expect("rows"), measures.calibration_error.expect("rows"))
    })
}

#[test]
fn the_temperature_of_pima_is_that_of_scikit_learn_and_mpmath() {
    let pima = nb_datasets::load("pima").expect("embedded");
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let scores = HeldOutScores::new(&naive_bayes, &pima.x(), &pima.labels, None, 10).expect("valid");
    let map = Temperature.fit(scores.log_posteriors.view(), &scores.truth, None).expect("a minimum");
    let ratio = map.inverse_temperature() / PIMA[0];
    assert!((ratio - 1.0).abs() < 1e-10, "{ratio}");
    let classifier = Calibrated::new(naive_bayes, Calibration::Temperature, 10).fit(&pima.x(), &pima.labels);
    assert_eq!(classifier.expect("valid").calibration(), &FittedCalibration::Temperature(map));
}

/// A set, its log-losses and calibration errors: without calibration, by temperature, Platt's sigmoid and
/// isotonic regression.
type Expected = (&'static str, [(f64, f64); 4]);

fn check<M: FeatureModel + Clone>((name, expected): Expected, model: M, x: &Array2<f64>, labels: &[usize]) {
    let measured = measure(model, x, labels);
    let is_close = |(ours, expected): (&(f64, f64), &(f64, f64))| {
        (ours.0 - expected.0).abs() <= 5e-4 && (ours.1 - expected.1).abs() <= 5e-4
    };
    assert!(measured.iter().zip(&expected).all(is_close), "{name}: {measured:.4?}, not {expected:?}");
}

fn numeric(name: &str) -> (Array2<f64>, Vec<usize>) {
    let set = nb_datasets::load(name).expect("embedded");
    (set.matrix(&set.columns_of(ColumnKind::Numeric)).expect("numeric columns"), set.labels)
}

/// With the variance smoothing of scikit-learn's `GaussianNB`.
fn smoothed() -> Gaussian {
    Gaussian { smoothing: VarianceSmoothing::LargestVariance(1e-9), ..Gaussian::default() }
}

#[test]
fn dependent_columns_are_set_right() {
    for expected in [
        ("spam", [(10.9043, 0.2920), (0.3951, 0.1299), (0.4029, 0.1869), (0.2666, 0.0181)]),
        ("adult", [(1.1828, 0.2323), (0.5355, 0.1193), (0.4849, 0.1206), (0.4028, 0.0000)]),
        ("breast_cancer", [(0.7443, 0.1121), (0.1644, 0.0000), (0.1658, 0.0308), (0.1610, 0.0000)]),
    ] {
        let (x, labels) = numeric(expected.0);
        check(expected, smoothed(), &x, &labels);
        let [none, others @ ..] = expected.1;
        assert!(others.iter().all(|other| other.0 < none.0 / 2.0), "the log-loss is less than half");
        assert!(others.iter().any(|other| other.1 < none.1 / 2.0), "so is the smallest calibration error");
    }
}

#[test]
fn many_classes() {
    let expected = ("digits", [(2.7216, 0.1522), (0.3402, 0.0248), (0.3199, 0.0178), (0.3379, 0.0208)]);
    let digits = nb_datasets::load("digits").expect("embedded");
    check(expected, Multinomial::default(), &digits.x(), &digits.labels);
}

#[test]
fn few_rows() {
    // From 100 rows one number can still be learnt; two or more for each of three classes cost more than they
    // bring.
    for expected in [
        ("iris", [(0.1254, 0.0000), (0.1133, 0.0000), (0.1743, 0.1227), (0.1517, 0.0000)]),
        ("wine", [(0.0669, 0.0000), (0.0565, 0.0000), (0.1075, 0.0903), (0.1285, 0.0000)]),
        ("pima", [(0.6227, 0.0945), (0.5403, 0.0419), (0.5330, 0.0000), (0.5053, 0.0000)]),
    ] {
        let (x, labels) = numeric(expected.0);
        check(expected, Gaussian::default(), &x, &labels);
        let [none, temperature, ..] = expected.1;
        assert!(temperature.0 < none.0);
    }
}

#[test]
fn rows_that_are_hopelessly_wrong_spoil_one_line_but_not_an_order() {
    // With the default floor some columns are nearly constant in a class, and a row that deviates is
    // certainly of the other one. Such rows decide a temperature and a line; isotonic regression only
    // sees that they are at the ends.
    let expected =
        ("spam", [(1_288_849.780_8, 0.3022), (0.6866, 0.3025), (0.6635, 0.0404), (0.2738, 0.0000)]);
    let (x, labels) = numeric(expected.0);
    check(expected, Gaussian::default(), &x, &labels);
}
