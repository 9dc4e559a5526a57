//! Splitting a record into fields.

use std::ops::Range;

/// The bytes that mean something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
}

/// Where a field is.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// It was a number, which went elsewhere.
    Number,
    /// In the bytes of the record.
    Raw(Range<usize>),
    /// In [`Fields::copied`], because not all bytes between its ends are part of it.
    Copied(Range<usize>),
}

/// The fields of a record.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) places: Vec<Field>,
    pub(super) copied: Vec<u8>,
    /// Whether a field was quoted, so that there may be line feeds in it.
    pub(super) quoted: bool,
    /// Whether something follows a closing quote, so that the quotes may be others than those that were
    /// meant.
    pub(super) odd_quotes: bool,
    /// Whether every field that was expected to be a number is one.
    pub(super) complete: bool,
}

impl Fields {
    /// Begins a record of this many fields, all of them numbers until they are set to something else. A field
    /// that is always something else is set in every record.
    pub(super) fn start_plain(&mut self, n_fields: usize) {
        if !self.complete {
            self.places.clear();
            self.places.resize(n_fields, Field::Number);
            self.copied.clear();
            (self.quoted, self.odd_quotes, self.complete) = (false, false, true);
        }
    }

    /// Splits the record at the front of `bytes`; how long it is without its line end, or `None` if it goes
    /// on behind them. There must not be a line end at the very front.
    ///
    /// A quote that begins a field ends it, too, unless it is doubled; quotes elsewhere are text, and so is
    /// what stands between a closing quote and the next delimiter.
    pub(super) fn split(&mut self, bytes: &[u8], dialect: Dialect) -> Option<usize> {
        self.places.clear();
        self.copied.clear();
        (self.quoted, self.odd_quotes, self.complete) = (false, false, false);
        let mut start = 0;
        loop {
            let (field, end) = match dialect.quote {
                Some(quote) if *bytes.get(start)? == quote => {
                    self.quoted(bytes, start + 1, quote, dialect)?
                }
                _ => {
                    let end = end_of_field(bytes, start, dialect.delimiter)?;
                    (Field::Raw(start..end), end)
                }
            };
            self.places.push(field);
            if bytes[end] != dialect.delimiter {
                return Some(end);
            }
            start = end + 1;
        }
    }

    /// The field that begins behind an opening quote, and the position of the delimiter or line end behind
    /// it.
    fn quoted(
        &mut self,
        bytes: &[u8],
        mut start: usize,
        quote: u8,
        dialect: Dialect,
    ) -> Option<(Field, usize)> {
        self.quoted = true;
        let is_end = |byte: u8| byte == dialect.delimiter || byte == b'\n' || byte == b'\r';
        let mut close = start + bytes[start..].iter().position(|&byte| byte == quote)?;
        let mut next = *bytes.get(close + 1)?;
        if next != quote && is_end(next) {
            return Some((Field::Raw(start..close), close + 1));
        }
        let first = self.copied.len();
        while next == quote {
            // One of the two quotes is part of the field.
            self.copied.extend_from_slice(&bytes[start..=close]);
            start = close + 2;
            close = start + bytes[start..].iter().position(|&byte| byte == quote)?;
            next = *bytes.get(close + 1)?;
        }
        self.copied.extend_from_slice(&bytes[start..close]);
        let end = end_of_field(bytes, close + 1, dialect.delimiter)?;
        self.odd_quotes |= end > close + 1;
        self.copied.extend_from_slice(&bytes[close + 1..end]);
        Some((Field::Copied(first..self.copied.len()), end))
    }
}

/// The position of the first delimiter or line end from `start` on.
///
/// Eight bytes at a time: fields are short, so that calling a vectorised search costs more than it gains.
#[inline]
pub(super) fn end_of_field(bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    // The lowest bit is at the first byte that is `byte`.
    let at = |word: u64, byte: u8| {
        let differences = word ^ (ONES * u64::from(byte));
        differences.wrapping_sub(ONES) & !differences & HIGHS
    };
    let mut position = start;
    while let Some(&eight) = bytes.get(position..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(eight);
        let found = at(word, delimiter) | at(word, b'\n') | at(word, b'\r');
        if found != 0 {
            return Some(position + found.trailing_zeros() as usize / 8);
        }
        position += 8;
    }
    let is_end = |&byte: &u8| byte == delimiter || byte == b'\n' || byte == b'\r';
    bytes.get(position..)?.iter().position(is_end).map(|place| position + place)
}
