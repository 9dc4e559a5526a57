//! One input per column of the table, with its name.

use nb_core::description::Values;

use super::{
    OnnxError, categories,
    graph::{Cells, Graph, Name},
    refused, words,
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
            Kind::Text(text) if words::vocabulary(text).is_some() => Cells::Texts,
            Kind::Text(_) => return Err(OnnxError::Text { column: column.name.clone() }),
            Kind::Dates(_) => return Err(OnnxError::Dates { column: column.name.clone() }),
        };
        graph.input(&column.name, cells, 1);
    }
    let values = refused::values(fitted, schema.n_features());
    let (mut features, mut refused) = (Vec::new(), None);
    // Neighbours are refused together, but terms, which are counted here, need not be looked at.
    let (mut given, mut allowed) = (Vec::new(), Vec::new());
    for (column, range) in schema.columns.iter().zip(schema.feature_ranges()) {
        let cells = match &column.kind {
            Kind::Text(text) => {
                let words =
                    words::values(graph, &column.name, text, words::vocabulary(text).unwrap_or_default());
                refused = Some(graph.sum(refused, words.refused));
                features.push(words.values);
                continue;
            }
            Kind::Categorical { levels } => categories::codes(graph, &column.name, levels, reading),
            Kind::Numeric | Kind::Count | Kind::Dates(_) => column.name.clone(),
        };
        let is_count = matches!(column.kind, Kind::Count);
        allowed.extend(values[range].iter().map(|&values| if is_count { Values::Whole } else { values }));
        given.push(cells.clone());
        features.push(cells);
    }
    if !given.is_empty() {
        let given = beside(graph, &given);
        let rows = refused::rows(graph, &given, &allowed);
        refused = Some(graph.sum(refused, rows));
    }
    let features = beside(graph, &features);
    Ok(Rows { features, refused: refused.unwrap_or_default() })
}

fn beside(graph: &mut Graph, parts: &[Name]) -> Name {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    graph.operator("Concat", &parts, &[("axis", 1)])
}
