//! The description of every data set, read once from `data/catalogue.json`.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};

use crate::error::DatasetError;
use crate::nearest::nearest;

static CATALOGUE: LazyLock<Vec<Info>> = LazyLock::new(|| {
    // The text is part of the crate, not input: the tests parse it, so this cannot fail for a user.
    serde_json::from_str(include_str!("../data/catalogue.json")).expect("the embedded catalogue is valid")
});

/// Everything known about a data set apart from its rows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Info {
    /// Name to load the set by, such as `iris`.
    pub name: String,
    /// What sort of set it is.
    pub group: Group,
    /// Number of rows, or of messages in a text set; training and test rows together.
    pub rows: usize,
    /// Name of the column with the classes, the last of the file.
    pub target: String,
    /// The columns in file order without `split` and the target; empty for a text set.
    #[serde(deserialize_with = "columns")]
    pub columns: Vec<ColumnInfo>,
    /// The classes in the order of their names as byte strings, and how many rows each has.
    pub classes: Vec<ClassInfo>,
    /// Number of empty cells in the [`columns`](Self::columns).
    pub missing_cells: usize,
    /// The files: one for a table; messages, labels, vocabulary and counts, in this order, for a text set.
    pub files: Vec<FileInfo>,
    /// Where this copy of the data was taken from.
    pub source: String,
    /// Licence of that copy and of the data, as far as it is known.
    pub licence: String,
    /// Work to cite.
    pub citation: String,
    /// Why a hard case is hard; `None` for other sets.
    pub why: Option<String>,
    /// What else to know before use.
    pub note: Option<String>,
    /// Whether the file begins with a column `split` that marks rows as `train` or `test`.
    pub has_split: bool,
}

/// The sorts of data sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// A well-known table.
    Classic,
    /// A corpus of messages with term counts.
    Text,
    /// A synthetic table that is numerically hard, with training and test rows.
    Hard,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// A measured number.
    Numeric,
    /// A count: 0, 1, 2 and so on.
    Count,
    /// One of a set of names; digits are names here, too.
    Categorical,
    /// A label of the row, which is not a feature.
    Id,
}

/// Name and kind of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Name in the header of the file.
    pub name: String,
    /// What its values are.
    pub kind: ColumnKind,
}

/// A class and its frequency.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassInfo {
    /// Name of the class.
    pub name: String,
    /// Number of rows with this class.
    pub count: usize,
}

/// An embedded file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileInfo {
    /// Path below the folder `data` of the crate, such as `sets/iris.csv.gz`.
    pub file: String,
    /// Number of data rows, the header not counted.
    pub rows: usize,
    /// SHA-256 checksum of the decompressed CSV.
    pub sha256: String,
}

/// All data sets: the classic tables, the text set, the hard cases, always in the same order.
///
/// ```
/// use nb_datasets::{Group, catalogue};
///
/// let hard: Vec<&str> =
///     catalogue().iter().filter(|set| set.group == Group::Hard).map(|set| set.name.as_str()).collect();
/// assert_eq!(hard[..2], ["offset_1e9", "variance_1e-30"]);
/// assert_eq!(catalogue()[0].name, "iris");
/// ```
pub fn catalogue() -> &'static [Info] {
    &CATALOGUE
}

/// The description of the set with this name.
///
/// ```
/// let wine = nb_datasets::info("wine")?;
/// assert_eq!((wine.rows, wine.columns.len(), wine.classes.len()), (178, 13, 3));
///
/// let error = nb_datasets::info("whine").unwrap_err().to_string();
/// assert!(error.contains(r#"did you mean "wine"?"#));
/// # Ok::<(), nb_datasets::DatasetError>(())
/// ```
///
/// # Errors
///
/// [`DatasetError::UnknownSet`] with the nearest existing name.
pub fn info(name: &str) -> Result<&'static Info, DatasetError> {
    let sets = catalogue();
    sets.iter().find(|set| set.name == name).ok_or_else(|| DatasetError::UnknownSet {
        name: name.to_owned(),
        nearest: nearest(name, sets.iter().map(|set| set.name.as_str())),
    })
}

/// Neighbouring columns of one kind, as the catalogue file writes them.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum ColumnRun {
    Named {
        kind: ColumnKind,
        names: Vec<String>,
    },
    /// `prefix` followed by 1, 2, ..., `last`: for sets with thousands of columns.
    Numbered {
        kind: ColumnKind,
        prefix: String,
        last: usize,
    },
}

fn columns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ColumnInfo>, D::Error> {
    let runs = Vec::<ColumnRun>::deserialize(deserializer)?;
    let mut columns = Vec::new();
    for run in runs {
        match run {
            ColumnRun::Named { kind, names } => {
                columns.extend(names.into_iter().map(|name| ColumnInfo { name, kind }));
            }
            ColumnRun::Numbered { kind, prefix, last } => {
                columns.extend((1..=last).map(|i| ColumnInfo { name: format!("{prefix}{i}"), kind }));
            }
        }
    }
    Ok(columns)
}
