//! MODL: cut points of real columns, and of columns that are too large for the exact search.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_variants::{Cuts, DiscretiseError};
use ndarray::{Array2, array, s};

/// The optimum by dynamic programming over all discretisations of up to 12 intervals (16 for `breast_cancer`,
/// where the search of the paper misses that of a column), in Python.
const OPTIMA: [(&str, &[&[f64]]); 4] = [
    ("iris", &[&[5.45, 6.15], &[2.95, 3.35], &[2.45, 4.75], &[0.8, 1.75]]),
    (
        "wine",
        &[
            &[12.78, 13.715],
            &[1.42, 2.235],
            &[2.03],
            &[17.9],
            &[88.5],
            &[1.84, 2.335],
            &[0.975, 1.575, 2.31],
            &[0.395],
        ],
    ),
    (
        "breast_cancer",
        &[
            &[13.095, 15.045, 16.925],
            &[16.395, 19.61],
            &[85.25, 98.755, 108.6],
            &[529.8, 696.25, 883.25],
            &[0.089465],
            &[0.10215, 0.15525],
            &[0.072265, 0.11185],
            &[0.026805, 0.04923, 0.079005],
            &[0.17155, 0.20865],
            &[0.05535],
            &[0.19365, 0.38585, 0.54785],
            &[],
            &[1.751, 2.762, 5.131],
            &[18.515, 31.285, 53.78],
            &[],
            &[0.01838],
            &[0.011, 0.02111],
            &[0.0090655, 0.011965],
            &[0.043635],
            &[0.003116],
            &[14.905, 16.795, 18.225],
            &[23.35, 29.295],
            &[101.65, 117.45],
            &[696.05, 884.55, 1033.5],
            &[0.13615],
            &[0.17925, 0.3456],
            &[0.20795, 0.3663],
            &[0.10955, 0.14545, 0.17575],
            &[0.28065, 0.36085],
            &[0.09279],
        ],
    ),
    (
        "pima",
        &[&[6.5], &[99.5, 127.5, 154.5], &[], &[7.5, 23.5], &[14.5, 109.0], &[27.85], &[0.5275], &[28.5]],
    ),
];

#[test]
fn cuts_of_real_columns_are_the_optimum() {
    for (name, optima) in OPTIMA {
        let set = nb_datasets::load(name).expect("embedded");
        let x = set.x();
        let cuts = Cuts::modl(&x.slice(s![.., ..optima.len()]), &set.y()).expect("learns");
        for (column, optimum) in optima.iter().enumerate() {
            let found = cuts.column(column);
            let is_near = found.iter().zip(*optimum).all(|(found, cut)| (found - cut).abs() < 1e-9);
            assert!(found.len() == optimum.len() && is_near, "{name} {column}: {found:?}, not {optimum:?}");
        }
    }
}

/// Columns with more boundary points than are searched exactly.
#[test]
fn large_columns_have_cuts_nearby() {
    let n = 12_000;
    // Three intervals, each with a tenth of the rows of the other class, and noise.
    let x = Array2::from_shape_fn((n, 3), |(row, column)| match column {
        0 => row as f64,
        1 => (row % 64) as f64,
        _ => (row * 7919 % n) as f64,
    });
    let labels: Vec<usize> =
        (0..n).map(|row| usize::from((4000..8000).contains(&row) != (row % 10 == 3))).collect();
    assert_eq!(Cuts::modl_is_exact(&x, &labels).expect("finite"), [true, true, false]);
    let cuts = Cuts::modl(&x, &labels).expect("learns");
    assert_eq!(cuts.column(0), [3999.5, 7999.5]);
    assert_eq!((cuts.n_bins(1), cuts.n_bins(2)), (1, 1));
    let refused = Cuts::modl_is_exact(&x, &labels[1..]);
    assert_eq!(refused, Err(DiscretiseError::Labels { rows: n, labels: n - 1 }));
}

#[test]
fn cuts_do_not_depend_on_the_order_of_rows() {
    let set = nb_datasets::load("wine").expect("embedded");
    let (x, y) = (set.x(), set.y());
    let backwards = x.slice(s![..;-1, ..]);
    let labels: Vec<&str> = y.iter().rev().copied().collect();
    assert_eq!(Cuts::modl(&x, &y).expect("learns"), Cuts::modl(&backwards, &labels).expect("learns"));
}

#[test]
fn rows_without_information_have_no_cut() {
    let x = array![[1.0, 5.0], [2.0, f64::NAN], [3.0, f64::NAN], [4.0, 5.0]];
    let cuts = Cuts::modl(&x, &["a", "b", "a", "b"]).expect("learns");
    assert_eq!((cuts.n_bins(0), cuts.n_bins(1)), (1, 1));
    let one_class = Cuts::modl(&x, &["a"; 4]).expect("learns");
    assert_eq!((one_class.n_bins(0), one_class.n_bins(1)), (1, 1));
    let refused = Cuts::modl(&x, &["a"; 3]);
    assert_eq!(refused, Err(DiscretiseError::Labels { rows: 4, labels: 3 }));
    let infinite = Cuts::modl(&array![[f64::INFINITY]], &["a"]);
    assert!(matches!(infinite, Err(DiscretiseError::Infinite { .. })));
}
