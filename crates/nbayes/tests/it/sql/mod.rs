//! Models by SQL, against real engines: evidence and labels are those of `nbayes train` and `nbayes predict`
//! on the same rows.
//!
//! DuckDB is the package of the Python that `NB_PYTHON` names; PostgreSQL is started for the test where its
//! binaries are; Spark takes some minutes, so that its test must be asked for: with pyspark, Java 17 and
//! `NB_PYTHON=...`, by `cargo test -p nbayes --test it spark -- --ignored`.

mod checks;
mod data;
mod groups;
mod offsets;
mod postgres;
mod scripted;
mod usage_errors;
mod words;

use std::path::Path;

use nb_io::Model;

use crate::folder::Folder;

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Real,
    Whole,
    Text,
}

/// A table for an engine: its columns, and its rows as CSV in which an empty cell is NULL.
struct Data {
    columns: Vec<(String, Type)>,
    csv: String,
}

/// An engine.
trait Engine {
    /// The name of its dialect.
    fn dialect(&self) -> &'static str;

    /// Makes a table of the rows of a CSV file with a header.
    fn load(&self, table: &str, columns: &[(String, Type)], path: &Path);

    /// Writes the result of a query as CSV with a header.
    fn query(&self, query: &str, path: &Path);
}

/// A folder with data in an engine.
struct Bench<'a> {
    folder: Folder,
    engine: &'a dyn Engine,
}

impl<'a> Bench<'a> {
    /// Loads data as table `table`, and as file `data.csv` in a new folder.
    fn new(engine: &'a dyn Engine, table: &str, data: &Data) -> Self {
        let folder = Folder::new();
        folder.write("data.csv", &data.csv);
        engine.load(table, &data.columns, &folder.path("data.csv"));
        Self { folder, engine }
    }

    /// Runs `nbayes`, which must succeed; arguments may have spaces.
    fn nbayes(&self, arguments: &[&str]) -> String {
        let words: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let run = self.folder.nbayes_with_words(&words, "");
        assert_eq!(run.code, 0, "nbayes {arguments:?}: {}", run.stderr);
        run.stdout
    }

    fn model(&self, name: &str) -> Model {
        Model::load(self.folder.path(name)).unwrap()
    }

    /// Asks the engine for the sums of a table, and leaves them in `result.csv`.
    fn sums(&self, table: &str, shift: &str) {
        let dialect = self.engine.dialect();
        let fit = ["sql", "--fit", "schema.toml", "--dialect", dialect, "--table", table, "--shift", shift];
        self.engine.query(&self.nbayes(&fit), &self.folder.path("result.csv"));
    }

    /// The model of a table by SQL, in the file `name`.
    fn by_sql(&self, name: &str, table: &str, options: &[&str]) -> Model {
        self.sums(table, "mean");
        let import = ["import-stats", "result.csv", "--schema", "schema.toml", "-o", name];
        self.nbayes(&[&import, options].concat());
        self.model(name)
    }

    /// The model of the rows, in the file `name`.
    fn by_rows(&self, name: &str, options: &[&str]) -> Model {
        self.nbayes(
            &[&["train", "--sums-only", "data.csv", "--schema", "schema.toml", "-o", name], options].concat(),
        );
        self.model(name)
    }

    /// Labels and log-posteriors by SQL and by `nbayes predict`, which must agree.
    fn predict(&self, model: &str, table: &str, id: &str) {
        self.predict_rows(model, table, id, |_| true);
    }

    /// The same where the table has only some rows of the file.
    fn predict_rows(&self, model: &str, table: &str, id: &str, has: impl Fn(u64) -> bool) {
        let dialect = self.engine.dialect();
        let predict = ["sql", "--predict", model, "--dialect", dialect, "--table", table, "--id", id];
        self.engine.query(&self.nbayes(&predict), &self.folder.path("labels.csv"));
        let by_sql = records(&String::from_utf8(self.folder.read("labels.csv")).unwrap());
        let mut by_rows = records(&self.nbayes(&["predict", model, "data.csv", "--id", id, "--log-proba"]));
        by_rows.retain(|record| record[0].parse().map_or(true, &has));
        assert_eq!(by_sql[0], by_rows[0], "{dialect}");
        assert_eq!(by_sql.len(), by_rows.len(), "{dialect}");
        let in_order = |mut records: Vec<Vec<String>>| {
            records.remove(0);
            records.sort_by_key(|record| record[0].parse::<u64>().unwrap());
            records
        };
        for (left, right) in in_order(by_sql).into_iter().zip(in_order(by_rows)) {
            assert_eq!(left[..2], right[..2], "{dialect}, {model}");
            for (left, right) in left[2..].iter().zip(&right[2..]) {
                if right.is_empty() {
                    assert_eq!(left, right, "{dialect}, {model}");
                    continue;
                }
                let [left, right] = [left, right].map(|cell| number(cell));
                let error = (left - right).abs();
                assert!(left == right || error <= 1e-12 * (1.0 + right.abs()), "{dialect}: {left} {right}");
            }
        }
    }
}

/// A number as any engine writes it.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

/// The records of a CSV file.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(String::from).collect()).collect()
}

/// All that is checked with every engine.
fn check(engine: &dyn Engine) {
    checks::whole_numbers_give_the_same_model(engine);
    checks::halves_merge_to_the_whole(engine);
    checks::real_numbers_agree_to_the_last_digits(engine);
    checks::families_of_counts(engine);
    checks::embedded_sets(engine);
    checks::policies_of_cells(engine);
    checks::spellings_of_categories(engine);
    checks::impossible_rows(engine);
    checks::decision_rules(engine);
    checks::constant_columns(engine);
    checks::rows_without_labels_are_reported(engine);
    checks::values_that_no_family_takes_are_reported(engine);
    checks::many_classes(engine);
    checks::wide_tables(engine);
    groups::have_the_models_of_their_rows(engine);
    if engine.dialect() != "spark" {
        words::are_counted(engine);
    }
    offsets::keep_their_digits(engine);
}

#[test]
fn duckdb() {
    if let Some(engine) = scripted::duckdb() {
        check(&engine);
    }
}

#[test]
fn postgres() {
    if let Some(engine) = postgres::start() {
        check(&engine);
    }
}

#[test]
#[ignore = "takes minutes, and needs pyspark and Java 17"]
fn spark() {
    if let Some(engine) = scripted::spark() {
        check(&engine);
    }
}
