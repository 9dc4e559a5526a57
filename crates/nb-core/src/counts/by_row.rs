//! Linear scores row by row: classes along the lanes, a cell with the weights of all classes at a time.
//!
//! What is not stored costs nothing, and what is reads one place of the table.

use super::{
    linear::{Count, Linear},
    table::MOST_VECTORS,
};
use crate::{
    Block, Estimates, SparseBlock,
    instructions::{Code, Kernel, LANES, Vector, add_compensated, prefetch},
    score_rows::{RowTerms, Sums},
};

/// How many stored cells ahead the table is asked for.
const AHEAD: usize = 24;

/// Estimates, whose infinite weights meet no zero in sparse rows.
pub(super) struct Estimate<'a, 'b, K> {
    pub(super) linear: &'a Linear,
    pub(super) rows: &'a Block<'a>,
    pub(super) count: K,
    pub(super) estimates: &'a mut Estimates<'b>,
}

impl<K: Count> Kernel for Estimate<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(mut self) {
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

impl<K: Count> Estimate<'_, '_, K> {
    /// All rows for `N` vectors of classes.
    #[inline(always)]
    fn estimate_classes<V: Vector, const N: usize>(&mut self, first_class: usize) {
        match *self.rows {
            Block::Dense(dense) => {
                for (row, values) in dense.rows().enumerate() {
                    let cells = values.iter().enumerate().map(|(column, &value)| (column, value, column));
                    self.estimate_row::<V, N>(cells, row, first_class);
                }
            }
            Block::Sparse(sparse) => {
                for (row, ends) in sparse.indptr.windows(2).enumerate() {
                    let cells = stored_cells(&sparse, ends[0]..ends[1]);
                    self.estimate_row::<V, N>(cells, row, first_class);
                }
            }
        }
    }

    #[inline(always)]
    fn estimate_row<V: Vector, const N: usize>(
        &mut self,
        cells: impl Iterator<Item = (usize, f64, usize)>,
        row: usize,
        first_class: usize,
    ) {
        let Self { linear, count, .. } = *self;
        let (n_classes, _) = linear.table().dim();
        let table = linear.table().cells();
        let mut sums = [V::splat(0.0); N];
        let (mut n_terms, mut total, mut wrong) = (0, 0.0, false);
        for (column, value, next) in cells {
            for line in 0..=N {
                prefetch(&table[first_class], next * n_classes + line * LANES);
            }
            let count_of_cell = count.count(value);
            wrong |= count.is_wrong(value, linear.is_finite());
            total += count_of_cell;
            n_terms += 1;
            let factor = V::splat(count_of_cell);
            // There are entries enough behind those of the last column. A number of vectors that the compiler knows keeps
            // the sums in registers.
            let (weights, _) = table[column * n_classes + first_class..].as_chunks();
            let Some(weights) = weights.first_chunk::<N>() else { break };
            for vector in 0..N {
                sums[vector] = V::load(&weights[vector]).times_plus(factor, sums[vector]);
            }
        }
        let mut terms = [[0.0; LANES]; N];
        for (terms, sum) in terms.iter_mut().zip(sums) {
            sum.store(terms);
        }
        let classes = first_class..n_classes.min(first_class + N * LANES);
        let terms = &mut terms.as_flattened_mut()[..classes.len()];
        for (term, class) in terms.iter_mut().zip(classes) {
            *term += linear.base(class);
        }
        let error = if wrong { f64::INFINITY } else { linear.bound(n_terms, total) };
        self.estimates.add_classes(row, first_class, terms, error);
    }
}

/// Column and value of some stored cells, and the column that the table is to be asked for meanwhile.
#[inline(always)]
fn stored_cells<'a>(
    rows: &SparseBlock<'a>,
    stored: std::ops::Range<usize>,
) -> impl Iterator<Item = (usize, f64, usize)> + use<'a> {
    let (all, columns, values) = (rows.indices, &rows.indices[stored.clone()], &rows.values[stored.clone()]);
    stored.zip(columns).zip(values).map(move |((at, &column), &value)| {
        let next = all.get(at + AHEAD).map_or(column, |&next| next);
        (column, value, next)
    })
}

/// Full scores, with the additions of [`Scores::add`](crate::Scores::add) in their order.
pub(super) struct Terms<'a> {
    pub(super) linear: &'a Linear,
    pub(super) rows: &'a Block<'a>,
}

impl RowTerms for Terms<'_> {
    #[inline(always)]
    fn add<V: Vector, const N: usize>(&self, row: usize, first_class: usize, sums: &mut Sums<V, N>, one: V) {
        match self.rows {
            Block::Dense(dense) => {
                let values = dense.values()[row * dense.n_columns()..].iter().take(dense.n_columns());
                let cells = values.enumerate().map(|(column, &value)| (column, value, column));
                self.add_cells(cells, first_class, sums, one);
            }
            Block::Sparse(sparse) => {
                let cells = stored_cells(sparse, sparse.indptr[row]..sparse.indptr[row + 1]);
                self.add_cells(cells, first_class, sums, one);
            }
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
                prefetch(&table[first_class], next * n_classes + line * LANES);
            }
            if value > 0.0 {
                let factor = V::splat(value);
                // There are entries enough behind those of the last column.
                let (weights, _) = table[column * n_classes + first_class..].as_chunks();
                for (vector, weights) in weights.iter().enumerate().take(N) {
                    let term = V::load(weights).times(factor);
                    add_compensated(&mut high[vector], &mut low[vector], term, one);
                }
            }
        }
        (sums.high, sums.low) = (high, low);
    }
}
