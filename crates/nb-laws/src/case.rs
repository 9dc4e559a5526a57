//! Random training data that reach the corners.

use ndarray::Array2;
use proptest::prelude::*;

/// Rows with labels and weights.
#[derive(Clone, Debug)]
pub struct Case {
    /// `n_rows × n_columns`.
    pub rows: Array2<f64>,
    /// One label per row.
    pub labels: Vec<u8>,
    /// One weight per row, some of them zero.
    pub weights: Vec<f64>,
    /// A place to cut the rows at, up to their number.
    pub cut: usize,
    /// A permutation of the rows.
    pub order: Vec<usize>,
}

impl Case {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }
}

/// Random cases of 0 to 24 rows in up to four classes, whose cells come from `values`. Some have equal rows,
/// a single row, a single class.
pub fn cases(
    n_columns: usize,
    values: impl Strategy<Value = f64> + Clone + 'static,
) -> impl Strategy<Value = Case> {
    let n_rows = prop_oneof![Just(0_usize), Just(1), 2..24_usize];
    let n_classes = 1..5_u8;
    (n_rows, n_classes).prop_flat_map(move |(n_rows, n_classes)| {
        let distinct = prop::collection::vec(values.clone(), n_rows * n_columns);
        let equal = prop::collection::vec(values.clone(), n_columns).prop_map(move |row| row.repeat(n_rows));
        let cells = prop_oneof![5 => distinct.boxed(), 1 => equal.boxed()];
        let weight = prop_oneof![Just(0.0), Just(1.0), Just(2.0), 0.001..3.0_f64];
        (
            cells,
            prop::collection::vec(0..n_classes, n_rows),
            prop::collection::vec(weight, n_rows),
            0..=n_rows,
            Just((0..n_rows).collect::<Vec<_>>()).prop_shuffle(),
        )
            .prop_map(move |(cells, labels, weights, cut, order)| {
                let rows = Array2::from_shape_fn((n_rows, n_columns), |(row, column)| {
                    cells[row * n_columns + column]
                });
                Case { rows, labels, weights, cut, order }
            })
    })
}

/// Real numbers: small ones, equal ones, integers, huge offsets, tiny and huge sizes.
pub fn reals() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        -10.0..10.0_f64,
        -10.0..10.0_f64,
        (-3..4_i32).prop_map(f64::from),
        Just(0.1),
        Just(0.0),
        (-1.0..1.0_f64).prop_map(|x| 1e9 + x),
        (-1.0..1.0_f64).prop_map(|x| -1e12 + x),
        (-1.0..1.0_f64, -60..60_i32).prop_map(|(x, exponent)| x * 10.0_f64.powi(exponent)),
    ]
}

/// Small whole numbers, many of them zero.
pub fn counts() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![Just(0.0), (0..5_u32).prop_map(f64::from), (0..1_000_000_u32).prop_map(f64::from)]
}

/// Real numbers of every finite size: those of [`reals`], and others up to the largest and down to the
/// smallest doubles.
pub fn reals_of_any_size() -> impl Strategy<Value = f64> + Clone {
    let finite = |bits: u64| Some(f64::from_bits(bits)).filter(|value| value.is_finite()).unwrap_or(f64::MIN);
    prop_oneof![
        2 => reals(),
        1 => any::<u64>().prop_map(finite),
        1 => prop::sample::select(vec![0.0, 1e-310, -5e-324, 1e-160, -1e160, 1e308, f64::MAX]),
    ]
}

/// Whole numbers up to the largest double.
pub fn counts_of_any_size() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![3 => counts(), 1 => prop::sample::select(vec![1e150, 1e200, 1e300, f64::MAX])]
}
