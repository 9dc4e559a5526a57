//! The scores of a cell for all classes, whose differences keep their digits.
//!
//! `log p(x | c) = -D(x, λ_r) - δ(x) + x (log λ_c - log λ_r) - (λ_c - λ_r)`, with the class `r` whose rate is
//! nearest to `x`: what stands first is small and the same in all classes, and the differences are formed in
//! two doubles, so that nothing cancels that the sums of [`Scores`](crate::family::Scores) do not keep.

use exact_sums::Exact;
use nb_simd::error_free::{two_prod, two_sum};
use ndarray::Array2;

use crate::{
    families::{
        poisson::{
            log_mass::{LEAST_RATE, log_mass},
            log_pair::log_pair,
        },
        saddle_point::{deviance, log_factorial_rest},
    },
    model::scores::add_compensated,
};

/// What a column adds in a class: numbers of two doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) rate: (f64, f64),
    /// Negative infinity for a rate of zero.
    pub(crate) log_rate: (f64, f64),
}

impl Term {
    /// A rate as two doubles, and its logarithm as it is computed from sums, which may have one where the
    /// rate underflows.
    pub(crate) fn new(rate: (f64, f64), ln: impl FnOnce() -> f64) -> Self {
        let mut term = Self { rate, log_rate: (0.0, 0.0) };
        term.log_rate = if term.is_usual() { log_pair(rate) } else { (ln(), 0.0) };
        term
    }

    /// Whether the rate is not next to zero, and finite.
    pub(super) fn is_usual(&self) -> bool {
        (LEAST_RATE..=f64::MAX).contains(&self.rate.0)
    }

    /// `x - λ`.
    pub(super) fn difference(&self, count: f64) -> f64 {
        (count - self.rate.0) - self.rate.1
    }
}

/// The terms of all columns and classes, column by column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Terms {
    n_classes: usize,
    terms: Vec<Term>,
}

impl Terms {
    /// The terms of all columns, those of the classes for each.
    pub(crate) fn new(n_classes: usize, terms: Vec<Term>) -> Self {
        Self { n_classes, terms }
    }

    /// `n_classes × n_columns`.
    pub(crate) fn dim(&self) -> (usize, usize) {
        (self.n_classes, self.terms.len().checked_div(self.n_classes).unwrap_or(0))
    }

    pub(crate) fn get(&self, class: usize, column: usize) -> &Term {
        &self.terms[column * self.n_classes + class]
    }

    /// One number of each term, `n_classes × n_columns`.
    pub(crate) fn table(&self, number: impl Fn(&Term) -> f64) -> Array2<f64> {
        Array2::from_shape_fn(self.dim(), |(class, column)| number(self.get(class, column)))
    }

    /// The scores of a row of zeros, in two doubles.
    pub(crate) fn zeros(&self) -> Vec<(f64, f64)> {
        let of_class = |class: usize| {
            let terms = self.terms.iter().skip(class).step_by(self.n_classes);
            Exact::sum(terms.flat_map(|term| [-term.rate.0, -term.rate.1])).to_pair()
        };
        (0..self.n_classes).map(of_class).collect()
    }

    /// Adds a cell to the scores of a row. With `is_correction` these have the term of a zero already.
    #[inline]
    pub(crate) fn add(
        &self,
        column: usize,
        count: f64,
        is_correction: bool,
        high: &mut [f64],
        low: &mut [f64],
    ) {
        let terms = &self.terms[column * self.n_classes..][..self.n_classes];
        let scores = high.iter_mut().zip(low).zip(terms);
        if count.is_nan() {
            if is_correction {
                scores.for_each(|((high, low), term)| add_pair(high, low, term.rate));
            }
        } else if count == 0.0 {
            if !is_correction {
                scores.for_each(|((high, low), term)| add_pair(high, low, (-term.rate.0, -term.rate.1)));
            }
        } else if let Some(nearest) = nearest(terms, count) {
            let common =
                -deviance(count, nearest.rate.0, nearest.difference(count)) - log_factorial_rest(count);
            for ((high, low), term) in scores {
                add_compensated(high, low, common);
                if is_correction {
                    add_pair(high, low, nearest.rate);
                } else {
                    let (rates, error) = two_sum(nearest.rate.0, -term.rate.0);
                    add_pair(high, low, (rates, error + (nearest.rate.1 - term.rate.1)));
                }
                let (logs, error) = two_sum(term.log_rate.0, -nearest.log_rate.0);
                let rest = error + (term.log_rate.1 - nearest.log_rate.1);
                if logs.is_finite() {
                    let (product, error) = two_prod(count, logs);
                    add_pair(high, low, (product, error + count * rest));
                } else {
                    *high = f64::NEG_INFINITY;
                }
            }
        } else {
            for ((high, low), term) in scores {
                add_compensated(high, low, log_mass(count, term.rate, term.log_rate.0));
                if is_correction {
                    add_pair(high, low, term.rate);
                }
            }
        }
    }
}

/// Adds a number of two doubles to a score.
#[inline(always)]
pub(crate) fn add_pair(high: &mut f64, low: &mut f64, (number, rest): (f64, f64)) {
    add_compensated(high, low, number);
    *low += rest;
}

/// The class whose rate is nearest to a count, whatever the order of the classes; `None` if all rates are
/// next to zero.
#[inline]
fn nearest(terms: &[Term], count: f64) -> Option<&Term> {
    let mut nearest: Option<(&Term, f64)> = None;
    for term in terms.iter().filter(|term| term.rate.0 >= LEAST_RATE) {
        let distance = term.difference(count).abs();
        let is_nearer =
            |(other, least): (&Term, f64)| distance < least || distance == least && term.rate < other.rate;
        if nearest.is_none_or(is_nearer) {
            nearest = Some((term, distance));
        }
    }
    nearest.map(|(term, _)| term)
}
