//! Why texts leave no term.

use std::{fmt, ops::RangeInclusive};

/// What became of the words of texts of which no term is left.
///
/// ```
/// use nb_table::text::{Text, TextError, TextOptions, Tokens};
///
/// let tokens = Tokens::default().with_stop_word_list(["on", "and"]);
/// let options = TextOptions::default().with_tokens(tokens);
/// let Err(TextError::NoTerms(facts)) = Text::learn(&["on and on", "a"], &options) else { panic!() };
/// assert_eq!((facts.words, facts.stop_words, facts.short_words), (4, 3, 1));
/// assert_eq!(
///     facts.to_string(),
///     "of 4 words 3 are stop words and 1 is shorter than 2 characters; use fewer stop words or a lower minimum length"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoTerms {
    /// The number of texts.
    pub texts: u64,
    /// The number of their words, with those that were left out.
    pub words: u64,
    /// How many were left out because they are short.
    pub short_words: u64,
    /// The minimum length of a word in characters.
    pub min_chars: usize,
    /// How many of the others were left out as stop words.
    pub stop_words: u64,
    /// How many words make a term.
    pub n_grams: RangeInclusive<usize>,
    /// The number of distinct terms.
    pub distinct_terms: u64,
    /// The number of texts with the most frequent of them.
    pub max_documents: u64,
    /// The minimum number of texts with a term.
    pub min_documents: usize,
    /// The maximum number of terms.
    pub max_terms: Option<usize>,
}

/// The first reason why no term is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoTermsCause {
    /// There are no words.
    NoWords,
    /// All words are short.
    ShortWords,
    /// All words are stop words.
    StopWords,
    /// All words are short or stop words.
    ShortAndStopWords,
    /// No text has as many words as the shortest term.
    LongNGrams,
    /// All terms are in fewer texts than the minimum.
    RareTerms,
    /// The maximum number of terms is zero.
    MaxTerms,
}

impl NoTerms {
    /// The first reason, in the order in which words are left out.
    ///
    /// ```
    /// # use nb_table::text::{NoTermsCause, Text, TextError, TextOptions};
    /// let options = TextOptions::default().with_min_documents(3);
    /// let Err(TextError::NoTerms(facts)) = Text::learn(&["see you", "you win"], &options) else { panic!() };
    /// assert_eq!((facts.cause(), facts.max_documents), (NoTermsCause::RareTerms, 2));
    /// ```
    pub fn cause(&self) -> NoTermsCause {
        if self.words == 0 {
            NoTermsCause::NoWords
        } else if self.words == self.short_words {
            NoTermsCause::ShortWords
        } else if self.words == self.stop_words {
            NoTermsCause::StopWords
        } else if self.words == self.short_words + self.stop_words {
            NoTermsCause::ShortAndStopWords
        } else if self.distinct_terms == 0 {
            NoTermsCause::LongNGrams
        } else if self.max_documents < self.min_documents as u64 {
            NoTermsCause::RareTerms
        } else {
            NoTermsCause::MaxTerms
        }
    }
}

impl fmt::Display for NoTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let are = |n: u64| if n == 1 { "is" } else { "are" };
        let all = |n: u64, one: &str, many: &str| match n {
            1 => format!("the only {one} is"),
            2 => format!("both {many} are"),
            n => format!("all {n} {many} are"),
        };
        let characters = |n: usize| if n == 1 { "1 character".into() } else { format!("{n} characters") };
        let (word, words) =
            if *self.n_grams.end() == 1 { ("distinct word", "distinct words") } else { ("term", "terms") };
        match self.cause() {
            NoTermsCause::NoWords if self.texts == 1 => {
                write!(f, "the only cell has no word; leave the column out")
            }
            NoTermsCause::NoWords => {
                write!(f, "none of the {} cells has a word; leave the column out", self.texts)
            }
            NoTermsCause::ShortWords => write!(
                f,
                "{} shorter than {}; use a lower minimum length",
                all(self.words, "word", "words"),
                characters(self.min_chars)
            ),
            NoTermsCause::StopWords => {
                let what = if self.words == 1 { "a stop word" } else { "stop words" };
                write!(f, "{} {what}; use fewer stop words", all(self.words, "word", "words"))
            }
            NoTermsCause::ShortAndStopWords => write!(
                f,
                "of {} words {} {} and {} {} shorter than {}; use fewer stop words or a lower minimum length",
                self.words,
                self.stop_words,
                if self.stop_words == 1 { "is a stop word" } else { "are stop words" },
                self.short_words,
                are(self.short_words),
                characters(self.min_chars)
            ),
            NoTermsCause::LongNGrams => write!(
                f,
                "no cell has {} words that are not left out, as the shortest n-gram needs; use shorter n-grams",
                self.n_grams.start()
            ),
            NoTermsCause::RareTerms => write!(
                f,
                "{} in fewer than {} cells, at most in {}; use a lower minimum document frequency",
                all(self.distinct_terms, word, words),
                self.min_documents,
                self.max_documents
            ),
            NoTermsCause::MaxTerms => {
                f.write_str("the vocabulary may have no terms; use a larger maximum size, or none")
            }
        }
    }
}

impl std::error::Error for NoTerms {}

#[cfg(test)]
mod tests {
    use super::super::{Text, TextError, TextOptions, Tokens};

    fn message(texts: &[&str], options: &TextOptions) -> String {
        match Text::learn(texts, options) {
            Err(TextError::NoTerms(facts)) => facts.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_reason_is_said_with_numbers() {
        let (plain, texts) = (TextOptions::default(), ["to be", "or not", "to be"]);
        let tokens = |tokens: Tokens| TextOptions::default().with_tokens(tokens);
        for (texts, options, expected) in [
            (&["?"][..], plain.clone(), "the only cell has no word; leave the column out"),
            (&["?", "", "--"], plain.clone(), "none of the 3 cells has a word; leave the column out"),
            (
                &["x y", "z"],
                plain.clone(),
                "all 3 words are shorter than 2 characters; use a lower minimum length",
            ),
            (&["x"], plain.clone(), "the only word is shorter than 2 characters; use a lower minimum length"),
            (
                &texts,
                tokens(Tokens::default().with_stop_word_list(["To", "be", "or", "not"])),
                "all 6 words are stop words; use fewer stop words",
            ),
            (
                &["the"],
                tokens(Tokens::default().with_stop_word_list(["the"])),
                "the only word is a stop word; use fewer stop words",
            ),
            (
                &["the x"],
                tokens(Tokens::default().with_stop_word_list(["the"])),
                "of 2 words 1 is a stop word and 1 is shorter than 2 characters; use fewer stop words or a lower \
                 minimum length",
            ),
            (
                &texts,
                tokens(Tokens::default().with_n_grams(3..=4)),
                "no cell has 3 words that are not left out, as the shortest n-gram needs; use shorter n-grams",
            ),
            (
                &texts,
                plain.clone().with_min_documents(3),
                "all 4 distinct words are in fewer than 3 cells, at most in 2; use a lower minimum document frequency",
            ),
            (
                &texts,
                tokens(Tokens::default().with_n_grams(2..=2)).with_min_documents(3),
                "both terms are in fewer than 3 cells, at most in 2; use a lower minimum document frequency",
            ),
            (
                &texts,
                plain.with_max_terms(Some(0)),
                "the vocabulary may have no terms; use a larger maximum size, or none",
            ),
        ] {
            assert_eq!(message(texts, &options), expected);
        }
    }
}
