//! The trees of TAN: which column is the parent of which.

use nb_io::{FittedFamily, Schema};
use serde::Serialize;

use crate::output::{Table, counted};

/// A column of a tree, and the column that it depends on.
#[derive(Serialize)]
pub(super) struct Edge {
    column: String,
    /// `None`: the root.
    parent: Option<String>,
}

/// The columns of all trees, in the order of the model.
pub(super) fn edges(fitted: &FittedFamily, schema: &Schema) -> Vec<Edge> {
    let name = |feature: usize| schema.feature_name(feature).unwrap_or_default();
    let of_tree = |parents: &[Option<usize>], features: &[usize]| -> Vec<Edge> {
        let edge = |(place, parent): (usize, &Option<usize>)| Edge {
            column: name(features[place]),
            parent: parent.map(|parent| name(features[parent])),
        };
        parents.iter().take(features.len()).enumerate().map(edge).collect()
    };
    match fitted {
        FittedFamily::Tan(tan) => of_tree(tan.parents(), &(0..schema.n_features()).collect::<Vec<_>>()),
        FittedFamily::Blocks(blocks) => {
            let trees = blocks.iter().map(|(features, fitted)| match fitted {
                FittedFamily::Tan(tan) => of_tree(tan.parents(), features),
                _ => Vec::new(),
            });
            trees.flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// The trees as a table; `most` columns of them.
pub(super) fn text(edges: &[Edge], most: usize) -> String {
    let mut table = Table::new(["column", "depends on"]);
    for Edge { column, parent } in edges.iter().take(most) {
        table.row([column, parent.as_deref().unwrap_or("the class only")]);
    }
    let rest = edges.len().saturating_sub(most);
    if rest == 0 {
        return table.to_string();
    }
    format!("{table}... and {}; --json shows them\n", counted(rest, "more column", "more columns"))
}
