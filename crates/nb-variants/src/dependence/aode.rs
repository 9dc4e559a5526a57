//! Averaged one-dependence estimators as a family: hyper-parameters, and the fitted form.

use nb_core::{
    FeatureModel, Likelihood,
    description::{Columns, Described, Description, Hyper, Inspect},
    error::{FamilyError, LayoutError, ValueError},
    family::{Block, ClassSums, Scores, SumLayout},
};

use super::{
    FittedPairCounts, PairCounts,
    description::{MINIMUM_COUNT, inspect_as_naive_bayes},
    estimators::{Estimators, likelihood_of_estimators},
    pairs::{codes_of_pairs, sums_of_pairs},
    tables::Parent,
};
use crate::Variant;

/// Averaged one-dependence estimators (AODE): every column in turn is the parent of all others (Webb,
/// Boughton and Wang 2005, *Not so naive Bayes: aggregating one-dependence estimators*, Machine Learning 58).
///
/// # Model
/// `P(y, x) = 1/|I| Σ_{i ∈ I} P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`, where `I` are the columns whose value
/// `x_i` has a training weight of at least `m` over all classes. A row without such a column is scored by
/// naive Bayes.
///
/// # Estimators
/// Posterior means under symmetric Dirichlet priors, which for `l = 1` are Laplace estimates:
/// `P(y, x_i) = (n(y, x_i) + l_i) / (n_i + l_i C K_i)` and
/// `P(x_j | y, x_i) = (n(y, x_i, x_j) + l_j) / (n_j(y, x_i) + l_j K_j)`,
/// with `C` classes, `K_j` codes of column `j`, the weight `n_i` of the rows in which column `i` is
/// observed, and the weight `n_j(y, x_i)` of the rows of class `y` with `x_i` in which column `j` is
/// observed. With [`PseudoCounts::Divided`](crate::PseudoCounts::Divided) a pseudo-count is `l_i / (C K_i)`
/// in the first and `l_j / K_j` in the second. The likelihood is `P(y, x) / P(y)` with the shares of the
/// classes in training, so that under the empirical [prior](nb_core::Prior) the joint probability is the one
/// above.
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
    /// The training weight `m` that a value needs to be a parent; a value that no training row has is never
    /// one.
    pub minimum_count: f64,
}

impl Aode {
    /// Estimators from such evidence, with `m = 30`.
    ///
    /// ```
    /// # use nb_variants::{Aode, PairCounts};
    /// let model = Aode::new(PairCounts::new(vec![2, 3]));
    /// assert_eq!(model.minimum_count, 30.0);
    /// ```
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

    sums_of_pairs!();

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedAode, FamilyError> {
        let estimators = Estimators::new(&self.counts, classes)?;
        Ok(FittedAode { estimators, minimum_count: self.minimum_count })
    }
}

/// Fitted [`Aode`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence; the score of a row
/// is not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedAode {
    estimators: Estimators,
    minimum_count: f64,
}

impl FittedAode {
    /// Naive Bayes from the same evidence, which scores rows without a parent.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Aode, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Aode::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.estimators.naive_bayes
    }

    fn choose(&self, categories: &[usize], parents: &mut Vec<Parent>) {
        self.estimators.tables.parents(categories, self.minimum_count, parents);
    }
}

likelihood_of_estimators!(FittedAode);

impl Described for Aode {
    fn describe() -> Description {
        Description::new("aode", Columns::Mixed)
            .titled("AODE")
            .about(
                "Categories and bins, each column in turn the parent of all others (AODE)",
                "Columns of numbers and categories that depend on each other, each in turn the parent of all others (AODE)",
            )
            .learnt_by(&["bins"])
            .method("averaged one-dependence estimators")
            .cited(
                "Webb et al. 2005",
                "Webb, Boughton and Wang (2005). Not so naive Bayes: aggregating one-dependence estimators. Machine Learning 58, 5-24.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_COUNT, &mut self.minimum_count));
        all
    }
}

impl Variant for Aode {
    codes_of_pairs!();
}

impl Inspect for FittedAode {
    inspect_as_naive_bayes!();
}
