//! A table of one double per class and column, the classes of a column side by side.

use ndarray::{Array2, ArrayView2, ShapeBuilder};

use nb_simd::LANES;

/// The most vectors of classes that are read together.
pub(crate) const MOST_VECTORS: usize = 4;

/// Number of zeros after the entries, so that vectors can be read anywhere.
const PADDING: usize = MOST_VECTORS * LANES;

/// Parameters of all classes and columns, column after column: a stored cell of a sparse row then touches a
/// line or two of memory instead of one for each class, and the same table serves dense rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    n_classes: usize,
    n_columns: usize,
    /// All entries, and zeros behind them.
    cells: Vec<f64>,
}

impl Table {
    /// All zero.
    pub(crate) fn zeros(n_classes: usize, n_columns: usize) -> Self {
        Self { n_classes, n_columns, cells: vec![0.0; n_classes * n_columns + PADDING] }
    }

    /// The entries of an array, `n_classes × n_columns`.
    pub(crate) fn of(array: Array2<f64>) -> Self {
        let (n_classes, n_columns) = array.dim();
        let cells = array.reversed_axes().into_iter().chain([0.0; PADDING]).collect();
        Self { n_classes, n_columns, cells }
    }

    /// The number of classes and of columns.
    pub(crate) fn dim(&self) -> (usize, usize) {
        (self.n_classes, self.n_columns)
    }

    /// One entry.
    #[inline]
    pub(crate) fn get(&self, class: usize, column: usize) -> f64 {
        debug_assert!(class < self.n_classes, "class {class} of {}", self.n_classes);
        self.cells[column * self.n_classes + class]
    }

    /// The entries of one column, in class order.
    #[inline]
    pub(crate) fn column(&self, column: usize) -> &[f64] {
        &self.cells[column * self.n_classes..][..self.n_classes]
    }

    /// Changes one entry.
    #[inline]
    pub(crate) fn set(&mut self, class: usize, column: usize, value: f64) {
        debug_assert!(class < self.n_classes, "class {class} of {}", self.n_classes);
        self.cells[column * self.n_classes + class] = value;
    }

    /// The entries of this many columns after one another, until there are no more.
    pub(crate) fn pieces_mut(&mut self, n_columns: usize) -> std::slice::ChunksMut<'_, f64> {
        self.cells[..self.n_classes * self.n_columns].chunks_mut((n_columns * self.n_classes).max(1))
    }

    /// The entries of one class, in column order.
    pub(crate) fn class(&self, class: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.n_columns).map(move |column| self.get(class, column))
    }

    /// The differences of the entries of two tables of the same shape.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        let cells = self.cells.iter().zip(&other.cells).map(|(a, b)| a - b).collect();
        Self { cells, ..*self }
    }

    /// All entries, column after column, and zeros behind them: enough for [`MOST_VECTORS`].
    #[inline]
    pub(crate) fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// All entries, column after column.
    pub(crate) fn entries(&self) -> &[f64] {
        &self.cells[..self.n_classes * self.n_columns]
    }

    /// The table as an array, `n_classes × n_columns`.
    pub(crate) fn view(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape(self.dim().f(), self.entries())
            .unwrap_or_else(|_| unreachable!("there is an entry for every class and column"))
    }
}
