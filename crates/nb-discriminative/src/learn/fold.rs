//! What is learnt from some rows, for others that are held out.

use super::{
    ColumnKind, HeldOutPosteriors, Learner, Learnt, Penalty, Summary,
    absent::Absences,
    coding::{Coding, Levels},
    columns::Columns,
    counts::{self, Contributions},
    row_weights::RowWeights,
    stack::normalise,
    sums::add_terms,
    tables::Tables,
    text::{self, Said, Text},
    weights::{Problem, Weights},
};
use crate::{Correction, LearnError, Refinement};

/// How many rows a bin has at least, but where classes change.
const ROWS_OF_BIN: usize = 20;
/// So many bins there are of few rows, but each of a quarter of that number at least.
const FEWEST_BINS: usize = 3;

/// All that folds are made of.
pub(super) struct Basis<'a> {
    pub(super) columns: &'a Columns,
    pub(super) labels: &'a [usize],
    /// The weights of all rows of the table; those of rows that are not in any fold do not matter.
    pub(super) row_weights: RowWeights<'a>,
    /// The group of each row of the table, if rows have groups.
    pub(super) groups: Option<&'a [usize]>,
    pub(super) n_classes: usize,
    /// The cut points of each column, if they are not to be learnt.
    pub(super) cuts: Option<&'a [Vec<f64>]>,
}

/// Rows to learn from, and rows that were held out.
pub(super) struct Fold<'a> {
    columns: &'a Columns,
    rows: Vec<usize>,
    coding: Coding,
    levels: Levels,
    labels: Vec<usize>,
    row_weights: Option<Vec<f64>>,
    pub(super) contributions: Contributions,
    /// What naive Bayes says of texts.
    said: Vec<Said>,
    pub(super) weights: Weights,
    neighbours: Vec<(usize, usize)>,
    /// The terms for the last penalty.
    pub(super) terms: Vec<f64>,
    /// The held-out rows: their places among all that are held out in turn.
    pub(super) held_out: Vec<usize>,
    held_out_rows: Vec<usize>,
    held_out_levels: Levels,
}

impl<'a> Fold<'a> {
    /// Everything that comes before the terms, from some rows; weights to a [precision](super::minimise).
    pub(super) fn new(
        learner: &Learner,
        basis: &Basis<'a>,
        rows: Vec<usize>,
        (held_out_rows, held_out): (Vec<usize>, Vec<usize>),
        precision: f64,
    ) -> Result<Self, LearnError> {
        let Basis { columns, labels, n_classes, cuts, .. } = *basis;
        let of_few = FEWEST_BINS.min(4 * rows.len() / ROWS_OF_BIN);
        let n_bins = learner.bins.min((rows.len() / ROWS_OF_BIN).max(of_few)).max(1);
        let coding = Coding::new(columns, &rows, labels, n_bins, cuts)?;
        let levels = coding.levels(columns, &rows);
        let labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        let own_weights = basis.row_weights.select(rows.iter().copied());
        let row_weights = RowWeights::of_all(own_weights.as_ref());
        let contributions = Contributions::new(&coding, &levels, &labels, row_weights, n_classes);
        let said = columns.texts.iter().map(|text| Said::new(text, &rows, &labels, row_weights, n_classes));
        let said: Vec<Said> = said.collect();
        let problem = Problem {
            coding: &coding,
            contributions: &contributions,
            levels: &levels,
            labels: &labels,
            row_weights,
            texts: &said,
        };
        let weights =
            problem.weights(learner.weight_penalty, problem.common(learner.weight_penalty), precision);
        let held_out_levels = coding.levels(columns, &held_out_rows);
        let neighbours = coding.neighbours(&columns.features);
        let mut fold = Self {
            columns,
            rows,
            coding,
            levels,
            labels,
            row_weights: own_weights,
            contributions,
            said,
            weights,
            neighbours,
            terms: Vec::new(),
            held_out,
            held_out_rows,
            held_out_levels,
        };
        fold.terms = fold.first_terms();
        Ok(fold)
    }

    /// Terms that say what weighted naive Bayes says.
    fn first_terms(&self) -> Vec<f64> {
        let n_classes = self.contributions.n_classes;
        let mut terms = vec![0.0; self.coding.n_all * n_classes];
        let (of_columns, of_texts) = self.weights.of_features.split_at(self.columns.features.len());
        let around_mean = |weight: f64, said: &[f64], terms: &mut [f64]| {
            for (terms, said) in terms.chunks_exact_mut(n_classes).zip(said.chunks_exact(n_classes)) {
                let mean = said.iter().sum::<f64>() / n_classes as f64;
                for (term, said) in terms.iter_mut().zip(said) {
                    *term = weight * (said - mean);
                }
            }
        };
        for (column, &weight) in of_columns.iter().enumerate() {
            let levels = self.coding.of_column(column);
            let range = levels.start * n_classes..levels.end * n_classes;
            around_mean(weight, &self.contributions.all[range.clone()], &mut terms[range]);
        }
        for (said, &weight) in self.said.iter().zip(of_texts) {
            let start = terms.len();
            terms.resize(start + said.all.len(), 0.0);
            around_mean(weight, &said.all, &mut terms[start..]);
        }
        terms.extend_from_slice(&self.weights.offsets);
        terms
    }

    /// What weights add to the logarithms of the prior of held-out rows, `n_rows × n_classes`.
    pub(super) fn added_by_weights(&self) -> Vec<f64> {
        let n_classes = self.contributions.n_classes;
        let mut scores = self.weights.offsets.repeat(self.held_out_rows.len());
        let (of_columns, of_texts) = self.weights.of_features.split_at(self.columns.features.len());
        let mut weighted = self.contributions.all.clone();
        for (range, weight) in self.coding.ranges(n_classes).zip(of_columns) {
            weighted[range].iter_mut().for_each(|said| *said *= weight);
        }
        for column in &self.held_out_levels.columns {
            add_terms(column, &weighted, n_classes, &mut scores);
        }
        for ((text, said), &weight) in self.columns.texts.iter().zip(&self.said).zip(of_texts) {
            let weighted: Vec<f64> = said.all.iter().map(|said| weight * said).collect();
            text.add_terms(&self.held_out_rows, &weighted, n_classes, &mut scores);
        }
        scores
    }

    /// What the last terms add.
    pub(super) fn added_by_terms(&self) -> Vec<f64> {
        let n_classes = self.contributions.n_classes;
        let (tables, offsets) = self.terms.split_at(self.terms.len() - n_classes);
        let mut scores = offsets.repeat(self.held_out_rows.len());
        for column in &self.held_out_levels.columns {
            add_terms(column, tables, n_classes, &mut scores);
        }
        let mut of_texts = &tables[self.coding.n_all * n_classes..];
        for text in &self.columns.texts {
            let (own, rest) = of_texts.split_at(text.places.len() * n_classes);
            text.add_terms(&self.held_out_rows, own, n_classes, &mut scores);
            of_texts = rest;
        }
        scores
    }

    /// The terms for a penalty, from those of the one before.
    pub(super) fn terms(&self, penalty: Penalty, precision: f64) -> Vec<f64> {
        let tables = Tables {
            levels: &self.levels,
            labels: &self.labels,
            row_weights: RowWeights::of_all(self.row_weights.as_ref()),
            log_prior: &self.contributions.log_prior,
            n_levels: self.coding.n_all,
            texts: &self.columns.texts,
            said: &self.said,
            rows: &self.rows,
            neighbours: &self.neighbours,
        };
        let mut terms = self.terms.clone();
        tables.fit(&mut terms, penalty, precision);
        terms
    }

    /// The result for all `n_columns`, terms of texts and others. The weights of rows were divided by `scale`.
    ///
    /// What a column adds is such that a missing cell adds nothing where no row has one: what it should add is taken off
    /// everything else that the column adds, and from there goes to the classes before a row is seen.
    pub(super) fn learnt(
        self,
        n_columns: usize,
        scale: f64,
        summary: Summary,
        held_out: HeldOutPosteriors,
    ) -> Learnt {
        let n_classes = self.contributions.n_classes;
        let Summary { generative, discriminative, .. } = summary;
        let (tables, offsets) = self.terms.split_at(self.terms.len() - n_classes);
        let of_level = |level: usize| {
            tables[level * n_classes..(level + 1) * n_classes].iter().map(|term| discriminative * term)
        };
        let (of_columns, of_texts) = self.weights.of_features.split_at(self.columns.features.len());
        let prior = self.contributions.log_prior.iter().zip(&self.weights.offsets).zip(offsets);
        let intercept: Vec<f64> =
            prior.map(|((prior, a), b)| prior + generative * a + discriminative * b).collect();
        let mut added: Vec<f64> = (0..self.coding.n_all).flat_map(of_level).collect();
        for (range, weight) in self.coding.ranges(n_classes).zip(of_columns) {
            for (added, said) in added[range.clone()].iter_mut().zip(&self.contributions.all[range]) {
                *added += generative * weight * said;
            }
        }
        let absences = Absences {
            coding: &self.coding,
            levels: &self.levels,
            labels: &self.labels,
            row_weights: RowWeights::of_all(self.row_weights.as_ref()),
            added: &added,
            by_texts: &self.added_by_texts([generative, discriminative]),
            intercept: &intercept,
            log_prior: &self.contributions.log_prior,
        };
        let of_absent = absences.fit();
        let ridge = summary.penalty.filter(|_| discriminative > 0.0).map_or(1.0, |penalty| penalty.ridge);
        let mut all = Learnt {
            cuts: vec![Vec::new(); n_columns],
            pseudo_counts: vec![scale * text::PSEUDO_COUNT; n_columns],
            refinement: Refinement {
                n_classes,
                weights: vec![0.0; n_columns],
                corrections: vec![Correction::none(); n_columns],
            },
            log_prior: intercept.clone(),
            summary,
            held_out,
        };
        let Refinement { weights, corrections, .. } = &mut all.refinement;
        for (column, &place) in self.columns.places.iter().enumerate() {
            let absent = &of_absent[column * n_classes..(column + 1) * n_classes];
            let less = |level: usize, share: f64| {
                of_level(level).zip(absent).map(move |(term, absent)| term - share * absent)
            };
            let levels =
                self.coding.of_values(column).into_iter().flat_map(|level| less(level, 1.0)).collect();
            let learnt = 1.0 - absences.share(column, ridge);
            let missing = less(self.coding.missing(column), learnt).collect();
            corrections[place] = match self.columns.features[column] {
                ColumnKind::Numbers => Correction::steps(self.coding.cuts[column].clone(), levels, missing),
                _ => Correction::categories(levels, missing),
            };
            weights[place] = generative * of_columns[column];
            all.pseudo_counts[place] = scale * counts::pseudo_count(self.coding.n_levels[column]);
            all.cuts[place].clone_from(&self.coding.cuts[column]);
            all.log_prior.iter_mut().zip(absent).for_each(|(prior, absent)| *prior += absent);
        }
        let mut next = self.coding.n_all;
        for (text, weight) in self.columns.texts.iter().zip(of_texts) {
            for (term, &place) in text.places.iter().enumerate() {
                weights[place] = generative * weight;
                corrections[place] = Correction::slope(of_level(next + term).collect());
            }
            next += text.places.len();
        }
        normalise(&mut all.log_prior);
        all
    }

    /// What each text adds to the rows, `n_rows × n_classes`, with these shares of weights and of terms.
    fn added_by_texts(&self, [generative, discriminative]: [f64; 2]) -> Vec<Vec<f64>> {
        let n_classes = self.contributions.n_classes;
        let weights = &self.weights.of_features[self.columns.features.len()..];
        let mut next = self.coding.n_all * n_classes;
        let of_text = |((text, said), weight): ((&Text, &Said), &f64)| {
            let terms = self.terms[next..next + said.all.len()].iter().zip(&said.all);
            let values: Vec<f64> =
                terms.map(|(term, said)| discriminative * term + generative * weight * said).collect();
            next += values.len();
            let mut scores = vec![0.0; self.rows.len() * n_classes];
            text.add_terms(&self.rows, &values, n_classes, &mut scores);
            scores
        };
        self.columns.texts.iter().zip(&self.said).zip(weights).map(of_text).collect()
    }
}

/// What is said of the held-out rows of all folds, at their places.
pub(super) fn collected<'a>(
    folds: &[Fold<'a>],
    n_rows: usize,
    n_classes: usize,
    said: impl Fn(&Fold<'a>) -> Vec<f64>,
) -> Vec<f64> {
    let mut all = vec![0.0; n_rows * n_classes];
    for fold in folds {
        for (&place, scores) in fold.held_out.iter().zip(said(fold).chunks_exact(n_classes)) {
            all[place * n_classes..(place + 1) * n_classes].copy_from_slice(scores);
        }
    }
    all
}
