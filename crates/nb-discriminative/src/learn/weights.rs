//! Weights of features by conditional likelihood.

use super::{
    coding::Levels, counts::Contributions, loss::residuals, minimise::minimise, parts::sum_over_rows,
};

/// One weight per feature and one offset per class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights {
    pub(super) of_features: Vec<f64>,
    pub(super) offsets: Vec<f64>,
}

/// The penalty on the squares of offsets, as a share of that on weights: they have a size only so that they are determined.
const OFFSETS: f64 = 0.1;

/// The weights `w ≥ 0` and offsets `b` that minimise `-Σ log p(y | x) + penalty (Σ w² + 0.1 Σ b²) / 2` with
/// `log p(c | x) = log π_c + b_c + Σ_j w_j log p(x_j | c) - log Z` and the contributions that leave out the row itself
/// (Zaidi, Cerquides, Carman and Webb 2013, *Alleviating naive Bayes attribute independence assumption by attribute
/// weighting*, JMLR 14, with their conditional log-likelihood, on leave-one-out contributions).
pub(super) fn weights(
    contributions: &Contributions,
    levels: &Levels,
    labels: &[usize],
    penalty: f64,
) -> Weights {
    let (n_features, n_classes) = (levels.columns.len(), contributions.n_classes);
    let mut x = vec![1.0 / (n_features as f64).sqrt(); n_features];
    x.resize(n_features + n_classes, 0.0);
    let mut curvature = spreads(contributions, levels, labels);
    for curvature in &mut curvature {
        *curvature += penalty;
    }
    let share = 1.0 / n_classes as f64;
    let of_offset = levels.n_rows as f64 * share * (1.0 - share) + OFFSETS * penalty;
    curvature.resize(n_features + n_classes, of_offset);

    minimise(&mut x, n_features, &curvature, |x, gradient| {
        let (of_features, offsets) = x.split_at(n_features);
        let (mut value, sums) = sum_over_rows(levels.n_rows, x.len(), |rows, sums| {
            let labels = &labels[rows.clone()];
            let base = contributions.log_prior.iter().zip(offsets).map(|(prior, offset)| prior + offset);
            let base: Vec<f64> = base.collect();
            let mut scores = base.repeat(rows.len());
            for (column, &weight) in levels.columns.iter().zip(of_features) {
                if weight == 0.0 {
                    continue;
                }
                let rows = column[rows.clone()].iter().zip(labels).zip(scores.chunks_exact_mut(n_classes));
                for ((&level, &label), scores) in rows {
                    let (all, own) = contributions.of(level, label);
                    for (score, term) in scores.iter_mut().zip(all) {
                        *score += weight * term;
                    }
                    scores[label] += weight * (own - all[label]);
                }
            }
            let loss = residuals(&mut scores, labels, n_classes);
            for (column, sum) in levels.columns.iter().zip(&mut *sums) {
                let rows = column[rows.clone()].iter().zip(labels).zip(scores.chunks_exact(n_classes));
                for ((&level, &label), residuals) in rows {
                    let (all, own) = contributions.of(level, label);
                    *sum += residuals.iter().zip(all).map(|(residual, term)| residual * term).sum::<f64>();
                    *sum += residuals[label] * (own - all[label]);
                }
            }
            for residuals in scores.chunks_exact(n_classes) {
                for (sum, residual) in sums[n_features..].iter_mut().zip(residuals) {
                    *sum += residual;
                }
            }
            loss
        });
        for (entry, ((gradient, sum), x)) in gradient.iter_mut().zip(sums).zip(x).enumerate() {
            let penalty = if entry < n_features { penalty } else { OFFSETS * penalty };
            *gradient = sum + penalty * x;
            value += 0.5 * penalty * x * x;
        }
        value
    });
    let offsets = x.split_off(n_features);
    Weights { of_features: x, offsets }
}

/// For each feature the sum over rows of the variance of its contributions over the classes, which is the curvature of
/// the loss where all classes are equally probable.
fn spreads(contributions: &Contributions, levels: &Levels, labels: &[usize]) -> Vec<f64> {
    let n = contributions.n_classes as f64;
    let of_column = |column: &Vec<u32>| {
        let spread = |(&level, &label): (&u32, &usize)| {
            let (all, own) = contributions.of(level, label);
            let terms =
                || all.iter().enumerate().map(|(class, &term)| if class == label { own } else { term });
            let mean = terms().sum::<f64>() / n;
            terms().map(|term| (term - mean).powi(2)).sum::<f64>() / n
        };
        column.iter().zip(labels).map(spread).sum()
    };
    levels.columns.iter().map(of_column).collect()
}

impl Contributions {
    /// What a level says for all classes, and what it says for the class of its own row, which is taken out.
    #[inline]
    fn of(&self, level: u32, label: usize) -> (&[f64], f64) {
        let start = level as usize * self.n_classes;
        (&self.all[start..start + self.n_classes], self.own[start + label])
    }
}

/// What weights add to the logarithms of the prior of rows that they were not learnt from, `n_rows × n_classes`.
pub(super) fn added(weights: &Weights, contributions: &Contributions, levels: &Levels) -> Vec<f64> {
    let n_classes = contributions.n_classes;
    let mut scores = weights.offsets.repeat(levels.n_rows);
    for (column, weight) in levels.columns.iter().zip(&weights.of_features) {
        for (&level, scores) in column.iter().zip(scores.chunks_exact_mut(n_classes)) {
            let start = level as usize * n_classes;
            for (score, term) in scores.iter_mut().zip(&contributions.all[start..]) {
                *score += weight * term;
            }
        }
    }
    scores
}
