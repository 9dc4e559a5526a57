//! Kernel densities: a normal kernel on every training value, kept on a grid.

mod bandwidth;
mod cross_validation;
mod description;
mod fitted;
mod grid;
mod inspect;
mod mixture;
mod pairs;
mod plug_in;

pub use bandwidth::Bandwidth;
pub use fitted::FittedKernelDensity;
pub use grid::{Grid, GridError};

use mixture::Mixture;

use nb_core::{
    FeatureModel, Missing, Rows,
    error::{FamilyError, FamilyProblem, LayoutError, ValueError},
    exact::{Exact, ExactSums},
    family::{Block, ClassSums, LogRatio, Observed, SumLayout, SumPart, SumRule, Weights},
};
use ndarray::Array2;

use crate::{observable::real, walk::each_row};

/// The family of kernel densities.
///
/// # Model
/// `p(x_j | c) = 1/n_cj Σ_i w_i N(x_j; x_ij, h_cj²)` over the rows `i` of class `c` in which column `j` is
/// observed, where `n_cj` is their weight.
///
/// # Sums kept
/// Per class and column the mass at every point of a [`Grid`]. The weight of a row goes to the two points
/// next to its value, to each the more the nearer it is (linear binning). All sums are exact; places are
/// first rounded to `2^-20` of a step. Values beyond the grid go to its ends, with their full weight.
///
/// # Estimator
/// `p(x_j | c) = Σ_b m_cjb / n_cj N(x_j; g_b, h_cj²)` over the points `g_b` with mass `m_cjb`, with a
/// bandwidth `h` by one of the rules of [`Bandwidth`].
///
/// # What the grid costs
/// A kernel at a value is replaced by the straight line between the kernels at its neighbours. For values
/// within the grid the density is therefore off by at most `(step / h)² / 8` times the peak `1 / (h √(2π))`
/// of a kernel, as the second derivative of the normal density is nowhere larger than at its peak. With a
/// bandwidth of ten steps that is 0.13 % of the peak.
///
/// # References
/// John and Langley, *Estimating continuous distributions in Bayesian classifiers* (UAI 1995); Silverman,
/// *Density Estimation for Statistics and Data Analysis* (1986), 3.4.2; Wand, *Fast computation of
/// multivariate kernel estimators* (J. Comput. Graph. Stat. 3, 1994), on linear binning.
///
/// # Example
///
/// ```
/// use nb_core::{Missing, NaiveBayes};
/// use nb_variants::KernelDensity;
/// use ndarray::array;
///
/// // "b" lies on either side of "a", which no single normal distribution can say.
/// let x = array![[1.0], [1.5], [2.0], [-4.0], [-4.5], [6.0], [6.5]];
/// let y = ["a", "a", "a", "b", "b", "b", "b"];
/// let kernel = KernelDensity::for_rows(&x, KernelDensity::POINTS, Missing::Error)?;
/// let classifier = NaiveBayes::new(kernel).fit(&x, &y)?;
/// assert_eq!(classifier.predict(&array![[-4.2], [1.7], [6.1]])?, ["b", "a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The grids are hyper-parameters: statistics merge if their grids are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelDensity {
    /// One grid per column.
    pub grids: Vec<Grid>,
    /// How wide the kernels are.
    pub bandwidth: Bandwidth,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl KernelDensity {
    /// A number of points for [`for_rows`](Self::for_rows) that does for most columns.
    pub const POINTS: usize = 512;

    /// Kernel densities on given grids, one per column, with the default bandwidth; missing cells are errors.
    ///
    /// ```
    /// # use nb_variants::{Bandwidth, Grid, KernelDensity};
    /// let kernel = KernelDensity::new(vec![Grid::new(-1.0, 0.5, 9)?]);
    /// assert_eq!(kernel.bandwidth, Bandwidth::Silverman);
    /// # Ok::<(), nb_variants::GridError>(())
    /// ```
    pub fn new(grids: Vec<Grid>) -> Self {
        Self { grids, bandwidth: Bandwidth::default(), missing: Missing::default() }
    }

    /// Learns the grids from training rows, `n_rows × n_columns`: `n_points` points in each column, from its
    /// smallest value to its largest and an eighth of the range further on either side. `missing` says what
    /// to do with missing cells, here and later.
    ///
    /// ```
    /// # use nb_core::Missing;
    /// # use nb_variants::{Grid, KernelDensity};
    /// # use ndarray::array;
    /// let kernel = KernelDensity::for_rows(&array![[0.0], [8.0]], 11, Missing::Error)?;
    /// assert_eq!(kernel.grids, [Grid::new(-1.0, 1.0, 11)?]); // from 0 - 8/8 to 8 + 8/8
    /// # Ok::<(), nb_variants::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError`] if `n_points` is not from 2 to 65536, a column has no observed cell, or a cell is
    /// infinite, beyond `2^400` in size, or missing where that is an error.
    pub fn for_rows(
        rows: &(impl Rows + ?Sized),
        n_points: usize,
        missing: Missing,
    ) -> Result<Self, GridError> {
        let grids = Grid::of_rows(rows, n_points, missing)?;
        Ok(Self { missing, ..Self::new(grids) })
    }

    /// Learns the grids as [`for_rows`](Self::for_rows) does, with as many points in each column as its
    /// densities need: an eighth of the narrowest kernel apart by the default bandwidth (other rules may
    /// find kernels down to about the step itself), from 512 to 8192 points. Within the grid the density is
    /// then off by at most 0.2 % of the peak of a kernel. `labels` has one label per row.
    ///
    /// ```
    /// use nb_core::Missing;
    /// use nb_variants::KernelDensity;
    ///
    /// let spam = nb_datasets::load("spam")?; // many zeros, and some large numbers
    /// let kernel = KernelDensity::learn(&spam.x(), &spam.y(), Missing::Error)?;
    /// assert!(kernel.grids.iter().all(|grid| (512..=8192).contains(&grid.n_points())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError`] as for [`for_rows`](Self::for_rows).
    pub fn learn<L: Ord>(
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        missing: Missing,
    ) -> Result<Self, GridError> {
        /// How many masses are kept at a time.
        const MOST: usize = 1 << 24;
        let finest = Grid::of_rows(rows, FINEST, missing)?;
        let mut known: Vec<&L> = labels.iter().collect();
        known.sort_unstable();
        known.dedup();
        let at_once = (MOST / (FINEST * known.len().max(1))).max(1);
        let mut grids = Vec::with_capacity(finest.len());
        for (group, own) in finest.chunks(at_once).enumerate() {
            let first = group * at_once;
            let mut masses = vec![vec![vec![0.0; FINEST]; known.len()]; own.len()];
            each_row(rows, |row, cells| {
                let class = labels.get(row).and_then(|label| known.binary_search(&label).ok());
                for ((masses, grid), &value) in masses.iter_mut().zip(own).zip(&cells[first..]) {
                    if let (false, Some(class)) = (value.is_nan(), class) {
                        masses[class][grid.place(value).0] += 1.0;
                    }
                }
                Ok::<_, GridError>(())
            })?;
            grids.extend(masses.iter().zip(own).map(|(masses, grid)| fine_enough(masses, grid)));
        }
        let grids: Vec<Grid> = grids.into_iter().collect::<Result<_, _>>()?;
        Ok(Self { missing, ..Self::new(grids) })
    }

    /// The densities of a column, by class.
    fn fit_column(&self, sums: &[&ExactSums], grid: &Grid) -> Result<Vec<Mixture>, (usize, FamilyProblem)> {
        let mut masses: Vec<Vec<Exact>> = Vec::with_capacity(sums.len());
        for (class, sums) in sums.iter().enumerate() {
            let (total, own) = (sums.total(), sums.iter().collect::<Vec<Exact>>());
            if let Some(mass) =
                own.iter().chain([&total]).find(|mass| mass.is_negative() || !mass.to_f64().is_finite())
            {
                return Err((class, FamilyProblem::Impossible { sum: mass.to_f64() }));
            }
            if total.is_zero() {
                return Err((class, FamilyProblem::NoData));
            }
            masses.push(own);
        }
        let rounded: Vec<Vec<f64>> =
            masses.iter().map(|masses| masses.iter().map(Exact::to_f64).collect()).collect();
        let all = all_classes(&rounded, grid.n_points());
        let mixtures = sums.iter().zip(masses.iter().zip(&rounded)).map(|(sums, (masses, rounded))| {
            let total = sums.total();
            let bandwidth = self.bandwidth.of_masses(rounded, &all, total.to_f64(), grid.step());
            let kernels = masses.iter().enumerate().filter(|(_, mass)| !mass.is_zero());
            let kernels = kernels.map(|(point, mass)| (grid.offset(point), mass.ln_ratio(&total)));
            Mixture::new(kernels, bandwidth)
        });
        Ok(mixtures.collect())
    }
}

/// The most points of a grid that is learnt.
const FINEST: usize = 8192;

/// The grid over the same range with a step of an eighth of the narrowest kernel, for these masses by class.
fn fine_enough(masses: &[Vec<f64>], finest: &Grid) -> Result<Grid, GridError> {
    const STEPS_OF_KERNEL: f64 = 8.0;
    let all = all_classes(masses, FINEST);
    let bandwidth = |own: &Vec<f64>| {
        let total: f64 = own.iter().sum();
        let bandwidth = Bandwidth::Silverman.of_masses(own, &all, total.max(1.0), 1.0);
        if total > 0.0 { bandwidth } else { f64::INFINITY }
    };
    let narrowest = masses.iter().map(bandwidth).fold(f64::INFINITY, f64::min);
    let n_steps = (STEPS_OF_KERNEL * (FINEST - 1) as f64 / narrowest).ceil();
    let n_points = (n_steps as usize + 1).clamp(KernelDensity::POINTS, FINEST);
    let step = finest.step() * ((FINEST - 1) as f64 / (n_points - 1) as f64);
    Grid::new(finest.origin(), step, n_points)
}

/// The masses of all classes together.
fn all_classes(masses: &[Vec<f64>], n_points: usize) -> Vec<f64> {
    let mut all = vec![0.0; n_points];
    for masses in masses {
        all.iter_mut().zip(masses).for_each(|(all, mass)| *all += mass);
    }
    all
}

/// One part per column: the mass at each point of its grid.
impl FeatureModel for KernelDensity {
    type Fitted = FittedKernelDensity;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.bandwidth.check()?;
        if self.grids.len() != n_columns {
            let (name, found) = ("the list of grids", self.grids.len());
            return Err(LayoutError::Length { name, found, n_columns });
        }
        let names: Vec<String> = self
            .grids
            .iter()
            .map(|grid| format!("{} from {:e} by {:e}", grid.n_points(), grid.origin(), grid.step()))
            .collect();
        let family = format!("kernel densities on grids ({})", names.join(", "));
        let parts = self.grids.iter().map(|grid| SumPart { name: "mass".into(), len: grid.n_points() });
        let masses = (0..self.grids.len()).map(|part| SumRule::Amounts { part, of: Observed::All });
        Ok(SumLayout { family: family.into(), parts: parts.collect(), rules: masses.collect() })
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        ValueError::first(rows.find_stored(|_, value| real(value, self.missing)))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        rows.for_each_row(|row, cells| {
            let weight = weights.get(row);
            for ((sums, grid), &value) in sums.iter_mut().zip(&self.grids).zip(cells) {
                if !value.is_nan() {
                    let (point, share) = grid.place(value);
                    sums.add_product(point, weight, 1.0 - share);
                    sums.add_product(point + 1, weight, share);
                }
            }
        });
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedKernelDensity, FamilyError> {
        let mut mixtures = Vec::with_capacity(classes.len() * self.grids.len());
        for (column, grid) in self.grids.iter().enumerate() {
            let sums: Vec<&ExactSums> = classes.iter().map(|class| class.part(column)).collect();
            let of_column = self.fit_column(&sums, grid);
            mixtures.extend(of_column.map_err(|(class, problem)| FamilyError { class, column, problem })?);
        }
        let mixtures = Array2::from_shape_vec((self.grids.len(), classes.len()), mixtures)
            .unwrap_or_else(|_| unreachable!("there is a mixture for every class and column"))
            .reversed_axes();
        Ok(FittedKernelDensity::new(self.missing, self.grids.clone(), mixtures))
    }
}
