//! Reading the rows of a CSV file after checking that it is the right file.

use csv::{ReaderBuilder, StringRecord};

use crate::catalogue::{FileInfo, Info};
use crate::checksum::sha256_hex;
use crate::error::{ContentError, DatasetError};

/// A file of a data set, named in errors.
#[derive(Clone, Copy)]
pub(crate) struct File<'a> {
    info: &'a Info,
    file: &'a FileInfo,
}

impl<'a> File<'a> {
    pub(crate) fn new(info: &'a Info, file: &'a FileInfo) -> Self {
        Self { info, file }
    }

    /// Calls `row` with the number (from 0) and the fields of each data row of `csv`. Checksum and header are
    /// verified before the first call, the number of rows after the last.
    pub(crate) fn for_each_row(
        &self,
        csv: &[u8],
        header: &[&str],
        mut row: impl FnMut(usize, &StringRecord) -> Result<(), ContentError>,
    ) -> Result<(), DatasetError> {
        self.check_sum(csv)?;
        let mut read = || {
            let mut reader = ReaderBuilder::new().from_reader(csv);
            check_header(header, reader.headers().map_err(not_csv)?)?;
            let mut fields = StringRecord::new();
            let mut found = 0;
            while reader.read_record(&mut fields).map_err(not_csv)? {
                row(found, &fields)?;
                found += 1;
            }
            let expected = self.file.rows;
            if found == expected { Ok(()) } else { Err(ContentError::RowCount { expected, found }) }
        };
        self.content(read())
    }

    /// Adds the names of set and file to a problem with the content.
    pub(crate) fn content<T>(&self, result: Result<T, ContentError>) -> Result<T, DatasetError> {
        result.map_err(|problem| DatasetError::Content {
            set: self.info.name.clone(),
            file: self.file.file.clone(),
            problem,
        })
    }

    fn check_sum(&self, csv: &[u8]) -> Result<(), DatasetError> {
        let found = sha256_hex(csv);
        if found == self.file.sha256 {
            return Ok(());
        }
        Err(DatasetError::Checksum {
            set: self.info.name.clone(),
            file: self.file.file.clone(),
            expected: self.file.sha256.clone(),
            found,
        })
    }
}

/// A cell that does not hold what its column should.
pub(crate) fn bad_value(row: usize, column: &str, value: &str, expected: &'static str) -> ContentError {
    ContentError::Value { row, column: column.to_owned(), value: value.to_owned(), expected }
}

#[allow(clippy::needless_pass_by_value)] // for use with `map_err`
fn not_csv(error: csv::Error) -> ContentError {
    ContentError::Csv { reason: error.to_string() }
}

fn check_header(expected: &[&str], found: &StringRecord) -> Result<(), ContentError> {
    for position in 0..expected.len().max(found.len()) {
        let expected = expected.get(position).copied().unwrap_or_default();
        let found = found.get(position).unwrap_or_default();
        if expected != found {
            return Err(ContentError::Header {
                position,
                expected: expected.to_owned(),
                found: found.to_owned(),
            });
        }
    }
    Ok(())
}
