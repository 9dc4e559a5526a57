//! Fitted attribute weighted naive Bayes.

use nb_core::{
    Likelihood, Missing,
    description::{Inspect, Outline, ParameterName, Values},
    error::ValueError,
    exact::Exact,
    family::{Block, ClassSums, Scores},
};

use super::{
    super::{FittedPairCounts, estimators::log_shares},
    AttributeWeighted, AttributeWeights, CommonWeights,
};
use crate::compensated::{Compensated, largest};

/// Fitted [`AttributeWeighted`].
///
/// A class and column alone have the weighted logarithms of the probabilities of naive Bayes. The score of a
/// row is their sum, except with [common weights](AttributeWeights::common) or
/// [weights of values](AttributeWeights::values).
#[derive(Clone, Debug, PartialEq)]
pub struct FittedAttributeWeighted {
    family: AttributeWeighted,
    naive_bayes: FittedPairCounts,
    /// The logarithms of the shares of the classes in training.
    log_shares: Vec<f64>,
    /// What the weights of rows add to these.
    added: Vec<f64>,
}

impl FittedAttributeWeighted {
    /// `classes` are the sums, `weighed` those of rows with their weights.
    pub(super) fn new(
        family: AttributeWeighted,
        naive_bayes: FittedPairCounts,
        classes: &[ClassSums<'_>],
        weighed: &[ClassSums<'_>],
    ) -> Self {
        let own = log_shares(classes);
        let added = if family.weights.values.is_empty() {
            Vec::new()
        } else {
            log_shares(weighed).iter().zip(&own).map(|(weighed, own)| weighed - own).collect()
        };
        Self { family, naive_bayes, log_shares: own, added }
    }

    /// The weights.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{AttributeWeighted, AttributeWeights, PairCounts};
    /// # use ndarray::array;
    /// let weights = AttributeWeights::of_columns(vec![0.5, 1.0]);
    /// let family = AttributeWeighted::new(PairCounts::new(vec![2, 2]), weights.clone())?;
    /// let classifier = NaiveBayes::new(family).fit(&array![[0, 0], [1, 1]], &["no", "yes"])?;
    /// assert_eq!(classifier.likelihood().weights(), &weights);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weights(&self) -> &AttributeWeights {
        &self.family.weights
    }

    /// Naive Bayes from the same evidence.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{AttributeWeighted, AttributeWeights, PairCounts};
    /// # use ndarray::array;
    /// let weights = AttributeWeights::of_columns(vec![0.5]);
    /// let family = AttributeWeighted::new(PairCounts::new(vec![2]), weights)?;
    /// let classifier = NaiveBayes::new(family).fit(&array![[0], [1]], &["no", "yes"])?;
    /// let fitted = classifier.likelihood();
    /// // (1 + 1) / (1 + 2)
    /// let log = (2.0_f64 / 3.0).ln();
    /// assert!((fitted.naive_bayes().log_likelihood(0, 0, 0.0) - log).abs() < 1e-15);
    /// assert!((fitted.log_likelihood(0, 0, 0.0) - 0.5 * log).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }

    fn n_classes(&self) -> usize {
        self.log_shares.len()
    }

    /// What a code adds to the score of a class.
    fn term(&self, class: usize, column: usize, code: f64) -> f64 {
        self.family.weights.of(class, column) * self.naive_bayes.log_of_code(class, column, code)
    }

    /// Adds the weighted logarithms of a row of checked codes.
    fn add_row(&self, row: usize, cells: &[f64], scores: &mut Scores<'_>) {
        for class in 0..self.n_classes() {
            for (column, &code) in cells.iter().enumerate() {
                scores.add(row, class, self.term(class, column, code));
            }
            if let Some(&added) = self.added.get(class) {
                scores.add(row, class, added);
            }
        }
    }

    /// Adds the logarithm of a mixture of posteriors, divided by the share of the class.
    fn add_mixture(&self, common: &CommonWeights, row: usize, cells: &[f64], scores: &mut Scores<'_>) {
        let specific = self.log_posterior(|class, column| self.term(class, column, cells[column]));
        let of_common = self.log_posterior(|class, column| {
            common.columns[column] * self.naive_bayes.log_of_code(class, column, cells[column])
        });
        let (log_own, log_common) = (libm::log(1.0 - common.share), libm::log(common.share));
        for (class, (own, other)) in specific.iter().zip(&of_common).enumerate() {
            let (a, b) = (log_own + own, log_common + other);
            let (high, low) = if a >= b { (a, b) } else { (b, a) };
            scores.add(row, class, high + libm::log1p(libm::exp(low - high)));
            scores.add(row, class, -self.log_shares[class]);
            if let Some(&added) = self.added.get(class) {
                scores.add(row, class, added);
            }
        }
    }

    /// The logarithms of the posteriors of all classes with these terms of columns.
    fn log_posterior(&self, term: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let n_columns = self.family.n_columns();
        let sum = |class: usize| -> Compensated {
            let terms = (0..n_columns).map(|column| term(class, column));
            std::iter::once(self.log_shares[class]).chain(terms).collect()
        };
        let sums: Vec<Compensated> = (0..self.n_classes()).map(sum).collect();
        let Some(best) = largest(&sums) else { return vec![f64::NEG_INFINITY; sums.len()] };
        // An exact sum, so that the order of the classes does not matter.
        let others = sums.iter().enumerate().filter(|(class, _)| *class != best);
        let rest = Exact::sum(others.map(|(_, sum)| libm::exp(sum.minus(sums[best]))));
        let log_rest = libm::log1p(rest.to_f64());
        sums.iter().map(|sum| sum.minus(sums[best]) - log_rest).collect()
    }
}

impl Likelihood for FittedAttributeWeighted {
    fn shape(&self) -> Option<(usize, usize)> {
        self.naive_bayes.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.naive_bayes.check(rows)
    }

    fn is_additive(&self) -> bool {
        self.family.weights.common.is_none() && self.added.is_empty()
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.term(class, column, self.naive_bayes.codings().code(column, value))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        if self.family.weights.is_naive_bayes() {
            return self.naive_bayes.score(rows, scores);
        }
        self.check(rows)?;
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| match &self.family.weights.common {
                None => self.add_row(row, cells, scores),
                Some(common) => self.add_mixture(common, row, cells, scores),
            });
        });
        Ok(())
    }
}

impl Inspect for FittedAttributeWeighted {
    fn missing_cells(&self) -> Missing {
        self.naive_bayes.missing_cells()
    }

    /// Those of naive Bayes, then the weights.
    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let mut all = self.naive_bayes.parameters(column);
        if column >= self.family.n_columns() {
            return all;
        }
        let of_classes = 0..self.n_classes();
        all.push(("weight".into(), of_classes.map(|class| self.family.weights.of(class, column)).collect()));
        if let Some(common) = &self.family.weights.common {
            all.push(("common weight".into(), vec![common.columns[column]; self.n_classes()]));
        }
        all
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        self.naive_bayes.outline(column)
    }

    fn cuts(&self, column: usize) -> Option<&[f64]> {
        self.naive_bayes.cuts(column)
    }

    fn values(&self) -> Values {
        self.naive_bayes.values()
    }
}
