//! A classifier that is ready after each row is the one that is fitted to all of them.

use std::fmt::Debug;

use nb_core::{
    FeatureModel, Gaussian, Missing, Multinomial, NaiveBayes, OnlineClassifier, Prior, SufficientStats,
    VarianceEstimator, VarianceSmoothing, simd::InstructionSet,
};
use ndarray::{Array2, s};
use proptest::prelude::*;

/// Adds rows one by one, and compares with a fit after each.
fn check<M>(naive_bayes: &NaiveBayes<M>, rows: &Array2<f64>, labels: &[u8])
where
    M: FeatureModel + Clone,
    M::Fitted: PartialEq + Debug,
{
    let stats = SufficientStats::new(&naive_bayes.model, rows.ncols()).expect("columns");
    let mut online = OnlineClassifier::new(naive_bayes.clone(), stats).expect("the same family");
    let mut expected = online.stats().clone();
    for (number, label) in labels.iter().enumerate() {
        let row = rows.slice(s![number..=number, ..]);
        let added = online.add(row.as_slice().expect("a row"), label);
        let of_all = expected.update(&naive_bayes.model, &row, std::slice::from_ref(label));
        assert_eq!(added, of_all);
        assert_eq!(online.stats(), &expected);
        assert_eq!(online.classifier(), naive_bayes.fit_stats(&expected).ok().as_ref(), "row {number}");
    }
    assert_eq!(online.into_stats(), expected);
}

fn gaussians() -> impl Iterator<Item = Gaussian> {
    let smoothings = [
        VarianceSmoothing::default(),
        VarianceSmoothing::RelativeFloor(0.3),
        VarianceSmoothing::LargestVariance(1e-9),
        VarianceSmoothing::AbsoluteFloor(0.1),
        VarianceSmoothing::None,
    ];
    let all = smoothings.into_iter().flat_map(|smoothing| {
        [VarianceEstimator::MaximumLikelihood, VarianceEstimator::Unbiased]
            .map(|estimator| (smoothing, estimator))
    });
    all.map(|(smoothing, estimator)| Gaussian { smoothing, estimator, missing: Missing::Skip })
}

fn cell() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => -3.0..3.0_f64,
        2 => (-3.0..3.0_f64).prop_map(|value| 1e9 + value),
        2 => Just(0.5),
        1 => Just(f64::NAN),
        1 => prop::sample::select(vec![1e-12, 1e200, f64::INFINITY, 1e-250]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn gaussian(
        (n_columns, cells, labels) in (1..20_usize, 2..30_usize).prop_flat_map(|(n_columns, n_rows)| (
            Just(n_columns),
            prop::collection::vec(cell(), n_columns * n_rows),
            prop::collection::vec(0..3_u8, n_rows),
        )),
    ) {
        let rows = Array2::from_shape_vec((labels.len(), n_columns), cells).expect("cells of rows");
        for gaussian in gaussians() {
            check(&NaiveBayes::new(gaussian), &rows, &labels);
        }
    }
}

#[test]
fn ordinary_rows_with_every_set() {
    let rows = Array2::from_shape_fn((200, 30), |(row, column)| {
        f64::from((row * 7919 + column * 104_729) as u32 % 1013) / 7.0 + (row % 2) as f64
    });
    let labels: Vec<u8> = (0..200).map(|row| (row % 2 + row % 3 / 2) as u8).collect();
    for set in InstructionSet::ALL {
        set.with(|| {
            check(&NaiveBayes::new(Gaussian::default()), &rows, &labels);
            let given = NaiveBayes { model: Gaussian::default(), prior: Prior::Given(vec![0.2, 0.3, 0.5]) };
            check(&given, &rows, &labels);
        });
    }
}

#[test]
fn families_without_a_way_are_fitted() {
    let rows = Array2::from_shape_fn((20, 3), |(row, column)| ((row * 7 + column * 3) % 5) as f64);
    let labels: Vec<u8> = (0..20).map(|row| row as u8 % 3).collect();
    check(&NaiveBayes::new(Multinomial::default()), &rows, &labels);
    let other = SufficientStats::<u8>::new(&Multinomial::default(), 3).expect("columns");
    assert!(OnlineClassifier::new(NaiveBayes::new(Gaussian::default()), other).is_err());
}
