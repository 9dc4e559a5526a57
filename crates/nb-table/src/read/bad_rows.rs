//! Rows that cannot be read and are left out.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{CellProblem, Place, ReadError};

/// The most rows of which the reasons are kept.
const MOST_REASONS: usize = 3;

/// What to do with a row that cannot be read: it has another number of fields than the header, a quote that
/// is not closed, bytes that are not text, a cell that is not what its column holds, or it is no JSON object
/// where one is expected.
///
/// Errors about the file as a whole, such as damaged compression or a column that is not there, stay errors,
/// and so do labels that are missing ([`Unlabeled`](super::Unlabeled) is about these) and limits on the
/// number of categories.
///
/// ```
/// use nb_table::read::{BadRows, Csv, Overrides, ReadChunks, Table, TableOptions};
///
/// let text = "length,species\n1.5,a\n2.5\n\"3.5,b\n4.5,b\n";
/// let csv = Csv::default().with_table(TableOptions::default().with_bad_rows(BadRows::Skip));
/// let inferred = csv.infer_from(|| Ok(text.as_bytes()), "flowers.csv", "species", &Overrides::default())?;
/// let mut reader = csv.read_from(text.as_bytes(), "flowers.csv", &inferred.schema)?;
/// assert_eq!(reader.next_chunk()?.unwrap().rows, Table::Dense(ndarray::array![[1.5], [4.5]]));
/// assert!(reader.next_chunk()?.is_none());
///
/// let skipped = reader.skipped_rows().unwrap();
/// assert_eq!((skipped.count(), skipped.n_rows), (2, 4));
/// assert_eq!(skipped.first[0].to_string(), "line 3: 1 field where the first line has 2");
/// assert_eq!(skipped.first[1].to_string(), "line 4: a quote is opened here and never closed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadRows {
    /// Refuse the file, naming the first such row.
    #[default]
    Error,
    /// Leave such rows out: [`ReadChunks::skipped_rows`](super::ReadChunks::skipped_rows) says which. A
    /// schema is learnt from the rows that are then read, in two more passes over the file. Of lines that
    /// a quote joins which is not closed where it should be, the first is left out, and the others are
    /// looked at again.
    Skip,
}

/// The rows of a file that could not be read and were left out; [`BadRows`] has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedRows {
    /// How many rows the file has so far, with those that were left out.
    pub n_rows: u64,
    /// Where the rows are that were left out, in the order of the file.
    pub places: Vec<Place>,
    /// What is wrong with the first of them, at most three.
    pub first: Vec<SkippedRow>,
}

/// A row that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedRow {
    /// The file.
    pub file: String,
    /// Where it is.
    pub place: Place,
    /// What is wrong with it, in a few words.
    pub reason: String,
}

impl fmt::Display for SkippedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Document(_) => write!(f, "{}: {}", self.file, self.reason),
            place => write!(f, "{place}: {}", self.reason),
        }
    }
}

impl SkippedRows {
    /// How many rows were left out.
    pub fn count(&self) -> u64 {
        self.places.len() as u64
    }

    /// Whether more than half of the first hundred rows were left out, so that delimiter, quotes or header
    /// are probably other ones.
    pub fn is_most_of_start(&self) -> bool {
        const START: u64 = 100;
        let is_early = |place: &&Place| match **place {
            Place::Line(number)
            | Place::Record(number)
            | Place::SheetRow(number)
            | Place::Document(number) => number <= START,
            Place::Row(row) => (row as u64) < START,
        };
        let early = self.places.iter().filter(is_early).count() as u64;
        2 * early > self.n_rows.min(START)
    }
}

/// The rows that are left out while a file is read, by their numbers. Its clones are one list.
#[derive(Clone, Debug, Default)]
pub(in crate::read) struct Skipped(Arc<Mutex<List>>);

#[derive(Debug, Default)]
struct List {
    places: BTreeMap<u64, Place>,
    first: BTreeMap<u64, ReadError>,
}

impl Skipped {
    fn list(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a row on the list.
    ///
    /// # Errors
    /// The error itself, unless it is about a row that can be left out.
    pub(in crate::read) fn add(&self, number: u64, error: ReadError) -> Result<(), ReadError> {
        let place = match &error {
            ReadError::Cell {
                problem: CellProblem::TooManyLevels { .. } | CellProblem::TooManyTerms(_),
                ..
            }
            | ReadError::Io { .. }
            | ReadError::File { .. } => return Err(error),
            ReadError::Cell { place, .. } | ReadError::Record { place, .. } => *place,
        };
        let mut list = self.list();
        list.places.insert(number, place);
        list.first.insert(number, error);
        if list.first.len() > MOST_REASONS {
            list.first.pop_last();
        }
        Ok(())
    }

    #[cfg(feature = "csv")]
    pub(in crate::read) fn contains(&self, number: u64) -> bool {
        self.list().places.contains_key(&number)
    }

    #[cfg(feature = "csv")]
    pub(in crate::read) fn len(&self) -> usize {
        self.list().places.len()
    }

    /// Moves the rows of another list to this one.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn append(&self, other: &Self) -> Result<(), ReadError> {
        let mut other = other.list();
        self.list().places.append(&mut other.places);
        while let Some((number, error)) = other.first.pop_first() {
            self.add(number, error)?;
        }
        Ok(())
    }

    /// Takes the error about the first row from the list.
    pub(in crate::read) fn take_first_error(&self) -> Option<ReadError> {
        self.list().first.pop_first().map(|(_, error)| error)
    }

    /// Reports the rows of several lists of one file; `n_read` is the number of rows that were read.
    pub(in crate::read) fn report(lists: &[&Self], n_read: u64) -> SkippedRows {
        let (mut places, mut first) = (Vec::new(), Vec::new());
        for list in lists {
            let list = list.list();
            places.extend(list.places.values().copied());
            first.extend(list.first.values().filter_map(|error| {
                Some(SkippedRow { file: error.file().into(), place: error.place()?, reason: error.reason()? })
            }));
        }
        places.sort_unstable();
        first.sort_by_key(|row: &SkippedRow| row.place);
        first.truncate(MOST_REASONS);
        SkippedRows { n_rows: n_read + places.len() as u64, places, first }
    }
}
