//! Results and notes.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::{Context, Result};
use serde::Serialize;

use super::{
    color::{self, Role},
    destination::stdout_is_taken,
    visible::{visible, visible_lines},
};

/// How many rows could not be read and were left out by this run of the program, which every result as JSON
/// says.
static SKIPPED_ROWS: AtomicU64 = AtomicU64::new(0);

/// Where results and notes go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    json: bool,
    quiet: bool,
    /// Whether what is read is read again for a result, so that nothing is counted or said.
    silent: bool,
}

/// A result, and how many rows were left out on the way to it.
#[derive(Serialize)]
struct WithSkipped<'a, T> {
    #[serde(flatten)]
    result: &'a T,
    skipped_rows: u64,
}

impl Screen {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet, silent: false }
    }

    /// Whether only results and errors are wanted.
    pub(crate) fn quiet(self) -> bool {
        self.quiet
    }

    /// The same without notes, for rows that are read again.
    pub(crate) fn silent(self) -> Self {
        Self { quiet: true, silent: true, ..self }
    }

    /// Says that rows could not be read and were left out.
    pub(crate) fn note_skipped(self, n_rows: u64, text: &str) {
        SKIPPED_ROWS.fetch_add(n_rows, Ordering::Relaxed);
        self.note(text);
    }

    /// Whether what is read is read again, so that it is not to be counted.
    pub(crate) fn is_silent(self) -> bool {
        self.silent
    }

    /// Whether results are wanted as JSON.
    pub(crate) fn json(self) -> bool {
        self.json
    }

    /// Writes a result: as JSON, or as the text that `text` makes.
    pub(crate) fn show(self, result: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        if self.json {
            let json = match SKIPPED_ROWS.load(Ordering::Relaxed) {
                0 => serde_json::to_string_pretty(result)?,
                skipped_rows => serde_json::to_string_pretty(&WithSkipped { result, skipped_rows })?,
            };
            return print(&format!("{json}\n"));
        }
        let text = format!("{}\n", visible_lines(&text()).trim_end());
        if stdout_is_taken() {
            return color::write(io::stderr().lock(), Role::Result, &text)
                .context("cannot write standard error");
        }
        color::write(io::stdout().lock(), Role::Result, &text).context("cannot write standard output")
    }

    /// Says what was written to a file, unless only results are wanted: the file is the result.
    pub(crate) fn report(self, result: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        if self.quiet && !self.json { Ok(()) } else { self.show(result, text) }
    }

    /// Writes a text for other programs, exactly.
    pub(crate) fn print(self, text: &str) -> Result<()> {
        if self.json { self.show(&text, String::new) } else { print(text) }
    }

    /// Says something that is not a result.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            let text = if self.json { text.into() } else { visible(text) };
            say(self.json, "note", &text);
        }
    }
}

/// Writes to standard output, or to standard error if an output file is standard output.
fn print(text: &str) -> Result<()> {
    let write = |out: &mut dyn Write| out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if stdout_is_taken() {
        return write(&mut io::stderr().lock()).context("cannot write standard error");
    }
    write(&mut io::stdout().lock()).context("cannot write standard output")
}

/// Says something on standard error, as a line or as an object of JSON.
pub(crate) fn say(json: bool, kind: &str, text: &str) {
    // If even standard error is closed, nobody wants to know.
    if json {
        drop(writeln!(io::stderr(), "{}", serde_json::json!({ (kind): text })));
    } else {
        let role = if kind == "error" { Role::Error } else { Role::Note };
        drop(color::write(io::stderr().lock(), role, &format!("{}\n", visible_lines(text))));
    }
}
