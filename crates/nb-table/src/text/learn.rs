//! Learning which terms there are, and in how many texts.

use crate::with::with_fields;
use std::collections::HashMap;

use super::{
    MOST_TERMS, NoTerms, Terms, Text, TextError, Tokens, Weighting, bucket, inverse_document_frequencies,
    tokens::{WordCounts, Words},
};

/// How many terms are kept while they are counted.
pub(super) const MOST_CANDIDATES: usize = 1 << 23;
/// How many bytes they may have together.
pub(super) const MOST_BYTES: usize = 1 << 28;

/// How a column of texts becomes columns of a model.
///
/// ```
/// use nb_table::text::{Terms, Text, TextOptions};
///
/// let texts = ["free prize, call now", "call me", "me? now?"];
/// let options = TextOptions::default().with_min_documents(2).with_inverse_document_frequency(true);
/// let text = Text::learn(&texts, &options)?;
/// assert_eq!(text.terms, Terms::Vocabulary(["call", "me", "now"].map(String::from).to_vec()));
/// # Ok::<(), nb_table::text::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextOptions {
    /// How a text becomes terms.
    pub tokens: Tokens,
    /// Terms that occur in fewer texts are left out of the vocabulary.
    pub min_documents: usize,
    /// The most terms of the vocabulary: those that occur in the most texts; of several in equally many the
    /// first by name. `None` for all.
    pub max_terms: Option<usize>,
    /// If terms are hashed: the number of buckets. Then there is no vocabulary, and nothing to be left out
    /// of it.
    pub buckets: Option<u32>,
    /// See [`Weighting::log_term_frequency`].
    pub log_term_frequency: bool,
    /// Whether to learn [`Weighting::inverse_document_frequency`].
    pub inverse_document_frequency: bool,
    /// See [`Weighting::normalize_length`].
    pub normalize_length: bool,
}

impl Default for TextOptions {
    /// The counts of all words of at least two letters or digits, made small.
    fn default() -> Self {
        Self {
            tokens: Tokens::default(),
            min_documents: 1,
            max_terms: None,
            buckets: None,
            log_term_frequency: false,
            inverse_document_frequency: false,
            normalize_length: false,
        }
    }
}

/// # Options
impl TextOptions {
    with_fields! {
        with_tokens tokens: Tokens;
        with_min_documents min_documents: usize;
        with_max_terms max_terms: Option<usize>;
        with_buckets buckets: Option<u32>;
        with_log_term_frequency log_term_frequency: bool;
        with_inverse_document_frequency inverse_document_frequency: bool;
        with_normalize_length normalize_length: bool;
    }
}

impl TextOptions {
    /// The same with all transforms of Rennie, Shih, Teevan and Karger (2003). With [`nb_core::Complement`],
    /// `normalize: true`, and [`nb_core::Prior::Uniform`] it is their transformed weight-normalised
    /// complement model. Its normalised weights are small: under another prior the prior decides nearly
    /// alone.
    ///
    /// ```
    /// let options = nb_table::TextOptions::default().with_transforms();
    /// assert!(options.log_term_frequency && options.inverse_document_frequency && options.normalize_length);
    /// ```
    #[must_use]
    pub fn with_transforms(self) -> Self {
        Self { log_term_frequency: true, inverse_document_frequency: true, normalize_length: true, ..self }
    }
}

/// More terms than can be kept while they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "has one term more than the {limit} that can be counted; hash the terms, or ask for terms of fewer words"
)]
pub struct TooManyTerms {
    /// How many there are already.
    pub limit: usize,
}

/// What is known of the texts of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextLearner {
    options: TextOptions,
    words: Words,
    seen: Seen,
    n_texts: u64,
}

/// In how many texts each term was, and the last of these, counted from 1.
type Documents = (u64, u64);

#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Terms {
        documents: HashMap<Box<str>, Documents>,
        bytes: usize,
    },
    Buckets(Vec<Documents>),
    /// Nothing needs to be known.
    Nothing {
        buckets: u32,
    },
}

impl TextLearner {
    pub(crate) fn new(options: &TextOptions) -> Result<Self, TextError> {
        options.tokens.check()?;
        let seen = match options.buckets {
            None => Seen::Terms { documents: HashMap::new(), bytes: 0 },
            Some(buckets) => {
                Terms::Hashed { buckets }.check()?;
                if options.inverse_document_frequency {
                    Seen::Buckets(vec![(0, 0); buckets as usize])
                } else {
                    Seen::Nothing { buckets }
                }
            }
        };
        Ok(Self { options: options.clone(), words: Words::default(), seen, n_texts: 0 })
    }

    /// Looks at one more text.
    pub(crate) fn look(&mut self, text: &str) -> Result<(), TooManyTerms> {
        self.n_texts += 1;
        let this = self.n_texts;
        let count = |(n, last): &mut Documents| {
            *n += u64::from(*last != this);
            *last = this;
        };
        match &mut self.seen {
            Seen::Terms { documents, bytes } => {
                self.words.read(&self.options.tokens, text);
                for term in self.words.terms(&self.options.tokens.n_grams) {
                    if let Some(entry) = documents.get_mut(term) {
                        count(entry);
                        continue;
                    }
                    *bytes += term.len();
                    if documents.len() >= MOST_CANDIDATES || *bytes > MOST_BYTES {
                        return Err(TooManyTerms { limit: documents.len() });
                    }
                    documents.insert(term.into(), (1, this));
                }
            }
            Seen::Buckets(documents) => {
                let buckets = documents.len() as u32;
                self.words.read(&self.options.tokens, text);
                for term in self.words.terms(&self.options.tokens.n_grams) {
                    count(&mut documents[bucket(term, buckets)]);
                }
            }
            Seen::Nothing { .. } => {}
        }
        Ok(())
    }

    /// Adds what another one has seen, with the same options.
    pub(crate) fn add(&mut self, other: &Self) -> Result<(), TooManyTerms> {
        self.words.counts += other.words.counts;
        // What was last seen of a term before is not of a later text.
        self.n_texts += other.n_texts;
        match (&mut self.seen, &other.seen) {
            (Seen::Terms { documents, bytes }, Seen::Terms { documents: others, .. }) => {
                for (term, (n, _)) in others {
                    if let Some((known, _)) = documents.get_mut(term) {
                        *known += n;
                        continue;
                    }
                    *bytes += term.len();
                    if documents.len() >= MOST_CANDIDATES || *bytes > MOST_BYTES {
                        return Err(TooManyTerms { limit: documents.len() });
                    }
                    documents.insert(term.clone(), (*n, 0));
                }
            }
            (Seen::Buckets(documents), Seen::Buckets(others)) => {
                documents.iter_mut().zip(others).for_each(|((known, _), (n, _))| *known += n);
            }
            _ => {}
        }
        Ok(())
    }

    /// The text without what is learnt from all texts: terms, unless they are hashed, and their weights.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(crate) fn unfinished(&self) -> Text {
        let options = self.options.clone();
        let terms = match options.buckets {
            Some(buckets) => Terms::Hashed { buckets },
            None => Terms::Vocabulary(Vec::new()),
        };
        let weighting = Weighting {
            log_term_frequency: options.log_term_frequency,
            inverse_document_frequency: None,
            normalize_length: options.normalize_length,
        };
        Text { tokens: options.tokens, terms, weighting, fixed: false }
    }

    /// What was learnt.
    pub(crate) fn finish(self) -> Result<Text, TextError> {
        let Self { options, words, seen, n_texts } = self;
        match seen {
            Seen::Terms { documents, .. } => {
                let counts = documents.values().map(|&(n, _)| n);
                let facts = facts(&options, (n_texts, words.counts), counts);
                let documents = documents.into_iter().map(|(term, (n, _))| (term, n));
                let known = vocabulary(documents, &options, || facts)?;
                let (terms, documents) =
                    known.into_iter().map(|(term, n)| (term.into(), n)).unzip::<_, _, Vec<_>, Vec<_>>();
                Ok(text(options, Terms::Vocabulary(terms), n_texts, documents))
            }
            Seen::Buckets(documents) => {
                let buckets = documents.len() as u32;
                let documents = documents.into_iter().map(|(n, _)| n).collect();
                Ok(text(options, Terms::Hashed { buckets }, n_texts, documents))
            }
            Seen::Nothing { buckets } => Ok(text(options, Terms::Hashed { buckets }, n_texts, Vec::new())),
        }
    }
}

/// What was learnt from texts with these terms, and the number of texts that have each.
pub(super) fn text(options: TextOptions, terms: Terms, n_texts: u64, documents: Vec<u64>) -> Text {
    let fixed = options.buckets.is_none() && (options.min_documents > 1 || options.max_terms.is_some());
    let weights = || inverse_document_frequencies(n_texts, documents);
    let weighting = Weighting {
        log_term_frequency: options.log_term_frequency,
        inverse_document_frequency: options.inverse_document_frequency.then(weights),
        normalize_length: options.normalize_length,
    };
    Text { tokens: options.tokens, terms, weighting, fixed }
}

/// What became of the words of texts, whose terms are in these numbers of texts.
pub(super) fn facts(
    options: &TextOptions,
    (n_texts, words): (u64, WordCounts),
    documents: impl Iterator<Item = u64> + Clone,
) -> NoTerms {
    NoTerms {
        texts: n_texts,
        words: words.words,
        short_words: words.short,
        min_chars: options.tokens.min_chars,
        stop_words: words.stopped,
        n_grams: options.tokens.n_grams.clone(),
        distinct_terms: documents.clone().count() as u64,
        max_documents: documents.max().unwrap_or(0),
        min_documents: options.min_documents,
        max_terms: options.max_terms,
    }
}

/// The terms that are kept, by name, each with the number of its texts.
pub(super) fn vocabulary<T: Ord>(
    documents: impl Iterator<Item = (T, u64)>,
    options: &TextOptions,
    facts: impl FnOnce() -> NoTerms,
) -> Result<Vec<(T, u64)>, TextError> {
    let is_known = |n: u64| n >= options.min_documents as u64;
    let mut known: Vec<(T, u64)> = documents.filter(|&(_, n)| is_known(n)).collect();
    known.sort_unstable();
    if let Some(most) = options.max_terms.filter(|&most| most < known.len()) {
        // Stable, so that of equally frequent ones the first by name stay.
        known.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        known.truncate(most);
        known.sort_unstable();
    }
    match known.len() {
        0 => Err(TextError::NoTerms(facts().into())),
        found if found > MOST_TERMS => Err(TextError::TooManyTerms { found }),
        _ => Ok(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 4] = ["b a a", "b c", "d b", "c"];

    fn learn(options: TextOptions) -> Result<Text, TextError> {
        let tokens = Tokens { min_chars: 1, ..options.tokens };
        Text::learn(&TEXTS, &TextOptions { tokens, ..options })
    }

    fn terms(options: TextOptions) -> Vec<String> {
        match learn(options).expect("terms").terms {
            Terms::Vocabulary(terms) => terms,
            Terms::Hashed { .. } => panic!("a vocabulary"),
        }
    }

    #[test]
    fn rare_terms_are_left_out() {
        let options = TextOptions::default();
        assert_eq!(terms(options.clone()), ["a", "b", "c", "d"]);
        assert_eq!(terms(TextOptions { min_documents: 2, ..options.clone() }), ["b", "c"]);
        assert_eq!(terms(TextOptions { max_terms: Some(3), ..options.clone() }), ["a", "b", "c"]);
        assert_eq!(terms(TextOptions { max_terms: Some(1), ..options.clone() }), ["b"]);
        let none = |options| matches!(learn(options), Err(TextError::NoTerms(_)));
        assert!(none(TextOptions { min_documents: 4, ..options.clone() }));
        assert!(none(TextOptions { max_terms: Some(0), ..options }));
    }

    /// `log(n / n_i)`; a bucket that no text has counts as if one had it.
    #[test]
    fn frequencies_are_of_texts() {
        let options = TextOptions { inverse_document_frequency: true, ..TextOptions::default() };
        let weighting = learn(options.clone()).expect("terms").weighting;
        let of = |n: f64| libm::log(4.0 / n);
        assert_eq!(weighting.inverse_document_frequency, Some(vec![of(1.0), of(3.0), of(2.0), of(1.0)]));
        let hashed = learn(TextOptions { buckets: Some(64), ..options }).expect("buckets");
        let frequencies = hashed.weighting.inverse_document_frequency.expect("learnt");
        assert_eq!(frequencies.len(), 64);
        assert_eq!(frequencies[bucket("b", 64)], of(3.0));
        assert_eq!(frequencies.iter().filter(|&&frequency| frequency == of(1.0)).count(), 62);
    }

    #[test]
    fn options_are_checked() {
        let tokens = Tokens { n_grams: 0..=1, ..Tokens::default() };
        assert!(matches!(
            learn(TextOptions { tokens, ..TextOptions::default() }),
            Err(TextError::NGrams { .. })
        ));
        let options = TextOptions { buckets: Some(0), ..TextOptions::default() };
        assert_eq!(learn(options), Err(TextError::Buckets { buckets: 0 }));
    }
}
