//! Text compressed by bzip2 and xz.

use nb_io::{
    Schema,
    read::{Csv, ReadChunks, Svmlight},
};
use ndarray::array;

use crate::{assert_same, chunks, dense, mutations, only_chunk};

/// `x,y`, `1.5,a`, `2.5,b`, by bzip2.
const BZIP2: &str = "425a683931415926535912ac22d1000007598000100005320030000060200021a4d30da8400c0d6d0cd4214fb85dc914e142\
                     404ab08b44";
/// The same by `xz`.
const XZ: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a301000f782c790a312e352c610a322e352c620a00b25438526b3949\
                  7300012810e50b6c601fb6f37d010000000004595a";
/// The same with a dictionary of 1 GiB.
const XZ_OF_A_GIBIBYTE: &str = "fd377a585a000004e6d6b44602002101240000005e1fc7f901000f782c790a312e352c610a322e352c620a0\
                                0b25438526b39497300012810e50b6c601fb6f37d010000000004595a";

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits = hexadecimal.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

fn schema() -> Schema {
    Schema::numeric(["x"], "y")
}

#[test]
fn compressions_are_known_by_their_first_bytes() {
    for file in [bytes(BZIP2), bytes(XZ)] {
        let mut reader = Csv::default().read_from(&file[..], "t.csv", &schema()).unwrap();
        let chunk = only_chunk(&mut reader);
        assert_same(dense(&chunk.rows), &array![[1.5], [2.5]]);
        // Several streams, one after the other, as compressors on many cores write them.
        let twice = [&file[..], &file[..]].concat();
        let mut reader = Csv::default().read_from(&twice[..], "t.csv", &schema()).unwrap();
        let chunk = only_chunk(&mut reader);
        assert_same(dense(&chunk.rows), &array![[1.5], [2.5], [1.5], [2.5]]);
        assert_eq!(reader.repeated_header().unwrap().first.to_string(), "line 4");
        // Cut short, it is an error also for svmlight.
        let cut = &file[..file.len() - 12];
        let result =
            Svmlight::default().read_from(cut, "t.svm", &schema()).and_then(|mut rows| chunks(&mut rows));
        assert!(result.is_err());
    }
    // Text that begins as bzip2 does.
    let mut reader =
        Csv::default().read_from("BZh9x,y\n".as_bytes(), "t.csv", &Schema::numeric(["BZh9x"], "y"));
    assert!(chunks(reader.as_mut().unwrap()).unwrap().is_empty());
}

#[test]
fn memory_of_xz_is_bounded() {
    let file = bytes(XZ_OF_A_GIBIBYTE);
    let error =
        Csv::default().read_from(&file[..], "t.csv.xz", &schema()).and_then(|mut rows| chunks(&mut rows));
    assert_eq!(
        error.unwrap_err().to_string(),
        "cannot read t.csv.xz: decompressing it takes more than 128 MiB of memory; compress it again with xz -9 or less"
    );
}

#[test]
fn damage_is_an_error() {
    for file in [bytes(BZIP2), bytes(XZ)] {
        mutations::of(&file, 500, |bytes| {
            let rows = Csv::default().read_from(bytes, "t.csv", &schema());
            if let Ok(chunks) = rows.and_then(|mut rows| chunks(&mut rows)) {
                assert!(chunks.len() <= 1);
            }
        });
    }
}
