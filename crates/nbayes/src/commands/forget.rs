//! `nbayes forget`: rows are taken out.

use anyhow::{Result, anyhow};
use nb_io::{MergeError, RemovalError};

use super::update::Change;
use crate::output::Screen;

/// Remove rows from a model (exact unlearning).
///
/// The model is then that of never having seen the rows: categories and words that only they had go, too.
/// What was learnt from the rows beside counts stays: bins, weights and corrections, rounded ranges of
/// numbers, and the frequencies of --idf.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes forget model.nb rows.csv")]
pub(crate) struct Forget {
    #[command(flatten)]
    change: Change,
    /// Take the sums of the rows out even if the fingerprint of the rows of the model says that they were
    /// never added. The model then has no fingerprint.
    #[arg(long)]
    force: bool,
}

impl Forget {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        self.change.run(
            "removed",
            screen,
            |model| {
                if self.force {
                    *model = model.clone().with_row_fingerprint(None);
                }
                Ok(())
            },
            |model, evidence| {
                model.forget(evidence).map_err(|error| {
                    let force = match error {
                        MergeError::Removal(RemovalError::NotAdded) => {
                            ", or take their sums out all the same (--force)"
                        }
                        _ => "",
                    };
                    anyhow!("{error}{force}. Nothing was written")
                })
            },
        )
    }
}
