//! The graph of columns that add one number per bin or category and class: lookups.

use ndarray::Array2;

use super::graph::{Graph, Name, Refusal};
use crate::ScoreTable;

/// Adds the scores of a column of `x`, `n_rows × n_classes`.
pub(super) fn scores(graph: &mut Graph, table: &ScoreTable, column: usize, x: &str) -> Result<Name, Refusal> {
    let n_levels = table.levels.len();
    // The levels, then what is none of them, then a missing cell.
    let other = if table.cuts.is_some() { &table.missing } else { &table.other };
    let rows: Vec<&Vec<f64>> = table.levels.iter().chain([other, &table.missing]).collect();
    let values = Array2::from_shape_fn((rows.len(), table.missing.len()), |(row, class)| rows[row][class]);
    if values.iter().any(|value| !value.is_finite()) {
        return Err(Refusal::Impossible(column));
    }
    let cells = graph.columns(x, &[column]);
    let level = match &table.cuts {
        Some(cuts) if cuts.is_empty() => {
            let zero = graph.vector(&[0.0]);
            graph.operator("Mul", &[&cells, &zero], &[])
        }
        // The bin is the number of cuts below the value.
        Some(cuts) => {
            let cuts = graph.vector(cuts);
            let above = graph.operator("Greater", &[&cells, &cuts], &[]);
            let above = graph.as_double(&above);
            let axis = graph.integers(&[1]);
            graph.operator("ReduceSum", &[&above, &axis], &[("keepdims", 1)])
        }
        None => {
            // What is no code is refused elsewhere, but must not be looked up beyond the table.
            let least = graph.vector(&[0.0]);
            let codes = graph.operator("Max", &[&cells, &least], &[]);
            let beyond = graph.vector(&[n_levels as f64]);
            graph.operator("Min", &[&codes, &beyond], &[])
        }
    };
    let is_missing = graph.operator("IsNaN", &[&cells], &[]);
    let missing = graph.vector(&[(n_levels + 1) as f64]);
    let level = graph.operator("Where", &[&is_missing, &missing, &level], &[]);
    let axis = graph.integers(&[1]);
    let level = graph.operator("Squeeze", &[&level, &axis], &[]);
    let level = graph.as_integer(&level);
    let values = graph.matrix(&values.view());
    Ok(graph.operator("Gather", &[&values, &level], &[("axis", 0)]))
}
