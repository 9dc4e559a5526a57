//! Models whose weights and corrections are learnt by conditional likelihood.

use anyhow::{Context, Result};
use nb_core::Prior;
use nb_discriminative::{Feature, Learner, Learnt, Summary};
use nb_io::{Family, Kind, Model, ModelRefinement, Schema, read::train};
use ndarray::{Axis, CowArray, Ix2};

use super::{Train, copies, report::HeldOut, sample::Sample};
use crate::{commands::columns::Found, data::not_learnt, design::Choice, output::Screen};

/// With more classes there are too few rows of each, and too many terms.
const MOST_CLASSES: usize = 200;

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
        let mut copies = copies::watch(&schema);
        let Some(Sample { rows, labels, classes, is_all }) =
            Sample::read(found, self.effort.most_cells(), &mut copies, screen)?
        else {
            return Ok(Err("only some cells of a row are stored".into()));
        };
        let copies = copies::names(&copies, &schema);
        match classes.len() {
            0 | 1 => return Ok(Err("there are no two classes".into())),
            n if n > MOST_CLASSES => return Ok(Err(format!("there are more than {MOST_CLASSES} classes"))),
            _ => {}
        }
        let used = used_features(&schema, choices);
        let kinds: Vec<Feature> = used.iter().map(|&feature| kind_of(&schema, feature)).collect();
        let columns: CowArray<'_, f64, Ix2> =
            if used.len() == rows.ncols() { rows.view().into() } else { rows.select(Axis(1), &used).into() };
        let mut best: Option<Learnt> = None;
        for learner in learners {
            let learnt = learner.learn(&columns, &kinds, &labels, classes.len())?;
            if best.as_ref().is_none_or(|best| learnt.summary.held_out < best.summary.held_out) {
                best = Some(learnt);
            }
        }
        let learnt = best.context("nothing is to be tried")?;

        let n_features = schema.n_features();
        let family = Family::of_learnt(&kinds, &learnt, &used, n_features)?;
        let mut shares = vec![0.0; classes.len()];
        for &label in &labels {
            shares[label] += 1.0 / labels.len() as f64;
        }
        let refinement = ModelRefinement::new(&learnt, classes.clone(), &shares).spread(&used, n_features);
        let (mut model, mut n_rows) = (Model::new(schema, family, Prior::Empirical)?, labels.len());
        if is_all {
            let labels: Vec<&str> = labels.iter().map(|&label| classes[label].as_str()).collect();
            model.update(&rows, &labels)?;
        } else {
            n_rows = 0;
            for input in &found.inputs {
                let classes = model.stats().classes().cloned().collect();
                let mut reader = found.open(input, classes, screen)?;
                n_rows += train(&mut model, &mut *reader).map_err(not_learnt)?;
            }
        }
        let model = model.with_refinement(Some(refinement))?;
        let held_out = Some(HeldOut::new(&learnt.summary));
        let choices = choices.to_vec();
        Ok(Ok(super::Learnt { model, n_rows, tuned: Vec::new(), choices, copies, held_out, plain: None }))
    }
}

/// The features that are not ignored.
fn used_features(schema: &Schema, choices: &[Choice]) -> Vec<usize> {
    let columns = choices.iter().zip(schema.feature_ranges());
    columns.filter(|(choice, _)| **choice != Choice::Ignore).flat_map(|(_, features)| features).collect()
}

fn kind_of(schema: &Schema, feature: usize) -> Feature {
    match schema.feature(feature).map(|feature| feature.kind()) {
        Some(Kind::Categorical { levels }) => Feature::Categories(levels.len()),
        _ => Feature::Numbers,
    }
}

/// How well held-out rows were classified.
impl HeldOut {
    fn new(summary: &Summary) -> Self {
        Self {
            log_loss: summary.held_out,
            log_loss_of_prior: summary.of_prior,
            accuracy: summary.accuracy,
            majority: summary.majority,
            naive_bayes: summary.generative,
            corrections: summary.discriminative,
            rows: summary.n_rows,
        }
    }
}
