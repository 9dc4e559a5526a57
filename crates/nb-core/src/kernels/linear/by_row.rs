//! Linear scores row by row: classes along the lanes, a cell with the weights of all classes at a time.
//!
//! What is not stored costs nothing, and what is reads one place of the table.

use crate::kernels::linear::{
    narrow::{Entry, Quantized},
    scores::{Count, Linear},
    table::MOST_VECTORS,
};
use nb_simd::{Isa, Kernel, LANES, LINE, Vector, add_compensated, prefetch::prefetch};

use crate::{
    data::{Doubles, Index, Indices, Sparse, stored_cells},
    kernels::by_class_vectors::{RowTerms, Sums},
    model::Estimates,
};

/// Estimates, whose infinite weights meet no zero in sparse rows.
pub(crate) struct Estimate<'a, 'b, K, T> {
    pub(crate) linear: &'a Linear,
    /// Its table, or that of smaller entries.
    pub(crate) table: Quantized<'a, T>,
    pub(crate) rows: &'a Doubles<'a>,
    pub(crate) count: K,
    pub(crate) estimates: &'a mut Estimates<'b>,
}

impl<K: Count, T: Entry> Kernel for Estimate<'_, '_, K, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(mut self) {
        let (n_classes, _) = self.linear.table().dim();
        let mut first = 0;
        while first < n_classes {
            let vectors = (n_classes - first).div_ceil(LANES).min(MOST_VECTORS);
            match vectors {
                1 => self.estimate_classes::<C::Vector, 1>(first),
                2 => self.estimate_classes::<C::Vector, 2>(first),
                3 => self.estimate_classes::<C::Vector, 3>(first),
                _ => self.estimate_classes::<C::Vector, MOST_VECTORS>(first),
            }
            first += vectors * LANES;
        }
    }
}

impl<K: Count, T: Entry> Estimate<'_, '_, K, T> {
    /// All rows for `N` vectors of classes.
    #[inline(always)]
    fn estimate_classes<V: Vector, const N: usize>(&mut self, first_class: usize) {
        match *self.rows {
            Doubles::Dense(dense) => {
                for (row, values) in dense.rows().enumerate() {
                    let cells = values.iter().enumerate().map(|(column, &value)| (column, value, column));
                    self.estimate_row::<V, N>(cells, row, first_class);
                }
            }
            Doubles::Sparse(sparse) => match sparse.columns {
                Indices::Usize(columns) => self.estimate_sparse::<V, N>(&sparse, columns, first_class),
                Indices::I32(columns) => self.estimate_sparse::<V, N>(&sparse, columns, first_class),
            },
        }
    }

    /// All rows of a sparse block with these columns.
    #[inline(always)]
    fn estimate_sparse<V: Vector, const N: usize>(
        &mut self,
        rows: &Sparse<'_>,
        columns: &[impl Index],
        first_class: usize,
    ) {
        for row in 0..rows.n_rows() {
            self.estimate_row::<V, N>(stored_cells(rows, columns, row), row, first_class);
        }
    }

    #[inline(always)]
    fn estimate_row<V: Vector, const N: usize>(
        &mut self,
        cells: impl Iterator<Item = (usize, f64, usize)>,
        row: usize,
        first_class: usize,
    ) {
        let Self { linear, table, count, .. } = *self;
        let (n_classes, _) = linear.table().dim();
        let entries_a_line = LINE / size_of::<T>();
        let Quantized { cells: table, scale, zero_point, error } = table;
        let mut sums = [V::splat(0.0); N];
        let (mut n_terms, mut total, mut wrong) = (0, 0.0, false);
        for (column, value, next) in cells {
            for line in 0..=(N * LANES - 1).div_ceil(entries_a_line) {
                prefetch(table, next * n_classes + first_class + line * entries_a_line);
            }
            let count_of_cell = count.count(value);
            wrong |= count.is_wrong(value, linear.is_finite());
            total += count_of_cell;
            n_terms += 1;
            let factor = V::splat(count_of_cell);
            // There are entries enough behind those of the last column. A number of vectors that the compiler
            // knows keeps the sums in registers.
            let (weights, _) = table[column * n_classes + first_class..].as_chunks();
            let Some(weights) = weights.first_chunk::<N>() else { break };
            for vector in 0..N {
                sums[vector] = T::load::<V>(&weights[vector]).mul_add(factor, sums[vector]);
            }
        }
        let mut terms = [[0.0; LANES]; N];
        for (terms, sum) in terms.iter_mut().zip(sums) {
            sum.store(terms);
        }
        let classes = first_class..n_classes.min(first_class + N * LANES);
        let terms = &mut terms.as_flattened_mut()[..classes.len()];
        for (term, class) in terms.iter_mut().zip(classes) {
            *term = (*term * scale + total * zero_point) + linear.base(class);
        }
        // One bound for all classes, which is added once.
        let error = match first_class {
            0 if wrong => f64::INFINITY,
            0 => linear.bound(n_terms, total) + total * error,
            _ => 0.0,
        };
        self.estimates.add_classes(row, first_class, terms, error);
    }
}

/// Full scores, with the additions of [`Scores::add`](crate::family::Scores::add) in their order.
pub(crate) struct Terms<'a> {
    pub(crate) linear: &'a Linear,
    pub(crate) rows: &'a Doubles<'a>,
}

impl RowTerms for Terms<'_> {
    #[inline(always)]
    fn add<V: Vector, const N: usize>(&self, row: usize, first_class: usize, sums: &mut Sums<V, N>, one: V) {
        match self.rows {
            Doubles::Dense(dense) => {
                let values = dense.values()[row * dense.n_columns()..].iter().take(dense.n_columns());
                let cells = values.enumerate().map(|(column, &value)| (column, value, column));
                self.add_cells(cells, first_class, sums, one);
            }
            Doubles::Sparse(sparse) => match sparse.columns {
                Indices::Usize(columns) => {
                    self.add_cells(stored_cells(sparse, columns, row), first_class, sums, one);
                }
                Indices::I32(columns) => {
                    self.add_cells(stored_cells(sparse, columns, row), first_class, sums, one);
                }
            },
        }
    }
}

impl Terms<'_> {
    #[inline(always)]
    fn add_cells<V: Vector, const N: usize>(
        &self,
        cells: impl Iterator<Item = (usize, f64, usize)>,
        first_class: usize,
        sums: &mut Sums<V, N>,
        one: V,
    ) {
        let (n_classes, _) = self.linear.table().dim();
        let table = self.linear.table().cells();
        let (mut high, mut low) = (sums.high, sums.low);
        for (column, value, next) in cells {
            for line in 0..=N {
                prefetch(table, next * n_classes + first_class + line * LANES);
            }
            if value > 0.0 {
                let factor = V::splat(value);
                // There are entries enough behind those of the last column.
                let (weights, _) = table[column * n_classes + first_class..].as_chunks();
                for (vector, weights) in weights.iter().enumerate().take(N) {
                    let term = V::load(weights).mul(factor);
                    add_compensated(&mut high[vector], &mut low[vector], term, one);
                }
            }
        }
        (sums.high, sums.low) = (high, low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_simd::InstructionSet;

    use exact_sums::Exact;

    use crate::{
        data::{Block, BlockBuffer},
        kernels::linear::{
            Above, Table, Value,
            narrow::{WeightsF32, WeightsI16},
        },
        model::scores::padded,
    };
    use proptest::prelude::*;

    /// Weights of `n_classes` classes in ten columns, from one seed.
    fn linear(n_classes: usize, size: f64, possible: bool, seed: u64) -> Linear {
        let mut state = seed;
        let mut table = Table::zeros(n_classes, 10);
        for column in 0..10 {
            for class in 0..n_classes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let weight = (state >> 11) as f64 / 2.0_f64.powi(53);
                let impossible = !possible && state >> 60 == 0;
                table.set(class, column, if impossible { f64::NEG_INFINITY } else { (weight - 0.7) * size });
            }
        }
        let base = (0..n_classes).map(|class| -1.5 * class as f64).collect();
        Linear::new(table, base)
    }

    fn estimate<K: Count, T: Entry>(
        set: InstructionSet,
        linear: &Linear,
        table: Quantized<'_, T>,
        rows: &Block<'_>,
        count: K,
    ) -> (Vec<f64>, Vec<f64>) {
        let (n_classes, n_rows) = (linear.table().dim().0, rows.n_rows());
        let (mut values, mut errors) = (vec![0.25; n_classes * padded(n_rows)], vec![0.0; padded(n_rows)]);
        let estimates = &mut Estimates::new(n_rows, &mut values, &mut errors);
        let rows = &rows.doubles().expect("cells are doubles");
        set.run(Estimate { linear, table, rows, count, estimates });
        (values, errors)
    }

    /// Whether the estimates of a row are within their bound of sums without rounding, and its bound is not
    /// too wide.
    fn is_bounded(
        linear: &Linear,
        counts: &[(usize, f64)],
        row: usize,
        (values, errors): &(Vec<f64>, Vec<f64>),
        widest: f64,
    ) -> bool {
        (0..linear.table().dim().0).all(|class| {
            let value = values[class * errors.len() + row];
            let terms = counts.iter().map(|&(column, count)| count * linear.table().get(class, column));
            if terms.clone().any(f64::is_infinite) {
                return value == f64::NEG_INFINITY;
            }
            let score = Exact::sum(terms.chain([0.25, linear.base(class)]));
            (value - score.to_f64()).abs() <= errors[row] && errors[row] <= widest
        })
    }

    proptest! {
        #[test]
        fn estimates_are_within_their_bounds(
            n_classes in 1..40_usize,
            size in prop::sample::select(vec![10.0, 1e-3, 1e-44, 1e30]),
            possible in any::<bool>(),
            rows in prop::collection::vec(prop::collection::btree_map(0..10_usize, 1..40_u32, 0..9), 1..20),
            seed in any::<u64>(),
        ) {
            let linear = linear(n_classes, size, possible, seed);
            let singles = WeightsF32::new(linear.table(), linear.largest());
            let mut buffer = BlockBuffer::default();
            buffer.start_sparse(10);
            for row in &rows {
                buffer.push_sparse_row(row.iter().map(|(&column, &count)| (column, f64::from(count) / 3.0)));
            }
            let block = buffer.block();
            for set in InstructionSet::ALL {
                let wide = estimate(set, &linear, Quantized::of_table(linear.table()), &block, Value);
                let single = estimate(set, &linear, singles.entries(), &block, Value);
                let ones = estimate(set, &linear, singles.entries(), &block, Above(0.0));
                let short = possible
                    .then(|| WeightsI16::new(linear.table(), -0.7 * size, 0.3 * size))
                    .map(|shorts| estimate(set, &linear, shorts.entries(), &block, Value));
                for (row, counts) in rows.iter().enumerate() {
                    let values: Vec<(usize, f64)> =
                        counts.iter().map(|(&column, &count)| (column, f64::from(count) / 3.0)).collect();
                    let total: f64 = values.iter().map(|(_, count)| count).sum();
                    let (sizes, base) = (total * size, 1.5 * n_classes as f64);
                    prop_assert!(is_bounded(&linear, &values, row, &wide, 1e-13 * (sizes + base)));
                    prop_assert!(is_bounded(&linear, &values, row, &single, 1e-7 * sizes + 1e-13 * base));
                    if let Some(short) = &short {
                        prop_assert!(is_bounded(&linear, &values, row, short, 1e-5 * sizes + 1e-13 * base));
                    }
                    let present: Vec<(usize, f64)> = values.iter().map(|&(column, _)| (column, 1.0)).collect();
                    prop_assert!(is_bounded(&linear, &present, row, &ones, f64::INFINITY));
                }
            }
        }
    }

    #[test]
    fn rows_that_may_be_refused_are_never_sure() {
        for (value, possible) in [
            (f64::NAN, true),
            (f64::INFINITY, true),
            (1e200, true),
            (-1.0, true),
            (5e-324, true),
            (0.0, false),
        ] {
            let linear = linear(9, 1.0, possible, 3);
            let singles = WeightsF32::new(linear.table(), linear.largest());
            let mut buffer = BlockBuffer::default();
            buffer.start_sparse(10);
            buffer.push_sparse_row([(1, 2.0), (4, value), (7, 1.0)]);
            buffer.push_sparse_row([(1, 2.0)]);
            for set in InstructionSet::ALL {
                let (_, wide) =
                    estimate(set, &linear, Quantized::of_table(linear.table()), &buffer.block(), Value);
                let (_, single) = estimate(set, &linear, singles.entries(), &buffer.block(), Value);
                let shorts = WeightsI16::new(linear.table(), -0.7, 0.3);
                let (_, short) = estimate(set, &linear, shorts.entries(), &buffer.block(), Value);
                let all = [wide, single, short];
                assert!(all.iter().all(|errors| !errors[0].is_finite()), "{value}: {all:?}");
                assert!(all.iter().all(|errors| errors[1].is_finite()), "{value}");
            }
        }
    }
}
