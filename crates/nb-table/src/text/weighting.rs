//! What replaces the counts of terms in a row.

use super::TextError;
use crate::with::with_fields;

/// What replaces the counts of terms in a row: the transforms of Rennie, Shih, Teevan and Karger (2003),
/// *Tackling the poor assumptions of naive Bayes text classifiers*, section 4, in their order. Without any of
/// them it is the counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weighting {
    /// Whether a count `d` becomes `log(1 + d)` (their 4.1): a term that came once comes more easily again.
    pub log_term_frequency: bool,
    /// If values are multiplied by `log(n / n_i)`, with `n` texts of which `n_i` have the term (their 4.2):
    /// these logarithms, one per term. Frequent terms then say less.
    /// [Learnt](inverse_document_frequencies) once and kept with the model.
    pub inverse_document_frequency: Option<Vec<f64>>,
    /// Whether the values of a row are divided by their Euclidean length (their 4.3), so that long texts
    /// count as much as short ones. Terms that the model does not know have no part in it.
    pub normalize_length: bool,
}

/// # Options
impl Weighting {
    with_fields! {
        with_log_term_frequency log_term_frequency: bool;
        with_inverse_document_frequency inverse_document_frequency: Option<Vec<f64>>;
        with_normalize_length normalize_length: bool;
    }
}

impl Weighting {
    /// Weights the counts of a text, by term; what becomes zero is left out.
    pub(super) fn apply(&self, counts: &mut Vec<(usize, f64)>) {
        if self.log_term_frequency {
            for (_, value) in counts.iter_mut() {
                *value = libm::log1p(*value);
            }
        }
        if let Some(frequencies) = &self.inverse_document_frequency {
            for (term, value) in counts.iter_mut() {
                *value *= frequencies.get(*term).copied().unwrap_or(1.0);
            }
            counts.retain(|&(_, value)| value != 0.0);
        }
        if self.normalize_length {
            let length = counts.iter().map(|&(_, value)| value * value).sum::<f64>().sqrt();
            // Values whose squares are no doubles stay as they are.
            let divisor = if length > 0.0 { length } else { 1.0 };
            for (_, value) in counts.iter_mut() {
                *value /= divisor;
            }
        }
    }

    pub(super) fn check(&self, n_terms: usize) -> Result<(), TextError> {
        /// 2^100: the square of its product with any count is a double.
        const LARGEST: f64 = 1_267_650_600_228_229_401_496_703_205_376.0;
        let Some(frequencies) = &self.inverse_document_frequency else { return Ok(()) };
        if frequencies.len() != n_terms {
            return Err(TextError::Frequencies { expected: n_terms, found: frequencies.len() });
        }
        match frequencies.iter().position(|frequency| !(0.0..=LARGEST).contains(frequency)) {
            Some(term) => Err(TextError::Frequency { term }),
            None => Ok(()),
        }
    }
}

/// `log(n / n_i)` for `n` texts of which `n_i` have term `i`; a term that none of them has counts as if one
/// had it.
///
/// ```
/// use nb_table::text::inverse_document_frequencies;
///
/// assert_eq!(inverse_document_frequencies(4, [4, 2, 1, 0]), [0.0, 2_f64.ln(), 4_f64.ln(), 4_f64.ln()]);
/// ```
pub fn inverse_document_frequencies(n_texts: u64, documents: impl IntoIterator<Item = u64>) -> Vec<f64> {
    let n_texts = n_texts.max(1) as f64;
    // The quotient is at least one: rounding cannot make a logarithm negative.
    let documents = documents.into_iter().map(|n| (n.max(1) as f64).min(n_texts));
    documents.map(|n| libm::log(n_texts / n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted(weighting: &Weighting, counts: &[f64]) -> Vec<f64> {
        let mut cells = counts.iter().copied().enumerate().collect();
        weighting.apply(&mut cells);
        cells.into_iter().map(|(_, value)| value).collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-15 * expected, "{found} is not {expected}");
        }
    }

    #[test]
    fn each_transform_is_a_switch() {
        let counts = [3.0, 4.0, 1.0];
        let plain = Weighting::default();
        assert_eq!(weighted(&plain, &counts), counts);
        // log(1 + 3), log(1 + 4), log(1 + 1)
        let log = Weighting { log_term_frequency: true, ..plain.clone() };
        assert_near(&weighted(&log, &counts), &[4_f64.ln(), 5_f64.ln(), 2_f64.ln()]);
        let idf = Weighting { inverse_document_frequency: Some(vec![0.5, 0.0, 2.0]), ..plain.clone() };
        assert_eq!(weighted(&idf, &counts), [1.5, 2.0]);
        let length = Weighting { normalize_length: true, ..plain };
        assert_eq!(weighted(&length, &counts[..2]), [0.6, 0.8]);
        assert_eq!(weighted(&length, &[]), [0.0; 0]);
        let all = Weighting { log_term_frequency: true, normalize_length: true, ..idf };
        let (a, b) = (0.5 * 4_f64.ln(), 2.0 * 2_f64.ln());
        assert_near(&weighted(&all, &counts), &[a / a.hypot(b), b / a.hypot(b)]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |frequencies: &[f64]| {
            let inverse_document_frequency = Some(frequencies.to_vec());
            Weighting { inverse_document_frequency, ..Weighting::default() }.check(2)
        };
        assert_eq!(check(&[0.0, 40.0]), Ok(()));
        assert_eq!(check(&[0.0]), Err(TextError::Frequencies { expected: 2, found: 1 }));
        for wrong in [-1.0, f64::NAN, f64::INFINITY, 1e31] {
            assert_eq!(check(&[0.0, wrong]), Err(TextError::Frequency { term: 1 }));
        }
    }
}
