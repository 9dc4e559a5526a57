//! How much of each of two ways to score is used.

use super::{
    minimise::{PRECISION, divide_by, minimise},
    row_weights::RowWeights,
    sums::{loss, residuals},
};

/// The shares `a, b ≥ 0` that minimise the loss of `log π + a s + b t` on rows that neither was learnt from,
/// with a penalty of one row's worth on their distance from a half: stacking (Wolpert 1992; Breiman 1996,
/// *Stacked regressions*, Machine Learning 24, for the bound). Without both there is the prior, and rows are
/// never less probable than by it.
pub(super) fn shares(
    prior: &[f64],
    ways: [&[f64]; 2],
    labels: &[usize],
    row_weights: RowWeights<'_>,
    n_classes: usize,
) -> [f64; 2] {
    let stacked = |x: &[f64]| -> Vec<f64> {
        prior.iter().zip(ways[0]).zip(ways[1]).map(|((prior, s), t)| prior + x[0] * s + x[1] * t).collect()
    };
    let mut x = vec![0.5; 2];
    let curvature = ways.map(|way| {
        let squares: f64 = way.iter().map(|score| score * score).sum();
        1.0 + 0.25 * squares / n_classes as f64
    });
    minimise(&mut x, 2, PRECISION, divide_by(&curvature), |x, gradient| {
        let mut scores = stacked(x);
        let mut value = residuals(&mut scores, labels, row_weights, n_classes);
        for ((gradient, way), x) in gradient.iter_mut().zip(ways).zip(x) {
            let sum: f64 = scores.iter().zip(way).map(|(residual, score)| residual * score).sum();
            *gradient = sum + (x - 0.5);
            value += 0.5 * (x - 0.5).powi(2);
        }
        value
    });
    // With the penalty it may be that the prior alone is better.
    let loss_of = |scores: &[f64]| loss(scores, labels, row_weights, n_classes);
    if loss_of(&stacked(&x)) < loss_of(prior) { [x[0], x[1]] } else { [0.0; 2] }
}
