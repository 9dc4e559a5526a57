//! Some columns of a fitted family under construction, so that threads can share the work.

use ndarray::{ArrayViewMut2, Axis};

use super::fitted::Term;
use crate::exact::two_prod;

/// The parameters of all classes for some columns.
pub(super) struct Piece<'a> {
    /// The number of its first column in the family.
    pub(super) first_column: usize,
    /// As in [`FittedGaussian`](super::FittedGaussian), `n_classes × columns` of the piece.
    pub(super) terms: ArrayViewMut2<'a, Term>,
    pub(super) variances: ArrayViewMut2<'a, f64>,
    pub(super) log_norms: ArrayViewMut2<'a, f64>,
    /// Up to which size the values of each of its columns can surely be scored.
    pub(super) limits: &'a mut [f64],
}

impl Piece<'_> {
    /// The pieces of so many columns that this one consists of.
    pub(super) fn split(self, width: usize) -> Vec<Self> {
        let Self { first_column, mut terms, mut variances, mut log_norms, limits } = self;
        let mut pieces = Vec::with_capacity(limits.len().div_ceil(width));
        let mut rest = limits;
        while rest.len() > width {
            let (limits, more) = rest.split_at_mut(width);
            let first_column = first_column + pieces.len() * width;
            let (left, right) = terms.split_at(Axis(1), width);
            let (left_variances, right_variances) = variances.split_at(Axis(1), width);
            let (left_norms, right_norms) = log_norms.split_at(Axis(1), width);
            pieces.push(Self {
                first_column,
                terms: left,
                variances: left_variances,
                log_norms: left_norms,
                limits,
            });
            (terms, variances, log_norms, rest) = (right, right_variances, right_norms, more);
        }
        let first_column = first_column + pieces.len() * width;
        pieces.push(Self { first_column, terms, variances, log_norms, limits: rest });
        pieces
    }

    pub(super) fn n_columns(&self) -> usize {
        self.limits.len()
    }

    /// Sets the parameters of a class. Those of each column: the mean as two doubles, and the variance unless the column
    /// carries no information.
    pub(super) fn set_class<E>(
        &mut self,
        class: usize,
        mut parameters: impl FnMut(usize) -> Result<((f64, f64), Option<f64>), E>,
    ) -> Result<(), E> {
        let terms = self.terms.row_mut(class);
        let variances = self.variances.row_mut(class);
        let log_norms = self.log_norms.row_mut(class);
        let outputs = terms.into_iter().zip(variances).zip(log_norms).zip(&mut *self.limits);
        for (column, (((term, out), log_norm), limit)) in outputs.enumerate() {
            let (mean, variance) = parameters(column)?;
            *term = [mean.0, mean.1, 0.0];
            *out = f64::INFINITY;
            let Some(variance) = variance else { continue };
            *out = variance;
            term[2] = 0.5 / variance;
            *log_norm = -0.5 * ln_tau_times(variance);
            // (x - μ)² / 2v stays below the largest double while |x - μ| is below this.
            let reach = variance.sqrt() * 1e150 - mean.0.abs();
            *limit = limit.min(reach);
        }
        Ok(())
    }
}

/// `ln(2πv)`, also where the product is near one and the logarithm near zero.
fn ln_tau_times(variance: f64) -> f64 {
    const TAU_REST: f64 = 2.449_293_598_294_706_4e-16; // 2π minus its double
    let (product, error) = two_prod(variance, std::f64::consts::TAU);
    libm::log(product) + (variance * TAU_REST + error) / product
}
