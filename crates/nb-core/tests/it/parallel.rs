//! The same bits with any number of threads.

use nb_core::{Dealing, FoldedStats, Gaussian, NaiveBayes, Rows, SufficientStats, UpdateError};
use ndarray::Array2;

fn rows() -> (Array2<f64>, Vec<usize>) {
    let mut state = 1_u64;
    let x = Array2::from_shape_simple_fn((60_000, 5), || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        1e6 + (state >> 11) as f64 / (1_u64 << 53) as f64
    });
    let y = (0..60_000).map(|row| row % 3).collect();
    (x, y)
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
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
fn folds_in_parallel_equal_folds_in_sequence() {
    let (x, y) = rows();
    let gaussian = Gaussian::default();
    let run = || {
        let mut folds = FoldedStats::new(&gaussian, x.n_columns(), 7, Dealing::Plain).expect("columns");
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
