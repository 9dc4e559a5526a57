//! Hyper-parameters and results travel through serde, and what is invalid does not get in.

use nb_core::{
    Bernoulli, Categorical, Categories, Complement, Dispersion, Explanation, Gaussian, Missing, Multinomial,
    NaiveBayes, NegativeBinomial, Poisson, Prior, Smoothing, Unseen, VarianceEstimator, VarianceSmoothing,
    ZeroInflatedGaussian,
    selection::{CrossValidation, FoldAssignment, FoldedStats},
};
use ndarray::array;
use serde_json::{from_str, to_string};

fn returns<T: PartialEq + std::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned>(value: &T) {
    let text = to_string(value).expect("serialises");
    assert_eq!(from_str::<T>(&text).expect("deserialises"), *value, "{text}");
}

#[test]
fn hyper_parameters_return() {
    let each = Smoothing::per_feature(vec![1.0, 0.1]).expect("valid");
    returns(&NaiveBayes {
        model: Gaussian {
            estimator: VarianceEstimator::Unbiased,
            smoothing: VarianceSmoothing::AbsoluteFloor(0.1),
            missing: Missing::Skip,
        },
        prior: Prior::Given(vec![0.1, 0.9]),
    });
    returns(&Categorical {
        categories: Categories::Declared(vec![2, 3]),
        smoothing: each.clone(),
        unseen: Unseen::Other,
        missing: Missing::Skip,
    });
    returns(&Multinomial { smoothing: each.clone(), missing: Missing::Skip });
    returns(&Complement { smoothing: each, normalize: true, missing: Missing::Skip });
    returns(&Bernoulli { threshold: 0.5, smoothing: Smoothing::MAXIMUM_LIKELIHOOD, missing: Missing::Error });
    returns(&Poisson::default());
    returns(&NegativeBinomial { dispersion: Dispersion::Shared, ..NegativeBinomial::default() });
    returns(&ZeroInflatedGaussian { value: -1.0, ..ZeroInflatedGaussian::default() });
    returns(&FoldAssignment::Plain);
}

#[test]
fn what_is_not_said_is_the_default() {
    assert_eq!(from_str::<Gaussian>("{}").expect("all defaults"), Gaussian::default());
    let half = Multinomial { smoothing: Smoothing::new(0.5).expect("valid"), ..Multinomial::default() };
    assert_eq!(from_str::<Multinomial>(r#"{"smoothing": 0.5}"#).expect("a number"), half);
}

#[test]
fn what_is_invalid_is_refused() {
    for text in [r#"{"smoothing": -1.0}"#, r#"{"smoothing": [1.0, -1.0]}"#, r#"{"smoothness": 1.0}"#] {
        assert!(from_str::<Multinomial>(text).is_err(), "{text}");
    }
    let error = from_str::<Multinomial>(r#"{"smoothing": -1.0}"#).unwrap_err().to_string();
    assert!(error.contains("a finite number of at least 0"), "{error}");
}

#[test]
fn results_return() {
    let (x, y) = (array![[1.0], [2.0], [8.0], [9.0]], ["a", "a", "b", "b"].map(String::from));
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let explanation: Explanation<String> =
        naive_bayes.fit(&x, &y).expect("fits").explain(&x, 0).expect("scores");
    returns(&explanation);
    let mut folds =
        FoldedStats::new(&naive_bayes.model, 1, 2, FoldAssignment::Stratified).expect("two folds");
    folds.update(&naive_bayes.model, &x, &y).expect("valid rows");
    let cross_validation: CrossValidation = folds
        .cross_validate(&NaiveBayes {
            model: Gaussian { smoothing: VarianceSmoothing::AbsoluteFloor(1.0), ..Gaussian::default() },
            prior: Prior::Uniform,
        })
        .expect("fits");
    returns(&cross_validation);
}
