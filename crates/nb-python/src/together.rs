//! What columns add together, beside what each feature adds.

use nb_core::Explanation;
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
