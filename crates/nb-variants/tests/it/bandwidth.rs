//! Rules for the bandwidths of kernel densities: those of R, their units, and the same bits from the same
//! rows.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{Missing, NaiveBayes, SufficientStats};
use nb_variants::{Bandwidth, Grid, KernelDensity};
use ndarray::{Array2, s};
use proptest::prelude::*;

/// The rules that do not depend on units.
const FREE_OF_UNITS: [Bandwidth; 4] =
    [Bandwidth::Silverman, Bandwidth::Scott, Bandwidth::SheatherJones, Bandwidth::CrossValidation];

/// Mean annual precipitation of 70 cities in the United States, in inches (McNeil 1977; `precip` of R).
const PRECIPITATION: [f64; 70] = [
    67.0, 54.7, 7.0, 48.5, 14.0, 17.2, 20.7, 13.0, 43.4, 40.2, 38.9, 54.5, 59.8, 48.3, 22.9, 11.5, 34.4,
    35.1, 38.7, 30.8, 30.6, 43.1, 56.8, 40.8, 41.8, 42.5, 31.0, 31.7, 30.2, 25.9, 49.2, 37.0, 35.9, 15.0,
    30.2, 7.2, 36.2, 45.5, 7.8, 33.4, 36.1, 40.2, 42.7, 42.5, 16.2, 39.0, 35.0, 37.0, 31.4, 37.6, 39.9, 36.2,
    42.8, 46.4, 24.7, 49.1, 46.0, 35.9, 7.8, 48.2, 15.2, 32.5, 44.7, 42.6, 38.8, 17.4, 40.8, 29.1, 14.6,
    59.2,
];

/// The bandwidths of one class on a grid.
fn bandwidths(values: &[f64], grid: Grid) -> [f64; 4] {
    let rows = Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row]);
    FREE_OF_UNITS.map(|bandwidth| {
        let kernel = KernelDensity { bandwidth, ..KernelDensity::new(vec![grid]) };
        let fit = NaiveBayes::new(kernel).fit(&rows, &vec![(); values.len()]).expect("fits");
        fit.likelihood().bandwidths()[[0, 0]]
    })
}

/// R 4.2.2: `bw.nrd0(v)`, `bw.nrd(v)`, `bw.SJ(v, nb = 100000, tol = 1e-9)` and `bw.ucv(v, nb = 100000, tol =
/// 1e-9)` of `precip` and of the sepal length of virginica and of versicolor.
#[test]
fn bandwidths_are_those_of_r() {
    let iris = nb_datasets::load("iris").expect("embedded");
    let (versicolor, virginica) =
        (iris.x().slice(s![50..100, 0]).to_vec(), iris.x().slice(s![100.., 0]).to_vec());
    let expected = [
        (
            PRECIPITATION.to_vec(),
            [3.8478922426, 4.5319619746, 3.9420258753, 4.8539632254],
            // R interpolates quartiles between values; those of the plug-in rule only decide where it
            // starts.
            [0.025, 0.025, 3e-3, 1e-5],
        ),
        (virginica, [0.2073229993, 0.2441804214, 0.2402790730, 0.3167965052], [0.04, 0.04, 0.016, 1e-4]),
        (
            // The standard deviation decides, and for cross-validation the upper end; R's are larger by √(50
            // / 49).
            versicolor,
            [0.2124429059, 0.2502105336, 0.2393009689, 0.2700385309],
            [0.0102; 4],
        ),
    ];
    for (values, expected, tolerance) in expected {
        let found = bandwidths(&values, Grid::new(0.0, 0.02, 4000).expect("valid"));
        for rule in 0..4 {
            let error = (found[rule] / expected[rule] - 1.0).abs();
            assert!(error < tolerance[rule], "{:?}: {found:?}, not {expected:?}", FREE_OF_UNITS[rule]);
        }
    }
}

#[test]
fn several_peaks_have_narrow_kernels_by_the_shape_of_the_data() {
    let values: Vec<f64> = (0..100_u32).map(|row| f64::from(row % 10) + f64::from(row % 2) * 300.0).collect();
    let [silverman, scott, plug_in, cross_validated] =
        bandwidths(&values, Grid::new(0.0, 0.1, 4000).expect("valid"));
    assert!(silverman > 50.0 && scott > silverman, "{silverman}, {scott}");
    assert!(plug_in < 10.0, "{plug_in}");
    // The least one that is looked at: 0.1144 s n^(-1/5).
    assert!((cross_validated / silverman - 0.1144 / 0.9).abs() < 1e-6, "{cross_validated}");
}

fn samples() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![-3.0..3.0_f64, 20.0..21.0_f64, Just(0.5)], 8..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn bandwidths_scale_with_the_unit(values in samples(), fine in 1024.0_f64..1025.0) {
        let kernel = |factor: f64| -> [f64; 4] {
            let rows = Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row] * factor);
            let grid = KernelDensity::for_rows(&rows, 301, Missing::Error).expect("learns").grids[0];
            bandwidths(&rows.column(0).to_vec(), grid)
        };
        let plain = kernel(1.0);
        // A power of two changes no digit, and other factors no more than places between points are rounded.
        prop_assert_eq!(kernel(1024.0), plain.map(|bandwidth| bandwidth * 1024.0));
        for (scaled, plain) in kernel(fine).into_iter().zip(plain) {
            prop_assert!((scaled / (fine * plain) - 1.0).abs() < 1e-3, "{scaled}, {plain}");
        }
    }

    #[test]
    fn bandwidths_are_functions_of_the_sums(values in samples(), cut in 1_usize..7) {
        let rows = Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row]);
        let labels = vec!["a"; values.len()];
        for bandwidth in FREE_OF_UNITS {
            let kernel = KernelDensity { bandwidth, ..KernelDensity::new(vec![Grid::new(-4.0, 0.1, 261).expect("valid")]) };
            let estimator = NaiveBayes::new(kernel.clone());
            let whole = estimator.fit(&rows, &labels).expect("fits");
            let mut parts = SufficientStats::new(&kernel, 1).expect("valid");
            parts.update(&kernel, &rows.slice(s![cut.., ..]).to_owned(), &labels[cut..]).expect("adds");
            parts.update(&kernel, &rows, &labels).expect("adds");
            parts.update(&kernel, &rows.slice(s![..cut, ..]).to_owned(), &labels[..cut]).expect("adds");
            parts.retract(&kernel, &rows, &labels).expect("was added");
            let parts = estimator.fit_stats(&parts).expect("fits");
            prop_assert_eq!(whole.likelihood(), parts.likelihood());
        }
    }
}
