//! Transformed Gaussians: laws, reference numbers, refusals.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{CsrView, FeatureModel, Gaussian, Likelihood, Missing, NaiveBayes, SufficientStats};
use nb_variants::{LambdaError, PowerTransform, Transform, Transformed};
use ndarray::{Array2, array, s};
use proptest::prelude::*;
use rand::{SeedableRng, rngs::StdRng};

fn set(name: &str) -> (Array2<f64>, Vec<String>) {
    let set = nb_datasets::load(name).expect("embedded");
    (set.x(), set.y().into_iter().map(String::from).collect())
}

fn lambda(transform: Transform) -> f64 {
    match transform {
        Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => lambda,
        Transform::Identity | Transform::Log => unreachable!("a power was learnt"),
    }
}

#[test]
fn keeps_the_laws() {
    let any = Transformed::new(vec![
        Transform::Identity,
        Transform::YeoJohnson { lambda: 0.3 },
        Transform::YeoJohnson { lambda: 1.7 },
    ]);
    nb_laws::check(&any, 3, nb_laws::reals());
    let positive = Transformed::new(vec![Transform::Log, Transform::BoxCox { lambda: 0.4 }]);
    nb_laws::check(&positive, 2, prop_oneof![0.01..50.0_f64, 1e-30..1e30_f64, Just(1.0)]);
    let gaussian = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    let skipping = Transformed { gaussian, ..Transformed::new(vec![Transform::BoxCox { lambda: -0.5 }; 2]) };
    nb_laws::check(&skipping, 2, prop_oneof![3 => 0.01..50.0_f64, 1 => Just(f64::NAN)]);
}

/// Of the first four columns: SciPy 1.17.1, `boxcox(v)[1]`; scikit-learn 1.9.1,
/// `PowerTransformer(standardize=False).fit(StandardScaler().fit_transform(v)).lambdas_`.
const POOLED: [(&str, [f64; 4], [f64; 4]); 2] = [
    (
        "iris",
        [-0.14475073978934996, 0.28101140754257853, 0.9312837716811102, 0.6433690726408055],
        [0.7850223426348956, 0.8298984333384797, 1.3778375127042644, 1.1546008977580482],
    ),
    (
        "wine",
        [1.2645832730454203, -0.2777553228475709, 1.4274804094911135, 0.6919715420802315],
        [1.0419456936938374, 0.09854393576393894, 1.0681604389443442, 0.8951800275582553],
    ),
];

/// SciPy 1.17.1: where the sum of `boxcox_llf(l, v)` over the classes, and that of `yeojohnson_llf(l, z)`
/// with the standardised `z = (v - mean(v)) / std(v)`, is largest, by `minimize_scalar`.
const WITHIN: [(&str, [f64; 4], [f64; 4]); 2] = [
    (
        "iris",
        [0.48478190093596313, 1.0022887218523662, 1.0210562244634211, 0.16374416701537228],
        [0.892392897494034, 0.994988518110877, 1.1801260718828157, 0.7259103778141347],
    ),
    (
        "wine",
        [-1.8989972800855197, -0.5252677197720855, 0.28008295678718864, 0.4582339110045386],
        [0.6824324068367906, -0.01740639448920155, 0.8084905138804639, 0.7804561209762347],
    ),
];

fn check_lambdas(rows: &Array2<f64>, labels: &[String], transform: PowerTransform, expected: [f64; 4]) {
    let learnt = Transformed::learn(rows, labels, transform, Missing::Error).expect("learns");
    for (column, expected) in expected.into_iter().enumerate() {
        let found = lambda(learnt.transforms[column]);
        // The likelihood is flat at its top: half of the digits of a double are all there is.
        assert!((found - expected).abs() < 1e-6, "{transform:?} of column {column}: {found}, not {expected}");
    }
}

#[test]
fn lambdas_are_those_of_scipy() {
    for (name, box_cox, yeo_johnson) in POOLED {
        let (x, y) = set(name);
        let x = x.slice(s![.., ..4]).to_owned();
        let one = vec![String::new(); y.len()];
        check_lambdas(&x, &one, PowerTransform::BoxCox, box_cox);
        check_lambdas(&(&x - 5.0), &one, PowerTransform::YeoJohnson, yeo_johnson);
    }
    for (name, box_cox, yeo_johnson) in WITHIN {
        let (x, y) = set(name);
        let x = x.slice(s![.., ..4]).to_owned();
        check_lambdas(&x, &y, PowerTransform::BoxCox, box_cox);
        check_lambdas(&(&x - 5.0), &y, PowerTransform::YeoJohnson, yeo_johnson);
    }
}

/// scikit-learn 1.9.1, as above, sonar. Of the values as they are, `PowerTransformer` gives -30.8 for the
/// first: the columns have no values above 0.5, so that such a power of `1 + x` does what a moderate one does
/// for a standardised column.
#[test]
fn lambdas_depend_on_neither_unit_nor_offset() {
    let expected = [-0.15864949153658814, -0.07731698994204039, -0.11588548316674815, -0.15670368836887308];
    let (x, y) = set("sonar");
    let x = x.slice(s![.., ..4]).to_owned();
    let one = vec![String::new(); y.len()];
    check_lambdas(&x, &one, PowerTransform::YeoJohnson, expected);
    check_lambdas(&(&x * 1e6 - 7e3), &one, PowerTransform::YeoJohnson, expected);
    // Powers beyond any usual bound: nearly all values are in a ten-thousandth of the range.
    let far = Array2::from_shape_fn((60, 1), |(row, _)| 1.0 + 1e-3 * ((row * 7 % 60) as f64 / 60.0).powi(8));
    let learnt = Transformed::learn(&far, &[(); 60], PowerTransform::BoxCox, Missing::Error).expect("learns");
    assert!(lambda(learnt.transforms[0]) < -500.0, "{learnt:?}");
}

/// SciPy 1.17.1, iris, petal length of versicolor: `lognorm.logpdf`, and `norm.logpdf` of the transformed
/// value with mean and standard deviation of the transformed class, plus `(λ - 1) ln x` or
/// `(λ - 1) sign(x) ln(1 + |x|)`, for `λ = 0.3`. Yeo-Johnson is of `x - 4.2`.
#[test]
fn densities_are_those_of_scipy() {
    let (x, y) = set("iris");
    let x = x.slice(s![.., 2..3]).to_owned();
    let cases = [
        (Transform::Log, 0.0, [-121.93844414365213, -0.2602917947844463, -5.185250478407019]),
        (
            Transform::BoxCox { lambda: 0.3 },
            0.0,
            [-75.02143834979339, -0.27325127147191375, -5.675360458194362],
        ),
        (
            Transform::YeoJohnson { lambda: 0.3 },
            4.2,
            [-95.67977862560895, -0.19073136707291327, -3.8496077076142354],
        ),
    ];
    for (transform, shift, expected) in cases {
        let classifier =
            NaiveBayes::new(Transformed::new(vec![transform])).fit(&(&x - shift), &y).expect("fits");
        for (at, expected) in [0.7, 4.0, 6.0].into_iter().zip(expected) {
            let found = classifier.likelihood().log_likelihood(1, 0, at - shift);
            assert!(
                (found - expected).abs() < 1e-11 * expected.abs(),
                "{transform:?}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn the_identity_is_the_gaussian() {
    let (x, y) = set("wine");
    let n_columns = x.ncols();
    let transforms = vec![Transform::Identity; n_columns];
    let classifier = NaiveBayes::new(Transformed::new(transforms)).fit(&x, &y).expect("fits");
    let gaussian = NaiveBayes::new(Gaussian::default()).fit(&x, &y).expect("fits");
    for ((row, column), &value) in x.indexed_iter() {
        for class in 0..3 {
            let found = classifier.likelihood().log_likelihood(class, column, value);
            assert_eq!(found, gaussian.likelihood().log_likelihood(class, column, value), "row {row}");
        }
    }
}

#[test]
fn densities_integrate_to_one() {
    let x = array![[-2.0], [-0.5], [0.3], [1.0], [4.0]];
    for transform in [Transform::YeoJohnson { lambda: 0.2 }, Transform::YeoJohnson { lambda: 1.6 }] {
        let classifier = NaiveBayes::new(Transformed::new(vec![transform])).fit(&x, &[(); 5]).expect("fits");
        let n = 400_000;
        let grid = Array2::from_shape_fn((n, 1), |(row, _)| -500.0 + row as f64 * (1000.0 / n as f64));
        let total: f64 = classifier.log_evidence(&grid).expect("scores").iter().map(|log| log.exp()).sum();
        assert!((total * 1000.0 / n as f64 - 1.0).abs() < 1e-6, "{transform:?}: {total}");
    }
}

#[test]
fn huge_offsets_and_powers_do_not_mislead() {
    // Symmetric about 1e9: no power helps, and none may lose the differences.
    let x = Array2::from_shape_fn((41, 1), |(row, _)| 1e9 + row as f64);
    let learnt = Transformed::learn(&x, &[(); 41], PowerTransform::BoxCox, Missing::Error).expect("learns");
    assert!(NaiveBayes::new(learnt).fit(&x, &[(); 41]).is_ok());
    // So skewed that the likelihood asks for a power that would make all values equal.
    let skewed = Array2::from_shape_fn((40, 1), |(row, _)| 1e9 / (1.0 + row as f64).powf(0.2));
    let classes: Vec<bool> = (0..40).map(|row| row % 2 == 0).collect();
    let learnt =
        Transformed::learn(&skewed, &classes, PowerTransform::BoxCox, Missing::Error).expect("learns");
    let classifier = NaiveBayes::new(learnt).fit(&skewed, &classes).expect("fits");
    assert!(classifier.likelihood().gaussian().variances().iter().all(|v| v.is_finite()));
    // Values whose powers leave the range of exact moments, also those of a class without a say.
    let x = array![[1.0], [2.0], [2.1], [2.2], [1e60], [1e60]];
    let y = [0, 0, 0, 0, 1, 1];
    for transform in [PowerTransform::BoxCox, PowerTransform::YeoJohnson] {
        let learnt = Transformed::learn(&x, &y, transform, Missing::Error).expect("learns");
        // Beside 1e60 nothing is left of the differences of the others, once it is standardised.
        assert!(lambda(learnt.transforms[0]) >= 1.0, "{learnt:?}");
        assert!(NaiveBayes::new(learnt).fit(&x, &y).is_ok());
    }
    let huge = array![[1e60], [1e80], [1e100], [3.0]];
    for transform in [PowerTransform::BoxCox, PowerTransform::YeoJohnson] {
        let learnt = Transformed::learn(&huge, &[(); 4], transform, Missing::Error).expect("learns");
        assert!(NaiveBayes::new(learnt).fit(&huge, &[(); 4]).is_ok());
    }
}

/// A class of skewed values far from the others, whose powers nearly vanish next to the 1 that the transform
/// subtracts. Alone they have a power of about -2.
#[test]
fn a_search_that_doubles_cut_off_ends_where_they_do_and_says_so() {
    let labels: Vec<bool> = (0..40).map(|row| row < 20).collect();
    let x = Array2::from_shape_fn((40, 2), |(row, column)| match (column, row) {
        (0, 20..) => 1e-6,
        (0, _) => 1e6 * (1.0 + row as f64).powf(-1.0 / 3.0),
        _ => 1.0 + (row * 7 % 20) as f64,
    });
    let learn = |x: &Array2<f64>, labels: &[bool]| {
        Transformed::learn(x, labels, PowerTransform::BoxCox, Missing::Error).expect("learns")
    };
    let learnt = learn(&x, &labels);
    assert_eq!(learnt.columns_at_limit(&x, &labels), Ok(vec![0]), "{learnt:?}");
    let found = lambda(learnt.transforms[0]);
    assert!((-1.3..-1.2).contains(&found), "{learnt:?}");
    assert!(NaiveBayes::new(learnt).fit(&x, &labels).is_ok());
    let alone = x.slice(s![..20, ..]).to_owned();
    let learnt = learn(&alone, &labels[..20]);
    assert_eq!(learnt.columns_at_limit(&alone, &labels[..20]), Ok(vec![]), "{learnt:?}");
    assert!((-2.6..-1.9).contains(&lambda(learnt.transforms[0])), "{learnt:?}");
    let (log, ones) = (Transformed::new(vec![Transform::Log]), array![[1.0], [2.0]]);
    assert_eq!(log.columns_at_limit(&ones, &[0, 0]), Ok(vec![]));
    let refused = log.columns_at_limit(&ones, &[0]);
    assert_eq!(refused, Err(LambdaError::Labels { rows: 2, labels: 1 }));
}

/// The power is beyond -1e9, where doubles are further apart than the last golden section is wide elsewhere.
#[test]
fn searches_end_for_powers_of_any_size() {
    let x = Array2::from_shape_fn((60, 1), |(row, _)| 1.0 + 1e-10 * ((row * 7 % 60) as f64 / 60.0).powi(8));
    let learnt = Transformed::learn(&x, &[(); 60], PowerTransform::BoxCox, Missing::Error).expect("learns");
    assert!(lambda(learnt.transforms[0]) < -1e9, "{learnt:?}");
}

proptest! {
    #[test]
    fn what_is_learnt_can_be_fitted(case in nb_laws::cases(2, nb_laws::reals()), positive in any::<bool>()) {
        let (rows, transform) = if positive {
            (case.rows.mapv(|value| value.abs() + 1e-30), PowerTransform::BoxCox)
        } else {
            (case.rows, PowerTransform::YeoJohnson)
        };
        let learnt = Transformed::learn(&rows, &case.labels, transform, Missing::Error).expect("learns");
        prop_assert!(learnt.transforms.iter().all(|transform| lambda(*transform).is_finite()));
        prop_assume!(!case.labels.is_empty());
        // The floor of the variances may be zero for columns of tiny values, and nothing else may be wrong.
        match NaiveBayes::new(learnt).fit(&rows, &case.labels) {
            Ok(classifier) => {
                let scores = classifier.joint_log_likelihood(&rows);
                prop_assert!(scores.is_ok_and(|scores| scores.iter().all(|score| !score.is_nan())));
            }
            Err(error) => prop_assert!(error.to_string().contains("variance"), "{error}"),
        }
    }
}

#[test]
fn classes_of_one_value_are_left_out() {
    let x = array![[1.0], [4.0], [9.0], [25.0], [7.0], [7.0], [f64::NAN]];
    let y = ["a", "a", "a", "a", "b", "b", "b"];
    let both = Transformed::learn(&x, &y, PowerTransform::BoxCox, Missing::Skip).expect("learns");
    let alone = Transformed::learn(&x.slice(s![..4, ..]), &y[..4], PowerTransform::BoxCox, Missing::Skip);
    let (both, alone) = (lambda(both.transforms[0]), lambda(alone.expect("learns").transforms[0]));
    assert!((both - alone).abs() < 1e-6, "{both} {alone}");
    let none =
        Transformed::learn(&x.slice(s![4..6, ..]), &y[4..6], PowerTransform::YeoJohnson, Missing::Error);
    assert_eq!(none.expect("learns").transforms, [Transform::YeoJohnson { lambda: 1.0 }]);
}

#[test]
fn samples_go_back_through_the_transform() {
    let (x, y) = set("iris");
    let x = x.slice(s![.., 2..3]).to_owned();
    let classifier = NaiveBayes::new(Transformed::new(vec![Transform::Log])).fit(&x, &y).expect("fits");
    let drawn =
        classifier.sample_class(&"setosa".to_owned(), 20_000, &mut StdRng::seed_from_u64(3)).expect("known");
    let mean_log = drawn.iter().map(|value| value.ln()).sum::<f64>() / 20_000.0;
    let (expected, variance) = (
        classifier.likelihood().gaussian().means()[[0, 0]],
        classifier.likelihood().gaussian().variances()[[0, 0]],
    );
    assert!((mean_log - expected).abs() < 4.0 * (variance / 20_000.0).sqrt(), "{mean_log}, {expected}");
    // Wide on a half-line: what lies beyond its end is drawn again.
    let half = Transformed::new(vec![Transform::BoxCox { lambda: 2.0 }]);
    let classifier = NaiveBayes::new(half).fit(&array![[0.01], [0.02], [4.0]], &[(); 3]).expect("fits");
    let drawn = classifier.sample(5000, &mut StdRng::seed_from_u64(4)).0;
    assert!(drawn.iter().all(|&value| value > 0.0 && value.is_finite()));
}

#[test]
fn what_is_wrong_is_named() {
    let log = Transformed::new(vec![Transform::Identity, Transform::Log]);
    let mut stats = SufficientStats::new(&log, 2).expect("valid");
    let refused = stats.update(&log, &array![[0.0, 1.0], [0.0, 0.0]], &[0, 0]).unwrap_err().to_string();
    assert!(refused.starts_with("row 1, column 1: 0 is not above 0"), "{refused}");
    // A zero that is not stored has no logarithm, either.
    let (indptr, indices, values) = ([0, 2, 3], [0, 1, 0], [5.0, 1.0, 2.0]);
    let sparse = CsrView::new(2, &indptr, &indices, &values).expect("valid");
    let refused = stats.update(&log, &sparse, &[0, 0]).unwrap_err().to_string();
    assert!(refused.starts_with("row 1, column 1: 0 is not above 0"), "{refused}");

    let refused = log.layout(3).unwrap_err().to_string();
    assert_eq!(refused, "the list of transforms has 2 entries for 3 columns; give one per column");
    let other = Transformed::new(vec![Transform::Identity, Transform::BoxCox { lambda: 0.5 }]);
    let refused = stats.merge(&SufficientStats::new(&other, 2).expect("valid")).unwrap_err().to_string();
    assert!(refused.contains("gaussian after identity, box-cox 5e-1"), "{refused}");

    let refused = Transformed::learn(&array![[1.0], [-2.0]], &[0, 0], PowerTransform::BoxCox, Missing::Error);
    assert!(matches!(refused, Err(LambdaError::Value(error)) if (error.row, error.value) == (1, -2.0)));
    let refused = Transformed::learn(&array![[1.0]], &[0, 0], PowerTransform::BoxCox, Missing::Error);
    assert_eq!(refused, Err(LambdaError::Labels { rows: 1, labels: 2 }));

    // Too far from a narrow class: named by the value before the transform.
    let tiny = array![[1e-70], [2e-70], [3e-70]];
    let model = Transformed::new(vec![Transform::YeoJohnson { lambda: 1.2 }]);
    let classifier = NaiveBayes::new(model).fit(&tiny, &[0, 0, 1]);
    let refused = classifier.expect("fits").predict(&array![[0.0], [1e90]]).unwrap_err().to_string();
    assert!(refused.starts_with("row 1, column 0: 1e90 is so many standard deviations"), "{refused}");
}
