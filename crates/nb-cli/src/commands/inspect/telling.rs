//! Which features tell most about a class.
//!
//! What a feature is expected to add to the log-odds of a row of the class, against the other classes in proportion to
//! their priors: the mean of the Kullback-Leibler divergences `Σ_k w_k KL(p_c ‖ p_k)`. Kullback and Leibler, *On
//! Information and Sufficiency* (1951).

use nb_core::Classifier;
use nb_io::{FittedFamily, Schema};
use ndarray::ArrayView2;
use serde::Serialize;

use super::parameters::for_each_block;

/// A feature and what it is expected to add to the log-odds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Telling {
    pub(super) feature: String,
    pub(super) log_odds: f64,
}

/// For every class the features that tell most.
pub(super) fn telling(
    classifier: &Classifier<String, FittedFamily>,
    schema: &Schema,
    top: usize,
) -> Vec<Vec<Telling>> {
    let weights: Vec<f64> = classifier.log_prior().iter().map(|log| log.exp()).collect();
    let mut all: Vec<Vec<Telling>> = vec![Vec::new(); weights.len()];
    for_each_block(classifier.likelihood(), schema.columns.len(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            for (class, of_class) in all.iter_mut().enumerate() {
                let mean = weighted_mean(&weights, class, |other| divergence(fitted, position, class, other));
                of_class.push(Telling { feature: schema.columns[column].name.clone(), log_odds: mean });
            }
        }
    });
    for of_class in &mut all {
        of_class.retain(|telling| telling.log_odds > 0.0);
        of_class.sort_by(|a, b| b.log_odds.total_cmp(&a.log_odds));
        of_class.truncate(top);
    }
    all
}

/// The numbers of the columns that tell something, the most telling first: by what they are expected to add to the
/// log-odds of the class of a row. Of equal columns the first comes first.
pub(crate) fn most_telling(classifier: &Classifier<String, FittedFamily>, schema: &Schema) -> Vec<usize> {
    let weights: Vec<f64> = classifier.log_prior().iter().map(|log| log.exp()).collect();
    let mut all: Vec<(f64, usize)> = Vec::new();
    for_each_block(classifier.likelihood(), schema.columns.len(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            let of_class = |class: usize| {
                weights[class]
                    * weighted_mean(&weights, class, |other| divergence(fitted, position, class, other))
            };
            let classes = (0..weights.len()).filter(|&class| weights[class] > 0.0);
            all.push((classes.map(of_class).sum(), column));
        }
    });
    all.retain(|(log_odds, _)| *log_odds > 0.0);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.into_iter().map(|(_, column)| column).collect()
}

/// The mean over the other classes.
fn weighted_mean(weights: &[f64], class: usize, value: impl Fn(usize) -> f64) -> f64 {
    let others = (0..weights.len()).filter(|&other| other != class && weights[other] > 0.0);
    let (sum, total) = others.fold((0.0, 0.0), |(sum, total), other| {
        (sum + weights[other] * value(other), total + weights[other])
    });
    if total > 0.0 { sum / total } else { 0.0 }
}

/// `KL(p_a ‖ p_b)` of a column: what it is expected to add to the log-odds of `a` against `b` in a row of `a`.
fn divergence(fitted: &FittedFamily, column: usize, a: usize, b: usize) -> f64 {
    match fitted {
        FittedFamily::Gaussian(fitted) => {
            let (means, variances) = (fitted.means(), fitted.variances());
            gaussian(means[[a, column]] - means[[b, column]], variances[[a, column]], variances[[b, column]])
        }
        FittedFamily::SharedGaussian(fitted) => {
            let (means, variance) = (fitted.means(), fitted.variances()[column]);
            gaussian(means[[a, column]] - means[[b, column]], variance, variance)
        }
        FittedFamily::Categorical(fitted) => {
            let table = fitted.log_probabilities(column);
            table.map_or(0.0, |table| table.rows().into_iter().map(|row| term(row[a], row[b])).sum())
        }
        FittedFamily::Bernoulli(fitted) => {
            let (ones, zeros) = (fitted.log_probabilities(), fitted.log_complements());
            of_matrix(&ones, column, a, b) + of_matrix(&zeros, column, a, b)
        }
        FittedFamily::Multinomial(fitted) => of_matrix(&fitted.log_probabilities(), column, a, b),
        FittedFamily::Poisson(fitted) => {
            let (rates, logs) = (fitted.rates(), fitted.log_rates());
            let (rate, other) = (rates[[a, column]], rates[[b, column]]);
            if rate == 0.0 { other } else { rate * (logs[[a, column]] - logs[[b, column]]) - rate + other }
        }
        // A score without a distribution: the difference of the weights for one occurrence.
        FittedFamily::Complement(fitted) => {
            let weights = fitted.weights();
            weights[[a, column]] - weights[[b, column]]
        }
        _ => 0.0,
    }
}

fn gaussian(difference: f64, variance: f64, other: f64) -> f64 {
    0.5 * ((other / variance).ln() + (variance + difference * difference) / other - 1.0)
}

fn of_matrix(logs: &ArrayView2<'_, f64>, column: usize, a: usize, b: usize) -> f64 {
    term(logs[[a, column]], logs[[b, column]])
}

/// `p ln(p / q)` from the logarithms.
fn term(p: f64, q: f64) -> f64 {
    if p == f64::NEG_INFINITY { 0.0 } else { p.exp() * (p - q) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divergences() {
        assert_eq!(gaussian(0.0, 2.0, 2.0), 0.0);
        assert_eq!(gaussian(2.0, 1.0, 1.0), 2.0);
        assert_eq!(term(f64::NEG_INFINITY, -1.0), 0.0);
        assert_eq!(term(-1.0, f64::NEG_INFINITY), f64::INFINITY);
        assert_eq!(weighted_mean(&[0.5, 0.25, 0.25], 0, |other| other as f64), 1.5);
    }
}
