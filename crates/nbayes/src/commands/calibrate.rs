//! `nbayes calibrate`: probabilities that are as sure as they are right.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use nb_calibration::{
    CalibrationError, CalibrationMap, Calibrator, FittedPlatt, FittedTemperature, Platt, Temperature,
};
use nb_io::{HeldOutMeasures, Model, ModelRefinement};
use nb_metrics::{Evaluation, Measures};
use ndarray::{Array2, Axis};
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
    output::{Head, Screen, Table, counted, refuse_inputs, short},
};

const EXAMPLES: &str = "\
Examples:
  nbayes split data.csv --label y --validation 0.2
  nbayes train data.train.csv --label y --plain -o model.nb
  nbayes calibrate model.nb data.validation.csv
  nbayes evaluate model.nb data.test.csv";

/// The folds by which a map is measured on rows that it was not learnt from.
const FOLDS: usize = 5;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Map {
    /// One factor for the log-odds of all classes.
    Temperature,
    /// A factor and an offset, for two classes.
    Platt,
}

/// Log-odds times a factor, and an offset for each class.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Line {
    factor: f64,
    offsets: Vec<f64>,
}

#[derive(Serialize)]
struct Calibrated<'a> {
    output: &'a Path,
    rows: usize,
    #[serde(flatten)]
    line: Line,
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
        let rows = Rows::new(held_out, classes).with_context(|| self.files.join(", "))?;
        let line = rows.fit(self.map, |_| true).map_err(|error| self.explained(error))?;
        let (before, after) = rows.measures(self.map).map_err(|error| self.explained(error))?;
        let shares = super::plot::class_shares(&model);
        let measures = stored(&after, &rows, &shares)?;
        let plain = fitted(&model.clone().with_refinement(None)?)?;
        let refinement = ModelRefinement::calibrated(
            model.refinement(),
            plain.classes(),
            plain.log_prior(),
            model.schema().n_features(),
            (line.factor, &line.offsets),
            (weights_from_rows(&model).unwrap_or(rows.truths.len() as u64), measures),
        );
        if model.decision().is_some() {
            screen.note(&format!(
                "the decision rule stays, and was chosen for other probabilities; choose it again (`nbayes decide {}`)",
                output.display()
            ));
        }
        let model: Model = model.with_refinement(Some(refinement))?;
        lock.save(&model)?;
        let n_rows = rows.truths.len();
        let result = Calibrated {
            output: &output,
            rows: n_rows,
            line,
            before: shown(&before),
            held_out: shown(&after),
        };
        screen.report(&result, || text(&result))
    }

    fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        let error = match error.downcast_ref() {
            Some(CalibrationError::Separated) => {
                anyhow!(
                    "all of these rows are answered right, or all in four of five folds; hold out more rows"
                )
            }
            _ => error,
        };
        error.context(format!("{} cannot be calibrated by {}", self.model.display(), self.files.join(", ")))
    }
}

/// What the model says of the rows.
struct Rows {
    log_posteriors: Array2<f64>,
    truths: Vec<usize>,
    folds: Vec<usize>,
}

impl Rows {
    fn new(held_out: HeldOut, classes: &[String]) -> Result<Self> {
        // Rows that are answered wrong are dealt by themselves: without any there is no best map.
        let (mut of_class, mut n_wrong) = (vec![0; classes.len()], 0);
        let (mut flat, mut truths, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        for (row, answered) in held_out.rows.into_iter().enumerate() {
            let number = row + 1;
            let Some(truth) = answered.truth else {
                bail!("row {number} has a label that the model does not know, or none");
            };
            if answered.log_posterior[truth] == f64::NEG_INFINITY {
                bail!(
                    "row {number}: the model says that its class {:?} is impossible, which no calibration changes; train with \
                     smoothing above 0",
                    classes[truth]
                );
            }
            flat.extend(answered.log_posterior);
            truths.push(truth);
            let dealt =
                if answered.most_probable == Some(truth) { &mut of_class[truth] } else { &mut n_wrong };
            folds.push(*dealt % FOLDS);
            *dealt += 1;
        }
        let log_posteriors = Array2::from_shape_vec((truths.len(), classes.len()), flat)?;
        Ok(Self { log_posteriors, truths, folds })
    }

    /// The map that is best for the rows of some folds.
    fn fit(&self, map: Map, is_used: impl Fn(usize) -> bool) -> Result<Line> {
        let rows: Vec<usize> = (0..self.truths.len()).filter(|&row| is_used(self.folds[row])).collect();
        let scores = self.log_posteriors.select(Axis(0), &rows);
        let truths: Vec<usize> = rows.iter().map(|&row| self.truths[row]).collect();
        let line = match map {
            Map::Temperature => {
                let fitted: FittedTemperature = Temperature.fit(scores.view(), &truths, None)?;
                Line { factor: fitted.inverse_temperature(), offsets: vec![0.0; fitted.n_classes()] }
            }
            Map::Platt => {
                let fitted: FittedPlatt = Platt.fit(scores.view(), &truths, None)?;
                let sigmoid = fitted.sigmoids()[0];
                Line { factor: sigmoid.slope, offsets: vec![0.0, sigmoid.intercept()] }
            }
        };
        if line.factor <= 0.0 {
            return Err(anyhow!("its probabilities say the opposite of what the rows say: check the labels"));
        }
        Ok(line)
    }

    /// How the rows are classified before, and by maps that were learnt from the rows of the other folds.
    fn measures(&self, map: Map) -> Result<(Measures, Measures)> {
        let n_classes = self.log_posteriors.ncols();
        let (mut before, mut after) = (Evaluation::new(n_classes), Evaluation::new(n_classes));
        for fold in 0..FOLDS {
            let rows: Vec<usize> = (0..self.truths.len()).filter(|&row| self.folds[row] == fold).collect();
            if rows.is_empty() {
                continue;
            }
            let line = self.fit(map, |other| other != fold)?;
            for row in rows {
                let own = self.log_posteriors.row(row).to_vec();
                before.add(Some(self.truths[row]), Some(largest(&own)), &own, 1.0)?;
                let own = line.apply(&own);
                after.add(Some(self.truths[row]), Some(largest(&own)), &own, 1.0)?;
            }
        }
        Ok((before.measures(), after.measures()))
    }
}

impl Line {
    fn apply(&self, log_posteriors: &[f64]) -> Vec<f64> {
        let scores: Vec<f64> = log_posteriors
            .iter()
            .zip(&self.offsets)
            .map(|(log, offset)| self.factor * log + offset)
            .collect();
        let top = scores[largest(&scores)];
        let total: f64 = scores.iter().map(|score| libm::exp(score - top)).sum();
        scores.iter().map(|score| (score - top - libm::log(total)).min(0.0)).collect()
    }
}

/// The first place of the largest number.
fn largest(numbers: &[f64]) -> usize {
    (1..numbers.len()).fold(0, |best, place| if numbers[place] > numbers[best] { place } else { best })
}

/// The measures as a model has them, beside those of the class shares of training.
fn stored(measures: &Measures, rows: &Rows, shares: &[f64]) -> Result<HeldOutMeasures> {
    let n_rows = rows.truths.len() as f64;
    let log_loss_of_prior = rows.truths.iter().map(|&truth| -libm::log(shares[truth])).sum::<f64>() / n_rows;
    let majority = largest(shares);
    let of_majority = rows.truths.iter().filter(|&&truth| truth == majority).count() as f64 / n_rows;
    let log_loss = measures.log_loss.context("the log-loss is not known")?;
    let accuracy = measures.accuracy.context("the accuracy is not known")?;
    Ok(HeldOutMeasures::new([log_loss, log_loss_of_prior], [accuracy, of_majority])
        .with_auc_and_calibration(measures.auc, shown(measures).calibration_error))
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
    let Calibrated { output, rows, line, before, held_out } = calibrated;
    let mut table = Table::with_heads([Head::Left(""), Head::Right("before"), Head::Right("calibrated")]);
    let number = |value: Option<f64>| value.map_or_else(String::new, short);
    for (name, before, after) in [
        ("log-loss", before.log_loss, held_out.log_loss),
        ("accuracy", before.accuracy, held_out.accuracy),
        ("AUC", before.auc, held_out.auc),
        ("calibration error", before.calibration_error, held_out.calibration_error),
    ] {
        table.row([name, &number(before), &number(after)]);
    }
    let offset = match line.offsets.as_slice() {
        [_, offset] if *offset != 0.0 => {
            format!(", and {} added to those of the second class", short(*offset))
        }
        _ => String::new(),
    };
    format!(
        "{table}each of {} is judged by a map of the rows of the other four folds\n\nlog-odds are multiplied by {}{offset}\nwrote {}",
        counted(*rows as f64, "row", "rows"),
        short(line.factor),
        output.display()
    )
}
