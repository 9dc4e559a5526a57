//! Rows, column by column, with what each column holds.

use nb_core::{Rows, family::BlockBuffer};

use crate::{Feature, LearnError};

/// How many cells are copied at a time.
const CELLS: usize = 1 << 15;

/// The cells of rows by column, checked.
pub(super) struct Columns<'a> {
    pub(super) features: &'a [Feature],
    cells: Vec<Vec<f64>>,
}

impl<'a> Columns<'a> {
    /// # Errors
    /// [`LearnError`] names a cell that its column cannot hold.
    pub(super) fn new(rows: &(impl Rows + ?Sized), features: &'a [Feature]) -> Result<Self, LearnError> {
        let (n_rows, n_columns) = (rows.n_rows(), rows.n_columns());
        if n_columns != features.len() {
            return Err(LearnError::Features { columns: n_columns, features: features.len() });
        }
        let mut cells = vec![Vec::with_capacity(n_rows); n_columns];
        let (mut buffer, at_once) = (BlockBuffer::default(), (CELLS / n_columns.max(1)).max(1));
        for first in (0..n_rows).step_by(at_once) {
            let block = buffer.read(rows, first..n_rows.min(first + at_once));
            block.for_each_row(|_, row| {
                for (cells, &value) in cells.iter_mut().zip(row) {
                    cells.push(value);
                }
            });
        }
        let columns = Self { features, cells };
        columns.check()?;
        Ok(columns)
    }

    /// Refuses cells that are no category.
    fn check(&self) -> Result<(), LearnError> {
        for (column, (feature, cells)) in self.features.iter().zip(&self.cells).enumerate() {
            let Feature::Categories(n_categories) = *feature else { continue };
            let is_none = |&(_, &value): &(usize, &f64)| {
                !(value.is_nan() || (value >= 0.0 && value < n_categories as f64 && value.fract() == 0.0))
            };
            if let Some((row, &value)) = cells.iter().enumerate().find(is_none) {
                return Err(LearnError::Category { row, column, value, n_categories });
            }
        }
        Ok(())
    }

    pub(super) fn cells(&self, column: usize) -> &[f64] {
        &self.cells[column]
    }
}
