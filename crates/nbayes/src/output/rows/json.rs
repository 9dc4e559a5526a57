//! Rows as JSON objects, one a line. JSON has no infinity: it is written as a text.

use anyhow::Result;
use serde::Serializer;
use serde_json::Value;

use super::{Cell, ColumnType, Output, WriteRows};

pub(super) struct JsonLines {
    output: Box<dyn Output>,
    names: Vec<String>,
}

impl JsonLines {
    pub(super) fn new(output: Box<dyn Output>, columns: &[(String, ColumnType)]) -> Self {
        Self { output, names: columns.iter().map(|(name, _)| name.clone()).collect() }
    }
}

impl WriteRows for JsonLines {
    fn write(&mut self, rows: &[Vec<Cell>]) -> Result<()> {
        for row in rows {
            let cells = self.names.iter().zip(row).map(|(name, cell)| {
                let value = match cell {
                    Cell::Missing => Value::Null,
                    Cell::Text(text) => Value::String(text.clone()),
                    Cell::Number(number) if number.is_finite() => Value::from(*number),
                    Cell::Number(number) => Value::String(number.to_string()),
                };
                (name, value)
            });
            // Into memory first: an error of the stream is one of the system then, such as that nobody reads.
            let mut line = Vec::new();
            serde_json::Serializer::new(&mut line).collect_map(cells)?;
            line.push(b'\n');
            self.output.write_all(&line)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.output.finish()
    }
}
