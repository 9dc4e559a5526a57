//! Collecting rows into chunks.

use ndarray::Array2;

use crate::read::{Chunk, FileProblem, Place, ReadError, SparseTable, Table};

/// A chunk of cells that are stored one by one has about as many at most.
const MOST_CELLS: usize = 1 << 20;

/// The rows of a chunk in the making.
#[derive(Debug)]
pub(in crate::read) struct Collector {
    n_columns: usize,
    first_row: usize,
    n_rows: usize,
    values: Vec<f64>,
    /// Where the values stand, if zeros are left out.
    sparse: Option<Places>,
    labels: Option<Vec<String>>,
    weights: Option<Vec<f64>>,
    ids: Vec<Vec<String>>,
    places: Option<Vec<Place>>,
}

/// Where the values of rows stand that have not all cells.
#[derive(Debug)]
struct Places {
    indptr: Vec<usize>,
    indices: Vec<usize>,
}

impl Places {
    fn new() -> Self {
        Self { indptr: vec![0], indices: Vec::new() }
    }
}

impl Collector {
    pub(in crate::read) fn new(n_columns: usize, labels: bool, weights: bool) -> Self {
        Self {
            n_columns,
            first_row: 0,
            n_rows: 0,
            values: Vec::new(),
            sparse: None,
            labels: labels.then(Vec::new),
            weights: weights.then(Vec::new),
            ids: Vec::new(),
            places: None,
        }
    }

    /// One whose rows are sparse, if they are.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn with_sparse_rows(self, sparse: bool) -> Self {
        Self { sparse: sparse.then(Places::new), ..self }
    }

    /// The same with `n_ids` columns of identifiers.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn with_ids(self, n_ids: usize) -> Self {
        Self { ids: vec![Vec::new(); n_ids], ..self }
    }

    /// One that keeps where its rows are, if it does.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn with_places(self, places: bool) -> Self {
        Self { places: places.then(Vec::new), ..self }
    }

    /// Whether the chunk has its maximum number of rows or cells.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn is_full(&self, n_rows: usize) -> bool {
        self.n_rows >= n_rows
            || (self.sparse.is_some() && n_rows < usize::MAX && self.values.len() >= MOST_CELLS)
    }

    /// How many rows of the file came before the next one.
    pub(in crate::read) fn next_row(&self) -> usize {
        self.first_row + self.n_rows
    }

    /// Appends all cells of a row.
    pub(in crate::read) fn push_row(&mut self, row: &[f64]) {
        self.values.extend_from_slice(row);
    }

    /// Appends a cell; a row is done after one per column.
    pub(in crate::read) fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    /// Appends a cell of a sparse row, behind those before, unless it is zero.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn push_at(&mut self, column: usize, value: f64) {
        if value != 0.0 {
            self.values.push(value);
            self.sparse.get_or_insert_with(Places::new).indices.push(column);
        }
    }

    /// Appends the cell of a feature, behind those before: every one, where rows have all cells.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn push_feature(&mut self, column: usize, value: f64) {
        if self.sparse.is_some() { self.push_at(column, value) } else { self.push(value) }
    }

    pub(in crate::read) fn push_label(&mut self, label: String) {
        self.labels.get_or_insert_default().push(label);
    }

    pub(in crate::read) fn push_weight(&mut self, weight: f64) {
        self.weights.get_or_insert_default().push(weight);
    }

    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn push_id(&mut self, column: usize, id: String) {
        self.ids[column].push(id);
    }

    /// Keeps where the row is, if that is wanted.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn push_place(&mut self, place: impl FnOnce() -> Place) {
        if let Some(places) = &mut self.places {
            places.push(place());
        }
    }

    pub(in crate::read) fn end_row(&mut self) {
        self.n_rows += 1;
        if let Some(places) = &mut self.sparse {
            places.indptr.push(self.values.len());
        }
    }

    /// The chunk, unless it has no rows; the next one begins after it.
    pub(in crate::read) fn take(&mut self, file: &str) -> Result<Option<Chunk>, ReadError> {
        if self.n_rows == 0 {
            return Ok(None);
        }
        let n_rows = std::mem::take(&mut self.n_rows);
        // The next chunk is as large as this one, except for the last.
        let next = Vec::with_capacity(self.values.len().min(MOST_CELLS));
        let values = std::mem::replace(&mut self.values, next);
        let first_row = self.first_row;
        self.first_row += n_rows;
        let rows = match &mut self.sparse {
            Some(places) => {
                let Places { indptr, indices } = std::mem::replace(places, Places::new());
                SparseTable::new(self.n_columns, indptr, indices, values)
                    .map(Table::Sparse)
                    .map_err(|error| error.to_string())
            }
            None => Array2::from_shape_vec((n_rows, self.n_columns), values)
                .map(Table::Dense)
                .map_err(|error| error.to_string()),
        };
        // Every reader pushes one cell per column and row, or some in order, so this never fails; if it did,
        // an error is better than a panic.
        let rows =
            rows.map_err(|reason| ReadError::of_file(file, FileProblem::Format { format: "table", reason }))?;
        Ok(Some(Chunk {
            n_non_numeric: 0,
            first_row,
            rows,
            labels: self
                .labels
                .as_mut()
                .map(|labels| std::mem::replace(labels, Vec::with_capacity(labels.len().min(1 << 20)))),
            weights: self.weights.as_mut().map(std::mem::take),
            ids: self.ids.iter_mut().map(std::mem::take).collect(),
            places: self.places.as_mut().map(std::mem::take).unwrap_or_default(),
        }))
    }
}
