//! The fitted negative binomial family.

use ndarray::{Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, Gamma};

use crate::families::negative_binomial::{check, log_mass::log_mass};
use crate::{
    data::Block,
    families::multinomial::poisson,
    kernels::linear::times_log,
    model::{Density, Likelihood, Missing, ValueError},
};

/// A fitted negative binomial family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedNegativeBinomial {
    pub(crate) missing: Missing,
    /// `μ`, `n_classes × n_columns`.
    pub(crate) means: Array2<f64>,
    pub(crate) log_means: Array2<f64>,
    /// `α`; zero is Poisson.
    pub(crate) dispersions: Array2<f64>,
}

impl FittedNegativeBinomial {
    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The means `μ`, `n_classes × n_columns`.
    pub fn means(&self) -> ArrayView2<'_, f64> {
        self.means.view()
    }

    /// The dispersions `α` in the variance `μ + α μ²`, `n_classes × n_columns`: `1/α` is the size, `k` or `r` of other
    /// texts, and zero is a Poisson distribution.
    pub fn dispersions(&self) -> ArrayView2<'_, f64> {
        self.dispersions.view()
    }
}

impl Likelihood for FittedNegativeBinomial {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.means.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows, self.missing)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let at = [class, column];
        let (mean, dispersion) = (self.means[at], self.dispersions[at]);
        if dispersion == 0.0 || mean == 0.0 {
            let events = times_log(value, self.log_means[at]);
            return events - mean - libm::lgamma(value + 1.0);
        }
        log_mass(value, mean, dispersion)
    }
}

impl Density for FittedNegativeBinomial {
    /// Draws a Poisson count whose mean is drawn from a gamma distribution.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let (mean, dispersion) = (self.means[[class, column]], self.dispersions[[class, column]]);
        let mixture = Gamma::new(1.0 / dispersion, dispersion * mean);
        let mean = if dispersion > 0.0 { mixture.map_or(mean, |gamma| gamma.sample(rng)) } else { mean };
        poisson(mean, rng)
    }
}
