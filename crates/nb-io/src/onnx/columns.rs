//! One input per column of the table, with its name.

use nb_core::description::Values;

use super::{
    OnnxError, categories,
    graph::{Cells, Graph, Name},
    refused,
};
use crate::{FittedFamily, Kind, Reading, Schema};

/// The rows that the inputs make.
pub(super) struct Rows {
    /// The features, `n_rows × n_features`.
    pub(super) features: Name,
    /// Zero, or NaN for a row that is refused, `n_rows × 1`.
    pub(super) refused: Name,
}

/// Adds an input for each column, and makes the features of them.
pub(super) fn rows(
    graph: &mut Graph,
    schema: &Schema,
    reading: &Reading,
    fitted: &FittedFamily,
) -> Result<Rows, OnnxError> {
    for column in &schema.columns {
        let cells = match &column.kind {
            _ if column.name.is_empty() => return Err(OnnxError::Unnamed),
            Kind::Numeric | Kind::Count => Cells::Numbers,
            Kind::Categorical { .. } => Cells::Texts,
            Kind::Text(_) => return Err(OnnxError::Text { column: column.name.clone() }),
            Kind::Dates(_) => return Err(OnnxError::Dates { column: column.name.clone() }),
        };
        graph.input(&column.name, cells, 1);
    }
    let mut values = refused::values(fitted, schema.n_features());
    let mut features = Vec::with_capacity(schema.columns.len());
    for (column, range) in schema.columns.iter().zip(schema.feature_ranges()) {
        match &column.kind {
            Kind::Categorical { levels } => {
                features.push(categories::codes(graph, &column.name, levels, reading))
            }
            Kind::Count => {
                values[range].fill(Values::Whole);
                features.push(column.name.clone());
            }
            _ => features.push(column.name.clone()),
        }
    }
    let features: Vec<&str> = features.iter().map(String::as_str).collect();
    let features = graph.operator("Concat", &features, &[("axis", 1)]);
    let refused = refused::rows(graph, &features, &values);
    Ok(Rows { features, refused })
}
