//! Learning a schema.

use nb_datasets::{ColumnKind, Group};
use nb_io::Kind;
use nb_io::read::{Csv, Inferred, KindChoice, NonNumeric, Overrides, ReadError, Reason, TableOptions};

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

/// The data sets come with their own parser, which knows the kinds: the tables must be the same.
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

/// The reason for a column of this name and these cells.
fn reason_of(name: &str, cells: &[String]) -> Reason {
    let rows = format!("{},a\n", cells.join(",a\n"));
    let inferred = infer(&format!("{name},y\n{rows}"), &Overrides::default()).unwrap();
    inferred.columns[0].reason.clone()
}

fn texts<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}

#[test]
fn row_numbers_are_known_in_any_part_of_a_file() {
    let parts = [
        texts(1..=60),
        texts((0..60).filter(|row| row % 3 != 1)),
        texts((0..60).rev()),
        texts((0..60).map(|row| row * 37 % 60)),
        texts((0..60).map(|row| row * 37 % 60).take(5)),
    ];
    for part in &parts {
        for name in ["", "Unnamed: 0", "index", "rownames", "obs", "SeqNo"] {
            assert_eq!(reason_of(name, part), Reason::RowNumbers, "{name} {part:?}");
        }
    }
    for part in &parts[..3] {
        let rises = part[0] != "59";
        assert_eq!(reason_of("subject", part), Reason::InOrder { rises }, "{part:?}");
    }
    // Neither numbers that come again, nor decimals, nor a missing one.
    for cells in [texts((0..60).map(|row| row / 2)), texts((0..60).map(|row| f64::from(row) + 0.5))] {
        assert_eq!(reason_of("index", &cells), Reason::AllNumbers);
    }
    let mut cells = texts(0..60);
    cells[30] = "NA".into();
    assert_eq!(reason_of("index", &cells), Reason::AllNumbers);
    // Few rows are in order by chance.
    assert_eq!(reason_of("age", &texts([3, 7, 12, 40, 41])), Reason::AllNumbers);
}

#[test]
fn row_numbers_of_several_files() {
    let infer = |cells: &[String]| {
        let rows = format!("{},a\n", cells.join(",a\n"));
        infer(&format!("subject,y\n{rows}"), &Overrides::default()).unwrap()
    };
    let both = |some: &[String], others: &[String]| {
        let forth = infer(some).union(infer(others)).unwrap().columns[0].reason.clone();
        assert_eq!(forth, infer(others).union(infer(some)).unwrap().columns[0].reason);
        forth
    };
    let rises = Reason::InOrder { rises: true };
    assert_eq!(both(&texts(0..40), &texts(40..80)), rises);
    assert_eq!(both(&texts(0..40), &texts(40..43)), rises);
    assert_eq!(both(&texts(0..40), &texts([50])), rises);
    assert_eq!(both(&texts(0..40), &texts([1.5, 2.5])), Reason::AllNumbers);
    assert_eq!(both(&texts(0..40), &texts((0..40).map(|row| row % 3))), Reason::AllNumbers);
    assert_eq!(both(&texts(0..40), &texts([7; 40])), Reason::AllNumbers);
}

#[test]
fn names_of_rows_are_row_numbers() {
    let names = texts((0..15).map(|row| format!("Lotus Europa {row}")));
    assert_eq!(reason_of("rownames", &names), Reason::RowNumbers);
    assert_eq!(reason_of("car", &names), Reason::Text);
    let long = texts((0..60).map(|row| format!("a name of four words {row}")));
    assert_eq!(reason_of("row names", &long), Reason::RowNumbers);
    assert!(matches!(reason_of("review", &long), Reason::FreeText { .. }));
}

#[test]
fn codes_are_no_numbers() {
    let missing = Overrides::default().with_non_numeric(NonNumeric::Missing);
    let found = |cells: &[String]| {
        let rows = format!("{},a\n", cells.join(",a\n"));
        let column = infer(&format!("x,y\n{rows}"), &missing).unwrap().columns[0].clone();
        (column.reason, matches!(column.kind, Kind::Categorical { .. }))
    };
    let code = |line, value: &str| (Reason::Codes { line, value: value.into() }, true);
    let with = |row: usize, cell: &str| {
        let mut cells = texts((0..660).map(|row| 100 + row * 7 % 60));
        (row..660).step_by(40).for_each(|row| cells[row] = cell.into());
        cells
    };
    assert_eq!(found(&with(3, "01234")), code(5, "01234"));
    assert_eq!(found(&with(3, "207a")), code(5, "207a"));
    assert_eq!(found(&with(0, "B12")), code(2, "B12"));
    // Numbers with units, decimals, signs or without digits, and a misprint.
    for cell in ["12kg", "5 m", "?!", "10years"] {
        assert!(matches!(found(&with(3, cell)), (Reason::MostlyNumeric { .. }, false)), "{cell}");
    }
    let mut one = with(3, "12");
    one[5] = "12O".into();
    assert!(matches!(found(&one), (Reason::MostlyNumeric { .. }, false)));
    for cell in ["00.5", "-05", "0", "0.5", "-3"] {
        let mut cells = with(3, cell);
        assert_eq!(found(&cells), (Reason::AllNumbers, false), "{cell}");
        cells[1] = "01234".into();
        assert_eq!(found(&cells).1, cell == "0", "{cell}");
    }
    // Codes that hardly come again name the rows, and one family by option reads numbers.
    let different = texts((0..60).map(|row| format!("{:04}", row * 37 % 61)));
    assert!(matches!(found(&different), (Reason::ManyCategories { .. }, true)));
    let numeric = infer("zip,y\n010,a\n020,b\n", &Overrides::default().with("zip", KindChoice::Numeric));
    assert_eq!(numeric.unwrap().columns[0].kind, Kind::Numeric);
}

#[test]
fn what_is_loaded_in_one_pass_is_judged_by_all_rows() {
    let rows = |cell: fn(usize) -> String| -> String {
        let rows = (0..3000).map(|row| format!("{},{},a\n", cell(row), row % 7));
        format!("x,z,y\n{}", rows.collect::<String>())
    };
    let cells: [fn(usize) -> String; 5] = [
        |row| row.to_string(),
        |row| if row < 2000 { row.to_string() } else { "5".into() },
        |row| if row == 2500 { "0123".into() } else { (row * 7 % 90 + 10).to_string() },
        |row| if row > 2500 { "207a".into() } else { (row * 7 % 90 + 10).to_string() },
        |row| format!("{:04}", row * 7 % 90),
    ];
    for cell in cells {
        let text = rows(cell);
        for overrides in [Overrides::default(), Overrides::default().with_non_numeric(NonNumeric::Missing)] {
            let loaded = Csv::default().load_from(|| Ok(text.as_bytes()), "t.csv", "y", &overrides).unwrap();
            assert_eq!(loaded.inferred, infer(&text, &overrides).unwrap());
        }
    }
}

#[test]
fn tables_of_r_have_names_of_rows() {
    let text = "\"x\"\t\"x\"\t\"y\"\n\"a\"\t1\t2.5\t\"u\"\n\"b\"\t3\t4.5\t\"v\"\n";
    let inferred = infer(text, &Overrides::default()).unwrap();
    let names: Vec<&str> = inferred.columns.iter().map(|column| &*column.column).collect();
    assert_eq!(names, ["row names", "x", "x_1"]);
    assert_eq!(inferred.columns[0].reason, Reason::RowNumbers);
    let schema = nb_table::Schema::numeric(["x", "x_1"], "y");
    let chunks = chunks(&mut Csv::default().read_from(text.as_bytes(), "t.csv", &schema).unwrap()).unwrap();
    assert_same(dense(&chunks[0].rows), &ndarray::array![[1.0, 2.5], [3.0, 4.5]]);
}
