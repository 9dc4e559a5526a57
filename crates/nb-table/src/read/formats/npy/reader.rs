//! Rows of an array as chunks.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::{Npy, array::read_bytes, header::Header};
use crate::{
    Schema,
    read::{
        CellProblem, Chunk, FileProblem, Place, ReadError, formats::collect::Collector,
        options::rows_of_chunk, reads_chunks,
    },
};

/// The rows of a NumPy array, made by [`Npy::read`].
pub struct NpyReader<'a> {
    file: String,
    header: Header,
    cells: Cells<'a>,
    labels: Option<LabelStream<'a>>,
    schema: Schema,
    chunk_rows: usize,
    rows: Collector,
    done: bool,
}

/// How many bytes a label may have.
const LONGEST_LABEL: u64 = 1 << 20;

/// Where the elements of the array come from.
pub(super) enum Cells<'a> {
    /// Row after row.
    Rows(Box<dyn Read + Send + 'a>),
    /// Column after column, the first one at the given position.
    Columns(Box<dyn ReadSeek + 'a>, u64),
}

/// A stream in which one can go back.
pub(super) trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// The array of labels.
pub(super) struct LabelStream<'a> {
    pub(super) file: String,
    pub(super) header: Header,
    pub(super) input: Box<dyn Read + Send + 'a>,
}

impl<'a> NpyReader<'a> {
    pub(super) fn new(
        file: &str,
        header: Header,
        cells: Cells<'a>,
        labels: Option<LabelStream<'a>>,
        schema: &Schema,
        npy: &Npy,
    ) -> Result<Self, ReadError> {
        let refuse = |problem| Err(ReadError::of_file(file, problem));
        let (rows, columns) = dimensions(&header, file, &npy.x)?;
        if header.dtype.is_text() {
            let (array, found) = (npy.x.clone(), "text".into());
            return refuse(FileProblem::ArrayType { array, found, expected: "float64" });
        }
        if columns != schema.n_features() {
            return refuse(FileProblem::Columns { expected: schema.n_features(), found: columns });
        }
        if columns == 0 {
            return refuse(FileProblem::NoFeatures);
        }
        if let Some(labels) = &labels {
            let [n_labels] = labels.header.shape[..] else {
                let (array, found) = (npy.y.clone(), labels.header.shape.len());
                return Err(ReadError::of_file(
                    &labels.file,
                    FileProblem::Dimensions { array, expected: 1, found },
                ));
            };
            let (size, limit) = (labels.header.dtype.size as u64, LONGEST_LABEL);
            if size > limit {
                return refuse(FileProblem::TooLarge { what: "the bytes of a label are", size, limit });
            }
            if n_labels != rows {
                return refuse(FileProblem::Labels { rows, labels: n_labels });
            }
        }
        Ok(Self {
            file: file.into(),
            header,
            cells,
            rows: Collector::new(columns, labels.is_some(), false),
            labels,
            schema: schema.clone(),
            chunk_rows: rows_of_chunk(npy.chunk_rows, columns),
            done: false,
        })
    }

    fn read_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let (dtype, first) = (self.header.dtype, self.rows.next_row());
        let (all_rows, n_columns) = dimensions(&self.header, &self.file, "")?;
        let n_rows = self.chunk_rows.min(all_rows - first);
        if n_rows == 0 {
            self.done = true;
            self.check_end()?;
            return Ok(None);
        }
        // A chunk has about a million cells, or one row, which has as many columns as the schema.
        let mut bytes = vec![0; n_rows * n_columns * dtype.size];
        let file = &self.file;
        match &mut self.cells {
            Cells::Rows(input) => fill(input, &mut bytes, file)?,
            Cells::Columns(input, start) => {
                for (column, bytes) in bytes.chunks_exact_mut(n_rows * dtype.size).enumerate() {
                    let element =
                        (column as u64).saturating_mul(all_rows as u64).saturating_add(first as u64);
                    let position = element.saturating_mul(dtype.size as u64).saturating_add(*start);
                    input.seek(SeekFrom::Start(position)).map_err(|error| ReadError::io(file, error))?;
                    fill(input, bytes, file)?;
                }
            }
        }
        let by_column = matches!(self.cells, Cells::Columns(..));
        for row in 0..n_rows {
            for column in 0..n_columns {
                let element = if by_column { column * n_rows + row } else { row * n_columns + column };
                let bytes = &bytes[element * dtype.size..][..dtype.size];
                let value = dtype.number(bytes).and_then(finite_or_missing);
                self.rows.push(value.map_err(|problem| {
                    let name = self.schema.feature_name(column).unwrap_or_default();
                    let place = Place::Row(first + row);
                    ReadError::cell(file, place, &name, &dtype.text(bytes).unwrap_or_default(), problem)
                })?);
            }
            self.rows.end_row();
        }
        if let Some(labels) = &mut self.labels {
            for row in first..first + n_rows {
                self.rows.push_label(labels.next(row, &self.schema.label)?);
            }
        }
        self.rows.take(file)
    }

    /// Refuses what follows the last row, where that can be seen. This is also what checks the sum over an
    /// entry of an archive.
    fn check_end(&mut self) -> Result<(), ReadError> {
        let Cells::Rows(input) = &mut self.cells else { return Ok(()) };
        let mut byte = [0];
        if input.read(&mut byte).map_err(|error| ReadError::io(&self.file, error))? > 0 {
            let reason = "bytes follow the last row".into();
            return Err(ReadError::of_file(&self.file, FileProblem::Format { format: "npy", reason }));
        }
        Ok(())
    }
}

impl LabelStream<'_> {
    fn next(&mut self, row: usize, column: &str) -> Result<String, ReadError> {
        let mut bytes = vec![0; self.header.dtype.size];
        fill(&mut self.input, &mut bytes, &self.file)?;
        let label = self.header.dtype.text(&bytes).and_then(|label| {
            let is_missing = label.is_empty() || label == "NaN";
            if is_missing { Err(CellProblem::NoLabel) } else { Ok(label) }
        });
        label.map_err(|problem| ReadError::cell(&self.file, Place::Row(row), column, "", problem))
    }
}

/// Numbers of rows and columns.
pub(super) fn dimensions(header: &Header, file: &str, array: &str) -> Result<(usize, usize), ReadError> {
    if let [rows, columns] = header.shape[..] {
        return Ok((rows, columns));
    }
    let (array, found) = (array.into(), header.shape.len());
    Err(ReadError::of_file(file, FileProblem::Dimensions { array, expected: 2, found }))
}

/// The stream that reads the elements of an array whose header was just read.
pub(super) fn cells<'a>(
    mut input: impl Read + Send + 'a,
    header: &Header,
    file: &str,
    npy: &Npy,
) -> Result<Cells<'a>, ReadError> {
    if header.fortran_order && header.shape.len() == 2 {
        // The columns of a stream are only rows once all of them are there.
        let bytes = read_bytes(&mut input, header, file, &npy.x, npy.limits)?;
        return Ok(Cells::Columns(Box::new(std::io::Cursor::new(bytes)), 0));
    }
    Ok(Cells::Rows(Box::new(BufReader::new(input))))
}

fn fill(input: &mut (impl Read + ?Sized), bytes: &mut [u8], file: &str) -> Result<(), ReadError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            let reason = "it ends within its elements".into();
            ReadError::of_file(file, FileProblem::Format { format: "npy", reason })
        }
        _ => ReadError::io(file, error),
    })
}

fn finite_or_missing(value: f64) -> Result<f64, CellProblem> {
    if value.is_infinite() { Err(CellProblem::Infinite) } else { Ok(value) }
}

reads_chunks!(NpyReader<'_>, file);

impl std::fmt::Debug for NpyReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NpyReader")
            .field("file", &self.file)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}
