//! Attribute selective AODE: hyper-parameters, what is learnt before, and the fitted form.

mod select;

use nb_core::{
    FeatureModel, Likelihood, Rows, SufficientStats,
    description::{Columns, Dependence, Described, Description, Hyper, Inspect},
    error::{FamilyError, FitRowsError, LayoutError, ValueError},
    family::{Block, ClassSums, Scores, SumLayout},
};
use ndarray::Array2;

use super::{
    Aode, FittedPairCounts, PairCounts,
    description::{MINIMUM_COUNT, inspect_as_naive_bayes},
    estimators::Estimators,
    pairs::{columns_of_naive_bayes, sums_of_pairs},
    tables::Parent,
};
use crate::{Cuts, LearntError, LearntList, Preparation, PreparationError, Variant};

/// Attribute selective averaged one-dependence estimators (ASAODE): AODE of which some columns are parents
/// and some are children, both chosen by leave-one-out cross-validation (Chen, Martínez and Webb 2014,
/// *Highly scalable attribute selection for averaged one-dependence estimators*, PAKDD).
///
/// # Model
/// `P(y, x) = Σ_{i ∈ I} P(y, x_i) Π_{j ∈ J, j ≠ i} P(x_j | y, x_i) / |I|`, where `I` are the columns that may
/// be parents and have a value `x_i` that at least `m` training rows have, and `J` are the children. A row
/// without a parent is scored by naive Bayes of the children (by that of all columns in Petal, the authors'
/// program, which chooses parents and children as here).
///
/// # What is learnt before
/// Columns are taken in the order of `I(x_j; y)`, their mutual information with the class, the largest first;
/// of equal ones the first. The first `r` are parents and the first `s` children. For every `r` and `s` from
/// 1 on each row is predicted by the counts of the other rows, in one more pass over the rows that takes
/// about as long as scoring each `D` times for `D` columns; the least sum of `(1 - P(y | x))²` wins, of equal
/// ones that of fewer parents, and then of fewer children. With both fixed, the family is one of sums as any
/// other.
///
/// # Estimators
/// Those of [`Aode`].
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Asaode, PairCounts};
/// use ndarray::Array2;
///
/// // The class is the first column, the second is noise.
/// let x = Array2::from_shape_fn((60, 2), |(row, column)| if column == 0 { row % 2 } else { row * row / 7 % 3 } as f64);
/// let y: Vec<usize> = (0..60).map(|row| row % 2).collect();
/// let asaode = Asaode::learn(PairCounts::new(vec![2, 3]), 1.0, &x, &y)?;
/// assert_eq!(asaode.children(), [true, false]);
/// assert_eq!(NaiveBayes::new(asaode).fit(&x, &y)?.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Asaode {
    counts: PairCounts,
    minimum_count: f64,
    parents: Vec<bool>,
    children: Vec<bool>,
}

impl Asaode {
    /// The family with these parents and children: whether each column is one.
    ///
    /// ```
    /// use nb_variants::{Asaode, PairCounts};
    ///
    /// let counts = || PairCounts::new(vec![2, 3]);
    /// assert!(Asaode::new(counts(), 1.0, vec![true, false], vec![true, true]).is_ok());
    /// assert!(Asaode::new(counts(), 1.0, vec![true], vec![true, true]).is_err());
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] if they are of another number of columns, or the minimum count is below 0.
    pub fn new(
        counts: PairCounts,
        minimum_count: f64,
        parents: Vec<bool>,
        children: Vec<bool>,
    ) -> Result<Self, LayoutError> {
        let n_columns = counts.codings.n_columns();
        let family = Self { counts, minimum_count, parents, children };
        family.layout(n_columns)?;
        Ok(family)
    }

    /// The family with parents and children learnt from rows, `n_rows × n_columns`, with one label per row.
    /// `counts` has the codes of the columns, the smoothing, and what to do with unseen codes and missing
    /// cells.
    ///
    /// ```
    /// # use nb_variants::{Asaode, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let asaode = Asaode::learn(PairCounts::new(vec![2, 2]), 1.0, &x, &y)?;
    /// assert!(asaode.parents()[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitRowsError`] if hyper-parameters, rows or labels are invalid, or there are too many counts.
    pub fn learn<L: Ord + Clone + Send + Sync>(
        counts: PairCounts,
        minimum_count: f64,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, FitRowsError> {
        let mut stats = SufficientStats::new(&counts, rows.n_columns())?;
        stats.update(&counts, rows, labels)?;
        let weights = stats.class_weights();
        let classes: Vec<ClassSums<'_>> = weights
            .iter()
            .zip(stats.class_sums())
            .map(|(weight, parts)| ClassSums::new(weight, parts))
            .collect();
        let names: Vec<&L> = stats.classes().collect();
        // Each is there, as all labels were added.
        let numbers: Vec<usize> =
            labels.iter().map(|label| names.binary_search(&label).unwrap_or_default()).collect();
        let (parents, children) = select::select(&counts, minimum_count, &classes, (rows, &numbers));
        Ok(Self::new(counts, minimum_count, parents, children)?)
    }

    /// Whether each column may be a parent.
    ///
    /// ```
    /// # use nb_variants::{Asaode, PairCounts};
    /// let asaode = Asaode::new(PairCounts::new(vec![2, 3]), 1.0, vec![true, false], vec![true, true])?;
    /// assert_eq!(asaode.parents(), [true, false]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn parents(&self) -> &[bool] {
        &self.parents
    }

    /// Whether each column is a child.
    ///
    /// ```
    /// # use nb_variants::{Asaode, PairCounts};
    /// let asaode = Asaode::new(PairCounts::new(vec![2, 3]), 1.0, vec![true, false], vec![true, true])?;
    /// assert_eq!(asaode.children(), [true, true]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn children(&self) -> &[bool] {
        &self.children
    }

    /// The codes of the columns, and how they are counted.
    ///
    /// ```
    /// # use nb_variants::{Asaode, PairCounts};
    /// let asaode = Asaode::new(PairCounts::new(vec![2, 3]), 1.0, vec![true, false], vec![true, true])?;
    /// assert_eq!(asaode.counts().n_pairs(), 15);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// The training weight `m` that a value needs to be a parent.
    ///
    /// ```
    /// # use nb_variants::{Asaode, PairCounts};
    /// let asaode = Asaode::new(PairCounts::new(vec![2]), 5.0, vec![true], vec![true])?;
    /// assert_eq!(asaode.minimum_count(), 5.0);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn minimum_count(&self) -> f64 {
        self.minimum_count
    }

    /// The same evidence with all columns as parents and children.
    fn as_aode(&self) -> Aode {
        Aode { counts: self.counts.clone(), minimum_count: self.minimum_count }
    }
}

impl Default for Asaode {
    /// Without columns; `m` is 1, as in the papers.
    fn default() -> Self {
        Self {
            counts: PairCounts::new(Vec::new()),
            minimum_count: 1.0,
            parents: Vec::new(),
            children: Vec::new(),
        }
    }
}

impl FeatureModel for Asaode {
    type Fitted = FittedAsaode;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        let roles =
            [("the list of parents", self.parents.len()), ("the list of children", self.children.len())];
        for (name, found) in roles {
            if found != n_columns {
                return Err(LayoutError::Length { name, found, n_columns });
            }
        }
        self.as_aode().layout(n_columns)
    }

    sums_of_pairs!();

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedAsaode, FamilyError> {
        let estimators = Estimators::new(&self.counts, classes)?.with_used(self.children.clone());
        let of_categories = |roles: &[bool]| {
            let numbers: Vec<f64> = roles.iter().map(|&role| f64::from(u8::from(role))).collect();
            estimators.tables.of_columns(&numbers).into_iter().map(|role| role > 0.0).collect::<Vec<_>>()
        };
        let (parents, children) = (of_categories(&self.parents), of_categories(&self.children));
        Ok(FittedAsaode { family: self.clone(), estimators, parents, children })
    }
}

/// Fitted [`Asaode`].
///
/// A class and column alone have the probabilities of naive Bayes from the same evidence, also of a column
/// that is left out; the score of a row is not the sum of their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedAsaode {
    family: Asaode,
    estimators: Estimators,
    /// Whether each category may be a parent.
    parents: Vec<bool>,
    /// Whether each category is a child.
    children: Vec<bool>,
}

impl FittedAsaode {
    /// Naive Bayes from the same evidence, whose children score rows without a parent.
    ///
    /// ```
    /// # use nb_core::{Likelihood, NaiveBayes};
    /// # use nb_variants::{Asaode, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let asaode = Asaode::learn(PairCounts::new(vec![2, 2]), 1.0, &x, &y)?;
    /// let classifier = NaiveBayes::new(asaode).fit(&x, &y)?;
    /// // A single column says nothing: (1 + 1) / (2 + 2).
    /// let naive_bayes = classifier.likelihood().naive_bayes();
    /// assert_eq!(naive_bayes.log_likelihood(0, 0, 1.0), 0.5_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn naive_bayes(&self) -> &FittedPairCounts {
        &self.estimators.naive_bayes
    }

    /// Parents are chosen first, as they need not be children.
    fn choose(&self, categories: &mut Vec<usize>, parents: &mut Vec<Parent>) {
        self.estimators.tables.parents(categories, self.family.minimum_count, parents);
        parents.retain(|parent| self.parents[parent.category]);
        categories.retain(|&category| self.children[category]);
    }
}

impl Likelihood for FittedAsaode {
    columns_of_naive_bayes!(estimators.naive_bayes);

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.estimators.score(rows, scores, |categories, parents| self.choose(categories, parents))
    }
}

/// Whether each column is a child (1), a parent (2), both (3) or left out (0).
const ROLES: LearntList = LearntList::of_one("roles");

impl Described for Asaode {
    fn describe() -> Description {
        Description::new("asaode", Columns::Mixed)
            .titled("ASAODE")
            .about(
                "Categories and bins, some in turn the parent of some others, chosen by leave-one-out (ASAODE)",
                "Columns of numbers and categories that depend on each other, some in turn the parent of some others, chosen by leave-one-out (ASAODE)",
            )
            .learnt_by(&["bins"])
            .method("attribute selective averaged one-dependence estimators")
            .cited(
                "Chen et al. 2014",
                "Chen, Martínez and Webb (2014). Highly scalable attribute selection for averaged one-dependence estimators. 18th Pacific-Asia Conference on Knowledge Discovery and Data Mining.",
            )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        let mut all = self.counts.hyper_parameters();
        all.push(Hyper::new(&MINIMUM_COUNT, &mut self.minimum_count));
        all
    }
}

/// Beside cut points it learns which columns are parents and children.
impl Variant for Asaode {
    /// All columns are both then.
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        let counts = self.counts.learnt(rules, rows, classes)?;
        let all = vec![true; counts.codings.n_columns()];
        *self = Self { counts, parents: all.clone(), children: all, ..self.clone() };
        Ok(())
    }

    fn learn_dependences(
        &mut self,
        _: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        *self = Self::learn(self.counts.clone(), self.minimum_count, rows, classes)?;
        Ok(())
    }

    fn learns_dependences(&self) -> bool {
        true
    }

    fn lists(&self) -> &'static [LearntList] {
        &[LearntList::CUTS, ROLES]
    }

    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        let roles = self.children.iter().zip(&self.parents);
        let role = |(&child, &parent)| vec![f64::from(u8::from(child)) + 2.0 * f64::from(u8::from(parent))];
        vec![self.counts.codings.cuts().to_columns(), roles.map(role).collect()]
    }

    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        let Ok([cuts, roles]) = <[_; 2]>::try_from(learnt) else { return Ok(()) };
        let must_be = "one number per column: 0, 1, 2 or 3";
        let role = |own: &Vec<f64>| match own[..] {
            [number] if [0.0, 1.0, 2.0, 3.0].contains(&number) => Ok(number as u8),
            _ => Err(LearntError::Number { name: ROLES.name, must_be }),
        };
        let roles = roles.iter().map(role).collect::<Result<Vec<u8>, _>>()?;
        let counts = self.counts.with_cuts(Cuts::new(cuts)?)?;
        let is = |bit: u8| roles.iter().map(|role| role & bit > 0).collect();
        *self = Self::new(counts, self.minimum_count, is(2), is(1))?;
        Ok(())
    }

    fn pairs(&self) -> Option<&PairCounts> {
        Some(&self.counts)
    }

    fn set_pairs(&mut self, counts: PairCounts) -> Result<(), LayoutError> {
        self.counts = counts;
        Ok(())
    }
}

impl Inspect for FittedAsaode {
    inspect_as_naive_bayes!();

    /// Each is a parent with the same weight, or none.
    fn dependence(&self) -> Option<Dependence> {
        let n_parents = self.family.parents.iter().filter(|parent| **parent).count().max(1) as f64;
        let weight = |&is_parent: &bool| if is_parent { 1.0 / n_parents } else { 0.0 };
        Some(Dependence::Each(self.family.parents.iter().map(weight).collect()))
    }
}
