//! Sparse rows as record batches, some rows at a time, so that wide tables are never in memory with all of
//! their cells.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, Float64Array, PrimitiveArray, RecordBatch,
    types::{Int64Type, UInt64Type},
};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use numpy::PyReadonlyArray1;
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::rows::slice;

/// About how many cells a record batch has: 32 MB of numbers.
const CELLS_OF_BATCH: usize = 1 << 22;
/// The most rows of a record batch.
const ROWS_OF_BATCH: usize = 4096;

/// Rows of which only the cells that are not 0 are stored, with columns of other types behind theirs.
#[derive(Clone)]
pub(crate) struct Sparse {
    cells: Arc<Cells>,
    /// Labels, weights and groups.
    more: Vec<ArrayRef>,
}

/// A CSR matrix.
struct Cells {
    n_columns: usize,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
    /// What a column of the same cells is as an array.
    kind: DataType,
}

impl Sparse {
    /// The arrays of a CSR matrix whose rows are in order, and the kind of its cells: `f`, `i`, `u` or `b`,
    /// as NumPy has it.
    pub(crate) fn new(
        n_columns: usize,
        (indptr, indices, values): (
            &PyReadonlyArray1<'_, i64>,
            &PyReadonlyArray1<'_, i64>,
            &PyReadonlyArray1<'_, f64>,
        ),
        kind: &str,
    ) -> PyResult<Self> {
        let damaged =
            || PyValueError::new_err("the sparse matrix is damaged: its positions are outside of it");
        let places = |all: &[i64], end: usize| -> PyResult<Vec<usize>> {
            let place = |&place: &i64| usize::try_from(place).ok().filter(|&place| place < end);
            all.iter().map(|one| place(one).ok_or_else(damaged)).collect()
        };
        let (indptr, indices, values) = (slice(indptr)?, slice(indices)?, slice(values)?);
        let indptr = places(indptr, values.len().saturating_add(1))?;
        let indices = places(indices, n_columns)?;
        let ends = [indptr.first() == Some(&0), indptr.last() == Some(&values.len()), indptr.is_sorted()];
        if !ends.into_iter().all(|holds| holds) || indices.len() != values.len() {
            return Err(damaged());
        }
        let kind = match kind {
            "b" => DataType::Boolean,
            "i" => DataType::Int64,
            "u" => DataType::UInt64,
            _ => DataType::Float64,
        };
        let cells = Cells { n_columns, indptr, indices, values: values.to_vec(), kind };
        Ok(Self { cells: Arc::new(cells), more: Vec::new() })
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.cells.indptr.len() - 1
    }

    /// The number of columns of the matrix, without further ones.
    pub(crate) fn n_columns(&self) -> usize {
        self.cells.n_columns
    }

    /// What the columns are as arrays.
    pub(crate) fn kind(&self) -> &DataType {
        &self.cells.kind
    }

    /// The same with a further column.
    pub(crate) fn with(&self, column: ArrayRef) -> Self {
        Self { cells: Arc::clone(&self.cells), more: self.more.iter().cloned().chain([column]).collect() }
    }

    /// How many rows a record batch of this many columns has.
    pub(crate) fn rows_of_batch(n_columns: usize) -> usize {
        (CELLS_OF_BATCH / n_columns.max(1)).clamp(1, ROWS_OF_BATCH)
    }

    /// Some rows with these of their columns, and the further ones if `schema` has them.
    pub(crate) fn batch(
        &self,
        schema: &SchemaRef,
        columns: &[usize],
        first: usize,
        n_rows: usize,
    ) -> Result<RecordBatch, ArrowError> {
        let Cells { n_columns, indptr, indices, values, .. } = &*self.cells;
        let n_rows = n_rows.min(self.n_rows().saturating_sub(first));
        // Where each column is among those that are wanted.
        let mut places = vec![usize::MAX; *n_columns];
        for (place, &column) in columns.iter().enumerate() {
            places[column] = place;
        }
        let mut cells = vec![vec![0.0; n_rows]; columns.len()];
        for row in 0..n_rows {
            for at in indptr[first + row]..indptr[first + row + 1] {
                if let Some(column) = cells.get_mut(places[indices[at]]) {
                    column[row] = values[at];
                }
            }
        }
        let more = self.more.iter().take(schema.fields().len() - columns.len());
        let more = more.map(|column| column.slice(first, n_rows));
        let arrays = cells.into_iter().map(|column| self.array(column)).chain(more).collect();
        RecordBatch::try_new(Arc::clone(schema), arrays)
    }

    fn array(&self, cells: Vec<f64>) -> ArrayRef {
        fn whole<T: ArrowPrimitiveType>(cells: Vec<f64>, number: fn(f64) -> T::Native) -> ArrayRef {
            Arc::new(PrimitiveArray::<T>::from_iter_values(cells.into_iter().map(number)))
        }
        match self.cells.kind {
            DataType::Boolean => {
                Arc::new(cells.into_iter().map(|cell| Some(cell != 0.0)).collect::<BooleanArray>())
            }
            DataType::Int64 => whole::<Int64Type>(cells, |cell| cell as i64),
            DataType::UInt64 => whole::<UInt64Type>(cells, |cell| cell as u64),
            _ => Arc::new(Float64Array::from(cells)),
        }
    }
}
