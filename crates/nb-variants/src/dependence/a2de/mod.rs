//! Averaged two-dependence estimators as a family: hyper-parameters, and sums.

mod description;
mod fitted;
mod triples;

use nb_core::{
    FeatureModel,
    error::{FamilyError, LayoutError, ValueError},
    exact::ExactSums,
    family::{Block, ClassSums, SumLayout, SumRule, Weights},
};

pub use fitted::FittedA2de;

use super::{PairCounts, estimators::Estimators};
use triples::{Triples, n_triples, triple};

/// Averaged two-dependence estimators (A2DE): every two columns in turn are the parents of all others (Webb,
/// Boughton, Zheng, Ting and Salem 2012, *Learning by extrapolation from marginal to full-multivariate
/// probability distributions: decreasingly naive Bayesian classification*, Machine Learning 86).
///
/// # Model
/// `P(y, x) = 1/|I| Σ_{(i, j) ∈ I} P(y, x_i, x_j) Π_{k ≠ i, j} P(x_k | y, x_i, x_j)`, where `I` are the pairs
/// of columns whose values `x_i` and `x_j` have together a training weight of at least `m` over all classes.
/// A row without such a pair is scored by [`Aode`](crate::Aode) with the same `m`, and one without a parent
/// by naive Bayes.
///
/// # Sums kept
/// Those of [`PairCounts`], and per class the weight of every three codes of three columns: with `D` codes in
/// all columns together `D (D - 1) (D - 2) / 6` exact sums, which add up as those of any family.
///
/// # Estimators
/// Posterior means under symmetric Dirichlet priors, which for `l = 1` are Laplace estimates:
/// `P(y, x_i, x_j) = (n(y, x_i, x_j) + l_ij) / (n_ij + l_ij C K_i K_j)` and
/// `P(x_k | y, x_i, x_j) = (n(y, x_i, x_j, x_k) + l_k) / (n_k(y, x_i, x_j) + l_k K_k)`, with `C` classes,
/// `K_k` codes of column `k`, the weight `n_ij` of the rows in which both columns are observed, the weight
/// `n_k(y, x_i, x_j)` of the rows of class `y` with `x_i` and `x_j` in which column `k` is observed, and the
/// mean `l_ij` of `l_i` and `l_j`. With [`PseudoCounts::Divided`](crate::PseudoCounts::Divided) a
/// pseudo-count is `l_ij / (C K_i K_j)` in the first and `l_k / K_k` in the second, as in Weka's `A2DE`. The
/// likelihood is `P(y, x) / P(y)` with the shares of the classes in training.
///
/// Fitting takes as many doubles as there are sums, and one for each column and pair of codes. A row of `d`
/// columns is scored in time `C d³`.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{A2de, PairCounts};
/// use ndarray::array;
///
/// // Whether an odd number of columns is 1, which no two of them say.
/// let x = array![
///     [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0],
///     [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1],
/// ];
/// let y = ["even", "even", "even", "even", "odd", "odd", "odd", "odd"];
/// let classifier = NaiveBayes::new(A2de::new(PairCounts::new(vec![2; 3]))).fit(&x, &y)?;
/// assert_eq!(classifier.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct A2de {
    /// How cells become codes and are counted, with the smoothing of all estimates.
    pub counts: PairCounts,
    /// The training weight `m` that two values need together to be parents; those that no training row has
    /// are never.
    pub minimum_count: f64,
}

impl Default for A2de {
    /// Without any columns.
    fn default() -> Self {
        Self::new(PairCounts::default())
    }
}

impl A2de {
    /// The most counts of three codes that a class may keep.
    pub const MOST_TRIPLES: u64 = PairCounts::MOST_PAIRS;

    /// Estimators from such counts, with `m = 1`, as in the paper.
    ///
    /// ```
    /// # use nb_variants::{A2de, PairCounts};
    /// let model = A2de::new(PairCounts::new(vec![2, 3]));
    /// assert_eq!(model.minimum_count, 1.0);
    /// ```
    pub fn new(counts: PairCounts) -> Self {
        Self { counts, minimum_count: 1.0 }
    }

    /// For every sum of pairs and of triples its place in the sums with other codes of these columns: `codes`
    /// has for each column the new number of every code, or none if they stay.
    fn places_in(&self, other: &PairCounts, codes: &[Option<Vec<usize>>]) -> [Vec<usize>; 2] {
        let new = self.counts.codes_in(other, codes);
        let mut places = Vec::with_capacity(n_triples(new.len() as u64) as usize);
        for (last, &c) in new.iter().enumerate() {
            for (middle, &b) in new[..last].iter().enumerate() {
                for &a in &new[..middle] {
                    let mut three = [a, b, c];
                    three.sort_unstable();
                    places.push(triple(three[2], three[1], three[0]));
                }
            }
        }
        [self.counts.places_in(other, codes), places]
    }

    /// How many counts of three codes a class keeps.
    ///
    /// ```
    /// assert_eq!(nb_variants::A2de::new(nb_variants::PairCounts::new(vec![2, 3, 2])).n_triples(), 7 * 6 * 5 / 6);
    /// ```
    pub fn n_triples(&self) -> u64 {
        n_triples(self.counts.n_codes().fold(0, |total, count| total.saturating_add(count as u64)))
    }

    /// About how many bytes of memory the counts of this number of classes take, and the tables that are
    /// fitted from them.
    ///
    /// ```
    /// # use nb_variants::{A2de, PairCounts};
    /// // Of 4 codes 4 triples (counts and tables), 10 pairs (a total for each column), and what pairs take.
    /// let model = A2de::new(PairCounts::new(vec![2, 2]));
    /// assert_eq!(model.memory(1), 8 * (2 * 4 + 10 * 2 + 3 * 10));
    /// ```
    pub fn memory(&self, n_classes: usize) -> u64 {
        // Counts and tables of triples, and a total for each pair and column.
        let totals = self.counts.n_pairs().saturating_mul(self.counts.n_codes().count() as u64);
        let doubles = self.n_triples().saturating_mul(2).saturating_add(totals);
        doubles
            .saturating_mul(8)
            .saturating_mul(n_classes as u64)
            .saturating_add(self.counts.memory(n_classes))
    }
}

impl FeatureModel for A2de {
    type Fitted = FittedA2de;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        if self.minimum_count.is_nan() || self.minimum_count < 0.0 {
            let (name, value) = ("the minimum count", self.minimum_count);
            return Err(LayoutError::Parameter { name, value, must_be: "at least 0" });
        }
        let pairs = self.counts.layout(n_columns)?;
        let n_triples = self.n_triples();
        if n_triples > Self::MOST_TRIPLES {
            let (name, value) = ("the number of counts of three values that a class keeps", n_triples as f64);
            let must_be = "at most 4194304, which are 294 categories and bins in all columns together: take fewer bins, leave \
                 out columns with many categories, or take AODE";
            return Err(LayoutError::Parameter { name, value, must_be });
        }
        let family = format!("triples and {}", pairs.family);
        let n_pairs = self.counts.n_pairs() as usize;
        let rule = SumRule::Pairs { part: 0, n_categories: self.counts.n_codes().collect() };
        let parts = [("pairs", n_pairs), ("triples", n_triples as usize)];
        Ok(SumLayout::new(family, parts).with_rules([rule]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.counts.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [pairs, triples] = sums else { return };
        self.counts.update(rows, weights, std::slice::from_mut(pairs));
        let starts = self.counts.starts();
        let mut observed: Vec<usize> = Vec::with_capacity(starts.len());
        rows.for_each_row(|row, cells| {
            observed.clear();
            let cells = cells.iter().enumerate().zip(&starts).filter(|((_, value), _)| !value.is_nan());
            observed.extend(
                cells.map(|((column, &value), start)| {
                    start + self.counts.codings.code(column, value) as usize
                }),
            );
            let weight = weights.get(row);
            for (last, &c) in observed.iter().enumerate() {
                for (middle, &b) in observed[..last].iter().enumerate() {
                    observed[..middle].iter().for_each(|&a| triples.add(triple(c, b, a), weight));
                }
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedA2de, FamilyError> {
        let estimators = Estimators::new(&self.counts, classes)?;
        let triples = Triples::new(&self.counts, classes)?;
        Ok(FittedA2de::new(estimators, triples, self.minimum_count))
    }
}
