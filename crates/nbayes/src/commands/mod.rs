//! The subcommands, one file each.

mod answers;
pub(crate) mod calibrate;
pub(crate) mod column_names;
mod columns;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod datasets;
pub(crate) mod decay;
pub(crate) mod decide;
mod decision_words;
pub(crate) mod evaluate;
pub(crate) mod explain;
mod fitted;
pub(crate) mod forget;
pub(crate) mod import_stats;
pub(crate) mod importance;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod merge;
mod model_file;
pub(crate) mod plot;
pub(crate) mod predict;
pub(crate) mod profile;
pub(crate) mod refit;
pub(crate) mod report;
pub(crate) mod sample;
pub(crate) mod schema;
mod seen;
pub(crate) mod split;
pub(crate) mod sql;
pub(crate) mod train;
mod unfamiliar;
pub(crate) mod update;
mod whole_counts;

pub(crate) use inspect::{informative::most_informative, parameters::for_each_block};

use nb_io::Model;

use fitted::fitted;
pub(crate) use model_file::limit_memory;
use model_file::{Lock, LockArgs, load, load_classifier, save};

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

/// A probability of the command line.
fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("it must be a number from 0 to 1".into()),
    }
}
