//! The family of bins: hyper-parameters and sums.

use nb_core::{
    Categorical, Categories, FeatureModel, Missing, Smoothing, Unseen,
    error::{FamilyError, LayoutError, ValueError, ValueProblem},
    exact::ExactSums,
    family::{Block, ClassSums, SumLayout, SumRule, Weights},
};

use super::{Cuts, FittedBinned};

/// Numeric columns, discretised at given cut points: numbers by the interval that they lie in.
///
/// It is a distribution of bins and not a density of the values within them, so that it is no
/// [`Density`](nb_core::Density): a draw from an outermost bin, which has no end, would have to be made up.
/// Where that is needed, discretise with [`Cuts::bins`] and use a [`Categorical`] family, whose values are
/// the bins.
///
/// Every finite number can be observed, however large, and a bin that no training row had has its smoothed
/// probability.
///
/// # Model
/// Cut points `c_1 < ... < c_{K-1}` divide the values of a column into `K` bins,
/// `(-∞, c_1], (c_1, c_2], ..., (c_{K-1}, ∞)`, and `log p(x_j in bin k | class) = log θ_jk`. As in Fayyad and
/// Irani (1993), a value equal to a cut lies below it. A column without a cut has one bin and says nothing.
///
/// # Sums kept
/// Per class, column and bin the weight of the rows. The cuts are part of the layout's name, since the sums
/// mean something else with others: statistics merge only where all cuts are equal.
///
/// # Estimator
/// `θ_k = (n_k + l) / (n + l K)`, that of [`Categorical`](nb_core::Categorical) with the bins as its
/// categories.
///
/// # References
/// Dougherty, Kohavi and Sahami (1995), *Supervised and unsupervised discretization of continuous features*,
/// ICML: naive Bayes gains by discretisation, and most by that of Fayyad and Irani; Fayyad and Irani (1993),
/// *Multi-interval discretization of continuous-valued attributes for classification learning*, IJCAI; Yang
/// and Webb (2009), *Discretization for naive-Bayes learning: managing discretization bias and variance*,
/// Machine Learning 74; Boullé (2006), *MODL: a Bayes optimal discretization method for continuous
/// attributes*, Machine Learning 65; Jackson, Scargle, Barnes, Arabhi, Alt, Gioumousis, Gwin,
/// Sangtrakulcharoen, Tan and Tsai (2005), *An algorithm for optimal partitioning of data on an interval*,
/// IEEE Signal Processing Letters 12.
///
/// # Example
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_variants::{Binned, Cuts};
/// use ndarray::array;
///
/// let x = array![[1.0], [2.0], [8.0], [9.0], [3.0]];
/// let y = ["edge", "edge", "edge", "edge", "middle"];
/// let model = Binned::new(Cuts::new(vec![vec![2.5, 5.0]])?);
/// let classifier = NaiveBayes::new(model).fit(&x, &y)?;
/// // Two of the four rows of "edge" are up to 2.5: (2 + 1) / (4 + 3).
/// assert_eq!(classifier.likelihood().log_probabilities(0).unwrap()[[0, 0]], (3.0_f64 / 7.0).ln());
/// assert_eq!(classifier.predict(&array![[0.0], [100.0]])?, ["edge", "edge"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binned {
    /// The cut points.
    pub cuts: Cuts,
    /// The pseudo-count `l` of every bin, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl Binned {
    /// The family with these cut points, Laplace's smoothing, and missing cells as errors.
    ///
    /// ```
    /// # use nb_variants::{Binned, Cuts};
    /// let model = Binned::new(Cuts::new(vec![vec![2.5, 5.0]])?);
    /// assert_eq!(model.cuts.n_bins(0), 3);
    /// # Ok::<(), nb_variants::CutsError>(())
    /// ```
    pub fn new(cuts: Cuts) -> Self {
        Self { cuts, smoothing: Smoothing::default(), missing: Missing::default() }
    }

    /// The family of the bins' numbers, which keeps the same sums.
    fn categorical(&self) -> Categorical {
        let n_bins = (0..self.cuts.n_columns()).map(|column| self.cuts.n_bins(column));
        Categorical {
            categories: Categories::Declared(n_bins.collect()),
            smoothing: self.smoothing.clone(),
            unseen: Unseen::Error,
            missing: self.missing,
        }
    }
}

/// One part per column: the counts by bin.
impl FeatureModel for Binned {
    type Fitted = FittedBinned;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        let found = self.cuts.n_columns();
        if found != n_columns {
            return Err(LayoutError::Length { name: "the cut points", found, n_columns });
        }
        self.categorical().layout(n_columns)?;
        let parts = (0..n_columns).map(|column| ("counts", self.cuts.n_bins(column)));
        let layout = SumLayout::new(self.cuts.name().to_owned(), parts);
        Ok(layout.with_rules([SumRule::Categories { first: 0, n_columns }]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows, self.missing)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        rows.for_each_row(|row, cells| {
            for (column, (sums, &value)) in sums.iter_mut().zip(cells).enumerate() {
                if !value.is_nan() {
                    sums.add(self.cuts.bin(column, value), weights.get(row));
                }
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedBinned, FamilyError> {
        Ok(FittedBinned { cuts: self.cuts.clone(), bins: self.categorical().fit(classes)? })
    }
}

/// Refuses infinite cells, and missing ones if they are errors.
pub(super) fn check(rows: &Block<'_>, missing: Missing) -> Result<(), ValueError> {
    ValueError::first(rows.find_stored(|_, value| match missing {
        Missing::Error if value.is_nan() => Some(ValueProblem::Missing),
        _ => value.is_infinite().then_some(ValueProblem::Infinite),
    }))
}
