//! Malformed text: what the messages say.

use nb_io::read::{Csv, ExtraColumns, KindChoice, Labels, Overrides, TableOptions};
use nb_io::{Kind, Schema};

use crate::chunks;

fn schema() -> Schema {
    Schema::numeric(["size", "weight"], "y")
}

fn message(csv: &Csv, bytes: &[u8]) -> String {
    match csv.read_from(bytes, "t.csv", &schema()) {
        Err(error) => error.to_string(),
        Ok(mut reader) => chunks(&mut reader).unwrap_err().to_string(),
    }
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(message(&Csv::default(), text.as_bytes()), expected);
}

#[test]
fn cells_are_named() {
    refused(
        "size,weight,y\n1,2,a\n3,4 kg,b\n",
        "t.csv, line 3, column \"weight\": \"4 kg\" is not a number; correct it, add it to the missing-value \
         markers, or make the column categorical",
    );
    refused(
        "size,weight,y\n1,2,\n",
        "t.csv, line 2, column \"y\": \"\" is a missing label; fill it in, or have rows without a label \
         skipped",
    );
    refused(
        "size,weight,y\n1,1e400,a\n",
        "t.csv, line 2, column \"weight\": \"1e400\" is infinite or beyond the largest double; clip it or drop the row",
    );
    let long = format!("size,weight,y\n1,{},a\n", "9x".repeat(100));
    assert!(
        message(&Csv::default(), long.as_bytes())
            .contains(&format!("{:?} is not a number", "9x".repeat(30) + "…"))
    );
}

#[test]
fn lines_are_counted_through_blank_ones_quotes_and_line_ends() {
    for (text, line) in [
        ("size,weight,y\n\n\n1,x,a\n", 4),
        ("size,weight,y\r\n1,2,a\r\n1,x,a\r\n", 3),
        ("\r\nsize,weight,y\r\n\r\n1,2,a\r\n\r\n1,x,a", 6),
        ("size,weight,y\n1,2,\"a\nb\"\n1,x,a\n", 4),
        ("size,weight,y\n1,2,a\n1,x,\"a\nb\nc\"\n", 3),
        ("size,weight,y\n1,2,a\n1,x,\"a\r\nb\r\nc\"", 3),
        ("\"size\n\",weight,y\n1,2,a\n1,x,a", 4),
        ("size,weight,y\n1,x,a", 2),
    ] {
        let csv = Csv::default();
        let message = message(&csv, text.as_bytes());
        assert!(
            message.starts_with(&format!("t.csv, line {line}, column \"weight\": \"x\"")),
            "{text:?}: {message}"
        );
    }
}

#[test]
fn ragged_lines_are_counted_out() {
    refused(
        "size,weight,y\n1,2,a\n1,2\n",
        "t.csv, line 3: 2 fields where the first line has 3; complete the line, or quote fields that contain the \
         delimiter",
    );
    refused(
        "size,weight,y\n1,2,a,\n",
        "t.csv, line 2: 4 fields where the first line has 3; complete the line, or quote fields that contain the \
         delimiter",
    );
    // Names of rows are in front of all of them.
    refused(
        "size,weight,y\n1,1,2,a\n1,2,a\n",
        "t.csv, line 2: 4 fields where the first line has 3; complete the line, or quote fields that contain the \
         delimiter",
    );
    let rows: Vec<String> = (0..200).map(|row| format!("{row},1,2,a\n")).collect();
    refused(
        &format!("size,weight,y\n{}1,2,a\n", rows.concat()),
        "t.csv, line 202: 3 fields where the rows before have 4, with a name of the row in front; complete the line, or \
         quote fields that contain the delimiter",
    );
}

#[test]
fn an_open_quote_is_found_where_it_opens() {
    for end in ["", "\n"] {
        refused(
            &format!("size,weight,y\n1,2,a\n1,2,\"b\n1,2,c{end}"),
            "t.csv, line 3: a quote is opened here and never closed; close or double it, or turn quoting off",
        );
    }
    // A quote at the very end closes.
    let mut reader = Csv::default().read_from(&b"size,weight,y\n1,2,\"b\""[..], "t.csv", &schema()).unwrap();
    assert_eq!(chunks(&mut reader).unwrap()[0].labels.as_deref(), Some(&["b".to_owned()][..]));
}

#[test]
fn bytes_that_are_no_text_of_the_encoding_are_named() {
    let utf8 = Csv::default().with_encoding("utf-8".parse().ok());
    assert_eq!(
        message(&utf8, b"size,weight,y\n1,2,a\n1,2,caf\xE9\n"),
        "t.csv, line 3, column \"y\": \"caf\u{FFFD}\" is not UTF-8; name the encoding of the file, or save it in UTF-8"
    );
    assert_eq!(
        message(&utf8, b"size,gr\xF6\xDFe,y\n1,2,a\n"),
        "t.csv, line 1, column \"x2\": \"gr\u{FFFD}\u{FFFD}e\" is not UTF-8; name the encoding of the file, or save it \
         in UTF-8"
    );
    // Half a character.
    let message = message(&Csv::default(), b"\xFF\xFEs\0i\0z");
    assert!(message.contains("t.csv: it has bytes that are not UTF-16LE; name the encoding"), "{message}");
}

#[test]
fn headers_are_checked() {
    refused("", "t.csv: the file is empty; it needs at least a header line");
    refused("\n\n", "t.csv: the file is empty; it needs at least a header line");
    refused(
        "size,Wieght,y\n1,2,a\n",
        "t.csv: column \"weight\" not found; the file has 3 columns: \"size\", \"Wieght\", \"y\"; did you mean \"Wieght\"?",
    );
    let header_only = Csv::default().read_from(&b"size,weight,y\n"[..], "t.csv", &schema());
    assert_eq!(chunks(&mut header_only.unwrap()).unwrap(), []);
    let table = TableOptions::default().with_extra_columns(ExtraColumns::Error).with_labels(Labels::Required);
    let strict = Csv::default().with_table(table);
    assert_eq!(
        message(&strict, b"id,size,weight,y,z\n"),
        "t.csv: the columns [\"id\", \"z\"] are not in the schema; drop them, or have extra columns ignored"
    );
    assert_eq!(
        message(&strict, b"size,weight,Y\n"),
        "t.csv: column \"y\" not found; the file has 3 columns: \"size\", \"weight\", \"Y\"; did you mean \"Y\"?"
    );
}

#[test]
fn inference_needs_rows_and_features() {
    let infer = |text: &'static str, overrides: &Overrides| {
        let inferred = Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", overrides);
        inferred.unwrap_err().to_string()
    };
    let none = Overrides::default();
    assert_eq!(infer("a,y\n", &none), "t.csv: the file has no rows; a schema is learnt from at least one");
    assert_eq!(
        infer("a,y\n1,b\n", &none.clone().ignore("a")),
        "t.csv: there are no columns besides label, weight and ignored ones; a model needs at least one feature"
    );
    assert_eq!(
        infer("a,Y\n1,b\n", &none),
        "t.csv: column \"y\" not found; the file has 2 columns: \"a\", \"Y\"; did you mean \"Y\"?"
    );
    let missing = Csv::default().infer("no/such.csv", "y", &none).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read no/such.csv: "), "{missing}");
}

#[test]
fn limits_hold() {
    let csv = Csv::default().with_max_record_bytes(32);
    let endless = format!("size,weight,y\n1,2,a\n1,2,\"{}", "x\n".repeat(1000));
    assert_eq!(
        message(&csv, endless.as_bytes()),
        "t.csv, line 3: longer than the limit of 32 bytes; look for an unbalanced quote, or raise the limit"
    );
}

#[test]
fn after_an_error_the_reader_is_at_its_end() {
    use nb_io::read::ReadChunks;
    let mut reader =
        Csv::default().read_from(&b"size,weight,y\nx,1,a\n1,2,b\n"[..], "t.csv", &schema()).unwrap();
    assert!(reader.next_chunk().is_err());
    assert_eq!(reader.next_chunk().unwrap(), None);
}

#[test]
fn odd_options_do_no_harm() {
    let mut schema = schema();
    schema.columns[0].kind = Kind::Categorical { levels: vec![] };
    for byte in [b'\n', b'\r', b'"', 0, 255] {
        for quote in [None, Some(b'\n'), Some(b','), Some(byte)] {
            let csv = Csv::default().with_delimiter(Some(byte)).with_quote(quote).with_max_record_bytes(100);
            for text in ["size,weight,y\n1,2,a\n", "\"\"\"\n\r\n,,", ""] {
                if let Ok(mut reader) = csv.read_from(text.as_bytes(), "t.csv", &schema) {
                    let _ = chunks(&mut reader);
                }
            }
        }
    }
}

#[test]
fn a_header_below_a_title_is_found() {
    let error = |text: &str| {
        Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap_err()
    };
    for (text, n_lines) in [
        ("Sales\nx,y\n1,a\n", 1),
        ("Sales,,\nof May,,\n\nx,n,y\n1,2,a\n", 3),
        ("Sales\n\nx;\"y\"\n1,5;a\n", 2),
        ("Sales, of May\nx\ty\n1\ta\n", 1),
    ] {
        let error = error(text);
        assert_eq!(error.lines_to_skip(), Some(n_lines), "{error}");
        let line = format!("; line {} has it: if it is the header, leave out what is above it", n_lines + 1);
        assert!(error.to_string().ends_with(&line), "{error}");
        let csv = Csv::default().with_skip_lines(n_lines);
        csv.infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap();
        // Rows to be predicted, too.
        let reader = Csv::default().read_from(text.as_bytes(), "t.csv", &Schema::numeric(["x"], "y"));
        assert_eq!(reader.unwrap_err().lines_to_skip(), Some(n_lines));
    }
    let far = format!("x,z\n{}y,z\n", "1,2\n".repeat(10));
    for text in ["x,z\n1,a\n", "x,z\n1,yes\n", &far] {
        assert_eq!(error(text).lines_to_skip(), None, "{text:?}");
    }
}

#[test]
fn long_cells_are_read() {
    let text = "word ".repeat(500_000);
    let rows = format!("note,y\n{text},a\nshort,b\n");
    let overrides = Overrides::default().with("note", KindChoice::Text);
    let inferred = Csv::default().infer_from(|| Ok(rows.as_bytes()), "t.csv", "y", &overrides).unwrap();
    assert_eq!(inferred.n_rows, 2);
}
