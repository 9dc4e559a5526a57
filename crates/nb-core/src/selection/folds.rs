//! Folds: statistics kept in parts, so that each can be left out.

use std::collections::BTreeMap;

use crate::{
    data::Rows,
    model::{FeatureModel, FoldError, LayoutError, UpdateError},
    stats::{SufficientStats, update::add_rows},
};

/// The most folds.
const MOST_FOLDS: usize = 1 << 20;

/// How rows are dealt to `k` folds, one after the other as they come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum FoldAssignment {
    /// Row `j` of class `c` goes to fold `(j + c) mod k`, where classes are numbered as their first rows
    /// come: every fold has the same share of each class, give or take a row. (Kohavi (1995), *A study of
    /// cross-validation and bootstrap for accuracy estimation and model selection*, IJCAI.)
    #[default]
    Stratified,
    /// Row `i` goes to fold `i mod k`, whatever its class.
    Plain,
}

impl FoldAssignment {
    /// The fold of each row, by their labels, as [`FoldedStats::update`] deals the first rows that it gets:
    /// for those who [assign](FoldedStats::update_assigned) folds, because they want to know them. No
    /// folds at all are taken for one.
    ///
    /// ```
    /// use nb_core::selection::FoldAssignment;
    ///
    /// assert_eq!(FoldAssignment::Stratified.deal(&["a", "b", "a", "a", "b"], 2), [0, 1, 1, 0, 0]);
    /// assert_eq!(FoldAssignment::Plain.deal(&["a", "b", "a", "a", "b"], 2), [0, 1, 0, 1, 0]);
    /// ```
    pub fn deal<L: Ord>(self, labels: &[L], n_folds: usize) -> Vec<usize> {
        let labels: Vec<&L> = labels.iter().collect();
        let mut dealt = Dealt { next: 0, next_of_class: BTreeMap::new() };
        dealt.deal(self, &labels, n_folds.max(1))
    }
}

/// The sufficient statistics of `k` folds of the rows, gathered in one pass: all that cross-validation needs.
///
/// Statistics are exact, so that the folds add up to the [`whole`](Self::whole), and leaving a fold out by
/// subtraction gives the very statistics of never having seen its rows. So the rows can be forgotten, and any
/// number of hyper-parameters [compared](Self::cross_validate) afterwards.
///
/// Rows are dealt by their number, whatever their weights and however they are cut into calls. Rows in an
/// order that repeats itself with the folds should be shuffled first, and rows that belong together be
/// [assigned](Self::update_assigned) to one fold.
///
/// ```
/// use nb_core::{Multinomial, NaiveBayes, Smoothing, selection::{FoldAssignment, FoldedStats}};
/// use ndarray::array;
///
/// let x = array![[2.0, 1.0], [3.0, 0.0], [1.0, 1.0], [0.0, 2.0], [1.0, 4.0], [0.0, 3.0]];
/// let y = ["a", "a", "a", "b", "b", "b"];
/// let mut folds = FoldedStats::new(&Multinomial::default(), 2, 3, FoldAssignment::Stratified)?;
/// folds.update(&Multinomial::default(), &x, &y)?;
///
/// let mean = |l: f64| {
///     let model = Multinomial { smoothing: Smoothing::new(l)?, ..Multinomial::default() };
///     Ok::<_, Box<dyn std::error::Error>>(folds.cross_validate(&NaiveBayes::new(model))?.mean())
/// };
/// assert!(mean(1.0)? > mean(100.0)?);
/// assert_eq!(folds.whole().class_weights()[0].to_f64(), 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FoldedStats<L> {
    folds: Vec<SufficientStats<L>>,
    dealing: FoldAssignment,
    dealt: Dealt<L>,
}

/// How far rows have been dealt.
#[derive(Clone, Debug, PartialEq)]
struct Dealt<L> {
    /// The fold of the next row, in plain dealing.
    next: usize,
    /// The fold of the next row of each class, in stratified dealing.
    next_of_class: BTreeMap<L, usize>,
}

impl<L: Ord + Clone> FoldedStats<L> {
    /// `n_folds` folds without rows, for a family over `n_columns` columns.
    ///
    /// # Errors
    /// [`LayoutError`] if there are no columns, a hyper-parameter of the family does not fit, or the number
    /// of folds is not from 2 to 1048576.
    pub fn new<M: FeatureModel + ?Sized>(
        model: &M,
        n_columns: usize,
        n_folds: usize,
        dealing: FoldAssignment,
    ) -> Result<Self, LayoutError> {
        if !(2..=MOST_FOLDS).contains(&n_folds) {
            let (name, must_be) = ("the number of folds", "from 2 to 1048576");
            return Err(LayoutError::Parameter { name, value: n_folds as f64, must_be });
        }
        let empty = SufficientStats::new(model, n_columns)?;
        let dealt = Dealt { next: 0, next_of_class: BTreeMap::new() };
        Ok(Self { folds: vec![empty; n_folds], dealing, dealt })
    }

    /// Adds rows, `n_rows × n_columns`, with one label per row, dealing them to the folds.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update(&gaussian, &array![[1.0], [2.0], [3.0]], &["a", "b", "a"])?;
    /// assert_eq!(folds.folds()[0].class_weights()[0].to_f64(), 2.0); // rows 0 and 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; nothing was added then.
    pub fn update<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<(), UpdateError>
    where
        L: Send + Sync,
    {
        self.deal(model, rows, labels, None)
    }

    /// Adds rows with weights, dealing them to the folds as [`update`](Self::update) does.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update_weighted(&gaussian, &array![[1.0], [2.0]], &["a", "a"], &[3.0, 0.5])?;
    /// assert_eq!(folds.whole().class_weights()[0].to_f64(), 3.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; nothing was added then.
    pub fn update_weighted<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: &[f64],
    ) -> Result<(), UpdateError>
    where
        L: Send + Sync,
    {
        self.deal(model, rows, labels, Some(weights))
    }

    /// Adds rows to folds that are given, one per row, such as one fold for all rows of a person. Rows that
    /// are dealt are counted without them.
    ///
    /// ```
    /// use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// use ndarray::array;
    ///
    /// let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::default())?;
    /// folds.update_assigned(&gaussian, &array![[1.0], [0.1], [2.0]], &["a", "a", "a"], &[0, 1, 0])?;
    /// let mut second = SufficientStats::new(&gaussian, 1)?;
    /// second.update(&gaussian, &array![[0.1]], &["a"])?;
    /// assert_eq!(folds.without(0), Some(second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FoldError`] names what is wrong; nothing was added then.
    pub fn update_assigned<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        folds: &[usize],
    ) -> Result<(), FoldError>
    where
        L: Send + Sync,
    {
        self.check_folds(rows.n_rows(), folds)?;
        Ok(self.add(model, rows, labels, None, folds)?)
    }

    /// Adds rows with weights to folds that are given, one per row.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update_assigned_weighted(&gaussian, &array![[1.0], [2.0]], &["a", "a"], &[3.0, 0.5], &[1, 1])?;
    /// assert_eq!(folds.folds()[1].class_weights()[0].to_f64(), 3.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FoldError`] names what is wrong; nothing was added then.
    pub fn update_assigned_weighted<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: &[f64],
        folds: &[usize],
    ) -> Result<(), FoldError>
    where
        L: Send + Sync,
    {
        self.check_folds(rows.n_rows(), folds)?;
        Ok(self.add(model, rows, labels, Some(weights), folds)?)
    }

    /// The fold of each of the next rows, by their labels, as [`update`](Self::update) deals them: for those
    /// who need to know the folds of rows that come in pieces, and add them by
    /// [`update_assigned`](Self::update_assigned).
    ///
    /// ```
    /// use nb_core::{Gaussian, selection::{FoldAssignment, FoldedStats}};
    ///
    /// let mut folds = FoldedStats::new(&Gaussian::default(), 1, 2, FoldAssignment::Stratified)?;
    /// assert_eq!(folds.assign(&["a", "b", "a"]), [0, 1, 1]);
    /// assert_eq!(folds.assign(&["a", "b"]), [0, 0]);
    /// # Ok::<(), nb_core::error::LayoutError>(())
    /// ```
    pub fn assign(&mut self, labels: &[L]) -> Vec<usize> {
        let n_folds = self.folds.len();
        self.dealt.deal(self.dealing, labels, n_folds)
    }

    /// The number of folds.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let folds = FoldedStats::<&str>::new(&gaussian, 1, 10, FoldAssignment::Stratified)?;
    /// assert_eq!(folds.n_folds(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn n_folds(&self) -> usize {
        self.folds.len()
    }

    /// The statistics of each fold.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update(&gaussian, &array![[1.0], [2.0], [3.0]], &["a", "b", "a"])?;
    /// assert!(folds.folds()[1].classes().eq(&["b"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn folds(&self) -> &[SufficientStats<L>] {
        &self.folds
    }

    /// The statistics of all rows: those of having added them without folds.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let (x, y) = (array![[1.0], [0.1], [3.0]], ["a", "b", "a"]);
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update(&gaussian, &x, &y)?;
    /// let mut stats = SufficientStats::new(&gaussian, 1)?;
    /// stats.update(&gaussian, &x, &y)?;
    /// assert_eq!(folds.whole(), stats);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn whole(&self) -> SufficientStats<L> {
        let mut whole = self.folds[0].clone();
        for fold in &self.folds[1..] {
            merge(&mut whole, fold);
        }
        whole
    }

    /// The statistics of the rows of all folds but one, by subtraction from the [`whole`](Self::whole): those
    /// of never having seen its rows. `None` if there is no such fold.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update(&gaussian, &array![[1.0], [0.1], [3.0]], &["a", "b", "a"])?;
    /// assert_eq!(folds.without(1), Some(folds.folds()[0].clone()));
    /// assert_eq!(folds.without(2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(&self, fold: usize) -> Option<SufficientStats<L>> {
        Some(without(&self.whole(), self.folds.get(fold)?))
    }

    /// Forgets all evidence of a class; whether there was any.
    ///
    /// A class whose rows are all in one fold is unknown where this fold is held out, and its rows
    /// impossible; forget it to compare hyper-parameters by the others.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats, selection::{FoldAssignment, FoldedStats}};
    /// # use ndarray::array;
    /// # let gaussian = Gaussian::default();
    /// let mut folds = FoldedStats::new(&gaussian, 1, 2, FoldAssignment::Plain)?;
    /// folds.update(&gaussian, &array![[1.0], [0.1], [3.0]], &["a", "b", "a"])?;
    /// assert!(folds.forget_class(&"b"));
    /// assert!(folds.whole().classes().eq(&["a"]));
    /// assert!(!folds.forget_class(&"b"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_class(&mut self, label: &L) -> bool {
        let forgotten = self.folds.iter_mut().filter_map(|fold| fold.forget_class(label).then_some(()));
        forgotten.count() > 0
    }

    /// Deals rows to the folds; only if they were added counts that as dealt.
    fn deal<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: Option<&[f64]>,
    ) -> Result<(), UpdateError>
    where
        L: Send + Sync,
    {
        let mut dealt = self.dealt.clone();
        let folds = dealt.deal(self.dealing, labels, self.folds.len());
        self.add(model, rows, labels, weights, &folds)?;
        self.dealt = dealt;
        Ok(())
    }

    /// Adds rows to folds that exist. Folds and labels together are the labels of statistics that are taken
    /// apart afterwards, so that the rows are read once and where they lie.
    fn add<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: Option<&[f64]>,
        folds: &[usize],
    ) -> Result<(), UpdateError>
    where
        L: Send + Sync,
    {
        self.folds[0].check_model(model)?;
        let mut stats = self.folds[0].empty_of();
        let keys: Vec<(usize, &L)> = folds.iter().copied().zip(labels).collect();
        if keys.len() != labels.len() {
            return Err(UpdateError::Labels { rows: rows.n_rows(), labels: labels.len() });
        }
        add_rows(&mut stats, model, rows, &keys, weights)?;
        for ((fold, label), evidence) in stats.into_evidence() {
            self.folds[fold].add_evidence(label, evidence);
        }
        Ok(())
    }

    /// Refuses folds that do not exist, and another number of them than there are rows.
    fn check_folds(&self, rows: usize, folds: &[usize]) -> Result<(), FoldError> {
        if folds.len() != rows {
            return Err(FoldError::Length { rows, folds: folds.len() });
        }
        let n_folds = self.folds.len();
        match folds.iter().position(|&fold| fold >= n_folds) {
            Some(row) => Err(FoldError::NoSuchFold { row, fold: folds[row], n_folds }),
            None => Ok(()),
        }
    }
}

impl<L: Ord + Clone> Dealt<L> {
    fn deal(&mut self, dealing: FoldAssignment, labels: &[L], n_folds: usize) -> Vec<usize> {
        match dealing {
            FoldAssignment::Plain => self.plain(labels.len(), n_folds),
            FoldAssignment::Stratified => self.stratified(labels, n_folds),
        }
    }

    fn plain(&mut self, n_rows: usize, n_folds: usize) -> Vec<usize> {
        let first = self.next;
        self.next = (first + n_rows) % n_folds;
        (0..n_folds).cycle().skip(first).take(n_rows).collect()
    }

    fn stratified(&mut self, labels: &[L], n_folds: usize) -> Vec<usize> {
        let mut folds = Vec::with_capacity(labels.len());
        for label in labels {
            if !self.next_of_class.contains_key(label) {
                let class = self.next_of_class.len();
                self.next_of_class.insert(label.clone(), class % n_folds);
            }
            // The entry was just made sure of; `entry` would clone every label.
            let Some(next) = self.next_of_class.get_mut(label) else { continue };
            folds.push(*next);
            *next = (*next + 1) % n_folds;
        }
        folds
    }
}

/// Adds the statistics of a fold to those of others.
fn merge<L: Ord + Clone>(stats: &mut SufficientStats<L>, fold: &SufficientStats<L>) {
    stats.merge(fold).unwrap_or_else(|_| unreachable!("all folds have the layout of the first"));
}

/// The whole without one of its folds.
pub(crate) fn without<L: Ord + Clone>(
    whole: &SufficientStats<L>,
    fold: &SufficientStats<L>,
) -> SufficientStats<L> {
    let mut rest = whole.clone();
    rest.subtract(fold).unwrap_or_else(|_| unreachable!("the rows of the fold are among all rows"));
    rest
}
