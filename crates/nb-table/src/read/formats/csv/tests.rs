//! The splitting of records against the crate `csv`, and the reading of numbers on the way against reading
//! them later.

use proptest::prelude::*;

use super::{Csv, CsvHeader, Records, plain::Slot};
use crate::{
    Schema,
    read::{ReadChunks, ReadError, Table, file::source::Source},
};

type Row = Vec<Vec<u8>>;

/// All records, and whether the last was refused.
fn records(bytes: &[u8], csv: &Csv, slots: Option<Vec<Slot>>) -> (Vec<(Row, Vec<f64>)>, bool) {
    let mut found = Vec::new();
    let Ok(source) = Source::text(bytes, "t.csv") else { return (found, true) };
    let csv = csv.clone().with_delimiter(csv.delimiter.or(Some(b','))).with_header(false);
    let mut records = Records::new(source, &csv);
    let Ok(CsvHeader { names: header, .. }) = records.header(false) else { return (found, true) };
    if let Some(slots) = slots {
        records.expect(slots.into_iter().cycle().take(header.len()).collect());
    }
    let mut numbers = vec![0.0; 8];
    loop {
        numbers.fill(0.0);
        match records.advance(&mut numbers) {
            Ok(true) => {
                let row = (0..header.len()).map(|place| records.bytes(place).to_vec());
                found.push((row.collect(), numbers.clone()));
            }
            Ok(false) => return (found, false),
            Err(_) => return (found, true),
        }
    }
}

/// The same by the crate `csv`, up to the first record with another number of fields.
fn expected(bytes: &[u8], csv: &Csv) -> (Vec<Row>, bool) {
    let mut reader = ::csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(csv.delimiter.unwrap_or(b','));
    match csv.quote {
        Some(quote) => reader.quote(quote),
        None => reader.quoting(false),
    };
    let mut found: Vec<Row> = Vec::new();
    for record in reader.from_reader(bytes).byte_records() {
        let row: Row = record.expect("bytes in memory").iter().map(<[u8]>::to_vec).collect();
        if found.first().is_some_and(|first| first.len() != row.len()) {
            return (found, true);
        }
        found.push(row);
    }
    (found, false)
}

fn compare(bytes: &[u8], csv: &Csv) {
    let (rows, refused) = records(bytes, csv, None);
    let rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    let (mut expected, mut refused_there) = expected(bytes, csv);
    // A quote that is never closed is text to the end there, and refused here.
    if refused && !refused_there {
        expected.pop();
        refused_there = true;
    }
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(rows, expected, "{text:?}");
    assert_eq!(refused, refused_there || expected.is_empty(), "{text:?}");
}

/// What is read on the way is what is read later.
fn compare_numbers(bytes: &[u8], slots: &[Slot]) {
    let csv = Csv::default();
    let (rows, refused) = records(bytes, &csv, None);
    let (with_numbers, also) = records(bytes, &csv, Some(slots.to_vec()));
    assert_eq!((rows.len(), refused), (with_numbers.len(), also));
    for ((fields, _), (others, numbers)) in rows.into_iter().zip(with_numbers) {
        for (place, (field, other)) in fields.iter().zip(&others).enumerate() {
            if field == other {
                continue;
            }
            let (Slot::Number(column) | Slot::Count(column)) = slots[place % slots.len()] else {
                panic!("{field:?} became {other:?}");
            };
            let text = std::str::from_utf8(field).expect("a number");
            let value: f64 = text.parse().expect("a number");
            // Slots of the same column overwrite each other.
            if fields.len() <= slots.len() {
                assert_eq!(numbers[column], value, "{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn records_are_those_of_the_crate_csv(text in "[a,\"\r\n]{0,24}") {
        compare(text.as_bytes(), &Csv::default());
        compare(text.as_bytes(), &Csv { quote: None, ..Csv::default() });
        compare(text.as_bytes(), &Csv { quote: Some(b'a'), ..Csv::default() });
        compare(text.as_bytes(), &Csv { delimiter: Some(b'"'), quote: Some(b','), ..Csv::default() });
    }

    #[test]
    fn longer_ones_too(
        text in "([a-z]{0,9},[a-z]{0,9},\"([a-z,]|\"\"|\n){0,20}\"[a-z]{0,3}\r?\n){0,6}",
    ) {
        compare(text.as_bytes(), &Csv::default());
    }

    #[test]
    fn numbers_are_what_they_are_as_texts(
        text in "((-?[0-9]{1,3}(\\.[0-9]{0,7})?|x|\"1\"),(-?[0-9]{1,2}),[a\"]{0,2}(,[0-9.]{1,4}){0,1}\r?\n){0,6}[0-9]?",
    ) {
        let slots = vec![Slot::Number(0), Slot::Count(1), Slot::Text, Slot::Number(2)];
        compare_numbers(text.as_bytes(), &slots);
        compare_numbers(text.as_bytes(), &[0, 1, 2, 3].map(Slot::Number));
    }
}

/// Records that do not fit into what is read at once.
#[test]
fn windows_are_no_matter() {
    let cell = "12.5,".repeat(37);
    let text = format!("{cell}x\n").repeat(5000);
    let (rows, refused) = records(text.as_bytes(), &Csv::default(), None);
    assert_eq!((rows.len(), refused), (5000, false));
    assert!(rows.iter().all(|row| row.0 == rows[0].0));
    let slots: Vec<Slot> = std::iter::repeat_n(Slot::Number(1), 37).chain([Slot::Text]).collect();
    compare_numbers(text.as_bytes(), &slots);
    let long = format!("\"{}\",b\nc,d", "a\n".repeat(1 << 19));
    compare(long.as_bytes(), &Csv::default());
}

/// A source that gives a byte at a time, as a slow pipe may.
#[test]
fn pieces_are_no_matter() {
    struct Slow<'a>(&'a [u8]);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n_bytes = out.len().min(1);
            std::io::Read::read(&mut self.0, &mut out[..n_bytes])
        }
    }
    let schema = Schema::numbered(2, "y");
    let text = b"x1,x2,y\n1.5,2,\"a\"\n\n3,-4.25,\"b\nc\"\r\n5,6,d";
    let read = |input: Box<dyn std::io::Read + Send>| {
        let mut reader = Csv::default().read_from(input, "t.csv", &schema).expect("opens");
        ReadChunks::next_chunk(&mut reader).expect("reads").expect("three rows")
    };
    assert_eq!(read(Box::new(Slow(text))), read(Box::new(&text[..])));
}

#[test]
fn skipped_lines_and_comments_are_no_rows() {
    let csv = Csv::default().with_skip_lines(2).with_comment(Some(b'#'));
    let text = "Sales; 2024\n\n# in euros\nx;n;y\n1,5;1;a\n#2,5;2;b\n3,5;\"#3\";a\n# the end";
    let schema = Schema::numeric(["x"], "y");
    let read = |csv: &Csv, text: &str| {
        let mut reader = csv.read_from(text.as_bytes(), "t.csv", &schema)?;
        let chunk = reader.next_chunk()?.expect("rows");
        Ok::<_, ReadError>((chunk.rows, chunk.labels.expect("labels")))
    };
    let (rows, labels) = read(&csv, text).expect("reads");
    assert_eq!(rows, Table::Dense(ndarray::array![[1.5], [3.5]]));
    assert_eq!(labels, ["a", "a"]);
    // Lines are counted as an editor counts them.
    let error = read(&csv, &text.replace("3,5", "three")).expect_err("no number").to_string();
    assert!(error.starts_with("t.csv, line 7, column \"x\""), "{error}");
    // Longer than what is read at once, and behind it a line that names the delimiter.
    let long = format!("{}\nsep=|\n#{}\nx|y\n1|a\n", "t".repeat(300_000), "c,".repeat(200_000));
    let (rows, _) = read(&csv.clone().with_skip_lines(1), &long).expect("reads");
    assert_eq!(rows, Table::Dense(ndarray::array![[1.0]]));
    let error = read(&csv.with_skip_lines(9), text).expect_err("all lines are skipped").to_string();
    assert!(error.contains("empty"), "{error}");
}
