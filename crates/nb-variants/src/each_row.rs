//! Walking through all rows of a table, for what is learnt before there are statistics.

use nb_core::{BlockBuffer, Rows};

/// How many rows are copied at a time.
const CHUNK: usize = 1024;

/// Calls `visit(row, cells)` for every row, in order, zeros that are not stored filled in; ends with the first
/// error.
pub(crate) fn for_each_row<E>(
    rows: &(impl Rows + ?Sized),
    mut visit: impl FnMut(usize, &[f64]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = BlockBuffer::default();
    for first in (0..rows.n_rows()).step_by(CHUNK) {
        rows.copy_range(first, (first + CHUNK).min(rows.n_rows()), &mut buffer);
        let mut outcome = Ok(());
        buffer.block().for_each_row(|row, cells| {
            if outcome.is_ok() {
                outcome = visit(first + row, cells);
            }
        });
        outcome?;
    }
    Ok(())
}
