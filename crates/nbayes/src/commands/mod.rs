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
mod model_file;
pub(crate) mod plot;
pub(crate) mod predict;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod sql;
pub(crate) mod train;
pub(crate) mod update;

pub(crate) use inspect::{informative::most_informative, parameters::for_each_block};

use nb_core::{
    Classifier,
    error::{FamilyProblem, FitError},
};
use nb_io::{FittedFamily, Model};

pub(crate) use model_file::limit_memory;
use model_file::{Lock, LockArgs, load, load_classifier, save};

/// The classifier of a model; errors name column and class.
fn fitted(model: &Model) -> anyhow::Result<Classifier<String, FittedFamily>> {
    model.classifier().map_err(|error| {
        let FitError::Family(found) = &error else { return error.into() };
        let class = model.stats().classes().nth(found.class);
        match (class, model.schema().feature(found.column)) {
            (Some(class), Some(feature)) if matches!(found.problem, FamilyProblem::NoData) => {
                let column = &feature.column.name;
                let name = if column.contains(' ') { format!("'{column}'") } else { column.clone() };
                anyhow::anyhow!(
                    "column {column:?} has no values for class {class:?}; leave it out (`--ignore {name}`), or add rows"
                )
            }
            (Some(class), Some(feature)) => {
                anyhow::anyhow!("column {:?}, class {class:?}: {}", feature.name(), found.problem)
            }
            _ => error.into(),
        }
    })
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
