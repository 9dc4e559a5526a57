//! Counts with overdispersion and numbers with a point mass, against long arithmetic by another program
//! (`dispersed.py` beside this file).

use nb_core::{
    Dispersion, FeatureModel, Missing, NaiveBayes, NegativeBinomial, Poisson, RatePrior, Smoothing,
    SufficientStats, VarianceEstimator, ZeroInflatedGaussian,
    error::{FamilyProblem, FitError, UpdateError, ValueProblem},
};
use ndarray::{Array2, array};

fn counts() -> (Array2<f64>, [char; 9]) {
    let rows = array![
        [0.0, 2.0],
        [12.0, 3.0],
        [3.0, 2.0],
        [7.0, 1.0],
        [1.0, 4.0],
        [2.0, 40.0],
        [0.0, 0.0],
        [5.0, 11.0],
        [1.0, 0.0]
    ];
    (rows, ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'])
}

fn assert_close(found: &Array2<f64>, expected: &Array2<f64>) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 2e-14 * expected.abs().max(1.0), "{found} is not {expected}");
    }
}

#[test]
fn negative_binomial_scores() {
    let (x, y) = counts();
    let rows = array![[4.0, 3.0], [0.0, 0.0], [30.0, 25.0]];
    let fit = |dispersion| {
        let rate_prior = RatePrior::Unit;
        let model = NegativeBinomial { dispersion, rate_prior, ..NegativeBinomial::default() };
        NaiveBayes::new(model).fit(&x, &y).expect("fits")
    };
    let own = fit(Dispersion::PerClass);
    let expected = array![[0.931_001_890_359_168_2, 0.0], [0.666_666_666_666_666_6, 2.117_134_435_473_536]];
    assert_close(&own.likelihood().dispersions().to_owned(), &expected);
    let expected = array![
        [-4.695_157_322_608_408, -6.382_055_355_764_994],
        [-4.422_180_878_692_947, -3.474_998_389_859_298],
        [-49.939_949_075_181_19, -23.267_826_163_659_773]
    ];
    assert_close(&own.joint_log_likelihood(&rows).expect("scored"), &expected);
    let shared = fit(Dispersion::Shared);
    let expected = array![
        [-5.666_335_595_580_269, -6.427_564_712_747_117],
        [-3.119_275_605_640_676_7, -3.415_969_092_108_954],
        [-17.407_344_046_795_245, -20.788_639_032_422_722]
    ];
    assert_close(&shared.joint_log_likelihood(&rows).expect("scored"), &expected);
}

#[test]
fn without_overdispersion_it_is_poisson() {
    let x = array![[3.0], [4.0], [4.0], [8.0], [9.0], [8.0]];
    let y = ["few", "few", "few", "many", "many", "many"];
    let model = NegativeBinomial::default();
    let classifier = NaiveBayes::new(model).fit(&x, &y).expect("fits");
    let poisson = NaiveBayes::new(Poisson::default()).fit(&x, &y).expect("fits");
    let rows = array![[0.0], [5.0], [1e6]];
    assert_eq!(classifier.joint_log_likelihood(&rows), poisson.joint_log_likelihood(&rows));
    // One row says nothing of the variance, and no row is a mean of one event in one row.
    let single = NaiveBayes::new(NegativeBinomial::default()).fit(&array![[7.0]], &["one"]).expect("fits");
    assert_eq!(single.likelihood().dispersions()[[0, 0]], 0.0);
}

#[test]
fn counts_that_are_none_are_refused_and_classes_without_data_named() {
    let model = NegativeBinomial { missing: Missing::Skip, ..NegativeBinomial::default() };
    let mut stats = SufficientStats::new(&model, 1).expect("one column");
    for (value, reason) in [(-1.0, ValueProblem::Negative), (1.5, ValueProblem::Fractional)] {
        match stats.update(&model, &array![[value]], &["a"]) {
            Err(UpdateError::Value(error)) => assert_eq!(error.reason, reason),
            other => panic!("{other:?}"),
        }
    }
    let exact = NegativeBinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..model };
    match NaiveBayes::new(exact).fit(&array![[f64::NAN], [1.0]], &["a", "b"]) {
        Err(nb_core::error::FitRowsError::Fit(FitError::Family(error))) => {
            assert_eq!((error.class, error.problem), (0, FamilyProblem::NoData));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn zero_inflated_gaussian_scores() {
    let values = [0.0, 0.0, 1.5, 2.5, 0.0, 3.5, 0.0, -1.0, 4.0, 2.0, 0.5];
    let x = Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row]);
    let y = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'];
    let smoothing = Smoothing::new(0.5).expect("valid");
    let model = ZeroInflatedGaussian { smoothing, ..ZeroInflatedGaussian::default() };
    let classifier = NaiveBayes::new(model.clone()).fit(&x, &y).expect("fits");
    let rows = array![[0.0], [2.0], [-3.0], [0.25]];
    let expected = array![
        [-1.299_282_984_130_260_9, -2.174_751_721_484_161],
        [-2.202_988_963_280_851_5, -2.667_249_914_819_914_5],
        [-24.702_988_963_280_852, -5.406_975_942_217_175],
        [-5.812_363_963_280_851, -2.795_103_796_098_453_5]
    ];
    assert_close(&classifier.joint_log_likelihood(&rows).expect("scored"), &expected);

    // The same at another value, to which all cells are moved.
    let moved = ZeroInflatedGaussian { value: 16.0, ..model };
    let classifier = NaiveBayes::new(moved).fit(&(&x + 16.0), &y).expect("fits");
    assert_close(&classifier.joint_log_likelihood(&(&rows + 16.0)).expect("scored"), &expected);
}

#[test]
fn a_class_of_zeros_borrows_the_other_values_of_all_classes() {
    let x = array![[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [3.0, 0.0]];
    let y = ["none", "none", "some", "some"];
    let classifier = NaiveBayes::new(ZeroInflatedGaussian::default()).fit(&x, &y).expect("fits");
    let gaussian = classifier.likelihood().gaussian();
    assert_eq!((gaussian.means()[[0, 0]], gaussian.variances()[[0, 0]]), (2.0, 1.0));
    // Nobody has seen another value in the second column: only that it is one counts.
    assert_eq!(gaussian.variances()[[0, 1]], f64::INFINITY);
    let joint = classifier.joint_log_likelihood(&array![[0.0, 5.0]]).expect("scored");
    assert_eq!(joint[[0, 0]], 0.5_f64.ln() + 0.75_f64.ln() + 0.25_f64.ln());
}

#[test]
fn values_that_make_other_sums_do_not_merge() {
    let layout = |value| ZeroInflatedGaussian { value, ..ZeroInflatedGaussian::default() }.layout(1);
    assert_ne!(layout(0.0), layout(1.0));
    assert_eq!(layout(0.0), layout(-0.0));
    assert!(layout(f64::NAN).is_err() && layout(f64::INFINITY).is_err() && layout(1e-200).is_ok());
    let unbiased =
        ZeroInflatedGaussian { estimator: VarianceEstimator::Unbiased, ..ZeroInflatedGaussian::default() };
    assert_eq!(unbiased.layout(1), layout(0.0));
}
