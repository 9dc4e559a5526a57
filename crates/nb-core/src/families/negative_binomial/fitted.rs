//! The fitted negative binomial family.

use ndarray::{Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, Gamma};

use exact_sums::domain::MAX_ABS_VALUE;

use crate::families::{
    negative_binomial::{
        check,
        log_mass::{huge_log_mass, log_mass},
    },
    poisson::huge_log_mass as huge_poisson_log_mass,
};
use crate::{
    data::Block,
    families::multinomial::poisson,
    kernels::linear::times_log,
    model::{Density, Likelihood, Missing, ValueError, ValueProblem},
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
        check(rows, self.missing)?;
        ValueError::first(rows.find_stored(|column, value| {
            let is_lost = |class| !self.log_likelihood(class, column, value).is_finite();
            (value > MAX_ABS_VALUE && (0..self.means.nrows()).all(is_lost))
                .then_some(ValueProblem::Unscorable)
        }))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let at = [class, column];
        let (mean, dispersion) = (self.means[at], self.dispersions[at]);
        if value > MAX_ABS_VALUE || mean > MAX_ABS_VALUE {
            return self.huge_log_mass(at, value);
        }
        if dispersion == 0.0 || mean == 0.0 {
            let events = times_log(value, self.log_means[at]);
            return events - mean - libm::lgamma(value + 1.0);
        }
        log_mass(value, mean, dispersion)
    }
}

impl FittedNegativeBinomial {
    /// The log-likelihood of a value where it or the mean is beyond `2^400`; negative infinity where that is not a number.
    fn huge_log_mass(&self, at: [usize; 2], value: f64) -> f64 {
        let (mean, dispersion) = (self.means[at], self.dispersions[at]);
        let log_mass = if dispersion == 0.0 || mean == 0.0 {
            huge_poisson_log_mass(value, mean, self.log_means[at])
        } else {
            huge_log_mass(value, mean, dispersion)
        };
        if log_mass.is_nan() { f64::NEG_INFINITY } else { log_mass }
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
