//! Hive partitions: columns that files lack, as the names of their folders hold them.

use std::path::{Component, Path};

#[cfg(feature = "csv")]
use super::{
    Csv, FileProblem, Inferred, Labels, Overrides, ReadError, TableOptions,
    file::source::Source,
    formats::as_csv::{Convert, Converted, Counting, RowText, Unit},
};

/// How Hive and Spark spell a missing value in the name of a folder.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// The columns and cells in the names of the folders of a path, such as `day=1/region=eu/part.csv`: all rows
/// of the file have these cells. An empty text is a missing cell, which Hive writes as
/// `__HIVE_DEFAULT_PARTITION__`. Bytes that are written as `%3A` are
/// decoded. [`TableOptions::constants`](super::TableOptions::constants) has the readers of rows add them.
///
/// ```
/// use nb_table::read::partition_columns;
///
/// let columns = partition_columns("data/day=1/at=12%3A30/host=__HIVE_DEFAULT_PARTITION__/part.csv");
/// assert_eq!(columns, [("day", "1"), ("at", "12:30"), ("host", "")].map(|(k, v)| (k.into(), v.into())));
/// assert!(partition_columns("data/part-a=b.csv").is_empty());
/// ```
#[must_use]
pub fn partition_columns(path: impl AsRef<Path>) -> Vec<(String, String)> {
    let folders = path.as_ref().parent().into_iter().flat_map(Path::components);
    let columns = folders.filter_map(|folder| {
        let Component::Normal(name) = folder else { return None };
        let (column, value) = name.to_str()?.split_once('=')?;
        let value = if value == MISSING { String::new() } else { decoded(value) };
        (!column.is_empty()).then(|| (decoded(column), value))
    });
    columns.collect()
}

/// A text in which bytes may be written as `%` and two hexadecimal digits; as it is if that makes no text.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut place) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(place) {
        let digit = |place: usize| char::from(*bytes.get(place)?).to_digit(16);
        if let (b'%', Some(high), Some(low)) = (byte, digit(place + 1), digit(place + 2)) {
            decoded.push((16 * high + low) as u8);
            place += 3;
        } else {
            decoded.push(byte);
            place += 1;
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.into())
}

/// A file, how many rows it has, and its [`partition_columns`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionFile {
    /// What messages call it.
    pub name: String,
    /// How many rows it has.
    pub n_rows: usize,
    /// The columns and their cells.
    pub columns: Vec<(String, String)>,
}

/// Learns what the columns of partitions hold: just what would be learnt if their cells were written in the
/// rows of one file of delimited text. Nothing if none of them is a feature.
///
/// ```
/// use nb_table::{Kind, read::{Overrides, PartitionFile, TableOptions, infer_partitions, partition_columns}};
///
/// let files = ["day=1/a.csv", "day=2/a.csv"];
/// let files = files.map(|name| PartitionFile { name: name.into(), n_rows: 30, columns: partition_columns(name) });
/// let inferred = infer_partitions(&files, "y", &Overrides::default(), &TableOptions::default())?.unwrap();
/// assert_eq!((&*inferred.columns[0].column, &inferred.columns[0].kind), ("day", &Kind::Numeric));
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] if a file has other columns than the first, or if cells are not of the kind that was chosen
/// for their column.
#[cfg(feature = "csv")]
pub fn infer_partitions(
    files: &[PartitionFile],
    label: &str,
    overrides: &Overrides,
    options: &TableOptions,
) -> Result<Option<Inferred>, ReadError> {
    let Some(first) = files.first() else { return Ok(None) };
    let names: Vec<&str> = first.columns.iter().map(|(name, _)| name.as_str()).collect();
    let cells = files.iter().map(|file| {
        let cell =
            |name: &&str| file.columns.iter().find(|(of, _)| of == name).map(|(_, cell)| cell.as_str());
        let cells: Option<Vec<&str>> = names.iter().map(cell).collect();
        let cells = cells.filter(|cells| cells.len() == file.columns.len());
        let other = || FileProblem::OtherPartitions {
            found: file.columns.iter().map(|(name, _)| name.clone()).collect(),
            first: first.name.clone(),
            expected: names.iter().map(|&name| name.into()).collect(),
        };
        Ok((file.n_rows, cells.ok_or_else(|| ReadError::of_file(&file.name, other()))?))
    });
    let cells: Vec<(usize, Vec<&str>)> = cells.collect::<Result<_, _>>()?;
    let overrides = overrides.clone().of_columns(|name| names.contains(&name)).with_is_part(false);
    let weight = options.weight.clone().filter(|weight| names.contains(&weight.as_str()));
    let is_feature =
        |name: &str| name != label && weight.as_deref() != Some(name) && !overrides.ignore.contains(name);
    if !names.iter().any(|name| is_feature(name)) {
        return Ok(None);
    }
    let table = options.clone().with_labels(Labels::Ignore).with_weight(weight.clone());
    let open = || {
        let counting = Counting { unit: Unit::Line, header: 1 };
        let rows = Converted::new(&names, Cells { files: &cells, n_rows: 0 });
        Ok(Source::converted("the names of folders", rows, counting))
    };
    let csv = Csv::default().with_table(table);
    csv.infer_passes(open, label, &overrides, usize::MAX).map(Some)
}

/// The cells of partitions in the rows of their files.
#[cfg(feature = "csv")]
struct Cells<'a> {
    /// Those that are not yet at their end.
    files: &'a [(usize, Vec<&'a str>)],
    /// How many rows of the first there were.
    n_rows: usize,
}

#[cfg(feature = "csv")]
impl Convert for Cells<'_> {
    fn line(&mut self, text: &mut RowText) -> Result<bool, ReadError> {
        while let Some(((most, cells), rest)) = self.files.split_first() {
            if self.n_rows < *most {
                self.n_rows += 1;
                for cell in cells {
                    text.cell(cell);
                }
                text.end_row();
                return Ok(true);
            }
            (self.files, self.n_rows) = (rest, 0);
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_decoded() {
        for (path, expected) in [
            ("/data/x=1/y=a%20b%2Fc/z.csv", &[("x", "1"), ("y", "a b/c")][..]),
            ("../x=a=b/z.csv", &[("x", "a=b")]),
            ("x%3Dy=%C3%A9%zz%/z.csv", &[("x=y", "é%zz%")]),
            ("x=%FF/z.csv", &[("x", "%FF")]),
            ("x=/y=__HIVE_DEFAULT_PARTITION__/z.csv", &[("x", ""), ("y", "")]),
            ("=1/x/y=2.csv", &[]),
            ("x=1", &[]),
        ] {
            let found = partition_columns(path);
            let found: Vec<(&str, &str)> = found.iter().map(|(name, cell)| (&**name, &**cell)).collect();
            assert_eq!(found, expected, "{path}");
        }
    }
}
