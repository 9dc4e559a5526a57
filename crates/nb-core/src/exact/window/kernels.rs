//! The loops of windows: strips of columns, and the rows of a strip.

use std::ops::Range;

use super::{Lanes, MANY_ROWS, MOST_ROWS, Window, Windows};
use crate::{
    Missing,
    exact::{
        row_set::{Ahead, Cell, RowSet},
        slices::{Edges, Slices},
    },
    instructions::{Code, Kernel, LANES, Span, Vector, prefetch_near},
};

/// Where the next cell to ask for is: at `start`, in the row that is worked on or else in the table, and `step` further
/// after each row.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    pub(super) in_row: bool,
    pub(super) start: usize,
    pub(super) step: usize,
}

/// A row of a strip with values outside the window, which were left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    /// Where the strip starts in the values.
    pub(super) offset: usize,
    pub(super) strip: usize,
    /// The bits of the lanes.
    pub(super) lanes: u8,
}

/// Adds at most [`MOST_ROWS`] rows, strip by strip, and notes strays; whether all other values can be observed.
pub(super) struct AddStrips<'a, S: Slices> {
    pub(super) windows: &'a mut Windows<S>,
    pub(super) rows: &'a RowSet<'a, S::Cell>,
    pub(super) missing: Missing,
}

impl<S: Slices> Kernel for AddStrips<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        /// How many strips come between the asking and the use in one row.
        const STRIPS: usize = 6;
        let Self { windows, rows, missing } = self;
        let (n_columns, n_strips) = (windows.n_columns, windows.strips.len());
        // All but the last rows of a narrow table.
        let n_full = match n_columns {
            LANES.. => rows.rows.len(),
            _ => rows.rows.partition_point(|&row| row as usize * n_columns + LANES <= rows.values.len()),
        };
        let (full, last) = rows.rows.split_at(n_full);
        let n_paired = if S::PAIRED && C::MANY_REGISTERS { n_columns / (2 * LANES) * 2 } else { 0 };
        let mut strip = 0;
        while strip < n_strips {
            let n = if strip < n_paired { 2 } else { 1 };
            let first = windows.first_column(strip);
            let offsets = full.iter().map(|&row| row as usize * n_columns + first);
            for k in 0..n {
                if windows.strips[strip + k].rows + rows.rows.len() > MOST_ROWS {
                    windows.empty(strip + k);
                }
                if !windows.strips[strip + k].edges.are_set() && !full.is_empty() {
                    let offsets = offsets.clone().take(MANY_ROWS).map(|offset| offset + k * LANES);
                    let sizes = Sizes { values: rows.values, offsets }.run::<C>();
                    windows.place(strip + k, Edges::around(&sizes));
                }
            }
            let ahead = match rows.ahead {
                Ahead::Nothing => Walk { in_row: true, start: 0, step: 0 },
                Ahead::Following(rows_before) => {
                    let before = rows_before * n_strips + strip * rows.rows.len();
                    Walk { in_row: false, start: rows.values.len() + before * LANES, step: n * LANES }
                }
                Ahead::InRow => Walk { in_row: true, start: STRIPS * LANES, step: 0 },
            };
            match n {
                2 => windows.add_batches::<C, _, 2>(strip, rows.values, offsets, ahead),
                _ => windows.add_batches::<C, _, 1>(strip, rows.values, offsets, ahead),
            }
            let is_observable = (windows.left_out.is_empty()
                || windows.add_left_out(strip, n, full, rows, missing))
                && (last.is_empty() || windows.add_strip(strip, &RowSet { rows: last, ..*rows }, missing));
            if !is_observable {
                return false;
            }
            strip += n;
        }
        true
    }
}

/// The largest size of each lane of some rows; what is no number is left out.
pub(super) struct Sizes<'a, T, I> {
    pub(super) values: &'a [T],
    /// Where the strip of each row starts in `values`.
    pub(super) offsets: I,
}

impl<T: Cell, I: Iterator<Item = usize>> Kernel for Sizes<'_, T, I> {
    type Output = Lanes;

    #[inline(always)]
    fn run<C: Code>(self) -> Lanes {
        let mut largest = C::Vector::splat(0.0);
        for offset in self.offsets {
            if let Some(lanes) = self.values.get(offset..).and_then(<[T]>::first_chunk) {
                largest = largest.larger(T::load::<C::Vector>(lanes).size());
            }
        }
        let mut sizes = [0.0; LANES];
        largest.store(&mut sizes);
        sizes
    }
}

/// So many rows are added before it is asked whether all their values fit the window.
pub(super) const BATCH: usize = 16;

/// Of a batch, more strays are many.
const FEW_STRAYS: usize = 4;

/// Adds `N` strips of rows to the planes of their windows, but for batches with values that do not fit.
pub(super) struct AddBatches<'a, S: Slices, T, I, const N: usize> {
    pub(super) values: &'a [T],
    /// Where the first strip of each row starts in `values`.
    pub(super) offsets: I,
    pub(super) ahead: Walk,
    pub(super) windows: &'a mut [Window<S::Planes>; N],
    /// The first of the strips.
    pub(super) strip: usize,
    /// The bits of the lanes that count; the strips before have the others.
    pub(super) own: u8,
    pub(super) strays: &'a mut Vec<Stray>,
    /// Gets the numbers of the batches that are left out.
    pub(super) left_out: &'a mut Vec<usize>,
}

impl<S: Slices, T: Cell, I: ExactSizeIterator<Item = usize>, const N: usize> Kernel
    for AddBatches<'_, S, T, I, N>
{
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let zero = C::Vector::splat(0.0);
        let mut limits = [(zero, zero); N];
        // The first window's stand for all until each is loaded: the slices have no zero.
        let mut sums = [S::load::<C::Vector>(&self.windows[0].planes); N];
        for ((limits, sums), window) in limits.iter_mut().zip(&mut sums).zip(&*self.windows) {
            *limits = window.edges.limits::<S, C::Vector>();
            *sums = S::load::<C::Vector>(&window.planes);
        }
        if C::MANY_REGISTERS { self.by_batches::<C>(sums, limits) } else { self.by_rows::<C>(sums, limits) }
    }
}

impl<S: Slices, T: Cell, I: ExactSizeIterator<Item = usize>, const N: usize> AddBatches<'_, S, T, I, N> {
    /// Looks at the least and the largest size of each batch, which costs nothing beside the additions.
    #[inline(always)]
    fn by_batches<C: Code>(
        self,
        mut sums: [S::Registers<C::Vector>; N],
        limits: [(C::Vector, C::Vector); N],
    ) {
        let Self { values, mut offsets, ahead, windows, left_out, .. } = self;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let Walk { in_row, start: mut ahead, step } = ahead;
        let row_mask = if in_row { usize::MAX } else { 0 };
        let (mut number, mut n_rows) = (0, 0);
        while offsets.len() > 0 {
            let (before, n_batch) = (sums, offsets.len().min(BATCH));
            let mut spans = [Span::of_nothing(); N];
            for offset in offsets.by_ref().take(BATCH) {
                prefetch_near(values, (offset & row_mask) + ahead);
                ahead += step;
                for ((sums, span), cells) in
                    sums.iter_mut().zip(&mut spans).zip(strips::<T, N>(values, offset))
                {
                    let values = T::load::<C::Vector>(cells);
                    span.widen(if S::SIGNED { values.size() } else { values });
                    S::add(sums, values, one);
                }
            }
            let mut all_fit = true;
            for (span, limits) in spans.iter().zip(&limits) {
                all_fit &= span.is_between(limits.0, limits.1);
            }
            if all_fit {
                n_rows += n_batch;
            } else {
                sums = before;
                left_out.push(number);
            }
            number += 1;
        }
        for (sums, window) in sums.iter().zip(windows) {
            S::store(sums, &mut window.planes);
            window.rows += n_rows;
        }
    }

    /// Looks at each row, which takes a quarter less time than the other way where sizes and sums do not fit the registers
    /// together. Strays are noted; with many of them, all is left out.
    #[inline(always)]
    fn by_rows<C: Code>(self, mut sums: [S::Registers<C::Vector>; N], limits: [(C::Vector, C::Vector); N]) {
        let Self { values, offsets, ahead, windows, strip, own, strays, left_out } = self;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let Walk { in_row, start: mut ahead, step } = ahead;
        let row_mask = if in_row { usize::MAX } else { 0 };
        let (n_rows, n_strays) = (offsets.len(), strays.len());
        let n_batches = n_rows.div_ceil(BATCH);
        for offset in offsets {
            prefetch_near(values, (offset & row_mask) + ahead);
            ahead += step;
            for (k, cells) in strips::<T, N>(values, offset).iter().enumerate() {
                let mut values = T::load::<C::Vector>(cells);
                let sizes = if S::SIGNED { values.size() } else { values };
                let lanes = sizes.strays(limits[k].0, limits[k].1);
                if lanes != 0 {
                    if strays.len() == n_strays + n_batches * FEW_STRAYS {
                        strays.truncate(n_strays);
                        left_out.extend(0..n_batches);
                        return;
                    }
                    let (offset, strip) = (offset + k * LANES, strip + k);
                    strays.push(Stray { offset, strip, lanes: lanes & own });
                    values = values.without(lanes);
                }
                S::add(&mut sums[k], values, one);
            }
        }
        for (sums, window) in sums.iter().zip(windows) {
            S::store(sums, &mut window.planes);
            window.rows += n_rows;
        }
    }
}

/// The cells of `N` strips of a row that starts at `offset`.
#[inline(always)]
fn strips<T, const N: usize>(values: &[T], offset: usize) -> &[[T; LANES]; N] {
    let cells = values.get(offset..).and_then(|cells| cells.as_chunks().0.first_chunk());
    cells.unwrap_or_else(|| unreachable!("rows lie in the table"))
}

/// Adds what [`AddBatches`] has left out of one strip, but for strays, which are noted. Of batches with many values that do
/// not fit the window, those that are too small go to the one below it; what has many strays all the same is left out
/// again.
pub(super) struct AddLeftOut<'a, S: Slices, T, I> {
    pub(super) values: &'a [T],
    /// Where the strip of each row starts in `values`.
    pub(super) offsets: I,
    pub(super) window: &'a mut Window<S::Planes>,
    pub(super) below: Option<&'a mut Window<S::Planes>>,
    pub(super) strip: usize,
    /// The bits of the lanes that count; the strip before has the others.
    pub(super) own: u8,
    pub(super) strays: &'a mut Vec<Stray>,
    pub(super) left_out: &'a mut Vec<usize>,
}

/// What to do with a row of a strip: where it starts, the lanes that do not fit the window, and those that fit none.
type Row = (usize, u8, u8);

impl<S: Slices, T: Cell, I: ExactSizeIterator<Item = usize> + Clone> Kernel for AddLeftOut<'_, S, T, I> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { values, offsets, window, mut below, strip, own, strays, left_out } = self;
        let (lowest, highest) = window.edges.limits::<S, C::Vector>();
        let mut sums = S::load::<C::Vector>(&window.planes);
        // Without a window below, the same once more: nothing is added to it.
        let under = below.as_deref().unwrap_or(window);
        let (least, most) = under.edges.limits::<S, C::Vector>();
        let mut sums_below = S::load::<C::Vector>(&under.planes);
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (mut n_left_out, mut rows_below) = (0, 0);
        for place in 0..left_out.len() {
            let number = left_out[place];
            let mut batch: [Row; BATCH] = [(0, 0, 0); BATCH];
            let (mut n_rows, mut n_outside, mut n_strays) = (0, 0, 0);
            for (row, offset) in batch.iter_mut().zip(offsets.clone().skip(number * BATCH)) {
                let Some(cells) = values.get(offset..).and_then(<[T]>::first_chunk) else { continue };
                let values = T::load::<C::Vector>(cells);
                let sizes = if S::SIGNED { values.size() } else { values };
                let outside = sizes.strays(lowest, highest);
                let nowhere = outside & sizes.strays(least, most);
                *row = (offset, outside, nowhere);
                n_rows += 1;
                n_outside += usize::from(outside & own != 0);
                n_strays += usize::from(nowhere & own != 0);
            }
            let takes_below = n_outside > FEW_STRAYS;
            if takes_below && (below.is_none() || n_strays > FEW_STRAYS) {
                left_out[n_left_out] = number;
                n_left_out += 1;
                continue;
            }
            for &(offset, outside, nowhere) in &batch[..n_rows] {
                let Some(cells) = values.get(offset..).and_then(<[T]>::first_chunk) else { continue };
                let values = T::load::<C::Vector>(cells);
                S::add(&mut sums, values.without(outside), one);
                let mut lanes = outside;
                if takes_below {
                    S::add(&mut sums_below, values.without(!outside | nowhere), one);
                    lanes = nowhere;
                }
                if lanes & own != 0 {
                    strays.push(Stray { offset, strip, lanes: lanes & own });
                }
            }
            window.rows += n_rows;
            rows_below += if takes_below { n_rows } else { 0 };
        }
        left_out.truncate(n_left_out);
        S::store(&sums, &mut window.planes);
        if let Some(below) = &mut below {
            S::store(&sums_below, &mut below.planes);
            below.rows += rows_below;
        }
    }
}

/// Moves what a window has gathered to the sums.
pub(super) struct Empty<'a, S: Slices> {
    pub(super) window: &'a mut Window<S::Planes>,
    pub(super) sums: &'a mut S::Sums,
    /// The first column of the strip.
    pub(super) first: usize,
    pub(super) own: Range<usize>,
}

impl<S: Slices> Kernel for Empty<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { window, sums, first, own } = self;
        S::empty::<C::Vector>(&window.planes, &window.edges, sums, first, own);
        (window.planes, window.rows) = (S::starts(&window.edges), 0);
    }
}
