//! The sparse text format of `SVMlight` and `LIBSVM`.

use std::{
    io::{BufReader, Read},
    path::Path,
};

use crate::Schema;
use crate::read::{
    BadRows, CellProblem, Chunk, FileProblem, Place, ReadError, RecordProblem, SkippedRows, SparseTable,
    Table,
    bad_rows::Skipped,
    cells::number::number,
    error::shortened,
    file::{
        line::{leave_line, read_line},
        source::Source,
    },
    options::DEFAULT_CHUNK_ROWS,
    reads_chunks,
};
use crate::with::with_fields;

/// How to read svmlight files, also compressed by gzip or, with the features of their names, bzip2, xz and
/// zstd.
///
/// A line is a label, then pairs `index:value` of the cells that are not zero, then perhaps `#` and a
/// comment. Pairs need not be sorted. A label that is a number is taken as such, so that `+1` and `1` are the
/// same; other labels are names. The value `nan` is a missing cell.
///
/// ```
/// use nb_core::Rows;
/// use nb_table::Schema;
/// use nb_table::read::{ReadChunks, Svmlight};
///
/// let file = "+1 1:2 3:0.5 # first\n-1 2:1\n";
/// let mut reader = Svmlight::default().read_from(file.as_bytes(), "two.svm", &Schema::numbered(3, "label"))?;
/// let chunk = reader.next_chunk()?.unwrap();
/// assert_eq!((chunk.rows.n_rows(), chunk.rows.n_columns()), (2, 3));
/// assert_eq!(chunk.labels.unwrap(), ["1", "-1"]);
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Svmlight {
    /// Whether indices count from 0. By default they count from 1.
    pub zero_based: bool,
    /// What to do with query identifiers, the pairs `qid:number` of ranking data.
    pub query_ids: QueryIds,
    /// What to do with rows that cannot be read. If they are skipped, chunks say where their rows are.
    pub bad_rows: BadRows,
    /// The most rows of a chunk.
    pub chunk_rows: usize,
    /// The longest line, in bytes.
    pub max_line_bytes: usize,
    /// The most columns that a file is found to have.
    pub max_columns: usize,
}

/// # Options
impl Svmlight {
    with_fields! {
        with_zero_based zero_based: bool;
        with_query_ids query_ids: QueryIds;
        with_bad_rows bad_rows: BadRows;
        with_chunk_rows chunk_rows: usize;
        with_max_line_bytes max_line_bytes: usize;
        with_max_columns max_columns: usize;
    }
}

/// What to do with query identifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryIds {
    /// Refuse them: rows of a ranking are not independent.
    #[default]
    Error,
    /// Leave them out.
    Ignore,
}

impl Default for Svmlight {
    /// Lines of up to 64 MiB, 2^24 columns.
    fn default() -> Self {
        Self {
            zero_based: false,
            query_ids: QueryIds::default(),
            bad_rows: BadRows::default(),
            chunk_rows: DEFAULT_CHUNK_ROWS,
            max_line_bytes: 1 << 26,
            max_columns: 1 << 24,
        }
    }
}

impl Svmlight {
    /// Learns a schema from all rows of a file: as many numeric columns as the largest index says, called
    /// `x1`, `x2`, ..., and the label column `label`.
    ///
    /// ```
    /// use nb_table::read::Svmlight;
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-infer.svm");
    /// # std::fs::write(&path, "a 1:0.5 7:1\nb 2:4\n")?;
    /// assert_eq!(Svmlight::default().infer(&path)?.n_features(), 7);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer(&self, path: impl AsRef<Path>) -> Result<Schema, ReadError> {
        let mut lines = Lines::new(Source::open(path.as_ref())?, self, self.max_columns);
        lines.is_learning = true;
        let (mut n_columns, mut row) = (0, Row::default());
        while lines.next_row(&mut row)? {
            n_columns = n_columns.max(row.cells.last().map_or(0, |&(column, _)| column + 1));
        }
        if n_columns == 0 {
            let no_rows = || ReadError::of_file(&lines.file, FileProblem::NoRows);
            return Err(lines.skipped.and_then(|skipped| skipped.take_first_error()).unwrap_or_else(no_rows));
        }
        Ok(Schema::numbered(n_columns, "label"))
    }

    /// Reads a file with as many columns as the schema has features.
    ///
    /// ```
    /// use nb_table::{Schema, read::{ReadChunks, Svmlight}};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-read.svm");
    /// # std::fs::write(&path, "a 1:0.5 2:1\nb 2:4\n")?;
    /// let mut reader = Svmlight::default().read(&path, &Schema::numbered(2, "label"))?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened.
    pub fn read(
        &self,
        path: impl AsRef<Path>,
        schema: &Schema,
    ) -> Result<SvmlightReader<'static>, ReadError> {
        Ok(SvmlightReader::new(Source::open(path.as_ref())?, self, schema))
    }

    /// Reads a stream with as many columns as the schema has features. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::{Schema, read::{ReadChunks, Svmlight, Table}};
    ///
    /// let text = "a 1:0.5 2:1\nb 2:4\n";
    /// let mut reader = Svmlight::default().read_from(text.as_bytes(), "few.svm", &Schema::numbered(2, "label"))?;
    /// let Table::Sparse(rows) = reader.next_chunk()?.unwrap().rows else { unreachable!("only what is given is stored") };
    /// assert_eq!(rows.values(), [0.5, 1.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read.
    pub fn read_from<'a>(
        &self,
        input: impl Read + Send + 'a,
        name: &str,
        schema: &Schema,
    ) -> Result<SvmlightReader<'a>, ReadError> {
        Ok(SvmlightReader::new(Source::text(input, name)?, self, schema))
    }
}

/// The rows of an svmlight file, made by [`Svmlight::read`].
#[derive(Debug)]
pub struct SvmlightReader<'a> {
    lines: Lines<'a>,
    schema: Schema,
    chunk_rows: usize,
    first_row: usize,
    done: bool,
}

impl<'a> SvmlightReader<'a> {
    fn new(source: Source<'a>, svmlight: &Svmlight, schema: &Schema) -> Self {
        Self {
            lines: Lines::new(source, svmlight, schema.n_features()),
            schema: schema.clone(),
            chunk_rows: svmlight.chunk_rows.max(1),
            first_row: 0,
            done: false,
        }
    }

    fn read_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        /// The most cells of a chunk, except for its last row.
        const CELLS: usize = 1 << 20;
        let (mut labels, mut row) = (Vec::new(), Row::default());
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut places = Vec::new();
        while labels.len() < self.chunk_rows && values.len() < CELLS {
            if !self.lines.next_row(&mut row)? {
                self.done = true;
                break;
            }
            if self.lines.skipped.is_some() {
                places.push(Place::Line(self.lines.line));
            }
            labels.push(std::mem::take(&mut row.label));
            indices.extend(row.cells.iter().map(|&(column, _)| column));
            values.extend(row.cells.iter().map(|&(_, value)| value));
            indptr.push(values.len());
        }
        if labels.is_empty() {
            return Ok(None);
        }
        let first_row = self.first_row;
        self.first_row += labels.len();
        // Rows are sorted and checked, so this never fails; if it did, an error is better than a panic.
        let rows = SparseTable::new(self.schema.n_features(), indptr, indices, values).map_err(|error| {
            let reason = error.to_string();
            ReadError::of_file(&self.lines.file, FileProblem::Format { format: "svmlight", reason })
        })?;
        Ok(Some(Chunk {
            n_non_numeric: 0,
            first_row,
            rows: Table::Sparse(rows),
            labels: Some(labels),
            weights: None,
            ids: Vec::new(),
            places,
        }))
    }
}

reads_chunks!(SvmlightReader<'_>, lines.file, {
    fn skipped_rows(&self) -> Option<SkippedRows> {
        Some(Skipped::report(&[self.lines.skipped.as_ref()?], self.first_row as u64))
    }
});

/// A row: its label and its cells by increasing column.
#[derive(Debug, Default)]
struct Row {
    label: String,
    cells: Vec<(usize, f64)>,
}

/// The lines of a file, as rows.
struct Lines<'a> {
    file: String,
    input: BufReader<Box<dyn Read + Send + 'a>>,
    bytes: Vec<u8>,
    line: u64,
    base: u64,
    n_columns: usize,
    /// Whether the number of columns is a limit, and not that of a schema.
    is_learning: bool,
    query_ids: QueryIds,
    /// The rows that are left out, if they may be.
    skipped: Option<Skipped>,
    max_line: usize,
}

impl<'a> Lines<'a> {
    fn new(source: Source<'a>, svmlight: &Svmlight, n_columns: usize) -> Self {
        Self {
            file: source.name,
            input: BufReader::new(source.input),
            bytes: Vec::new(),
            line: 0,
            base: u64::from(!svmlight.zero_based),
            n_columns,
            is_learning: false,
            query_ids: svmlight.query_ids,
            skipped: (svmlight.bad_rows == BadRows::Skip).then(Skipped::default),
            max_line: svmlight.max_line_bytes,
        }
    }

    /// Reads the next line that is not blank or a comment, nor to be left out; whether there is one.
    fn next_row(&mut self, row: &mut Row) -> Result<bool, ReadError> {
        loop {
            match (self.next_line(row), &self.skipped) {
                (Err(error), Some(skipped)) => {
                    skipped.add(self.line, error)?;
                    leave_line(&mut self.input, &self.bytes, &self.file)?;
                }
                (is_row, _) => return is_row,
            }
        }
    }

    /// Reads the next line that is not blank or a comment; whether there is one.
    fn next_line(&mut self, row: &mut Row) -> Result<bool, ReadError> {
        while read_line(&mut self.input, &mut self.bytes, &mut self.line, self.max_line, &self.file)? {
            let before_comment = self.bytes.split(|&byte| byte == b'#').next().unwrap_or_default();
            let text =
                std::str::from_utf8(before_comment).map_err(|_| self.refuse(RecordProblem::NotUtf8))?;
            let mut tokens = text.split_ascii_whitespace();
            if let Some(label) = tokens.next() {
                row.label = self.label(label)?;
                row.cells.clear();
                for token in tokens {
                    row.cells.extend(self.pair(token)?);
                }
                self.sort(row)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sorts the cells of a row and refuses a duplicate index.
    fn sort(&self, row: &mut Row) -> Result<(), ReadError> {
        row.cells.sort_unstable_by_key(|&(column, _)| column);
        match row.cells.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(self.refuse(RecordProblem::IndexTwice { index: pair[0].0 as u64 + self.base })),
            None => Ok(()),
        }
    }

    fn label(&self, text: &str) -> Result<String, ReadError> {
        let refuse =
            |problem| Err(ReadError::cell(&self.file, Place::Line(self.line), "label", text, problem));
        match number(text) {
            // Adding zero makes a negative zero positive.
            Ok(value) => Ok((value + 0.0).to_string()),
            Err(_) if text.contains(',') => refuse(CellProblem::SeveralLabels),
            // A pair where the label should be: the label is missing.
            Err(_) if text.contains(':') => refuse(CellProblem::NoLabel),
            Err(_) => Ok(text.into()),
        }
    }

    /// The cell that a pair of index and value gives, or nothing for a query identifier.
    fn pair(&self, token: &str) -> Result<Option<(usize, f64)>, ReadError> {
        let malformed = || self.refuse(RecordProblem::Pair { text: shortened(token) });
        let (index, text) = token.split_once(':').ok_or_else(malformed)?;
        if index == "qid" {
            return match self.query_ids {
                QueryIds::Ignore => Ok(None),
                QueryIds::Error => Err(self.refuse(RecordProblem::QueryId { text: shortened(token) })),
            };
        }
        let index: u64 = index.parse().map_err(|_| malformed())?;
        let place = index.checked_sub(self.base).ok_or_else(|| self.refuse(RecordProblem::IndexZero))?;
        let column = usize::try_from(place).ok().filter(|&column| column < self.n_columns);
        let too_large = || {
            let n_columns = self.n_columns;
            if self.is_learning {
                RecordProblem::TooManyColumns { index, limit: n_columns }
            } else {
                RecordProblem::IndexTooLarge { index, n_columns }
            }
        };
        let column = column.ok_or_else(|| self.refuse(too_large()))?;
        let value = if text.eq_ignore_ascii_case("nan") { Ok(f64::NAN) } else { number(text) };
        let place = Place::Line(self.line);
        let value =
            value.map_err(|problem| ReadError::cell(&self.file, place, &index.to_string(), text, problem));
        Ok(Some((column, value?)))
    }

    fn refuse(&self, problem: RecordProblem) -> ReadError {
        ReadError::record(&self.file, Place::Line(self.line), problem)
    }
}

impl std::fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("file", &self.file).field("line", &self.line).finish_non_exhaustive()
    }
}
