//! A family chosen at run time has all the ways that the family itself has.

use std::sync::atomic::{AtomicUsize, Ordering};

use nb_core::{
    Blocks, Classifier, FeatureModel, Likelihood, Rows,
    error::{LikelihoodError, ValueError},
    family::{Block, Estimates, Scores, SumForm},
};
use nb_io::{Family, FittedFamily};
use ndarray::array;

use crate::examples::models;

/// Counts how often a fitted family gave quick estimates.
struct Spy<'a> {
    fitted: &'a FittedFamily,
    estimated: AtomicUsize,
}

impl Spy<'_> {
    fn count(&self, told: bool) -> bool {
        self.estimated.fetch_add(usize::from(told), Ordering::Relaxed);
        told
    }
}

impl Likelihood for &Spy<'_> {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.fitted.check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.fitted.log_likelihood(class, column, value)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.fitted.score(rows, scores)
    }

    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.count(self.fitted.estimate(rows, estimates))
    }
}

/// How often the labels of rows come from quick estimates.
fn estimates(classifier: &Classifier<String, FittedFamily>, rows: &impl Rows) -> usize {
    let spy = Spy { fitted: classifier.likelihood(), estimated: AtomicUsize::new(0) };
    let labels = classifier.classes().to_vec();
    let spied = Classifier::from_parts(labels, classifier.log_prior().to_vec(), &spy, 2).expect("its parts");
    assert_eq!(spied.predict(rows), classifier.predict(rows));
    spy.estimated.load(Ordering::Relaxed)
}

#[test]
fn quick_ways_are_passed_on() {
    for model in models() {
        let family = model.family();
        assert!(family.accumulator(2).is_some(), "{family:?}");
        let classifier = model.classifier().expect("it is trained");
        let expected = match family {
            Family::Poisson(_) => 0,
            Family::Blocks(blocks)
                if blocks.iter().any(|(_, family)| matches!(family, Family::Poisson(_))) =>
            {
                0
            }
            _ => 1,
        };
        assert_eq!(estimates(&classifier, &array![[1.0, 2.0]]), expected, "{family:?}");
        if matches!(family, Family::Categorical(_)) {
            assert_eq!(estimates(&classifier, &array![[1_u8, 2]]), 1);
        }
        if matches!(family, Family::Gaussian(_)) {
            assert_eq!(estimates(&classifier, &array![[1.0_f32, 2.0]]), 1);
        }
    }
    let nothing = Family::Blocks(Blocks::default().ignore([0]));
    assert!(nothing.accumulator(1).is_none());
}

#[test]
fn log_likelihoods_of_statistics_are_passed_on() {
    for model in models() {
        let family = model.family();
        let classifier = model.classifier().expect("it is trained");
        let layout = classifier.likelihood().of_sums().and_then(SumForm::sum_layout);
        let found = classifier.log_likelihood_of_stats(model.stats());
        if matches!(family, Family::Complement(_)) {
            assert_eq!((layout, found), (None, Err(LikelihoodError::NoForm)));
        } else {
            assert_eq!(layout, family.layout(2).ok());
            assert!(found.is_ok_and(f64::is_finite), "{family:?}");
        }
    }
}
