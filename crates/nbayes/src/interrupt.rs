//! Ctrl-C: work ends at the next chunk of rows, so that temporary files are removed and nothing is half-written.

use std::{
    io::{self, Read},
    sync::atomic::{AtomicBool, Ordering},
};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Starts to listen. A second Ctrl-C ends the program at once.
pub(crate) fn watch() {
    let set = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    // Without a handler Ctrl-C ends the program, which is no worse than for most programs.
    drop(set);
}

/// Whether the user has asked to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// An error if the user has asked to stop.
pub(crate) fn check() -> io::Result<()> {
    // Not `ErrorKind::Interrupted`, at which readers of the standard library try again.
    if requested() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// A reader that ends with an error when the user asks to stop.
#[derive(Debug)]
pub(crate) struct Checked<R>(pub(crate) R);

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        check()?;
        let n_bytes = self.0.read(buffer)?;
        // The request may have come while this was waiting.
        check()?;
        Ok(n_bytes)
    }
}
