//! `nbayes predict`: labels for new rows.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_calibration::{Abstention, Decision, DecisionRule};
use nb_core::{Classifier, RowSubset};
use nb_io::{
    FittedFamily, Model,
    read::{Chunk, Place, SkippedRows},
};

use crate::{
    cli::probability,
    data::{Input, Origin, Purpose, ReadArgs, Wanted, find_files},
    design::{Selected, Selector},
    engine::{EngineArgs, ExternalEngine},
    failure::usage,
    model::{Unfamiliar, load, load_classifier, pieces},
    output::{Cell, ColumnType, RowWriter, Screen, counted, distinct, refuse_inputs},
    words::value_error,
};

/// Predict the label of each row, with class probabilities on request.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes predict model.nb new.csv\n  nbayes predict model.nb new.parquet --proba --id customer -o labelled.parquet"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Predict {
    /// The model.
    model: PathBuf,
    /// Data files, folders of them or patterns such as 'new/*.parquet'; columns are matched by name, in any
    /// order.
    #[arg(required = true)]
    files: Vec<String>,
    /// Columns to copy to the output before the label, such as identifiers.
    #[arg(long, value_name = "COLUMNS")]
    id: Vec<String>,
    /// Copy all columns of the first file to the output before the label. Not for svmlight and NumPy files.
    #[arg(long, conflicts_with = "id")]
    keep: bool,
    /// Add the probability of each class (`predict_proba`).
    #[arg(long)]
    proba: bool,
    /// Add the natural logarithm of the probability of each class.
    #[arg(long)]
    log_proba: bool,
    /// Give no label to rows whose most probable class has a smaller probability than this.
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    min_probability: Option<f64>,
    /// The label of such rows [default: an empty cell].
    #[arg(long, value_name = "LABEL", requires = "min_probability")]
    abstain: Option<String>,
    /// Add the prediction set of each row, for models that make such sets (`nbayes decide --coverage`): its
    /// labels with `|` between them.
    #[arg(long)]
    sets: bool,
    /// The output file: CSV, TSV, Parquet or JSON lines, by its extension [default: standard output].
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Predict {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let inputs = self.files.iter().map(Path::new).chain([self.model.as_path()]);
        refuse_inputs(self.output.as_deref(), inputs)?;
        if let Some(engine) = self.engine.external()? {
            return self.predict_on_engine(&engine, screen);
        }
        let (model, classifier) = load_classifier(&self.model)?;
        let decision = self.decision(&model, &classifier)?;
        let read = self.read.of_model(&model);
        let files = find_files(&self.files, &read, screen)?;
        let mut first = files.first().map(|file| Input::find(file)).transpose()?;
        let kept = self.kept(first.as_ref(), &read)?;
        let columns = self.columns(&kept, &model, &classifier);
        let mut writer = RowWriter::new(self.output.as_deref(), screen.json(), &columns)?;
        let mut unfamiliar = Unfamiliar::new(&model);
        let (mut rows, mut abstained) = (0_u64, 0_u64);
        for file in &files {
            let input = first.take().map_or_else(|| Input::find(file), Ok)?;
            let wanted = Wanted { ids: &kept, places: read.skips_bad_rows(), ..Wanted::default() };
            let mut reader = read.open(&input, model.schema(), wanted, Purpose::Predict, screen)?;
            let origin =
                Origin { input: &input, read: &read, schema: model.schema(), purpose: Purpose::Predict };
            let mut unread = Unread::default();
            while let Some(chunk) = reader.next_chunk()? {
                unfamiliar.look(&chunk);
                let labels = classifier
                    .try_predict_each(&chunk.rows)
                    .map_err(|error| value_error(error, origin, chunk.first_row))?;
                rows += labels.len() as u64;
                let before = unread.before(&chunk, reader.skipped_rows());
                abstained += self.write(&classifier, &decision, &chunk, &labels, &before, &mut writer)?;
            }
            let unread = unread.rest(reader.skipped_rows());
            writer.write(&vec![vec![Cell::Missing; columns.len()]; unread])?;
        }
        unfamiliar.note(screen);
        note_abstained(&decision, abstained, rows, screen);
        writer.finish()
    }

    fn selectors(&self) -> Vec<Selector> {
        self.id.iter().flat_map(|list| Selector::list(list)).collect()
    }

    /// The names of the columns that are copied, each once.
    fn kept(&self, first: Option<&Input>, read: &ReadArgs) -> Result<Vec<String>> {
        let selectors = self.selectors();
        let needs_names = self.keep || selectors.iter().any(Selector::may_be_pattern);
        let names = match first.filter(|_| needs_names) {
            Some(first) => read.columns(first)?,
            None => Vec::new(),
        };
        if self.keep {
            return Ok(names);
        }
        let file = first.map_or("", Input::name);
        let mut kept: Vec<String> = Vec::new();
        for selector in &selectors {
            let selected = match selector.select(file, &names, &[])? {
                Selected::Named(name) => vec![name],
                Selected::Matched(names) => names,
            };
            for name in selected {
                if !kept.contains(&name) {
                    kept.push(name);
                }
            }
        }
        Ok(kept)
    }

    /// How posteriors become labels: as the model says, and as the options do.
    fn decision(
        &self,
        model: &Model,
        classifier: &Classifier<String, FittedFamily>,
    ) -> Result<Decision<String>> {
        let decision = match model.decision() {
            Some(decision) => decision.clone(),
            None => Decision::new(classifier.classes().to_vec(), DecisionRule::MostProbable)?,
        };
        if self.sets && decision.sets().is_none() {
            return Err(usage(format!(
                "--sets: the model makes no prediction sets; make some with `nbayes decide {} HELD-OUT --coverage 0.9`",
                self.model.display()
            )));
        }
        let Some(min_probability) = self.min_probability else { return Ok(decision) };
        let label = self.abstain.clone();
        decision
            .with_abstention(Some(Abstention { min_probability, label }))
            .map_err(|error| usage(format!("--abstain: {error}")))
    }

    /// The other program does all of it.
    fn predict_on_engine(&self, engine: &ExternalEngine, screen: Screen) -> Result<()> {
        let Some(output) = &self.output else {
            return Err(usage("--engine datafusion and ballista need an output file: -o FILE"));
        };
        if !self.read.is_plain() {
            return Err(usage("the options for reading data are for --engine local only"));
        }
        if self.min_probability.is_some() || self.sets {
            return Err(usage("--min-probability, --abstain and --sets are for --engine local only"));
        }
        // What cannot be loaded, the other program says.
        if load(&self.model).is_ok_and(|model| model.decision().is_some()) {
            return Err(usage(
                "the model has a decision rule, which --engine local applies only; remove the rule with `nbayes decide --none`",
            ));
        }
        let ids = self.selectors();
        if self.keep || ids.len() > 1 || ids.iter().any(Selector::may_be_pattern) {
            return Err(usage(
                "--engine datafusion and ballista copy one column (--id COLUMN), or all but the labels without --id",
            ));
        }
        let mut arguments: Vec<&OsStr> = vec!["predict".as_ref(), self.model.as_ref()];
        arguments.extend(self.files.iter().map(OsStr::new));
        arguments.extend(["-o".as_ref(), output.as_os_str()]);
        if let [id] = &ids[..] {
            arguments.extend(["--id".as_ref(), OsStr::new(id.text())]);
        }
        for (wanted, option) in [(self.proba, "--proba"), (self.log_proba, "--log-proba")] {
            arguments.extend(wanted.then_some(OsStr::new(option)));
        }
        engine.query(arguments, screen.quiet())
    }

    fn columns(
        &self,
        kept: &[String],
        model: &Model,
        classifier: &Classifier<String, FittedFamily>,
    ) -> Vec<(String, ColumnType)> {
        let id = kept.iter().map(|id| (id.clone(), ColumnType::Text));
        let mut columns: Vec<_> =
            id.chain([(format!("predicted_{}", model.schema().label), ColumnType::Text)]).collect();
        for (wanted, name) in [(self.proba, "p"), (self.log_proba, "log_p")] {
            if wanted {
                let of_class = |class: &String| (format!("{name}({class})"), ColumnType::Number);
                columns.extend(classifier.classes().iter().map(of_class));
            }
        }
        columns.extend(self.sets.then(|| ("set".to_owned(), ColumnType::Text)));
        distinct(columns)
    }

    /// Writes one row of answers for every row, and gives the number of rows without a label because none is
    /// probable enough. A row that is impossible under every class has an empty one, and so have the rows
    /// that could not be read: `before` says how many of them are before a row.
    fn write(
        &self,
        classifier: &Classifier<String, FittedFamily>,
        decision: &Decision<String>,
        chunk: &Chunk,
        labels: &[Option<String>],
        before: &[usize],
        writer: &mut RowWriter,
    ) -> Result<u64> {
        let (n_classes, wanted) = (classifier.classes().len(), [self.proba, self.log_proba]);
        let n_answers = n_classes * wanted.iter().filter(|wanted| **wanted).count();
        let decides = !decision.is_trivial();
        let needs_logs = self.log_proba || decides;
        let abstain = decision.abstention().and_then(|abstention| abstention.label.clone());
        let place = |label: &String| classifier.classes().binary_search(label).ok();
        let impossible = vec![f64::NEG_INFINITY; n_classes];
        let set = |log_posterior: &[f64]| match decision.sets() {
            Some(sets) if self.sets => {
                Some(Cell::Text(listed(&sets.set(log_posterior), classifier.classes())))
            }
            _ => None,
        };
        let mut abstained = 0;
        for piece in pieces(labels.len(), n_answers.max(if needs_logs { n_classes } else { 0 })) {
            let possible: Vec<usize> = piece.clone().filter(|&row| labels[row].is_some()).collect();
            let rows = RowSubset::new(&chunk.rows, &possible).context("there is not one label per row")?;
            let proba = if self.proba { Some(classifier.predict_proba(&rows)?) } else { None };
            let logs = if needs_logs { Some(classifier.predict_log_proba(&rows)?) } else { None };
            let answers: Vec<_> = proba.iter().chain(logs.iter().filter(|_| self.log_proba)).collect();
            let mut row_of_answers = 0;
            let lines: Vec<Vec<Cell>> = piece
                .clone()
                .map(|row| {
                    let id = chunk.ids.iter().map(|texts| Cell::Text(texts[row].clone()));
                    let Some(label) = &labels[row] else {
                        return id
                            .chain(vec![Cell::Missing; 1 + n_answers])
                            .chain(set(&impossible))
                            .collect();
                    };
                    let numbers = answers.iter().flat_map(|answers| answers.row(row_of_answers).to_vec());
                    let log_posterior =
                        logs.as_ref().filter(|_| decides).map(|logs| logs.row(row_of_answers).to_vec());
                    let chosen = match (&log_posterior, place(label)) {
                        (Some(log_posterior), Some(most_probable)) => decision
                            .choose(most_probable, log_posterior)
                            .map(|class| &classifier.classes()[class]),
                        _ => Some(label),
                    };
                    abstained += u64::from(chosen.is_none());
                    let label =
                        chosen.or(abstain.as_ref()).map_or(Cell::Missing, |label| Cell::Text(label.clone()));
                    let set = log_posterior.as_deref().and_then(set);
                    let cells = id.chain([label]).chain(numbers.map(Cell::Number)).chain(set).collect();
                    row_of_answers += 1;
                    cells
                })
                .collect();
            if before.is_empty() {
                writer.write(&lines)?;
                continue;
            }
            for (row, line) in piece.zip(lines) {
                writer.write(&vec![vec![Cell::Missing; line.len()]; before[row]])?;
                writer.write(&[line])?;
            }
        }
        Ok(abstained)
    }
}

/// How many of the rows that could not be read have an answer.
#[derive(Debug, Default)]
struct Unread {
    answered: usize,
}

impl Unread {
    /// How many of them are before each row of a chunk; nothing if there are none.
    fn before(&mut self, chunk: &Chunk, skipped: Option<SkippedRows>) -> Vec<usize> {
        let Some(skipped) = skipped.filter(|skipped| skipped.places.len() > self.answered) else {
            return Vec::new();
        };
        let mut places = skipped.places[self.answered..].iter().peekable();
        let before = |place: &Place| {
            let mut n_rows = 0;
            while places.next_if(|skipped| *skipped < place).is_some() {
                n_rows += 1;
            }
            n_rows
        };
        let before: Vec<usize> = chunk.places.iter().map(before).collect();
        self.answered += before.iter().sum::<usize>();
        before
    }

    /// How many of them are behind the last row.
    fn rest(self, skipped: Option<SkippedRows>) -> usize {
        skipped.map_or(0, |skipped| skipped.places.len() - self.answered)
    }
}

/// The labels of a set, with `|` between them; a `|` in a label has a `\` before it.
fn listed(set: &[usize], classes: &[String]) -> String {
    set.iter().map(|&class| classes[class].replace('|', "\\|")).collect::<Vec<_>>().join("|")
}

/// Says how many rows have no label because none is probable enough.
fn note_abstained(decision: &Decision<String>, abstained: u64, rows: u64, screen: Screen) {
    let Some(Abstention { min_probability, label }) = decision.abstention().filter(|_| abstained > 0) else {
        return;
    };
    let (rows, is_one) = (counted(rows, "row", "rows"), abstained == 1);
    let what = match (label, is_one) {
        (None, true) => "has no label".into(),
        (None, false) => "have no label".into(),
        (Some(label), true) => format!("is labelled {label:?}"),
        (Some(label), false) => format!("are labelled {label:?}"),
    };
    let whose = if is_one { "its most probable class" } else { "their most probable classes" };
    let has = if is_one { "has a probability" } else { "have probabilities" };
    screen.note(&format!("{abstained} of {rows} {what}: {whose} {has} below {min_probability}"));
}
