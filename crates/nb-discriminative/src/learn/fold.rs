//! What is learnt from some rows, for others that are held out.

use super::{
    Feature, HeldOut, Learner, Learnt, Penalty, Summary,
    coding::{Coding, Levels},
    columns::Columns,
    counts::{self, Contributions},
    stack::normalise,
    tables::Tables,
    weights::{Problem, Weights},
};
use crate::{Correction, LearnError, Refinement};

/// How many rows a bin has at least, but where classes change.
const ROWS_OF_BIN: usize = 20;

/// Rows to learn from, and rows that were held out.
pub(super) struct Fold {
    coding: Coding,
    levels: Levels,
    labels: Vec<usize>,
    pub(super) contributions: Contributions,
    pub(super) weights: Weights,
    neighbours: Vec<(usize, usize)>,
    /// The terms for the last penalty.
    pub(super) terms: Vec<f64>,
    /// The held-out rows: their places among all that are held out in turn.
    pub(super) held_out: Vec<usize>,
    pub(super) held_out_levels: Levels,
}

impl Fold {
    /// Everything that comes before the terms, from some rows; weights to a [precision](super::minimise).
    pub(super) fn new(
        learner: &Learner,
        columns: &Columns<'_>,
        labels: &[usize],
        n_classes: usize,
        rows: &[usize],
        (held_out_rows, held_out): (Vec<usize>, Vec<usize>),
        precision: f64,
    ) -> Result<Self, LearnError> {
        let coding = Coding::learn(columns, rows, labels, learner.bins.min(rows.len() / ROWS_OF_BIN).max(1))?;
        let levels = coding.levels(columns, rows);
        let labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        let contributions = Contributions::new(&coding, &levels, &labels, n_classes);
        let problem =
            Problem { coding: &coding, contributions: &contributions, levels: &levels, labels: &labels };
        let weights =
            problem.weights(learner.weight_penalty, problem.common(learner.weight_penalty), precision);
        let held_out_levels = coding.levels(columns, &held_out_rows);
        let neighbours = coding.neighbours(columns.features);
        let mut fold = Self {
            coding,
            levels,
            labels,
            contributions,
            weights,
            neighbours,
            terms: Vec::new(),
            held_out,
            held_out_levels,
        };
        fold.terms = fold.first_terms();
        Ok(fold)
    }

    /// Terms that say what weighted naive Bayes says.
    fn first_terms(&self) -> Vec<f64> {
        let n_classes = self.contributions.n_classes;
        let mut terms = vec![0.0; self.coding.n_all * n_classes];
        for (column, weight) in self.weights.of_features.iter().enumerate() {
            for level in self.coding.of_column(column) {
                let said = &self.contributions.all[level * n_classes..(level + 1) * n_classes];
                let mean = said.iter().sum::<f64>() / n_classes as f64;
                for (term, said) in terms[level * n_classes..].iter_mut().zip(said) {
                    *term = weight * (said - mean);
                }
            }
        }
        terms.extend_from_slice(&self.weights.offsets);
        terms
    }

    /// The terms for a penalty, from those of the one before.
    pub(super) fn terms(&self, penalty: Penalty, precision: f64) -> Vec<f64> {
        let tables = Tables {
            levels: &self.levels,
            labels: &self.labels,
            log_prior: &self.contributions.log_prior,
            n_levels: self.coding.n_all,
            neighbours: &self.neighbours,
        };
        let mut terms = self.terms.clone();
        tables.fit(&mut terms, penalty, precision);
        terms
    }

    pub(super) fn learnt(self, n_classes: usize, features: &[Feature], summary: Summary, held_out: HeldOut) -> Learnt {
        let Summary { generative, discriminative, .. } = summary;
        let (tables, offsets) = self.terms.split_at(self.coding.n_all * n_classes);
        let of_level = |level: usize| {
            tables[level * n_classes..(level + 1) * n_classes].iter().map(|term| discriminative * term)
        };
        let corrections = (0..features.len()).map(|column| {
            let levels = self.coding.of_column(column).flat_map(of_level).collect();
            let missing = of_level(self.coding.missing(column)).collect();
            match features[column] {
                Feature::Numbers => Correction::steps(self.coding.cuts[column].clone(), levels, missing),
                Feature::Categories(_) => Correction::categories(levels, missing),
            }
        });
        let corrections = corrections.collect();
        let weights = self.weights.of_features.iter().map(|weight| generative * weight).collect();
        let prior = self.contributions.log_prior.iter().zip(&self.weights.offsets).zip(offsets);
        let mut log_prior: Vec<f64> =
            prior.map(|((prior, a), b)| prior + generative * a + discriminative * b).collect();
        normalise(&mut log_prior);
        let pseudo_counts = self.coding.n_levels.iter().map(|&n| counts::pseudo_count(n)).collect();
        let refinement = Refinement { n_classes, weights, corrections };
        Learnt { cuts: self.coding.cuts, pseudo_counts, refinement, log_prior, summary, held_out }
    }
}

/// What is said of the held-out rows of all folds, at their places.
pub(super) fn collected(
    folds: &[Fold],
    n_rows: usize,
    n_classes: usize,
    said: impl Fn(&Fold) -> Vec<f64>,
) -> Vec<f64> {
    let mut all = vec![0.0; n_rows * n_classes];
    for fold in folds {
        for (&place, scores) in fold.held_out.iter().zip(said(fold).chunks_exact(n_classes)) {
            all[place * n_classes..(place + 1) * n_classes].copy_from_slice(scores);
        }
    }
    all
}
