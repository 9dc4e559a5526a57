//! What was learnt, and how good it is on held-out rows.

use super::{Penalty, row_weights::RowWeights};
use crate::Refinement;

/// What was learnt: cut points, and the refinement of naive Bayes on these bins.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Learnt {
    /// The cut points of each column; none for categories.
    pub cuts: Vec<Vec<f64>>,
    /// The pseudo-count of each category or bin that weights were learnt with, by column.
    pub pseudo_counts: Vec<f64>,
    /// Weights and corrections.
    pub refinement: Refinement,
    /// The logarithms of the class probabilities before a row is seen.
    pub log_prior: Vec<f64>,
    /// What was found on the way.
    pub summary: Summary,
    /// What was said of rows that were held out.
    pub held_out: HeldOutPosteriors,
}

/// What was said of rows that were held out, with all that is learnt learnt from other rows: cut points,
/// counts, weights and terms, their penalty, and how much of each is used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeldOutPosteriors {
    /// The rows: all, or some of many.
    pub rows: Vec<usize>,
    /// The part in which each is held out: what is said of it was learnt from the rows that are not of this
    /// part.
    pub parts: Vec<usize>,
    /// Their log-posteriors, one per class for each row.
    pub log_posteriors: Vec<f64>,
}

/// What was found on the way: mean log-losses of rows that were held out, in natural logarithms. If rows have
/// weights, means and shares are weighted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of rows, without those of weight 0.
    pub n_rows: usize,
    /// Of the class prior alone.
    pub of_prior: f64,
    /// Of weighted naive Bayes.
    pub of_weights: f64,
    /// Of the terms alone, with the best penalty; infinite if there are none.
    pub of_terms: f64,
    /// Of both together, with penalty and shares that were chosen without the row.
    pub held_out: f64,
    /// The share of held-out rows whose class is the most probable one.
    pub accuracy: f64,
    /// The share of the rows of the largest class.
    pub majority: f64,
    /// The share of weighted naive Bayes.
    pub generative: f64,
    /// The share of the terms.
    pub discriminative: f64,
    /// The penalty of the terms, if there are any.
    pub penalty: Option<Penalty>,
    /// The ridge penalty of slopes, as a multiple of that of terms.
    pub slope_penalty: Option<f64>,
    /// The penalty of the terms of pairs, if there are pairs.
    pub pair_penalty: Option<Penalty>,
}

/// The share of rows whose own class has the largest score, the first of several.
pub(super) fn accuracy(
    scores: &[f64],
    labels: &[usize],
    row_weights: RowWeights<'_>,
    n_classes: usize,
) -> f64 {
    let rows = scores.chunks_exact(n_classes).zip(labels).enumerate();
    let is_right = |(_, (scores, label)): &(usize, (&[f64], &usize))| {
        let mut best = (0, f64::NEG_INFINITY);
        for (class, &score) in scores.iter().enumerate() {
            if score > best.1 {
                best = (class, score);
            }
        }
        best.0 == **label
    };
    // The sum of no numbers would be a negative zero.
    let right = rows.filter(is_right).fold(0.0, |sum, (row, _)| sum + row_weights.of(row));
    right / row_weights.total(labels.len())
}

/// The share of the rows of the largest class.
pub(super) fn majority(labels: &[usize], row_weights: RowWeights<'_>, n_classes: usize) -> f64 {
    let mut counts = vec![0.0; n_classes];
    for (row, &label) in labels.iter().enumerate() {
        counts[label] += row_weights.of(row);
    }
    counts.into_iter().fold(0.0, f64::max) / row_weights.total(labels.len())
}
