//! Sheets of workbooks. `table.xls` was written by xlwt and `table.xlsx` by openpyxl; others are made here.

use std::{
    fs::{self, File},
    io::Write,
    path::PathBuf,
};

use nb_io::{
    Kind, Schema,
    read::{Excel, KindChoice, Overrides, ReadError, Reason},
};
use ndarray::array;
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{assert_same, chunks, dense, mutations, only_chunk};

fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "read", "data", name].iter().collect()
}

struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let thread = std::thread::current().name().unwrap_or_default().replace("::", "-");
        Self(std::env::temp_dir().join(format!("nb-io-{}-{thread}-{name}", std::process::id())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}

fn archive(path: &PathBuf, parts: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

/// A workbook with sheets of these rows, written by hand.
fn xlsx(sheets: &[(&str, &str)]) -> Temporary {
    let file = Temporary::new("made.xlsx");
    let mut parts = vec![("[Content_Types].xml".to_owned(), "<Types/>".to_owned())];
    let (mut listed, mut relations) = (Vec::new(), Vec::new());
    for (number, (name, rows)) in sheets.iter().enumerate() {
        listed.push(format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"r{number}\"/>"));
        relations.push(format!(
            "<Relationship Id=\"r{number}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/s{number}.xml\"/>"
        ));
        parts.push((
            format!("xl/worksheets/s{number}.xml"),
            format!("<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    let (listed, relations) = (listed.concat(), relations.concat());
    parts.push(("xl/workbook.xml".into(), format!("<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>{listed}</sheets></workbook>")));
    parts.push(("xl/_rels/workbook.xml.rels".into(), format!("<Relationships>{relations}</Relationships>")));
    parts.push((
        "_rels/.rels".into(),
        "<Relationships><Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>".into(),
    ));
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    archive(&file.0, &parts);
    file
}

fn ods(rows: &str) -> Temporary {
    let file = Temporary::new("made.ods");
    let content = format!(
        "<office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\"><office:body><office:spreadsheet><table:table table:name=\"flowers\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    archive(
        &file.0,
        &[
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("META-INF/manifest.xml", "<manifest/>"),
            ("content.xml", &content),
        ],
    );
    file
}

/// A cell with a text, one with a number.
fn text(place: &str, text: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

fn number(place: &str, number: &str) -> String {
    format!("<c r=\"{place}\"><v>{number}</v></c>")
}

fn row(number: u32, cells: &[String]) -> String {
    format!("<row r=\"{number}\">{}</row>", cells.concat())
}

#[test]
fn workbooks_of_other_programs() {
    for name in ["table.xls", "table.xlsx"] {
        let excel = Excel::default();
        assert_eq!(excel.sheets(data(name)).unwrap(), ["flowers", "notes"]);
        let inferred = excel.infer(data(name), "species", &Overrides::default()).unwrap();
        let names: Vec<&str> = inferred.schema.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["length", "day", "ripe"], "{name}");
        assert_eq!(inferred.columns[1].reason, Reason::Dates);
        assert_eq!(
            inferred.columns[2].kind,
            Kind::Categorical { levels: ["false", "true"].map(String::from).into() }
        );
        let chunk = only_chunk(&mut excel.read(data(name), &inferred.schema).unwrap());
        assert_same(dense(&chunk.rows), &array![[1.5, 19_727.0, 1.0], [0.1, 19_728.0, 0.0]]);
        assert_eq!(chunk.labels.unwrap(), ["a", "b"]);
        // Rows in messages are those of the sheet.
        let overrides = Overrides::default().with("species", KindChoice::Numeric);
        let error = excel.infer(data(name), "ripe", &overrides).unwrap_err().to_string();
        assert!(
            error.contains(&format!("{name}, row 4, column \"species\": \"a\" is not a number")),
            "{error}"
        );
        let other = excel.clone().with_sheet(Some("flower".into())).infer(data(name), "y", &overrides);
        let error = other.unwrap_err().to_string();
        assert!(
            error.ends_with("there is no sheet \"flower\"; the workbook has \"flowers\", \"notes\""),
            "{error}"
        );
    }
}

#[test]
fn numbers_are_exact() {
    let numbers = [
        "0.1",
        "1e-320",
        "-1.7976931348623157E+308",
        "9007199254740991",
        "123456789.123456789",
        "2.5000000000000004",
    ];
    let rows: String = (2..)
        .zip(numbers)
        .map(|(at, value)| row(at, &[number(&format!("A{at}"), value), text(&format!("B{at}"), "a")]))
        .collect();
    let file = xlsx(&[("s", &(row(1, &[text("A1", "x"), text("B1", "y")]) + &rows))]);
    let mut reader = Excel::default().read(&file.0, &Schema::numeric(["x"], "y")).unwrap();
    let expected: Vec<f64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
    assert_eq!(dense(&only_chunk(&mut reader).rows).iter().copied().collect::<Vec<_>>(), expected);
}

#[test]
fn tables_are_where_they_are() {
    let rows = row(5, &[text("C5", "x"), text("E5", "y \"1\"")])
        + &row(6, &[number("C6", "1"), text("D6", "beside"), text("E6", "a")])
        // Row 7 is not there, row 8 has no value.
        + &row(8, &[text("C8", " ")])
        + &row(9, &["<c r=\"C9\" t=\"e\"><v>#N/A</v></c>".into(), text("E9", "b,\n")])
        + &row(10, &["<c r=\"C10\" t=\"e\"><v>#DIV/0!</v></c>".into(), text("E10", "a")]);
    let file = xlsx(&[("empty", ""), ("s", &rows)]);
    let excel = Excel::default().with_sheet(Some("s".into()));
    let schema = Schema::numeric(["x"], "y \"1\"");
    let reader = excel.read(&file.0, &schema).unwrap();
    assert_eq!(reader.ignored_columns(), ["D"]);
    let error = chunks(&mut { reader }).unwrap_err().to_string();
    assert!(error.contains("made.xlsx, row 10, column \"x\": \"#DIV/0!\" is not a number"), "{error}");
    let inferred = excel.infer(&file.0, "y \"1\"", &Overrides::default()).unwrap();
    assert_eq!(inferred.n_rows, 3);
    assert!(matches!(&inferred.columns[0].reason, Reason::Mixed { line: 10, value } if value == "#DIV/0!"));

    let error = Excel::default().infer(&file.0, "y", &Overrides::default()).unwrap_err().to_string();
    assert!(error.ends_with("the sheet \"empty\" is empty; name another one"), "{error}");

    // Without names the first row is one of cells.
    let plain = excel.with_header(false);
    let inferred = plain.infer(&file.0, "x3", &Overrides::default()).unwrap();
    assert_eq!((inferred.n_rows, inferred.schema.columns.len()), (4, 2));
    let error =
        chunks(&mut plain.read(&file.0, &Schema::numeric(["x1"], "x3")).unwrap()).unwrap_err().to_string();
    assert!(error.contains("row 5, column \"x1\": \"x\" is not a number"), "{error}");
}

#[test]
fn open_documents() {
    let cell = |kind: &str, value: &str, text: &str| {
        format!(
            "<table:table-cell office:value-type=\"{kind}\" {value}><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let name = |text: &str| cell("string", "", text);
    let rows = [
        name("x") + &name("day") + &name("at") + &name("y"),
        cell("float", "office:value=\"0.1\"", "0.1")
            + &cell("date", "office:date-value=\"2024-01-05\"", "05.01.24")
            + &cell("time", "office:time-value=\"PT06H00M00S\"", "06:00")
            + &name("a"),
        cell("float", "office:value=\"2\"", "2")
            + &cell("date", "office:date-value=\"2024-01-06T12:00:00\"", "06.01.24")
            + "<table:table-cell/>"
            + &name("b"),
    ];
    let file = ods(&rows.map(|row| format!("<table:table-row>{row}</table:table-row>")).concat());
    let inferred = Excel::default().infer(&file.0, "y", &Overrides::default()).unwrap();
    assert_eq!(inferred.schema, Schema::numeric(["x", "day", "at"], "y"));
    assert_eq!(inferred.columns[1].reason, Reason::Dates);
    let chunk = only_chunk(&mut Excel::default().read(&file.0, &inferred.schema).unwrap());
    assert_same(dense(&chunk.rows), &array![[0.1, 19_727.0, 0.25], [2.0, 19_728.5, f64::NAN]]);
}

#[test]
fn memory_is_bounded() {
    // A mebibyte of spaces, in a kibibyte.
    let file = xlsx(&[("s", &(row(1, &[text("A1", "x"), text("B1", "y")]) + &" ".repeat(1 << 20)))]);
    let excel = Excel::default().with_max_bytes(1 << 16);
    let message = |result: Result<_, ReadError>| result.map(drop).unwrap_err().to_string();
    let error = message(excel.infer(&file.0, "y", &Overrides::default()));
    assert!(
        error.contains(
            "the number of bytes of the decompressed workbook is at least 65537, more than the limit of 65536"
        ),
        "{error}"
    );
    // Two cells, far from each other.
    let far = row(1, &[text("A1", "x"), text("B1", "y")])
        + &row(1_000_000, &[number("A1000000", "1"), text("XFD1000000", "a")]);
    let file = xlsx(&[("s", &far)]);
    let error = message(excel.infer(&file.0, "y", &Overrides::default()));
    assert!(
        error.contains(
            "the number of bytes of the sheet as text is at least 65537, more than the limit of 65536"
        ),
        "{error}"
    );
    let inferred = Excel::default().infer(&file.0, "y", &Overrides::default()).unwrap();
    assert_eq!(inferred.n_rows, 1);
}

#[test]
fn other_files_are_refused() {
    let file = Temporary::new("other.xlsx");
    let message = || Excel::default().infer(&file.0, "y", &Overrides::default()).unwrap_err().to_string();
    for bytes in [&b""[..], b"x,y\n1,2\n", b"PK\x03\x04", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"] {
        fs::write(&file.0, bytes).unwrap();
        assert!(message().contains("this is not a usable Excel or OpenDocument file: "), "{}", message());
    }
    archive(&file.0, &[("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<document/>")]);
    assert!(message().contains("this is not a usable Excel or OpenDocument file: "), "{}", message());
    assert!(
        Excel::default()
            .sheets("missing.xlsx")
            .unwrap_err()
            .to_string()
            .starts_with("cannot read missing.xlsx: ")
    );
}

#[test]
fn damage_is_an_error_or_another_table() {
    let schema = Schema::numeric(["length"], "species");
    let made = ods(
        "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell office:value-type=\"string\"><text:p>a</text:p></table:table-cell></table:table-row>",
    );
    for intact in [data("table.xls"), data("table.xlsx"), made.0.clone()] {
        let file = Temporary::new("damaged");
        mutations::of(&fs::read(&intact).unwrap(), 300, |bytes| {
            fs::write(&file.0, bytes).unwrap();
            let _ = Excel::default().infer(&file.0, "species", &Overrides::default());
            let _ = Excel::default().read(&file.0, &schema).and_then(|mut reader| chunks(&mut reader));
        });
    }
    // Damage behind the compression: in the parts of a workbook.
    let rows = row(1, &[text("A1", "length"), text("B1", "species")])
        + &row(2, &[number("A2", "1.5"), text("B2", "a")]);
    mutations::of(rows.as_bytes(), 300, |bytes| {
        let file = xlsx(&[("s", &String::from_utf8_lossy(bytes))]);
        let _ = Excel::default().infer(&file.0, "species", &Overrides::default());
    });
}

#[test]
fn titles_and_repeated_and_typed_headers_are_no_rows() {
    let names =
        |number: u32| row(number, &[text(&format!("A{number}"), "x"), text(&format!("B{number}"), "y")]);
    let cells = |number: u32, label: &str| {
        row(
            number,
            &[format!("<c r=\"A{number}\"><v>{number}.5</v></c>"), text(&format!("B{number}"), label)],
        )
    };
    let rows = [row(1, &[text("A1", "Flowers of May")]), names(3), cells(4, "a"), names(5), cells(6, "b")];
    let file = xlsx(&[("s", &rows.concat())]);
    let schema = Schema::numeric(["x"], "y");
    for error in [
        Excel::default().infer(&file.0, "y", &Overrides::default()).unwrap_err(),
        Excel::default().read(&file.0, &schema).unwrap_err(),
    ] {
        assert_eq!(error.lines_to_skip(), Some(2), "{error}");
    }
    let excel = Excel::default().with_skip_rows(2);
    let inferred = excel.infer(&file.0, "y", &Overrides::default()).unwrap();
    assert_eq!(inferred.n_rows, 2);
    assert_eq!(inferred.repeated_header.unwrap().first.to_string(), "row 5");
    let mut reader = excel.read(&file.0, &schema).unwrap();
    assert_same(dense(&only_chunk(&mut reader).rows), &array![[4.5], [6.5]]);

    let rows = [row(1, &[text("A1", "C#x"), text("B1", "cD#y")]), cells(2, "a"), cells(3, "b")];
    let file = xlsx(&[("s", &rows.concat())]);
    let header = Excel::default().header(&file.0).unwrap();
    assert_eq!((header.names, header.orange.unwrap().label()), (vec!["x".to_owned(), "y".into()], Some("y")));
    let names = Excel::default().with_orange(false).columns(&file.0).unwrap();
    assert_eq!(names, ["C#x", "cD#y"]);
}
