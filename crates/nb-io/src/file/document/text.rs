//! Columns of texts on the wire: how texts become terms, and what the terms are.

use serde::{Deserialize, Serialize, Serializer};

use super::super::{LoadProblem, codec, doubles::Doubles, payload::Payload};
use crate::text::{Emoji, Normalization, Segmentation, Terms, Text, Tokens, Weighting};

/// The first version of the format that says how texts are normalised and what is done with emoji.
pub(in crate::file) const PREPARED_TEXT_VERSION: u16 = 5;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct TextDocument {
    tokens: TokensDocument,
    terms: TermsDocument,
    weighting: WeightingDocument,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TokensDocument {
    segmentation: SegmentationDocument,
    lower_case: bool,
    min_chars: u64,
    min_words: u64,
    max_words: u64,
    stop_words: Vec<String>,
    /// Since version 5, for all texts of a file or for none.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "itself")]
    normalization: Option<NormalizationDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "itself")]
    emoji: Option<EmojiDocument>,
}

/// The fields that all versions have, in a payload.
#[derive(Deserialize)]
struct FirstTokensDocument {
    segmentation: SegmentationDocument,
    lower_case: bool,
    min_chars: u64,
    min_words: u64,
    max_words: u64,
    stop_words: Vec<String>,
}

/// A field without a mark that it is there.
#[expect(clippy::ref_option, reason = "serde wants it so")]
fn itself<T: Serialize, S: Serializer>(field: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    match field {
        Some(value) => value.serialize(serializer),
        None => serializer.serialize_none(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum NormalizationDocument {
    None,
    Nfkc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum EmojiDocument {
    Drop,
    Keep,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum SegmentationDocument {
    Alphanumeric,
    UnicodeWords,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum TermsDocument {
    Vocabulary(Vec<String>),
    Hashed { buckets: u32 },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WeightingDocument {
    log_term_frequency: bool,
    inverse_document_frequency: Option<Doubles>,
    normalize_length: bool,
}

impl TextDocument {
    /// Of a text, whose `fixed` is said by the kind of the column; with what is said since version 5 or
    /// without.
    pub(super) fn of(Text { tokens, terms, weighting, fixed: _ }: &Text, is_prepared: bool) -> Self {
        let normalization = match tokens.normalization {
            Normalization::None => NormalizationDocument::None,
            Normalization::Nfkc => NormalizationDocument::Nfkc,
        };
        let emoji = match tokens.emoji {
            Emoji::Drop => EmojiDocument::Drop,
            Emoji::Keep => EmojiDocument::Keep,
        };
        Self {
            tokens: TokensDocument {
                segmentation: match tokens.segmentation {
                    Segmentation::Alphanumeric => SegmentationDocument::Alphanumeric,
                    Segmentation::UnicodeWords => SegmentationDocument::UnicodeWords,
                },
                lower_case: tokens.lower_case,
                min_chars: tokens.min_chars as u64,
                min_words: *tokens.n_grams.start() as u64,
                max_words: *tokens.n_grams.end() as u64,
                stop_words: tokens.stop_words.iter().cloned().collect(),
                normalization: is_prepared.then_some(normalization),
                emoji: is_prepared.then_some(emoji),
            },
            terms: match terms {
                Terms::Vocabulary(terms) => TermsDocument::Vocabulary(terms.clone()),
                Terms::Hashed { buckets } => TermsDocument::Hashed { buckets: *buckets },
            },
            weighting: WeightingDocument {
                log_term_frequency: weighting.log_term_frequency,
                inverse_document_frequency: weighting.inverse_document_frequency.clone().map(Doubles),
                normalize_length: weighting.normalize_length,
            },
        }
    }

    /// The next text in the payload of a file of this version.
    pub(in crate::file) fn read(version: u16, payload: &mut Payload<'_>) -> Result<Self, LoadProblem> {
        fn next<T: serde::de::DeserializeOwned>(payload: &mut Payload<'_>) -> Result<T, LoadProblem> {
            codec::next(payload, "the schema")
        }
        let tokens: FirstTokensDocument = next(payload)?;
        let is_prepared = version >= PREPARED_TEXT_VERSION;
        let normalization = if is_prepared { Some(next(payload)?) } else { None };
        let emoji = if is_prepared { Some(next(payload)?) } else { None };
        let FirstTokensDocument { segmentation, lower_case, min_chars, min_words, max_words, stop_words } =
            tokens;
        let tokens = TokensDocument {
            segmentation,
            lower_case,
            min_chars,
            min_words,
            max_words,
            stop_words,
            normalization,
            emoji,
        };
        Ok(Self { tokens, terms: next(payload)?, weighting: next(payload)? })
    }

    /// Whether it says what is said since version 5.
    pub(super) fn is_prepared(&self) -> bool {
        self.tokens.normalization.is_some() || self.tokens.emoji.is_some()
    }

    /// About as many bytes as its terms take.
    pub(super) fn size(&self) -> usize {
        let TermsDocument::Vocabulary(terms) = &self.terms else { return 0 };
        let weights = self.weighting.inverse_document_frequency.as_ref();
        terms.iter().map(|term| term.len() + 8).sum::<usize>()
            + weights.map_or(0, |weights| 8 * weights.0.len())
    }

    /// The text, which is yet to be checked.
    pub(super) fn into_text(self, fixed: bool) -> Text {
        let Self { tokens, terms, weighting } = self;
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Text {
            tokens: Tokens {
                normalization: match tokens.normalization {
                    None | Some(NormalizationDocument::None) => Normalization::None,
                    Some(NormalizationDocument::Nfkc) => Normalization::Nfkc,
                },
                emoji: match tokens.emoji {
                    None | Some(EmojiDocument::Drop) => Emoji::Drop,
                    Some(EmojiDocument::Keep) => Emoji::Keep,
                },
                segmentation: match tokens.segmentation {
                    SegmentationDocument::Alphanumeric => Segmentation::Alphanumeric,
                    SegmentationDocument::UnicodeWords => Segmentation::UnicodeWords,
                },
                lower_case: tokens.lower_case,
                min_chars: number(tokens.min_chars),
                n_grams: number(tokens.min_words)..=number(tokens.max_words),
                stop_words: tokens.stop_words.into_iter().collect(),
            },
            terms: match terms {
                TermsDocument::Vocabulary(terms) => Terms::Vocabulary(terms),
                TermsDocument::Hashed { buckets } => Terms::Hashed { buckets },
            },
            weighting: Weighting {
                log_term_frequency: weighting.log_term_frequency,
                inverse_document_frequency: weighting
                    .inverse_document_frequency
                    .map(|frequencies| frequencies.0),
                normalize_length: weighting.normalize_length,
            },
            fixed,
        }
    }
}
