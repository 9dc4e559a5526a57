//! The fitted negative binomial family.

use ndarray::{Array2, ArrayView1, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, Gamma};

use exact_sums::domain::MAX_ABS_VALUE;

use crate::{
    data::Block,
    families::{
        multinomial::poisson as draw_poisson,
        negative_binomial::{
            check,
            log_mass::{huge_log_mass, log_mass},
        },
        poisson::{self, Terms},
    },
    model::{
        Density, Likelihood, Missing, Scores, ValueError, ValueProblem,
        scores::{RowOfScores, add_compensated},
    },
};

/// A fitted negative binomial family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedNegativeBinomial {
    pub(crate) missing: Missing,
    /// `μ`, `n_classes × n_columns`.
    pub(crate) means: Array2<f64>,
    /// The same and its logarithm with what rounding took from them.
    terms: Terms,
    /// `α`; zero is Poisson.
    pub(crate) dispersions: Array2<f64>,
    /// Whether no class is overdispersed, by column.
    are_poisson: Vec<bool>,
}

impl FittedNegativeBinomial {
    pub(super) fn new(missing: Missing, terms: Terms, dispersions: Array2<f64>) -> Self {
        let means = terms.table(|term| term.rate.0);
        let is_poisson = |(means, dispersions): (ArrayView1<'_, f64>, ArrayView1<'_, f64>)| {
            means.iter().zip(dispersions).all(|(&mean, &dispersion)| mean == 0.0 || dispersion == 0.0)
        };
        let are_poisson = means.columns().into_iter().zip(dispersions.columns()).map(is_poisson).collect();
        Self { missing, means, terms, dispersions, are_poisson }
    }

    /// `log μ`.
    pub(super) fn log_mean(&self, class: usize, column: usize) -> f64 {
        self.terms.get(class, column).log_rate.0
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The means `μ`, `n_classes × n_columns`.
    pub fn means(&self) -> ArrayView2<'_, f64> {
        self.means.view()
    }

    /// The dispersions `α` in the variance `μ + α μ²`, `n_classes × n_columns`: `1/α` is the size, `k` or `r`
    /// of other texts, and zero is a Poisson distribution.
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
        let (term, dispersion) = (self.terms.get(class, column), self.dispersions[[class, column]]);
        let is_poisson = dispersion == 0.0 || term.rate.0 == 0.0;
        if value > MAX_ABS_VALUE || term.rate.0 > MAX_ABS_VALUE {
            let log_mass = if is_poisson {
                poisson::huge_log_mass(value, term.rate, term.log_rate.0)
            } else {
                huge_log_mass(value, term.rate.0, dispersion)
            };
            return if log_mass.is_nan() { f64::NEG_INFINITY } else { log_mass };
        }
        if is_poisson {
            poisson::log_mass(value, term.rate, term.log_rate.0)
        } else {
            log_mass(value, term.rate, dispersion)
        }
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let mut scratch = RowOfScores::default();
        rows.for_each_row(|row, cells| {
            scores.with_row(row, &mut scratch, |high, low| {
                for (column, &value) in cells.iter().enumerate() {
                    let is_usual = |class| self.means[[class, column]].max(value) <= MAX_ABS_VALUE;
                    if self.are_poisson[column] && (0..high.len()).all(is_usual) {
                        self.terms.add(column, value, false, high, low);
                        continue;
                    }
                    for (class, (high, low)) in high.iter_mut().zip(low.iter_mut()).enumerate() {
                        add_compensated(high, low, self.log_likelihood(class, column, value));
                    }
                }
            });
        });
        Ok(())
    }
}

impl Density for FittedNegativeBinomial {
    /// Draws a Poisson count whose mean is drawn from a gamma distribution.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let (mean, dispersion) = (self.means[[class, column]], self.dispersions[[class, column]]);
        let mixture = Gamma::new(1.0 / dispersion, dispersion * mean);
        let mean = if dispersion > 0.0 { mixture.map_or(mean, |gamma| gamma.sample(rng)) } else { mean };
        draw_poisson(mean, rng)
    }
}
