//! The rows, standardised: `z = (x - center) * scale`, and 1 for the intercept.

use nb_core::{
    Rows,
    family::{Block, BlockBuffer},
};

use super::start::Column;

/// How many rows are copied at a time.
const CHUNK_ROWS: usize = 256;

/// The rows of a regression, standardised. Sparse rows are scaled but not centered, and stay sparse.
#[derive(Clone, Debug)]
pub(super) struct Design {
    cells: Cells,
    center: Vec<f64>,
    scale: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Cells {
    Dense(Vec<f64>),
    Sparse { indptr: Vec<usize>, indices: Vec<usize>, values: Vec<f64> },
}

impl Design {
    /// Copies the `used` rows and standardises them. Constant columns, whose spread is zero, become zero.
    ///
    /// `ridge` is what the penalty adds to the mean squares of the columns: with it in the scale, all weights
    /// have about the same curvature, whether it comes from the rows or from the penalty.
    pub(super) fn new(rows: &(impl Rows + ?Sized), used: &[usize], columns: &[Column], ridge: f64) -> Self {
        let mut buffer = BlockBuffer::default();
        let (mut cells, mut center) = (Cells::Dense(Vec::new()), Vec::new());
        for chunk in used.chunks(CHUNK_ROWS) {
            rows.copy_rows(chunk, &mut buffer);
            match buffer.block() {
                Block::Sparse(sparse) => {
                    if let Cells::Dense(_) = cells {
                        let (indptr, indices, values) = (vec![0], Vec::new(), Vec::new());
                        cells = Cells::Sparse { indptr, indices, values };
                    }
                    if let Cells::Sparse { indptr, indices, values } = &mut cells {
                        for (row_columns, row_values) in sparse.rows() {
                            indices.extend(row_columns.iter());
                            values.extend_from_slice(row_values);
                            indptr.push(values.len());
                        }
                    }
                }
                rows => {
                    if let Cells::Dense(all) = &mut cells {
                        rows.for_each_row(|_, cells| all.extend_from_slice(cells));
                    }
                    center = columns.iter().map(|column| column.center).collect();
                }
            }
        }
        center.resize(columns.len(), 0.0);
        let mut design = Self { cells, center, scale: vec![0.0; columns.len()] };
        design.standardise(used.len(), columns, ridge);
        design
    }

    /// Takes the centers off dense cells and divides every column by the root of its mean square plus the
    /// ridge.
    fn standardise(&mut self, n_rows: usize, columns: &[Column], ridge: f64) {
        let (center, mut largest) = (self.center.clone(), vec![0.0_f64; columns.len()]);
        self.for_each_cell(|column, value| {
            *value -= center[column];
            largest[column] = largest[column].max(value.abs());
        });
        // Squares of cells that were divided by the largest one cannot overflow.
        let mut squares = vec![0.0; columns.len()];
        self.for_each_cell(|column, value| {
            let share = if largest[column] > 0.0 { *value / largest[column] } else { 0.0 };
            squares[column] += share * share;
        });
        let scale = columns.iter().zip(largest.iter().zip(&squares)).map(|(column, (largest, squares))| {
            let scale = 1.0 / libm::hypot(largest * libm::sqrt(squares / n_rows as f64), libm::sqrt(ridge));
            if column.spread > 0.0 && scale.is_finite() { scale } else { 0.0 }
        });
        self.scale = scale.collect();
        let scale = self.scale.clone();
        self.for_each_cell(|column, value| *value *= scale[column]);
    }

    /// Calls `visit(column, value)` for every stored cell.
    fn for_each_cell(&mut self, mut visit: impl FnMut(usize, &mut f64)) {
        match &mut self.cells {
            Cells::Dense(cells) => {
                for row in cells.chunks_exact_mut(self.scale.len().max(1)) {
                    row.iter_mut().enumerate().for_each(|(column, value)| visit(column, value));
                }
            }
            Cells::Sparse { indices, values, .. } => {
                indices.iter().zip(values).for_each(|(&column, value)| visit(column, value));
            }
        }
    }

    /// The number of columns.
    pub(super) fn n_columns(&self) -> usize {
        self.scale.len()
    }

    /// What was taken off each column; zero for sparse rows.
    pub(super) fn center(&self) -> &[f64] {
        &self.center
    }

    /// What each column was multiplied with; zero for a constant column.
    pub(super) fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// `coefficients · (z, 1)` for a row.
    #[inline]
    pub(super) fn dot(&self, row: usize, coefficients: &[f64]) -> f64 {
        let n_columns = self.n_columns();
        let (weights, intercept) = (&coefficients[..n_columns], coefficients[n_columns]);
        intercept
            + match &self.cells {
                Cells::Dense(cells) => {
                    let cells = &cells[row * n_columns..(row + 1) * n_columns];
                    cells.iter().zip(weights).map(|(cell, weight)| cell * weight).sum::<f64>()
                }
                Cells::Sparse { indptr, indices, values } => {
                    let range = indptr[row]..indptr[row + 1];
                    let cells = indices[range.clone()].iter().zip(&values[range]);
                    cells.map(|(&column, value)| weights[column] * value).sum::<f64>()
                }
            }
    }

    /// `out += factor (z, 1)` for a row.
    #[inline]
    pub(super) fn add_row(&self, row: usize, factor: f64, out: &mut [f64]) {
        let n_columns = self.n_columns();
        match &self.cells {
            Cells::Dense(cells) => {
                let cells = &cells[row * n_columns..(row + 1) * n_columns];
                out.iter_mut().zip(cells).for_each(|(out, cell)| *out += factor * cell);
            }
            Cells::Sparse { indptr, indices, values } => {
                let range = indptr[row]..indptr[row + 1];
                let cells = indices[range.clone()].iter().zip(&values[range]);
                cells.for_each(|(&column, value)| out[column] += factor * value);
            }
        }
        out[n_columns] += factor;
    }

    /// Calls `visit(position, value)` for the entries of `(z, 1)` of a row that are not zero, in order.
    #[inline]
    pub(super) fn for_each_entry(&self, row: usize, mut visit: impl FnMut(usize, f64)) {
        let n_columns = self.n_columns();
        match &self.cells {
            Cells::Dense(cells) => {
                let cells = &cells[row * n_columns..(row + 1) * n_columns];
                cells.iter().enumerate().for_each(|(column, &value)| visit(column, value));
            }
            Cells::Sparse { indptr, indices, values } => {
                let range = indptr[row]..indptr[row + 1];
                let cells = indices[range.clone()].iter().zip(&values[range]);
                cells.for_each(|(&column, &value)| visit(column, value));
            }
        }
        visit(n_columns, 1.0);
    }
}
