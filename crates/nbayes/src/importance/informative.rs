//! Which features tell most about a class.
//!
//! What a feature is expected to add to the log-odds of a row of the class, against the other classes in
//! proportion to their priors: the mean of the Kullback-Leibler divergences `Σ_k w_k KL(p_c ‖ p_k)`. Kullback
//! and Leibler, *On Information and Sufficiency* (1951). It is `E_c[log p_c(x)] - Σ_k w_k E_c[log p_k(x)]`,
//! whose second part needs only means over all classes, so that the work is proportional to the parameters.

use nb_core::Classifier;
use nb_io::{FittedFamily, Schema};
use serde::Serialize;

use super::information;
use crate::model::{first_probabilities, for_each_block};

/// A feature and what it is expected to add to the log-odds.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Informative {
    pub(crate) feature: String,
    pub(crate) log_odds: f64,
}

/// For every class, with these priors, the features that tell most, and how many more features there are that
/// tell something.
pub(crate) fn informative(
    classifier: &Classifier<String, FittedFamily>,
    schema: &Schema,
    weights: &[f64],
    top: usize,
) -> (Vec<Vec<Informative>>, usize) {
    let mut all: Vec<Vec<(usize, f64)>> = vec![Vec::new(); weights.len()];
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            let divergences = divergences(fitted, position, weights);
            for (class, (of_class, divergence)) in all.iter_mut().zip(divergences).enumerate() {
                // The class itself has a divergence of zero, and counts for nothing among the others.
                let others = 1.0 - weights[class];
                if others > 0.0 && divergence > 0.0 {
                    of_class.push((column, divergence / others));
                }
            }
        }
    });
    let more = all.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(top);
    let named = all.into_iter().map(|mut of_class| {
        of_class.sort_by(|a, b| b.1.total_cmp(&a.1));
        let top = of_class.into_iter().take(top);
        top.map(|(column, log_odds)| Informative {
            feature: schema.feature_name(column).unwrap_or_default(),
            log_odds,
        })
        .collect()
    });
    (named.collect(), more)
}

/// The numbers of the columns that tell something, the most informative first: by mutual information, or by
/// what they are expected to add to the log-odds of the class of a row where the family is no distribution.
/// Of equal columns the first comes first. For plain models, whose scores begin with the prior.
pub(crate) fn most_informative(classifier: &Classifier<String, FittedFamily>, schema: &Schema) -> Vec<usize> {
    let weights = first_probabilities(classifier);
    if let Some(ranked) = information::ranked(classifier, schema, &weights) {
        return ranked.into_iter().map(|told| told.feature).collect();
    }
    let mut all: Vec<(f64, usize)> = Vec::new();
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            let divergences = divergences(fitted, position, &weights);
            let classes = divergences.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0);
            let of_class = classes.map(|(divergence, weight)| weight * divergence / (1.0 - weight));
            all.push((of_class.sum(), column));
        }
    });
    all.retain(|(log_odds, _)| *log_odds > 0.0);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.into_iter().map(|(_, column)| column).collect()
}

/// `Σ_k w_k KL(p_c ‖ p_k)` of a column, for every class `c`; zero where the family does not know it.
fn divergences(fitted: &FittedFamily, column: usize, weights: &[f64]) -> Vec<f64> {
    let known = fitted.inspect().and_then(|fitted| fitted.divergences(column, weights));
    known.unwrap_or_else(|| vec![0.0; weights.len()])
}
