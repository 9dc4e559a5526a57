//! Rows as delimited text, quoted as in RFC 4180; numbers with as many digits as it takes to read them back.

use anyhow::Result;

use super::{Cell, ColumnType, Output, WriteRows};
use crate::output::exact;

pub(super) struct Csv {
    output: Box<dyn Output>,
    delimiter: char,
    /// The names of the columns, until they are written: with the first rows, so that nothing is written if there are
    /// none because of an error.
    header: Option<Vec<Cell>>,
}

impl Csv {
    pub(super) fn new(output: Box<dyn Output>, delimiter: char, columns: &[(String, ColumnType)]) -> Self {
        let header = columns.iter().map(|(name, _)| Cell::Text(name.clone())).collect();
        Self { output, delimiter, header: Some(header) }
    }

    fn field(&self, cell: &Cell) -> String {
        match cell {
            Cell::Missing => String::new(),
            Cell::Number(value) => exact(*value),
            Cell::Text(text) if text.contains([self.delimiter, '"', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Cell::Text(text) => text.clone(),
        }
    }
}

impl WriteRows for Csv {
    fn write(&mut self, rows: &[Vec<Cell>]) -> Result<()> {
        let mut separator = [0; 4];
        let separator: &str = self.delimiter.encode_utf8(&mut separator);
        let header = self.header.take();
        for row in header.iter().chain(rows) {
            let mut line = row.iter().map(|cell| self.field(cell)).collect::<Vec<_>>().join(separator);
            // A blank line would be no row.
            if line.is_empty() {
                line.push_str("\"\"");
            }
            writeln!(self.output, "{line}")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.write(&[])?;
        self.output.finish()
    }
}
