//! `nbayes compare`: variants of naive Bayes against one another and against logistic regression.

mod answers;
mod cells;
mod columns;
mod design;
mod experiment;
mod machine;
mod on_data;
mod openml;
mod output;
mod predictions;
mod screen;
mod splits;
mod table;
mod texts;

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nb_compare::{
    Analysis, Cell, Comparison, Data, Design, Journal, JournalError, PlanError, Set, Table, Unit, Variant,
    tests_csv,
};

use self::{
    columns::ColumnArgs,
    design::DesignArgs,
    experiment::{ExperimentArgs, Named},
    output::Results,
    table::Reading,
};
use crate::{
    data::ReadArgs,
    design::TextArgs,
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
    /// Report files: .html, .md, .tex (to be included in a paper), .csv (one line per fold), .json, .json.gz
    /// (compressed; pages then link to it and have no results inside) or .toml (the design).
    #[arg(long, short, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// A file for the answer to each tested row: set, variant, repeat, the size or the disturbance and level
    /// of an experiment, fold, row (counted from 0, of those with a label), label, predicted label, and
    /// the log-posterior of each class (.csv, .jsonl or .parquet).
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// A file with the answers of another program to the tested rows, compared as variants: columns row,
    /// fold and, where there are several, repeat, set and variant, then predicted, `p(CLASS)` or
    /// `log_p(CLASS)`, as `--predictions` writes them (repeatable).
    #[arg(long, value_name = "FILE")]
    answers: Vec<PathBuf>,
    /// A file for the splits, so that other programs can be tested on the same: set, repeat, fold, row and
    /// label of each tested row (.csv, .jsonl or .parquet).
    #[arg(long, value_name = "FILE")]
    write_splits: Option<PathBuf>,
    /// A file for every test, interval, rank and probability of the report, a line each (.csv).
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,
    /// A file for intermediate results; an interrupted run resumes from it.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Number of threads [default: one per processor].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The label column of files.
    #[arg(long, short, value_name = "COLUMN")]
    label: Option<String>,
    /// Take label columns of numbers even if they look like regression, as for `nbayes train`.
    #[arg(long)]
    numeric_labels: bool,
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

impl Compare {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        if self.list {
            return list(screen);
        }
        if let Some(Named::Published(experiment)) = self.experiment.experiment {
            let label = self.label.as_ref().map(|_| "--label");
            let used = self.design.used().or(label).or(self.columns.used(false)).or(self.text.used());
            let used = used.or(self.of_comparisons()).or(self.of_runs()).or(self.design.of_tests());
            self.experiment.check_published(experiment, used)?;
            let (outputs, seed) = (&self.output, self.design.seed);
            return self.experiment.run(experiment, outputs, seed, self.threads(), screen);
        }
        let Prepared { design, tables, changed } = self.data(screen)?;
        // Before there is a file of results.
        tables.iter().try_for_each(|table| design.plan.folds(table, design.seed, 0).map(drop))?;
        if let Some(path) = &self.write_splits {
            splits::write(&design, &tables, path)?;
        }
        let units = self.units(&design, &tables, screen)?;
        let mut comparison = Comparison::new(design, &tables, units);
        comparison.made.program = concat!("nbayes ", env!("CARGO_PKG_VERSION")).into();
        comparison.made.machine = Some(machine::describe());
        comparison.results_file = output::results_file(&self.output);
        if let Some(path) = &self.predictions {
            predictions::write(&comparison, &tables, path)?;
        }
        let results = Results::new(&comparison, &tables);
        for path in &self.output {
            results.write(path)?;
        }
        if let (Some(path), Results::Comparison(analysis)) = (&self.tests, &results) {
            output::replace(path, &tests_csv(analysis))?;
        }
        for warning in comparison.data.iter().filter_map(Data::untested) {
            screen.note(&warning);
        }
        results.show(screen)?;
        if let Results::Comparison(analysis) = &results {
            refuse_failures(analysis)?;
        }
        refuse_changes(&changed)
    }

    /// The first option that is used and that experiments do not take.
    fn of_comparisons(&self) -> Option<&'static str> {
        let used = [(!self.answers.is_empty(), "--answers"), (self.tests.is_some(), "--tests")];
        used.into_iter().find_map(|(is_used, name)| is_used.then_some(name))
    }

    /// The first option that is used and that published experiments do not have, beside those of comparisons.
    fn of_runs(&self) -> Option<&'static str> {
        let used = [
            (self.results.is_some(), "--results"),
            (self.predictions.is_some(), "--predictions"),
            (self.write_splits.is_some(), "--write-splits"),
        ];
        used.into_iter().find_map(|(is_used, name)| is_used.then_some(name))
    }

    /// The design and the tables of its data sets, after all that can be refused before was refused.
    fn data(&self, screen: Screen) -> Result<Prepared> {
        self.refuse_no_data()?;
        if self.text.has_text_model() {
            return Err(usage(
                "--text-model is for one model; here each variant has its own: -v multinomial,complement,bernoulli",
            ));
        }
        let answers = answers::variants(&self.answers, screen)?;
        let mut recorded = self.design.design(self.label.as_deref(), answers)?;
        let design = &mut recorded.design;
        self.vary(design)?;
        let formats = &["html", "md", "tex", "csv", "json", "json.gz", "toml"];
        self.output.iter().try_for_each(|path| output::check_format(path, formats))?;
        design.predictions |= self.predictions.is_some();
        openml::resolve(&mut design.sets)?;
        self.columns.add_to(&mut design.sets, &self.text)?;
        let of_answers =
            design.variants.iter().filter_map(Variant::answers).map(|file| Path::new(&file.file));
        let inputs = self.design.paths().chain(design.sets.iter().flat_map(files)).chain(of_answers);
        let inputs: Vec<PathBuf> = inputs.map(PathBuf::from).collect();
        let rows = [&self.predictions, &self.write_splits].into_iter().flatten();
        let others = self.results.iter().chain(&self.tests);
        let outputs: Vec<&PathBuf> = self.output.iter().chain(others).chain(rows.clone()).collect();
        for output in &outputs {
            refuse_inputs(Some(output), inputs.iter().map(PathBuf::as_path))?;
        }
        for path in rows {
            predictions::check(path)?;
        }
        if let Some(path) = &self.tests {
            output::check_format(path, &["csv"])?;
        }
        if let Some((_, path)) =
            outputs.iter().enumerate().find(|(place, path)| outputs[..*place].contains(path))
        {
            return Err(usage(format!("{} is named twice; give each output its own name", path.display())));
        }
        let protected = design.protected.clone();
        let reading = Reading {
            label: self.label.as_deref(),
            protected: protected.as_deref(),
            read: &self.read,
            numeric_labels: self.numeric_labels,
        };
        let named = design.sets.iter().zip(design.set_names());
        let tables = named.map(|(set, name)| reading.load(set, &name, screen)).collect::<Result<Vec<_>>>()?;
        self.design.choose(design, &tables)?;
        let of_answers = answers::checksums(design)?.into_iter();
        let mut changed: Vec<String> = of_answers.map(|file| format!("the answers of {file}")).collect();
        let of_tables = recorded.changed(&tables).into_iter();
        changed.extend(of_tables.map(|name| format!("the rows, columns or splits of {name}")));
        Ok(Prepared { design: recorded.design, tables, changed })
    }

    fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// Carries out what is not in the file of results yet.
    fn units(&self, design: &Design, tables: &[Table], screen: Screen) -> Result<Vec<Unit>> {
        let (mut journal, known) = match &self.results {
            Some(path) => {
                let (journal, known) = Journal::open(path, design, tables).map_err(|error| match error {
                    JournalError::Plan(error) => usage_of_plan(error),
                    error => error.into(),
                })?;
                (Some(journal), known)
            }
            None => (None, Vec::new()),
        };
        if !known.is_empty() {
            screen.note(&format!("{} results are there already", known.len()));
        }
        let known = [known, answers::units(design, tables, screen)?].concat();
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
        let units = units.map_err(usage_of_plan)?;
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

/// A call that no data could be split by, and not one that these data cannot be.
fn usage_of_plan(error: PlanError) -> anyhow::Error {
    match error {
        PlanError::LeaveOneOut | PlanError::NoSize { .. } => usage(error.to_string()),
        error => error.into(),
    }
}

/// What is compared, on which tables.
struct Prepared {
    design: Design,
    tables: Vec<Table>,
    /// What is not as in the report that is repeated.
    changed: Vec<String>,
}

/// Refuses to call results those of a report that was made of something else.
fn refuse_changes(changed: &[String]) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    bail!(
        "{} are not those of the report, so that these results do not repeat it; compare on the data of the report, or write the \
         design (-o design.toml) and go on from that",
        changed.join(" and ")
    )
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

/// The files of a data set.
fn files(set: &Set) -> impl Iterator<Item = &Path> {
    let of_file = match set {
        Set::File(set) => [Some(set.file.as_str()), set.splits.as_deref(), columns::stop_word_file(set)],
        Set::Embedded(_) => [None; 3],
    };
    of_file.into_iter().flatten().map(Path::new)
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
