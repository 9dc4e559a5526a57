//! What can go wrong when a data set is looked up, loaded or checked.

use thiserror::Error;

/// Why a data set, a file or a column could not be given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// No data set has this name.
    #[error("no data set is named {name:?}: did you mean {nearest:?}? (`catalogue()` lists all names)")]
    UnknownSet {
        /// The name asked for.
        name: String,
        /// The existing name that needs the fewest edits.
        nearest: String,
    },
    /// No embedded file has this name.
    #[error("no embedded file is named {file:?}: did you mean {nearest:?}? (see `Info::files`)")]
    UnknownFile {
        /// The name asked for.
        file: String,
        /// The existing name that needs the fewest edits.
        nearest: String,
    },
    /// The data set has no column of this name.
    #[error("data set {set:?} has no column {column:?}: did you mean {nearest:?}? (see `Info::columns`)")]
    UnknownColumn {
        /// Name of the data set.
        set: String,
        /// The column asked for.
        column: String,
        /// The existing column that needs the fewest edits.
        nearest: String,
    },
    /// A corpus was requested as a table.
    #[error("data set {set:?} is a corpus, not a table: use `load_text`")]
    NotATable {
        /// Name of the data set.
        set: String,
    },
    /// A table was requested as a corpus.
    #[error("data set {set:?} is a table, not a corpus: use `load`")]
    NotText {
        /// Name of the data set.
        set: String,
    },
    /// An embedded file is damaged.
    #[error(
        "embedded file {file:?} cannot be decompressed ({reason}): rebuild from an intact copy of the crate"
    )]
    Decompress {
        /// Name of the file.
        file: String,
        /// What the decompressor says.
        reason: String,
    },
    /// The CSV is not the one that the catalogue describes.
    #[error(
        "data set {set:?}: the csv of {file:?} was changed: its sha256 is {found}, not {expected} \
         (`csv_file({file:?})` gives the embedded bytes)"
    )]
    Checksum {
        /// Name of the data set.
        set: String,
        /// Name of the file.
        file: String,
        /// Checksum in the catalogue.
        expected: String,
        /// Checksum of the bytes given.
        found: String,
    },
    /// The CSV has the right checksum but not the content that the catalogue describes.
    #[error(
        "data set {set:?}, file {file:?}: {problem} (file and catalogue must agree: correct one of them)"
    )]
    Content {
        /// Name of the data set.
        set: String,
        /// Name of the file.
        file: String,
        /// What is wrong with the content.
        problem: ContentError,
    },
}

/// How the content of a CSV file contradicts the catalogue. Rows are counted from 0 without the header.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ContentError {
    /// The bytes are not a rectangular CSV table in UTF-8.
    #[error("not a csv table: {reason}")]
    Csv {
        /// What the CSV reader says.
        reason: String,
    },
    /// The header line differs.
    #[error("the header has {found:?} at position {position}, not {expected:?}")]
    Header {
        /// Position in the header, from 0.
        position: usize,
        /// Column name in the catalogue; empty behind its last column.
        expected: String,
        /// Column name in the file; empty behind its last column.
        found: String,
    },
    /// The number of data rows differs.
    #[error("{found} rows, not {expected}")]
    RowCount {
        /// Number in the catalogue.
        expected: usize,
        /// Number in the file.
        found: usize,
    },
    /// A cell does not have the kind of value that its column has.
    #[error("row {row}, column {column:?}: {value:?} is not {expected}")]
    Value {
        /// Data row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// Text of the cell.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A class has more or fewer rows.
    #[error("class {class:?} has {found} rows, not {expected}")]
    ClassCount {
        /// Name of the class.
        class: String,
        /// Number in the catalogue.
        expected: usize,
        /// Number in the file.
        found: usize,
    },
    /// The number of missing cells differs.
    #[error("{found} cells are missing, not {expected}")]
    MissingCells {
        /// Number in the catalogue.
        expected: usize,
        /// Number in the file.
        found: usize,
    },
    /// The number of documents that contain a term differs.
    #[error("term {term:?} is in {found} documents, not {expected}")]
    DocumentFrequency {
        /// The term.
        term: String,
        /// Number in the vocabulary file.
        expected: usize,
        /// Number according to the counts.
        found: usize,
    },
}
