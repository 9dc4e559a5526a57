//! `nbayes calibrate`: probabilities that are as sure as they are right.

mod maps;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use nb_calibration::CalibrationError;
use nb_io::{HeldOutMeasures, ModelRefinement};
use nb_metrics::Measures;
use serde::Serialize;

use super::{
    Lock, LockArgs,
    decide::held_out::HeldOut,
    fitted::{fitted, refuse_dependent},
    load,
    refit::weights_from_rows,
};
use crate::{
    data::ReadArgs,
    failure::usage,
    output::{Head, Screen, Table, calibration_error, counted, refuse_inputs, short},
};
use maps::{Line, Map, Rows, largest};

const EXAMPLES: &str = "\
Examples:
  nbayes split data.csv --label y --validation 0.2
  nbayes train data.train.csv --label y --plain -o model.nb
  nbayes calibrate model.nb data.validation.csv
  nbayes evaluate model.nb data.test.csv";

/// Make the probabilities of a model as sure as they are right, by rows that were held out from training.
///
/// What naive Bayes says of a row is too sure where columns repeat each other. `temperature` multiplies all log-odds by one number
/// (Guo et al. 2017), which changes no label; `platt` adds another one to those of two classes (Platt 1999). The numbers become weights of
/// the columns and offsets of the classes, so that the model is explained, exported and written as SQL like any other.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Calibrate {
    /// The model; it is replaced unless --output is given.
    model: PathBuf,
    /// Data files with labels, held out from training.
    #[arg(required = true)]
    files: Vec<String>,
    /// How probabilities are calibrated.
    #[arg(long, value_enum, default_value_t = Map::Temperature)]
    map: Map,
    /// The output file.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    lock: LockArgs,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct Calibrated<'a> {
    output: &'a Path,
    rows: usize,
    #[serde(flatten)]
    line: Line,
    /// The class that has the offset.
    #[serde(skip)]
    offset_of: String,
    /// Rows that were judged by the probabilities before, as the other folds have no best map.
    #[serde(skip_serializing_if = "is_zero")]
    kept_rows: usize,
    before: Shown,
    held_out: Shown,
}

#[derive(Clone, Copy, Serialize)]
struct Shown {
    log_loss: Option<f64>,
    accuracy: Option<f64>,
    auc: Option<f64>,
    calibration_error: Option<f64>,
}

impl Calibrate {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let output = self.output.clone().unwrap_or_else(|| self.model.clone());
        refuse_inputs(Some(&output), self.files.iter().map(Path::new))?;
        let lock = Lock::of(&output, self.lock, screen)?;
        let model = load(&self.model)?;
        let classifier = fitted(&model)?;
        refuse_dependent(&classifier, "calibration changes")?;
        let classes = classifier.classes();
        if self.map == Map::Platt && classes.len() != 2 {
            return Err(usage(format!(
                "--map platt is for two classes, and the model has {}; use --map temperature",
                classes.len()
            )));
        }
        let held_out = HeldOut::of(&model, &classifier, &self.files, &self.read, screen)?;
        let rows = Rows::new(held_out, classes).map_err(|error| self.explained(error, classes))?;
        let line = rows.line(self.map).map_err(|error| self.explained(error, classes))?;
        let (before, after, n_kept) =
            rows.measures(self.map).map_err(|error| self.explained(error, classes))?;
        let shares = super::plot::class_shares(&model);
        let measures = stored(&after, &rows, &shares)?;
        let plain = fitted(&model.clone().with_refinement(None)?)?;
        let refinement = ModelRefinement::calibrated(
            model.refinement(),
            plain.classes(),
            plain.log_prior(),
            model.schema().n_features(),
            (line.factor, &line.offsets),
            (weights_from_rows(&model).unwrap_or(rows.truths().len() as u64), measures),
        );
        if model.decision().is_some() {
            screen.note(&format!(
                "the decision rule stays, and was chosen for other probabilities; choose it again (`nbayes decide {}`)",
                output.display()
            ));
        }
        let model = model.with_refinement(Some(refinement))?;
        lock.save(&model)?;
        let n_rows = rows.truths().len();
        let result = Calibrated {
            output: &output,
            rows: n_rows,
            line,
            offset_of: classes.get(1).cloned().unwrap_or_default(),
            kept_rows: n_kept,
            before: shown(&before),
            held_out: shown(&after),
        };
        screen.report(&result, || text(&result))
    }

    /// The error with the names of files and classes, and what to do.
    fn explained(&self, error: anyhow::Error, classes: &[String]) -> anyhow::Error {
        let name = |class: usize| classes.get(class).cloned().unwrap_or_default();
        let error = match error.downcast_ref() {
            Some(CalibrationError::Separated) => {
                anyhow!(
                    "all of these rows are answered right, so that no map is the best; hold out more rows"
                )
            }
            Some(CalibrationError::Uninformative) => anyhow!(
                "its probabilities are no better than those of guessing, so that no map is the best; check the labels, or hold out \
                 more rows"
            ),
            Some(CalibrationError::Flat { class }) => anyhow!(
                "all rows have the same log-odds of class {:?}, so that no map is the best; hold out more rows",
                name(*class)
            ),
            Some(CalibrationError::NoConvergence { class }) => anyhow!(
                "no best map of class {:?} was found, as some of its probabilities are too near 0 or 1; hold out more rows, or use \
                 another --map",
                name(*class)
            ),
            _ => error,
        };
        error.context(format!("{} cannot be calibrated by {}", self.model.display(), self.files.join(", ")))
    }
}

/// The measures as a model has them, beside those of the class shares of training.
fn stored(measures: &Measures, rows: &Rows, shares: &[f64]) -> Result<HeldOutMeasures> {
    let n_rows = rows.truths().len() as f64;
    let log_loss_of_prior =
        rows.truths().iter().map(|&truth| -libm::log(shares[truth])).sum::<f64>() / n_rows;
    let majority = largest(shares);
    let of_majority = rows.truths().iter().filter(|&&truth| truth == majority).count() as f64 / n_rows;
    let log_loss = measures.log_loss.context("the log-loss is not known")?;
    let accuracy = measures.accuracy.context("the accuracy is not known")?;
    Ok(HeldOutMeasures::new([log_loss, log_loss_of_prior], [accuracy, of_majority])
        .with_auc_and_calibration(measures.auc, shown(measures).calibration_error))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

fn shown(measures: &Measures) -> Shown {
    Shown {
        log_loss: measures.log_loss,
        accuracy: measures.accuracy,
        auc: measures.auc,
        calibration_error: measures.calibration_error,
    }
}

fn text(calibrated: &Calibrated<'_>) -> String {
    let Calibrated { output, rows, line, offset_of, kept_rows, before, held_out } = calibrated;
    let mut table = Table::with_heads([Head::Left(""), Head::Right("before"), Head::Right("calibrated")]);
    for (name, before, after) in [
        ("log-loss", before.log_loss, held_out.log_loss),
        ("accuracy", before.accuracy, held_out.accuracy),
        ("AUC", before.auc, held_out.auc),
        ("calibration error", before.calibration_error, held_out.calibration_error),
    ] {
        let shown = if name == "calibration error" { calibration_error } else { short };
        let number = |value: Option<f64>| value.map_or_else(String::new, shown);
        table.row([name, &number(before), &number(after)]);
    }
    let offset = match line.offsets.as_slice() {
        [_, offset] if *offset != 0.0 => {
            format!(", and {} added to those of {offset_of:?}", short(*offset))
        }
        _ => String::new(),
    };
    let kept = match kept_rows {
        0 => String::new(),
        n => format!(
            "; {}, without which all answers are right, by the probabilities of before",
            counted(*n, "row", "rows")
        ),
    };
    format!(
        "{table}each of {} is judged by a map of the rows of the other four folds{kept}\n\nlog-odds are multiplied by {}{offset}\nwrote {}",
        counted(*rows as f64, "row", "rows"),
        short(line.factor),
        output.display()
    )
}
