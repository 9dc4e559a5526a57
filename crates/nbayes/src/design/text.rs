//! How texts become terms, from options.

use std::{path::Path, str::FromStr};

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use nb_io::{
    TextOptions,
    text::{Emoji, Normalization, Segmentation, Tokens},
};
use serde::{Deserialize, Serialize};

use super::stop_words;
use crate::{failure::usage, output::Screen, words::nearest};

/// Options for columns of text, which a schema file may have as well.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args, Deserialize, Serialize)]
#[command(next_help_heading = "Text")]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is its own switch")]
pub(crate) struct TextArgs {
    /// The model of word counts [default: multinomial].
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    text_model: Option<TextModel>,
    /// How to split text into words [default: unicode].
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Words>,
    /// Unicode normalization of texts, so that a word has one spelling [default: nfkc].
    #[arg(long, value_enum, value_name = "FORM")]
    #[serde(skip_serializing_if = "Option::is_none")]
    normalization: Option<NormalForm>,
    /// Whether emoji are words [default: keep].
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<EmojiChoice>,
    /// Do not convert to lower case.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    keep_case: bool,
    /// Minimum length of a word in characters; 1 keeps single letters and digits [default: 1].
    #[arg(long, value_name = "CHARACTERS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_chars: Option<usize>,
    /// Length of the n-grams: a number, or a range such as 1-2 for words and pairs [default: 1].
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    n_grams: Option<NGrams>,
    /// Stop words: `english`, or a file with one word per line, which is normalised, converted and split
    /// like the texts.
    #[arg(long, value_name = "WORDS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_words: Option<String>,
    /// Minimum document frequency of a term [default: 1].
    #[arg(long, value_name = "TEXTS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_documents: Option<usize>,
    /// Maximum size of the vocabulary: keeps the terms with the highest document frequency.
    #[arg(long, value_name = "TERMS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_terms: Option<usize>,
    /// Hash terms into this number of buckets instead of keeping a vocabulary.
    #[arg(long, value_name = "BUCKETS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<u32>,
    /// Use log(1 + count) in place of the count (Rennie et al. 2003, 4.1).
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    log_tf: bool,
    /// Weight terms by inverse document frequency (4.2).
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    idf: bool,
    /// Divide the counts of a text by their Euclidean norm (4.3).
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    normalize_length: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_off(switch: &bool) -> bool {
    !switch
}

/// The model of word counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TextModel {
    /// Counts of words.
    #[default]
    Multinomial,
    /// Counts of words, scored by complement naive Bayes.
    Complement,
    /// Whether a word occurs.
    Bernoulli,
}

/// How to split text into words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Words {
    /// A word in the sense of Unicode (UAX #29): "don't" is one.
    #[default]
    Unicode,
    /// A run of letters and digits: "don't" is two.
    Alphanumeric,
}

/// A normalization form of Unicode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum NormalForm {
    /// Unicode NFKC, and typographic apostrophes as `'`: composed, decomposed and full-width letters are the
    /// same.
    #[default]
    Nfkc,
    /// Compare characters as they are written.
    None,
}

/// Whether emoji are words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum EmojiChoice {
    /// Each emoji is a word, also with a skin tone, joined to others, or as a flag.
    #[default]
    Keep,
    /// Emoji are ignored like punctuation.
    Drop,
}

/// How many words make a term, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Written", into = "String")]
struct NGrams {
    min: usize,
    max: usize,
}

/// A number may have no quotes around it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "it must be a number such as 1, or a range such as \"1-2\"")]
enum Written {
    Number(usize),
    Text(String),
}

/// The names of the options in files, and what their values may be.
const ALLOWED: [(&str, &str); 14] = [
    ("text_model", "multinomial, complement or bernoulli"),
    ("words", "unicode or alphanumeric"),
    ("normalization", "nfkc or none"),
    ("emoji", "keep or drop"),
    ("keep_case", SWITCH),
    ("min_chars", WHOLE),
    ("n_grams", "a number such as 1, or a range such as \"1-2\""),
    ("stop_words", "\"english\" or the name of a file"),
    ("min_documents", WHOLE),
    ("max_terms", WHOLE),
    ("hash", "a number of buckets, at most 4294967295"),
    ("log_tf", SWITCH),
    ("idf", SWITCH),
    ("normalize_length", SWITCH),
];

const SWITCH: &str = "true or false";
const WHOLE: &str = "a whole number, 0 or more";

impl FromStr for NGrams {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (min, max) = text.split_once('-').unwrap_or((text, text));
        match (min.trim().parse(), max.trim().parse()) {
            (Ok(min), Ok(max)) if 1 <= min && min <= max => Ok(Self { min, max }),
            _ => Err("it must be a number such as 1, or a range such as 1-2".into()),
        }
    }
}

impl TryFrom<Written> for NGrams {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Number(number) => number.to_string().parse(),
            Written::Text(text) => text.parse(),
        }
    }
}

impl From<NGrams> for String {
    fn from(NGrams { min, max }: NGrams) -> Self {
        format!("{min}-{max}")
    }
}

impl TextArgs {
    /// These options, and those of a schema file where there are none of these.
    pub(crate) fn over(&self, file: Self) -> Self {
        let own = self.clone();
        Self {
            text_model: own.text_model.or(file.text_model),
            words: own.words.or(file.words),
            normalization: own.normalization.or(file.normalization),
            emoji: own.emoji.or(file.emoji),
            keep_case: own.keep_case || file.keep_case,
            min_chars: own.min_chars.or(file.min_chars),
            n_grams: own.n_grams.or(file.n_grams),
            stop_words: own.stop_words.or(file.stop_words),
            min_documents: own.min_documents.or(file.min_documents),
            max_terms: own.max_terms.or(file.max_terms),
            hash: own.hash.or(file.hash),
            log_tf: own.log_tf || file.log_tf,
            idf: own.idf || file.idf,
            normalize_length: own.normalize_length || file.normalize_length,
        }
    }

    /// The family of the words.
    pub(super) fn text_model(&self) -> TextModel {
        self.text_model.unwrap_or_default()
    }

    /// Whether the user has chosen how terms are weighted.
    pub(crate) fn is_weighted(&self) -> bool {
        self.log_tf || self.idf || self.normalize_length
    }

    /// Whether the user has chosen how many words make a term.
    pub(crate) fn has_n_grams(&self) -> bool {
        self.n_grams.is_some()
    }

    /// The file of stop words, if there is one.
    pub(crate) fn stop_word_file(&self) -> Option<&Path> {
        self.stop_words.as_deref().filter(|words| !stop_words::is_built_in(words)).map(Path::new)
    }

    /// Whether a family of words is chosen.
    pub(crate) fn has_text_model(&self) -> bool {
        self.text_model.is_some()
    }

    /// The first option that is used, except for the family of words.
    pub(crate) fn used(&self) -> Option<&'static str> {
        let options = [
            (self.words.is_some(), "--words"),
            (self.normalization.is_some(), "--normalization"),
            (self.emoji.is_some(), "--emoji"),
            (self.keep_case, "--keep-case"),
            (self.min_chars.is_some(), "--min-chars"),
            (self.n_grams.is_some(), "--n-grams"),
            (self.stop_words.is_some(), "--stop-words"),
            (self.min_documents.is_some(), "--min-documents"),
            (self.max_terms.is_some(), "--max-terms"),
            (self.hash.is_some(), "--hash"),
            (self.log_tf, "--log-tf"),
            (self.idf, "--idf"),
            (self.normalize_length, "--normalize-length"),
        ];
        options.into_iter().find_map(|(is_used, name)| is_used.then_some(name))
    }

    /// The options as a table of TOML, under the names that schema files have for them.
    pub(crate) fn to_table(&self) -> Result<toml::Table> {
        Ok(toml::Table::try_from(self)?)
    }

    /// Reads them back from the `text_options` of a design.
    ///
    /// # Errors
    /// Names the option, its value and what it may be.
    pub(crate) fn from_table(table: &toml::Table) -> Result<Self> {
        for (key, value) in table {
            let one: toml::Table = [(key.clone(), value.clone())].into_iter().collect();
            if one.try_into::<Self>().is_ok() {
                continue;
            }
            let names = ALLOWED.iter().map(|(name, _)| *name);
            return Err(match ALLOWED.iter().find(|(name, _)| name == key) {
                Some((_, allowed)) => anyhow!("text_options.{key} is {value}, and must be {allowed}"),
                None => anyhow!(
                    "text_options.{key} is no option of texts (there are {}){}",
                    names.clone().collect::<Vec<_>>().join(", "),
                    nearest(key, names)
                ),
            });
        }
        // Each of them is one, so that there is nothing to fail on.
        table.clone().try_into().map_err(|error: toml::de::Error| anyhow!("{}", error.message().trim()))
    }

    /// Refuses options that do not go together.
    fn check(&self) -> Result<()> {
        let of_vocabulary = [
            (self.min_documents.is_some_and(|least| least > 1), "--min-documents"),
            (self.max_terms.is_some(), "--max-terms"),
        ];
        match of_vocabulary.into_iter().find(|(is_used, _)| *is_used) {
            Some((_, option)) if self.hash.is_some() => Err(usage(format!(
                "--hash cannot be used with {option}: hashed terms have no vocabulary from which terms could be left out; leave out \
                 one of the two"
            ))),
            _ => Ok(()),
        }
    }

    /// How texts become terms. Says which stop words have no effect.
    ///
    /// # Errors
    /// If options do not go together, or the stop words cannot be read.
    pub(crate) fn options(&self, screen: Screen) -> Result<TextOptions> {
        self.check()?;
        Ok(self.options_with(self.tokens(screen)?))
    }

    /// The same for words that are known.
    pub(crate) fn options_with(&self, tokens: Tokens) -> TextOptions {
        TextOptions::default()
            .with_tokens(tokens)
            .with_min_documents(self.min_documents.unwrap_or(1))
            .with_max_terms(self.max_terms)
            .with_buckets(self.hash)
            .with_log_term_frequency(self.log_tf)
            .with_inverse_document_frequency(self.idf)
            .with_normalize_length(self.normalize_length)
    }

    fn tokens(&self, screen: Screen) -> Result<Tokens> {
        let segmentation = match self.words.unwrap_or_default() {
            Words::Unicode => Segmentation::UnicodeWords,
            Words::Alphanumeric => Segmentation::Alphanumeric,
        };
        let normalization = match self.normalization.unwrap_or_default() {
            NormalForm::Nfkc => Normalization::Nfkc,
            NormalForm::None => Normalization::None,
        };
        let emoji = match self.emoji.unwrap_or_default() {
            EmojiChoice::Keep => Emoji::Keep,
            EmojiChoice::Drop => Emoji::Drop,
        };
        let tokens = Tokens::default()
            .with_normalization(normalization)
            .with_segmentation(segmentation)
            .with_emoji(emoji)
            .with_lower_case(!self.keep_case)
            .with_min_chars(self.min_chars.unwrap_or(1))
            .with_n_grams(self.n_grams.map_or(1..=1, |NGrams { min, max }| min..=max));
        match &self.stop_words {
            Some(name) => stop_words::add(tokens, name, screen),
            None => Ok(tokens),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_options_have_names_and_values_in_words() {
        let all = TextArgs {
            text_model: Some(TextModel::Bernoulli),
            words: Some(Words::Alphanumeric),
            normalization: Some(NormalForm::None),
            emoji: Some(EmojiChoice::Drop),
            keep_case: true,
            min_chars: Some(2),
            n_grams: Some(NGrams { min: 1, max: 2 }),
            stop_words: Some("english".into()),
            min_documents: Some(3),
            max_terms: Some(4),
            hash: Some(5),
            log_tf: true,
            idf: true,
            normalize_length: true,
        };
        let table = all.to_table().unwrap();
        let mut names = ALLOWED.map(|(name, _)| name);
        names.sort_unstable();
        let mut known: Vec<&str> = table.keys().map(String::as_str).collect();
        known.sort_unstable();
        assert_eq!(known, names);
        assert_eq!(TextArgs::from_table(&table).unwrap(), all);
    }

    #[test]
    fn values_out_of_range_are_named() {
        let error =
            |text: &str| TextArgs::from_table(&toml::from_str(text).unwrap()).unwrap_err().to_string();
        for (text, expected) in [
            ("min_documents = -1", "text_options.min_documents is -1, and must be a whole number, 0 or more"),
            (
                "hash = 5000000000",
                "text_options.hash is 5000000000, and must be a number of buckets, at most 4294967295",
            ),
            ("idf = 1", "text_options.idf is 1, and must be true or false"),
            ("words = 'some'", "text_options.words is \"some\", and must be unicode or alphanumeric"),
            (
                "n_grams = 0",
                "text_options.n_grams is 0, and must be a number such as 1, or a range such as \"1-2\"",
            ),
            ("n_gram = 1", "text_options.n_gram is no option of texts (there are text_model, words, "),
        ] {
            assert!(error(text).starts_with(expected), "{}", error(text));
        }
        assert!(error("n_gram = 1").ends_with("; did you mean \"n_grams\"?"), "{}", error("n_gram = 1"));
        let pairs = TextArgs::from_table(&toml::from_str("n_grams = 2").unwrap()).unwrap();
        assert_eq!(pairs.n_grams, Some(NGrams { min: 2, max: 2 }));
    }
}
