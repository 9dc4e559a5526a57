//! Avro files give what Parquet files with the same rows give.

use std::{fs, fs::File, path::Path, process::Command, sync::Arc};

use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray},
        record_batch::RecordBatch,
    },
    parquet::arrow::ArrowWriter,
};

use crate::{hive::run, nbayes::nbayes, support::Numbers};

const N_ROWS: usize = 120;
const COLOURS: [&str; 3] = ["red", "green", "blue"];

/// What is behind the header and each block.
const MARKER: &[u8] = b"0123456789abcdef";

/// The cells of a row, by the names of their columns.
struct Row {
    y: &'static str,
    x: f64,
    n: Option<i64>,
    colour: usize,
    flag: bool,
}

fn rows() -> Vec<Row> {
    let mut random = Numbers(5);
    let row = |_| {
        let class = random.below(2);
        Row {
            y: ["no", "yes"][class as usize],
            x: random.unit() * 1e6 + class as f64,
            n: (random.below(9) > 0).then(|| random.below(1000).cast_signed() - 500),
            colour: (random.below(3) * (class + 1) % 3) as usize,
            flag: random.below(3) == class,
        }
    };
    (0..N_ROWS).map(row).collect()
}

/// Appends a number as Avro has it: seven bits a byte, the sign last.
fn long(number: i64, bytes: &mut Vec<u8>) {
    let mut rest = ((number << 1) ^ (number >> 63)).cast_unsigned();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn count(number: usize, bytes: &mut Vec<u8>) {
    long(number.try_into().unwrap(), bytes);
}

fn text(text: &str, bytes: &mut Vec<u8>) {
    count(text.len(), bytes);
    bytes.extend(text.as_bytes());
}

/// An Avro file of the rows in blocks of 50, with the columns in this order.
fn avro(rows: &[Row], columns: &[&str]) -> Vec<u8> {
    let fields = columns.iter().map(|&column| {
        let kind = match column {
            "y" => r#""string""#,
            "x" => r#""double""#,
            "n" => r#"["null", "long"]"#,
            "colour" => r#"{"type": "enum", "name": "colours", "symbols": ["red", "green", "blue"]}"#,
            _ => r#""boolean""#,
        };
        format!(r#"{{"name": "{column}", "type": {kind}}}"#)
    });
    let fields: Vec<String> = fields.collect();
    let mut file = b"Obj\x01".to_vec();
    long(1, &mut file);
    text("avro.schema", &mut file);
    text(&format!(r#"{{"type": "record", "name": "row", "fields": [{}]}}"#, fields.join(", ")), &mut file);
    long(0, &mut file);
    file.extend(MARKER);
    for block in rows.chunks(50) {
        let mut bytes = Vec::new();
        for row in block {
            for &column in columns {
                match (column, row.n) {
                    ("y", _) => text(row.y, &mut bytes),
                    ("x", _) => bytes.extend(row.x.to_le_bytes()),
                    ("n", None) => long(0, &mut bytes),
                    ("n", Some(n)) => {
                        long(1, &mut bytes);
                        long(n, &mut bytes);
                    }
                    ("colour", _) => count(row.colour, &mut bytes),
                    _ => bytes.push(row.flag.into()),
                }
            }
        }
        count(block.len(), &mut file);
        count(bytes.len(), &mut file);
        file.extend(bytes);
        file.extend(MARKER);
    }
    file
}

fn write_parquet(rows: &[Row], path: &Path) {
    let columns: [(&str, ArrayRef); 5] = [
        ("y", Arc::new(rows.iter().map(|row| Some(row.y)).collect::<StringArray>())),
        ("x", Arc::new(rows.iter().map(|row| Some(row.x)).collect::<Float64Array>())),
        ("n", Arc::new(rows.iter().map(|row| row.n).collect::<Int64Array>())),
        ("colour", Arc::new(rows.iter().map(|row| Some(COLOURS[row.colour])).collect::<StringArray>())),
        ("flag", Arc::new(rows.iter().map(|row| Some(row.flag)).collect::<BooleanArray>())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn avro_gives_what_parquet_gives() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let rows = rows();
    write_parquet(&rows, &path("all.parquet"));
    // The order of columns is that of the first file.
    fs::write(path("part-0.avro"), avro(&rows[..70], &["y", "x", "n", "colour", "flag"])).unwrap();
    fs::write(path("part-1.avro"), avro(&rows[70..], &["flag", "n", "colour", "y", "x"])).unwrap();
    let bytes = |name: &str| fs::read(path(name)).unwrap();
    let lines = || {
        let text = fs::read_to_string(path("out.csv")).unwrap();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort_unstable();
        lines
    };
    let mut results = Vec::new();
    for files in ["all.parquet", "part-*.avro"] {
        for arguments in [
            format!("train {files} --label y -o plain.nb"),
            format!("predict plain.nb {files} --proba -o out.csv"),
        ] {
            let (is_done, said) = run(folder.path(), &arguments);
            assert!(is_done, "{arguments}: {said}");
        }
        let train = format!("train {files} --label y --engine datafusion -o refined.nb");
        let output =
            Command::new(nbayes()).args(train.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{train}: {}", String::from_utf8_lossy(&output.stderr));
        results.push((bytes("plain.nb"), bytes("refined.nb"), lines()));
    }
    assert_eq!(results[0].2, results[1].2);
    assert!(results[0].0 == results[1].0, "other bytes of the plain model");
    assert!(results[0].1 == results[1].1, "other bytes of the refined model");
}

#[test]
fn a_cut_avro_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = avro(&rows(), &["y", "x", "n", "colour", "flag"]);
    // The engine's reader would leave the last rows out.
    fs::write(folder.path().join("t.avro"), &file[..file.len() - 40]).unwrap();
    let (is_done, said) = run(folder.path(), "train t.avro --label y -o m.nb");
    assert!(!is_done && said.contains("t.avro is cut"), "{said}");
}
