//! Pieces of a chunk: answers for many classes are made piece by piece, so that they stay small in memory.

use std::ops::Range;

/// Ranges of rows for which the answers for all classes are about a million numbers.
pub(crate) fn pieces(n_rows: usize, n_classes: usize) -> impl Iterator<Item = Range<usize>> {
    const NUMBERS: usize = 1 << 20;
    let length = (NUMBERS / n_classes.max(1)).max(1);
    (0..n_rows).step_by(length).map(move |first| first..n_rows.min(first + length))
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
