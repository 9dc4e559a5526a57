//! The same bits with any number of threads.

use nb_core::{
    Gaussian, NaiveBayes, Rows, SufficientStats, VarianceSmoothing,
    error::{FitError, FitRowsError, UpdateError},
    selection::{FoldAssignment, FoldedStats},
};
use ndarray::{Array2, ArrayView2, Axis};

fn rows() -> (Array2<f64>, Vec<usize>) {
    let mut state = 1_u64;
    let x = Array2::from_shape_simple_fn((60_000, 5), || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        1e6 + (state >> 11) as f64 / (1_u64 << 53) as f64
    });
    let y = (0..60_000).map(|row| row % 3).collect();
    (x, y)
}

pub(crate) fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
}

#[test]
fn parallel_equals_sequential() {
    let (x, y) = rows();
    let gaussian = Gaussian::default();
    let run = || {
        let mut stats = SufficientStats::new(&gaussian, x.n_columns()).expect("columns");
        stats.update(&gaussian, &x, &y).expect("valid rows");
        let classifier = NaiveBayes::new(gaussian).fit_stats(&stats).expect("fits");
        (stats, classifier.predict(&x).expect("scores"), classifier.predict_log_proba(&x).expect("scores"))
    };
    let sequential = with_threads(1, run);
    for threads in [2, 3, 8] {
        assert_eq!(with_threads(threads, run), sequential, "{threads} threads");
    }
}

#[test]
fn wide_models_are_fitted_in_pieces_as_their_columns_are_alone() {
    let n_columns = 2_500;
    let x = Array2::from_shape_fn((12, n_columns), |(row, column)| {
        // Of different sizes, one column without information, and one that is constant in a class.
        match column {
            1_500 => 7.0,
            1_700 if row % 3 == 1 => -2.5,
            _ => ((row * 7919 + column * 104_729) % 1013) as f64 * [1e-4, 1e-2, 1.0, 1e4][column % 4],
        }
    });
    let y: Vec<usize> = (0..12).map(|row| row % 3).collect();
    let smoothings = [
        VarianceSmoothing::default(),
        VarianceSmoothing::LargestVariance(1e-9),
        VarianceSmoothing::AbsoluteFloor(1e-3),
    ];
    for smoothing in smoothings {
        let naive_bayes = NaiveBayes::new(Gaussian { smoothing, ..Gaussian::default() });
        let fit = || naive_bayes.fit(&x, &y).expect("fits").likelihood().clone();
        let wide = with_threads(1, fit);
        for threads in [2, 5] {
            let again = with_threads(threads, fit);
            assert_eq!(
                (again.means(), again.variances()),
                (wide.means(), wide.variances()),
                "{threads} threads"
            );
        }
        // The largest variance is that of one column; all others come with it.
        let largest = (0..n_columns)
            .max_by(|&a, &b| x.column(a).var(0.0).total_cmp(&x.column(b).var(0.0)))
            .expect("columns");
        for column in [0, 1, 1_023, 1_024, 1_500, 1_700, 2_047, 2_048, 2_499] {
            let alone = naive_bayes.fit(&x.select(Axis(1), &[column, largest]), &y).expect("fits");
            let alone = alone.likelihood();
            assert_eq!(alone.means().column(0), wide.means().column(column), "{smoothing:?}, {column}");
            assert_eq!(
                alone.variances().column(0),
                wide.variances().column(column),
                "{smoothing:?}, {column}"
            );
            assert_eq!(alone.mean_rests().column(0), wide.mean_rests().column(column));
        }
    }
}

#[test]
fn wide_statistics_merge_class_by_class_whatever_classes_each_has_seen() {
    let (n_columns, classes) = (12_000, [["b", "c", "d", "f"], ["a", "c", "e", "f"]]);
    let x = Array2::from_shape_fn((8, n_columns), |(row, column)| {
        ((row * 7919 + column * 104_729) % 1013) as f64 * 0.1 - 20.0
    });
    let gaussian = Gaussian::default();
    let stats_of = |x: ArrayView2<'_, f64>, labels: &[&'static str]| {
        let mut stats = SufficientStats::new(&gaussian, n_columns).expect("columns");
        stats.update(&gaussian, &x, labels).expect("valid rows");
        stats
    };
    let all = stats_of(x.view(), classes.as_flattened());
    let (first, second) = x.view().split_at(Axis(0), 4);
    let halves = [stats_of(first, &classes[0]), stats_of(second, &classes[1])];
    for threads in [1, 2, 5] {
        let merged = with_threads(threads, || {
            let mut merged = halves[0].clone();
            merged.merge(&halves[1]).expect("they match");
            merged
        });
        assert_eq!(merged, all, "{threads} threads");
    }
}

#[test]
fn of_several_columns_that_cannot_be_fitted_the_first_of_the_first_class_is_named() {
    let mut x = Array2::from_shape_fn((6, 2_100), |(row, column)| (row * 31 + column) as f64);
    let y: Vec<usize> = (0..6).map(|row| row % 2).collect();
    // The second class has a constant column before those of the first.
    for (class, column) in [(1, 5), (0, 2_050), (0, 1_100)] {
        (class..6).step_by(2).for_each(|row| x[[row, column]] = 1.0);
    }
    let naive_bayes = NaiveBayes::new(Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() });
    for threads in [1, 4] {
        let error = with_threads(threads, || naive_bayes.fit(&x, &y)).expect_err("a variance of zero");
        let FitRowsError::Fit(FitError::Family(error)) = error else { panic!("{error:?}") };
        assert_eq!((error.class, error.column), (0, 1_100), "{threads} threads");
    }
}

#[test]
fn folds_in_parallel_equal_folds_in_sequence() {
    let (x, y) = rows();
    let gaussian = Gaussian::default();
    let run = || {
        let mut folds =
            FoldedStats::new(&gaussian, x.n_columns(), 7, FoldAssignment::Plain).expect("columns");
        folds.update(&gaussian, &x, &y).expect("valid rows");
        folds
    };
    let sequential = with_threads(1, run);
    assert_eq!(with_threads(3, run), sequential);
}

#[test]
fn the_first_bad_row_is_reported() {
    let (mut x, y) = rows();
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("fits");
    x[[50_000, 4]] = f64::NAN;
    x[[20_001, 2]] = f64::INFINITY;
    let gaussian = Gaussian::default();
    let error =
        with_threads(4, || SufficientStats::new(&gaussian, 5).expect("columns").update(&gaussian, &x, &y));
    let Err(UpdateError::Value(error)) = error else { panic!("{error:?}") };
    assert_eq!((error.row, error.column), (20_001, 2));
    let error = with_threads(4, || classifier.predict(&x)).expect_err("an infinite value");
    assert!(error.to_string().starts_with("row 20001, column 2: inf is infinite"), "{error}");
}
