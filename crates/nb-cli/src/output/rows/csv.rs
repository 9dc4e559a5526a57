//! Rows as delimited text, quoted as in RFC 4180; numbers with as many digits as it takes to read them back.

use anyhow::Result;

use super::{Cell, ColumnType, Output, WriteRows};
use crate::output::exact;

pub(super) struct Csv {
    output: Box<dyn Output>,
    delimiter: char,
}

impl Csv {
    pub(super) fn new(
        output: Box<dyn Output>,
        delimiter: char,
        columns: &[(String, ColumnType)],
    ) -> Result<Self> {
        let mut csv = Self { output, delimiter };
        let heads: Vec<Cell> = columns.iter().map(|(name, _)| Cell::Text(name.clone())).collect();
        csv.write(&[heads])?;
        Ok(csv)
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
        for row in rows {
            let mut line = row.iter().map(|cell| self.field(cell)).collect::<Vec<_>>().join(separator);
            // A blank line would be no row.
            if line.is_empty() {
                line.push_str("\"\"");
            }
            writeln!(self.output, "{line}")?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.output.finish()
    }
}
