//! The Bayesian signed-rank test, against the package baycomp, and its symmetries.

use nb_significance::{
    BayesianSignedRank, BayesianSignedRankError, PracticalDifference, bayesian_signed_rank,
};
use proptest::prelude::*;

/// AUC of two classifiers on 14 data sets (Demšar 2006, table 2).
const FIRST: [f64; 14] =
    [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.940, 0.619, 0.972, 0.957];
const SECOND: [f64; 14] =
    [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981, 0.978];

/// baycomp 1.0.3: for each region, `SignedRankTest(FIRST, SECOND, region, nsamples=400000, random_state=1)`,
/// of which the probabilities of above, within and below, and the means of the samples.
const REFERENCES: [(f64, [f64; 3], [f64; 3]); 3] = [
    (0.0, [0.000_878, 0.0, 0.999_122], [0.121_735, 0.0, 0.878_265]),
    (0.01, [0.0, 0.328_65, 0.671_35], [0.0, 0.434_964, 0.565_036]),
    (0.03, [0.0, 0.991_495, 0.008_505], [0.0, 0.835_402, 0.164_598]),
];

fn test(region: f64, n_samples: usize) -> BayesianSignedRank {
    bayesian_signed_rank(&FIRST, &SECOND, region, n_samples, 7).expect("valid")
}

fn parts(parts: PracticalDifference) -> [f64; 3] {
    [parts.above, parts.within, parts.below]
}

/// Four standard errors of the samples here and there.
#[test]
fn probabilities_are_those_of_baycomp() {
    for (region, probability, mean_share) in REFERENCES {
        let found = test(region, 20_000);
        for (found, expected) in parts(found.probability).into_iter().zip(probability) {
            let error = (expected * (1.0 - expected) / 20_000.0).sqrt();
            assert!((found - expected).abs() < 4.5 * error + 1e-4, "{region}: {found}, not {expected}");
        }
        for (found, expected) in parts(found.mean_share).into_iter().zip(mean_share) {
            assert!((found - expected).abs() < 4e-3, "{region}: {found}, not {expected}");
        }
    }
}

#[test]
fn equal_scores_are_equivalent() {
    let same = bayesian_signed_rank(&FIRST, &FIRST, 0.01, 100, 1).expect("valid");
    assert_eq!((same.probability.within, same.mean_share.within), (1.0, 1.0));
    // Where nothing is equivalent, half of them is on each side.
    let same = bayesian_signed_rank(&FIRST, &FIRST, 0.0, 100, 1).expect("valid");
    assert_eq!((same.probability.above, same.probability.below), (0.5, 0.5));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for region in [-0.1, f64::NAN, f64::INFINITY] {
        let refused = bayesian_signed_rank(&FIRST, &SECOND, region, 100, 1);
        assert!(matches!(refused, Err(BayesianSignedRankError::Region { .. })), "{refused:?}");
    }
    assert_eq!(bayesian_signed_rank(&FIRST, &SECOND, 0.0, 0, 1), Err(BayesianSignedRankError::NoSamples));
    let refused = bayesian_signed_rank(&[], &[], 0.0, 9, 1);
    assert!(matches!(refused, Err(BayesianSignedRankError::Scores(_))), "{refused:?}");
}

proptest! {
    #[test]
    fn probabilities_add_up(scores in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..20), region in 0.0..0.3_f64) {
        let (first, second): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
        let found = bayesian_signed_rank(&first, &second, region, 50, 3).expect("valid");
        for all in [found.probability, found.mean_share] {
            prop_assert!((all.below + all.within + all.above - 1.0).abs() < 1e-12);
            prop_assert!(all.below >= 0.0 && all.within >= 0.0 && all.above >= 0.0);
        }
        // A wider region has no less of the pairs.
        let wider = bayesian_signed_rank(&first, &second, 2.0 * region, 50, 3).expect("valid");
        prop_assert!(wider.mean_share.within >= found.mean_share.within - 1e-12);
    }
}
