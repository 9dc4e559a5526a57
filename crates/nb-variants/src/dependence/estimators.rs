//! One-dependence estimators that are averaged: what AODE and its relatives score rows with.

use nb_core::{
    FeatureModel, Likelihood,
    error::{FamilyError, ValueError},
    exact::Exact,
    family::{Block, ClassSums, Scores},
};

use super::{
    FittedPairCounts, PairCounts,
    tables::{Parent, Tables},
};
use crate::compensated::Compensated;

/// The estimators of all parents, and naive Bayes for rows without one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Estimators {
    pub(super) naive_bayes: FittedPairCounts,
    pub(super) tables: Tables,
    /// The logarithms of the shares of the classes in training.
    log_shares: Vec<f64>,
    /// Whether naive Bayes takes each column for rows without a parent.
    used: Vec<bool>,
}

impl Estimators {
    pub(super) fn new(counts: &PairCounts, classes: &[ClassSums<'_>]) -> Result<Self, FamilyError> {
        let naive_bayes = counts.fit(classes)?;
        let tables = Tables::new(counts, classes)?;
        let used = vec![true; counts.codings.n_columns()];
        Ok(Self { naive_bayes, tables, log_shares: log_shares(classes), used })
    }

    /// The same with these columns of naive Bayes.
    pub(super) fn with_used(self, used: Vec<bool>) -> Self {
        Self { used, ..self }
    }

    /// Adds `log P(x | y)` of each row. `choose` is given the categories of a row, may leave some out, and
    /// says which of them are parents.
    pub(super) fn score(
        &self,
        rows: &Block<'_>,
        scores: &mut Scores<'_>,
        choose: impl Fn(&mut Vec<usize>, &mut Vec<Parent>),
    ) -> Result<(), ValueError> {
        self.naive_bayes.check(rows)?;
        let mut scorer = self.row_scorer();
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| scorer.score(row, cells, scores, &choose));
        });
        Ok(())
    }

    /// Scores rows one by one.
    pub(super) fn row_scorer(&self) -> RowScorer<'_> {
        RowScorer { estimators: self, categories: Vec::new(), parents: Vec::new(), terms: Vec::new() }
    }
}

/// The logarithms of the shares of the classes in training; 0 for a class without rows, which has no joint
/// probability that could be divided.
pub(super) fn log_shares(classes: &[ClassSums<'_>]) -> Vec<f64> {
    let total = classes.iter().fold(Exact::ZERO, |total, class| &total + class.weight()).to_f64();
    let log_share = |class: &ClassSums<'_>| {
        let weight = class.weight().to_f64();
        if weight > 0.0 { libm::log(weight) - libm::log(total) } else { 0.0 }
    };
    classes.iter().map(log_share).collect()
}

/// Scores rows of checked codes, and keeps its memory from row to row.
pub(super) struct RowScorer<'a> {
    estimators: &'a Estimators,
    categories: Vec<usize>,
    parents: Vec<Parent>,
    terms: Vec<Compensated>,
}

impl RowScorer<'_> {
    /// Adds `log P(x | y)` of a row to all classes.
    pub(super) fn score(
        &mut self,
        row: usize,
        cells: &[f64],
        scores: &mut Scores<'_>,
        choose: impl Fn(&mut Vec<usize>, &mut Vec<Parent>),
    ) {
        let Estimators { naive_bayes, tables, used, .. } = self.estimators;
        tables.place(cells, &mut self.categories);
        self.parents.clear();
        choose(&mut self.categories, &mut self.parents);
        for class in 0..scores.n_classes() {
            if self.parents.is_empty() {
                for (column, &code) in cells.iter().enumerate().filter(|(column, _)| used[*column]) {
                    scores.add(row, class, naive_bayes.log_of_code(class, column, code));
                }
                continue;
            }
            let joint = tables.log_joint(class, &self.categories, &self.parents, &mut self.terms);
            self.add_joint(row, class, joint, scores);
        }
    }

    /// Adds `log P(x | y)` of a row, given `log P(y, x)`.
    pub(super) fn add_joint(&self, row: usize, class: usize, joint: Compensated, scores: &mut Scores<'_>) {
        scores.add(row, class, joint.high());
        scores.add(row, class, joint.low());
        scores.add(row, class, -self.estimators.log_shares[class]);
    }
}

/// The likelihood of a fitted family with a field `estimators`, whose method `choose` says which values of a
/// row are parents.
macro_rules! likelihood_of_estimators {
    ($fitted:ident) => {
        impl Likelihood for $fitted {
            crate::dependence::pairs::columns_of_naive_bayes!(estimators.naive_bayes);

            fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
                self.estimators.score(rows, scores, |categories, parents| self.choose(categories, parents))
            }
        }
    };
}

pub(super) use likelihood_of_estimators;
