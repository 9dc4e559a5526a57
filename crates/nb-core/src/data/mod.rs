//! Input: where rows come from, and the blocks in which families see them.
//!
//! ```text
//!  Array2<f32> ─┐
//!  ArrayView2 ──┼─▶ Rows ──copy_rows──▶ BlockBuffer ──block──▶ Block (f64, f32, u8, or sparse)
//!  CsrView ─────┘     └────────────contiguous: no copy────────────▲
//! ```

mod arrays;
mod block;
mod chosen;
mod csr;
mod dense;
mod indices;
mod stored;

pub use arrays::{RowLengthError, RowSlices};
pub(crate) use block::Doubles;
pub use block::{Block, BlockBuffer, Dense, Sparse};
pub use chosen::RowSubset;
pub(crate) use csr::number;
pub use csr::{CsrError, CsrView, Index};
pub use dense::Element;
pub use indices::Indices;
pub(crate) use stored::{ask_for, stored_cells};

use std::ops::Range;

use nb_simd::tile::TILE_ROWS;

/// A table of numbers that can hand out its rows: an ndarray view of `f64`, `f32` or integers of up to 32
/// bits in any memory order, a slice or vector of arrays of these, slices of the same length ([`RowSlices`]),
/// or a [`CsrView`]. Implement it to feed rows from a store of your own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as rows of data",
    note = "pass an ndarray `Array2` or `ArrayView2` of f32, f64 or integers of up to 32 bits by reference, a slice of arrays, or a `CsrView`; for `&[Vec<f64>]` there is `RowSlices`"
)]
pub trait Rows: Sync {
    /// The number of rows.
    fn n_rows(&self) -> usize;

    /// The number of columns.
    fn n_columns(&self) -> usize;

    /// Replaces what is in `buffer` by the given rows, in the given order.
    ///
    /// The row numbers are below [`n_rows`](Self::n_rows).
    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer);

    /// Some rows without a copy, if they are stored as one of the variants of [`Block`]. They must be the
    /// same numbers as those of [`copy_rows`](Self::copy_rows). By default there is no such block.
    fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
        let _ = rows;
        None
    }
}

impl<R: Rows + ?Sized> Rows for &R {
    fn n_rows(&self) -> usize {
        (**self).n_rows()
    }

    fn n_columns(&self) -> usize {
        (**self).n_columns()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        (**self).copy_rows(rows, buffer);
    }

    fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
        (**self).block(rows)
    }
}

/// The range that row numbers make up, if each is one more than the one before.
pub(crate) fn range_of(rows: &[usize]) -> Option<Range<usize>> {
    let (&first, &last) = rows.first().zip(rows.last())?;
    let is_range = rows.len() > 1 && rows.iter().zip(first..).all(|(&row, expected)| row == expected);
    is_range.then_some(first..last + 1)
}

/// How many rows of `n_columns` values to answer for at a time: enough to amortise the bookkeeping, few
/// enough to stay in the second-level cache.
///
/// Kernels take a tile or two at a time, and a tile takes as long for one row as for sixteen. So chunks are
/// whole pairs of tiles: Gaussian posteriors of 100 columns took a fourteenth longer in chunks of 163 rows
/// than of 160.
pub(crate) fn chunk_rows(n_columns: usize) -> usize {
    const CHUNK_BYTES: usize = 128 * 1024;
    const TWO_TILES: usize = 2 * TILE_ROWS;
    let rows = (CHUNK_BYTES / n_columns.max(1).saturating_mul(8)).clamp(TWO_TILES, 4096);
    (rows + TILE_ROWS) / TWO_TILES * TWO_TILES
}

/// The size of a chunk that stays in the second-level cache together with the next one, which is being
/// prefetched.
const FIT_BYTES: usize = 192 * 1024;

/// How many of `n_rows` rows to add to statistics at a time. A row is met only once, so that wide rows need
/// not fit into a cache; but there should be several of each class. What is little more than that is not
/// divided.
pub(crate) fn fit_chunk_rows(n_columns: usize, n_rows: usize) -> usize {
    let rows = (FIT_BYTES / n_columns.max(1).saturating_mul(8)).clamp(256, 4096);
    if n_rows <= rows + rows / 3 { n_rows.max(rows) } else { rows }
}

/// The same for dense rows of this many bytes, if this many classes are known so far.
///
/// Fewer than `rows` if so few fit the cache and are still many of each class, which takes a quarter less
/// time for some 300 to 1,000 columns. Else more if `many` are preferred: the sums of a class, which do not
/// stay in the cache, are fetched less often then. Gaussian rows of 1,000 columns and 50 classes take a
/// quarter less time for it.
pub(crate) fn dense_chunk_rows(row_bytes: usize, n_classes: usize, rows: usize, many: bool) -> usize {
    const MANY: usize = 16;
    const WIDE_ROWS: usize = 2048;
    let least = MANY * n_classes.max(1);
    let fits = least * row_bytes <= 2 * FIT_BYTES;
    match n_classes {
        _ if !fits && many => rows.max(WIDE_ROWS),
        1.. if fits => rows.min(least.max(FIT_BYTES / row_bytes.max(1))),
        _ => rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wide_rows_are_added_many_at_a_time() {
        for (n_columns, many, first, expected) in [
            (100, true, 256, 245),
            (100, false, 256, 245),
            (1000, true, 256, 2048),
            (20_000, true, 2048, 2048),
            (20_000, false, 256, 256),
        ] {
            let rows = fit_chunk_rows(n_columns, 10_000);
            let (unknown, known) = (0, 10);
            let chunk = |n_classes| dense_chunk_rows(8 * n_columns, n_classes, rows, many);
            assert_eq!((chunk(unknown), chunk(known)), (first, expected), "{n_columns}, {many}");
        }
    }

    #[test]
    fn chunks_to_answer_for_are_whole_pairs_of_tiles() {
        for n_columns in 0..10_000 {
            let rows = chunk_rows(n_columns);
            assert_eq!(rows % (2 * TILE_ROWS), 0, "{n_columns} columns");
            assert!((2 * TILE_ROWS..=4096).contains(&rows), "{rows} rows of {n_columns} columns");
            // As near to 128 KiB as pairs of tiles come, except for very narrow and very wide rows.
            let bytes = 8 * n_columns * rows;
            let off = bytes.abs_diff(128 * 1024);
            assert!(
                off <= 8 * n_columns * (TILE_ROWS + 1) || rows == 4096 || rows == 2 * TILE_ROWS,
                "{bytes} bytes of {n_columns} columns"
            );
        }
    }
}
