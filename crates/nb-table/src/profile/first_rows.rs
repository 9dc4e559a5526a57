//! The first rows of a table, in memory, for what cannot be counted while rows pass by.

use super::values::Class;

/// How many rows, and how many cells, are kept.
const MOST_ROWS: usize = 10_000;
const MOST_CELLS: usize = 1 << 20;

/// The first rows, with the number of the class of each (0 if it has none).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FirstRows {
    n_columns: usize,
    cells: Vec<f64>,
    pub(super) classes: Vec<Class>,
}

impl FirstRows {
    pub(super) fn new(n_columns: usize) -> Self {
        Self { n_columns, ..Self::default() }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.classes.len()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Whether no more rows are kept.
    pub(super) fn is_full(&self) -> bool {
        self.n_rows() >= MOST_ROWS.min(MOST_CELLS / self.n_columns.max(1))
    }

    /// Keeps a row, unless enough are kept.
    pub(super) fn add(&mut self, cells: impl Iterator<Item = f64>, class: Class) {
        if !self.is_full() {
            self.cells.extend(cells);
            self.classes.push(class);
        }
    }

    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = f64> + Clone {
        self.cells.iter().skip(column).step_by(self.n_columns.max(1)).copied()
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// The place of each value of a column among its different ones in order, and how many there are; none
    /// for missing cells.
    pub(super) fn ordered(&self, column: usize) -> (Vec<Option<u32>>, usize) {
        let mut values: Vec<f64> = self.column(column).filter(|value| !value.is_nan()).collect();
        values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        values.dedup();
        let place = |value: f64| values.partition_point(|&other| other < value) as u32;
        let places = self.column(column).map(|value| (!value.is_nan()).then(|| place(value)));
        (places.collect(), values.len())
    }
}
