//! Rows as a Parquet file.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::{arrow::ArrowWriter, basic::Compression, file::properties::WriterProperties};

use super::{Cell, ColumnType, Replacement, WriteRows};

pub(super) struct Parquet {
    writer: ArrowWriter<Replacement>,
    types: Vec<ColumnType>,
    schema: Arc<Schema>,
}

impl Parquet {
    pub(super) fn new(path: &Path, columns: &[(String, ColumnType)]) -> Result<Self> {
        let fields = columns.iter().map(|(name, kind)| {
            let kind = match kind {
                ColumnType::Text => DataType::Utf8,
                ColumnType::Number => DataType::Float64,
                ColumnType::Whole => DataType::Int64,
            };
            Field::new(name, kind, true)
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(Replacement::new(path)?, schema.clone(), Some(properties))?;
        Ok(Self { writer, types: columns.iter().map(|&(_, kind)| kind).collect(), schema })
    }
}

impl WriteRows for Parquet {
    fn write(&mut self, rows: &[Vec<Cell>]) -> Result<()> {
        let arrays = self.types.iter().enumerate().map(|(column, kind)| -> ArrayRef {
            let cells = rows.iter().map(|row| row.get(column));
            match kind {
                ColumnType::Number => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Some(Cell::Number(value)) => Some(*value),
                            _ => None,
                        })
                        .collect::<Float64Array>(),
                ),
                ColumnType::Whole => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Some(Cell::Number(value)) => Some(*value as i64),
                            _ => None,
                        })
                        .collect::<Int64Array>(),
                ),
                ColumnType::Text => Arc::new(
                    cells
                        .map(|cell| match cell {
                            Some(Cell::Text(text)) => Some(text.as_str()),
                            _ => None,
                        })
                        .collect::<StringArray>(),
                ),
            }
        });
        let batch = RecordBatch::try_new(self.schema.clone(), arrays.collect())?;
        self.writer.write(&batch)?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.writer.into_inner()?.finish()
    }
}
