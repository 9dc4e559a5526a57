//! MODL: cut points of real columns, by exact search elsewhere.

use nb_variants::{Cuts, DiscretiseError};
use ndarray::{array, s};

/// The optimum by dynamic programming over all discretisations of up to 12 intervals, in Python.
const OPTIMA: [(&str, &[&[f64]]); 3] = [
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
