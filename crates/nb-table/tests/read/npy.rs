//! NumPy arrays; the files in `data` were written by NumPy itself.

use std::{fs, path::PathBuf};

use nb_io::read::{
    Labels, Npy, NpyArray, NpyValues, ReadChunks, ReadError, read_npy, read_npy_from, read_npz, read_npz_from,
};
use nb_io::{Limits, Schema};
use ndarray::{Array2, array};

use crate::{assert_same, chunks, dense, only_chunk};

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "read", "data", name].iter().collect()
}

fn schema() -> Schema {
    Schema::numbered(3, "label")
}

fn floats() -> Array2<f64> {
    array![[1.5, -2.0, 3.0], [f64::NAN, 0.0, 1e-300]]
}

/// A `.npy` file, of format version 1.
fn npy(descr: &str, fortran_order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn every_number_type_and_order_is_read() {
    let whole = |last| array![[1.0, 2.0, 3.0], [4.0, 5.0, last]];
    for (name, expected) in [
        ("f8_c.npy", floats()),
        ("f8_fortran.npy", floats()),
        ("f4_big_endian.npy", whole(6.0)),
        ("i8.npy", array![[1.0, -2.0, 3.0], [4.0, 5.0, 9_007_199_254_740_992.0]]),
        ("u1.npy", array![[0.0, 1.0, 255.0], [2.0, 3.0, 4.0]]),
        ("bool.npy", array![[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]),
    ] {
        assert_eq!(Npy::default().infer(path(name)).unwrap(), schema());
        let chunk = only_chunk(&mut Npy::default().read(path(name), &schema()).unwrap());
        assert_same(dense(&chunk.rows), &expected);
        let one = Npy::default().with_chunk_rows(1);
        let rows = chunks(&mut one.read(path(name), &schema()).unwrap()).unwrap();
        assert_eq!(rows.iter().map(|chunk| chunk.first_row).collect::<Vec<_>>(), [0, 1]);
        for (row, chunk) in rows.iter().enumerate() {
            assert_same(dense(&chunk.rows), &expected.slice(ndarray::s![row..=row, ..]).to_owned());
        }
        let array = read_npy(path(name), Limits::default()).unwrap();
        assert_eq!(array.shape, [2, 3]);
        assert_same(&Array2::from_shape_vec((2, 3), array.numbers().unwrap().to_vec()).unwrap(), &expected);
    }
}

#[test]
fn labels_are_texts_or_whole_numbers() {
    for (name, expected) in [
        ("labels_unicode.npy", ["rot", "grün"]),
        ("labels_bytes.npy", ["red", "green"]),
        ("labels_i8.npy", ["-1", "1000000000000000001"]),
    ] {
        let mut reader = Npy::default().read_pair(path("f8_c.npy"), path(name), &schema()).unwrap();
        assert_eq!(only_chunk(&mut reader).labels.unwrap(), expected);
    }
    let error = Npy::default().read_pair(path("f8_c.npy"), path("u1.npy"), &schema()).unwrap_err();
    assert!(error.to_string().ends_with("array \"y\" has 2 dimensions; 1 are needed"), "{error}");
    let error = Npy::default().read_pair(path("scalar.npy"), path("labels_i8.npy"), &schema()).unwrap_err();
    assert!(error.to_string().ends_with("array \"x\" has 0 dimensions; 2 are needed"), "{error}");
}

#[test]
fn archives_hold_rows_and_labels() {
    for (name, labels) in [("stored.npz", ["rot", "grün"]), ("deflated.npz", ["3", "4"])] {
        assert_eq!(Npy::default().infer(path(name)).unwrap(), schema());
        let chunk = only_chunk(&mut Npy::default().read(path(name), &schema()).unwrap());
        assert_same(dense(&chunk.rows), &floats());
        assert_eq!(chunk.labels.unwrap(), labels);
        let unlabelled = Npy::default().with_labels(Labels::Ignore);
        assert_eq!(only_chunk(&mut unlabelled.read(path(name), &schema()).unwrap()).labels, None);
        let capital = Npy::default().with_y("Y".into()).with_labels(Labels::Required);
        assert_eq!(only_chunk(&mut capital.read(path(name), &schema()).unwrap()).labels.unwrap(), labels);
        let other = Npy::default().with_y("z".into()).with_labels(Labels::Required);
        let error = other.read(path(name), &schema()).unwrap_err().to_string();
        assert!(error.contains("there is no array \"z\"; the archive has the arrays "), "{error}");
        assert!(error.contains("\"x\"") && error.ends_with("; save one under that name"), "{error}");
    }
    let arrays = read_npz(path("deflated.npz"), Limits::default()).unwrap();
    assert_eq!(arrays.keys().collect::<Vec<_>>(), ["priors", "x", "y"]);
    assert_eq!(arrays["priors"].numbers().unwrap(), [0.25, 0.75]);
    let arrays = read_npz(path("stored.npz"), Limits::default()).unwrap();
    assert_eq!(arrays["y"].texts().unwrap(), ["rot", "grün"]);
}

#[test]
fn other_shapes_are_read_whole() {
    let scalar = read_npy(path("scalar.npy"), Limits::default()).unwrap();
    assert_eq!(scalar, NpyArray { shape: vec![], values: NpyValues::Numbers(vec![7.0]) });
    let cube = read_npy(path("cube_fortran.npy"), Limits::default()).unwrap();
    assert_eq!(cube.shape, [2, 3, 4]);
    assert_eq!(cube.numbers().unwrap(), (0..24).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn what_is_no_array_of_numbers_or_texts_is_refused() {
    let message = |name: &str| read_npy(path(name), Limits::default()).unwrap_err().to_string();
    assert!(
        message("objects.npy")
            .ends_with("array \"\" has the type \"|O\"; save it as float64, int64, bool or text")
    );
    assert!(message("record.npy").contains("array \"\" has the type \"[('a', '<f8'), ('b', '<i4')]\""));
    let wrong = Schema::numbered(4, "label");
    let error = Npy::default().read(path("f8_c.npy"), &wrong).unwrap_err().to_string();
    assert!(error.ends_with("3 columns where the schema has 4; is the file one for this schema?"), "{error}");
    let error = Npy::default().read_pair(path("f8_c.npy"), path("scalar.npy"), &schema()).unwrap_err();
    assert!(matches!(error, ReadError::File { .. }));
}

#[test]
fn cells_are_named() {
    let read = |bytes: &[u8]| -> String {
        let mut reader = Npy::default().read_from(std::io::Cursor::new(bytes), "t.npy", &schema()).unwrap();
        chunks(&mut reader).unwrap_err().to_string()
    };
    let bytes = npy("<f8", "False", "(2, 3)", &doubles(&[1.0, 2.0, 3.0, 4.0, f64::INFINITY, 6.0]));
    assert_eq!(
        read(&bytes),
        "t.npy, row 1, column \"x2\": \"inf\" is infinite or beyond the largest double; clip it or drop the row"
    );
    let large = (1_i64 << 53) + 1;
    let data: Vec<u8> = [1, 2, 3, 4, 5, large].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(
        read(&npy("<i8", "True", "(2, 3)", &data)),
        "t.npy, row 1, column \"x3\": \"9007199254740993\" is a whole number beyond 2^53, which no double holds \
         exactly; drop the column or store it as text"
    );
}

#[test]
fn lengths_must_agree() {
    let message = |bytes: Vec<u8>| {
        let mut reader = Npy::default().read_from(std::io::Cursor::new(bytes), "t.npy", &schema()).unwrap();
        chunks(&mut reader).unwrap_err().to_string()
    };
    let data = doubles(&[1.0; 6]);
    assert!(message(npy("<f8", "False", "(2, 3)", &data[..47])).ends_with("it ends within its elements"));
    assert!(message(npy("<f8", "True", "(2, 3)", &data[..47])).ends_with("it ends within its elements"));
    assert!(message(npy("<f8", "False", "(1, 3)", &data)).ends_with("bytes follow the last row"));
    // A row count beyond all measure is found out when the rows end.
    assert!(
        message(npy("<f8", "False", "(1000000000000, 3)", &data)).ends_with("it ends within its elements")
    );
    let whole = |bytes: &[u8]| read_npy_from(bytes, "t.npy", Limits::default()).unwrap_err().to_string();
    assert!(whole(&npy("<f8", "False", "(5,)", &data)).ends_with("array \"\": bytes follow its elements"));
    assert!(whole(&npy("<f8", "False", "(7,)", &data)).ends_with("array \"\": it ends within its elements"));
    assert!(whole(b"\x93NUMPY\x01\x00\xFF\xFF").ends_with("array \"\": it ends within its header"));
    assert!(whole(b"\x93NUMPY\x04\x00\xFF\xFF").ends_with("its format version is not 1, 2 or 3"));
    assert!(whole(b"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF").ends_with("its header is longer than 65536 bytes"));
    assert!(whole(b"not numpy").ends_with("array \"\": it does not begin with the magic bytes"));
}

#[test]
fn no_shape_makes_the_reader_take_more_memory_than_allowed() {
    let limits = Limits::default().with_max_bytes(1000);
    for (descr, shape) in [
        ("<f8", "(126,)"),
        ("|u1", "(126,)"),
        ("<U0", "(1000000000000,)"),
        ("|S0", "(42, 1)"),
        ("<f8", "(18446744073709551615, 18446744073709551615)"),
        ("<U4611686018427387903", "(4611686018427387903,)"),
    ] {
        let error =
            read_npy_from(&npy(descr, "False", shape, &[0; 8])[..], "t.npy", limits).unwrap_err().to_string();
        assert!(error.contains("more than the limit of 1000; raise the limit"), "{error}");
    }
    // No elements, however wide.
    let empty =
        read_npy_from(&npy("<f8", "False", "(0, 18446744073709551615)", &[])[..], "t.npy", limits).unwrap();
    assert_eq!(empty.shape, [0, usize::MAX]);
    let wide = npy("<f8", "False", "(0, 18446744073709551615)", &[]);
    assert!(Npy::default().read_from(std::io::Cursor::new(wide), "t.npy", &schema()).is_err());
    // The arrays of an archive count together.
    assert!(read_npz(path("deflated.npz"), Limits::default().with_max_bytes(48 + 16)).is_err());
    assert!(read_npz(path("deflated.npz"), Limits::default().with_max_bytes(48 + 16 + 16)).is_ok());
}

#[test]
fn a_damaged_archive_is_found_out_or_does_no_harm() {
    for name in ["stored.npz", "deflated.npz"] {
        let intact = fs::read(path(name)).unwrap();
        let arrays = read_npz(path(name), Limits::default()).unwrap();
        let bits = |array: &NpyArray| array.numbers().map(doubles);
        for place in 0..intact.len() {
            let mut bytes = intact.clone();
            bytes[place] ^= 0x10;
            // An array may have got another name, or a time stamp may have changed.
            if let Ok(found) = read_npz_from(std::io::Cursor::new(&bytes), name, Limits::default()) {
                for array in found.values() {
                    let is_known = arrays.values().any(|known| bits(known) == bits(array));
                    assert!(is_known, "{name}, byte {place}: {array:?}");
                }
            }
            let streamed = Npy::default()
                .read_from(std::io::Cursor::new(&bytes), name, &schema())
                .and_then(|mut reader| chunks(&mut reader));
            if let Ok(chunks) = streamed {
                assert_same(dense(&chunks[0].rows), &floats());
            }
        }
    }
    let mut bytes = fs::read(path("stored.npz")).unwrap();
    let place = bytes.windows(8).position(|window| window == 3.0_f64.to_le_bytes()).unwrap();
    bytes[place] ^= 1;
    let mut reader = Npy::default().read_from(std::io::Cursor::new(&bytes), "t.npz", &schema()).unwrap();
    assert!(reader.next_chunk().unwrap().is_some());
    let error = reader.next_chunk().unwrap_err().to_string();
    assert_eq!(error, "cannot read t.npz: the checksum of an array is wrong");
}
