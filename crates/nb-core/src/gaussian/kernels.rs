//! The inner loops of Gaussian scores: sixteen rows, all classes, column by column.
//!
//! The three operations `(x - μ)² / 2v` lose nothing at any offset. As a matrix product, `x² a + x b`, they would take
//! as many multiplications and lose all digits far from the origin.

use super::fitted::{FittedGaussian, Term};
use crate::{
    DenseBlock, Estimates, Scores,
    instructions::{Code, Kernel, LANES, Vector, add_compensated, take_smaller},
    prefetcher::{COLUMNS, Prefetcher},
    tiles::{Column, TILE_ROWS, Tile, Turned, VECTORS, load, store},
};

/// The columns that are turned at a time: 32 KiB of them, which is about the first-level cache. The distances of so many
/// are summed together.
pub(super) const PANEL: usize = 256;

/// Where sums of the distances of so many columns, a panel at most, start: below zero, and further from it than most sums
/// ever get. No term is then larger than the sum that it is taken off, which makes its exact error cheap.
///
/// The sums stay below `2^19`, so that each of 256 errors is at most `2^-35`; what rounding takes from the sum of those,
/// which stays below `2^-27`, is `2^-72` at most.
pub(super) fn anchor(n_columns: usize) -> f64 {
    const PER_COLUMN: f64 = 1024.0;
    -PER_COLUMN * n_columns.next_power_of_two() as f64
}

/// Sums that start at the [`anchor`] do not get further from zero than this as long as no term is larger than it.
pub(super) fn farthest(n_columns: usize) -> f64 {
    -2.0 * anchor(n_columns.min(PANEL))
}

/// The distances of so many columns are added up plainly before they are taken off a sum with compensation, which costs
/// half as much as to take off each. A distance is rounded by up to six half units as it is; this adds seven at most,
/// whatever the number of columns. (Blocked summation: Higham 1993, *The accuracy of floating point summation*, SIAM J.
/// Sci. Comput. 14.)
pub(super) const BUNDLE: usize = 8;

/// Adds the scores of a block of which no missing cell is to be skipped; whether all its values can surely be scored.
pub(super) struct Score<'a, 'b> {
    pub(super) fitted: &'a FittedGaussian,
    pub(super) rows: &'a DenseBlock<'a>,
    pub(super) scores: &'a mut Scores<'b>,
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
                                for norm in [parameters.norm.0, parameters.norm.1] {
                                    add_compensated(sum, rest, C::Vector::splat(norm), one);
                                }
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

/// Sums of the distances of a class, and their errors.
type Distances<V> = [(V, V); VECTORS];

/// A class or two, over the columns of a tile.
struct Group<'a, V> {
    fitted: &'a FittedGaussian,
    columns: &'a [Column],
    first_class: usize,
    first_column: usize,
    anchor: f64,
    one: V,
}

impl<V: Vector> Group<'_, V> {
    /// The columns' distances off sums that start at the anchor; tells for how many classes. Two take longer than one after
    /// the other where columns are few, and with fewer registers.
    #[inline(always)]
    fn minus_bundles<C: Code>(
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
    sums: &mut [(V, V); VECTORS],
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
    for vector in 0..VECTORS {
        let mut pair = [(V::splat(anchor), V::splat(0.0)); 2];
        for first in (0..columns.len()).step_by(COLUMNS) {
            prefetcher.step();
            let last = columns.len().min(first + COLUMNS);
            let (bundles, rest) = columns[first..last].as_chunks::<BUNDLE>();
            let terms = terms.map(|terms| terms[first..last].as_chunks::<BUNDLE>());
            for (number, columns) in bundles.iter().enumerate() {
                let terms = terms.map(|(bundles, _)| &bundles[number][..]);
                take_bundle_of_two::<V, RESTS>(columns, terms, vector, &mut pair, one);
            }
            if !rest.is_empty() {
                take_bundle_of_two::<V, RESTS>(rest, terms.map(|(_, rest)| rest), vector, &mut pair, one);
            }
        }
        for (sums, sum) in sums.iter_mut().zip(pair) {
            sums[vector] = sum;
        }
    }
}

/// [`take_bundle`] for two classes and one vector.
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
fn minus_distances<V: Vector>(columns: &[Column], terms: &[Term], anchor: f64, one: V) -> Distances<V> {
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
        let mut turned = Tile::new(rows, PANEL);
        let n_columns = rows.n_columns();
        let mut prefetcher = Prefetcher::new(rows.values(), n_columns, PANEL);
        // Four classes at a time, then two, then one.
        let n_groups = fitted.n_classes() / 4 + (fitted.n_classes() % 4).div_ceil(2);
        // Each of the columns' terms and additions rounds by less than one unit; so do the norm and the last additions. Scores
        // round by less than sixteen half units, and leave out rests of means that change a term `z² / 2` by half a unit of
        // `|z|`, which is less than half a unit of `z² + 1`.
        let rounding = (n_columns as f64 + 16.0) * f64::EPSILON;
        let limit = fitted.least_limit();
        for first_column in (0..n_columns).step_by(PANEL) {
            let is_last = first_column + PANEL >= n_columns;
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = turned.turn::<C>(rows, first_row, first_column);
                let mut bounds = too_large::<C::Vector>(columns, limit);
                let tile = first_row..first_row + TILE_ROWS;
                let terms = |class: usize| &fitted.class(class).terms[first_column..];
                prefetcher.start_tile(first_row, first_column, n_groups * columns.len().div_ceil(COLUMNS));
                let mut first = 0;
                while first < fitted.n_classes() {
                    let mut sums = [[[0.0; LANES]; VECTORS]; 4];
                    let n = match fitted.n_classes() - first {
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
                        let norm = if is_last { fitted.class(class).norm.0 } else { 0.0 };
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
fn take_sums(values: &mut [f64], sums: &Turned, norm: f64, rounding: f64, bounds: &mut Turned) {
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
fn too_large<V: Vector>(columns: &[Column], limit: f64) -> Turned {
    let mut largest = [[0.0; LANES]; VECTORS];
    store(sizes::<V>(columns), largest.as_flattened_mut());
    largest.map(|sizes| sizes.map(|size| if size > limit { f64::INFINITY } else { 0.0 }))
}

/// The largest size of each row; what is no number is passed over.
#[inline(always)]
fn sizes<V: Vector>(columns: &[Column]) -> [V; VECTORS] {
    let mut sizes = [V::splat(0.0); VECTORS];
    for Column(values) in columns {
        for vector in 0..VECTORS {
            sizes[vector] = sizes[vector].larger(V::load(&values[vector]).size());
        }
    }
    sizes
}

/// `Σ (x - μ)² / 2v` for each row and `N` classes: two, so that an addition need not wait for the one before it.
#[inline(always)]
fn sum_distances<V: Vector, const N: usize>(
    columns: &[Column],
    terms: [&[Term]; N],
    sums: &mut [Turned; 4],
    prefetcher: &mut Prefetcher<'_, f64>,
) -> usize {
    let terms = terms.map(|terms| &terms[..columns.len()]);
    let mut totals = [[V::splat(0.0); VECTORS]; N];
    for (column, Column(values)) in columns.iter().enumerate() {
        if column % COLUMNS == 0 {
            prefetcher.step();
        }
        for class in 0..N {
            let [mean, mean_rest, half_precision] = terms[class][column];
            let (mean, mean_rest) = (V::splat(mean), V::splat(mean_rest));
            let half_precision = V::splat(half_precision);
            for vector in 0..VECTORS {
                let difference = V::load(&values[vector]).minus(mean).minus(mean_rest);
                let square = difference.times(difference);
                totals[class][vector] = square.times_plus(half_precision, totals[class][vector]);
            }
        }
    }
    for (sums, totals) in sums.iter_mut().zip(totals) {
        store(totals, sums.as_flattened_mut());
    }
    N
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Block, Exact, InstructionSet, Likelihood, Missing,
        gaussian::fitted::{Class, distance},
        scores::padded,
    };
    use ndarray::Array2;
    use proptest::prelude::*;
    use std::convert::Infallible;

    /// Parameters and rows around an offset, from one seed.
    fn case(
        n_classes: usize,
        n_rows: usize,
        n_columns: usize,
        offset: f64,
        seed: u64,
    ) -> (FittedGaussian, Vec<f64>) {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        // What is left of means beyond a double: so little that it does not count, for all classes, none, or some.
        let unit = |class: usize| match seed % 3 {
            0 => 0.5,
            1 => 1e-3,
            _ => [1e-3, 1e-3, 0.5][class % 3],
        };
        let mut fitted = FittedGaussian::empty(n_classes, n_columns, Missing::Error);
        let mut piece = fitted.piece();
        for class in 0..n_classes {
            let parameters = |_| {
                let mean = offset + next();
                let rest = mean * unit(class) * f64::EPSILON * (next() - 0.5);
                Ok::<_, Infallible>(((mean, rest), Some(0.01 + next())))
            };
            piece.set_class(class, parameters).unwrap_or_else(|never| match never {});
        }
        let fitted = fitted.finish();
        let cells = (0..n_rows * n_columns).map(|_| offset + 3.0 * next() - 1.0).collect();
        (fitted, cells)
    }

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    proptest! {
        #[test]
        fn tiles_score_as_rows_do(
            n_classes in 1..6_usize,
            n_rows in 1..40_usize,
            n_columns in prop_oneof![1..40_usize, 250..270_usize],
            offset in prop_oneof![Just(0.0), Just(1e9), Just(-1e15)],
            far in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let (fitted, mut cells) = case(n_classes, n_rows, n_columns, offset, seed);
            if far {
                // Sums of distances then leave the range in which they are cheap.
                cells.iter_mut().step_by(n_columns + 3).for_each(|cell| *cell += 1e5);
            }
            let rows = DenseBlock::new(&cells, n_rows, n_columns).expect("whole rows");
            let start = || (0..n_classes).flat_map(|class| vec![-0.5 * class as f64; padded(n_rows)]).collect::<Vec<_>>();
            let (mut high, mut low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
            fitted.add_row_by_row(&Block::Dense(rows), &mut Scores::new(n_rows, &mut high, &mut low));
            let row = |values: &[f64], row: usize| -> Vec<f64> {
                values[row..].iter().step_by(padded(n_rows)).copied().collect()
            };
            for set in InstructionSet::ALL {
                let (mut tile_high, mut tile_low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
                let mut scores = Scores::new(n_rows, &mut tile_high, &mut tile_low);
                let is_sure = set.run(Score { fitted: &fitted, rows: &rows, scores: &mut scores });
                prop_assert!(is_sure);
                let (mut values, mut errors) = (start(), vec![0.0; padded(n_rows)]);
                let mut estimates = Estimates::new(n_rows, &mut values, &mut errors);
                set.run(Estimate { fitted: &fitted, rows: &rows, estimates: &mut estimates });
                for (number, &error) in errors[..n_rows].iter().enumerate() {
                    prop_assert_eq!(bits(&row(&tile_high, number)), bits(&row(&high, number)));
                    prop_assert_eq!(bits(&row(&tile_low, number)), bits(&row(&low, number)));
                    let exact = row(&high, number).into_iter().zip(row(&low, number));
                    for (value, (high, low)) in row(&values, number).into_iter().zip(exact) {
                        let distance = ((value - high) - low).abs();
                        prop_assert!(distance <= error, "{} > {}", distance, error);
                    }
                    // And not so wide that every label would be in doubt.
                    prop_assert!(error <= 1e-12 * (1.0 + row(&high, number)[0].abs() * n_columns as f64));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn scores_are_exact_sums_of_rounded_bundles(
            n_columns in prop_oneof![1..40_usize, 250..600_usize],
            far in prop::sample::select(vec![0.0, 30.0, 1e3, 1e8]),
            seed in any::<u64>(),
        ) {
            let (fitted, mut cells) = case(2, 3, n_columns, 0.0, seed);
            cells.iter_mut().step_by(7).for_each(|cell| *cell += far);
            let rows = DenseBlock::new(&cells, 3, n_columns).expect("whole rows");
            let (mut high, mut low) = (vec![-0.75; 2 * padded(3)], vec![0.0; 2 * padded(3)]);
            let mut scores = Scores::new(3, &mut high, &mut low);
            fitted.add_log_likelihood(&Block::Dense(rows), &mut scores);
            for (row, class) in [(0, 0), (1, 1), (2, 0)] {
                let Class { terms, norm, rests_matter } = fitted.class(class);
                let cells = &cells[row * n_columns..(row + 1) * n_columns];
                let mut summed = vec![-0.75, norm.0, norm.1];
                for (cells, terms) in cells.chunks(PANEL).zip(terms.chunks(PANEL)) {
                    let distances = |rests_matter: bool| -> Vec<f64> {
                        let rest = |rest| if rests_matter { rest } else { 0.0 };
                        let terms = terms.iter().map(|&[mean, mean_rest, factor]| [mean, rest(mean_rest), factor]);
                        cells.iter().zip(terms).map(|(&value, term)| -distance(value, &term)).collect()
                    };
                    let bundled = distances(rests_matter);
                    let bundles = bundled.chunks(BUNDLE).map(|bundle| bundle.iter().sum::<f64>());
                    if bundles.clone().sum::<f64>() >= anchor(cells.len()) {
                        summed.extend(bundles);
                    } else {
                        summed.extend(distances(true));
                    }
                }
                let exact = Exact::sum(summed);
                let at = class * padded(3) + row;
                let error = &exact - &Exact::sum([high[at], low[at]]);
                // What rounding may take from the errors of the sums, and much less than it takes from a double.
                prop_assert!(error.to_f64().abs() <= 1e-30 * (1000.0 * n_columns as f64 + exact.to_f64().abs()));
            }
        }
    }

    #[test]
    fn scoring_refuses_what_checking_refuses() {
        let (narrow, _) = case(3, 1, 5, 0.0, 7);
        // A column that is so narrow that its values must be small leaves doubts of all others.
        let mut variances = Array2::ones((2, 5));
        variances[[1, 3]] = 1e-200;
        let means = Array2::zeros((2, 5));
        let doubtful =
            FittedGaussian::new(&means.view(), &variances.view(), Missing::Error).expect("parameters");
        for fitted in [&narrow, &doubtful] {
            let n_classes = fitted.n_classes();
            for value in [0.5, 1e60, 1e130, -1e160, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                for (n_rows, column) in [(1, 2), (1, 3), (20, 2), (20, 3)] {
                    let mut cells = vec![0.25; n_rows * 5];
                    cells[(n_rows - 1) * 5 + column] = value;
                    let rows = Block::Dense(DenseBlock::new(&cells, n_rows, 5).expect("whole rows"));
                    let size = n_classes * padded(n_rows);
                    let (mut high, mut low) = (vec![0.0; size], vec![0.0; size]);
                    let mut scores = Scores::new(n_rows, &mut high, &mut low);
                    let scored = fitted.check_and_add_log_likelihood(&rows, &mut scores);
                    // As text, in which a value that is no number equals itself.
                    let (said, expected) = (format!("{scored:?}"), format!("{:?}", fitted.check(&rows)));
                    assert_eq!(said, expected, "{value} in column {column}");
                    if scored.is_ok() {
                        let (mut expected_high, mut expected_low) = (vec![0.0; size], vec![0.0; size]);
                        fitted.add_log_likelihood(
                            &rows,
                            &mut Scores::new(n_rows, &mut expected_high, &mut expected_low),
                        );
                        assert_eq!((bits(&high), bits(&low)), (bits(&expected_high), bits(&expected_low)));
                    }
                }
            }
        }
    }

    #[test]
    fn rows_that_may_be_refused_are_never_sure() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, -1e160] {
            for n_rows in [1, 20] {
                let (fitted, mut cells) = case(3, n_rows, 5, 0.0, 7);
                cells[(n_rows - 1) * 5 + 2] = value;
                let rows = Block::Dense(DenseBlock::new(&cells, n_rows, 5).expect("whole rows"));
                let (mut values, mut errors) = (vec![0.0; 3 * padded(n_rows)], vec![0.0; padded(n_rows)]);
                let mut estimates = Estimates::new(n_rows, &mut values, &mut errors);
                assert!(fitted.estimate_log_likelihood(&rows, &mut estimates));
                assert!(!errors[n_rows - 1].is_finite(), "{value}: {}", errors[n_rows - 1]);
                assert!(errors[..n_rows - 1].iter().all(|error| error.is_finite()));
            }
        }
    }
}
