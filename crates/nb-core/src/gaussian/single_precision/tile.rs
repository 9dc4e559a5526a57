//! Sixteen rows in single precision, as sums of distances take them.
//!
//! ```text
//!  columns  0 ... 15 | 16 ... 31 | 32 ... 35 |
//!  row 0    ─ strip ── ─ strip ──  ┐
//!  row 1    ─ strip ── ─ strip ──  │ an end: one strip of
//!  row 2    ─ strip ── ─ strip ──  │ four columns of four rows
//!  row 3    ─ strip ── ─ strip ──  ┘
//! ```

use std::ops::Range;

use super::parameters::SinglePrecision;
use crate::{instructions::SINGLES, tiles::TILE_ROWS};

/// Sixteen columns, or of sixteen rows one number each: a whole line of the cache, as reading two halves would take twice
/// the time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(in crate::gaussian) struct Strip(pub(super) [f32; SINGLES]);

impl Strip {
    pub(super) const ZERO: Self = Self([0.0; SINGLES]);
}

/// So many columns of four rows fill a strip as well: number `4i + j` is column `i` of row `j`.
pub(super) const QUARTER: usize = SINGLES / 4;

/// Up to twelve columns that are left over come in ends, four by four, in place of a strip that takes most of its columns
/// from the one before it: labels of 100 columns take a twentieth less for it.
pub(super) const MOST_ENDS: usize = 3;

/// Four columns of sixteen rows.
pub(super) type End = [Strip; TILE_ROWS / 4];

/// A number as it lies in memory.
pub(in crate::gaussian) trait Cell: Copy {
    /// The difference in single precision.
    fn minus(self, center: f32) -> f32;

    /// Sixteen of them.
    #[inline(always)]
    fn minus_all(cells: &[Self; SINGLES], Strip(centers): &Strip) -> Strip {
        let mut differences = [0.0; SINGLES];
        for lane in 0..SINGLES {
            differences[lane] = cells[lane].minus(centers[lane]);
        }
        Strip(differences)
    }
}

impl Cell for f64 {
    #[inline(always)]
    fn minus(self, center: f32) -> f32 {
        (self - f64::from(center)) as f32
    }
}

impl Cell for f32 {
    #[inline(always)]
    fn minus(self, center: f32) -> f32 {
        self - center
    }
}

/// Sixteen rows relative to the columns' centers.
pub(super) struct Tile {
    pub(super) strips: Vec<[Strip; TILE_ROWS]>,
    pub(super) ends: [End; MOST_ENDS],
}

impl Tile {
    /// Memory for so many strips.
    pub(super) fn new(n_strips: usize) -> Self {
        let ends = [[Strip::ZERO; TILE_ROWS / 4]; MOST_ENDS];
        Self { strips: vec![[Strip::ZERO; TILE_ROWS]; n_strips], ends }
    }

    /// Some columns of some rows relative to their centers; what the tile has of other rows is left as it is.
    ///
    /// Sixteen rows are read side by side and to their ends, panel after panel, which processors see coming: one after the
    /// other, or panels of all rows, took twice the time in wide rows (on Zen 4).
    #[inline(always)]
    pub(super) fn fill<T: Cell>(
        &mut self,
        single: &SinglePrecision,
        cells: &[T],
        rows: Range<usize>,
        strips: Range<usize>,
    ) {
        for (strip, turned) in strips.zip(&mut self.strips) {
            let first_column = single.first_column(strip);
            let first = rows.start * single.n_columns + first_column;
            let centers = single.centers[first_column..].first_chunk();
            let center = Strip(*centers.unwrap_or_else(|| unreachable!("a strip lies within the row")));
            // Each is as long as a row, so that the next starts at the same column one row further down.
            let starts = cells[first..].chunks(single.n_columns).take(rows.len());
            for (cells, turned) in starts.zip(turned) {
                let cells = cells.first_chunk();
                let cells = cells.unwrap_or_else(|| unreachable!("a strip lies within the row"));
                *turned = T::minus_all(cells, &center);
            }
        }
    }

    /// The same for the columns that come in ends.
    #[inline(always)]
    pub(super) fn fill_ends<T: Cell>(&mut self, single: &SinglePrecision, cells: &[T], rows: Range<usize>) {
        for (end, turned) in self.ends.iter_mut().take(single.n_ends).enumerate() {
            let first = single.first_column_of_end(end);
            let centers: Option<&[f32; QUARTER]> = single.centers[first..].first_chunk();
            let centers = *centers.unwrap_or_else(|| unreachable!("an end lies within the row"));
            for (Strip(lanes), place) in turned.iter_mut().zip((0..).step_by(4)) {
                for row in 0..4 {
                    // Rows beyond the last are the last once more.
                    let number = (rows.start + place + row).min(rows.end - 1);
                    let cells: Option<&[T; QUARTER]> =
                        cells[number * single.n_columns + first..].first_chunk();
                    let cells = cells.unwrap_or_else(|| unreachable!("an end lies within the row"));
                    for column in 0..QUARTER {
                        lanes[QUARTER * column + row] = cells[column].minus(centers[column]);
                    }
                }
            }
        }
    }
}
