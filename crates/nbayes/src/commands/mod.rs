//! The subcommands, one file each.

mod columns;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod datasets;
pub(crate) mod decay;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod forget;
pub(crate) mod import_stats;
pub(crate) mod inspect;
pub(crate) mod merge;
pub(crate) mod plot;
pub(crate) mod predict;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod sql;
pub(crate) mod train;
pub(crate) mod update;

pub(crate) use inspect::{informative::most_informative, parameters::for_each_block};

use std::path::Path;

use anyhow::{Context, Result};
use nb_core::Classifier;
use nb_io::{FittedFamily, Model};

/// Loads a model file.
fn load(path: &Path) -> Result<Model> {
    Ok(Model::load(path)?)
}

/// Loads a model file and reads the classifier off its evidence.
fn load_classifier(path: &Path) -> Result<(Model, Classifier<String, FittedFamily>)> {
    let model = load(path)?;
    let classifier = model.classifier().with_context(|| format!("the model {}", path.display()))?;
    Ok((model, classifier))
}

/// The total weight of the rows behind a model: their number, if they had no weights.
fn weight(model: &Model) -> f64 {
    // From zero: the sum of nothing would be a negative zero.
    model
        .stats()
        .class_weights()
        .iter()
        .map(nb_core::exact::Exact::to_f64)
        .fold(0.0, |sum, weight| sum + weight)
}
