//! Probabilities of models of tables mapped to calibrated ones, as `nbayes calibrate` does.

use nb_calibration::{Calibration, CalibrationError, CalibrationMap, Calibrator, FittedCalibration};
use nb_core::{Likelihood, exact::Exact};
use nb_io::{HeldOutMeasures, Model, ModelCalibration, ModelRefinement};
use nb_metrics::Evaluation;
use nb_train::LossChange;
use numpy::ndarray::{ArrayView2, Axis};
use pyo3::{PyErr, PyResult, exceptions::PyValueError};

use crate::errors;

const OPPOSITE: &str =
    "rows are the more often of a class the less probable the model says it is: check the labels";

/// Rows that were held out from training: what the model says of them, their classes, and the folds in which
/// maps are measured.
pub(crate) struct Rows<'a> {
    pub(crate) log_posteriors: ArrayView2<'a, f64>,
    pub(crate) truths: Vec<usize>,
    pub(crate) folds: &'a [i64],
}

/// A calibrated model, its measures on rows that its map was not learnt from, and whether these are clearly
/// worse than before.
pub(crate) struct Calibrated {
    pub(crate) model: Model,
    pub(crate) before: HeldOutMeasures,
    pub(crate) after: HeldOutMeasures,
    pub(crate) is_worse: bool,
}

/// The model with the best map of the rows. What the rows say is without the map that the model has, which is
/// replaced.
pub(crate) fn calibrated(model: &Model, rows: &Rows<'_>, method: &str) -> PyResult<Calibrated> {
    let calibration = match method {
        "temperature" => Calibration::Temperature,
        "platt" => Calibration::Platt,
        "isotonic" => Calibration::Isotonic,
        other => {
            let message = format!("method is {other:?}; it must be temperature, platt or isotonic");
            return Err(PyValueError::new_err(message));
        }
    };
    let model = model.clone().with_calibration(None).map_err(errors::value)?;
    let classes: Vec<String> = model.stats().classes().cloned().collect();
    let map = fit(rows, calibration, &classes, |_| true).map_err(Unfit::into_error)?;
    let measured = measures(rows, calibration, &classes, &shares(&model))?;
    let n_rows = rows.truths.len() as u64;
    let after = measured.after;
    let model = match line(&map) {
        Some((factor, offsets)) => {
            if !model.classifier().map_err(errors::value)?.likelihood().is_additive() {
                let message = "the score of this model is no sum over columns; use method=\"isotonic\"";
                return Err(PyValueError::new_err(message));
            }
            let plain = model.clone().with_refinement(None).map_err(errors::value)?;
            let plain = plain.classifier().map_err(errors::value)?;
            let learnt_from = model.refinement().map_or(n_rows, |refinement| refinement.n_rows);
            let refinement = ModelRefinement::calibrated(
                model.refinement(),
                plain.classes(),
                plain.log_prior(),
                model.schema().n_features(),
                (factor, &offsets),
                (learnt_from, after),
            );
            model.with_refinement(Some(refinement)).map_err(errors::value)?
        }
        None => match map {
            FittedCalibration::Isotonic(map) => {
                let map = ModelCalibration::new(classes, map, n_rows, after).map_err(errors::value)?;
                model.with_calibration(Some(map)).map_err(errors::value)?
            }
            _ => return Err(PyValueError::new_err("a model has no such map")),
        },
    };
    Ok(Calibrated { model, before: measured.before, after, is_worse: measured.is_worse })
}

/// Why rows have no best map.
enum Unfit {
    /// All of them are answered right.
    Separated,
    Other(PyErr),
}

impl Unfit {
    fn into_error(self) -> PyErr {
        match self {
            Self::Separated => PyValueError::new_err(
                "all of these rows are answered right, so that no map is the best; hold out more rows",
            ),
            Self::Other(error) => error,
        }
    }
}

/// Measures before and after.
struct Measured {
    before: HeldOutMeasures,
    after: HeldOutMeasures,
    is_worse: bool,
}

/// The best map of the rows of some folds.
fn fit(
    rows: &Rows<'_>,
    calibration: Calibration,
    classes: &[String],
    is_used: impl Fn(i64) -> bool,
) -> Result<FittedCalibration, Unfit> {
    let used: Vec<usize> = (0..rows.truths.len()).filter(|&row| is_used(rows.folds[row])).collect();
    let scores = rows.log_posteriors.select(Axis(0), &used);
    let truths: Vec<usize> = used.iter().map(|&row| rows.truths[row]).collect();
    let fitted = calibration.fit(scores.view(), &truths, None).map_err(|error| match error {
        CalibrationError::Separated => Unfit::Separated,
        error => Unfit::Other(explained(&error, classes)),
    })?;
    let is_flat = match &fitted {
        // A single block has the same probability for all rows.
        FittedCalibration::Isotonic(map) => map.steps().iter().all(|steps| steps.len() < 2),
        other => line(other).is_some_and(|(factor, _)| factor <= 0.0),
    };
    if is_flat { Err(Unfit::Other(PyValueError::new_err(OPPOSITE))) } else { Ok(fitted) }
}

/// Log-odds times a factor, and an offset for each class, if the map is that.
fn line(fitted: &FittedCalibration) -> Option<(f64, Vec<f64>)> {
    match fitted {
        FittedCalibration::Temperature(map) => Some((map.inverse_temperature(), vec![0.0; map.n_classes()])),
        FittedCalibration::Platt(map) if map.n_classes() == 2 => {
            let sigmoid = map.sigmoids().first()?;
            Some((sigmoid.slope, vec![0.0, sigmoid.intercept()]))
        }
        _ => None,
    }
}

/// How rows are classified before, and by maps that were learnt from the rows of the other folds. Rows whose
/// other folds have no best map keep their probabilities.
fn measures(
    rows: &Rows<'_>,
    calibration: Calibration,
    classes: &[String],
    shares: &[f64],
) -> PyResult<Measured> {
    let mut folds = rows.folds.to_vec();
    folds.sort_unstable();
    folds.dedup();
    let (mut before, mut after) = (Evaluation::new(classes.len()), Evaluation::new(classes.len()));
    let mut losses = Vec::with_capacity(rows.truths.len());
    for fold in folds {
        let fitted = match fit(rows, calibration, classes, |other| other != fold) {
            Ok(fitted) => Some(fitted),
            Err(Unfit::Separated) => None,
            Err(Unfit::Other(error)) => return Err(error),
        };
        for row in (0..rows.truths.len()).filter(|&row| rows.folds[row] == fold) {
            let mut own = rows.log_posteriors.row(row).to_vec();
            let truth = rows.truths[row];
            let added = before.add(Some(truth), Some(largest(&own)), &own, 1.0);
            added.map_err(errors::value)?;
            let loss_before = -own[truth];
            if let Some(fitted) = &fitted {
                fitted.apply_row(&mut own);
            }
            after.add(Some(truth), Some(largest(&own)), &own, 1.0).map_err(errors::value)?;
            losses.push(([loss_before, -own[truth]], 1.0));
        }
    }
    let n_rows = rows.truths.len() as f64;
    let of_prior = rows.truths.iter().map(|&truth| -shares[truth].ln()).sum::<f64>() / n_rows;
    let most_frequent = largest(shares);
    let majority = rows.truths.iter().filter(|&&truth| truth == most_frequent).count() as f64 / n_rows;
    let stored = |evaluation: &Evaluation| {
        let measures = evaluation.measures();
        let [loss, accuracy] = [measures.log_loss, measures.accuracy].map(|one| one.unwrap_or(f64::INFINITY));
        HeldOutMeasures::new([loss, of_prior], [accuracy, majority])
            .with_auc_and_calibration(measures.auc, measures.calibration_error)
    };
    let change = LossChange::of(losses);
    Ok(Measured { before: stored(&before), after: stored(&after), is_worse: change.is_clear_loss() })
}

/// The shares of the classes among the rows of the model.
fn shares(model: &Model) -> Vec<f64> {
    let weights: Vec<f64> = model.stats().class_weights().iter().map(Exact::to_f64).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// The first place of the largest number.
fn largest(numbers: &[f64]) -> usize {
    (1..numbers.len()).fold(0, |best, place| if numbers[place] > numbers[best] { place } else { best })
}

/// The error with the names of classes, and what to do.
fn explained(error: &CalibrationError, classes: &[String]) -> PyErr {
    let name = |class: usize| classes.get(class).cloned().unwrap_or_default();
    PyValueError::new_err(match error {
        CalibrationError::Uninformative => {
            "the probabilities are no better than those of guessing, so that no map is the best; check the labels, \
             or hold out more rows"
                .into()
        }
        CalibrationError::Flat { class } => {
            format!(
                "all rows have the same log-odds of class {:?}, so that no map is the best; hold out more \
                 rows",
                name(*class)
            )
        }
        CalibrationError::NoConvergence { class } => format!(
            "no best map of class {:?} was found, as some of its probabilities are too near 0 or 1; hold out \
             more rows, or use another method",
            name(*class)
        ),
        other => errors::message(other),
    })
}
