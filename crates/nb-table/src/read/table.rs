//! What readers yield: chunks of rows.

use nb_core::{CsrView, Rows, error::CsrError, family::BlockBuffer};
use ndarray::Array2;

use super::Place;

/// Some rows of a file, with what else the file says of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// How many rows of the file came before.
    pub first_row: usize,
    /// The features, in the order of the schema.
    pub rows: Table,
    /// One label per row, if the file has labels.
    pub labels: Option<Vec<String>>,
    /// One weight per row, if the file has weights.
    pub weights: Option<Vec<f64>>,
    /// For each of the columns requested ([`TableOptions::ids`](super::TableOptions::ids)), one text per
    /// row; an empty one where the cell is empty.
    pub ids: Vec<Vec<String>>,
    /// How many cells of columns of numbers were texts and taken for missing
    /// ([`TableOptions::non_numeric`](super::TableOptions::non_numeric)).
    pub n_non_numeric: usize,
    /// Where each row is, if that is asked for ([`TableOptions::places`](super::TableOptions::places));
    /// otherwise nothing. Rows that are skipped do not count in `first_row`.
    pub places: Vec<Place>,
}

/// A whole file in memory, with the schema that was learnt from it.
#[cfg(feature = "csv")]
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The schema, and why it is as it is.
    pub inferred: super::Inferred,
    /// All rows.
    pub chunk: Chunk,
}

/// A table in memory: what `update` and `predict` take as rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// Every cell is stored; a missing one is NaN.
    Dense(Array2<f64>),
    /// Cells that are not stored are zero.
    Sparse(SparseTable),
}

/// A table in compressed sparse row form.
///
/// ```
/// use nb_core::Rows;
/// use nb_table::read::SparseTable;
///
/// // [[0, 2, 0], [1, 0, 3]]
/// let table = SparseTable::new(3, vec![0, 1, 3], vec![1, 0, 2], vec![2.0, 1.0, 3.0])?;
/// assert_eq!((table.n_rows(), table.n_columns()), (2, 3));
/// # Ok::<(), nb_core::error::CsrError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SparseTable {
    n_columns: usize,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
}

impl SparseTable {
    /// Checks and wraps the three arrays: row `i` has the cells `indptr[i]..indptr[i + 1]` of `indices`
    /// (column numbers, increasing) and `values`.
    ///
    /// ```
    /// use nb_table::read::SparseTable;
    ///
    /// assert!(SparseTable::new(3, vec![0, 2], vec![2, 0], vec![1.0, 1.0]).is_err()); // column numbers increase
    /// ```
    ///
    /// # Errors
    /// [`CsrError`] names the first thing that is wrong.
    pub fn new(
        n_columns: usize,
        indptr: Vec<usize>,
        indices: Vec<usize>,
        values: Vec<f64>,
    ) -> Result<Self, CsrError> {
        CsrView::new(n_columns, &indptr, &indices, &values)?;
        Ok(Self { n_columns, indptr, indices, values })
    }

    /// Wraps arrays that are in order by the way they were made.
    pub(crate) fn from_sorted(
        n_columns: usize,
        indptr: Vec<usize>,
        indices: Vec<usize>,
        values: Vec<f64>,
    ) -> Self {
        debug_assert!(CsrView::new(n_columns, &indptr, &indices, &values).is_ok());
        Self { n_columns, indptr, indices, values }
    }

    /// A cell; zero if it is not stored.
    ///
    /// ```
    /// use nb_table::read::SparseTable;
    ///
    /// let table = SparseTable::new(3, vec![0, 1], vec![2], vec![5.0])?;
    /// assert_eq!((table.get(0, 2), table.get(0, 1)), (5.0, 0.0));
    /// # Ok::<(), nb_core::error::CsrError>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such row.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let cells = self.indptr[row]..self.indptr[row + 1];
        let place = self.indices[cells.clone()].binary_search(&column);
        place.map_or(0.0, |place| self.values[cells.start + place])
    }

    /// Where each row starts in [`indices`](Self::indices) and [`values`](Self::values); one more entry than
    /// rows.
    ///
    /// ```
    /// # use nb_table::read::SparseTable;
    /// let table = SparseTable::new(3, vec![0, 1, 3], vec![1, 0, 2], vec![2.0, 1.0, 3.0])?;
    /// assert_eq!(table.indptr(), [0, 1, 3]);
    /// # Ok::<(), nb_core::error::CsrError>(())
    /// ```
    pub fn indptr(&self) -> &[usize] {
        &self.indptr
    }

    /// The column numbers of the stored cells.
    ///
    /// ```
    /// # use nb_table::read::SparseTable;
    /// let table = SparseTable::new(3, vec![0, 1, 3], vec![1, 0, 2], vec![2.0, 1.0, 3.0])?;
    /// assert_eq!(table.indices()[table.indptr()[1]..], [0, 2]); // of the second row
    /// # Ok::<(), nb_core::error::CsrError>(())
    /// ```
    pub fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// The values of the stored cells.
    ///
    /// ```
    /// # use nb_table::read::SparseTable;
    /// let table = SparseTable::new(3, vec![0, 1, 3], vec![1, 0, 2], vec![2.0, 1.0, 3.0])?;
    /// assert_eq!(table.values()[table.indptr()[1]..], [1.0, 3.0]); // of the second row
    /// # Ok::<(), nb_core::error::CsrError>(())
    /// ```
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

impl Rows for SparseTable {
    fn n_rows(&self) -> usize {
        self.indptr.len() - 1
    }

    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        buffer.start_sparse(self.n_columns);
        for &row in rows {
            let cells = self.indptr[row]..self.indptr[row + 1];
            let columns = self.indices[cells.clone()].iter().copied();
            buffer.push_sparse_row(columns.zip(self.values[cells].iter().copied()));
        }
    }
}

impl Rows for Table {
    fn n_rows(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.nrows(),
            Self::Sparse(rows) => rows.n_rows(),
        }
    }

    fn n_columns(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.ncols(),
            Self::Sparse(rows) => rows.n_columns(),
        }
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        match self {
            Self::Dense(table) => table.copy_rows(rows, buffer),
            Self::Sparse(table) => table.copy_rows(rows, buffer),
        }
    }

    fn block(&self, rows: std::ops::Range<usize>) -> Option<nb_core::family::Block<'_>> {
        match self {
            Self::Dense(table) => table.block(rows),
            Self::Sparse(table) => table.block(rows),
        }
    }
}
