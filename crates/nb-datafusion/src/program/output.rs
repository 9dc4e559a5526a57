//! Rows into a file that appears whole or not at all.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use datafusion::{
    arrow::{csv, datatypes::SchemaRef, record_batch::RecordBatch},
    parquet::{
        arrow::ArrowWriter, basic::Compression, errors::ParquetError, file::properties::WriterProperties,
    },
};
use tempfile::NamedTempFile;

use super::failure::usage;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Parquet,
    Csv,
}

/// A file to be.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    path: PathBuf,
    format: Format,
}

/// A file in the making, next to the one whose place it takes when it is complete.
pub(crate) struct Rows {
    writer: Writer,
    file: NamedTempFile,
    path: PathBuf,
    n: usize,
}

enum Writer {
    Parquet(Box<ArrowWriter<File>>),
    Csv(Box<csv::Writer<File>>),
}

impl Output {
    /// What keeps the file from being written is said before all rows are read in vain.
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("parquet") => Format::Parquet,
            Some("csv") => Format::Csv,
            _ => return Err(usage(format!("{} must end in .parquet or .csv", path.display()))),
        };
        check_folder(path)?;
        Ok(Self { path: path.to_owned(), format })
    }

    /// Begins to write.
    pub(crate) fn begin(&self, schema: &SchemaRef) -> Result<Rows> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".nb-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let file = builder.tempfile_in(folder(&self.path)).with_context(|| self.problem())?;
        let handle = file.reopen().with_context(|| self.problem())?;
        let writer = match self.format {
            Format::Parquet => {
                let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
                let writer = ArrowWriter::try_new(handle, schema.clone(), Some(properties))
                    .with_context(|| self.problem())?;
                Writer::Parquet(Box::new(writer))
            }
            Format::Csv => Writer::Csv(Box::new(csv::Writer::new(handle))),
        };
        let mut rows = Rows { writer, file, path: self.path.clone(), n: 0 };
        // So that a file without rows has a header.
        rows.write(&RecordBatch::new_empty(schema.clone()))?;
        Ok(rows)
    }

    fn problem(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

impl Rows {
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let written = match &mut self.writer {
            Writer::Parquet(writer) => writer.write(batch),
            Writer::Csv(writer) => writer.write(batch).map_err(ParquetError::from),
        };
        self.n += batch.num_rows();
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// How many rows there are so far.
    pub(crate) fn n_rows(&self) -> usize {
        self.n
    }

    /// Puts the file into its place.
    pub(crate) fn finish(self) -> Result<()> {
        let Self { writer, file, path, n: _ } = self;
        let finish = || -> Result<()> {
            match writer {
                Writer::Parquet(writer) => drop(writer.close()?),
                Writer::Csv(writer) => drop(writer.into_inner()),
            }
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        finish().with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Refuses a file whose folder is not there.
pub(crate) fn check_folder(path: &Path) -> Result<()> {
    let folder = folder(path);
    if !folder.is_dir() {
        return Err(usage(format!(
            "cannot write {}: there is no folder {}",
            path.display(),
            folder.display()
        )));
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
