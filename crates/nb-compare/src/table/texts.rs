//! Columns of texts, whose terms are those of the training rows.

use std::sync::Arc;

use nb_io::text::{Corpus, Emoji, Normalization, Segmentation, TextError, TextOptions};

use crate::Kind;

impl Kind {
    /// Texts, of which a cell is the position.
    ///
    /// ```
    /// use nb_compare::{Column, Kind, Table};
    /// use nb_io::text::TextOptions;
    /// use ndarray::array;
    ///
    /// let texts = ["win a prize", "see you", "you win", "see me"];
    /// let columns = vec![
    ///     Column { name: "message".into(), kind: Kind::texts(texts, &TextOptions::default())? },
    ///     Column { name: "length".into(), kind: Kind::Numeric },
    /// ];
    /// let x = array![[0.0, 11.0], [1.0, 7.0], [2.0, 7.0], [3.0, 6.0]];
    /// let table = Table::new("messages", columns, x, vec!["ham".into(), "spam".into()], vec![1, 0, 1, 0])?;
    /// assert_eq!(table.n_features(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError`] if the options make no sense, or there are too many terms.
    pub fn texts<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
        options: &TextOptions,
    ) -> Result<Self, TextError> {
        Ok(Self::Text { texts: Arc::new(Corpus::new(texts, options)?) })
    }

    /// Whether it is one of texts.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text { .. })
    }
}

/// Writes everything that a method can see of texts, for a checksum: what their words are shows in their
/// terms.
pub(super) fn write(texts: &Corpus, bytes: &mut Vec<u8>) {
    let options = texts.options();
    let numbers = [
        options.min_documents as u64,
        options.max_terms.map_or(u64::MAX, |most| most as u64),
        options.buckets.map_or(u64::MAX, u64::from),
        u64::from(options.log_term_frequency),
        u64::from(options.inverse_document_frequency),
        u64::from(options.normalize_length),
        texts.len() as u64,
        texts.terms().len() as u64,
    ];
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    for term in texts.terms() {
        bytes.extend((term.len() as u64).to_le_bytes());
        bytes.extend(term.as_bytes());
    }
    for text in 0..texts.len() {
        let counts = texts.counts(text);
        bytes.extend((counts.len() as u64).to_le_bytes());
        bytes.extend(counts.iter().flat_map(|(term, n)| [term.to_le_bytes(), n.to_le_bytes()].concat()));
    }
}

/// How texts become numbers, in words.
pub(crate) fn described(options: &TextOptions) -> String {
    let tokens = &options.tokens;
    let mut parts = vec![match tokens.segmentation {
        Segmentation::UnicodeWords => "words of Unicode (UAX #29)".to_owned(),
        Segmentation::Alphanumeric => "runs of letters and digits".to_owned(),
    }];
    parts.push(if tokens.lower_case { "in lower case" } else { "with their case" }.to_owned());
    if tokens.normalization == Normalization::None {
        parts.push("not normalised".into());
    }
    if tokens.emoji == Emoji::Drop {
        parts.push("without emoji".into());
    }
    if tokens.min_chars > 1 {
        parts.push(format!("of {} or more characters", tokens.min_chars));
    }
    match tokens.stop_words.len() {
        0 => {}
        1 => parts.push("without 1 stop word".into()),
        n => parts.push(format!("without {n} stop words")),
    }
    match (*tokens.n_grams.start(), *tokens.n_grams.end()) {
        (1, 1) => {}
        (min, max) if min == max => parts.push(format!("in n-grams of {min}")),
        (min, max) => parts.push(format!("in n-grams of {min} to {max}")),
    }
    match options.buckets {
        Some(1) => parts.push("hashed into 1 bucket".into()),
        Some(buckets) => parts.push(format!("hashed into {buckets} buckets")),
        None => {
            if options.min_documents > 1 {
                parts.push(format!("those in {} or more training texts", options.min_documents));
            }
            match options.max_terms {
                None => {}
                Some(1) => parts.push("the one in most training texts".into()),
                Some(most) => parts.push(format!("the {most} in most training texts")),
            }
        }
    }
    let weights = [
        (options.log_term_frequency, "log(1 + count)"),
        (options.inverse_document_frequency, "inverse document frequency"),
        (options.normalize_length, "Euclidean length 1"),
    ];
    let weights: Vec<&str> = weights.into_iter().filter_map(|(is_on, what)| is_on.then_some(what)).collect();
    if !weights.is_empty() {
        parts.push(format!("weighted by {}", weights.join(", ")));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use nb_io::text::Tokens;

    use super::*;

    #[test]
    fn settings_are_said_in_words() {
        let plain = TextOptions::default();
        assert_eq!(described(&plain), "runs of letters and digits, in lower case, of 2 or more characters");
        let tokens = Tokens::unicode()
            .with_lower_case(false)
            .with_n_grams(1..=2)
            .with_emoji(Emoji::Drop)
            .with_normalization(Normalization::None)
            .with_stop_word_list(["the", "a"]);
        let options =
            plain.with_tokens(tokens).with_min_documents(3).with_max_terms(Some(100)).with_transforms();
        assert_eq!(
            described(&options),
            "words of Unicode (UAX #29), with their case, not normalised, without emoji, without 2 stop words, in n-grams of 1 to \
             2, those in 3 or more training texts, the 100 in most training texts, weighted by log(1 + count), inverse document \
             frequency, Euclidean length 1"
        );
        let hashed =
            TextOptions::default().with_buckets(Some(64)).with_tokens(Tokens::unicode().with_n_grams(2..=2));
        assert_eq!(
            described(&hashed),
            "words of Unicode (UAX #29), in lower case, in n-grams of 2, hashed into 64 buckets"
        );
    }

    #[test]
    fn checksums_see_terms_and_settings() {
        let bytes = |texts: &[&str], options: &TextOptions| {
            let mut bytes = Vec::new();
            write(&Corpus::new(texts, options).unwrap(), &mut bytes);
            bytes
        };
        let plain = TextOptions::default();
        let known = bytes(&["you win", "see"], &plain);
        assert_eq!(bytes(&["You -- WIN!", "see"], &plain), known);
        let pairs = plain.clone().with_tokens(Tokens::default().with_n_grams(1..=2));
        for other in [
            bytes(&["you win you", "see"], &plain),
            bytes(&["you", "win see"], &plain),
            bytes(&["you win", "see"], &pairs),
            bytes(&["you win", "see"], &plain.clone().with_min_documents(2)),
            bytes(&["you win", "see"], &plain.with_inverse_document_frequency(true)),
        ] {
            assert_ne!(other, known);
        }
    }
}
