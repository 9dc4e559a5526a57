//! What the families of this crate have beyond those of nb-core, so that nobody who uses them has to name
//! one.

use nb_core::{Categorical, error::LayoutError};
use ndarray::Array2;

use crate::{
    BinRule, Cuts, CutsError, GridError, HierarchicalDirichlet, PairCounts, Parents, Preparation,
    PreparationError,
};

/// A family of this crate beyond [`Described`](nb_core::description::Described): what it learns from rows
/// before they are summed, how that is stored, and what its sums take. Everything has a default for families
/// without such things; one that counts [`PairCounts`] has the rest by [`pairs`](Self::pairs) and
/// [`set_pairs`](Self::set_pairs).
///
/// ```
/// use nb_variants::{Preparation, Tan, Variant};
/// use ndarray::array;
///
/// let x = array![[1.0, 0.5], [2.0, 0.1], [8.0, 0.4], [9.0, 0.2]];
/// let mut tan = Tan::default();
/// tan.learn(&Preparation::default(), &x, &[0, 0, 1, 1])?;
/// assert_eq!(tan.bins().unwrap().column(0), [5.0]);
/// assert_eq!(tan.lists()[0].name, "cuts");
/// assert_eq!(tan.learnt()[0], [vec![5.0], vec![]]);
/// # Ok::<(), nb_variants::PreparationError>(())
/// ```
pub trait Variant {
    /// Learns for each column what it needs: cut points, grids, powers. `classes` has the class number of
    /// each row; hyper-parameters stay.
    ///
    /// # Errors
    /// [`PreparationError`] if a column has cells that the family does not take, or no values.
    fn learn(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        if let Some(counts) = self.pairs() {
            let learnt = counts.learnt(rules, rows, classes)?;
            self.set_pairs(learnt)?;
        }
        Ok(())
    }

    /// Learns on which columns others depend, after [`learn`](Self::learn) and from the same rows.
    ///
    /// # Errors
    /// [`PreparationError`] as from [`learn`](Self::learn), or if there are too many counts.
    fn learn_dependences(
        &mut self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<(), PreparationError> {
        let _ = (rules, rows, classes);
        Ok(())
    }

    /// Whether [`learn_dependences`](Self::learn_dependences) learns anything, so that columns of categories
    /// are learnt from, too.
    fn learns_dependences(&self) -> bool {
        false
    }

    /// The lists in which a file has what is learnt, in order.
    fn lists(&self) -> &'static [LearntList] {
        if self.pairs().is_some() { LearntList::OF_PAIRS } else { &[] }
    }

    /// What is learnt: for each [list](Self::lists) the numbers of every column.
    fn learnt(&self) -> Vec<Vec<Vec<f64>>> {
        self.pairs().map(|counts| counts.codings.cuts().to_columns()).into_iter().collect()
    }

    /// Takes what was learnt from a file: for each [list](Self::lists) the numbers of every column.
    ///
    /// # Errors
    /// [`LearntError`] if it cannot be what the family learns.
    fn set_learnt(&mut self, learnt: Vec<Vec<Vec<f64>>>) -> Result<(), LearntError> {
        if let (Some(counts), Some(cuts)) = (self.pairs(), learnt.into_iter().next()) {
            let counts = counts.with_cuts(Cuts::new(cuts)?)?;
            self.set_pairs(counts)?;
        }
        Ok(())
    }

    /// How cells become codes and are smoothed, of a family whose columns depend on each other. It keeps
    /// counts of pairs of columns, or learns from them which columns it keeps counts of.
    fn pairs(&self) -> Option<&PairCounts> {
        None
    }

    /// Takes other codes of the columns, or another smoothing.
    ///
    /// # Errors
    /// [`LayoutError`] if they are not of the same columns, or there are too many counts.
    fn set_pairs(&mut self, counts: PairCounts) -> Result<(), LayoutError> {
        let _ = counts;
        Ok(())
    }

    /// For every part of the sums and every sum its place in those with other [codes](Self::pairs) of these
    /// columns: `codes` has for each column the new number of every code, or none if they stay.
    fn code_places(&self, new: &PairCounts, codes: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
        self.pairs().map(|counts| counts.places_in(new, codes)).into_iter().collect()
    }

    /// The counts of several columns at once that a class keeps, and the memory that they take in this number
    /// of classes.
    fn code_counts(&self, n_classes: usize) -> Option<CodeCounts> {
        let counts = self.pairs()?;
        let words = ("pairs", "every two values", "another method");
        let per_class = (counts.n_pairs(), PairCounts::MOST_PAIRS);
        Some(CodeCounts::new(words, per_class, counts.memory(n_classes)))
    }

    /// The cut points of columns of numbers, if these are bins.
    fn bins(&self) -> Option<&Cuts> {
        self.pairs().map(|counts| counts.codings.cuts())
    }

    /// The categorical family that has the same sums, if there is one.
    fn category_counts(&self) -> Option<&Categorical> {
        None
    }

    /// The same to change it.
    fn category_counts_mut(&mut self) -> Option<&mut Categorical> {
        None
    }

    /// The columns, ascending, for which what is learnt ends where doubles do: `rows` and `classes` are those
    /// that it was learnt from.
    ///
    /// # Errors
    /// As from [`learn`](Self::learn).
    fn columns_at_limit(
        &self,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<Vec<usize>, PreparationError> {
        let _ = (rows, classes);
        Ok(Vec::new())
    }

    /// The columns of numbers, ascending, whose cut points by these rules may not be the best ones, as there
    /// are too many to find them ([`Cuts::modl_is_exact`]): `rows` and `classes` are those that they were
    /// learnt from.
    ///
    /// # Errors
    /// As from [`learn`](Self::learn).
    fn inexact_columns(
        &self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<Vec<usize>, PreparationError> {
        if self.bins().is_none() || rules.bins != BinRule::Modl {
            return Ok(Vec::new());
        }
        let is_exact = Cuts::modl_is_exact(rows, classes)?;
        let is_of_numbers =
            |column: &usize| self.pairs().is_none_or(|counts| counts.codings.is_of_numbers(*column));
        Ok((0..is_exact.len()).filter(|&column| !is_exact[column]).filter(is_of_numbers).collect())
    }

    /// The hierarchy of Dirichlet distributions that smooths it in place of pseudo-counts, if there is one.
    fn hierarchical(&self) -> Option<HierarchicalDirichlet> {
        None
    }

    /// Takes such a hierarchy; `false` if the family is none that can be smoothed by it.
    fn set_hierarchical(&mut self, smoothing: HierarchicalDirichlet) -> bool {
        let _ = smoothing;
        false
    }

    /// The name of the family, and the rule of parents, with which the network that is learnt by these rules
    /// can be smoothed by a hierarchy.
    fn as_hierarchical(&self, rules: &Preparation) -> Option<(&'static str, Parents)> {
        let _ = rules;
        None
    }

    /// Whether it is naive Bayes if it learns by these rules.
    fn is_naive_bayes(&self, rules: &Preparation) -> bool {
        let _ = rules;
        false
    }
}

/// A list of numbers in which a file has something that is learnt for each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LearntList {
    /// Its name.
    pub name: &'static str,
    /// What it must be.
    pub must_be: &'static str,
    /// The name of the list of how many numbers each column has, and what that must be; none if each has
    /// one.
    pub counts: Option<(&'static str, &'static str)>,
}

impl LearntList {
    /// Cut points of columns of numbers.
    pub(crate) const CUTS: Self = Self::of_some(
        ("cuts", "the cut points of all columns"),
        ("cut_counts", "the number of cut points of each column"),
    );
    const OF_PAIRS: &'static [Self] = &[Self::CUTS];

    /// A list with one number for each column.
    ///
    /// ```
    /// # use nb_variants::LearntList;
    /// assert_eq!(LearntList::of_one("lambdas").must_be, "one number per column");
    /// ```
    pub const fn of_one(name: &'static str) -> Self {
        Self { name, must_be: "one number per column", counts: None }
    }

    /// A list with any number of numbers for each column, and that of how many there are; each with what it
    /// must be.
    ///
    /// ```
    /// # use nb_variants::LearntList;
    /// let counts = ("cut_counts", "the number of cut points of each column");
    /// let cuts = LearntList::of_some(("cuts", "the cut points of all columns"), counts);
    /// assert_eq!((cuts.name, cuts.counts), ("cuts", Some(counts)));
    /// ```
    pub const fn of_some(
        (name, must_be): (&'static str, &'static str),
        counts: (&'static str, &'static str),
    ) -> Self {
        Self { name, must_be, counts: Some(counts) }
    }
}

/// The counts of several columns at once that a family keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeCounts {
    /// What a count is of: `pairs`, `triples` or `combinations`, of values with their parents.
    pub of: &'static str,
    /// The same in words: `every two values`.
    pub values: &'static str,
    /// What takes less memory, beside fewer bins.
    pub instead: &'static str,
    /// The number of counts of a class.
    pub per_class: u64,
    /// The most counts that a class may have.
    pub most_per_class: u64,
    /// About how many bytes the counts of all classes and the tables fitted from them take.
    pub bytes: u64,
}

impl CodeCounts {
    /// Counts of a class, and the most that it may have, in this number of bytes for all classes.
    pub(crate) const fn new(
        (of, values, instead): (&'static str, &'static str, &'static str),
        (per_class, most_per_class): (u64, u64),
        bytes: u64,
    ) -> Self {
        Self { of, values, instead, per_class, most_per_class, bytes }
    }
}

/// Why numbers are not what a family has learnt.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearntError {
    /// A number cannot be.
    #[error("{name} must be {must_be}")]
    Number {
        /// The list.
        name: &'static str,
        /// What its numbers must be.
        must_be: &'static str,
    },
    /// The cut points are invalid.
    #[error(transparent)]
    Cuts(#[from] CutsError),
    /// A grid is invalid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// They are of other columns, or there are too many counts.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}
