//! `nbayes calibrate`: probabilities that are as sure as they are right.

mod maps;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use nb_calibration::{CalibrationError, IsotonicStep};
use nb_io::{HeldOutMeasures, Model, ModelCalibration, ModelRefinement};
use nb_metrics::Measures;
use nb_train::LossChange;
use serde::Serialize;

use super::{decide::held_out::HeldOutAnswers, refit::weights_from_rows};
use crate::{
    data::ReadArgs,
    failure::usage,
    model::{Lock, LockArgs, fitted, load, refuse_dependent},
    output::{Head, Screen, Table, counted, measure, refuse_inputs, short, visible},
};
use maps::{Learnt, Line, Map, Measured, Rows, largest};

const EXAMPLES: &str = "\
Examples:
  nbayes split data.csv --label y --validation 0.2
  nbayes train data.train.csv --label y --plain -o model.nb
  nbayes calibrate model.nb data.validation.csv
  nbayes calibrate model.nb data.validation.csv --map isotonic
  nbayes evaluate model.nb data.test.csv";

/// Make the probabilities of a model as sure as they are right, by rows that were held out from training.
///
/// What naive Bayes says of a row is too sure where columns repeat each other. `temperature` multiplies all log-odds by one number
/// (Guo et al. 2017), which changes no label; `platt` adds another one to those of two classes (Platt 1999). The numbers become weights of
/// the columns and offsets of the classes, so that the model is explained, exported and written as SQL like any other. `isotonic` is
/// any map that does not fall, of each class against the rest (Zadrozny and Elkan 2002), for some 1000 rows or more; it is applied after
/// the contributions of the columns are added up, and is in no ONNX or SQL. If the calibrated probabilities are clearly worse than those
/// before, on rows held out from the map, nothing is written without --force.
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
    /// A column of groups, such as patients: the map is measured on rows of other groups than those that it is learnt from.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    #[command(flatten)]
    read: ReadArgs,
}

/// With fewer rows isotonic regression is usually worse than a sigmoid (Niculescu-Mizil and Caruana 2005).
const FEW_ROWS: usize = 1000;
/// The most classes whose maps are described.
const MOST_CLASSES: usize = 5;

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
    Line(Line),
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
        let rows = Rows::new(held_out, classes, self.map).map_err(|error| self.explained(error, classes))?;
        let learnt = rows.learnt(self.map).map_err(|error| self.explained(error, classes))?;
        let Measured { before, after, n_kept, change } =
            rows.measures(self.map).map_err(|error| self.explained(error, classes))?;
        self.refuse_loss(change, screen)?;
        let shares = super::plot::class_shares(&model);
        let measures = stored(&after, &rows, &shares)?;
        self.note(&model, rows.truths().len(), &output, screen);
        let map = Shape::of(&learnt, classes);
        let model = with_map(model, learnt, &rows, measures)?;
        lock.save(&model)?;
        let n_rows = rows.truths().len();
        let result = Calibrated {
            output: &output,
            rows: n_rows,
            map,
            offset_of: classes.get(1).cloned().unwrap_or_default(),
            kept_rows: n_kept,
            before: shown(&before),
            held_out: shown(&after),
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

/// The model with a map.
fn with_map(model: Model, learnt: Learnt, rows: &Rows, measures: HeldOutMeasures) -> Result<Model> {
    let n_rows = rows.truths().len() as u64;
    match learnt {
        Learnt::Isotonic(map) => {
            let classes = model.stats().classes().cloned().collect();
            Ok(model.with_calibration(Some(ModelCalibration::new(classes, map, n_rows, measures)?))?)
        }
        Learnt::Line(line) => {
            let plain = fitted(&model.clone().with_refinement(None)?)?;
            let refinement = ModelRefinement::calibrated(
                model.refinement(),
                plain.classes(),
                plain.log_prior(),
                model.schema().n_features(),
                (line.factor, &line.offsets),
                (weights_from_rows(&model).unwrap_or(n_rows), measures),
            );
            Ok(model.with_refinement(Some(refinement))?)
        }
    }
}

impl Shape {
    fn of(learnt: &Learnt, classes: &[String]) -> Self {
        match learnt {
            Learnt::Line(line) => Self::Line(line.clone()),
            Learnt::Isotonic(map) => {
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
            Self::Line(line) => {
                let offset = match line.offsets.as_slice() {
                    [_, offset] if *offset != 0.0 => {
                        format!(", and {} added to those of {offset_of:?}", short(*offset))
                    }
                    _ => String::new(),
                };
                format!("log-odds are multiplied by {}{offset}", short(line.factor))
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
