//! Maps of probabilities to better ones, learnt from rows that were held out.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use nb_calibration::{
    Calibration, CalibrationError, CalibrationMap, Calibrator, FittedCalibration, FittedIsotonic,
};
use nb_metrics::{Evaluation, Measures};
use nb_train::LossChange;
use ndarray::{Array2, Axis};
use serde::Serialize;

use super::super::decide::held_out::HeldOutAnswers;
use crate::output::quoted_list;

/// The folds by which a map is measured on rows that it was not learnt from.
const FOLDS: usize = 5;
const OPPOSITE: &str =
    "rows are the more often of a class the less probable the model says it is: check the labels";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Map {
    /// One factor for the log-odds of all classes.
    Temperature,
    /// A factor and an offset, for two classes.
    Platt,
    /// Any map that does not fall, of each class against the rest; for some 1000 rows or more.
    Isotonic,
}

/// A map that was learnt.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Learnt {
    Line(Line),
    Isotonic(FittedIsotonic),
}

/// Log-odds times a factor, and an offset for each class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Line {
    pub(super) factor: f64,
    pub(super) offsets: Vec<f64>,
}

/// How rows are classified that were held out from the map.
pub(super) struct Measured {
    pub(super) before: Measures,
    pub(super) after: Measures,
    /// The number of rows that keep their probabilities, as all rows of the other folds are answered right, so that these have no
    /// best map.
    pub(super) n_kept: usize,
    pub(super) change: LossChange,
}

/// What the model says of the rows.
pub(super) struct Rows {
    log_posteriors: Array2<f64>,
    truths: Vec<usize>,
    folds: Vec<usize>,
}

impl Rows {
    pub(super) fn new(held_out: HeldOutAnswers, classes: &[String], map: Map) -> Result<Self> {
        // Rows that are answered wrong are dealt by themselves: without any there is no best map.
        let (mut of_class, mut n_wrong) = (vec![0; classes.len()], 0);
        let mut of_groups = BTreeMap::new();
        let (mut flat, mut truths, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(unknown) = held_out.first_unknown {
            bail!(
                "{unknown} is no class of the model ({}); correct it, or drop the row",
                quoted_list(classes)
            );
        }
        for (row, answered) in held_out.rows.into_iter().enumerate() {
            let number = row + 1;
            let Some(truth) = answered.truth else {
                bail!("row {number} has a label that the model does not know, or none");
            };
            if map != Map::Isotonic && answered.log_posterior[truth] == f64::NEG_INFINITY {
                bail!(
                    "row {number}: the model says that its class {:?} is impossible, which only `--map isotonic` changes; use it, or \
                     train with smoothing above 0",
                    classes[truth]
                );
            }
            flat.extend(answered.log_posterior);
            truths.push(truth);
            let dealt =
                if answered.most_probable == Some(truth) { &mut of_class[truth] } else { &mut n_wrong };
            let own = *dealt % FOLDS;
            *dealt += 1;
            // Rows of a group are in the fold of the first of them.
            folds.push(match answered.group.filter(|group| !group.is_empty()) {
                Some(group) => {
                    let next = of_groups.len() % FOLDS;
                    *of_groups.entry(group).or_insert(next)
                }
                None => own,
            });
        }
        if let [first, rest @ ..] = truths.as_slice()
            && rest.iter().all(|truth| truth == first)
        {
            bail!(
                "all rows have the class {:?}; probabilities are calibrated by rows of at least two classes",
                classes[*first]
            );
        }
        let log_posteriors = Array2::from_shape_vec((truths.len(), classes.len()), flat)?;
        Ok(Self { log_posteriors, truths, folds })
    }

    /// The classes of the rows.
    pub(super) fn truths(&self) -> &[usize] {
        &self.truths
    }

    /// The best map of all rows.
    pub(super) fn learnt(&self, map: Map) -> Result<Learnt> {
        match self.fit(map, |_| true)? {
            FittedCalibration::Isotonic(fitted) => {
                // A single block has the same probability for all rows.
                if fitted.steps().iter().all(|steps| steps.len() < 2) {
                    bail!(OPPOSITE);
                }
                Ok(Learnt::Isotonic(fitted))
            }
            fitted => Line::of(&fitted).map(Learnt::Line),
        }
    }

    /// The map that is best for the rows of some folds.
    fn fit(&self, map: Map, is_used: impl Fn(usize) -> bool) -> Result<FittedCalibration> {
        let rows: Vec<usize> = (0..self.truths.len()).filter(|&row| is_used(self.folds[row])).collect();
        let scores = self.log_posteriors.select(Axis(0), &rows);
        let truths: Vec<usize> = rows.iter().map(|&row| self.truths[row]).collect();
        let calibration = match map {
            Map::Temperature => Calibration::Temperature,
            Map::Platt => Calibration::Platt,
            Map::Isotonic => Calibration::Isotonic,
        };
        let fitted = calibration.fit(scores.view(), &truths, None)?;
        if map != Map::Isotonic && Line::of(&fitted)?.factor <= 0.0 {
            bail!(OPPOSITE);
        }
        Ok(fitted)
    }

    /// How the rows are classified before, and by maps that were learnt from the rows of the other folds.
    pub(super) fn measures(&self, map: Map) -> Result<Measured> {
        let n_classes = self.log_posteriors.ncols();
        let (mut before, mut after) = (Evaluation::new(n_classes), Evaluation::new(n_classes));
        let (mut n_kept, mut losses) = (0, Vec::with_capacity(self.truths.len()));
        for fold in 0..FOLDS {
            let rows: Vec<usize> = (0..self.truths.len()).filter(|&row| self.folds[row] == fold).collect();
            if rows.is_empty() {
                continue;
            }
            let fitted = match self.fit(map, |other| other != fold) {
                Ok(fitted) => Some(fitted),
                Err(error) if matches!(error.downcast_ref(), Some(CalibrationError::Separated)) => {
                    n_kept += rows.len();
                    None
                }
                Err(error) => return Err(error),
            };
            for row in rows {
                let mut own = self.log_posteriors.row(row).to_vec();
                let truth = self.truths[row];
                before.add(Some(truth), Some(largest(&own)), &own, 1.0)?;
                let loss_before = -own[truth];
                if let Some(fitted) = &fitted {
                    fitted.apply_row(&mut own);
                }
                after.add(Some(truth), Some(largest(&own)), &own, 1.0)?;
                losses.push(([loss_before, -own[truth]], 1.0));
            }
        }
        let (before, after) = (before.measures(), after.measures());
        Ok(Measured { before, after, n_kept, change: LossChange::of(losses) })
    }
}

impl Line {
    fn of(fitted: &FittedCalibration) -> Result<Self> {
        match fitted {
            FittedCalibration::Temperature(map) => {
                Ok(Self { factor: map.inverse_temperature(), offsets: vec![0.0; map.n_classes()] })
            }
            FittedCalibration::Platt(map) => {
                let sigmoid = map.sigmoids().first().context("there is no sigmoid")?;
                Ok(Self { factor: sigmoid.slope, offsets: vec![0.0, sigmoid.intercept()] })
            }
            _ => Err(anyhow!("the map is no line")),
        }
    }
}

/// The first place of the largest number.
pub(super) fn largest(numbers: &[f64]) -> usize {
    (1..numbers.len()).fold(0, |best, place| if numbers[place] > numbers[best] { place } else { best })
}
