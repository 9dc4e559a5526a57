//! Compensated sums of the distances of a tile's rows from classes, bundle by bundle.

use super::PANEL;
use crate::{
    gaussian::fitted::{FittedGaussian, Term},
    instructions::{Code, Vector, add_compensated, take_smaller},
    prefetcher::{COLUMNS, Prefetcher},
    tiles::{Column, VECTORS},
};

/// Where sums of the distances of so many columns, a panel at most, start: below zero, and further from it than most sums
/// ever get. No term is then larger than the sum that it is taken off, which makes its exact error cheap.
///
/// The sums stay below `2^19`, so that each of 256 errors is at most `2^-35`; what rounding takes from the sum of those,
/// which stays below `2^-27`, is `2^-72` at most.
pub(in crate::gaussian) fn anchor(n_columns: usize) -> f64 {
    const PER_COLUMN: f64 = 1024.0;
    -PER_COLUMN * n_columns.next_power_of_two() as f64
}

/// Sums that start at the [`anchor`] do not get further from zero than this as long as no term is larger than it.
pub(in crate::gaussian) fn farthest(n_columns: usize) -> f64 {
    -2.0 * anchor(n_columns.min(PANEL))
}

/// The distances of so many columns are added up plainly before they are taken off a sum with compensation, which costs
/// half as much as to take off each. A distance is rounded by up to six half units as it is; this adds seven at most,
/// whatever the number of columns. (Blocked summation: Higham 1993, *The accuracy of floating point summation*, SIAM J.
/// Sci. Comput. 14.)
pub(in crate::gaussian) const BUNDLE: usize = 8;

/// Sums of the distances of a class, and their errors.
pub(super) type Distances<V> = [(V, V); VECTORS];

/// A class or two, over the columns of a tile.
pub(super) struct Group<'a, V> {
    pub(super) fitted: &'a FittedGaussian,
    pub(super) columns: &'a [Column],
    pub(super) first_class: usize,
    pub(super) first_column: usize,
    pub(super) anchor: f64,
    pub(super) one: V,
}

impl<V: Vector> Group<'_, V> {
    /// The columns' distances off sums that start at the anchor; tells for how many classes. Two take longer than one after
    /// the other where columns are few, and with fewer registers.
    #[inline(always)]
    pub(super) fn minus_bundles<C: Code>(
        &self,
        sums: &mut [Distances<V>; 2],
        prefetcher: &mut Prefetcher<'_, f64>,
    ) -> usize {
        let Self { fitted, columns, first_class, first_column, anchor, one } = *self;
        let first = fitted.class(first_class);
        let terms = &first.terms[first_column..][..columns.len()];
        if C::MANY_REGISTERS && columns.len() >= BUNDLE && first_class + 1 < fitted.n_classes() {
            let second = fitted.class(first_class + 1);
            if second.rests_matter == first.rests_matter {
                let terms = [terms, &second.terms[first_column..][..columns.len()]];
                if first.rests_matter {
                    minus_bundles_of_two::<_, true>(columns, terms, anchor, one, sums, prefetcher);
                } else {
                    minus_bundles_of_two::<_, false>(columns, terms, anchor, one, sums, prefetcher);
                }
                return 2;
            }
        }
        sums[0] = if first.rests_matter {
            minus_bundles::<_, true>(columns, terms, anchor, one, prefetcher)
        } else {
            minus_bundles::<_, false>(columns, terms, anchor, one, prefetcher)
        };
        1
    }
}

/// The columns' distances off sums that start at the anchor, bundle by bundle, and the errors of the sums: for sums that
/// are no further than [`farthest`]. `RESTS` says that the rests of means matter.
#[inline(always)]
fn minus_bundles<V: Vector, const RESTS: bool>(
    columns: &[Column],
    terms: &[Term],
    anchor: f64,
    one: V,
    prefetcher: &mut Prefetcher<'_, f64>,
) -> Distances<V> {
    let mut sums = [(V::splat(anchor), V::splat(0.0)); VECTORS];
    for (columns, terms) in columns.chunks(COLUMNS).zip(terms.chunks(COLUMNS)) {
        prefetcher.step();
        let (bundles, last) = columns.as_chunks::<BUNDLE>();
        let (bundles_of_terms, last_terms) = terms.as_chunks::<BUNDLE>();
        for (columns, terms) in bundles.iter().zip(bundles_of_terms) {
            take_bundle::<V, RESTS>(columns, terms, &mut sums, one);
        }
        if !last.is_empty() {
            take_bundle::<V, RESTS>(last, last_terms, &mut sums, one);
        }
    }
    sums
}

/// Takes what the columns' distances add up to off the sums.
#[inline(always)]
fn take_bundle<V: Vector, const RESTS: bool>(
    columns: &[Column],
    terms: &[Term],
    sums: &mut Distances<V>,
    one: V,
) {
    let mut bundle = [V::splat(0.0); VECTORS];
    for (column, term) in columns.iter().zip(terms) {
        for (total, distance) in bundle.iter_mut().zip(distances::<V, RESTS>(column, term)) {
            *total = total.plus(distance);
        }
    }
    for ((sum, rest), total) in sums.iter_mut().zip(bundle) {
        take_smaller(sum, rest, total, one);
    }
}

/// [`minus_bundles`] of two classes, one vector after the other.
///
/// A parameter is then used once, and comes with the instruction that uses it. To load it for both vectors takes a quarter
/// longer with AVX-512; other instruction sets have no such instructions.
#[inline(always)]
fn minus_bundles_of_two<V: Vector, const RESTS: bool>(
    columns: &[Column],
    terms: [&[Term]; 2],
    anchor: f64,
    one: V,
    sums: &mut [Distances<V>; 2],
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    let (bundles, rest) = columns.as_chunks::<BUNDLE>();
    let terms = terms.map(|terms| terms[..columns.len()].as_chunks::<BUNDLE>());
    for vector in 0..VECTORS {
        let mut pair = [(V::splat(anchor), V::splat(0.0)); 2];
        for (number, columns) in bundles.iter().enumerate() {
            if number % (COLUMNS / BUNDLE) == 0 {
                prefetcher.step();
            }
            let terms = terms.map(|(bundles, _)| &bundles[number][..]);
            take_bundle_of_two::<V, RESTS>(columns, terms, vector, &mut pair, one);
        }
        if !rest.is_empty() {
            prefetcher.step();
            take_bundle_of_two::<V, RESTS>(rest, terms.map(|(_, rest)| rest), vector, &mut pair, one);
        }
        for (sums, sum) in sums.iter_mut().zip(pair) {
            sums[vector] = sum;
        }
    }
}

/// [`take_bundle`] for two classes and one vector. A function for both takes a fifth longer without AVX-512.
#[inline(always)]
fn take_bundle_of_two<V: Vector, const RESTS: bool>(
    columns: &[Column],
    terms: [&[Term]; 2],
    vector: usize,
    sums: &mut [(V, V); 2],
    one: V,
) {
    let terms = terms.map(|terms| &terms[..columns.len()]);
    let mut bundles = [V::splat(0.0); 2];
    for (column, Column(values)) in columns.iter().enumerate() {
        let values = V::load(&values[vector]);
        for (total, terms) in bundles.iter_mut().zip(terms) {
            let distance = distance_of::<V, RESTS>(values, &terms[column]);
            // No distance is less than zero, to which it need not be added.
            *total = if column == 0 { distance } else { total.plus(distance) };
        }
    }
    for ((sum, rest), total) in sums.iter_mut().zip(bundles) {
        take_smaller(sum, rest, total, one);
    }
}

/// The same one by one, however far the sums.
#[inline(always)]
pub(super) fn minus_distances<V: Vector>(
    columns: &[Column],
    terms: &[Term],
    anchor: f64,
    one: V,
) -> Distances<V> {
    let zero = V::splat(0.0);
    let mut sums = [(V::splat(anchor), zero); VECTORS];
    for (column, term) in columns.iter().zip(terms) {
        for ((sum, rest), distance) in sums.iter_mut().zip(distances::<V, true>(column, term)) {
            add_compensated(sum, rest, zero.minus(distance), one);
        }
    }
    sums
}

/// The [`distance`](super::fitted::distance)s of a column.
#[inline(always)]
fn distances<V: Vector, const RESTS: bool>(column: &Column, term: &Term) -> [V; VECTORS] {
    let Column(values) = column;
    std::array::from_fn(|vector| distance_of::<V, RESTS>(V::load(&values[vector]), term))
}

/// The [`distance`](super::fitted::distance)s of values of a column. `RESTS` says that the rests of means matter.
#[inline(always)]
fn distance_of<V: Vector, const RESTS: bool>(values: V, &[mean, mean_rest, half_precision]: &Term) -> V {
    let difference = values.minus(V::splat(mean));
    let difference = if RESTS { difference.minus(V::splat(mean_rest)) } else { difference };
    difference.times(difference).times(V::splat(half_precision))
}
