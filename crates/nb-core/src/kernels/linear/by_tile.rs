//! Linear scores of many dense rows: rows along the lanes, a column of a tile with the weights of some
//! classes at a time.
//!
//! Nothing is added across a vector, and none is filled up with classes that do not exist. Each column that
//! is read serves several classes, and each weight sixteen rows.

use crate::kernels::linear::{
    by_tile_single::SingleTile,
    centered::Centered,
    scores::{Count, Linear},
    seen::Seen,
};
use nb_simd::{
    Isa, Kernel, LANES, Vector, add_compensated, add_smaller,
    prefetch::{COLUMNS, Prefetcher},
    tile::{Column, TILE_ROWS, Tile, VECTORS, load, store},
};

use crate::{
    data::Dense,
    model::{Estimates, Scores},
};

/// The columns that are turned at a time: 16 KiB of them, which leaves room in the first-level cache for the
/// parameters of twenty classes.
const PANEL: usize = 128;

/// The most classes that are summed together.
const MOST_CLASSES: usize = 5;

/// Estimates from a table without infinities, `MOST` classes at a time at most, in single precision twice as
/// many: as many as there are registers for.
pub(crate) struct Estimate<'a, 'b, K, const MOST: usize> {
    pub(crate) linear: &'a Linear,
    /// The table in single precision, if there is one.
    pub(crate) centered: Option<&'a Centered>,
    pub(crate) rows: &'a Dense<'a, f64>,
    pub(crate) count: K,
    pub(crate) estimates: &'a mut Estimates<'b>,
}

impl<K: Count, const MOST: usize> Kernel for Estimate<'_, '_, K, MOST> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        const { assert!(MOST <= MOST_CLASSES) }
        let Self { linear, centered, rows, count, estimates } = self;
        let (n_classes, n_columns) = linear.table().dim();
        let n_groups = n_classes.div_ceil(MOST);
        let mut tile = Tile::new(&rows.row_major(), PANEL);
        let mut single =
            centered.map(|centered| SingleTile::new(linear, centered, 2 * MOST, n_columns.min(PANEL)));
        let mut prefetcher = Prefetcher::new(rows.values(), n_columns, PANEL);
        for first_column in (0..n_columns).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                if let Some(single) = &mut single {
                    let part = (rows, first_row, first_column..n_columns.min(first_column + PANEL));
                    if single.add::<C, K>(part, count, &mut prefetcher, estimates) {
                        continue;
                    }
                }
                let columns = tile.transpose::<C>(&rows.row_major(), first_row, first_column);
                let errors = take_counts::<C::Vector, K>(linear, count, columns);
                estimates.add_errors(first_row, &errors);
                prefetcher.start_tile(first_row, first_column, n_groups * columns.len().div_ceil(COLUMNS));
                let mut first = 0;
                for group in 0..n_groups {
                    let n = (n_classes - first).div_ceil(n_groups - group);
                    let weights = &linear.table().cells()[first_column * n_classes + first..];
                    let mut sums = [[[0.0; LANES]; VECTORS]; MOST_CLASSES];
                    match n {
                        1 => dots::<C::Vector, 1>(columns, weights, n_classes, &mut sums, &mut prefetcher),
                        2 => dots::<C::Vector, 2>(columns, weights, n_classes, &mut sums, &mut prefetcher),
                        3 => dots::<C::Vector, 3>(columns, weights, n_classes, &mut sums, &mut prefetcher),
                        4 => dots::<C::Vector, 4>(columns, weights, n_classes, &mut sums, &mut prefetcher),
                        _ => dots::<C::Vector, MOST_CLASSES>(
                            columns,
                            weights,
                            n_classes,
                            &mut sums,
                            &mut prefetcher,
                        ),
                    }
                    for (class, sums) in (first..first + n).zip(&sums) {
                        let base = if first_column == 0 { linear.base(class) } else { 0.0 };
                        let values = &mut estimates.class_mut(class)[first_row..][..TILE_ROWS];
                        for (value, sum) in values.iter_mut().zip(sums.as_flattened()) {
                            *value += sum + base;
                        }
                    }
                    first += n;
                }
            }
        }
        estimates.add_rounding(4 + n_columns.div_ceil(PANEL));
    }
}

/// Makes counts of the values, and bounds how wrong the sums of the rows can be: infinitely where a value may
/// not be trusted.
#[inline(always)]
fn take_counts<V: Vector, K: Count>(linear: &Linear, count: K, columns: &mut [Column]) -> [f64; TILE_ROWS] {
    let mut seen = [Seen::<V, K>::empty(count); VECTORS];
    for Column(values) in columns {
        for (seen, values) in seen.iter_mut().zip(values) {
            seen.take_count(values).store(values);
        }
    }
    let mut errors = [0.0; TILE_ROWS];
    let (strips, _) = errors.as_chunks_mut::<LANES>();
    for (errors, seen) in strips.iter_mut().zip(seen) {
        *errors = seen.errors(linear);
    }
    errors
}

/// `Σ x w` of each row for `N` classes; `weights` starts with the first of these classes in the first column.
#[inline(always)]
fn dots<V: Vector, const N: usize>(
    columns: &[Column],
    weights: &[f64],
    stride: usize,
    out: &mut [[[f64; LANES]; VECTORS]; MOST_CLASSES],
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    let mut sums = [[V::splat(0.0); VECTORS]; N];
    for (number, Column(values)) in columns.iter().enumerate() {
        // There are entries enough behind those of the last column.
        let Some(weights) = weights.get(number * stride..).and_then(|weights| weights.first_chunk::<N>())
        else {
            break;
        };
        if number % COLUMNS == 0 {
            prefetcher.step();
        }
        for class in 0..N {
            let weight = V::splat(weights[class]);
            for vector in 0..VECTORS {
                sums[class][vector] = V::load(&values[vector]).mul_add(weight, sums[class][vector]);
            }
        }
    }
    for (out, sums) in out.iter_mut().zip(sums) {
        for (out, sum) in out.iter_mut().zip(sums) {
            sum.store(out);
        }
    }
}

/// Full scores of checked rows from a table without infinities, with the additions of [`Scores::add`] in
/// their order.
pub(crate) struct Score<'a, 'b> {
    pub(crate) linear: &'a Linear,
    pub(crate) rows: &'a Dense<'a, f64>,
    pub(crate) scores: &'a mut Scores<'b>,
}

impl Kernel for Score<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { linear, rows, scores } = self;
        let (n_classes, n_columns) = linear.table().dim();
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let mut tile = Tile::new(&rows.row_major(), PANEL);
        let mut prefetcher = Prefetcher::new(rows.values(), n_columns, PANEL);
        for first_column in (0..n_columns).step_by(PANEL) {
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.transpose::<C>(&rows.row_major(), first_row, first_column);
                prefetcher.start_tile(first_row, first_column, n_classes * columns.len().div_ceil(COLUMNS));
                let largest = skip_missing::<C::Vector>(columns);
                let weights = &linear.table().cells()[first_column * n_classes..];
                for class in 0..n_classes {
                    let (high, low) = scores.class_mut(class);
                    let (high, low) =
                        (&mut high[first_row..][..TILE_ROWS], &mut low[first_row..][..TILE_ROWS]);
                    let mut sums = (load::<C::Vector>(high), load::<C::Vector>(low));
                    // Terms that have the sign of a sum only make it larger.
                    let sign = C::Vector::splat(linear.sign());
                    let size = C::Vector::splat(linear.largest());
                    let outgrown = largest
                        .iter()
                        .zip(sums.0)
                        .all(|(largest, high)| largest.mul(size).all_le(high.mul(sign)));
                    let weights = weights[class..].iter().step_by(n_classes);
                    if outgrown {
                        add_terms::<_, true>(&mut sums, columns, weights, one, &mut prefetcher);
                    } else {
                        add_terms::<_, false>(&mut sums, columns, weights, one, &mut prefetcher);
                    }
                    store(sums.0, high);
                    store(sums.1, low);
                    // If the sum is infinite its compensation is NaN: store 0.
                    for (high, low) in high.iter().zip(low) {
                        *low = if high.is_finite() { *low } else { 0.0 };
                    }
                }
            }
        }
    }
}

/// Adds `x w` for each column; `OUTGROWN` says that no term is larger than the sum that it is added to.
#[inline(always)]
fn add_terms<'a, V: Vector, const OUTGROWN: bool>(
    (high, low): &mut ([V; VECTORS], [V; VECTORS]),
    columns: &[Column],
    mut weights: impl Iterator<Item = &'a f64>,
    one: V,
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    for columns in columns.chunks(COLUMNS) {
        prefetcher.step();
        for (Column(values), &weight) in columns.iter().zip(&mut weights) {
            let weight = V::splat(weight);
            for (vector, values) in values.iter().enumerate() {
                let term = V::load(values).mul(weight);
                if OUTGROWN {
                    add_smaller(&mut high[vector], &mut low[vector], term, one);
                } else {
                    add_compensated(&mut high[vector], &mut low[vector], term, one);
                }
            }
        }
    }
}

/// Makes zeros of missing cells, which say nothing; the largest value of each row.
#[inline(always)]
fn skip_missing<V: Vector>(columns: &mut [Column]) -> [V; VECTORS] {
    let zero = V::splat(0.0);
    let mut largest = [zero; VECTORS];
    for Column(values) in columns {
        for vector in 0..VECTORS {
            let value = zero.max(V::load(&values[vector]));
            value.store(&mut values[vector]);
            largest[vector] = largest[vector].max(value);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_simd::InstructionSet;

    use crate::{
        answers::posterior::finish,
        kernels::linear::{Above, Table, Value, times_log},
        model::scores::padded,
    };
    use proptest::prelude::*;

    /// Counts and weights; weights are all of one sign, or mixed with zero for the sign.
    fn case(n_classes: usize, n_rows: usize, n_columns: usize, sign: f64, seed: u64) -> (Linear, Vec<f64>) {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / 2.0_f64.powi(24)
        };
        let mut table = Table::zeros(n_classes, n_columns);
        for column in 0..n_columns {
            for class in 0..n_classes {
                let size = if next() < 0.1 { 0.0 } else { next() * 10.0 };
                table.set(class, column, if sign == 0.0 { size - 5.0 } else { sign * size });
            }
        }
        // Few rows have counts that outgrow the sums.
        let cells = (0..n_rows * n_columns).map(|_| match next() {
            kind if kind < 0.4 => 0.0,
            kind if kind < 0.999 => (next() * 40.0).floor() / 8.0,
            _ => 1e5,
        });
        let cells = cells.collect();
        (Linear::without_base(table), cells)
    }

    /// The estimates and how wrong they can be.
    fn estimate(
        set: InstructionSet,
        linear: &Linear,
        centered: Option<&Centered>,
        rows: &Dense<'_, f64>,
        count: impl Count,
        mut values: Vec<f64>,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut errors = vec![0.0; padded(rows.n_rows())];
        let estimates = &mut Estimates::new(rows.n_rows(), &mut values, &mut errors);
        match set {
            InstructionSet::Avx512 | InstructionSet::Avx512Ifma => {
                set.run(Estimate::<_, 5> { linear, centered, rows, count, estimates });
            }
            _ => set.run(Estimate::<_, 2> { linear, centered, rows, count, estimates }),
        }
        (values, errors)
    }

    fn row(values: &[f64], row: usize, n_rows: usize) -> Vec<u64> {
        values[row..].iter().step_by(padded(n_rows)).map(|value| value.to_bits()).collect()
    }

    proptest! {
        #[test]
        fn tiles_score_as_single_terms_do(
            n_classes in 1..8_usize,
            n_rows in 1..40_usize,
            n_columns in prop_oneof![1..20_usize, 125..135_usize, 250..300_usize],
            sign in prop::sample::select(vec![-1.0, 1.0, 0.0]),
            any_missing in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let (linear, mut cells) = case(n_classes, n_rows, n_columns, sign, seed);
            if any_missing {
                cells.iter_mut().step_by(7).for_each(|cell| *cell = f64::NAN);
            }
            let rows = Dense::new(&cells, n_rows, n_columns).expect("whole rows");
            let start = || {
                let class = |class: usize| vec![-0.5 - class as f64; padded(n_rows)];
                (0..n_classes).flat_map(class).collect::<Vec<_>>()
            };
            let (mut high, mut low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
            let mut scores = Scores::new(n_rows, &mut high, &mut low);
            for (number, cells) in rows.rows().enumerate() {
                for class in 0..n_classes {
                    for (column, &value) in cells.iter().enumerate() {
                        scores.add(number, class, times_log(value, linear.table().get(class, column)));
                    }
                }
            }
            finish(&mut high, &mut low);
            for set in InstructionSet::ALL {
                let (mut tile_high, mut tile_low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
                let scores = &mut Scores::new(n_rows, &mut tile_high, &mut tile_low);
                set.run(Score { linear: &linear, rows: &rows, scores });
                finish(&mut tile_high, &mut tile_low);
                for number in 0..n_rows {
                    prop_assert_eq!(row(&tile_high, number, n_rows), row(&high, number, n_rows), "{:?}", set);
                    prop_assert_eq!(row(&tile_low, number, n_rows), row(&low, number, n_rows), "{:?}", set);
                }
            }
            let centered = Centered::new(linear.table());
            for (set, centered, unit) in InstructionSet::ALL
                .into_iter()
                .flat_map(|set| [(set, None, 1e-13), (set, Some(&centered), 1e-6)])
            {
                let (values, errors) = estimate(set, &linear, centered, &rows, Value, start());
                for number in 0..n_rows {
                    let cells = &cells[number * n_columns..(number + 1) * n_columns];
                    if cells.iter().any(|cell| cell.is_nan()) {
                        prop_assert!(!errors[number].is_finite());
                        continue;
                    }
                    for class in 0..n_classes {
                        let at = class * padded(n_rows) + number;
                        prop_assert!(((values[at] - high[at]) - low[at]).abs() <= errors[number]);
                    }
                    // And not so wide that every label would be in doubt.
                    let total: f64 = cells.iter().sum();
                    prop_assert!(errors[number] <= unit * (1.0 + total) * (16 + n_columns) as f64);
                }
            }
        }

        #[test]
        fn what_is_above_counts_as_one(
            n_classes in 1..8_usize,
            n_rows in 1..40_usize,
            n_columns in prop_oneof![1..20_usize, 125..135_usize],
            threshold in prop::sample::select(vec![-0.5, 0.0, 1.0]),
            seed in any::<u64>(),
        ) {
            let (linear, mut cells) = case(n_classes, n_rows, n_columns, -1.0, seed);
            cells.iter_mut().step_by(5).for_each(|cell| *cell = -*cell);
            let rows = Dense::new(&cells, n_rows, n_columns).expect("whole rows");
            let centered = Centered::new(linear.table());
            for (set, centered) in
                InstructionSet::ALL.into_iter().flat_map(|set| [(set, None), (set, Some(&centered))])
            {
                let start = vec![0.0; n_classes * padded(n_rows)];
                let (values, errors) = estimate(set, &linear, centered, &rows, Above(threshold), start);
                for (number, cells) in rows.rows().enumerate() {
                    for class in 0..n_classes {
                        let ones = cells.iter().enumerate().filter(|(_, value)| **value > threshold);
                        let sum: f64 = ones.map(|(column, _)| linear.table().get(class, column)).sum();
                        let error = (values[class * padded(n_rows) + number] - sum).abs();
                        let widest = if centered.is_some() { 1e-2 } else { 1e-9 };
                        prop_assert!(error <= errors[number] && errors[number] < widest);
                    }
                }
            }
        }
    }

    #[test]
    fn rows_that_may_be_refused_are_never_sure() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, -1.0, 5e-324, -5e-324] {
            for (n_rows, n_columns) in [(9, 3), (20, 150)] {
                let (linear, mut cells) = case(3, n_rows, n_columns, -1.0, 7);
                let place = cells.len() - 2;
                cells[place] = value;
                let rows = Dense::new(&cells, n_rows, n_columns).expect("whole rows");
                let centered = Centered::new(linear.table());
                for (set, centered) in
                    InstructionSet::ALL.into_iter().flat_map(|set| [(set, None), (set, Some(&centered))])
                {
                    let start = vec![0.0; 3 * padded(n_rows)];
                    let (_, errors) = estimate(set, &linear, centered, &rows, Value, start);
                    assert!(!errors[n_rows - 1].is_finite(), "{value}: {}", errors[n_rows - 1]);
                    assert!(errors[..n_rows - 1].iter().all(|error| error.is_finite()), "{value}");
                }
            }
        }
    }
}
