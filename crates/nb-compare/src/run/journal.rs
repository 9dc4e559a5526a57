//! Results as they come, in a file from which an interrupted run goes on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{Condition, Design, PlanError, Splits, Table, Unit};

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
    /// The results were made without the log-posteriors that are wanted now.
    #[error(
        "{}: its results have no log-posteriors, which predictions are made of; choose another file, and all of it is done again",
        path.display()
    )]
    NoPredictions {
        /// The file.
        path: PathBuf,
    },
    /// Rows cannot be split as the design says.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A line is no result.
    #[error(
        "{}: line {line} is no result of this version of the program ({problem}); choose another file, or remove this one to \
         start again",
        path.display()
    )]
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
    /// Whether the results have log-posteriors.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    predictions: bool,
}

impl Journal {
    /// Opens the results of a design on its tables, and returns those that are there. A last line that was
    /// not written to its end is dropped; the unit is done again.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be used, or its results are of something else.
    pub fn open(path: &Path, design: &Design, tables: &[Table]) -> Result<(Self, Vec<Unit>), JournalError> {
        let file_error = |error| JournalError::File { path: path.to_owned(), error };
        let heading = Heading {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            // Files may be elsewhere when the run goes on; their contents are among the data.
            design: Design { predictions: false, ..design.of_results() }.to_toml(),
            predictions: design.predictions,
            data: tables.iter().map(Table::fingerprint).collect(),
        };
        let heading_line = serde_json::to_string(&heading).map_err(|error| file_error(error.into()))? + "\n";
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(file_error)?;
        let found = Found::read(path, &file, &heading, &heading_line)?;
        found.check(path, design, tables)?;
        file.set_len(found.length).map_err(file_error)?;
        if found.length == 0 {
            file.write_all(heading_line.as_bytes()).map_err(file_error)?;
        }
        Ok((Self { path: path.to_owned(), file }, found.units))
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

/// What is in a file.
#[derive(Default)]
struct Found {
    units: Vec<Unit>,
    /// How many bytes are whole lines.
    length: u64,
}

impl Found {
    /// Reads all whole lines. The last one may have been torn by whatever ended the run; a file that does not
    /// begin as ours is not touched.
    fn read(path: &Path, file: &File, expected: &Heading, heading_line: &str) -> Result<Self, JournalError> {
        let mut found = Self::default();
        let mut reader = BufReader::new(file);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes);
            read.map_err(|error| JournalError::File { path: path.to_owned(), error })?;
            let is_whole = bytes.ends_with(b"\n");
            if bytes.is_empty() || (!is_whole && number > 1) {
                break;
            }
            let bad = |error: serde_json::Error| JournalError::Line {
                path: path.to_owned(),
                line: number,
                problem: error.to_string(),
            };
            if number > 1 {
                found.units.push(serde_json::from_slice(&bytes).map_err(bad)?);
            } else if !is_whole && heading_line.as_bytes().starts_with(&bytes) {
                break;
            } else {
                let heading: Heading = serde_json::from_slice(&bytes).map_err(bad)?;
                heading
                    .check(expected)
                    .map_err(|what| JournalError::Other { path: path.to_owned(), what })?;
                if expected.predictions && !heading.predictions {
                    return Err(JournalError::NoPredictions { path: path.to_owned() });
                }
            }
            found.length += bytes.len() as u64;
        }
        Ok(found)
    }

    /// Refuses units that are none of the design, or there twice.
    fn check(&self, path: &Path, design: &Design, tables: &[Table]) -> Result<(), JournalError> {
        let mut seen = BTreeSet::new();
        let mut of_tables: BTreeMap<&str, (usize, Vec<Condition>)> = BTreeMap::new();
        for table in tables.iter().filter(|_| !self.units.is_empty()) {
            let conditions = design.conditions(table, &table.split_key())?;
            of_tables.insert(&table.name, (Splits::new(design.plan, table).repeats, conditions));
        }
        for (place, unit) in self.units.iter().enumerate() {
            let is_known = design.variants.iter().any(|variant| variant.name == unit.variant)
                && of_tables.get(unit.set.as_str()).is_some_and(|(repeats, conditions)| {
                    unit.repeat < *repeats && conditions.contains(&unit.condition)
                });
            if design.predictions && unit.done().is_some_and(|done| done.log_posteriors.is_empty()) {
                return Err(JournalError::NoPredictions { path: path.to_owned() });
            }
            let problem = match (is_known, seen.insert(unit.key())) {
                (false, _) => "it is of nothing in the design",
                (true, false) => "it is there twice, as if two runs had written to the file",
                (true, true) => continue,
            };
            return Err(JournalError::Line {
                path: path.to_owned(),
                line: place + 2, // behind the heading
                problem: problem.into(),
            });
        }
        Ok(())
    }
}

impl Heading {
    /// Whether the design is this one, with options that went by other names.
    fn is_of(&self, design: &str) -> bool {
        Design::from_toml(&self.design).is_ok_and(|own| own.to_toml() == design)
    }

    fn check(&self, expected: &Self) -> Result<(), &'static str> {
        if self.version != expected.version {
            Err("version of the program")
        } else if self.design != expected.design && !self.is_of(&expected.design) {
            Err("design")
        } else if self.data != expected.data {
            Err("state of the data")
        } else {
            Ok(())
        }
    }
}
