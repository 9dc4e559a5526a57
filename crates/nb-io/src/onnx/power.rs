//! The graph of normal distributions after a power or logarithm.

use nb_variants::{FittedTransformed, Transform};

use super::{
    gaussian,
    graph::{Graph, Name},
};

/// `log p(x | class)` without the slopes of the transforms, which are the same for all classes.
pub(super) fn scores(graph: &mut Graph, fitted: &FittedTransformed, x: &str) -> Name {
    let transformed = transformed(graph, fitted, x);
    gaussian::scores(graph, fitted.gaussian(), &transformed)
}

/// The transformed cells; a missing cell stays one.
fn transformed(graph: &mut Graph, fitted: &FittedTransformed, x: &str) -> Name {
    let of_columns =
        |number: fn(&Transform) -> f64| -> Vec<f64> { fitted.transforms().iter().map(number).collect() };
    let centers: Vec<f64> = fitted.units().iter().map(|units| units.center).collect();
    let scales: Vec<f64> = fitted.units().iter().map(|units| units.scale).collect();
    let (centers, scales) = (graph.vector(&centers), graph.vector(&scales));
    let shifted = graph.operator("Sub", &[x, &centers], &[]);
    let u = graph.operator("Div", &[&shifted, &scales], &[]);

    // Box and Cox, and Yeo and Johnson from 0 on.
    let least =
        graph.vector(&of_columns(|transform| if is_signed(transform) { 0.0 } else { f64::NEG_INFINITY }));
    let offsets = graph.vector(&of_columns(|transform| f64::from(u8::from(is_signed(transform)))));
    let above = graph.operator("Max", &[&u, &least], &[]);
    let above = graph.operator("Add", &[&above, &offsets], &[]);
    let above = power(graph, &above, &of_columns(power_above));
    // Yeo and Johnson below.
    let (zero, one) = (graph.vector(&[0.0]), graph.vector(&[1.0]));
    let below = graph.operator("Min", &[&u, &zero], &[]);
    let below = graph.operator("Sub", &[&one, &below], &[]);
    let below = power(graph, &below, &of_columns(|transform| 2.0 - power_above(transform)));
    let below = graph.operator("Neg", &[&below], &[]);

    let limits =
        graph.vector(&of_columns(|transform| if is_signed(transform) { 0.0 } else { f64::NEG_INFINITY }));
    let is_below = graph.operator("Less", &[&u, &limits], &[]);
    let curved = graph.operator("Where", &[&is_below, &below, &above], &[]);
    let straight =
        graph.vector(&of_columns(|transform| f64::from(u8::from(*transform == Transform::Identity))));
    let is_straight = graph.operator("Greater", &[&straight, &zero], &[]);
    let all = graph.operator("Where", &[&is_straight, &u, &curved], &[]);
    let (is_missing, missing) = (graph.operator("IsNaN", &[x], &[]), graph.vector(&[f64::NAN]));
    graph.operator("Where", &[&is_missing, &missing, &all], &[])
}

/// Whether it takes numbers of either sign.
fn is_signed(transform: &Transform) -> bool {
    matches!(transform, Transform::YeoJohnson { .. })
}

fn power_above(transform: &Transform) -> f64 {
    match *transform {
        Transform::Log => 0.0,
        Transform::Identity => 1.0,
        Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => lambda,
    }
}

/// `(base^power - 1) / power`, with the logarithm where the power is 0: `log(base) φ(power log(base))` with
/// `φ(t) = (exp(t) - 1) / t`, by its series near 0.
fn power(graph: &mut Graph, base: &str, powers: &[f64]) -> Name {
    const NEAR_ZERO: f64 = 0.01;
    let log = graph.operator("Log", &[base], &[]);
    let powers = graph.vector(powers);
    let t = graph.operator("Mul", &[&log, &powers], &[]);
    let one = graph.vector(&[1.0]);
    let exponential = graph.operator("Exp", &[&t], &[]);
    let difference = graph.operator("Sub", &[&exponential, &one], &[]);
    let far = graph.operator("Div", &[&difference, &t], &[]);
    let near = (2..=7_u32).rev().fold(one.clone(), |rest, divisor| {
        let divisor = graph.vector(&[f64::from(divisor)]);
        let share = graph.operator("Div", &[&t, &divisor], &[]);
        let term = graph.operator("Mul", &[&share, &rest], &[]);
        graph.operator("Add", &[&one, &term], &[])
    });
    let (size, limit) = (graph.operator("Abs", &[&t], &[]), graph.vector(&[NEAR_ZERO]));
    let is_near = graph.operator("Less", &[&size, &limit], &[]);
    let factor = graph.operator("Where", &[&is_near, &near, &far], &[]);
    graph.operator("Mul", &[&log, &factor], &[])
}
