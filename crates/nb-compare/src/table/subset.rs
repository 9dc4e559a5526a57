//! Some rows of a table, without a copy.

use nb_core::{BlockBuffer, Rows};

/// The rows of the given numbers, in the given order.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a, R> {
    rows: &'a R,
    numbers: &'a [usize],
}

impl<'a, R: Rows> Chosen<'a, R> {
    /// Chooses rows. `None` if one of the numbers is none of a row.
    pub fn new(rows: &'a R, numbers: &'a [usize]) -> Option<Self> {
        numbers.iter().all(|&number| number < rows.n_rows()).then_some(Self { rows, numbers })
    }
}

impl<R: Rows> Rows for Chosen<'_, R> {
    fn n_rows(&self) -> usize {
        self.numbers.len()
    }

    fn n_columns(&self) -> usize {
        self.rows.n_columns()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        let numbers: Vec<usize> = rows.iter().map(|&row| self.numbers[row]).collect();
        self.rows.copy_rows(&numbers, buffer);
    }

    fn copy_range(&self, first: usize, end: usize, buffer: &mut BlockBuffer) {
        self.rows.copy_rows(&self.numbers[first..end], buffer);
    }
}
