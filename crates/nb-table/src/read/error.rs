//! What can be wrong with a data file. Every error names the file, and says what to do.

mod file_problem;

use std::fmt;

use crate::{DateOrder, text::TooManyTerms};

pub use file_problem::FileProblem;
use file_problem::{grouped, may_have_delimiter};

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
    #[error("{}, column {column:?}: {value:?} {problem}", .place.in_file(.file))]
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
    #[error("{}: {problem}", .place.in_file(.file))]
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

/// Where in a file. Places of one file are in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// A file that is a row, of several that are read as a table, counted from 1. Errors and
    /// [`SkippedRow`](super::SkippedRow) have its name.
    Document(u64),
}

impl Place {
    /// The same with the name of the file, which alone says which document it is.
    pub(super) fn in_file(self, file: &str) -> String {
        match self {
            Self::Document(_) => file.into(),
            place => format!("{file}, {place}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Record(record) => write!(f, "record {record}"),
            Self::SheetRow(row) => write!(f, "row {row}"),
            Self::Document(document) => write!(f, "file {document}"),
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
    /// The line of the earlier one; 0 if the file has no lines.
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
        "is an object or array; give each of its values its own key, such as \"a.b\", or make it a string"
    )]
    Nested,
    /// Bytes that are not text.
    #[error("is not UTF-8; name the encoding of the file, or save it in UTF-8")]
    NotUtf8,
}

/// What is wrong with a line or row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// Another number of fields than in the first line.
    #[error(
        "{found} field{} where the first line has {expected}; complete the line, or quote fields that contain the delimiter",
        if *.found == 1 { "" } else { "s" }
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
    /// A file or a part of an mbox that is not a mail.
    #[error(
        "not a mail: it begins with {start:?}, and a mail begins with fields such as \"From: anna@example.org\"; remove it, or have \
         bad rows skipped"
    )]
    Mail {
        /// How it begins.
        start: String,
    },
    /// A file that is a row, and is not what it should be.
    #[error(transparent)]
    File(Box<FileProblem>),
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
                FileProblem::DuplicateColumn { name }
                | FileProblem::ConstantColumn { name, .. }
                | FileProblem::MissingColumn { name, .. } => Some(name),
                FileProblem::Text { column, .. }
                | FileProblem::NonNumeric { column, .. }
                | FileProblem::ColumnType { column, .. } => Some(column),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a column is not found because the file has only one, whose name looks like those of several
    /// between other delimiters.
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

    /// How many lines, or rows of a sheet, are above the one that has the name of a column that is not found,
    /// and are probably a title.
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

    /// What is wrong with a row, without what to do about it.
    pub(super) fn reason(&self) -> Option<String> {
        let (what, problem) = match self {
            Self::Cell { column, value, problem, .. } => {
                (format!("column {column:?}: {value:?} "), problem.to_string())
            }
            Self::Record { problem, .. } => (String::new(), problem.to_string()),
            Self::Io { .. } | Self::File { .. } => return None,
        };
        Some(what + problem.split("; ").next().unwrap_or_default())
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
