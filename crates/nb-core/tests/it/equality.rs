//! What is fitted to the same rows is equal, used or not, and what is fitted to others is not.

use nb_core::{
    Bernoulli, Blocks, Categorical, Classifier, Complement, Density, FeatureModel, Gaussian, Likelihood,
    Missing, Multinomial, NaiveBayes, Poisson, Predictor,
};
use ndarray::{Array2, array};

fn rows() -> Array2<f64> {
    array![[0.0, 1.0], [1.0, 2.0], [3.0, 0.0], [2.0, 2.0], [1.0, 0.0]]
}

fn fit<M: FeatureModel>(model: M, rows: &Array2<f64>) -> Classifier<char, M::Fitted> {
    NaiveBayes::new(model).fit(rows, &['a', 'b', 'a', 'b', 'a']).expect("fits")
}

fn compare<M: FeatureModel + Clone>(model: M)
where
    M::Fitted: Clone + PartialEq + std::fmt::Debug,
{
    let (used, unused) = (fit(model.clone(), &rows()), fit(model.clone(), &rows()));
    // Tables that make answers faster are made on the way.
    let many = ndarray::concatenate(ndarray::Axis(0), &vec![rows().view(); 2_000]).expect("the same width");
    used.predict_proba(&many).expect("scores");
    used.predict(&many.mapv(|cell| cell as u8)).expect("scores");
    assert_eq!(used, unused);
    assert_eq!(used.clone(), unused);
    let mut other = rows();
    other[[0, 1]] = 2.0;
    assert_ne!(fit(model, &other), unused);
}

#[test]
fn every_fitted_family_can_be_compared_and_copied() {
    compare(Gaussian::default());
    compare(Categorical::default());
    compare(Multinomial::default());
    compare(Complement::default());
    compare(Bernoulli { threshold: 1.0, ..Bernoulli::default() });
    compare(Poisson::default());
    compare(Blocks::default().with_same([1], Gaussian::default()).with_same([0], Gaussian::default()));
}

#[test]
fn hyper_parameters_are_part_of_what_is_fitted() {
    let skip = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    assert_ne!(fit(skip, &rows()), fit(Gaussian::default(), &rows()));
}

#[test]
fn families_without_a_type_can_be_copied() {
    let blocks = Blocks::new().with([0], Gaussian::default()).with([1], Poisson::default());
    let classifier = fit(blocks.clone(), &rows());
    assert_eq!(classifier.clone().predict(&rows()), fit(blocks, &rows()).predict(&rows()));
}

fn labels<C>(mut predictor: Predictor<C>) -> Vec<char>
where
    C: std::ops::Deref<Target = Classifier<char, nb_core::fitted::FittedGaussian>>,
{
    let rows = rows();
    let labels = rows.rows().into_iter().map(|row| *predictor.label(&row.to_vec()).expect("scores"));
    labels.collect()
}

#[test]
fn a_predictor_owns_or_shares_its_classifier() {
    let classifier = fit(Gaussian::default(), &rows());
    let expected = classifier.predict(&rows()).expect("scores");
    assert_eq!(labels(classifier.predictor()), expected);
    let shared = std::sync::Arc::new(classifier.clone());
    assert_eq!(labels(Predictor::new(std::sync::Arc::clone(&shared))), expected);
    assert_eq!(labels(Predictor::new(std::rc::Rc::new(classifier.clone()))), expected);
    assert_eq!(labels(classifier.into_predictor()), expected);
}

/// A bound that a user may write.
#[test]
fn fitted_families_keep_their_capabilities() {
    fn is_density<T: Density + Likelihood + Send + Sync + 'static>() {}
    is_density::<nb_core::fitted::FittedBlocks>();
}
