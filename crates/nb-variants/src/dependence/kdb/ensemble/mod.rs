//! Ensembles of k-dependence Bayes: hyper-parameters, what is learnt before, and the fitted form.

mod description;
mod fitted;
mod orders;

use std::fmt::Write;

use nb_core::{
    FeatureModel, Rows, SufficientStats,
    error::{FamilyError, FitRowsError, LayoutError, ValueError},
    exact::ExactSums,
    family::{Block, ClassSums, SumLayout, SumRule, Weights},
};

pub use fitted::FittedKdbEnsemble;

use super::{super::PairCounts, Kdb};

/// Ensembles of k-dependence Bayes: [`Kdb`] with several orders of the columns, whose posteriors are averaged
/// (Zhang, Petitjean and Buntine 2020, *Bayesian network classifiers using ensembles and smoothing*,
/// Knowledge and Information Systems 62).
///
/// # Model
/// `P(y | x) = Σ_m P_m(y | x) / M`, each `P_m` that of k-dependence Bayes with the shares of the classes in
/// training as their prior. The likelihood is this divided by the share of the class, so that under the
/// empirical [prior](nb_core::Prior) the posteriors are the averages. A member under which a row is
/// impossible in every class is left out for the row.
///
/// # What is learnt before
/// The parents of each column in each member, from counts of pairs of columns. In the first member columns
/// are in the order of `I(x_j; y)`, their mutual information with the class, as in [`Kdb`]; in the others in
/// a random order, in which the next column is drawn from those that are left with probabilities proportional
/// to `I(x_j; y)`, and columns that say nothing come last, in any order. The parents of a column are the `k`
/// columns before it with the largest `I(x_i; x_j | y)`. The same seed has the same orders.
///
/// # Sums kept
/// Those of each member, one after the other: `M` times those of [`Kdb`].
///
/// # Estimators
/// Those of [`Kdb`] with pseudo-counts, or with a [ridge](Kdb::with_ridge) penalty.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{KdbEnsemble, PairCounts};
/// use ndarray::array;
///
/// // Whether an odd number of columns is 1, which no two of them say.
/// let x = array![
///     [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0],
///     [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1],
/// ];
/// let y = ["even", "even", "even", "even", "odd", "odd", "odd", "odd"];
/// let ensemble = KdbEnsemble::default().with_members(4).learn_from(PairCounts::new(vec![2; 3]), 2, &x, &y)?;
/// assert_eq!(ensemble.parents().len(), 4);
/// assert_eq!(NaiveBayes::new(ensemble).fit(&x, &y)?.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct KdbEnsemble {
    counts: PairCounts,
    /// How many members there are to be, and the seed of their orders, as whole numbers.
    n_members: f64,
    seed: f64,
    ridge: f64,
    /// The parents of each column in each member.
    members: Vec<Vec<Vec<usize>>>,
}

impl Default for KdbEnsemble {
    /// Ten members of no columns, with seed 0.
    fn default() -> Self {
        Self { counts: PairCounts::default(), n_members: 10.0, seed: 0.0, ridge: 0.0, members: Vec::new() }
    }
}

impl KdbEnsemble {
    /// The most members.
    pub const MOST_MEMBERS: usize = 100;

    /// The ensemble of members with these parents of each column.
    ///
    /// ```
    /// use nb_variants::{KdbEnsemble, PairCounts};
    ///
    /// let members = vec![vec![vec![], vec![0]], vec![vec![1], vec![]]];
    /// assert_eq!(KdbEnsemble::new(PairCounts::new(vec![2, 3]), members)?.parents().len(), 2);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As from [`Kdb::new`] for each member, and if there is none or more than
    /// [`MOST_MEMBERS`](Self::MOST_MEMBERS).
    pub fn new(counts: PairCounts, members: Vec<Vec<Vec<usize>>>) -> Result<Self, LayoutError> {
        let n_columns = counts.codings.n_columns();
        let ensemble = Self { counts, n_members: members.len() as f64, members, ..Self::default() };
        ensemble.layout(n_columns)?;
        Ok(ensemble)
    }

    /// With this number of members, the first of which has the order of [`Kdb`].
    ///
    /// ```
    /// # use nb_variants::KdbEnsemble;
    /// assert_eq!(KdbEnsemble::default().with_members(3).with_seed(7), KdbEnsemble::default().with_seed(7).with_members(3));
    /// ```
    #[must_use]
    pub fn with_members(self, n_members: usize) -> Self {
        Self { n_members: n_members as f64, ..self }
    }

    /// With this seed of the orders.
    ///
    /// ```
    /// # use nb_variants::KdbEnsemble;
    /// assert_ne!(KdbEnsemble::default().with_seed(7), KdbEnsemble::default());
    /// ```
    #[must_use]
    pub fn with_seed(self, seed: u32) -> Self {
        Self { seed: f64::from(seed), ..self }
    }

    /// With hierarchical linear smoothing in place of pseudo-counts, as [`Kdb::with_ridge`].
    ///
    /// ```
    /// # use nb_variants::KdbEnsemble;
    /// assert_ne!(KdbEnsemble::default().with_ridge(1.0), KdbEnsemble::default());
    /// ```
    #[must_use]
    pub fn with_ridge(self, ridge: f64) -> Self {
        Self { ridge, ..self }
    }

    /// The same number of members and seed with parents learnt from rows, `n_rows × n_columns`, with one
    /// label per row; each column gets up to `k` of them.
    ///
    /// ```
    /// # use nb_variants::{KdbEnsemble, PairCounts};
    /// # use ndarray::array;
    /// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
    /// let ensemble = KdbEnsemble::default().learn_from(PairCounts::new(vec![2, 2]), 1, &x, &y)?;
    /// assert_eq!(ensemble.parents()[0], [vec![], vec![0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitRowsError`] if hyper-parameters, rows or labels are invalid, or there are too many counts.
    pub fn learn_from<L: Ord + Clone + Send + Sync>(
        &self,
        counts: PairCounts,
        k: usize,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Self, FitRowsError> {
        self.check_numbers()?;
        let mut stats = SufficientStats::new(&counts, rows.n_columns())?;
        stats.update(&counts, rows, labels)?;
        let weights = stats.class_weights();
        let classes: Vec<ClassSums<'_>> = weights
            .iter()
            .zip(stats.class_sums())
            .map(|(weight, parts)| ClassSums::new(weight, parts))
            .collect();
        let members = orders::members(&counts, &classes, k, (self.n_members as usize, self.seed as u64));
        let learnt = Self { counts, members, ..self.clone() };
        learnt.layout(rows.n_columns())?;
        Ok(learnt)
    }

    /// The parents of each column in each member.
    ///
    /// ```
    /// # use nb_variants::{KdbEnsemble, PairCounts};
    /// let ensemble = KdbEnsemble::new(PairCounts::new(vec![2, 3]), vec![vec![vec![], vec![0]]])?;
    /// assert_eq!(ensemble.parents(), [[vec![], vec![0]]]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn parents(&self) -> &[Vec<Vec<usize>>] {
        &self.members
    }

    /// How many counts a class keeps.
    ///
    /// ```
    /// # use nb_variants::{KdbEnsemble, PairCounts};
    /// let ensemble = KdbEnsemble::new(PairCounts::new(vec![2, 3]), vec![vec![vec![], vec![0]]; 2])?;
    /// assert_eq!(ensemble.n_counts(), 2 * (2 + 3 * (2 + 1)));
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn n_counts(&self) -> u64 {
        self.each().map(|member| member.n_counts()).fold(0, u64::saturating_add)
    }

    /// The members.
    fn each(&self) -> impl Iterator<Item = Kdb> {
        self.members.iter().map(|parents| Kdb {
            counts: self.counts.clone(),
            parents: parents.clone(),
            ridge: self.ridge,
            ..Kdb::default()
        })
    }

    fn check_numbers(&self) -> Result<(), LayoutError> {
        let wrong = |name, value, must_be| Err(LayoutError::Parameter { name, value, must_be });
        let is_whole = |number: f64| number.fract() == 0.0 && number >= 0.0;
        if !is_whole(self.n_members) || !(1.0..=Self::MOST_MEMBERS as f64).contains(&self.n_members) {
            return wrong("the number of members", self.n_members, "a whole number from 1 to 100");
        }
        if !is_whole(self.seed) || self.seed > f64::from(u32::MAX) {
            return wrong("the seed", self.seed, "a whole number from 0 to 4294967295");
        }
        Ok(())
    }
}

impl FeatureModel for KdbEnsemble {
    type Fitted = FittedKdbEnsemble;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.check_numbers()?;
        let codes = self.counts.layout(n_columns)?;
        let (found, expected) = (self.members.len(), self.n_members as usize);
        if found != expected {
            return Err(LayoutError::Length { name: "the list of members", found, n_columns: expected });
        }
        let mut family = codes.family.into_owned();
        family += "; ensemble";
        let (mut parts, mut rules) = (Vec::new(), Vec::new());
        for (place, member) in self.each().enumerate() {
            super::structure::check(&member.parents)?;
            member.layout(n_columns)?;
            let _ = write!(family, " {:?}", member.parents);
            parts.extend((0..n_columns).map(|column| ("counts", member.n_counts_of(column))));
            let (first, n_categories) = (place * n_columns, self.counts.n_codes().collect());
            rules.push(SumRule::Combinations { first, n_categories });
        }
        let n_counts = self.n_counts();
        if n_counts > Kdb::MOST_COUNTS {
            let (name, value) = ("the number of counts of a class", n_counts as f64);
            let must_be = "at most 4194304: take fewer members, parents or bins, or leave out columns with many categories";
            return Err(LayoutError::Parameter { name, value, must_be });
        }
        Ok(SumLayout::new(family, parts).with_rules(rules))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.counts.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let n_columns = self.counts.codings.n_columns().max(1);
        for (member, own) in self.each().zip(sums.chunks_mut(n_columns)) {
            member.update(rows, weights, own);
        }
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedKdbEnsemble, FamilyError> {
        let n_columns = self.counts.codings.n_columns();
        let fit = |(place, member): (usize, Kdb)| {
            let range = place * n_columns..(place + 1) * n_columns;
            let own: Vec<ClassSums<'_>> = classes.iter().map(|class| class.slice(range.clone())).collect();
            member.fit(&own)
        };
        let members = self.each().enumerate().map(fit).collect::<Result<Vec<_>, _>>()?;
        FittedKdbEnsemble::new(members, classes)
    }
}
