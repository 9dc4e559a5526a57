//! Records of delimited text: fields with their line, within limits.

mod skipping;

use std::{
    io::{Cursor, Read},
    path::PathBuf,
    sync::Arc,
};

use skipping::Skipping;

use super::{
    Csv, CsvFormat, Sniffed,
    fields::{Dialect, Field, Fields},
    header::{CsvHeader, has_row_names, texts},
    orange::OrangeHeader,
    plain::{Expected, Slot},
    repeated::{HeaderLine, RepeatedHeader},
    sniff::without_comments,
    window::Window,
};
use crate::read::{
    CellProblem, FileProblem, Place, ReadError, RecordProblem, file::source::Source,
    formats::as_csv::Counting,
};

/// The records of a file, one at a time.
pub(super) struct Records<'a> {
    pub(super) file: String,
    window: Window<Box<dyn Read + Send + 'a>>,
    dialect: Dialect,
    /// The byte with which comments begin.
    comment: Option<u8>,
    pub(super) format: CsvFormat,
    fields: Fields,
    /// What all records have behind their fields.
    constants: Vec<String>,
    /// What is expected of the fields; nothing if records are only split.
    expected: Expected,
    /// How many bytes of the window the record has.
    length: usize,
    /// The line in which the record begins.
    line: u64,
    /// What is counted instead of lines, if the text was made from something else.
    counting: Option<Counting>,
    /// The files, if each is a record.
    files: Option<Arc<[PathBuf]>>,
    /// The byte that ended the last record that was not plain: a carriage return or a line feed.
    line_end: u8,
    n_fields: Option<usize>,
    /// Whether rows have one field more than the header: the name of the row, in front.
    has_row_names: bool,
    max_record: usize,
    trim: bool,
    /// Whether the record is yet to be seen as a row, because there is no header.
    pending: bool,
    /// The names of the columns, if lines that repeat them are no rows, and those lines.
    header_line: Option<HeaderLine>,
    repeated_header: Option<RepeatedHeader>,
    /// The rows that are left out, if they may be, and how many records there were.
    skipping: Option<Skipping>,
    /// What a header of Orange says.
    orange: Option<OrangeHeader>,
    /// The bytes that were left behind, if they are wanted.
    kept: Option<Vec<u8>>,
}

impl<'a> Records<'a> {
    pub(super) fn new(mut source: Source<'a>, csv: &Csv) -> Self {
        let converted;
        let csv = if source.counting.is_some() {
            converted = Csv {
                delimiter: Some(b','),
                decimal: Some(b'.'),
                quote: Some(b'"'),
                comment: None,
                skip_lines: 0,
                ..csv.clone()
            };
            &converted
        } else {
            csv
        };
        let Sniffed { format, start, n_skipped, ended, failure } = Sniffed::new(&mut source, csv);
        let dialect = Dialect { delimiter: format.delimiter, quote: format.quote };
        let is_as_written = source.counting.is_none_or(|counting| counting.unit.is_as_written());
        let may_be_orange = csv.orange && csv.header && is_as_written;
        let orange = may_be_orange
            .then(|| OrangeHeader::of(&without_comments(&start, csv.comment), dialect, ended))
            .flatten();
        let has_row_names = csv.header
            && source.counting.is_none()
            && has_row_names(&without_comments(&start, csv.comment), dialect, ended);
        Self {
            window: Window::new(Box::new(Cursor::new(start).chain(failure).chain(source.input))),
            dialect,
            comment: csv.comment,
            format,
            file: source.name,
            fields: Fields::default(),
            constants: Vec::new(),
            expected: Expected::default(),
            length: 0,
            line: source.counting.map_or(1 + n_skipped, |counting| counting.header),
            counting: source.counting,
            files: source.files,
            line_end: b'\n',
            n_fields: None,
            has_row_names,
            max_record: csv.max_record_bytes,
            trim: csv.trim,
            pending: false,
            header_line: None,
            orange,
            repeated_header: None,
            skipping: Skipping::new(csv.table.bad_rows, source.skipped),
            kept: None,
        }
    }

    /// The names of the columns: those in the first line, or `x1`, `x2`, ... if it is not a header.
    pub(super) fn header(&mut self, is_header: bool) -> Result<CsvHeader, ReadError> {
        // Without a header that can be read there are no rows.
        let skipping = self.skipping.take();
        if !self.advance(&mut [])? {
            return Err(ReadError::of_file(&self.file, FileProblem::Empty));
        }
        self.skipping = skipping;
        let n_fields = self.fields.places.len();
        if is_header || self.counting.is_some() {
            let name = |position| self.text(position, &format!("x{}", position + 1)).map(String::from);
            let names = (0..n_fields).map(name).collect::<Result<_, _>>()?;
            self.expect_no_names();
            self.skip_types()?;
            if let Some(orange) = self.orange.clone() {
                let given = orange.columns.iter().map(|column| column.name.clone()).collect();
                let header = CsvHeader::with_different_names(given, self.has_row_names);
                return Ok(CsvHeader { orange: Some(orange.with_names(&header.names)), ..header });
            }
            // Other formats say themselves what their columns are called.
            return Ok(match self.counting {
                Some(_) => CsvHeader::new(names),
                None => CsvHeader::with_different_names(names, self.has_row_names),
            });
        }
        self.pending = true;
        Ok(CsvHeader::new((1..=n_fields).map(|position| format!("x{position}")).collect()))
    }

    /// Appends fields to each record that follows, which are the same in all.
    pub(super) fn append(&mut self, constants: impl Iterator<Item = String>) {
        self.constants = constants.collect();
    }

    /// Says what is expected of each field, so that [`advance`](Self::advance) can read numbers on its way.
    pub(super) fn expect(&mut self, slots: Vec<Slot>) {
        let Dialect { delimiter, quote } = self.dialect;
        let is_odd = |byte: u8| byte.is_ascii_digit() || b".-\r\n".contains(&byte);
        let odd = is_odd(delimiter) || quote.is_some_and(|quote| is_odd(quote) || quote == delimiter);
        if !odd {
            if let Some(line) = &mut self.header_line {
                line.expect(&slots);
            }
            self.expected = Expected::new(slots);
        }
    }

    /// Expects a text where a number was expected.
    pub(super) fn expect_text(&mut self, place: usize) {
        if let Some(line) = &mut self.header_line {
            line.expect(&[]);
        }
        self.expected.expect_text(place);
    }

    /// Goes to the next record; whether there is one. All records have as many fields as the first.
    ///
    /// Fields that are expected to be numbers, and plainly are, are stored in `row`:
    /// [`is_number`](Self::is_number) tells which. Not so in the record that was already looked at as if
    /// it were a header.
    #[inline]
    pub(super) fn advance(&mut self, row: &mut [f64]) -> Result<bool, ReadError> {
        if std::mem::take(&mut self.pending) && !self.is_on_list() {
            return Ok(true);
        }
        loop {
            match self.advance_to_any(row) {
                Ok(false) => return Ok(false),
                Ok(true) if self.repeats_header() => self.skip_header()?,
                Ok(true) if self.skipping.is_some() && self.is_skipped()? => {}
                Ok(true) => return Ok(true),
                Err(error) => self.skip_record(error)?,
            }
        }
    }

    /// The same, also if it has the names of the columns.
    #[inline]
    fn advance_to_any(&mut self, row: &mut [f64]) -> Result<bool, ReadError> {
        if !self.skip_line_ends()? {
            return Ok(false);
        }
        let Self { window, dialect, line_end, expected, fields, .. } = &mut *self;
        let length = window.bytes().len();
        match expected.split(window.padded(), length, *dialect, *line_end, row, fields) {
            Some(length) if length <= self.max_record => {
                self.length = length;
                Ok(true)
            }
            _ => self.advance_slowly().map(|()| true),
        }
    }

    /// Takes records like the one at hand, which is the header, for no rows from now on. Not so where each
    /// row is made with the names of its columns.
    pub(super) fn expect_no_names(&mut self) {
        if self.counting.is_none_or(|counting| counting.unit.is_as_written()) {
            let names = texts(self.window.bytes(), &self.fields);
            self.header_line = HeaderLine::new(names, self.format.decimal);
        }
    }

    /// Leaves the lines of the header behind that at hand.
    pub(super) fn skip_types(&mut self) -> Result<(), ReadError> {
        for _ in 1..self.orange.as_ref().map_or(1, |orange| orange.n_lines) {
            self.advance(&mut [])?;
        }
        Ok(())
    }

    /// The lines so far that repeated the names of the columns.
    pub(super) fn repeated_header(&self) -> Option<RepeatedHeader> {
        self.repeated_header
    }

    /// Whether the record has the names of the columns.
    #[inline]
    fn repeats_header(&mut self) -> bool {
        let Some(line) = &self.header_line else { return false };
        !(self.fields.complete && line.has_text_for_number())
            && line.may_be(self.bytes(line.telling()))
            && self.is_header()
    }

    fn is_header(&mut self) -> bool {
        let (bytes, dialect) = (self.window.bytes(), self.dialect);
        self.header_line.as_mut().is_some_and(|line| line.is_at(bytes, dialect))
    }

    /// Counts the record at hand, which has the names of the columns, and leaves it.
    #[cold]
    fn skip_header(&mut self) -> Result<(), ReadError> {
        let first = self.place();
        let found = self.repeated_header.get_or_insert(RepeatedHeader { first, count: 0 });
        found.count += 1;
        let kept = self.kept.take();
        let left = self.skip_line_ends();
        self.kept = kept;
        left.map(drop)
    }

    /// Leaves the record and the line ends behind it; whether there is something behind them.
    fn skip_line_ends(&mut self) -> Result<bool, ReadError> {
        let record = &self.window.bytes()[..self.length];
        // Only quoted fields contain line feeds.
        if self.fields.quoted && self.counting.is_none() {
            self.line += record.split(|&byte| byte == b'\n').count() as u64 - 1;
        }
        let length = std::mem::take(&mut self.length);
        self.leave(length);
        loop {
            let Some(&byte) = self.window.bytes().first() else {
                if self.fill()? {
                    continue;
                }
                return Ok(false);
            };
            if byte != b'\n' && byte != b'\r' {
                if self.comment == Some(byte) {
                    self.skip_comment()?;
                    continue;
                }
                return Ok(true);
            }
            self.line += u64::from(byte == b'\n');
            self.leave(1);
        }
    }

    /// Leaves bytes behind.
    #[inline]
    fn leave(&mut self, n_bytes: usize) {
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(&self.window.bytes()[..n_bytes]);
        }
        self.window.consume(n_bytes);
    }

    /// Keeps the bytes that are left behind from now on, as lines after others that were skipped.
    pub(super) fn keep(&mut self, n_skipped: u64) {
        self.kept = Some(Vec::new());
        self.line += n_skipped;
    }

    /// The bytes that were left behind since this was called last.
    pub(super) fn take_kept(&mut self, into: &mut Vec<u8>) {
        into.append(self.kept.get_or_insert_default());
    }

    /// How many bytes the record has, without its line end.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Whether the last line ends in memory only, now that all of the input was read.
    pub(super) fn has_added_end(&self) -> bool {
        self.window.has_added_end()
    }

    /// Leaves a comment, up to the end of its line.
    #[cold]
    fn skip_comment(&mut self) -> Result<(), ReadError> {
        loop {
            let n_bytes = self.window.bytes().len();
            if let Some(end) = self.window.bytes().iter().position(|&byte| byte == b'\n') {
                self.leave(end);
                return Ok(());
            }
            // Nothing of it is needed again, so that it may be as long as it likes.
            self.leave(n_bytes);
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    /// Splits the record that begins here, whatever it is like.
    #[cold]
    fn advance_slowly(&mut self) -> Result<(), ReadError> {
        self.length = loop {
            let bytes = self.window.bytes();
            let found = self.fields.split(bytes, self.dialect);
            if found.unwrap_or(bytes.len()) > self.max_record {
                return Err(self.refuse(RecordProblem::TooLong { limit: self.max_record }));
            }
            match found {
                Some(length) => break length,
                None if self.fill()? => {}
                // Every line ends, so that a record that the end of the file ends must have an open quote.
                None => return Err(self.refuse(RecordProblem::OpenQuote)),
            }
        };
        self.line_end = self.window.bytes()[self.length];
        let found = self.fields.places.len();
        let Some(expected) = self.n_fields else {
            self.n_fields = Some(found + usize::from(self.has_row_names));
            return Ok(());
        };
        match found == expected {
            true => Ok(()),
            // The header has no name for the first column.
            false if self.has_row_names && found + 1 == expected && self.is_header() => Ok(()),
            false if self.has_row_names => Err(self.refuse(RecordProblem::FieldsOfRow { expected, found })),
            false => Err(self.refuse(RecordProblem::Fields { expected, found })),
        }
    }

    fn fill(&mut self) -> Result<bool, ReadError> {
        self.window.fill(self.max_record).map_err(|error| ReadError::io(&self.file, error))
    }

    /// The error about a column that is not in the header, with the line further down that has its name.
    #[cold]
    pub(super) fn with_place_below(&mut self, mut error: ReadError) -> ReadError {
        if let ReadError::File { problem: FileProblem::MissingColumn { name, below, .. }, .. } = &mut error
            && self.counting.is_none_or(|counting| counting.unit.is_as_written())
        {
            *below = self.place_of(name);
        }
        error
    }

    /// The first of the next ten records that has a field with this text, however many fields they have, and
    /// whatever is between them.
    fn place_of(&mut self, name: &str) -> Option<Place> {
        const MOST: usize = 10;
        let header = self.place();
        for _ in 0..MOST {
            self.n_fields = None;
            if !self.advance(&mut []).ok()? {
                return None;
            }
            let record = &self.window.bytes()[..self.length];
            let line = String::from_utf8_lossy(record);
            let mut parts = line.split([',', ';', '\t', '|']).map(|part| part.trim().trim_matches('"'));
            if parts.any(|part| part == name) || texts(record, &self.fields).iter().any(|text| text == name) {
                return Some(self.place()).filter(|place| *place != header);
            }
        }
        None
    }

    /// Whether all fields that were expected to be numbers were stored as such.
    pub(super) fn has_all_numbers(&self) -> bool {
        self.fields.complete
    }

    /// Whether the field was stored as a number.
    pub(super) fn is_number(&self, position: usize) -> bool {
        matches!(self.fields.places.get(position), Some(Field::Number))
    }

    /// The bytes of a field of the record; none of one that was stored as a number.
    pub(super) fn bytes(&self, position: usize) -> &[u8] {
        match self.fields.places.get(position) {
            Some(Field::Raw(range)) => &self.window.bytes()[range.clone()],
            Some(Field::Copied(range)) => &self.fields.copied[range.clone()],
            Some(Field::Number) => &[],
            None => {
                let behind = position.checked_sub(self.fields.places.len());
                behind.and_then(|behind| self.constants.get(behind)).map_or(&[], |text| text.as_bytes())
            }
        }
    }

    /// The text of a field of the record. Messages call the column as given.
    pub(super) fn text(&self, position: usize, column: &str) -> Result<&str, ReadError> {
        let bytes = self.bytes(position);
        match std::str::from_utf8(bytes) {
            Ok(text) if self.trim => Ok(text.trim()),
            Ok(text) => Ok(text),
            Err(_) => Err(self.refuse_cell(column, &String::from_utf8_lossy(bytes), CellProblem::NotUtf8)),
        }
    }

    /// The line in which the record begins.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn refuse_cell(&self, column: &str, text: &str, problem: CellProblem) -> ReadError {
        ReadError::cell(&self.file_at_hand(), self.place(), column, text, problem)
    }

    fn refuse(&self, problem: RecordProblem) -> ReadError {
        ReadError::record(&self.file_at_hand(), self.place(), problem)
    }

    /// The file that the record is from.
    fn file_at_hand(&self) -> String {
        let file =
            self.files.as_ref().and_then(|files| files.get(usize::try_from(self.line).ok()?.checked_sub(1)?));
        file.map_or_else(|| self.file.clone(), |file| file.display().to_string())
    }

    /// Where the record begins.
    pub(super) fn place(&self) -> Place {
        self.counting.map_or(Place::Line(self.line), |counting| counting.place(self.line))
    }
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").field("file", &self.file).field("line", &self.line).finish_non_exhaustive()
    }
}
