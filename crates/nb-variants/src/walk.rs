//! Walking through rows of any source, some at a time: for what is learnt before there are statistics.

use nb_core::{
    Rows,
    family::{Block, BlockBuffer},
};

/// How many cells are copied at a time, where they have to be.
const CHUNK_CELLS: usize = 1 << 15;

/// Calls `visit(first, block)` with blocks of neighbouring rows, of which `first` is the number of the first;
/// ends with the first error.
pub(crate) fn each_block<E>(
    rows: &(impl Rows + ?Sized),
    mut visit: impl FnMut(usize, &Block<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let step = (CHUNK_CELLS / rows.n_columns().max(1)).clamp(32, 4096);
    let mut buffer = BlockBuffer::default();
    for first in (0..rows.n_rows()).step_by(step) {
        let end = rows.n_rows().min(first + step);
        visit(first, &buffer.read(rows, first..end))?;
    }
    Ok(())
}

/// Calls `visit(row, cells)` for every row, in order, zeros that are not stored filled in; ends with the
/// first error.
pub(crate) fn each_row<E>(
    rows: &(impl Rows + ?Sized),
    mut visit: impl FnMut(usize, &[f64]) -> Result<(), E>,
) -> Result<(), E> {
    each_block(rows, |first, block| {
        let mut outcome = Ok(());
        block.for_each_row(|row, cells| {
            if outcome.is_ok() {
                outcome = visit(first + row, cells);
            }
        });
        outcome
    })
}
