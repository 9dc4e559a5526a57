//! Models whose weights and corrections are learnt by conditional likelihood.

use anyhow::{Context, Result, bail};
use nb_core::Prior;
use nb_discriminative::{Feature, Learner, Summary};
use nb_io::{Family, Kind, Model, ModelRefinement, Schema, profile::LabelCopies, read::Table as Rows};
use ndarray::Array2;

use super::{Train, copies, report::HeldOut};
use crate::{commands::columns::Found, design::Choice, failure::usage, output::Screen};

impl Train {
    /// Learns bins, weights and corrections, and adds all rows.
    pub(super) fn learn_refined(
        &self,
        found: &Found,
        choices: Vec<Choice>,
        screen: Screen,
    ) -> Result<super::Learnt> {
        self.check_refined(found, &choices)?;
        let schema = found.inferred.schema.clone();
        let mut copies = copies::watch(&schema);
        let (rows, labels) = all_rows(found, &mut copies, screen)?;
        let copies = copies::names(&copies, &schema);
        let mut classes = labels.clone();
        classes.sort_unstable();
        classes.dedup();
        let place = |label: &String| classes.binary_search(label).unwrap_or_default();
        let places: Vec<usize> = labels.iter().map(place).collect();

        let used = used_features(&schema, &choices);
        let kinds: Vec<Feature> = used.iter().map(|&feature| kind_of(&schema, feature)).collect();
        let columns = rows.select(ndarray::Axis(1), &used);
        let learnt = Learner::default().learn(&columns, &kinds, &places, classes.len())?;

        let n_features = schema.n_features();
        let family = Family::of_learnt(&kinds, &learnt, &used, n_features)?;
        let mut model = Model::new(schema, family, Prior::Empirical)?;
        model.update(&rows, &labels)?;
        let weights = model.stats().class_weights();
        let shares: Vec<f64> = weights.iter().map(|weight| weight.to_f64() / labels.len() as f64).collect();
        let refinement = ModelRefinement::new(&learnt, classes, &shares).spread(&used, n_features);
        let model = model.with_refinement(Some(refinement))?;
        let held_out = Some(HeldOut::new(&learnt.summary));
        Ok(super::Learnt { model, n_rows: labels.len(), tuned: Vec::new(), choices, copies, held_out })
    }

    /// Refuses what refined models do not have.
    fn check_refined(&self, found: &Found, choices: &[Choice]) -> Result<()> {
        let columns = found.inferred.columns.iter().zip(choices);
        if self.tune || !self.family.is_default() {
            return Err(usage(
                "--refined learns bins, weights and corrections by itself; leave --tune and the options of families out",
            ));
        }
        if found.weights.is_some() {
            return Err(usage("--refined cannot weight rows yet; leave --weights out"));
        }
        for (column, choice) in columns {
            let name = &column.column;
            if *choice == Choice::Text {
                return Err(usage(format!(
                    "--refined is for numbers and categories, and column {name:?} has texts; leave it out \
                     (`--ignore {name:?}`), or train without --refined"
                )));
            }
        }
        Ok(())
    }
}

/// All rows in memory, with their labels.
fn all_rows(found: &Found, copies: &mut LabelCopies, screen: Screen) -> Result<(Array2<f64>, Vec<String>)> {
    let n_features = found.inferred.schema.n_features();
    let (mut cells, mut labels) = (Vec::new(), Vec::<String>::new());
    for input in &found.inputs {
        let mut classes = labels.clone();
        classes.sort_unstable();
        classes.dedup();
        let mut reader = found.open(input, classes, screen)?;
        while let Some(chunk) = reader.next_chunk()? {
            copies.add(&chunk.rows, chunk.labels.as_deref().unwrap_or_default());
            let Rows::Dense(rows) = &chunk.rows else { bail!("sparse rows cannot be refined") };
            cells.extend(rows.iter());
            labels.extend(chunk.labels.unwrap_or_default());
        }
    }
    let rows = Array2::from_shape_vec((labels.len(), n_features), cells);
    Ok((rows.context("there is not one label per row")?, labels))
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
        }
    }
}
