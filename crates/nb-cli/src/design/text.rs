//! How texts become terms, from options.

use std::{collections::BTreeSet, ops::RangeInclusive};

use anyhow::{Context, Result};
use clap::ValueEnum;
use nb_io::{
    TextOptions,
    text::{Segmentation, Tokens, stop_words},
};

/// Options for columns of text.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct TextArgs {
    /// The family of the words of a text.
    #[arg(long, value_enum, default_value_t = TextModel::Multinomial)]
    pub(super) text_model: TextModel,
    /// What a word is.
    #[arg(long, value_enum, default_value_t = Words::Unicode)]
    words: Words,
    /// Keeps capital letters.
    #[arg(long)]
    keep_case: bool,
    /// Shorter words are left out.
    #[arg(long, value_name = "CHARACTERS", default_value_t = 1)]
    min_chars: usize,
    /// How many words make a term: 1, or a range such as 1-2 for words and pairs.
    #[arg(long, value_name = "N", default_value = "1", value_parser = n_grams)]
    n_grams: RangeInclusive<usize>,
    /// Words to leave out: `english`, or a file with one word a line.
    #[arg(long, value_name = "WORDS")]
    stop_words: Option<String>,
    /// Terms that stand in fewer texts are left out.
    #[arg(long, value_name = "TEXTS", default_value_t = 1)]
    min_documents: usize,
    /// Keeps the terms that stand in the most texts, at most so many.
    #[arg(long, value_name = "TERMS")]
    max_terms: Option<usize>,
    /// Hashes the terms into so many buckets, instead of keeping a vocabulary.
    #[arg(long, value_name = "BUCKETS")]
    hash: Option<u32>,
    /// Takes log(1 + count) in place of the count (Rennie et al. 2003, 4.1).
    #[arg(long)]
    log_tf: bool,
    /// Weights terms by the logarithm of how rare they are (4.2).
    #[arg(long)]
    idf: bool,
    /// Divides the row of a text by its length (4.3).
    #[arg(long)]
    normalize_length: bool,
}

/// The family of the words of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextModel {
    /// Counts of words.
    Multinomial,
    /// Counts of words, scored by what the other classes are like.
    Complement,
    /// Whether a word occurs.
    Bernoulli,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Words {
    /// A word in the sense of Unicode (UAX #29): "don't" is one.
    Unicode,
    /// A run of letters and digits: "don't" is two.
    Alphanumeric,
}

fn n_grams(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (min, max) = text.split_once('-').unwrap_or((text, text));
    match (min.trim().parse(), max.trim().parse()) {
        (Ok(min), Ok(max)) if 1 <= min && min <= max => Ok(min..=max),
        _ => Err("it must be a number such as 1, or a range such as 1-2".into()),
    }
}

impl TextArgs {
    /// How texts become terms.
    pub(crate) fn options(&self) -> Result<TextOptions> {
        let stop_words = match self.stop_words.as_deref() {
            None => BTreeSet::new(),
            Some("english") => stop_words::english(),
            Some(path) => {
                let words = std::fs::read_to_string(path);
                let words = words.with_context(|| format!("--stop-words: cannot read {path}"))?;
                words.lines().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
            }
        };
        let segmentation = match self.words {
            Words::Unicode => Segmentation::UnicodeWords,
            Words::Alphanumeric => Segmentation::Alphanumeric,
        };
        Ok(TextOptions {
            tokens: Tokens {
                segmentation,
                lower_case: !self.keep_case,
                min_chars: self.min_chars,
                n_grams: self.n_grams.clone(),
                stop_words,
            },
            min_documents: self.min_documents,
            max_terms: self.max_terms,
            buckets: self.hash,
            log_term_frequency: self.log_tf,
            inverse_document_frequency: self.idf,
            normalize_length: self.normalize_length,
        })
    }
}
