//! Scores with compensated sums.

use super::{
    PANEL,
    bundles::{Group, anchor, farthest, minus_distances},
    sizes,
};
use crate::{
    DenseBlock, Scores,
    gaussian::fitted::FittedGaussian,
    instructions::{Code, Kernel, Vector, add_compensated},
    prefetcher::{COLUMNS, Prefetcher},
    tiles::{TILE_ROWS, Tile, VECTORS, load, store},
};

/// Adds the scores of a block of which no missing cell is to be skipped; whether all its values can surely be scored.
pub(in crate::gaussian) struct Score<'a, 'b> {
    pub(in crate::gaussian) fitted: &'a FittedGaussian,
    pub(in crate::gaussian) rows: &'a DenseBlock<'a>,
    pub(in crate::gaussian) scores: &'a mut Scores<'b>,
}

impl Kernel for Score<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        let Self { fitted, rows, scores } = self;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (infinity, zero) = (C::Vector::splat(f64::INFINITY), C::Vector::splat(0.0));
        let mut tile = Tile::new(rows, PANEL);
        let mut prefetcher = Prefetcher::new(rows.values(), rows.n_columns(), PANEL);
        let mut distances = [[(zero, zero); VECTORS]; 2];
        let mut is_sure = true;
        for first_column in (0..rows.n_columns()).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.turn::<C>(rows, first_row, first_column);
                let n_steps = fitted.n_classes() * columns.len().div_ceil(COLUMNS);
                prefetcher.start_tile(first_row, first_column, n_steps);
                let limit = C::Vector::splat(fitted.least_limit());
                let anchor = anchor(columns.len());
                let farthest = C::Vector::splat(farthest(columns.len()));
                let mut is_near = fitted.near_is_within();
                let mut first_class = 0;
                while first_class < fitted.n_classes() {
                    let group = Group { fitted, columns, first_class, first_column, anchor, one };
                    let n_classes = group.minus_bundles::<C>(&mut distances, &mut prefetcher);
                    for (class, distances) in (first_class..).zip(&mut distances[..n_classes]) {
                        let parameters = fitted.class(class);
                        // Rows that are far, and those with a value that is not a number.
                        if !distances.iter().all(|(sum, _)| sum.size().is_at_most(farthest)) {
                            let terms = &parameters.terms[first_column..];
                            let one_by_one = minus_distances(columns, terms, anchor, one);
                            for ((sum, rest), (other, other_rest)) in distances.iter_mut().zip(one_by_one) {
                                *rest = sum.size().choose_above(farthest, other_rest, *rest);
                                *sum = sum.size().choose_above(farthest, other, *sum);
                            }
                            is_sure &= distances.iter().all(|(sum, _)| is_finite(*sum));
                            is_near &= class > 0;
                        }
                        let (high, low) = scores.class_mut(class);
                        let tile = first_row..first_row + TILE_ROWS;
                        let (high, low) = (&mut high[tile.clone()], &mut low[tile]);
                        let (mut sums, mut rests) = (load::<C::Vector>(high), load::<C::Vector>(low));
                        for vector in 0..VECTORS {
                            let (sum, rest) = (&mut sums[vector], &mut rests[vector]);
                            if first_column == 0 {
                                let (norm, rest_of_norm) = parameters.norm;
                                add_compensated(sum, rest, C::Vector::splat(norm), one);
                                *rest = rest.plus(C::Vector::splat(rest_of_norm));
                            }
                            let (distance, rest_of_distance) = distances[vector];
                            add_compensated(sum, rest, distance.minus(C::Vector::splat(anchor)), one);
                            // Infinite scores say it all: what they would leave over is not a number.
                            *rest = infinity.choose_above(sum.size(), rest.plus(rest_of_distance), zero);
                        }
                        store(sums, high);
                        store(rests, low);
                    }
                    first_class += n_classes;
                }
                is_sure &= is_near || sizes::<C::Vector>(columns).iter().all(|sizes| sizes.is_at_most(limit));
            }
        }
        is_sure
    }
}

/// Whether no lane is infinite or not a number.
#[inline(always)]
fn is_finite<V: Vector>(vector: V) -> bool {
    vector.size().is_at_most(V::splat(f64::MAX))
}
