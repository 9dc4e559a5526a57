//! Records of delimited text: fields with their line, within limits.

use std::io::Read;

use super::{Csv, lines::Lines};
use crate::read::{CellProblem, FileProblem, Place, ReadError, RecordProblem, source::Source};

/// The records of a file, one at a time.
pub(super) struct Records<'a> {
    pub(super) file: String,
    parser: csv::Reader<Lines<Box<dyn Read + Send + 'a>>>,
    record: csv::ByteRecord,
    /// The line in which the record ends.
    last_line: u64,
    n_fields: Option<usize>,
    max_field: usize,
    max_record: usize,
    trim: bool,
    /// Whether the record is yet to be seen as a row, because there is no header.
    pending: bool,
}

impl<'a> Records<'a> {
    pub(super) fn new(source: Source<'a>, csv: &Csv) -> Self {
        let mut parser = csv::ReaderBuilder::new();
        parser.has_headers(false).flexible(true).delimiter(csv.delimiter_of(&source.name));
        match csv.quote {
            Some(quote) => parser.quote(quote),
            None => parser.quoting(false),
        };
        Self {
            parser: parser.from_reader(Lines::new(source.input)),
            file: source.name,
            record: csv::ByteRecord::new(),
            last_line: 0,
            n_fields: None,
            max_field: csv.max_field_bytes,
            max_record: csv.max_record_bytes,
            trim: csv.trim,
            pending: false,
        }
    }

    /// The names of the columns: those in the first line, or `x1`, `x2`, ... if it is not a header.
    pub(super) fn header(&mut self, is_header: bool) -> Result<Vec<String>, ReadError> {
        if !self.advance()? {
            return Err(ReadError::file(&self.file, FileProblem::Empty));
        }
        let n_fields = self.record.len();
        if is_header {
            return (0..n_fields)
                .map(|position| self.text(position, &format!("x{}", position + 1)).map(String::from))
                .collect();
        }
        self.pending = true;
        Ok((1..=n_fields).map(|position| format!("x{position}")).collect())
    }

    /// Goes to the next record; whether there is one. All records have as many fields as the first.
    pub(super) fn advance(&mut self) -> Result<bool, ReadError> {
        if std::mem::take(&mut self.pending) {
            return Ok(true);
        }
        let first_line = self.parser.get_ref().handed_out + 1;
        self.parser.get_mut().allow(self.max_record);
        let found = self.parser.read_byte_record(&mut self.record).map_err(|error| {
            if self.parser.get_ref().too_long {
                let problem = RecordProblem::TooLong { limit: self.max_record };
                return ReadError::record(&self.file, Place::Line(first_line), problem);
            }
            match error.into_kind() {
                csv::ErrorKind::Io(error) => ReadError::io(&self.file, error),
                other => {
                    let reason = format!("{other:?}");
                    ReadError::file(&self.file, FileProblem::Format { format: "csv", reason })
                }
            }
        })?;
        self.last_line = self.parser.get_ref().handed_out;
        if !found {
            return Ok(false);
        }
        if self.parser.get_ref().ended {
            // The line feed that ends the last line is then part of the open field.
            self.last_line += u64::from(self.record.as_slice().ends_with(b"\n"));
            return Err(self.refuse(RecordProblem::OpenQuote));
        }
        let (expected, found) = (*self.n_fields.get_or_insert(self.record.len()), self.record.len());
        if found != expected {
            return Err(self.refuse(RecordProblem::Fields { expected, found }));
        }
        Ok(true)
    }

    /// The text of a field of the record. Messages call the column as given.
    pub(super) fn text(&self, position: usize, column: &str) -> Result<&str, ReadError> {
        let bytes = self.record.get(position).unwrap_or_default();
        if bytes.len() > self.max_field {
            let problem = CellProblem::TooLong { limit: self.max_field };
            let start = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
            return Err(self.refuse_cell(column, &start, problem));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if self.trim => Ok(text.trim()),
            Ok(text) => Ok(text),
            Err(_) => Err(self.refuse_cell(column, &String::from_utf8_lossy(bytes), CellProblem::NotUtf8)),
        }
    }

    /// The line in which the record begins.
    pub(super) fn line(&self) -> u64 {
        let within = self.record.as_slice().split(|&byte| byte == b'\n').count() as u64 - 1;
        self.last_line.saturating_sub(within).max(1)
    }

    pub(super) fn refuse_cell(&self, column: &str, text: &str, problem: CellProblem) -> ReadError {
        ReadError::cell(&self.file, Place::Line(self.line()), column, text, problem)
    }

    fn refuse(&self, problem: RecordProblem) -> ReadError {
        ReadError::record(&self.file, Place::Line(self.line()), problem)
    }
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records")
            .field("file", &self.file)
            .field("line", &self.last_line)
            .finish_non_exhaustive()
    }
}
