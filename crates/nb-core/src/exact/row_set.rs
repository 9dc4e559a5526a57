//! Rows in memory, as exact sums take them: their cells, and those that come next.

use crate::{
    Element,
    instructions::{LANES, Vector},
};

/// Some rows of a table that lie in memory one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSet<'a, T = f64> {
    /// All cells of the table, row after row.
    pub(crate) values: &'a [T],
    /// Which rows; the numbers increase.
    pub(crate) rows: &'a [u32],
    /// Which other cells will be needed.
    pub(crate) ahead: Ahead,
}

/// Which cells to ask the memory for while others are worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ahead {
    /// None.
    Nothing,
    /// Those that follow the table, in the order of memory. So many rows of the table come before the given ones.
    Following(usize),
    /// The strips further on in the same rows.
    InRow,
}

impl Ahead {
    /// What suits the rows of a class in a block of these cells, if so many rows are of classes before it; `continues`
    /// says whether the cells behind the block come next.
    pub(crate) fn of_block<T>(cells: &[T], rows_before: usize, continues: bool) -> Self {
        /// Up to this many bytes a block and the one after it fit into the second-level cache together.
        const SMALL: usize = (1 << 20) / 2;
        match continues {
            _ if size_of_val(cells) > SMALL => Self::InRow,
            true => Self::Following(rows_before),
            false => Self::Nothing,
        }
    }
}

/// A number that rows are made of.
pub(crate) trait Cell: Element {
    /// Eight of them, in double precision.
    fn load<V: Vector>(cells: &[Self; LANES]) -> V;
}

impl Cell for f64 {
    #[inline(always)]
    fn load<V: Vector>(cells: &[f64; LANES]) -> V {
        V::load(cells)
    }
}

impl Cell for f32 {
    #[inline(always)]
    fn load<V: Vector>(cells: &[f32; LANES]) -> V {
        V::load_single(cells)
    }
}
