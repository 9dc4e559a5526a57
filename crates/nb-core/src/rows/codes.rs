//! Cells that are smaller than those of a block, as they lie in memory.

/// Rows of small whole numbers, one byte a cell.
///
/// A table of bytes is an eighth of the same table in `f64`. Families that have a way for it take it as it is
/// ([`Accumulator::add_codes`](crate::Accumulator::add_codes),
/// [`Likelihood::estimate_codes`](crate::Likelihood::estimate_codes)); the others see the same rows as a
/// [`Block`](crate::Block).
pub type Codes<'a> = Cells<'a, u8>;

/// Rows as they lie in memory, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a, T> {
    stored: &'a [T],
    n_rows: usize,
    n_columns: usize,
}

impl<'a, T> Cells<'a, T> {
    /// `cells` holds `n_rows` rows of `n_columns` cells each; `None` if its length says otherwise.
    pub fn new(cells: &'a [T], n_rows: usize, n_columns: usize) -> Option<Self> {
        (Some(cells.len()) == n_rows.checked_mul(n_columns)).then_some(Self {
            stored: cells,
            n_rows,
            n_columns,
        })
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// All cells, row after row.
    pub fn cells(&self) -> &'a [T] {
        self.stored
    }

    /// The cells of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &'a [T] {
        &self.stored[row * self.n_columns..(row + 1) * self.n_columns]
    }
}
