//! Output: results on standard output, as text or JSON; notes on standard error.

mod bars;
mod numbers;
mod replacement;
mod rows;
mod table;

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

pub(crate) use bars::bar;
pub(crate) use numbers::{exact, short};
pub(crate) use replacement::Replacement;
pub(crate) use rows::{Cell, ColumnType, RowWriter};
pub(crate) use table::Table;

/// Where results and notes go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    json: bool,
    quiet: bool,
}

impl Screen {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// Whether only results and errors are wanted.
    pub(crate) fn quiet(self) -> bool {
        self.quiet
    }

    /// Whether results are wanted as JSON.
    pub(crate) fn json(self) -> bool {
        self.json
    }

    /// Writes a result: as JSON, or as the text that `text` makes.
    pub(crate) fn show(self, result: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        let text = if self.json { serde_json::to_string_pretty(result)? } else { text() };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", text.trim_end())?;
        out.flush()?;
        Ok(())
    }

    /// Says something that is not a result.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            // If even standard error is closed, nobody wants to know.
            drop(writeln!(std::io::stderr(), "{text}"));
        }
    }
}
