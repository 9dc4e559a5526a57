//! Collecting rows into chunks.

use ndarray::Array2;

use super::{Chunk, FileProblem, ReadError, Table};

/// The rows of a chunk in the making.
#[derive(Debug)]
pub(super) struct Collector {
    n_columns: usize,
    first_row: usize,
    n_rows: usize,
    values: Vec<f64>,
    labels: Option<Vec<String>>,
    weights: Option<Vec<f64>>,
}

impl Collector {
    pub(super) fn new(n_columns: usize, labels: bool, weights: bool) -> Self {
        Self {
            n_columns,
            first_row: 0,
            n_rows: 0,
            values: Vec::new(),
            labels: labels.then(Vec::new),
            weights: weights.then(Vec::new),
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many rows of the file came before the next one.
    pub(super) fn next_row(&self) -> usize {
        self.first_row + self.n_rows
    }

    /// Appends all cells of a row.
    pub(super) fn push_row(&mut self, row: &[f64]) {
        self.values.extend_from_slice(row);
    }

    /// Appends a cell; a row is done after one per column.
    pub(super) fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    pub(super) fn push_label(&mut self, label: String) {
        self.labels.get_or_insert_default().push(label);
    }

    pub(super) fn push_weight(&mut self, weight: f64) {
        self.weights.get_or_insert_default().push(weight);
    }

    pub(super) fn end_row(&mut self) {
        self.n_rows += 1;
    }

    /// The chunk, unless it has no rows; the next one begins after it.
    pub(super) fn take(&mut self, file: &str) -> Result<Option<Chunk>, ReadError> {
        if self.n_rows == 0 {
            return Ok(None);
        }
        let n_rows = std::mem::take(&mut self.n_rows);
        // The next chunk is as large as this one, but for the last.
        let next = Vec::with_capacity(self.values.len().min(1 << 20));
        let values = std::mem::replace(&mut self.values, next);
        let first_row = self.first_row;
        self.first_row += n_rows;
        // Every reader pushes one cell per column and row, so this never fails; if it did, an error is better than a
        // panic.
        let rows = Array2::from_shape_vec((n_rows, self.n_columns), values).map_err(|error| {
            ReadError::file(file, FileProblem::Format { format: "table", reason: error.to_string() })
        })?;
        Ok(Some(Chunk {
            first_row,
            rows: Table::Dense(rows),
            labels: self
                .labels
                .as_mut()
                .map(|labels| std::mem::replace(labels, Vec::with_capacity(labels.len().min(1 << 20)))),
            weights: self.weights.as_mut().map(std::mem::take),
        }))
    }
}
