//! Decision rules in graphs.

use super::graph::{Graph, Name};
use nb_calibration::{Decision, DecisionRule};

/// What a graph knows of a row: `n_rows × n_classes` each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posterior<'a> {
    pub(super) scores: &'a str,
    pub(super) log_proba: &'a str,
    pub(super) probabilities: &'a str,
}

/// The numbers of the chosen classes.
pub(super) fn chosen(
    graph: &mut Graph,
    decision: Option<&Decision<String>>,
    posterior: Posterior<'_>,
) -> Name {
    let rule = decision.map_or(&DecisionRule::MostProbable, Decision::rule);
    let best = |graph: &mut Graph, operator: &str, of: &str| {
        graph.operator(operator, &[of], &[("axis", 1), ("keepdims", 0)])
    };
    match rule {
        DecisionRule::MostProbable => best(graph, "ArgMax", posterior.scores),
        DecisionRule::Weights(weights) => {
            let weights: Vec<f64> = weights.iter().map(|weight| libm::log(*weight)).collect();
            let weights = graph.vector(&weights);
            let scores = graph.operator("Add", &[posterior.scores, &weights], &[]);
            best(graph, "ArgMax", &scores)
        }
        DecisionRule::Costs(costs) => {
            let n_classes = costs.len().isqrt();
            // One row for each actual class.
            let transposed: Vec<f64> = (0..costs.len())
                .map(|place| costs[place % n_classes * n_classes + place / n_classes])
                .collect();
            let costs = graph.table([n_classes, n_classes], &transposed);
            let expected = graph.operator("MatMul", &[posterior.probabilities, &costs], &[]);
            best(graph, "ArgMin", &expected)
        }
        DecisionRule::Threshold { positive, threshold } => {
            let n_classes = decision.map_or(0, |decision| decision.classes().len());
            let of_positive: Vec<f64> = (0..n_classes)
                .map(|class| if class == *positive { f64::NEG_INFINITY } else { 0.0 })
                .collect();
            let of_positive = graph.vector(&of_positive);
            let others = graph.operator("Add", &[posterior.scores, &of_positive], &[]);
            let others = best(graph, "ArgMax", &others);
            let positive = graph.integers(&[i64::try_from(*positive).unwrap_or(i64::MAX)]);
            let log_proba = graph.operator("Gather", &[posterior.log_proba, &positive], &[("axis", 1)]);
            let log_proba = flat(graph, &log_proba);
            let threshold = graph.vector(&[libm::log(*threshold)]);
            let is_positive = graph.operator("GreaterOrEqual", &[&log_proba, &threshold], &[]);
            graph.operator("Where", &[&is_positive, &positive, &others], &[])
        }
    }
}

/// The labels, or another one where no class is probable enough.
pub(super) fn with_abstention(
    graph: &mut Graph,
    decision: Option<&Decision<String>>,
    posterior: Posterior<'_>,
    labels: Name,
) -> Name {
    let Some(abstention) = decision.and_then(Decision::abstention) else { return labels };
    let place = graph.operator("ArgMax", &[posterior.probabilities], &[("axis", 1), ("keepdims", 1)]);
    let largest = graph.operator("GatherElements", &[posterior.probabilities, &place], &[("axis", 1)]);
    let largest = flat(graph, &largest);
    let least = graph.vector(&[abstention.min_probability]);
    let is_unsure = graph.operator("Less", &[&largest, &least], &[]);
    let label = graph.text(abstention.label.as_deref().unwrap_or_default());
    graph.operator("Where", &[&is_unsure, &label, &labels], &[])
}

/// A matrix of one column as a vector.
fn flat(graph: &mut Graph, matrix: &str) -> Name {
    let axis = graph.integers(&[1]);
    graph.operator("ReduceSum", &[matrix, &axis], &[("keepdims", 0)])
}
