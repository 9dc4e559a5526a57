//! Telling a column of texts from one of categories.

use unicode_segmentation::UnicodeSegmentation;

/// Fewer different texts are categories, whatever they are like.
const FEWEST: usize = 20;
/// Number of distinct texts that settles the question, without keeping all of them to the end of the file.
pub(in crate::read) const ENOUGH: usize = 1 << 16;
/// How many words texts have on average.
const WORDS: usize = 3;

/// What speaks for texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::read) struct Evidence {
    /// How many cells are not missing.
    pub(in crate::read) cells: usize,
    /// How many of them are different.
    pub(in crate::read) distinct: usize,
    /// How many words the different ones have together.
    pub(in crate::read) words: usize,
}

impl Evidence {
    /// Whether the cells are texts and not categories: at least twenty different ones, at least every other
    /// cell a different one, and on average three words or more in them.
    pub(in crate::read) fn is_free_text(self) -> bool {
        self.is_diverse() && self.words >= WORDS * self.distinct
    }

    /// Whether there are enough different cells to count words.
    pub(in crate::read) fn is_diverse(self) -> bool {
        self.distinct >= FEWEST && 2 * self.distinct >= self.cells
    }
}

/// How many words a text has: what stands between spaces and has a letter. In scripts without spaces, and in
/// those beyond ASCII altogether, words end where Unicode says (UAX #29), so that identifiers, times and the
/// like are no more than a word.
pub(in crate::read) fn n_words(text: &str) -> usize {
    let of_chunk = |chunk: &str| {
        let has_letter = chunk.chars().any(char::is_alphabetic);
        if !has_letter || chunk.is_ascii() {
            return usize::from(has_letter);
        }
        let beyond_ascii = |word: &&str| word.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
        chunk.unicode_words().filter(beyond_ascii).count().max(1)
    };
    text.split_whitespace().map(of_chunk).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_between_spaces() {
        for (text, expected) in [
            ("", 0),
            ("2024-01-05 12:30", 0),
            ("550e8400-e29b-41d4-a716-446655440000", 1),
            ("anna.smith@example.org", 1),
            ("See you at 8, then?", 4),
            ("今天天气很好", 6),
            ("Größe: 3 m", 2),
        ] {
            assert_eq!(n_words(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_are_many_and_long() {
        let evidence = Evidence { cells: 40, distinct: 20, words: 60 };
        assert!(evidence.is_free_text());
        assert!(!Evidence { cells: 41, ..evidence }.is_free_text());
        assert!(!Evidence { words: 59, ..evidence }.is_free_text());
        assert!(!Evidence { cells: 19, distinct: 19, words: 500 }.is_free_text());
    }
}
