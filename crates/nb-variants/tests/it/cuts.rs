//! Cut points that do not look at labels, and what is refused.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::CsrView;
use nb_variants::{Cuts, CutsError, DiscretiseError};
use ndarray::{Array2, array};
use proptest::prelude::*;

fn column(values: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row])
}

/// How many rows are in each bin.
fn sizes(cuts: &Cuts, x: &Array2<f64>) -> Vec<usize> {
    let mut sizes = vec![0; cuts.n_bins(0)];
    for bin in cuts.bins(x).expect("finite").iter().filter(|bin| !bin.is_nan()) {
        sizes[*bin as usize] += 1;
    }
    sizes
}

// scikit-learn 1.9.1: KBinsDiscretizer(k, encode="ordinal", strategy="uniform",
// subsample=None).fit(x).bin_edges_, the inner ones.
#[test]
fn equal_widths_agree_with_scikit_learn() {
    let close = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 4e-16 * b;
        assert!(found.iter().zip(expected).all(near), "{found:?} {expected:?}");
    };
    let wine = Cuts::equal_width(&nb_datasets::load("wine").expect("embedded").x(), 4).expect("finite");
    close(wine.column(0), &[11.98, 12.93, 13.879999999999999]);
    close(wine.column(1), &[2.005, 3.2699999999999996, 4.535]);
    close(wine.column(2), &[1.8275000000000001, 2.295, 2.7625]);
    let iris = Cuts::equal_width(&nb_datasets::load("iris").expect("embedded").x(), 7).expect("finite");
    let expected = [
        1.842857142857143,
        2.685714285714286,
        3.5285714285714285,
        4.371428571428572,
        5.214285714285714,
        6.057142857142857,
    ];
    close(iris.column(2), &expected);
}

// scikit-learn 1.9.1: np.bincount(KBinsDiscretizer(k, encode="ordinal", strategy="quantile",
// quantile_method="linear", subsample=None).fit_transform(x)[:, 0].astype(int)). Its quantiles lie between
// the same neighbours wherever k divides n; for k = 7 they do not, and its bins have 9, 8, 9, 8, 9, 8 and 9
// rows.
#[test]
fn equal_frequencies_agree_with_scikit_learn() {
    let x = Array2::from_shape_fn((60, 1), |(row, _)| (row * 7919 % 1009) as f64);
    for n_bins in [2, 3, 4, 5, 6, 10, 12, 15] {
        let cuts = Cuts::equal_frequency(&x, n_bins).expect("finite");
        assert_eq!(sizes(&cuts, &x), vec![60 / n_bins; n_bins]);
    }
    let cuts = Cuts::equal_frequency(&x, 5).expect("finite");
    let bins = cuts.bins(&x).expect("finite");
    let expected = [0, 4, 3, 2, 2, 1, 0, 4, 3, 3, 2, 1, 0, 0, 4, 3, 2, 2, 1, 0].map(f64::from);
    assert_eq!(bins.iter().take(20).copied().collect::<Vec<_>>(), expected);
    let seven = Cuts::equal_frequency(&x, 7).expect("finite");
    assert_eq!(sizes(&seven, &x), [9, 8, 9, 8, 9, 8, 9]);
}

#[test]
fn equal_values_stay_together() {
    let x = column(&[1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0]);
    // Of 8 rows 4 should lie below: 1 and 7 are equally near, and the lower is taken.
    assert_eq!(Cuts::equal_frequency(&x, 2).expect("finite").column(0), [1.5]);
    assert_eq!(Cuts::equal_frequency(&x, 4).expect("finite").column(0), [1.5, 2.5]);
    assert_eq!(Cuts::equal_frequency(&x, 1000).expect("finite").column(0), [1.5, 2.5]);
    assert_eq!(Cuts::equal_frequency(&x, 1).expect("finite").n_bins(0), 1);
    assert_eq!(Cuts::equal_frequency(&column(&[7.0; 5]), 3).expect("finite").n_bins(0), 1);
    assert_eq!(Cuts::equal_width(&column(&[7.0; 5]), 3).expect("finite").n_bins(0), 1);
    assert_eq!(Cuts::equal_width(&column(&[]), 3).expect("finite").n_bins(0), 1);
    assert_eq!(Cuts::proportional(&column(&[])).expect("finite").n_bins(0), 1);
    assert_eq!(Cuts::proportional(&x).expect("finite").column(0), [1.5]); // √8 is 2
}

#[test]
fn missing_cells_are_left_out_and_unstored_ones_are_zero() {
    let nan = f64::NAN;
    let x = column(&[nan, 1.0, nan, 4.0, nan]);
    assert_eq!(Cuts::equal_width(&x, 3).expect("finite").column(0), [2.0, 3.0]);
    assert_eq!(Cuts::equal_frequency(&x, 2).expect("finite").column(0), [2.5]);
    let bins = Cuts::equal_frequency(&x, 2).expect("finite").bins(&x).expect("finite");
    assert!(bins[[0, 0]].is_nan() && bins[[1, 0]] == 0.0 && bins[[3, 0]] == 1.0);
    let sparse = CsrView::new(1, &[0, 0, 1, 1, 2], &[0, 0], &[-2.0, 6.0]).expect("valid");
    assert_eq!(Cuts::equal_width(&sparse, 4).expect("finite").column(0), [0.0, 2.0, 4.0]);
    assert_eq!(Cuts::equal_frequency(&sparse, 2).expect("finite").column(0), [-1.0]);
    assert_eq!(
        Cuts::mdl(&sparse, &[0, 1, 0, 0]).expect("finite"),
        Cuts::mdl(&column(&[0.0, -2.0, 0.0, 6.0]), &[0, 1, 0, 0]).expect("finite")
    );
}

#[test]
fn ranges_beyond_the_largest_double_are_cut() {
    let x = column(&[-f64::MAX, f64::MAX]);
    assert_eq!(Cuts::equal_width(&x, 2).expect("finite").column(0), [0.0]);
    assert_eq!(Cuts::equal_frequency(&x, 2).expect("finite").column(0), [0.0]);
    // Between neighbours there is no room for ten bins.
    let x = column(&[1.0, 1.0_f64.next_up()]);
    assert_eq!(Cuts::equal_width(&x, 10).expect("finite").column(0), [1.0]);
    assert_eq!(sizes(&Cuts::equal_width(&x, 10).expect("finite"), &x), [1, 1]);
}

#[test]
fn what_cannot_be_is_refused() {
    let x = column(&[1.0, f64::INFINITY]);
    let infinite = DiscretiseError::Infinite { row: 1, column: 0, value: f64::INFINITY };
    assert_eq!(Cuts::equal_width(&x, 2), Err(infinite));
    assert_eq!(Cuts::equal_frequency(&x, 2), Err(infinite));
    assert_eq!(Cuts::proportional(&x), Err(infinite));
    assert_eq!(Cuts::mdl(&x, &[0, 1]), Err(infinite));
    assert_eq!(Cuts::mdl(&x, &[0]), Err(DiscretiseError::Labels { rows: 2, labels: 1 }));
    assert_eq!(Cuts::equal_width(&x, 0), Err(DiscretiseError::NoBins));
    assert_eq!(Cuts::equal_frequency(&x, 0), Err(DiscretiseError::NoBins));
    for learnt in [Cuts::equal_width(&x, usize::MAX), Cuts::equal_frequency(&x, usize::MAX)] {
        let error = DiscretiseError::Cuts(CutsError::TooManyBins { n_bins: usize::MAX, most: 1 << 24 });
        assert_eq!(learnt, Err(error));
    }
    let cuts = Cuts::new(vec![vec![1.0], vec![]]).expect("valid");
    assert_eq!(cuts.bins(&x), Err(DiscretiseError::Columns { expected: 2, found: 1 }));
    let wide = array![[0.0, f64::NEG_INFINITY]];
    assert_eq!(
        cuts.bins(&wide),
        Err(DiscretiseError::Infinite { row: 0, column: 1, value: f64::NEG_INFINITY })
    );
    assert_eq!(
        Cuts::new(vec![vec![], vec![1.0, 1.0]]),
        Err(CutsError::Order { column: 1, position: 1, cut: 1.0 })
    );
    assert!(matches!(
        Cuts::new(vec![vec![0.0, f64::NAN]]),
        Err(CutsError::NotFinite { column: 0, position: 1, .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bins_of_different_values_differ_by_one_row(n_rows in 1..80_usize, n_bins in 1..100_usize) {
        let x = Array2::from_shape_fn((n_rows, 1), |(row, _)| (row * 37 % 89) as f64);
        let sizes = sizes(&Cuts::equal_frequency(&x, n_bins).expect("finite"), &x);
        prop_assert_eq!(sizes.len(), n_bins.min(n_rows));
        prop_assert!(sizes.iter().max() <= sizes.iter().min().map(|least| least + 1).as_ref());
    }

    /// Whatever the numbers, every cut has training rows on both sides, and bins follow the order of values.
    #[test]
    fn cuts_divide(values in prop::collection::vec(any::<f64>(), 1..40), n_bins in 1..12_usize, seed in any::<u64>()) {
        let values: Vec<f64> = values.into_iter().filter(|value| !value.is_infinite()).collect();
        let x = column(&values);
        let labels: Vec<u64> = (0..values.len() as u64).map(|row| (seed >> (row % 61)) & 1).collect();
        for cuts in [
            Cuts::equal_frequency(&x, n_bins),
            Cuts::proportional(&x),
            Cuts::mdl(&x, &labels),
            Cuts::equal_width(&x, n_bins),
        ] {
            let cuts = cuts.expect("finite");
            for cut in cuts.column(0) {
                prop_assert!(values.iter().any(|value| value <= cut) && values.iter().any(|value| value > cut));
            }
            let bins = cuts.bins(&x).expect("finite");
            for (value, bin) in values.iter().zip(&bins) {
                prop_assert_eq!(value.is_nan(), bin.is_nan());
                for (other, other_bin) in values.iter().zip(&bins) {
                    prop_assert!(!(value <= other && bin > other_bin));
                }
            }
        }
    }
}
