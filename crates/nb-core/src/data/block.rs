//! Blocks: a few rows as families see them, contiguous and in `f64`.

use std::ops::Range;

use crate::data::{Element, Indices, Rows};
use nb_simd::{InstructionSet, Isa, Kernel, prefetch::prefetch, tile::RowMajor};

/// Some rows of a table, as they are stored: dense in one of three cell types, or sparse.
///
/// [`FeatureModel::check`](crate::FeatureModel::check), [`FeatureModel::update`](crate::FeatureModel::update)
/// and [`Likelihood::score`](crate::Likelihood::score) always get [`F64`](Self::F64) or
/// [`Sparse`](Self::Sparse); [`Accumulator::add`](crate::family::Accumulator::add) and
/// [`Likelihood::estimate`](crate::Likelihood::estimate) are offered the rows as they are stored first, and
/// as `F64` if they decline. The methods of this type convert: a family that uses them need not know which
/// variant it has.
///
/// Row and column numbers count from zero within the block; whoever made the block translates errors back.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Block<'a> {
    /// Every cell is stored, as an `f64`.
    F64(Dense<'a, f64>),
    /// Every cell is stored, in single precision.
    F32(Dense<'a, f32>),
    /// Every cell is stored, as one byte: small counts, yes and no, category codes.
    U8(Dense<'a, u8>),
    /// Cells that are not stored are zero.
    Sparse(Sparse<'a>),
}

/// Rows that store every cell, one row after the other.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a, T> {
    values: &'a [T],
    n_rows: usize,
    n_columns: usize,
}

impl<'a, T> Dense<'a, T> {
    /// `values` holds `n_rows` rows of `n_columns` cells each; `None` if its length says otherwise.
    pub fn new(values: &'a [T], n_rows: usize, n_columns: usize) -> Option<Self> {
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
    pub fn values(&self) -> &'a [T] {
        self.values
    }

    /// The cells of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &'a [T] {
        &self.values[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// The rows, as slices.
    pub fn rows(&self) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let (values, width) = (self.values, self.n_columns);
        (0..self.n_rows).map(move |row| &values[row * width..(row + 1) * width])
    }
}

impl<'a> Dense<'a, f64> {
    /// The same, as tiles take it.
    pub(crate) fn row_major(&self) -> RowMajor<'a> {
        RowMajor { values: self.values, n_rows: self.n_rows, n_columns: self.n_columns }
    }
}

impl<T: Element> Dense<'_, T> {
    #[inline]
    fn for_each_cell(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for (row, cells) in self.rows().enumerate() {
            for (column, value) in cells.iter().enumerate() {
                visit(row, column, value.to_f64());
            }
        }
    }

    #[inline]
    fn find_cell<R>(
        &self,
        refuse: &mut impl FnMut(usize, f64) -> Option<R>,
    ) -> Option<(usize, usize, f64, R)> {
        self.rows().enumerate().find_map(|(row, cells)| {
            let mut cells = cells.iter().map(|value| value.to_f64()).enumerate();
            cells.find_map(|(column, value)| refuse(column, value).map(|why| (row, column, value, why)))
        })
    }

    /// Calls `visit` for every row as doubles.
    fn for_each_widened(&self, mut visit: impl FnMut(usize, &[f64])) {
        let mut widened = vec![0.0; self.n_columns];
        for (row, cells) in self.rows().enumerate() {
            widened.iter_mut().zip(cells).for_each(|(to, from)| *to = from.to_f64());
            visit(row, &widened);
        }
    }

    fn select_rows(&self, rows: &[u32], buffer: &mut BlockBuffer) {
        buffer.start_dense(self.n_columns);
        for &row in rows {
            buffer.push_dense_row(self.row(row as usize).iter().map(|value| value.to_f64()));
        }
    }

    fn select_columns(&self, columns: &[usize], buffer: &mut BlockBuffer) {
        buffer.start_dense(columns.len());
        for cells in self.rows() {
            buffer.push_dense_row(columns.iter().map(|&column| cells[column].to_f64()));
        }
    }
}

/// Rows whose cells are doubles, as kernels take them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doubles<'a> {
    Dense(Dense<'a, f64>),
    Sparse(Sparse<'a>),
}

impl<'a> Doubles<'a> {
    /// The values of all stored cells, row by row.
    pub(crate) fn stored(&self) -> &'a [f64] {
        match self {
            Self::Dense(dense) => dense.values,
            Self::Sparse(sparse) => sparse.stored(),
        }
    }
}

/// Rows that store only some cells; the others are zero.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<'a> {
    /// Where each row starts in `columns` and `values`; one more entry than rows.
    pub(crate) indptr: Indices<'a>,
    pub(crate) columns: Indices<'a>,
    pub(crate) values: &'a [f64],
    pub(crate) n_columns: usize,
}

impl<'a> Sparse<'a> {
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

/// Evaluates an expression for the dense rows of whatever cell type, or another one for sparse rows.
macro_rules! by_storage {
    ($block:expr, $dense:ident => $of_dense:expr, $sparse:ident => $of_sparse:expr) => {
        match $block {
            Block::F64($dense) => $of_dense,
            Block::F32($dense) => $of_dense,
            Block::U8($dense) => $of_dense,
            Block::Sparse($sparse) => $of_sparse,
        }
    };
}

impl<'a> Block<'a> {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        by_storage!(self, dense => dense.n_rows, sparse => sparse.n_rows())
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        by_storage!(self, dense => dense.n_columns, sparse => sparse.n_columns)
    }

    /// Whether every cell is stored.
    pub fn is_dense(&self) -> bool {
        !matches!(self, Self::Sparse(_))
    }

    /// The same rows with cells of type `f64`: copied into `buffer` if they are of another.
    pub fn widened<'b>(self, buffer: &'b mut BlockBuffer) -> Block<'b>
    where
        'a: 'b,
    {
        match self {
            Self::F32(dense) => buffer.fill_dense(dense.n_columns, dense.n_rows, dense.values),
            Self::U8(dense) => buffer.fill_dense(dense.n_columns, dense.n_rows, dense.values),
            Self::F64(_) | Self::Sparse(_) => return self,
        }
        buffer.block()
    }

    /// The rows, if their cells are doubles.
    pub(crate) fn doubles(&self) -> Option<Doubles<'a>> {
        match *self {
            Self::F64(dense) => Some(Doubles::Dense(dense)),
            Self::Sparse(sparse) => Some(Doubles::Sparse(sparse)),
            Self::F32(_) | Self::U8(_) => None,
        }
    }

    /// Calls `work` with the rows as doubles: a copy if they are stored otherwise.
    pub(crate) fn with_doubles<R>(&self, work: impl FnOnce(&Doubles<'_>) -> R) -> R {
        if let Some(doubles) = self.doubles() {
            return work(&doubles);
        }
        let mut buffer = BlockBuffer::default();
        let doubles = self.widened(&mut buffer).doubles();
        work(&doubles.unwrap_or_else(|| unreachable!("cells were widened to doubles")))
    }

    /// Calls `visit(row, column, value)` for every cell, row by row in column order, also for the zeros that
    /// a sparse block does not store: what a family sums by, unless a zero adds nothing.
    ///
    /// ```
    /// use nb_core::{CsrView, family::BlockBuffer};
    ///
    /// // One row, 0 and 5.
    /// let rows = CsrView::new(2, &[0, 1], &[1], &[5.0])?;
    /// let (mut all, mut stored) = (Vec::new(), Vec::new());
    /// let mut buffer = BlockBuffer::default();
    /// let block = buffer.read(&rows, 0..1);
    /// block.for_each_cell(|row, column, value| all.push((row, column, value)));
    /// block.for_each_stored(|row, column, value| stored.push((row, column, value)));
    /// assert_eq!(all, [(0, 0, 0.0), (0, 1, 5.0)]);
    /// assert_eq!(stored, [(0, 1, 5.0)]);
    /// # Ok::<(), nb_core::error::CsrError>(())
    /// ```
    #[inline]
    pub fn for_each_cell(&self, mut visit: impl FnMut(usize, usize, f64)) {
        by_storage!(self, dense => dense.for_each_cell(visit), _sparse => {
            self.for_each_row(|row, cells| {
                cells.iter().enumerate().for_each(|(column, &value)| visit(row, column, value));
            });
        });
    }

    /// The first cell, in row order, for which `refuse` has a reason; also among the zeros that a sparse
    /// block does not store.
    pub fn find_cell<R>(
        &self,
        mut refuse: impl FnMut(usize, f64) -> Option<R>,
    ) -> Option<(usize, usize, f64, R)> {
        by_storage!(self, dense => dense.find_cell(&mut refuse), sparse => {
            let mut cells = vec![0.0; sparse.n_columns];
            sparse.rows().enumerate().find_map(|(row, (columns, values))| {
                cells.fill(0.0);
                columns.iter().zip(values).for_each(|(column, &value)| cells[column] = value);
                let mut cells = cells.iter().copied().enumerate();
                cells.find_map(|(column, value)| refuse(column, value).map(|why| (row, column, value, why)))
            })
        })
    }

    /// Calls `visit(row, column, value)` for every stored cell, row by row in column order. What a sparse
    /// block does not store is zero and is not visited; a dense block stores its zeros. For sums to which
    /// a zero adds nothing; else see [`for_each_cell`](Self::for_each_cell).
    #[inline]
    pub fn for_each_stored(&self, mut visit: impl FnMut(usize, usize, f64)) {
        by_storage!(self, dense => dense.for_each_cell(visit), sparse => {
            for (row, (columns, values)) in sparse.rows().enumerate() {
                for (column, &value) in columns.iter().zip(values) {
                    visit(row, column, value);
                }
            }
        });
    }

    /// Calls `visit(row, cells)` for every row with all its cells, the zeros of a sparse block filled in.
    #[inline]
    pub fn for_each_row(&self, mut visit: impl FnMut(usize, &[f64])) {
        match self {
            Self::F64(dense) => dense.rows().enumerate().for_each(|(row, cells)| visit(row, cells)),
            Self::F32(dense) => dense.for_each_widened(visit),
            Self::U8(dense) => dense.for_each_widened(visit),
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

    /// The first stored cell, in row order, for which `refuse` has a reason: where a zero is never refused.
    /// Else see [`find_cell`](Self::find_cell).
    #[inline]
    pub fn find_stored<R>(
        &self,
        mut refuse: impl FnMut(usize, f64) -> Option<R>,
    ) -> Option<(usize, usize, f64, R)> {
        by_storage!(self, dense => dense.find_cell(&mut refuse), sparse => {
            sparse.rows().enumerate().find_map(|(row, (columns, values))| {
                let mut cells = columns.iter().zip(values);
                cells.find_map(|(column, &value)| refuse(column, value).map(|why| (row, column, value, why)))
            })
        })
    }

    /// Copies the given rows into `buffer`.
    pub(crate) fn select_rows(&self, rows: &[u32], buffer: &mut BlockBuffer) {
        by_storage!(self, dense => dense.select_rows(rows, buffer), sparse => {
            buffer.start_sparse(sparse.n_columns);
            for &row in rows {
                let cells = sparse.cells(row as usize);
                let columns = sparse.columns.slice(cells.clone());
                buffer.push_sparse_row(columns.iter().zip(sparse.values[cells].iter().copied()));
            }
        });
    }

    /// Copies the given columns, in the given order, into `buffer`.
    pub(crate) fn select_columns(&self, columns: &[usize], buffer: &mut BlockBuffer) {
        by_storage!(self, dense => dense.select_columns(columns, buffer), sparse => {
            sparse.select_columns(columns, buffer);
        });
    }
}

impl Sparse<'_> {
    fn select_columns(&self, columns: &[usize], buffer: &mut BlockBuffer) {
        buffer.start_sparse(columns.len());
        // Neighbours in order, such as the terms of a text, are contiguous.
        if let Some(&first) = columns.first()
            && columns.iter().zip(first..).all(|(&column, expected)| column == expected)
        {
            let end = first + columns.len();
            for (stored, values) in self.rows() {
                let places = stored.first_from(first)..stored.first_from(end);
                let new = stored.slice(places.clone()).iter().map(|column| column - first);
                buffer.push_sparse_row(new.zip(values[places].iter().copied()));
            }
            return;
        }
        for (stored, values) in self.rows() {
            let cells = columns
                .iter()
                .enumerate()
                .filter_map(|(new, &column)| stored.find(column).map(|place| (new, values[place])));
            buffer.push_sparse_row(cells);
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
    fn run<C: Isa>(self) {
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

    /// Fills a sparse block: where each row ends, starting with a zero, and the column numbers and values of
    /// all rows, which must be in order.
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

    /// Appends a row to a dense block. Cells beyond the number of columns are left out, missing ones are
    /// zero.
    pub fn push_dense_row(&mut self, cells: impl IntoIterator<Item = f64>) {
        debug_assert!(!self.sparse, "the buffer was started as sparse");
        self.n_rows += 1;
        let start = self.values.len();
        self.values.extend(cells.into_iter().take(self.n_columns));
        self.values.resize(start + self.n_columns, 0.0);
    }

    /// Appends a row to a sparse block: pairs of column number, increasing, and value. Columns beyond the
    /// block are left out.
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

    /// The rows of a range with cells of type `f64`: without a copy if `rows` stores them so, else through
    /// this buffer.
    ///
    /// ```
    /// use nb_core::{family::BlockBuffer, ndarray::array};
    ///
    /// let (rows, mut buffer) = (array![[1_u8, 2], [3, 4], [5, 6]], BlockBuffer::default());
    /// let mut sum = 0.0;
    /// buffer.read(&rows, 1..3).for_each_stored(|_row, _column, value| sum += value);
    /// assert_eq!(sum, 18.0);
    /// ```
    pub fn read<'a>(&'a mut self, rows: &'a (impl Rows + ?Sized), range: Range<usize>) -> Block<'a> {
        if let Some(block) = rows.block(range.clone()) {
            block.widened(self)
        } else {
            rows.copy_rows(&range.collect::<Vec<_>>(), self);
            self.block()
        }
    }

    /// What was filled in.
    pub fn block(&self) -> Block<'_> {
        if self.sparse {
            Block::Sparse(Sparse {
                indptr: Indices::Usize(&self.indptr),
                columns: Indices::Usize(&self.indices),
                values: &self.values,
                n_columns: self.n_columns,
            })
        } else {
            Block::F64(Dense { values: &self.values, n_rows: self.n_rows, n_columns: self.n_columns })
        }
    }
}
