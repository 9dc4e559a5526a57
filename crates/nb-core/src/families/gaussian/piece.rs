//! Some columns of a fitted family under construction, so that threads can share the work.

use ndarray::{ArrayViewMut1, ArrayViewMut2, Axis};

use crate::kernels::gaussian::table::Term;
use nb_simd::{
    InstructionSet, Isa, Kernel, LANES,
    math::{Lanes, Number, ln_tau_times},
    tile::{RowLanes, TILE_ROWS, VECTORS},
};

/// The parameters of all classes for some columns.
pub(crate) struct Piece<'a> {
    /// The number of its first column in the family.
    pub(crate) first_column: usize,
    /// As in [`FittedGaussian`](super::FittedGaussian), `n_classes × columns` of the piece.
    pub(crate) terms: ArrayViewMut2<'a, Term>,
    pub(crate) variances: ArrayViewMut2<'a, f64>,
    pub(crate) log_norms: ArrayViewMut2<'a, f64>,
    /// Up to which size the values of each of its columns can surely be scored.
    pub(crate) limits: &'a mut [f64],
}

impl Piece<'_> {
    /// The pieces of this many columns that this one consists of.
    pub(crate) fn split(self, width: usize) -> Vec<Self> {
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

    pub(crate) fn n_columns(&self) -> usize {
        self.limits.len()
    }

    /// Sets the parameters of a class. Those of each column: the mean as two doubles, and the variance unless
    /// the column carries no information.
    pub(crate) fn set_class<E>(
        &mut self,
        class: usize,
        mut parameters: impl FnMut(usize) -> Result<((f64, f64), Option<f64>), E>,
    ) -> Result<(), E> {
        let (mut terms, mut variances) = (self.terms.row_mut(class), self.variances.row_mut(class));
        for (column, (term, out)) in terms.iter_mut().zip(&mut variances).enumerate() {
            let (mean, variance) = parameters(column)?;
            *term = [mean.0, mean.1, 0.0];
            *out = variance.unwrap_or(f64::INFINITY);
        }
        InstructionSet::current().run(Derive {
            variances: entries(variances),
            terms: entries(terms),
            log_norms: entries(self.log_norms.row_mut(class)),
            limits: self.limits,
        });
        Ok(())
    }
}

/// The entries of a row, as they lie in memory.
fn entries<T>(row: ArrayViewMut1<'_, T>) -> &mut [T] {
    row.into_slice().unwrap_or_else(|| unreachable!("the columns of a class follow each other"))
}

/// A limit of values, lowered to that of a class with this mean and standard deviation: `(x - μ)² / 2v` stays
/// below the largest double while `|x - μ|` is below `1e150` deviations.
#[inline(always)]
pub(crate) fn limit_of(limit: f64, &[mean, ..]: &Term, deviation: f64) -> f64 {
    limit.min(deviation * 1e150 - mean.abs())
}

/// Derives what scoring reads from the means and variances of a class, column by column: `1 / 2v` into the
/// terms, `-½ log(2πv)`, which is the constant of the normal density's logarithm, and how far the limit of
/// values lies at most.
struct Derive<'a> {
    variances: &'a [f64],
    terms: &'a mut [Term],
    log_norms: &'a mut [f64],
    limits: &'a mut [f64],
}

impl Kernel for Derive<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { variances, terms, log_norms, limits } = self;
        let blocks = variances.chunks(TILE_ROWS).zip(terms.chunks_mut(TILE_ROWS));
        let outputs = log_norms.chunks_mut(TILE_ROWS).zip(limits.chunks_mut(TILE_ROWS));
        for ((variances, terms), (log_norms, limits)) in blocks.zip(outputs) {
            let mut padded: RowLanes = [[1.0; LANES]; VECTORS];
            padded.as_flattened_mut()[..variances.len()].copy_from_slice(variances);
            let v = Lanes::<C::Vector, VECTORS>::load(&padded);
            let log_norm = Lanes::from(-0.5) * ln_tau_times(v);
            // Of a column without information, whose variance is infinite, nothing is added.
            let log_norm = v.select_gt(Lanes::from(f64::MAX), Lanes::from(0.0), log_norm);
            let mut found: RowLanes = RowLanes::default();
            log_norm.store(&mut found);
            log_norms.copy_from_slice(&found.as_flattened()[..log_norms.len()]);
            (Lanes::from(0.5) / v).store(&mut found);
            let mut roots = padded;
            roots.as_flattened_mut().iter_mut().for_each(|variance| *variance = variance.sqrt());
            let found = found.as_flattened().iter().zip(roots.as_flattened());
            for ((&half_inv_variance, root), (term, limit)) in found.zip(terms.iter_mut().zip(limits)) {
                term[2] = half_inv_variance;
                *limit = limit_of(*limit, term, *root);
            }
        }
    }
}
