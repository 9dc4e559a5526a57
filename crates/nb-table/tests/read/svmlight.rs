//! The sparse text format.

use nb_core::Rows;
use nb_io::Schema;
use nb_io::read::{QueryIds, Svmlight, Table};

use crate::{chunks, only_chunk};

fn message(svmlight: &Svmlight, text: &[u8]) -> String {
    let mut reader = svmlight.read_from(text, "t.svm", &Schema::numbered(3, "label")).unwrap();
    chunks(&mut reader).unwrap_err().to_string()
}

#[test]
fn rows_labels_and_comments() {
    let text = "# made by hand\n+1 3:0.5 1:2 # unsorted\n\n-1\r\nspam 2:nan 3:-1e-3\n1.5\t1:1";
    let mut reader =
        Svmlight::default().read_from(text.as_bytes(), "t.svm", &Schema::numbered(3, "label")).unwrap();
    let chunk = only_chunk(&mut reader);
    assert_eq!(chunk.labels.unwrap(), ["1", "-1", "spam", "1.5"]);
    let Table::Sparse(rows) = chunk.rows else { panic!("expected a sparse table") };
    assert_eq!(rows.indptr(), [0, 2, 2, 4, 5]);
    assert_eq!(rows.indices(), [0, 2, 1, 2, 0]);
    assert_eq!(rows.values()[..2], [2.0, 0.5]);
    assert!(rows.values()[2].is_nan());
    assert_eq!((rows.n_rows(), rows.n_columns()), (4, 3));
}

#[test]
fn defects_are_named() {
    let one = Svmlight::default();
    assert_eq!(
        message(&one, b"1 1:1\n1 2=3\n"),
        "t.svm, line 2: \"2=3\" is not index:value, with a whole number and a number"
    );
    assert_eq!(
        message(&one, b"1 0:1\n"),
        "t.svm, line 1: the index is 0, but indices count from 1; if this file counts from 0, say so"
    );
    assert_eq!(
        message(&one, b"1 4:1\n"),
        "t.svm, line 1: the index 4 is beyond the 3 columns; is the file one for this schema?"
    );
    assert_eq!(
        message(&one, b"1 2:1 1:1 2:3\n"),
        "t.svm, line 1: the index 2 is duplicated; add the values up or drop one"
    );
    assert_eq!(
        message(&one, b"1 qid:7 1:1\n"),
        "t.svm, line 1: there is a query identifier (\"qid:7\"); drop it, or have query identifiers ignored"
    );
    assert!(
        message(&one, b"\n1 2:abc\n").starts_with("t.svm, line 2, column \"2\": \"abc\" is not a number; ")
    );
    assert!(message(&one, b"1 2:inf\n").starts_with("t.svm, line 1, column \"2\": \"inf\" is infinite "));
    assert!(message(&one, b"1,2 1:1\n").contains("\"1,2\" is more than one label"));
    assert!(message(&one, b"1:1 2:1\n").contains("\"1:1\" is a missing label"));
    assert_eq!(message(&one, b"1 1:\xFF\n"), "t.svm, line 1: not UTF-8; save the file in UTF-8");
    let short = one.with_max_line_bytes(8);
    assert!(
        message(&short, b"1 1:1\n1 1:1 2:1\n")
            .starts_with("t.svm, line 2: longer than the limit of 8 bytes; ")
    );
}

#[test]
fn options_choose_the_base_and_what_to_ignore() {
    let svmlight = Svmlight::default().with_zero_based(true).with_query_ids(QueryIds::Ignore);
    let text = "1 qid:3 0:1 2:2\n";
    let schema = Schema::numbered(3, "label");
    let chunk = only_chunk(&mut svmlight.read_from(text.as_bytes(), "t.svm", &schema).unwrap());
    let Table::Sparse(rows) = chunk.rows else { panic!("expected a sparse table") };
    assert_eq!(rows.indices(), [0, 2]);
}

#[test]
fn the_number_of_columns_is_found_in_the_file() {
    let path = std::env::temp_dir().join(format!("nb-io-{}.svm", std::process::id()));
    std::fs::write(&path, "1 5:1\n0 1:1 17:2\n").unwrap();
    let schema = Svmlight::default().infer(&path).unwrap();
    assert_eq!(schema, Schema::numbered(17, "label"));
    let small = Svmlight::default().with_chunk_rows(1);
    let chunks = chunks(&mut small.read(&path, &schema).unwrap()).unwrap();
    assert_eq!(chunks.iter().map(|chunk| chunk.first_row).collect::<Vec<_>>(), [0, 1]);
    let narrow = small.with_max_columns(16);
    assert!(narrow.infer(&path).is_err());
    std::fs::write(&path, "1\n0\n").unwrap();
    assert!(narrow.infer(&path).unwrap_err().to_string().ends_with("a schema is learnt from at least one"));
    std::fs::remove_file(&path).unwrap();
}
