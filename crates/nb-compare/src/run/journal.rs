//! Results as they come, in a file from which an interrupted run goes on.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{Design, Table, Unit};

/// A file of results: a first line that says what they are of, then one line of JSON for each unit.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// Why results cannot be kept, or those that were kept cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The results are of another design, of other data or of another version of this crate.
    #[error(
        "{}: its results are of another {what}; finish that run with what it began with, or choose another folder or remove the file",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A line is no result.
    #[error("{}: line {line} is no result: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// What the results of a file are of.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Heading {
    version: String,
    design: String,
    data: Vec<String>,
}

impl Journal {
    /// Opens the results of a design on its tables, and returns those that are there. A last line that was not written
    /// to its end is dropped; the unit is done again.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be used, or its results are of something else.
    pub fn open(path: &Path, design: &Design, tables: &[Table]) -> Result<(Self, Vec<Unit>), JournalError> {
        let file_error = |error| JournalError::File { path: path.to_owned(), error };
        let heading = Heading {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            design: design.to_toml(),
            data: tables.iter().map(Table::fingerprint).collect(),
        };
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(file_error)?;
        let (units, length) = read(path, &file, &heading)?;
        file.set_len(length).map_err(file_error)?;
        if length == 0 {
            let line = serde_json::to_string(&heading).map_err(|error| file_error(error.into()))?;
            writeln!(file, "{line}").map_err(file_error)?;
        }
        Ok((Self { path: path.to_owned(), file }, units))
    }

    /// Adds a unit; it is in the file when this returns.
    ///
    /// # Errors
    /// [`JournalError::File`] if the file cannot be written.
    pub fn add(&mut self, unit: &Unit) -> Result<(), JournalError> {
        // One call, so that lines are whole or missing.
        let line = format!("{}\n", unit.to_json());
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| JournalError::File { path: self.path.clone(), error })
    }
}

/// The units in a file, and how many bytes of it are whole lines.
fn read(path: &Path, file: &File, expected: &Heading) -> Result<(Vec<Unit>, u64), JournalError> {
    let mut units = Vec::new();
    let mut length = 0;
    let mut reader = BufReader::new(file);
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let read = reader.read_line(&mut line);
        let bytes = read.map_err(|error| JournalError::File { path: path.to_owned(), error })?;
        if bytes == 0 || !line.ends_with('\n') {
            break;
        }
        let bad = |error: serde_json::Error| JournalError::Line {
            path: path.to_owned(),
            line: number,
            problem: error.to_string(),
        };
        if number == 1 {
            let found: Heading = serde_json::from_str(&line).map_err(bad)?;
            found.check(expected).map_err(|what| JournalError::Other { path: path.to_owned(), what })?;
        } else {
            units.push(Unit::from_json(&line).map_err(bad)?);
        }
        length += bytes as u64;
    }
    Ok((units, length))
}

impl Heading {
    fn check(&self, expected: &Self) -> Result<(), &'static str> {
        if self.version != expected.version {
            Err("version of the program")
        } else if self.design != expected.design {
            Err("design")
        } else if self.data != expected.data {
            Err("state of the data")
        } else {
            Ok(())
        }
    }
}
