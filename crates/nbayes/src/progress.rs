//! Progress: a bar on a terminal, nothing elsewhere.

use std::{
    io::{self, Read},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{interrupt::Checked, output::visible};

/// A bar that shows how much of a file was read, how many rows there were, at which rate, and the time left.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for this many bytes; a counter of rows if that is not known. It is only drawn on a terminal.
    pub(crate) fn new(what: &str, n_bytes: Option<u64>, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let (bar, template) = match n_bytes {
            Some(n_bytes) => (
                ProgressBar::with_draw_target(Some(n_bytes), target),
                "{prefix} {wide_bar} {percent:>3} %  {msg}  {bytes_per_sec}  {eta} left",
            ),
            None => (ProgressBar::with_draw_target(None, target), "{prefix} {spinner}  {msg}  {elapsed}"),
        };
        // The templates are constants, and correct.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_prefix(visible(what).into_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// Says how many rows were read.
    pub(crate) fn rows(&self, n_rows: usize) {
        let seconds = self.bar.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 { n_rows as f64 / seconds } else { 0.0 };
        self.bar.set_message(format!("{n_rows} rows, {rate:.0}/s"));
    }

    /// A reader whose bytes are counted.
    pub(crate) fn of<R: Read>(&self, input: R) -> Counted<R> {
        Counted { input: Checked(input), bar: self.bar.clone() }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A reader whose bytes are counted.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    input: Checked<R>,
    bar: ProgressBar,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.input.read(buffer)?;
        self.bar.inc(n_bytes as u64);
        Ok(n_bytes)
    }
}
