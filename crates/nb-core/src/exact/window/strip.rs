//! Strips of columns, as wide as a vector.

use std::ops::Range;

use super::Lanes;
use nb_simd::{LANES, Vector};

/// Some columns of a table. The last strip takes its full width from the columns before it, or in a narrow table from the
/// row after it, and leaves out what these give.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) number: usize,
    /// The column of the first lane.
    pub(super) first: usize,
    n_columns: usize,
}

impl Strip {
    #[inline(always)]
    pub(super) fn of(number: usize, n_columns: usize) -> Self {
        Self { number, first: (number * LANES).min(n_columns.saturating_sub(LANES)), n_columns }
    }

    /// The lanes that no strip before has.
    pub(super) fn own(&self) -> Range<usize> {
        self.number * LANES - self.first..LANES.min(self.n_columns)
    }

    /// The same as bits.
    #[inline(always)]
    pub(super) fn own_bits(&self) -> u8 {
        let own = self.own();
        (u8::MAX << own.start) & (u8::MAX >> (LANES - own.end))
    }
}

/// Of a batch, more strays are many.
pub(super) const FEW_STRAYS: usize = 4;

/// So many strays are not kept for later.
pub(super) const MANY_STRAYS: usize = 1 << 12;

/// Values of a row that fit no window, and were left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    pub(super) strip: Strip,
    /// The bits of their lanes.
    pub(super) lanes: u8,
    /// These and those beside them.
    pub(super) values: Lanes,
}

impl Stray {
    #[inline(always)]
    pub(super) fn of<V: Vector>(strip: Strip, lanes: u8, row: V) -> Self {
        let mut values = [0.0; LANES];
        row.store(&mut values);
        Self { strip, lanes: lanes & strip.own_bits(), values }
    }
}
