//! Files as record batches, whichever of the formats they are in.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read, Seek},
    path::Path,
    sync::Arc,
};

use arrow_array::{Array, RecordBatch, RecordBatchOptions};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder};

use super::{
    lengths,
    lists::{Layout, first_length},
};
use crate::read::{FileProblem, ReadError, formats::decoders::contained};

/// An open file whose schema is known.
pub(super) struct Input {
    pub(super) name: String,
    layout: Layout,
    format: Format,
}

enum Format {
    Parquet(Box<ParquetRecordBatchReaderBuilder<File>>),
    File(Box<FileReader<BufReader<File>>>),
    Stream(Box<StreamReader<BufReader<File>>>),
    /// Batches that are in memory already.
    Batches(Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>),
}

/// The rows of a file.
pub(super) struct Batches {
    name: String,
    format: &'static str,
    next: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    next_row: usize,
    /// Where the wanted columns are in a batch, in the order in which they were wanted.
    pub(super) places: Vec<usize>,
    /// How to take lists apart, if there are any: which columns are wanted, and where those of the file are
    /// in a batch.
    lists: Option<(Layout, Vec<usize>, BTreeMap<usize, usize>)>,
}

impl Input {
    /// Opens a file. Lists whose type does not say how long they are are as long as the first of their
    /// column.
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let input = Self::open_plain(path)?;
        let open = Layout::of_unknown_length(&input.layout.schema);
        if open.is_empty() {
            let layout = Layout::new(&input.layout.schema, &BTreeMap::new());
            return Ok(Self { layout, ..input });
        }
        let mut lengths = BTreeMap::new();
        let mut batches = Self::open_plain(path)?.batches(&open, 1024)?;
        while lengths.len() < open.len()
            && let Some((_, batch)) = batches.next_batch()?
        {
            for (root, &place) in open.iter().zip(&batches.places) {
                if let Some(length) =
                    batch.columns().get(place).and_then(|array| first_length(array.as_ref()))
                {
                    lengths.entry(*root).or_insert(length);
                }
            }
        }
        let layout = Layout::new(&input.layout.schema, &lengths);
        Ok(Self { layout, ..input })
    }

    /// Opens a file, whose lists stay such.
    fn open_plain(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let io = |error| ReadError::io(&name, error);
        let mut file = File::open(path).map_err(io)?;
        let mut start = Vec::new();
        file.by_ref().take(6).read_to_end(&mut start).map_err(io)?;
        file.rewind().map_err(io)?;
        let (schema, format) = if start.starts_with(b"PAR1") {
            let builder = contained(&name, "parquet", || ParquetRecordBatchReaderBuilder::try_new(file))?;
            (builder.schema().clone(), Format::Parquet(Box::new(builder)))
        } else if start == b"ARROW1" {
            check(&name, lengths::check_file(&mut file))?;
            let mut file = BufReader::new(file);
            file.rewind().map_err(io)?;
            let reader = contained(&name, "arrow", || FileReader::try_new(file, None))?;
            (reader.schema(), Format::File(Box::new(reader)))
        } else if start.is_empty() {
            return Err(ReadError::of_file(&name, FileProblem::Empty));
        } else {
            check(&name, lengths::check_stream(&mut file))?;
            let mut file = BufReader::new(file);
            file.rewind().map_err(io)?;
            let reader = contained(&name, "arrow", || StreamReader::try_new(file, None))?;
            (reader.schema(), Format::Stream(Box::new(reader)))
        };
        Ok(Self { name, layout: Layout::plain(&schema), format })
    }

    /// Batches in memory, which all have this schema.
    pub(super) fn of_batches(
        name: &str,
        schema: &SchemaRef,
        batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    ) -> Self {
        let layout = Layout::new(schema, &BTreeMap::new());
        Self { name: name.into(), layout, format: Format::Batches(Box::new(batches)) }
    }

    pub(super) fn column_names(&self) -> Vec<String> {
        self.layout.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    pub(super) fn column_type(&self, place: usize) -> &DataType {
        self.layout.schema.field(place).data_type()
    }

    /// The rows, with at least the wanted columns. Parquet files are read in batches of this many rows; in
    /// the others they are as large as they were written.
    pub(super) fn batches(self, wanted: &[usize], n_rows: usize) -> Result<Batches, ReadError> {
        let Self { name, layout, format } = self;
        let roots: Vec<usize> = wanted.iter().map(|&place| layout.origins[place].root).collect();
        let mut places = roots.clone();
        let (format, next): (_, Box<dyn Iterator<Item = _> + Send>) = match format {
            Format::Parquet(builder) => {
                let mut read = roots.clone();
                read.sort_unstable();
                read.dedup();
                places = roots.iter().filter_map(|place| read.binary_search(place).ok()).collect();
                let mask = ProjectionMask::roots(builder.parquet_schema(), read);
                let builder = builder.with_projection(mask).with_batch_size(n_rows.max(1));
                ("parquet", Box::new(contained(&name, "parquet", || builder.build())?))
            }
            Format::File(reader) => ("arrow", reader),
            Format::Stream(reader) => ("arrow", reader),
            Format::Batches(batches) => ("arrow", batches),
        };
        let mut lists = None;
        if !layout.is_plain() {
            let of_roots = roots.into_iter().zip(places).collect();
            places = (0..wanted.len()).collect();
            lists = Some((layout, wanted.to_vec(), of_roots));
        }
        Ok(Batches { name, format, next, next_row: 0, places, lists })
    }
}

impl Batches {
    /// The next rows, and how many rows of the file came before.
    pub(super) fn next_batch(&mut self) -> Result<Option<(usize, RecordBatch)>, ReadError> {
        let next = &mut self.next;
        let Some(batch) = contained(&self.name, self.format, || next.next().transpose())? else {
            return Ok(None);
        };
        let first_row = self.next_row;
        self.next_row = self.next_row.saturating_add(batch.num_rows());
        let Some((layout, wanted, places)) = &self.lists else { return Ok(Some((first_row, batch))) };
        let columns = layout.take_apart(&self.name, first_row, &batch, wanted, places)?;
        let fields = columns.iter().map(|column| Field::new("", column.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        // One column was made for each that is wanted, so that this never fails.
        let batch = RecordBatch::try_new_with_options(schema, columns, &options).map_err(|error| {
            let reason = error.to_string();
            ReadError::of_file(&self.name, FileProblem::Format { format: self.format, reason })
        })?;
        Ok(Some((first_row, batch)))
    }
}

/// The error that the lengths in a file cannot be right.
fn check(file: &str, result: io::Result<Result<(), &'static str>>) -> Result<(), ReadError> {
    let reason = match result {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(reason)) => reason,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => "it ends within a message",
        Err(error) => return Err(ReadError::io(file, error)),
    };
    let format = "parquet or arrow";
    Err(ReadError::of_file(file, FileProblem::Format { format, reason: reason.into() }))
}
