//! One pass over a file is what two passes are.

use nb_core::Rows;
use nb_datasets::{ColumnKind, Group};
use nb_io::read::{Chunk, Csv, KindChoice, Loaded, Overrides, ReadError, Table};

use crate::{chunks, dense};

/// What `infer` and `read` say.
fn in_two_passes(csv: &Csv, bytes: &[u8], label: &str, overrides: &Overrides) -> Result<Loaded, ReadError> {
    let inferred = csv.infer_from(|| Ok(bytes), "t.csv", label, overrides)?;
    let chunks = chunks(&mut csv.read_from(bytes, "t.csv", &inferred.schema)?)?;
    let parts: Vec<_> = chunks.iter().map(|chunk| dense(&chunk.rows).view()).collect();
    let rows = ndarray::concatenate(ndarray::Axis(0), &parts).expect("chunks of the same columns");
    let labels = chunks[0]
        .labels
        .is_some()
        .then(|| chunks.iter().flat_map(|chunk| chunk.labels.clone().expect("labels")).collect());
    let chunk = Chunk {
        first_row: 0,
        rows: Table::Dense(rows),
        labels,
        weights: None,
        ids: Vec::new(),
        n_non_numeric: 0,
        places: Vec::new(),
    };
    Ok(Loaded { inferred, chunk })
}

/// Whether both are the same, missing cells included; the error if there is one.
fn compare(csv: &Csv, bytes: &[u8], label: &str, overrides: &Overrides) -> Result<Loaded, String> {
    let loaded = csv.load_from(|| Ok(bytes), "t.csv", label, overrides);
    let expected = in_two_passes(csv, bytes, label, overrides);
    match (loaded, expected) {
        (Ok(loaded), Ok(expected)) => {
            assert_eq!(loaded.inferred, expected.inferred);
            assert_eq!(loaded.chunk.labels, expected.chunk.labels);
            assert_eq!(loaded.chunk.rows.n_rows(), loaded.inferred.n_rows);
            crate::assert_same(dense(&loaded.chunk.rows), dense(&expected.chunk.rows));
            Ok(loaded)
        }
        (Err(error), Err(expected)) => {
            assert_eq!(error.to_string(), expected.to_string());
            Err(error.to_string())
        }
        (loaded, expected) => panic!("{loaded:?} is not {expected:?}"),
    }
}

/// A file whose first thousand rows say nothing of the cell behind them.
fn late(first: &str, last: &str) -> String {
    format!("a,y\n{}{last},q\n", format!("{first},p\n").repeat(1200))
}

#[test]
fn what_comes_late_is_not_missed() {
    let csv = Csv::default();
    let ok = |first: &str, last: &str| {
        compare(&csv, late(first, last).as_bytes(), "y", &Overrides::default())
            .expect("reads")
            .inferred
            .columns[0]
            .reason
            .to_string()
    };
    assert_eq!(ok("1.5", "2"), "all cells are numbers");
    assert_eq!(ok("1.5", "NA"), "all values are 1.5");
    assert_eq!(ok("NA", "2"), "all values are 2");
    assert_eq!(ok("NA", "?"), "no cell has a value");
    assert_eq!(ok("1.5", "x"), "not all cells are numbers: line 1202 has \"x\"");
    assert_eq!(ok("NA", "x"), "all values are \"x\"");
    assert_eq!(ok("x", "a"), "no cell is a number");
    assert_eq!(ok("x", "2"), "not all cells are numbers: line 2 has \"x\"");
    assert_eq!(ok("x", "inf"), "not all cells are numbers: line 2 has \"x\"");
    assert_eq!(ok("x,p\n1", "2"), "not all cells are numbers: line 2 has \"x\"");
}

#[test]
fn errors_are_those_of_two_passes() {
    let csv = Csv::default();
    let error = |text: &str, overrides: &Overrides| {
        compare(&csv, text.as_bytes(), "y", overrides).expect_err("refused")
    };
    let none = Overrides::default();
    assert_eq!(error("a,y\n", &none), "t.csv: the file has no rows; a schema is learnt from at least one");
    for (first, last) in [("1", "inf"), ("1", "1,2"), ("x", "\"y"), ("1", "1e999")] {
        assert!(error(&late(first, last), &none).starts_with("t.csv, line 1202"));
    }
    for choice in [KindChoice::Numeric, KindChoice::Count] {
        let overrides = none.clone().with("a", choice);
        assert!(
            error(&late("1", "-x"), &overrides).starts_with("t.csv, line 1202, column \"a\": \"-x\" is not ")
        );
    }
    let no_label = format!("{}1,\n", late("1", "1"));
    assert!(error(&no_label, &none).contains("is a missing label; fill it in"));
}

#[test]
fn data_sets_are_the_same_in_one_pass() {
    for info in nb_datasets::catalogue().iter().filter(|info| info.group != Group::Text) {
        let expected = nb_datasets::load(info.name.as_str()).unwrap();
        let mut overrides = Overrides::default();
        for column in expected.columns.iter().filter(|column| column.kind == ColumnKind::Categorical) {
            overrides = overrides.with(&column.name, KindChoice::Categorical);
        }
        let bytes = nb_datasets::csv(info.name.as_str()).unwrap();
        for overrides in [Overrides::default(), overrides] {
            let _ = compare(&Csv::default(), &bytes, &info.target, &overrides);
        }
    }
}
