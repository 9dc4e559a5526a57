//! The family of bins.

use nb_core::{
    Categorical, Categories, Gaussian, Missing, NaiveBayes, Smoothing, SufficientStats,
    error::{FitRowsError, LayoutError, MismatchError, PredictError, ValueError, ValueProblem},
};
use nb_variants::{Binned, Cuts, DiscretiseError};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

fn cuts(columns: &[&[f64]]) -> Cuts {
    Cuts::new(columns.iter().map(|cuts| cuts.to_vec()).collect()).expect("valid")
}

fn check(model: &Binned, values: impl Strategy<Value = f64> + Clone + 'static) {
    nb_laws::check_statistics(model, model.cuts.n_columns(), values.clone());
    nb_laws::check_scores(model, model.cuts.n_columns(), values);
}

#[test]
fn bins_obey_the_laws() {
    let model = Binned::new(cuts(&[&[-1.0, 0.0, 2.0], &[], &[0.1]]));
    check(&model, nb_laws::reals());
    check(&Binned { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..model.clone() }, nb_laws::reals());
    let per_column = Smoothing::per_feature(vec![0.5, 2.0, 0.0]).expect("valid");
    let skipping = Binned { missing: Missing::Skip, smoothing: per_column, ..model };
    check(&skipping, prop_oneof![3 => nb_laws::reals(), 1 => Just(f64::NAN)]);
    // More bins than a byte can number.
    let many = cuts(&[&(0..400).map(|cut| f64::from(cut) / 40.0 - 5.0).collect::<Vec<_>>()]);
    check(&Binned::new(many), -10.0..10.0_f64);
}

#[test]
fn bins_are_categories() {
    let iris = nb_datasets::load("iris").expect("embedded");
    let (x, y) = (iris.x(), iris.y());
    let cuts = Cuts::mdl(&x, &y).expect("finite");
    let n_bins = (0..4).map(|column| cuts.n_bins(column)).collect();
    let categorical = Categorical { categories: Categories::Declared(n_bins), ..Categorical::default() };
    let codes = cuts.bins(&x).expect("finite");
    let expected = NaiveBayes::new(categorical).fit(&codes, &y).expect("fits");
    let classifier = NaiveBayes::new(Binned::new(cuts)).fit(&x, &y).expect("fits");
    assert_eq!(classifier.joint_log_likelihood(&x), expected.joint_log_likelihood(&codes));
    assert_eq!(classifier.predict(&x), expected.predict(&codes));
    for column in 0..4 {
        let found = classifier.likelihood().log_probabilities(column);
        assert_eq!(found, expected.likelihood().log_probabilities(column));
    }
}

#[test]
fn a_value_at_a_cut_lies_below_it() {
    let model = Binned { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Binned::new(cuts(&[&[1.0]])) };
    let classifier = NaiveBayes::new(model).fit(&array![[1.0], [1.5]], &["low", "high"]).expect("fits");
    let above = 1.0_f64.next_up();
    let rows = array![[-f64::MAX], [0.0], [1.0], [above], [f64::MAX], [5e-324]];
    let expected = ["low", "low", "low", "high", "high", "low"];
    assert_eq!(classifier.predict(&rows).expect("scores"), expected);
}

#[test]
fn columns_without_a_cut_say_nothing() {
    let classifier = NaiveBayes::new(Binned::new(cuts(&[&[]])))
        .fit(&array![[1.0], [2.0], [9.0]], &[0, 0, 1])
        .expect("fits");
    let joint = classifier.joint_log_likelihood(&array![[-1e300], [1e300]]).expect("scores");
    assert_eq!(joint.row(0).to_vec(), classifier.log_prior());
    assert_eq!(joint.row(1).to_vec(), classifier.log_prior());
}

#[test]
fn only_statistics_of_equal_cuts_merge() {
    let stats = |model: &Binned| {
        let mut stats = SufficientStats::new(model, 1).expect("fits");
        stats.update(model, &array![[1.0], [2.0]], &[0, 1]).expect("adds");
        stats
    };
    let zero = Binned::new(cuts(&[&[0.0, 0.1]]));
    let mut a = stats(&zero);
    assert_eq!(a.merge(&stats(&Binned::new(cuts(&[&[-0.0, 0.1]])))), Ok(()));
    // The smoothing is no part of the statistics.
    let smoothed = Binned { smoothing: Smoothing::new(3.0).expect("valid"), ..zero };
    assert_eq!(a.merge(&stats(&smoothed)), Ok(()));
    for other in [cuts(&[&[0.0, 0.1_f64.next_up()]]), cuts(&[&[0.0]])] {
        assert!(matches!(a.merge(&stats(&Binned::new(other))), Err(MismatchError::Family { .. })));
    }
    // The same numbers, in other columns.
    let [left, right] = [cuts(&[&[1.0], &[]]), cuts(&[&[], &[1.0]])].map(Binned::new);
    let mut left = SufficientStats::<u8>::new(&left, 2).expect("fits");
    let right = SufficientStats::new(&right, 2).expect("fits");
    assert!(left.merge(&right).is_err());
}

#[test]
fn what_cannot_be_binned_is_refused() {
    let model = Binned::new(cuts(&[&[0.0]]));
    let fit = |model: &Binned, x: &Array2<f64>| NaiveBayes::new(model).fit(x, &[0, 1]).map(|_| ());
    let length = LayoutError::Length { name: "the cut points", found: 1, n_columns: 2 };
    assert_eq!(fit(&model, &Array2::zeros((2, 2))), Err(FitRowsError::Layout(length)));
    for (value, reason) in [(f64::NAN, ValueProblem::Missing), (f64::INFINITY, ValueProblem::Infinite)] {
        let refused = fit(&model, &array![[1.0], [value]]).expect_err("refused");
        assert!(refused.to_string().starts_with("row 1, column 0"), "{refused}");
        let classifier = NaiveBayes::new(&model).fit(&array![[1.0], [-1.0]], &[0, 1]).expect("fits");
        let Err(PredictError::Value(ValueError { row: 1, reason: found, .. })) =
            classifier.predict(&array![[0.0], [value]])
        else {
            panic!("{value} was binned");
        };
        assert_eq!(found, reason);
    }
    let skipping = Binned { missing: Missing::Skip, ..model };
    let classifier = NaiveBayes::new(skipping).fit(&array![[f64::NAN], [1.0]], &[0, 1]).expect("fits");
    assert!(classifier.predict(&array![[f64::NEG_INFINITY]]).is_err());
    let unknown = classifier.predict_log_proba(&array![[f64::NAN]]).expect("scores");
    assert_eq!(unknown.row(0).to_vec(), classifier.log_prior());
}

/// Discretised naive Bayes beats the Gaussian where columns are far from normal (Dougherty, Kohavi and Sahami
/// 1995).
#[test]
fn learnt_cuts_serve_where_a_gaussian_does_not() {
    let spam = nb_datasets::load("spam").expect("embedded");
    let part = |parity: usize| -> (Array2<f64>, Vec<usize>) {
        let rows: Vec<usize> = (0..spam.n_rows()).filter(|row| row % 2 == parity).collect();
        (spam.x().select(Axis(0), &rows), rows.iter().map(|&row| spam.labels[row]).collect())
    };
    let ((train, labels), (test, truth)) = (part(0), part(1));
    let hits = |found: Vec<usize>| found.iter().zip(&truth).filter(|(a, b)| a == b).count();
    let binned = |cuts: Result<Cuts, DiscretiseError>| {
        let model = Binned::new(cuts.expect("finite"));
        hits(NaiveBayes::new(model).fit(&train, &labels).expect("fits").predict(&test).expect("scores"))
    };
    let gaussian = NaiveBayes::new(Gaussian::default()).fit(&train, &labels).expect("fits");
    let found = [
        hits(gaussian.predict(&test).expect("scores")),
        binned(Cuts::equal_width(&train, 10)),
        binned(Cuts::equal_frequency(&train, 10)),
        binned(Cuts::proportional(&train)),
        binned(Cuts::mdl(&train, &labels)),
    ];
    assert_eq!((found, truth.len()), ([1868, 1971, 2046, 2033, 2045], 2300));
}
