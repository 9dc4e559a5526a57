//! The loops of windows: strips of columns, and the rows of a strip.

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
    /// The first column of the strip.
    pub(super) first: usize,
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

/// Adds `N` strips of rows to the planes of their windows, batch by batch. Values that do not fit are noted and left out, or
/// the whole batch is, if they are many.
///
/// To ask for each row would cost half as much time as the additions: a comparison of vectors and a branch wait for each
/// other. The smallest and the largest size of a batch cost nothing beside them.
pub(super) struct AddBatches<'a, S: Slices, T, I, const N: usize> {
    pub(super) values: &'a [T],
    /// Where the first strip of each row starts in `values`.
    pub(super) offsets: I,
    pub(super) ahead: Walk,
    pub(super) windows: &'a mut [Window<S::Planes>; N],
    /// Gets the numbers of the batches that are left out.
    pub(super) left_out: &'a mut Vec<usize>,
}

impl<S: Slices, T: Cell, I: ExactSizeIterator<Item = usize>, const N: usize> Kernel
    for AddBatches<'_, S, T, I, N>
{
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { values, mut offsets, ahead, windows, left_out } = self;
        let zero = C::Vector::splat(0.0);
        let mut limits = [(zero, zero); N];
        // The first window's stand for all until each is loaded: the slices have no zero.
        let mut sums = [S::load::<C::Vector>(&windows[0].planes); N];
        for ((limits, sums), window) in limits.iter_mut().zip(&mut sums).zip(&*windows) {
            *limits = window.edges.limits::<S, C::Vector>();
            *sums = S::load::<C::Vector>(&window.planes);
        }
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let Walk { in_row, start: mut ahead, step } = ahead;
        let row_mask = if in_row { usize::MAX } else { 0 };
        let strips = |offset: usize| -> &[[T; LANES]; N] {
            let cells = values.get(offset..).and_then(|cells| cells.as_chunks().0.first_chunk());
            cells.unwrap_or_else(|| unreachable!("rows lie in the table"))
        };
        let (mut number, mut n_rows) = (0, 0);
        while offsets.len() > 0 {
            let (before, n_batch) = (sums, offsets.len().min(BATCH));
            let mut spans = [Span::of_nothing(); N];
            for offset in offsets.by_ref().take(BATCH) {
                prefetch_near(values, (offset & row_mask) + ahead);
                ahead += step;
                for ((sums, span), cells) in sums.iter_mut().zip(&mut spans).zip(strips(offset)) {
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
}

/// Adds what [`AddBatches`] has left out of one strip, but for strays, which are noted; or leaves it out again where they
/// are many.
pub(super) struct AddLeftOut<'a, S: Slices, T, I> {
    pub(super) values: &'a [T],
    /// Where the strip of each row starts in `values`.
    pub(super) offsets: I,
    pub(super) window: &'a mut Window<S::Planes>,
    /// The first column of the strip.
    pub(super) first: usize,
    /// The bits of the lanes that count; the strip before has the others.
    pub(super) own: u8,
    pub(super) strays: &'a mut Vec<Stray>,
    pub(super) left_out: &'a mut Vec<usize>,
}

impl<S: Slices, T: Cell, I: ExactSizeIterator<Item = usize> + Clone> Kernel for AddLeftOut<'_, S, T, I> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        /// More strays of a batch are many.
        const FEW_STRAYS: usize = 4;
        let Self { values, offsets, window, first, own, strays, left_out } = self;
        let (lowest, highest) = window.edges.limits::<S, C::Vector>();
        let mut sums = S::load::<C::Vector>(&window.planes);
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let mut n_left_out = 0;
        for place in 0..left_out.len() {
            let number = left_out[place];
            let mut batch = [(0, 0); BATCH];
            let (mut n_batch, mut n_strays) = (0, 0);
            for (row, offset) in batch.iter_mut().zip(offsets.clone().skip(number * BATCH)) {
                let Some(cells) = values.get(offset..).and_then(<[T]>::first_chunk) else { continue };
                let values = T::load::<C::Vector>(cells);
                let lanes = (if S::SIGNED { values.size() } else { values }).strays(lowest, highest);
                *row = (offset, lanes);
                n_batch += 1;
                n_strays += usize::from(lanes & own != 0);
            }
            if n_strays > FEW_STRAYS {
                left_out[n_left_out] = number;
                n_left_out += 1;
                continue;
            }
            for &(offset, lanes) in &batch[..n_batch] {
                let Some(cells) = values.get(offset..).and_then(<[T]>::first_chunk) else { continue };
                let mut values = T::load::<C::Vector>(cells);
                if lanes != 0 {
                    values = values.without(lanes);
                    strays.push(Stray { offset, first, lanes: lanes & own });
                }
                S::add(&mut sums, values, one);
            }
            window.rows += n_batch;
        }
        left_out.truncate(n_left_out);
        S::store(&sums, &mut window.planes);
    }
}

/// Moves what a window has gathered to the sums.
pub(super) struct Empty<'a, S: Slices> {
    pub(super) windows: &'a mut Windows<S>,
    pub(super) strip: usize,
}

impl<S: Slices> Kernel for Empty<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { windows, strip } = self;
        let (first, own) = (windows.first_column(strip), windows.own_lanes(strip));
        let window = &mut windows.strips[strip];
        S::empty::<C::Vector>(&window.planes, &window.edges, &mut windows.sums, first, own);
        (window.planes, window.rows) = (S::starts(&window.edges), 0);
    }
}
