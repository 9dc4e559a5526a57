//! Learning a schema.

use nb_datasets::{ColumnKind, Group};
use nb_io::Kind;
use nb_io::read::{Csv, Inferred, KindChoice, Overrides, ReadError, Reason, TableOptions};

use crate::{assert_same, chunks, dense};

fn infer(text: &str, overrides: &Overrides) -> Result<Inferred, ReadError> {
    Csv::default().infer_from(|| Ok(text.as_bytes()), "t.csv", "y", overrides)
}

fn levels(levels: &[&str]) -> Kind {
    Kind::Categorical { levels: levels.iter().map(|&level| level.into()).collect() }
}

#[test]
fn every_kind_has_its_reason() {
    let text = "number,few,text,mixed,mixed2,none,y\n\
                1.5,0,b,1,z,,a\n\
                2,1,NA,2,3,?,b\n\
                ,1,a,x,,NA,b\n";
    let inferred = infer(text, &Overrides::default()).unwrap();
    assert_eq!(inferred.n_rows, 3);
    let found: Vec<(&str, Kind, Reason)> = inferred
        .columns
        .iter()
        .map(|column| (&*column.column, column.kind.clone(), column.reason.clone()))
        .collect();
    let mixed = |line, value: &str| Reason::Mixed { line, value: value.into() };
    assert_eq!(
        found,
        [
            ("number", Kind::Numeric, Reason::AllNumbers),
            ("few", Kind::Numeric, Reason::AllNumbers),
            ("text", levels(&["a", "b"]), Reason::Text),
            ("mixed", levels(&["1", "2", "x"]), mixed(4, "x")),
            ("mixed2", levels(&["3", "z"]), mixed(2, "z")),
            ("none", Kind::Numeric, Reason::AllMissing),
        ]
    );
    assert_eq!(inferred.columns[3].reason.to_string(), "not all cells are numbers: line 4 has \"x\"");
}

#[test]
fn overrides_win() {
    let text = "id,zip,n,y\n7,010,3,a\n8,020,4,b\n";
    let overrides =
        Overrides::default().with("zip", KindChoice::Categorical).with("n", KindChoice::Count).ignore("id");
    let inferred = infer(text, &overrides).unwrap();
    let kinds: Vec<&Kind> = inferred.schema.columns.iter().map(|column| &column.kind).collect();
    assert_eq!(kinds, [&levels(&["010", "020"]), &Kind::Count]);
    assert!(inferred.columns.iter().all(|column| column.reason == Reason::Override));
    let error = infer(text, &Overrides::default().with("Zap", KindChoice::Count)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv: column \"Zap\" not found; the file has 4 columns: \"id\", \"zip\", \"n\", \"y\"; did you mean \"zip\"?"
    );
    let error = infer("n,y\n1,a\nx,b\n", &Overrides::default().with("n", KindChoice::Numeric)).unwrap_err();
    assert!(error.to_string().starts_with("t.csv, line 3, column \"n\": \"x\" is not a number; "), "{error}");
    let error = infer("n,y\n1,a\n1.5,b\n", &Overrides::default().with("n", KindChoice::Count)).unwrap_err();
    assert!(
        error.to_string().starts_with("t.csv, line 3, column \"n\": \"1.5\" is not a count; "),
        "{error}"
    );
}

#[test]
fn what_means_missing_can_be_told() {
    let table = TableOptions::default().with_missing(Some(["-".into(), "-1".into()].into()));
    let csv = Csv::default().with_table(table);
    let text = "n,country,y\n1,NA,a\n-,DE,b\n-1,-,b\n";
    let schema = csv.infer_from(|| Ok(text.as_bytes()), "t.csv", "y", &Overrides::default()).unwrap().schema;
    assert_eq!(schema.columns[0].kind, Kind::Numeric);
    assert_eq!(schema.columns[1].kind, levels(&["DE", "NA"]));
    let chunks = chunks(&mut csv.read_from(text.as_bytes(), "t.csv", &schema).unwrap()).unwrap();
    let nan = f64::NAN;
    assert_same(dense(&chunks[0].rows), &ndarray::array![[1.0, 1.0], [nan, 0.0], [nan, nan]]);
}

#[test]
fn an_infinite_number_is_refused_when_it_is_read() {
    let text = "n,y\n1,a\ninf,b\n";
    let schema = infer(text, &Overrides::default()).unwrap().schema;
    assert_eq!(schema.columns[0].kind, Kind::Numeric);
    let error =
        chunks(&mut Csv::default().read_from(text.as_bytes(), "t.csv", &schema).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv, line 3, column \"n\": \"inf\" is infinite or beyond the largest double; clip it or drop the row"
    );
}

/// The data sets come with a parser of their own, which knows the kinds: the tables must be the same.
#[test]
fn the_data_sets_are_read_as_their_own_crate_reads_them() {
    for info in nb_datasets::catalogue().iter().filter(|info| info.group != Group::Text) {
        let name = info.name.as_str();
        let expected = nb_datasets::load(name).unwrap();
        let mut overrides = Overrides::default();
        if info.has_split {
            overrides = overrides.ignore("split");
        }
        for column in &expected.columns {
            overrides = match column.kind {
                ColumnKind::Id => overrides.ignore(&column.name),
                ColumnKind::Numeric => overrides,
                _ => overrides.with(&column.name, KindChoice::Categorical),
            };
        }
        let table = TableOptions::default().with_missing(Some([String::new()].into()));
        let csv = Csv::default().with_table(table);
        let bytes = nb_datasets::csv(name).unwrap();
        let inferred = csv.infer_from(|| Ok(&bytes[..]), name, &info.target, &overrides).unwrap();
        assert_eq!(inferred.n_rows, expected.n_rows(), "{name}");
        let read = chunks(&mut csv.read_from(&bytes[..], name, &inferred.schema).unwrap()).unwrap();
        let labels: Vec<String> = read.iter().flat_map(|chunk| chunk.labels.clone().unwrap()).collect();
        assert_eq!(labels, expected.y(), "{name}");
        let parts: Vec<_> = read.iter().map(|chunk| dense(&chunk.rows).view()).collect();
        let rows = ndarray::concatenate(ndarray::Axis(0), &parts).unwrap();
        let numeric: Vec<usize> = inferred
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.kind == Kind::Numeric)
            .map(|(place, _)| place)
            .collect();
        let axis = ndarray::Axis(1);
        assert_same(&rows.select(axis, &numeric), &expected.x().select(axis, &numeric));
    }
}
