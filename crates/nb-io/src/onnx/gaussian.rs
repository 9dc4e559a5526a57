//! The graph of the Gaussian family with a variance per class, which is quadratic.

use nb_core::{FittedGaussian, Missing};

use super::graph::{Graph, Name};

/// `Σ_j -(x_j - μ_cj)² / 2v_cj - ½ log(2πv_cj)`, the difference with both doubles of the mean.
pub(super) fn scores(graph: &mut Graph, fitted: &FittedGaussian, x: &str) -> Name {
    // A column without information has an infinite variance and adds nothing.
    let informative = |variance: f64, value: f64| if variance.is_finite() { value } else { 0.0 };
    let factors = fitted.variances().mapv(|variance| informative(variance, -0.5 / variance));
    let log_norms = fitted
        .variances()
        .mapv(|variance| informative(variance, -0.5 * (std::f64::consts::TAU * variance).ln()));
    let axis = graph.integers(&[1]);
    let rows = graph.operator("Unsqueeze", &[x, &axis], &[]);
    let means = graph.matrix(&fitted.means());
    let rests = graph.matrix(&fitted.mean_rests());
    let difference = graph.operator("Sub", &[&rows, &means], &[]);
    let difference = graph.operator("Sub", &[&difference, &rests], &[]);
    let square = graph.operator("Mul", &[&difference, &difference], &[]);
    let factors = graph.matrix(&factors.view());
    let terms = graph.operator("Mul", &[&square, &factors], &[]);
    let log_norms = graph.matrix(&log_norms.view());
    let mut terms = graph.operator("Add", &[&terms, &log_norms], &[]);
    if fitted.missing() == Missing::Skip {
        terms = graph.zero_where_missing(&rows, &terms);
    }
    let axis = graph.integers(&[2]);
    graph.operator("ReduceSum", &[&terms, &axis], &[("keepdims", 0)])
}
