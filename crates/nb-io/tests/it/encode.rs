//! A row of named values is the row that a reader makes of the same values.

use nb_core::{Prior, Rows};
use nb_io::read::{CellProblem, Table};
use nb_io::{Column, EncodeError, Family, Kind, Model, Schema, Text, Value};
use ndarray::array;

fn schema() -> Schema {
    let levels = ["blue", "red", "7"].map(String::from).to_vec();
    let kinds = [("length", Kind::Numeric), ("rings", Kind::Count), ("colour", Kind::Categorical { levels })];
    let columns = kinds.map(|(name, kind)| Column { name: name.into(), kind }).into();
    Schema { columns, label: "species".into() }
}

fn encoded(values: [(&str, Value<'_>); 3]) -> Vec<f64> {
    match schema().encode(values).expect("values of the schema") {
        Table::Dense(row) => row.row(0).to_vec(),
        Table::Sparse(_) => panic!("there is no column of texts"),
    }
}

#[test]
fn values_are_found_by_name_and_of_either_type() {
    let (number, text) = (Value::from(1.5), Value::from(" 1.5 "));
    for length in [number, text] {
        for colour in [Value::from("7"), Value::from(7)] {
            let row = encoded([("colour", colour), ("rings", Value::from(3_u8)), ("length", length)]);
            assert_eq!(row, [1.5, 3.0, 2.0]);
        }
    }
}

#[test]
fn what_is_missing_is_nan_and_what_is_unseen_has_a_code_of_its_own() {
    for missing in [Value::Missing, Value::from(""), Value::from(f64::NAN), Value::from(None::<f64>)] {
        let row = encoded([("length", missing), ("rings", missing), ("colour", missing)]);
        assert!(row.iter().all(|cell| cell.is_nan()), "{missing:?}");
    }
    let row = encoded([("length", Value::from(0)), ("rings", Value::from(true)), ("colour", "green".into())]);
    assert_eq!(row, [0.0, 1.0, 3.0]);
}

#[test]
fn errors_name_the_column() {
    let refused = |values: &[(&str, Value<'static>)]| schema().encode(values.iter().copied()).unwrap_err();
    let (length, colour) = (("length", Value::from(1.0)), ("colour", Value::from("red")));
    let rings = |value| [length, colour, ("rings", value)];
    assert_eq!(refused(&[length, colour]), EncodeError::Absent { column: "rings".into() });
    assert_eq!(refused(&[length, length]), EncodeError::Twice { column: "length".into() });
    let unknown = refused(&[("lenght", Value::from(1.0))]);
    assert_eq!(unknown.column(), Some("lenght"));
    #[cfg(feature = "csv")]
    assert_eq!(unknown.to_string(), "column \"lenght\" is not in the schema; did you mean \"length\"?");
    for (value, problem) in [
        (Value::from(1.5), CellProblem::NotACount),
        (Value::from(-1), CellProblem::NotACount),
        (Value::from(f64::INFINITY), CellProblem::Infinite),
        (Value::from("many"), CellProblem::NotANumber),
    ] {
        let error = refused(&rings(value));
        assert!(error.to_string().starts_with("column \"rings\": "), "{error}");
        assert!(matches!(&error, EncodeError::Cell { problem: found, .. } if *found == problem), "{error:?}");
    }
    // The label is no column of the model.
    assert!(
        schema().encode(rings(Value::from(1)).into_iter().chain([("species", Value::from("a"))])).is_ok()
    );
}

#[test]
fn texts_make_sparse_rows() {
    let mut schema = schema();
    let text = Text::hashed(1 << 10);
    schema.columns.insert(1, Column { name: "note".into(), kind: Kind::Text(text.clone().into()) });
    let values = |note| {
        [("length", Value::from(2.0)), ("note", note), ("rings", Value::Missing), ("colour", "blue".into())]
    };
    let Table::Sparse(row) = schema.encode(values("free free prize".into())).expect("values") else {
        panic!("a text has few of all terms");
    };
    let counts = text.count(&["free free prize"]);
    assert_eq!(row.n_columns(), schema.n_features());
    let places: Vec<usize> = counts.indices().iter().map(|place| place + 1).collect();
    assert_eq!(row.indices(), [&[0], &places[..], &[1 + (1 << 10)]].concat());
    assert_eq!(row.values()[1..3], *counts.values());
    assert!(row.values()[3].is_nan());
    assert!(schema.encode(values(Value::Missing)).is_ok());
    assert!(schema.encode(values(Value::from(2024))).is_ok());
}

#[test]
fn the_family_of_a_schema_takes_its_rows() {
    let mut schema = schema();
    schema.columns.push(Column { name: "note".into(), kind: Kind::Text(Text::hashed(8).into()) });
    for n_columns in 1..=schema.columns.len() {
        let schema = Schema { columns: schema.columns[..n_columns].to_vec(), label: "species".into() };
        let mut model = Model::new(schema.clone(), Family::for_schema(&schema), Prior::Empirical)
            .expect("they fit together");
        let values = [
            ("length", Value::from(1.5)),
            ("rings", 3.into()),
            ("colour", "red".into()),
            ("note", "x".into()),
        ];
        for label in ["a", "b"] {
            model
                .update(&schema.encode(values[..n_columns].iter().copied()).expect("values"), &[label])
                .expect("rows");
        }
        let missing = values.map(|(name, _)| (name, Value::Missing));
        let row = schema.encode(missing[..n_columns].iter().copied()).expect("values");
        assert_eq!(model.classifier().expect("fits").predict(&row).expect("scores"), ["a"]);
    }
}

#[test]
fn labels_of_other_types_have_their_own_order() {
    let schema = Schema::numeric(["x"], "y");
    let prior = Prior::Given(vec![0.5, 0.25, 0.25]); // of "10", "2", "30": the order of the model
    let mut model = Model::new(schema, Family::Gaussian(nb_core::Gaussian::default()), prior).expect("fits");
    let x = array![[0.0], [1.0], [5.0], [6.0], [10.0], [11.0]];
    model.update(&x, &[2, 2, 10, 10, 30, 30]).expect("rows");
    let (texts, numbers) = (model.classifier().expect("fits"), model.classifier_of::<u8>().expect("numbers"));
    assert_eq!(texts.classes(), ["10", "2", "30"]);
    assert_eq!(numbers.classes(), [2, 10, 30]);
    let as_texts: Vec<String> = numbers.predict(&x).expect("scores").iter().map(u8::to_string).collect();
    assert_eq!(texts.predict(&x).expect("scores"), as_texts);
    let (by_text, by_number) =
        (texts.predict_proba(&x).expect("scores"), numbers.predict_proba(&x).expect("scores"));
    for (text, number) in [(1, 0), (0, 1), (2, 2)] {
        assert_eq!(by_text.column(text), by_number.column(number));
    }
    let error = model.classifier_of::<bool>().expect_err("no truth values");
    assert!(error.to_string().starts_with("class \"10\" of the model is not of the type bool"), "{error}");
}
