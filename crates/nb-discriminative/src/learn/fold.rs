//! What is learnt from some rows, for others that are held out.

use std::borrow::Cow;

use super::{
    Learner,
    coding::{Coding, Levels},
    columns::Columns,
    counts::Contributions,
    linear::{Scale, ScaledRows},
    minimise::{PRECISION, ROUGH},
    multiplied::Multiplied,
    pairs::{Pairs, Search},
    rising::{Pools, ROUNDS},
    row_weights::RowWeights,
    settings::{FEWEST_ROWS, Settings},
    sums::{Derivatives, levels::add_terms as add_terms_of_columns},
    tables::{Products, Smooth, Tables},
    text::Said,
    weights::{Problem, Weights},
};
use crate::LearnError;

/// The ridge penalty on the terms of a text, as a share of that on bins and categories: a text has many, of
/// which each row has few. It is multiplied by the mean sum of squares of the counts of a row, so that their
/// unit does not matter.
const TEXT_RIDGE: f64 = 0.1;

/// The ridge penalty on terms that should be 0.
const NOTHING: f64 = 1e9;

/// The minimum number of rows of a bin, except where classes change.
const ROWS_OF_BIN: usize = 20;
/// The number of bins of few rows, each with a quarter of that number at least.
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
    pub(super) columns: &'a Columns,
    pub(super) rows: Vec<usize>,
    pub(super) coding: Coding,
    pub(super) levels: Levels,
    pub(super) labels: Vec<usize>,
    pub(super) row_weights: Option<Vec<f64>>,
    pub(super) contributions: Contributions,
    /// What naive Bayes says of texts.
    pub(super) said: Vec<Said>,
    pub(super) weights: Weights,
    neighbours: Vec<(usize, usize)>,
    /// The terms for the last penalty.
    pub(super) terms: Vec<f64>,
    /// The held-out rows: their places among all that are held out in turn.
    pub(super) held_out: Vec<usize>,
    held_out_rows: Vec<usize>,
    held_out_levels: Levels,
    /// How numbers become what slopes are multiplied with.
    pub(super) scales: Vec<Scale>,
    pub(super) pairs: Pairs,
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
        let contributions = Contributions::new((columns, &coding), &levels, &labels, row_weights, n_classes);
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
        let scales =
            if learner.slope_penalties.is_empty() { Vec::new() } else { Scale::learn(columns, &rows) };
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
            scales,
            pairs: Pairs::default(),
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
        terms.resize(terms.len() + self.scales.len() * n_classes, 0.0);
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
        let columns: Vec<&[u32]> = self.held_out_levels.columns.iter().map(Vec::as_slice).collect();
        add_terms_of_columns(&columns, &weighted, n_classes, &mut scores);
        for ((text, said), &weight) in self.columns.texts.iter().zip(&self.said).zip(of_texts) {
            let weighted: Vec<f64> = said.all.iter().map(|said| weight * said).collect();
            let rows = &self.held_out_rows;
            text.of_rows(rows).add_terms(0..rows.len(), &weighted, n_classes, &mut scores);
        }
        scores
    }

    /// What the last terms add to held-out rows.
    pub(super) fn added_by_terms(&self) -> Vec<f64> {
        let pairs = self.pairs.chosen.iter().map(|pair| &pair.of_held_out);
        self.added(&self.held_out_levels, pairs, &self.held_out_rows)
    }

    /// What the last terms add to rows.
    fn added<'r>(
        &self,
        levels: &'r Levels,
        pairs: impl Iterator<Item = &'r Vec<u32>>,
        rows: &[usize],
    ) -> Vec<f64> {
        let n_classes = self.contributions.n_classes;
        let (tables, offsets) = self.terms.split_at(self.terms.len() - n_classes);
        let mut scores = offsets.repeat(rows.len());
        let columns: Vec<&[u32]> = levels.columns.iter().chain(pairs).map(Vec::as_slice).collect();
        add_terms_of_columns(&columns, tables, n_classes, &mut scores);
        let mut of_products = &tables[self.n_levels() * n_classes..];
        for numbers in self.multiplied(rows) {
            let (own, rest) = of_products.split_at(numbers.n_terms() * n_classes);
            numbers.add_terms(0..rows.len(), own, n_classes, &mut scores);
            of_products = rest;
        }
        scores
    }

    /// All that is multiplied with terms in some rows: texts, then numbers.
    fn multiplied<'m>(&'m self, rows: &'m [usize]) -> impl Iterator<Item = Box<dyn Multiplied + 'm>> {
        let texts =
            self.columns.texts.iter().map(|text| -> Box<dyn Multiplied> { Box::new(text.of_rows(rows)) });
        texts.chain(std::iter::once_with(|| -> Box<dyn Multiplied> {
            Box::new(ScaledRows::new(&self.scales, self.columns, rows))
        }))
    }

    /// The number of levels of columns and pairs.
    fn n_levels(&self) -> usize {
        self.coding.n_all + self.pairs.n_levels
    }

    /// Whether there are columns with slopes, and rows enough to trust these.
    pub(super) fn has_slopes(&self) -> bool {
        !self.scales.is_empty() && self.rows.len() >= FEWEST_ROWS
    }

    /// Whether pairs were chosen.
    pub(super) fn has_pairs(&self) -> bool {
        !self.pairs.chosen.is_empty()
    }

    /// Chooses pairs of columns by what the last terms leave over; their terms are 0.
    pub(super) fn choose_pairs(&mut self, per_column: usize) {
        let n_classes = self.contributions.n_classes;
        let row_weights = RowWeights::of_all(self.row_weights.as_ref());
        let mut scores = self.added(&self.levels, std::iter::empty(), &self.rows);
        for scores in scores.chunks_exact_mut(n_classes) {
            scores.iter_mut().zip(&self.contributions.log_prior).for_each(|(score, prior)| *score += prior);
        }
        let search = Search {
            columns: self.columns,
            coding: &self.coding,
            levels: &self.levels,
            held_out: &self.held_out_levels,
            row_weights,
            n_classes,
            derivatives: &Derivatives::new(scores, &self.labels, row_weights, n_classes),
            terms: &self.terms,
        };
        self.pairs = search.pairs(per_column);
        let at = self.coding.n_all * n_classes;
        self.terms.splice(at..at, std::iter::repeat_n(0.0, self.pairs.n_levels * n_classes));
    }

    /// Learns the terms for some settings to the precision of what is kept, with pairs that are chosen by
    /// what the terms of columns leave over.
    pub(super) fn learn_terms(&mut self, settings: Settings, pairs_per_column: usize) {
        if settings.pairs.is_some() {
            self.terms = self.terms(Settings { pairs: None, ..settings }, ROUGH);
            self.choose_pairs(pairs_per_column);
        }
        self.terms = self.terms(settings, PRECISION);
    }

    /// The terms for some settings, from those of the ones before.
    pub(super) fn terms(&self, settings: Settings, precision: f64) -> Vec<f64> {
        let mut terms = self.terms.clone();
        let mut pools = Pools::new(self.n_levels());
        self.fit(settings, &pools, &mut terms, precision);
        if self.columns.rising.iter().all(Option::is_none) {
            return terms;
        }
        let mut weights = vec![0.0; self.coding.n_all];
        for column in &self.levels.columns {
            for (row, &level) in column.iter().enumerate() {
                weights[level as usize] += RowWeights::of_all(self.row_weights.as_ref()).of(row);
            }
        }
        for _ in 0..ROUNDS {
            if !pools.pool((self.columns, &self.coding), &weights, &mut terms) {
                return terms;
            }
            self.fit(settings, &pools, &mut terms, precision);
        }
        pools.pool((self.columns, &self.coding), &weights, &mut terms);
        terms
    }

    /// Moves terms to the best for some settings; those of a pool of levels are at its first level.
    fn fit(&self, settings: Settings, pools: &Pools, terms: &mut Vec<f64>, precision: f64) {
        let Settings { penalty, slopes, pairs } = settings;
        let mut ridges = vec![penalty.ridge; self.coding.n_all];
        let of_pairs = pairs.unwrap_or(penalty);
        for pair in &self.pairs.chosen {
            ridges.resize(pair.start + pair.n_places[0] * pair.n_places[1], of_pairs.ridge);
            // Nothing is learnt from rows that have no cell.
            ridges.push(NOTHING);
        }
        let of_texts = self.said.iter().map(|said| (TEXT_RIDGE * said.square).max(f64::MIN_POSITIVE));
        let of_numbers = of_texts.chain([slopes]).map(|ridge| penalty.ridge * ridge);
        let products = self.multiplied(&self.rows).zip(of_numbers);
        let products = products.map(|(numbers, ridge)| Products { numbers, ridge });
        let of_columns = self.levels.columns.iter().zip(&self.columns.rising).map(|(levels, rising)| {
            let levels = levels.as_slice();
            rising.map_or(Cow::Borrowed(levels), |_| Cow::Owned(pools.levels(levels)))
        });
        let of_columns: Vec<Cow<'_, [u32]>> = of_columns.collect();
        let grids = self.pairs.chosen.iter().map(|pair| pair.levels.as_slice());
        let neighbours = pools.neighbours(&self.neighbours);
        let tables = Tables {
            columns: of_columns.iter().map(AsRef::as_ref).chain(grids).collect(),
            products: products.collect(),
            labels: &self.labels,
            row_weights: RowWeights::of_all(self.row_weights.as_ref()),
            log_prior: &self.contributions.log_prior,
            ridges,
            chains: Smooth { neighbours: &neighbours, penalty: penalty.smoothness },
            grids: Smooth { neighbours: &self.pairs.neighbours, penalty: of_pairs.smoothness },
        };
        tables.fit(terms, precision);
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
