//! Tables with named columns, as record batches of Arrow.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Float64Array, Int64Array, PrimitiveArray, RecordBatch,
    RecordBatchIterator, RecordBatchReader, StringArray, UInt64Array,
    types::{DurationMicrosecondType, TimestampMicrosecondType},
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use nb_core::Rows;
use nb_io::read::{Arrow, ReadError};
use numpy::PyReadonlyArray1;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use pyo3_arrow::PyRecordBatchReader;

use crate::{errors, rows::slice};

/// What messages call a table.
pub(crate) const NAME: &str = "the table";

/// A table with named columns, in memory.
#[pyclass(module = "nbayes._core", frozen)]
pub(crate) struct Frame {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Frame {
    /// A table that gives an Arrow stream, whose columns stay where they are.
    #[staticmethod]
    fn from_arrow(table: PyRecordBatchReader) -> PyResult<Self> {
        let reader = table.into_reader()?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(errors::value)?;
        Ok(Self { schema, batches })
    }

    /// A table of columns: arrays of `float64`, `int64`, `uint64` or truth values, lists of texts, in which `None` is a missing
    /// cell, and `("times", array)` or `("durations", array)` of microseconds, in which the least number is one.
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
        Ok(Self { schema, batches: vec![batch] })
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
        let fields = self.schema.fields().iter().cloned();
        let label = Arc::new(Field::new(name, DataType::Utf8, false));
        let schema = Arc::new(Schema::new(fields.chain([label]).collect::<Vec<_>>()));
        let mut first = 0;
        let mut batches = Vec::with_capacity(self.batches.len());
        for batch in &self.batches {
            let own = &places[first..first + batch.num_rows()];
            first += batch.num_rows();
            let label: ArrayRef = Arc::new(own.iter().map(text).collect::<StringArray>());
            let columns = batch.columns().iter().cloned().chain([label]).collect();
            batches.push(RecordBatch::try_new(Arc::clone(&schema), columns).map_err(errors::value)?);
        }
        Ok(Self { schema, batches })
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
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// Microseconds, of which the least number is a missing cell.
fn microseconds<T: ArrowPrimitiveType<Native = i64>>(values: &PyReadonlyArray1<'_, i64>) -> ArrayRef {
    let values = values.as_array();
    let values = values.iter().map(|&value| (value != i64::MIN).then_some(value));
    Arc::new(values.collect::<PrimitiveArray<T>>())
}

impl Frame {
    /// The record batches, one after another.
    pub(crate) fn reader(&self) -> impl RecordBatchReader + Send + 'static {
        let batches: Vec<Result<RecordBatch, ArrowError>> = self.batches.iter().cloned().map(Ok).collect();
        RecordBatchIterator::new(batches, Arc::clone(&self.schema))
    }

    /// Does something with the rows of each batch, as the columns of a model, and the number of the first of them.
    pub(crate) fn for_each<E: From<ReadError>>(
        &self,
        arrow: &Arrow,
        schema: &nb_io::Schema,
        mut work: impl FnMut(usize, &dyn Rows) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut first = 0;
        for batch in &self.batches {
            let rows = arrow.rows(batch, schema)?;
            work(first, &rows)?;
            first += batch.num_rows();
        }
        Ok(())
    }

    /// One row.
    pub(crate) fn row(&self, row: usize) -> Option<Self> {
        let mut first = 0;
        for batch in &self.batches {
            if row < first + batch.num_rows() {
                let batches = vec![batch.slice(row - first, 1)];
                return Some(Self { schema: Arc::clone(&self.schema), batches });
            }
            first += batch.num_rows();
        }
        None
    }
}
