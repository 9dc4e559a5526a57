//! Cross-validation from statistics says what it says with the rows.

use nb_core::{
    Bernoulli, Complement, FeatureModel, Gaussian, Multinomial, NaiveBayes, Smoothing, VarianceSmoothing,
    error::{CrossValidationError, FitError, LikelihoodError},
    selection::{FoldAssignment, FoldedStats},
};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

/// The mean log-likelihood of rows held out, by fitting and scoring the rows.
fn brute_force<M: FeatureModel>(
    naive_bayes: &NaiveBayes<M>,
    x: &Array2<f64>,
    y: &[u8],
    fold_of: &[usize],
    n_folds: usize,
) -> Option<f64> {
    let mut sum = 0.0;
    for fold in 0..n_folds {
        let (held_out, kept): (Vec<usize>, Vec<usize>) = (0..y.len()).partition(|&row| fold_of[row] == fold);
        if held_out.is_empty() {
            continue;
        }
        let labels: Vec<u8> = kept.iter().map(|&row| y[row]).collect();
        let classifier = naive_bayes.fit(&x.select(Axis(0), &kept), &labels).ok()?;
        let joint = classifier.joint_log_likelihood(&x.select(Axis(0), &held_out)).ok()?;
        for (place, &row) in held_out.iter().enumerate() {
            let class = classifier.classes().binary_search(&y[row]);
            sum += class.map_or(f64::NEG_INFINITY, |class| joint[[place, class]]);
        }
    }
    Some(sum / y.len() as f64)
}

fn agree<M: FeatureModel>(naive_bayes: &NaiveBayes<M>, x: &Array2<f64>, y: &[u8], n_folds: usize) {
    let fold_of: Vec<usize> = (0..y.len()).map(|row| row % n_folds).collect();
    let mut folds = FoldedStats::new(&naive_bayes.model, x.ncols(), n_folds, FoldAssignment::Plain).unwrap();
    folds.update(&naive_bayes.model, x, y).unwrap();
    let result = folds.cross_validate(naive_bayes);
    match brute_force(naive_bayes, x, y, &fold_of, n_folds) {
        None => assert!(matches!(result, Err(CrossValidationError::Fit { .. })), "{result:?}"),
        Some(expected) => {
            let found = result.unwrap().mean();
            assert!(
                found == expected || (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
                "{found} from statistics, {expected} from rows"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn folds_and_rows_agree(
        cells in prop::collection::vec(0..7_u8, 3 * 30),
        y in prop::collection::vec(0..3_u8, 2..30),
        n_folds in 2..5_usize,
        l in prop::sample::select(vec![0.0, 0.5, 1.0]),
    ) {
        let x = Array2::from_shape_fn((y.len(), 3), |(row, column)| f64::from(cells[row * 3 + column]));
        let smoothing = Smoothing::new(l).unwrap();
        let multinomial = Multinomial { smoothing: smoothing.clone(), ..Multinomial::default() };
        agree(&NaiveBayes::new(multinomial), &x, &y, n_folds);
        agree(&NaiveBayes::new(Bernoulli { smoothing, ..Bernoulli::default() }), &x, &y, n_folds);
        let smoothing = VarianceSmoothing::AbsoluteFloor(0.01);
        let gaussian = Gaussian { smoothing, ..Gaussian::default() };
        agree(&NaiveBayes::new(gaussian), &(x + 1e9), &y, n_folds);
    }
}

#[test]
fn candidates_share_the_folds() {
    let x = array![[1.0, 3.0], [0.0, 5.0], [2.0, 1.0], [4.0, 0.0], [3.0, 1.0], [5.0, 2.0]];
    let y = ["a", "a", "a", "b", "b", "b"];
    let mut folds = FoldedStats::new(&Multinomial::default(), 2, 3, FoldAssignment::Stratified).unwrap();
    folds.update(&Multinomial::default(), &x, &y).unwrap();
    let candidates = [0.0, 0.5, 1.0, 20.0].map(|l| {
        let smoothing = Smoothing::new(l).unwrap();
        NaiveBayes::new(Multinomial { smoothing, ..Multinomial::default() })
    });
    let each = folds.cross_validate_each(&candidates);
    for (candidate, result) in candidates.iter().zip(&each) {
        assert_eq!(&folds.cross_validate(candidate), result);
        let result = result.as_ref().unwrap();
        assert_eq!(result.folds.iter().map(|fold| fold.fold).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(result.standard_error().is_finite());
        let mean = result.folds.iter().map(|fold| fold.mean() * fold.weight).sum::<f64>() / 6.0;
        assert!((result.mean() - mean).abs() < 1e-14);
    }
}

#[test]
fn errors_say_which_fold() {
    let gaussian = Gaussian::default();
    let mut folds = FoldedStats::new(&gaussian, 1, 3, FoldAssignment::Stratified).unwrap();
    let naive_bayes = NaiveBayes::new(gaussian);
    assert_eq!(folds.cross_validate(&naive_bayes), Err(CrossValidationError::NoRows));
    folds.update_assigned(&gaussian, &array![[1.0], [2.0]], &["a", "a"], &[1, 1]).unwrap();
    let all_in_one = CrossValidationError::Fit { fold: 1, error: FitError::NoRows };
    assert_eq!(folds.cross_validate(&naive_bayes), Err(all_in_one));
    // An empty fold is left out of the result.
    folds.update_assigned(&gaussian, &array![[1.5], [3.0]], &["a", "a"], &[2, 2]).unwrap();
    let result = folds.cross_validate(&naive_bayes).unwrap();
    assert_eq!(result.folds.iter().map(|fold| fold.fold).collect::<Vec<_>>(), [1, 2]);
    // A class in one fold only is impossible there, until it is forgotten.
    folds.update_assigned(&gaussian, &array![[9.0]], &["b"], &[0]).unwrap();
    let impossible = folds.cross_validate(&naive_bayes).unwrap();
    assert_eq!((impossible.mean(), impossible.standard_error()), (f64::NEG_INFINITY, f64::INFINITY));
    assert!(folds.forget_class(&"b"));
    assert_eq!(folds.cross_validate(&naive_bayes).unwrap(), result);

    let complement = Complement::default();
    let mut folds = FoldedStats::new(&complement, 1, 2, FoldAssignment::Plain).unwrap();
    folds
        .update_assigned(&complement, &array![[1.0], [2.0], [3.0], [1.0]], &[1, 1, 2, 2], &[0, 1, 0, 1])
        .unwrap();
    assert_eq!(
        folds.cross_validate(&NaiveBayes::new(complement)),
        Err(CrossValidationError::Likelihood { fold: 0, error: LikelihoodError::NoForm })
    );
}
