//! Fitted k-dependence Bayes.

use nb_core::{
    Likelihood,
    error::ValueError,
    family::{Block, Scores},
};

use super::{super::FittedPairCounts, Kdb};

/// Fitted [`Kdb`].
///
/// A class and column alone have the probabilities of naive Bayes from the same rows, with the same smoothing
/// (1 if the column is left out); the score of a row is the sum of their logarithms if no column has parents,
/// and otherwise is not.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedKdb {
    pub(super) family: Kdb,
    pub(super) naive_bayes: FittedPairCounts,
    /// The logarithms of the probabilities of each class and column.
    pub(super) tables: Vec<Vec<Vec<f64>>>,
    /// Which codes of each column some training row has.
    pub(super) known: Vec<Vec<bool>>,
}

impl FittedKdb {
    /// The parents of each column, those with the most information first. A column that is left out is its
    /// own parent.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{Kdb, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Kdb::learn(PairCounts::new(vec![2, 2]), 1, &x, &y)?).fit(&x, &y)?;
    /// assert_eq!(classifier.likelihood().parents(), [vec![], vec![0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parents(&self) -> &[Vec<usize>] {
        self.family.parents()
    }

    /// Naive Bayes with pseudo-counts from the same rows.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Kdb, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Kdb::learn(PairCounts::new(vec![2, 2]), 1, &x, &y)?).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }

    /// The number of the value of a checked cell; `None` for a missing or ignored one.
    fn value(&self, column: usize, code: f64) -> Option<usize> {
        let counts = &self.family.counts;
        let (n_codes, n_values) = (counts.codings.n_codes(column), counts.n_values_of(column));
        let code = (!code.is_nan()).then_some(code as usize)?;
        if code < n_codes { Some(code) } else { (n_codes < n_values).then_some(n_codes) }
    }

    /// Where the probability of a value is; `digit` is `None` for a parent that is missing.
    pub(super) fn place(&self, column: usize, digit: impl Fn(usize) -> Option<usize>, value: usize) -> usize {
        self.family.combination(column, digit) * self.family.counts.n_values_of(column) + value
    }
}

impl FittedKdb {
    /// Adds `log P(x | y)` of a row of checked codes to each class.
    pub(super) fn add_row(&self, cells: &[f64], mut add: impl FnMut(usize, f64)) {
        let parent = |parent: usize| {
            let code = self.value(parent, cells[parent])?;
            self.known[parent].get(code).copied().unwrap_or(false).then_some(code)
        };
        for (column, &code) in cells.iter().enumerate() {
            if self.family.is_left_out(column) {
                continue;
            }
            let Some(value) = self.value(column, code) else { continue };
            let place = self.place(column, parent, value);
            for (class, tables) in self.tables.iter().enumerate() {
                add(class, tables[column][place]);
            }
        }
    }
}

impl Likelihood for FittedKdb {
    fn shape(&self) -> Option<(usize, usize)> {
        self.naive_bayes.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.naive_bayes.check(rows)
    }

    fn is_additive(&self) -> bool {
        // A column that is left out is no part of a sum, though it has probabilities.
        self.parents().iter().all(Vec::is_empty)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let code = self.naive_bayes.codings().code(column, value);
        let Some(value) = self.value(column, code) else { return 0.0 };
        if self.family.is_left_out(column) {
            return 0.0;
        }
        self.tables[class][column][self.place(column, |_| None, value)]
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| self.add_row(cells, |class, term| scores.add(row, class, term)));
        });
        Ok(())
    }
}
