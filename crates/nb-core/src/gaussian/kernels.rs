//! The inner loops of Gaussian scores: sixteen rows, all classes, column by column.
//!
//! The three operations `(x - μ)² / 2v` lose nothing at any offset. As a matrix product, `x² a + x b`, they would take
//! as many multiplications and lose all digits far from the origin.

use super::fitted::{Class, FittedGaussian, Term};
use crate::{
    DenseBlock, Estimates, Scores,
    instructions::{Code, Kernel, LANES, Vector, add_compensated},
    prefetcher::{COLUMNS, Prefetcher},
    tiles::{Column, TILE_ROWS, Tile, Turned, VECTORS},
};

/// The columns that are turned at a time: 32 KiB of them, which is about the first-level cache.
const PANEL: usize = 256;

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
        let (infinity, zero) = (C::Vector::splat(f64::INFINITY), C::Vector::splat(0.0));
        let mut tile = Tile::new(rows, PANEL);
        let mut prefetcher = Prefetcher::new(rows.values(), rows.n_columns(), PANEL);
        for first_column in (0..rows.n_columns()).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.turn::<C>(rows, first_row, first_column);
                prefetcher.start_tile(
                    first_row,
                    first_column,
                    fitted.n_classes() * columns.len().div_ceil(COLUMNS),
                );
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
                    take_distances(
                        &mut sums,
                        columns,
                        &parameters.terms[first_column..],
                        one,
                        &mut prefetcher,
                    );
                    // Infinite scores say it all: what they would leave over is not a number.
                    let [sums, rests] = &mut sums;
                    for vector in 0..VECTORS {
                        rests[vector] = infinity.choose_above(sums[vector].size(), rests[vector], zero);
                    }
                    store(*sums, high);
                    store(*rests, low);
                }
            }
        }
    }
}

/// The columns' distances off the sums, with their errors.
#[inline(always)]
fn take_distances<V: Vector>(
    [high, low]: &mut [[V; VECTORS]; 2],
    columns: &[Column],
    terms: &[Term],
    one: V,
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    for (columns, terms) in columns.chunks(COLUMNS).zip(terms.chunks(COLUMNS)) {
        prefetcher.step();
        for (Column(values), &[mean, mean_rest, half_precision]) in columns.iter().zip(terms) {
            let (mean, mean_rest, factor) = (V::splat(mean), V::splat(mean_rest), V::splat(-half_precision));
            for vector in 0..VECTORS {
                let difference = V::load(&values[vector]).minus(mean).minus_by_multiplier(mean_rest, one);
                let term = difference.times(difference).times(factor);
                add_compensated(&mut high[vector], &mut low[vector], term, one);
            }
        }
    }
}

#[inline(always)]
fn load<V: Vector>(values: &[f64]) -> [V; VECTORS] {
    let (lanes, _) = values.as_chunks();
    let mut vectors = [V::splat(0.0); VECTORS];
    for (vector, lanes) in vectors.iter_mut().zip(lanes) {
        *vector = V::load(lanes);
    }
    vectors
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
        let mut turned = Tile::new(rows, PANEL);
        let n_columns = rows.n_columns();
        let mut prefetcher = Prefetcher::new(rows.values(), n_columns, PANEL);
        // Four classes at a time, then two, then one.
        let n_groups = fitted.n_classes() / 4 + (fitted.n_classes() % 4).div_ceil(2);
        // Each of the columns' terms and additions rounds by less than one unit; so do the norm and the last additions.
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
        let bound = rounding * (sum + value.abs() + norm.abs());
        *value = (*value - sum) + norm;
        *worst = if *worst > bound { *worst } else { bound };
    }
}

/// Infinity for each row with a value beyond the limit, else zero.
#[inline(always)]
fn too_large<V: Vector>(columns: &[Column], limit: f64) -> Turned {
    let mut sizes = [V::splat(0.0); VECTORS];
    for Column(values) in columns {
        for vector in 0..VECTORS {
            sizes[vector] = sizes[vector].larger(V::load(&values[vector]).size());
        }
    }
    let mut largest = [[0.0; LANES]; VECTORS];
    store(sizes, largest.as_flattened_mut());
    largest.map(|sizes| sizes.map(|size| if size > limit { f64::INFINITY } else { 0.0 }))
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

/// What a class contributes beside its terms.
impl FittedGaussian {
    fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        (0..self.n_classes()).map(|class| self.class(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, InstructionSet, Likelihood, Missing, scores::padded};
    use ndarray::Array2;
    use proptest::prelude::*;

    /// Parameters and rows around an offset, from one seed.
    fn case(
        n_classes: usize,
        n_rows: usize,
        n_columns: usize,
        offset: f64,
        seed: u64,
    ) -> (FittedGaussian, Vec<f64>) {
        let mut state = seed;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let means = Array2::from_shape_fn((n_classes, n_columns), |_| offset + next());
        let variances = Array2::from_shape_fn((n_classes, n_columns), |_| 0.01 + next());
        let fitted =
            FittedGaussian::new(&means.view(), &variances.view(), Missing::Error).expect("parameters");
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
            seed in any::<u64>(),
        ) {
            let (fitted, cells) = case(n_classes, n_rows, n_columns, offset, seed);
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
                set.run(Score { fitted: &fitted, rows: &rows, scores: &mut scores });
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
