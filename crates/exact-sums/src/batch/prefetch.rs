//! Asking the memory for cells before they are needed.

use crate::batch::{
    group::ColumnGroup,
    row_view::{PrefetchHint, RowView},
};
use nb_simd::{LANES, prefetch::prefetch};

/// Where the next cell to ask for is.
#[derive(Clone, Copy)]
pub(crate) struct PrefetchCursor {
    /// All bits if that is counted from the column group that is worked on, none if from the start of the
    /// table.
    from_strip: usize,
    next: usize,
    /// How much further the one after it is.
    step: usize,
}

impl PrefetchCursor {
    /// From a column group on, if column groups come one after the other.
    pub(crate) fn of<T>(rows: &RowView<'_, T>, n_groups: usize, group: ColumnGroup) -> Self {
        /// How many column groups come between the asking and the use in one row, and where there is room for
        /// fewer.
        const STRIPS: usize = 10;
        const FEW_STRIPS: usize = 6;
        let (from_strip, next, step) = match rows.ahead {
            PrefetchHint::Nothing => (usize::MAX, 0, 0),
            PrefetchHint::Following(rows_before) => {
                let before = rows_before * n_groups + group.number * rows.rows.len();
                (0, rows.values.len() + before * LANES, LANES)
            }
            PrefetchHint::InRow if rows.has_cache_set_conflicts() => (usize::MAX, FEW_STRIPS * LANES, 0),
            PrefetchHint::InRow => (usize::MAX, STRIPS * LANES, 0),
        };
        Self { from_strip, next, step }
    }

    /// Asks for the next cell, while the column group at `place` is worked on.
    #[inline(always)]
    pub(crate) fn ask<T>(&mut self, values: &[T], place: usize) {
        prefetch(values, (place & self.from_strip) + self.next);
        self.next += self.step;
    }
}
