//! `nbayes update`: more rows.

mod odd_cells;
mod terms;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_io::{Model, read::train_within};
use nb_train::Watch;
use odd_cells::OddCells;
use serde::Serialize;

use super::{
    refit,
    train::pairs::{check_within, limit_of},
};
use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    model::{Lock, LockArgs, limits, load, seen_rows},
    output::{Screen, counted, exact, refuse_inputs, short},
    words::not_learnt,
};

/// Update a model with new labelled rows (same result as retraining on all of them).
///
/// Weights, corrections and bins of a refined model stay as they are; `nbayes refit` learns weights and
/// corrections again. New words of texts are counted, too, unless the vocabulary was restricted; with `--idf`
/// the frequencies of known words stay, and a new word has that of the rarest known one.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes update model.nb more.csv\n  zcat new.csv.gz | nbayes update model.nb -\n  nbayes train \
                  sample.csv --label y -o sample.nb; nbayes update sample.nb part-1.csv --only-given -o part-1.nb"
)]
pub(crate) struct Update {
    /// Count the rows given alone, without those of the model, whose columns, bins, weights and corrections
    /// stay: a part of many rows, to be merged with the other parts (`nbayes merge`). Needs --output.
    #[arg(long, requires = "output")]
    only_given: bool,
    #[command(flatten)]
    change: Change,
}

/// Options of `update` and `forget`.
#[derive(Debug, clap::Args)]
pub(super) struct Change {
    /// The model; it is replaced unless --output is given.
    pub(super) model: PathBuf,
    /// Data files with labels.
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// The output file.
    #[arg(long, short)]
    pub(super) output: Option<PathBuf>,
    /// The column of row weights.
    #[arg(long, value_name = "COLUMN")]
    pub(super) weights: Option<String>,
    #[command(flatten)]
    pub(super) lock: LockArgs,
    #[command(flatten)]
    pub(super) read: ReadArgs,
}

#[derive(Serialize)]
struct Changed {
    rows: usize,
    weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_from_rows: Option<u64>,
    output: PathBuf,
}

impl Update {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let start = |model: &mut Model| {
            let own = model.clone();
            if self.only_given { Ok(model.subtract(&own)?) } else { Ok(()) }
        };
        self.change.run("added", screen, start, |model, evidence| {
            let share = evidence.row_fingerprint().and_then(|rows| seen_rows::share(model, rows));
            if let Some(share) = share {
                screen.note(&format!(
                    "these are rows {}, and are added once more; `nbayes forget` takes them out again",
                    seen_rows::words(share)
                ));
            }
            Ok(model.merge(evidence)?)
        })
    }
}

impl Change {
    /// Lets `start` prepare the model, collects the evidence of all files, lets `change` bring it into the
    /// model, and writes the model: all of it or nothing.
    pub(super) fn run(
        &self,
        done: &str,
        screen: Screen,
        start: impl Fn(&mut Model) -> Result<()>,
        change: impl Fn(&mut Model, &Model) -> Result<()>,
    ) -> Result<()> {
        let output = self.output.clone().unwrap_or_else(|| self.model.clone());
        refuse_inputs(Some(&output), self.files.iter().map(Path::new))?;
        // Pipes are read to their end before others have to wait.
        let inputs = Input::find_all(&self.files, &self.read, screen)?;
        let lock = Lock::of(&output, self.lock, screen)?;
        let mut model = load(&self.model)?;
        start(&mut model)?;
        note_weights(&model, self.weights.as_deref(), screen);
        let n_rows = bring(&mut model, &inputs, self.weights.as_deref(), &self.read, screen, change)?;
        lock.save(&model)?;
        let result = Changed {
            rows: n_rows,
            weight: crate::model::weight(&model),
            weights_from_rows: refit::weights_from_rows(&model),
            output,
        };
        screen.report(&result, || {
            let Changed { rows, weight, output, .. } = &result;
            let rows = counted(*rows as f64, "row", "rows");
            let weight = exact(*weight);
            let text = format!("{done} {rows}; the model has {weight} now; wrote {}", output.display());
            text + &refit::hint(&model, output)
        })
    }
}

/// Says that rows with weights meet rows without, as far as the model shows: the weight of its rows is their
/// number, or is not.
pub(super) fn note_weights(model: &Model, weights: Option<&str>, screen: Screen) {
    let Some(rows) = model.row_fingerprint() else { return };
    let (n_rows, weight) = (rows.n_rows(), crate::model::weight(model));
    if n_rows == 0 {
        return;
    }
    let rows = counted(n_rows, "row", "rows");
    let has_weights = weight != n_rows as f64;
    match weights {
        None if has_weights => screen.note(&format!(
            "the model has {rows} with a total weight of {}, so they were weighted (or decayed), and each of these has the weight 1; \
             `--weights COLUMN` weights them",
            short(weight)
        )),
        Some(column) if !has_weights => screen.note(&format!(
            "each of the {rows} of the model has the weight 1, as far as it shows, and these have the weights of column {column:?}"
        )),
        _ => {}
    }
}

/// Collects the evidence of all files, and lets `change` bring it into a model; how many rows there were.
pub(super) fn bring(
    model: &mut Model,
    inputs: &[Input],
    weights: Option<&str>,
    read: &ReadArgs,
    screen: Screen,
    change: impl Fn(&mut Model, &Model) -> Result<()>,
) -> Result<usize> {
    let mut n_rows = 0;
    let read = read.of_model(model);
    let limit = limit_of(model);
    for input in inputs {
        let schema = terms::with_terms_of(input, model.schema(), weights, &read, screen)?;
        let mut evidence = Model::from_parts(
            model.schema().clone(),
            model.family().clone(),
            nb_core::Prior::Empirical,
            model.stats().empty(),
        )?;
        let classes = model.stats().classes().cloned().collect();
        let wanted = Wanted { weight: weights, classes, ..Wanted::default() };
        let mut reader = read.open(input, &schema, wanted, Purpose::Learn, screen)?;
        let mut watch = Watch::rows_only(&schema);
        let mut watched = watch.reader(reader.as_mut());
        let mut reader = OddCells::new(&mut watched, model);
        let limits = limits().with_max_memory(limit);
        n_rows += train_within(&mut evidence, &mut reader, limits).map_err(|error| {
            let origin = Origin { input, read: &read, schema: &schema, purpose: Purpose::Learn };
            not_learnt(error, |_, row| origin.at(row))
        })?;
        // The classes are those of the model, and perhaps others.
        let classes: BTreeSet<&String> = model.stats().classes().chain(evidence.stats().classes()).collect();
        check_within(evidence.family(), evidence.schema(), classes.len(), limit, "in `nbayes train` ")
            .with_context(|| format!("the rows of {}", input.name()))?;
        reader.warn(screen);
        drop(watched);
        // Measures of training stay what they were.
        let evidence = evidence
            .with_row_fingerprint(watch.finish(model.schema()).rows)
            .with_held_out(model.uncalibrated_held_out().copied())?;
        change(model, &evidence).with_context(|| format!("the rows of {}", input.name()))?;
    }
    Ok(n_rows)
}
