//! A table whose answers are pinned.

use ndarray::{Array2, Axis};

/// Rows to train on, and rows to answer for.
pub(super) struct Table {
    pub(super) name: String,
    pub(super) train: Cells,
    /// One for each row to train on.
    pub(super) labels: Vec<String>,
    /// All rows, whether they are trained on or not.
    pub(super) all: Cells,
}

/// Cells before they get a type.
pub(super) enum Cells {
    Dense(Array2<f64>),
    Sparse(Sparse<usize>),
}

/// Compressed sparse rows.
pub(super) struct Sparse<I> {
    pub(super) n_columns: usize,
    pub(super) indptr: Vec<I>,
    pub(super) indices: Vec<I>,
    pub(super) values: Vec<f64>,
}

impl Table {
    /// A table whose rows are all trained on. `labels` are numbers of classes.
    pub(super) fn new(name: impl Into<String>, cells: Array2<f64>, labels: &[usize]) -> Self {
        let rows: Vec<usize> = (0..cells.nrows()).collect();
        Self::of_rows(name, cells, labels, &rows)
    }

    /// A table of which some rows are trained on.
    pub(super) fn of_rows(
        name: impl Into<String>,
        cells: Array2<f64>,
        labels: &[usize],
        train: &[usize],
    ) -> Self {
        Self {
            name: name.into(),
            labels: train.iter().map(|&row| label(labels[row])).collect(),
            train: Cells::Dense(cells.select(Axis(0), train)),
            all: Cells::Dense(cells),
        }
    }

    /// The weights of the rows to train on, for tables that are weighted: whole ones, fractions, and none at
    /// all.
    pub(super) fn weights(&self) -> Vec<f64> {
        [1.0, 0.5, 3.0, 0.1, 0.0, 1e-3, 17.25].into_iter().cycle().take(self.labels.len()).collect()
    }
}

impl Cells {
    pub(super) fn n_columns(&self) -> usize {
        match self {
            Self::Dense(cells) => cells.ncols(),
            Self::Sparse(cells) => cells.n_columns,
        }
    }

    /// Whether all cells that are there satisfy `is`, by column.
    pub(super) fn columns_where(&self, is: impl Fn(f64) -> bool) -> Vec<bool> {
        let mut columns = vec![true; self.n_columns()];
        match self {
            Self::Dense(cells) => {
                for ((_, column), &value) in cells.indexed_iter() {
                    columns[column] &= is(value);
                }
            }
            Self::Sparse(cells) => {
                for (&column, &value) in cells.indices.iter().zip(&cells.values) {
                    columns[column] &= is(value);
                }
            }
        }
        columns
    }

    /// Whether a cell is missing.
    pub(super) fn has_missing(&self) -> bool {
        self.columns_where(|value| !value.is_nan()).contains(&false)
    }
}

/// The name of a class; names are in the order of numbers.
pub(super) fn label(class: usize) -> String {
    format!("{class:04}")
}
