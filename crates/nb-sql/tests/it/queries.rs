//! Queries word for word.

use nb_core::{Blocks, Categorical, Categories, Gaussian, Missing, Prior, Unseen};
use nb_io::{Column, Family, Kind, Model, Schema};
use nb_sql::{
    Design, DesignColumn, DesignError, Dialect, Kept, Shift, fit_query, predict_expressions, predict_query,
};
use ndarray::array;

fn design(columns: &[(&str, Kept)]) -> Design {
    let columns = columns.iter().map(|(name, kept)| DesignColumn { name: (*name).into(), kept: *kept });
    Design { label: "the \"y\"".into(), weights: None, group: None, columns: columns.collect() }
}

/// Compares with a file of `expected`; `NB_UPDATE_QUERIES=1` in the environment writes the file.
#[track_caller]
fn check(query: &str, name: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/expected").join(name);
    if std::env::var_os("NB_UPDATE_QUERIES").is_some() {
        std::fs::write(&path, query).unwrap();
    }
    assert_eq!(query, std::fs::read_to_string(&path).unwrap(), "{name}");
}

#[test]
fn sums_of_a_table() {
    let all = [("x", Kept::Moments), ("k", Kept::Categories), ("f", Kept::Above(0.0)), ("n", Kept::Counts)];
    let query = |dialect, shift| fit_query(&design(&all), dialect, "t", shift).unwrap();
    check(&query(Dialect::Postgres, Shift::Mean), "fit_postgres.sql");
    check(&query(Dialect::DuckDb, Shift::Mean), "fit_duckdb.sql");
    check(&query(Dialect::Spark, Shift::Mean), "fit_spark.sql");
    check(&query(Dialect::Postgres, Shift::None), "fit_plain.sql");
    let weighted = Design { weights: Some("w".into()), ..design(&all[..2]) };
    let from = "(SELECT * FROM a.b WHERE c)";
    check(&fit_query(&weighted, Dialect::DuckDb, from, Shift::Mean).unwrap(), "fit_weighted.sql");
    let grouped = Design { group: Some("shop".into()), ..design(&all) };
    check(&fit_query(&grouped, Dialect::Postgres, "t", Shift::Mean).unwrap(), "fit_grouped.sql");
}

#[test]
fn names_of_a_design_are_distinct() {
    let twice = design(&[("x", Kept::Moments), ("x", Kept::Counts)]);
    let fit = |design: &Design| fit_query(design, Dialect::Spark, "t", Shift::Mean);
    assert_eq!(fit(&twice), Err(DesignError::Duplicate { name: "x".into() }));
    assert_eq!(fit(&design(&[])), Err(DesignError::NoColumns));
    let weighted = Design { weights: Some("x".into()), ..design(&[("x", Kept::Moments)]) };
    assert_eq!(fit(&weighted), Err(DesignError::Duplicate { name: "x".into() }));
}

/// How often the table is read.
fn n_scans(query: &str) -> usize {
    query.matches("FROM nb_data").count()
}

#[test]
fn wide_tables_are_read_in_several_scans() {
    let scans = |n_numbers: usize, n_categories: usize, shift| {
        let names: Vec<String> = (0..n_numbers + n_categories).map(|place| format!("c{place}")).collect();
        let kept = |place| if place < n_numbers { Kept::Moments } else { Kept::Categories };
        let columns: Vec<(&str, Kept)> =
            names.iter().enumerate().map(|(place, name)| (name.as_str(), kept(place))).collect();
        n_scans(&fit_query(&design(&columns), Dialect::Postgres, "t", shift).unwrap())
    };
    assert_eq!(scans(250, 0, Shift::Mean), 2);
    assert_eq!(scans(250, 0, Shift::None), 1);
    assert_eq!(scans(251, 0, Shift::Mean), 4);
    assert_eq!(scans(0, 50, Shift::Mean), 2); // one for the classes
    assert_eq!(scans(1, 51, Shift::Mean), 4);
}

fn model(missing: Missing, unseen: Unseen) -> Model {
    let levels = ["it's", "p"].map(String::from).into();
    let column = |name: &str, kind| Column { name: name.into(), kind };
    let columns = vec![column("x", Kind::Numeric), column("k", Kind::Categorical { levels })];
    let schema = Schema { columns, label: "the \"y\"".into() };
    let categories = Categories::Declared(vec![2]);
    let categorical = Categorical { categories, unseen, missing, ..Categorical::default() };
    let gaussian = Gaussian { missing, ..Gaussian::default() };
    let blocks = Blocks::default()
        .with_same([0], Family::Gaussian(gaussian))
        .with_same([1], Family::Categorical(categorical));
    let mut model = Model::new(schema, Family::Blocks(blocks), Prior::Empirical).unwrap();
    let rows = array![[1.0, 0.0], [3.0, 1.0], [7.0, 1.0], [9.0, 1.0]];
    model.update(&rows, &["a", "a", "it's b", "it's b"].map(String::from)).unwrap();
    model
}

#[test]
fn scores_of_rows() {
    let skipping = model(Missing::Skip, Unseen::Ignore);
    check(&predict_query(&skipping, Dialect::Postgres, "new", Some("id")).unwrap(), "predict_postgres.sql");
    check(&predict_query(&skipping, Dialect::DuckDb, "new", None).unwrap(), "predict_duckdb.sql");
    check(&predict_query(&skipping, Dialect::Spark, "new", Some("id")).unwrap(), "predict_spark.sql");
    let strict = model(Missing::Error, Unseen::Error);
    check(&predict_expressions(&strict, Dialect::Postgres).unwrap(), "expressions_strict.sql");
    let other = model(Missing::Skip, Unseen::Other);
    check(&predict_expressions(&other, Dialect::DuckDb).unwrap(), "expressions_other.sql");
}
