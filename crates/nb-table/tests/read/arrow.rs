//! Parquet and Arrow files; those in `data` were written by Apache Arrow.

use std::{fs, path::PathBuf};

use nb_io::Kind;
use nb_io::read::{Arrow, Csv, KindChoice, Labels, NewLevels, Overrides, ReadChunks, Reason, TableOptions};
use ndarray::{Array2, array};

use crate::{assert_same, chunks, dense};

const FILES: [&str; 6] = [
    "table_snappy.parquet",
    "table_gzip.parquet",
    "table_zstd.parquet",
    "table.arrow",
    "table.arrows",
    "table_zstd.arrow",
];

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "read", "data", name].iter().collect()
}

fn weighted() -> Arrow {
    let table = TableOptions::default().with_weight(Some("weight".into()));
    Arrow::default().with_table(table.with_missing(Some(["NA".into()].into())))
}

fn expected() -> Array2<f64> {
    let nan = f64::NAN;
    array![
        [1.5, 1.0, 1.0, 1.0, 0.0],
        [nan, 2.0, 0.0, 0.0, 1.0],
        [3.0, 3.0, nan, nan, 0.0],
        [nan, 4.0, 1.0, nan, nan],
        [-0.5, nan, 0.0, 1.0, 0.0],
    ]
}

#[test]
fn all_formats_are_the_same_table() {
    let overrides = Overrides::default().ignore("day").with("count", KindChoice::Count);
    for name in FILES {
        let arrow = weighted();
        let inferred = arrow.infer(path(name), "class", &overrides).unwrap();
        assert_eq!(inferred.n_rows, 5, "{name}");
        let kinds: Vec<&Kind> = inferred.columns.iter().map(|column| &column.kind).collect();
        let levels = |levels: [&str; 2]| Kind::Categorical { levels: levels.map(String::from).into() };
        let (colours, shapes) = (levels(["blue", "red"]), levels(["round", "square"]));
        let flags = levels(["false", "true"]);
        assert_eq!(kinds, [&Kind::Numeric, &Kind::Count, &flags, &colours, &shapes], "{name}");
        assert_eq!(inferred.columns[0].reason, Reason::Type("Float32".into()));
        assert_eq!(inferred.columns[1].reason, Reason::Override);

        for chunk_rows in [1, 3, 100] {
            let table = arrow.table.clone().with_chunk_rows(chunk_rows);
            let mut reader = Arrow::default().with_table(table).read(path(name), &inferred.schema).unwrap();
            assert_eq!(reader.ignored_columns(), ["day"]);
            let chunks = chunks(&mut reader).unwrap();
            assert!(chunks.iter().all(|chunk| dense(&chunk.rows).nrows() <= chunk_rows));
            let parts: Vec<_> = chunks.iter().map(|chunk| dense(&chunk.rows).view()).collect();
            assert_same(&ndarray::concatenate(ndarray::Axis(0), &parts).unwrap(), &expected());
            let labels: Vec<_> = chunks.iter().flat_map(|chunk| chunk.labels.clone().unwrap()).collect();
            assert_eq!(labels, ["a", "b", "a", "b", "a"]);
            let weights: Vec<_> = chunks.iter().flat_map(|chunk| chunk.weights.clone().unwrap()).collect();
            assert_eq!(weights, [1.0, 2.0, 1.0, 1.0, 3.0]);
            let mut n_rows = 0;
            for chunk in &chunks {
                assert_eq!(chunk.first_row, n_rows);
                n_rows += dense(&chunk.rows).nrows();
            }
        }
    }
}

#[test]
fn a_text_is_missing_only_where_it_is_said_to_be() {
    let colours = |arrow: Arrow| {
        let overrides = Overrides::default().ignore("day");
        let inferred = arrow.infer(path("table.arrow"), "class", &overrides).unwrap();
        inferred.schema.columns[3].kind.clone()
    };
    let levels = |levels: &[&str]| Kind::Categorical {
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
    };
    assert_eq!(colours(weighted()), levels(&["blue", "red"]));
    assert_eq!(colours(Arrow::default()), levels(&["NA", "blue", "red"]));
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let overrides = Overrides::default().ignore("day");
    let mut schema = weighted().infer(path(FILES[0]), "class", &overrides).unwrap().schema;
    schema.columns.reverse();
    for name in FILES {
        let mut rows = Vec::new();
        for chunk in chunks(&mut weighted().read(path(name), &schema).unwrap()).unwrap() {
            rows.extend(dense(&chunk.rows).slice(ndarray::s![.., ..;-1]).iter().copied());
        }
        assert_same(&Array2::from_shape_vec((5, 5), rows).unwrap(), &expected());
    }
}

/// A number that names a category has the same name as in a text file.
#[test]
fn schemas_are_shared_with_text_files() {
    let text = "count,shape,class\n2,round,a\n1,square,b\n3,round,b\n";
    let overrides = Overrides::default().with("count", KindChoice::Categorical);
    let schema =
        Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "class", &overrides).unwrap().schema;
    let table = TableOptions::default().with_new_levels(NewLevels::Intern);
    let mut reader = Arrow::default().with_table(table).read(path("table.arrow"), &schema).unwrap();
    let chunk = reader.next_chunk().unwrap().unwrap();
    assert_same(dense(&chunk.rows), &array![[0.0, 0.0], [1.0, 1.0]]);
    chunks(&mut reader).unwrap();
    assert_eq!(
        reader.schema().columns[0].kind,
        Kind::Categorical { levels: ["1", "2", "3", "4"].map(String::from).into() }
    );
}

#[test]
fn defects_are_named() {
    let message = |name: &str, overrides: &Overrides| {
        let arrow = Arrow::default().with_table(TableOptions::default().with_labels(Labels::Required));
        let result = arrow
            .infer(path(name), "class", overrides)
            .and_then(|inferred| chunks(&mut arrow.read(path(name), &inferred.schema)?));
        let message = result.unwrap_err().to_string();
        message.strip_prefix(&path(name).display().to_string()).unwrap_or(&message).to_owned()
    };
    let none = Overrides::default();
    assert_eq!(
        message("refused.parquet", &none),
        ", row 0, column \"x\": \"inf\" is infinite or beyond the largest double; clip it or drop the row"
    );
    let no_x = none.clone().ignore("x");
    assert_eq!(
        message("refused.parquet", &no_x),
        ", row 1, column \"n\": \"9007199254740993\" is a whole number beyond 2^53, which no double holds exactly; drop \
         the column or store it as text"
    );
    assert_eq!(
        message("refused.parquet", &no_x.with("n", KindChoice::Categorical)),
        ", row 1, column \"class\": \"\" is a missing label; fill it in, drop the row, or have the label column ignored"
    );
    let error = Arrow::default().infer(path("table.arrow"), "clas", &Overrides::default()).unwrap_err();
    assert!(error.to_string().ends_with("did you mean \"class\"?"), "{error}");
    let error = Arrow::default().infer(path("f8_c.npy"), "class", &Overrides::default()).unwrap_err();
    assert!(error.to_string().contains("this is not a usable parquet or arrow file"), "{error}");
}

#[test]
fn damage_does_no_harm() {
    let overrides = Overrides::default().ignore("day");
    let schema = Arrow::default().infer(path("table.arrow"), "class", &overrides).unwrap().schema;
    for name in FILES {
        let intact = fs::read(path(name)).unwrap();
        let damaged = tempfile(name);
        for length in (0..intact.len()).step_by(7) {
            fs::write(&damaged, &intact[..length]).unwrap();
            let result = Arrow::default().read(&damaged, &schema).and_then(|mut reader| chunks(&mut reader));
            // A stream may end after any message.
            assert!(result.is_err() || name == "table.arrows", "{name}, {length} bytes");
        }
        for place in 0..intact.len() {
            let mut bytes = intact.clone();
            bytes[place] ^= 1 << (place % 8);
            bytes[(place * 7) % intact.len()] = 0xFF;
            fs::write(&damaged, &bytes).unwrap();
            // No more than that it comes back: data and names may have changed without a sign.
            let _ = Arrow::default().infer(&damaged, "class", &overrides);
            let _ = Arrow::default().read(&damaged, &schema).and_then(|mut reader| chunks(&mut reader));
        }
        fs::remove_file(&damaged).unwrap();
    }
}

fn tempfile(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("nb-io-{}-{name}", std::process::id()))
}

#[test]
fn feather_files_may_be_compressed_by_lz4() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use arrow_ipc::{CompressionType, writer::FileWriter, writer::IpcWriteOptions};

    let length: ArrayRef = Arc::new((0..1000).map(|row| Some(f64::from(row % 7))).collect::<Float64Array>());
    let class: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|row| ["a", "b"][row % 2])));
    let batch = RecordBatch::try_from_iter([("length", length), ("class", class)]).unwrap();
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::LZ4_FRAME)).unwrap();
    let path = std::env::temp_dir().join(format!("nb-io-lz4-{}.feather", std::process::id()));
    let file = fs::File::create(&path).unwrap();
    let mut writer = FileWriter::try_new_with_options(file, &batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let inferred = Arrow::default().infer(&path, "class", &Overrides::default()).unwrap();
    let read = chunks(&mut Arrow::default().read(&path, &inferred.schema).unwrap()).unwrap();
    assert_eq!(read.iter().map(|chunk| dense(&chunk.rows).nrows()).sum::<usize>(), 1000);
    assert_eq!(dense(&read[0].rows)[[6, 0]], 6.0);
    assert_eq!(read[0].labels.as_ref().unwrap()[..2], ["a", "b"]);
    fs::remove_file(path).unwrap();
}

#[test]
fn constants_are_columns_of_all_rows() {
    use nb_io::Schema;

    let schema = Schema::numeric(["hour", "small"], "region");
    let constants =
        [("region", "eu"), ("hour", "7"), ("small", "")].map(|(name, cell)| (name.into(), cell.into()));
    let table = TableOptions::default()
        .with_constants(constants.to_vec())
        .with_ids(vec!["class".into(), "hour".into()]);
    for name in FILES {
        let mut reader = Arrow::default().with_table(table.clone()).read(path(name), &schema).unwrap();
        let chunks = chunks(&mut reader).unwrap();
        let mut classes = Vec::new();
        for chunk in &chunks {
            let n_rows = chunk.ids[0].len();
            let rows = Array2::from_shape_fn((n_rows, 2), |(_, column)| [7.0, f64::NAN][column]);
            assert_same(dense(&chunk.rows), &rows);
            assert_eq!(chunk.labels, Some(vec!["eu".to_owned(); n_rows]), "{name}");
            assert_eq!(chunk.ids[1], vec!["7"; n_rows], "{name}");
            classes.extend(chunk.ids[0].iter().map(String::as_str));
        }
        assert_eq!(classes, ["a", "b", "a", "b", "a"], "{name}");
    }
    let own = TableOptions::default().with_constants(vec![("class".into(), "a".into())]);
    let error = Arrow::default().with_table(own).read(path(FILES[0]), &schema).unwrap_err().to_string();
    assert!(error.contains("a column \"class\" of its own"), "{error}");
}
