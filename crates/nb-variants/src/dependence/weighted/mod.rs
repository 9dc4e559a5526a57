//! Attribute weighted naive Bayes: hyper-parameters, and what is learnt before.

mod correlation;
mod description;
mod fitted;
mod instances;
mod objective;
mod rows;
mod rule;
mod weights;

use std::fmt::Write;

use nb_core::{
    FeatureModel, Rows, SufficientStats,
    error::{FamilyError, FamilyProblem, FitRowsError, LayoutError, ValueError},
    exact::{Exact, ExactSums},
    family::{Block, ClassSums, Observed, SumLayout, SumRule, Weights},
};

pub use fitted::FittedAttributeWeighted;
pub use rule::WeightRule;
pub use weights::{AttributeWeights, CommonWeights};

use self::rows::WeighedRows;
use super::PairCounts;

/// The least pseudo-count: logarithms of smaller probabilities are too large for weights.
const LEAST_SMOOTHING: f64 = 1e-9;

/// Attribute weighted naive Bayes (AWNB): naive Bayes on categories and bins, in which each column has a
/// weight, or one for each class.
///
/// # Model
/// `log P(y, x) = log P(y) + Σ_j w_yj log P(x_j | y)` up to a term that no class depends on. With weights of
/// 1 it is naive Bayes, bit for bit.
///
/// With [common weights](AttributeWeights::common) `v_j` and their share `1 - α` the posterior is
/// `α P_w(y | x) + (1 - α) P_v(y | x)`, where `P_w` has the weights `w_yj` and `P_v` the weights `v_j`. The
/// score of a row is then no sum over columns.
///
/// # Estimators
/// `P(x_j | y) = (n(y, x_j) + l_j) / (n_j(y) + l_j K_j)` with `K_j` codes of column `j` and the weight
/// `n_j(y)` of the rows of class `y` in which it is observed; with
/// [`PseudoCounts::Divided`](crate::PseudoCounts::Divided), which the authors' programs have, a pseudo-count
/// is `l_j / K_j`. Pseudo-counts must be above 0. These programs smooth `P(y)`, too; here it is the share of
/// the class, or [`Prior::Given`](nb_core::Prior::Given).
///
/// How weights are learnt from rows is [`WeightRule`]. They are hyper-parameters, as the parents of
/// [`Kdb`](crate::Kdb) are: with them fixed, statistics are sums that stream, merge and retract.
///
/// # References
/// Zaidi, Cerquides, Carman and Webb 2013, *Alleviating naive Bayes attribute independence assumption by
/// attribute weighting*, Journal of Machine Learning Research 14, for the model; those of weights per class and
/// of each rule are with [`WeightRule`].
///
/// # Example
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{AttributeWeighted, AttributeWeights, PairCounts};
/// use ndarray::array;
///
/// // The second column repeats the first: naive Bayes counts its evidence twice, weights of a half once.
/// let x = array![[0, 0], [0, 0], [1, 1], [1, 1], [1, 1], [0, 0]];
/// let y = ["no", "no", "no", "yes", "yes", "yes"];
/// let halves = AttributeWeights::of_columns(vec![0.5, 0.5]);
/// let family = AttributeWeighted::new(PairCounts::new(vec![2, 2]), halves)?;
/// let found = NaiveBayes::new(family).fit(&x, &y)?.predict_proba(&array![[1, 1]])?;
/// // (2 + 1) / (3 + 2) of "yes" and (1 + 1) / (3 + 2) of "no".
/// assert!((found[[0, 1]] - 0.6).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeWeighted {
    counts: PairCounts,
    weights: AttributeWeights,
}

impl AttributeWeighted {
    /// The family with these weights.
    ///
    /// ```
    /// use nb_variants::{AttributeWeighted, AttributeWeights, PairCounts};
    ///
    /// // A weight for both classes, and one for each.
    /// let counts = || PairCounts::new(vec![2, 3]);
    /// assert!(AttributeWeighted::new(counts(), AttributeWeights::of_columns(vec![0.5, 1.0])).is_ok());
    /// let columns = vec![vec![0.5, 0.7], vec![1.0, 1.1]];
    /// let by_class = AttributeWeights { columns, ..AttributeWeights::default() };
    /// assert!(AttributeWeighted::new(counts(), by_class).is_ok());
    /// assert!(AttributeWeighted::new(counts(), AttributeWeights::of_columns(vec![0.5])).is_err());
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] if the weights are of another number of columns, classes or codes, or not finite, or a
    /// pseudo-count is 0.
    pub fn new(counts: PairCounts, weights: AttributeWeights) -> Result<Self, LayoutError> {
        let n_columns = counts.codings.n_columns();
        let family = Self { counts, weights };
        family.layout(n_columns)?;
        Ok(family)
    }

    /// The family with weights of 1, which is naive Bayes.
    fn unweighted(counts: PairCounts) -> Self {
        let weights = AttributeWeights::of_columns(vec![1.0; counts.codings.n_columns()]);
        Self { counts, weights }
    }

    /// The family with weights learnt from rows, `n_rows × n_columns`, with one label per row. `counts` has
    /// the codes of the columns, the smoothing, and what to do with unseen codes and missing cells.
    ///
    /// ```
    /// # use nb_variants::{AttributeWeighted, PairCounts, WeightRule};
    /// # use ndarray::array;
    /// // The first column is the class, the second says little of it.
    /// let x = array![[0, 0], [0, 1], [0, 0], [1, 1], [1, 1], [1, 0]];
    /// let y = ["no", "no", "no", "yes", "yes", "yes"];
    /// let counts = PairCounts::new(vec![2, 2]);
    /// let family = AttributeWeighted::learn(counts, WeightRule::Correlation, &x, &y)?;
    /// let weights: Vec<f64> = family.weights().columns.iter().map(|own| own[0]).collect();
    /// assert!(weights[0] > 0.7 && weights[1] < 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitRowsError`] if hyper-parameters, rows or labels are invalid, or, for the rules of correlation,
    /// there are too many counts of pairs.
    pub fn learn<L: Ord + Clone + Send + Sync>(
        counts: PairCounts,
        rule: WeightRule,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, FitRowsError> {
        let weights = if rule.is_of_correlation() {
            let mut stats = SufficientStats::new(&counts, rows.n_columns())?;
            stats.update(&counts, rows, labels)?;
            let of_classes = stats.class_weights();
            let classes = of_classes.iter().zip(stats.class_sums());
            let classes: Vec<ClassSums<'_>> =
                classes.map(|(weight, parts)| ClassSums::new(weight, parts)).collect();
            let weights = AttributeWeights::of_columns(correlation::weights(&counts, &classes));
            let is_by_instance = rule == WeightRule::CorrelationAndInstances;
            let values = if is_by_instance { instances::weights(&counts, &classes) } else { Vec::new() };
            AttributeWeights { values, ..weights }
        } else {
            WeighedRows::new(&Self::unweighted(counts.clone()), rows, labels)?.weights(rule)
        };
        Ok(Self::new(counts, weights)?)
    }

    /// The codes of the columns, and how they are smoothed.
    ///
    /// ```
    /// # use nb_variants::{AttributeWeighted, AttributeWeights, PairCounts};
    /// let weights = AttributeWeights::of_columns(vec![0.5, 1.0]);
    /// let family = AttributeWeighted::new(PairCounts::new(vec![2, 3]), weights)?;
    /// assert_eq!(family.counts().codings.n_categories(), [2, 3]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// The weights.
    ///
    /// ```
    /// # use nb_variants::{AttributeWeighted, AttributeWeights, PairCounts};
    /// let weights = AttributeWeights::of_columns(vec![0.5, 1.0]);
    /// let family = AttributeWeighted::new(PairCounts::new(vec![2, 3]), weights)?;
    /// assert_eq!(family.weights().columns, [[0.5], [1.0]]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn weights(&self) -> &AttributeWeights {
        &self.weights
    }

    fn n_columns(&self) -> usize {
        self.counts.codings.n_columns()
    }

    /// Refuses pseudo-counts of 0 and those below the least.
    fn check_smoothing(&self) -> Result<(), LayoutError> {
        let mut of_columns = (0..self.n_columns()).map(|column| self.counts.smoothing.get(column));
        match of_columns.find(|l| *l < LEAST_SMOOTHING) {
            None => Ok(()),
            Some(value) => {
                let (name, must_be) = ("the smoothing", "at least 0.000000001 where columns have weights");
                Err(LayoutError::Parameter { name, value, must_be })
            }
        }
    }

    /// Refuses classes of another number than those that have weights.
    fn check_classes(&self, n_classes: usize) -> Result<(), FamilyError> {
        match self.weights.n_classes() {
            Some(own) if own != n_classes => {
                let problem = format!(
                    "the weights are those of {own} classes, and there are {n_classes}; learn the weights again, from \
                     rows of all classes"
                );
                Err(FamilyError { class: 0, column: 0, problem: FamilyProblem::Other(problem) })
            }
            _ => Ok(()),
        }
    }

    /// For every sum of every column its place in the sums of a family with other codes: `codes` has for each
    /// column the new number of every code, or none if they stay.
    fn places(&self, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        let of_column = |column: usize| -> Vec<usize> {
            let own = codes.get(column).and_then(Option::as_ref);
            let place = |code: usize| own.and_then(|own| own.get(code).copied()).unwrap_or(code);
            (0..self.counts.codings.n_codes(column)).map(place).collect()
        };
        let of_rows = (!self.weights.values.is_empty()).then(|| vec![0]);
        (0..self.n_columns()).map(of_column).chain(of_rows).collect()
    }

    /// The sums of a class as if its rows had been added with their weights, and the weight of these rows.
    fn weighed(&self, class: &ClassSums<'_>) -> (Exact, Vec<ExactSums>) {
        let n_columns = self.n_columns();
        let mut parts: Vec<ExactSums> = (0..n_columns).map(|column| class.part(column).clone()).collect();
        let Some(unit) = self.weights.unit() else { return (class.weight().clone(), parts) };
        for part in &mut parts {
            part.scale(unit);
        }
        (class.part(n_columns).get(0).times(unit), parts)
    }
}

impl FeatureModel for AttributeWeighted {
    type Fitted = FittedAttributeWeighted;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.counts.categorical().layout(n_columns)?;
        self.check_smoothing()?;
        self.weights.check(&self.counts.codings)?;
        let counts: Vec<String> = self.counts.n_codes().map(|count| count.to_string()).collect();
        let mut family = format!("categories of columns with {}", counts.join(", "));
        if self.counts.codings.n_categories().contains(&0) {
            family += ": ";
            family += self.counts.codings.cuts().name();
        }
        let parts = self.counts.n_codes().map(|count| ("counts", count));
        let rule = SumRule::Categories { first: 0, n_columns };
        if self.weights.values.is_empty() {
            return Ok(SumLayout::new(family, parts).with_rules([rule]));
        }
        let _ = write!(family, "; rows weighted by {:?}", self.weights.values);
        let of_rows = SumRule::Events { part: n_columns, of: Observed::All };
        Ok(SumLayout::new(family, parts.chain([("weight", 1)])).with_rules([rule, of_rows]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.counts.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let unit = self.weights.unit();
        let mut codes: Vec<Option<usize>> = Vec::with_capacity(self.n_columns());
        rows.for_each_row(|row, cells| {
            codes.clear();
            codes.extend(cells.iter().enumerate().map(|(column, &value)| {
                (!value.is_nan()).then(|| self.counts.codings.code(column, value) as usize)
            }));
            let share = unit.map_or(1.0, |unit| self.weights.of_row(&codes) / unit);
            let weight = weights.get(row) * share;
            for (counts, code) in sums.iter_mut().zip(&codes) {
                if let Some(code) = code {
                    counts.add(*code, weight);
                }
            }
            if let (Some(_), Some(of_rows)) = (unit, sums.get_mut(codes.len())) {
                of_rows.add(0, weight);
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedAttributeWeighted, FamilyError> {
        self.check_classes(classes.len())?;
        let (weights, singles): (Vec<Exact>, Vec<Vec<ExactSums>>) =
            classes.iter().map(|class| self.weighed(class)).unzip();
        let sums = weights.iter().zip(&singles).map(|(weight, parts)| ClassSums::new(weight, parts));
        let sums: Vec<ClassSums<'_>> = sums.collect();
        let naive_bayes = self.counts.fit_singles(&sums, &singles)?;
        Ok(FittedAttributeWeighted::new(self.clone(), naive_bayes, classes, &sums))
    }
}
