//! The evidence: a few exact sums per class.

mod addition;

use std::collections::BTreeMap;

use exact_sums::{Exact, ExactSums};

use crate::{
    data::Rows,
    model::{ClassSums, FeatureModel, LayoutError, MismatchError, StatsError, SumLayout, UpdateError},
    stats::update::add_rows,
};

/// All that a naive Bayes model knows of its training data: per class the total weight and a few sums.
///
/// The sums are exact, so that statistics form a group: [`update`](Self::update) in any order, in any batches
/// and on any number of threads gives the same statistics bit for bit, [`merge`](Self::merge) is associative
/// and commutative, and [`retract`](Self::retract) restores what was before. This is a theorem for every
/// finite input that is accepted, because nothing is ever rounded; only [`scale`](Self::scale) by a factor
/// that is not a power of two rounds, at about 159 bits.
///
/// Smoothing, priors and variance floors are not in here: they belong to fitting, and the same statistics can
/// be fitted with any of them.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, SufficientStats};
/// use ndarray::array;
///
/// let gaussian = Gaussian::default();
/// let mut monday = SufficientStats::new(&gaussian, 1)?;
/// monday.update(&gaussian, &array![[1.0], [2.0], [8.0]], &["low", "low", "high"])?;
/// let mut tuesday = SufficientStats::new(&gaussian, 1)?;
/// tuesday.update(&gaussian, &array![[9.0], [1.5]], &["high", "low"])?;
///
/// let mut both = monday.clone();
/// both.merge(&tuesday)?;
/// let classifier = NaiveBayes::new(gaussian).fit_stats(&both)?;
/// assert_eq!(classifier.predict(&array![[7.0]])?, ["high"]);
///
/// both.subtract(&tuesday)?;
/// assert_eq!(both, monday);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SufficientStats<L> {
    n_columns: usize,
    layout: SumLayout,
    classes: BTreeMap<L, ClassEvidence>,
}

/// The most columns that statistics can have: sums are kept for each, and memory for more cannot be relied
/// on.
const MAX_COLUMNS: usize = 1 << 26;

/// The weight and the sums of one class.
#[derive(Clone, Debug)]
pub(crate) struct ClassEvidence {
    /// A vector of one sum.
    pub(crate) weight: ExactSums,
    pub(crate) parts: Vec<ExactSums>,
}

impl ClassEvidence {
    pub(crate) fn new(layout: &SumLayout) -> Self {
        Self { weight: ExactSums::new(1), parts: layout.zeros() }
    }

    /// Adds the evidence of rows that all have this weight, which was summed without it.
    pub(crate) fn add_multiple(&mut self, other: &Self, weight: f64) {
        self.combine(other, |sums, others| sums.add_multiple(others, weight));
    }

    /// Calls `combine` for each vector of sums and its counterpart.
    fn combine(&mut self, other: &Self, combine: impl Fn(&mut ExactSums, &ExactSums)) {
        combine(&mut self.weight, &other.weight);
        for (sums, others) in self.parts.iter_mut().zip(&other.parts) {
            combine(sums, others);
        }
    }
}

impl PartialEq for ClassEvidence {
    fn eq(&self, other: &Self) -> bool {
        self.weight == other.weight && self.parts == other.parts
    }
}

impl<L: Ord + Clone> SufficientStats<L> {
    /// Statistics of no rows, for a family over `n_columns` columns.
    ///
    /// ```
    /// use nb_core::{Gaussian, SufficientStats};
    ///
    /// let stats: SufficientStats<&str> = SufficientStats::new(&Gaussian::default(), 30)?;
    /// assert_eq!((stats.n_columns(), stats.classes().len()), (30, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] if there are no columns or a hyper-parameter of the family does not fit.
    pub fn new<M: FeatureModel + ?Sized>(model: &M, n_columns: usize) -> Result<Self, LayoutError> {
        if n_columns == 0 {
            return Err(LayoutError::NoColumns);
        }
        if n_columns > MAX_COLUMNS {
            return Err(LayoutError::TooManyColumns { n_columns, most: MAX_COLUMNS });
        }
        Ok(Self { n_columns, layout: model.layout(n_columns)?, classes: BTreeMap::new() })
    }

    /// Puts statistics together from stored parts: for each class its label, its weight, and its sums in the
    /// order of the layout, as [`classes`](Self::classes), [`class_weights`](Self::class_weights) and
    /// [`class_sums`](Self::class_sums) gave them.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let labels = stats.classes().copied();
    /// let weights = stats.class_weights();
    /// let sums = stats.class_sums().map(<[_]>::to_vec);
    /// let parts = labels.zip(weights).zip(sums).map(|((label, weight), sums)| (label, weight, sums));
    /// assert_eq!(SufficientStats::from_parts(&model, 1, parts)?, stats);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StatsError`] if the parts do not have the layout of the family, or no rows can have given them.
    pub fn from_parts<M: FeatureModel + ?Sized>(
        model: &M,
        n_columns: usize,
        classes: impl IntoIterator<Item = (L, Exact, Vec<ExactSums>)>,
    ) -> Result<Self, StatsError> {
        let mut stats = Self::new(model, n_columns)?;
        for (class, (label, weight, mut parts)) in classes.into_iter().enumerate() {
            if parts.len() != stats.layout.parts.len() {
                return Err(StatsError::Parts {
                    class,
                    expected: stats.layout.parts.len(),
                    found: parts.len(),
                });
            }
            for (part, (sums, layout)) in parts.iter_mut().zip(&stats.layout.parts).enumerate() {
                if layout.len > 0 && sums.len() > layout.len {
                    return Err(StatsError::PartLength {
                        class,
                        part,
                        expected: layout.len,
                        found: sums.len(),
                    });
                }
                sums.grow(layout.len);
            }
            if weight.is_zero() || weight.is_negative() {
                return Err(StatsError::Weight { class, weight: weight.to_f64() });
            }
            if let Some(sums) = stats.layout.impossible(&ClassSums::new(&weight, &parts)) {
                return Err(StatsError::Impossible { class, sums });
            }
            let mut evidence = ClassEvidence { weight: ExactSums::new(1), parts };
            weight.components().iter().for_each(|&component| evidence.weight.add(0, component));
            if stats.classes.insert(label, evidence).is_some() {
                return Err(StatsError::Duplicate { class });
            }
        }
        Ok(stats)
    }

    /// Adds rows, `n_rows × n_columns`, with one label per row.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// stats.update(&model, &array![[5.0]], &["c"])?; // a class that was not known
    /// assert_eq!(stats.classes().collect::<Vec<_>>(), [&"a", &"b", &"c"]);
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
        self.check_model(model)?;
        add_rows(self, model, rows, labels, None)
    }

    /// Adds rows with weights: a row of weight 2 counts as two rows, one of weight 0 not at all.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// stats.update_weighted(&model, &array![[2.0]], &["a"], &[0.5])?;
    /// assert_eq!(stats.class_weights()[0].to_f64(), 2.5);
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
        self.check_model(model)?;
        add_rows(self, model, rows, labels, Some(weights))
    }

    /// Takes rows out that were added before: the statistics are then those of never having seen them. A
    /// class that is left without rows is gone.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let before = stats.clone();
    /// stats.update(&model, &array![[0.1]], &["a"])?;
    /// stats.retract(&model, &array![[0.1]], &["a"])?;
    /// assert_eq!(stats, before); // to the last bit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] if the rows are invalid or cannot all have been added; nothing was changed then.
    pub fn retract<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<(), UpdateError>
    where
        L: Send + Sync,
    {
        let mut retracted = self.empty();
        retracted.update(model, rows, labels)?;
        Ok(self.subtract(&retracted)?)
    }

    /// Takes rows out that were added with these weights.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let before = stats.clone();
    /// stats.update_weighted(&model, &array![[0.1]], &["a"], &[0.3])?;
    /// stats.retract_weighted(&model, &array![[0.1]], &["a"], &[0.3])?;
    /// assert_eq!(stats, before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] if the rows are invalid or cannot all have been added; nothing was changed then.
    pub fn retract_weighted<M: FeatureModel + ?Sized>(
        &mut self,
        model: &M,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: &[f64],
    ) -> Result<(), UpdateError>
    where
        L: Send + Sync,
    {
        let mut retracted = self.empty();
        retracted.update_weighted(model, rows, labels, weights)?;
        Ok(self.subtract(&retracted)?)
    }

    /// The labels seen so far, in order. The position of a label here is its class number everywhere.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// assert_eq!(stats.classes().collect::<Vec<_>>(), [&"a", &"b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &L> {
        self.classes.keys()
    }

    /// The total weight of each class, in label order.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// assert_eq!(stats.class_weights()[0].to_f64(), 2.0); // rows of class "a"
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class_weights(&self) -> Vec<Exact> {
        self.classes.values().map(|evidence| evidence.weight.get(0)).collect()
    }

    /// The sums of each class, in label order: the parts of [`layout`](Self::layout).
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let of_first = stats.class_sums().next().unwrap();
    /// assert_eq!(of_first[0].get(0).to_f64(), 4.0); // the sum of the column in class "a": 1 + 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class_sums(&self) -> impl ExactSizeIterator<Item = &[ExactSums]> {
        self.classes.values().map(|evidence| evidence.parts.as_slice())
    }

    /// The number of columns.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// assert_eq!(stats.n_columns(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Which sums are kept.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// assert_eq!(stats.layout().parts.len(), stats.class_sums().next().unwrap().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(&self) -> &SumLayout {
        &self.layout
    }

    /// Statistics of no rows, for the same family and columns.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let empty = stats.empty();
    /// assert_eq!((empty.n_columns(), empty.classes().len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn empty(&self) -> Self {
        self.empty_of()
    }

    /// The same evidence with other labels, without a copy; `None` if two classes would have the same label.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// let upper = stats.with_labels(|label| label.to_uppercase()).unwrap();
    /// assert_eq!(upper.classes().collect::<Vec<_>>(), ["A", "B"]);
    /// assert!(upper.with_labels(|_| "any").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_labels<K: Ord + Clone>(self, mut label: impl FnMut(L) -> K) -> Option<SufficientStats<K>> {
        let Self { n_columns, layout, classes } = self;
        let n_classes = classes.len();
        let classes: BTreeMap<K, ClassEvidence> =
            classes.into_iter().map(|(old, evidence)| (label(old), evidence)).collect();
        (classes.len() == n_classes).then_some(SufficientStats { n_columns, layout, classes })
    }

    /// Statistics of no rows, for the same family and columns and other labels.
    pub(crate) fn empty_of<K>(&self) -> SufficientStats<K> {
        SufficientStats { n_columns: self.n_columns, layout: self.layout.clone(), classes: BTreeMap::new() }
    }

    /// The evidence of each class, in label order.
    pub(crate) fn into_evidence(self) -> impl Iterator<Item = (L, ClassEvidence)> {
        self.classes.into_iter()
    }

    /// Adds evidence of the same layout to a class.
    pub(crate) fn add_evidence(&mut self, label: &L, evidence: ClassEvidence) {
        match self.classes.get_mut(label) {
            Some(known) => known.combine(&evidence, ExactSums::merge),
            None => {
                self.classes.insert(label.clone(), evidence);
            }
        }
    }

    /// Calls `read` with the evidence of all classes, in label order.
    pub(crate) fn with_class_sums<T>(&self, read: impl FnOnce(&[Exact], &[ClassSums<'_>]) -> T) -> T {
        let weights = self.class_weights();
        let sums: Vec<_> = weights
            .iter()
            .zip(self.class_sums())
            .map(|(weight, parts)| ClassSums::new(weight, parts))
            .collect();
        read(&weights, &sums)
    }

    /// The evidence of a class, made on first sight.
    pub(crate) fn class_mut(&mut self, label: &L) -> &mut ClassEvidence {
        if !self.classes.contains_key(label) {
            self.classes.insert(label.clone(), ClassEvidence::new(&self.layout));
        }
        // The entry was just made sure of; `entry` would clone every label.
        self.classes.get_mut(label).unwrap_or_else(|| unreachable!("the class was inserted"))
    }

    /// Refuses a family whose sums have another meaning than these.
    ///
    /// ```
    /// # use nb_core::{Gaussian, SufficientStats};
    /// # use ndarray::array;
    /// # let model = Gaussian::default();
    /// # let mut stats = SufficientStats::new(&model, 1)?;
    /// # stats.update(&model, &array![[1.0], [3.0], [7.0]], &["a", "a", "b"])?;
    /// assert!(stats.check_model(&nb_core::Poisson::default()).is_err()); // keeps other sums
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MismatchError::Family`] names both.
    pub fn check_model<M: FeatureModel + ?Sized>(&self, model: &M) -> Result<(), MismatchError> {
        match model.layout(self.n_columns) {
            Ok(layout) => self.check_layout(layout),
            Err(error) => Err(self.mismatch(error.to_string())),
        }
    }

    /// Refuses another layout.
    pub(crate) fn check_layout(&self, layout: SumLayout) -> Result<(), MismatchError> {
        if layout == self.layout { Ok(()) } else { Err(self.mismatch(layout.family.into_owned())) }
    }

    fn check_match(&self, other: &Self) -> Result<(), MismatchError> {
        if self.n_columns != other.n_columns {
            return Err(MismatchError::Columns { left: self.n_columns, right: other.n_columns });
        }
        if self.layout == other.layout { Ok(()) } else { Err(self.mismatch(other.layout.family.to_string())) }
    }

    fn mismatch(&self, right: String) -> MismatchError {
        MismatchError::Family { left: self.layout.family.to_string(), right }
    }
}

impl<L: PartialEq> PartialEq for SufficientStats<L> {
    /// Whether layout, labels and every sum are equal, as exact numbers.
    fn eq(&self, other: &Self) -> bool {
        self.n_columns == other.n_columns && self.layout == other.layout && self.classes == other.classes
    }
}
