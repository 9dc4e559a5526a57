//! Columns of texts on the wire: how texts become terms, and what the terms are.

use serde::{Deserialize, Serialize};

use super::super::doubles::Doubles;
use crate::text::{Segmentation, Terms, Text, Tokens, Weighting};

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
    /// Of a text, whose `fixed` is said by the kind of the column.
    pub(super) fn of(Text { tokens, terms, weighting, fixed: _ }: &Text) -> Self {
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
