//! The bytes of a text, a window at a time.

use std::io::{self, Read};

/// How many bytes are asked for at once: few calls, and yet they stay in the cache until they are parsed.
const SIZE: usize = 1 << 18;
/// How many bytes may be looked at behind the last.
pub(super) const PADDING: usize = 32;

/// The part of the input that is in memory: from the record at hand to what was read last.
pub(super) struct Window<R> {
    input: R,
    /// The window is `start..end`; behind it are at least `PADDING` bytes that mean nothing.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Whether the line end of the last line is not in the input.
    has_added_end: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, bytes: vec![0; SIZE + PADDING], start: 0, end: 0, ended: false, has_added_end: false }
    }

    /// The bytes in the window.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The bytes in the window, and some that mean nothing.
    pub(super) fn padded(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Whether the last line ends in memory only, now that all of the input was read.
    pub(super) fn has_added_end(&self) -> bool {
        self.has_added_end
    }

    /// Leaves bytes behind.
    pub(super) fn consume(&mut self, n_bytes: usize) {
        self.start += n_bytes;
    }

    /// Reads on, so that the window has twice as many bytes, or one more than `limit`: to look at all of them
    /// again is then no more work than having looked at them. Whether there were any; the last line ends
    /// with a line feed, also if the input does not.
    pub(super) fn fill(&mut self, limit: usize) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        let before = self.end;
        let enough = (2 * before).min(limit.saturating_add(1)).max(before + 1);
        if self.bytes.len() < enough + PADDING {
            self.bytes.resize(enough + PADDING, 0);
        }
        let most = self.bytes.len() - PADDING;
        while self.end < enough && !self.ended {
            match self.input.read(&mut self.bytes[self.end..most]) {
                Ok(0) => self.end_line(),
                Ok(n_bytes) => self.end += n_bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.end > before)
    }

    fn end_line(&mut self) {
        self.ended = true;
        if !self.bytes().is_empty() && !self.bytes().ends_with(b"\n") {
            self.bytes[self.end] = b'\n';
            self.end += 1;
            self.has_added_end = true;
        }
    }
}
