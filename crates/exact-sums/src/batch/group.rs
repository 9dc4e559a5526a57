//! Strips of columns, as wide as a vector.

use std::ops::Range;

use crate::batch::Lanes;
use nb_simd::{LANES, Vector};

/// Some columns of a table. The last column group takes its full width from the columns before it, or in a
/// narrow table from the row after it, and leaves out what these give.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnGroup {
    pub(crate) number: usize,
    /// The column of the first lane.
    pub(crate) first: usize,
    n_columns: usize,
}

impl ColumnGroup {
    #[inline(always)]
    pub(crate) fn of(number: usize, n_columns: usize) -> Self {
        Self { number, first: (number * LANES).min(n_columns.saturating_sub(LANES)), n_columns }
    }

    /// The lanes that no column group before has.
    #[inline]
    pub(crate) fn own(&self) -> Range<usize> {
        self.number * LANES - self.first..LANES.min(self.n_columns)
    }

    /// The same as bits.
    #[inline(always)]
    pub(crate) fn own_bits(&self) -> u8 {
        let own = self.own();
        (u8::MAX << own.start) & (u8::MAX >> (LANES - own.end))
    }
}

/// Of a batch, more outliers are many.
pub(crate) const FEW_OUTLIERS: usize = 4;

/// Number of outliers from which on none is deferred.
pub(crate) const MANY_OUTLIERS: usize = 1 << 12;

/// Values of a row that fit no bin, and were deferred.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outliers {
    pub(crate) group: ColumnGroup,
    /// The bits of their lanes.
    pub(crate) lanes: u8,
    /// These and those beside them.
    pub(crate) values: Lanes,
}

impl Outliers {
    #[inline(always)]
    pub(crate) fn of<V: Vector>(group: ColumnGroup, lanes: u8, row: V) -> Self {
        let mut values = [0.0; LANES];
        row.store(&mut values);
        Self { group, lanes: lanes & group.own_bits(), values }
    }
}
