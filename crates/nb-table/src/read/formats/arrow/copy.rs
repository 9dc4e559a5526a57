//! Rows of a Parquet file, copied to another one.

use std::{fs::File, io::Write, ops::Range, path::Path};

use parquet::{
    arrow::{
        ArrowWriter,
        arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection},
    },
    basic::Compression,
    errors::ParquetError,
    file::properties::WriterProperties,
};

use super::Arrow;
use crate::read::{ReadError, formats::decoders::contained};

impl Arrow {
    /// Writes some rows of a Parquet file, with all columns as they are, as another one, compressed by
    /// Snappy. The ranges are in order; rows beyond the last are left out.
    ///
    /// ```no_run
    /// use nb_table::read::Arrow;
    ///
    /// Arrow::default().copy_parquet_rows("data.parquet", vec![0..100, 200..300], std::fs::File::create("some.parquet")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be read, is no Parquet file, or the output cannot be written.
    pub fn copy_parquet_rows(
        &self,
        path: impl AsRef<Path>,
        rows: Vec<Range<usize>>,
        output: impl Write + Send,
    ) -> Result<(), ReadError> {
        let name = path.as_ref().display().to_string();
        let file = File::open(path).map_err(|error| ReadError::io(&name, error))?;
        contained(&name, "parquet", || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
            let n_rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(usize::MAX);
            let rows = rows.into_iter().map(|rows| rows.start.min(n_rows)..rows.end.min(n_rows));
            let selection = RowSelection::from_consecutive_ranges(rows, n_rows);
            let schema = builder.schema().clone();
            let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
            let mut writer = ArrowWriter::try_new(output, schema, Some(properties))?;
            for batch in builder.with_row_selection(selection).build()? {
                writer.write(&batch?)?;
            }
            writer.close()?;
            Ok::<(), ParquetError>(())
        })
    }
}
