//! Records as JSON objects.

use nb_io::{
    Kind, Schema,
    read::{Csv, Inferred, Json, NewLevels, Overrides, ReadError, Reason, TableOptions},
};
use ndarray::array;

use crate::{assert_same, chunks, dense, mutations, only_chunk};

fn infer(text: &str) -> Result<Inferred, ReadError> {
    Json::default().infer_from(|| Ok(text.as_bytes()), "t.jsonl", "y", &Overrides::default())
}

fn message(text: &str) -> String {
    infer(text).unwrap_err().to_string()
}

/// Inferred and read like the same table as CSV.
fn check(text: &str, csv: &str) {
    let open = || Ok(text.as_bytes());
    let inferred = infer(text).unwrap();
    let expected =
        Csv::default().infer_from(|| Ok(csv.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap();
    assert_eq!(inferred.schema, expected.schema, "{text}");
    let chunk = only_chunk(&mut Json::default().read_from(open, "t.jsonl", &inferred.schema).unwrap());
    let other = only_chunk(&mut Csv::default().read_from(csv.as_bytes(), "t.csv", &inferred.schema).unwrap());
    assert_same(dense(&chunk.rows), dense(&other.rows));
    assert_eq!(chunk.labels, other.labels);
}

#[test]
fn records_are_rows() {
    check(
        "{\"x\": 1.5, \"c\": \"red\", \"y\": \"a\"}\n{\"y\": \"b\", \"x\": null, \"z\": true}\n\n{\"c\":\"a, \\\"b\\\"\\n\",\"y\":7,\"x\":-2e3}",
        "x,c,y,z\n1.5,red,a,\n,,b,true\n-2e3,\"a, \"\"b\"\"\n\",7,\n",
    );
    check(
        "{\"y\": \"a\", \"x\": 9007199254740993}\r\n{\"y\": \"b\", \"x\": 0.1}\r\n",
        "y,x\na,9007199254740993\nb,0.1\n",
    );
    check(
        " \n[{\"x\": 1, \"y\": \"[a]}\"},\n {\"x\": 2, \"y\": \"\\\"b\\\\\"} ] \n",
        "x,y\n1,[a]}\n2,\"\"\"b\\\"\n",
    );
    check(
        "\u{FEFF}{\"y\": \"a\", \"größe\": 1, \"\": \"\\u00e4\"}\n{\"y\": \"b\", \"größe\": 2}\n",
        "y,größe,\"\"\na,1,ä\nb,2,\n",
    );
    // A column alone, with a missing cell.
    let schema = Schema { columns: Vec::new(), ..Schema::numeric(["x"], "y") };
    let text = "{\"x\": null}\n{\"x\": 2}\n";
    let schema = Schema { columns: Schema::numeric(["x"], "y").columns, ..schema };
    let chunk =
        only_chunk(&mut Json::default().read_from(|| Ok(text.as_bytes()), "t.jsonl", &schema).unwrap());
    assert_same(dense(&chunk.rows), &array![[f64::NAN], [2.0]]);
}

#[test]
fn kinds_are_those_of_csv() {
    let dates = "{\"d\": \"2024-01-05\", \"n\": \"12\", \"y\": \"a\"}\n{\"d\": \"2024-01-06T10:00Z\", \"n\": 3, \"y\": \"b\"}\n";
    let inferred = infer(dates).unwrap();
    assert_eq!(inferred.columns[0].reason, Reason::Dates);
    assert_eq!(inferred.columns[1].kind, Kind::Numeric);
    let mixed =
        infer("{\"x\": 1, \"y\": \"a\"}\n\n{\"x\": \"\\n\\n\", \"y\": 1}\n{\"x\": \"soon\", \"y\": \"b\"}\n")
            .unwrap();
    assert!(
        matches!(mixed.columns[0].reason, Reason::Mixed { line: 4, .. }),
        "{:?}",
        mixed.columns[0].reason
    );
}

#[test]
fn lines_in_messages_are_those_of_the_file() {
    let schema = Schema::numeric(["x"], "y");
    let read = |text: &'static str| {
        let reader = Json::default().read_from(|| Ok(text.as_bytes()), "t.jsonl", &schema);
        reader.and_then(|mut reader| chunks(&mut reader)).unwrap_err().to_string()
    };
    let error = read("\n{\"x\": 1, \"y\": \"a\\nb\\nc\"}\n\n{\"x\": \"soon\", \"y\": \"b\"}\n");
    assert!(error.starts_with("t.jsonl, line 4, column \"x\": \"soon\" is not a number; "), "{error}");
    let error = read("\n[\n{\"x\": 1, \"y\": \"a\"},\n\n{\"x\": \"soon\", \"y\": \"b\"}]");
    assert!(error.starts_with("t.jsonl, record 2, column \"x\": \"soon\" is not a number; "), "{error}");
    let error = read("{\"x\": 1}\n{\"x\": 2, \"y\": null}\n")
        .replace("; fill it in, or have rows without a label skipped", "");
    assert_eq!(error, "t.jsonl, line 1, column \"y\": \"\" is a missing label, the first of 2");
    let error = read("{\"z\": 1, \"y\": \"a\"}\n");
    assert!(
        error.starts_with("t.jsonl: column \"x\" not found; the file has 2 columns: \"z\", \"y\""),
        "{error}"
    );
}

#[test]
fn what_is_no_record_is_refused() {
    let form = "; a file has one object a line, or an array of them";
    for (text, expected) in [
        ("", "t.jsonl: the file has no records; it needs at least one JSON object".to_owned()),
        ("\n \n", "t.jsonl: the file has no records; it needs at least one JSON object".into()),
        ("[]", "t.jsonl: the file has no records; it needs at least one JSON object".into()),
        ("{}\n{}\n", "t.jsonl: there are no columns besides label, weight and ignored ones; a model needs at least one feature".into()),
        ("{\"x\": 1}\n[1]\n", format!("t.jsonl, line 2: not a JSON object: invalid type: sequence, expected an object, at character 0{form}")),
        ("{\n\"x\": 1}\n", format!("t.jsonl, line 1: not a JSON object: EOF while parsing an object, at character 0{form}")),
        ("{\"x\": 1} {\"x\": 2}\n", format!("t.jsonl, line 1: not a JSON object: trailing characters, at character 10{form}")),
        ("{\"x\": NaN}\n", format!("t.jsonl, line 1: not a JSON object: expected value, at character 7{form}")),
        ("[{\"x\": 1}, 3]", format!("t.jsonl, record 2: not a JSON object: invalid type: integer `3`, expected an object, at character 1{form}")),
        ("[{\"x\": 1}", format!("t.jsonl, record 1: not a JSON object: the array is not closed; is the file complete?{form}")),
        ("[{\"x\": 1},]", format!("t.jsonl, record 2: not a JSON object: EOF while parsing a value, at character 0{form}")),
        ("[{\"x\": 1}] 7", format!("t.jsonl, record 1: not a JSON object: there is something behind the array{form}")),
        ("{\"x\": 1, \"x\": 2}\n", "t.jsonl, line 1: the key \"x\" is given twice; rename or drop one of them".into()),
        (
            "{\"x\": 1}\n{\"a\": {\"b\": [1, 2]}}\n",
            "t.jsonl, line 2, column \"a\": \"{\\\"b\\\": [1, 2]}\" is an object or array; give each of its values its own key, \
             such as \"a.b\", or make it a string".into(),
        ),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    let error = Json::default()
        .infer_from(|| Ok(&b"{\"x\": \"\xFF\"}"[..]), "t", "y", &Overrides::default())
        .unwrap_err();
    assert_eq!(error.to_string(), "t, line 1: not UTF-8; save the file in UTF-8");
}

#[test]
fn memory_is_bounded() {
    let text = format!("{{\"x\": \"{}\", \"y\": 1}}\n", "a".repeat(1000));
    for (start, end, place) in [("", "", "line"), ("[", "]", "record")] {
        let text = format!("{start}{text}{end}");
        let json = Json::default().with_max_record_bytes(1000);
        let error = json.infer_from(|| Ok(text.as_bytes()), "t", "y", &Overrides::default()).unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("t, {place} 1: longer than the limit of 1000 bytes")),
            "{error}"
        );
    }
    let keys = (0..20).map(|key| format!("{{\"k{key}\": 1}}\n")).collect::<Vec<_>>().concat();
    let json = Json::default().with_max_columns(10);
    let error = json.infer_from(|| Ok(keys.as_bytes()), "t", "y", &Overrides::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("t: the number of different keys is at least 11, more than the limit of 10"),
        "{error}"
    );
    // Brackets as deep as the file is long.
    for open in ["[", "{\"a\":"] {
        assert!(infer(&open.repeat(100_000)).is_err());
        assert!(infer(&format!("[{}", open.repeat(100_000))).is_err());
    }
}

/// Rows in chunks, and more bytes than are made at once.
#[test]
fn many_records() {
    let text = (0..20_000)
        .map(|row| format!("{{\"x\": {row}, \"c\": \"level {}\", \"y\": \"{}\"}}\n", row % 7, row % 2))
        .collect::<Vec<_>>()
        .concat();
    let inferred = infer(&text).unwrap();
    assert_eq!(inferred.n_rows, 20_000);
    let table = TableOptions::default().with_new_levels(NewLevels::Error);
    let mut reader =
        Json::default().with_table(table).read_from(|| Ok(text.as_bytes()), "t", &inferred.schema).unwrap();
    let mut row = 0;
    for chunk in chunks(&mut reader).unwrap() {
        for (cells, label) in dense(&chunk.rows).rows().into_iter().zip(chunk.labels.unwrap()) {
            assert_eq!(
                (cells[0], cells[1], label),
                (f64::from(row), f64::from(row % 7), (row % 2).to_string())
            );
            row += 1;
        }
    }
    assert_eq!(row, 20_000);
}

#[test]
fn damage_is_an_error_or_another_table() {
    let schema = Schema::numeric(["x"], "y");
    for text in [
        "{\"x\": 1.5, \"y\": \"a\\u00e9\"}\n{\"y\": \"b\", \"x\": -2e3, \"z\": null}\n",
        "[{\"x\": 1.5, \"y\": \"a\"}, {\"y\": \"b\", \"x\": true}]",
    ] {
        mutations::of(text.as_bytes(), 2000, |bytes| {
            let _ = Json::default().infer_from(|| Ok(bytes), "t", "y", &Overrides::default());
            let reader = Json::default().read_from(|| Ok(bytes), "t", &schema);
            let _ = reader.and_then(|mut reader| chunks(&mut reader));
        });
    }
}
