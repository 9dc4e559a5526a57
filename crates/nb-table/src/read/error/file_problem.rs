//! What is wrong with a whole file.

use super::{Place, shortened};
use crate::text::TextError;

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
    /// A column of [constants](crate::read::TableOptions::constants) that the file has, too.
    #[error(
        "the file has a column {name:?} of its own, and the folder names say {name}={cell}; rename one of them, or read no columns from the names of folders"
    )]
    ConstantColumn {
        /// The name.
        name: String,
        /// The cell that all rows would have.
        cell: String,
    },
    /// The names of its folders have other columns than those of the first file.
    #[error("the names of its folders have {}, and those of {first} have {}; name files of one kind at a time, or read no columns from the names of folders", columns_of(.found), columns_of(.expected))]
    OtherPartitions {
        /// Its columns.
        found: Vec<String>,
        /// The first file.
        first: String,
        /// The columns of the first file.
        expected: Vec<String>,
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
        /// The first of the next ten lines that has a field with the name: it may be the header, below a
        /// title.
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
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
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
pub(super) fn grouped(number: u64) -> String {
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

/// Names of columns in words.
fn columns_of(names: &[String]) -> String {
    match names {
        [] => "no columns".into(),
        [name] => format!("the column {name:?}"),
        names => format!("the columns {names:?}"),
    }
}
