//! Scores with compensated sums.

use crate::kernels::gaussian::double::{
    PANEL, sizes,
    sum_blocks::{CLASSES, Distances, Group, bias, max_partial_sum},
};
use nb_simd::{
    Isa, Kernel, Vector, add_compensated, all_vectors_le,
    prefetch::{COLUMNS, Prefetcher},
    tile::{Column, RowLanes, TILE_ROWS, Tile, VECTORS},
};

use crate::{data::Dense, kernels::gaussian::table::GaussianTable, model::Scores};

/// Adds the scores of a block of which no missing cell is skipped; whether all its values can surely be
/// scored.
pub(crate) struct Score<'a, 'b> {
    pub(crate) table: &'a GaussianTable,
    pub(crate) rows: &'a Dense<'a, f64>,
    pub(crate) scores: &'a mut Scores<'b>,
}

impl Kernel for Score<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Isa>(self) -> bool {
        let Self { table, rows, scores } = self;
        if rows.n_columns() == 0 {
            return true; // nothing to add: the norm of no columns is zero
        }
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let limit = C::Vector::splat(table.least_limit);
        let mut tile = Tile::new(&rows.row_major(), PANEL);
        let mut prefetcher = Prefetcher::new(rows.values(), rows.n_columns(), PANEL);
        let mut distances = [Distances::NONE; CLASSES];
        let mut is_sure = true;
        for first_column in (0..rows.n_columns()).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = &*tile.transpose::<C>(&rows.row_major(), first_row, first_column);
                let n_steps = table.n_classes * columns.len().div_ceil(COLUMNS);
                prefetcher.start_tile(first_row, first_column, n_steps);
                let bias = bias(columns.len());
                let group = Group { table, columns, first_column, bias, one };
                let max_partial_sum = C::Vector::splat(max_partial_sum(columns.len()));
                let mut is_near = table.score_bound_implies_range;
                for first_class in (0..table.n_classes).step_by(CLASSES) {
                    let n_classes = CLASSES.min(table.n_classes - first_class);
                    let distances = &mut distances[..n_classes];
                    group.subtract_sum_blocks::<C>(first_class, distances, &mut prefetcher);
                    for (class, distances) in (first_class..).zip(distances) {
                        // Rows that are far, and those with a value that is not a number.
                        if !are_within(&distances.sums, max_partial_sum) {
                            group.minus_far_distances(class, distances, max_partial_sum);
                            is_sure &= are_within(&distances.sums, C::Vector::splat(f64::MAX));
                            is_near &= class > 0;
                        }
                        let norm = (first_column == 0).then(|| table.class(class).norm);
                        add(distances, norm, bias, one, scores.tile_mut(class, first_row));
                    }
                }
                is_sure &= is_near || all_vectors_le(&sizes(columns), limit);
            }
        }
        is_sure
    }
}

/// Whether no sum is further from zero than that, or not a number.
#[inline(always)]
fn are_within<V: Vector>(Column(sums): &Column, max_partial_sum: V) -> bool {
    let mut sizes = [max_partial_sum; VECTORS];
    for (sizes, sums) in sizes.iter_mut().zip(sums) {
        *sizes = V::load(sums).abs();
    }
    all_vectors_le(&sizes, max_partial_sum)
}

/// Adds to the scores of a tile the norm of a class, if there is one, and its distances, which start at the
/// anchor.
#[inline(always)]
fn add<V: Vector>(
    distances: &Distances,
    norm: Option<(f64, f64)>,
    bias: f64,
    one: V,
    (highs, lows): (&mut RowLanes, &mut RowLanes),
) {
    let (infinity, zero) = (V::splat(f64::INFINITY), V::splat(0.0));
    for vector in 0..VECTORS {
        let (mut high, mut low) = (V::load(&highs[vector]), V::load(&lows[vector]));
        if let Some((norm, rest_of_norm)) = norm {
            add_compensated(&mut high, &mut low, V::splat(norm), one);
            low = low.add(V::splat(rest_of_norm));
        }
        let (sum, rest) = distances.get::<V>(vector);
        add_compensated(&mut high, &mut low, sum.sub(V::splat(bias)), one);
        low = low.add(rest);
        high.store(&mut highs[vector]);
        // If the sum is infinite its compensation is NaN: store 0.
        infinity.select_gt(high.abs(), low, zero).store(&mut lows[vector]);
    }
}
