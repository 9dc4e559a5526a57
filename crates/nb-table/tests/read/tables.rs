//! Looking at dense tables.

use nb_io::read::Table;
use ndarray::Array2;

/// The rows of a dense table.
pub(crate) fn dense(table: &Table) -> &Array2<f64> {
    match table {
        Table::Dense(rows) => rows,
        Table::Sparse(rows) => panic!("expected a dense table, not {rows:?}"),
    }
}

/// Equality, where NaN is NaN.
pub(crate) fn assert_same(left: &Array2<f64>, right: &Array2<f64>) {
    assert_eq!(left.dim(), right.dim());
    for (place, (left, right)) in left.iter().zip(right).enumerate() {
        assert!(left == right || (left.is_nan() && right.is_nan()), "cell {place}: {left} is not {right}");
    }
}
