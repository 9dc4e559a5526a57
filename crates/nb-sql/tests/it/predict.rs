//! Models that have no query.

use nb_core::{Bernoulli, Gaussian, Multinomial, Prior};
use nb_io::{Family, Model, Schema, Text, TextOptions};
use nb_sql::{Dialect, PredictError, predict_expressions, predict_query};
use ndarray::{Array2, array};

#[test]
fn texts_without_queries_are_refused() {
    let texts = ["free prize", "see you"];
    let refusal = |text: Text, family: Family, dialect: Dialect| {
        let schema = Schema::of_text("message", text, "label");
        let rows = schema.count_terms(&texts).unwrap();
        let mut model = Model::new(schema, family, Prior::Empirical).unwrap();
        model.update(&rows, &["spam", "ham"].map(String::from)).unwrap();
        match predict_query(&model, dialect, "t", None) {
            Ok(_) => {
                let error = predict_expressions(&model, dialect).unwrap_err();
                assert!(error.to_string().contains("expressions do not count words"), "{error}");
                None
            }
            Err(PredictError::Text { column, reason }) => {
                assert_eq!(column, "message");
                Some(reason)
            }
            Err(error) => panic!("{error}"),
        }
    };
    let counts = || Family::Multinomial(Multinomial::default());
    let words = || Text::learn(&texts, &TextOptions::default()).unwrap();
    assert_eq!(refusal(words(), counts(), Dialect::DuckDb), None);
    assert_eq!(
        refusal(words(), counts(), Dialect::Spark),
        Some("queries of texts are for PostgreSQL and DuckDB")
    );
    assert_eq!(refusal(Text::hashed(64), counts(), Dialect::Postgres), Some("its terms are hashed"));
    let presence = Family::Bernoulli(Bernoulli::default());
    let reason = "only multinomial and complement models have texts in SQL";
    assert_eq!(refusal(words(), presence, Dialect::DuckDb), Some(reason));
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
