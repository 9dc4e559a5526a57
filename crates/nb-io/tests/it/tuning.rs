//! Hyper-parameters chosen from the statistics of folds are those that cross-validation with the rows would
//! choose.

use nb_core::{
    Bernoulli, Categorical, Categories, FeatureModel, Gaussian, NaiveBayes, Smoothing, VarianceSmoothing,
    selection::{FoldAssignment, FoldedStats},
};
use nb_io::Family;
use ndarray::{Array2, Axis};

const FOLDS: usize = 5;

/// The mean log-likelihood of the rows held out, by fitting and scoring rows.
fn with_rows(family: &Family, x: &Array2<f64>, y: &[&str], fold_of: &[usize]) -> f64 {
    let mut sum = 0.0;
    for fold in 0..FOLDS {
        let (held_out, kept): (Vec<usize>, Vec<usize>) = (0..y.len()).partition(|&row| fold_of[row] == fold);
        let labels: Vec<&str> = kept.iter().map(|&row| y[row]).collect();
        let classifier = NaiveBayes::new(family).fit(&x.select(Axis(0), &kept), &labels).expect("fits");
        let joint = classifier.joint_log_likelihood(&x.select(Axis(0), &held_out)).expect("scores");
        let classes = held_out.iter().map(|&row| classifier.classes().binary_search(&y[row]).expect("known"));
        sum += classes.enumerate().map(|(place, class)| joint[[place, class]]).sum::<f64>();
    }
    sum / y.len() as f64
}

/// The place of the best candidate, which both ways must find.
fn choose(candidates: &[Family], x: &Array2<f64>, y: &[&str]) -> usize {
    let mut folds =
        FoldedStats::new(&candidates[0], x.ncols(), FOLDS, FoldAssignment::Plain).expect("a layout");
    for first in (0..y.len()).step_by(64) {
        let piece = first..y.len().min(first + 64);
        let rows = x.slice(ndarray::s![piece.clone(), ..]);
        folds.update(&candidates[0], &rows, &y[piece]).expect("valid rows");
    }
    let fold_of: Vec<usize> = (0..y.len()).map(|row| row % FOLDS).collect();
    let candidates: Vec<_> = candidates.iter().map(NaiveBayes::new).collect();
    let of_folds: Vec<f64> = folds
        .cross_validate_each(&candidates)
        .into_iter()
        .map(|result| result.expect("fits and scores").mean())
        .collect();
    let of_rows: Vec<f64> =
        candidates.iter().map(|candidate| with_rows(candidate.model, x, y, &fold_of)).collect();
    for (a, b) in of_folds.iter().zip(&of_rows) {
        assert!(a == b || (a - b).abs() <= 1e-12 * b.abs(), "{a} from statistics, {b} from rows");
    }
    let best = |means: &[f64]| (0..means.len()).max_by(|&a, &b| means[a].total_cmp(&means[b]));
    assert_eq!(best(&of_folds), best(&of_rows));
    best(&of_folds).expect("there are candidates")
}

fn smoothings() -> impl Iterator<Item = Smoothing> {
    [0.0, 1e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0]
        .into_iter()
        .map(|l| Smoothing::new(l).expect("valid"))
}

#[test]
fn smoothing_of_votes() {
    let votes = nb_datasets::load("housevotes84").expect("embedded");
    let codes = votes.x().mapv(|vote| if vote.is_nan() { 2.0 } else { vote });
    let y = votes.y();
    let n_columns = codes.ncols();
    let categorical = smoothings().map(|smoothing| {
        let categories = Categories::Declared(vec![3; n_columns]);
        Family::Categorical(Categorical { categories, smoothing, ..Categorical::default() })
    });
    let best = choose(&categorical.collect::<Vec<_>>(), &codes, &y);
    assert!((1..9).contains(&best), "candidate {best} is at an end");
    let bernoulli = smoothings()
        .map(|smoothing| Family::Bernoulli(Bernoulli { smoothing, threshold: 0.5, ..Bernoulli::default() }));
    let best = choose(&bernoulli.collect::<Vec<_>>(), &codes, &y);
    assert!((1..9).contains(&best), "candidate {best} is at an end");
}

#[test]
fn smoothing_of_variances() {
    let iris = nb_datasets::load("iris").expect("embedded");
    let shares = [1e-12, 1e-9, 1e-3, 0.01, 0.03, 0.1, 1.0];
    let candidates = shares.map(|share| {
        let smoothing = VarianceSmoothing::LargestVariance(share);
        Family::Gaussian(Gaussian { smoothing, ..Gaussian::default() })
    });
    let best = choose(&candidates, &iris.x(), &iris.y());
    assert!(best < 6, "blurring all columns cannot be best");
    // The same far from zero.
    assert_eq!(choose(&candidates, &(iris.x() + 1e9), &iris.y()), best);
    assert!(candidates[best].layout(4).is_ok());
}
