//! Dates in delimited text.

use nb_io::{
    DatePart, Kind, Schema, Value,
    read::{Csv, Inferred, KindChoice, Overrides, ReadError, Reason},
};
use ndarray::array;

use crate::{assert_same, chunks, dense, only_chunk};

fn infer(text: &str, overrides: &Overrides) -> Result<Inferred, ReadError> {
    Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", overrides)
}

fn reason(cells: &[&str]) -> Reason {
    let text = format!("x,y\n{},a\n", cells.join(",a\n"));
    infer(&text, &Overrides::default()).unwrap().columns[0].reason.clone()
}

#[test]
fn columns_of_dates_are_told_from_texts_and_numbers() {
    assert_eq!(reason(&["2024-01-05", "2024-01-06"]), Reason::Dates);
    assert_eq!(reason(&["2024-01-05", "NA", "2024-01-06T12:30:00Z", ""]), Reason::Dates);
    assert_eq!(reason(&["2024-01-05"]), Reason::Text);
    assert_eq!(reason(&["2024-01-05", "NA"]), Reason::Constant { value: "\"2024-01-05\"".into() });
    assert_eq!(reason(&["2024-01-05", "2024-13-06"]), Reason::Text);
    assert_eq!(reason(&["soon", "2024-01-06", "2024-01-06"]), Reason::Text);
    assert_eq!(reason(&["2024-01-05", "2024-01-06", "soon"]), Reason::Text);
    assert!(matches!(reason(&["2024-01-05", "2024-01-06", "7"]), Reason::Mixed { line: 2, .. }));
    assert!(matches!(reason(&["7", "2024-01-05", "2024-01-06"]), Reason::Mixed { line: 3, .. }));
}

/// The categories of a column that begins with dates are those of all rows.
#[test]
fn a_text_behind_dates_makes_categories_of_all() {
    let inferred = infer("x,y\n2024-01-05,a\n2024-01-06,b\nsoon,a\n", &Overrides::default()).unwrap();
    let levels = ["2024-01-05", "2024-01-06", "soon"].map(String::from).into();
    assert_eq!(inferred.columns[0].kind, Kind::Categorical { levels });
}

/// Dates are not kept, however many there are.
#[test]
fn many_dates_take_no_memory() {
    let row =
        |row: u32| format!("2024-01-{:02}T{:02}:{:02}:00.{row:07},a\n", 1 + row % 31, row % 24, row % 60);
    let text: String = std::iter::once("x,y\n".to_owned()).chain((0..1_100_000).map(row)).collect();
    assert_eq!(infer(&text, &Overrides::default()).unwrap().columns[0].reason, Reason::Dates);
}

#[test]
fn dates_are_days() {
    let text = "x,n,y\n2024-01-05,1,a\nNA,2,b\n1970-01-02 06:00,3,a\n";
    let inferred = infer(text, &Overrides::default()).unwrap();
    assert_eq!(inferred.schema, Schema::numeric(["x", "n"], "y"));
    let expected = array![[19_727.0, 1.0], [f64::NAN, 2.0], [1.25, 3.0]];
    let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &inferred.schema).unwrap();
    assert_same(dense(&only_chunk(&mut reader).rows), &expected);
    let open = || Ok(text.as_bytes());
    let loaded = Csv::default().load_from(open, "t.csv", "y", &Overrides::default()).unwrap();
    assert_same(dense(&loaded.chunk.rows), &expected);
    assert_eq!(loaded.inferred, inferred);

    let asked = infer(text, &Overrides::default().with("x", KindChoice::Numeric)).unwrap();
    assert_eq!((asked.schema, &asked.columns[0].reason), (inferred.schema, &Reason::Override));
    let categories = infer(text, &Overrides::default().with("x", KindChoice::Categorical)).unwrap();
    assert!(matches!(&categories.columns[0].kind, Kind::Categorical { levels } if levels.len() == 2));
}

#[test]
fn what_is_read_in_one_pass_is_what_is_read_in_two() {
    let missing = "NA,a\n".repeat(1500);
    for rest in ["2024-01-05,a\n", "2024-01-05,a\n2024-01-06,b\n", "7,a\n", "soon,a\n"] {
        for first in ["", "2024-01-04,a\n", "3,a\n"] {
            let text = format!("x,y\n{first}{missing}{rest}");
            let open = || Ok(text.as_bytes());
            let loaded = Csv::default().load_from(open, "t.csv", "y", &Overrides::default()).unwrap();
            assert_eq!(loaded.inferred, infer(&text, &Overrides::default()).unwrap(), "{first:?}, {rest:?}");
        }
    }
}

/// A date is a number only where all cells are dates, wherever it is.
#[test]
fn dates_and_numbers_do_not_mix() {
    let schema = Schema::numeric(["x", "n"], "y");
    let read = |text: &str| {
        let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &schema).unwrap();
        chunks(&mut reader).unwrap_err().to_string()
    };
    let number =
        "is not a number; correct it, add it to the missing-value markers, or make the column categorical";
    let date = "is not a date as the other cells are (2024-01-31, 2024-01-31T12:30:00); correct it, or add it to the \
                missing-value markers";
    for (text, line, cell, problem) in [
        ("x,n,y\n1.5,1,a\n2024-01-05,2,b\n", 3, "2024-01-05", number),
        ("x,n,y\n\"1.5\",1,a\n2024-01-05,2,b\n", 3, "2024-01-05", number),
        ("x,n,y\nNA,1,a\n1.5,1,a\n2024-01-05,2,b\n", 4, "2024-01-05", number),
        ("x,n,y\n2024-01-05,1,a\n1.5,2,b\n", 3, "1.5", date),
        ("x,n,y\nNA,1,a\n2024-01-05,1,a\nNA,3,b\n1.5,2,b\n", 5, "1.5", date),
        ("x,n,y\n2024-01-05,1,a\n2024-01-32,2,b\n", 3, "2024-01-32", date),
    ] {
        assert_eq!(read(text), format!("t.csv, line {line}, column \"x\": {cell:?} {problem}"), "{text}");
        let asked = Overrides::default().with("x", KindChoice::Numeric);
        let error = infer(text, &asked).unwrap_err().to_string();
        assert_eq!(error, format!("t.csv, line {line}, column \"x\": {cell:?} {problem}"), "{text}");
    }
}

fn of_parts(parts: &[DatePart]) -> Overrides {
    Overrides::default().with("x", KindChoice::Dates).with_dates(parts.iter().copied().collect())
}

#[test]
fn dates_are_their_parts() {
    let text = "x,n,y\n2024-01-05T07:00,1,a\nNA,2,b\n1970-02-02 06:00,3,a\n";
    let parts = [DatePart::Year, DatePart::Month, DatePart::Weekday, DatePart::Hour];
    let inferred = infer(text, &of_parts(&parts)).unwrap();
    assert_eq!(inferred.schema.columns[0].kind, Kind::Dates(parts.into_iter().collect()));
    assert_eq!(inferred.schema.feature_range(1), 4..5);
    let nan = f64::NAN;
    let expected =
        array![[2024.0, 0.0, 4.0, 7.0, 1.0], [nan, nan, nan, nan, 2.0], [1970.0, 1.0, 0.0, 6.0, 3.0]];
    let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &inferred.schema).unwrap();
    assert_same(dense(&only_chunk(&mut reader).rows), &expected);
    let loaded = Csv::default().load_from(|| Ok(text.as_bytes()), "t.csv", "y", &of_parts(&parts)).unwrap();
    assert_same(dense(&loaded.chunk.rows), &expected);
    // A row of its own is the same.
    let row =
        inferred.schema.encode([("x", Value::from("1970-02-02 06:00")), ("n", Value::from(3))]).unwrap();
    assert_same(dense(&row), &expected.slice(ndarray::s![2..3, ..]).to_owned());
    assert!(inferred.schema.encode([("x", Value::from(3)), ("n", Value::from(3))]).is_err());
}

#[test]
fn the_hour_is_a_part_where_there_are_times_of_day() {
    let parts = |text: &str, parts: &[DatePart]| match infer(text, &of_parts(parts)).unwrap().columns[0].kind
    {
        Kind::Dates(found) => found.to_string(),
        ref other => panic!("{other:?}"),
    };
    let all = DatePart::ALL;
    assert_eq!(parts("x,y\n2024-01-05,a\n2024-01-06T00:00:00,b\n", &all), "year, month, weekday, days");
    assert_eq!(parts("x,y\n2024-01-05,a\n2024-01-06T00:01,b\n", &all), "year, month, weekday, hour, days");
    assert_eq!(parts("x,y\n2024-01-05,a\n2024-01-06,b\n", &[DatePart::Hour]), "hour");
    // One of two files is enough.
    let [one, other] = ["x,y\n2024-01-05,a\n2024-01-06,b\n", "x,y\n2024-01-05T10:00,a\n"]
        .map(|text| infer(text, &of_parts(&all)).unwrap());
    let both = other.clone().union(one.clone()).unwrap();
    assert_eq!(both.schema, one.union(other.clone()).unwrap().schema);
    assert_eq!(both.schema, other.schema);
    let error =
        both.schema.union(&infer("x,y\n2024-01-05,a\n", &of_parts(&all)).unwrap().schema).unwrap_err();
    assert!(error.to_string().contains("x, dates (year, month, weekday, hour, days)"), "{error}");
}

#[test]
fn what_is_not_a_date_is_refused_in_a_column_of_dates() {
    for text in ["x,y\n2024-01-05,a\n7,b\n", "x,y\n2024-01-05,a\nsoon,b\n"] {
        let error = infer(text, &of_parts(&[DatePart::Month])).unwrap_err().to_string();
        assert!(error.starts_with("t.csv, line 3, column \"x\":"), "{error}");
        assert!(error.contains("is not a date"), "{error}");
    }
    assert!(infer("x,y\n2024-01-05,a\n", &of_parts(&[])).unwrap().schema.check().is_err());
}
