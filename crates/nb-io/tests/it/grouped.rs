//! The family of groups of categories in files and merges.

use nb_core::{Categorical, Categories, Prior, Unseen};
use nb_io::{Family, Kind, Model, ModelError, Schema};
use nb_variants::Grouped;
use ndarray::Array2;

/// Rows of one column, with the categories that they have.
fn model(part: std::ops::Range<usize>) -> Model {
    let name = |row: usize| format!("town {}", row * row % 23);
    let mut levels: Vec<String> = part.clone().map(name).collect();
    levels.sort();
    levels.dedup();
    let code = |row: usize| levels.binary_search(&name(row)).expect("listed") as f64;
    let x = Array2::from_shape_fn((part.len(), 1), |(row, _)| code(part.start + row));
    let labels: Vec<String> =
        part.map(|row| if row * row % 23 % 10 < 5 { "a" } else { "b" }.to_owned()).collect();
    let counts = Categorical {
        categories: Categories::Declared(vec![levels.len()]),
        unseen: Unseen::Ignore,
        ..Categorical::default()
    };
    let mut schema = Schema::numeric(["town"], "y");
    schema.columns[0].kind = Kind::Categorical { levels };
    let mut model =
        Model::new(schema, Grouped::new(counts).into(), Prior::Empirical).expect("they fit together");
    model.update(&x, &labels).expect("valid rows");
    model
}

#[test]
fn groups_are_those_of_all_rows() {
    let (mut first, rest, whole) = (model(0..5), model(5..200), model(0..200));
    assert_eq!(Model::from_bytes(&whole.to_bytes().expect("encodes")).expect("decodes"), whole);
    assert_eq!(Model::from_json(&whole.to_json().expect("encodes")).expect("decodes"), whole);
    first.merge(&rest).expect("the same columns");
    assert_eq!(first.stats(), whole.stats());
    let fitted = |model: &Model| {
        let classifier = model.classifier().expect("fits");
        let nb_io::FittedFamily::Grouped(fitted) = classifier.likelihood().clone() else { panic!("grouped") };
        fitted
    };
    assert_eq!(fitted(&first), fitted(&whole));
    assert_eq!(fitted(&whole).groups(0).len(), 2);
}

#[test]
fn names_are_as_many_as_declared() {
    let mut schema = Schema::numeric(["town"], "y");
    schema.columns[0].kind = Kind::Categorical { levels: vec!["a".into(), "b".into()] };
    let counts = Categorical { categories: Categories::Declared(vec![3]), ..Categorical::default() };
    let found = Model::new(schema, Family::from(Grouped::new(counts)), Prior::Empirical);
    assert!(matches!(found, Err(ModelError::Levels { levels: 2, declared: 3, .. })), "{found:?}");
}
