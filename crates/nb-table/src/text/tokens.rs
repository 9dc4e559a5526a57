//! How a text becomes terms.

use crate::with::with_fields;
use std::{collections::BTreeSet, ops::RangeInclusive};

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::{Emoji, Normalization, TextError, emoji, normalization};

/// The most words of a term, so that a text has not many times as many terms as words.
pub const LONGEST_N_GRAM: usize = 8;

/// How a text becomes terms: it is normalised and split into words; these are converted to lower case; short
/// ones and stop words are left out; and each run of `min_words` to `max_words` words is a term, the words
/// with a space between them.
///
/// ```
/// use nb_table::text::Tokens;
///
/// assert_eq!(Tokens::default().terms("Ça va? 2 be or NOT 2 be."), ["ça", "va", "be", "or", "not", "be"]);
/// let pairs = Tokens::unicode().with_n_grams(1..=2);
/// assert_eq!(pairs.terms("Don’t panic, 東京"), ["don't", "don't panic", "panic", "panic 東", "東", "東 京", "京"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// How texts are normalised before they are split.
    pub normalization: Normalization,
    /// What a word is.
    pub segmentation: Segmentation,
    /// Whether emoji are words.
    pub emoji: Emoji,
    /// Whether letters are made small, by the full mapping of Unicode, before anything is compared.
    pub lower_case: bool,
    /// Words of fewer characters are left out, except for emoji; with 1, single letters and digits are
    /// words.
    pub min_chars: usize,
    /// How many words make a term, from 1 to [`LONGEST_N_GRAM`]: `1..=1` is single words, `1..=2` also
    /// pairs. Words that are left out are as if they had not been there.
    pub n_grams: RangeInclusive<usize>,
    /// Words that are left out, spelt as the other fields make words: normalised, and in small letters if
    /// letters are made small. [`with_stop_word_list`](Self::with_stop_word_list) spells them so.
    pub stop_words: BTreeSet<String>,
}

/// # Options
impl Tokens {
    with_fields! {
        with_normalization normalization: Normalization;
        with_segmentation segmentation: Segmentation;
        with_emoji emoji: Emoji;
        with_lower_case lower_case: bool;
        with_min_chars min_chars: usize;
        with_n_grams n_grams: RangeInclusive<usize>;
        with_stop_words stop_words: BTreeSet<String>;
    }
}

/// What a word is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Segmentation {
    /// A run of letters and digits, as Unicode knows them (`Alphabetic` and `Numeric`): fast, and "don't" is
    /// two words.
    #[default]
    Alphanumeric,
    /// A word in the sense of Unicode (UAX #29): "don't" and "3.14" are one, and each Chinese character is
    /// one.
    UnicodeWords,
}

impl Default for Tokens {
    /// Single words of at least two letters or digits, in NFKC and made small, and emoji. That is what
    /// scikit-learn does by default, but that it neither normalises nor has emoji, and that the
    /// underscore is a letter there.
    fn default() -> Self {
        Self {
            normalization: Normalization::Nfkc,
            segmentation: Segmentation::Alphanumeric,
            emoji: Emoji::Keep,
            lower_case: true,
            min_chars: 2,
            n_grams: 1..=1,
            stop_words: BTreeSet::new(),
        }
    }
}

impl Tokens {
    /// Single words in the sense of Unicode, made small; of any length, since in some scripts a character is
    /// a word.
    ///
    /// ```
    /// assert_eq!(nb_table::text::Tokens::unicode().terms("Don't panic"), ["don't", "panic"]);
    /// ```
    pub fn unicode() -> Self {
        Self { segmentation: Segmentation::UnicodeWords, min_chars: 1, ..Self::default() }
    }

    /// The same with further stop words, each spelt as this makes words of texts: call it after the other
    /// options. An entry that is several words here adds each of them: "don't" adds "don" and "t" where
    /// apostrophes divide words.
    ///
    /// ```
    /// use nb_table::text::{Segmentation, Tokens};
    ///
    /// let tokens = Tokens::default().with_stop_word_list(["Don’t", "THE"]);
    /// assert_eq!(tokens.stop_words, ["don", "t", "the"].map(String::from).into());
    /// let tokens = Tokens::unicode().with_stop_word_list(["Don’t", "THE"]);
    /// assert_eq!(tokens.terms("I don't like the rain"), ["i", "like", "rain"]);
    /// ```
    #[must_use]
    pub fn with_stop_word_list<T: AsRef<str>>(mut self, entries: impl IntoIterator<Item = T>) -> Self {
        let words = Self { min_chars: 0, n_grams: 1..=1, stop_words: BTreeSet::new(), ..self };
        for entry in entries {
            self.stop_words.extend(words.terms(entry.as_ref()));
        }
        self
    }

    /// The terms of a text, in the order in which they begin; of those that begin together the shortest
    /// first.
    ///
    /// ```
    /// assert_eq!(nb_table::text::Tokens::default().terms("Call NOW, call"), ["call", "now", "call"]);
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
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    /// What became of the words of all texts.
    pub(super) counts: WordCounts,
    /// The text in the form that is split, if it is not in this form itself.
    text: String,
    /// A word in this form after its letters were made small.
    word: String,
    /// All words, with a space behind each, so that neighbours are a term as they lie in memory.
    joined: String,
    /// Where each word begins and ends.
    places: Vec<(usize, usize)>,
}

/// How many words there were, and why some were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordCounts {
    pub(super) words: u64,
    pub(super) short: u64,
    pub(super) stopped: u64,
}

impl std::ops::AddAssign for WordCounts {
    fn add_assign(&mut self, other: Self) {
        self.words += other.words;
        self.short += other.short;
        self.stopped += other.stopped;
    }
}

impl Words {
    /// Takes the words of a text in place of those before.
    pub(super) fn read(&mut self, tokens: &Tokens, text: &str) {
        self.joined.clear();
        self.places.clear();
        let mut buffer = std::mem::take(&mut self.text);
        let text = match (tokens.normalization, tokens.emoji) {
            (Normalization::Nfkc, _) => normalization::nfkc(text, &mut buffer),
            (Normalization::None, Emoji::Keep) => normalization::without_selectors(text, &mut buffer),
            (Normalization::None, Emoji::Drop) => text,
        };
        let mut rest = text;
        if tokens.emoji == Emoji::Keep && !text.is_ascii() {
            while let Some(place) = emoji::find(rest) {
                self.split(tokens, &rest[..place.start]);
                self.push_emoji(tokens, emoji::term(&rest[place.clone()]));
                rest = &rest[place.end..];
            }
        }
        self.split(tokens, rest);
        self.text = buffer;
    }

    /// Takes the words of a text without emoji.
    fn split(&mut self, tokens: &Tokens, text: &str) {
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
            self.normalize_again(tokens, start, word);
        } else {
            self.joined.push_str(word);
        }
        let word = &self.joined[start..];
        let is_short =
            word.len() < tokens.min_chars || word.chars().nth(tokens.min_chars.max(1) - 1).is_none();
        self.counts.short += u64::from(is_short);
        self.finish_word(tokens, start, is_short);
    }

    fn push_emoji(&mut self, tokens: &Tokens, term: &str) {
        let start = self.joined.len();
        self.joined.push_str(term);
        self.finish_word(tokens, start, false);
    }

    /// Keeps the word from `start` on, unless it is left out.
    fn finish_word(&mut self, tokens: &Tokens, start: usize, is_short: bool) {
        self.counts.words += 1;
        let is_stop_word = !is_short && tokens.stop_words.contains(&self.joined[start..]);
        self.counts.stopped += u64::from(is_stop_word);
        if is_short || is_stop_word {
            self.joined.truncate(start);
        } else {
            self.places.push((start, self.joined.len()));
            self.joined.push(' ');
        }
    }

    /// A small letter may compose with an accent where the large one does not: "J\u{30C}", whose small form
    /// is "ǰ".
    fn normalize_again(&mut self, tokens: &Tokens, start: usize, before: &str) {
        let word = &self.joined[start..];
        let is_same = word.is_ascii() || word == before || normalization::is_nfkc(word);
        if tokens.normalization == Normalization::None || is_same {
            return;
        }
        self.word.clear();
        self.word.extend(word.nfkc());
        self.joined.truncate(start);
        self.joined.push_str(&self.word);
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

/// Appends what [`str::to_lowercase`] gives, without another string for it where a letter does not depend on
/// its neighbours.
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
            ("İstanbul ẞ ǅ", &["i\u{307}stanbul", "ß", "dž"], &["i\u{307}stanbul", "ß", "dž"]),
            ("今天 天气", &["今天", "天气"], &["今", "天", "天", "气"]),
            ("ひらがな カタカナ", &["ひらがな", "カタカナ"], &["ひ", "ら", "が", "な", "カタカナ"]),
            ("안녕 세상", &["안녕", "세상"], &["안녕", "세상"]),
            ("Привет, Мир!", &["привет", "мир"], &["привет", "мир"]),
            ("हिन्दी", &["हिन", "दी"], &["हिन्दी"]),
            ("٣٤ مرحبا", &["٣٤", "مرحبا"], &["٣٤", "مرحبا"]),
            ("a👍b", &["a", "👍", "b"], &["a", "👍", "b"]),
        ] {
            assert_eq!(runs.terms(text), of_runs, "{text}");
            assert_eq!(words.terms(text), of_words, "{text}");
        }
    }

    #[test]
    fn a_word_has_one_spelling() {
        let spellings = [
            ["caf\u{e9}", "cafe\u{301}", "CAFE\u{301}", "\u{ff23}\u{ff21}\u{ff26}\u{ff25}\u{301}"],
            ["don't", "don\u{2019}t", "DON\u{2bc}T", "don\u{ff07}t"],
            [
                "각도",
                "\u{1100}\u{1161}\u{11a8}도",
                "\u{1100}\u{1161}\u{11a8}\u{1103}\u{1169}",
                "각\u{1103}\u{1169}",
            ],
            ["office", "o\u{fb03}ce", "O\u{fb03}CE", "\u{24de}\u{fb00}ice"],
            ["ok", "ok\u{fe0f}", "O\u{fe0f}K", "\u{1d428}\u{1d424}"],
        ];
        for tokens in [Tokens::default(), Tokens::unicode()] {
            for words in &spellings {
                let terms: Vec<_> = words.iter().map(|word| tokens.terms(word)).collect();
                assert!(!terms[0].is_empty() && terms.iter().all(|other| *other == terms[0]), "{terms:?}");
            }
            let as_written = tokens.with_normalization(Normalization::None);
            assert_ne!(as_written.terms(spellings[0][0]), as_written.terms(spellings[0][1]));
        }
        assert_eq!(Tokens::unicode().terms("DON\u{2019}T"), ["don't"]);
        // Only the small letter has a character with the accent.
        for spelling in ["\u{1f0}a", "j\u{30c}a", "J\u{30c}a", "\u{ff2a}\u{30c}A"] {
            assert_eq!(Tokens::unicode().terms(spelling), ["\u{1f0}a"]);
        }
    }

    #[test]
    fn emoji_are_words() {
        let text =
            "I \u{2764}\u{fe0f} it\u{1f44d}\u{1f3fd}\u{1f44d}! \u{1f1e9}\u{1f1ea} 1\u{fe0f}\u{20e3} \u{2764}";
        let emoji =
            ["\u{2764}", "\u{1f44d}\u{1f3fd}", "\u{1f44d}", "\u{1f1e9}\u{1f1ea}", "1\u{20e3}", "\u{2764}"];
        for tokens in [Tokens::default(), Tokens::unicode()] {
            for normalization in [Normalization::Nfkc, Normalization::None] {
                let tokens = Tokens { normalization, min_chars: 2, ..tokens.clone() };
                let [heart, thumb, plain, flag, keycap, other] = emoji;
                assert_eq!(tokens.terms(text), [heart, "it", thumb, plain, flag, keycap, other]);
                let pairs = Tokens { n_grams: 2..=2, ..tokens.clone() };
                assert_eq!(pairs.terms(text)[1], format!("it {thumb}"));
                let stopped = tokens.with_stop_word_list(["\u{2764}\u{fe0f}"]);
                assert_eq!(stopped.terms(text), ["it", thumb, plain, flag, keycap]);
            }
        }
        let without = Tokens { min_chars: 2, emoji: Emoji::Drop, ..Tokens::default() };
        assert_eq!(without.terms(text), ["it"]);
    }

    /// Single letters and digits are words, whatever a word is.
    #[test]
    fn one_character_can_be_a_word() {
        for segmentation in [Segmentation::Alphanumeric, Segmentation::UnicodeWords] {
            for normalization in [Normalization::Nfkc, Normalization::None] {
                let tokens = Tokens { segmentation, normalization, min_chars: 1, ..Tokens::default() };
                assert_eq!(tokens.terms("I x, 7 é 東?"), ["i", "x", "7", "é", "東"]);
                assert!(Tokens { min_chars: 2, ..tokens }.terms("I x, 7 é 東?").is_empty());
            }
        }
    }

    #[test]
    fn stop_words_are_spelt_like_words() {
        let list = ["The", "CAFE\u{301}", "don\u{2019}t", "well-known", "--", ""];
        let runs = Tokens::default().with_stop_word_list(list);
        assert_eq!(runs.stop_words, ["the", "café", "don", "t", "well", "known"].map(String::from).into());
        let words = Tokens::unicode().with_stop_word_list(list);
        assert_eq!(words.stop_words, ["the", "café", "don't", "well", "known"].map(String::from).into());
        assert_eq!(words.terms("Don't miss THE well-known CAFÉ"), ["miss"]);
        let cased = Tokens::unicode().with_lower_case(false).with_stop_word_list(["The"]);
        assert_eq!(cased.terms("The the"), ["the"]);
        // Lists add up.
        assert_eq!(words.with_stop_word_list(["miss"]).stop_words.len(), 6);
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

        /// What files before version 5 mean by words.
        #[test]
        fn texts_as_written_are_split_as_ever(text in "[\\PC\u{301}\u{FE0F}\u{200D}👍🏽❤🇩1\u{20E3}’ .]{0,30}", unicode: bool) {
            let tokens = if unicode { Tokens::unicode() } else { Tokens { min_chars: 1, ..Tokens::default() } };
            let tokens = Tokens { normalization: Normalization::None, emoji: Emoji::Drop, ..tokens };
            let words: Vec<String> = if unicode {
                text.unicode_words().map(str::to_lowercase).collect()
            } else {
                let runs = text.split(|c: char| !c.is_alphanumeric());
                runs.filter(|run| !run.is_empty()).map(str::to_lowercase).collect()
            };
            prop_assert_eq!(tokens.terms(&text), words);
        }

        /// Canonically equivalent texts have the same terms.
        #[test]
        fn terms_do_not_depend_on_the_normal_form(
            text in "[a-zA-ZÅéǰΩﬁＡ각가あが東’ʼ\u{301}\u{30C}\u{327}\u{FE0F}\u{200D}👍🏽❤🇩1\u{20E3} .]{0,24}",
            unicode: bool,
        ) {
            let tokens = if unicode { Tokens::unicode() } else { Tokens::default() };
            let terms = tokens.terms(&text);
            prop_assert_eq!(&tokens.terms(&text.nfd().collect::<String>()), &terms);
            prop_assert_eq!(&tokens.terms(&text.nfc().collect::<String>()), &terms);
            let mut used = Words::default();
            used.read(&tokens, "ﬁrst ❤️ J\u{30C}");
            used.read(&tokens, &text);
            let again: Vec<&str> = used.terms(&tokens.n_grams).collect();
            prop_assert_eq!(again, terms);
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
