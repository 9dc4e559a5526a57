//! Fitted averaged two-dependence estimators.

use nb_core::{
    Likelihood,
    error::ValueError,
    family::{Block, Scores},
};

use super::{
    super::{FittedPairCounts, estimators::Estimators, pairs::columns_of_naive_bayes},
    triples::Triples,
};

/// Fitted [`A2de`](crate::A2de).
///
/// A class and column alone have the probabilities of naive Bayes from the same rows; the score of a row is
/// not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedA2de {
    estimators: Estimators,
    triples: Triples,
    minimum_count: f64,
}

impl FittedA2de {
    pub(super) fn new(estimators: Estimators, triples: Triples, minimum_count: f64) -> Self {
        Self { estimators, triples, minimum_count }
    }

    /// Naive Bayes from the same rows, which scores rows without a parent.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{A2de, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(A2de::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.estimators.naive_bayes
    }
}

impl Likelihood for FittedA2de {
    columns_of_naive_bayes!(estimators.naive_bayes);

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let mut row_scorer = self.estimators.row_scorer();
        let (mut cells, mut parents, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        self.naive_bayes().codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, own| {
                self.triples.place(own, &mut cells);
                self.triples.parents(&cells, self.minimum_count, &mut parents);
                if parents.is_empty() {
                    let choose = |categories: &mut Vec<usize>, parents: &mut Vec<_>| {
                        self.estimators.tables.parents(categories, self.minimum_count, parents);
                    };
                    row_scorer.score(row, own, scores, choose);
                    return;
                }
                for class in 0..scores.n_classes() {
                    let joint = self.triples.log_joint(class, &cells, &parents, &mut terms);
                    row_scorer.add_joint(row, class, joint, scores);
                }
            });
        });
        Ok(())
    }
}
