//! The inner loops of Gaussian scores: sixteen rows, all classes, column by column.
//!
//! The three operations `(x - μ)² / 2v` lose nothing at any offset. As a matrix product, `x² a + x b`, they would take
//! as many multiplications and lose all digits far from the origin.

use super::fitted::{Class, FittedGaussian, Term};
use crate::{
    DenseBlock, Estimates, Scores,
    instructions::{Code, Kernel, LANES, Vector, add_compensated},
    tiles::{PANEL, TILE_ROWS, Tile, Turned, VECTORS},
};

/// Adds the scores of a block without missing cells.
pub(super) struct Score<'a, 'b> {
    pub(super) fitted: &'a FittedGaussian,
    pub(super) rows: &'a DenseBlock<'a>,
    pub(super) scores: &'a mut Scores<'b>,
}

impl Kernel for Score<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { fitted, rows, scores } = self;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let mut tile = Tile::new(rows);
        for first_column in (0..rows.n_columns()).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.turn::<C>(rows, first_row, first_column);
                for (class, parameters) in fitted.classes().enumerate() {
                    let (high, low) = scores.class_mut(class);
                    let tile = first_row..first_row + TILE_ROWS;
                    let (high, low) = (&mut high[tile.clone()], &mut low[tile]);
                    let mut sums: [[C::Vector; VECTORS]; 2] = [load(high), load(low)];
                    if first_column == 0 {
                        for norm in [parameters.norm.0, parameters.norm.1] {
                            for vector in 0..VECTORS {
                                let [high, low] = &mut sums;
                                add_compensated(
                                    &mut high[vector],
                                    &mut low[vector],
                                    C::Vector::splat(norm),
                                    one,
                                );
                            }
                        }
                    }
                    take_distances(&mut sums, columns, &parameters.terms[first_column..], one);
                    store(sums[0], high);
                    store(sums[1], low);
                    // Infinite scores say it all: what they would leave over is not a number.
                    for (high, low) in high.iter().zip(low) {
                        *low = if high.is_finite() { *low } else { 0.0 };
                    }
                }
            }
        }
    }
}

/// The columns' distances off the sums, with their errors.
#[inline(always)]
fn take_distances<V: Vector>(
    [high, low]: &mut [[V; VECTORS]; 2],
    columns: &[Turned],
    terms: &[Term],
    one: V,
) {
    for (values, &[mean, mean_rest, half_precision]) in columns.iter().zip(terms) {
        let (mean, mean_rest, factor) = (V::splat(mean), V::splat(mean_rest), V::splat(-half_precision));
        for vector in 0..VECTORS {
            let difference = V::load(&values[vector]).minus(mean).minus_by_multiplier(mean_rest, one);
            let term = difference.times(difference).times(factor);
            add_compensated(&mut high[vector], &mut low[vector], term, one);
        }
    }
}

#[inline(always)]
fn load<V: Vector>(values: &[f64]) -> [V; VECTORS] {
    let (vectors, _) = values.as_chunks();
    std::array::from_fn(|vector| V::load(&vectors[vector]))
}

#[inline(always)]
fn store<V: Vector>(vectors: [V; VECTORS], values: &mut [f64]) {
    let (lanes, _) = values.as_chunks_mut();
    for (lanes, vector) in lanes.iter_mut().zip(vectors) {
        vector.store(lanes);
    }
}

/// Estimates the scores of a block that was not checked.
pub(super) struct Estimate<'a, 'b> {
    pub(super) fitted: &'a FittedGaussian,
    pub(super) rows: &'a DenseBlock<'a>,
    pub(super) estimates: &'a mut Estimates<'b>,
}

impl Kernel for Estimate<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { fitted, rows, estimates } = self;
        let mut tile = Tile::new(rows);
        let n_columns = rows.n_columns();
        // Each of the columns' terms and additions rounds by less than one unit; so do the norm and the last additions.
        let rounding = (n_columns as f64 + 16.0) * f64::EPSILON;
        let limit = fitted.least_limit();
        for first_column in (0..n_columns).step_by(PANEL) {
            let is_last = first_column + PANEL >= n_columns;
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.turn::<C>(rows, first_row, first_column);
                let mut bounds = too_large(columns, limit);
                let mut write = |class: usize, sums: &Turned| {
                    let values = &mut estimates.class_mut(class)[first_row..first_row + TILE_ROWS];
                    let norm = if is_last { fitted.class(class).norm.0 } else { 0.0 };
                    let lanes = values.iter_mut().zip(sums.as_flattened());
                    for ((value, sum), worst) in lanes.zip(bounds.as_flattened_mut()) {
                        // Not a number where a value is none, for the last class at least.
                        let bound = rounding * (sum + value.abs() + norm.abs());
                        *value = (*value - sum) + norm;
                        *worst = if *worst > bound { *worst } else { bound };
                    }
                };
                let terms = |class: usize| &fitted.class(class).terms[first_column..];
                let n_classes = fitted.n_classes();
                for class in (0..n_classes - n_classes % 2).step_by(2) {
                    let sums = sum_distances::<C::Vector, 2>(columns, [terms(class), terms(class + 1)]);
                    write(class, &sums[0]);
                    write(class + 1, &sums[1]);
                }
                if n_classes % 2 == 1 {
                    let sums = sum_distances::<C::Vector, 1>(columns, [terms(n_classes - 1)]);
                    write(n_classes - 1, &sums[0]);
                }
                estimates.add_errors(first_row, bounds.as_flattened());
            }
        }
    }
}

/// Infinity for each row with a value beyond the limit, else zero.
#[inline(always)]
fn too_large(columns: &[Turned], limit: f64) -> Turned {
    let mut sizes = [[0.0; LANES]; VECTORS];
    for values in columns {
        for vector in 0..VECTORS {
            for lane in 0..LANES {
                let size = values[vector][lane].abs();
                sizes[vector][lane] = if size > sizes[vector][lane] { size } else { sizes[vector][lane] };
            }
        }
    }
    sizes.map(|sizes| sizes.map(|size| if size > limit { f64::INFINITY } else { 0.0 }))
}

/// `Σ (x - μ)² / 2v` for each row and `N` classes: two, so that an addition need not wait for the one before it.
#[inline(always)]
fn sum_distances<V: Vector, const N: usize>(columns: &[Turned], terms: [&[Term]; N]) -> [Turned; N] {
    let terms = terms.map(|terms| &terms[..columns.len()]);
    let mut totals = [[V::splat(0.0); VECTORS]; N];
    for (column, values) in columns.iter().enumerate() {
        for class in 0..N {
            let [mean, mean_rest, half_precision] = terms[class][column].map(V::splat);
            for vector in 0..VECTORS {
                let difference = V::load(&values[vector]).minus(mean).minus(mean_rest);
                let square = difference.times(difference);
                totals[class][vector] = square.times_plus(half_precision, totals[class][vector]);
            }
        }
    }
    totals.map(|totals| {
        let mut sums = [[0.0; LANES]; VECTORS];
        store(totals, sums.as_flattened_mut());
        sums
    })
}

/// What a class contributes beside its terms.
impl FittedGaussian {
    fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        (0..self.n_classes()).map(|class| self.class(class))
    }
}
