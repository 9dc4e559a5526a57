//! k-dependence Bayes: hyper-parameters, what is learnt before, and the fitted form.

mod description;
mod ensemble;
mod fitted;
mod inspect;
mod selective;
mod structure;
mod tables;

use std::fmt::Write;

use nb_core::{
    FeatureModel, Rows, SufficientStats,
    error::{FamilyError, FamilyProblem, FitRowsError, LayoutError, ValueError},
    exact::ExactSums,
    family::{Block, ClassSums, SumLayout, SumRule, Weights},
};

pub use ensemble::{FittedKdbEnsemble, KdbEnsemble};
pub use fitted::FittedKdb;
pub use structure::Parents;

use super::PairCounts;
use crate::{HierarchicalDirichlet, hierarchical::Hierarchy};
use tables::Shape;

/// k-dependence Bayes (kDB): every column depends on the class and on up to `k` other columns (Sahami 1996,
/// *Learning limited dependence Bayesian classifiers*, KDD).
///
/// # Model
/// `P(x | y) = Π_j P(x_j | y, x_a, x_b, ...)`, where `a, b, ...` are the parents of column `j`. Columns are
/// taken in the order of `I(x_j; y)`, their mutual information with the class, the largest first; the parents
/// of a column are the `k` columns before it with the largest `I(x_i; x_j | y)`, the mutual information
/// within the classes, or all if there are fewer. Of equal ones the first is taken.
///
/// # What is learnt before
/// The parents, by [`learn`](Self::learn) or, as [`Parents`] says, as a tree or by leave-one-out, from counts
/// of pairs of columns. With the parents fixed, the family is one of sums as any other: rows are
/// added, merged and removed exactly. Statistics with other parents do not go together.
///
/// # Sums kept
/// Per class and column the weight of every code with every combination of codes of the parents, each of
/// which may be missing (of a column that is left out, of its codes alone):
/// `Σ_j K_j Π_i (K_i + 1)` sums with `K_j` codes of a column and `K_i` of its parents. Fitting takes as many
/// doubles.
///
/// # Estimators
/// `P(x_j | y, x_a, x_b) = (n(y, x_a, x_b, x_j) + l_j) / (n_j(y, x_a, x_b) + l_j K_j)`, which for `l = 1` are
/// Laplace estimates, or with `l_j / K_j` in place of `l_j`
/// ([`PseudoCounts::Divided`](crate::PseudoCounts::Divided)); or, [with](Self::with_hierarchical) a hierarchy
/// of Dirichlet distributions in place of pseudo-counts, the means that [`HierarchicalDirichlet`] describes;
/// or, with a [ridge](Self::with_ridge) penalty, regressions. A parent that is missing in a row, or has a
/// code that no training row has, is summed over: the column then depends on its other parents.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Kdb, PairCounts};
/// use ndarray::array;
///
/// // Whether an odd number of columns is 1, which no two of them say.
/// let x = array![
///     [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0],
///     [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1],
/// ];
/// let y = ["even", "even", "even", "even", "odd", "odd", "odd", "odd"];
/// let kdb = Kdb::learn(PairCounts::new(vec![2; 3]), 2, &x, &y)?;
/// assert_eq!(kdb.parents(), [vec![], vec![0], vec![0, 1]]);
/// assert_eq!(NaiveBayes::new(kdb).fit(&x, &y)?.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kdb {
    counts: PairCounts,
    parents: Vec<Vec<usize>>,
    hierarchical: Hierarchy,
    /// The penalty of a regression in place of pseudo-counts; 0 without one.
    ridge: f64,
}

impl Kdb {
    /// The most counts that a class may keep.
    pub const MOST_COUNTS: u64 = PairCounts::MOST_PAIRS;

    /// The family with these parents of each column.
    ///
    /// ```
    /// use nb_variants::{Kdb, PairCounts};
    ///
    /// let counts = || PairCounts::new(vec![2, 3]);
    /// assert!(Kdb::new(counts(), vec![vec![], vec![0]]).is_ok());
    /// assert!(Kdb::new(counts(), vec![vec![1], vec![0]]).is_err());
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] if there is not a list of parents for each column, a column has a parent that is not
    /// there, is there twice or depends on the column itself, or there are too many counts.
    pub fn new(counts: PairCounts, parents: Vec<Vec<usize>>) -> Result<Self, LayoutError> {
        let (found, n_columns) = (parents.len(), counts.codings.n_columns());
        if found != n_columns {
            return Err(LayoutError::Length { name: "the list of parents", found, n_columns });
        }
        structure::check(&parents)?;
        let family = Self { counts, parents, ..Self::default() };
        family.layout(n_columns)?;
        Ok(family)
    }

    /// The family with parents learnt from rows, `n_rows × n_columns`, with one label per row. `counts` has
    /// the codes of the columns, the smoothing, and what to do with unseen codes and missing cells; each
    /// column gets up to `k` parents.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let kdb = Kdb::learn(PairCounts::new(vec![2, 2]), 1, &x, &y)?;
    /// assert_eq!(kdb.parents(), [vec![], vec![0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitRowsError`] if hyper-parameters, rows or labels are invalid, or there are too many counts.
    pub fn learn<L: Ord + Clone + Send + Sync>(
        counts: PairCounts,
        k: usize,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, FitRowsError> {
        Self::with_learnt(counts, Parents::Most(k), rows, labels)
    }

    /// The same with parents by another rule. With [`Parents::Tree`] and pseudo-counts the model is that of
    /// [`Tan`](crate::Tan).
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts, Parents};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let kdb = Kdb::with_learnt(PairCounts::new(vec![2, 2]), Parents::Tree, &x, &y)?;
    /// assert_eq!(kdb.parents(), [vec![], vec![0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As from [`learn`](Self::learn).
    pub fn with_learnt<L: Ord + Clone + Send + Sync>(
        counts: PairCounts,
        rule: Parents,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, FitRowsError> {
        if rule == Parents::Most(0) {
            let parents = vec![Vec::new(); counts.codings.n_columns()];
            return Ok(Self::new(counts, parents)?);
        }
        let mut stats = SufficientStats::new(&counts, rows.n_columns())?;
        stats.update(&counts, rows, labels)?;
        let weights = stats.class_weights();
        let classes =
            weights.iter().zip(stats.class_sums()).map(|(weight, parts)| ClassSums::new(weight, parts));
        let (mut parents, order) = rule.learn(&counts, &classes.collect::<Vec<_>>());
        if matches!(rule, Parents::Selective(_)) {
            parents = selective::select(&counts, (parents, &order), rows, labels)?;
        }
        Ok(Self::new(counts, parents)?)
    }

    /// The same parents with other codes of the columns, or another smoothing.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// let wider = kdb.with_counts(PairCounts::new(vec![5, 3]))?;
    /// assert_eq!((wider.n_counts(), wider.parents()), (5 + 3 * (5 + 1), &[vec![], vec![0]][..]));
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As from [`new`](Self::new).
    pub fn with_counts(self, counts: PairCounts) -> Result<Self, LayoutError> {
        Ok(Self { hierarchical: self.hierarchical, ridge: self.ridge, ..Self::new(counts, self.parents)? })
    }

    /// With a hierarchy of Dirichlet distributions in place of pseudo-counts. The sums are the same.
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_variants::{HierarchicalDirichlet, Kdb, PairCounts};
    /// use ndarray::array;
    ///
    /// // With no parents it is naive Bayes. In 20 rows of 25 the second class has the value 0, and in both rows the first class.
    /// let x = ndarray::Array2::from_shape_fn((27, 1), |(row, _)| i32::from(row >= 22));
    /// let y: Vec<&str> = (0..27).map(|row| if row < 2 { "few" } else { "many" }).collect();
    /// let smoothing = HierarchicalDirichlet::default().with_iterations(2000);
    /// let kdb = Kdb::learn(PairCounts::new(vec![2]), 0, &x, &y)?.with_hierarchical(smoothing);
    /// let fitted = NaiveBayes::new(kdb).fit(&x, &y)?;
    /// let probability = |class| nb_core::Likelihood::log_likelihood(fitted.likelihood(), class, 0, 0.0).exp();
    /// // Laplace estimates are 3 / 4 and 21 / 27: the few rows are taken as more like the many.
    /// assert!((probability(0) - 0.86).abs() < 0.02 && (probability(1) - 0.79).abs() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_hierarchical(self, smoothing: HierarchicalDirichlet) -> Self {
        Self { hierarchical: Hierarchy(Some(smoothing)), ..self }
    }

    /// The hierarchy of Dirichlet distributions in place of pseudo-counts, if there is one.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// assert_eq!(kdb.hierarchical(), None);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn hierarchical(&self) -> Option<HierarchicalDirichlet> {
        self.hierarchical.0
    }

    /// With hierarchical linear smoothing in place of pseudo-counts (Cooper, Webb and Schmidt 2025,
    /// *Efficient parameter estimation for Bayesian network classifiers using hierarchical linear
    /// smoothing*, arXiv 2505.23320). The sums are the same.
    ///
    /// `P(x_j | y, x_a, x_b) ∝ exp(β(x_j; y) + β(x_j; y, x_a) + β(x_j; y, x_a, x_b))`: a multinomial logistic
    /// regression of each column on the tree of the class and its parents, in this order, with the `β`
    /// that minimise `-Σ n log P + ridge Σ β² / 2`. Combinations without rows have `β = 0`, and the
    /// distribution of the class and the parents before. With two values there is one coefficient, that of
    /// their log-odds. The authors' `ridge` is 1, and they leave out values that no row has. Each set of
    /// parents that a row can lack has a regression of its own; counts need not be whole.
    ///
    /// ```
    /// use nb_core::NaiveBayes;
    /// use nb_variants::{Kdb, PairCounts};
    /// use ndarray::Array2;
    ///
    /// // With no parents it is naive Bayes. In 15 rows of 20 the first class has the value 0: log-odds b that minimise
    /// // 20 log(1 + exp(b)) - 5 b + b² / 2, which is 0 = 20 / (1 + exp(-b)) - 5 + b.
    /// let x = Array2::from_shape_fn((20, 1), |(row, _)| i32::from(row >= 15));
    /// let kdb = Kdb::learn(PairCounts::new(vec![2]), 0, &x, &["a"; 20])?.with_ridge(1.0);
    /// let fitted = NaiveBayes::new(kdb).fit(&x, &["a"; 20])?;
    /// let p = |value| nb_core::Likelihood::log_likelihood(fitted.likelihood(), 0, 0, value).exp();
    /// let b = f64::ln(p(1.0) / p(0.0));
    /// assert!((20.0 / (1.0 + (-b).exp()) - 5.0 + b).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_ridge(self, ridge: f64) -> Self {
        Self { ridge, ..self }
    }

    /// The penalty of hierarchical linear smoothing, 0 without it.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// assert_eq!((kdb.ridge(), kdb.with_ridge(1.0).ridge()), (0.0, 1.0));
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn ridge(&self) -> f64 {
        self.ridge
    }

    /// The parents of each column, those with the most information first. A column that is left out is its
    /// own parent.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// assert_eq!(kdb.parents(), [vec![], vec![0]]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn parents(&self) -> &[Vec<usize>] {
        &self.parents
    }

    /// Whether a column is left out, so that it adds nothing to scores: it is its own parent, and given
    /// itself its probability is 1.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![1]])?;
    /// assert!(kdb.is_left_out(1) && !kdb.is_left_out(0));
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn is_left_out(&self, column: usize) -> bool {
        self.parents.get(column).is_some_and(|own| *own == [column])
    }

    /// The parents of a column; none if it is left out, so that its codes are counted alone.
    fn others(&self, column: usize) -> &[usize] {
        if self.is_left_out(column) { &[] } else { &self.parents[column] }
    }

    /// The codes of the columns, and how they are counted.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// assert_eq!(kdb.counts().codings.n_categories(), [2, 3]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    fn check_ridge(&self) -> Result<(), LayoutError> {
        let must_be = match self.ridge {
            0.0 => return Ok(()),
            _ if self.hierarchical().is_some() => "0 beside hierarchical Dirichlet smoothing",
            ridge if (1e-6..=1e6).contains(&ridge) => return Ok(()),
            _ => "0, or from 0.000001 to 1000000",
        };
        Err(LayoutError::Parameter { name: "the ridge penalty", value: self.ridge, must_be })
    }

    /// For every sum of every column its place in the sums of a family with the same parents and other codes:
    /// `codes` has for each column the new number of every code, or none if they stay.
    fn places_in(&self, new: &PairCounts, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        let new_codes = |column: usize| -> Vec<usize> {
            let own = codes.get(column).and_then(Option::as_ref);
            let place = |code: usize| own.and_then(|own| own.get(code).copied()).unwrap_or(code);
            (0..self.counts.codings.n_codes(column)).map(place).collect()
        };
        let of_column = |column: usize| {
            let mut places = vec![0];
            for &parent in self.others(column) {
                let n_codes = new.codings.n_codes(parent);
                let digits: Vec<usize> = new_codes(parent).into_iter().chain([n_codes]).collect();
                places = followed_by(&places, n_codes + 1, &digits);
            }
            followed_by(&places, new.codings.n_codes(column), &new_codes(column))
        };
        (0..self.parents.len()).map(of_column).collect()
    }

    /// About how many bytes of memory the counts of this number of classes take, and the tables that are
    /// fitted from them.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// assert_eq!(kdb.memory(2), 2 * 2 * 8 * (2 + 3 * (2 + 1))); // counts and tables of two classes
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn memory(&self, n_classes: usize) -> u64 {
        self.n_counts().saturating_mul(2 * 8).saturating_mul(n_classes as u64)
    }

    /// How many counts a class keeps.
    ///
    /// ```
    /// # use nb_variants::{Kdb, PairCounts};
    /// let kdb = Kdb::new(PairCounts::new(vec![2, 3]), vec![vec![], vec![0]])?;
    /// assert_eq!(kdb.n_counts(), 2 + 3 * (2 + 1)); // the parent may be missing, too
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn n_counts(&self) -> u64 {
        let of_column = |column| {
            let own = self.counts.codings.n_codes(column) as u64;
            self.radices(column).fold(own, |counts, radix| counts.saturating_mul(radix as u64))
        };
        (0..self.parents.len()).map(of_column).fold(0, u64::saturating_add)
    }

    /// The number of digits of each parent of a column: its codes, and one for a missing cell.
    fn radices(&self, column: usize) -> impl Iterator<Item = usize> {
        self.others(column).iter().map(|&parent| self.counts.codings.n_codes(parent) + 1)
    }

    /// The number of combinations of the digits of all parents of a column.
    fn n_combinations(&self, column: usize) -> usize {
        self.radices(column).product()
    }

    /// The number of the combination of parents; `digit` is `None` for one that is missing.
    fn combination(&self, column: usize, digit: impl Fn(usize) -> Option<usize>) -> usize {
        self.others(column).iter().fold(0, |number, &parent| {
            let n_codes = self.counts.codings.n_codes(parent);
            number * (n_codes + 1) + digit(parent).unwrap_or(n_codes)
        })
    }

    /// The number of counts of a column.
    fn n_counts_of(&self, column: usize) -> usize {
        self.n_combinations(column) * self.counts.codings.n_codes(column)
    }

    /// The sums of single codes, column by column.
    fn singles(&self, class: &ClassSums<'_>) -> Vec<ExactSums> {
        let of_column = |column: usize| {
            let n_codes = self.counts.codings.n_codes(column);
            let mut singles = ExactSums::new(n_codes);
            for place in 0..self.n_counts_of(column) {
                singles.add_sum(place % n_codes, class.part(column), place);
            }
            singles
        };
        (0..self.parents.len()).map(of_column).collect()
    }

    /// The shape of the counts of a column.
    fn shape(&self, column: usize) -> Shape {
        Shape {
            radices: self.radices(column).collect(),
            n_codes: self.counts.codings.n_codes(column),
            n_values: self.counts.n_values_of(column),
        }
    }

    /// `log P(x_j | y, x_a, ...)` of a column for each class, a row of values for each combination of
    /// parents.
    fn log_tables(
        &self,
        column: usize,
        classes: &[ClassSums<'_>],
    ) -> Result<Vec<Vec<f64>>, (usize, FamilyProblem)> {
        let shape = self.shape(column);
        let mut counts = Vec::with_capacity(classes.len());
        for (class, sums) in classes.iter().enumerate() {
            counts.push(shape.counts(sums.part(column)).map_err(|problem| (class, problem))?);
        }
        if let Some(smoothing) = self.hierarchical() {
            return shape.by_hierarchy(&counts, smoothing, column);
        }
        if self.ridge > 0.0 {
            return Ok(shape.by_regression(&counts, self.ridge));
        }
        let l = self.counts.pseudo_count(column, shape.n_values);
        Ok(counts.iter().map(|counts| shape.with_pseudo_count(counts, l)).collect())
    }
}

/// Every number with each of some digits after it.
fn followed_by(numbers: &[usize], radix: usize, digits: &[usize]) -> Vec<usize> {
    numbers.iter().flat_map(|&number| digits.iter().map(move |digit| number * radix + digit)).collect()
}

impl FeatureModel for Kdb {
    type Fitted = FittedKdb;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.hierarchical().map_or(Ok(()), HierarchicalDirichlet::check)?;
        self.check_ridge()?;
        let codes = self.counts.layout(n_columns)?;
        let found = self.parents.len();
        if found != n_columns {
            return Err(LayoutError::Length { name: "the list of parents", found, n_columns });
        }
        let n_counts = self.n_counts();
        if n_counts > Self::MOST_COUNTS {
            let (name, value) = ("the number of counts of a class", n_counts as f64);
            let must_be =
                "at most 4194304: take fewer parents or bins, or leave out columns with many categories";
            return Err(LayoutError::Parameter { name, value, must_be });
        }
        let mut family = codes.family.into_owned();
        family += "; parents";
        for parents in &self.parents {
            let _ = write!(family, " {parents:?}");
        }
        let parts = (0..n_columns).map(|column| ("counts", self.n_counts_of(column)));
        let rule = SumRule::Combinations { first: 0, n_categories: self.counts.n_codes().collect() };
        Ok(SumLayout::new(family, parts).with_rules([rule]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.counts.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let mut codes: Vec<Option<usize>> = Vec::with_capacity(sums.len());
        rows.for_each_row(|row, cells| {
            codes.clear();
            let cells = cells.iter().enumerate();
            codes.extend(cells.map(|(column, &value)| {
                (!value.is_nan()).then(|| self.counts.codings.code(column, value) as usize)
            }));
            for (column, counts) in sums.iter_mut().enumerate() {
                let Some(code) = codes[column] else { continue };
                let combination = self.combination(column, |parent| codes[parent]);
                let place = combination * self.counts.codings.n_codes(column) + code;
                counts.add(place, weights.get(row));
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedKdb, FamilyError> {
        let singles: Vec<Vec<ExactSums>> = classes.iter().map(|sums| self.singles(sums)).collect();
        let naive_bayes = self.counts.fit_singles(classes, &singles)?;
        let n_columns = self.parents.len();
        let mut tables = vec![Vec::with_capacity(n_columns); classes.len()];
        for column in 0..n_columns {
            let of_classes = self.log_tables(column, classes);
            let error = |(class, problem)| FamilyError { class, column, problem };
            let of_classes = of_classes.map_err(error)?;
            tables.iter_mut().zip(of_classes).for_each(|(tables, own)| tables.push(own));
        }
        let is_known = |column: usize| {
            let n_codes = self.counts.codings.n_codes(column);
            let is_known = |code| singles.iter().any(|singles| singles[column].get(code).to_f64() > 0.0);
            (0..n_codes).map(is_known).collect()
        };
        let known = (0..n_columns).map(is_known).collect();
        Ok(FittedKdb { family: self.clone(), naive_bayes, tables, known })
    }
}
