//! Texts as columns of a model: a column of texts spans one column of the model for each of its terms.
//!
//! ```text
//! text ──Tokens──▶ terms ──Terms──▶ places and counts ──Weighting──▶ places and values
//! ```
//!
//! A [`Text`] says how; a [`TextCounter`], made once, does it. What is learnt from texts (the vocabulary and
//! the inverse document frequencies) is part of the [`Schema`](crate::Schema) and stored with the model.
//!
//! The transforms are those of Rennie, Shih, Teevan and Karger (2003), *Tackling the poor assumptions of
//! naive Bayes text classifiers*, each its own switch.

mod characters;
mod corpus;
mod counter;
mod emoji;
mod learn;
mod no_terms;
mod normalization;
pub mod stop_words;
mod terms;
mod tokens;
mod weighting;

pub use characters::Characters;
pub use corpus::{Corpus, LearntTerms};
pub use counter::TextCounter;
pub use emoji::Emoji;
pub(crate) use learn::TextLearner;
pub use learn::{TextOptions, TooManyTerms};
pub use no_terms::{NoTerms, NoTermsCause};
pub use normalization::Normalization;
pub use terms::{MOST_TERMS, Terms, bucket};
pub use tokens::{LONGEST_N_GRAM, Segmentation, Tokens};
pub use weighting::{Weighting, inverse_document_frequencies};

use crate::read::SparseTable;

/// How the texts of a column become numbers: what their terms are, which of them the model knows, and how
/// they count.
///
/// ```
/// use nb_table::text::{Text, TextOptions};
///
/// let text = Text::learn(&["win a prize", "see you", "you win, you win"], &TextOptions::default())?;
/// let mut counter = text.counter();
/// let mut counts = Vec::new();
/// counter.count("You! You win nothing", &mut counts); // prize, see, win, you
/// assert_eq!(counts, [(2, 1.0), (3, 2.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// How a text becomes terms.
    pub tokens: Tokens,
    /// Which terms there are.
    pub terms: Terms,
    /// What replaces the counts of terms in a row.
    pub weighting: Weighting,
    /// Whether the vocabulary stays as it is because it was restricted ([`TextOptions::min_documents`],
    /// [`TextOptions::max_terms`]): which terms all texts together would leave in it cannot be said later.
    pub fixed: bool,
}

/// What keeps a text from being turned into numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// Terms of no words, of too many, or of none between two bounds.
    #[error("terms of {min} to {max} words; ask for 1 to {LONGEST_N_GRAM}, the smaller number first")]
    NGrams {
        /// The fewest words.
        min: usize,
        /// The most words.
        max: usize,
    },
    /// No bucket, or too many.
    #[error("{buckets} buckets; ask for 1 to {MOST_TERMS}")]
    Buckets {
        /// The number of buckets.
        buckets: u32,
    },
    /// The texts have no terms, or none that is kept.
    #[error(transparent)]
    NoTerms(Box<NoTerms>),
    /// The vocabulary is a list without terms.
    #[error("the vocabulary has no terms; give it at least one, or hash the terms")]
    EmptyVocabulary,
    /// More terms than a model can have.
    #[error(
        "{found} terms, more than the limit of {MOST_TERMS}; ask for terms of more documents or for the most frequent \
         ones, or hash them"
    )]
    TooManyTerms {
        /// How many there are.
        found: usize,
    },
    /// More terms than can be counted.
    #[error(transparent)]
    TooManyCandidates(#[from] TooManyTerms),
    /// The vocabulary is not in the order of the names.
    #[error("the vocabulary has {term:?} twice or out of order; sort it and drop duplicates")]
    Order {
        /// The first term that does not come after the one before it.
        term: String,
    },
    /// There is not one inverse document frequency per term.
    #[error("{found} inverse document frequencies for {expected} terms; give one per term")]
    Frequencies {
        /// The number of terms.
        expected: usize,
        /// The number of inverse document frequencies.
        found: usize,
    },
    /// An inverse document frequency that is none.
    #[error("the inverse document frequency of term {term} (counted from 0) is not a number from 0 to 2^100")]
    Frequency {
        /// The term.
        term: usize,
    },
}

impl Text {
    /// The words of a text (see [`Tokens::default`]), hashed into this many buckets and counted. Nothing is
    /// learnt, so that models of different files merge as they are.
    ///
    /// ```
    /// use nb_table::text::Text;
    ///
    /// let text = Text::hashed(1 << 18);
    /// assert_eq!(text.count(&["Free!"]).indices(), [177507]);
    /// ```
    pub fn hashed(buckets: u32) -> Self {
        Self {
            tokens: Tokens::default(),
            terms: Terms::Hashed { buckets },
            weighting: Weighting::default(),
            fixed: false,
        }
    }

    /// Whether terms of further texts can be added to the vocabulary, as it was not
    /// [restricted](Self::fixed). A model is then that of all texts together, except inverse document
    /// frequencies, which stay ([`with_vocabulary`](Self::with_vocabulary)).
    ///
    /// ```
    /// use nb_table::{Text, TextOptions};
    ///
    /// let options = TextOptions::default();
    /// assert!(Text::learn(&["free prize"], &options)?.can_grow());
    /// assert!(!Text::learn(&["free prize"], &options.with_max_terms(Some(1)))?.can_grow());
    /// # Ok::<(), nb_table::text::TextError>(())
    /// ```
    pub fn can_grow(&self) -> bool {
        matches!(self.terms, Terms::Vocabulary(_)) && !self.fixed
    }

    /// The same with another vocabulary, in the order of the terms. Terms that both have keep their inverse
    /// document frequency, and new ones have that of the rarest term: `log n` if it was in one of the `n`
    /// texts, as most vocabularies have such terms.
    ///
    /// ```
    /// use nb_table::{Text, TextOptions};
    ///
    /// let options = TextOptions::default().with_inverse_document_frequency(true);
    /// let text = Text::learn(&["free prize", "free call"], &options)?; // call, free, prize
    /// let text = text.with_vocabulary(["free", "gift"].map(String::from).to_vec());
    /// assert_eq!(text.weighting.inverse_document_frequency, Some(vec![0.0, 2_f64.ln()]));
    /// # Ok::<(), nb_table::text::TextError>(())
    /// ```
    #[must_use]
    pub fn with_vocabulary(&self, terms: Vec<String>) -> Self {
        let mut weighting = self.weighting.clone();
        if let (Terms::Vocabulary(known), Some(frequencies)) =
            (&self.terms, &self.weighting.inverse_document_frequency)
        {
            let rarest = frequencies.iter().copied().fold(0.0, f64::max);
            let of = |term: &String| known.binary_search(term).map_or(rarest, |place| frequencies[place]);
            weighting.inverse_document_frequency = Some(terms.iter().map(of).collect());
        }
        Self { terms: Terms::Vocabulary(terms), weighting, ..self.clone() }
    }

    /// The terms and weights that some texts have.
    ///
    /// ```
    /// use nb_table::{Text, TextOptions};
    ///
    /// let options = TextOptions::default().with_min_documents(2);
    /// let text = Text::learn(&["free prize", "a free call", "call me"], &options)?;
    /// assert_eq!((text.terms.name(0).as_deref(), text.terms.len()), (Some("call"), 2)); // and "free"
    /// # Ok::<(), nb_table::text::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError`] if the options make no sense, or no terms or too many are left.
    pub fn learn<T: AsRef<str>>(texts: &[T], options: &TextOptions) -> Result<Self, TextError> {
        let mut learner = TextLearner::new(options)?;
        for text in texts {
            learner.look(text.as_ref())?;
        }
        learner.finish()
    }

    /// What turns many texts into counts.
    ///
    /// ```
    /// let (text, mut counts) = (nb_table::Text::hashed(1 << 18), Vec::new());
    /// text.counter().count("Free, free!", &mut counts);
    /// assert_eq!(counts, [(177_507, 2.0)]);
    /// ```
    pub fn counter(&self) -> TextCounter {
        TextCounter::new(self)
    }

    /// The rows of some texts, `n_texts × n_terms`. Terms that are not known are left out.
    ///
    /// ```
    /// use nb_table::text::{Text, TextOptions};
    ///
    /// let text = Text::learn(&["see you", "you win"], &TextOptions::default())?; // see, win, you
    /// let rows = text.count(&["You see", "unknown"]);
    /// assert_eq!((rows.indptr(), rows.indices()), ([0, 2, 2].as_slice(), [0, 2].as_slice()));
    /// # Ok::<(), nb_table::text::TextError>(())
    /// ```
    pub fn count<T: AsRef<str>>(&self, texts: &[T]) -> SparseTable {
        let mut counter = self.counter();
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut counts = Vec::new();
        for text in texts {
            counter.count(text.as_ref(), &mut counts);
            indices.extend(counts.iter().map(|&(term, _)| term));
            values.extend(counts.iter().map(|&(_, value)| value));
            indptr.push(indices.len());
        }
        SparseTable::from_sorted(self.terms.len(), indptr, indices, values)
    }

    /// Refuses settings that make no sense.
    ///
    /// ```
    /// assert!(nb_table::Text::hashed(0).check().is_err());
    /// ```
    ///
    /// # Errors
    /// [`TextError`] names the first thing that is wrong.
    pub fn check(&self) -> Result<(), TextError> {
        self.tokens.check()?;
        self.terms.check()?;
        self.weighting.check(self.terms.len())
    }
}
