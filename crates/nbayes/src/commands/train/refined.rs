//! Models whose weights and corrections are learnt by conditional likelihood.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use nb_core::Rows;
use nb_discriminative::{ColumnKind, Learner};
use nb_io::{
    Schema,
    read::{Chunk, train},
};
use nb_train::{Best, RefineError, Sample, Sampler, Seen, Watch, WhyPlain, refine};

use super::{
    Train,
    effort::Method,
    report::{Factors, HeldOut},
};
use crate::{
    columns::Found,
    data::{Input, ReadArgs},
    design::Choice,
    output::Screen,
    words::{not_learnt, value_error},
};

/// The weights of rows from which weights of columns are learnt, beside 0.
const WEIGHTS: RangeInclusive<f64> = 1e-290..=1e290;

impl Train {
    /// Learns bins, weights and corrections, by the learner that is best on held-out rows, and adds all rows; or says why rows
    /// like these have a plain model.
    pub(super) fn learn_refined(
        &self,
        learners: &[Learner],
        found: &Found,
        choices: &[Choice],
        screen: Screen,
    ) -> Result<Result<super::Learnt, WhyPlain>> {
        let schema = found.inferred.schema.clone();
        if let Err(why) = WhyPlain::of_schema(&schema) {
            return Ok(Err(why));
        }
        let mut watch = Watch::new(&schema);
        let sampler = Sampler::new(&found.inferred, self.effort.level().most_cells());
        let (sampler, mut n_rows) = read(sampler, found, &mut watch, screen)?;
        let sample = match sampler.finish() {
            Ok(sample) => sample,
            Err(why) => return Ok(Err(why)),
        };
        let Seen { copies, rows: fingerprint, .. } = watch.finish(&schema);
        let best = match refine(learners, &features(&schema, choices), &sample) {
            Ok(best) => best,
            Err(RefineError::Plain(why)) => return Ok(Err(why)),
            Err(error) => return Err(error.into()),
        };
        let mut model = best.model(schema)?;
        if sample.is_all {
            let labels: Vec<&str> =
                sample.labels.iter().map(|&label| sample.classes[label].as_str()).collect();
            match &sample.weights {
                Some(weights) => model.update_weighted(&sample.rows, &labels, weights)?,
                None => model.update(&sample.rows, &labels)?,
            }
        } else {
            n_rows = 0;
            for input in found.inputs.iter() {
                let classes = model.stats().classes().cloned().collect();
                let mut reader = found.open(input, classes, screen)?;
                n_rows += train(&mut model, &mut *reader).map_err(not_learnt)?;
            }
        }
        let held_out = Some(HeldOut::of(&best, &sample));
        let model = model.with_refinement(Some(best.refinement))?.with_row_fingerprint(fingerprint);
        let (choices, tuned, plain) = (choices.to_vec(), Vec::new(), None);
        Ok(Ok(super::Learnt { model, n_rows, tuned, choices, copies, held_out, folds: None, plain }))
    }

    /// The columns with the weighting of terms, and with `--best` the n-grams, that are best on held-out rows; none if nothing is
    /// to choose.
    pub(super) fn best_text(&self, found: &Found, screen: Screen) -> Result<Option<Found>> {
        let choices = found.choices.of_all(&found.inferred);
        let Method::Refined(learners) = self.method(found, &choices) else { return Ok(None) };
        let candidates = found.text.candidates(self.effort.best);
        if !choices.contains(&Choice::Text) || candidates.is_empty() {
            return Ok(None);
        }
        // What is to be said of the files was said.
        let screen = screen.silent();
        let mut best: Option<(f64, Found)> = None;
        for text in candidates {
            let found = found.with_text(text, screen)?;
            let choices = found.choices.of_all(&found.inferred);
            let Ok(learnt) = self.learn_refined(&learners[..1], &found, &choices, screen)? else { continue };
            let loss = learnt.held_out.map_or(f64::INFINITY, |held_out| held_out.measures.log_loss);
            if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                best = Some((loss, found));
            }
        }
        Ok(best.map(|(_, found)| found))
    }
}

/// Reads all rows; how many there are.
pub(super) fn read(
    mut sampler: Sampler,
    found: &Found,
    watch: &mut Watch,
    screen: Screen,
) -> Result<(Sampler, usize)> {
    let mut n_rows = 0;
    for input in found.inputs.iter() {
        let mut reader = found.open(input, sampler.classes(), screen)?;
        while let Some(mut chunk) = reader.next_chunk()? {
            watch.look(reader.schema(), &chunk);
            n_rows += chunk.rows.n_rows();
            add(&mut sampler, &mut chunk, input, &found.read, &found.inferred.schema)?;
        }
    }
    Ok((sampler, n_rows))
}

/// Adds the rows of a chunk, with their weights if they have any, and takes their labels.
pub(in crate::commands) fn add(
    sampler: &mut Sampler,
    chunk: &mut Chunk,
    input: &Input,
    read: &ReadArgs,
    schema: &Schema,
) -> Result<()> {
    let labels = chunk.labels.take().unwrap_or_default();
    let added = match &chunk.weights {
        Some(weights) => {
            let is_weight = |weight: f64| weight == 0.0 || WEIGHTS.contains(&weight);
            if let Some(row) = weights.iter().position(|&weight| !is_weight(weight)) {
                bail!(
                    "{}, row {}: the row has the weight {:e}; weights are 0, or from {:e} to {:e}",
                    input.name(),
                    chunk.first_row + row + 1,
                    weights[row],
                    WEIGHTS.start(),
                    WEIGHTS.end()
                );
            }
            sampler.add_weighted(&chunk.rows, labels, weights)
        }
        None => sampler.add(&chunk.rows, labels),
    };
    added.map_err(|error| value_error(error.into(), input, read, schema, chunk.first_row))
}

/// What the features of the columns hold.
fn features(schema: &Schema, choices: &[Choice]) -> Vec<ColumnKind> {
    nb_train::features(schema, |column| choices[column] == Choice::Ignore)
}

impl HeldOut {
    /// How well held-out rows were classified.
    pub(in crate::commands) fn of(best: &Best, sample: &Sample) -> Self {
        let summary = &best.learnt.summary;
        Self {
            measures: best.refinement.held_out,
            refined: Some(Factors { naive_bayes: summary.generative, corrections: summary.discriminative }),
            rows: summary.n_rows,
            of_some: !sample.is_all,
            impossible_rows: 0,
            lone_rows: 0,
        }
    }
}
