//! Which features tell most about a class.
//!
//! What a feature is expected to add to the log-odds of a row of the class, against the other classes in proportion to
//! their priors: the mean of the Kullback-Leibler divergences `Σ_k w_k KL(p_c ‖ p_k)`. Kullback and Leibler, *On
//! Information and Sufficiency* (1951). It is `E_c[log p_c(x)] - Σ_k w_k E_c[log p_k(x)]`, whose second part needs only
//! means over all classes, so that the work is proportional to the parameters.

use nb_core::Classifier;
use nb_io::{FittedFamily, Schema};
use ndarray::{ArrayView1, ArrayView2};
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
    let mut all: Vec<Vec<(usize, f64)>> = vec![Vec::new(); weights.len()];
    for_each_block(classifier.likelihood(), schema.n_features(), &mut |columns, fitted| {
        for (position, &column) in columns.iter().enumerate() {
            let divergences = divergences(fitted, position, &weights);
            for (class, (of_class, divergence)) in all.iter_mut().zip(divergences).enumerate() {
                // The class itself has a divergence of zero, and counts for nothing among the others.
                let others = 1.0 - weights[class];
                if others > 0.0 && divergence > 0.0 {
                    of_class.push((column, divergence / others));
                }
            }
        }
    });
    let named = all.into_iter().map(|mut of_class| {
        of_class.sort_by(|a, b| b.1.total_cmp(&a.1));
        let top = of_class.into_iter().take(top);
        top.map(|(column, log_odds)| Telling {
            feature: schema.feature_name(column).unwrap_or_default(),
            log_odds,
        })
        .collect()
    });
    named.collect()
}

/// The numbers of the columns that tell something, the most telling first: by what they are expected to add to the
/// log-odds of the class of a row. Of equal columns the first comes first.
pub(crate) fn most_telling(classifier: &Classifier<String, FittedFamily>, schema: &Schema) -> Vec<usize> {
    let weights: Vec<f64> = classifier.log_prior().iter().map(|log| log.exp()).collect();
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

/// `Σ_k w_k KL(p_c ‖ p_k)` of a column, for every class `c`.
fn divergences(fitted: &FittedFamily, column: usize, weights: &[f64]) -> Vec<f64> {
    match fitted {
        FittedFamily::Gaussian(fitted) => {
            gaussian(&fitted.means().column(column), &fitted.variances().column(column).to_vec(), weights)
        }
        FittedFamily::SharedGaussian(fitted) => gaussian(
            &fitted.means().column(column),
            &vec![fitted.variances()[column]; weights.len()],
            weights,
        ),
        FittedFamily::Categorical(fitted) => {
            let table = fitted.log_probabilities(column);
            table.map_or_else(|| vec![0.0; weights.len()], |table| events(table.rows(), weights))
        }
        FittedFamily::Bernoulli(fitted) => {
            let (ones, zeros) = (fitted.log_probabilities(), fitted.log_complements());
            events([ones.column(column), zeros.column(column)], weights)
        }
        FittedFamily::Multinomial(fitted) => of_column(&fitted.log_probabilities(), column, weights),
        FittedFamily::Poisson(fitted) => {
            // KL = λ (ln λ - ln λ') - λ + λ'.
            let rates = fitted.rates();
            let rates = rates.column(column);
            let mean: f64 = mean(weights, rates.iter().copied());
            let logs = of_column(&fitted.log_rates(), column, weights);
            logs.iter().zip(rates).map(|(log, rate)| log - rate + mean).collect()
        }
        // Scores without a distribution: the difference of the weights for one occurrence.
        FittedFamily::Complement(fitted) => {
            let of_classes = fitted.weights();
            let of_classes = of_classes.column(column);
            let mean = mean(weights, of_classes.iter().copied());
            of_classes.iter().map(|weight| weight - mean).collect()
        }
        _ => vec![0.0; weights.len()],
    }
}

fn of_column(logs: &ArrayView2<'_, f64>, column: usize, weights: &[f64]) -> Vec<f64> {
    events([logs.column(column)], weights)
}

/// The mean over classes; a class without weight counts for nothing, also if its value is infinite.
fn mean(weights: &[f64], values: impl Iterator<Item = f64>) -> f64 {
    let terms = weights.iter().zip(values).filter(|(weight, _)| **weight > 0.0);
    terms.map(|(weight, value)| weight * value).sum()
}

/// `Σ_v p_c(v) (log p_c(v) - Σ_k w_k log p_k(v))` over events `v`, whose logarithms are given for every class.
fn events<'a>(events: impl IntoIterator<Item = ArrayView1<'a, f64>>, weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; weights.len()];
    for logs in events {
        let mean = mean(weights, logs.iter().copied());
        for (sum, &log) in sums.iter_mut().zip(logs) {
            if log > f64::NEG_INFINITY {
                *sum += log.exp() * (log - mean);
            }
        }
    }
    sums
}

/// `Σ_k w_k ½ [ln(v_k / v_c) + (v_c + (μ_c - μ_k)²) / v_k - 1]`.
fn gaussian(means: &ArrayView1<'_, f64>, variances: &[f64], weights: &[f64]) -> Vec<f64> {
    // Means from the middle, so that the squares lose little at large offsets.
    let middle = mean(weights, means.iter().copied());
    let means: Vec<f64> = means.iter().map(|mean| mean - middle).collect();
    let mean = |value: &dyn Fn(usize) -> f64| mean(weights, (0..weights.len()).map(value));
    let log = mean(&|class| variances[class].ln());
    let precision = mean(&|class| 1.0 / variances[class]);
    let first = mean(&|class| means[class] / variances[class]);
    let second = mean(&|class| means[class] * means[class] / variances[class]);
    let classes = means.iter().zip(variances);
    classes
        .map(|(mean, variance)| {
            let squares = (variance + mean * mean) * precision - 2.0 * mean * first + second;
            0.5 * (log - variance.ln() + squares - 1.0)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use ndarray::{array, aview1};

    use super::*;

    #[test]
    fn divergences_of_two_classes() {
        // N(0, 1) against N(2, 1): KL = 2²/2, halved by the weight of the other class.
        let normal = gaussian(&aview1(&[1e6, 1e6 + 2.0]), &[1.0, 1.0], &[0.5, 0.5]);
        assert!(normal.iter().all(|value| (value - 1.0).abs() < 1e-12), "{normal:?}");
        // N(0, 1) against N(0, 4): KL = (ln 4 + 1/4 - 1) / 2.
        let normal = gaussian(&aview1(&[0.0, 0.0]), &[1.0, 4.0], &[0.25, 0.75]);
        assert!((normal[0] - 0.75 * 0.5 * (4.0_f64.ln() - 0.75)).abs() < 1e-12, "{normal:?}");
        let table = array![[0.5_f64, 0.25], [0.5, 0.75]].mapv(f64::ln);
        let coin = events(table.rows(), &[0.5, 0.5]);
        let expected = 0.5 * (0.5 * 2.0_f64.ln() + 0.5 * (2.0 / 3.0_f64).ln());
        assert!((coin[0] - expected).abs() < 1e-15, "{coin:?}");
    }

    #[test]
    fn what_is_impossible_elsewhere_tells_everything() {
        let table = array![[0.0, f64::NEG_INFINITY], [f64::NEG_INFINITY, 0.0]];
        assert_eq!(events(table.rows(), &[0.5, 0.5]), [f64::INFINITY, f64::INFINITY]);
    }
}
