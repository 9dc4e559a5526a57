//! Models whose weights and corrections are learnt by conditional likelihood.

use anyhow::{Context, Result};
use nb_core::Prior;
use nb_discriminative::{Feature, Learner, Learnt};
use nb_io::{Family, HeldOutMeasures, Kind, Model, ModelRefinement, Schema, read::train};
use nb_metrics::Evaluation;

use super::{
    Train,
    effort::Method,
    report::{Factors, HeldOut},
    sample::Sample,
    watch::{Watch, Watched},
};
use crate::{commands::columns::Found, data::not_learnt, design::Choice, output::Screen};

/// With fewer rows there is too little to hold out.
const FEWEST_ROWS: usize = 30;
/// With more classes there are too few rows of each, and too many terms.
const MOST_CLASSES: usize = 200;

/// With more terms there are too many corrections.
const MOST_TERMS: usize = 500_000;

impl Train {
    /// Learns bins, weights and corrections, by the learner that is best on held-out rows, and adds all rows; or says why rows
    /// like these have a plain model.
    pub(super) fn learn_refined(
        &self,
        learners: &[Learner],
        found: &Found,
        choices: &[Choice],
        screen: Screen,
    ) -> Result<Result<super::Learnt, String>> {
        let schema = found.inferred.schema.clone();
        if schema.n_features() > MOST_TERMS {
            return Ok(Err(format!("there are more than {MOST_TERMS} features")));
        }
        let mut watch = Watch::new(&schema);
        let sample = Sample::read(found, self.effort.most_cells(), &mut watch, screen)?;
        let Some(Sample { rows, labels, classes, is_all }) = sample else {
            return Ok(Err("only some cells of a row are stored".into()));
        };
        let Watched { copies, rows: fingerprint, .. } = watch.finish(&schema);
        if labels.len() < FEWEST_ROWS {
            return Ok(Err(format!("there are fewer than {FEWEST_ROWS} rows")));
        }
        match classes.len() {
            0 | 1 => return Ok(Err("there are no two classes".into())),
            n if n > MOST_CLASSES => return Ok(Err(format!("there are more than {MOST_CLASSES} classes"))),
            _ => {}
        }
        let features = features(&schema, choices);
        let mut best: Option<Learnt> = None;
        for learner in learners {
            let learnt = learner.learn(&rows, &features, &labels, classes.len())?;
            if best.as_ref().is_none_or(|best| learnt.summary.held_out < best.summary.held_out) {
                best = Some(learnt);
            }
        }
        let learnt = best.context("nothing is to be tried")?;

        let family = Family::of_learnt(&features, &learnt)?;
        let mut shares = vec![0.0; classes.len()];
        for &label in &labels {
            shares[label] += 1.0 / labels.len() as f64;
        }
        let held_out = HeldOut::new(&learnt, &labels, classes.len())?;
        let mut refinement = ModelRefinement::new(&learnt, classes.clone(), &shares);
        refinement.held_out = held_out.measures;
        let (mut model, mut n_rows) = (Model::new(schema, family, Prior::Empirical)?, labels.len());
        if is_all {
            let labels: Vec<&str> = labels.iter().map(|&label| classes[label].as_str()).collect();
            model.update(&rows, &labels)?;
        } else {
            n_rows = 0;
            for input in found.inputs.iter() {
                let classes = model.stats().classes().cloned().collect();
                let mut reader = found.open(input, classes, screen)?;
                n_rows += train(&mut model, &mut *reader).map_err(not_learnt)?;
            }
        }
        let model = model.with_refinement(Some(refinement))?.with_row_fingerprint(fingerprint);
        Ok(Ok(super::Learnt {
            model,
            n_rows,
            tuned: Vec::new(),
            choices: choices.to_vec(),
            copies,
            held_out: Some(held_out),
            folds: None,
            plain: None,
        }))
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

/// What the features of the columns hold.
fn features(schema: &Schema, choices: &[Choice]) -> Vec<Feature> {
    let columns = choices.iter().zip(schema.feature_ranges()).enumerate();
    columns
        .flat_map(|(column, (choice, features))| {
            features.map(move |feature| match choice {
                Choice::Ignore => Feature::Ignored,
                Choice::Text => Feature::Term(column),
                _ => match schema.feature(feature).map(|feature| feature.kind()) {
                    Some(Kind::Categorical { levels }) => Feature::Categories(levels.len()),
                    _ => Feature::Numbers,
                },
            })
        })
        .collect()
}

/// How well held-out rows were classified.
impl HeldOut {
    fn new(learnt: &Learnt, labels: &[usize], n_classes: usize) -> Result<Self> {
        let mut evaluation = Evaluation::new(n_classes);
        let posteriors = learnt.held_out.log_posteriors.chunks_exact(n_classes);
        for (&row, posterior) in learnt.held_out.rows.iter().zip(posteriors) {
            let first =
                |best: usize, class: usize| if posterior[class] > posterior[best] { class } else { best };
            let predicted = (0..n_classes).fold(0, first);
            evaluation.add(Some(labels[row]), Some(predicted), posterior, 1.0)?;
        }
        let (measures, summary) = (evaluation.measures(), &learnt.summary);
        let held_out =
            HeldOutMeasures::new([summary.held_out, summary.of_prior], [summary.accuracy, summary.majority]);
        Ok(Self {
            measures: held_out.with_auc_and_calibration(measures.auc, measures.calibration_error),
            refined: Some(Factors { naive_bayes: summary.generative, corrections: summary.discriminative }),
            rows: summary.n_rows,
            impossible_rows: 0,
            lone_rows: 0,
        })
    }
}
