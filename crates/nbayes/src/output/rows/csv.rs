//! Rows as delimited text, quoted as in RFC 4180; numbers with as many digits as it takes to read them back.

use anyhow::Result;

use super::{Cell, ColumnType, Output, WriteRows};
use crate::output::push_exact;

pub(super) struct Csv {
    output: Box<dyn Output>,
    delimiter: char,
    /// The names of the columns, until they are written: with the first rows, so that nothing is written if
    /// there are none because of an error.
    header: Option<Vec<Cell>>,
}

impl Csv {
    pub(super) fn new(output: Box<dyn Output>, delimiter: char, columns: &[(String, ColumnType)]) -> Self {
        let header = columns.iter().map(|(name, _)| Cell::Text(name.clone())).collect();
        Self { output, delimiter, header: Some(header) }
    }

    /// Writes a cell behind a line.
    fn push(&self, line: &mut String, cell: &Cell) {
        match cell {
            Cell::Missing => {}
            Cell::Number(value) => push_exact(line, *value),
            Cell::Text(text) if text.contains([self.delimiter, '"', '\n', '\r']) => {
                line.push('"');
                line.push_str(&text.replace('"', "\"\""));
                line.push('"');
            }
            Cell::Text(text) => line.push_str(text),
        }
    }
}

impl WriteRows for Csv {
    fn write(&mut self, rows: &[Vec<Cell>]) -> Result<()> {
        let header = self.header.take();
        let mut line = String::new();
        for row in header.iter().chain(rows) {
            line.clear();
            for (place, cell) in row.iter().enumerate() {
                if place > 0 {
                    line.push(self.delimiter);
                }
                self.push(&mut line, cell);
            }
            // A blank line would be no row.
            if line.is_empty() {
                line.push_str("\"\"");
            }
            line.push('\n');
            self.output.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.write(&[])?;
        self.output.finish()
    }
}
