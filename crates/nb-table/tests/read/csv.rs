//! Reading with a schema.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use nb_io::read::{Csv, ExtraColumns, Labels, NewLevels, Overrides, ReadChunks, TableOptions};
use nb_io::{Column, Kind, Schema};
use ndarray::array;

use crate::{assert_same, chunks, dense, only_chunk};

fn categorical(name: &str, levels: &[&str]) -> Column {
    let levels = levels.iter().map(|&level| level.into()).collect();
    Column { name: name.into(), kind: Kind::Categorical { levels } }
}

fn schema() -> Schema {
    let mut schema = Schema::numeric(["size"], "y");
    schema.columns.push(categorical("colour", &["blue", "red"]));
    schema
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let text = "colour,id,y,size\nred,1,a,1.5\nblue,2,b, 2 \n,3,a,NA\n";
    let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &schema()).unwrap();
    assert_eq!(reader.ignored_columns(), ["id"]);
    let chunk = only_chunk(&mut reader);
    assert_same(dense(&chunk.rows), &array![[1.5, 1.0], [2.0, 0.0], [f64::NAN, f64::NAN]]);
    assert_eq!(chunk.labels.unwrap(), ["a", "b", "a"]);
    assert_eq!(chunk.weights, None);
}

#[test]
fn a_file_to_predict_needs_no_labels() {
    let text = "size,colour\n1,red\n";
    let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &schema()).unwrap();
    assert_eq!(only_chunk(&mut reader).labels, None);
    let text = "size,colour,y\n1,red,\n";
    let table = TableOptions::default().with_labels(Labels::Ignore);
    let csv = Csv::default().with_table(table);
    let mut reader = csv.read_from(text.as_bytes(), "t.csv", &schema()).unwrap();
    assert_eq!(only_chunk(&mut reader).labels, None);
}

#[test]
fn chunks_are_the_file_in_pieces() {
    let adult = nb_datasets::csv("adult").unwrap();
    let csv = Csv::default();
    let open = || Ok(&adult[..]);
    let target = &nb_datasets::info("adult").unwrap().target;
    let schema = csv.infer_from(open, "adult.csv", target, &Overrides::default()).unwrap().schema;
    let small = Csv::default().with_table(TableOptions::default().with_chunk_rows(1000));
    let pieces = chunks(&mut small.read_from(&adult[..], "adult.csv", &schema).unwrap()).unwrap();
    assert_eq!(pieces.len(), 33);
    let whole = chunks(&mut csv.read_from(&adult[..], "adult.csv", &schema).unwrap()).unwrap();
    let rows = |chunks: &[nb_io::read::Chunk]| -> Vec<u64> {
        chunks.iter().flat_map(|chunk| dense(&chunk.rows).iter().map(|value| value.to_bits())).collect()
    };
    assert_eq!(rows(&pieces), rows(&whole));
    let mut n_rows = 0;
    for chunk in &pieces {
        assert_eq!(chunk.first_row, n_rows);
        n_rows += dense(&chunk.rows).nrows();
    }
    assert_eq!(n_rows, 32_561);
}

#[test]
fn line_ends_quotes_and_byte_order_marks_are_no_matter() {
    let expected = array![[1.0, 1.0], [2.0, 0.0]];
    for text in [
        "size,colour,y\n1,red,a\n2,blue,b\n",
        "size,colour,y\r\n1,red,a\r\n2,blue,b\r\n",
        "size,colour,y\n1,red,a\n2,blue,b",
        "\u{FEFF}size,colour,y\n1,red,a\n\n2,blue,b\n\n",
        "\"size\",\"colour\",\"y\"\n\"1\",\"red\",\"a\"\n\"2\",\"blue\",\"b\"\n",
        "size , colour,y\n 1, red,a\n2 ,blue ,b\n",
        "size,colour,y\r1,red,a\r2,blue,b\r",
    ] {
        let mut reader = Csv::default().read_from(text.as_bytes(), "t.csv", &schema()).unwrap();
        let chunk = only_chunk(&mut reader);
        assert_same(dense(&chunk.rows), &expected);
        assert_eq!(chunk.labels.unwrap(), ["a", "b"], "{text:?}");
    }
    let text = "size;colour;y\n1;'red';a\n2;blue;b\n";
    let csv = Csv::default().with_delimiter(Some(b';')).with_quote(Some(b'\''));
    let chunk = only_chunk(&mut csv.read_from(text.as_bytes(), "t.csv", &schema()).unwrap());
    assert_same(dense(&chunk.rows), &expected);
}

#[test]
fn the_name_tells_tabs_from_commas() {
    let text = "size\tcolour\ty\n1\tred\ta\n";
    for name in ["t.tsv", "T.TAB", "t.tsv.gz", "t.tsv.zst"] {
        let mut reader = Csv::default().read_from(text.as_bytes(), name, &schema()).unwrap();
        assert_same(dense(&only_chunk(&mut reader).rows), &array![[1.0, 1.0]]);
    }
}

#[test]
fn without_a_header_columns_are_numbered() {
    let mut schema = Schema::numbered(2, "x3");
    let csv = Csv::default().with_header(false);
    let text = "1,2,a\n3,4,b\n";
    let chunk = only_chunk(&mut csv.read_from(text.as_bytes(), "t.csv", &schema).unwrap());
    assert_same(dense(&chunk.rows), &array![[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(chunk.labels.unwrap(), ["a", "b"]);
    schema.columns.pop();
    let inferred = csv.infer_from(|| Ok(text.as_bytes()), "t.csv", "x3", &Overrides::default()).unwrap();
    assert_eq!(inferred.schema, Schema::numbered(2, "x3"));
}

#[test]
fn gzip_is_known_by_its_bytes_also_in_several_members() {
    let mut bytes = gzip(b"size,colour,y\n1,red,a\n");
    bytes.extend(gzip(b"2,blue,b\n"));
    let chunk = only_chunk(&mut Csv::default().read_from(&bytes[..], "t", &schema()).unwrap());
    assert_same(dense(&chunk.rows), &array![[1.0, 1.0], [2.0, 0.0]]);
    let cut = &bytes[..bytes.len() - 9];
    let mut reader = Csv::default().read_from(cut, "cut.gz", &schema()).unwrap();
    let error = chunks(&mut reader).unwrap_err().to_string();
    assert!(error.starts_with("cannot read cut.gz: "), "{error}");
}

#[test]
#[cfg(feature = "zstd")]
fn zstd_is_known_by_its_bytes() {
    let mut bytes = zstd::encode_all(&b"size,colour,y\n1,red,a\n"[..], 3).unwrap();
    bytes.extend(zstd::encode_all(&b"2,blue,b\n"[..], 3).unwrap());
    let chunk = only_chunk(&mut Csv::default().read_from(&bytes[..], "t", &schema()).unwrap());
    assert_same(dense(&chunk.rows), &array![[1.0, 1.0], [2.0, 0.0]]);
    assert!(Csv::default().read_from(&bytes[..6], "t", &schema()).is_err());
}

#[test]
#[cfg(not(feature = "zstd"))]
fn zstd_without_its_feature_says_so() {
    let error = Csv::default().read_from(&b"\x28\xB5\x2F\xFD..."[..], "t.csv.zst", &schema()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv.zst: the file is compressed by zstd; decompress it, or build nb-io with its feature `zstd`"
    );
}

#[test]
fn new_categories_follow_the_policy() {
    let text = "size,colour,y\n1,redd,a\n2,red,a\n3,redd,b\n";
    let read = |new_levels| {
        let csv = Csv::default().with_table(TableOptions::default().with_new_levels(new_levels));
        let mut reader = csv.read_from(text.as_bytes(), "t.csv", &schema()).unwrap();
        let chunk = reader.next_chunk();
        (
            chunk.map(|chunk| dense(&chunk.unwrap().rows).column(1).to_vec()),
            reader.schema().columns[1].clone(),
        )
    };
    let (error, _) = read(NewLevels::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "t.csv, line 2, column \"colour\": \"redd\" is not one of the 2 categories of the schema (the nearest is \
         \"red\"); correct it, or choose another policy for new categories"
    );
    let (codes, column) = read(NewLevels::Intern);
    assert_eq!(codes.unwrap(), [2.0, 1.0, 2.0]);
    assert_eq!(column, categorical("colour", &["blue", "red", "redd"]));
    let (codes, _) = read(NewLevels::Missing);
    assert!(codes.unwrap()[0].is_nan());
    let (codes, column) = read(NewLevels::Unseen);
    assert_eq!(codes.unwrap(), [2.0, 1.0, 2.0]);
    assert_eq!(column, schema().columns[1]);
}

#[test]
fn weights_have_a_column() {
    let table = TableOptions::default().with_weight(Some("n".into()));
    let csv = Csv::default().with_table(table.with_extra_columns(ExtraColumns::Error));
    let text = "n,size,colour,y\n2,1,red,a\n0.5,2,blue,b\n";
    let chunk = only_chunk(&mut csv.read_from(text.as_bytes(), "t.csv", &schema()).unwrap());
    assert_eq!(chunk.weights.unwrap(), [2.0, 0.5]);
    let text = "n,size,colour,y\n-2,1,red,a\n";
    let error = chunks(&mut csv.read_from(text.as_bytes(), "t.csv", &schema()).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv, line 2, column \"n\": \"-2\" is not a weight; weights are numbers from 0"
    );
}
