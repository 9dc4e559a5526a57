//! The family of groups of categories: hyper-parameters, sums and the fit.

use nb_core::{
    Categorical, Categories, FeatureModel, Likelihood, Unseen,
    error::FamilyError,
    exact::ExactSums,
    family::{ClassSums, forward_family},
};
use ndarray::Array2;

use super::{FittedGrouped, modl_groups};

/// Categories in groups that have about the same proportions of the classes, for columns of many categories.
///
/// # Model
/// `p(x | c) = p(g | c) p(x | g)` for the group `g` of category `x`. Only the group matters for posteriors,
/// as `p(x | g)` is the same for all classes; it makes `p(x | c)` a distribution of categories. A column that
/// tells nothing of the class has one group, and adds the same to all classes.
///
/// Categories that were declared and have no rows are their own group. With [`Unseen::Other`] one more group
/// is reserved for categories not seen in training; other policies are those of [`Categorical`], and so are
/// values and errors.
///
/// # Sums kept
/// Those of [`Categorical`]: per class, column and category the weight of the rows. Groups are read off the
/// sums when a model is fitted, as smoothing is applied then, so that models are updated, merged and made to
/// forget rows like any other, and statistics of one family can be fitted with the other.
///
/// # Estimator
/// `p(g | c) = (n_cg + l) / (n_c + l G)` with `G` groups, and `p(x | g) = (n_x + l) / (n_g + l V_g)`, the
/// share of the category in the rows of its group over all classes, of which the group has `V_g`. The groups
/// are those of [`modl_groups`](crate::modl_groups).
///
/// # References
/// Boullé (2005), *A Bayes optimal approach for partitioning the values of categorical attributes*, Journal
/// of Machine Learning Research 6.
///
/// # Example
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::Grouped;
/// use ndarray::Array2;
///
/// // Twelve categories, of which every other one has rows of "a" only.
/// let x = Array2::from_shape_fn((48, 1), |(row, _)| (row % 12) as f64);
/// let y: Vec<&str> = (0..48).map(|row| if row % 2 == 0 { "a" } else { "b" }).collect();
/// let classifier = NaiveBayes::new(Grouped::default()).fit(&x, &y)?;
/// let fitted = classifier.likelihood();
/// assert_eq!(fitted.groups(0), [vec![0, 2, 4, 6, 8, 10], vec![1, 3, 5, 7, 9, 11]]);
/// // All 24 rows of "a" are in the first group: (24 + 1) / (24 + 2), and each category has a sixth of its rows.
/// let log = fitted.categories().log_probability(0, 0, 4).unwrap();
/// assert!((log - (25.0_f64 / 26.0 / 6.0).ln()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grouped {
    /// How categories are counted: the family without groups. Its smoothing is the pseudo-count `l` of
    /// groups, and of categories within them.
    pub counts: Categorical,
}

impl Grouped {
    /// The family with these categories, smoothing and policies.
    ///
    /// ```
    /// # use nb_core::{Categorical, Categories};
    /// # use nb_variants::Grouped;
    /// let counts = Categorical { categories: Categories::Declared(vec![50]), ..Categorical::default() };
    /// assert_eq!(Grouped::new(counts.clone()).counts, counts);
    /// ```
    pub fn new(counts: Categorical) -> Self {
        Self { counts }
    }

    /// The groups of a column: those of [`modl_groups`], then that of the categories without rows, if there
    /// are any.
    fn groups(codes: &[usize], counts: &Array2<f64>) -> Vec<Vec<usize>> {
        let named = |group: Vec<usize>| group.into_iter().map(|category| codes[category]).collect();
        let mut groups: Vec<Vec<usize>> = modl_groups(&counts.view()).into_iter().map(named).collect();
        let mut empty = codes.to_vec();
        empty.retain(|code| !groups.iter().any(|group| group.binary_search(code).is_ok()));
        groups.extend(Some(empty).filter(|empty| !empty.is_empty()));
        groups
    }
}

/// Finds the family that counts.
macro_rules! counts {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.counts;
        $work
    }};
}

impl FeatureModel for Grouped {
    type Fitted = FittedGrouped;

    forward_family!(self, counts);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedGrouped, FamilyError> {
        // Refuses sums that are no counts, and classes without rows where nothing is smoothed.
        let plain = self.counts.fit(classes)?;
        let (n_classes, n_columns) = (classes.len(), plain.shape().map_or(0, |(_, n_columns)| n_columns));
        let mut groups = Vec::with_capacity(n_columns);
        for column in 0..n_columns {
            let codes = plain.codes(column);
            let count = |(category, class): (usize, usize)| {
                let sums: &ExactSums = classes[class].part(column);
                let code = codes[category];
                if code < sums.len() { sums.get(code).to_f64() } else { 0.0 }
            };
            groups.push(Self::groups(codes, &Array2::from_shape_fn((codes.len(), n_classes), count)));
        }
        let of_groups = self.fit_groups(&groups, classes)?;
        let columns = groups.iter().enumerate().map(|(column, groups)| {
            let logs = of_groups.log_probabilities(column);
            let logs = logs.map_or_else(|| Array2::zeros((0, n_classes)), |logs| logs.to_owned());
            self.table(column, groups, &logs, classes)
        });
        FittedGrouped::new(columns.collect(), groups, of_groups, self.counts.unseen)
    }
}

impl Grouped {
    /// `log p(g | c)`: a categorical family of the numbers of groups.
    fn fit_groups(
        &self,
        groups: &[Vec<Vec<usize>>],
        classes: &[ClassSums<'_>],
    ) -> Result<nb_core::fitted::FittedCategorical, FamilyError> {
        let sums_of = |class: &ClassSums<'_>| {
            let parts = groups.iter().enumerate().map(|(column, groups)| {
                let (mut sums, own) = (ExactSums::new(groups.len()), class.part(column));
                for (place, group) in groups.iter().enumerate() {
                    let known = group.iter().filter(|code| **code < own.len());
                    known.for_each(|&code| sums.add_sum(place, own, code));
                }
                sums
            });
            parts.collect::<Vec<_>>()
        };
        let sums: Vec<Vec<ExactSums>> = classes.iter().map(sums_of).collect();
        let sums = classes.iter().zip(&sums).map(|(class, parts)| ClassSums::new(class.weight(), parts));
        let categories = Categories::Declared(groups.iter().map(Vec::len).collect());
        Categorical { categories, ..self.counts.clone() }.fit(&sums.collect::<Vec<_>>())
    }

    /// The codes of a column and `log p(x | c)`, in the order of codes, then that of the reserved other
    /// category if there is one.
    fn table(
        &self,
        column: usize,
        groups: &[Vec<usize>],
        of_groups: &Array2<f64>,
        classes: &[ClassSums<'_>],
    ) -> (Vec<usize>, Array2<f64>) {
        let l = self.counts.smoothing.get(column);
        let weight = |code: usize| {
            let of_class = |class: &ClassSums<'_>| {
                let sums = class.part(column);
                if code < sums.len() { sums.get(code).to_f64() } else { 0.0 }
            };
            classes.iter().map(of_class).sum::<f64>()
        };
        let mut categories = Vec::new();
        for (place, group) in groups.iter().enumerate() {
            let weights: Vec<f64> = group.iter().map(|&code| weight(code)).collect();
            let total = weights.iter().sum::<f64>() + l * group.len() as f64;
            for (&code, weight) in group.iter().zip(weights) {
                let share = if total > 0.0 { (weight + l) / total } else { 1.0 / group.len() as f64 };
                categories.push((code, place, libm::log(share)));
            }
        }
        categories.sort_unstable_by_key(|&(code, ..)| code);
        let others = (self.counts.unseen == Unseen::Other).then_some((groups.len(), 0.0));
        let rows: Vec<_> = categories.iter().map(|&(_, place, log)| (place, log)).chain(others).collect();
        let table = Array2::from_shape_fn((rows.len(), classes.len()), |(row, class)| {
            let (place, log) = rows[row];
            of_groups[[place, class]] + log
        });
        (categories.into_iter().map(|(code, ..)| code).collect(), table)
    }
}
