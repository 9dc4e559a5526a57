//! The graph of columns that add one number per bin or category and class: lookups, and products for lines
//! beside bins.

use ndarray::Array2;

use super::graph::{Graph, Name, Refusal};
use crate::ScoreTable;

/// Adds the scores of a column of `x`, `n_rows × n_classes`.
pub(super) fn scores(graph: &mut Graph, table: &ScoreTable, column: usize, x: &str) -> Result<Name, Refusal> {
    let n_levels = table.levels.len();
    // The levels, then any other value, then a missing cell.
    let other = if table.cuts.is_some() { &table.missing } else { &table.other };
    let rows: Vec<&Vec<f64>> = table.levels.iter().chain([other, &table.missing]).collect();
    let values = Array2::from_shape_fn((rows.len(), table.missing.len()), |(row, class)| rows[row][class]);
    if values.iter().any(|value| !value.is_finite()) {
        return Err(Refusal::Impossible(column));
    }
    let cells = graph.columns(x, &[column]);
    let level = match &table.cuts {
        // The bin is the number of cuts below the value.
        Some(cuts) => graph.cuts_below(&cells, cuts),
        None => graph.code_up_to(&cells, n_levels),
    };
    let is_missing = graph.operator("IsNaN", &[&cells], &[]);
    let missing = graph.vector(&[(n_levels + 1) as f64]);
    let level = graph.operator("Where", &[&is_missing, &missing, &level], &[]);
    let axis = graph.integers(&[1]);
    let level = graph.operator("Squeeze", &[&level, &axis], &[]);
    let level = graph.as_integer(&level);
    let values = graph.matrix(&values.view());
    let steps = graph.operator("Gather", &[&values, &level], &[("axis", 0)]);
    let Some(line) = &table.line else { return Ok(steps) };
    let [low, high, center, per_unit] =
        [&[line.low][..], &[line.high], &[line.center], &line.per_unit].map(|values| graph.vector(values));
    let within = graph.operator("Max", &[&cells, &low], &[]);
    let within = graph.operator("Min", &[&within, &high], &[]);
    let distance = graph.operator("Sub", &[&within, &center], &[]);
    let distance = graph.zero_where_missing(&cells, &distance);
    let slopes = graph.operator("Mul", &[&distance, &per_unit], &[]);
    Ok(graph.operator("Add", &[&steps, &slopes], &[]))
}
