//! What a column is expected to add to the log-odds of a row of a class, against all classes in proportion to
//! weights: the mean of the Kullback-Leibler divergences `Σ_k w_k KL(p_c ‖ p_k)`. Kullback and Leibler, *On
//! Information and Sufficiency* (1951). It is `E_c[log p_c(x)] - Σ_k w_k E_c[log p_k(x)]`, whose second part
//! needs only means over all classes, so that the work is proportional to the parameters.

use ndarray::ArrayView1;

/// The mean over classes; a class without weight counts for nothing, also if its value is infinite.
pub(crate) fn mean(weights: &[f64], values: impl Iterator<Item = f64>) -> f64 {
    let terms = weights.iter().zip(values).filter(|(weight, _)| **weight > 0.0);
    terms.map(|(weight, value)| weight * value).sum()
}

/// `Σ_v p_c(v) (log p_c(v) - Σ_k w_k log p_k(v))` over events `v`, whose logarithms are given for every
/// class.
pub fn mean_divergence_of_events<'a>(
    events: impl IntoIterator<Item = ArrayView1<'a, f64>>,
    weights: &[f64],
) -> Vec<f64> {
    let mut sums = vec![0.0; weights.len()];
    for logs in events {
        let mean = mean(weights, logs.iter().copied());
        for (sum, &log) in sums.iter_mut().zip(logs) {
            if log > f64::NEG_INFINITY {
                *sum += libm::exp(log) * (log - mean);
            }
        }
    }
    sums
}

/// `Σ_k w_k ½ [ln(v_k / v_c) + (v_c + (μ_c - μ_k)²) / v_k - 1]` of normal distributions.
pub fn mean_divergence_of_normals(
    means: &ArrayView1<'_, f64>,
    variances: &[f64],
    weights: &[f64],
) -> Vec<f64> {
    // Means from the middle, so that the squares lose little at large offsets.
    let middle = mean(weights, means.iter().copied());
    let means: Vec<f64> = means.iter().map(|mean| mean - middle).collect();
    let mean = |value: &dyn Fn(usize) -> f64| mean(weights, (0..weights.len()).map(value));
    let log = mean(&|class| libm::log(variances[class]));
    let precision = mean(&|class| 1.0 / variances[class]);
    let first = mean(&|class| means[class] / variances[class]);
    let second = mean(&|class| means[class] * means[class] / variances[class]);
    let classes = means.iter().zip(variances);
    classes
        .map(|(mean, variance)| {
            let squares = (variance + mean * mean) * precision - 2.0 * mean * first + second;
            0.5 * (log - libm::log(*variance) + squares - 1.0)
        })
        .collect()
}

/// `Σ_k w_k ∫ p_c(x) (log p_c(x) - log p_k(x)) dx` for each class `c`, by Simpson's rule between neighbouring
/// nodes.
pub fn mean_divergence_of_densities(
    nodes: &[f64],
    log_density: impl Fn(usize, f64) -> f64,
    weights: &[f64],
) -> Vec<f64> {
    let at = |x: f64| -> Vec<f64> {
        let logs: Vec<f64> = (0..weights.len()).map(|class| log_density(class, x)).collect();
        let mean = mean(weights, logs.iter().copied());
        let term = |log: &f64| if *log > f64::NEG_INFINITY { libm::exp(*log) * (log - mean) } else { 0.0 };
        logs.iter().map(term).collect()
    };
    let mut sums = vec![0.0; weights.len()];
    let mut first = nodes.first().map(|&node| at(node)).unwrap_or_default();
    for pair in nodes.windows(2) {
        let (middle, last) = (at(f64::midpoint(pair[0], pair[1])), at(pair[1]));
        let sixth = (pair[1] - pair[0]) / 6.0;
        for (class, sum) in sums.iter_mut().enumerate() {
            *sum += sixth * (first[class] + 4.0 * middle[class] + last[class]);
        }
        first = last;
    }
    sums
}

#[cfg(test)]
mod tests {
    use ndarray::{array, aview1};

    use super::*;

    #[test]
    fn divergences_of_two_classes() {
        // N(0, 1) against N(2, 1): KL = 2²/2, halved by the weight of the other class.
        let normal = mean_divergence_of_normals(&aview1(&[1e6, 1e6 + 2.0]), &[1.0, 1.0], &[0.5, 0.5]);
        assert!(normal.iter().all(|value| (value - 1.0).abs() < 1e-12), "{normal:?}");
        // N(0, 1) against N(0, 4): KL = (ln 4 + 1/4 - 1) / 2.
        let normal = mean_divergence_of_normals(&aview1(&[0.0, 0.0]), &[1.0, 4.0], &[0.25, 0.75]);
        assert!((normal[0] - 0.75 * 0.5 * (4.0_f64.ln() - 0.75)).abs() < 1e-12, "{normal:?}");
        let table = array![[0.5_f64, 0.25], [0.5, 0.75]].mapv(f64::ln);
        let coin = mean_divergence_of_events(table.rows(), &[0.5, 0.5]);
        let expected = 0.5 * (0.5 * 2.0_f64.ln() + 0.5 * (2.0 / 3.0_f64).ln());
        assert!((coin[0] - expected).abs() < 1e-15, "{coin:?}");
    }

    #[test]
    fn densities_are_integrated() {
        let (means, variances) = ([0.0, 3.0], [1.0, 0.25]);
        let log_density = |class: usize, x: f64| {
            let distance = x - means[class];
            -0.5 * (distance * distance / variances[class]
                + libm::log(std::f64::consts::TAU * variances[class]))
        };
        let nodes: Vec<f64> = (-80..=120).map(|tenth| f64::from(tenth) / 10.0).collect();
        let found = mean_divergence_of_densities(&nodes, log_density, &[0.5, 0.5]);
        let expected = mean_divergence_of_normals(&aview1(&means), &variances, &[0.5, 0.5]);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn what_is_impossible_elsewhere_tells_everything() {
        let table = array![[0.0, f64::NEG_INFINITY], [f64::NEG_INFINITY, 0.0]];
        assert_eq!(mean_divergence_of_events(table.rows(), &[0.5, 0.5]), [f64::INFINITY, f64::INFINITY]);
    }
}
