//! `nbayes calibrate`: probabilities that are as sure as they are right.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use nb_calibration::{Calibration, IsotonicStep};
use nb_io::{HeldOutMeasures, Model};
use nb_train::{CalibrateError, CalibrationRows, LossChange, ModelMap};
use ndarray::Array2;
use serde::Serialize;

use super::decide::held_out::HeldOutAnswers;
use crate::{
    data::ReadArgs,
    failure::usage,
    model::{Lock, LockArgs, fitted, load, refuse_dependent},
    output::{Head, Screen, Table, counted, measure, quoted_list, refuse_inputs, short, visible},
};

const EXAMPLES: &str = "\
Examples:
  nbayes split data.csv --label y --validation 0.2
  nbayes train data.train.csv --label y --plain -o model.nb
  nbayes calibrate model.nb data.validation.csv
  nbayes calibrate model.nb data.validation.csv --map isotonic
  nbayes evaluate model.nb data.test.csv";

/// Make the probabilities of a model as sure as they are right, by rows that were held out from training.
///
/// What naive Bayes says of a row is too sure where columns repeat each other. `temperature` multiplies all
/// log-odds by one number (Guo et al. 2017), which changes no label; `platt` adds another one to those of two
/// classes (Platt 1999). The numbers become weights of the columns and offsets of the classes, so that the
/// model is explained, exported and written as SQL like any other. `isotonic` is any map that does not fall,
/// of each class against the rest (Zadrozny and Elkan 2002), for some 1000 rows or more; it is applied after
/// the contributions of the columns are added up, and is in no ONNX or SQL. If the calibrated probabilities
/// are clearly worse than those before, on rows held out from the map, nothing is written without --force.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Calibrate {
    /// The model; it is replaced unless --output is given.
    model: PathBuf,
    /// Data files with labels, held out from training.
    #[arg(required_unless_present = "none")]
    files: Vec<String>,
    /// How probabilities are calibrated.
    #[arg(long, value_enum, default_value_t = Map::Temperature)]
    map: Map,
    /// Remove the map of `--map isotonic`.
    #[arg(long, conflicts_with_all = ["files", "map"])]
    none: bool,
    /// Write the model even if the calibrated probabilities are worse on held-out rows.
    #[arg(long)]
    force: bool,
    /// The output file.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    lock: LockArgs,
    /// A column of groups, such as patients: the map is measured on rows of other groups than those that it
    /// is learnt from.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    #[command(flatten)]
    read: ReadArgs,
}

/// With fewer rows isotonic regression is usually worse than a sigmoid (Niculescu-Mizil and Caruana 2005).
const FEW_ROWS: usize = 1000;
/// The most classes whose maps are described.
const MOST_CLASSES: usize = 5;

/// How probabilities are calibrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Map {
    /// One factor for the log-odds of all classes.
    Temperature,
    /// A factor and an offset, for two classes.
    Platt,
    /// Any map that does not fall, of each class against the rest; for some 1000 rows or more.
    Isotonic,
}

impl From<Map> for Calibration {
    fn from(map: Map) -> Self {
        match map {
            Map::Temperature => Self::Temperature,
            Map::Platt => Self::Platt,
            Map::Isotonic => Self::Isotonic,
        }
    }
}

#[derive(Serialize)]
struct Removed<'a> {
    output: &'a Path,
}

#[derive(Serialize)]
struct Calibrated<'a> {
    output: &'a Path,
    rows: usize,
    #[serde(flatten)]
    map: Shape,
    /// The class that has the offset.
    #[serde(skip)]
    offset_of: String,
    /// Rows that were judged by the probabilities before, as the other folds have no best map.
    #[serde(skip_serializing_if = "is_zero")]
    kept_rows: usize,
    before: Shown,
    held_out: Shown,
}

/// What is said of a map.
#[derive(Serialize)]
#[serde(untagged)]
enum Shape {
    Line { factor: f64, offsets: Vec<f64> },
    Isotonic { maps: Vec<OfClass> },
}

/// The map of a class against the rest.
#[derive(Serialize)]
struct OfClass {
    class: String,
    blocks: usize,
    lowest: f64,
    highest: f64,
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
        let mut model = load(&self.model)?;
        if model.calibration().is_some() {
            if !self.none {
                screen.note("the isotonic map that the model has is replaced");
            }
            model = model.with_calibration(None)?;
        } else if self.none {
            bail!(
                "{} has no isotonic map; temperature and platt are weights and offsets, which `--map temperature` with rows learns \
                 once more",
                self.model.display()
            );
        }
        if self.none {
            lock.save(&model)?;
            let removed = Removed { output: &output };
            return screen
                .report(&removed, || format!("removed the isotonic map\nwrote {}", output.display()));
        }
        let classifier = fitted(&model)?;
        if self.map != Map::Isotonic {
            refuse_dependent(&classifier, "`--map temperature` and `--map platt` change")
                .map_err(|error| anyhow!("{error}; `--map isotonic` calibrates such a model"))?;
        }
        let classes = classifier.classes();
        if self.map == Map::Platt && classes.len() != 2 {
            return Err(usage(format!(
                "--map platt is for two classes, and the model has {}; use --map temperature",
                classes.len()
            )));
        }
        let held_out = HeldOutAnswers::of(
            &model,
            &classifier,
            &self.files,
            (&self.read, self.group.as_slice()),
            screen,
        )?;
        let rows = rows_of(held_out, classes).map_err(|error| self.failed(error))?;
        let calibrated =
            nb_train::calibrate(&model, &rows, self.map.into()).map_err(|error| self.explained(error))?;
        self.refuse_loss(calibrated.change, screen)?;
        self.note(&model, rows.n_rows(), &output, screen);
        lock.save(&calibrated.model)?;
        let result = Calibrated {
            output: &output,
            rows: rows.n_rows(),
            map: Shape::of(&calibrated.map, classes),
            offset_of: classes.get(1).cloned().unwrap_or_default(),
            kept_rows: calibrated.n_kept,
            before: Shown::of(&calibrated.before),
            held_out: Shown::of(&calibrated.after),
        };
        screen.report(&result, || text(&result))
    }

    /// Refuses probabilities that are clearly worse, and says it of those that may be.
    fn refuse_loss(&self, change: LossChange, screen: Screen) -> Result<()> {
        let losses = format!("log-loss {}, before {}", short(change.after), short(change.before));
        if change.is_clear_loss() && !self.force {
            let other =
                if self.map == Map::Isotonic { "use another --map" } else { "keep the model as it is" };
            bail!(
                "the calibrated probabilities of {} are worse on held-out rows ({losses}); give more rows, {other}, or write the model \
                 all the same with --force. Nothing was written",
                self.model.display()
            );
        }
        if change.after > change.before {
            let how = if change.is_clear_loss() { "worse" } else { "no better" };
            screen.note(&format!("the calibrated probabilities are {how} on held-out rows ({losses})"));
        }
        Ok(())
    }

    /// Says what the user may want to change.
    fn note(&self, model: &Model, n_rows: usize, output: &Path, screen: Screen) {
        if self.map == Map::Isotonic && n_rows < FEW_ROWS {
            screen.note(&format!(
                "isotonic regression is learnt from {}; with fewer than {FEW_ROWS}, `--map platt` (two classes) or `--map temperature` \
                 is usually better (Niculescu-Mizil and Caruana 2005)",
                counted(n_rows as f64, "row", "rows")
            ));
        }
        if model.decision().is_some() {
            screen.note(&format!(
                "the decision rule stays, and was chosen for other probabilities; choose it again (`nbayes decide {}`)",
                output.display()
            ));
        }
    }

    /// The error with the names of files, and what to do.
    fn explained(&self, error: CalibrateError) -> anyhow::Error {
        let error = match error {
            CalibrateError::Impossible { row, class } => anyhow!(
                "row {}: the model says that its class {class:?} is impossible, which only `--map isotonic` changes; use it, or train \
                 with smoothing above 0",
                row + 1
            ),
            CalibrateError::NoConvergence { class } => anyhow!(
                "no best map of class {class:?} was found, as some of its probabilities are too near 0 or 1; hold out more rows, or use \
                 another --map"
            ),
            error => error.into(),
        };
        self.failed(error)
    }

    fn failed(&self, error: anyhow::Error) -> anyhow::Error {
        error.context(format!("{} cannot be calibrated by {}", self.model.display(), self.files.join(", ")))
    }
}

/// The rows as they are calibrated by.
fn rows_of(held_out: HeldOutAnswers, classes: &[String]) -> Result<CalibrationRows> {
    if let Some(unknown) = held_out.first_unknown {
        bail!("{unknown} is no class of the model ({}); correct it, or drop the row", quoted_list(classes));
    }
    let (mut flat, mut truths, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for (row, answered) in held_out.rows.into_iter().enumerate() {
        truths.push(
            answered.truth.with_context(|| {
                format!("row {} has a label that the model does not know, or none", row + 1)
            })?,
        );
        flat.extend(answered.log_posterior);
        groups.push(answered.group.filter(|group| !group.is_empty()));
    }
    let log_posteriors = Array2::from_shape_vec((truths.len(), classes.len()), flat)?;
    Ok(CalibrationRows::new(log_posteriors, truths, |row| groups[row].as_ref())?)
}

impl Shape {
    fn of(map: &ModelMap, classes: &[String]) -> Self {
        match map {
            ModelMap::Line { factor, offsets } => Self::Line { factor: *factor, offsets: offsets.clone() },
            ModelMap::Isotonic(map) => {
                // Of two classes the second has the only map.
                let first = classes.len() - map.steps().len();
                let of_class = |(class, steps): (&String, &Vec<IsotonicStep>)| OfClass {
                    class: class.clone(),
                    blocks: steps.len(),
                    lowest: steps.first().map_or(f64::NAN, |step| step.probability),
                    highest: steps.last().map_or(f64::NAN, |step| step.probability),
                };
                Self::Isotonic { maps: classes[first..].iter().zip(map.steps()).map(of_class).collect() }
            }
        }
    }

    fn words(&self, offset_of: &str) -> String {
        match self {
            Self::Line { factor, offsets } => {
                let offset = match offsets.as_slice() {
                    [_, offset] if *offset != 0.0 => {
                        format!(", and {} added to those of {offset_of:?}", short(*offset))
                    }
                    _ => String::new(),
                };
                format!("log-odds are multiplied by {}{offset}", short(*factor))
            }
            Self::Isotonic { maps } => {
                let of_class = |map: &OfClass| {
                    format!(
                        "{} in {}, from {} to {}",
                        visible(&map.class),
                        counted(map.blocks as f64, "block", "blocks"),
                        short(map.lowest),
                        short(map.highest)
                    )
                };
                let shown: Vec<String> = maps.iter().take(MOST_CLASSES).map(of_class).collect();
                let more = match maps.len().saturating_sub(MOST_CLASSES) {
                    0 => String::new(),
                    more => format!("; and {more} more"),
                };
                format!("probabilities do not fall with the log-odds: {}{more}", shown.join("; "))
            }
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Shown {
    fn of(measures: &HeldOutMeasures) -> Self {
        let HeldOutMeasures { log_loss, accuracy, auc, calibration_error, .. } = *measures;
        Self { log_loss: Some(log_loss), accuracy: Some(accuracy), auc, calibration_error }
    }
}

fn text(calibrated: &Calibrated<'_>) -> String {
    let Calibrated { output, rows, map, offset_of, kept_rows, before, held_out } = calibrated;
    let mut table = Table::with_heads([Head::Left(""), Head::Right("before"), Head::Right("calibrated")]);
    for (name, before, after) in [
        ("log-loss", before.log_loss, held_out.log_loss),
        ("accuracy", before.accuracy, held_out.accuracy),
        ("AUC", before.auc, held_out.auc),
        ("calibration error", before.calibration_error, held_out.calibration_error),
    ] {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| measure(name, value));
        table.row([name, &number(before), &number(after)]);
    }
    let kept = match kept_rows {
        0 => String::new(),
        n => format!(
            "; {}, without which all answers are right, by the probabilities of before",
            counted(*n as f64, "row", "rows")
        ),
    };
    format!(
        "{table}each of {} is judged by a map of the rows of the other four folds{kept}\n\n{}\nwrote {}",
        counted(*rows as f64, "row", "rows"),
        map.words(offset_of),
        output.display()
    )
}
