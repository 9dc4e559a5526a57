//! What `nbayes refit` says when it is done.

use std::path::PathBuf;

use nb_io::{HeldOutMeasures, ModelRefinement};
use nb_train::{InSums, LossChange};
use serde::Serialize;

use super::super::train::report::HeldOutReport;
use crate::output::{Head, Table, counted, exact, measure};

/// From this share on, nearly all rows are meant: it is an estimate.
const NEARLY_ALL: f64 = 0.95;

/// Weights and corrections before and now.
#[derive(Serialize)]
pub(super) struct Refitted {
    output: PathBuf,
    #[serde(flatten)]
    rows: Counts,
    before: Before,
    held_out: HeldOutReport,
    /// Whether the model had a calibration map, which was learnt for the weights of before.
    calibration_removed: bool,
}

/// Which rows there are.
#[derive(Serialize)]
pub(super) struct Counts {
    /// The number of rows that were given, added or not.
    #[serde(rename = "rows")]
    pub(super) given: usize,
    /// How many of them were added to the sums.
    #[serde(rename = "added_rows")]
    pub(super) added: usize,
    /// Whether they are all in the sums.
    #[serde(rename = "seen_in_sums", serialize_with = "share")]
    pub(super) in_sums: InSums,
    /// The weight of all rows of the sums.
    pub(super) weight: f64,
}

/// The share of the rows that is known to be in the sums.
fn share<S: serde::Serializer>(in_sums: &InSums, serializer: S) -> Result<S::Ok, S::Error> {
    let share = match in_sums {
        InSums::Share(share) => Some(*share),
        _ => None,
    };
    share.serialize(serializer)
}

/// What the model said of the weights that it had.
#[derive(Serialize)]
struct Before {
    #[serde(flatten)]
    measures: HeldOutMeasures,
    /// The number of rows that they were learnt from.
    rows: u64,
    /// The log-loss of the rows that are held out now, which they may have been learnt from.
    log_loss_of_rows: Option<f64>,
}

impl Refitted {
    pub(super) fn new(
        output: PathBuf,
        rows: Counts,
        before: &ModelRefinement,
        held_out: HeldOutReport,
        change: Option<LossChange>,
        calibration_removed: bool,
    ) -> Self {
        let log_loss_of_rows = change.map(|change| change.before).filter(|loss| loss.is_finite());
        let before = Before { measures: before.held_out, rows: before.n_rows, log_loss_of_rows };
        Self { output, rows, before, held_out, calibration_removed }
    }

    pub(super) fn text(&self) -> String {
        let Self { output, rows, before, held_out, calibration_removed } = self;
        let (old, new) = (&before.measures, &held_out.measures);
        let heads = ["before", "class prior", "now", "class prior"].map(Head::Right);
        let mut table = Table::with_heads([Head::Left("held-out rows")].into_iter().chain(heads));
        for (name, [old, of_old, new, of_new]) in [
            (
                "log-loss",
                [
                    Some(old.log_loss),
                    Some(old.log_loss_of_prior),
                    Some(new.log_loss),
                    Some(new.log_loss_of_prior),
                ],
            ),
            ("accuracy", [Some(old.accuracy), Some(old.majority), Some(new.accuracy), Some(new.majority)]),
            ("AUC", [old.auc, old.auc.and(Some(0.5)), new.auc, new.auc.and(Some(0.5))]),
            ("calibration error", [old.calibration_error, None, new.calibration_error, None]),
        ] {
            if old.is_some() || new.is_some() {
                let shown = |value: Option<f64>| value.map_or_else(String::new, |value| measure(name, value));
                table.row([name, &shown(old), &shown(of_old), &shown(new), &shown(of_new)]);
            }
        }
        let mut text = format!(
            "{table}{}rows of now are held out from weights and corrections, and not from bins and vocabularies, which are there before\n",
            held_out.says_nothing().unwrap_or_default()
        );
        if let Some(loss) = before.log_loss_of_rows {
            let known = match rows.in_sums {
                InSums::NoneKnown => "",
                _ => ", which may have been learnt from them",
            };
            text.push_str(&format!(
                "with the weights and corrections of before{known}, the log-loss of the rows of now is {}\n",
                measure("log-loss", loss)
            ));
        }
        text.push('\n');
        if rows.added > 0 {
            let added = counted(rows.added as f64, "row", "rows");
            text.push_str(&format!("added {added}; the model has {} now\n", exact(rows.weight)));
        }
        let used = if held_out.of_some { format!("{} of ", held_out.rows) } else { String::new() };
        let calibration = if *calibration_removed { "; the calibration map of these is removed" } else { "" };
        text.push_str(&format!(
            "weights and corrections are learnt from {used}{}, {}; they were those of {}{calibration}\nwrote {}",
            counted(rows.given as f64, "row", "rows"),
            rows.which(),
            counted(before.rows as f64, "row", "rows"),
            output.display()
        ));
        text
    }
}

impl Counts {
    /// Which rows these are, beside those of the sums.
    fn which(&self) -> String {
        match self.in_sums {
            InSums::Share(share) if share >= 1.0 => "which are just those of the sums".into(),
            InSums::Share(share) if share >= NEARLY_ALL => "nearly all of which are in the sums".into(),
            InSums::Share(share) => {
                format!("of which about {:.0} % are in the sums", 10.0 * (10.0 * share).round())
            }
            InSums::NoneKnown => "of which few or none are in the sums, as far as can be known".into(),
            InSums::NotRecorded => "and the model does not know which rows its sums have".into(),
        }
    }
}
