//! Rows drawn from a model are from that model: refitting finds its parameters again.

use nb_core::{
    Bernoulli, Blocks, Categorical, Gaussian, Multinomial, NaiveBayes, NegativeBinomial, Poisson, Smoothing,
    VarianceSmoothing, ZeroInflatedGaussian, error::SampleError,
};
use ndarray::{Axis, array};
use rand::{SeedableRng, rngs::StdRng};
use statrs::distribution::{ChiSquared, ContinuousCDF};

const N: usize = 40_000;

fn rng() -> StdRng {
    StdRng::seed_from_u64(7)
}

/// Within `sigmas` standard errors.
fn near(found: f64, expected: f64, standard_error: f64) -> bool {
    (found - expected).abs() < 5.0 * standard_error
}

#[test]
fn gaussian_moments() {
    let x = array![[1.0, 1e9], [3.0, 1e9 + 2.0], [10.0, 5.0], [14.0, 9.0]];
    let none = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let model = NaiveBayes::new(none).fit(&x, &["a", "a", "b", "b"]).expect("fits");
    let drawn = model.sample_class(&"a", N, &mut rng()).expect("known class");
    let means = drawn.mean_axis(Axis(0)).expect("rows");
    let error = 1.0 / (N as f64).sqrt();
    assert!(near(means[0], 2.0, error) && near(means[1], 1e9 + 1.0, error), "{means}");
    let variance = drawn.column(0).var(0.0);
    assert!(near(variance, 1.0, error * 2.0_f64.sqrt()), "{variance}");
    assert_eq!(model.sample_class(&"c", 1, &mut rng()).err(), Some(SampleError::UnknownClass));
}

#[test]
fn classes_come_from_the_prior() {
    let x = array![[0.0], [1.0], [5.0], [6.0], [7.0], [8.0]];
    let model = NaiveBayes::new(Gaussian::default()).fit(&x, &[0, 0, 1, 1, 1, 1]).expect("fits");
    let (_, labels) = model.sample(N, &mut rng());
    let share = labels.iter().filter(|&&label| label == 0).count() as f64 / N as f64;
    assert!(near(share, 1.0 / 3.0, (2.0 / 9.0 / N as f64).sqrt()), "{share}");
}

#[test]
fn categories_by_chi_squared() {
    let x = array![[0.0], [0.0], [0.0], [2.0], [2.0], [5.0]];
    let exact = Categorical { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Categorical::default() };
    let model = NaiveBayes::new(exact).fit(&x, &["a"; 6]).expect("fits");
    let drawn = model.sample_class(&"a", N, &mut rng()).expect("known class");
    let mut statistic = 0.0;
    for (code, probability) in [(0.0, 3.0 / 6.0), (2.0, 2.0 / 6.0), (5.0, 1.0 / 6.0)] {
        let expected = N as f64 * probability;
        let found = drawn.iter().filter(|&&value| value == code).count() as f64;
        statistic += (found - expected).powi(2) / expected;
    }
    let p = 1.0 - ChiSquared::new(2.0).expect("valid").cdf(statistic);
    assert!(p > 1e-4, "p = {p}");
}

#[test]
fn counts_and_bits() {
    let x = array![[4.0, 0.0, 2.0], [2.0, 1.0, 3.0]];
    let exact = Smoothing::MAXIMUM_LIKELIHOOD;
    let poisson = Poisson { smoothing: exact.clone(), ..Poisson::default() };
    let bernoulli = Bernoulli { smoothing: exact.clone(), ..Bernoulli::default() };
    let multinomial = Multinomial { smoothing: exact, ..Multinomial::default() };
    let blocks = Blocks::new().with([0], poisson).with([1], bernoulli).with([2], multinomial);
    let model = NaiveBayes::new(blocks).fit(&x, &["a", "a"]).expect("fits");
    let means = model.sample_class(&"a", N, &mut rng()).expect("known").mean_axis(Axis(0)).expect("rows");
    let error = (3.0 / N as f64).sqrt();
    assert!(
        near(means[0], 3.0, error) && near(means[1], 0.5, error) && near(means[2], 2.5, error),
        "{means}"
    );
}

#[test]
fn wide_counts_and_many_zeros() {
    let x = array![[0.0, 0.0], [3.0, 4.0], [9.0, 0.0], [4.0, 8.0]];
    let exact = Smoothing::MAXIMUM_LIKELIHOOD;
    let wide = NegativeBinomial { smoothing: exact.clone(), ..NegativeBinomial::default() };
    let inflated = ZeroInflatedGaussian { smoothing: exact, ..ZeroInflatedGaussian::default() };
    let blocks = Blocks::new().with([0], wide).with([1], inflated);
    let model = NaiveBayes::new(blocks).fit(&x, &["a"; 4]).expect("fits");
    let drawn = model.sample_class(&"a", N, &mut rng()).expect("known");
    // The mean is 4 and the variance 14; the standard error of a variance is below 4 times the variance over
    // the root of N.
    let counts = drawn.column(0);
    let error = (14.0 / N as f64).sqrt();
    assert!(near(counts.mean().expect("rows"), 4.0, error), "{:?}", counts.mean());
    assert!(near(counts.var(0.0), 14.0, 14.0 * 4.0 / (N as f64).sqrt()), "{}", counts.var(0.0));
    let others: Vec<f64> = drawn.column(1).iter().copied().filter(|&value| value != 0.0).collect();
    let share = 1.0 - others.len() as f64 / N as f64;
    assert!(near(share, 0.5, 0.5 / (N as f64).sqrt()), "{share}");
    let mean = others.iter().sum::<f64>() / others.len() as f64;
    assert!(near(mean, 6.0, 2.0 / (others.len() as f64).sqrt()), "{mean}");
}

#[test]
fn the_same_seed_gives_the_same_rows() {
    let x = array![[1.0, 0.5], [3.0, 0.25], [2.0, 9.0]];
    let model = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "a"]).expect("fits");
    assert_eq!(model.sample(100, &mut rng()), model.sample(100, &mut rng()));
}
