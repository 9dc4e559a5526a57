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

/// A row of a strip with values outside the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    /// Where the strip starts in the values.
    pub(super) offset: usize,
    /// The bits of the lanes.
    pub(super) lanes: u8,
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
        for strip in 0..n_strips {
            // The windows of many columns do not stay in a near cache.
            let lines = size_of::<Window<S::Planes>>() / size_of::<Edges>();
            for line in 0..lines {
                prefetch(std::slice::from_ref(&windows.strips[strip].edges), WINDOWS * lines + line);
            }
            if windows.strips[strip].rows + rows.rows.len() > MOST_ROWS {
                windows.empty(strip);
            }
            // The last strip takes its full width from the columns before it, or in a narrow table from the row after it,
            // and leaves out what these give.
            let first = (strip * LANES).min(n_columns.saturating_sub(LANES));
            let ahead = match rows.ahead {
                Ahead::Nothing => Walk { in_row: true, start: 0, step: 0 },
                Ahead::Following(rows_before) => {
                    let before = rows_before * n_strips + strip * rows.rows.len();
                    Walk { in_row: false, start: rows.values.len() + before * LANES, step: LANES }
                }
                Ahead::InRow => Walk { in_row: true, start: STRIPS * LANES, step: 0 },
            };
            let is_added = !full.is_empty() && {
                let offsets = full.iter().map(move |&row| row as usize * n_columns + first);
                if !windows.strips[strip].edges.are_set() {
                    let offsets = offsets.clone().take(MANY_ROWS);
                    windows.place(strip, Edges::around(&Sizes { values: rows.values, offsets }.run::<C>()));
                }
                windows.try_rows(strip, rows.values, offsets, ahead, AddRows::run::<C>)
            };
            let is_observable = if is_added {
                windows.add_strays(strip, first, rows.values, missing)
                    && (last.is_empty()
                        || windows.add_strip(strip, first, &RowSet { rows: last, ..*rows }, missing))
            } else {
                windows.add_strip(strip, first, rows, missing)
            };
            if !is_observable {
                return false;
            }
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

/// Adds a strip of rows to the planes of its window; whether there were no more strays than allowed. If there were, the
/// planes stay as they were.
pub(super) struct AddRows<'a, S: Slices, T, I> {
    pub(super) values: &'a [T],
    /// Where the strip of each row starts in `values`.
    pub(super) offsets: I,
    pub(super) ahead: Walk,
    pub(super) edges: &'a Edges,
    pub(super) planes: &'a mut S::Planes,
    /// Gets the rows with values that do not fit, which are left out.
    pub(super) strays: &'a mut Vec<Stray>,
    pub(super) most_strays: usize,
}

impl<S: Slices, T: Cell, I: Iterator<Item = usize>> Kernel for AddRows<'_, S, T, I> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Code>(self) -> bool {
        let (lowest, highest) = self.edges.limits::<S, C::Vector>();
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let mut sums = S::load::<C::Vector>(self.planes);
        let Walk { in_row, start: mut ahead, step } = self.ahead;
        let row_mask = if in_row { usize::MAX } else { 0 };
        for offset in self.offsets {
            let Some(lanes) = self.values.get(offset..).and_then(<[T]>::first_chunk) else {
                return false;
            };
            prefetch(self.values, (offset & row_mask) + ahead);
            ahead += step;
            let mut values = T::load::<C::Vector>(lanes);
            let sizes = if S::SIGNED { values.size() } else { values };
            let lanes = sizes.strays(lowest, highest);
            if lanes != 0 {
                if self.strays.len() == self.most_strays {
                    return false;
                }
                self.strays.push(Stray { offset, lanes });
                values = values.without(lanes);
            }
            S::add(&mut sums, values, one);
        }
        S::store(&sums, self.planes);
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
