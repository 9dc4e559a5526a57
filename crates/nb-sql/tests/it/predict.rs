//! Models that have no query.

use nb_core::{Gaussian, Multinomial, Prior};
use nb_io::{Family, Model, Schema, Text, TextOptions};
use nb_sql::{Dialect, PredictError, predict_expressions, predict_query};
use ndarray::{Array2, array};

#[test]
fn texts_are_refused() {
    let text = Text::learn(&["free prize", "see you"], &TextOptions::default()).unwrap();
    let schema = Schema::of_text("message", text, "label");
    let rows = schema.count_terms(&["free prize", "see you"]).unwrap();
    let mut model =
        Model::new(schema, Family::Multinomial(Multinomial::default()), Prior::Empirical).unwrap();
    model.update(&rows, &["spam", "ham"].map(String::from)).unwrap();
    let error = predict_query(&model, Dialect::DuckDb, "t", None).unwrap_err();
    assert!(matches!(&error, PredictError::Text { column } if column == "message"), "{error}");
}

#[test]
fn models_without_evidence_are_refused() {
    let schema = Schema::numeric(["x"], "y");
    let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).unwrap();
    assert!(matches!(predict_query(&model, Dialect::Spark, "t", None), Err(PredictError::Fit(_))));
}

#[test]
fn postgres_takes_no_more_columns_than_it_can() {
    let names: Vec<String> = (0..1700).map(|place| format!("x{place}")).collect();
    let schema = Schema::numeric(names.iter().map(String::as_str), "y");
    let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).unwrap();
    let rows = Array2::from_shape_fn((4, 1700), |(row, column)| (row * (column + 1)) as f64);
    model.update(&rows, &["a", "a", "b", "b"].map(String::from)).unwrap();
    let error = predict_query(&model, Dialect::Postgres, "t", None).unwrap_err();
    assert!(error.to_string().contains("1700 columns"), "{error}");
    assert!(predict_query(&model, Dialect::DuckDb, "t", None).is_ok());
    // Expressions alone make no columns but one for each class.
    assert!(predict_expressions(&model, Dialect::Postgres).is_ok());
}

#[test]
fn a_single_class_needs_no_greatest() {
    let mut model =
        Model::new(Schema::numeric(["x"], "y"), Family::Gaussian(Gaussian::default()), Prior::Empirical)
            .unwrap();
    model.update(&array![[1.0], [2.0]], &["a", "a"].map(String::from)).unwrap();
    let query = predict_query(&model, Dialect::Spark, "t", None).unwrap();
    assert!(query.contains("THEN j1 END AS best"), "{query}");
}
