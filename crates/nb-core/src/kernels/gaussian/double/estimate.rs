//! Estimates of scores: plain sums, and a bound on how wrong they are.

use crate::kernels::gaussian::double::{PANEL, sizes};
use nb_simd::{
    Isa, Kernel, LANES, Vector,
    prefetch::{COLUMNS, Prefetcher},
    tile::{Column, RowLanes, TILE_ROWS, Tile, VECTORS, store},
};

use crate::{
    data::Dense,
    kernels::gaussian::table::{GaussianTable, Term},
    model::Estimates,
};

/// Estimates the scores of a block that was not checked.
pub(crate) struct Estimate<'a, 'b> {
    pub(crate) table: &'a GaussianTable,
    pub(crate) rows: &'a Dense<'a, f64>,
    pub(crate) estimates: &'a mut Estimates<'b>,
}

impl Kernel for Estimate<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { table, rows, estimates } = self;
        let mut turned = Tile::new(&rows.row_major(), PANEL);
        let n_columns = rows.n_columns();
        let mut prefetcher = Prefetcher::new(rows.values(), n_columns, PANEL);
        // Four classes at a time, then two, then one.
        let n_groups = table.n_classes / 4 + (table.n_classes % 4).div_ceil(2);
        // Each of the columns' terms and additions rounds by less than one unit; so do the norm and the last
        // additions. Scores round by less than sixteen half units, and leave out rests of means that
        // change a term `z² / 2` by half a unit of `|z|`, which is less than half a unit of `z² + 1`.
        let rounding = (n_columns as f64 + 16.0) * f64::EPSILON;
        let limit = table.least_limit;
        for first_column in (0..n_columns).step_by(PANEL) {
            let is_last = first_column + PANEL >= n_columns;
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = turned.transpose::<C>(&rows.row_major(), first_row, first_column);
                let mut bounds = too_large::<C::Vector>(columns, limit);
                let tile = first_row..first_row + TILE_ROWS;
                let terms = |class: usize| &table.class(class).terms[first_column..];
                prefetcher.start_tile(first_row, first_column, n_groups * columns.len().div_ceil(COLUMNS));
                let mut first = 0;
                while first < table.n_classes {
                    let mut sums = [[[0.0; LANES]; VECTORS]; 4];
                    let n = match table.n_classes - first {
                        1 => {
                            let one = [terms(first)];
                            sum_distances::<C::Vector, 1>(columns, one, &mut sums, &mut prefetcher)
                        }
                        2 | 3 => {
                            let two = [first, first + 1].map(terms);
                            sum_distances::<C::Vector, 2>(columns, two, &mut sums, &mut prefetcher)
                        }
                        _ => {
                            let four = [first, first + 1, first + 2, first + 3].map(terms);
                            sum_distances::<C::Vector, 4>(columns, four, &mut sums, &mut prefetcher)
                        }
                    };
                    for (class, sums) in (first..first + n).zip(&sums) {
                        let norm = if is_last { table.class(class).norm.0 } else { 0.0 };
                        let values = &mut estimates.class_mut(class)[tile.clone()];
                        take_sums(values, sums, norm, rounding, &mut bounds);
                    }
                    first += n;
                }
                estimates.add_errors(first_row, bounds.as_flattened());
            }
        }
    }
}

/// Takes distances off the estimates of a class and adds its norm; widens the bounds.
#[inline(always)]
fn take_sums(values: &mut [f64], sums: &RowLanes, norm: f64, rounding: f64, bounds: &mut RowLanes) {
    let lanes = values.iter_mut().zip(sums.as_flattened());
    for ((value, sum), worst) in lanes.zip(bounds.as_flattened_mut()) {
        // Not a number where a value is none, for the last class at least.
        let bound = rounding * (sum + value.abs() + norm.abs() + 1.0);
        *value = (*value - sum) + norm;
        *worst = if *worst > bound { *worst } else { bound };
    }
}

/// Infinity for each row with a value beyond the limit, else zero.
#[inline(always)]
fn too_large<V: Vector>(columns: &[Column], limit: f64) -> RowLanes {
    let mut largest = [[0.0; LANES]; VECTORS];
    store(sizes::<V>(columns), largest.as_flattened_mut());
    largest.map(|sizes| sizes.map(|size| if size > limit { f64::INFINITY } else { 0.0 }))
}

/// `Σ (x - μ)² / 2v` for each row and `N` classes: two, so that an addition need not wait for the one before
/// it.
#[inline(always)]
fn sum_distances<V: Vector, const N: usize>(
    columns: &[Column],
    terms: [&[Term]; N],
    sums: &mut [RowLanes; 4],
    prefetcher: &mut Prefetcher<'_, f64>,
) -> usize {
    let terms = terms.map(|terms| &terms[..columns.len()]);
    let mut totals = [[V::splat(0.0); VECTORS]; N];
    for (column, Column(values)) in columns.iter().enumerate() {
        if column % COLUMNS == 0 {
            prefetcher.step();
        }
        for class in 0..N {
            let [mean, mean_rest, half_inv_variance] = terms[class][column];
            let (mean, mean_rest) = (V::splat(mean), V::splat(mean_rest));
            let half_inv_variance = V::splat(half_inv_variance);
            for vector in 0..VECTORS {
                let difference = V::load(&values[vector]).sub(mean).sub(mean_rest);
                let square = difference.mul(difference);
                totals[class][vector] = square.mul_add(half_inv_variance, totals[class][vector]);
            }
        }
    }
    for (sums, totals) in sums.iter_mut().zip(totals) {
        store(totals, sums.as_flattened_mut());
    }
    N
}
