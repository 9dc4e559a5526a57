//! Compensated sums of the distances of a tile's rows from classes, summation block by summation block.

use crate::kernels::gaussian::double::PANEL;
use nb_simd::{
    Isa, LANES, Vector, add_compensated,
    prefetch::{COLUMNS, Prefetcher},
    take_smaller,
    tile::{Column, VECTORS},
};

use crate::kernels::gaussian::table::{GaussianTable, Term};

/// Where sums of the distances of this many columns, a panel at most, start: below zero, and further from it
/// than most sums ever get. No term is then larger than the sum that it is taken off, which makes its exact
/// error cheap.
///
/// The sums stay below `2^19`, so that each of 256 errors is at most `2^-35`; what rounding takes from the
/// sum of those, which stays below `2^-27`, is `2^-72` at most.
pub(crate) fn bias(n_columns: usize) -> f64 {
    const PER_COLUMN: f64 = 1024.0;
    -PER_COLUMN * n_columns.next_power_of_two() as f64
}

/// Sums that start at the [`bias`] do not get further from zero than this as long as no term is larger than
/// it.
pub(crate) fn max_partial_sum(n_columns: usize) -> f64 {
    -2.0 * bias(n_columns.min(PANEL))
}

/// The distances of this many columns are added up plainly before they are taken off a sum with compensation,
/// which costs half as much as to take off each. A distance is rounded by up to six half units as it is; this
/// adds seven at most, whatever the number of columns. (Blocked summation: Higham 1993, *The accuracy of
/// floating point summation*, SIAM J. Sci. Comput. 14.)
pub(crate) const SUM_BLOCK: usize = 8;

/// The classes whose distances are summed up before they are added to the scores: one after the other, each
/// addition would have to wait for its sum.
pub(crate) const CLASSES: usize = 16;

/// What the distances of a tile from a class add up to, and the errors of the sums.
#[derive(Clone, Copy)]
pub(crate) struct Distances {
    pub(crate) sums: Column,
    rests: Column,
}

impl Distances {
    pub(crate) const NONE: Self =
        Self { sums: Column([[0.0; LANES]; VECTORS]), rests: Column([[0.0; LANES]; VECTORS]) };

    #[inline(always)]
    pub(crate) fn get<V: Vector>(&self, vector: usize) -> (V, V) {
        (V::load(&self.sums.0[vector]), V::load(&self.rests.0[vector]))
    }

    #[inline(always)]
    fn set<V: Vector>(&mut self, vector: usize, (sum, rest): (V, V)) {
        sum.store(&mut self.sums.0[vector]);
        rest.store(&mut self.rests.0[vector]);
    }
}

/// The columns of a tile, and what their distances are added up with.
pub(crate) struct Group<'a, V> {
    pub(crate) table: &'a GaussianTable,
    pub(crate) columns: &'a [Column],
    pub(crate) first_column: usize,
    pub(crate) bias: f64,
    pub(crate) one: V,
}

impl<V: Vector> Group<'_, V> {
    /// Takes the columns' distances off sums that start at the anchor, for the classes from `first` on.
    #[inline(always)]
    pub(crate) fn subtract_sum_blocks<C: Isa<Vector = V>>(
        &self,
        first: usize,
        distances: &mut [Distances],
        prefetcher: &mut Prefetcher<'_, f64>,
    ) {
        let needs_mean_low = |class: usize| self.table.class(first + class).needs_mean_low;
        let mut done = 0;
        while done < distances.len() {
            let terms = self.terms(first + done);
            // Two take longer than one after the other where columns are few, and with fewer registers.
            let is_pair = C::HAS_32_REGISTERS
                && self.columns.len() >= SUM_BLOCK
                && done + 1 < distances.len()
                && needs_mean_low(done + 1) == needs_mean_low(done);
            if is_pair && let Some(pair) = distances[done..].first_chunk_mut() {
                let terms = [terms, self.terms(first + done + 1)];
                if needs_mean_low(done) {
                    self.subtract_sum_blocks_pair::<true>(terms, pair, prefetcher);
                } else {
                    self.subtract_sum_blocks_pair::<false>(terms, pair, prefetcher);
                }
                done += 2;
            } else {
                if needs_mean_low(done) {
                    self.minus_bundles_of_one::<true>(terms, &mut distances[done], prefetcher);
                } else {
                    self.minus_bundles_of_one::<false>(terms, &mut distances[done], prefetcher);
                }
                done += 1;
            }
        }
    }

    #[inline(always)]
    fn terms(&self, class: usize) -> &[Term] {
        &self.table.class(class).terms[self.first_column..][..self.columns.len()]
    }

    /// For sums that are no further than [`max_partial_sum`]. `RESTS` says that the rests of means matter.
    #[inline(always)]
    fn minus_bundles_of_one<const RESTS: bool>(
        &self,
        terms: &[Term],
        distances: &mut Distances,
        prefetcher: &mut Prefetcher<'_, f64>,
    ) {
        let mut sums = [(V::splat(self.bias), V::splat(0.0)); VECTORS];
        for (columns, terms) in self.columns.chunks(COLUMNS).zip(terms.chunks(COLUMNS)) {
            prefetcher.step();
            let (sum_blocks, last) = columns.as_chunks::<SUM_BLOCK>();
            let (bundles_of_terms, last_terms) = terms.as_chunks::<SUM_BLOCK>();
            for (columns, terms) in sum_blocks.iter().zip(bundles_of_terms) {
                take_bundle::<V, RESTS>(columns, terms, &mut sums, self.one);
            }
            if !last.is_empty() {
                take_bundle::<V, RESTS>(last, last_terms, &mut sums, self.one);
            }
        }
        for (vector, sum) in sums.into_iter().enumerate() {
            distances.set(vector, sum);
        }
    }

    /// The same for two classes, one vector after the other.
    ///
    /// A parameter is then used once, and comes with the instruction that uses it. To load it for both
    /// vectors takes a quarter longer with AVX-512; other instruction sets have no such instructions.
    #[inline(always)]
    fn subtract_sum_blocks_pair<const RESTS: bool>(
        &self,
        terms: [&[Term]; 2],
        distances: &mut [Distances; 2],
        prefetcher: &mut Prefetcher<'_, f64>,
    ) {
        let Self { columns, one, .. } = *self;
        let (sum_blocks, rest) = columns.as_chunks::<SUM_BLOCK>();
        let terms = terms.map(|terms| terms[..columns.len()].as_chunks::<SUM_BLOCK>());
        for vector in 0..VECTORS {
            let mut sums = [(V::splat(self.bias), V::splat(0.0)); 2];
            for (number, columns) in sum_blocks.iter().enumerate() {
                if number % (COLUMNS / SUM_BLOCK) == 0 {
                    prefetcher.step();
                }
                let terms = terms.map(|(sum_blocks, _)| &sum_blocks[number][..]);
                take_bundle_of_two::<V, RESTS>(columns, terms, vector, &mut sums, one);
            }
            if !rest.is_empty() {
                prefetcher.step();
                take_bundle_of_two::<V, RESTS>(rest, terms.map(|(_, rest)| rest), vector, &mut sums, one);
            }
            for (distances, sum) in distances.iter_mut().zip(sums) {
                distances.set(vector, sum);
            }
        }
    }

    /// Where a sum is further than [`max_partial_sum`], takes distances off one by one.
    #[inline(always)]
    pub(crate) fn minus_far_distances(&self, class: usize, distances: &mut Distances, max_partial_sum: V) {
        let zero = V::splat(0.0);
        for vector in 0..VECTORS {
            let (mut sum, mut rest) = (V::splat(self.bias), zero);
            for (Column(values), term) in self.columns.iter().zip(self.terms(class)) {
                let distance = distance_of::<V, true>(V::load(&values[vector]), term);
                add_compensated(&mut sum, &mut rest, zero.sub(distance), self.one);
            }
            let (near, rest_of_near) = distances.get::<V>(vector);
            let size = near.abs();
            sum = size.select_gt(max_partial_sum, sum, near);
            rest = size.select_gt(max_partial_sum, rest, rest_of_near);
            distances.set(vector, (sum, rest));
        }
    }
}

/// Takes what the columns' distances add up to off the sums.
#[inline(always)]
fn take_bundle<V: Vector, const RESTS: bool>(
    columns: &[Column],
    terms: &[Term],
    sums: &mut [(V, V); VECTORS],
    one: V,
) {
    let mut sum_block = [V::splat(0.0); VECTORS];
    for (column, (Column(values), term)) in columns.iter().zip(terms).enumerate() {
        for (total, values) in sum_block.iter_mut().zip(values) {
            let distance = distance_to::<V, RESTS>(V::load(values), term);
            // No distance is less than zero, to which it need not be added.
            *total = if column == 0 { distance } else { total.add(distance) };
        }
    }
    for ((sum, rest), total) in sums.iter_mut().zip(sum_block) {
        take_smaller(sum, rest, total, one);
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
    let mut sum_blocks = [V::splat(0.0); 2];
    for (column, Column(values)) in columns.iter().enumerate() {
        let values = V::load(&values[vector]);
        for (total, terms) in sum_blocks.iter_mut().zip(terms) {
            let distance = distance_of::<V, RESTS>(values, &terms[column]);
            // No distance is less than zero, to which it need not be added.
            *total = if column == 0 { distance } else { total.add(distance) };
        }
    }
    for ((sum, rest), total) in sums.iter_mut().zip(sum_blocks) {
        take_smaller(sum, rest, total, one);
    }
}

/// The [`distance`](super::fitted::distance)s of values of a column. `RESTS` says that the rests of means
/// matter.
#[inline(always)]
fn distance_of<V: Vector, const RESTS: bool>(values: V, &[mean, mean_rest, half_inv_variance]: &Term) -> V {
    let difference = values.sub(V::splat(mean));
    let difference = if RESTS { difference.sub(V::splat(mean_rest)) } else { difference };
    difference.mul(difference).mul(V::splat(half_inv_variance))
}

/// [`distance_of`] by the differences' negatives, which round alike and have the same squares. Values, which
/// are used once here, then come with the instruction that takes them off: with AVX2, where parameters come
/// with none, posteriors take a twentieth less.
#[inline(always)]
fn distance_to<V: Vector, const RESTS: bool>(values: V, &[mean, mean_rest, half_inv_variance]: &Term) -> V {
    let difference = V::splat(mean).sub(values);
    let difference = if RESTS { difference.add(V::splat(mean_rest)) } else { difference };
    difference.mul(difference).mul(V::splat(half_inv_variance))
}
