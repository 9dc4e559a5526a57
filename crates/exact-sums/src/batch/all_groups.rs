//! Additions to the bins of all column groups, where registers are many.
//!
//! Whether values fit is asked after a batch of rows: their least and their largest size cost nothing beside
//! the additions. If they do not all fit, the sums are what they were before.

use crate::batch::{
    Bin, BinnedSums,
    group::ColumnGroup,
    prefetch::PrefetchCursor,
    row_view::{Cell, RowView, strip_of},
    split::Split,
};
use nb_simd::{Isa, Kernel, LANES, Vector};

/// Rows added between two checks that all values fit the bin. With 24 narrow tables take a
/// twentieth longer, and columns with long tails half as long again; but where one value in 500 is far too
/// small, whose batches are added once more, fits took a tenth less.
pub(crate) const BATCH: usize = 48;

/// Adds rows to the planes of all bins, batch by batch and so nearly in the order of memory, except for what
/// does not fit.
///
/// This takes a tenth less time than [`AddOneGroup`](super::one_strip::AddOneGroup) where the sums of all
/// column groups fit the first-level cache.
pub(crate) struct AddBatches<'a, S: Split> {
    rows: &'a RowView<'a, S::Cell>,
    walk: PrefetchCursor,
    n_columns: usize,
    binned: &'a mut [Bin<S::Planes>],
    /// Collects the deferred batches: the number of the column group, and that of the batch.
    rejected_batches: &'a mut Vec<(usize, usize)>,
}

impl<'a, S: Split> AddBatches<'a, S> {
    pub(crate) fn of(binned: &'a mut BinnedSums<S>, rows: &'a RowView<'a, S::Cell>) -> Self {
        Self {
            rows,
            walk: PrefetchCursor::of(rows, binned.n_groups(), binned.group(0)),
            n_columns: binned.n_columns,
            binned: &mut binned.bins,
            rejected_batches: &mut binned.rejected_batches,
        }
    }
}

impl<S: Split> Kernel for AddBatches<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { rows, mut walk, n_columns, binned, rejected_batches } = self;
        let one = C::Vector::splat(std::hint::black_box(1.0));
        for (number, batch) in rows.rows.chunks(BATCH).enumerate() {
            let cells = &cells_of(rows, batch, n_columns)[..batch.len()];
            for (group, bin) in binned.iter_mut().enumerate() {
                let ColumnGroup { first, .. } = ColumnGroup::of(group, n_columns);
                let mut sums = S::load(&bin.planes, &bin.bounds);
                add_batch::<C, S>(&mut sums, cells, first, one, || walk.ask(rows.values, 0));
                if !bin.take::<C, S>(&sums, batch.len()) {
                    rejected_batches.push((group, number));
                }
            }
        }
    }
}

/// Number of cells of the rows of a batch.
#[inline(always)]
fn cells_of<'a, T>(rows: &RowView<'a, T>, batch: &[u32], n_columns: usize) -> [&'a [T]; BATCH] {
    let mut cells: [&[T]; BATCH] = [&[]; BATCH];
    for (cells, &row) in cells.iter_mut().zip(batch) {
        *cells = rows.cells(row, n_columns);
    }
    cells
}

/// Adds a batch to the sums.
#[inline(always)]
fn add_batch<C: Isa, S: Split>(
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
pub(crate) fn add_row<C: Isa, S: Split>(
    sums: &mut S::Registers<C::Vector>,
    cells: &[S::Cell; LANES],
    one: C::Vector,
) {
    S::add(sums, S::Cell::load::<C::Vector>(cells), one);
}
