//! Experiments on the data sets and variants of a design.

use anyhow::Result;
use nb_compare::{
    Design, Plan, Study,
    experiment::{
        learning_curve::LearningCurve,
        robustness::{Robustness, Series},
    },
};
use nb_report::{Document, Section};

use super::{
    Compare,
    experiment::{self, DISTURB, LEVELS, Named, SIZES, SPLITS},
};
use crate::failure::usage;

impl Compare {
    /// Writes what options say of an experiment into the design, after it refuses those of other experiments.
    pub(super) fn vary(&self, design: &mut Design) -> Result<()> {
        let named = self.experiment.experiment;
        let study = match (named, design.experiment.take()) {
            (None, None) => return self.experiment.check_unused(),
            (Some(Named::LearningCurve) | None, Some(Study::LearningCurve(curve))) => {
                Study::LearningCurve(curve)
            }
            (Some(Named::Robustness) | None, Some(Study::Robustness(found))) => Study::Robustness(found),
            (Some(Named::LearningCurve), _) => {
                design.plan = LearningCurve::PLAN;
                Study::LearningCurve(LearningCurve::default())
            }
            (Some(Named::Robustness | Named::Published(_)), _) => Study::Robustness(Robustness::default()),
        };
        design.experiment = Some(match study {
            Study::LearningCurve(curve) => self.learning_curve(curve, design)?,
            Study::Robustness(robustness) => self.robustness(robustness)?,
        });
        design.check().map_err(|error| usage(error.to_string()))
    }

    fn learning_curve(&self, mut curve: LearningCurve, design: &mut Design) -> Result<Study> {
        if let Some(option) = self.design.cross_validation() {
            return Err(usage(format!(
                "--experiment learning-curve cannot be used with {option}: it has --splits and --held-out"
            )));
        }
        self.refuse_other("learning-curve", &[DISTURB, LEVELS])?;
        if let Plan::HeldOut { test, repeats } = &mut design.plan {
            *test = self.design.held_out.unwrap_or(*test);
            *repeats = self.experiment.splits.unwrap_or(*repeats);
        }
        if !self.experiment.sizes.is_empty() {
            curve.sizes.clone_from(&self.experiment.sizes);
        }
        Ok(Study::LearningCurve(curve))
    }

    fn robustness(&self, robustness: Robustness) -> Result<Study> {
        self.refuse_other("robustness", &[SPLITS, SIZES])?;
        let (disturb, levels) = (&self.experiment.disturb, &self.experiment.levels);
        let series = match (disturb.as_slice(), levels.is_empty()) {
            ([], true) => robustness.series,
            (all, true) => all.iter().copied().map(Series::from).collect(),
            (&[disturbance], false) => vec![Series { disturbance, levels: levels.clone() }],
            (_, false) => {
                return Err(usage("--levels needs --disturb with one disturbance, whose levels they are"));
            }
        };
        Ok(Study::Robustness(Robustness { series }))
    }

    /// Refuses what an experiment on data does not take: options of other experiments among them.
    fn refuse_other(&self, experiment: &str, others: &[(&str, &str)]) -> Result<()> {
        self.experiment.check_none(others)?;
        if let Some(option) = self.of_comparisons().or(self.design.of_tests()) {
            return Err(usage(format!(
                "--experiment {experiment} does not take {option}, which is for comparisons"
            )));
        }
        match &self.experiment.options {
            Some(_) => Err(usage(format!(
                "--options is for published experiments; those of {experiment} are given one by one"
            ))),
            None => Ok(()),
        }
    }

    /// Refuses an experiment on data without any.
    pub(super) fn refuse_no_data(&self) -> Result<()> {
        match self.experiment.experiment {
            Some(experiment) if self.design.has_no_data() => Err(usage(format!(
                "--experiment {} needs data: files with --label, embedded data sets such as @iris, --suite or --design",
                experiment.name()
            ))),
            _ => Ok(()),
        }
    }
}

/// Losses by the number of training rows, for a terminal.
pub(super) fn curves_text(report: &Document) -> String {
    text(report, &["curves", "laws", "crossings"])
}

/// Losses as the data get worse, for a terminal.
pub(super) fn robustness_text(report: &Document, n_variants: usize) -> String {
    // Many variants have so large a table of pairs that the rest would be out of sight; reports have it.
    text(report, if n_variants > 3 { &["changes"] } else { &["changes", "pairs"] })
}

/// What some sections say, for a terminal.
fn text(report: &Document, ids: &[&str]) -> String {
    let shown = report.sections.iter().filter(|section| ids.contains(&section.id.as_str())).cloned();
    experiment::text(&shown.collect::<Vec<Section>>())
}
