//! What columns add together, beside what each feature adds.

use nb_core::{Explanation, Interaction};
use nb_io::{Kind, Schema};
use numpy::ndarray::{Array2, Axis, concatenate};

/// The contributions of features, then those of what columns add together, by class.
pub(crate) fn contributions<L>(explanation: &Explanation<L>) -> Array2<f64> {
    let n_classes = explanation.classes.len();
    let interactions = &explanation.interactions;
    let together = Array2::from_shape_fn((n_classes, interactions.len()), |(class, interaction)| {
        interactions[interaction].contributions[class]
    });
    concatenate![Axis(1), explanation.contributions, together]
}

/// The columns that add something together.
pub(crate) fn columns<L>(explanation: &Explanation<L>) -> Vec<Vec<usize>> {
    explanation.interactions.iter().map(|interaction| interaction.columns.clone()).collect()
}

/// Name and cells of what columns add together: two columns, or a text of which no word is known. `cell` is the cell of a
/// feature in words.
pub(crate) fn described(
    interaction: &Interaction,
    schema: &Schema,
    cell: impl Fn(usize) -> String,
) -> (String, String) {
    let name = |feature: usize| schema.feature_name(feature).unwrap_or_default();
    match *interaction.columns {
        [a, b] if !schema.feature(a).is_some_and(|feature| matches!(feature.kind(), Kind::Text(_))) => {
            (format!("{} × {}", name(a), name(b)), format!("{}, {}", cell(a), cell(b)))
        }
        _ => {
            let first = interaction.columns.first().and_then(|&first| schema.feature(first));
            (first.map(|feature| feature.column.name.clone()).unwrap_or_default(), "no known word".into())
        }
    }
}
