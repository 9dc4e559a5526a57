//! Experiments: what they are given, and what becomes of their results.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_compare::experiment::{
    Experiment, ExperimentError, Options, Progress, Results, robustness::Disturbance,
};
use nb_report::{Block, Kind, Section};

use super::output;
use crate::{
    failure::usage,
    interrupt,
    output::{Head, Screen, Table, refuse_inputs},
};

/// The name of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// One with its own data.
    Published(Experiment),
    /// Learning curves of variants on data sets.
    LearningCurve,
    /// What variants lose on data sets that are disturbed.
    Robustness,
}

impl Named {
    const ON_DATA: [Self; 2] = [Self::LearningCurve, Self::Robustness];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Published(experiment) => experiment.name(),
            Self::LearningCurve => "learning-curve",
            Self::Robustness => "robustness",
        }
    }
}

impl std::str::FromStr for Named {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = || Experiment::ALL.map(Self::Published).into_iter().chain(Self::ON_DATA);
        all().find(|experiment| experiment.name() == name).ok_or_else(|| {
            let names: Vec<&str> = all().map(Self::name).collect();
            format!("there is no experiment `{name}`; choose one of {}", names.join(", "))
        })
    }
}

/// Options of one experiment, with its name.
pub(super) const SPLITS: (&str, &str) = ("--splits", "learning-curve, ng-jordan or assumptions");
pub(super) const SIZES: (&str, &str) = ("--sizes", "learning-curve");
pub(super) const DISTURB: (&str, &str) = ("--disturb", "robustness");
pub(super) const LEVELS: (&str, &str) = ("--levels", "robustness");

/// An experiment in place of a comparison.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Experiments")]
pub(super) struct ExperimentArgs {
    /// An experiment on the data sets: learning-curve (losses by the number of training rows), robustness
    /// (losses as the data get worse). Or a published one: ng-jordan (learning curves of naive Bayes and
    /// logistic regression), assumptions (when their coefficients agree), truncation (what truncated
    /// densities do).
    #[arg(long, value_name = "NAME")]
    pub(super) experiment: Option<Named>,
    /// Number of random splits or samples to average [default: 30 splits of learning-curve, 1000 of
    /// ng-jordan, 200 samples].
    #[arg(long, value_name = "N")]
    pub(super) splits: Option<usize>,
    /// Training set sizes of learning-curve [default: ten, growing by a constant factor].
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub(super) sizes: Vec<usize>,
    /// Disturbances of robustness: missing, missing-training, missing-test, missing-by-column,
    /// missing-by-value, noise, label-noise, unbalanced, copies
    /// [default: missing,label-noise,unbalanced,copies].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) disturb: Vec<Disturbance>,
    /// Levels of the one disturbance that is given, such as 0.1,0.3 or numbers of copies.
    #[arg(long, value_name = "LEVEL,...", value_delimiter = ',')]
    pub(super) levels: Vec<f64>,
    /// Options of an experiment in TOML, as printed in its report.
    #[arg(long, value_name = "FILE")]
    pub(super) options: Option<PathBuf>,
}

impl ExperimentArgs {
    /// Refuses options of experiments where there is none. (To clap, what is required is not where it
    /// conflicts.)
    pub(super) fn check_unused(&self) -> Result<()> {
        if self.splits.is_some() || self.options.is_some() {
            return Err(usage("--splits and --options are for --experiment; a design has --repeats"));
        }
        self.check_none(&[SIZES, DISTURB, LEVELS])
    }

    /// Refuses options of another experiment, each with the name of its own.
    pub(super) fn check_none(&self, options: &[(&str, &str)]) -> Result<()> {
        let is_used = |(option, _): &&(&str, &str)| match *option {
            "--splits" => self.splits.is_some(),
            "--sizes" => !self.sizes.is_empty(),
            "--disturb" => !self.disturb.is_empty(),
            _ => !self.levels.is_empty(),
        };
        match options.iter().find(is_used) {
            Some((option, experiment)) => Err(usage(format!("{option} is for --experiment {experiment}"))),
            None => Ok(()),
        }
    }

    /// Refuses what a published experiment does not take: `used` is an option that names data, variants or
    /// splits.
    pub(super) fn check_published(&self, experiment: Experiment, used: Option<&str>) -> Result<()> {
        match used {
            Some(used) => Err(usage(format!(
                "--experiment {} cannot be used with {used}: it has data and learners of its own",
                experiment.name()
            ))),
            None => self.check_none(&[SIZES, DISTURB, LEVELS]),
        }
    }

    /// Carries an experiment out.
    pub(super) fn run(
        &self,
        experiment: Experiment,
        outputs: &[PathBuf],
        seed: Option<u64>,
        threads: NonZeroUsize,
        screen: Screen,
    ) -> Result<()> {
        for path in outputs {
            check(path)?;
            refuse_inputs(Some(path), self.options.as_deref())?;
        }
        let options = self.options(seed)?;
        let results = watched(screen, |progress| experiment.run(&options, threads, progress))?;
        for path in outputs {
            write(&results, path)?;
        }
        screen.show(&results, || text(&results.report().sections))
    }

    fn options(&self, seed: Option<u64>) -> Result<Options> {
        let mut options = match &self.options {
            None => Options::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path);
                let text = text.with_context(|| format!("cannot read {}", path.display()))?;
                toml::from_str(&text).with_context(|| path.display().to_string())?
            }
        };
        options.seed = seed.unwrap_or(options.seed);
        if let Some(splits) = self.splits {
            options.ng_jordan.splits = splits;
            options.assumptions.samples = splits;
        }
        Ok(options)
    }
}

/// Carries an experiment out beside a progress bar.
fn watched<T>(screen: Screen, run: impl FnOnce(Progress<'_>) -> Result<T, ExperimentError>) -> Result<T> {
    let bar = super::bar(screen);
    let results = run(&mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    interrupt::check()?;
    results.map_err(|error| match error {
        ExperimentError::Option { .. }
        | ExperimentError::NoSuchExperiment { .. }
        | ExperimentError::NoSuchProblem { .. } => usage(error.to_string()),
        error => error.into(),
    })
}

/// Refuses a file that could not be written.
fn check(path: &Path) -> Result<()> {
    output::check_format(path, &["html", "md", "tex", "json"])
}

/// Writes results in the format that the name of the file asks for.
fn write(results: &Results, path: &Path) -> Result<()> {
    let content = match output::extension(path) {
        "md" => results.report().to_markdown()?,
        "tex" => results.report().to_latex()?,
        "json" => serde_json::to_string(results)?,
        _ => results.report().to_html()?,
    };
    output::replace(path, &content)
}

/// Paragraphs and tables, for a terminal.
pub(super) fn text(sections: &[Section]) -> String {
    let mut parts = Vec::new();
    for section in sections {
        parts.push(section.title.clone());
        for block in &section.blocks {
            match block {
                Block::Paragraph(text) | Block::Note(text) => parts.push(text.words()),
                Block::List(list) => {
                    let items = list.items.iter().map(|item| format!("- {}", item.words()));
                    parts.push(items.collect::<Vec<_>>().join("\n"));
                }
                Block::Table(table) => parts.push(format!("{}\n{}", table.caption, lines(table))),
                _ => {}
            }
        }
        parts.push(text(&section.sections));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn lines(table: &nb_report::Table) -> Table {
    let heads = table.columns.iter().map(|column| match column.kind {
        Kind::Number => Head::Right(&column.title),
        Kind::Text => Head::Left(&column.title),
    });
    let mut lines = Table::with_heads(heads);
    for row in table.rows.iter().chain(&table.footer) {
        lines.row(row.iter().map(|cell| format!("{}{}", cell.text, cell.mark)));
    }
    lines
}
