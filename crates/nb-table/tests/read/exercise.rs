//! What is done with bytes that may be anything, by the fuzz targets and by the test that stands in for them.
//! Nothing here may panic, except for a promise that is broken.

use std::io::Cursor;

use nb_io::read::{
    Chunk, Csv, KindChoice, Labels, NewLevels, Npy, Overrides, QueryIds, ReadChunks, ReadError, Svmlight,
    TableOptions, read_npy_from, read_npz_from,
};
use nb_io::{Kind, Limits, Model, Schema, Text, TextOptions};

/// How many rows a reader yields before its end or an error.
fn n_rows(mut reader: impl ReadChunks) -> Result<usize, ReadError> {
    use nb_core::Rows;
    let mut n_rows = 0;
    while let Some(Chunk { first_row, rows, labels, .. }) = reader.next_chunk()? {
        assert_eq!(first_row, n_rows);
        assert!(rows.n_rows() > 0 && rows.n_columns() == reader.schema().n_features());
        assert!(labels.is_none_or(|labels| labels.len() == rows.n_rows()));
        n_rows += rows.n_rows();
    }
    assert!(reader.next_chunk().is_ok_and(|chunk| chunk.is_none()));
    Ok(n_rows)
}

pub(crate) fn csv(bytes: &[u8]) {
    let table = TableOptions::default().with_new_levels(NewLevels::Intern).with_chunk_rows(3);
    let strict = Csv::default().with_max_record_bytes(4096).with_table(table);
    let table = TableOptions::default().with_labels(Labels::Ignore);
    let lax = strict
        .clone()
        .with_header(false)
        .with_quote(None)
        .with_trim(false)
        .with_delimiter(Some(b';'))
        .with_table(table);
    for (csv, label) in [(strict, "y"), (lax, "x1")] {
        if let Ok(inferred) = csv.infer_from(|| Ok(bytes), "fuzz.csv", label, &Overrides::default()) {
            assert!(inferred.schema.check().is_ok());
            // Labels may be missing, and numbers infinite: reading is stricter than learning.
            if let Ok(n_rows) = csv.read_from(bytes, "fuzz.csv", &inferred.schema).and_then(n_rows) {
                assert_eq!(n_rows, inferred.n_rows);
            }
        }
        let mut schema = Schema::numeric(["a", "b"], "y");
        let _ = csv.read_from(bytes, "fuzz.csv", &schema).and_then(n_rows);
        let options = TextOptions::default().with_transforms().with_buckets(Some(16));
        schema.columns[0].kind = Kind::Text(Text::learn(&["a b"], &options).unwrap().into());
        let _ = csv.read_from(bytes, "fuzz.csv", &schema).and_then(n_rows);
        let texts = Overrides::default().with("a", KindChoice::Text);
        if let Ok(inferred) = csv.infer_from(|| Ok(bytes), "fuzz.csv", label, &texts) {
            assert!(inferred.schema.check().is_ok());
        }
    }
}

pub(crate) fn svmlight(bytes: &[u8]) {
    let one = Svmlight::default().with_chunk_rows(2).with_max_line_bytes(4096);
    let zero = one.clone().with_zero_based(true).with_query_ids(QueryIds::Ignore);
    for svmlight in [one, zero] {
        let _ = svmlight.read_from(bytes, "fuzz.svm", &Schema::numbered(16, "label")).and_then(n_rows);
    }
}

pub(crate) fn npy(bytes: &[u8]) {
    let limits = Limits::default().with_max_bytes(1 << 20);
    let whole = read_npy_from(bytes, "fuzz.npy", limits);
    if let Ok(array) = whole {
        let n_elements: usize = if array.shape.contains(&0) { 0 } else { array.shape.iter().product() };
        let found = array.numbers().map(<[f64]>::len).or(array.texts().map(<[String]>::len));
        assert_eq!(found, Some(n_elements));
    }
    let _ = read_npz_from(Cursor::new(bytes), "fuzz.npz", limits);
    let npy = Npy::default().with_chunk_rows(2).with_limits(limits);
    for n_columns in [1, 3] {
        let schema = Schema::numbered(n_columns, "label");
        let _ = npy.read_from(Cursor::new(bytes), "fuzz.npy", &schema).and_then(n_rows);
    }
}

pub(crate) fn model(bytes: &[u8]) {
    let check = |bytes: &[u8]| {
        if let Ok(model) = Model::from_bytes(bytes) {
            // What can be loaded can be used and stored.
            let _ = model.classifier();
            assert_eq!(Model::from_bytes(&model.to_bytes().unwrap()).unwrap(), model);
        }
    };
    check(bytes);
    // With a header that fits, so that more than the checksum is tested.
    let mut bytes = bytes.to_vec();
    if bytes.len() >= 24 {
        let length = (bytes.len() - 24) as u64;
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&bytes[..12]);
        checksum.update(&bytes[16..]);
        bytes[12..16].copy_from_slice(&checksum.finalize().to_le_bytes());
        check(&bytes);
    }
}

pub(crate) fn model_json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(model) = Model::from_json(text) {
        let _ = model.classifier();
        assert_eq!(Model::from_json(&model.to_json().unwrap()).unwrap(), model);
    }
}
