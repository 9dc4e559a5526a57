//! Cut points, and how they are learnt.

use nb_core::{Rows, family::LARGEST_CODE};
use ndarray::Array2;

use super::{CutsError, DiscretiseError, columns::learn, mdl::Mdl, modl, modl::Modl, unsupervised};
use crate::walk::each_block;

/// The most bins of one column, which are the most categories that a column can have.
const MOST_IN_COLUMN: usize = LARGEST_CODE + 1;

/// The most bins of all columns together.
const MOST: usize = 1 << 24;

/// Cut points per column: finite, increasing; none for a column that is one single bin.
///
/// Learn them from training rows only: cut points that have seen the test rows, or their labels, make a model
/// look better than it is. Missing cells are left out.
///
/// ```
/// use nb_variants::Cuts;
/// use ndarray::array;
///
/// let x = array![[1.0], [2.0], [3.0], [10.0]];
/// assert_eq!(Cuts::equal_width(&x, 3)?.column(0), [4.0, 7.0]);
/// assert_eq!(Cuts::equal_frequency(&x, 2)?.column(0), [2.5]);
/// assert_eq!(Cuts::mdl(&x, &["a", "a", "a", "b"])?.column(0), [6.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    columns: Vec<Vec<f64>>,
    /// The name of the cuts in a layout, which every update asks for: equal cuts, and only those, have equal
    /// names.
    name: String,
}

/// Cut points of no columns.
impl Default for Cuts {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

impl Cuts {
    /// Given cut points, one vector per column.
    ///
    /// ```
    /// use nb_variants::Cuts;
    ///
    /// let cuts = Cuts::new(vec![vec![0.5, 2.0], vec![]])?;
    /// assert_eq!((cuts.n_bins(0), cuts.n_bins(1)), (3, 1));
    /// assert!(Cuts::new(vec![vec![2.0, 0.5]]).is_err());
    /// # Ok::<(), nb_variants::CutsError>(())
    /// ```
    ///
    /// # Errors
    /// [`CutsError`] names a cut that is not finite or not above the one before it, or says that there are
    /// more than 2^20 bins in a column or 2^24 over all columns.
    pub fn new(mut columns: Vec<Vec<f64>>) -> Result<Self, CutsError> {
        for (column, cuts) in columns.iter_mut().enumerate() {
            let mut last = f64::NEG_INFINITY;
            for (position, cut) in cuts.iter_mut().enumerate() {
                if !cut.is_finite() {
                    return Err(CutsError::NotFinite { column, position, cut: *cut });
                }
                if *cut <= last {
                    return Err(CutsError::Order { column, position, cut: *cut });
                }
                *cut += 0.0; // makes 0 of -0, which the name of a layout would tell apart
                last = *cut;
            }
        }
        let longest = columns.iter().map(|cuts| cuts.len() + 1).max().unwrap_or(0);
        check_n_bins(longest, columns.iter().map(|cuts| cuts.len() + 1).sum())?;
        Ok(Self::of(columns))
    }

    fn of(columns: Vec<Vec<f64>>) -> Self {
        let name = format!("binned at {columns:?}");
        Self { columns, name }
    }

    /// `n_bins` bins of equal width between the least and the largest value of each column: cuts at `min + i
    /// (max - min) / n_bins` (Dougherty, Kohavi and Sahami 1995).
    ///
    /// Bins without a training row stay. A column without two different values has no cut; where rounding
    /// makes cuts equal, or equal to the largest value, there are fewer of them.
    ///
    /// ```
    /// # use nb_variants::Cuts;
    /// # use ndarray::array;
    /// assert_eq!(Cuts::equal_width(&array![[0.0], [1.0], [9.0]], 3)?.column(0), [3.0, 6.0]);
    /// # Ok::<(), nb_variants::DiscretiseError>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if a cell is infinite, or for no bins or more than 2^20 in a column or 2^24 over
    /// all columns.
    pub fn equal_width(rows: &(impl Rows + ?Sized), n_bins: usize) -> Result<Self, DiscretiseError> {
        check_wanted(n_bins)?;
        check_n_bins(n_bins, n_bins.saturating_mul(rows.n_columns()))?;
        let classes = vec![0; rows.n_rows()];
        Ok(Self::new(learn(rows, &classes, 1, |runs| unsupervised::equal_width(runs, n_bins))?)?)
    }

    /// Up to `n_bins` bins of nearly equally many training rows (Dougherty, Kohavi and Sahami 1995).
    ///
    /// Of the `n` observed values of a column in order, `i n / n_bins` should lie below cut `i`. Equal values
    /// are never divided: the cut stands in the middle between the two different neighbours for which the
    /// number of values below is nearest to that, the lower ones if two are equally near. Cuts that
    /// coincide are one cut, so that there are fewer bins where values repeat. Where all values differ,
    /// the bins differ by one row at most.
    ///
    /// ```
    /// # use nb_variants::Cuts;
    /// # use ndarray::array;
    /// let x = array![[1.0], [2.0], [3.0], [100.0]];
    /// assert_eq!(Cuts::equal_frequency(&x, 2)?.column(0), [2.5]);
    /// # Ok::<(), nb_variants::DiscretiseError>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if a cell is infinite, or for no bins or more than 2^20 in a column or 2^24 over
    /// all columns.
    pub fn equal_frequency(rows: &(impl Rows + ?Sized), n_bins: usize) -> Result<Self, DiscretiseError> {
        check_wanted(n_bins)?;
        check_n_bins(n_bins, 0)?;
        let classes = vec![0; rows.n_rows()];
        Ok(Self::new(learn(rows, &classes, 1, |runs| unsupervised::equal_frequency(runs, n_bins))?)?)
    }

    /// Proportional discretisation: as [`equal_frequency`](Self::equal_frequency) with `√n` bins, rounded
    /// down, for the `n` observed values of a column, so that both the number of bins and that of rows in
    /// a bin grow with the data (Yang and Webb 2009).
    ///
    /// ```
    /// use nb_variants::Cuts;
    /// use ndarray::Array2;
    ///
    /// let x = Array2::from_shape_fn((100, 1), |(row, _)| row as f64);
    /// assert_eq!(Cuts::proportional(&x)?.n_bins(0), 10);
    /// # Ok::<(), nb_variants::DiscretiseError>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if a cell is infinite, or there are more than 2^24 bins over all columns.
    pub fn proportional(rows: &(impl Rows + ?Sized)) -> Result<Self, DiscretiseError> {
        let classes = vec![0; rows.n_rows()];
        Ok(Self::new(learn(rows, &classes, 1, unsupervised::proportional)?)?)
    }

    /// Recursive entropy minimisation with the minimum description length criterion (Fayyad and Irani 1993).
    ///
    /// A set `S` of `N` observed values is divided at the cut that leaves the least class entropy,
    /// `(|S1| Ent(S1) + |S2| Ent(S2)) / N`, if `Gain > log2(N - 1)/N + Δ/N` with
    /// `Δ = log2(3^k - 2) - [k Ent(S) - k1 Ent(S1) - k2 Ent(S2)]`, where `k`, `k1` and `k2` count the classes
    /// present in `S` and its parts; then so are the parts. Only boundary points are candidates: between
    /// neighbouring values that do not all belong to one same class, as no other cut can be best, as they
    /// prove. Of cuts whose entropies are equal the lowest is taken; entropies count as equal within
    /// `2^-40` bits, since what is equal mathematically may differ in its rounding.
    ///
    /// A cut stands in the middle between its neighbouring values, or at the lower one where the middle
    /// rounds to the upper one; a value equal to a cut counts as below it, so that the cut separates them
    /// in any case. A column whose cuts are all refused has no cut and says nothing.
    ///
    /// Sorting takes `n log n` steps a column, searching `n` steps for each level of the recursion. Entropies
    /// come from whole counts, and nothing drifts.
    ///
    /// ```
    /// use nb_variants::Cuts;
    ///
    /// let iris = nb_datasets::load("iris")?;
    /// let cuts = Cuts::mdl(&iris.x(), &iris.y())?;
    /// assert_eq!(cuts.column(2), [2.45, 4.75]); // petal length
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if there is not one label per row, a cell is infinite, or there are too many bins.
    pub fn mdl<L: Ord>(rows: &(impl Rows + ?Sized), labels: &[L]) -> Result<Self, DiscretiseError> {
        let (classes, n_classes) = class_numbers(rows, labels)?;
        let mdl = Mdl::new(labels.len(), n_classes);
        Ok(Self::new(learn(rows, &classes, n_classes, |runs| mdl.cuts(runs))?)?)
    }

    /// The most probable discretisation under the prior of MODL (Boullé 2006): that with the least
    /// `ln n + ln C(n + I - 1, I - 1) + Σ_i ln C(n_i + J - 1, J - 1) + Σ_i ln(n_i! / (n_i1! ⋯ n_iJ!))`, for
    /// `n` observed values, `I` intervals, `J` classes, `n_i` values in interval `i` and `n_ij` of them
    /// of class `j`. There is nothing to choose: how many intervals there are, from one on, follows from
    /// the rows.
    ///
    /// It is found by dynamic programming over the boundary points, in some passes of `m²` steps for `m`
    /// boundary points, and is the best of all discretisations except for gains below 10⁻⁶, unless a
    /// column has more than about 4,000 boundary points ([`modl_is_exact`](Self::modl_is_exact)). The
    /// search in such a column is that of the paper, in `n log n` steps: all boundary points
    /// first, of which the pairs of neighbours are merged whose merging costs least; from the best of all
    /// these discretisations on, the best of the moves that divide an interval, merge two, move the
    /// boundary between two, or make two of three, while one helps. Cuts are between neighbouring values
    /// as those of [`mdl`](Self::mdl).
    ///
    /// ```
    /// use nb_variants::Cuts;
    ///
    /// let iris = nb_datasets::load("iris")?;
    /// let cuts = Cuts::modl(&iris.x(), &iris.y())?;
    /// assert_eq!(cuts.column(3), [0.8, 1.75]); // petal width
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if there is not one label per row, a cell is infinite, or there are too many bins.
    pub fn modl<L: Ord>(rows: &(impl Rows + ?Sized), labels: &[L]) -> Result<Self, DiscretiseError> {
        let (classes, n_classes) = class_numbers(rows, labels)?;
        let modl = Modl::new(labels.len(), n_classes);
        Ok(Self::new(learn(rows, &classes, n_classes, |runs| modl.cuts(runs))?)?)
    }

    /// What the search of the paper on MODL finds, which [`modl`](Self::modl) begins with: it may miss the
    /// most probable discretisation.
    ///
    /// ```
    /// use nb_variants::Cuts;
    ///
    /// let iris = nb_datasets::load("iris")?;
    /// assert_eq!(Cuts::modl_greedy(&iris.x(), &iris.y())?, Cuts::modl(&iris.x(), &iris.y())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`modl`](Self::modl).
    pub fn modl_greedy<L: Ord>(rows: &(impl Rows + ?Sized), labels: &[L]) -> Result<Self, DiscretiseError> {
        let (classes, n_classes) = class_numbers(rows, labels)?;
        let modl = Modl::new(labels.len(), n_classes);
        Ok(Self::new(learn(rows, &classes, n_classes, |runs| modl.greedy_cuts(runs))?)?)
    }

    /// For each column whether [`modl`](Self::modl) finds the most probable discretisation: whether the
    /// number `m` of intervals between its boundary points, times the number of their counts by class
    /// that are not zero, is at most 2^24. (Of a column whose values all differ, `m` is at most 4096.)
    ///
    /// ```
    /// use nb_variants::Cuts;
    /// use ndarray::Array2;
    ///
    /// let x = Array2::from_shape_fn((10_000, 2), |(row, column)| if column == 0 { row } else { row % 100 } as f64);
    /// let labels: Vec<usize> = (0..10_000).map(|row| row % 2).collect();
    /// assert_eq!(Cuts::modl_is_exact(&x, &labels)?, [false, true]);
    /// # Ok::<(), nb_variants::DiscretiseError>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if there is not one label per row, or a cell is infinite.
    pub fn modl_is_exact<L: Ord>(
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<Vec<bool>, DiscretiseError> {
        let (classes, n_classes) = class_numbers(rows, labels)?;
        learn(rows, &classes, n_classes, modl::is_exact)
    }

    /// No cut points of some columns.
    pub(crate) fn none(n_columns: usize) -> Self {
        Self::of(vec![Vec::new(); n_columns])
    }

    /// The number of columns.
    ///
    /// ```
    /// # use nb_variants::Cuts;
    /// let cuts = Cuts::new(vec![vec![0.5, 2.0], vec![]])?;
    /// assert_eq!(cuts.n_columns(), 2);
    /// # Ok::<(), nb_variants::CutsError>(())
    /// ```
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The cut points of a column, increasing; none if there is no such column.
    ///
    /// ```
    /// # use nb_variants::Cuts;
    /// let cuts = Cuts::new(vec![vec![0.5, 2.0], vec![]])?;
    /// assert_eq!(cuts.column(0), [0.5, 2.0]);
    /// # Ok::<(), nb_variants::CutsError>(())
    /// ```
    pub fn column(&self, column: usize) -> &[f64] {
        self.columns.get(column).map_or(&[], Vec::as_slice)
    }

    /// The cut points of all columns.
    pub(crate) fn to_columns(&self) -> Vec<Vec<f64>> {
        self.columns.clone()
    }

    /// The number of bins of a column, one more than it has cuts.
    ///
    /// ```
    /// # use nb_variants::Cuts;
    /// let cuts = Cuts::new(vec![vec![0.5, 2.0], vec![]])?;
    /// assert_eq!((cuts.n_bins(0), cuts.n_bins(1)), (3, 1));
    /// # Ok::<(), nb_variants::CutsError>(())
    /// ```
    pub fn n_bins(&self, column: usize) -> usize {
        self.column(column).len() + 1
    }

    /// The bin of a value: the number of cuts below it. A value equal to a cut lies below the cut, and is not
    /// counted beyond it. (NaN is in no bin, and must not be asked for.)
    #[inline]
    pub(crate) fn bin(&self, column: usize, value: f64) -> usize {
        self.column(column).partition_point(|&cut| cut < value)
    }

    /// The bin of every cell, `n_rows × n_columns`, from 0; NaN where the cell is missing.
    ///
    /// [`Binned`](crate::Binned) does this by itself. Use it to put discretised columns beside others, as
    /// [`Categorical`](nb_core::Categorical) columns of [`Blocks`](nb_core::Blocks).
    ///
    /// ```
    /// use nb_variants::Cuts;
    /// use ndarray::array;
    ///
    /// let cuts = Cuts::new(vec![vec![0.0, 1.0]])?;
    /// assert_eq!(cuts.bins(&array![[-3.0], [0.0], [0.5], [7.0]])?, array![[0.0], [0.0], [1.0], [2.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if the rows have another number of columns, or a cell is infinite.
    pub fn bins(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, DiscretiseError> {
        let (expected, found) = (self.n_columns(), rows.n_columns());
        if expected != found {
            return Err(DiscretiseError::Columns { expected, found });
        }
        let mut bins = Array2::zeros((rows.n_rows(), found));
        each_block(rows, |first, block| {
            super::columns::check_finite(first, block)?;
            block.for_each_row(|row, cells| {
                for (column, (bin, &value)) in bins.row_mut(first + row).iter_mut().zip(cells).enumerate() {
                    *bin = if value.is_nan() { f64::NAN } else { self.bin(column, value) as f64 };
                }
            });
            Ok::<_, DiscretiseError>(())
        })?;
        Ok(bins)
    }

    /// The name of the cuts in a layout.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// The number of the class of each row, and how many classes there are.
fn class_numbers<L: Ord>(
    rows: &(impl Rows + ?Sized),
    labels: &[L],
) -> Result<(Vec<usize>, usize), DiscretiseError> {
    if labels.len() != rows.n_rows() {
        return Err(DiscretiseError::Labels { rows: rows.n_rows(), labels: labels.len() });
    }
    let mut known: Vec<&L> = labels.iter().collect();
    known.sort_unstable();
    known.dedup();
    let class = |label: &L| known.binary_search(&label).unwrap_or_default();
    Ok((labels.iter().map(class).collect(), known.len()))
}

fn check_wanted(n_bins: usize) -> Result<(), DiscretiseError> {
    if n_bins == 0 { Err(DiscretiseError::NoBins) } else { Ok(()) }
}

/// Refuses too many bins in a column, or in all of them together.
fn check_n_bins(in_column: usize, in_all: usize) -> Result<(), CutsError> {
    if in_column > MOST_IN_COLUMN || in_all > MOST {
        return Err(CutsError::TooManyBins { n_bins: in_all.max(in_column), most: MOST });
    }
    Ok(())
}
