//! Comma- and tab-separated values.

mod fields;
mod header;
mod infer;
mod labels;
mod load;
mod orange;
mod plain;
mod reader;
mod records;
mod repeated;
mod rows;
mod sniff;
#[cfg(test)]
mod tests;
mod total;
mod window;

use std::{io::Read, path::Path};

use fields::Dialect;
pub use header::CsvHeader;
pub use orange::{OrangeColumn, OrangeHeader, OrangeRole};
use plain::Slot;
pub use reader::CsvReader;
use records::Records;
pub use repeated::RepeatedHeader;
pub use rows::{CsvRow, CsvRows};
pub use sniff::CsvFormat;
use sniff::Sniffed;
pub use total::TotalRow;

use crate::Schema;
use crate::read::{Encoding, Inferred, Overrides, ReadError, TableOptions, file::source::Source};
use crate::with::with_fields;

/// How to read comma- or tab-separated values, also compressed by gzip or, with the features of these names,
/// `bzip2`, `xz` and `zstd`.
///
/// A column of dates is one of numbers, the days since 1970-01-01
/// ([`Reason::Dates`](crate::read::Reason::Dates)).
///
/// A file is read twice: [`infer`](Self::infer) learns a schema from all of its rows, [`read`](Self::read)
/// yields them as numbers. [`load`](Self::load) does both in one pass, for files that fit into memory. A file
/// to be predicted is read with the schema of the model; its columns are found by name.
///
/// ```
/// use nb_core::{Gaussian, Prior};
/// use nb_io::{Family, Model};
/// use nb_table::Kind;
/// use nb_io::read::train;
/// use nb_table::read::{Csv, Overrides};
///
/// let iris = nb_datasets::csv("iris")?;
/// let csv = Csv::default();
/// let inferred = csv.infer_from(|| Ok(&iris[..]), "iris.csv", "species", &Overrides::default())?;
/// assert!(inferred.columns.iter().all(|column| column.kind == Kind::Numeric));
///
/// let mut model = Model::new(inferred.schema.clone(), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
/// let n_rows = train(&mut model, &mut csv.read_from(&iris[..], "iris.csv", &inferred.schema)?)?;
/// assert_eq!(n_rows, 150);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Text
///
/// Fields are separated and quoted as in RFC 4180; a quote within quotes is doubled. Lines end with LF or
/// CRLF, blank ones are skipped (so a table of one column says `""` for a missing cell), a byte order mark
/// too. All lines have the same number of fields, but that the header may have one fewer than all rows, as
/// R's `write.table` writes it: the first column is then called `row names`. Further columns with a name that
/// is given before are called `name_1` and so on ([`CsvHeader`]). In tables of two columns or more, lines
/// that repeat the names of the columns are no rows ([`RepeatedHeader`]).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Csv {
    /// The encoding of the text. `None`: what the first bytes tell ([`Encoding`] has the rule).
    pub encoding: Option<Encoding>,
    /// The byte between fields. `None`: what the name or the first lines tell ([`CsvFormat`] has the rule).
    pub delimiter: Option<u8>,
    /// The byte before the decimals of numbers, a point or a comma. `None`: what the first lines tell.
    pub decimal: Option<u8>,
    /// The byte around fields that contain delimiters, quotes or line ends; `None` if there is no such byte.
    pub quote: Option<u8>,
    /// Whether fields may be in quotes. `None`: as the first lines tell ([`CsvFormat`] has the rule).
    pub quoting: Option<bool>,
    /// Whether the first line has the names of the columns. Otherwise they are called `x1`, `x2`, and so on.
    pub header: bool,
    /// Whether the header may be one as Orange writes it: with prefixes such as `cD#name`, or with two more
    /// lines that have types and roles of the columns ([`OrangeHeader`]).
    pub orange: bool,
    /// How many lines are left out at the beginning, before all others, such as a title.
    pub skip_lines: u64,
    /// The byte with which lines begin that are comments and left out; `None` if no line is one.
    pub comment: Option<u8>,
    /// Whether spaces around names and cells are left out. Around numbers they never matter.
    pub trim: bool,
    /// The longest record, in bytes.
    pub max_record_bytes: usize,
    /// What holds for all tables.
    pub table: TableOptions,
}

impl Default for Csv {
    /// Records of up to 64 MiB.
    fn default() -> Self {
        Self {
            encoding: None,
            delimiter: None,
            decimal: None,
            quote: Some(b'"'),
            quoting: None,
            header: true,
            orange: true,
            skip_lines: 0,
            comment: None,
            trim: true,
            max_record_bytes: 1 << 26,
            table: TableOptions::default(),
        }
    }
}

/// # Options
impl Csv {
    with_fields! {
        with_encoding encoding: Option<Encoding>;
        with_delimiter delimiter: Option<u8>;
        with_decimal decimal: Option<u8>;
        with_quote quote: Option<u8>;
        with_quoting quoting: Option<bool>;
        with_header header: bool;
        with_orange orange: bool;
        with_skip_lines skip_lines: u64;
        with_comment comment: Option<u8>;
        with_trim trim: bool;
        with_max_record_bytes max_record_bytes: usize;
        with_table table: TableOptions;
    }
}

impl Csv {
    /// Learns a schema from all rows of a file: columns of numbers are numeric, columns of texts that are
    /// hardly ever the same and long ([`Reason::FreeText`](crate::read::Reason::FreeText) has the rule)
    /// are texts, others categorical, with the categories in the order of their names. Columns of counts,
    /// and of numbers that name categories, must be asked for.
    ///
    /// A column that begins with numbers and has text further down costs a second pass; counting the terms of
    /// texts that are found and not chosen costs another one.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-infer.csv");
    /// # std::fs::write(&path, "length,colour,species\n1.5,red,a\n2.5,blue,b\n")?;
    /// let inferred = Csv::default().infer(&path, "species", &Overrides::default())?;
    /// assert_eq!(inferred.columns[0].reason.to_string(), "all cells are numbers");
    /// assert_eq!(inferred.columns[1].reason.to_string(), "no cell is a number");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer(
        &self,
        path: impl AsRef<Path>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        self.infer_passes(|| Source::open_in(path.as_ref(), self.encoding), label, overrides, usize::MAX)
    }

    /// Learns a schema from a stream that can be opened more than once. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// let text = "length,colour,species\n1.5,red,a\n2.5,blue,b\n";
    /// let open = || Ok(text.as_bytes());
    /// let inferred = Csv::default().infer_from(open, "flowers", "species", &Overrides::default())?;
    /// assert_eq!(inferred.schema.columns[1].name, "colour");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer_from<R: Read + Send>(
        &self,
        mut open: impl FnMut() -> std::io::Result<R>,
        name: &str,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let open =
            || Source::text_in(open().map_err(|error| ReadError::io(name, error))?, name, self.encoding);
        self.infer_passes(open, label, overrides, usize::MAX)
    }

    /// Reads the columns of a schema from a file.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Csv, ReadChunks}};
    ///
    /// # let path = std::env::temp_dir().join("nb-io-doc-read.csv");
    /// # std::fs::write(&path, "length,species\n1.5,a\n2.5,b\n")?;
    /// let mut reader = Csv::default().read(&path, &Schema::numeric(["length"], "species"))?;
    /// while let Some(chunk) = reader.next_chunk()? {
    ///     assert_eq!(chunk.labels.unwrap(), ["a", "b"]);
    /// }
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or does not have the columns.
    pub fn read(&self, path: impl AsRef<Path>, schema: &Schema) -> Result<CsvReader<'static>, ReadError> {
        CsvReader::new(Source::open_in(path.as_ref(), self.encoding)?, self, schema)
    }

    /// Reads the columns of a schema from a stream. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Csv, ReadChunks}};
    ///
    /// let text = "length,species\n1.5,a\nlong,b\n";
    /// let mut reader = Csv::default().read_from(text.as_bytes(), "flowers", &Schema::numeric(["length"], "species"))?;
    /// let error = reader.next_chunk().unwrap_err();
    /// assert!(error.to_string().starts_with("flowers, line 3, column \"length\": \"long\" is not a number"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read or does not have the columns.
    pub fn read_from<'a>(
        &self,
        input: impl Read + Send + 'a,
        name: &str,
        schema: &Schema,
    ) -> Result<CsvReader<'a>, ReadError> {
        CsvReader::new(Source::text_in(input, name, self.encoding)?, self, schema)
    }

    /// The names of the columns of a file, in its order: those of the first line, or `x1`, `x2`, and so on.
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened, is empty or is no text.
    pub fn columns(&self, path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
        self.columns_of(Source::open_in(path.as_ref(), self.encoding)?)
    }

    /// The names of the columns of a stream, of which only the beginning is read. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::Csv;
    ///
    /// let text = "id;length;species\n7;1,5;a\n";
    /// assert_eq!(Csv::default().columns_from(text.as_bytes(), "flowers")?, ["id", "length", "species"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read, is empty or is no text.
    pub fn columns_from(&self, input: impl Read + Send, name: &str) -> Result<Vec<String>, ReadError> {
        self.columns_of(Source::text_in(input, name, self.encoding)?)
    }

    /// The names of the columns of a stream, and which of them are not as they are written. Messages call it
    /// `name`.
    ///
    /// ```
    /// use nb_table::read::Csv;
    ///
    /// // As R writes a table by `write.table`.
    /// let header = Csv::default().header_from("length,length\n1,5.5,7\n2,6.5,8\n".as_bytes(), "flowers")?;
    /// assert_eq!(header.names, ["row names", "length", "length_1"]);
    /// assert!(header.has_row_names);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read, is empty or is no text.
    pub fn header_from(&self, input: impl Read + Send, name: &str) -> Result<CsvHeader, ReadError> {
        self.header_of(Source::text_in(input, name, self.encoding)?)
    }

    pub(in crate::read) fn header_of(&self, source: Source<'_>) -> Result<CsvHeader, ReadError> {
        Records::new(source, self).header(self.header)
    }

    pub(in crate::read) fn columns_of(&self, source: Source<'_>) -> Result<Vec<String>, ReadError> {
        self.header_of(source).map(|header| header.names)
    }

    /// How the fields and numbers of a stream are written. The name counts, too.
    ///
    /// ```
    /// use nb_table::read::Csv;
    ///
    /// let format = Csv::default().format_from("length|species\n1.5|a\n".as_bytes(), "flowers.csv")?;
    /// assert_eq!(format.delimiter, b'|');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read.
    pub fn format_from(&self, input: impl Read + Send, name: &str) -> Result<CsvFormat, ReadError> {
        let mut source = Source::text_in(input, name, self.encoding)?;
        Ok(Sniffed::new(&mut source, self).format)
    }

    /// Whether the first row of a stream has names rather than cells, by the first hundred rows: whatever
    /// [`header`](Self::header) says, which is not set by it. It has cells if
    ///
    /// - it has a number, or a missing cell, in every column that has only numbers below, and a number in one
    ///   at least,
    /// - these numbers do not go up by one from column to column, as numbered columns and years do,
    /// - and if there are columns of texts, its text in one of them occurs again below.
    ///
    /// ```
    /// use nb_table::read::Csv;
    ///
    /// let has_header = |text: &str| Csv::default().has_header_from(text.as_bytes(), "flowers.csv");
    /// assert!(!has_header("5.1,3.5,setosa\n4.9,3.0,setosa\n")?);
    /// assert!(has_header("country,2019,2020\nNZ,7,8\n")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read.
    pub fn has_header_from(&self, input: impl Read + Send, name: &str) -> Result<bool, ReadError> {
        let mut source = Source::text_in(input, name, self.encoding)?;
        let Sniffed { format, start, ended, .. } = Sniffed::new(&mut source, self);
        let dialect = Dialect { delimiter: format.delimiter, quote: format.quote };
        let markers = self.table.missing.clone().unwrap_or_else(crate::read::missing_markers);
        let missing: Vec<&str> = markers.iter().map(String::as_str).collect();
        let lines = sniff::without_comments(&start, self.comment);
        Ok(header::has_header(&lines, dialect, format.decimal, &missing, ended))
    }
}

/// What to expect of the fields of a record, of which some are the columns that are read. Others of these may
/// not be in the record.
fn slots(n_fields: usize, columns: &[usize], slot: impl Fn(usize) -> Slot) -> Vec<Slot> {
    let mut slots = vec![Slot::Text; n_fields];
    for (column, &place) in columns.iter().enumerate() {
        if let Some(expected) = slots.get_mut(place) {
            *expected = slot(column);
        }
    }
    slots
}
