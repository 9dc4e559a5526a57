//! Writers of rows: CSV, JSON lines, Parquet.

mod csv;
mod json;
mod parquet;

use std::{collections::BTreeSet, io::Write, path::Path};

use anyhow::{Context, Result};

use super::Replacement;
use crate::failure::usage;

/// A cell of a row to be written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Nothing.
    Missing,
    Text(String),
    Number(f64),
}

/// The type of a column to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Text,
    Number,
    /// Numbers without decimals, which are integers where a format has them.
    Whole,
}

/// Writes rows in one of the formats.
pub(super) trait WriteRows {
    fn write(&mut self, rows: &[Vec<Cell>]) -> Result<()>;
    fn finish(self: Box<Self>) -> Result<()>;
}

/// The ends of the names of files that rows can be written to.
const ENDS: [&str; 9] = ["csv", "txt", "tsv", "tab", "jsonl", "ndjson", "json", "parquet", "pq"];

/// Writes rows to a file, which appears when it is complete, or to standard output.
pub(crate) struct RowWriter {
    rows: Box<dyn WriteRows>,
    /// What messages call the output.
    name: String,
}

impl RowWriter {
    /// A writer of rows with these columns. The end of the file's name tells the format; without one it is
    /// CSV. Without a file CSV goes to standard output, or JSON lines if `json`.
    pub(crate) fn new(path: Option<&Path>, json: bool, columns: &[(String, ColumnType)]) -> Result<Self> {
        let name = path.map(|path| path.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        if let Some(end) =
            path.and_then(Path::extension).map(|end| end.to_string_lossy().to_ascii_lowercase())
            && !ENDS.contains(&end.as_str())
        {
            let known: Vec<String> = ENDS.iter().map(|end| format!(".{end}")).collect();
            return Err(usage(format!(
                "rows cannot be written as .{end}; end the name of the output with one of {}",
                known.join(", ")
            )));
        }
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        let is_json = ends(&[".jsonl", ".ndjson", ".json"]) || (path.is_none() && json);
        let output = || -> Result<Box<dyn Output>> {
            Ok(match path {
                Some(path) => Box::new(Replacement::new(path)?),
                None => Box::new(std::io::BufWriter::new(std::io::stdout().lock())),
            })
        };
        let rows: Box<dyn WriteRows> = match path {
            Some(path) if ends(&[".parquet", ".pq"]) => Box::new(parquet::Parquet::new(path, columns)?),
            _ if is_json => Box::new(json::JsonLines::new(output()?, columns)),
            _ => {
                Box::new(csv::Csv::new(output()?, if ends(&[".tsv", ".tab"]) { '\t' } else { ',' }, columns))
            }
        };
        Ok(Self {
            rows,
            name: path.map_or_else(|| "standard output".into(), |path| path.display().to_string()),
        })
    }

    pub(crate) fn write(&mut self, rows: &[Vec<Cell>]) -> Result<()> {
        self.rows.write(rows).with_context(|| format!("cannot write {}", self.name))
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<()> {
        let Self { rows, name } = self;
        rows.finish().with_context(|| format!("cannot write {name}"))
    }
}

/// The columns with names that are all different: one that exists already, such as an identifier named as the
/// label is, lets the later one be `predicted_` and its name.
pub(crate) fn distinct(columns: Vec<(String, ColumnType)>) -> Vec<(String, ColumnType)> {
    let mut names = BTreeSet::new();
    let mut distinct = Vec::with_capacity(columns.len());
    for (mut name, kind) in columns {
        while !names.insert(name.clone()) {
            name.insert_str(0, "predicted_");
        }
        distinct.push((name, kind));
    }
    distinct
}

/// A stream that is completed at the end.
pub(super) trait Output: Write {
    fn finish(self: Box<Self>) -> Result<()>;
}

impl Output for Replacement {
    fn finish(self: Box<Self>) -> Result<()> {
        Self::finish(*self)
    }
}

impl Output for std::io::BufWriter<std::io::StdoutLock<'_>> {
    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.flush()?)
    }
}
