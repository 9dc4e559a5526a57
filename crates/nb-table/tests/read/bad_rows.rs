//! Rows that cannot be read and are left out.

use nb_table::Schema;
use nb_table::read::{
    Arff, BadRows, Csv, Inferred, Json, KindChoice, NonNumeric, Overrides, Place, ReadChunks, ReadError,
    SkippedRows, Svmlight, Table, TableOptions, Unlabeled,
};
use proptest::prelude::*;

fn skip() -> TableOptions {
    TableOptions::default().with_bad_rows(BadRows::Skip)
}

/// All rows and labels of a reader, and what it left out.
type Rows = (Vec<String>, Vec<String>, Option<SkippedRows>);

fn rows(reader: &mut dyn ReadChunks) -> Result<Rows, ReadError> {
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    while let Some(chunk) = reader.next_chunk()? {
        match chunk.rows {
            // Missing cells are equal.
            Table::Dense(table) => rows.extend(table.rows().into_iter().map(|row| format!("{row}"))),
            Table::Sparse(table) => {
                let ends = table.indptr();
                rows.extend(ends.windows(2).map(|two| {
                    let cells = two[0]..two[1];
                    format!("{:?} {:?}", &table.indices()[cells.clone()], &table.values()[cells])
                }));
            }
        }
        labels.extend(chunk.labels.unwrap_or_default());
    }
    Ok((rows, labels, reader.skipped_rows()))
}

fn read_csv(text: &[u8], csv: &Csv, overrides: &Overrides) -> Result<(Inferred, Rows), ReadError> {
    let inferred = csv.infer_from(|| Ok(text), "t.csv", "y", overrides)?;
    let table = csv.table.clone().with_non_numeric(inferred.mostly_numeric());
    let csv = csv.clone().with_table(table.with_date_orders(inferred.date_orders()));
    let rows = rows(&mut csv.read_from(text, "t.csv", &inferred.schema)?)?;
    Ok((inferred, rows))
}

fn read_json(text: &[u8], json: &Json) -> Result<(Inferred, Rows), ReadError> {
    let inferred = json.infer_from(|| Ok(text), "t.jsonl", "y", &Overrides::default())?;
    let rows = rows(&mut json.read_from(|| Ok(text), "t.jsonl", &inferred.schema)?)?;
    Ok((inferred, rows))
}

fn read_arff(text: &[u8], arff: &Arff) -> Result<(Inferred, Rows), ReadError> {
    let inferred = arff.infer_from(|| Ok(text), "t.arff", "y", &Overrides::default())?;
    let rows = rows(&mut arff.read_from(text, "t.arff", &inferred.schema)?)?;
    Ok((inferred, rows))
}

/// Lines with others before some of them.
fn with_lines(lines: &[String], bad: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut text = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        text.extend(line.bytes().chain([b'\n']));
        for (_, bad) in bad.iter().filter(|(before, _)| *before == place) {
            text.extend(bad.iter().copied().chain([b'\n']));
        }
    }
    text
}

/// Lines of which none is a row of numbers, a category, a text with a comma and a label.
fn bad_csv() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"1.5".to_vec()),
        Just(b"1,red,\"new, too\",a,5".to_vec()),
        Just(b"2,\"red,text,a".to_vec()),
        Just(b"2,\"blue".to_vec()),
        Just(b"2,\"line\nbreak\",a,b,c,d".to_vec()),
        Just(b"2,gr\xFFn,text,a".to_vec()),
        Just(b"none,newcategory,text,a".to_vec()),
        Just(b"1e999,newcategory,text,newlabel".to_vec()),
    ]
}

fn bad_json() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"{\"x\": 1, \"c\": \"red\", ".to_vec()),
        Just(b"no JSON".to_vec()),
        Just(b"[1, 2]".to_vec()),
        Just(b"{\"x\": 1, \"c\": {\"of\": 3}, \"y\": \"b\"}".to_vec()),
        Just(b"{\"x\": 1, \"x\": 2, \"c\": \"green\", \"y\": \"b\"}".to_vec()),
        Just(b"{\"x\": 1, \"c\": \"\xFF\", \"y\": \"b\"}".to_vec()),
        Just(b"{\"x\": 1, \"c\": \"\\ud800\", \"other\": 1}".to_vec()),
        Just(b"{\"x\": 1e999, \"c\": \"newcategory\", \"y\": \"newlabel\"}".to_vec()),
    ]
}

fn check(with: Result<(Inferred, Rows), ReadError>, without: (Inferred, Rows), n_bad: usize) {
    let (inferred, (rows, labels, skipped)) = with.unwrap();
    let skipped = skipped.unwrap();
    assert_eq!(inferred.schema, without.0.schema);
    assert_eq!(inferred.columns, without.0.columns);
    assert_eq!(inferred.n_rows, without.0.n_rows);
    assert_eq!((&rows, labels), (&without.1.0, without.1.1));
    assert_eq!((skipped.count(), skipped.n_rows), (n_bad as u64, (rows.len() + n_bad) as u64));
    assert_eq!(skipped.first.len(), n_bad.min(3));
    assert!(skipped.first.iter().map(|row| row.place).eq(skipped.places.iter().copied().take(3)));
}

proptest! {
    #[test]
    fn csv_without_its_bad_rows(
        values in prop::collection::vec((0..1000, 0..3, "[a-z]{1,8}", 0..2), 5..60),
        bad in prop::collection::vec((0_usize..60, bad_csv()), 0..8),
    ) {
        let mut lines = vec!["x,c,t,y".to_owned()];
        lines.extend(values.iter().map(|(x, c, t, y)| {
            format!("{}.5,{},\"{t}, {t}\",{}", x, ["red", "blue", "a\"b"][*c as usize].replace('"', ""), ["a", "b"][*y as usize])
        }));
        let bad: Vec<_> = bad.into_iter().map(|(place, line)| (place % lines.len(), line)).collect();
        let overrides = Overrides::default().with("x", KindChoice::Numeric).with("c", KindChoice::Categorical);
        let plain = Csv::default().with_encoding("utf-8".parse().ok()).with_delimiter(Some(b','));
        let without = read_csv(&with_lines(&lines, &[]), &plain, &overrides).unwrap();
        let text = with_lines(&lines, &bad);
        let csv = plain.clone().with_table(skip());
        check(read_csv(&text, &csv, &overrides), without, bad.len());
        // A quote that is not closed may make one row of two lines.
        if !bad.iter().any(|(_, line)| line.starts_with(b"2,\"")) {
            prop_assert_eq!(read_csv(&text, &plain, &overrides).is_err(), !bad.is_empty());
        }
    }

    #[test]
    fn json_without_its_bad_rows(
        values in prop::collection::vec((0..1000, 0..3, 0..2), 5..60),
        bad in prop::collection::vec((0_usize..60, bad_json()), 0..8),
    ) {
        let lines: Vec<String> = values
            .iter()
            .map(|(x, c, y)| {
                let (c, y) = (["red", "blue", "grey"][*c as usize], ["a", "b"][*y as usize]);
                format!("{{\"x\": {x}, \"c\": \"{c}\", \"y\": \"{y}\"}}")
            })
            .collect();
        let bad: Vec<_> = bad.into_iter().map(|(place, line)| (place % lines.len(), line)).collect();
        let without = read_json(&with_lines(&lines, &[]), &Json::default()).unwrap();
        let text = with_lines(&lines, &bad);
        check(read_json(&text, &Json::default().with_table(skip())), without, bad.len());
        prop_assert_eq!(read_json(&text, &Json::default()).is_err(), !bad.is_empty());
    }

    #[test]
    fn arff_without_its_bad_rows(
        values in prop::collection::vec((0..1000, 0..2), 5..40),
        bad in prop::collection::vec((3_usize..40, prop_oneof![
            Just(b"1".to_vec()), Just(b"{0 1}".to_vec()), Just(b"1,'a".to_vec()), Just(b"one,a".to_vec()),
            Just(b"1,\xFF".to_vec()),
        ]), 0..8),
    ) {
        let head = ["@relation r", "@attribute x real", "@attribute y {a,b}", "@data"].map(String::from);
        let rows = values.iter().map(|(x, y)| format!("{x},{}", ["a", "b"][*y as usize]));
        let lines: Vec<String> = head.into_iter().chain(rows).collect();
        let bad: Vec<_> = bad.into_iter().map(|(place, line)| (3 + place % (lines.len() - 3), line)).collect();
        let without = read_arff(&with_lines(&lines, &[]), &Arff::default()).unwrap();
        let text = with_lines(&lines, &bad);
        check(read_arff(&text, &Arff::default().with_table(skip())), without, bad.len());
        prop_assert_eq!(read_arff(&text, &Arff::default()).is_err(), !bad.is_empty());
    }

    #[test]
    fn svmlight_without_its_bad_rows(
        values in prop::collection::vec((1..9, 0..100, 0..2), 5..40),
        bad in prop::collection::vec((0_usize..40, prop_oneof![
            Just(b"1 1:2 1:3".to_vec()), Just(b"1 0:2".to_vec()), Just(b"1 one:2".to_vec()), Just(b"1 1:\xFF".to_vec()),
            Just(b"1 qid:3 1:1".to_vec()),
        ]), 0..8),
    ) {
        let lines: Vec<String> = values.iter().map(|(index, value, y)| format!("{y} {index}:{value}")).collect();
        let bad: Vec<_> = bad.into_iter().map(|(place, line)| (place % lines.len(), line)).collect();
        let schema = Schema::numbered(9, "y");
        let read = |text: &[u8], svmlight: &Svmlight| rows(&mut svmlight.read_from(text, "t.svm", &schema)?);
        let (without, labels, _) = read(&with_lines(&lines, &[]), &Svmlight::default()).unwrap();
        let text = with_lines(&lines, &bad);
        let skipping = Svmlight::default().with_bad_rows(BadRows::Skip);
        let (with, labels_with, skipped) = read(&text, &skipping).unwrap();
        prop_assert_eq!((with, labels_with), (without, labels));
        prop_assert_eq!(skipped.unwrap().count() as usize, bad.len());
        prop_assert_eq!(read(&text, &Svmlight::default()).is_err(), !bad.is_empty());
    }
}

#[test]
fn lines_that_an_open_quote_joins_are_looked_at_again() {
    // The quote of the second line ends in the fourth, which has as many fields as the header.
    let text = b"x,t,y\n1,\"open,a\n2,two,b\n3,\"three\",a\n4,\"fo\nur\",b\n";
    let (_, (rows, labels, skipped)) =
        read_csv(text, &Csv::default().with_table(skip()), &Overrides::default()).unwrap();
    assert_eq!((rows.len(), labels.join("")), (3, "bab".into()));
    assert_eq!(skipped.unwrap().places, [Place::Line(2)]);
}

#[test]
fn a_few_texts_in_a_column_of_numbers_are_bad_rows_if_they_are_errors() {
    let rows: Vec<String> = (0..40).map(|row| format!("{row}.5,c{},{}\n", row % 2, row % 2)).collect();
    let text = format!("x,c,y\n{}none,c3,0\n", rows.concat());
    let strict = Overrides::default().with_non_numeric(NonNumeric::Error);
    let csv = Csv::default().with_table(skip());
    let (inferred, (rows, _, skipped)) = read_csv(text.as_bytes(), &csv, &strict).unwrap();
    assert_eq!((inferred.n_rows, rows.len(), skipped.unwrap().places), (40, 40, vec![Place::Line(42)]));
    assert!(inferred.mostly_numeric().is_empty());
    assert!(!format!("{:?}", inferred.schema).contains("c3"));
    assert!(read_csv(text.as_bytes(), &Csv::default(), &strict).is_err());
    let as_missing = Overrides::default().with_non_numeric(NonNumeric::Missing);
    let (_, (rows, _, skipped)) = read_csv(text.as_bytes(), &csv, &as_missing).unwrap();
    assert_eq!((rows.len(), skipped.unwrap().count()), (41, 0));
}

#[test]
fn a_file_of_bad_rows_is_an_error() {
    let csv = Csv::default().with_table(skip());
    let error = read_csv(b"x,y\n1\n2,3,4\n", &csv, &Overrides::default()).unwrap_err().to_string();
    assert!(error.starts_with("t.csv, line 2: 1 field where"), "{error}");
    let error = read_json(b"no\nnone\n", &Json::default().with_table(skip())).unwrap_err().to_string();
    assert!(error.starts_with("t.jsonl, line 1: not a JSON object"), "{error}");
    // An array that does not end is no array.
    let open = b"[{\"x\": 1, \"y\": \"a\"}, {\"x\"";
    assert!(read_json(open, &Json::default().with_table(skip())).is_err());
}

#[test]
fn too_many_bad_rows_at_the_start_are_told() {
    let schema = Schema::numeric(["x"], "y");
    let skipped = |text: &str| {
        let csv =
            Csv::default().with_table(skip().with_unlabeled(Unlabeled::Skip)).with_delimiter(Some(b','));
        rows(&mut csv.read_from(text.as_bytes(), "t.csv", &schema).unwrap()).unwrap().2.unwrap()
    };
    let good = "1,a\n".repeat(30);
    assert!(!skipped(&format!("x,y\n{good}{}", "1;a\n".repeat(20))).is_most_of_start());
    assert!(skipped(&format!("x,y\n{good}{}", "1;a\n".repeat(40))).is_most_of_start());
    assert!(!skipped(&format!("x,y\n{}{}", good.repeat(10), "1;a\n".repeat(400))).is_most_of_start());
    assert_eq!(skipped(&format!("x,y\n{good}1,\n1\n")).n_rows, 32);
}
