//! The log-likelihood of statistics is that of the rows behind them.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Classifier, Complement, FeatureModel, Gaussian, Likelihood,
    Missing, Multinomial, NaiveBayes, Poisson, Prior, Smoothing, SufficientStats, Unseen, VarianceSmoothing,
    error::{LikelihoodError, MismatchError},
};
use ndarray::{Array2, array};
use proptest::prelude::*;

/// What the scores of the rows add up to for their own classes, and the size of what was added.
fn of_rows<F: Likelihood>(
    classifier: &Classifier<u8, F>,
    rows: &Array2<f64>,
    labels: &[u8],
    weights: &[f64],
) -> (f64, f64) {
    let (mut sum, mut size) = (0.0, 0.0);
    for (row, (label, &weight)) in labels.iter().zip(weights).enumerate().filter(|(_, (_, w))| **w > 0.0) {
        let Ok(class) = classifier.classes().binary_search(label) else { return (f64::NEG_INFINITY, 0.0) };
        let explanation = classifier.explain(rows, row).unwrap();
        for term in explanation.contributions.row(class).iter().chain([&explanation.log_prior[class]]) {
            sum += weight * term;
            size += weight * term.abs();
        }
    }
    (sum, size)
}

/// Compares both for rows held out. Whether there was anything to compare.
fn compare<M: FeatureModel>(
    model: M,
    train: (&Array2<f64>, &[u8]),
    held_out: (&Array2<f64>, &[u8], &[f64]),
    left_out: impl Fn(f64) -> f64,
) -> bool {
    let mut stats = SufficientStats::new(&model, held_out.0.ncols()).unwrap();
    stats.update_weighted(&model, held_out.0, held_out.1, held_out.2).unwrap();
    let Ok(classifier) = NaiveBayes::new(model).fit(train.0, train.1) else { return false };
    let of_stats = classifier.log_likelihood_of_stats(&stats).unwrap();
    let (mut expected, mut size) = of_rows(&classifier, held_out.0, held_out.1, held_out.2);
    for (row, weight) in held_out.0.rows().into_iter().zip(held_out.2) {
        let base: f64 = row.iter().map(|&value| weight * left_out(value)).sum();
        (expected, size) = (expected + base, size + 2.0 * base.abs());
    }
    assert!(
        of_stats == expected || (of_stats - expected).abs() <= 1e-13 * size,
        "{of_stats} from the sums, {expected} from the rows of size {size}"
    );
    true
}

fn nothing(_: f64) -> f64 {
    0.0
}

fn log_factorial(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { libm::lgamma(value + 1.0) }
}

/// Training rows with labels, and rows held out with labels and weights.
type Tables = (Array2<f64>, Vec<u8>, Array2<f64>, Vec<u8>, Vec<f64>);

fn tables(cell: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Tables> {
    const WIDTH: usize = 3;
    let table = move |n: usize| {
        prop::collection::vec(cell.clone(), n * WIDTH)
            .prop_map(move |cells| Array2::from_shape_vec((n, WIDTH), cells).unwrap())
    };
    (2..40_usize, 1..20_usize, 1..4_u8).prop_flat_map(move |(n, held_out, k)| {
        let weight = prop_oneof![Just(0.0), Just(1.0), Just(2.0), 0.001..3.0_f64];
        (
            table(n),
            prop::collection::vec(0..k, n),
            table(held_out),
            prop::collection::vec(0..k, held_out),
            prop_oneof![Just(vec![1.0; held_out]).boxed(), prop::collection::vec(weight, held_out).boxed()],
        )
    })
}

fn gaps(cell: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = f64> + Clone {
    prop_oneof![4 => cell, 1 => Just(f64::NAN)]
}

proptest! {
    #[test]
    fn gaussian_at_any_offset(
        (x, y, rows, labels, weights) in tables(gaps(-3.0..3.0_f64)),
        offset in prop::sample::select(vec![0.0, 1e9, -1e12, 3e100]),
    ) {
        let smoothing = VarianceSmoothing::AbsoluteFloor(1e-3);
        let model = Gaussian { smoothing, missing: Missing::Skip, ..Gaussian::default() };
        let (x, rows) = (x + offset, rows + offset);
        compare(model, (&x, &y), (&rows, &labels, &weights), nothing);
    }

    #[test]
    fn counts(
        (x, y, rows, labels, weights) in tables(gaps((0..6_u8).prop_map(f64::from))),
        l in prop::sample::select(vec![0.0, 0.3, 1.0]),
    ) {
        let (train, held_out) = ((&x, &y[..]), (&rows, &labels[..], &weights[..]));
        let (smoothing, missing) = (Smoothing::new(l).unwrap(), Missing::Skip);
        compare(Multinomial { smoothing: smoothing.clone(), missing }, train, held_out, nothing);
        compare(Poisson { smoothing: smoothing.clone(), missing, ..Poisson::default() }, train, held_out, log_factorial);
        for threshold in [0.0, 2.5, -1.0] {
            compare(Bernoulli { smoothing: smoothing.clone(), missing, threshold }, train, held_out, nothing);
        }
        for unseen in [Unseen::Error, Unseen::Ignore, Unseen::Other] {
            let categories = Categories::Declared(vec![6, 7, 8]);
            let smoothing = smoothing.clone();
            compare(Categorical { categories, smoothing, unseen, missing }, train, held_out, nothing);
        }
        for unseen in [Unseen::Ignore, Unseen::Other] {
            let (categories, smoothing) = (Categories::Inferred, smoothing.clone());
            compare(Categorical { categories, smoothing, unseen, missing }, train, held_out, nothing);
        }
    }

    #[test]
    fn mixed((x, y, rows, labels, weights) in tables((0..6_u8).prop_map(f64::from))) {
        let declared = Categories::Declared(vec![6]);
        let mixed = Blocks::new()
            .with([2], Categorical { categories: declared, ..Categorical::default() })
            .with([0], Gaussian { smoothing: VarianceSmoothing::AbsoluteFloor(0.1), ..Gaussian::default() })
            .ignore([1]);
        prop_assert!(compare(mixed, (&x, &y), (&rows, &labels, &weights), nothing));
    }
}

#[test]
fn what_was_never_seen_is_impossible() {
    let model = Categorical { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Categorical::default() };
    let classifier =
        NaiveBayes::new(model.clone()).fit(&array![[0.0], [1.0], [1.0]], &["a", "a", "b"]).unwrap();
    let of = |x: f64, label| {
        let mut stats = SufficientStats::new(&model, 1).unwrap();
        stats.update(&model, &array![[x]], &[label]).unwrap();
        classifier.log_likelihood_of_stats(&stats).unwrap()
    };
    assert!((of(0.0, "a") - (1.0 / 3.0_f64).ln()).abs() < 1e-15);
    assert_eq!(of(0.0, "b"), f64::NEG_INFINITY); // seen in another class
    assert_eq!(of(2.0, "a"), f64::NEG_INFINITY); // seen in none
    assert_eq!(of(1.0, "c"), f64::NEG_INFINITY); // of an unknown class
    let none = SufficientStats::new(&model, 1).unwrap();
    assert_eq!(classifier.log_likelihood_of_stats(&none), Ok(0.0));

    let bernoulli = Bernoulli { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Bernoulli::default() };
    let classifier = NaiveBayes::new(&bernoulli).fit(&array![[1.0], [1.0]], &["a", "a"]).unwrap();
    let mut stats = SufficientStats::new(&bernoulli, 1).unwrap();
    stats.update(&bernoulli, &array![[1.0], [3.0]], &["a", "a"]).unwrap();
    assert_eq!(classifier.log_likelihood_of_stats(&stats), Ok(0.0));
    stats.update_weighted(&bernoulli, &array![[0.0]], &["a"], &[0.1]).unwrap();
    assert_eq!(classifier.log_likelihood_of_stats(&stats), Ok(f64::NEG_INFINITY));

    let prior = Prior::Given(vec![0.0, 1.0]);
    let naive_bayes = NaiveBayes { model: Multinomial::default(), prior };
    let classifier = naive_bayes.fit(&array![[1.0], [2.0]], &["a", "b"]).unwrap();
    let mut stats = SufficientStats::new(&Multinomial::default(), 1).unwrap();
    stats.update(&Multinomial::default(), &array![[5.0]], &["b"]).unwrap();
    assert_eq!(classifier.log_likelihood_of_stats(&stats), Ok(0.0));
    stats.update(&Multinomial::default(), &array![[5.0]], &["a"]).unwrap();
    assert_eq!(classifier.log_likelihood_of_stats(&stats), Ok(f64::NEG_INFINITY));
}

#[test]
fn a_column_without_information_says_nothing() {
    let x = array![[7.0, 1.0], [7.0, 2.0], [7.0, 4.0]];
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "a"]).unwrap();
    let mut stats = SufficientStats::new(&Gaussian::default(), 2).unwrap();
    stats.update(&Gaussian::default(), &array![[1e100, 3.0]], &["a"]).unwrap();
    let expected = classifier.joint_log_likelihood(&array![[7.0, 3.0]]).unwrap()[[0, 0]];
    let found = classifier.log_likelihood_of_stats(&stats).unwrap();
    assert!((found - expected).abs() < 1e-14, "{found} is not {expected}");
}

#[test]
fn statistics_of_others_are_refused() {
    let x = array![[1.0, 0.0], [0.0, 2.0]];
    let labels = ["a", "b"];
    let bernoulli = |threshold| Bernoulli { threshold, ..Bernoulli::default() };
    let classifier = NaiveBayes::new(bernoulli(0.0)).fit(&x, &labels).unwrap();
    let other = SufficientStats::new(&bernoulli(1.0), 2).unwrap();
    assert!(matches!(
        classifier.log_likelihood_of_stats(&other),
        Err(LikelihoodError::Mismatch(MismatchError::Family { .. }))
    ));
    let wider = SufficientStats::new(&bernoulli(0.0), 3).unwrap();
    assert_eq!(
        classifier.log_likelihood_of_stats(&wider),
        Err(LikelihoodError::Mismatch(MismatchError::Columns { left: 3, right: 2 }))
    );
    let blocks = || Blocks::new().with([0], Gaussian::default()).with([1], Poisson::default());
    let swapped = || Blocks::new().with([1], Gaussian::default()).with([0], Poisson::default());
    let classifier = NaiveBayes::new(blocks()).fit(&array![[1.0, 0.0], [2.0, 2.0]], &["a", "a"]).unwrap();
    assert!(classifier.log_likelihood_of_stats(&SufficientStats::new(&blocks(), 2).unwrap()).is_ok());
    assert!(classifier.log_likelihood_of_stats(&SufficientStats::new(&swapped(), 2).unwrap()).is_err());
    // The sums are those of the multinomial family; what is missing is a likelihood.
    let classifier = NaiveBayes::new(Complement::default()).fit(&x, &labels).unwrap();
    let mut stats = SufficientStats::new(&Complement::default(), 2).unwrap();
    stats.update(&Complement::default(), &x, &labels).unwrap();
    assert_eq!(classifier.log_likelihood_of_stats(&stats), Err(LikelihoodError::NoForm));
}

#[test]
fn absurd_scaling_is_an_error_and_never_nan() {
    let x = array![[1e100], [3e100], [7e100]];
    let labels = ["a", "a", "a"];
    let model = Gaussian::default();
    let classifier = NaiveBayes::new(model).fit(&x, &labels).unwrap();
    let mut stats = SufficientStats::new(&model, 1).unwrap();
    stats.update(&model, &x, &labels).unwrap();
    for _ in 0..20 {
        stats.scale(2.0_f64.powi(60)).unwrap();
        let found = classifier.log_likelihood_of_stats(&stats);
        assert!(found.as_ref().map_or(true, |sum| !sum.is_nan()), "{found:?}");
    }
    assert_eq!(classifier.log_likelihood_of_stats(&stats), Err(LikelihoodError::Range { class: 0 }));
}
