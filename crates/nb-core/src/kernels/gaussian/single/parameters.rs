//! Parameters in single precision, and how wrong the sums of distances are that are made of them.
//!
//! # Bound
//! With `d = x - μ`, `m = μ - center`, `r = √(1 / 2v)` and `u = 2^-24`, a term is the square of
//! `t = r (x - center) - r m`, which is `r d`. Rounding `x - center`, `r`, their product (where there is no
//! fused multiply-add) and `r m` makes it wrong by `u r (3|x - center| + |m|)`, rounding the difference by
//! another `u r |d|`: by no more than `4u r (|d| + |m|)`, and `t²` by `u r² (12d² + 4m²)`, as `2|d||m| ≤ d² +
//! m²`. Rounding the square adds `u r² d²`, and the sum of a panel of `s` strips `(s + 4)u` of itself. With
//! what is of higher order, a panel's `Σ d² / 2v` is wrong by less than `u((s + 17.5) Σ d² / 2v + 5 Σ m² /
//! 2v)`; the compensated score, by less than another `u Σ d² / 2v`, and by what it leaves out of means,
//! `2^-53 |z|` a term of `z² / 2`: less than `u z² / 2`, or else than `2^-81`. What is too small for single
//! precision is below `2^-80` a term, as `r` is at most `2^32`; what is too large is infinite or not a
//! number, and so is the bound.

use crate::kernels::gaussian::single::{PANEL, tile::Strip};
use nb_simd::LANES_F32;

use crate::kernels::gaussian::table::GaussianTable;

/// Rounding to single precision.
const UNIT: f64 = (f32::EPSILON / 2.0) as f64;

/// The parameters of a fitted family in single precision.
#[derive(Clone, Debug)]
pub(crate) struct SinglePrecision {
    pub(crate) n_columns: usize,
    pub(crate) n_strips: usize,
    /// Where the columns' values are taken from.
    pub(crate) centers: Vec<f32>,
    /// The scale `√(1 / 2v)` and the offset, its product with the center less the mean: strip by strip,
    /// class after class. The last strip takes its full width from the columns before it, where both are
    /// then zero.
    pub(crate) terms: Vec<[Strip; 2]>,
    /// `Σ m² / 2v`, the largest of all classes.
    shift: f64,
}

impl SinglePrecision {
    /// The parameters, if rows like those that were fitted get useful bounds from them.
    pub(crate) fn new(table: &GaussianTable) -> Option<Self> {
        /// What is left unsure: differences of scores of twice this.
        const WIDEST: f64 = 1.0 / 16.0;
        const PRECISIONS: std::ops::RangeInclusive<f64> = 1.0 / (1_u128 << 64) as f64..=(1_u128 << 64) as f64;
        let (n_classes, n_columns) = (table.n_classes, table.n_columns);
        // Then all values that are not infinite in single precision can be scored.
        if n_columns < LANES_F32 || n_classes == 0 || table.least_limit < 1e40 {
            return None;
        }
        let n_strips = n_columns.div_ceil(LANES_F32);
        let mut single = Self {
            n_columns,
            n_strips,
            centers: Vec::with_capacity(n_columns),
            terms: vec![[Strip::ZERO; 2]; n_strips * n_classes],
            shift: 0.0,
        };
        // Of each class: Σ m² / 2v, and how large Σ d² / 2v may well be for a row of another class.
        let mut sizes = vec![(0.0, 0.0); n_classes];
        for column in 0..n_columns {
            let term = |class: usize| table.class(class).terms[column];
            let total: f64 = (0..n_classes).map(|class| term(class)[0]).sum();
            let center = (total / n_classes as f64) as f32;
            let mean = |class: usize| (term(class)[0] - f64::from(center)) + term(class)[1];
            let mut spread = 0.0;
            for class in 0..n_classes {
                let half_inv_variance = term(class)[2];
                if half_inv_variance != 0.0 && !PRECISIONS.contains(&half_inv_variance) {
                    return None;
                }
                let variance = if half_inv_variance > 0.0 { 0.5 / half_inv_variance } else { 0.0 };
                spread = f64::max(spread, 2.0 * (mean(class) * mean(class) + variance));
            }
            if !(spread < 1e30 && center.abs() < 1e30) {
                return None;
            }
            let strip = column / LANES_F32;
            let lane = column - single.first_column(strip);
            for (class, (shift, size)) in sizes.iter_mut().enumerate() {
                let half_inv_variance = term(class)[2];
                *shift += mean(class) * mean(class) * half_inv_variance;
                *size += (spread + 2.0 * mean(class) * mean(class)) * half_inv_variance;
                let scale = libm::sqrt(half_inv_variance);
                let [scales, offsets] = &mut single.terms[class * n_strips + strip];
                scales.0[lane] = scale as f32;
                offsets.0[lane] = (-mean(class) * scale) as f32;
            }
            single.centers.push(center);
        }
        let largest =
            |sizes: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| sizes.iter().map(of).fold(0.0, f64::max);
        single.shift = largest(&sizes, |(shift, _)| *shift);
        let widest = single.factor() * largest(&sizes, |(_, size)| *size) + single.least_bound();
        (widest <= WIDEST).then_some(single)
    }

    /// The first column of a strip.
    pub(crate) fn first_column(&self, strip: usize) -> usize {
        (strip * LANES_F32).min(self.n_columns - LANES_F32)
    }

    /// How wrong sums of distances are, relative to themselves.
    pub(crate) fn factor(&self) -> f64 {
        (self.n_strips.min(PANEL) as f64 + 19.0) * UNIT
    }

    /// How wrong sums of distances are beside that.
    pub(crate) fn least_bound(&self) -> f64 {
        /// `2^-79`.
        const TOO_SMALL: f64 = f64::from_bits((1023 - 79) << 52);
        5.0 * UNIT * self.shift + self.n_columns as f64 * TOO_SMALL
    }
}
