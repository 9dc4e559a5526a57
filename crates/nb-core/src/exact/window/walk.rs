//! Asking the memory for cells before they are needed.

use super::strip::Strip;
use nb_simd::{LANES, prefetch::prefetch};

use crate::exact::row_set::{Ahead, RowSet};

/// Where the next cell to ask for is.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    /// All bits if that is counted from the strip that is worked on, none if from the start of the table.
    from_strip: usize,
    next: usize,
    /// How much further the one after it is.
    step: usize,
}

impl Walk {
    /// From a strip on, if strips come one after the other.
    pub(super) fn of<T>(rows: &RowSet<'_, T>, n_strips: usize, strip: Strip) -> Self {
        /// How many strips come between the asking and the use in one row, and where there is room for fewer.
        const STRIPS: usize = 10;
        const FEW_STRIPS: usize = 6;
        let (from_strip, next, step) = match rows.ahead {
            Ahead::Nothing => (usize::MAX, 0, 0),
            Ahead::Following(rows_before) => {
                let before = rows_before * n_strips + strip.number * rows.rows.len();
                (0, rows.values.len() + before * LANES, LANES)
            }
            Ahead::InRow if rows.are_crowded() => (usize::MAX, FEW_STRIPS * LANES, 0),
            Ahead::InRow => (usize::MAX, STRIPS * LANES, 0),
        };
        Self { from_strip, next, step }
    }

    /// Asks for the next cell, while the strip at `place` is worked on.
    #[inline(always)]
    pub(super) fn ask<T>(&mut self, values: &[T], place: usize) {
        prefetch(values, (place & self.from_strip) + self.next);
        self.next += self.step;
    }
}
