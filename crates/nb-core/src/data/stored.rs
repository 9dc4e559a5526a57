//! Walking through the stored cells of a row, while the cells of later rows are prefetched.

use std::ops::Range;

use crate::data::{Index, Sparse, number};
use nb_simd::{LINE, prefetch::prefetch};

/// How many stored cells ahead a column is announced, so that its entry of a table can be prefetched.
const AHEAD: usize = 16;

/// How many stored cells ahead columns and values are prefetched: those of the rows after the next few, which
/// may be of another block.
const FAR_AHEAD: usize = 1024;

/// Column and value of the stored cells of a row, and the column of a cell soon to come, for which a table
/// may be asked.
///
/// `columns` is the contents of [`Sparse::columns`]: matching on its type outside of loops keeps the branch
/// out of them.
#[inline(always)]
pub(crate) fn stored_cells<'a, I: Index>(
    rows: &Sparse<'a>,
    columns: &'a [I],
    row: usize,
) -> impl Iterator<Item = (usize, f64, usize)> + use<'a, I> {
    let cells = rows.cells(row);
    ask_for(columns, rows.values, cells.start + FAR_AHEAD..cells.end + FAR_AHEAD);
    let of_row = columns[cells.clone()].iter().zip(&rows.values[cells.clone()]);
    cells.zip(of_row).map(move |(at, (&column, &value))| {
        let next = columns.get(at + AHEAD).map_or(column, |&next| next);
        (number(column), value, number(next))
    })
}

/// Asks the memory for columns and values of some cells, as far as they exist.
#[inline(always)]
pub(crate) fn ask_for<I>(columns: &[I], values: &[f64], cells: Range<usize>) {
    let cells = cells.start..cells.end.min(columns.len());
    cells.clone().step_by(LINE / size_of::<I>()).for_each(|cell| prefetch(columns, cell));
    cells.step_by(LINE / size_of::<f64>()).for_each(|cell| prefetch(values, cell));
}
