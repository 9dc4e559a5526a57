//! Experiments: what they are given, and what becomes of their results.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_compare::experiment::{Experiment, ExperimentError, Options, Results};
use nb_report::{Block, Kind, Section};

use super::output;
use crate::{
    failure::usage,
    interrupt,
    output::{Head, Screen, Table, refuse_inputs},
};

/// An experiment in place of a design.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Experiments")]
pub(super) struct ExperimentArgs {
    /// Repeats a published experiment: ng-jordan (learning curves of naive Bayes and logistic regression), assumptions
    /// (when their coefficients agree), truncation (what truncated densities do).
    #[arg(long, value_name = "NAME", conflicts_with_all = ["sets", "design", "suite", "variant", "results", "title",
        "folds", "repeats", "leave_one_out", "held_out", "measure", "alpha", "region", "baseline", "label"])]
    pub(super) experiment: Option<Experiment>,
    /// Number of random splits or samples to average [default: 1000 splits, 200 samples].
    #[arg(long, value_name = "N")]
    splits: Option<usize>,
    /// Options of an experiment in TOML, as printed in its report.
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
}

impl ExperimentArgs {
    /// Refuses options of experiments where there is none. (To clap, what is required is not where it conflicts.)
    pub(super) fn check_unused(&self) -> Result<()> {
        if self.splits.is_some() || self.options.is_some() {
            return Err(usage("--splits and --options are for --experiment; a design has --repeats"));
        }
        Ok(())
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
        let bar = super::bar(screen);
        let results = experiment.run(&options, threads, &mut |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        interrupt::check()?;
        let results = results.map_err(|error| match error {
            ExperimentError::Option { .. }
            | ExperimentError::NoSuchExperiment { .. }
            | ExperimentError::NoSuchProblem { .. } => usage(error.to_string()),
            error => error.into(),
        })?;
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

/// Refuses a file that could not be written.
fn check(path: &Path) -> Result<()> {
    output::check_format(path, &["html", "md", "tex", "json"])
}

/// Writes results in the format that the name of the file asks for.
fn write(results: &Results, path: &Path) -> Result<()> {
    let content = match output::extension(path) {
        "md" => results.report().to_markdown()?,
        "tex" => results.report().latex_tables()?.join("\n"),
        "json" => serde_json::to_string(results)?,
        _ => results.report().to_html()?,
    };
    output::replace(path, &content)
}

/// Paragraphs and tables, for a terminal.
fn text(sections: &[Section]) -> String {
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
