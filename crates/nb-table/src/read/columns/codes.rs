//! Telling codes that are written with digits, such as postal codes, from numbers.

use crate::read::error::shortened;

/// The minimum number of codes with letters: fewer may be misprints.
const FEWEST_WITH_LETTERS: usize = 2;
/// The maximum number of cells per code with letters.
const MOST_CELLS_PER_CODE: usize = 100;

/// What speaks for codes in a column of numbers.
#[derive(Debug, Default)]
pub(in crate::read) struct Codes {
    /// Whether a number is negative or has decimals.
    has_other_numbers: bool,
    n_with_zeros: usize,
    n_with_letters: usize,
    /// Whether a text is neither number nor code.
    has_other_texts: bool,
    /// The line and text of the first code.
    first: Option<(u64, String)>,
}

impl Codes {
    pub(in crate::read) fn look_at_number(&mut self, value: f64) {
        // Of each cell of a file: faster than asking for its fraction. No code has more digits than an
        // integer.
        self.has_other_numbers |= value < 0.0 || value as i64 as f64 != value;
    }

    /// Looks at how a number is written.
    pub(in crate::read) fn look_at_digits(&mut self, text: &str, line: impl FnOnce() -> u64) {
        if has_leading_zeros(text) {
            self.n_with_zeros += 1;
            self.first.get_or_insert_with(|| (line(), shortened(text)));
        }
    }

    /// Looks at a text that is no number.
    pub(in crate::read) fn look_at_text(&mut self, text: &str, line: impl FnOnce() -> u64) {
        if has_letters_among_digits(text) {
            self.n_with_letters += 1;
            self.first.get_or_insert_with(|| (line(), shortened(text)));
        } else {
            self.has_other_texts = true;
        }
    }

    /// The line and text of the first code, if the column has codes; `cells` is how many are not missing.
    pub(in crate::read) fn first(&self, cells: usize) -> Option<&(u64, String)> {
        let has_letters = !self.has_other_texts
            && self.n_with_letters >= FEWEST_WITH_LETTERS
            && MOST_CELLS_PER_CODE * self.n_with_letters >= cells;
        let has_codes = !self.has_other_numbers && (self.n_with_zeros > 0 || has_letters);
        self.first.as_ref().filter(|_| has_codes)
    }
}

/// Whether a text has digits only, more than one, and the first is a zero.
pub(in crate::read) fn has_leading_zeros(text: &str) -> bool {
    let text = text.trim();
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has digits and letters only, and is no number with a unit.
fn has_letters_among_digits(text: &str) -> bool {
    /// Units, multiples and ordinals, of one or two letters.
    const UNITS: [&str; 46] = [
        "b", "cl", "cm", "d", "db", "dl", "ft", "g", "gb", "h", "hr", "hz", "in", "k", "kb", "kg", "km",
        "kv", "kw", "l", "lb", "m", "mb", "mg", "mi", "ml", "mm", "mo", "ms", "nd", "nm", "oz", "pt", "px",
        "rd", "s", "st", "tb", "th", "v", "w", "wk", "x", "y", "yd", "yr",
    ];
    let suffix = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    if suffix.is_empty() || !has_digits || !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let is_behind = suffix.len() < text.len() && suffix.bytes().all(|byte| byte.is_ascii_alphabetic());
    // Longer words behind a number are units, too.
    !is_behind || (suffix.len() <= 2 && !UNITS.contains(&suffix.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_and_letters() {
        for text in ["01234", "007", "00", " 05 "] {
            assert!(has_leading_zeros(text), "{text}");
        }
        for text in ["0", "0.5", "00.5", "-05", "10", "", "0x1", "0e1"] {
            assert!(!has_leading_zeros(text), "{text}");
        }
        for text in ["207a", "207A", "A12", "K1A0B6", "12ab", "x3"] {
            assert!(has_letters_among_digits(text), "{text}");
        }
        for text in ["12", "12kg", "5M", "12 a", "1st", "10years", "abc", "?!", "", "12-3", "<5"] {
            assert!(!has_letters_among_digits(text), "{text}");
        }
    }
}
