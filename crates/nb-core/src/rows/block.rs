//! Blocks: a few rows as families see them, contiguous and in `f64`.

use std::ops::Range;

use super::{Element, Indices};
use crate::instructions::{Code, InstructionSet, Kernel, prefetch};

/// Some rows of a table, dense or sparse, in `f64`.
///
/// Row and column numbers count from zero within the block; whoever made the block translates errors back.
#[derive(Clone, Copy, Debug)]
pub enum Block<'a> {
    /// Every cell is stored.
    Dense(DenseBlock<'a>),
    /// Cells that are not stored are zero.
    Sparse(SparseBlock<'a>),
}

/// Rows that store every cell, one row after the other.
#[derive(Clone, Copy, Debug)]
pub struct DenseBlock<'a> {
    values: &'a [f64],
    n_rows: usize,
    n_columns: usize,
}

impl<'a> DenseBlock<'a> {
    /// `values` holds `n_rows` rows of `n_columns` cells each; `None` if its length says otherwise.
    pub fn new(values: &'a [f64], n_rows: usize, n_columns: usize) -> Option<Self> {
        (Some(values.len()) == n_rows.checked_mul(n_columns)).then_some(Self { values, n_rows, n_columns })
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
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// The rows, as slices.
    pub fn rows(&self) -> impl Iterator<Item = &'a [f64]> + use<'a> {
        let (values, width) = (self.values, self.n_columns);
        (0..self.n_rows).map(move |row| &values[row * width..(row + 1) * width])
    }
}

/// Rows that store only some cells; the others are zero.
#[derive(Clone, Copy, Debug)]
pub struct SparseBlock<'a> {
    /// Where each row starts in `columns` and `values`; one more entry than rows.
    pub(crate) indptr: Indices<'a>,
    pub(crate) columns: Indices<'a>,
    pub(crate) values: &'a [f64],
    pub(crate) n_columns: usize,
}

impl<'a> SparseBlock<'a> {
    /// The rows: the column numbers, increasing, and the values of the stored cells.
    pub fn rows(&self) -> impl Iterator<Item = (Indices<'a>, &'a [f64])> + use<'a> {
        let rows = *self;
        (0..self.n_rows()).map(move |row| {
            let cells = rows.cells(row);
            (rows.columns.slice(cells.clone()), &rows.values[cells])
        })
    }

    /// The number of rows.
    #[inline]
    pub(crate) fn n_rows(&self) -> usize {
        self.indptr.len().saturating_sub(1)
    }

    /// Where the cells of a row are in `columns` and `values`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline(always)]
    pub(crate) fn cells(&self, row: usize) -> Range<usize> {
        self.indptr.at(row)..self.indptr.at(row + 1)
    }

    /// The values of all stored cells, row by row.
    pub(crate) fn stored(&self) -> &'a [f64] {
        let start = self.indptr.get(0).unwrap_or(0);
        &self.values[start..self.indptr.get(self.n_rows()).unwrap_or(start)]
    }
}

impl Block<'_> {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.n_rows,
            Self::Sparse(sparse) => sparse.n_rows(),
        }
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.n_columns,
            Self::Sparse(sparse) => sparse.n_columns,
        }
    }

    /// The values of all stored cells, row by row.
    pub(crate) fn stored(&self) -> &[f64] {
        match self {
            Self::Dense(dense) => dense.values,
            Self::Sparse(sparse) => sparse.stored(),
        }
    }

    /// Calls `visit(row, column, value)` for every stored cell, row by row in column order. What a sparse block does
    /// not store is zero and is not visited; a dense block stores its zeros.
    #[inline]
    pub fn for_each_stored(&self, mut visit: impl FnMut(usize, usize, f64)) {
        match self {
            Self::Dense(dense) => {
                for (row, cells) in dense.rows().enumerate() {
                    for (column, &value) in cells.iter().enumerate() {
                        visit(row, column, value);
                    }
                }
            }
            Self::Sparse(sparse) => {
                for (row, (columns, values)) in sparse.rows().enumerate() {
                    for (column, &value) in columns.iter().zip(values) {
                        visit(row, column, value);
                    }
                }
            }
        }
    }

    /// Calls `visit(row, cells)` for every row with all its cells, the zeros of a sparse block filled in.
    #[inline]
    pub fn for_each_row(&self, mut visit: impl FnMut(usize, &[f64])) {
        match self {
            Self::Dense(dense) => dense.rows().enumerate().for_each(|(row, cells)| visit(row, cells)),
            Self::Sparse(sparse) => {
                let mut cells = vec![0.0; sparse.n_columns];
                for (row, (columns, values)) in sparse.rows().enumerate() {
                    for (column, &value) in columns.iter().zip(values) {
                        cells[column] = value;
                    }
                    visit(row, &cells);
                    for column in columns.iter() {
                        cells[column] = 0.0;
                    }
                }
            }
        }
    }

    /// The first stored cell, in row order, for which `refuse` has a reason.
    #[inline]
    pub fn find_stored<T>(
        &self,
        mut refuse: impl FnMut(usize, f64) -> Option<T>,
    ) -> Option<(usize, usize, f64, T)> {
        match self {
            Self::Dense(dense) => dense.rows().enumerate().find_map(|(row, cells)| {
                let mut cells = cells.iter().enumerate();
                cells.find_map(|(column, &value)| refuse(column, value).map(|why| (row, column, value, why)))
            }),
            Self::Sparse(sparse) => sparse.rows().enumerate().find_map(|(row, (columns, values))| {
                let mut cells = columns.iter().zip(values);
                cells.find_map(|(column, &value)| refuse(column, value).map(|why| (row, column, value, why)))
            }),
        }
    }

    /// Copies the given rows into `buffer`.
    pub(crate) fn select_rows(&self, rows: &[u32], buffer: &mut BlockBuffer) {
        match self {
            Self::Dense(dense) => {
                let width = dense.n_columns;
                buffer.start_dense(width);
                for &row in rows {
                    let start = row as usize * width;
                    buffer.push_dense_row(dense.values[start..start + width].iter().copied());
                }
            }
            Self::Sparse(sparse) => {
                buffer.start_sparse(sparse.n_columns);
                for &row in rows {
                    let cells = sparse.cells(row as usize);
                    let columns = sparse.columns.slice(cells.clone());
                    buffer.push_sparse_row(columns.iter().zip(sparse.values[cells].iter().copied()));
                }
            }
        }
    }

    /// Copies the given columns, in the given order, into `buffer`.
    pub(crate) fn select_columns(&self, columns: &[usize], buffer: &mut BlockBuffer) {
        match self {
            Self::Dense(dense) => {
                buffer.start_dense(columns.len());
                for cells in dense.rows() {
                    buffer.push_dense_row(columns.iter().map(|&column| cells[column]));
                }
            }
            Self::Sparse(sparse) => {
                buffer.start_sparse(columns.len());
                // Neighbours in order, such as the terms of a text, lie in one piece.
                if let Some(&first) = columns.first()
                    && columns.iter().zip(first..).all(|(&column, expected)| column == expected)
                {
                    let end = first + columns.len();
                    for (stored, values) in sparse.rows() {
                        let places = stored.first_from(first)..stored.first_from(end);
                        let new = stored.slice(places.clone()).iter().map(|column| column - first);
                        buffer.push_sparse_row(new.zip(values[places].iter().copied()));
                    }
                    return;
                }
                for (stored, values) in sparse.rows() {
                    let cells = columns
                        .iter()
                        .enumerate()
                        .filter_map(|(new, &column)| stored.find(column).map(|place| (new, values[place])));
                    buffer.push_sparse_row(cells);
                }
            }
        }
    }
}

/// Makes doubles of other numbers.
struct Widen<'a, T> {
    cells: &'a [T],
    values: &'a mut [f64],
}

impl<T: Element> Kernel for Widen<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        const LINE: usize = 16;
        let (lines, rest) = self.cells.as_chunks::<LINE>();
        let (value_lines, value_rest) = self.values.as_chunks_mut::<LINE>();
        for (values, cells) in value_lines.iter_mut().zip(lines) {
            // The cells after these likely come next.
            prefetch(cells, self.cells.len());
            for (value, cell) in values.iter_mut().zip(cells) {
                *value = cell.to_f64();
            }
        }
        for (value, cell) in value_rest.iter_mut().zip(rest) {
            *value = cell.to_f64();
        }
    }
}

/// Memory for a block, to be filled row by row and used again.
#[derive(Debug, Default)]
pub struct BlockBuffer {
    sparse: bool,
    n_rows: usize,
    n_columns: usize,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
}

impl BlockBuffer {
    /// Starts an empty dense block of `n_columns` columns.
    pub fn start_dense(&mut self, n_columns: usize) {
        self.start(n_columns, false);
    }

    /// Starts an empty sparse block of `n_columns` columns.
    pub fn start_sparse(&mut self, n_columns: usize) {
        self.start(n_columns, true);
        self.indptr.push(0);
    }

    fn start(&mut self, n_columns: usize, sparse: bool) {
        (self.sparse, self.n_rows, self.n_columns) = (sparse, 0, n_columns);
        self.indptr.clear();
        self.indices.clear();
        self.values.clear();
    }

    /// Fills a dense block with these cells, row after row.
    pub(crate) fn fill_dense<T: Element>(&mut self, n_columns: usize, n_rows: usize, cells: &[T]) {
        // What is in the memory is overwritten, and need not be cleared.
        (self.sparse, self.n_rows, self.n_columns) = (false, n_rows, n_columns);
        self.values.resize(n_rows * n_columns, 0.0);
        InstructionSet::current().run(Widen { cells, values: &mut self.values });
    }

    /// Fills a sparse block: where each row ends, starting with a zero, and the column numbers and values of all rows,
    /// which must be in order.
    pub(crate) fn fill_sparse(
        &mut self,
        n_columns: usize,
        ends: impl Iterator<Item = usize>,
        columns: impl Iterator<Item = usize>,
        values: impl Iterator<Item = f64>,
    ) {
        self.start(n_columns, true);
        self.indptr.extend(ends);
        self.indices.extend(columns);
        self.values.extend(values);
        debug_assert!(self.indptr.last() == Some(&self.values.len()), "the last row ends with the last cell");
    }

    /// Appends a row to a dense block. Cells beyond the number of columns are left out, missing ones are zero.
    pub fn push_dense_row(&mut self, cells: impl IntoIterator<Item = f64>) {
        debug_assert!(!self.sparse, "the buffer was started as sparse");
        self.n_rows += 1;
        let start = self.values.len();
        self.values.extend(cells.into_iter().take(self.n_columns));
        self.values.resize(start + self.n_columns, 0.0);
    }

    /// Appends a row to a sparse block: pairs of column number, increasing, and value. Columns beyond the block are
    /// left out.
    pub fn push_sparse_row(&mut self, cells: impl IntoIterator<Item = (usize, f64)>) {
        debug_assert!(self.sparse, "the buffer was started as dense");
        for (column, value) in cells {
            if column < self.n_columns {
                self.indices.push(column);
                self.values.push(value);
            }
        }
        self.n_rows += 1;
        self.indptr.push(self.values.len());
    }

    /// What was filled in.
    pub fn block(&self) -> Block<'_> {
        if self.sparse {
            Block::Sparse(SparseBlock {
                indptr: Indices::Usize(&self.indptr),
                columns: Indices::Usize(&self.indices),
                values: &self.values,
                n_columns: self.n_columns,
            })
        } else {
            Block::Dense(DenseBlock { values: &self.values, n_rows: self.n_rows, n_columns: self.n_columns })
        }
    }
}
