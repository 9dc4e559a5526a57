//! The Dirichlet-multinomial classifier: reference numbers, the multinomial limit, refusals.

use nb_core::{Multinomial, NaiveBayes, Smoothing};
use nb_variants::{DirichletMultinomial, DirichletMultinomialError};
use ndarray::{Array2, array};

/// Rows with bursts, then rows without.
fn rows() -> (Array2<f64>, Vec<&'static str>) {
    let x = array![
        [6.0, 0.0, 1.0, 0.0],
        [0.0, 7.0, 2.0, 0.0],
        [5.0, 0.0, 1.0, 1.0],
        [0.0, 4.0, 0.0, 0.0],
        [1.0, 1.0, 3.0, 0.0],
        [2.0, 2.0, 1.0, 0.0],
        [3.0, 2.0, 2.0, 1.0],
        [2.0, 3.0, 1.0, 1.0],
        [3.0, 3.0, 1.0, 0.0],
    ];
    (x, vec!["a", "a", "a", "a", "a", "b", "b", "b", "b"])
}

/// SciPy 1.17.1: the α that maximise the likelihood of the rows of "a" and of `l` rows with a single
/// occurrence for each column, by `minimize` with BFGS, then Nelder-Mead, over `log α` of `gammaln(A) -
/// gammaln(A + n) + Σ gammaln(x + α) - gammaln(α)`.
const CONCENTRATIONS: [(f64, [f64; 4]); 2] = [
    (1.0, [0.491_885_936, 0.488_108_022, 0.512_558_520, 0.174_288_183]),
    (0.1, [0.538_202_008, 0.532_693_744, 0.557_129_878, 0.121_753_824]),
];

/// `log p(class)` and `scipy.stats.dirichlet_multinomial.logpmf` with the α of "a" for `l = 0.1`,
/// `multinomial.logpmf` with the smoothed shares of "b", normalised.
const POSTERIORS: [([f64; 4], [f64; 2]); 3] = [
    ([4.0, 1.0, 0.0, 0.0], [-0.517_212_700, -0.906_785_962]),
    ([2.0, 2.0, 1.0, 1.0], [-2.790_172_080, -0.063_377_218]),
    ([0.0, 0.0, 0.0, 3.0], [-0.022_176_018, -3.819_811_372]),
];

#[test]
fn numbers_are_those_of_scipy() {
    let (x, y) = rows();
    for (smoothing, expected) in CONCENTRATIONS {
        let classifier = DirichletMultinomial { smoothing }.fit(&x, &y).expect("fits");
        for (found, expected) in classifier.concentrations().row(0).iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-5, "{found}, not {expected}");
        }
        // No bursts: the multinomial limit.
        assert!((classifier.concentrations().row(1).sum() / 1e8 - 1.0).abs() < 1e-3);
    }
    let classifier = DirichletMultinomial { smoothing: 0.1 }.fit(&x, &y).expect("fits");
    for (row, expected) in POSTERIORS {
        let row = Array2::from_shape_fn((1, 4), |(_, column)| row[column]);
        let found = classifier.predict_log_proba(&row).expect("scores");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-5, "{found}, not {expected}");
        }
    }
}

#[test]
fn without_bursts_it_is_multinomial_naive_bayes() {
    // Rows of one class are spread more evenly than a multinomial distribution would.
    let x = array![[2.0, 2.0, 2.0], [4.0, 4.0, 4.0], [1.0, 3.0, 2.0], [2.0, 6.0, 4.0]];
    let y = [0, 0, 1, 1];
    let found =
        DirichletMultinomial::default().fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
    let multinomial =
        Multinomial { smoothing: Smoothing::new(1.0).expect("valid"), ..Multinomial::default() };
    let expected =
        NaiveBayes::new(multinomial).fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let (x, y) = rows();
    let order = [8, 3, 1, 5, 0, 7, 2, 6, 4];
    let (other_x, other_y) =
        (x.select(ndarray::Axis(0), &order), order.iter().map(|&row| y[row]).collect::<Vec<_>>());
    let fit = |x: &Array2<f64>, y: &[&'static str]| DirichletMultinomial::default().fit(x, y).expect("fits");
    assert_eq!(fit(&x, &y), fit(&other_x, &other_y));
}

#[test]
fn rows_without_any_count_have_the_priors() {
    let (x, y) = rows();
    let classifier = DirichletMultinomial::default().fit(&x, &y).expect("fits");
    let found = classifier.predict_log_proba(&Array2::<f64>::zeros((1, 4))).expect("scores");
    assert!((found[[0, 0]] - (5.0_f64 / 9.0).ln()).abs() < 1e-14, "{found}");
    // A class of empty rows alone is one of single occurrences, and a huge count is scored.
    let classifier =
        DirichletMultinomial::default().fit(&array![[0.0, 0.0], [1e9, 3.0]], &[0, 1]).expect("fits");
    let found = classifier.predict_log_proba(&array![[4e9, 1.0]]).expect("scores");
    assert!(found.iter().all(|score| !score.is_nan()), "{found}");
}

#[test]
fn what_is_wrong_is_named() {
    let fit =
        |smoothing, x: &Array2<f64>, y: &[u8]| DirichletMultinomial { smoothing }.fit(x, y).unwrap_err();
    let x = array![[1.0, 2.0], [0.0, 1.0]];
    for smoothing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = fit(smoothing, &x, &[0, 1]);
        assert!(matches!(refused, DirichletMultinomialError::Smoothing { .. }), "{refused}");
    }
    assert_eq!(fit(1.0, &x, &[0]).to_string(), "rows: 2, labels: 1; give one label per row");
    assert_eq!(
        fit(1.0, &Array2::zeros((0, 2)), &[]),
        DirichletMultinomialError::NoData { rows: 0, columns: 2 }
    );
    for (value, words) in [(0.5, "whole"), (-1.0, "negative"), (f64::NAN, "missing"), (1e12, "2^32")] {
        let refused = fit(1.0, &array![[1.0, 2.0], [0.0, value]], &[0, 1]).to_string();
        assert!(refused.starts_with("row 1, column 1: ") && refused.contains(words), "{refused}");
    }
    let classifier = DirichletMultinomial::default().fit(&x, &[0, 1]).expect("fits");
    assert!(classifier.predict(&array![[1.0]]).is_err() && classifier.predict(&array![[1.0, 0.5]]).is_err());
}
