//! Counts of pairs of codes: the evidence for families whose columns depend on one another, and for naive
//! Bayes.

use nb_core::{
    Categorical, Categories, FeatureModel, Likelihood, Missing, Smoothing, Unseen,
    error::{FamilyError, LayoutError, ValueError},
    exact::ExactSums,
    family::{Block, ClassSums, Scores, SumForm, SumLayout, SumRule, Weights},
    fitted::FittedCategorical,
};

use super::{Codings, PseudoCounts};

/// Categories and bins with sums that tell pairs of columns, too.
///
/// Per class it keeps the weight of the rows for every pair of a code of one column and a code of
/// another, and for every single code: with `D` codes in all columns together `D (D + 1) / 2` exact
/// sums. [`Aode`](crate::Aode), [`Tan`](crate::Tan) and their relatives are fitted from these; fitted as a
/// family it is naive Bayes, the same as [`Categorical`] with the codes.
///
/// ```
/// use nb_core::{NaiveBayes, SufficientStats};
/// use nb_variants::{Aode, PairCounts};
/// use ndarray::array;
///
/// let (x, y) = (array![[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]);
/// let counts = PairCounts::new(vec![2, 2]);
/// let mut stats = SufficientStats::new(&counts, 2)?;
/// stats.update(&counts, &x, &y)?;
/// // Either column alone says nothing; together they say all.
/// let naive_bayes = NaiveBayes::new(&counts).fit_stats(&stats)?;
/// assert_eq!(naive_bayes.predict_proba(&array![[1, 1]])?, array![[0.5, 0.5]]);
/// let aode = NaiveBayes::new(Aode { minimum_count: 1.0, ..Aode::new(counts) }).fit_stats(&stats)?;
/// assert_eq!(aode.predict(&x)?, y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairCounts {
    /// How cells become codes.
    pub codings: Codings,
    /// The pseudo-count `l`, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What the pseudo-count is added to.
    pub pseudo_counts: PseudoCounts,
    /// What to do with codes that are no declared category, in prediction; in training they are errors.
    pub unseen: Unseen,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl PairCounts {
    /// The most pairs of categories that a class may keep counts of.
    pub const MOST_PAIRS: u64 = 1 << 22;

    /// Columns with these numbers of categories, Laplace smoothing, and errors for unknown codes and missing
    /// cells.
    ///
    /// ```
    /// # use nb_variants::PairCounts;
    /// assert_eq!(PairCounts::new(vec![2, 3]).codings.n_categories(), [2, 3]);
    /// ```
    pub fn new(n_categories: Vec<usize>) -> Self {
        Self { codings: Codings::categories(n_categories), ..Self::default() }
    }

    /// For every sum the place of the same pair in the sums of another evidence of these columns, whose codes
    /// are others: `codes` has for each column the new number of every code, or none if they stay.
    ///
    /// ```
    /// # use nb_variants::PairCounts;
    /// // Sums of (0, 0), (1, 0) and (1, 1). If 0 and 1 change places, the first and the last do.
    /// let counts = PairCounts::new(vec![2]);
    /// assert_eq!(counts.places_in(&counts, &[Some(vec![1, 0])]), [2, 1, 0]);
    /// ```
    #[must_use]
    pub fn places_in(&self, other: &Self, codes: &[Option<Vec<usize>>]) -> Vec<usize> {
        let new = self.codes_in(other, codes);
        let mut places = Vec::with_capacity(pair(new.len(), 0));
        for (later, &to) in new.iter().enumerate() {
            places.extend(new[..=later].iter().map(|&earlier| pair(to.max(earlier), to.min(earlier))));
        }
        places
    }

    /// For every code of all columns its number among those of another evidence.
    pub(super) fn codes_in(&self, other: &Self, codes: &[Option<Vec<usize>>]) -> Vec<usize> {
        let starts = other.starts();
        let mut new = Vec::new();
        for (column, count) in self.n_codes().enumerate() {
            let own = codes.get(column).and_then(Option::as_ref);
            let place = |code: usize| own.and_then(|own| own.get(code).copied()).unwrap_or(code);
            new.extend((0..count).map(|code| starts[column] + place(code)));
        }
        new
    }

    /// How many counts a class keeps: of every pair of categories or bins, and of every single one.
    ///
    /// ```
    /// assert_eq!(nb_variants::PairCounts::new(vec![2, 3]).n_pairs(), 5 * 6 / 2);
    /// ```
    pub fn n_pairs(&self) -> u64 {
        let total = self.n_codes().fold(0_u64, |total, count| total.saturating_add(count as u64));
        total.saturating_mul(total.saturating_add(1)) / 2
    }

    /// About how many bytes of memory the counts of this number of classes take, and the tables that
    /// [`Aode`](crate::Aode) and its relatives fit from them: `8 C D (D + 1) / 2` and `8 C D²` for `C`
    /// classes and `D` categories and bins in all columns together. Counts of weighted rows can take
    /// three times as much.
    ///
    /// ```
    /// assert_eq!(nb_variants::PairCounts::new(vec![2, 3]).memory(2), 2 * 8 * (15 + 2 * 15));
    /// ```
    pub fn memory(&self, n_classes: usize) -> u64 {
        self.n_pairs().saturating_mul(3 * 8).saturating_mul(n_classes as u64)
    }

    /// The family without pairs.
    pub(super) fn categorical(&self) -> Categorical {
        Categorical {
            categories: Categories::Declared(self.n_codes().collect()),
            smoothing: self.pseudo_counts.of_columns(&self.smoothing, self.n_values()),
            unseen: self.unseen,
            missing: self.missing,
        }
    }

    /// The number of codes of each column.
    pub(super) fn n_codes(&self) -> impl Iterator<Item = usize> {
        (0..self.codings.n_columns()).map(|column| self.codings.n_codes(column))
    }

    /// The number of values of a column that have probabilities: with [`Unseen::Other`] one more than of
    /// codes.
    pub(super) fn n_values_of(&self, column: usize) -> usize {
        self.codings.n_codes(column) + usize::from(self.unseen == Unseen::Other)
    }

    /// The same of all columns.
    fn n_values(&self) -> impl Iterator<Item = usize> {
        (0..self.codings.n_columns()).map(|column| self.n_values_of(column))
    }

    /// Naive Bayes from the sums of single codes, of each class and column.
    pub(super) fn fit_singles(
        &self,
        classes: &[ClassSums<'_>],
        singles: &[Vec<ExactSums>],
    ) -> Result<FittedPairCounts, FamilyError> {
        let sums = classes.iter().zip(singles).map(|(sums, singles)| ClassSums::new(sums.weight(), singles));
        let categorical = self.categorical().fit(&sums.collect::<Vec<_>>())?;
        Ok(FittedPairCounts { model: self.clone(), categorical })
    }

    /// The pseudo-count of each of this number of counts of values of a column.
    pub(super) fn pseudo_count(&self, column: usize, n_counts: usize) -> f64 {
        self.pseudo_counts.of_one(self.smoothing.get(column), n_counts)
    }

    /// Where the codes of each column start among those of all columns.
    pub(super) fn starts(&self) -> Vec<usize> {
        self.n_codes().scan(0, |next, count| Some(std::mem::replace(next, *next + count))).collect()
    }

    /// The sums of single codes, column by column, as [`Categorical`] keeps them.
    fn singles(&self, pairs: &ExactSums) -> Vec<ExactSums> {
        let columns = self.n_codes().zip(self.starts());
        let column = |(count, start): (usize, usize)| {
            let mut sums = ExactSums::new(count);
            for code in 0..count {
                sums.add_sum(code, pairs, pair(start + code, start + code));
            }
            sums
        };
        columns.map(column).collect()
    }
}

/// The place of a pair of categories, the later first, both counted over all columns; equal ones for a single
/// category.
pub(super) fn pair(later: usize, earlier: usize) -> usize {
    later * (later + 1) / 2 + earlier
}

impl FeatureModel for PairCounts {
    type Fitted = FittedPairCounts;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.categorical().layout(n_columns)?;
        let total: usize = self.n_codes().sum();
        let n_pairs = self.n_pairs();
        if n_pairs > Self::MOST_PAIRS {
            return Err(LayoutError::TooManyPairs { n_categories: total, n_pairs, most: Self::MOST_PAIRS });
        }
        let counts: Vec<String> = self.n_codes().map(|count| count.to_string()).collect();
        let mut family = format!("pairs of categories of columns with {}", counts.join(", "));
        if self.codings.n_categories().contains(&0) {
            family += ": ";
            family += self.codings.cuts().name();
        }
        let rule = SumRule::Pairs { part: 0, n_categories: self.n_codes().collect() };
        Ok(SumLayout::new(family, [("pairs", pair(total, 0))]).with_rules([rule]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.codings.check_numbers(rows, self.missing)?;
        self.codings.with_codes(rows, |codes| self.categorical().check(codes))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [pairs] = sums else { return };
        let starts = self.starts();
        let mut observed: Vec<usize> = Vec::with_capacity(starts.len());
        rows.for_each_row(|row, cells| {
            observed.clear();
            let cells = cells.iter().enumerate().zip(&starts).filter(|((_, value), _)| !value.is_nan());
            observed.extend(
                cells.map(|((column, &value), start)| start + self.codings.code(column, value) as usize),
            );
            for (position, &later) in observed.iter().enumerate() {
                for &earlier in &observed[..=position] {
                    pairs.add(pair(later, earlier), weights.get(row));
                }
            }
        });
    }

    /// Naive Bayes, from the sums of single categories.
    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedPairCounts, FamilyError> {
        let singles: Vec<Vec<ExactSums>> = classes.iter().map(|sums| self.singles(sums.part(0))).collect();
        self.fit_singles(classes, &singles)
    }
}

/// Naive Bayes fitted from counts of pairs of categories: a [`FittedCategorical`] that knows the sums it
/// comes from.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::PairCounts;
/// use ndarray::array;
///
/// let counts = PairCounts::new(vec![2]);
/// let classifier = NaiveBayes::new(counts).fit(&array![[0], [0], [1]], &["a", "a", "b"])?;
/// let fitted = classifier.likelihood();
/// assert_eq!(fitted.codings().n_codes(0), 2);
/// // Both rows of "a" have the code 0: (2 + 1) / (2 + 2).
/// assert_eq!(fitted.categorical().log_probabilities(0).unwrap()[[0, 0]], 0.75_f64.ln());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPairCounts {
    model: PairCounts,
    categorical: FittedCategorical,
}

impl FittedPairCounts {
    /// The probabilities of single codes.
    pub fn categorical(&self) -> &FittedCategorical {
        &self.categorical
    }

    /// How cells become codes.
    pub fn codings(&self) -> &Codings {
        &self.model.codings
    }

    /// `log P(code | class)` of a code, or zero of a missing one.
    pub(super) fn log_of_code(&self, class: usize, column: usize, code: f64) -> f64 {
        self.categorical.log_likelihood(class, column, code)
    }
}

impl Likelihood for FittedPairCounts {
    fn shape(&self) -> Option<(usize, usize)> {
        self.categorical.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.codings().check_numbers(rows, self.model.missing)?;
        self.codings().with_codes(rows, |codes| self.categorical.check(codes))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.log_of_code(class, column, self.codings().code(column, value))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.codings().check_numbers(rows, self.model.missing)?;
        self.codings().with_codes(rows, |codes| self.categorical.score(codes, scores))
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedPairCounts {
    fn sum_layout(&self) -> Option<SumLayout> {
        self.model.layout(self.model.codings.n_columns()).ok()
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        if sums.n_parts() != 1 {
            return None;
        }
        let singles = self.model.singles(sums.part(0));
        self.categorical.of_sums()?.log_likelihood_of_sums(class, &ClassSums::new(sums.weight(), &singles))
    }
}
