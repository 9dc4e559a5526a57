//! What can be wrong with a data file. Every error names the file, and says what to do.

use std::fmt;

use crate::{
    DateOrder,
    text::{TextError, TooManyTerms},
};

/// Why a data file cannot be read, or not with these options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened, read or decompressed.
    #[error("cannot read {file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system or the decompressor says.
        error: std::io::Error,
    },
    /// A cell does not hold what its column holds.
    #[error("{file}, {place}, column {column:?}: {value:?} {problem}")]
    Cell {
        /// The file.
        file: String,
        /// Where in the file.
        place: Place,
        /// The name of the column.
        column: String,
        /// The text of the cell, shortened if it is long.
        value: String,
        /// What is wrong with it.
        problem: CellProblem,
    },
    /// A line or row cannot be understood.
    #[error("{file}, {place}: {problem}")]
    Record {
        /// The file.
        file: String,
        /// Where in the file.
        place: Place,
        /// What is wrong with it.
        problem: RecordProblem,
    },
    /// The file as a whole is not what it should be.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
}

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A row of a binary file, counted from 0.
    Row(usize),
    /// A record of a JSON array, counted from 1.
    Record(u64),
    /// A row of a sheet of a workbook, counted from 1.
    SheetRow(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Record(record) => write!(f, "record {record}"),
            Self::SheetRow(row) => write!(f, "row {row}"),
        }
    }
}

/// A date in another order than those before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is a date with {order}, and {}{cell:?} before is one with {before}; write them in one order, or make the column \
     categorical",
    if *.line == 0 { String::new() } else { format!("line {line} has ") }
)]
pub struct OtherDateOrder {
    /// How it is written, in words, such as `the day first`.
    pub order: String,
    /// How those before are written.
    pub before: String,
    /// The line of the one before that says so; 0 if the file has no lines.
    pub line: u64,
    /// That cell.
    pub cell: String,
}

/// What is wrong with a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellProblem {
    /// Text in a column of numbers.
    #[error(
        "is not a number; correct it, add it to the missing-value markers, or make the column categorical"
    )]
    NotANumber,
    /// No date in a column of dates.
    #[error(
        "is not a date as the other cells are (2024-01-31, 2024-01-31T12:30:00); correct it, or add it to the missing-value markers"
    )]
    NotADate,
    /// No date in the order of those of the column.
    #[error(
        "is not a date with {}{order} ({}, 2024-01-31, also with a time of day); correct it, or add it to the missing-value \
         markers",
        if *.order == DateOrder::Compact { "" } else { "the " },
        .order.example()
    )]
    NotADateIn {
        /// How the dates of the column are written.
        order: DateOrder,
    },
    /// A date in another order than those before.
    #[error(transparent)]
    OtherDateOrder(Box<OtherDateOrder>),
    /// An infinite number, or one beyond the range of doubles.
    #[error("is infinite or beyond the largest double; clip it or drop the row")]
    Infinite,
    /// A whole number that no double holds exactly.
    #[error(
        "is a whole number beyond 2^53, which no double holds exactly; drop the column or store it as text"
    )]
    Inexact,
    /// A number, but not a count.
    #[error("is not a count; counts are whole numbers from 0 to 2^53")]
    NotACount,
    /// A negative number in a column of numbers from 0.
    #[error("is negative; the numbers of this column are counts or weights of terms, from 0")]
    Negative,
    /// A category that the schema does not have.
    #[error(
        "is not one of the {levels} categories of the schema{}; correct it, or choose another policy for new categories",
        .nearest.as_ref().map_or_else(String::new, |nearest| format!(" (the nearest is {nearest:?})"))
    )]
    NewLevel {
        /// How many categories the schema has.
        levels: usize,
        /// The one whose name is nearest.
        nearest: Option<String>,
    },
    /// More categories than can be kept.
    #[error("is one category more than the limit of {limit}; if the column is an identifier, ignore it")]
    TooManyLevels {
        /// The limit.
        limit: usize,
    },
    /// A text with a term more than can be counted.
    #[error(transparent)]
    TooManyTerms(TooManyTerms),
    /// A missing label.
    #[error("is a missing label; fill it in, drop the row, or have the label column ignored")]
    NoLabel,
    /// The first of several missing labels.
    #[error(
        "is a missing label{}; fill it in, or have rows without a label skipped",
        if *.rows > 1 { format!(", the first of {rows}") } else { String::new() }
    )]
    NoLabels {
        /// How many rows have no label.
        rows: usize,
    },
    /// A list that is not as long as the first of its column.
    #[error(
        "has {found} elements, and the first list of the column has {expected}; lists of one length become columns, so make them equally long, or ignore the column"
    )]
    ListLength {
        /// The number of elements.
        found: usize,
        /// That of the first list.
        expected: usize,
    },
    /// Several labels in one cell.
    #[error("is more than one label; give each row a single one")]
    SeveralLabels,
    /// A weight that is none.
    #[error("is not a weight; weights are numbers from 0")]
    NotAWeight,
    /// A value of a JSON object that is an object or array.
    #[error(
        "is an object or array; give each of its values a key of its own, such as \"a.b\", or make it a string"
    )]
    Nested,
    /// Bytes that are not text.
    #[error("is not UTF-8; name the encoding of the file, or save it in UTF-8")]
    NotUtf8,
    /// A cell longer than the limit.
    #[error("is longer than the limit of {limit} bytes; look for an unbalanced quote, or raise the limit")]
    TooLong {
        /// The limit.
        limit: usize,
    },
}

/// What is wrong with a line or row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// Another number of fields than in the first line.
    #[error(
        "{found} fields where the first line has {expected}; complete the line, or quote fields that contain the delimiter"
    )]
    Fields {
        /// The number of fields of the first line.
        expected: usize,
        /// The number of fields here.
        found: usize,
    },
    /// Another number of fields than in the first rows, which have one more than the header.
    #[error(
        "{found} fields where the rows before have {expected}, with a name of the row in front; complete the line, or quote fields that contain the delimiter"
    )]
    FieldsOfRow {
        /// The number of fields of the first rows.
        expected: usize,
        /// The number of fields here.
        found: usize,
    },
    /// A quote that is opened and never closed.
    #[error("a quote is opened here and never closed; close or double it, or turn quoting off")]
    OpenQuote,
    /// A line or row longer than the limit.
    #[error("longer than the limit of {limit} bytes; look for an unbalanced quote, or raise the limit")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// Something that should be a pair of index and value.
    #[error("{text:?} is not index:value, with a whole number and a number")]
    Pair {
        /// The text.
        text: String,
    },
    /// The index zero in a file that counts from one.
    #[error("the index is 0, but indices count from 1; if this file counts from 0, say so")]
    IndexZero,
    /// An index beyond the number of columns.
    #[error("the index {index} is beyond the {n_columns} columns; is the file one for this schema?")]
    IndexTooLarge {
        /// The index as written in the file.
        index: u64,
        /// The number of columns.
        n_columns: usize,
    },
    /// An index beyond the columns that can be learnt from a file.
    #[error(
        "the index {index} is too large: at most {} columns are supported; number the columns without gaps, or hash the indices into fewer",
        grouped(*.limit as u64)
    )]
    TooManyColumns {
        /// The index as written in the file.
        index: u64,
        /// The limit ([`Svmlight::max_columns`](super::Svmlight::max_columns)).
        limit: usize,
    },
    /// A duplicate index.
    #[error("the index {index} is duplicated; add the values up or drop one")]
    IndexTwice {
        /// The index as written in the file.
        index: u64,
    },
    /// A query identifier, where none is expected.
    #[error("there is a query identifier ({text:?}); drop it, or have query identifiers ignored")]
    QueryId {
        /// The text.
        text: String,
    },
    /// A record that is not a JSON object.
    #[error("not a JSON object: {reason}; a file has one object a line, or an array of them")]
    Json {
        /// What is wrong.
        reason: String,
    },
    /// A line that an ARFF file cannot have.
    #[error("no ARFF file: {reason}")]
    Arff {
        /// What is wrong.
        reason: String,
    },
    /// A key that an object has twice.
    #[error("the key {key:?} is given twice; rename or drop one of them")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// Bytes that are not text.
    #[error("not UTF-8; save the file in UTF-8")]
    NotUtf8,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// There is nothing in it.
    #[error("the file is empty; it needs at least a header line")]
    Empty,
    /// There are no JSON objects in it.
    #[error("the file has no records; it needs at least one JSON object")]
    NoRecords,
    /// There is a header, but no row to learn a schema from.
    #[error("the file has no rows; a schema is learnt from at least one")]
    NoRows,
    /// Two columns have the same name.
    #[error("the column name {name:?} is given twice; rename one of them")]
    DuplicateColumn {
        /// The name.
        name: String,
    },
    /// A column that is needed is not there.
    #[error("column {name:?} not found{}", columns_found(.nearest.as_deref(), .found, *.n_columns, *.below))]
    MissingColumn {
        /// The name.
        name: String,
        /// The column of the file whose name is nearest.
        nearest: Option<Box<str>>,
        /// The first columns of the file, up to ten.
        found: Vec<String>,
        /// How many columns the file has.
        n_columns: usize,
        /// The first of the next ten lines that has a field with the name: it may be the header, below a title.
        below: Option<Place>,
    },
    /// Columns that the schema does not have.
    #[error("the columns {names:?} are not in the schema; drop them, or have extra columns ignored")]
    ExtraColumns {
        /// Their names.
        names: Vec<String>,
    },
    /// All columns are label, weight, or ignored.
    #[error(
        "there are no columns besides label, weight and ignored ones; a model needs at least one feature"
    )]
    NoFeatures,
    /// A few texts in a column of numbers.
    #[error(
        "line {line}, column {column:?}: {text:?} is not a number, but all except {texts} of {cells} cells are; correct it, add it to the missing-value markers, or make the column categorical"
    )]
    NonNumeric {
        /// The name of the column.
        column: String,
        /// The line of the first one.
        line: u64,
        /// The first one.
        text: String,
        /// How many there are.
        texts: usize,
        /// How many cells are not missing.
        cells: usize,
    },
    /// A column of texts that cannot become columns of a model.
    #[error("column {column:?}: {error}")]
    Text {
        /// The name of the column.
        column: String,
        /// What is wrong with it.
        error: TextError,
    },
    /// A table whose number of columns is not that of the schema.
    #[error("{found} columns where the schema has {expected}; is the file one for this schema?")]
    Columns {
        /// The number of columns of the schema.
        expected: usize,
        /// The number of columns of the file.
        found: usize,
    },
    /// Text in an encoding other than UTF-8.
    #[error("the file is encoded in {encoding}; save it in UTF-8")]
    Encoding {
        /// The encoding.
        encoding: &'static str,
    },
    /// A file in a format that is no text.
    #[error("this is {what}; {remedy}")]
    Container {
        /// What it is.
        what: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A compression that this build cannot undo.
    #[error("the file is compressed by {format}; decompress it, or build nb-io with its feature `{format}`")]
    Compression {
        /// The compression and the feature.
        format: &'static str,
    },
    /// A column of a type that cannot become a number or a category.
    #[error("column {column:?} is of type {found}, which is neither number nor text; ignore or convert it")]
    ColumnType {
        /// The name of the column.
        column: String,
        /// Its type.
        found: String,
    },
    /// A column of lists.
    #[error(
        "column {column:?} has lists ({found}) that are not of numbers, or not of 1 to 65536; make a column of each element, or ignore the column"
    )]
    ListColumn {
        /// The name of the column.
        column: String,
        /// Its type.
        found: String,
    },
    /// The bytes are not in the format.
    #[error("this is not a usable {format} file: {reason}")]
    Format {
        /// The format.
        format: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// An array of a type that cannot become numbers or labels.
    #[error("array {array:?} has the type {found:?}; save it as {expected}")]
    ArrayType {
        /// The name of the array.
        array: String,
        /// Its type, as NumPy writes it.
        found: String,
        /// What it could be.
        expected: &'static str,
    },
    /// An array with the wrong number of dimensions.
    #[error("array {array:?} has {found} dimensions; {expected} are needed")]
    Dimensions {
        /// The name of the array.
        array: String,
        /// What is needed.
        expected: usize,
        /// What it has.
        found: usize,
    },
    /// An array that is not in the archive.
    #[error("there is no array {name:?}; {}", arrays(.found))]
    MissingArray {
        /// The name.
        name: String,
        /// The arrays of the archive.
        found: Vec<String>,
    },
    /// A sheet that is not in the workbook.
    #[error("there is no sheet {name:?}; the workbook has {}", quoted(.found))]
    MissingSheet {
        /// The name.
        name: String,
        /// The sheets of the workbook.
        found: Vec<String>,
    },
    /// A sheet without cells.
    #[error("the sheet {name:?} is empty; name another one")]
    EmptySheet {
        /// The name.
        name: String,
    },
    /// Rows and labels are not equally many.
    #[error("{rows} rows but {labels} labels; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// More bytes or columns than the limit.
    #[error("{what} {size}, more than the limit of {limit}; raise the limit if it is meant to be so large")]
    TooLarge {
        /// What is so large, in words that precede the size.
        what: &'static str,
        /// How large it is.
        size: u64,
        /// The limit.
        limit: u64,
    },
}

/// A number with its thousands grouped.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn arrays(found: &[String]) -> String {
    const MOST: usize = 12;
    let names: Vec<String> = found.iter().take(MOST).map(|name| format!("{name:?}")).collect();
    match found.len() {
        0 => "the archive is empty".into(),
        1 => format!("the archive has the array {}; save it under that name", names[0]),
        n if n <= MOST => {
            format!("the archive has the arrays {}; save one under that name", names.join(", "))
        }
        n => format!("the archive has {n} arrays, such as {}; save one under that name", names.join(", ")),
    }
}

/// Names in quotes; of very many only the first.
fn quoted(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("{name:?}")).collect();
    let more = if names.len() > MOST { ", ..." } else { "" };
    if shown.is_empty() { "none".into() } else { shown.join(", ") + more }
}

/// What there is instead of a column that is not there.
fn columns_found(nearest: Option<&str>, found: &[String], n_columns: usize, below: Option<Place>) -> String {
    if let ([only], None) = (found, below)
        && may_have_delimiter(only)
    {
        return format!("; the file has 1 column: {:?} (is the delimiter another one?)", shortened(only));
    }
    let columns = columns(found, n_columns);
    let mean = nearest.map_or_else(String::new, |nearest| format!("; did you mean {nearest:?}?"));
    let below = below.map_or_else(String::new, |place| {
        format!("; {place} has it: if it is the header, leave out what is above it")
    });
    format!("; {columns}{mean}{below}")
}

/// The columns of a file.
fn columns(found: &[String], n_columns: usize) -> String {
    let names: Vec<String> = found.iter().map(|name| format!("{:?}", shortened(name))).collect();
    let names = names.join(", ");
    match n_columns {
        0 => "the file has no columns".into(),
        1 => format!("the file has 1 column: {names}"),
        n if n == found.len() => format!("the file has {n} columns: {names}"),
        n => format!("the file has {n} columns, of which the first are {names}"),
    }
}

/// Whether the only column of a file looks like several, of which the delimiter is not the one expected.
pub(super) fn may_have_delimiter(name: &str) -> bool {
    name.contains([';', ',', '\t', '|', ' ', ':'])
}

impl ReadError {
    /// The file.
    pub fn file(&self) -> &str {
        match self {
            Self::Io { file, .. }
            | Self::Cell { file, .. }
            | Self::Record { file, .. }
            | Self::File { file, .. } => file,
        }
    }

    /// The line or row, if the error is about one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Cell { place, .. } | Self::Record { place, .. } => Some(*place),
            _ => None,
        }
    }

    /// The name of the column, if the error is about one.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Cell { column, .. } => Some(column),
            Self::File { problem, .. } => match problem {
                FileProblem::DuplicateColumn { name } | FileProblem::MissingColumn { name, .. } => Some(name),
                FileProblem::Text { column, .. }
                | FileProblem::NonNumeric { column, .. }
                | FileProblem::ColumnType { column, .. } => Some(column),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a column is not found because the file has only one, whose name looks like those of several between other
    /// delimiters.
    ///
    /// ```
    /// use nb_table::{Schema, read::Csv};
    ///
    /// let (text, schema) = ("length:species\n1.5:a\n", Schema::numeric(["length"], "species"));
    /// let error = Csv::default().read_from(text.as_bytes(), "flowers", &schema).unwrap_err();
    /// assert!(error.suggests_delimiter());
    /// ```
    pub fn suggests_delimiter(&self) -> bool {
        let Self::File { problem: FileProblem::MissingColumn { found, below: None, .. }, .. } = self else {
            return false;
        };
        matches!(&found[..], [only] if may_have_delimiter(only))
    }

    /// How many lines, or rows of a sheet, are above the one that has the name of a column that is not found, and are probably a title.
    ///
    /// ```
    /// use nb_table::{Schema, read::Csv};
    ///
    /// let (text, schema) = ("Flowers,\nlength,species\n1.5,a\n", Schema::numeric(["length"], "species"));
    /// let error = Csv::default().read_from(text.as_bytes(), "flowers", &schema).unwrap_err();
    /// assert_eq!(error.lines_to_skip(), Some(1));
    /// ```
    pub fn lines_to_skip(&self) -> Option<u64> {
        let Self::File { problem: FileProblem::MissingColumn { below, .. }, .. } = self else { return None };
        match (*below)? {
            Place::Line(line) => line.checked_sub(1),
            #[cfg(feature = "excel")]
            Place::SheetRow(row) => row.checked_sub(1),
            _ => None,
        }
    }

    pub(super) fn io(file: &str, error: std::io::Error) -> Self {
        // What converts a file into another text finds errors as it is read.
        let error = match error.downcast() {
            Ok(of_converter) => return of_converter,
            Err(error) => error,
        };
        Self::Io { file: file.into(), error }
    }

    pub(super) fn of_file(file: &str, problem: FileProblem) -> Self {
        Self::File { file: file.into(), problem }
    }

    pub(super) fn record(file: &str, place: Place, problem: RecordProblem) -> Self {
        Self::Record { file: file.into(), place, problem }
    }

    pub(super) fn cell(file: &str, place: Place, column: &str, value: &str, problem: CellProblem) -> Self {
        Self::Cell { file: file.into(), place, column: column.into(), value: shortened(value), problem }
    }
}

/// A text as it fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
