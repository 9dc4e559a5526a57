//! `nbayes refit`: weights and corrections learnt from the rows of now.

mod outcome;
mod rows;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use nb_io::{Model, SeenRows};
use nb_train::{
    Effort, InSums, RefineError, RefitOptions, Refitted as Learnt, RowsOfModel, TrainerError, refit_with,
};

use super::{train::report::HeldOutReport, update};
use crate::{
    columns::Files,
    data::{Input, ReadArgs},
    model::{Lock, LockArgs, is_calibrated_plain, load, seen_rows},
    output::{Screen, counted, refuse_inputs, short},
};
use outcome::{Counts, Refitted};

const EXAMPLES: &str = "\
Examples:
  nbayes update model.nb new.csv; nbayes refit model.nb old.csv new.csv
  nbayes refit model.nb old.csv --add new.csv
  nbayes refit model.nb this-year.csv --only-given";

/// Learn weights and corrections of a refined model from the rows of now; bins, categories, vocabularies and
/// sums stay.
///
/// `update`, `forget`, `merge` and `decay` change the sums of a model exactly, and keep its weights and
/// corrections, which were learnt from the rows of training. `refit` learns these from the rows that are
/// given, which should represent the rows that the model will see at: less than half of the rows of the model
/// are refused without --only-given. If the new weights and corrections are clearly worse on held-out rows
/// than those of before, nothing is written without --force. To learn columns, bins and vocabularies, too,
/// use `nbayes train`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Refit {
    /// The model; it is replaced unless --output is given.
    model: PathBuf,
    /// Data files with labels: usually those with the rows that the sums have.
    #[arg(required_unless_present = "add")]
    files: Vec<String>,
    /// A file of new rows: they are learnt from, too, and added to the sums, as `nbayes update` does. Their
    /// classes may be new.
    #[arg(long, value_name = "FILE")]
    add: Vec<String>,
    /// The output file.
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Learn weights of columns only, and no corrections of bins and categories.
    #[arg(long, conflicts_with = "best")]
    fast: bool,
    /// Try more penalties and more folds, and learn from more rows of large tables.
    #[arg(long)]
    best: bool,
    /// Learn from the rows given alone, even if they are less than half of the rows of the model.
    #[arg(long)]
    only_given: bool,
    /// Write the model even if the new weights and corrections are worse on held-out rows.
    #[arg(long)]
    force: bool,
    /// The column of row weights.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// A column of groups, such as patients: rows of a group are held out together. A row without a group is
    /// its own group.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    #[command(flatten)]
    lock: LockArgs,
    #[command(flatten)]
    read: ReadArgs,
}

impl Refit {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let output = self.output.clone().unwrap_or_else(|| self.model.clone());
        refuse_inputs(Some(&output), self.files.iter().chain(&self.add).map(Path::new))?;
        // Pipes are read to their end before others have to wait.
        let mut inputs = Input::find_all(&self.files, &self.read, screen)?;
        let new = Input::find_all(&self.add, &self.read, screen)?;
        let lock = Lock::of(&output, self.lock, screen)?;
        let mut model = load(&self.model)?;
        if model.refinement().is_none() {
            return Err(self.is_plain(&model));
        }
        let weights = self.weights.as_deref();
        update::note_weights(&model, weights, screen);
        self.refuse_twice(&model, &inputs, &new, screen)?;
        // The map was learnt for the weights of before, and perhaps not for all classes of now.
        let map = model.calibration().cloned();
        let has_map = map.is_some();
        model = model.with_calibration(None)?;
        let (n_added, are_new) = self.add_rows(&mut model, &new, screen)?;
        if has_map && let Ok(with_map) = model.clone().with_calibration(map) {
            model = with_map;
        }
        inputs.extend(new);
        let read = self.read.of_model(&model);
        // The notes on the new rows were printed.
        let screen_of_rows = if self.files.is_empty() { screen.silent() } else { screen };
        let files = self.given(&inputs, &read, screen_of_rows);
        let options = RefitOptions::default()
            .with_effort(self.effort())
            .with_only_given(self.only_given)
            .with_even_if_worse(self.force)
            .with_are_new(are_new && self.files.is_empty());
        let Learnt { model, before, refined, rows, in_sums, change, .. } =
            refit_with(model, &files, options).map_err(|error| self.explained(error))?;
        if has_map {
            screen.note(&format!(
                "the calibration map is removed, as it was learnt for other weights; learn it again (`nbayes calibrate {} DATA --map \
                 isotonic`)",
                output.display()
            ));
        }
        if model.decision().is_some() {
            screen.note(&format!(
                "the decision rule stays, and was chosen for other probabilities; choose it again (`nbayes decide {}`)",
                output.display()
            ));
        }
        let measures = model.refinement().map_or(before.held_out, |refinement| refinement.held_out);
        let held_out = HeldOutReport::of_refined(measures, refined);
        let weight = crate::model::weight(&model);
        lock.save(&model)?;
        let rows = Counts { given: rows.n_weighted, added: n_added, in_sums, weight };
        let result = Refitted::new(output, rows, &before, held_out, change, has_map);
        screen.report(&result, || result.text())
    }

    /// Files that are read as rows of the model.
    fn given<'a>(&'a self, inputs: &'a [Input], read: &'a ReadArgs, screen: Screen) -> Files<'a> {
        let (weights, groups) = (self.weights.as_deref(), self.group.as_slice());
        Files { inputs, label: None, weights, groups, read, is_of_model: true, screen }
    }

    /// Adds new rows to the sums; how many there are, and whether the model has none of them, as far as it
    /// knows.
    fn add_rows(&self, model: &mut Model, new: &[Input], screen: Screen) -> Result<(usize, bool)> {
        if new.is_empty() {
            return Ok((0, false));
        }
        let before = model.clone();
        let weights = self.weights.as_deref();
        let n_rows = update::bring(model, new, weights, &self.read, screen, |model, evidence| {
            Ok(model.merge(evidence)?)
        })?;
        let read = self.read.of_model(model);
        let given = self.given(new, &read, screen.silent());
        let known = RowsOfModel::look(model, &given)?.in_sums(&before);
        match known {
            InSums::Share(share) if share >= 1.0 => bail!(
                "{}: these are just the rows that the sums have; name them without --add",
                self.add.join(", ")
            ),
            InSums::Share(share) => screen.note(&format!(
                "{}: these are rows {}, and --add has added them once more",
                self.add.join(", "),
                seen_rows::words(share)
            )),
            _ => {}
        }
        Ok((n_rows, known == InSums::NoneKnown))
    }

    /// Refuses a file of new rows that has just the rows of another file, and says if it has some of them.
    fn refuse_twice(&self, model: &Model, inputs: &[Input], new: &[Input], screen: Screen) -> Result<()> {
        if inputs.is_empty() || new.is_empty() {
            return Ok(());
        }
        let read = self.read.of_model(model);
        let fingerprint = |input: &Input| rows::fingerprint(model, input, &read, self.weights.as_deref());
        let known = inputs.iter().map(fingerprint).collect::<Result<Vec<_>>>()?;
        for input in new {
            let own = fingerprint(input)?;
            for (other, known) in inputs.iter().zip(&known) {
                match known.seen(&own) {
                    SeenRows::All => bail!(
                        "{} (--add) has just the rows of {}; name it once: with --add if its rows are not in the sums yet",
                        input.name(),
                        other.name()
                    ),
                    SeenRows::Share(share) => screen.note(&format!(
                        "{} of the rows of {} (--add) are in {}, too, and are learnt from twice; give each row once",
                        seen_rows::part(share),
                        input.name(),
                        other.name()
                    )),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn effort(&self) -> Effort {
        match self {
            Self { fast: true, .. } => Effort::Fast,
            Self { best: true, .. } => Effort::Best,
            _ => Effort::Usual,
        }
    }

    fn is_plain(&self, model: &Model) -> anyhow::Error {
        anyhow!(
            "{} is plain naive Bayes: it has no weights and corrections, and nothing to refit, as its sums are those of its rows at any \
             time; `nbayes train DATA --label {:?}`, without --plain, makes a model with weights and corrections",
            self.model.display(),
            model.schema().label
        )
    }

    fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        let error = match error.downcast::<TrainerError>() {
            Ok(error) => error,
            Err(error) => return error,
        };
        match error {
            // Other classes than those of the model were refused before.
            TrainerError::Refine(RefineError::Class { class, .. }) => {
                anyhow!(
                    "no row of {} has the label {class:?}; weights and corrections are learnt from rows of all classes of the \
                     model, so give such rows, too",
                    self.files.iter().chain(&self.add).cloned().collect::<Vec<_>>().join(", ")
                )
            }
            TrainerError::Plain { n_rows: Some(n_rows), why } => anyhow!(
                "weights and corrections cannot be learnt from {}: {why}",
                counted(n_rows as f64, "row", "rows")
            ),
            TrainerError::Refine(RefineError::OtherFamilies) => anyhow!(
                "{}: weights and corrections are learnt for bins, categories and terms of texts, and this model has other families; \
                 use `nbayes train`",
                self.model.display()
            ),
            // The weights were learnt with the sums of the rows given, and the model answers with its own.
            TrainerError::OtherSums { log_loss, held_out } => anyhow!(
                "the sums of {} are of rows too different from those given: with them and the new weights the log-loss of these rows is \
                 {}, and {} with their own sums; give the rows that the sums have, too, or use `nbayes train`",
                self.model.display(),
                short(log_loss),
                short(held_out)
            ),
            TrainerError::PartOfRows { n_rows, of_sums } => {
                let (n_rows, model) = (counted(n_rows as f64, "row", "rows"), self.model.display());
                let (all, kept) = if self.add.is_empty() {
                    (format!("`nbayes refit {model} ALL`"), String::new())
                } else {
                    let new = self.add.join(" ");
                    (
                        format!("`nbayes refit {model} OLD --add {}`", self.add.join(" --add ")),
                        format!("; `nbayes update {model} {new}` adds the new rows and keeps the weights"),
                    )
                };
                anyhow!(
                    "weights and corrections would be learnt from {n_rows} alone, and the model has {of_sums}: give all of its rows ({all})\
                     {kept}; --only-given learns from the rows given alone. Nothing was written"
                )
            }
            TrainerError::Worse(change) => anyhow!(
                "the new weights and corrections are worse than those of {}: the log-loss of held-out rows is {}, and was {}; give more \
                 rows, or write them all the same with --force. Nothing was written",
                self.model.display(),
                short(change.after),
                short(change.before)
            ),
            error => error.into(),
        }
    }
}

/// The number of rows from which the weights of a refined model were learnt.
pub(in crate::commands) fn weights_from_rows(model: &Model) -> Option<u64> {
    model.refinement().map(|refinement| refinement.n_rows)
}

/// What to do with the weights of a model whose sums have changed.
pub(super) fn hint(model: &Model, output: &Path) -> String {
    if let Some(calibration) = model.calibration() {
        return format!(
            "\nits calibration is still that of {}; `nbayes calibrate {} DATA --map isotonic` learns another one",
            counted(calibration.n_rows() as f64, "row", "rows"),
            output.display()
        );
    }
    weights_from_rows(model).map_or_else(String::new, |n_rows| {
        if is_calibrated_plain(model) {
            return format!(
                "\nits calibration is still that of {}; `nbayes calibrate {} DATA` learns another one",
                counted(n_rows as f64, "row", "rows"),
                output.display()
            );
        }
        format!(
            "\nweights and corrections are still those of {}; `nbayes refit {} DATA` learns them from the rows of now",
            counted(n_rows as f64, "row", "rows"),
            output.display()
        )
    })
}
