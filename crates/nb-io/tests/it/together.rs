//! Models with pairs of columns, lines beside bins, and texts without known words.

use nb_core::Prior;
use nb_discriminative::{ColumnKind, GridAxis, Learner};
use nb_io::{
    Column, Family, Kind, Model, ModelRefinement, Schema,
    text::{Text, TextOptions},
};
use ndarray::{Array2, array};

use crate::examples::labels;

const N_ROWS: usize = 500;
const LEVELS: [&str; 3] = ["blue", "red", "white"];

/// A number, a colour, and two words. The class is whether the number is large, for white the other way
/// round; the words say a little.
pub(crate) fn rows() -> (Array2<f64>, Vec<usize>) {
    let mut state = 7_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2.0_f64.powi(31)
    };
    let (mut x, mut y) = (Array2::zeros((N_ROWS, 4)), Vec::new());
    for mut row in x.rows_mut() {
        let (number, colour) = (10.0 * next(), (3.0 * next()).floor());
        let is_rose = ((number > 5.0) != (colour == 2.0)) != (next() < 0.1);
        row[0] = if next() < 0.05 { f64::NAN } else { number };
        row[1] = colour;
        row[2] = f64::from(u8::from(next() < if is_rose { 0.7 } else { 0.5 }));
        row[3] = (3.0 * next()).floor();
        y.push(usize::from(is_rose));
    }
    (x, y)
}

pub(crate) fn model(levels: [&str; 3]) -> Model {
    let (x, y) = rows();
    let features = [ColumnKind::Numbers, ColumnKind::Categories(3), ColumnKind::Term(2), ColumnKind::Term(2)];
    let learnt = Learner::default().learn(&x, &features, &y, 2).expect("rows of two classes");
    let text = Text::learn(&["leaf thorn"], &TextOptions::default()).expect("two words");
    let schema = Schema {
        columns: vec![
            Column { name: "petal".into(), kind: Kind::Numeric },
            Column { name: "colour".into(), kind: Kind::Categorical { levels: labels(levels) } },
            Column { name: "notes".into(), kind: Kind::Text(text.into()) },
        ],
        label: "species".into(),
    };
    let family = Family::of_learnt(&features, &learnt).expect("a family");
    let mut model = Model::new(schema, family, Prior::Empirical).expect("they fit together");
    let names: Vec<&str> = y.iter().map(|&class| ["lily", "rose"][class]).collect();
    model.update(&x, &names).expect("valid rows");
    let share = y.iter().sum::<usize>() as f64 / N_ROWS as f64;
    let refinement = ModelRefinement::new(&learnt, labels(["lily", "rose"]), &[1.0 - share, share]);
    model.with_refinement(Some(refinement)).expect("one weight per column")
}

fn probabilities(model: &Model, rows: &Array2<f64>) -> Array2<f64> {
    model.classifier().expect("two classes").predict_proba(rows).expect("valid rows")
}

#[test]
fn they_are_learnt_and_kept_by_files() {
    let model = model(LEVELS);
    let columns = &model.refinement().expect("refined").columns;
    assert_eq!(columns.pairs[0].columns, [0, 1]);
    assert!(columns.corrections[0].line().is_some() && columns.absent_texts[0].terms == (2..4));
    let found = probabilities(&model, &array![[9.0, 2.0, 1.0, 1.0], [9.0, 0.0, 1.0, 1.0]]);
    assert!(found[[0, 0]] > 0.7 && found[[1, 1]] > 0.7, "{found}");

    assert_eq!(model.format_version(), 12);
    let bytes = model.to_bytes().expect("encodes");
    assert_eq!(Model::from_bytes(&bytes).expect("reads"), model);
    let json = model.to_json().expect("encodes");
    assert_eq!(Model::from_json(&json).expect("reads"), model);
    let older = Model::from_json(&json.replace("\"version\": 12", "\"version\": 11")).expect_err("older");
    assert!(
        older.to_string().contains("lines, pairs of columns and absent texts are not of version 11"),
        "{older}"
    );
}

#[test]
fn a_row_without_anything_has_the_shares_of_the_classes() {
    let model = model(LEVELS);
    let (_, y) = rows();
    let share = y.iter().sum::<usize>() as f64 / N_ROWS as f64;
    let empty =
        probabilities(&model, &array![[f64::NAN, f64::NAN, 0.0, 0.0], [f64::NAN, f64::NAN, 0.0, 1.0]]);
    assert!((empty[[0, 1]] - share).abs() < 0.08, "{empty} {share}");
    let classifier = model.classifier().expect("two classes");
    let without = classifier.explain(&array![[1.0, 1.0, 0.0, 0.0]], 0).expect("a sum");
    let with = classifier.explain(&array![[1.0, 1.0, 0.0, 2.0]], 0).expect("a sum");
    let of_text = |interactions: &[nb_core::Interaction]| {
        interactions.iter().find(|one| one.columns == [2, 3]).expect("the text").contributions.clone()
    };
    assert_ne!(of_text(&without.interactions), [0.0, 0.0]);
    assert_eq!(of_text(&with.interactions), [0.0, 0.0]);
}

#[test]
fn categories_and_words_move_with_them() {
    let model = model(LEVELS);
    let other = model_without_evidence(["blue", "green", "white"]);
    let mut merged = other.clone();
    merged.merge(&model.clone().with_refinement(None).expect("none")).expect("the same cut points");
    let mut own = model.clone();
    own.merge(&other.with_refinement(None).expect("none")).expect("the same cut points");
    let Kind::Categorical { levels } = &own.schema().columns[1].kind else { panic!("a category") };
    assert_eq!(levels, &labels(["blue", "green", "red", "white"]));
    let pair = |model: &Model| model.refinement().expect("refined").columns.pairs[0].clone();
    for (old, new) in [(0.0, 0.0), (1.0, 2.0), (2.0, 3.0)] {
        assert_eq!(pair(&own).at([9.0, new]), pair(&model).at([9.0, old]));
    }
    assert!(pair(&own).at([9.0, 1.0]).is_empty());
}

/// The same cut points and refinement for other colours.
fn model_without_evidence(levels: [&str; 3]) -> Model {
    let model = model(levels);
    let (schema, family) = (model.schema().clone(), model.family().clone());
    let empty = Model::new(schema, family, Prior::Empirical).expect("they fit together");
    empty.with_refinement(model.refinement().cloned()).expect("the same columns")
}

#[test]
fn damaged_files_are_refused() {
    let model = model(LEVELS);
    let json: serde_json::Value = serde_json::from_str(&model.to_json().expect("encodes")).expect("JSON");
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = json.clone();
        change(&mut json);
        Model::from_json(&json.to_string()).expect_err("refused").to_string()
    };
    let short = refused(&|json| json["additions"]["pairs"][0]["cells"] = serde_json::json!([1.0]));
    assert!(short.contains("the number of corrections of a pair"), "{short}");
    let far = refused(&|json| json["additions"]["pairs"][0]["features"] = serde_json::json!([0, 9]));
    assert!(far.contains("a column of a pair"), "{far}");
    let line = refused(&|json| json["additions"]["lines"][0]["feature"] = serde_json::json!(77));
    assert!(line.contains("there is no feature 77"), "{line}");
    let limits = refused(&|json| json["additions"]["lines"][0]["low"] = serde_json::json!(1e9));
    assert!(limits.contains("the lower limit of a line"), "{limits}");
    let text = refused(&|json| json["additions"]["absent_texts"][0]["n_terms"] = serde_json::json!(u64::MAX));
    assert!(text.contains("the last column of a text"), "{text}");
    let alone = refused(&|json| {
        json.as_object_mut().expect("an object").remove("refinement");
    });
    assert!(alone.contains("there are no weights and corrections"), "{alone}");
    let bytes = model.to_bytes().expect("encodes");
    for end in (24..bytes.len()).step_by(13) {
        assert!(Model::from_bytes(&bytes[..end]).is_err());
    }
}

#[test]
fn axes_have_the_places_that_the_documentation_says() {
    let model = model(LEVELS);
    let pair = &model.refinement().expect("refined").columns.pairs[0];
    let GridAxis::Bins(cuts) = &pair.axes[0] else { panic!("numbers") };
    assert!(!cuts.is_empty() && pair.at([cuts[0], 0.0]) == pair.at([cuts[0] - 1.0, 0.0]));
    assert_eq!(pair.axes[1], GridAxis::Categories { places: vec![0, 1, 2], n_places: 3 });
}
