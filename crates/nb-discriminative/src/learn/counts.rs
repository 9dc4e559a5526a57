//! Contributions of levels to the log-likelihood, of training rows by leave-one-out.

use super::coding::{Coding, Levels};

/// The counts of levels by class, and the smoothed log-probabilities that follow.
///
/// With `n_kc` of the `n_c` rows of class `c` that are not missing at level `k` of `K`, and the pseudo-count `l` of every
/// level, `log p(k | c) = log((n_kc + l) / (n_c + l K))`. Leaving out a row of class `y` with
/// level `k` changes this for its own class alone, to `log((n_ky - 1 + l) / (n_y - 1 + l K))`: exactly what training
/// without the row would give. A missing cell contributes 0.
pub(super) struct Contributions {
    pub(super) n_classes: usize,
    /// `log p(k | c)`, `levels × classes`.
    pub(super) all: Vec<f64>,
    /// The same for a row of class `c` that is itself taken out.
    pub(super) own: Vec<f64>,
    /// The log prior, smoothed so that a class without rows has one.
    pub(super) log_prior: Vec<f64>,
}

impl Contributions {
    pub(super) fn new(coding: &Coding, levels: &Levels, labels: &[usize], n_classes: usize) -> Self {
        let mut counts = vec![0.0; coding.n_all * n_classes];
        for column in &levels.columns {
            for (&level, &label) in column.iter().zip(labels) {
                counts[level as usize * n_classes + label] += 1.0;
            }
        }
        let (mut all, mut own) = (vec![0.0; counts.len()], vec![0.0; counts.len()]);
        for column in 0..coding.starts.len() {
            let n_levels = coding.n_levels[column] as f64;
            let l = pseudo_count(coding.n_levels[column]);
            for class in 0..n_classes {
                let at = |level: usize| level * n_classes + class;
                let total: f64 = coding.of_column(column).map(|level| counts[at(level)]).sum();
                for level in coding.of_column(column) {
                    let count = counts[at(level)];
                    all[at(level)] = libm::log((count + l) / (total + l * n_levels));
                    let rest = (count - 1.0).max(0.0);
                    own[at(level)] = libm::log((rest + l) / ((total - 1.0).max(0.0) + l * n_levels));
                }
            }
        }
        Self { n_classes, all, own, log_prior: log_prior(labels, n_classes) }
    }
}

/// The pseudo-count of each of `n` levels: one row for all of them (Perks 1947).
pub(super) fn pseudo_count(n_levels: usize) -> f64 {
    1.0 / n_levels.max(1) as f64
}

fn log_prior(labels: &[usize], n_classes: usize) -> Vec<f64> {
    let mut counts = vec![1.0 / n_classes as f64; n_classes];
    for &label in labels {
        counts[label] += 1.0;
    }
    counts.iter().map(|count| libm::log(count / (labels.len() as f64 + 1.0))).collect()
}
