//! `nbayes decay`: old evidence counts less.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::refit;
use crate::{
    failure::usage,
    model::{Lock, LockArgs, load},
    output::{Screen, exact},
};

/// Down-weight past data (exponential forgetting).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes decay model.nb --factor 0.99")]
pub(crate) struct Decay {
    /// The model; it is replaced unless --output is given.
    model: PathBuf,
    /// The factor, above 0; powers of two are exact.
    #[arg(long, allow_negative_numbers = true)]
    factor: f64,
    /// The output file.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    lock: LockArgs,
}

#[derive(Serialize)]
struct Decayed {
    weight_before: f64,
    weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_from_rows: Option<u64>,
    output: PathBuf,
}

impl Decay {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if self.factor <= 0.0 {
            return Err(usage(format!("the factor is {}, and must be above 0", self.factor)));
        }
        let output = self.output.clone().unwrap_or_else(|| self.model.clone());
        let lock = Lock::of(&output, self.lock, screen)?;
        let mut model = load(&self.model)?;
        let before = crate::model::weight(&model);
        model.scale(self.factor)?;
        lock.save(&model)?;
        let result = Decayed {
            weight_before: before,
            weight: crate::model::weight(&model),
            weights_from_rows: refit::weights_from_rows(&model),
            output,
        };
        screen.report(&result, || {
            let Decayed { weight_before, weight, output, .. } = &result;
            let (before, now) = (exact(*weight_before), exact(*weight));
            let text = format!("total weight {before} is now {now}; wrote {}", output.display());
            text + &refit::hint(&model, output)
        })
    }
}
