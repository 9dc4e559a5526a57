//! Cells and weights of every finite size: moments and scores against exact rational arithmetic, and the laws
//! of statistics.

use nb_core::{
    Blocks, Complement, Dispersion, Gaussian, Likelihood, Missing, Multinomial, NaiveBayes, NegativeBinomial,
    Poisson, Prior, RatePrior, Smoothing, SufficientStats, VarianceEstimator, VarianceSmoothing,
    ZeroInflatedGaussian,
    error::{FamilyProblem, FitError, FitRowsError, PredictError, ValueProblem},
};
use ndarray::{Array2, array};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;

fn rational(value: f64) -> BigRational {
    BigRational::from_float(value).expect("finite")
}

fn power(exponent: i64) -> BigRational {
    let power = BigRational::from(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// `⌊log2 x⌋` of a positive number, or one less.
fn exponent(value: &BigRational) -> i64 {
    let bits = |number: &BigInt| i64::try_from(number.bits()).expect("few bits");
    bits(value.numer()) - bits(value.denom()) - 1
}

fn ln(value: &BigRational) -> f64 {
    let exponent = exponent(value);
    let leading = (value * power(-exponent)).to_f64().expect("from 1 to 4");
    exponent as f64 * std::f64::consts::LN_2 + leading.ln()
}

/// Whether a double is within a relative error of a number, or is what rounding makes of one beyond the range
/// of doubles.
fn is_near(got: f64, exact: &BigRational, error: f64) -> bool {
    let (least, most) = (rational(f64::MIN_POSITIVE), rational(f64::MAX));
    if exact.abs() > most {
        return got.abs() == f64::INFINITY || got.abs() == f64::MAX;
    }
    let bound = exact.abs().max(least) * rational(error);
    got.is_finite() && (rational(got) - exact).abs() <= bound
}

/// Cells of a column of one size, which may be any.
fn column() -> impl Strategy<Value = Vec<f64>> {
    let size = prop::sample::select(vec![5e-324, 1e-310, 1e-160, 1e-120, 1.0, 1e120, 1e160, 8e307]);
    (size, prop::collection::vec((-1.0..1.0_f64, 0..4_u32), 12)).prop_map(|(size, cells)| {
        let cell = |(share, kind)| match kind {
            0 => size * share,
            1 => size * (1.0 + share / 8.0),
            2 => size * 100.0 * share,
            _ => size,
        };
        cells.into_iter().map(cell).map(|cell: f64| cell.clamp(-f64::MAX, f64::MAX)).collect()
    })
}

const LABELS: [u8; 12] = [0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0];

/// Weight, mean and mean square of deviations of the cells of a class.
fn moments(cells: &[f64], weights: &[f64], class: u8) -> (BigRational, BigRational, BigRational) {
    let own = || LABELS.iter().zip(cells).zip(weights).filter(|((label, _), _)| **label == class);
    let sum = |term: &dyn Fn(f64, f64) -> BigRational| {
        own().fold(BigRational::zero(), |sum, ((_, &cell), &weight)| sum + term(cell, weight))
    };
    let n = sum(&|_, weight| rational(weight));
    let mean = sum(&|cell, weight| rational(cell) * rational(weight)) / &n;
    let squares = sum(&|cell, weight| (rational(cell) - &mean).pow(2) * rational(weight));
    (n.clone(), mean, squares / n)
}

fn table(columns: &[Vec<f64>]) -> Array2<f64> {
    Array2::from_shape_fn((columns[0].len(), columns.len()), |(row, column)| columns[column][row])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn moments_and_scores_are_those_of_rational_arithmetic(
        columns in prop::collection::vec(column(), 1..3),
        weight in prop::sample::select(vec![1.0, 0.3, 1e-310, 1e-100, 1e200]),
        weighted in any::<bool>(),
    ) {
        let x = table(&columns);
        let weights: Vec<f64> =
            (0..12).map(|row| if weighted && row % 3 == 0 { weight } else { 1.0 }).collect();
        let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
        let model = NaiveBayes { model: none, prior: Prior::Uniform };
        let fitted = if weighted { model.fit_weighted(&x, &LABELS, &weights) } else { model.fit(&x, &LABELS) };
        let exact: Vec<_> =
            columns.iter().map(|cells| [0, 1].map(|class| moments(cells, &weights, class))).collect();
        let classifier = match fitted {
            Ok(classifier) => classifier,
            Err(FitRowsError::Fit(FitError::Family(error))) => {
                let variance = &exact[error.column][error.class].2;
                let is_right = match error.problem {
                    FamilyProblem::ZeroVariance => variance.is_zero(),
                    // Beside a class of a much larger variance.
                    FamilyProblem::VarianceRange { .. } => {
                        let other = &exact[error.column][1 - error.class];
                        exponent(variance) < exponent(&(&other.2 + other.1.pow(2))) - 1900
                    }
                    _ => false,
                };
                prop_assert!(is_right, "{}", error);
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let fitted = classifier.likelihood();
        let deviations = fitted.standard_deviations();
        for (column, exact) in exact.iter().enumerate() {
            for (class, (_, mean, variance)) in exact.iter().enumerate() {
                let at = [class, column];
                prop_assert!(is_near(fitted.means()[at], mean, 1.2e-16), "{:e}", fitted.means()[at]);
                prop_assert!(is_near(fitted.variances()[at], variance, 1.2e-16), "{:e}", fitted.variances()[at]);
                let square = rational(deviations[at]).pow(2);
                let is_subnormal = deviations[at] < 1e-300;
                prop_assert!(is_subnormal || ((&square - variance) / variance).abs() < rational(1e-15));
            }
        }
        let joint = classifier.joint_log_likelihood(&x);
        for row in 0..12 {
            for class in 0..2 {
                let mut expected = vec![0.5_f64.ln()];
                for (cells, exact) in columns.iter().zip(&exact) {
                    let (_, mean, variance) = &exact[class];
                    let two = BigRational::from(BigInt::from(2));
                    let distance = (rational(cells[row]) - mean).pow(2) / (two * variance);
                    expected.push(-0.5 * (ln(variance) + std::f64::consts::TAU.ln()));
                    expected.push(-distance.to_f64().expect("a number"));
                }
                let (sum, size) = (expected.iter().sum::<f64>(), expected.iter().copied().map(f64::abs).sum::<f64>());
                match &joint {
                    Ok(joint) => {
                        let got = joint[[row, class]];
                        prop_assert!(got == sum || (got - sum).abs() <= 1e-14 * size, "{} is not {}", got, sum);
                    }
                    Err(PredictError::Value(error)) => {
                        prop_assert_eq!(&error.reason, &ValueProblem::Unscorable);
                        prop_assert!(error.row != row || sum.abs() > 1e290, "{}: {}", error, sum);
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                }
            }
        }
    }
}

#[test]
fn statistics_keep_their_laws() {
    use nb_laws::{counts_of_any_size as counts, reals_of_any_size as reals};
    let skipping = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    let cells = prop_oneof![4 => reals(), 1 => Just(f64::NAN)];
    nb_laws::check_statistics(&Gaussian::default(), 3, reals());
    nb_laws::check_statistics(&skipping, 10, cells.clone());
    let inflated = ZeroInflatedGaussian { missing: Missing::Skip, ..ZeroInflatedGaussian::default() };
    nb_laws::check_statistics(&inflated, 3, cells.clone());
    nb_laws::check_statistics(&ZeroInflatedGaussian { value: 1e-310, ..inflated }, 2, cells);
    nb_laws::check_statistics(&Multinomial::default(), 3, reals().prop_map(f64::abs));
    nb_laws::check_statistics(&Complement::default(), 3, counts());
    nb_laws::check_statistics(&Poisson::default(), 3, counts());
    nb_laws::check_statistics(&NegativeBinomial::default(), 3, counts());
    let mixed = Blocks::new().with([2, 0], Gaussian::default()).with([1], Gaussian::default());
    nb_laws::check_statistics(&mixed, 3, reals());
}

#[test]
fn rows_in_any_parts_and_orders_give_the_same_bits() {
    let cells: Vec<f64> = (0..600_u32)
        .map(|place| {
            let share = f64::from(place * 7919 % 1009) / 1009.0 - 0.4;
            share * [1.0, 1e-310, 1.0, 1e160, 1e-200, 1.7e308, 1.0][(place % 7) as usize]
        })
        .collect();
    let x = Array2::from_shape_vec((200, 3), cells).expect("a table");
    let labels: Vec<u32> = (0..200).map(|row| row * 31 % 3).collect();
    let gaussian = Gaussian::default();
    let stats = |rows: &[usize]| {
        let mut stats = SufficientStats::new(&gaussian, 3).expect("a layout");
        let own: Vec<u32> = rows.iter().map(|&row| labels[row]).collect();
        stats.update(&gaussian, &x.select(ndarray::Axis(0), rows), &own).expect("finite cells");
        stats
    };
    let all: Vec<usize> = (0..200).collect();
    let backwards: Vec<usize> = (0..200).rev().collect();
    let whole = stats(&all);
    assert_eq!(stats(&backwards), whole);
    for cut in [1, 57, 199] {
        let (front, back) = all.split_at(cut);
        let mut merged = stats(back);
        merged.merge(&stats(front)).expect("the same layout");
        assert_eq!(merged, whole);
        merged.subtract(&stats(back)).expect("rows that were added");
        assert_eq!(merged, stats(front));
    }
    let mut halved = whole.clone();
    halved.scale(0.5).expect("a factor");
    halved.scale(2.0).expect("a factor");
    assert_eq!(halved, whole);
    let mut one_by_one = SufficientStats::new(&gaussian, 3).expect("a layout");
    let mut stream = one_by_one.stream(&gaussian).expect("the same family");
    for (row, label) in x.rows().into_iter().zip(&labels) {
        stream.add(row.as_slice().expect("in order"), label).expect("finite cells");
    }
    stream.finish();
    assert_eq!(one_by_one, whole);
}

#[test]
fn scaling_a_column_by_any_power_of_two_changes_no_label() {
    let x = array![[1.0, 5.0], [2.0, 4.0], [1.5, 5.5], [7.0, 1.0], [9.0, 2.5], [8.0, 0.5]];
    let labels = ["a", "a", "a", "b", "b", "b"];
    let probe = array![[4.0, 3.0], [4.5, 3.25], [0.0, 0.0], [100.0, -7.0]];
    for smoothing in [VarianceSmoothing::default(), VarianceSmoothing::None] {
        for estimator in [VarianceEstimator::MaximumLikelihood, VarianceEstimator::Unbiased] {
            let model = NaiveBayes::new(Gaussian { estimator, smoothing, missing: Missing::Error });
            let usual = model.fit(&x, &labels).expect("fits");
            for unit in [f64::MIN_POSITIVE, 2.0_f64.powi(-600), 2.0_f64.powi(500), 2.0_f64.powi(1010)] {
                let scaled = |x: &Array2<f64>| {
                    let mut x = x.clone();
                    x.column_mut(1).mapv_inplace(|value| value * unit);
                    x
                };
                let classifier = model.fit(&scaled(&x), &labels).expect("fits");
                assert_eq!(classifier.predict(&scaled(&probe)), usual.predict(&probe));
                let (got, expected) = (
                    classifier.predict_log_proba(&scaled(&probe)).expect("scores"),
                    usual.predict_log_proba(&probe).expect("scores"),
                );
                for (got, expected) in got.iter().zip(&expected) {
                    assert!(
                        (got - expected).abs() <= 1e-12 * expected.abs().max(1.0),
                        "{unit:e}: {got} {expected}"
                    );
                }
                assert_eq!(
                    classifier.likelihood().means()[[0, 1]],
                    usual.likelihood().means()[[0, 1]] * unit
                );
                let single = scaled(&probe).mapv(|value| value as f32);
                let doubles = single.mapv(f64::from);
                assert_eq!(classifier.predict(&single), classifier.predict(&doubles));
                let mut held_out = SufficientStats::new(&model.model, 2).expect("a layout");
                held_out.update(&model.model, &scaled(&x), &labels).expect("finite");
                let from_sums = classifier.log_likelihood_of_stats(&held_out).expect("sums");
                let joint = classifier.joint_log_likelihood(&scaled(&x)).expect("scores");
                let of_rows: f64 = (0..6).map(|row| joint[[row, row / 3]]).sum();
                assert!((from_sums - of_rows).abs() <= 1e-11 * of_rows.abs(), "{from_sums} {of_rows}");
            }
        }
    }
}

#[test]
fn a_class_that_is_too_far_leaves_the_others_their_rows() {
    let x = array![[-1e-100], [1e-100], [-1e100], [1e100]];
    let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let classifier = NaiveBayes::new(none).fit(&x, &["near", "near", "far", "far"]).expect("fits");
    let probe = array![[1e-100], [1e100], [1e250]];
    assert_eq!(classifier.predict(&probe), Ok(vec!["near", "far", "far"]));
    let joint = classifier.joint_log_likelihood(&probe).expect("scores");
    assert!(joint[[1, 0]].is_finite() && joint[[1, 1]] == f64::NEG_INFINITY, "{joint}");
    assert_eq!(classifier.predict_proba(&probe).expect("scores").row(1), array![1.0, 0.0]);
    // A distance of 1e300 and more standard deviations is too far from every class.
    let narrow = NaiveBayes::new(none).fit(&array![[0.0], [1.0], [2.0], [4.0]], &[0, 0, 1, 1]).expect("fits");
    assert_eq!(narrow.predict(&array![[1e150], [-1e150]]), Ok(vec![1, 1]));
    let error = narrow.predict(&array![[1.0], [1e300]]).expect_err("no density");
    assert!(matches!(&error, PredictError::Value(value) if value.row == 1), "{error}");
    assert_eq!(narrow.likelihood().log_likelihood(0, 0, 1e300), f64::NEG_INFINITY);
}

#[test]
fn a_variance_that_has_no_unit_is_refused_by_class_and_column() {
    let x = array![[1.0, -1e-300], [3.0, 1e-300], [1.0, 1e300], [2.0, 2e300]];
    let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let error = NaiveBayes::new(none).fit(&x, &[0, 0, 1, 1]).expect_err("no unit").to_string();
    assert!(
        error.starts_with("class 0 (in label order), column 1: the variance 0e0 is too small"),
        "{error}"
    );
    // The relative floor makes it one.
    assert!(NaiveBayes::new(Gaussian::default()).fit(&x, &[0, 0, 1, 1]).is_ok());
}

#[test]
fn inflated_columns_may_have_any_size() {
    let small = [0.0, 3e-310, 0.0, 5e-310, 1e-310, 0.0, 9e-310, 8e-310];
    let labels = [0, 0, 0, 0, 1, 1, 1, 1];
    let fit = |factor: f64| {
        let x = table(&[small.iter().map(|value| value * factor).collect()]);
        NaiveBayes::new(ZeroInflatedGaussian::default()).fit(&x, &labels).expect("fits")
    };
    let unit = 2.0_f64.powi(1000);
    let (subnormal, usual) = (fit(1.0), fit(unit));
    let probe = [0.0, 2e-310, 7e-310];
    let probes = |factor: f64| table(&[probe.iter().map(|value| value * factor).collect()]);
    let got = subnormal.predict_log_proba(&probes(1.0)).expect("scores");
    let expected = usual.predict_log_proba(&probes(unit)).expect("scores");
    assert!(
        got.iter().zip(&expected).all(|(got, expected)| (got - expected).abs() < 1e-12),
        "{got} {expected}"
    );
    assert_eq!(subnormal.likelihood().gaussian().means()[[0, 0]], 4e-310);
}

#[test]
fn counts_may_have_any_size() {
    let x = array![[1e308, 3e307], [1.5e308, 2.0], [1e308, 1.7e308], [2.0, 1.6e308]];
    let labels = ["a", "a", "b", "b"];
    let probe = array![[2.0, 1.0], [1.0, 2.0]];
    let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    let classifier = NaiveBayes::new(exact).fit(&x, &labels).expect("fits");
    let expected = (2.5_f64 / 2.8).ln();
    assert!((classifier.likelihood().log_probabilities()[[0, 0]] - expected).abs() < 1e-15);
    assert_eq!(classifier.predict(&probe), Ok(vec!["a", "b"]));
    let complement = NaiveBayes::new(Complement::default()).fit(&x, &labels).expect("fits");
    assert_eq!(complement.predict(&probe), Ok(vec!["a", "b"]));
    // Its scores are positive, so that one that overflows would be infinitely sure.
    for far in [array![[f64::MAX, 0.0]], array![[1e308, 1e308]], array![[0.0, f64::MAX]]] {
        let Err(PredictError::Value(error)) = complement.predict_proba(&far) else {
            panic!("{far} has a posterior")
        };
        assert_eq!(error.reason, ValueProblem::Unscorable);
    }
    // Fractional counts that are tiny, such as weights of terms.
    let tiny = x.mapv(|value: f64| value * 1e-309 * 1e-309);
    let smoothing = Smoothing::MAXIMUM_LIKELIHOOD;
    let small = NaiveBayes::new(Multinomial { smoothing, ..Multinomial::default() });
    assert!(small.fit(&tiny.mapv(|value| value.max(5e-324)), &labels).is_ok());
    assert_eq!(classifier.predict(&array![[1e306, 1e300], [1e-310, 1e306]]), Ok(vec!["a", "b"]));
    let error = classifier.predict(&array![[f64::MAX, f64::MAX]]).map(|_| ());
    assert!(error.is_ok() || matches!(error, Err(PredictError::Value(_) | PredictError::Impossible { .. })));

    let unit = Poisson { rate_prior: RatePrior::Unit, ..Poisson::default() };
    let poisson = NaiveBayes::new(unit).fit(&x, &labels).expect("fits");
    assert!((poisson.likelihood().rates()[[0, 0]] / 8.333_333_333_333_333e307 - 1.0).abs() < 1e-15);
    for dispersion in [Dispersion::PerClass, Dispersion::Shared] {
        let rate_prior = RatePrior::Unit;
        let model = NegativeBinomial { dispersion, rate_prior, ..NegativeBinomial::default() };
        let fitted = NaiveBayes::new(model).fit(&x, &labels).expect("fits");
        let mean = fitted.likelihood().means()[[0, 0]];
        assert!((mean / 8.333_333_333_333_333e307 - 1.0).abs() < 1e-15);
        assert!(fitted.likelihood().dispersions()[[1, 1]] < 1.0);
        assert_eq!(fitted.predict(&array![[1e308, 1e306]]), Ok(vec!["a"]));
    }
}

#[test]
fn weights_may_have_any_size() {
    let x = array![[1.0, 0.0], [3.0, 1.0], [7.0, 0.0], [9.0, 1.0]];
    let labels = ["a", "a", "b", "b"];
    for unit in [1e-320, 1e-300, 1e-30, 1e30, 1e280] {
        let weights = [1.0, 3.0, 2.0, 2.0].map(|weight| weight * unit);
        let classifier =
            NaiveBayes::new(Gaussian::default()).fit_weighted(&x, &labels, &weights).expect("fits");
        let fitted = classifier.likelihood();
        let is_near =
            |got: f64, expected: f64| (got / expected - 1.0).abs() < 1e-3_f64.min(1e-323 / unit + 1e-15);
        assert!(
            is_near(fitted.means()[[0, 0]], 2.5) && is_near(fitted.variances()[[0, 0]], 0.75),
            "{unit:e}"
        );
        assert!((classifier.log_prior()[0] - 0.5_f64.ln()).abs() < 1e-3);
        let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
        let counts = NaiveBayes::new(exact).fit_weighted(&x, &labels, &weights).expect("fits");
        // Of 1 + 9 events in "a", and of 32 + 2 in "b".
        assert!((counts.likelihood().log_probabilities()[[1, 1]] - (2.0_f64 / 34.0).ln()).abs() < 1e-3);
    }
    // One row that counts as nothing beside another.
    let weights = [1.0, 1e-310, 1.0, 1e-310];
    let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let classifier = NaiveBayes::new(none).fit_weighted(&x, &labels, &weights).expect("fits");
    let fitted = classifier.likelihood();
    assert_eq!(fitted.means().row(0), array![1.0, 1e-310]);
    assert!((fitted.variances()[[0, 0]] / 4e-310 - 1.0).abs() < 1e-10);
    assert!((fitted.variances()[[0, 1]] / 1e-310 - 1.0).abs() < 1e-10);
}
