//! Every family keeps the laws.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Complement, Dispersion, Gaussian, Missing, Multinomial,
    NegativeBinomial, Poisson, RatePrior, Smoothing, Unseen, VarianceEstimator, VarianceSmoothing,
    ZeroInflatedGaussian,
};
use proptest::prelude::*;

fn half() -> Smoothing {
    Smoothing::new(0.5).expect("valid")
}

/// Pseudo-counts so small that their ratio to a total may be no double.
fn tiny() -> [Smoothing; 2] {
    [5e-324, 1e-300].map(|l| Smoothing::new(l).expect("valid"))
}

/// Values with gaps.
fn with_missing(values: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = f64> + Clone {
    prop_oneof![3 => values, 1 => Just(f64::NAN)]
}

#[test]
fn gaussian() {
    nb_laws::check(&Gaussian::default(), 3, nb_laws::reals());
    nb_laws::check(
        &Gaussian { smoothing: VarianceSmoothing::LargestVariance(1e-9), ..Gaussian::default() },
        10,
        nb_laws::reals(),
    );
    let unbiased = VarianceEstimator::Unbiased;
    let smoothing = VarianceSmoothing::AbsoluteFloor(1e-3);
    nb_laws::check(
        &Gaussian { estimator: unbiased, smoothing, missing: Missing::Error },
        1,
        nb_laws::reals(),
    );
    let skipping = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    nb_laws::check(&skipping, 4, with_missing(nb_laws::reals()));
}

#[test]
fn multinomial() {
    nb_laws::check(&Multinomial::default(), 4, nb_laws::counts());
    let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    nb_laws::check(&exact, 2, nb_laws::counts());
    nb_laws::check(&Multinomial { smoothing: half(), missing: Missing::Skip }, 3, with_missing(0.0..9.0_f64));
}

#[test]
fn complement() {
    for normalize in [false, true] {
        let complement = Complement { normalize, ..Complement::default() };
        nb_laws::check_statistics(&complement, 3, nb_laws::counts());
        nb_laws::check_scores(&complement, 3, nb_laws::counts());
    }
}

#[test]
fn bernoulli() {
    nb_laws::check(&Bernoulli::default(), 4, nb_laws::counts());
    let exact = Bernoulli { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Bernoulli::default() };
    nb_laws::check(&exact, 2, nb_laws::counts());
    // Zeros are above a negative threshold, also those that are not stored.
    let below = Bernoulli { threshold: -1.0, missing: Missing::Skip, ..Bernoulli::default() };
    nb_laws::check(&below, 3, with_missing(nb_laws::reals()));
}

#[test]
fn poisson() {
    nb_laws::check(&Poisson::default(), 3, nb_laws::counts());
    let exact = Poisson { smoothing: half(), missing: Missing::Skip, ..Poisson::default() };
    nb_laws::check(&exact, 3, with_missing(nb_laws::counts()));
    let exact = Poisson {
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        missing: Missing::Skip,
        rate_prior: RatePrior::Unit,
    };
    nb_laws::check(&exact, 3, with_missing(nb_laws::counts()));
}

#[test]
fn negative_binomial() {
    let wide = prop_oneof![2 => nb_laws::counts(), 1 => (0..60_u32).prop_map(f64::from)];
    nb_laws::check(&NegativeBinomial::default(), 3, wide.clone());
    let shared = NegativeBinomial {
        dispersion: Dispersion::Shared,
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        rate_prior: RatePrior::Unit,
        missing: Missing::Skip,
    };
    nb_laws::check(&shared, 3, with_missing(wide));
}

#[test]
fn zero_inflated_gaussian() {
    let inflated = prop_oneof![2 => nb_laws::reals(), 1 => Just(0.0)];
    nb_laws::check(&ZeroInflatedGaussian::default(), 3, inflated.clone());
    // Zeros are other values then, also those that are not stored.
    let beside_one = ZeroInflatedGaussian {
        value: 1.0,
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        estimator: VarianceEstimator::Unbiased,
        variance: VarianceSmoothing::AbsoluteFloor(1e-3),
        missing: Missing::Skip,
    };
    nb_laws::check(&beside_one, 2, with_missing(prop_oneof![2 => inflated, 1 => Just(1.0)]));
}

#[test]
fn categorical() {
    let codes = (0..6_u8).prop_map(f64::from);
    nb_laws::check(&Categorical::default(), 3, codes.clone());
    let exact = Categorical { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Categorical::default() };
    nb_laws::check(&exact, 2, codes.clone());
    let declared = Categorical {
        categories: Categories::Declared(vec![6, 7, 8]),
        unseen: Unseen::Other,
        missing: Missing::Skip,
        smoothing: half(),
    };
    nb_laws::check(&declared, 3, with_missing(codes));
}

#[test]
fn tiny_smoothing() {
    for smoothing in tiny() {
        let counts =
            || prop_oneof![3 => nb_laws::counts(), 1 => (0..4_u32).prop_map(|n| f64::from(n) * 1e15)];
        let codes = (0..6_u8).prop_map(f64::from);
        nb_laws::check(&Multinomial { smoothing: smoothing.clone(), ..Multinomial::default() }, 3, counts());
        nb_laws::check(&Bernoulli { smoothing: smoothing.clone(), ..Bernoulli::default() }, 3, counts());
        nb_laws::check(&Poisson { smoothing: smoothing.clone(), ..Poisson::default() }, 3, nb_laws::counts());
        nb_laws::check(&Categorical { smoothing: smoothing.clone(), ..Categorical::default() }, 3, codes);
        nb_laws::check(
            &NegativeBinomial { smoothing: smoothing.clone(), ..NegativeBinomial::default() },
            3,
            nb_laws::counts(),
        );
        nb_laws::check_scores(&Complement { smoothing, ..Complement::default() }, 3, counts());
    }
}

#[test]
fn mixed() {
    let mixed = Blocks::new().with([3, 0], Gaussian::default()).with([1], Categorical::default()).ignore([2]);
    nb_laws::check_statistics(&mixed, 4, (0..6_u8).prop_map(f64::from));
    nb_laws::check_scores(&mixed, 4, (0..6_u8).prop_map(f64::from));
}
