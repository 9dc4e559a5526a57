//! How a text becomes terms.

use crate::with::with_fields;
use std::{collections::BTreeSet, ops::RangeInclusive};

use unicode_segmentation::UnicodeSegmentation;

use super::TextError;

/// The most words of a term, so that a text has not many times as many terms as words.
pub const LONGEST_N_GRAM: usize = 8;

/// How a text becomes terms: it is cut into words; these are made small; short ones and stop words are left out; and
/// each run of as many words as asked for is a term, the words with a space between them.
///
/// ```
/// use nb_io::text::Tokens;
///
/// assert_eq!(Tokens::default().terms("Ça va? 2 be or NOT 2 be."), ["ça", "va", "be", "or", "not", "be"]);
/// let pairs = Tokens::unicode().with_n_grams(1..=2);
/// assert_eq!(pairs.terms("Don't panic, 東京"), ["don't", "don't panic", "panic", "panic 東", "東", "東 京", "京"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// What a word is.
    pub segmentation: Segmentation,
    /// Whether letters are made small, by the full mapping of Unicode, before anything is compared.
    pub lower_case: bool,
    /// Words of fewer characters are left out.
    pub min_chars: usize,
    /// How many words make a term, from 1 to [`LONGEST_N_GRAM`]: `1..=1` is single words, `1..=2` also pairs. Words that
    /// are left out are as if they had not been there.
    pub n_grams: RangeInclusive<usize>,
    /// Words that are left out, in small letters if letters are made small.
    pub stop_words: BTreeSet<String>,
}

/// # Options
impl Tokens {
    with_fields! {
        with_segmentation segmentation: Segmentation;
        with_lower_case lower_case: bool;
        with_min_chars min_chars: usize;
        with_n_grams n_grams: RangeInclusive<usize>;
        with_stop_words stop_words: BTreeSet<String>;
    }
}

/// What a word is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segmentation {
    /// A run of letters and digits, as Unicode knows them (`Alphabetic` and `Numeric`): fast, and "don't" is two words.
    #[default]
    Alphanumeric,
    /// A word in the sense of Unicode (UAX #29): "don't" and "3.14" are one, and each Chinese character is one.
    UnicodeWords,
}

impl Default for Tokens {
    /// Single words of at least two letters or digits, made small: what scikit-learn does unless told otherwise, but for
    /// the underscore, which is no letter here.
    fn default() -> Self {
        Self {
            segmentation: Segmentation::Alphanumeric,
            lower_case: true,
            min_chars: 2,
            n_grams: 1..=1,
            stop_words: BTreeSet::new(),
        }
    }
}

impl Tokens {
    /// Single words in the sense of Unicode, made small; of any length, since in some scripts a character is a word.
    ///
    /// ```
    /// assert_eq!(nb_io::text::Tokens::unicode().terms("Don't panic"), ["don't", "panic"]);
    /// ```
    pub fn unicode() -> Self {
        Self { segmentation: Segmentation::UnicodeWords, min_chars: 1, ..Self::default() }
    }

    /// The terms of a text, in the order in which they begin; of those that begin together the shortest first.
    ///
    /// ```
    /// assert_eq!(nb_io::text::Tokens::default().terms("Call NOW, call"), ["call", "now", "call"]);
    /// ```
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut words = Words::default();
        words.read(self, text);
        words.terms(&self.n_grams).map(String::from).collect()
    }

    pub(super) fn check(&self) -> Result<(), TextError> {
        let (min, max) = (*self.n_grams.start(), *self.n_grams.end());
        if min < 1 || max > LONGEST_N_GRAM || min > max {
            return Err(TextError::NGrams { min, max });
        }
        Ok(())
    }
}

/// The words of a text. One is used for many texts, so that it allocates for the longest only.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// All words, with a space behind each, so that neighbours are a term as they lie in memory.
    joined: String,
    /// Where each word begins and ends.
    places: Vec<(usize, usize)>,
}

impl Words {
    /// Takes the words of a text in place of those before.
    pub(super) fn read(&mut self, tokens: &Tokens, text: &str) {
        self.joined.clear();
        self.places.clear();
        match tokens.segmentation {
            Segmentation::Alphanumeric => {
                let runs = text.split(|c: char| !c.is_alphanumeric());
                runs.filter(|run| !run.is_empty()).for_each(|word| self.push(tokens, word));
            }
            Segmentation::UnicodeWords => text.unicode_words().for_each(|word| self.push(tokens, word)),
        }
    }

    fn push(&mut self, tokens: &Tokens, word: &str) {
        let start = self.joined.len();
        if tokens.lower_case {
            push_lower_case(&mut self.joined, word);
        } else {
            self.joined.push_str(word);
        }
        let word = &self.joined[start..];
        let is_short =
            word.len() < tokens.min_chars || word.chars().nth(tokens.min_chars.max(1) - 1).is_none();
        if is_short || tokens.stop_words.contains(word) {
            self.joined.truncate(start);
        } else {
            self.places.push((start, self.joined.len()));
            self.joined.push(' ');
        }
    }

    /// The terms that the words make.
    pub(super) fn terms(&self, n_grams: &RangeInclusive<usize>) -> impl Iterator<Item = &str> {
        // What `check` refuses must not cost time and memory without bound where nobody has asked it.
        let (min, max) = ((*n_grams.start()).max(1), (*n_grams.end()).min(LONGEST_N_GRAM));
        self.places.iter().enumerate().flat_map(move |(first, &(start, _))| {
            let ends = self.places[first..].iter().take(max).skip(min - 1);
            ends.map(move |&(_, end)| &self.joined[start..end])
        })
    }
}

/// Appends what [`str::to_lowercase`] gives, without another string for it where a letter does not depend on its
/// neighbours.
fn push_lower_case(out: &mut String, word: &str) {
    if word.is_ascii() {
        let start = out.len();
        out.push_str(word);
        out[start..].make_ascii_lowercase();
    } else if word.contains('Σ') {
        out.push_str(&word.to_lowercase());
    } else {
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_of_many_scripts() {
        let (runs, words) = (Tokens { min_chars: 1, ..Tokens::default() }, Tokens::unicode());
        for (text, of_runs, of_words) in [
            ("", &[][..], &[][..]),
            ("?! -- …", &[], &[]),
            ("Can't stop, won't.", &["can", "t", "stop", "won", "t"], &["can't", "stop", "won't"]),
            ("3.14 is pi_2", &["3", "14", "is", "pi", "2"], &["3.14", "is", "pi_2"]),
            ("ΟΔΥΣΣΕΥΣ ΣΑΣ", &["οδυσσευς", "σας"], &["οδυσσευς", "σας"]),
            ("İstanbul ẞ ǅ", &["i\u{307}stanbul", "ß", "ǆ"], &["i\u{307}stanbul", "ß", "ǆ"]),
            ("今天 天气", &["今天", "天气"], &["今", "天", "天", "气"]),
            ("ひらがな カタカナ", &["ひらがな", "カタカナ"], &["ひ", "ら", "が", "な", "カタカナ"]),
            ("안녕 세상", &["안녕", "세상"], &["안녕", "세상"]),
            ("Привет, Мир!", &["привет", "мир"], &["привет", "мир"]),
            ("हिन्दी", &["हिन", "दी"], &["हिन्दी"]),
            ("٣٤ مرحبا", &["٣٤", "مرحبا"], &["٣٤", "مرحبا"]),
            ("a👍b", &["a", "b"], &["a", "b"]),
        ] {
            assert_eq!(runs.terms(text), of_runs, "{text}");
            assert_eq!(words.terms(text), of_words, "{text}");
        }
    }

    #[test]
    fn runs_of_words_are_terms() {
        let text = "one two three";
        let terms = |n_grams| Tokens { n_grams, ..Tokens::default() }.terms(text);
        assert_eq!(terms(1..=1), ["one", "two", "three"]);
        assert_eq!(terms(2..=3), ["one two", "one two three", "two three"]);
        assert_eq!(terms(1..=8).len(), 6);
        assert!(terms(4..=5).is_empty());
        // Refused by `check`, and harmless here.
        assert_eq!(terms(0..=1), ["one", "two", "three"]);
        #[expect(clippy::reversed_empty_ranges, reason = "that is the case to be tested")]
        let backwards = 2..=1;
        assert!(terms(backwards.clone()).is_empty());
        for n_grams in [0..=1, 1..=9, backwards] {
            assert!(Tokens { n_grams, ..Tokens::default() }.check().is_err());
        }
    }

    #[test]
    fn words_are_left_out_before_terms_are_made() {
        let stop_words = ["the", "of"].map(String::from).into();
        let tokens = Tokens { n_grams: 2..=2, stop_words, ..Tokens::default() };
        assert_eq!(tokens.terms("The end OF the a world"), ["end world"]);
        let tokens = Tokens { lower_case: false, n_grams: 1..=1, ..tokens };
        assert_eq!(tokens.terms("The end of the world"), ["The", "end", "world"]);
        assert_eq!(Tokens { min_chars: 4, ..Tokens::default() }.terms("äöü äöüß"), ["äöüß"]);
        assert_eq!(Tokens { min_chars: 0, ..Tokens::default() }.terms("a b"), ["a", "b"]);
    }

    proptest! {
        #[test]
        fn letters_are_made_small_as_std_does(word in "\\PC{0,12}", sigma in "[Σσa]{0,3}") {
            for word in [format!("{word}{sigma}"), format!("{sigma}{word}"), word] {
                let mut out = String::from("x");
                push_lower_case(&mut out, &word);
                prop_assert_eq!(&out[1..], word.to_lowercase());
            }
        }

        /// The definition, in strings.
        #[test]
        fn terms_are_what_they_are_said_to_be(text in "[A-Za-zß Σ.]{0,40}", min in 1..4_usize, more in 0..3_usize, unicode: bool) {
            let tokens = if unicode { Tokens::unicode() } else { Tokens::default() };
            let tokens = Tokens { n_grams: min..=min + more, stop_words: ["ab".to_owned()].into(), ..tokens };
            let words: Vec<String> = match tokens.segmentation {
                Segmentation::Alphanumeric => text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect(),
                Segmentation::UnicodeWords => text.unicode_words().map(str::to_lowercase).collect(),
            };
            let words: Vec<String> =
                words.into_iter().filter(|word| word.chars().count() >= tokens.min_chars.max(1) && word != "ab").collect();
            let mut expected = Vec::new();
            for first in 0..words.len() {
                for length in min..=min + more {
                    expected.extend(words.get(first..first + length).map(|words| words.join(" ")));
                }
            }
            prop_assert_eq!(tokens.terms(&text), expected);
        }
    }
}
