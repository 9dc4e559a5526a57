//! Lines of bounded length.

use std::io::{BufRead, Read};

use crate::read::{Place, ReadError, RecordProblem};

/// Reads the next line with its end into `bytes`, of which nothing is kept, and counts it; whether there was
/// one.
///
/// # Errors
/// [`ReadError`] if the stream cannot be read, or the line has more than `limit` bytes.
pub(in crate::read) fn read_line(
    input: &mut impl BufRead,
    bytes: &mut Vec<u8>,
    n_lines: &mut u64,
    limit: usize,
    file: &str,
) -> Result<bool, ReadError> {
    bytes.clear();
    let read = input.by_ref().take((limit as u64).saturating_add(1)).read_until(b'\n', bytes);
    let n_bytes = read.map_err(|error| ReadError::io(file, error))?;
    *n_lines += u64::from(n_bytes > 0);
    if bytes.len() > limit {
        return Err(ReadError::record(file, Place::Line(*n_lines), RecordProblem::TooLong { limit }));
    }
    Ok(n_bytes > 0)
}

/// Skips the rest of a line that [`read_line`] has read in part because it is too long.
///
/// # Errors
/// [`ReadError`] if the stream cannot be read.
pub(in crate::read) fn leave_line(
    input: &mut impl BufRead,
    bytes: &[u8],
    file: &str,
) -> Result<(), ReadError> {
    if !bytes.ends_with(b"\n") {
        input.skip_until(b'\n').map_err(|error| ReadError::io(file, error))?;
    }
    Ok(())
}
