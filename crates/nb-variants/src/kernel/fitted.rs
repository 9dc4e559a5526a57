//! The fitted kernel densities.

use nb_core::{
    Density, Likelihood, Missing,
    error::{ValueError, ValueProblem},
    family::Block,
};
use ndarray::Array2;
use rand::Rng;

use super::{Grid, mixture::Mixture};
use crate::observable::real;

/// Fitted kernel densities.
///
/// ```
/// use nb_core::{Missing, NaiveBayes};
/// use nb_variants::{Bandwidth, KernelDensity};
/// use ndarray::array;
///
/// let x = array![[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]];
/// let y = ["a", "a", "a", "a", "b", "b", "b", "b"];
/// let mut kernel = KernelDensity::for_rows(&x, KernelDensity::POINTS, Missing::Error)?;
/// kernel.bandwidth = Bandwidth::JohnLangley;
/// let grids = kernel.grids.clone();
/// let classifier = NaiveBayes::new(kernel).fit(&x, &y)?;
/// let fitted = classifier.likelihood();
/// assert_eq!((fitted.missing(), fitted.grids()), (Missing::Error, &grids[..]));
/// assert_eq!(fitted.bandwidths(), array![[0.5], [0.5]]); // 1/√4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedKernelDensity {
    missing: Missing,
    grids: Vec<Grid>,
    /// `n_classes × n_columns`.
    mixtures: Array2<Mixture>,
}

impl FittedKernelDensity {
    pub(super) fn new(missing: Missing, grids: Vec<Grid>, mixtures: Array2<Mixture>) -> Self {
        Self { missing, grids, mixtures }
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The grid of each column.
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// The bandwidths `h`, `n_classes × n_columns`, in the units of the columns.
    pub fn bandwidths(&self) -> Array2<f64> {
        self.mixtures.map(Mixture::bandwidth)
    }

    /// The densities of a column, by class.
    pub(super) fn mixtures_of(&self, column: usize) -> impl Iterator<Item = &Mixture> {
        self.mixtures.column(column).into_iter()
    }

    fn problem(&self, column: usize, value: f64) -> Option<ValueProblem> {
        real(value, self.missing).or_else(|| {
            let overflows = |class| self.log_likelihood(class, column, value) == f64::NEG_INFINITY;
            (0..self.mixtures.nrows()).any(overflows).then_some(ValueProblem::Unscorable)
        })
    }
}

impl Likelihood for FittedKernelDensity {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.mixtures.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        // Up to this many steps from the first point, and a bandwidth is at least a step, no square
        // overflows.
        const SURELY: f64 = 1e150;
        ValueError::first(rows.find_stored(|column, value| {
            let grid = &self.grids[column];
            let is_near = (value - grid.origin()).abs() <= SURELY * grid.step();
            if is_near { real(value, self.missing) } else { self.problem(column, value) }
        }))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        self.mixtures[[class, column]].log_density(value - self.grids[column].origin())
    }
}

impl Density for FittedKernelDensity {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        self.grids[column].origin() + self.mixtures[[class, column]].sample(rng)
    }
}
