//! Record batches that are in memory already.

use arrow_array::{
    Array, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchReader, cast::AsArray, types,
};
use arrow_schema::DataType;
use nb_core::{Rows, family::BlockBuffer};

use super::{
    Arrow, ArrowReader,
    input::Input,
    values::{Values, refuse},
};
use crate::{
    Kind, Schema,
    read::{
        Place, ReadChunks, ReadError, Table,
        cells::{
            cell::{Cell, Missing},
            number::count,
        },
        columns::Columns,
    },
};

/// The name of a record batch in messages.
const NAME: &str = "record batch";

/// The rows of a record batch, made by [`Arrow::rows`]: what `update` and `predict` take.
#[derive(Debug)]
pub struct BatchRows<'a>(Cells<'a>);

#[derive(Debug)]
enum Cells<'a> {
    Columns {
        n_rows: usize,
        columns: Vec<ColumnCells<'a>>,
    },
    /// Columns of texts are many columns of the model each.
    Table(Table),
}

/// The cells of a column: those of the batch where doubles hold them all, else numbers that were made of
/// them.
#[derive(Debug)]
enum ColumnCells<'a> {
    F64(&'a PrimitiveArray<types::Float64Type>),
    F32(&'a PrimitiveArray<types::Float32Type>),
    I32(&'a PrimitiveArray<types::Int32Type>),
    I16(&'a PrimitiveArray<types::Int16Type>),
    I8(&'a PrimitiveArray<types::Int8Type>),
    U32(&'a PrimitiveArray<types::UInt32Type>),
    U16(&'a PrimitiveArray<types::UInt16Type>),
    U8(&'a PrimitiveArray<types::UInt8Type>),
    Bool(&'a BooleanArray),
    Made(Vec<f64>),
}

impl<'a> ColumnCells<'a> {
    /// The cells of an array of numbers; none if they have to be made.
    fn borrowed(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Float64 => Self::F64(array.as_primitive()),
            DataType::Float32 => Self::F32(array.as_primitive()),
            DataType::Int32 => Self::I32(array.as_primitive()),
            DataType::Int16 => Self::I16(array.as_primitive()),
            DataType::Int8 => Self::I8(array.as_primitive()),
            DataType::UInt32 => Self::U32(array.as_primitive()),
            DataType::UInt16 => Self::U16(array.as_primitive()),
            DataType::UInt8 => Self::U8(array.as_primitive()),
            DataType::Boolean => Self::Bool(array.as_boolean()),
            _ => return None,
        })
    }

    /// A cell; NaN if it is null.
    fn get(&self, row: usize) -> f64 {
        fn of<T: arrow_array::ArrowPrimitiveType<Native: Into<f64>>>(
            array: &PrimitiveArray<T>,
            row: usize,
        ) -> f64 {
            if array.is_valid(row) { array.value(row).into() } else { f64::NAN }
        }
        match self {
            Self::F64(array) => of(array, row),
            Self::F32(array) => of(array, row),
            Self::I32(array) => of(array, row),
            Self::I16(array) => of(array, row),
            Self::I8(array) => of(array, row),
            Self::U32(array) => of(array, row),
            Self::U16(array) => of(array, row),
            Self::U8(array) => of(array, row),
            Self::Bool(array) if array.is_valid(row) => f64::from(u8::from(array.value(row))),
            Self::Bool(_) => f64::NAN,
            Self::Made(values) => values[row],
        }
    }
}

impl Arrow {
    /// The rows of a record batch, whose columns are found by name and may be in another order or among
    /// further ones. Doubles, floats, truth values and whole numbers of up to 32 bits stay where they
    /// are; categories become codes and texts the counts of their terms, in their own memory. Options
    /// about labels, weights and identifiers have no part in it.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{Array, Float64Array, Int32Array, RecordBatch};
    /// use nb_core::Prior;
    /// use nb_io::{Family, Model};
    /// use nb_table::{Schema, read::Arrow};
    ///
    /// let column = |values: &[f64]| Arc::new(Float64Array::from(values.to_vec())) as Arc<dyn Array>;
    /// let rings = Arc::new(Int32Array::from(vec![3, 4, 9, 8])) as Arc<dyn Array>;
    /// let batch = RecordBatch::try_from_iter([("rings", rings), ("length", column(&[1.0, 2.0, 7.0, 8.0]))])?;
    ///
    /// let schema = Schema::numeric(["length", "rings"], "species");
    /// let mut model = Model::new(schema.clone(), Family::for_schema(&schema), Prior::Empirical)?;
    /// let rows = Arrow::default().rows(&batch, &schema)?;
    /// model.update(&rows, &["a", "a", "b", "b"])?;
    /// assert_eq!(model.classifier()?.predict(&rows)?, ["a", "a", "b", "b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the column that is not there or of another type, or the row and the cell that is
    /// not one of its kind.
    pub fn rows<'a>(&self, batch: &'a RecordBatch, schema: &Schema) -> Result<BatchRows<'a>, ReadError> {
        let mut arrow = self.clone();
        arrow.table.labels = crate::read::Labels::Ignore;
        (arrow.table.weight, arrow.table.ids, arrow.table.chunk_rows) = (None, Vec::new(), usize::MAX);
        let has_lists = batch.schema().fields().iter().any(|field| field.data_type().is_list());
        if has_lists || !schema.is_one_to_one() {
            let batches = std::iter::once(Ok(batch.clone()));
            let mut reader =
                ArrowReader::new(Input::of_batches(NAME, &batch.schema(), batches), &arrow, schema)?;
            return Ok(BatchRows(Cells::Table(match reader.next_chunk()? {
                Some(chunk) => chunk.rows,
                None => Table::Dense(ndarray::Array2::zeros((0, schema.n_features()))),
            })));
        }
        let header: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        let places = Columns::of_schema(NAME, &header, schema, &arrow.table)?.features;
        let missing = Missing::of_typed(&arrow.table);
        let mut columns = Vec::with_capacity(places.len());
        for (column, place) in schema.columns.iter().zip(places) {
            let array = batch.column(place).as_ref();
            let values = Values::of(array).ok_or_else(|| refuse(NAME, &column.name, array.data_type()))?;
            let mut kind = column.kind.clone();
            let mut cell = Cell::new(column, &arrow.table);
            let is_number = matches!(kind, Kind::Numeric | Kind::Count);
            let borrowed = ColumnCells::borrowed(array).filter(|_| is_number);
            let mut made = Vec::new();
            for row in 0..batch.num_rows() {
                // What is borrowed is only checked.
                let value = match &borrowed {
                    Some(cells) => match cells.get(row) {
                        value if value.is_infinite() => Err(crate::read::CellProblem::Infinite),
                        value if value.is_nan() || kind == Kind::Numeric => Ok(value),
                        value => count(value),
                    },
                    None => super::reader::value(&mut kind, &mut cell, &values, row, &missing),
                };
                let value = value.map_err(|problem| {
                    let text = values.text(row).unwrap_or_default();
                    ReadError::cell(NAME, Place::Row(row), &column.name, &text, problem)
                })?;
                if borrowed.is_none() {
                    made.push(value);
                }
            }
            columns.push(borrowed.unwrap_or(ColumnCells::Made(made)));
        }
        Ok(BatchRows(Cells::Columns { n_rows: batch.num_rows(), columns }))
    }

    /// Reads the columns of a schema, with labels and weights, from record batches, such as those of a query.
    /// `name` is what messages call them.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{Array, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
    /// use nb_core::Prior;
    /// use nb_io::{Family, Model, read::train};
    /// use nb_table::{Schema, read::Arrow};
    ///
    /// let length = Arc::new(Float64Array::from(vec![1.0, 2.0, 7.0])) as Arc<dyn Array>;
    /// let species = Arc::new(StringArray::from(vec!["a", "a", "b"])) as Arc<dyn Array>;
    /// let batch = RecordBatch::try_from_iter([("length", length), ("species", species)])?;
    /// let batches = RecordBatchIterator::new([Ok(batch.clone()), Ok(batch.clone())], batch.schema());
    ///
    /// let schema = Schema::numeric(["length"], "species");
    /// let mut model = Model::new(schema.clone(), Family::for_schema(&schema), Prior::Empirical)?;
    /// let mut reader = Arrow::default().read_batches("the query", batches, &schema)?;
    /// assert_eq!(train(&mut model, &mut reader)?, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the batches do not have the columns.
    pub fn read_batches(
        &self,
        name: &str,
        batches: impl RecordBatchReader + Send + 'static,
        schema: &Schema,
    ) -> Result<ArrowReader, ReadError> {
        let of_batches = batches.schema();
        ArrowReader::new(Input::of_batches(name, &of_batches, batches), self, schema)
    }
}

impl Rows for BatchRows<'_> {
    fn n_rows(&self) -> usize {
        match &self.0 {
            Cells::Columns { n_rows, .. } => *n_rows,
            Cells::Table(table) => table.n_rows(),
        }
    }

    fn n_columns(&self) -> usize {
        match &self.0 {
            Cells::Columns { columns, .. } => columns.len(),
            Cells::Table(table) => table.n_columns(),
        }
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        match &self.0 {
            Cells::Columns { columns, .. } => {
                buffer.start_dense(columns.len());
                for &row in rows {
                    buffer.push_dense_row(columns.iter().map(|cells| cells.get(row)));
                }
            }
            Cells::Table(table) => table.copy_rows(rows, buffer),
        }
    }
}
