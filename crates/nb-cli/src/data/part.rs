//! Some rows of a chunk: answers for many classes are made piece by piece, so that they stay small in memory.

use std::ops::Range;

use nb_core::{BlockBuffer, Rows};
use nb_io::read::Table;

/// Some rows of a table, in order.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    table: &'a Table,
    rows: Vec<usize>,
}

impl<'a> Part<'a> {
    pub(crate) fn new(table: &'a Table, rows: Vec<usize>) -> Self {
        Self { table, rows }
    }
}

/// Ranges of rows for which the answers for all classes are about a million numbers.
pub(crate) fn pieces(n_rows: usize, n_classes: usize) -> impl Iterator<Item = Range<usize>> {
    const NUMBERS: usize = 1 << 20;
    let length = (NUMBERS / n_classes.max(1)).max(1);
    (0..n_rows).step_by(length).map(move |first| first..n_rows.min(first + length))
}

impl Rows for Part<'_> {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn n_columns(&self) -> usize {
        self.table.n_columns()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        let rows: Vec<usize> = rows.iter().map(|&row| self.rows[row]).collect();
        self.table.copy_rows(&rows, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_rows() {
        let all: Vec<usize> = pieces(10, 1 << 18).flatten().collect();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(pieces(10, 1 << 18).next(), Some(0..4));
        assert_eq!(pieces(3, 1 << 30).count(), 3);
        assert_eq!(pieces(0, 2).count(), 0);
    }
}
