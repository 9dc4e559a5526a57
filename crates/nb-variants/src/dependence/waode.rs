//! Weightily averaged one-dependence estimators: hyper-parameters, and the fitted form.

use nb_core::{
    FeatureModel, Likelihood,
    description::{Columns, Dependence, Described, Description, Hyper, Inspect},
    error::{FamilyError, LayoutError, ValueError},
    family::{Block, ClassSums, Scores, SumLayout},
};

use super::{
    FittedPairCounts, PairCounts,
    description::inspect_as_naive_bayes,
    estimators::{Estimators, likelihood_of_estimators},
    information,
    pairs::{codes_of_pairs, sums_of_pairs},
    tables::Parent,
};
use crate::Variant;

/// Weightily averaged one-dependence estimators (WAODE): every column in turn is the parent of all others,
/// and those that say more of the class weigh more (Jiang and Zhang 2006, *Weightily averaged one-dependence
/// estimators*, PRICAI).
///
/// # Model
/// `P(y, x) = Σ_{i ∈ I} W_i P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`, where `I` are the columns whose value `x_i`
/// some training row has, and the weights `W_i` are proportional to `I(x_i; y)`, the mutual information of a
/// column and the class, with the sum one over `I`. If no column of the model says anything of the class by
/// itself (all are zero, up to rounding), all weigh the same, as in [`Aode`](crate::Aode). A row without a
/// column of some weight is scored by naive Bayes.
///
/// # Estimators
/// `I` from the shares of values and classes among the rows in which the column is observed; the
/// probabilities are those of [`Aode`](crate::Aode). Weka's `WAODE` divides pseudo-counts
/// ([`PseudoCounts::Divided`](crate::PseudoCounts::Divided)).
///
/// Fitting takes `C D²` doubles of memory for `C` classes and `D` codes in all columns together.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{PairCounts, Waode};
/// use ndarray::array;
///
/// // The second column is the class itself.
/// let x = array![[0, 0], [1, 1], [0, 1], [1, 0]];
/// let y = ["no", "yes", "yes", "no"];
/// let classifier = NaiveBayes::new(Waode::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
/// assert_eq!(classifier.likelihood().weights(), [0.0, 1.0]);
/// assert_eq!(classifier.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waode {
    /// The evidence, with the smoothing of all estimates.
    pub counts: PairCounts,
}

impl Waode {
    /// The family with such evidence.
    ///
    /// ```
    /// # use nb_variants::{Waode, PairCounts};
    /// let model = Waode::new(PairCounts::new(vec![2, 3]));
    /// assert_eq!(model.counts.n_pairs(), 15);
    /// ```
    pub fn new(counts: PairCounts) -> Self {
        Self { counts }
    }
}

impl FeatureModel for Waode {
    type Fitted = FittedWaode;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.counts.layout(n_columns)
    }

    sums_of_pairs!();

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedWaode, FamilyError> {
        let estimators = Estimators::new(&self.counts, classes)?;
        let mut weights = information::with_class(&self.counts, classes);
        let total: f64 = weights.iter().sum();
        let n_columns = weights.len() as f64;
        for weight in &mut weights {
            *weight = if total > 0.0 { *weight / total } else { 1.0 / n_columns };
        }
        let of_categories = estimators.tables.of_columns(&weights);
        Ok(FittedWaode { estimators, weights, of_categories })
    }
}

/// Fitted [`Waode`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence; the score of a row
/// is not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedWaode {
    estimators: Estimators,
    weights: Vec<f64>,
    /// The weight of the column of each category.
    of_categories: Vec<f64>,
}

impl FittedWaode {
    /// The weight of each column as a parent; their sum is one.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{Waode, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Waode::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// assert_eq!(classifier.likelihood().weights(), [0.5, 0.5]); // neither column says anything by itself
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Naive Bayes from the same evidence, which scores rows without a parent.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Waode, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Waode::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.estimators.naive_bayes
    }

    fn choose(&self, categories: &[usize], parents: &mut Vec<Parent>) {
        let weighted = categories.iter().map(|&category| (category, self.of_categories[category]));
        parents.extend(
            weighted
                .filter(|&(category, weight)| weight > 0.0 && self.estimators.tables.weight(category) > 0.0)
                .map(|(category, weight)| Parent { category, weight }),
        );
    }
}

likelihood_of_estimators!(FittedWaode);

impl Described for Waode {
    fn describe() -> Description {
        Description::new("waode", Columns::Mixed)
            .titled("WAODE")
            .about(
                "Categories and bins, each column in turn the parent of all others, weighted (WAODE)",
                "Columns of numbers and categories that depend on each other, each in turn the parent of all others, weighted (WAODE)",
            )
            .learnt_by(&["bins"])
            .method("weightily averaged one-dependence estimators")
            .cited(
                "Jiang and Zhang 2006",
                "Jiang and Zhang (2006). Weightily averaged one-dependence estimators. PRICAI, 970-974.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.counts.hyper_parameters()
    }
}

impl Variant for Waode {
    codes_of_pairs!();
}

impl Inspect for FittedWaode {
    inspect_as_naive_bayes!();

    fn dependence(&self) -> Option<Dependence> {
        Some(Dependence::Each(self.weights.clone()))
    }
}
