//! `nbayes forget`: rows are taken out.

use anyhow::{Result, anyhow};

use super::update::Change;
use crate::output::Screen;

/// Remove rows from a model (exact unlearning).
///
/// The sums are then those of never having seen the rows. Categories and words that only these rows had stay known, and count in the
/// smoothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  nbayes forget model.nb rows.csv")]
pub(crate) struct Forget {
    #[command(flatten)]
    change: Change,
}

impl Forget {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        self.change.run(
            "removed",
            screen,
            |_| Ok(()),
            |model, evidence| {
                model.subtract(evidence).map_err(|error| anyhow!("{error}. Nothing was written"))
            },
        )
    }
}
