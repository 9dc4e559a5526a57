//! Bad input: a clear error, no panic, no NaN, and nothing is changed.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Complement, CsrView, Density, FeatureModel, Gaussian,
    Missing, Multinomial, NaiveBayes, Poisson, Prior, Smoothing, SufficientStats, Unseen, VarianceEstimator,
    VarianceSmoothing,
    error::{FitError, FitRowsError, LayoutError, PredictError, UpdateError},
};
use ndarray::{Array2, array};

/// Values that break careless arithmetic.
const NASTY: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -1.0,
    0.5,
    -0.0,
    1e160,
    1e308,
    -1e308,
    1e-160,
    1e-310,
    f64::MIN_POSITIVE,
    1e9,
    2.0,
    0.0,
    1e-7,
];

/// Trains and asks everything; whatever happens must not be a panic or a NaN.
fn torture<M>(model: &M, x: &Array2<f64>, labels: &[u8])
where
    M: FeatureModel,
    M::Fitted: Density,
{
    for prior in [Prior::Empirical, Prior::Uniform, Prior::Given(vec![0.5, 0.5])] {
        let Ok(classifier) = (NaiveBayes { model, prior }).fit(x, labels) else { continue };
        for value in NASTY {
            for other in NASTY {
                let row = array![[value, other]];
                let Ok(joint) = classifier.joint_log_likelihood(&row) else { continue };
                assert!(joint.iter().all(|score| !score.is_nan()), "{row}: {joint}");
                let logs = classifier.predict_log_proba(&row).expect("scored before");
                assert!(logs.iter().all(|log| *log <= 0.0), "{row}: {logs}");
                let probabilities = classifier.predict_proba(&row).expect("scored before");
                assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)), "{row}: {probabilities}");
                assert!(!classifier.log_evidence(&row).expect("scored before")[0].is_nan(), "{row}");
                classifier.explain(&row, 0).expect("scored before");
            }
        }
    }
}

#[test]
fn no_input_makes_a_panic_or_a_nan() {
    for missing in [Missing::Error, Missing::Skip] {
        for a in NASTY {
            for b in NASTY {
                let x = array![[a, b], [b, 1.0], [a, 0.0], [1.0, b]];
                let labels = [0, 0, 1, 1];
                for smoothing in [
                    VarianceSmoothing::default(),
                    VarianceSmoothing::None,
                    VarianceSmoothing::LargestVariance(1e-9),
                    VarianceSmoothing::AbsoluteFloor(1e-300),
                ] {
                    for estimator in [VarianceEstimator::MaximumLikelihood, VarianceEstimator::Unbiased] {
                        torture(&Gaussian { estimator, smoothing, missing }, &x, &labels);
                    }
                }
                for l in [0.0, 1.0, 1e-300, 1e100] {
                    let smoothing = Smoothing::new(l).expect("valid");
                    torture(&Multinomial { smoothing: smoothing.clone(), missing }, &x, &labels);
                    torture(
                        &Poisson { smoothing: smoothing.clone(), missing, ..Poisson::default() },
                        &x,
                        &labels,
                    );
                    torture(
                        &Bernoulli { threshold: 0.0, smoothing: smoothing.clone(), missing },
                        &x,
                        &labels,
                    );
                    for unseen in [Unseen::Error, Unseen::Ignore, Unseen::Other] {
                        let categories = Categories::Inferred;
                        let smoothing = smoothing.clone();
                        torture(&Categorical { categories, smoothing, unseen, missing }, &x, &labels);
                    }
                }
            }
        }
    }
}

fn message<T: std::fmt::Debug>(result: Result<T, impl std::error::Error>) -> String {
    result.expect_err("an error").to_string()
}

#[test]
fn shapes() {
    let gaussian = NaiveBayes::new(Gaussian::default());
    let x = array![[1.0, 2.0], [3.0, 5.0]];
    assert_eq!(message(gaussian.fit(&x, &["a"])), "rows: 2, labels: 1; give one label per row");
    assert_eq!(
        message(gaussian.fit(&Array2::<f64>::zeros((0, 2)), &[0; 0])),
        "there are no rows with a positive weight; a model needs at least one"
    );
    assert_eq!(
        message(gaussian.fit(&Array2::<f64>::zeros((2, 0)), &[0, 1])),
        "there are no columns; a model needs at least one feature"
    );
    assert_eq!(
        message(gaussian.fit_weighted(&x, &[0, 1], &[1.0])),
        "rows: 2, weights: 1; give one weight per row"
    );
    for weight in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
        let error = gaussian.fit_weighted(&x, &[0, 1], &[1.0, weight]).expect_err("a bad weight");
        assert!(matches!(error, FitRowsError::Update(UpdateError::Weight { row: 1, .. })), "{error}");
    }
    let nothing = gaussian.fit_weighted(&x, &[0, 1], &[0.0, 0.0]);
    assert!(matches!(nothing, Err(FitRowsError::Fit(FitError::NoRows))));

    let classifier =
        gaussian.fit(&array![[1.0, 2.0], [2.0, 4.0], [8.0, 1.0], [9.0, 0.0]], &[0, 0, 1, 1]).expect("fits");
    assert_eq!(message(classifier.predict(&array![[1.0]])), "the rows have 1 columns, the model 2");
    assert_eq!(classifier.predict(&Array2::<f64>::zeros((0, 2))).expect("no rows"), [0; 0]);
    assert_eq!(classifier.explain(&x, 2), Err(PredictError::NoSuchRow { row: 2, n_rows: 2 }));
}

#[test]
fn one_class_is_a_model() {
    let classifier =
        NaiveBayes::new(Gaussian::default()).fit(&array![[1.0], [2.0]], &["only", "only"]).expect("fits");
    assert_eq!(classifier.predict(&array![[100.0]]).expect("scores"), ["only"]);
    assert_eq!(classifier.predict_proba(&array![[100.0]]).expect("scores"), array![[1.0]]);
    assert_eq!(
        message(NaiveBayes::new(Complement::default()).fit(&array![[1.0]], &["only"]).map(|_| ())),
        "class 0 (in label order), column 0: there is only one class, and complement naive Bayes needs at least two"
    );
}

#[test]
fn values_are_refused_by_name() {
    let fit = |value: f64| {
        NaiveBayes::new(Gaussian::default()).fit(&array![[1.0, 2.0], [3.0, value]], &[0, 1]).map(|_| ())
    };
    assert_eq!(
        message(fit(f64::NAN)),
        "row 1, column 1: NaN is missing; drop or impute the cell, or choose `Missing::Skip` for the family"
    );
    assert_eq!(message(fit(f64::INFINITY)), "row 1, column 1: inf is infinite; clip or drop the row");
    for value in [1e160, 1e-160, f64::MAX, -5e-324] {
        assert!(fit(value).is_ok(), "{value:e}");
    }

    let counts =
        |value: f64| NaiveBayes::new(Poisson::default()).fit(&array![[1.0], [value]], &[0, 1]).map(|_| ());
    assert_eq!(message(counts(-1.0)), "row 1, column 0: -1 is negative; counts start at 0");
    assert_eq!(message(counts(1.5)), "row 1, column 0: 1.5 is not a whole number");
    let codes = Categorical { categories: Categories::Declared(vec![3]), ..Categorical::default() };
    let codes = |value: f64| NaiveBayes::new(codes.clone()).fit(&array![[1.0], [value]], &[0, 1]).map(|_| ());
    assert_eq!(
        message(codes(3.0)),
        "row 1, column 0: 3 is not one of the 3 declared categories, which are coded from 0"
    );
    let found = |value: f64| {
        NaiveBayes::new(Categorical::default()).fit(&array![[1.0], [value]], &[0, 1]).map(|_| ())
    };
    assert!(message(found(1e9)).contains("is beyond 1048575, the largest category code"));
    assert!(message(found(0.5)).contains("0.5 is not a whole number"));
}

#[test]
fn unseen_categories_follow_the_policy() {
    let x = array![[0.0, 1.0], [1.0, 1.0], [4.0, 0.0]];
    let fit = |unseen| {
        let categorical = Categorical { unseen, ..Categorical::default() };
        NaiveBayes::new(categorical).fit(&x, &["a", "a", "b"]).expect("fits")
    };
    let new = array![[2.0, 1.0]];
    assert!(
        message(fit(Unseen::Error).predict(&new))
            .starts_with("row 0, column 0: 2 is a category not seen in training")
    );
    let ignored = fit(Unseen::Ignore).explain(&new, 0).expect("scores");
    assert_eq!(ignored.contributions.column(0).to_vec(), [0.0, 0.0]);
    // Three categories and one reserved: (0 + 1) / (2 + 4).
    let other = fit(Unseen::Other).explain(&new, 0).expect("scores");
    assert_eq!(other.contributions[[0, 0]], (1.0_f64 / 6.0).ln());
    // A sparse row without column 0 has category 0 there, which is known; without column 1, too.
    let sparse = CsrView::new(2, &[0, 1], &[0], &[3.0]).expect("valid");
    assert!(fit(Unseen::Error).predict(&sparse).is_err());
    let only_ones =
        NaiveBayes::new(Categorical::default()).fit(&array![[1.0], [2.0]], &[0, 1]).expect("fits");
    let empty = CsrView::new(1, &[0_usize, 0], &[], &[0.0; 0]).expect("valid");
    assert!(
        message(only_ones.predict(&empty))
            .starts_with("row 0, column 0: 0 is a category not seen in training")
    );
}

#[test]
fn hyper_parameters_are_validated() {
    let x = array![[1.0, 2.0], [3.0, 5.0]];
    let fit = |smoothing| {
        NaiveBayes::new(Gaussian { smoothing, ..Gaussian::default() }).fit(&x, &[0, 1]).map(|_| ())
    };
    assert_eq!(
        message(fit(VarianceSmoothing::RelativeFloor(-1.0))),
        "variance smoothing is -1; it must be from 0 to 1e60"
    );
    assert!(fit(VarianceSmoothing::AbsoluteFloor(f64::NAN)).is_err());
    assert!(Smoothing::new(f64::INFINITY).is_err() && Smoothing::per_feature(vec![1.0, -0.1]).is_err());
    let short = Multinomial {
        smoothing: Smoothing::per_feature(vec![1.0]).expect("valid"),
        ..Multinomial::default()
    };
    assert_eq!(
        message(NaiveBayes::new(short).fit(&x, &[0, 1]).map(|_| ())),
        "smoothing has 1 entries for 2 columns; give one per column"
    );
    let declared = Categorical { categories: Categories::Declared(vec![6, 0]), ..Categorical::default() };
    assert!(NaiveBayes::new(declared).fit(&x, &[0, 1]).is_err());
    let many = Categorical { categories: Categories::Declared(vec![1 << 20; 17]), ..Categorical::default() };
    assert_eq!(
        message(many.layout(17)),
        "the total of declared categories is 17825792; it must be at most 16777216"
    );
    assert!(
        NaiveBayes::new(Bernoulli { threshold: f64::NAN, ..Bernoulli::default() }).fit(&x, &[0, 1]).is_err()
    );
    let prior = NaiveBayes { model: Gaussian::default(), prior: Prior::Given(vec![1.0]) };
    assert!(message(prior.fit(&x, &[0, 1]).map(|_| ())).contains("1 probabilities for 2 classes"));

    let layout = |blocks: Blocks| blocks.layout(2).map(|_| ());
    assert_eq!(
        layout(Blocks::new().with([0, 2], Gaussian::default())),
        Err(LayoutError::NoSuchColumn { column: 2, n_columns: 2 })
    );
    assert_eq!(
        layout(Blocks::new().with([0], Gaussian::default()).ignore([0])),
        Err(LayoutError::ColumnTwice { column: 0 })
    );
    assert_eq!(
        layout(Blocks::new().with([0], Gaussian::default())),
        Err(LayoutError::ColumnUnused { column: 1 })
    );
}

#[test]
fn errors_in_blocks_name_the_columns_of_the_table() {
    let blocks = Blocks::new().with([2, 0], Gaussian::default()).with([1], Categorical::default());
    let bad = array![[1.0, 0.0, 2.0], [2.0, 0.5, f64::NAN]];
    assert!(
        message(NaiveBayes::new(blocks).fit(&bad, &[0, 1]).map(|_| ())).starts_with("row 1, column 1: 0.5")
    );
    let constant = array![[1.0, 0.0, 2.0], [2.0, 1.0, 2.0], [3.0, 1.0, 3.0]];
    let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let blocks = Blocks::new().with([2, 0], none).with([1], Categorical::default());
    let error = message(NaiveBayes::new(blocks).fit(&constant, &[0, 0, 1]).map(|_| ()));
    assert!(error.starts_with("class 0 (in label order), column 2: the variance is 0"), "{error}");
}

#[test]
fn retracting_what_was_never_added() {
    let gaussian = Gaussian::default();
    let mut stats = SufficientStats::new(&gaussian, 1).expect("columns");
    stats.update(&gaussian, &array![[1.0], [2.0], [5.0]], &["a", "a", "b"]).expect("valid");
    let before = stats.clone();
    let retract = |stats: &mut SufficientStats<_>, value: f64, label| {
        stats.retract(&gaussian, &array![[value]], &[label])
    };
    assert!(
        message(retract(&mut stats, 1.0, "c"))
            .starts_with("class 0 (in label order) of the removed rows is not in")
    );
    assert!(
        message(retract(&mut stats, 4.0, "b"))
            .starts_with("class 1 (in label order) would be left without rows but")
    );
    let twice = stats.retract_weighted(&gaussian, &array![[5.0]], &["b"], &[2.0]);
    assert!(message(twice).starts_with("class 1 (in label order) would be left with a weight of -1"));
    assert_eq!(stats, before);
    retract(&mut stats, 5.0, "b").expect("it was added");
    assert_eq!(stats.classes().collect::<Vec<_>>(), [&"a"]);
    // A value that was never there would leave sums that no rows have.
    let error = message(retract(&mut stats, 9.0, "a"));
    assert!(error.starts_with("class 0 (in label order), column 0: negative variance"), "{error}");
}

#[test]
fn absurd_scaling_is_refused_by_name() {
    for factor in [0.5_f64.powi(60), 2.0_f64.powi(60)] {
        let gaussian = Gaussian::default();
        let mut stats = SufficientStats::new(&gaussian, 1).expect("columns");
        stats.update(&gaussian, &array![[1.0], [2.5], [7.0], [9.0]], &["a", "a", "b", "b"]).expect("valid");
        let labels =
            NaiveBayes::new(gaussian).fit_stats(&stats).expect("fits").predict(&array![[2.0], [8.0]]);
        for _ in 0..30 {
            stats.scale(factor).expect("a usable factor");
            match NaiveBayes::new(gaussian).fit_stats(&stats) {
                Ok(classifier) => assert_eq!(classifier.predict(&array![[2.0], [8.0]]), labels),
                Err(FitError::NoRows) => assert!(factor < 1.0),
                Err(error) => assert!(error.to_string().contains("the weight is"), "{error}"),
            }
        }
        assert!(NaiveBayes::new(gaussian).fit_stats(&stats).is_err());
        stats.forget_class(&"a");
        assert!(!stats.forget_class(&"a"));
    }
}

#[test]
fn statistics_of_different_families_do_not_mix() {
    let (gaussian, poisson) = (Gaussian::default(), Poisson::default());
    let mut stats: SufficientStats<u8> = SufficientStats::new(&gaussian, 2).expect("columns");
    let other = SufficientStats::new(&poisson, 2).expect("columns");
    assert_eq!(message(stats.merge(&other)), "statistics of gaussian do not go with poisson");
    assert!(stats.update(&poisson, &array![[1.0, 2.0]], &[0]).is_err());
    assert!(
        message(stats.merge(&SufficientStats::new(&gaussian, 3).expect("columns")))
            .contains("2 columns do not go with 3")
    );
    let (one, two) = (Bernoulli::default(), Bernoulli { threshold: 1.0, ..Bernoulli::default() });
    let mut ones: SufficientStats<u8> = SufficientStats::new(&one, 1).expect("columns");
    assert!(ones.merge(&SufficientStats::new(&two, 1).expect("columns")).is_err());
}

#[test]
fn tables_too_wide_for_memory_are_errors() {
    let model = Multinomial::default();
    let narrow = NaiveBayes::new(&model).fit(&array![[1.0, 2.0]], &["a"]).unwrap();
    for n_columns in [(1 << 26) + 1, 1 << 34, 1 << 62, usize::MAX] {
        let indices = [0, n_columns - 1];
        let rows = CsrView::new(n_columns, &[0_usize, 1, 2], &indices, &[1.0, 2.0]).unwrap();
        let error = NaiveBayes::new(&model).fit(&rows, &["a", "b"]).unwrap_err();
        assert!(matches!(error, FitRowsError::Layout(LayoutError::TooManyColumns { .. })), "{error}");
        let error = narrow.predict(&rows).unwrap_err();
        assert!(matches!(error, PredictError::Columns { expected: 2, .. }), "{error}");
    }
}
