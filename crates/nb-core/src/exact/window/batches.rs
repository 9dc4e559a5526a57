//! Additions to the windows of all strips, where registers are many.
//!
//! Whether values fit is asked after a batch of rows: their least and their largest size cost nothing beside the additions.
//! If they do not all fit, the sums are what they were before.

use super::{Window, Windows, strip::Strip, walk::Walk};
use nb_simd::{Code, Kernel, LANES, Vector};

use crate::exact::{
    row_set::{Cell, RowSet, strip_of},
    slices::Slices,
};

/// So many rows are added before it is asked whether all their values fit the window. With 24 narrow tables take a
/// twentieth longer, and columns with long tails half as long again; but where one value in 500 is far too small,
/// whose batches are added once more, fits took a tenth less.
pub(super) const BATCH: usize = 48;

/// Adds rows to the planes of all windows, batch by batch and so nearly in the order of memory, but for what does not fit.
///
/// This takes a tenth less time than [`AddStrip`](super::one_strip::AddStrip) where the sums of all strips fit the
/// first-level cache.
pub(super) struct AddBatches<'a, S: Slices> {
    rows: &'a RowSet<'a, S::Cell>,
    walk: Walk,
    n_columns: usize,
    windows: &'a mut [Window<S::Planes>],
    /// Gets what is left out: the number of a strip, and that of a batch.
    failed: &'a mut Vec<(usize, usize)>,
}

impl<'a, S: Slices> AddBatches<'a, S> {
    pub(super) fn of(windows: &'a mut Windows<S>, rows: &'a RowSet<'a, S::Cell>) -> Self {
        Self {
            rows,
            walk: Walk::of(rows, windows.n_strips(), windows.strip(0)),
            n_columns: windows.n_columns,
            windows: &mut windows.strips,
            failed: &mut windows.failed,
        }
    }
}

impl<S: Slices> Kernel for AddBatches<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { rows, mut walk, n_columns, windows, failed } = self;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        for (number, batch) in rows.rows.chunks(BATCH).enumerate() {
            let cells = &cells_of(rows, batch, n_columns)[..batch.len()];
            for (strip, window) in windows.iter_mut().enumerate() {
                let Strip { first, .. } = Strip::of(strip, n_columns);
                let mut sums = S::load(&window.planes, &window.edges);
                add_batch::<C, S>(&mut sums, cells, first, one, || walk.ask(rows.values, 0));
                if !window.take::<C, S>(&sums, batch.len()) {
                    failed.push((strip, number));
                }
            }
        }
    }
}

/// So many cells of the rows of a batch.
#[inline(always)]
fn cells_of<'a, T>(rows: &RowSet<'a, T>, batch: &[u32], n_columns: usize) -> [&'a [T]; BATCH] {
    let mut cells: [&[T]; BATCH] = [&[]; BATCH];
    for (cells, &row) in cells.iter_mut().zip(batch) {
        *cells = rows.cells(row, n_columns);
    }
    cells
}

/// Adds a batch to the sums.
#[inline(always)]
fn add_batch<C: Code, S: Slices>(
    sums: &mut S::Registers<C::Vector>,
    batch: &[&[S::Cell]],
    first: usize,
    one: C::Vector,
    mut ask: impl FnMut(),
) {
    // Two rows at a time, or else each sum would have to be moved back to where it was.
    let (pairs, last) = batch.as_chunks::<2>();
    for pair in pairs {
        for row in pair {
            ask();
            add_row::<C, S>(sums, strip_of(row, first), one);
        }
    }
    for row in last {
        ask();
        add_row::<C, S>(sums, strip_of(row, first), one);
    }
}

/// Adds the cells of one row to the sums.
#[inline(always)]
pub(super) fn add_row<C: Code, S: Slices>(
    sums: &mut S::Registers<C::Vector>,
    cells: &[S::Cell; LANES],
    one: C::Vector,
) {
    S::add(sums, S::Cell::load::<C::Vector>(cells), one);
}
