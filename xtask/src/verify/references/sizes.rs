//! How large the terms are that a joint log-likelihood adds up, by the numbers of the reference alone.

use std::f64::consts::TAU;

use ndarray::ArrayView1;

use super::format::{Family, Variant};
use super::input::Input;
use crate::verify::check::Problem;

/// The sizes `|log prior| + Σ |terms|` of the scores of one variant.
///
/// The terms of counts and categories have one sign, so that their size is that of the score. A Gaussian term
/// is `-log(2πv)/2 - (x - m)²/(2v)`, of which the first part may have either sign: the variances and the
/// levels of the reference give those parts and the score itself the squares, which are what is left. The
/// variances of wide sets are not listed; the size of the score is then a lower bound, which makes the
/// tolerance stricter.
pub(super) struct Sizes<'a> {
    variant: &'a Variant,
    log_variances: Vec<Vec<f64>>,
    no_prior: f64,
    n_numeric: usize,
}

impl<'a> Sizes<'a> {
    pub(super) fn new(variant: &'a Variant, input: &Input) -> Result<Self, Problem> {
        let is_gaussian = matches!(variant.spec.model, Family::Gaussian | Family::Mixed);
        let log_variances = if is_gaussian { variant.log_variances(input.n_classes)? } else { Vec::new() };
        // The library gives the complement model, which has no prior in the reference, a uniform one.
        let no_prior = if variant.log_prior.is_empty() { (input.n_classes as f64).ln() } else { 0.0 };
        Ok(Self { variant, log_variances, no_prior, n_numeric: input.n_numeric })
    }

    /// The size of the score that `class` gives to a row, of which sparse tables have no `cells` and need
    /// none.
    pub(super) fn of(&self, class: usize, cells: Option<ArrayView1<'_, f64>>, score: f64) -> f64 {
        let (Some(log_variances), Some(cells), true) =
            (self.log_variances.get(class), cells, score.is_finite())
        else {
            return score.abs() + self.no_prior;
        };
        let observed = |&(_, cell): &(usize, &f64)| !cell.is_nan();
        let log_prior = self.variant.log_prior.get(class).map_or(0.0, |prior| prior.0);
        let numbers = cells.iter().take(self.n_numeric).enumerate().filter(observed);
        let norms = numbers.map(|(column, _)| -0.5 * (TAU.ln() + log_variances[column]));
        let levels = cells.iter().skip(self.n_numeric).enumerate().filter(observed);
        let levels =
            levels.map(|(column, &level)| self.variant.log_probability[column][class][level as usize].0);
        let known: Vec<f64> = norms.chain(levels).chain([log_prior]).collect();
        let squares = known.iter().sum::<f64>() - score;
        known.iter().map(|term| term.abs()).sum::<f64>() + squares.abs()
    }
}
