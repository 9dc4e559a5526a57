//! The shared-variance Gaussian family: laws, reference numbers, refusals.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{
    Classifier, FeatureModel, Gaussian, Missing, NaiveBayes, Prior, SufficientStats, VarianceEstimator,
    VarianceSmoothing,
};
use nb_datasets::Part;
use nb_linear::{FittedSharedGaussian, SharedGaussian};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

#[test]
fn keeps_the_laws() {
    nb_laws::check(&SharedGaussian::default(), 3, nb_laws::reals());
    let smoothing = VarianceSmoothing::LargestVariance(1e-9);
    nb_laws::check(&SharedGaussian { smoothing, ..SharedGaussian::default() }, 10, nb_laws::reals());
    let (estimator, smoothing) = (VarianceEstimator::Unbiased, VarianceSmoothing::AbsoluteFloor(1e-3));
    let unbiased = SharedGaussian { estimator, smoothing, missing: Missing::Error };
    nb_laws::check(&unbiased, 1, nb_laws::reals());
    let skipping = SharedGaussian { missing: Missing::Skip, ..SharedGaussian::default() };
    nb_laws::check(&skipping, 4, prop_oneof![3 => nb_laws::reals(), 1 => Just(f64::NAN)]);
}

/// What 240-bit arithmetic gives, printed as doubles: pooled squared deviations from the class means, divided
/// by `n - d K`, plus `var_smoothing` times the largest column variance.
struct Reference {
    set: &'static str,
    var_smoothing: f64,
    unbiased: bool,
    /// Of the first columns.
    variances: &'static [f64],
    /// The joint log-likelihoods of some rows.
    scores: &'static [(usize, &'static [f64])],
    /// How many of the rows get their own label.
    correct: usize,
}

const REFERENCES: &[Reference] = &[
    Reference {
        set: "iris",
        var_smoothing: 0.0,
        unbiased: false,
        variances: &[0.25970800000000005, 0.11308, 0.181484, 0.041044],
        scores: &[
            (0, &[-0.6368895882397806, -42.2430738980003, -94.15985285031653]),
            (31, &[-1.1558094368946978, -34.30144271953108, -81.52258930739129]),
            (56, &[-55.07613034511642, -3.505676013605959, -5.400852085258603]),
        ],
        correct: 144,
    },
    Reference {
        set: "iris",
        var_smoothing: 0.0,
        unbiased: true,
        variances: &[0.26500816326530613, 0.11538775510204081, 0.18518775510204083, 0.04188163265306122],
        scores: &[
            (0, &[-0.6757689845139089, -41.44982960807921, -92.32827298134912]),
            (31, &[-1.184310436195728, -33.66703105317938, -79.94375470928239]),
            (56, &[-54.02622492625301, -3.487179681372764, -5.344452231592355]),
        ],
        correct: 144,
    },
    Reference {
        set: "iris",
        var_smoothing: 1e-9,
        unbiased: false,
        variances: &[0.2597080030955027, 0.11308000309550266, 0.1814840030955027, 0.041044003095502664],
        scores: &[
            (0, &[-0.6368896511694906, -42.243072334095665, -94.15984895840533]),
            (31, &[-1.155809477265086, -34.30144158500139, -81.52258611828896]),
            (56, &[-55.07612819352293, -3.505675964375586, -5.400851935531771]),
        ],
        correct: 144,
    },
    Reference {
        set: "wine",
        var_smoothing: 0.0,
        unbiased: true,
        variances: &[0.2620524691539065, 0.8875467967465812, 0.0660721013425184, 8.006811181211564],
        scores: &[
            (0, &[-17.013823843155127, -38.76330255038844, -59.7023175480458]),
            (27, &[-18.416511352772684, -26.229938502837296, -38.87216630486569]),
            (55, &[-15.493409017558523, -30.832315950702803, -45.12277031169279]),
        ],
        correct: 172,
    },
    Reference {
        set: "wine",
        var_smoothing: 1e-9,
        unbiased: false,
        variances: &[0.257734464106211, 0.8726867524697955, 0.06505713620175635, 7.871963534949413],
        scores: &[
            (0, &[-16.97872506928252, -39.09598208129575, -60.35891484322726]),
            (27, &[-18.404130695624964, -26.35328963584196, -39.18315083792143]),
            (55, &[-15.429955683504609, -31.0252261698686, -45.52793899359264]),
        ],
        correct: 172,
    },
    Reference {
        set: "offset_1e9",
        var_smoothing: 0.0,
        unbiased: false,
        variances: &[0.944054905032626, 0.9564547706406971, 0.9537587990650912],
        scores: &[
            (200, &[-4.359587609277635, -4.7323574786950475]),
            (212, &[-3.679577628597026, -4.674290801322162]),
            (224, &[-6.293293337834692, -4.039721726496879]),
        ],
        correct: 66,
    },
];

/// Fits the training rows of a set.
fn fit(model: SharedGaussian, set: &str) -> (nb_datasets::Dataset, Classifier<usize, FittedSharedGaussian>) {
    let data = nb_datasets::load(set).expect("embedded");
    let train = data.rows_of(Part::Train);
    let labels: Vec<usize> = train.iter().map(|&row| data.labels[row]).collect();
    let classifier = NaiveBayes::new(model).fit(&data.x().select(Axis(0), &train), &labels).expect("fits");
    (data, classifier)
}

#[test]
fn agrees_with_exact_arithmetic() {
    for reference in REFERENCES {
        let estimator = if reference.unbiased {
            VarianceEstimator::Unbiased
        } else {
            VarianceEstimator::MaximumLikelihood
        };
        let smoothing = VarianceSmoothing::LargestVariance(reference.var_smoothing);
        let (data, classifier) =
            fit(SharedGaussian { estimator, smoothing, missing: Missing::Error }, reference.set);
        for (found, expected) in classifier.likelihood().variances().iter().zip(reference.variances) {
            assert!((found / expected - 1.0).abs() <= f64::EPSILON, "{}: {found}", reference.set);
        }
        let x = data.x();
        let joint = classifier.joint_log_likelihood(&x).expect("scores");
        for (row, expected) in reference.scores {
            let explanation = classifier.explain(&x, *row).expect("explains");
            let terms = explanation.contributions.iter().chain(&explanation.log_prior);
            let tolerance = 1e-14 * terms.map(|term| term.abs()).sum::<f64>();
            for (found, expected) in joint.row(*row).iter().zip(*expected) {
                assert!((found - expected).abs() <= tolerance, "{} row {row}: {found}", reference.set);
            }
        }
        let tested = if data.split.is_some() { Part::Test } else { Part::Train };
        let predicted = classifier.predict(&x).expect("scores");
        let correct = data.rows_of(tested).iter().filter(|&&row| predicted[row] == data.labels[row]).count();
        assert_eq!(correct, reference.correct, "{}", reference.set);
    }
}

#[test]
fn huge_equal_distances_leave_the_differences_whole() {
    // Means -1 and 1, variance 1: the log-odds at x are 2x.
    let x = array![[-2.0], [0.0], [0.0], [2.0]];
    let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &[0, 0, 1, 1]).expect("fits");
    for far in [3.0, 1e6, -1e12, 1e20] {
        let logs = classifier.predict_log_proba(&array![[far]]).expect("scores");
        let expected = -2.0 * f64::abs(far);
        assert!(
            (logs[[0, usize::from(far < 0.0)]] - expected).abs() <= 1e-2 + 1e-12 * expected.abs(),
            "{logs}"
        );
    }
}

#[test]
fn the_statistics_are_those_of_gaussian() {
    let (model, x) = (SharedGaussian::default(), array![[1.0, 7.0], [2.0, f64::NAN], [4.0, 5.0], [8.0, 1.0]]);
    assert_eq!(model.layout(2), Gaussian::default().layout(2));
    let skip = Missing::Skip;
    let (mut own, mut theirs) =
        (SufficientStats::new(&model, 2).expect("fits"), SufficientStats::new(&model, 2).expect("fits"));
    own.update(&SharedGaussian { missing: skip, ..model }, &x, &[0, 0, 1, 1]).expect("adds");
    theirs.update(&Gaussian { missing: skip, ..Gaussian::default() }, &x, &[0, 0, 1, 1]).expect("adds");
    assert_eq!(own, theirs);
}

fn refusal(model: SharedGaussian, x: &Array2<f64>, labels: &[u8]) -> String {
    NaiveBayes::new(model).fit(x, labels).expect_err("an error").to_string()
}

#[test]
fn refuses_what_has_no_variance() {
    let x = array![[1.0], [1.0], [3.0], [3.0]];
    let none = SharedGaussian { smoothing: VarianceSmoothing::None, ..SharedGaussian::default() };
    assert_eq!(
        refusal(none, &x, &[0, 0, 1, 1]),
        "class 0 (in label order), column 0: the variance is 0; choose a larger variance smoothing, or drop the column"
    );
    let unbiased = SharedGaussian { estimator: VarianceEstimator::Unbiased, ..SharedGaussian::default() };
    assert!(refusal(unbiased, &x, &[0, 1, 2, 3]).contains("use the maximum-likelihood estimator"));
    let skip = SharedGaussian { missing: Missing::Skip, ..SharedGaussian::default() };
    let gap = array![[1.0], [2.0], [f64::NAN], [f64::NAN]];
    assert!(refusal(skip, &gap, &[0, 0, 1, 1]).starts_with("class 1 (in label order), column 0: no value"));
    assert!(refusal(SharedGaussian::default(), &gap, &[0, 0, 1, 1]).contains("is missing"));
}

#[test]
fn a_class_of_one_row_shares_the_variance_of_the_others() {
    let x = array![[1.0], [3.0], [10.0]];
    let none = SharedGaussian { smoothing: VarianceSmoothing::None, ..SharedGaussian::default() };
    let classifier = NaiveBayes::new(none).fit(&x, &["many", "many", "one"]).expect("fits");
    assert_eq!(classifier.likelihood().variances(), [2.0 / 3.0]);
}

#[test]
fn no_input_makes_a_panic_or_a_nan() {
    const NASTY: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        -1.0,
        0.0,
        -0.0,
        1e120,
        1e160,
        1e-160,
        1e-310,
        1e9,
        1.0 + f64::EPSILON,
        0.1,
    ];
    for missing in [Missing::Error, Missing::Skip] {
        for (a, b) in NASTY.into_iter().flat_map(|a| NASTY.map(|b| (a, b))) {
            let x = array![[a, b], [b, 1.0], [a, 0.0], [1.0, b]];
            for smoothing in [
                VarianceSmoothing::default(),
                VarianceSmoothing::None,
                VarianceSmoothing::LargestVariance(1e-9),
                VarianceSmoothing::AbsoluteFloor(1e-300),
            ] {
                let model =
                    SharedGaussian { estimator: VarianceEstimator::MaximumLikelihood, smoothing, missing };
                let prior = Prior::Given(vec![1.0, 0.0]);
                let Ok(classifier) = (NaiveBayes { model, prior }).fit(&x, &[0, 0, 1, 1]) else { continue };
                for row in NASTY.map(|c| array![[c, a]]) {
                    let Ok(joint) = classifier.joint_log_likelihood(&row) else { continue };
                    assert!(joint.iter().all(|score| !score.is_nan()), "{row}: {joint}");
                    assert!(
                        joint[[0, 0]].is_finite() && joint[[0, 1]] == f64::NEG_INFINITY,
                        "{row}: {joint}"
                    );
                }
            }
        }
    }
}

#[test]
fn columns_of_any_size_are_scored_as_others() {
    nb_laws::check_statistics(&SharedGaussian::default(), 3, nb_laws::reals_of_any_size());
    let x = array![[1.0, 5.0], [2.0, 4.0], [1.5, 5.5], [7.0, 1.0], [9.0, 2.5], [8.0, 0.5]];
    let labels = ["a", "a", "a", "b", "b", "b"];
    let probe = array![[4.0, 3.0], [4.5, 3.25], [0.0, 0.0], [100.0, -7.0]];
    let model = NaiveBayes::new(SharedGaussian::default());
    let usual = model.fit(&x, &labels).expect("fits");
    let expected = usual.predict_log_proba(&probe).expect("scores");
    for unit in [f64::MIN_POSITIVE, 2.0_f64.powi(-600), 2.0_f64.powi(500), 2.0_f64.powi(1010)] {
        let scaled = |x: &Array2<f64>| {
            let mut x = x.clone();
            x.column_mut(1).mapv_inplace(|value| value * unit);
            x
        };
        let classifier = model.fit(&scaled(&x), &labels).expect("fits");
        let got = classifier.predict_log_proba(&scaled(&probe)).expect("scores");
        for (got, expected) in got.iter().zip(&expected) {
            assert!((got - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{unit:e}: {got} {expected}");
        }
        let fitted = classifier.likelihood();
        assert_eq!(fitted.means()[[0, 1]], usual.likelihood().means()[[0, 1]] * unit);
        let deviation = usual.likelihood().standard_deviations()[1] * unit;
        assert!((fitted.standard_deviations()[1] / deviation - 1.0).abs() < 1e-15);
        let mut held_out = SufficientStats::new(&model.model, 2).expect("a layout");
        held_out.update(&model.model, &scaled(&x), &labels).expect("finite");
        let from_sums = classifier.log_likelihood_of_stats(&held_out).expect("sums");
        let joint = classifier.joint_log_likelihood(&scaled(&x)).expect("scores");
        let of_rows: f64 = (0..6).map(|row| joint[[row, row / 3]]).sum();
        assert!((from_sums - of_rows).abs() <= 1e-11 * of_rows.abs(), "{from_sums} {of_rows}");
    }
}

/// `(1 + 2^-54)²/4` is a little above the middle between 1/4 and the next double.
#[test]
fn pooled_variances_around_the_middle_of_doubles_are_rounded_correctly() {
    for power in [0, 200, 450] {
        let unit = 2.0_f64.powi(power);
        let values =
            [1.0, -(2.0_f64.powi(-54)), 7.0, 7.0, 1.0, -(2.0_f64.powi(-54))].map(|value| value * unit);
        for (rows, expected) in [(0..2, 0.25), (0..4, 0.125), (2..6, 0.125)] {
            let x =
                Array2::from_shape_vec((rows.len(), 1), values[rows.clone()].to_vec()).expect("one column");
            let labels: Vec<usize> = rows.map(|row| row / 2).collect();
            let model = SharedGaussian { smoothing: VarianceSmoothing::None, ..SharedGaussian::default() };
            let classifier = NaiveBayes::new(model).fit(&x, &labels).expect("fits");
            let found = classifier.likelihood().variances()[0];
            assert_eq!(found, expected * (1.0 + f64::EPSILON) * unit * unit, "2^{power}");
        }
    }
}
