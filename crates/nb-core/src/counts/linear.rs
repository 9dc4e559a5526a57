//! Scores that are linear in counts, `b + Σ x w`: estimates for labels, and the scores themselves.
//!
//! ```text
//!  sparse row ── stored cells ───▶ x w, classes along the lanes ──▶ sums in registers ──▶ estimates or scores
//!  dense rows ── four at a time ─▶ x w, classes along the lanes ──▶ sums in registers ──▶ estimates
//! ```

use super::table::Table;
use crate::{
    Block, DenseBlock, Estimates, LARGEST, SMALLEST, Scores, SparseBlock,
    instructions::{Code, InstructionSet, Kernel, LANES, prefetch},
    scores::add_compensated,
};

/// How many stored cells ahead the table is asked for.
const AHEAD: usize = 24;

/// The most vectors of classes that are summed together.
const MOST_VECTORS: usize = 4;

/// The columns of a panel: with four rows 8 KiB, so that it stays in the first-level cache.
const PANEL: usize = 256;

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
            Block::Sparse(rows) => {
                set.run(EstimateSparse { linear: self, rows, count, estimates });
            }
            // Zero times infinity is not a number, and nearly every row has a zero.
            Block::Dense(_) if !self.is_finite => return false,
            // 24 of 32 registers hold sums, or with half as wide ones 8 of 16.
            Block::Dense(rows) if set == InstructionSet::Avx512 => {
                set.run(EstimateDense::<_, 4, 3> { linear: self, rows, count, estimates });
            }
            Block::Dense(rows) => {
                set.run(EstimateDense::<_, 4, 1> { linear: self, rows, count, estimates });
            }
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

    /// An integer that is zero or from [`LEAST`](Self::LEAST) to [`MOST`](Self::MOST) for a value that may be trusted.
    fn bits(self, value: f64) -> u64;

    /// As above.
    const LEAST: u64;

    /// As above.
    const MOST: u64;

    /// Whether a value may not be trusted. `zero` says whether a count of zero is fine.
    #[inline(always)]
    fn is_wrong(self, value: f64, zero: bool) -> bool {
        let bits = self.bits(value);
        // Zero less one is above all.
        (bits > Self::MOST) | (bits.wrapping_sub(1) < Self::LEAST - 1) | (!zero & (self.count(value) == 0.0))
    }
}

/// The value itself.
#[derive(Clone, Copy)]
pub(crate) struct Value;

impl Count for Value {
    #[inline(always)]
    fn count(self, value: f64) -> f64 {
        value
    }

    /// The bits of all that is negative or not a number lie above those of all others.
    #[inline(always)]
    fn bits(self, value: f64) -> u64 {
        value.to_bits()
    }

    const LEAST: u64 = SMALLEST.to_bits();
    const MOST: u64 = LARGEST.to_bits();
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
    fn bits(self, value: f64) -> u64 {
        value.abs().to_bits()
    }

    const LEAST: u64 = 1;
    const MOST: u64 = f64::INFINITY.to_bits() - 1;
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

/// Classes along the lanes, column by column, `R` rows at a time and at most `MOST` vectors of classes: as many as there
/// are registers for.
///
/// Nothing has to be turned, and each entry of the table that is read serves `R` rows. With 20 classes this runs at four
/// fifths of what the multipliers can do.
struct EstimateDense<'a, 'b, K, const R: usize, const MOST: usize> {
    linear: &'a Linear,
    rows: &'a DenseBlock<'a>,
    count: K,
    estimates: &'a mut Estimates<'b>,
}

/// The cells that come next, to be asked for while multiplications go on: all at once they would be waited for.
struct Next<'a> {
    block: &'a [f64],
    /// Where they start in the block or behind it.
    start: usize,
    n_columns: usize,
}

/// What is counted of the cells of some rows in a panel of columns.
type Panel<const R: usize> = [[f64; PANEL]; R];

impl<K: Count, const R: usize, const MOST: usize> Kernel for EstimateDense<'_, '_, K, R, MOST> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { linear, rows, count, estimates } = self;
        let (n_classes, n_columns) = linear.table.dim();
        let mut counts: Panel<R> = [[0.0; PANEL]; R];
        for first_column in (0..n_columns).step_by(PANEL) {
            let width = PANEL.min(n_columns - first_column);
            // The same rows in the next panel come next, or after the last one likely the rows behind these.
            let is_last = first_column + width == n_columns;
            let ahead = if is_last { rows.values().len() - first_column } else { PANEL };
            for first_row in (0..rows.n_rows()).step_by(R) {
                let n_rows = R.min(rows.n_rows() - first_row);
                let mut errors = [0.0; R];
                for row in 0..n_rows {
                    let cells = &rows.values()[(first_row + row) * n_columns + first_column..][..width];
                    let (total, is_wrong) = count_row(count, cells, &mut counts[row][..width]);
                    // What is summed in other panels is in the sizes of estimates and base.
                    let error = linear.bound(n_columns, total);
                    errors[row] = if is_wrong { f64::INFINITY } else { error };
                }
                let mut first = 0;
                while first < n_classes {
                    let groups = (n_classes - first).div_ceil(MOST * LANES);
                    let vectors = (n_classes - first).div_ceil(LANES).div_ceil(groups);
                    let classes = first..n_classes.min(first + vectors * LANES);
                    let cells = &linear.table.cells()[first_column * n_classes + first..];
                    let base = if first_column == 0 { &linear.base[..] } else { &[] };
                    let next = Next {
                        block: rows.values(),
                        start: first_row * n_columns + first_column + ahead,
                        n_columns,
                    };
                    let mut sums = [[[0.0; LANES]; MOST]; R];
                    match vectors {
                        1 => dots::<C, R, 1, MOST>(&counts, width, cells, n_classes, &next, &mut sums),
                        2 => dots::<C, R, 2, MOST>(&counts, width, cells, n_classes, &next, &mut sums),
                        _ => dots::<C, R, 3, MOST>(&counts, width, cells, n_classes, &next, &mut sums),
                    }
                    for (lane, class) in classes.enumerate() {
                        let base = base.get(class).map_or(0.0, |&base| base);
                        let values = estimates.class_mut(class);
                        for (value, sums) in values[first_row..].iter_mut().zip(&sums) {
                            *value += sums.as_flattened()[lane] + base;
                        }
                    }
                    first += vectors * LANES;
                }
                estimates.add_errors(first_row, &errors[..n_rows]);
            }
        }
        estimates.add_rounding(4 + n_columns / PANEL);
    }
}

/// What is counted of each value; the total, and whether a value may not be trusted.
#[inline(always)]
fn count_row<K: Count>(count: K, values: &[f64], counts: &mut [f64]) -> (f64, bool) {
    let mut totals = [0.0; LANES];
    let (strips, rest) = values.as_chunks::<LANES>();
    let (count_strips, count_rest) = counts.as_chunks_mut::<LANES>();
    for (values, counts) in strips.iter().zip(count_strips) {
        for lane in 0..LANES {
            counts[lane] = count.count(values[lane]);
        }
        for lane in 0..LANES {
            totals[lane] += counts[lane];
        }
    }
    for (lane, (&value, counted)) in rest.iter().zip(count_rest).enumerate() {
        *counted = count.count(value);
        totals[lane] += *counted;
    }
    // Once more for the bits: where integers and doubles are in one loop, the compiler takes them one by one.
    let (mut most, mut least) = (0, u64::MAX);
    for &value in values {
        let bits = count.bits(value);
        most = u64::max(most, bits);
        least = u64::min(least, bits.wrapping_sub(1));
    }
    (totals.iter().sum(), most > K::MOST || least < K::LEAST - 1)
}

/// `Σ x w` of `V` vectors of classes for each row; `cells` starts with the first of these classes in the first column.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "a column of all rows is not a slice")]
fn dots<C: Code, const R: usize, const V: usize, const MOST: usize>(
    counts: &Panel<R>,
    width: usize,
    cells: &[f64],
    stride: usize,
    next: &Next<'_>,
    out: &mut [[[f64; LANES]; MOST]; R],
) {
    let mut sums = [[[0.0; LANES]; V]; R];
    let Some(first_cell) = next.block.first() else { return };
    for column in 0..width.min(PANEL) {
        // One line of each row while eight columns are worked on, which is what comes in meanwhile.
        let (strip, row) = (column / LANES * LANES, column % LANES * R / LANES);
        prefetch(first_cell, next.start + row * next.n_columns + strip);
        // There are entries enough behind those of the last column.
        let Some(weights) =
            cells.get(column * stride..).and_then(|cells| cells.as_chunks::<LANES>().0.first_chunk::<V>())
        else {
            break;
        };
        for row in 0..R {
            let count = counts[row][column];
            for vector in 0..V {
                for lane in 0..LANES {
                    sums[row][vector][lane] =
                        C::multiply_add(count, weights[vector][lane], sums[row][vector][lane]);
                }
            }
        }
    }
    for (out, sums) in out.iter_mut().zip(&sums) {
        out.iter_mut().zip(sums).for_each(|(out, sums)| *out = *sums);
    }
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
                        let cells = values.iter().enumerate().map(|(column, &value)| (column, value, column));
                        score_row(linear, cells, row, first_class, scores);
                    }
                    Block::Sparse(sparse) => {
                        let stored = sparse.indptr[row]..sparse.indptr[row + 1];
                        let cells = stored.map(|at| {
                            let next = sparse.indices.get(at + AHEAD).unwrap_or(&sparse.indices[at]);
                            (sparse.indices[at], sparse.values[at], *next)
                        });
                        score_row(linear, cells, row, first_class, scores);
                    }
                }
            }
        }
    }
}

/// Adds to the scores of a row for two vectors of classes. `stored` has column and value of each cell, and the column that
/// the table is to be asked for meanwhile.
#[inline(always)]
fn score_row(
    linear: &Linear,
    stored: impl Iterator<Item = (usize, f64, usize)>,
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
    for (column, value, next) in stored {
        for line in 0..=2 {
            prefetch(&cells[first_class], next * n_classes + line * LANES);
        }
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
