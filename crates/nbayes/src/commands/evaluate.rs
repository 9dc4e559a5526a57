//! `nbayes evaluate`: how good a model is on rows whose labels are known.

mod judge;
mod leave_one_out;
mod tallies;
mod text;
mod unknown_labels;

use std::{num::NonZeroU32, path::PathBuf};

use anyhow::Result;
use nb_metrics::Settings;

use crate::{
    cli::probability,
    data::{Input, ReadArgs},
    model::{is_calibrated_plain, load_classifier},
    output::Screen,
};
pub(super) use judge::{Evaluated, Judge};
use text::text;
pub(super) use unknown_labels::text as unknown_labels_text;

/// Evaluate a model on labelled rows: accuracy, F1, log-loss, Brier score, AUC, calibration, confusion
/// matrix.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes evaluate model.nb test.csv\n  nbayes evaluate model.nb test.csv --json"
)]
pub(crate) struct Evaluate {
    /// The model.
    model: PathBuf,
    /// Data files with labels, held out from training.
    #[arg(required = true)]
    files: Vec<String>,
    /// The column of row weights.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// Largest number of bins of the calibration error; each has at least 10 rows.
    #[arg(long, default_value_t = NonZeroU32::new(15).unwrap_or(NonZeroU32::MIN))]
    bins: NonZeroU32,
    /// Also report the accuracy on the rows whose most probable class has at least this probability, and
    /// their share.
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    min_probability: Option<f64>,
    /// Skip the AUC, which needs memory for every row.
    #[arg(long)]
    no_auc: bool,
    /// Judge each row by the model without it (exact leave-one-out cross-validation). For the rows that the
    /// model was trained on.
    #[arg(long)]
    leave_one_out: bool,
    #[command(flatten)]
    read: ReadArgs,
}

impl Evaluate {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, classifier) = load_classifier(&self.model)?;
        if self.leave_one_out && is_calibrated_plain(&model) {
            screen.note("the calibration stays; --leave-one-out takes rows out of the counts only");
        } else if self.leave_one_out && model.refinement().is_some() {
            screen.note("weights, corrections and bins are those of all rows; --leave-one-out takes rows out of the counts only");
        }
        if self.leave_one_out && model.calibration().is_some() {
            screen.note(
                "the calibration map is that of all rows; --leave-one-out takes rows out of the counts only",
            );
        }
        let judge = Judge {
            model: &model,
            classifier: &classifier,
            read: &self.read,
            weights: self.weights.as_deref(),
            settings: Settings::default().with_n_bins(self.bins).with_keep_scores(!self.no_auc),
            min_probability: self.min_probability,
            leave_one_out: self.leave_one_out,
        };
        let result = judge.of_files(&Input::find_all(&self.files, &self.read, screen)?, screen)?;
        screen.show(&result, || text(&result))
    }
}
