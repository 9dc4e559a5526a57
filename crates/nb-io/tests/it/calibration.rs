//! Calibration maps in models and files.

use nb_calibration::{CalibrationMap, Calibrator, Ends, FittedIsotonic, Isotonic};
use nb_core::{Categorical, Categories, Gaussian, Prior, Smoothing};
use nb_io::{
    Column, Family, FittedFamily, HeldOutMeasures, Kind, MergeError, Model, ModelCalibration,
    ModelCalibrationError, ModelError, Schema, onnx,
};
use ndarray::{Array2, array};

use crate::examples::labels;

/// Rows of classes that overlap, in an order of no pattern.
fn rows(n_classes: usize) -> (Array2<f64>, Vec<usize>) {
    let x = Array2::from_shape_fn((120, 2), |(row, column)| {
        ((row * 37 + column * 11) % 23) as f64 / 4.0 + (row % n_classes) as f64
    });
    (x, (0..120).map(|row| row % n_classes).collect())
}

fn names(n_classes: usize) -> Vec<String> {
    (0..n_classes).map(|class| format!("c{class}")).collect()
}

fn model(n_classes: usize) -> Model {
    let schema = Schema::numeric(["length", "width"], "species");
    let mut model =
        Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).expect("fits");
    let (x, y) = rows(n_classes);
    let y: Vec<String> = y.iter().map(|class| names(n_classes)[*class].clone()).collect();
    model.update(&x, &y).expect("numbers");
    model
}

fn held_out(n_classes: usize) -> Array2<f64> {
    rows(n_classes).0.mapv(|value| 0.8 * value + 0.3)
}

fn measures() -> HeldOutMeasures {
    HeldOutMeasures::new([0.5, 0.7], [0.75, 0.5])
}

fn map(model: &Model, n_classes: usize) -> FittedIsotonic {
    let logs = model.classifier().expect("fits").predict_log_proba(&held_out(n_classes)).expect("numbers");
    Isotonic::default().fit(logs.view(), &rows(n_classes).1, None).expect("valid")
}

/// A model with a map, which is returned as well.
fn calibrated(n_classes: usize) -> (Model, FittedIsotonic) {
    let model = model(n_classes);
    let map = map(&model, n_classes);
    let calibration =
        ModelCalibration::new(names(n_classes), map.clone(), 120, measures()).expect("classes in order");
    (model.with_calibration(Some(calibration)).expect("its classes"), map)
}

fn bits(map: &FittedIsotonic) -> Vec<Vec<[u64; 3]>> {
    let step =
        |step: &nb_calibration::IsotonicStep| [step.first, step.last, step.probability].map(f64::to_bits);
    map.steps().iter().map(|steps| steps.iter().map(step).collect()).collect()
}

#[test]
fn files_keep_every_bit_of_the_map_and_the_answers_are_its() {
    for n_classes in [2, 3, 5] {
        let (model, map) = calibrated(n_classes);
        assert_eq!(model.format_version(), 11);
        let binary = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("reads");
        let json = Model::from_json(&model.to_json().expect("encodes")).expect("reads");
        let plain = model.clone().with_calibration(None).expect("none");
        let x = held_out(n_classes).mapv(|value| 1.7 * value - 2.0);
        let mut expected = plain.classifier().expect("fits").predict_log_proba(&x).expect("numbers");
        map.apply(expected.view_mut()).expect("as many classes");
        for loaded in [binary, json] {
            assert_eq!(loaded, model);
            assert_eq!(bits(loaded.calibration().expect("a map").map()), bits(&map));
            assert_eq!(loaded.held_out(), Some(&measures()));
            let classifier = loaded.classifier().expect("fits");
            let logs = classifier.predict_log_proba(&x).expect("numbers");
            for (log, expected) in logs.iter().zip(&expected) {
                assert!((log - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{log} {expected}");
            }
            let best = |row: ndarray::ArrayView1<'_, f64>| {
                (1..n_classes).fold(0, |best, class| if row[class] > row[best] { class } else { best })
            };
            let labels: Vec<String> =
                expected.rows().into_iter().map(|row| names(n_classes)[best(row)].clone()).collect();
            assert_eq!(classifier.predict(&x).expect("possible"), labels);
            assert_eq!(
                loaded.uncalibrated_classifier().expect("fits").predict_proba(&x).expect("numbers"),
                plain.classifier().expect("fits").predict_proba(&x).expect("numbers")
            );
        }
        // Another prior keeps it, and none of it is left without.
        let uniform = model.clone().with_prior(Prior::Uniform).expect("a prior");
        assert_eq!(uniform.calibration(), model.calibration());
        assert_eq!(plain, self::model(n_classes));
    }
}

/// scikit-learn 1.9.1: `IsotonicRegression(out_of_bounds="clip").fit(x, y)` of the log-odds and classes with
/// one row of each class added at the lowest log-odds and at the highest, which is what smoothed ends are.
#[test]
fn probabilities_are_those_of_scikit_learn() {
    let schema = Schema::numeric(["length"], "species");
    let mut model =
        Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).expect("fits");
    model.update(&array![[-2.0], [0.0], [0.0], [2.0]], &["a", "a", "b", "b"]).expect("numbers");
    // The variances are 1 and the means -1 and 1, so that the log-odds of a value are twice the value.
    let x = array![[-1.5], [-1.0], [-0.5], [-0.25], [0.25], [0.5], [0.75], [1.0], [1.5], [2.0]];
    let truths = [0, 0, 1, 0, 0, 1, 1, 0, 1, 1];
    let logs = model.classifier().expect("fits").predict_log_proba(&x).expect("numbers");
    let map = Isotonic::default().fit(logs.view(), &truths, None).expect("valid");
    let calibration = ModelCalibration::new(labels(["a", "b"]), map, 10, measures()).expect("in order");
    let model = model.with_calibration(Some(calibration)).expect("its classes");
    let new = array![[-3.0], [-1.5], [-0.8], [-0.5], [0.0], [0.3], [0.6], [0.9], [1.2], [1.4], [3.0]];
    let ours = model.classifier().expect("fits").predict_proba(&new).expect("numbers");
    let expected =
        [0.25, 0.25, 17.0 / 60.0, 1.0 / 3.0, 1.0 / 3.0, 0.4, 2.0 / 3.0, 2.0 / 3.0, 0.7, 11.0 / 15.0, 0.75];
    for (row, expected) in ours.rows().into_iter().zip(expected) {
        assert!((row[1] - expected).abs() < 1e-8, "{} {expected}", row[1]);
        assert!((row.sum() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn infinite_log_odds_are_kept() {
    // Without smoothing a class is impossible with a category that it does not have.
    let levels = labels(["x", "y", "z"]);
    let schema = Schema {
        columns: vec![Column { name: "colour".into(), kind: Kind::Categorical { levels } }],
        label: "species".into(),
    };
    let family = Categorical {
        categories: Categories::Declared(vec![3]),
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        ..Categorical::default()
    };
    let mut model = Model::new(schema, family.into(), Prior::Empirical).expect("fits");
    model.update(&array![[0.0], [1.0], [1.0], [2.0]], &["a", "a", "b", "b"]).expect("codes");
    let x = array![[0.0], [0.0], [1.0], [1.0], [2.0], [2.0]];
    let logs = model.classifier().expect("fits").predict_log_proba(&x).expect("codes");
    let map = Isotonic::default().fit(logs.view(), &[0, 0, 0, 1, 1, 1], None).expect("valid");
    let steps = &map.steps()[0];
    assert_eq!((steps[0].first, steps[steps.len() - 1].last), (f64::NEG_INFINITY, f64::INFINITY));
    let calibration =
        ModelCalibration::new(labels(["a", "b"]), map.clone(), 6, measures()).expect("in order");
    let model = model.with_calibration(Some(calibration)).expect("its classes");
    let json = model.to_json().expect("encodes");
    assert!(json.contains("\"-infinity\"") && json.contains("\"infinity\""), "{json}");
    assert_eq!(Model::from_json(&json).expect("reads"), model);
    assert_eq!(Model::from_bytes(&model.to_bytes().expect("encodes")).expect("reads"), model);
    // By the rule of succession: no probability is 0 or 1.
    let proba = model.classifier().expect("fits").predict_proba(&array![[0.0], [2.0]]).expect("codes");
    for (place, expected) in [([0, 1], 0.25), ([1, 1], 0.75)] {
        assert!((proba[place] - expected).abs() < 1e-15, "{proba}");
    }
    let error = Model::from_json(&json.replace("\"-infinity\"", "\"minus\"")).unwrap_err().to_string();
    assert!(error.contains("minus"), "{error}");
}

#[test]
fn damaged_maps_are_refused() {
    let (model, map) = calibrated(2);
    let json = model.to_json().expect("encodes");
    let first = map.steps()[0][0];
    let last = map.steps()[0].last().expect("a block");
    // As JSON has it.
    let shown = |value: f64| format!("{value:?}");
    for (from, to, part) in [
        (shown(first.probability), "1.5".to_owned(), "the calibration map"),
        (shown(first.probability), "0.0".into(), "smoothed ends"),
        (shown(last.last), shown(first.first - 1.0), "the calibration map"),
        ("\"version\": 11".into(), "\"version\": 10".into(), "calibration maps are not of version 10"),
        ("\"n_rows\": 120".into(), "\"n_row\": 120".into(), "n_row"),
    ] {
        let changed = json.replace(&from, &to);
        assert_ne!(changed, json, "{from}");
        let error = Model::from_json(&changed).unwrap_err().to_string();
        assert!(error.contains(part), "{from} -> {to}: {error}");
    }
    // Of the bytes of a binary file none can be lost or changed.
    let bytes = model.to_bytes().expect("encodes");
    for length in 0..bytes.len() {
        assert!(Model::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    for position in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[position] ^= 0x10;
        assert!(Model::from_bytes(&damaged).is_err(), "byte {position}");
    }
}

#[test]
fn maps_for_other_classes_or_with_sure_probabilities_are_refused() {
    let (mut grown, map) = calibrated(2);
    let new = |names: Vec<String>| ModelCalibration::new(names, map.clone(), 120, measures());
    assert!(matches!(new(labels(["c1", "c0"])), Err(ModelCalibrationError::Classes { .. })));
    assert!(matches!(new(names(3)), Err(ModelCalibrationError::Classes { .. })));
    let other = new(labels(["c0", "other"])).expect("in order");
    assert!(matches!(model(2).with_calibration(Some(other)), Err(ModelError::Calibration(_))));
    let logs = model(2).classifier().expect("fits").predict_log_proba(&held_out(2)).expect("numbers");
    let exact = Isotonic { ends: Ends::Exact }.fit(logs.view(), &rows(2).1, None).expect("valid");
    let error = ModelCalibration::new(names(2), exact, 120, measures()).unwrap_err();
    assert_eq!(error, ModelCalibrationError::Sure { value: 0.0 });
    // A class that comes later.
    grown.update(&array![[3.0, 1.0], [4.0, 2.0]], &["later", "later"]).expect("numbers");
    let error = grown.classifier().unwrap_err().to_string();
    assert!(
        error.contains("the classes \"c0\", \"c1\", and the model has \"c0\", \"c1\", \"later\""),
        "{error}"
    );
    assert_eq!(Model::from_bytes(&grown.to_bytes().expect("encodes")).expect("reads"), grown);
}

#[test]
fn updating_and_merging_keep_one_map_and_refuse_two() {
    let (first, _) = calibrated(2);
    let mut merged = first.clone();
    merged.merge(&model(2)).expect("the same columns");
    assert_eq!(merged.calibration(), first.calibration());
    merged.merge(&first).expect("the same map");
    merged.subtract(&first).expect("it is in there");
    assert_eq!(merged.calibration(), first.calibration());
    let other = ModelCalibration::new(
        names(2),
        map(&merged.clone().with_calibration(None).expect("none"), 2),
        7,
        measures(),
    );
    let second = model(2).with_calibration(Some(other.expect("in order"))).expect("its classes");
    assert_eq!(merged.merge(&second), Err(MergeError::Calibration));
    assert_eq!(model(2).merge(&second), Err(MergeError::Calibration));
    let mut updated = first.clone();
    updated.update(&array![[1.0, 2.0]], &["c0"]).expect("numbers");
    assert_eq!(updated.calibration(), first.calibration());
}

#[test]
fn labels_of_other_types_keep_their_order() {
    for n_classes in [2, 3] {
        let (model, _) = calibrated(n_classes);
        // In the order of texts: 10 before 8 and 9.
        let json = ["\"10\"", "\"8\"", "\"9\""]
            .iter()
            .enumerate()
            .fold(model.to_json().expect("encodes"), |json, (class, name)| {
                json.replace(&format!("\"c{class}\""), name)
            });
        let numbered = Model::from_json(&json).expect("reads");
        let x = held_out(n_classes);
        let by_text = numbered.classifier().expect("fits").predict_proba(&x).expect("numbers");
        let classifier = numbered.classifier_of::<u32>().expect("numbers");
        let expected: &[u32] = if n_classes == 2 { &[8, 10] } else { &[8, 9, 10] };
        assert_eq!(classifier.classes(), expected);
        let by_number = classifier.predict_proba(&x).expect("numbers");
        for row in 0..x.nrows() {
            for class in 0..n_classes {
                let other = (class + n_classes - 1) % n_classes;
                assert!((by_text[[row, class]] - by_number[[row, other]]).abs() < 1e-14);
            }
        }
    }
}

#[test]
fn what_shows_single_columns_or_exports_says_so() {
    let (model, _) = calibrated(2);
    let classifier = model.classifier().expect("fits");
    assert!(classifier.explain(&held_out(2), 0).is_err());
    let FittedFamily::Calibrated(fitted) = classifier.likelihood() else { panic!("calibrated") };
    assert!(fitted.classifier().explain(&held_out(2), 0).is_ok());
    for inputs in [onnx::Inputs::Matrix, onnx::Inputs::Columns] {
        let error = model.to_onnx(inputs).unwrap_err();
        assert!(matches!(error, onnx::OnnxError::Calibrated), "{error}");
    }
    assert!(onnx::from_classifier(&classifier, &["length", "width"]).is_err());
}

#[test]
fn a_class_without_a_prior_stays_impossible() {
    let (model, _) = calibrated(3);
    let model = model.with_prior(Prior::Given(vec![0.5, 0.0, 0.5])).expect("a prior");
    let proba = model.classifier().expect("fits").predict_proba(&held_out(3)).expect("numbers");
    for row in proba.rows() {
        assert!(row[1] == 0.0 && (row.sum() - 1.0).abs() < 1e-14, "{row}");
    }
}
