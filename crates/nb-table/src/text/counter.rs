//! Texts to the values of their terms.

use std::collections::HashMap;

use super::{
    Terms, Text, bucket,
    tokens::{Tokens, Words},
    weighting::Weighting,
};

/// Turns texts into the values of their terms, as a [`Text`] says. Made once for many texts: terms are looked
/// up in a table, and nothing is allocated for a text once there was one as long.
#[derive(Clone, Debug)]
pub struct TextCounter {
    tokens: Tokens,
    places: Places,
    weighting: Weighting,
    words: Words,
}

/// Where terms stand.
#[derive(Clone, Debug)]
enum Places {
    Vocabulary(HashMap<Box<str>, usize>),
    Hashed(u32),
}

impl TextCounter {
    /// A counter for texts of this kind.
    ///
    /// ```
    /// use nb_table::{Text, text::TextCounter};
    ///
    /// let mut counts = Vec::new();
    /// TextCounter::new(&Text::hashed(1 << 18)).count("free", &mut counts);
    /// assert_eq!(counts, [(177_507, 1.0)]);
    /// ```
    pub fn new(text: &Text) -> Self {
        let places = match &text.terms {
            Terms::Vocabulary(terms) => {
                let places = terms.iter().enumerate().map(|(place, term)| (term.as_str().into(), place));
                Places::Vocabulary(places.collect())
            }
            Terms::Hashed { buckets } => Places::Hashed(*buckets),
        };
        let (tokens, weighting) = (text.tokens.clone(), text.weighting.clone());
        Self { tokens, places, weighting, words: Words::default() }
    }

    /// Puts the terms of a text that are known, by increasing place, and their values in the place of what is
    /// in `out`.
    ///
    /// ```
    /// let (text, mut counts) = (nb_table::Text::hashed(1 << 18), Vec::new());
    /// text.counter().count("Free, free!", &mut counts);
    /// assert_eq!(counts, [(177_507, 2.0)]);
    /// ```
    pub fn count(&mut self, text: &str, out: &mut Vec<(usize, f64)>) {
        out.clear();
        self.words.read(&self.tokens, text);
        let terms = self.words.terms(&self.tokens.n_grams);
        match &self.places {
            Places::Vocabulary(places) => {
                out.extend(terms.filter_map(|term| places.get(term)).map(|&place| (place, 1.0)));
            }
            Places::Hashed(buckets) => out.extend(terms.map(|term| (bucket(term, *buckets), 1.0))),
        }
        out.sort_unstable_by_key(|&(place, _)| place);
        out.dedup_by(|next, sum| {
            let is_same = next.0 == sum.0;
            sum.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });
        self.weighting.apply(out);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn terms_are_counted(text in "[ab cdE.]{0,60}", hashed: bool, unicode: bool) {
            let tokens = if unicode { Tokens::unicode() } else { Tokens { min_chars: 1, ..Tokens::default() } };
            let tokens = Tokens { n_grams: 1..=2, ..tokens };
            let known = ["a", "a b", "b", "c", "de"].map(String::from).to_vec();
            let terms = if hashed { Terms::Hashed { buckets: 7 } } else { Terms::Vocabulary(known.clone()) };
            let mut expected: BTreeMap<usize, f64> = BTreeMap::new();
            for term in tokens.terms(&text) {
                let place = if hashed { Some(bucket(&term, 7)) } else { known.iter().position(|known| *known == term) };
                if let Some(place) = place {
                    *expected.entry(place).or_default() += 1.0;
                }
            }
            let mut counter = Text { tokens, terms, weighting: Weighting::default(), fixed: false }.counter();
            let mut out = vec![(9, 9.0)];
            counter.count("what a b c was before", &mut out);
            counter.count(&text, &mut out);
            prop_assert_eq!(out, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
