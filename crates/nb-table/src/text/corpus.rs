//! Texts that are split into terms once, so that vocabularies of some of them cost no reading.

use std::collections::HashMap;

use super::{
    Terms, Text, TextError, TextOptions, TooManyTerms, bucket,
    learn::{MOST_BYTES, MOST_CANDIDATES, facts, text, vocabulary},
    tokens::{WordCounts, Words},
};

/// Texts with the terms of each, from which vocabularies of any of them are learnt: the folds of a
/// cross-validation read no text again.
///
/// What [`learn`](Self::learn) finds and [`count`](Self::count) counts is exactly what [`Text::learn`] and
/// [`TextCounter`](super::TextCounter) make of the texts themselves. A text is named by its place; `None` is
/// a missing text, which has no terms.
///
/// ```
/// use nb_table::text::{Corpus, Text, TextOptions};
///
/// let texts = ["win a prize", "see you", "you win, you win"];
/// let corpus = Corpus::new(&texts, &TextOptions::default())?;
/// let learnt = corpus.learn([Some(1), Some(2)])?; // see, win, you
/// assert_eq!(*learnt.text(), Text::learn(&texts[1..], &TextOptions::default())?);
///
/// let mut counts = Vec::new();
/// corpus.count(&learnt, Some(0), &mut counts); // "a" and "prize" are not known
/// assert_eq!(counts, [(1, 1.0)]);
/// # Ok::<(), nb_table::text::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    options: TextOptions,
    /// All terms by name; none if they are hashed.
    terms: Vec<String>,
    indptr: Vec<usize>,
    /// For each text its terms, ascending, and how often it has them.
    cells: Vec<(u32, u32)>,
    words: Vec<WordCounts>,
}

/// The terms and weights that some texts of a [`Corpus`] have.
#[derive(Clone, Debug, PartialEq)]
pub struct LearntTerms {
    text: Text,
    /// For each term of the corpus its place among those that are known; empty if terms are hashed.
    places: Vec<Option<u32>>,
}

impl Corpus {
    /// Splits texts into terms.
    ///
    /// # Errors
    /// [`TextError`] if the options make no sense, or there are too many terms.
    pub fn new<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
        options: &TextOptions,
    ) -> Result<Self, TextError> {
        options.tokens.check()?;
        if let Some(buckets) = options.buckets {
            Terms::Hashed { buckets }.check()?;
        }
        let mut terms = Found::default();
        let (mut indptr, mut cells, mut words) = (vec![0], Vec::new(), Vec::new());
        let mut reader = Words::default();
        for text in texts {
            reader.counts = WordCounts::default();
            reader.read(&options.tokens, text.as_ref());
            words.push(reader.counts);
            let first = cells.len();
            for term in reader.terms(&options.tokens.n_grams) {
                let place = match options.buckets {
                    Some(buckets) => bucket(term, buckets) as u32,
                    None => terms.place(term)?,
                };
                cells.push((place, 1));
            }
            add_up(&mut cells, first);
            indptr.push(cells.len());
        }
        let (terms, places) = terms.by_name();
        if options.buckets.is_none() {
            for (term, _) in &mut cells {
                *term = places[*term as usize];
            }
            for ends in indptr.windows(2) {
                cells[ends[0]..ends[1]].sort_unstable();
            }
        }
        Ok(Self { options: options.clone(), terms, indptr, cells, words })
    }

    /// How texts become terms, and which are kept.
    pub fn options(&self) -> &TextOptions {
        &self.options
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The terms of all texts, by name; none if they are hashed.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The number of terms or buckets.
    pub fn n_terms(&self) -> usize {
        self.options.buckets.map_or(self.terms.len(), |buckets| buckets as usize)
    }

    /// The terms or buckets of a text, ascending, and how often it has them; none if there is no such text.
    ///
    /// ```
    /// use nb_table::text::{Corpus, TextOptions};
    ///
    /// let corpus = Corpus::new(["you win, you", "see"], &TextOptions::default())?; // see, win, you
    /// assert_eq!(corpus.counts(0), [(1, 1), (2, 2)]);
    /// # Ok::<(), nb_table::text::TextError>(())
    /// ```
    pub fn counts(&self, place: usize) -> &[(u32, u32)] {
        match self.indptr.get(place..place + 2) {
            Some(&[start, end]) => &self.cells[start..end],
            _ => &[],
        }
    }

    /// The terms and weights that the texts of these places have.
    ///
    /// # Errors
    /// [`TextError`] if they have no term that is kept, or too many.
    pub fn learn(&self, texts: impl IntoIterator<Item = Option<usize>>) -> Result<LearntTerms, TextError> {
        let options = &self.options;
        let mut documents = vec![0_u64; self.n_terms()];
        let (mut words, mut n_texts) = (WordCounts::default(), 0);
        for text in texts {
            n_texts += 1;
            let Some(place) = text.filter(|&place| place < self.len()) else { continue };
            words += self.words[place];
            self.counts(place).iter().for_each(|&(term, _)| documents[term as usize] += 1);
        }
        if let Some(buckets) = options.buckets {
            let text = text(options.clone(), Terms::Hashed { buckets }, n_texts, documents);
            return Ok(LearntTerms { text, places: Vec::new() });
        }
        let seen = || documents.iter().copied().enumerate().filter(|&(_, n)| n > 0);
        let known = vocabulary(seen(), options, || facts(options, (n_texts, words), seen().map(|(_, n)| n)))?;
        let mut places = vec![None; self.terms.len()];
        (0..).zip(&known).for_each(|(place, &(term, _))| places[term] = Some(place));
        let (terms, documents) =
            known.into_iter().map(|(term, n)| (self.terms[term].clone(), n)).unzip::<_, _, Vec<_>, Vec<_>>();
        Ok(LearntTerms { text: text(options.clone(), Terms::Vocabulary(terms), n_texts, documents), places })
    }

    /// Puts the known terms of a text, by increasing place, and their values in the place of what is in
    /// `out`.
    pub fn count(&self, learnt: &LearntTerms, text: Option<usize>, out: &mut Vec<(usize, f64)>) {
        out.clear();
        let cells = text.map_or(&[][..], |place| self.counts(place));
        let place = |term: u32| match self.options.buckets {
            Some(_) => Some(term as usize),
            None => learnt.places.get(term as usize).copied().flatten().map(|place| place as usize),
        };
        out.extend(cells.iter().filter_map(|&(term, n)| Some((place(term)?, f64::from(n)))));
        learnt.text.weighting.apply(out);
    }
}

impl LearntTerms {
    /// What turns other texts into the values of these terms.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The number of terms or buckets.
    pub fn n_terms(&self) -> usize {
        self.text.terms.len()
    }
}

/// Terms in the order in which they were found.
#[derive(Default)]
struct Found {
    places: HashMap<Box<str>, u32>,
    bytes: usize,
}

impl Found {
    fn place(&mut self, term: &str) -> Result<u32, TooManyTerms> {
        if let Some(&place) = self.places.get(term) {
            return Ok(place);
        }
        self.bytes += term.len();
        if self.places.len() >= MOST_CANDIDATES || self.bytes > MOST_BYTES {
            return Err(TooManyTerms { limit: self.places.len() });
        }
        let place = self.places.len() as u32;
        self.places.insert(term.into(), place);
        Ok(place)
    }

    /// The terms by name, and for each in the order in which it was found its place among them.
    fn by_name(self) -> (Vec<String>, Vec<u32>) {
        let mut terms: Vec<(Box<str>, u32)> = self.places.into_iter().collect();
        terms.sort_unstable();
        let mut places = vec![0; terms.len()];
        (0..).zip(&terms).for_each(|(place, &(_, found))| places[found as usize] = place);
        (terms.into_iter().map(|(term, _)| term.into()).collect(), places)
    }
}

/// Sorts the cells from `first` on and makes one of those of the same term.
fn add_up(cells: &mut Vec<(u32, u32)>, first: usize) {
    cells[first..].sort_unstable();
    let mut end = first;
    for place in first..cells.len() {
        let (term, n) = cells[place];
        if end > first && cells[end - 1].0 == term {
            cells[end - 1].1 += n;
        } else {
            cells[end] = (term, n);
            end += 1;
        }
    }
    cells.truncate(end);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Tokens;

    /// Options of which each text is likely to feel each.
    fn options() -> impl Strategy<Value = TextOptions> {
        let tokens = (any::<bool>(), 1..3_usize, 1..3_usize, any::<bool>());
        let kept = (0..4_usize, prop::option::of(0..6_usize), prop::option::of(1..9_u32));
        (tokens, kept, any::<[bool; 3]>()).prop_map(|(tokens, kept, [log, idf, length])| {
            let (lower_case, min_chars, longest, stops) = tokens;
            let (min_documents, max_terms, buckets) = kept;
            let stop_words = if stops { &["a", "be"][..] } else { &[] };
            let tokens = Tokens::default()
                .with_lower_case(lower_case)
                .with_min_chars(min_chars)
                .with_n_grams(1..=longest)
                .with_stop_word_list(stop_words);
            TextOptions::default()
                .with_tokens(tokens)
                .with_min_documents(min_documents)
                .with_max_terms(max_terms)
                .with_buckets(buckets)
                .with_log_term_frequency(log)
                .with_inverse_document_frequency(idf)
                .with_normalize_length(length)
        })
    }

    proptest! {
        /// Whatever the fold: vocabulary, weights and counts are those of its training texts read by themselves.
        #[test]
        fn a_fold_is_learnt_as_from_its_texts_alone(
            texts in prop::collection::vec(prop::option::of("[aAbé 👍]{0,12}"), 1..12),
            is_tested in prop::collection::vec(any::<bool>(), 12),
            options in options(),
        ) {
            // A missing text is one without letters.
            let cells: Vec<&str> = texts.iter().map(|text| text.as_deref().unwrap_or("")).collect();
            let corpus = Corpus::new(&cells, &options).expect("few terms");
            let place = |row: usize| texts[row].is_some().then_some(row);
            let train: Vec<usize> = (0..texts.len()).filter(|&row| !is_tested[row]).collect();
            let own: Vec<&str> = train.iter().map(|&row| cells[row]).collect();
            let (found, expected) = (corpus.learn(train.iter().map(|&row| place(row))), Text::learn(&own, &options));
            let (found, expected) = match (found, expected) {
                (Ok(found), Ok(expected)) => (found, expected),
                (found, expected) => {
                    prop_assert_eq!(found.map(|found| found.text), expected);
                    return Ok(());
                }
            };
            prop_assert_eq!(found.text(), &expected);
            let (mut counter, mut counts, mut of_text) = (expected.counter(), Vec::new(), Vec::new());
            for (row, text) in cells.iter().enumerate() {
                corpus.count(&found, place(row), &mut counts);
                counter.count(text, &mut of_text);
                prop_assert_eq!(&counts, &of_text);
            }
        }
    }

    #[test]
    fn options_are_checked() {
        let error = |options: TextOptions| Corpus::new(["a"], &options).unwrap_err();
        assert_eq!(error(TextOptions::default().with_buckets(Some(0))), TextError::Buckets { buckets: 0 });
        let tokens = Tokens::default().with_n_grams(0..=1);
        assert_eq!(error(TextOptions::default().with_tokens(tokens)), TextError::NGrams { min: 0, max: 1 });
    }

    #[test]
    fn texts_that_do_not_exist_are_missing() {
        let corpus = Corpus::new(["win win", "see"], &TextOptions::default()).unwrap();
        assert_eq!((corpus.len(), corpus.is_empty(), corpus.n_terms()), (2, false, 2));
        assert_eq!(corpus.counts(2), []);
        let idf = TextOptions::default().with_inverse_document_frequency(true);
        let corpus = Corpus::new(["win win", "see"], &idf).unwrap();
        // Two texts, one of which has the term.
        let learnt = corpus.learn([Some(0), Some(7)]).unwrap();
        let mut counts = Vec::new();
        corpus.count(&learnt, Some(0), &mut counts);
        assert_eq!(counts, [(0, 2.0 * libm::log(2.0))]);
        corpus.count(&learnt, None, &mut counts);
        assert_eq!(counts, []);
    }
}
