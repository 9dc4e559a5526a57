//! The Bayesian hierarchical test, against the package baycomp with Stan, and its symmetries.

use nb_significance::{FoldScores, Hierarchical, HierarchicalError, PracticalDifference, hierarchical};

const DELTAS: [f64; 10] = [-0.004, 0.01, 0.012, 0.02, 0.03, 0.005, 0.0, 0.018, -0.01, 0.06];

/// Differences on ten folds of ten data sets: `δ_i + (0.005 + 0.002 i) sin(7 i + 3 j + i j)`.
fn scores() -> Vec<Vec<f64>> {
    let score =
        |i: usize, j: usize| DELTAS[i] + (0.005 + 0.002 * i as f64) * ((7 * i + 3 * j + i * j) as f64).sin();
    (0..10).map(|i| (0..10).map(|j| score(i, j)).collect()).collect()
}

fn test(scores: &[Vec<f64>], region: f64, seed: u64) -> Result<Hierarchical, HierarchicalError> {
    let zeros = [0.0; 10];
    let folds: Vec<FoldScores<'_>> =
        scores.iter().map(|first| FoldScores { first, second: &zeros, test_share: 0.1 }).collect();
    hierarchical(&folds, region, 8_000, seed)
}

fn parts(parts: PracticalDifference) -> [f64; 3] {
    [parts.below, parts.within, parts.above]
}

/// `hierarchical-t-test.stan` of baycomp 1.0.3 by `pystan` 3.10.0 with the data that its `HierarchicalTest`
/// makes of these scores, `stan.build(code, data, random_seed=1).sample(num_chains=4, num_samples=25000,
/// num_warmup=2000, delta=0.95)`; for each region the shares of the samples in which the next data set is
/// most probably below, in and above it, and the means.
const REFERENCES: [(f64, [f64; 3], [f64; 3]); 4] = [
    (0.0, [0.03328, 0.0, 0.96672], [0.258_919, 0.0, 0.741_081]),
    (0.005, [0.03323, 0.00029, 0.96648], [0.190_657, 0.152_251, 0.657_092]),
    (0.01, [0.02501, 0.08983, 0.88516], [0.138_020, 0.301_142, 0.560_838]),
    (0.02, [0.00305, 0.78524, 0.21171], [0.070_536, 0.566_721, 0.363_427]),
];

/// From the same samples: the posterior means of `δ₀`, `σ₀` and the `δ_i`.
const CENTER: f64 = 0.013_140_6;
const SCALE: f64 = 0.020_204_4;
const SHRUNKEN: [f64; 10] = [
    -0.003_560_07,
    0.009_996_18,
    0.012_218_12,
    0.025_533_25,
    0.029_010_25,
    0.004_526_95,
    0.000_726_26,
    0.017_165_71,
    -0.008_377_2,
    0.049_053_76,
];

#[test]
fn probabilities_are_those_of_baycomp() {
    let scores = scores();
    for (number, (region, most_probable, next)) in REFERENCES.into_iter().enumerate() {
        let found = test(&scores, region, number as u64).expect("converges");
        for (found_share, expected) in parts(found.most_probable).into_iter().zip(most_probable) {
            let error = (expected * (1.0 - expected) / found.effective_samples).sqrt();
            assert!((found_share - expected).abs() < 4.0 * error + 2e-3, "{region}: {found:?}");
        }
        for (found_share, expected) in parts(found.next).into_iter().zip(next) {
            assert!((found_share - expected).abs() < 8e-3, "{region}: {found:?}");
        }
        assert!((found.mean_difference - CENTER).abs() < 5e-4, "{found:?}");
        assert!((found.scale - SCALE).abs() < 5e-4, "{found:?}");
        for (found, expected) in found.differences.iter().zip(SHRUNKEN) {
            assert!((found - expected).abs() < 4e-4, "{found}, not {expected}");
        }
    }
}

#[test]
fn the_seed_decides_and_the_unit_does_not_matter() {
    let scores = scores();
    let found = test(&scores, 0.01, 5).expect("converges");
    assert_eq!(test(&scores, 0.01, 5).expect("converges"), found);
    assert_ne!(test(&scores, 0.01, 6).expect("converges"), found);
    let scaled: Vec<Vec<f64>> =
        scores.iter().map(|scores| scores.iter().map(|score| score * 1024.0).collect()).collect();
    let scaled = test(&scaled, 10.24, 5).expect("converges");
    assert_eq!((scaled.most_probable, scaled.next), (found.most_probable, found.next));
    assert!((scaled.mean_difference / 1024.0 - found.mean_difference).abs() < 1e-12);
}

#[test]
fn a_data_set_without_noise_is_taken_as_it_is() {
    let mut scores = scores();
    scores[3] = vec![0.02; 10];
    let found = test(&scores, 0.01, 1).expect("converges");
    assert!((found.differences[3] - 0.02).abs() < 1e-4, "{found:?}");
    // Little noise in folds draws less towards the others than much.
    let drawn = |set: usize| (found.differences[set] - scores[set].iter().sum::<f64>() / 10.0).abs();
    assert!(drawn(9) > drawn(0), "{found:?}");
    // The same classifier twice on most data sets.
    scores.iter_mut().take(8).for_each(|scores| scores.fill(0.0));
    let found = test(&scores, 0.01, 1).expect("converges");
    assert!(found.most_probable.within > 0.95, "{found:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let (first, second) = (vec![0.1, 0.2, 0.4], vec![0.0; 3]);
    let folds = |test_share| FoldScores { first: &first, second: &second, test_share };
    assert_eq!(hierarchical(&[], 0.01, 4000, 1), Err(HierarchicalError::NoSets));
    for region in [-0.1, f64::NAN, f64::INFINITY] {
        let refused = hierarchical(&[folds(0.3)], region, 4000, 1);
        assert!(matches!(refused, Err(HierarchicalError::Region { .. })), "{refused:?}");
    }
    for share in [0.0, 1.0, f64::NAN] {
        let refused = hierarchical(&[folds(0.3), folds(share)], 0.01, 4000, 1);
        assert!(matches!(refused, Err(HierarchicalError::Share { set: 1, .. })), "{refused:?}");
    }
    let lone = FoldScores { first: &[1.0], second: &[0.5], test_share: 0.3 };
    let refused = hierarchical(&[folds(0.3), lone], 0.01, 4000, 1).unwrap_err();
    assert!(refused.to_string().starts_with("data set 1 (counted from 0) has no pairs"), "{refused}");
    let why = std::error::Error::source(&refused).map(ToString::to_string).unwrap_or_default();
    assert!(why.starts_with("there are 1 pairs"), "{why}");
    let constant = FoldScores { first: &[0.9, 0.8], second: &[0.8, 0.7], test_share: 0.5 };
    assert_eq!(hierarchical(&[constant; 3], 0.01, 4000, 1), Err(HierarchicalError::NoSpread));
    // Too few samples for an answer.
    for n_samples in [0, 40] {
        let refused = hierarchical(&[folds(0.3), folds(0.3)], 0.01, n_samples, 1).unwrap_err();
        assert!(matches!(refused, HierarchicalError::NotConverged { .. }), "{refused:?}");
    }
}
