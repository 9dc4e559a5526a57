//! Averaged one-dependence estimators as a family: hyper-parameters, and the fitted form.

use nb_core::{
    FeatureModel, Likelihood,
    error::{FamilyError, LayoutError, ValueError},
    exact::{Exact, ExactSums},
    family::{Block, ClassSums, Scores, SumLayout, Weights},
};

use super::{FittedPairCounts, PairCounts, tables::Tables};
use crate::compensated::Compensated;

/// Averaged one-dependence estimators (AODE): every column in turn is the parent of all others (Webb, Boughton and Wang
/// 2005, *Not so naive Bayes: aggregating one-dependence estimators*, Machine Learning 58).
///
/// # Model
/// `P(y, x) = 1/|I| Σ_{i ∈ I} P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`, where `I` are the columns whose value `x_i`
/// has a training weight of at least `m` over all classes. A row without such a column is scored by naive Bayes.
///
/// # Estimators
/// Posterior means under symmetric Dirichlet priors, which for `l = 1` are Laplace estimates:
/// `P(y, x_i) = (n(y, x_i) + l_i) / (n_i + l_i C K_i)` and
/// `P(x_j | y, x_i) = (n(y, x_i, x_j) + l_j) / (n_j(y, x_i) + l_j K_j)`,
/// with `C` classes, `K_j` codes of column `j`, the weight `n_i` of the rows in which column `i` is
/// observed, and the weight `n_j(y, x_i)` of the rows of class `y` with `x_i` in which column `j` is observed.
/// The likelihood is `P(y, x) / P(y)` with the shares of the classes in training, so that under the empirical
/// [prior](nb_core::Prior) the joint probability is the one above.
///
/// Fitting takes `C D²` doubles of memory for `C` classes and `D` codes in all columns together.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Aode, PairCounts};
/// use ndarray::array;
///
/// let x = array![[0, 0], [1, 1], [0, 1], [1, 0]];
/// let y = ["same", "same", "other", "other"];
/// let aode = Aode { minimum_count: 1.0, ..Aode::new(PairCounts::new(vec![2, 2])) };
/// let classifier = NaiveBayes::new(aode).fit(&x, &y)?;
/// assert_eq!(classifier.predict(&array![[1, 1], [1, 0]])?, ["same", "other"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Aode {
    /// The evidence, with the smoothing of all estimates.
    pub counts: PairCounts,
    /// The training weight `m` that a value needs to be a parent; a value that no training row has is never one.
    pub minimum_count: f64,
}

impl Aode {
    /// Estimators from such evidence, with `m = 30`.
    pub fn new(counts: PairCounts) -> Self {
        Self { counts, minimum_count: 30.0 }
    }
}

impl Default for Aode {
    /// Without columns.
    fn default() -> Self {
        Self::new(PairCounts::new(Vec::new()))
    }
}

impl FeatureModel for Aode {
    type Fitted = FittedAode;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        if self.minimum_count.is_nan() || self.minimum_count < 0.0 {
            let (name, value) = ("the minimum count", self.minimum_count);
            return Err(LayoutError::Parameter { name, value, must_be: "at least 0" });
        }
        self.counts.layout(n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.counts.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        self.counts.update(rows, weights, sums);
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedAode, FamilyError> {
        let naive_bayes = self.counts.fit(classes)?;
        let tables = Tables::new(&self.counts, classes)?;
        let total = classes.iter().fold(Exact::ZERO, |total, class| &total + class.weight()).to_f64();
        let log_share = |class: &ClassSums<'_>| {
            let weight = class.weight().to_f64();
            // A class without rows has no joint probability that could be divided.
            if weight > 0.0 { libm::log(weight) - libm::log(total) } else { 0.0 }
        };
        let log_shares = classes.iter().map(log_share).collect();
        Ok(FittedAode { naive_bayes, tables, minimum_count: self.minimum_count, log_shares })
    }
}

/// Fitted [`Aode`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence; the score of a row is not the sum
/// of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedAode {
    naive_bayes: FittedPairCounts,
    tables: Tables,
    minimum_count: f64,
    /// The logarithms of the shares of the classes in training.
    log_shares: Vec<f64>,
}

impl FittedAode {
    /// Naive Bayes from the same evidence, which scores rows without a parent.
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.naive_bayes
    }
}

impl Likelihood for FittedAode {
    fn shape(&self) -> Option<(usize, usize)> {
        self.naive_bayes.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.naive_bayes.check(rows)
    }

    fn is_additive(&self) -> bool {
        false
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.naive_bayes.log_likelihood(class, column, value)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let (mut categories, mut parents, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        self.naive_bayes.codings().with_codes(rows, |codes| {
            codes.for_each_row(|row, cells| {
                self.tables.place(cells, &mut categories);
                self.tables.parents(&categories, self.minimum_count, &mut parents);
                for class in 0..scores.n_classes() {
                    if parents.is_empty() {
                        for (column, &code) in cells.iter().enumerate() {
                            scores.add(row, class, self.naive_bayes.log_of_code(class, column, code));
                        }
                        continue;
                    }
                    let joint: Compensated = self.tables.log_joint(class, &categories, &parents, &mut terms);
                    scores.add(row, class, joint.high());
                    scores.add(row, class, joint.low());
                    scores.add(row, class, -self.log_shares[class]);
                }
            });
        });
        Ok(())
    }
}
