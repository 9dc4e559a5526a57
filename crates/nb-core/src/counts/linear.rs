//! Scores that are linear in counts, `b + Σ x w`: estimates for labels, and the scores themselves.
//!
//! ```text
//!  sparse row ── stored cells ──▶ x w, classes along the lanes ──▶ sums in registers ──▶ estimates or scores
//!  dense rows ── sixteen, turned ─▶ x w, rows along the lanes ───▶ sums in registers ──▶ estimates
//! ```

use super::table::Table;
use crate::{
    Block, DenseBlock, Estimates, LARGEST, SMALLEST, Scores, SparseBlock,
    instructions::{Code, InstructionSet, Kernel, LANES, prefetch},
    scores::add_compensated,
    tiles::{PANEL, TILE_ROWS, Tile, Turned, VECTORS},
};

/// How many stored cells ahead the table is asked for.
const AHEAD: usize = 24;

/// The most vectors of classes that are summed together.
const MOST_VECTORS: usize = 4;

/// The most classes that are summed together for a tile: ten registers of sums, two of values.
const MOST_CLASSES: usize = 5;

/// `b + Σ x w`, and what is needed to bound the error of such sums.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    /// `w`.
    table: Table,
    /// `b`, for each class.
    base: Vec<f64>,
    /// The largest size of a finite `b`.
    base_size: f64,
    /// The largest size of a finite `w`.
    largest: f64,
    /// Whether no `w` is infinite; none is positive infinity or not a number.
    is_finite: bool,
}

impl Linear {
    /// Entries of `w` are finite or negative infinity, those of `b` too.
    pub(crate) fn new(table: Table, base: Vec<f64>) -> Self {
        let size = |largest: f64, value: &f64| {
            let size = value.abs();
            if size > largest && size < f64::INFINITY { size } else { largest }
        };
        Self {
            base_size: base.iter().fold(0.0, size),
            largest: table.entries().iter().fold(0.0, size),
            is_finite: table.entries().iter().all(|value| value.is_finite()),
            base,
            table,
        }
    }

    /// `b = 0`.
    pub(crate) fn without_base(table: Table) -> Self {
        let n_classes = table.dim().0;
        Self::new(table, vec![0.0; n_classes])
    }

    /// `w`.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Estimates the scores of rows that were not checked; whether there is a way for these rows.
    pub(crate) fn estimate(
        &self,
        rows: &Block<'_>,
        count: impl Count,
        estimates: &mut Estimates<'_>,
    ) -> bool {
        let set = InstructionSet::current();
        match rows {
            Block::Sparse(rows) => set.run(EstimateSparse { linear: self, rows, count, estimates }),
            // Zero times infinity is not a number, and nearly every row has a zero.
            Block::Dense(_) if !self.is_finite => return false,
            Block::Dense(rows) => set.run(EstimateDense { linear: self, rows, count, estimates }),
        }
        true
    }

    /// Adds `x w` to the scores of checked rows for every `x` above zero.
    pub(crate) fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        InstructionSet::current().run(Score { linear: self, rows, scores });
    }

    /// A bound for the errors of a plain sum of `n_terms` products: each product and each addition rounds by at most
    /// half a unit of all sizes together; twice that also covers how the scores themselves round.
    #[inline(always)]
    fn bound(&self, n_terms: usize, total: f64) -> f64 {
        (n_terms as f64 + 16.0) * f64::EPSILON * (total * self.largest + self.base_size)
    }
}

/// What is counted of a value, and which values an estimate can trust.
pub(crate) trait Count: Copy {
    /// `x`, not negative for a value that can be scored.
    fn count(self, value: f64) -> f64;

    /// Whether a value may not be trusted; without branches. `zero` says whether a count of zero is fine.
    fn is_wrong(self, value: f64, zero: bool) -> bool;
}

/// The value itself.
#[derive(Clone, Copy)]
pub(crate) struct Value;

impl Count for Value {
    #[inline(always)]
    fn count(self, value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn is_wrong(self, value: f64, zero: bool) -> bool {
        // As integers, the bits of all that is negative or not a number lie above those of all others. Less one, zero
        // lies above, too.
        let bits = value.to_bits();
        let least = bits.wrapping_sub(u64::from(zero));
        (bits > const { LARGEST.to_bits() }) | (least < const { SMALLEST.to_bits() - 1 })
    }
}

/// One for a value above the threshold.
#[derive(Clone, Copy)]
pub(crate) struct Above(pub(crate) f64);

impl Count for Above {
    #[inline(always)]
    fn count(self, value: f64) -> f64 {
        if value > self.0 { 1.0 } else { 0.0 }
    }

    #[inline(always)]
    fn is_wrong(self, value: f64, zero: bool) -> bool {
        !(value.abs() < f64::INFINITY && (zero || value > self.0))
    }
}

/// Classes along the lanes, cell by cell.
struct EstimateSparse<'a, 'b, K> {
    linear: &'a Linear,
    rows: &'a SparseBlock<'a>,
    count: K,
    estimates: &'a mut Estimates<'b>,
}

impl<K: Count> Kernel for EstimateSparse<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { linear, rows, count, estimates } = self;
        let (n_classes, _) = linear.table.dim();
        let mut first = 0;
        while first < n_classes {
            let vectors = (n_classes - first).div_ceil(LANES).min(MOST_VECTORS);
            match vectors {
                1 => estimate_classes::<C, K, 1>(linear, rows, count, first, estimates),
                2 => estimate_classes::<C, K, 2>(linear, rows, count, first, estimates),
                3 => estimate_classes::<C, K, 3>(linear, rows, count, first, estimates),
                _ => estimate_classes::<C, K, MOST_VECTORS>(linear, rows, count, first, estimates),
            }
            first += vectors * LANES;
        }
    }
}

/// Estimates the scores of `V` vectors of classes.
#[inline(always)]
fn estimate_classes<C: Code, K: Count, const V: usize>(
    linear: &Linear,
    rows: &SparseBlock<'_>,
    count: K,
    first_class: usize,
    estimates: &mut Estimates<'_>,
) {
    let (n_classes, _) = linear.table.dim();
    let classes = first_class..n_classes.min(first_class + V * LANES);
    let mut base = [[0.0; LANES]; V];
    base.as_flattened_mut()[..classes.len()].copy_from_slice(&linear.base[classes.clone()]);
    let cells = linear.table.cells();
    for (row, ends) in rows.indptr.windows(2).enumerate() {
        let stored = ends[0]..ends[1];
        let mut sums = [[0.0; LANES]; V];
        let mut total = 0.0;
        let mut wrong = false;
        let cells_of_row = rows.indices[stored.clone()].iter().zip(&rows.values[stored.clone()]);
        for (at, (&column, &value)) in stored.clone().zip(cells_of_row) {
            let next = rows.indices.get(at + AHEAD).map_or(column, |&next| next);
            for line in 0..=V {
                prefetch(&cells[first_class], next * n_classes + line * LANES);
            }
            let count_of_cell = count.count(value);
            wrong |= count.is_wrong(value, linear.is_finite);
            total += count_of_cell;
            let start = column * n_classes + first_class;
            let mut weights = [[0.0; LANES]; V];
            match cells.get(start..start + V * LANES) {
                Some(entries) => weights.as_flattened_mut().copy_from_slice(entries),
                // The last columns of a table of few classes.
                None => weights.as_flattened_mut()[..cells.len() - start].copy_from_slice(&cells[start..]),
            }
            for vector in 0..V {
                for lane in 0..LANES {
                    sums[vector][lane] =
                        C::multiply_add(count_of_cell, weights[vector][lane], sums[vector][lane]);
                }
            }
        }
        for vector in 0..V {
            for lane in 0..LANES {
                sums[vector][lane] += base[vector][lane];
            }
        }
        let error = if wrong { f64::INFINITY } else { linear.bound(stored.len(), total) };
        estimates.add_classes(row, first_class, &sums.as_flattened()[..classes.len()], error);
    }
}

/// Rows along the lanes, column by column.
struct EstimateDense<'a, 'b, K> {
    linear: &'a Linear,
    rows: &'a DenseBlock<'a>,
    count: K,
    estimates: &'a mut Estimates<'b>,
}

impl<K: Count> Kernel for EstimateDense<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { linear, rows, count, estimates } = self;
        let (n_classes, n_columns) = linear.table.dim();
        let mut tile = Tile::new(rows);
        let mut counts = vec![[[0.0; LANES]; VECTORS]; n_columns.min(PANEL)];
        for first_column in (0..n_columns).step_by(PANEL) {
            let is_first = first_column == 0;
            for first_row in (0..rows.n_rows()).step_by(TILE_ROWS) {
                let columns = tile.turn(rows, first_row, first_column);
                let counts = &mut counts[..columns.len()];
                let (totals, wrong) = count_all(count, columns, counts);
                let mut first = 0;
                while first < n_classes {
                    let groups = (n_classes - first).div_ceil(MOST_CLASSES);
                    let group = (n_classes - first).div_ceil(groups);
                    let cells = &linear.table.cells()[first_column * n_classes + first..];
                    let mut sums = [[[0.0; LANES]; VECTORS]; MOST_CLASSES];
                    match group {
                        1 => sums[..1].copy_from_slice(&dots::<C, 1>(counts, cells, n_classes)),
                        2 => sums[..2].copy_from_slice(&dots::<C, 2>(counts, cells, n_classes)),
                        3 => sums[..3].copy_from_slice(&dots::<C, 3>(counts, cells, n_classes)),
                        4 => sums[..4].copy_from_slice(&dots::<C, 4>(counts, cells, n_classes)),
                        _ => sums = dots::<C, MOST_CLASSES>(counts, cells, n_classes),
                    }
                    for (class, sums) in (first..first + group).zip(&sums) {
                        let base = if is_first { linear.base[class] } else { 0.0 };
                        let (values, _) = estimates.class_mut(class);
                        for (value, sum) in values[first_row..].iter_mut().zip(sums.as_flattened()) {
                            *value += sum + base;
                        }
                    }
                    first += group;
                }
                let mut errors = [0.0; TILE_ROWS];
                for ((error, total), wrong) in
                    errors.iter_mut().zip(totals.as_flattened()).zip(wrong.as_flattened())
                {
                    // Everything that is summed in other panels and before is in the sizes of estimates and base.
                    *error = linear.bound(n_columns, *total) + wrong;
                }
                estimates.add_errors(first_row, &errors);
            }
        }
        estimates.add_rounding(4 + n_columns / PANEL);
    }
}

/// What is counted of each value; for each row the total, and infinity if a value may not be trusted.
#[inline(always)]
fn count_all<K: Count>(count: K, columns: &[Turned], counts: &mut [Turned]) -> (Turned, Turned) {
    let (mut totals, mut wrong) = ([[0.0; LANES]; VECTORS], [[0.0; LANES]; VECTORS]);
    for (values, counts) in columns.iter().zip(counts) {
        for vector in 0..VECTORS {
            for lane in 0..LANES {
                let value = values[vector][lane];
                let is_wrong = count.is_wrong(value, true);
                counts[vector][lane] = count.count(value);
                totals[vector][lane] += counts[vector][lane];
                wrong[vector][lane] = if is_wrong { f64::INFINITY } else { wrong[vector][lane] };
            }
        }
    }
    (totals, wrong)
}

/// `Σ x w` of `N` classes for each row; `cells` starts with the first of these classes in the first column.
#[inline(always)]
fn dots<C: Code, const N: usize>(counts: &[Turned], cells: &[f64], stride: usize) -> [Turned; N] {
    let mut sums = [[[0.0; LANES]; VECTORS]; N];
    for (counts, weights) in counts.iter().zip(cells.chunks(stride)) {
        let Some(weights) = weights.first_chunk::<N>() else { break };
        for (sums, &weight) in sums.iter_mut().zip(weights) {
            for vector in 0..VECTORS {
                for lane in 0..LANES {
                    sums[vector][lane] = C::multiply_add(counts[vector][lane], weight, sums[vector][lane]);
                }
            }
        }
    }
    sums
}

/// Full scores: classes along the lanes, cell by cell, in the order and with the additions of [`Scores::add`].
struct Score<'a, 'b> {
    linear: &'a Linear,
    rows: &'a Block<'a>,
    scores: &'a mut Scores<'b>,
}

impl Kernel for Score<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { linear, rows, scores } = self;
        let (n_classes, n_columns) = linear.table.dim();
        for first_class in (0..n_classes).step_by(2 * LANES) {
            for row in 0..rows.n_rows() {
                match rows {
                    Block::Dense(dense) => {
                        let values = &dense.values()[row * n_columns..(row + 1) * n_columns];
                        score_row(linear, values.iter().copied().enumerate(), row, first_class, scores);
                    }
                    Block::Sparse(sparse) => {
                        let stored = sparse.indptr[row]..sparse.indptr[row + 1];
                        let columns = sparse.indices[stored.clone()].iter().copied();
                        let cells = columns.zip(sparse.values[stored].iter().copied());
                        score_row(linear, cells, row, first_class, scores);
                    }
                }
            }
        }
    }
}

/// Adds to the scores of a row for two vectors of classes.
#[inline(always)]
fn score_row(
    linear: &Linear,
    stored: impl Iterator<Item = (usize, f64)>,
    row: usize,
    first_class: usize,
    scores: &mut Scores<'_>,
) {
    let (n_classes, _) = linear.table.dim();
    let classes = first_class..n_classes.min(first_class + 2 * LANES);
    let (mut high, mut low) = ([0.0; 2 * LANES], [0.0; 2 * LANES]);
    for (lane, class) in classes.clone().enumerate() {
        let (highs, lows) = scores.class_mut(class);
        (high[lane], low[lane]) = (highs[row], lows[row]);
    }
    let cells = linear.table.cells();
    for (column, value) in stored {
        if value > 0.0 {
            let start = column * n_classes + first_class;
            let mut weights = [0.0; 2 * LANES];
            match cells.get(start..start + 2 * LANES) {
                Some(entries) => weights.copy_from_slice(entries),
                None => weights[..cells.len() - start].copy_from_slice(&cells[start..]),
            }
            for lane in 0..2 * LANES {
                add_compensated(&mut high[lane], &mut low[lane], value * weights[lane]);
            }
        }
    }
    for (lane, class) in classes.enumerate() {
        let (highs, lows) = scores.class_mut(class);
        (highs[row], lows[row]) = (high[lane], low[lane]);
    }
}
