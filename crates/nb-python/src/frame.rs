//! Tables with named columns, as record batches of Arrow.

use std::{collections::HashSet, sync::Arc};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Float64Array, Int64Array, PrimitiveArray, RecordBatch,
    RecordBatchIterator, RecordBatchReader, StringArray, UInt64Array,
    types::{DurationMicrosecondType, TimestampMicrosecondType},
};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use nb_core::Rows;
use nb_io::read::{Arrow, FileProblem, ReadError};
use numpy::PyReadonlyArray1;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use pyo3_arrow::PyRecordBatchReader;

use crate::{errors, rows::slice, sparse::Sparse};

/// What messages call a table.
pub(crate) const NAME: &str = "the table";

/// A table with named columns, in memory.
#[pyclass(module = "nbayes._core", frozen)]
pub(crate) struct Frame {
    schema: SchemaRef,
    cells: Cells,
}

/// Where the cells are.
#[derive(Clone)]
enum Cells {
    Batches(Vec<RecordBatch>),
    Sparse(Sparse),
}

#[pymethods]
impl Frame {
    /// A table that gives an Arrow stream, whose columns stay where they are.
    #[staticmethod]
    fn from_arrow(table: PyRecordBatchReader) -> PyResult<Self> {
        let reader = table.into_reader()?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(errors::value)?;
        Ok(Self { schema, cells: Cells::Batches(batches) })
    }

    /// A table of the rows of a CSR matrix, whose cells are of a kind as NumPy has it: `f`, `i`, `u` or `b`.
    /// Rows become columns some at a time.
    #[staticmethod]
    fn from_csr(
        names: Vec<String>,
        indptr: PyReadonlyArray1<'_, i64>,
        indices: PyReadonlyArray1<'_, i64>,
        values: PyReadonlyArray1<'_, f64>,
        kind: &str,
    ) -> PyResult<Self> {
        let sparse = Sparse::new(names.len(), (&indptr, &indices, &values), kind)?;
        let fields = names.into_iter().map(|name| Field::new(name, sparse.kind().clone(), true));
        Ok(Self { schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())), cells: Cells::Sparse(sparse) })
    }

    /// A table of columns: arrays of `float64`, `int64`, `uint64` or truth values, lists of texts, in which
    /// `None` is a missing cell, and `("times", array)` or `("durations", array)` of microseconds, in which
    /// the least number is one.
    #[staticmethod]
    fn from_columns(columns: Vec<(String, Bound<'_, PyAny>)>, n_rows: usize) -> PyResult<Self> {
        let mut fields = Vec::with_capacity(columns.len());
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
        for (name, column) in columns {
            let array: ArrayRef = if let Ok(numbers) = column.extract::<PyReadonlyArray1<'_, f64>>() {
                Arc::new(Float64Array::from(numbers.as_array().to_vec()))
            } else if let Ok(numbers) = column.extract::<PyReadonlyArray1<'_, i64>>() {
                Arc::new(Int64Array::from(numbers.as_array().to_vec()))
            } else if let Ok(numbers) = column.extract::<PyReadonlyArray1<'_, u64>>() {
                Arc::new(UInt64Array::from(numbers.as_array().to_vec()))
            } else if let Ok((kind, times)) = column.extract::<(String, PyReadonlyArray1<'_, i64>)>() {
                if kind == "times" {
                    microseconds::<TimestampMicrosecondType>(&times)
                } else {
                    microseconds::<DurationMicrosecondType>(&times)
                }
            } else if let Ok(flags) = column.extract::<PyReadonlyArray1<'_, bool>>() {
                Arc::new(BooleanArray::from(flags.as_array().to_vec()))
            } else if let Ok(texts) = column.extract::<Vec<Option<String>>>() {
                Arc::new(StringArray::from(texts))
            } else {
                return Err(PyTypeError::new_err(format!("column {name:?} has neither numbers nor texts")));
            };
            if array.len() != n_rows {
                return Err(PyValueError::new_err(format!(
                    "column {name:?} has {} rows where the table has {n_rows}",
                    array.len()
                )));
            }
            fields.push(Field::new(name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(errors::value)?;
        Ok(Self { schema, cells: Cells::Batches(vec![batch]) })
    }

    /// The same with a column of labels behind the others: the text of the class of each row.
    fn with_labels(
        &self,
        name: &str,
        classes: Vec<String>,
        places: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Self> {
        let places = slice(&places)?;
        if places.len() != self.n_rows() {
            return Err(PyValueError::new_err(format!(
                "the table has {} rows, but there are {} labels",
                self.n_rows(),
                places.len()
            )));
        }
        let text = |place: &i64| usize::try_from(*place).ok().and_then(|place| classes.get(place));
        let labels: ArrayRef = Arc::new(places.iter().map(text).collect::<StringArray>());
        self.with_column(name, labels)
    }

    /// The same with a column of weights behind the others.
    fn with_weights(&self, name: &str, weights: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let weights = slice(&weights)?;
        if weights.len() != self.n_rows() {
            return Err(PyValueError::new_err(format!(
                "the table has {} rows, but there are {} weights",
                self.n_rows(),
                weights.len()
            )));
        }
        self.with_column(name, Arc::new(Float64Array::from(weights.to_vec())))
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The names of the columns of dates, times and durations.
    #[getter]
    fn time_columns(&self) -> Vec<String> {
        let times = self.schema.fields().iter().filter(|field| field.data_type().is_temporal());
        times.map(|field| field.name().clone()).collect()
    }

    /// The number of rows.
    #[getter]
    pub(crate) fn n_rows(&self) -> usize {
        match &self.cells {
            Cells::Batches(batches) => batches.iter().map(RecordBatch::num_rows).sum(),
            Cells::Sparse(sparse) => sparse.n_rows(),
        }
    }
}

/// Microseconds, of which the least number is a missing cell.
fn microseconds<T: ArrowPrimitiveType<Native = i64>>(values: &PyReadonlyArray1<'_, i64>) -> ArrayRef {
    let values = values.as_array();
    let values = values.iter().map(|&value| (value != i64::MIN).then_some(value));
    Arc::new(values.collect::<PrimitiveArray<T>>())
}

impl Frame {
    /// The same with a column behind the others.
    fn with_column(&self, name: &str, column: ArrayRef) -> PyResult<Self> {
        let fields = self.schema.fields().iter().cloned();
        let field = Arc::new(Field::new(name, column.data_type().clone(), false));
        let schema = Arc::new(Schema::new(fields.chain([field]).collect::<Vec<_>>()));
        let batches = match &self.cells {
            Cells::Sparse(sparse) => return Ok(Self { schema, cells: Cells::Sparse(sparse.with(column)) }),
            Cells::Batches(batches) => batches,
        };
        let mut first = 0;
        let mut with_column = Vec::with_capacity(batches.len());
        for batch in batches {
            let own = column.slice(first, batch.num_rows());
            first += batch.num_rows();
            let columns = batch.columns().iter().cloned().chain([own]).collect();
            with_column.push(RecordBatch::try_new(Arc::clone(&schema), columns).map_err(errors::value)?);
        }
        Ok(Self { schema, cells: Cells::Batches(with_column) })
    }

    /// The record batches, one after another.
    pub(crate) fn reader(&self) -> Box<dyn RecordBatchReader + Send + 'static> {
        let schema = Arc::clone(&self.schema);
        match self.cells.clone() {
            Cells::Batches(batches) => {
                let batches: Vec<Result<RecordBatch, ArrowError>> = batches.into_iter().map(Ok).collect();
                Box::new(RecordBatchIterator::new(batches, schema))
            }
            Cells::Sparse(sparse) => {
                let columns: Vec<usize> = (0..sparse.n_columns()).collect();
                let step = Sparse::rows_of_batch(columns.len());
                let of_batch = Arc::clone(&schema);
                let batches = (0..sparse.n_rows()).step_by(step);
                let batches = batches.map(move |first| sparse.batch(&of_batch, &columns, first, step));
                Box::new(RecordBatchIterator::new(batches, schema))
            }
        }
    }

    /// Does something with the rows of each batch, as the columns of a model, and the number of the first of
    /// them.
    pub(crate) fn for_each<E: From<ReadError>>(
        &self,
        arrow: &Arrow,
        schema: &nb_io::Schema,
        mut work: impl FnMut(usize, &dyn Rows) -> Result<(), E>,
    ) -> Result<(), E> {
        let sparse = match &self.cells {
            Cells::Sparse(sparse) => sparse,
            Cells::Batches(batches) => {
                let mut first = 0;
                for batch in batches {
                    let rows = arrow.rows(batch, schema)?;
                    work(first, &rows)?;
                    first += batch.num_rows();
                }
                return Ok(());
            }
        };
        let (columns, of_batch) = self.columns_of(sparse, schema);
        let step = Sparse::rows_of_batch(columns.len());
        for first in (0..sparse.n_rows()).step_by(step) {
            let batch = sparse.batch(&of_batch, &columns, first, step).map_err(unreadable)?;
            let rows = arrow.rows(&batch, schema)?;
            work(first, &rows)?;
        }
        Ok(())
    }

    /// The columns of sparse rows that a model has, which are all that become arrays.
    fn columns_of(&self, sparse: &Sparse, schema: &nb_io::Schema) -> (Vec<usize>, SchemaRef) {
        let wanted: HashSet<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
        let fields = self.schema.fields().iter().take(sparse.n_columns()).enumerate();
        let used = fields.filter(|(_, field)| wanted.contains(field.name().as_str()));
        let (columns, fields): (Vec<usize>, Vec<_>) =
            used.map(|(place, field)| (place, Arc::clone(field))).unzip();
        (columns, Arc::new(Schema::new(fields)))
    }

    /// One row.
    pub(crate) fn row(&self, row: usize) -> Option<Self> {
        let batches = match &self.cells {
            Cells::Batches(batches) => batches,
            Cells::Sparse(sparse) => {
                let columns: Vec<usize> = (0..sparse.n_columns()).collect();
                let batch = (row < sparse.n_rows()).then(|| sparse.batch(&self.schema, &columns, row, 1));
                let cells = Cells::Batches(vec![batch?.ok()?]);
                return Some(Self { schema: Arc::clone(&self.schema), cells });
            }
        };
        let mut first = 0;
        for batch in batches {
            if row < first + batch.num_rows() {
                let cells = Cells::Batches(vec![batch.slice(row - first, 1)]);
                return Some(Self { schema: Arc::clone(&self.schema), cells });
            }
            first += batch.num_rows();
        }
        None
    }
}

/// A batch that cannot be made of sparse rows.
fn unreadable(error: ArrowError) -> ReadError {
    ReadError::File {
        file: NAME.into(),
        problem: FileProblem::Format { format: "sparse rows", reason: error.to_string() },
    }
}
