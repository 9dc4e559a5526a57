//! The loops of windows: strips of columns, and the rows of a strip.

use super::{Lanes, MANY_ROWS, MOST_ROWS, Window, Windows};
use crate::{
    Missing,
    exact::{
        row_set::{Ahead, Cell, RowSet},
        slices::{Edges, Slices},
    },
    instructions::{Code, Kernel, LANES, Vector, prefetch},
};

/// Where the next cell to ask for is: at `start`, in the row that is worked on or else in the table, and `step` further
/// after each row.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    pub(super) in_row: bool,
    pub(super) start: usize,
    pub(super) step: usize,
}

/// A row of one or two strips with values outside the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    /// Where the strips start in the values.
    pub(super) offset: usize,
    /// The bits of the lanes, those of the first strip lowest.
    pub(super) lanes: u16,
}

/// Adds at most [`MOST_ROWS`] rows, strip by strip; whether all their values can be observed.
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
        /// How many strips come between the asking for a window and its use.
        const WINDOWS: usize = 2;
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
            // The windows of many columns do not stay in a near cache.
            let lines = size_of::<Window<S::Planes>>() / size_of::<Edges>();
            for line in 0..n * lines {
                prefetch(std::slice::from_ref(&windows.strips[strip].edges), WINDOWS * lines + line);
            }
            // The last strip takes its full width from the columns before it, or in a narrow table from the row after it,
            // and leaves out what these give.
            let first = (strip * LANES).min(n_columns.saturating_sub(LANES));
            let offsets = full.iter().map(move |&row| row as usize * n_columns + first);
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
            let is_added = !full.is_empty()
                && match n {
                    2 => windows.try_rows::<_, _, 2>(strip, rows.values, offsets, ahead, AddRows::run::<C>),
                    _ => windows.try_rows::<_, _, 1>(strip, rows.values, offsets, ahead, AddRows::run::<C>),
                };
            let is_observable = if is_added {
                let own = strip * LANES - first..(n * LANES).min(n_columns);
                windows.add_strays(first, own, rows.values, missing)
                    && (last.is_empty()
                        || windows.add_strip(strip, first, &RowSet { rows: last, ..*rows }, missing))
            } else {
                (0..n).all(|k| windows.add_strip(strip + k, first + k * LANES, rows, missing))
            };
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

/// Adds `N` strips of rows to the planes of their windows; whether there were no more strays than allowed. If there were,
/// the windows stay as they were.
pub(super) struct AddRows<'a, S: Slices, T, I, const N: usize> {
    pub(super) values: &'a [T],
    /// Where the strips of each row start in `values`.
    pub(super) offsets: I,
    pub(super) ahead: Walk,
    pub(super) windows: &'a mut [Window<S::Planes>; N],
    /// Gets the rows with values that do not fit, which are left out.
    pub(super) strays: &'a mut Vec<Stray>,
    pub(super) most_strays: usize,
}

impl<S: Slices, T: Cell, I: ExactSizeIterator<Item = usize>, const N: usize> Kernel
    for AddRows<'_, S, T, I, N>
{
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        let n_rows = self.offsets.len();
        let zero = C::Vector::splat(0.0);
        let mut limits = [(zero, zero); N];
        // The first window's stand for all until each is loaded: the slices have no zero.
        let mut sums = [S::load::<C::Vector>(&self.windows[0].planes); N];
        for ((limits, sums), window) in limits.iter_mut().zip(&mut sums).zip(&*self.windows) {
            *limits = window.edges.limits::<S, C::Vector>();
            *sums = S::load::<C::Vector>(&window.planes);
        }
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let Walk { in_row, start: mut ahead, step } = self.ahead;
        let row_mask = if in_row { usize::MAX } else { 0 };
        for offset in self.offsets {
            let Some(cells) = self.values.get(offset..).and_then(|cells| cells.get(..N * LANES)) else {
                return false;
            };
            prefetch(self.values, (offset & row_mask) + ahead);
            ahead += step;
            let (mut values, mut lanes, mut all_lanes) = ([zero; N], [0; N], 0);
            for (k, cells) in cells.as_chunks().0.iter().enumerate() {
                values[k] = T::load::<C::Vector>(cells);
                let sizes = if S::SIGNED { values[k].size() } else { values[k] };
                lanes[k] = sizes.strays(limits[k].0, limits[k].1);
                all_lanes |= lanes[k];
            }
            if all_lanes != 0 {
                if self.strays.len() == self.most_strays {
                    return false;
                }
                let mut stray = Stray { offset, lanes: 0 };
                for (k, values) in values.iter_mut().enumerate() {
                    stray.lanes |= u16::from(lanes[k]) << (k * LANES);
                    *values = values.without(lanes[k]);
                }
                self.strays.push(stray);
            }
            for (sums, values) in sums.iter_mut().zip(values) {
                S::add(sums, values, one);
            }
        }
        for (sums, window) in sums.iter().zip(self.windows) {
            S::store(sums, &mut window.planes);
            window.rows += n_rows;
        }
        true
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
        let first = (strip * LANES).min(windows.n_columns.saturating_sub(LANES));
        let own = strip * LANES - first..LANES.min(windows.n_columns);
        let window = &mut windows.strips[strip];
        S::empty::<C::Vector>(&window.planes, &window.edges, &mut windows.sums, first, own);
        (window.planes, window.rows) = (S::starts(&window.edges), 0);
    }
}
