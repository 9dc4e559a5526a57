//! Digits: against exact rational arithmetic, independent densities and pinned bits.

use nb_core::{
    Bernoulli, Blocks, Categorical, Gaussian, Multinomial, NaiveBayes, Poisson, Prior, Smoothing,
    SufficientStats, VarianceSmoothing,
    error::{FamilyProblem, FitError, FitRowsError},
};
use ndarray::{Array2, array};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use statrs::distribution::{Continuous, Discrete, Normal, Poisson as PoissonReference};

/// Numbers from a fixed recurrence, uniform on `[0, 1)`.
fn uniforms(n: usize) -> Vec<f64> {
    let mut state = 42_u64;
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        })
        .collect()
}

fn column(values: &[f64]) -> Array2<f64> {
    Array2::from_shape_vec((values.len(), 1), values.to_vec()).expect("one column")
}

fn rational(value: f64) -> BigRational {
    BigRational::from_float(value).expect("finite")
}

#[test]
fn variances_are_correctly_rounded_at_any_offset() {
    for offset in [0.0, 1e3, 1e6, 1e9, 1e12, -1e15] {
        let values: Vec<f64> = uniforms(999).into_iter().map(|value| offset + value).collect();
        let n = rational(values.len() as f64);
        let mean = values.iter().copied().map(rational).sum::<BigRational>() / &n;
        let variance = values.iter().map(|&value| (rational(value) - &mean).pow(2)).sum::<BigRational>() / &n;

        let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
        let fitted = NaiveBayes::new(none).fit(&column(&values), &vec!["a"; values.len()]).expect("fits");
        let fitted = fitted.likelihood();
        assert_eq!(fitted.variances()[[0, 0]], variance.to_f64().expect("finite"), "offset {offset}");
        let rest = &mean - rational(fitted.means()[[0, 0]]);
        let error = (rest - rational(fitted.mean_rests()[[0, 0]])).to_f64().expect("finite");
        assert!(error.abs() <= 1e-30 * offset.abs().max(1.0), "offset {offset}: {error}");
    }
}

#[test]
fn scores_at_huge_offsets_keep_their_digits() {
    // The mean of these is 1e12 + 1/3, which no double is near enough to.
    let x = column(&[1e12, 1e12, 1e12 + 1.0]);
    let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let classifier = NaiveBayes::new(none).fit(&x, &["a"; 3]).expect("fits");
    let score = classifier.joint_log_likelihood(&column(&[1e12])).expect("scores")[[0, 0]];
    // z = (1/3)² / (2/9) = 1/2
    let expected = -0.5 * (std::f64::consts::TAU * 2.0 / 9.0).ln() - 0.25;
    assert!((score - expected).abs() <= 2.0 * f64::EPSILON, "{score} is not {expected}");
}

#[test]
fn a_constant_column_has_variance_zero_exactly() {
    // Twenty times 0.1 in plain doubles has a tiny false variance.
    let x = column(&[0.1; 20]);
    let none = NaiveBayes::new(Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() });
    let Err(FitRowsError::Fit(FitError::Family(error))) = none.fit(&x, &["a"; 20]) else {
        panic!("it was fitted")
    };
    assert_eq!((error.class, error.column, error.problem), (0, 0, FamilyProblem::ZeroVariance));
    // Under the default it says nothing, also of values that it never had.
    let mut two = Array2::from_elem((20, 2), 0.1);
    two.column_mut(1).iter_mut().enumerate().for_each(|(row, value)| *value = row as f64);
    let labels: Vec<usize> = (0..20).map(|row| row / 10).collect();
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&two, &labels).expect("fits");
    let explanation = classifier.explain(&array![[7.0, 3.0]], 0).expect("scores");
    assert_eq!(explanation.contributions.column(0).to_vec(), [0.0, 0.0]);
    assert_eq!(classifier.predict(&array![[7.0, 3.0]]).expect("scores"), [0]);
}

#[test]
fn densities_agree_with_an_independent_library() {
    let x = array![[1.0, 3.0], [2.5, 4.0], [4.0, 9.0]];
    let blocks = Blocks::new()
        .with([0], Gaussian::default())
        .with([1], Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() });
    let classifier = NaiveBayes::new(blocks).fit(&x, &["a"; 3]).expect("fits");
    let normal = Normal::new(2.5, 1.5_f64.sqrt()).expect("valid");
    let poisson = PoissonReference::new(16.0 / 3.0).expect("valid");
    for (value, count) in [(0.0, 0), (2.5, 5), (40.0, 100)] {
        let row = array![[value, f64::from(count)]];
        let expected = normal.ln_pdf(value) + poisson.ln_pmf(u64::try_from(count).expect("a count"));
        let found = classifier.log_evidence(&row).expect("scores")[0];
        assert!((found - expected).abs() <= 1e-13 * expected.abs(), "{found} is not {expected}");
    }
}

#[test]
fn the_multinomial_evidence_is_a_density() {
    // All documents of three words over two terms: their probabilities add up to one.
    let classifier = NaiveBayes::new(Multinomial::default())
        .fit(&array![[3.0, 1.0], [0.0, 2.0]], &["a", "b"])
        .expect("fits");
    let documents = array![[3.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 3.0]];
    let total: f64 = classifier.log_evidence(&documents).expect("scores").iter().map(|log| log.exp()).sum();
    assert!((total - 1.0).abs() < 1e-14, "{total}");
}

#[test]
fn sure_posteriors_keep_their_digits() {
    let naive_bayes = NaiveBayes {
        model: Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() },
        prior: Prior::Uniform,
    };
    // N(-10, 1) against N(10, 1): log-odds 20 x.
    let classifier = naive_bayes.fit(&column(&[-11.0, -9.0, 9.0, 11.0]), &[0, 0, 1, 1]).expect("fits");
    let logs = classifier.predict_log_proba(&column(&[-2.0, -20.0])).expect("scores");
    assert_eq!(logs[[0, 0]], -((-40.0_f64).exp().ln_1p()));
    assert_eq!(logs[[0, 1]], -40.0 + logs[[0, 0]]);
    assert_eq!(logs[[1, 0]], -((-400.0_f64).exp()));
    assert_eq!(logs[[1, 1]], -400.0);
}

#[test]
fn log_odds_where_densities_vanish() {
    // N(0, 1) against N(80, 1): 3200 - 80 x, where dnorm of either is 0 in doubles near x = 40.
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let classifier =
        naive_bayes.fit(&column(&[-1.0, 1.0, 79.0, 81.0]), &["near", "near", "far", "far"]).expect("fits");
    let x = [10.0, 20.0, 38.0, 39.0, 40.0, 41.0];
    let joint = classifier.joint_log_likelihood(&column(&x)).expect("scores");
    for (row, x) in joint.rows().into_iter().zip(x) {
        assert_eq!(row[1] - row[0], 3200.0 - 80.0 * x, "x = {x}");
    }
}

#[test]
fn what_was_never_seen_is_impossible_without_smoothing() {
    let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    let x = array![[2.0, 1.0, 0.0], [0.0, 1.0, 3.0]];
    let classifier = NaiveBayes::new(exact).fit(&x, &["a", "b"]).expect("fits");
    let rows = array![[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]];
    assert_eq!(classifier.try_predict_each(&rows).expect("scores"), [Some("a"), Some("a"), None]);
    let logs = classifier.predict_log_proba(&rows).expect("scores");
    assert_eq!(logs.row(1).to_vec(), [0.0, f64::NEG_INFINITY]);
    assert_eq!(logs.row(2).to_vec(), [f64::NEG_INFINITY; 2]);
    assert_eq!(classifier.predict_proba(&rows).expect("scores").row(2).to_vec(), [0.0, 0.0]);
    assert_eq!(classifier.log_evidence(&rows).expect("scores")[2], f64::NEG_INFINITY);
    let error = classifier.predict(&rows).expect_err("row 2 is impossible");
    assert_eq!(
        error.to_string(),
        "row 2 is impossible under every class; fit with a smoothing above 0, or use `try_predict_each`"
    );
    let explanation = classifier.explain(&rows, 2).expect("scores");
    assert_eq!(explanation.log_odds(0, 1), [f64::INFINITY, 0.0, f64::NEG_INFINITY]);
}

#[test]
fn ties_go_to_the_first_label() {
    let x = column(&[-1.0, 1.0, -1.0, 1.0]);
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["b", "b", "a", "a"]).expect("fits");
    assert_eq!(classifier.predict(&column(&[0.3, 5.0])).expect("scores"), ["a", "a"]);
}

#[test]
fn units_do_not_matter_under_the_default() {
    let values = uniforms(400);
    let x = Array2::from_shape_vec((200, 2), values).expect("two columns");
    let labels: Vec<usize> = (0..200).map(|row| usize::from(x[[row, 0]] + 0.2 * x[[row, 1]] > 0.6)).collect();
    let mut scaled = x.clone();
    scaled.column_mut(1).mapv_inplace(|value| value * 2.0_f64.powi(40));
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let plain = naive_bayes.fit(&x, &labels).expect("fits").predict(&x).expect("scores");
    assert_eq!(naive_bayes.fit(&scaled, &labels).expect("fits").predict(&scaled).expect("scores"), plain);
}

#[test]
fn forgetting_and_bernoulli_near_one() {
    // A feature that is 1 in every one of n rows: log(1 - p) = log(l / (n + 2 l)) exactly.
    let n = 100_000;
    let x = Array2::from_elem((n, 1), 1.0);
    let bernoulli = Bernoulli { smoothing: Smoothing::new(1e-3).expect("valid"), ..Bernoulli::default() };
    let classifier = NaiveBayes::new(bernoulli).fit(&x, &vec!["a"; n]).expect("fits");
    assert_eq!(classifier.likelihood().log_complements()[[0, 0]], (1e-3 / 100_000.002_f64).ln());

    let categorical = Categorical::default();
    let mut stats = SufficientStats::new(&categorical, 1).expect("columns");
    stats.update(&categorical, &column(&[0.0, 1.0]), &["a", "b"]).expect("valid");
    stats.scale(0.0).expect("a factor");
    assert_eq!(stats, stats.empty());
    assert!(stats.scale(-1.0).is_err() && stats.scale(f64::NAN).is_err());
}

/// Bits of a few fits, so that a change in any of them is noticed and deliberate.
#[test]
fn bits_are_pinned() {
    let x = Array2::from_shape_vec((100, 3), uniforms(300)).expect("three columns");
    let labels: Vec<usize> = (0..100).map(|row| row % 2).collect();
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &labels).expect("fits");
    let (mean, variance) =
        (classifier.likelihood().means()[[1, 2]], classifier.likelihood().variances()[[0, 1]]);
    let log_posterior = classifier.predict_log_proba(&x).expect("scores")[[17, 0]];
    let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, &labels).expect("fits");
    let log_probability = classifier.likelihood().log_probabilities()[[0, 0]];
    let log_evidence = classifier.log_evidence(&x).expect("scores")[99];
    let bits = [mean, variance, log_posterior, log_probability, log_evidence].map(f64::to_bits);
    let pinned = [
        4_602_935_898_995_438_665,
        4_590_590_653_179_860_983,
        13_830_536_638_040_698_646,
        13_831_080_463_706_424_731,
        13_830_800_180_223_278_067,
    ];
    assert_eq!(bits, pinned);
}
