//! `nbayes merge`: the evidence of several models as one.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use super::{Lock, LockArgs, load, refit};
use crate::output::{Screen, counted};

/// Merge models that were trained on different rows (same result as training once on all of them).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes merge monday.nb tuesday.nb -o week.nb")]
pub(crate) struct Merge {
    /// The models. Hyper-parameters and prior are those of the first.
    #[arg(required = true, num_args = 2..)]
    models: Vec<PathBuf>,
    /// The file for the merged model.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    lock: LockArgs,
}

#[derive(Serialize)]
struct Merged {
    models: usize,
    weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_from_rows: Option<u64>,
    output: PathBuf,
}

impl Merge {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let Some((first, rest)) = self.models.split_first() else { return Ok(()) };
        // The file may be one of the models.
        let lock = Lock::of(&self.output, self.lock, screen)?;
        let mut merged = load(first)?;
        for path in rest {
            let names = || format!("{} cannot be merged with {}", path.display(), first.display());
            merged.merge(&load(path)?).with_context(names)?;
        }
        lock.save(&merged)?;
        let result = Merged {
            models: self.models.len(),
            weight: super::weight(&merged),
            weights_from_rows: refit::weights_from_rows(&merged),
            output: self.output.clone(),
        };
        screen.report(&result, || {
            let text = format!(
                "merged {} models, {} in all, into {}",
                result.models,
                counted(result.weight, "row", "rows"),
                result.output.display()
            );
            text + &refit::hint(&merged, &result.output)
        })
    }
}
