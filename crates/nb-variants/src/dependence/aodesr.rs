//! AODE with subsumption resolution: hyper-parameters, and the fitted form.

use nb_core::{
    FeatureModel, Likelihood,
    description::{Columns, Described, Description, Hyper, Inspect, Parameter},
    error::{FamilyError, LayoutError, ValueError},
    family::{Block, ClassSums, Scores, SumLayout},
};

use super::{
    FittedPairCounts, PairCounts,
    description::{MINIMUM_COUNT, inspect_as_naive_bayes},
    estimators::{Estimators, likelihood_of_estimators},
    generalisations::Generalisations,
    pairs::{codes_of_pairs, sums_of_pairs},
    tables::Parent,
};
use crate::Variant;

/// Averaged one-dependence estimators with subsumption resolution (AODEsr): [`Aode`](crate::Aode) that leaves
/// a value out of a row that another value of the row implies, so that it is not counted twice (Zheng and
/// Webb 2006, *Efficient lazy elimination for averaged one-dependence estimators*, ICML; Zheng, Webb,
/// Suraweera and Zhu 2012, *Subsumption resolution: an efficient and effective technique for semi-naive
/// Bayesian learning*, Machine Learning 87).
///
/// # Model
/// In each row, a value `x_i` is left out as a child and as a parent if another value `x_j` of the row
/// implies it: all training rows with `x_j` have `x_i`, too, and their weight is at least `critical_count`.
/// Of two values that imply each other the first stays. What stays is scored as in [`Aode`](crate::Aode),
/// with the values of a training weight of at least `m` as parents; a row without a parent is scored by naive
/// Bayes, from all of its values.
///
/// # Estimators
/// Those of [`Aode`](crate::Aode). Which value implies which is read off exact sums, over all classes.
///
/// Weka's `AODEsr` is the same with `-L -F 30 -C 99`; by default it has `m = 1`, a critical count of 51 and
/// divided pseudo-counts ([`PseudoCounts::Divided`](crate::PseudoCounts::Divided)).
///
/// Fitting takes `C D²` doubles of memory for `C` classes and `D` codes in all columns together, and `D²`
/// bytes.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Aodesr, PairCounts};
/// use ndarray::array;
///
/// // Who is pregnant is a woman: the second column adds nothing to the first where that is 1.
/// let x = array![[1, 1], [1, 1], [0, 1], [0, 0], [0, 0]];
/// let y = ["yes", "yes", "no", "no", "no"];
/// let aodesr = Aodesr { critical_count: 2.0, ..Aodesr::new(PairCounts::new(vec![2, 2])) };
/// let classifier = NaiveBayes::new(aodesr).fit(&x, &y)?;
/// assert!(classifier.likelihood().implies((0, 1), (1, 1)));
/// assert!(!classifier.likelihood().implies((1, 1), (0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Aodesr {
    /// The evidence, with the smoothing of all estimates.
    pub counts: PairCounts,
    /// The training weight `m` that a value needs to be a parent; a value that no training row has is never
    /// one.
    pub minimum_count: f64,
    /// The training weight that a value needs to imply another.
    pub critical_count: f64,
}

impl Aodesr {
    /// Estimators from such evidence, with `m = 30` and a critical count of 100.
    ///
    /// ```
    /// # use nb_variants::{Aodesr, PairCounts};
    /// let model = Aodesr::new(PairCounts::new(vec![2, 3]));
    /// assert_eq!((model.minimum_count, model.critical_count), (30.0, 100.0));
    /// ```
    pub fn new(counts: PairCounts) -> Self {
        Self { counts, minimum_count: 30.0, critical_count: 100.0 }
    }
}

impl Default for Aodesr {
    /// Without columns.
    fn default() -> Self {
        Self::new(PairCounts::new(Vec::new()))
    }
}

impl FeatureModel for Aodesr {
    type Fitted = FittedAodesr;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        for (name, value) in
            [("the minimum count", self.minimum_count), ("the critical count", self.critical_count)]
        {
            if value.is_nan() || value < 0.0 {
                return Err(LayoutError::Parameter { name, value, must_be: "at least 0" });
            }
        }
        self.counts.layout(n_columns)
    }

    sums_of_pairs!();

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedAodesr, FamilyError> {
        let estimators = Estimators::new(&self.counts, classes)?;
        let generalisations =
            Generalisations::new(&self.counts, &estimators.tables, classes, self.critical_count);
        Ok(FittedAodesr { estimators, generalisations, minimum_count: self.minimum_count })
    }
}

/// Fitted [`Aodesr`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence; the score of a row
/// is not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedAodesr {
    estimators: Estimators,
    generalisations: Generalisations,
    minimum_count: f64,
}

impl FittedAodesr {
    /// Naive Bayes from the same evidence, which scores rows without a parent.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Aodesr, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let classifier = NaiveBayes::new(Aodesr::new(PairCounts::new(vec![2, 2]))).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.estimators.naive_bayes
    }

    /// Whether a code of one column implies a code of another, each given as column and code: enough training
    /// rows have the first, and all of them the second.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_variants::{Aodesr, PairCounts};
    /// # use ndarray::array;
    /// // All rows with 1 in the first column have 1 in the second.
    /// let (x, y) = (array![[1, 1], [1, 1], [0, 1], [0, 0]], ["a", "a", "b", "b"]);
    /// let model = Aodesr { critical_count: 2.0, ..Aodesr::new(PairCounts::new(vec![2, 2])) };
    /// let classifier = NaiveBayes::new(model).fit(&x, &y)?;
    /// assert!(classifier.likelihood().implies((0, 1), (1, 1)));
    /// assert!(!classifier.likelihood().implies((1, 1), (0, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such column.
    pub fn implies(&self, special: (usize, usize), general: (usize, usize)) -> bool {
        let category = |(column, code): (usize, usize)| self.estimators.tables.category(column, code as f64);
        match (category(special), category(general)) {
            (Some(special), Some(general)) => self.generalisations.implies(special, general),
            _ => false,
        }
    }

    fn choose(&self, categories: &mut Vec<usize>, parents: &mut Vec<Parent>) {
        let all = categories.clone();
        categories.retain(|&category| !self.generalisations.is_implied(category, &all));
        self.estimators.tables.parents(categories, self.minimum_count, parents);
    }
}

likelihood_of_estimators!(FittedAodesr);

/// The training weight that makes a value imply others.
static CRITICAL_COUNT: Parameter = Parameter::new(
    "critical_count",
    "How many training rows must have a value, all of them with another one, so that AODEsr leaves the other out",
)
.tuned_over(&[10.0, 30.0, 100.0, 300.0]);

impl Described for Aodesr {
    fn describe() -> Description {
        Description::new("aodesr", Columns::Mixed)
            .titled("AODEsr")
            .about(
                "Categories and bins as in AODE, without values that others imply (AODEsr)",
                "Columns of numbers and categories that depend on each other, some values of which imply others (AODEsr)",
            )
            .learnt_by(&["bins"])
            .method("averaged one-dependence estimators with subsumption resolution")
            .cited(
                "Zheng and Webb 2006",
                "Zheng and Webb (2006). Efficient lazy elimination for averaged one-dependence estimators. ICML, 1113-1120.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_COUNT, &mut self.minimum_count));
        all.push(Hyper::new(&CRITICAL_COUNT, &mut self.critical_count));
        all
    }
}

impl Variant for Aodesr {
    codes_of_pairs!();
}

impl Inspect for FittedAodesr {
    inspect_as_naive_bayes!();
}
