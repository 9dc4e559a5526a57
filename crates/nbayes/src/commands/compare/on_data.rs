//! Experiments on the data sets and variants of a design.

use std::path::Path;

use anyhow::Result;
use nb_compare::experiment::{
    learning_curve::{self, LearningCurve},
    robustness::{self, Robustness, Series},
};
use nb_report::{Document, Section};

use super::{
    Compare, Prepared,
    experiment::{self, DISTURB, LEVELS, SIZES, SPLITS},
    output, refuse_changes,
};
use crate::{failure::usage, output::Screen};

/// The formats of reports of experiments on data.
const FORMATS: &[&str] = &["html", "md", "tex", "csv", "json"];

impl Compare {
    /// Losses by the number of training rows.
    pub(super) fn learning_curve(&self, screen: Screen) -> Result<()> {
        if let Some(option) = self.design.cross_validation() {
            return Err(usage(format!(
                "--experiment learning-curve cannot be used with {option}: it has --splits and --held-out"
            )));
        }
        self.refuse_other("learning-curve", &[DISTURB, LEVELS])?;
        let default = LearningCurve::default();
        let options = LearningCurve {
            splits: self.experiment.splits.unwrap_or(default.splits),
            test: self.design.held_out.unwrap_or(default.test),
            sizes: self.experiment.sizes.clone(),
        };
        let Prepared { design, tables, changed } = self.data(screen, FORMATS)?;
        let threads = self.threads();
        let curves =
            experiment::watched(screen, |progress| options.run(&design, &tables, threads, progress))?;
        let report = learning_curve::report(&curves, &design, &tables);
        for path in &self.output {
            write(&report, path, || learning_curve::results_csv(&curves), || serde_json::to_string(&curves))?;
        }
        screen.show(&curves, || text(&report, &["curves", "laws", "crossings"]))?;
        refuse_changes(&changed)
    }

    /// Losses as the data get worse.
    pub(super) fn robustness(&self, screen: Screen) -> Result<()> {
        self.refuse_other("robustness", &[SPLITS, SIZES])?;
        let options = self.series()?;
        let Prepared { design, tables, changed } = self.data(screen, FORMATS)?;
        let threads = self.threads();
        let outcome =
            experiment::watched(screen, |progress| options.run(&design, &tables, threads, progress))?;
        let report = robustness::report(&outcome, &design, &tables);
        for path in &self.output {
            write(&report, path, || robustness::results_csv(&outcome), || serde_json::to_string(&outcome))?;
        }
        // Many variants have so large a table of pairs that the rest would be out of sight; reports have it.
        let ids: &[&str] = if design.variants.len() > 3 { &["changes"] } else { &["changes", "pairs"] };
        screen.show(&outcome, || text(&report, ids))?;
        refuse_changes(&changed)
    }

    /// What is disturbed, and by how much.
    fn series(&self) -> Result<Robustness> {
        let (disturb, levels) = (&self.experiment.disturb, &self.experiment.levels);
        match (disturb.as_slice(), levels.is_empty()) {
            ([], true) => Ok(Robustness::default()),
            (all, true) => Ok(Robustness { series: all.iter().copied().map(Series::from).collect() }),
            (&[disturbance], false) => {
                Ok(Robustness { series: vec![Series { disturbance, levels: levels.clone() }] })
            }
            (_, false) => Err(usage("--levels needs --disturb with one disturbance, whose levels they are")),
        }
    }

    /// Refuses what an experiment on data does not take: options of other experiments among them.
    fn refuse_other(&self, experiment: &str, others: &[(&str, &str)]) -> Result<()> {
        self.experiment.check_none(others)?;
        if let Some(option) = self.of_comparisons() {
            return Err(usage(format!(
                "--experiment {experiment} does not take {option}, which is for comparisons"
            )));
        }
        if self.design.has_no_data() {
            return Err(usage(format!(
                "--experiment {experiment} needs data: files with --label, embedded data sets such as @iris, --suite or --design"
            )));
        }
        match &self.experiment.options {
            Some(_) => Err(usage(format!(
                "--options is for published experiments; those of {experiment} are given one by one"
            ))),
            None => Ok(()),
        }
    }
}

/// Writes results in the format that the name of the file asks for.
fn write(
    report: &Document,
    path: &Path,
    csv: impl Fn() -> String,
    json: impl Fn() -> serde_json::Result<String>,
) -> Result<()> {
    let content = match output::extension(path) {
        "md" => report.to_markdown()?,
        "tex" => report.to_latex()?,
        "csv" => csv(),
        "json" => json()?,
        _ => report.to_html()?,
    };
    output::replace(path, &content)
}

/// What some sections say, for a terminal.
fn text(report: &Document, ids: &[&str]) -> String {
    let shown = report.sections.iter().filter(|section| ids.contains(&section.id.as_str())).cloned();
    experiment::text(&shown.collect::<Vec<Section>>())
}
