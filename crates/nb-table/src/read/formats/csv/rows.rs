//! Rows as they are written.

use std::io::Read;

use super::{Csv, Records, sniff::named_delimiter};
use crate::read::{
    Encoding, FileProblem, ReadError,
    file::source::{Source, peek},
};

impl Csv {
    /// The rows of a stream as their bytes are, to be copied to other files. Messages call it `name`.
    ///
    /// ```
    /// use nb_table::read::Csv;
    ///
    /// let text = "length,species\r\n\"1.5\",a\r\n2.5,b\r\n";
    /// let mut rows = Csv::default().rows_from(text.as_bytes(), "flowers.csv")?;
    /// assert_eq!(rows.head(), b"length,species\r\n");
    /// assert_eq!(rows.next_row()?.unwrap().bytes, b"\"1.5\",a\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read, is empty or is no text.
    pub fn rows_from<'a>(&self, input: impl Read + Send + 'a, name: &str) -> Result<CsvRows<'a>, ReadError> {
        let mut source = Source::text_in(input, name, self.encoding)?;
        let io = |error| ReadError::io(name, error);
        let has_mark = source.has_mark && source.encoding.is_utf8();
        let mut head = if has_mark { "\u{FEFF}".as_bytes().to_vec() } else { Vec::new() };
        let mut n_skipped = 0;
        while n_skipped < self.skip_lines && line(&mut source.input, &mut head).map_err(io)? {
            n_skipped += 1;
        }
        let (start, input) = peek(source.input, "sep=;\r\n".len()).map_err(io)?;
        head.extend_from_slice(&start[..named_delimiter(&start).map_or(0, |(_, length)| length)]);
        let mut records = Records::new(
            Source { input: Box::new(input), ..source },
            &Self { skip_lines: 0, ..self.clone() },
        );
        records.keep(n_skipped);
        let mut is_row = records.advance(&mut [])?;
        if !is_row {
            return Err(ReadError::of_file(name, FileProblem::Empty));
        }
        records.take_kept(&mut head);
        if self.header {
            records.expect_no_names();
            records.skip_types()?;
            is_row = records.advance(&mut [])?;
            records.take_kept(&mut head);
        }
        if !is_row && records.has_added_end() {
            head.pop();
        }
        let line_end: &[u8] = if head.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
        Ok(CsvRows { records, head, line_end, row: Vec::new(), is_row })
    }
}

/// Reads to the end of a line; whether there was anything.
fn line(input: &mut impl Read, line: &mut Vec<u8>) -> std::io::Result<bool> {
    let before = line.len();
    while input.take(1).read_to_end(line)? > 0 && !line.ends_with(b"\n") {}
    Ok(line.len() > before)
}

/// The rows of delimited text as their bytes are; [`Csv::rows_from`] has an example.
///
/// Text of other encodings is UTF-8 here. Head and rows, one after the other, are all bytes of the text, but
/// that a line feed, or a carriage return and a line feed as in the head, is added where the last row has
/// none.
#[derive(Debug)]
pub struct CsvRows<'a> {
    records: Records<'a>,
    head: Vec<u8>,
    line_end: &'static [u8],
    /// The row that was handed out last.
    row: Vec<u8>,
    /// Whether there is another row.
    is_row: bool,
}

/// A row of delimited text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvRow<'a> {
    /// All bytes up to the next row: with the line end, and with blank lines and comments that follow it.
    pub bytes: &'a [u8],
    /// The fields, with what is between them, without the line end.
    pub record: &'a [u8],
}

impl CsvRows<'_> {
    /// What is before the rows: a byte order mark, skipped lines, comments, and the line with the names of
    /// the columns, if there is one.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The encoding from which the text was decoded.
    pub fn encoding(&self) -> Encoding {
        self.records.format.encoding
    }

    /// The next row; `None` after the last.
    ///
    /// # Errors
    /// [`ReadError`] if the stream cannot be read, or if a row is longer than it may be, has a quote that is
    /// not closed, or does not have as many fields as the first.
    pub fn next_row(&mut self) -> Result<Option<CsvRow<'_>>, ReadError> {
        if !self.is_row {
            return Ok(None);
        }
        self.row.clear();
        let length = self.records.length();
        self.is_row = self.records.advance(&mut [])?;
        self.records.take_kept(&mut self.row);
        if !self.is_row && self.records.has_added_end() {
            self.row.pop();
            self.row.extend_from_slice(self.line_end);
        }
        Ok(Some(CsvRow { bytes: &self.row, record: &self.row[..length] }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head and the rows.
    fn parts(csv: &Csv, text: &[u8]) -> (String, Vec<(String, String)>) {
        let mut rows = csv.rows_from(text, "t.csv").unwrap();
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let head = string(rows.head());
        let mut all = Vec::new();
        while let Some(row) = rows.next_row().unwrap() {
            all.push((string(row.bytes), string(row.record)));
        }
        (head, all)
    }

    #[test]
    fn all_bytes_are_in_head_and_rows() {
        let plain = Csv::default();
        let comments = plain.clone().with_comment(Some(b'#')).with_skip_lines(1);
        for (csv, text) in [
            (&plain, "x,y\n1,a\n2,b\n"),
            (&plain, "x,y\r\n1,\"a\"\"\r\nb\"\r\n\r\n2,b\r\n"),
            (&plain, "\u{FEFF}sep=;\r\nx;y\r\n 1 ;a\r\n"),
            (&plain, "\n\nx,y\n1,a\n"),
            (&plain, "x,y"),
            (&comments, "a title\n# of it\nx,y\n# one\n1,a\n# two\n2,b\n"),
            (&plain.clone().with_header(false), "1,a\n2,b\n"),
        ] {
            let (head, rows) = parts(csv, text.as_bytes());
            let all: String = rows.iter().map(|(bytes, _)| bytes.as_str()).collect();
            assert_eq!(head + &all, text);
        }
        let (head, rows) = parts(&comments, b"a title\n# of it\nx,y\n# one\n1,a\n# two\n2,b\n");
        assert_eq!(head, "a title\n# of it\nx,y\n# one\n");
        assert_eq!(rows[0], ("1,a\n# two\n".into(), "1,a".into()));
        let (head, rows) = parts(&plain.clone().with_header(false), b"1,a\n2,b\n");
        assert_eq!((head.as_str(), rows.len()), ("", 2));
    }

    #[test]
    fn the_last_row_gets_the_line_end_of_the_others() {
        assert_eq!(parts(&Csv::default(), b"x,y\r\n1,a\r\n2,b").1[1].0, "2,b\r\n");
        assert_eq!(parts(&Csv::default(), b"x,y\n1,a\n2,b").1[1], ("2,b\n".into(), "2,b".into()));
    }

    #[test]
    fn other_encodings_become_utf_8() {
        let (head, rows) = parts(&Csv::default(), b"x,y\n1,caf\xE9 noir et blanc\n");
        assert_eq!((head.as_str(), rows[0].1.as_str()), ("x,y\n", "1,caf\u{e9} noir et blanc"));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let csv = Csv::default().with_skip_lines(1);
        let mut rows = csv.rows_from(&b"title\nx,y\n1,a\n2\n"[..], "t.csv").unwrap();
        // The row before is whole when it is seen that the next one is not.
        let error = rows.next_row().unwrap_err().to_string();
        assert!(error.contains("line 4"), "{error}");
        assert!(csv.rows_from(&b""[..], "t.csv").is_err());
    }
}
