//! Records without quotes, split and read as numbers in one go.
//!
//! Most files are numbers between delimiters. Where a cell is expected to be one, its end is found and its
//! number read in the same few operations ([`decimal`](crate::read::cells::decimal)); everything else is a
//! field to be looked at later. What is not plain is left to [`Fields::split`], which begins again, so that
//! nothing is refused here and every message comes from one place. A file of numbers with six decimals is
//! read five times as fast as by splitting it, checking its encoding and parsing cell by cell: at 1.1 GB/s on
//! one core instead of 0.2.

use super::fields::{Dialect, Field, Fields, end_of_field};
use crate::read::cells::{decimal::read_cells, number::count};

/// What is expected of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A text.
    Text,
    /// A number, to be stored at this position of the row.
    Number(usize),
    /// A count, to be stored at this position of the row.
    Count(usize),
}

/// What is expected of the fields of a record.
#[derive(Debug, Default)]
pub(super) struct Expected {
    slots: Vec<Slot>,
    /// For each field how many numbers follow each other from there on, in the row as well, up to the last
    /// field but one.
    runs: Vec<usize>,
}

impl Expected {
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        let mut runs = vec![1; slots.len()];
        for place in (1..slots.len().saturating_sub(1)).rev() {
            if let (Slot::Number(before), Slot::Number(column)) = (slots[place - 1], slots[place])
                && before + 1 == column
            {
                runs[place - 1] = runs[place] + 1;
            }
        }
        Self { slots, runs }
    }

    /// The same with a text in one of the fields.
    pub(super) fn expect_text(&mut self, place: usize) {
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = Slot::Text;
            *self = Self::new(std::mem::take(&mut self.slots));
        }
    }

    /// Splits the record at the front of `bytes` into as many fields as there are slots, and stores what is
    /// expected and found to be a number in `row`; the length of the record without its line end. `None`
    /// if the record is not plain or not all in the first `length` bytes.
    pub(super) fn split(
        &self,
        bytes: &[u8],
        length: usize,
        dialect: Dialect,
        line_end: u8,
        row: &mut [f64],
        fields: &mut Fields,
    ) -> Option<usize> {
        let last = self.slots.len().checked_sub(1)?;
        fields.start_plain(self.slots.len());
        let (mut start, mut place) = (0, 0);
        while place <= last {
            let separator = if place == last { line_end } else { dialect.delimiter };
            let n_read = match self.slots[place] {
                Slot::Text => None,
                Slot::Number(column) => {
                    let numbers = row.get_mut(column..column + self.runs[place])?;
                    let (n_read, next) = read_cells(bytes, start, separator, numbers);
                    start = next;
                    fields.complete &= n_read == numbers.len();
                    Some(n_read)
                }
                Slot::Count(column) => {
                    let numbers = row.get_mut(column..=column)?;
                    let (n_read, next) = read_cells(bytes, start, separator, numbers);
                    let is_count = n_read == 1 && count(numbers[0]).is_ok();
                    // A negative zero is a count, which is none.
                    numbers[0] += 0.0;
                    start = if is_count { next } else { start };
                    fields.complete &= is_count;
                    Some(usize::from(is_count))
                }
            };
            match n_read {
                Some(n_read) if n_read > 0 => place += n_read,
                _ => {
                    if dialect.quote.is_some_and(|quote| bytes.get(start) == Some(&quote)) {
                        return None;
                    }
                    let end = end_of_field(bytes, start, dialect.delimiter)?;
                    if bytes[end] != separator {
                        return None;
                    }
                    fields.places[place] = Field::Raw(start..end);
                    start = end + 1;
                    place += 1;
                }
            }
        }
        // Bytes behind the window may have taken part; then more must be read first.
        if start <= length { Some(start - 1) } else { None }
    }
}
