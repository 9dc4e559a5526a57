//! Every embedded data set, written by other programs, is the same table: the models have the same bytes.

use std::fmt::Write as _;

use crate::{
    folder::Folder,
    numpy::{archive, array},
};

/// The larger sets say no more than the others, and take long.
const MOST_ROWS: usize = 3000;

/// The most cells of the sets of which a model with weights and corrections is compared.
const MOST_REFINED: usize = 4000;

struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn of(csv: &[u8]) -> Self {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv);
        let mut records = reader.records().map(|record| record.unwrap().iter().map(String::from).collect());
        Self { header: records.next().unwrap(), rows: records.collect() }
    }

    fn delimited(&self, delimiter: char, line_end: &str, cell: impl Fn(&str) -> String) -> String {
        let quoted = |cell: &str| {
            let needs_quotes = cell.contains([delimiter, '"', '\n']);
            if needs_quotes { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
        };
        let line = |cells: Vec<String>| cells.join(&delimiter.to_string()) + line_end;
        let header = line(self.header.iter().map(|name| quoted(name)).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(|text| quoted(&cell(text))).collect()));
        header + &rows.collect::<Vec<_>>().concat()
    }

    /// Records in which numbers are numbers, and what is missing is null.
    fn json_lines(&self) -> String {
        let markers = nb_io::read::missing_markers();
        let value = |cell: &str| match cell.parse::<f64>() {
            _ if markers.contains(cell) => "null".to_owned(),
            // JSON has no zeros before a number, no plus sign and no point at an end.
            Ok(_) if serde_json::from_str::<serde_json::Value>(cell).is_ok() => cell.to_owned(),
            _ => serde_json::to_string(cell).unwrap(),
        };
        let mut text = String::new();
        for row in &self.rows {
            let cells = self.header.iter().zip(row);
            let cells =
                cells.map(|(name, cell)| format!("{}:{}", serde_json::to_string(name).unwrap(), value(cell)));
            writeln!(text, "{{{}}}", cells.collect::<Vec<_>>().join(",")).unwrap();
        }
        text
    }
}

/// A number with a comma before its decimals, if it has a point.
fn with_comma(cell: &str) -> String {
    if cell.parse::<f64>().is_ok() { cell.replace('.', ",") } else { cell.to_owned() }
}

#[test]
fn in_every_format_of_text() {
    let folder = Folder::new();
    let mut n_sets = 0;
    for info in nb_datasets::catalogue() {
        if info.group == nb_datasets::Group::Text || info.rows > MOST_ROWS {
            continue;
        }
        let csv = nb_datasets::csv(&info.name).unwrap();
        let table = Table::of(&csv);
        let decimal_commas = table.delimited(';', "\r\n", with_comma);
        let utf16 = format!("\u{FEFF}{}", table.delimited('\t', "\r\n", str::to_owned));
        folder.write("plain.csv", &csv);
        folder.write("semicolons.csv", decimal_commas);
        folder.write("tabs.tsv", table.delimited('\t', "\n", str::to_owned));
        folder.write("excel.txt", utf16.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
        folder.write("records.jsonl", table.json_lines());
        let train = |file: &str| {
            let mut words =
                ["train", file, "--label", &info.target, "-q", "-o", "m.nb"].map(String::from).to_vec();
            // The plain model has the sums of all cells; weights and corrections of many cells take long to
            // learn.
            words.extend((info.rows * info.columns.len() > MOST_REFINED).then(|| "--plain".to_owned()));
            let run = folder.nbayes_with_words(&words, "");
            assert_eq!(run.code, 0, "{} as {file}: {}", info.name, run.stderr);
            folder.read("m.nb")
        };
        let plain = train("plain.csv");
        for file in ["semicolons.csv", "tabs.tsv", "excel.txt", "records.jsonl"] {
            assert!(train(file) == plain, "{} as {file}", info.name);
        }
        n_sets += 1;
    }
    assert!(n_sets >= 20, "{n_sets}");
}

/// Rows of numbers and their labels, if a set has nothing else.
fn numbers(table: &Table, target: &str) -> Option<(Vec<Vec<f64>>, Vec<String>)> {
    let label = table.header.iter().position(|name| name == target)?;
    let is_plain = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for row in &table.rows {
        let cells = row.iter().enumerate().filter(|(place, _)| *place != label);
        rows.push(cells.map(|(_, cell)| cell.parse().ok()).collect::<Option<Vec<f64>>>()?);
        labels.push(row[label].clone());
    }
    labels.iter().all(|label| is_plain(label)).then_some((rows, labels))
}

/// Formats without names of columns have the same rows, too.
#[test]
fn in_formats_of_numbers() {
    let folder = Folder::new();
    let mut n_sets = 0;
    for info in nb_datasets::catalogue() {
        if info.group == nb_datasets::Group::Text || info.rows > MOST_ROWS {
            continue;
        }
        let Some((rows, labels)) = numbers(&Table::of(&nb_datasets::csv(&info.name).unwrap()), &info.target)
        else {
            continue;
        };
        let n_columns = rows[0].len();
        let names: Vec<String> = (1..=n_columns).map(|place| format!("x{place}")).collect();
        let (mut plain, mut sparse) = (format!("{},label\n", names.join(",")), String::new());
        for (row, label) in rows.iter().zip(&labels) {
            let cells: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(plain, "{},{label}", cells.join(",")).unwrap();
            let cells = cells.iter().enumerate().filter(|(place, _)| row[*place] != 0.0);
            let cells: Vec<String> = cells.map(|(place, cell)| format!("{}:{cell}", place + 1)).collect();
            writeln!(sparse, "{label} {}", cells.join(" ")).unwrap();
        }
        let longest = labels.iter().map(String::len).max().unwrap();
        let texts: Vec<String> = labels.iter().map(|label| format!("{label:\0<longest$}")).collect();
        let values: Vec<u8> = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let shape = format!("({}, {n_columns})", rows.len());
        folder.write("plain.csv", plain);
        folder.write("sparse.svm", sparse);
        folder.write(
            "arrays.npz",
            archive(&[
                ("X", array("<f8", &shape, &values)),
                (
                    "y",
                    array(&format!("|S{longest}"), &format!("({},)", rows.len()), texts.concat().as_bytes()),
                ),
            ]),
        );
        let train = |file: &str| {
            let run = folder.nbayes(&format!("train {file} --label label --all gaussian -q -o m.nb"));
            assert_eq!(run.code, 0, "{} as {file}: {}", info.name, run.stderr);
            folder.read("m.nb")
        };
        let expected = train("plain.csv");
        for file in ["sparse.svm", "arrays.npz"] {
            assert!(train(file) == expected, "{} as {file}", info.name);
        }
        n_sets += 1;
    }
    assert!(n_sets >= 5, "{n_sets}");
}
