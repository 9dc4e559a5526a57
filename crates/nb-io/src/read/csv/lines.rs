//! The bytes of a text, handed out a line at a time.
//!
//! The CSV parser asks for more bytes only when it has used up those it has. As it gets no more than a line, the lines
//! handed out when a record is complete are the lines up to the end of that record, whatever quotes and line ends it
//! has.

use std::io::{self, BufRead, BufReader, Read};

/// See the module.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// The lines handed out so far.
    pub(super) handed_out: u64,
    /// How many bytes may be handed out until [`allow`](Self::allow) is called again.
    left: usize,
    /// Whether that was too little.
    pub(super) too_long: bool,
    /// Whether the end was reached.
    pub(super) ended: bool,
    in_line: bool,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        let input = BufReader::with_capacity(64 * 1024, input);
        Self { input, handed_out: 0, left: 0, too_long: false, ended: false, in_line: false }
    }

    /// Lets so many bytes pass, which bounds the memory of a record.
    pub(super) fn allow(&mut self, n_bytes: usize) {
        self.left = n_bytes;
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let available = loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        if available.is_empty() {
            if !self.in_line {
                self.ended = true;
                return Ok(0);
            }
            // Every line ends, so that a record that the end of the file ends must have an open quote.
            self.in_line = false;
            self.handed_out += 1;
            out[0] = b'\n';
            return Ok(1);
        }
        let most = available.len().min(out.len());
        let n_bytes = available[..most].iter().position(|&byte| byte == b'\n').map_or(most, |end| end + 1);
        if n_bytes > self.left {
            self.too_long = true;
            return Err(io::Error::other("the record is too long"));
        }
        self.left -= n_bytes;
        out[..n_bytes].copy_from_slice(&available[..n_bytes]);
        self.in_line = available[n_bytes - 1] != b'\n';
        self.handed_out += u64::from(!self.in_line);
        self.input.consume(n_bytes);
        Ok(n_bytes)
    }
}
