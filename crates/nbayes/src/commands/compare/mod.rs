//! `nbayes compare`: variants of naive Bayes against one another and against logistic regression.

mod design;
mod experiment;
mod on_data;
mod output;
mod screen;
mod table;

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nb_compare::{Analysis, Cell, Comparison, Design, Journal, Set, Table, Unit, Variant};

use self::{
    design::DesignArgs,
    experiment::{ExperimentArgs, Named},
    screen::Compared,
    table::Reading,
};
use crate::{
    data::ReadArgs,
    design::{Choice, Choices, TextArgs},
    failure::{Interrupted, usage},
    interrupt,
    output::{Screen, Table as Lines, refuse_inputs, visible},
};

const EXAMPLES: &str = "\
Examples:
  nbayes compare @iris @wine @pima -v gaussian,shared-gaussian,logistic
  nbayes compare data.csv --label y -v gaussian -v logistic:l2=0.1 --leave-one-out
  nbayes compare --design comparison.toml -o comparison.html
  nbayes compare --experiment learning-curve @pima -v gaussian,logistic -o curves.html
  nbayes compare --experiment robustness @pima -v gaussian,logistic --repeats 2
  nbayes compare --experiment ng-jordan -o ng-jordan.html";

/// Compare variants of naive Bayes and logistic regression by cross-validation, on one or many data sets.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    #[command(flatten)]
    design: DesignArgs,
    /// Report files: .html, .md, .tex (tables), .csv (one line per fold), .json or .toml (the design).
    #[arg(long, short, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// A file for intermediate results; an interrupted run resumes from it.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Number of threads [default: one per processor].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The label column of files.
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// List the variants.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    experiment: ExperimentArgs,
    #[command(flatten)]
    columns: ColumnArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// What columns of files hold, where their cells do not say so; names are separated by commas.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Columns of files")]
struct ColumnArgs {
    /// Categorical columns, even if they look numeric.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    categorical: Vec<String>,
    /// Numeric columns, even if they have few distinct integers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    numeric: Vec<String>,
    /// Columns of counts.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    count: Vec<String>,
    /// The column of free text.
    #[arg(long, value_name = "COLUMN")]
    text: Vec<String>,
    /// Columns to ignore, such as identifiers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
}

impl ColumnArgs {
    fn choices(&self) -> Choices {
        let kinds = [
            (&self.categorical, Choice::CATEGORICAL),
            (&self.numeric, Choice::GAUSSIAN),
            (&self.count, Choice::POISSON),
            (&self.text, Choice::Text),
            (&self.ignore, Choice::Ignore),
        ];
        let named = kinds
            .into_iter()
            .flat_map(|(columns, kind)| columns.iter().map(move |name| (name.clone(), kind)));
        Choices::new(named.collect())
    }
}

impl Compare {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if self.list {
            return list(screen);
        }
        match self.experiment.experiment {
            None => self.experiment.check_unused()?,
            Some(Named::Published(experiment)) => {
                let label = self.label.as_ref().map(|_| "--label");
                self.experiment.check_published(experiment, self.design.used().or(label))?;
                let (outputs, seed) = (&self.output, self.design.seed);
                return self.experiment.run(experiment, outputs, seed, self.threads(), screen);
            }
            Some(Named::LearningCurve) => return self.learning_curve(screen),
            Some(Named::Robustness) => return self.robustness(screen),
        }
        let (design, tables) = self.data(screen, &["html", "md", "tex", "csv", "json", "toml"])?;
        // Before there is a file of results.
        tables.iter().try_for_each(|table| design.plan.folds(table, design.seed, 0).map(drop))?;
        let units = self.units(&design, &tables, screen)?;
        let comparison = Comparison::new(design, &tables, units);
        for path in &self.output {
            output::write(&comparison, path)?;
        }
        let analysis = Analysis::new(&comparison);
        screen.show(&Compared::new(&analysis), || screen::text(&analysis))?;
        refuse_failures(&analysis)
    }

    /// The design and the tables of its data sets, after all that can be refused before was refused.
    fn data(&self, screen: Screen, formats: &[&str]) -> Result<(Design, Vec<Table>)> {
        if let Some(option) = self.text.not_for_comparisons() {
            return Err(usage(format!(
                "{option} is not for comparisons: what is learnt from texts is learnt from the training rows of each split, \
                 and variants say what becomes of counts"
            )));
        }
        let mut design = self.design.design(self.label.as_deref())?;
        self.output.iter().try_for_each(|path| output::check_format(path, formats))?;
        let inputs: Vec<&Path> = self.design.paths().chain(design.sets.iter().filter_map(file)).collect();
        for output in self.output.iter().chain(&self.results) {
            refuse_inputs(Some(output), inputs.iter().copied())?;
        }
        let reading = Reading {
            label: self.label.as_deref(),
            choices: self.columns.choices(),
            text: &self.text,
            read: &self.read,
        };
        let named = design.sets.iter().zip(design.set_names());
        let tables = named.map(|(set, name)| reading.load(set, &name, screen)).collect::<Result<Vec<_>>>()?;
        self.design.choose(&mut design, &tables)?;
        Ok((design, tables))
    }

    fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// Carries out what is not in the file of results yet.
    fn units(&self, design: &Design, tables: &[Table], screen: Screen) -> Result<Vec<Unit>> {
        let (mut journal, known) = match &self.results {
            Some(path) => {
                let (journal, known) = Journal::open(path, design, tables)?;
                (Some(journal), known)
            }
            None => (None, Vec::new()),
        };
        if !known.is_empty() {
            screen.note(&format!("{} results are there already", known.len()));
        }
        let bar = bar(screen);
        let mut problem = None;
        let units = nb_compare::run(design, tables, known, self.threads(), |progress| {
            let (done, all) = progress.work;
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(format!("{} on {}", progress.unit.variant, visible(&progress.unit.set)));
            problem = journal.as_mut().and_then(|journal| journal.add(progress.unit).err());
            if problem.is_some() || interrupt::requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        bar.finish_and_clear();
        if let Some(problem) = problem {
            return Err(problem.into());
        }
        let units = units?;
        if let Some(path) = self.results.as_ref().filter(|_| interrupt::requested()) {
            let kept = format!(
                "interrupted; {} results are in {}; the same command resumes from there",
                units.len(),
                path.display()
            );
            return Err(Interrupted(kept).into());
        }
        interrupt::check()?;
        Ok(units)
    }
}

/// Refuses a variant that failed wherever it was tried: what was wrong with it is in the results.
fn refuse_failures(analysis: &Analysis<'_>) -> Result<()> {
    let n_variants = analysis.comparison.design.variants.len();
    let failed: Vec<&str> = (0..n_variants)
        .filter(|&variant| {
            let cells = || analysis.cells.iter().filter_map(|row| row.get(variant));
            cells().any(|cell| matches!(cell, Cell::Failed { .. }))
                && !cells().any(|cell| matches!(cell, Cell::Done(_)))
        })
        .map(|variant| analysis.name(variant))
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    bail!("{} failed on every data set; the reasons are in the results", failed.join(", "))
}

/// The file of a data set.
fn file(set: &Set) -> Option<&Path> {
    match set {
        Set::File { file, .. } => Some(Path::new(file)),
        Set::Embedded(_) => None,
    }
}

/// A bar with the time that is left.
fn bar(screen: Screen) -> ProgressBar {
    let target = if screen.quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(1), target);
    // The template is a constant, and correct.
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}  {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn list(screen: Screen) -> Result<()> {
    let variants: Vec<(&str, &str)> = Variant::presets().collect();
    screen.show(&variants, || {
        let mut table = Lines::new(["variant", "description"]);
        for (name, meaning) in &variants {
            table.row([name, meaning]);
        }
        table.to_string()
    })
}
