//! The table: rows of numbers and codes of categories, with the class of each.

use nb_core::{Rows, family::BlockBuffer};
use nb_io::{
    Column, Kind, Schema,
    read::{Csv, KindChoice, Overrides},
};
use ndarray::{Array2, Axis};
use serde_json::{Value, json};

use crate::{Problem, bytes};

/// A file may have at most this number of rows: what is drawn and measured at once.
const MOST_ROWS: usize = 50_000;

const NO_COLUMNS: &str = "the table has no column that can be used; drop a file with a header, a label column and at least one more column";

#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) schema: Schema,
    /// A missing cell is NaN.
    pub(crate) rows: Array2<f64>,
    pub(crate) labels: Vec<usize>,
    /// In label order.
    pub(crate) classes: Vec<String>,
    /// All columns of the file, in its order.
    all_columns: Vec<String>,
    /// Columns that the page has no use for, with the reason.
    left_out: Vec<(String, String)>,
}

impl Table {
    pub(crate) fn from_text(
        text: &[u8],
        name: &str,
        label: Option<&str>,
        categories: &[String],
    ) -> Result<Self, Problem> {
        let csv = Csv::default();
        let all_columns = csv.columns_from(text, name)?;
        let label = match label {
            Some(label) => label.to_owned(),
            None => all_columns.last().cloned().ok_or_else(|| Problem::new(NO_COLUMNS))?,
        };
        let wanted = |overrides: Overrides, column: &String| overrides.with(column, KindChoice::Categorical);
        let overrides = categories.iter().fold(Overrides::default(), wanted);
        let loaded = csv.load_from(|| Ok(text), name, &label, &overrides)?;
        let (mut kept, mut features, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        let schema = loaded.inferred.schema;
        let columns = schema.columns.iter().zip(schema.feature_ranges()).zip(&loaded.inferred.columns);
        for ((column, places), inference) in columns {
            match column.kind {
                Kind::Numeric | Kind::Count | Kind::Categorical { .. } if !inference.reason.is_useless() => {
                    features.extend(places);
                    kept.push(column.clone());
                }
                _ => left_out.push((column.name.clone(), inference.reason.to_string())),
            }
        }
        if kept.is_empty() {
            return Err(Problem::new(NO_COLUMNS));
        }
        let rows = dense(&loaded.chunk.rows).select(Axis(1), &features);
        let texts = loaded.chunk.labels.unwrap_or_default();
        let mut classes = texts.clone();
        classes.sort();
        classes.dedup();
        let labels = texts.iter().filter_map(|text| classes.binary_search(text).ok()).collect();
        let table =
            Self { schema: Schema { columns: kept, label }, rows, labels, classes, all_columns, left_out };
        table.checked()
    }

    pub(crate) fn from_points(
        columns: &[String],
        label: &str,
        classes: Vec<String>,
        bytes: &[u8],
    ) -> Result<Self, Problem> {
        if !classes.is_sorted_by(|a, b| a < b) {
            return Err(Problem::new("classes are given in label order, and each once"));
        }
        let all_columns = columns.iter().map(String::as_str).chain([label]).map(String::from).collect();
        let schema = Schema::numeric(columns.iter().map(String::as_str), label);
        let rows = Array2::zeros((0, schema.columns.len()));
        let mut table = Self { schema, rows, labels: Vec::new(), classes, all_columns, left_out: Vec::new() };
        table.replace_cells(bytes)?;
        Ok(table)
    }

    /// A table of rows that were drawn from a model.
    pub(crate) fn from_rows(
        schema: Schema,
        rows: Array2<f64>,
        labels: Vec<usize>,
        classes: Vec<String>,
    ) -> Self {
        let names = schema.columns.iter().map(|column| column.name.clone());
        let all_columns = names.chain([schema.label.clone()]).collect();
        Self { schema, rows, labels, classes, all_columns, left_out: Vec::new() }
    }

    fn checked(self) -> Result<Self, Problem> {
        if self.rows.nrows() > MOST_ROWS {
            let (n, most) = (self.rows.nrows(), MOST_ROWS);
            return Err(Problem::new(format!(
                "the table has {n} rows, and the page takes at most {most}; the program `nbayes` takes any number"
            )));
        }
        Ok(self)
    }

    /// Takes other rows: the cells of each, and the number of its class.
    pub(crate) fn replace_cells(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let doubles = bytes::to_doubles(bytes)?;
        let width = self.schema.columns.len() + 1;
        if doubles.len() % width != 0 {
            return Err(Problem::new("the numbers are no whole number of rows"));
        }
        let n_rows = doubles.len() / width;
        let mut rows = Array2::zeros((n_rows, width - 1));
        let mut labels = Vec::with_capacity(n_rows);
        for (row, mut cells) in doubles.chunks_exact(width).zip(rows.rows_mut()) {
            let (class, values) = (row[width - 1], &row[..width - 1]);
            if !(class >= 0.0 && class < self.classes.len() as f64) {
                return Err(Problem::new("a row has a class that the table does not have"));
            }
            for ((cell, &value), column) in cells.iter_mut().zip(values).zip(&self.schema.columns) {
                if value.is_infinite() || is_no_code(value, &column.kind) {
                    return Err(Problem::new("a cell is no value of its column"));
                }
                *cell = value;
            }
            labels.push(class as usize);
        }
        (self.rows, self.labels) = (rows, labels);
        Ok(())
    }

    /// The rows as [`replace_cells`](Self::replace_cells) takes them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let rows = self.rows.rows().into_iter().zip(&self.labels);
        bytes::of_doubles(rows.flat_map(|(row, &class)| row.to_vec().into_iter().chain([class as f64])))
    }

    pub(crate) fn describe(&self) -> Value {
        let columns: Vec<Value> = self.schema.columns.iter().map(describe_column).collect();
        let left_out: Vec<Value> =
            self.left_out.iter().map(|(column, reason)| json!({"name": column, "reason": reason})).collect();
        json!({
            "columns": columns, "label": self.schema.label, "all_columns": self.all_columns,
            "classes": self.classes, "n_rows": self.rows.nrows(), "left_out": left_out,
        })
    }

    /// The labels as texts.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.labels.iter().map(|&class| self.classes[class].as_str()).collect()
    }

    /// Some of the rows.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        Self {
            rows: self.rows.select(Axis(0), rows),
            labels: rows.iter().map(|&row| self.labels[row]).collect(),
            ..self.clone()
        }
    }

    pub(crate) fn check_row(&self, row: usize) -> Result<(), Problem> {
        if row < self.rows.nrows() { Ok(()) } else { Err(Problem::new("there is no such row")) }
    }
}

fn is_no_code(value: f64, kind: &Kind) -> bool {
    let Kind::Categorical { levels } = kind else { return false };
    !(value.is_nan() || (value >= 0.0 && value < levels.len() as f64 && value.fract() == 0.0))
}

fn describe_column(column: &Column) -> Value {
    match &column.kind {
        Kind::Categorical { levels } => json!({"name": column.name, "levels": levels}),
        _ => json!({"name": column.name}),
    }
}

fn dense(rows: &nb_io::read::Table) -> Array2<f64> {
    let mut dense = Array2::zeros((rows.n_rows(), rows.n_columns()));
    let mut buffer = BlockBuffer::default();
    buffer.read(rows, 0..rows.n_rows()).for_each_cell(|row, column, value| dense[[row, column]] = value);
    dense
}
