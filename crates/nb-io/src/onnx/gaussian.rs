//! The graph of the Gaussian family with a variance per class, which is quadratic.

use nb_core::{Missing, family::in_units, fitted::FittedGaussian};
use ndarray::Array2;

use super::graph::{Graph, Name};

/// `Σ_j -(x_j - μ_cj)² / 2v_cj - ½ log(2πv_cj)`, the difference with both doubles of the mean.
pub(super) fn scores(graph: &mut Graph, fitted: &FittedGaussian, x: &str) -> Name {
    // A column without information has an infinite variance and adds nothing.
    let informative = |variance: f64, value: f64| if variance.is_finite() { value } else { 0.0 };
    let [means, rests, variances] = fitted.parameters_in_units();
    let factors = variances.mapv(|variance| informative(variance, -0.5 / variance));
    let log_norms = Array2::from_shape_fn(variances.dim(), |(class, column)| {
        let variance = variances[[class, column]];
        let shift = fitted.unit_exponent(column) as f64 * std::f64::consts::LN_2;
        informative(variance, -0.5 * (std::f64::consts::TAU * variance).ln() + shift)
    });
    let axis = graph.integers(&[1]);
    let mut rows = graph.operator("Unsqueeze", &[x, &axis], &[]);
    let units: Vec<i64> = (0..variances.ncols()).map(|column| fitted.unit_exponent(column)).collect();
    if units.iter().any(|&unit| unit != 0) {
        // In two steps, as a power of two may be beyond the largest double.
        for power in [|unit: i64| unit / 2, |unit| unit - unit / 2] {
            let powers: Vec<f64> = units.iter().map(|&unit| in_units(1.0, power(unit))).collect();
            let powers = graph.vector(&powers);
            rows = graph.operator("Mul", &[&rows, &powers], &[]);
        }
    }
    let means = graph.matrix(&means);
    let rests = graph.matrix(&rests);
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
