//! Data files in other formats than delimited text.

use std::{io::Write, path::PathBuf};

use crate::folder::Folder;

/// A table with a column of dates.
fn flowers() -> String {
    let mut rows = vec!["length,day,colour,kind\n".to_owned()];
    for row in 0..40_u32 {
        let side = row % 2;
        let length = f64::from(side) + f64::from(row % 7) / 8.0;
        let (day, colour) = (1 + row % 28, ["red", "blue", "green"][(row * row + side) as usize % 3]);
        rows.push(format!("{length},2024-01-{day:02},{colour},{}\n", ["near", "far"][side as usize]));
    }
    rows.concat()
}

/// The same as JSON objects, separated by this.
fn objects(separator: &str) -> String {
    let text = flowers();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let object = |line: &str| {
        let cells = names.iter().zip(line.split(','));
        let cells = cells.map(|(name, cell)| match cell.parse::<f64>() {
            Ok(number) => format!("{name:?}: {number}"),
            Err(_) => format!("{name:?}: {cell:?}"),
        });
        format!("{{{}}}", cells.collect::<Vec<_>>().join(", "))
    };
    lines.map(object).collect::<Vec<_>>().join(separator)
}

/// The same as an attribute relation.
fn relation() -> String {
    let header = "@relation flowers\n@attribute length numeric\n@attribute day date yyyy-MM-dd\n\
                  @attribute colour {red, green, blue}\n@attribute kind {near, far}\n@data\n";
    let text = flowers();
    format!("{header}{}", text.split_once('\n').unwrap().1)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn contents_come_before_names() {
    let folder = Folder::new();
    folder.write("plain.csv", flowers());
    folder.ok("train plain.csv --label kind");
    let predicted = folder.ok("predict plain.nb plain.csv");
    for (name, content) in [
        ("a.jsonl", objects("\n").into_bytes()),
        ("b.json", format!("[{}]", objects(",\n")).into_bytes()),
        ("c.csv", objects("\n").into_bytes()),
        ("h.arff", relation().into_bytes()),
        ("d.txt", gzip(&objects("\n"))),
        ("e.parquet", flowers().into_bytes()),
        ("f.csv", gzip(&flowers())),
        ("g.xlsx", flowers().into_bytes()),
    ] {
        folder.write(name, content);
        folder.ok(&format!("train {name} --label kind -o other.nb"));
        assert_eq!(folder.read("other.nb"), folder.read("plain.nb"), "{name}");
        assert_eq!(folder.ok(&format!("predict plain.nb {name}")), predicted, "{name}");
        folder.ok(&format!("evaluate plain.nb {name}"));
    }
    let run = folder.nbayes_with("train - --label kind -o other.nb", objects("\n"));
    assert_eq!((run.code, folder.read("other.nb")), (0, folder.read("plain.nb")));
    // What predict writes can be read again, whatever its name.
    folder.ok("predict plain.nb plain.csv --id length -o out.jsonl");
    let label = String::from_utf8(folder.read("out.jsonl")).unwrap();
    assert!(label.starts_with('{'), "{label}");
    folder.ok("train out.jsonl --label predicted_kind -o again.nb");
    folder.ok("predict plain.nb plain.csv --id length -o out.parquet");
    std::fs::rename(folder.path("out.parquet"), folder.path("out.csv")).unwrap();
    folder.ok("train out.csv --label predicted_kind -o again.nb");
}

#[test]
fn dates_are_left_out_unless_they_are_asked_for() {
    let folder = Folder::new();
    folder.write("a.csv", flowers());
    let report = folder.ok("train a.csv --label kind");
    let why = "its cells are dates; `--date day` uses month, weekday and more, `--gaussian day` the days since 1970-01-01";
    assert!(
        report.lines().any(|line| line.contains("day") && line.contains("left out") && line.contains(why)),
        "{report}"
    );
    assert!(folder.ok("schema a.csv --label kind").contains(&format!("\"day\" = \"ignore\" # {why}")));
    folder.ok("train a.csv --label kind --gaussian day -o b.nb");
    assert!(folder.ok("inspect b.nb").contains("day"));
    folder.ok("predict b.nb a.csv");
    folder.write("bad.csv", flowers().replace("2024-01-09", "soon"));
    let error = folder.fails(1, "predict b.nb bad.csv");
    assert!(
        error.contains("bad.csv, line 10, column \"day\": \"soon\" is not a date as the other cells are"),
        "{error}"
    );
    folder.write("only.csv", "day,y\n2024-01-05,a\n2024-01-06,b\n");
    let error = folder.fails(1, "train only.csv --label y");
    assert!(
        error.contains(&format!("no column is left to learn from: \"day\" is left out, as {why}")),
        "{error}"
    );
}

#[test]
fn sheets_of_workbooks() {
    let folder = Folder::new();
    let data =
        [env!("CARGO_MANIFEST_DIR"), "..", "nb-table", "tests", "read", "data"].iter().collect::<PathBuf>();
    for name in ["table.xls", "table.xlsx"] {
        folder.write("book.csv", std::fs::read(data.join(name)).unwrap());
        let run = folder.nbayes(&format!("train book.csv --label species -o {name}.nb"));
        let note = "book.csv: sheet \"flowers\" of \"flowers\", \"notes\" (`--sheet` names another)\n";
        assert_eq!((run.code, run.stderr.as_str()), (0, note), "{}", run.stdout);
        assert!(run.stdout.contains("left out"), "{}", run.stdout);
        let run = folder.nbayes(&format!("predict {name}.nb book.csv --sheet flowers"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let error = folder.fails(1, "train book.csv --label species --sheet other -o other.nb");
        assert!(
            error.contains("there is no sheet \"other\"; the workbook has \"flowers\", \"notes\""),
            "{error}"
        );
    }
    folder.write("a.csv", flowers());
    let error = folder.fails(2, "train a.csv --label kind --sheet flowers");
    assert!(error.contains("--sheet is for workbooks, and a.csv is not one"), "{error}");
}

#[test]
fn what_is_no_table_is_refused_by_name() {
    let folder = Folder::new();
    for (name, content, expected) in [
        (
            "a.csv",
            &b"SQLite format 3\0\x10\0"[..],
            "a.csv: this is an SQLite database; export a table of it: duckdb -c \"copy (select * from sqlite_scan('FILE', 'TABLE')) to 'TABLE.parquet'\"",
        ),
        (
            "a.db",
            b"SQLite format 3\0\x10\0",
            "a.db: this is an SQLite database; export a table of it: duckdb -c \"copy (select * from sqlite_scan('FILE', 'TABLE')) to 'TABLE.parquet'\"",
        ),
        (
            "a.duckdb",
            b"\x8A\x9B\xC2\xF0\x01\xD3\x44\x05DUCK\x40\0\0\0",
            "a.duckdb: this is a DuckDB database; export a table of it: duckdb FILE -c \"copy (select * from TABLE) to 'TABLE.parquet'\"",
        ),
        (
            "a.parquet",
            b"<!DOCTYPE html><title>404</title>",
            "a.parquet: this is an HTML page; download the data file itself, or save the table as CSV",
        ),
        (
            "a.rds",
            &gzip("X\n\0\0\0\x03"),
            "a.rds: this is an R data file; save it in R with write.csv(data, file, row.names = FALSE)",
        ),
        (
            "a.csv",
            b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.csv",
            "a.csv: this is a ZIP archive; unpack it, and read the files in it",
        ),
        (
            "a.svm",
            b"%PDF-1.7\n",
            "a.svm: this is a PDF document; copy the table into a spreadsheet and save it as CSV",
        ),
        ("a.gz", &gzip("PAR1\x15\x04"), "a.gz: this is a Parquet file; decompress it"),
    ] {
        folder.write(name, content);
        let error = folder.fails(1, &format!("train {name} --label y"));
        assert!(error.contains(expected), "{name}: {error}");
        assert!(error.chars().all(|letter| !letter.is_control() || letter == '\n'), "{error:?}");
    }
}

#[test]
fn rows_are_not_written_under_names_of_other_formats() {
    let folder = Folder::new();
    folder.write("a.csv", flowers());
    folder.ok("train a.csv --label kind");
    for (name, end) in [("out.xlsx", ".xlsx"), ("out.csv.gz", ".gz"), ("out.arrow", ".arrow")] {
        let error = folder.fails(2, &format!("predict a.nb a.csv -o {name}"));
        assert!(
            error.contains(&format!("rows cannot be written as {end}; end the name of the output with one of .csv, .txt, .tsv, .tab, .jsonl")),
            "{error}"
        );
        assert!(!folder.names().contains(&name.to_owned()));
    }
    folder.ok("predict a.nb a.csv -o out");
}
