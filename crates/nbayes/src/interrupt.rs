//! Signals that end the program (Ctrl-C, SIGTERM, SIGHUP): work ends at the next chunk of rows, so that
//! temporary files are removed and nothing is half-written.

use std::{
    io::{self, Read},
    sync::atomic::{AtomicI32, Ordering},
};

/// The number of the signal; 0 while there was none.
static REQUESTED: AtomicI32 = AtomicI32::new(0);

/// Starts to listen. A second signal ends the program at once; if it waits for something else and does not
/// notice the first, so do a few seconds.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    let wanted = [SIGINT, SIGTERM, SIGHUP];
    // What was started by `nohup` goes on without a terminal.
    let wanted = wanted.into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    // Without a handler the signals end the program, which is no worse than for most programs.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if REQUESTED.swap(signal, Ordering::Relaxed) != 0 {
                end(signal);
            }
            std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_secs(5));
                end(signal);
            });
        }
    });
}

/// Starts to listen to Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn watch() {
    use std::sync::{Arc, atomic::AtomicUsize};

    use signal_hook::consts::SIGINT;

    let signal = Arc::new(AtomicUsize::new(0));
    if signal_hook::flag::register_usize(SIGINT, Arc::clone(&signal), SIGINT as usize).is_err() {
        return;
    }
    std::thread::spawn(move || {
        while signal.load(Ordering::Relaxed) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        REQUESTED.store(SIGINT, Ordering::Relaxed);
    });
}

/// Whether a signal was ignored before the program listened, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Ends the program at once.
#[cfg(unix)]
fn end(signal: i32) -> ! {
    crate::output::remove_temporary_files();
    std::process::exit(status(signal))
}

/// The exit status after a signal.
fn status(signal: i32) -> i32 {
    128 + signal
}

/// Whether a signal has asked to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed) != 0
}

/// The exit status of a program that was asked to stop.
pub(crate) fn exit_status() -> u8 {
    status(REQUESTED.load(Ordering::Relaxed)) as u8
}

/// An error if a signal has asked to stop.
pub(crate) fn check() -> io::Result<()> {
    // Not `ErrorKind::Interrupted`, at which readers of the standard library try again.
    if requested() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// A reader that ends with an error when a signal asks to stop.
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
