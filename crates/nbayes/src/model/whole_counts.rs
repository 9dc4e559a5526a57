//! Hierarchical smoothing takes whole counts, and not every change of a model keeps them whole.

use anyhow::{Result, bail};
use nb_core::FeatureModel;
use nb_io::{Family, Model};

use crate::output::short;

/// Refuses a model with hierarchical smoothing and shares of rows, of which no classifier can be made.
pub(crate) fn check(model: &Model) -> Result<()> {
    let Some(count) = first_share(model) else { return Ok(()) };
    bail!(
        "hierarchical smoothing (`--sweeps`) takes whole counts, and one would be {}; change the model by whole weights, or train it with additive \
         smoothing. Nothing was written",
        short(count)
    );
}

/// The first count that is no whole number, in blocks with hierarchical smoothing.
fn first_share(model: &Model) -> Option<f64> {
    let n_features = model.schema().n_features();
    let blocks: Vec<(&Family, usize)> = match model.family() {
        Family::Blocks(blocks) => blocks.iter().map(|(features, family)| (family, features.len())).collect(),
        family => vec![(family, n_features)],
    };
    let mut first = 0;
    let mut parts = Vec::new();
    for (family, n_columns) in blocks {
        let n_parts = family.layout(n_columns).ok()?.parts.len();
        if family.variant().is_some_and(|variant| variant.hierarchical().is_some()) {
            parts.extend(first..first + n_parts);
        }
        first += n_parts;
    }
    let counts = model.stats().class_sums().flat_map(|sums| {
        parts
            .iter()
            .filter_map(|&part| sums.get(part))
            .flat_map(|sums| (0..sums.len()).map(|place| sums.get(place).to_f64()))
    });
    counts.into_iter().find(|count| count.fract() != 0.0)
}
