//! Models with weights and corrections.

use nb_core::{Blocks, Categorical, Categories, Likelihood, Missing, Prior, Smoothing, Unseen};
use nb_discriminative::{ColumnKind, LabelledRows, Learner};
use nb_io::{Column, Family, FittedFamily, Kind, Model, ModelRefinement, Schema, onnx::Inputs};
use nb_variants::{Binned, Cuts};
use ndarray::{Array2, array};

use crate::examples::labels;

/// A number and a category, of which both tell the class and neither all of it.
fn rows() -> (Array2<f64>, Vec<usize>) {
    let x = Array2::from_shape_fn((60, 2), |(row, column)| match column {
        0 if row % 13 == 0 => f64::NAN,
        0 => ((row * 7) % 10) as f64 + 3.0 * (row % 2) as f64,
        _ => ((row / 2) % 2 + row % 2) as f64,
    });
    (x, (0..60).map(|row| row % 2).collect())
}

/// A model of these rows whose categories have the given names.
pub(crate) fn refined(levels: [&str; 3]) -> Model {
    refined_with(levels, [None, None])
}

fn refined_with(levels: [&str; 3], rising: [Option<usize>; 2]) -> Model {
    let (x, y) = rows();
    let features = [ColumnKind::Numbers, ColumnKind::Categories(3)];
    let mut learner = Learner::default().with_bins(4);
    learner.folds = 3;
    let learnt = learner
        .learn_from(&LabelledRows::new(&x, &features, &y, 2).with_rising(&rising))
        .expect("rows of two classes");
    let schema = Schema {
        columns: vec![
            Column { name: "petal".into(), kind: Kind::Numeric },
            Column { name: "colour".into(), kind: Kind::Categorical { levels: labels(levels) } },
        ],
        label: "species".into(),
    };
    let binned = Binned {
        missing: Missing::Skip,
        smoothing: Smoothing::new(learnt.pseudo_counts[0]).expect("in range"),
        cuts: Cuts::new(vec![learnt.cuts[0].clone()]).expect("increasing"),
    };
    let categorical = Categorical {
        categories: Categories::Declared(vec![3]),
        smoothing: Smoothing::new(learnt.pseudo_counts[1]).expect("in range"),
        unseen: Unseen::Ignore,
        missing: Missing::Skip,
    };
    let family = Blocks::default().with_same([0], Family::from(binned)).with_same([1], categorical.into());
    let mut model = Model::new(schema, Family::Blocks(family), Prior::Empirical).expect("they fit together");
    let names: Vec<&str> = y.iter().map(|&class| ["lily", "rose"][class]).collect();
    model.update(&x, &names).expect("valid rows");
    let refinement = ModelRefinement::new(&learnt, labels(["lily", "rose"]), &[0.5, 0.5]);
    model.with_refinement(Some(refinement)).expect("one weight per column")
}

const COLOURS: [&str; 3] = ["blue", "red", "white"];

fn probabilities(model: &Model, rows: &Array2<f64>) -> Array2<f64> {
    model.classifier().expect("two classes").predict_proba(rows).expect("valid rows")
}

#[test]
fn files_keep_them() {
    let model = refined(COLOURS);
    let bytes = model.to_bytes().expect("encodes");
    assert_eq!(Model::from_bytes(&bytes).expect("reads"), model);
    assert_eq!(Model::from_json(&model.to_json().expect("encodes")).expect("reads"), model);
    assert_eq!(model.format_version(), 12); // a line beside the bins
    let plain = model.clone().with_refinement(None).expect("none");
    assert_eq!(plain.format_version(), 8); // bins
    assert_eq!(Model::from_bytes(&plain.to_bytes().expect("encodes")).expect("reads"), plain);
    assert_ne!(probabilities(&plain, &rows().0), probabilities(&model, &rows().0));
    let json = model.to_json().expect("encodes");
    let error =
        Model::from_json(&json.replace("\"version\": 12", "\"version\": 7")).expect_err("not of version 7");
    assert!(error.to_string().contains("weights and corrections are not of version 7"), "{error}");
    let error =
        Model::from_json(&json.replace("\"rose\"", "\"tulip\"")).map(|model| model.classifier().err());
    assert!(error.is_ok_and(|error| error.is_none()), "classes have the same names everywhere");
}

#[test]
fn evidence_is_updated_and_taken_back_under_them() {
    let mut model = refined(COLOURS);
    let before = model.clone();
    model.update(&array![[4.0, 1.0], [9.0, 2.0]], &["lily", "rose"]).expect("valid rows");
    assert_ne!(probabilities(&model, &rows().0), probabilities(&before, &rows().0));
    assert_eq!(model.refinement(), before.refinement());
    model.retract(&array![[4.0, 1.0], [9.0, 2.0]], &["lily", "rose"]).expect("were added");
    assert_eq!(model, before);
    let uniform = model.with_prior(Prior::Uniform).expect("a prior");
    assert_eq!(uniform.refinement(), before.refinement());
}

#[test]
fn other_classes_are_refused() {
    let mut model = refined(COLOURS);
    model.update(&array![[4.0, 1.0]], &["tulip"]).expect("valid rows");
    let error = model.classifier().expect_err("three classes").to_string();
    assert!(
        error.contains(
            "for the classes \"lily\", \"rose\", and the evidence is of \"lily\", \"rose\", \"tulip\""
        ),
        "{error}"
    );
    assert!(model.with_refinement(None).expect("none").classifier().is_ok());
}

#[test]
fn categories_keep_their_corrections_when_models_are_merged() {
    let model = refined(COLOURS);
    // The same evidence under other names: blue, red and yellow.
    let other = refined(["blue", "red", "yellow"]).with_refinement(None).expect("none");
    let mut merged = model.clone();
    merged.merge(&other).expect("the same cut points");
    let Kind::Categorical { levels } = &merged.schema().columns[1].kind else { panic!("a category") };
    assert_eq!(levels, &labels(["blue", "red", "white", "yellow"]));
    let correction = |model: &Model, code: f64| {
        model.refinement().expect("refined").columns.corrections[1].at(code).to_vec()
    };
    for code in [0.0, 1.0, 2.0, f64::NAN] {
        assert_eq!(correction(&merged, code), correction(&model, code));
    }
    assert_eq!(correction(&merged, 3.0), [0.0, 0.0]);
    assert!(merged.classifier().is_ok());
    // Other cut points are other statistics.
    let cuts = Cuts::new(vec![vec![0.125]]).expect("increasing");
    let family = Blocks::default()
        .with_same([0], Family::from(Binned { missing: Missing::Skip, ..Binned::new(cuts) }))
        .with_same(
            [1],
            Categorical { categories: Categories::Declared(vec![3]), ..Categorical::default() }.into(),
        );
    let foreign = Model::new(model.schema().clone(), Family::Blocks(family), Prior::Empirical).expect("fits");
    assert!(merged.merge(&foreign).is_err());
}

#[test]
fn labels_of_other_types_keep_their_order() {
    let (x, y) = rows();
    let model = refined(COLOURS);
    let json = model.to_json().expect("encodes").replace("\"lily\"", "\"10\"").replace("\"rose\"", "\"9\"");
    let numbered = Model::from_json(&json).expect("reads");
    let by_text = probabilities(&numbered, &x);
    let classifier = numbered.classifier_of::<u32>().expect("numbers");
    assert_eq!(classifier.classes(), [9, 10]);
    let by_number = classifier.predict_proba(&x).expect("valid rows");
    for row in 0..y.len() {
        assert!((by_text[[row, 0]] - by_number[[row, 1]]).abs() < 1e-15);
    }
}

#[test]
fn a_table_has_the_scores_of_every_value() {
    let model = refined(COLOURS);
    let classifier = model.classifier().expect("two classes");
    let FittedFamily::Refined(fitted) = classifier.likelihood() else { panic!("refined") };
    let (x, _) = rows();
    for column in 0..2 {
        let table = classifier.likelihood().score_table(column).expect("bins or categories");
        for &value in x.column(column) {
            let scores = match &table.cuts {
                _ if value.is_nan() => &table.missing,
                Some(cuts) => &table.levels[cuts.iter().filter(|&&cut| cut < value).count()],
                None => &table.levels[value as usize],
            };
            let line = table.line.as_ref().filter(|_| !value.is_nan());
            for (class, &score) in scores.iter().enumerate() {
                let line = line.map_or(0.0, |line| line.per_unit[class] * line.distance(value));
                assert!((score + line - fitted.log_likelihood(class, column, value)).abs() < 1e-14);
            }
        }
    }
    assert!(model.to_onnx(Inputs::Columns).is_ok() && model.to_onnx(Inputs::Matrix).is_ok());
}

#[test]
fn monotone_columns_are_kept_and_their_promise_is_checked() {
    let model = refined_with(COLOURS, [Some(1), None]);
    let rising = |model: &Model| model.refinement().expect("refined").columns.corrections[0].rising();
    assert_eq!((rising(&model), model.format_version()), (Some(1), 12));
    let read = Model::from_bytes(&model.to_bytes().expect("encodes")).expect("reads");
    assert_eq!(read, model);
    let json = model.to_json().expect("encodes");
    assert_eq!(Model::from_json(&json).expect("reads"), model);
    let claims = |class: &str| json.replace("\"class\": 1", &format!("\"class\": {class}"));
    for (json, message) in [
        (claims("0"), "a correction of a monotone column"),
        (claims("2"), "the class of a monotone column"),
        (
            claims("1").replace(
                "\"rising\": [\n      {\n        \"feature\": 0",
                "\"rising\": [\n      {\n        \"feature\": 7",
            ),
            "feature 7",
        ),
    ] {
        let error = Model::from_json(&json).expect_err("no such promise").to_string();
        assert!(error.contains(message), "{error}");
    }
}
