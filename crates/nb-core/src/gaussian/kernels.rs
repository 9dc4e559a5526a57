//! The inner loops of Gaussian scores: sixteen rows, all classes, column by column.
//!
//! The three operations `(x - μ)² / 2v` lose nothing at any offset. As a matrix product, `x² a + x b`, they would take
//! as many multiplications and lose all digits far from the origin.

use super::fitted::{Class, FittedGaussian, Term, distance};
use crate::{
    DenseBlock, Estimates, Scores,
    exact::two_sum,
    instructions::{Code, Kernel, LANES},
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
        let mut tile = Tile::new(rows);
        for first_column in (0..rows.n_columns()).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.turn(rows, first_row, first_column);
                for (class, parameters) in fitted.classes().enumerate() {
                    let (high, low) = scores.class_mut(class);
                    let end = high.len().min(first_row + TILE_ROWS);
                    let (high, low) = (&mut high[first_row..end], &mut low[first_row..end]);
                    let mut sums = [load(high), load(low)];
                    if first_column == 0 {
                        for norm in [parameters.norm.0, parameters.norm.1] {
                            add_exactly(&mut sums, &[[norm; LANES]; VECTORS]);
                        }
                    }
                    add_distances(&mut sums, columns, &parameters.terms[first_column..]);
                    store(&sums[0], high);
                    store(&sums[1], low);
                }
            }
        }
    }
}

#[inline(always)]
fn load(values: &[f64]) -> Turned {
    let mut turned = [[0.0; LANES]; VECTORS];
    turned.as_flattened_mut()[..values.len()].copy_from_slice(values);
    turned
}

#[inline(always)]
fn store(turned: &Turned, values: &mut [f64]) {
    values.copy_from_slice(&turned.as_flattened()[..values.len()]);
}

#[inline(always)]
fn add_distances(sums: &mut [Turned; 2], columns: &[Turned], terms: &[Term]) {
    for (values, term) in columns.iter().zip(terms) {
        let mut distances = [[0.0; LANES]; VECTORS];
        for vector in 0..VECTORS {
            for lane in 0..LANES {
                distances[vector][lane] = -distance(values[vector][lane], term);
            }
        }
        add_exactly(sums, &distances);
    }
    // Infinite scores say it all: what they would leave over is not a number.
    for vector in 0..VECTORS {
        for lane in 0..LANES {
            let keep = sums[0][vector][lane].is_finite();
            sums[1][vector][lane] = if keep { sums[1][vector][lane] } else { 0.0 };
        }
    }
}

/// [`add_compensated`](crate::scores::add_compensated) of each lane, for sums that are finite.
#[inline(always)]
fn add_exactly([high, low]: &mut [Turned; 2], terms: &Turned) {
    for vector in 0..VECTORS {
        let mut errors = [0.0; LANES];
        for lane in 0..LANES {
            (high[vector][lane], errors[lane]) = two_sum(high[vector][lane], terms[vector][lane]);
        }
        for lane in 0..LANES {
            low[vector][lane] += errors[lane];
        }
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
                let columns = tile.turn(rows, first_row, first_column);
                let mut bounds = too_large(columns, limit);
                for (class, parameters) in fitted.classes().enumerate() {
                    let (values, _) = estimates.class_mut(class);
                    let end = values.len().min(first_row + TILE_ROWS);
                    let values = &mut values[first_row..end];
                    let before = load(values);
                    let sums = sum_distances::<C>(columns, &parameters.terms[first_column..]);
                    let mut after = before;
                    for vector in 0..VECTORS {
                        for lane in 0..LANES {
                            let norm = if is_last { parameters.norm.0 } else { 0.0 };
                            let (sum, before) = (sums[vector][lane], before[vector][lane]);
                            after[vector][lane] = (before - sum) + norm;
                            // Not a number where a value is none, for the last class at least.
                            let bound = rounding * (sum + before.abs() + norm.abs());
                            let worst = bounds[vector][lane];
                            bounds[vector][lane] = if worst > bound { worst } else { bound };
                        }
                    }
                    store(&after, values);
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

/// `Σ (x - μ)² / 2v` for each row.
#[inline(always)]
fn sum_distances<C: Code>(columns: &[Turned], terms: &[Term]) -> Turned {
    let mut sums = [[0.0; LANES]; VECTORS];
    for (values, &[mean, mean_rest, half_precision]) in columns.iter().zip(terms) {
        for vector in 0..VECTORS {
            for lane in 0..LANES {
                let difference = (values[vector][lane] - mean) - mean_rest;
                let square = difference * difference;
                sums[vector][lane] = C::multiply_add(square, half_precision, sums[vector][lane]);
            }
        }
    }
    sums
}

/// What a class contributes beside its terms.
impl FittedGaussian {
    fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        (0..self.n_classes()).map(|class| self.class(class))
    }
}
