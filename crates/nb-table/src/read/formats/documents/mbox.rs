//! The mails of a stream: those of an mbox, or a single one.

use std::io::{BufReader, Read};

use crate::read::{
    Place, ReadError, RecordProblem,
    file::line::{leave_line, read_line},
};

/// The mails of a stream, one at a time.
///
/// In an mbox each begins with a line `From ...`, at the start or behind a blank line, and `>From ` in its
/// lines is `From ` (mboxrd and mboxo). Another stream is a single mail.
pub(super) struct Mails<'a> {
    pub(super) file: String,
    input: BufReader<Box<dyn Read + Send + 'a>>,
    max_bytes: usize,
    is_mbox: bool,
    line: Vec<u8>,
    n_lines: u64,
    /// The line in which the next mail begins, if it was read already.
    next: Option<u64>,
    /// The line in which the mail at hand begins.
    pub(super) start: u64,
    /// The mail at hand.
    pub(super) mail: Vec<u8>,
}

impl<'a> Mails<'a> {
    pub(super) fn new(file: String, input: Box<dyn Read + Send + 'a>, max_bytes: usize) -> Self {
        let input = BufReader::with_capacity(1 << 16, input);
        let (line, mail) = (Vec::new(), Vec::new());
        Self { file, input, max_bytes, is_mbox: false, line, n_lines: 0, next: None, start: 0, mail }
    }

    /// Goes to the next mail; whether there is one. After an error about a mail that is too long, it is at
    /// the end of it.
    pub(super) fn advance(&mut self) -> Result<bool, ReadError> {
        self.mail.clear();
        let mut start = self.next.take();
        let (mut after_blank, mut is_too_long) = (false, false);
        loop {
            let read =
                read_line(&mut self.input, &mut self.line, &mut self.n_lines, self.max_bytes, &self.file);
            match read {
                Ok(true) => {}
                Ok(false) => break,
                Err(ReadError::Record { .. }) => {
                    leave_line(&mut self.input, &self.line, &self.file)?;
                    is_too_long = true;
                }
                Err(error) => return Err(error),
            }
            let is_from = self.line.starts_with(b"From ");
            if is_from && self.is_mbox && after_blank {
                self.next = Some(self.n_lines);
                break;
            }
            after_blank = self.line.trim_ascii().is_empty();
            if start.is_none() && !after_blank {
                start = Some(self.n_lines);
                self.is_mbox = is_from;
                if is_from {
                    continue;
                }
            }
            is_too_long |= self.mail.len() + self.line.len() > self.max_bytes;
            if !is_too_long {
                let line = if self.is_mbox { unquoted(&self.line) } else { &self.line };
                self.mail.extend_from_slice(line);
            }
        }
        self.start = start.unwrap_or_default();
        if is_too_long {
            let problem = RecordProblem::TooLong { limit: self.max_bytes };
            return Err(ReadError::record(&self.file, Place::Line(self.start), problem));
        }
        Ok(start.is_some())
    }
}

/// A line as it was before it was put into an mbox.
fn unquoted(line: &[u8]) -> &[u8] {
    let n_quotes = line.iter().take_while(|&&byte| byte == b'>').count();
    if n_quotes > 0 && line[n_quotes..].starts_with(b"From ") { &line[1..] } else { line }
}
