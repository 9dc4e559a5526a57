//! Tables of other formats as delimited text, so that columns are found, learnt and refused in one place.

use std::io::{self, Read};

use crate::read::{Place, ReadError};

/// How rows are counted in messages about a file that was converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Unit {
    Line,
    Record,
    #[cfg(feature = "excel")]
    Row,
    #[cfg(feature = "mail")]
    Document,
}

impl Unit {
    /// Whether the rows have cells only, as they are written, so that one of them may have the names of the
    /// columns.
    pub(in crate::read) fn is_as_written(self) -> bool {
        match self {
            Self::Line | Self::Record => false,
            #[cfg(feature = "excel")]
            Self::Row => true,
            #[cfg(feature = "mail")]
            Self::Document => false,
        }
    }
}

/// Where the rows of a converted text are in its file: one line of the text is one line, record or row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) struct Counting {
    pub(in crate::read) unit: Unit,
    /// Where the header is.
    pub(in crate::read) header: u64,
}

impl Counting {
    pub(in crate::read) fn place(self, line: u64) -> Place {
        match self.unit {
            Unit::Line => Place::Line(line),
            Unit::Record => Place::Record(line),
            #[cfg(feature = "excel")]
            Unit::Row => Place::SheetRow(line),
            #[cfg(feature = "mail")]
            Unit::Document => Place::Document(line),
        }
    }
}

/// Appends rows to a text with commas.
#[derive(Debug, Default)]
pub(in crate::read) struct RowText {
    pub(in crate::read) bytes: Vec<u8>,
    n_cells: usize,
}

impl RowText {
    /// Appends a cell; nothing is a missing one.
    pub(in crate::read) fn cell(&mut self, text: &str) {
        if self.n_cells > 0 {
            self.bytes.push(b',');
        }
        self.n_cells += 1;
        if text.bytes().any(|byte| b",\"\n\r".contains(&byte)) {
            self.quoted(text);
        } else {
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }

    /// Appends names of columns.
    pub(in crate::read) fn header<T: AsRef<str>>(&mut self, names: impl IntoIterator<Item = T>) {
        for name in names {
            if self.n_cells > 0 {
                self.bytes.push(b',');
            }
            self.n_cells += 1;
            self.quoted(name.as_ref());
        }
        self.end_row();
    }

    fn quoted(&mut self, text: &str) {
        self.bytes.push(b'"');
        for part in text.split_inclusive('"') {
            self.bytes.extend_from_slice(part.as_bytes());
            if part.ends_with('"') {
                self.bytes.push(b'"');
            }
        }
        self.bytes.push(b'"');
    }

    pub(in crate::read) fn end_row(&mut self) {
        // An empty line would be skipped.
        if self.n_cells == 1 && matches!(self.bytes.last(), None | Some(b'\n')) {
            self.bytes.extend_from_slice(b"\"\"");
        }
        self.end_line();
    }

    /// Ends a line that has no row.
    pub(in crate::read) fn end_line(&mut self) {
        self.bytes.push(b'\n');
        self.n_cells = 0;
    }
}

/// What makes the rows of a text, one after the other.
pub(in crate::read) trait Convert {
    /// Appends a line to the text; whether there was one.
    fn line(&mut self, text: &mut RowText) -> Result<bool, ReadError>;
}

/// A text that is made as it is read.
#[derive(Debug)]
pub(in crate::read) struct Converted<C> {
    converter: C,
    text: RowText,
    n_read: usize,
}

impl<C: Convert> Converted<C> {
    /// The text with this header.
    pub(in crate::read) fn new<T: AsRef<str>>(header: impl IntoIterator<Item = T>, converter: C) -> Self {
        let mut text = RowText::default();
        text.header(header);
        Self { converter, text, n_read: 0 }
    }
}

impl<C: Convert> Read for Converted<C> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        /// How many bytes are made at once.
        const ENOUGH: usize = 1 << 15;
        if self.n_read == self.text.bytes.len() {
            self.text.bytes.clear();
            self.n_read = 0;
            while self.text.bytes.len() < ENOUGH
                && self.converter.line(&mut self.text).map_err(io::Error::other)?
            {}
        }
        let n_bytes = (&self.text.bytes[self.n_read..]).read(bytes)?;
        self.n_read += n_bytes;
        Ok(n_bytes)
    }
}
