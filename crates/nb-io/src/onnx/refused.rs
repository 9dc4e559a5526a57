//! Rows with values that this library refuses: a graph gives NaN for them.

use nb_core::description::{Inspect, Values};
use nb_linear::ColumnTerm;

use super::graph::{Graph, Name};
use crate::FittedFamily;

/// The values that each column may have.
pub(super) fn values(fitted: &FittedFamily, n_columns: usize) -> Vec<Values> {
    let mut all = vec![Values::Finite; n_columns];
    match fitted {
        FittedFamily::Blocks(blocks) => {
            for (columns, fitted) in blocks.iter() {
                for (&column, values) in columns.iter().zip(values(fitted, columns.len())) {
                    if let Some(out) = all.get_mut(column) {
                        *out = values;
                    }
                }
            }
        }
        FittedFamily::Refined(refined) => return values(refined.fitted(), n_columns),
        fitted => all.fill(fitted.inspect().map_or(Values::Finite, Inspect::values)),
    }
    all
}

/// The values that a column of a linear form may have.
pub(super) fn values_of_term(term: &ColumnTerm) -> Values {
    match term {
        ColumnTerm::Count { .. } => Values::NotNegative,
        ColumnTerm::Categories { .. } => Values::Codes,
        _ => Values::Finite,
    }
}

/// For each row of `x` zero, or NaN if a value does not belong to its column, `n_rows × 1`. Missing cells are
/// left to the families.
pub(super) fn rows(graph: &mut Graph, x: &str, values: &[Values]) -> Name {
    let mut bad = graph.operator("IsInf", &[x], &[]);
    let zero = graph.vector(&[0.0]);
    let is_signed = |values: Values| matches!(values, Values::Real | Values::Finite);
    if values.iter().any(|&values| !is_signed(values)) {
        let of = |wanted: &dyn Fn(Values) -> bool, yes: f64, no: f64| -> Vec<f64> {
            values.iter().map(|&values| if wanted(values) { yes } else { no }).collect()
        };
        let least = |values: &Values| match values {
            values if is_signed(*values) => f64::NEG_INFINITY,
            // The least number above zero.
            Values::Positive => f64::from_bits(1),
            _ => 0.0,
        };
        let least: Vec<f64> = values.iter().map(least).collect();
        let least = graph.vector(&least);
        let is_less = graph.operator("Less", &[x, &least], &[]);
        bad = graph.operator("Or", &[&bad, &is_less], &[]);
        // The part behind the point is below one, so that only whole columns can exceed their limit.
        let limits = graph.vector(&of(&|values| matches!(values, Values::Whole | Values::Codes), 0.0, 1.0));
        let floor = graph.operator("Floor", &[x], &[]);
        let fraction = graph.operator("Sub", &[x, &floor], &[]);
        let is_more = graph.operator("Greater", &[&fraction, &limits], &[]);
        bad = graph.operator("Or", &[&bad, &is_more], &[]);
    }
    let nan = graph.vector(&[f64::NAN]);
    let refused = graph.operator("Where", &[&bad, &nan, &zero], &[]);
    let axis = graph.integers(&[1]);
    graph.operator("ReduceSum", &[&refused, &axis], &[("keepdims", 1)])
}
