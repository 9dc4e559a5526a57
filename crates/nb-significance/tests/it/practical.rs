//! The Bayesian correlated t-test, against the package baycomp.

use nb_significance::{CorrectedT, corrected_cross_validation_t};
use proptest::prelude::*;

const FIRST: [f64; 10] = [0.81, 0.79, 0.84, 0.80, 0.82, 0.83, 0.78, 0.85, 0.80, 0.81];
const SECOND: [f64; 10] = [0.78, 0.80, 0.80, 0.79, 0.78, 0.82, 0.79, 0.80, 0.80, 0.79];

/// baycomp 1.0.3: `two_on_single(first, second, region, runs)`, for whose probabilities the first comes
/// first.
const REFERENCES: [(f64, usize, [f64; 3]); 4] = [
    (0.0, 1, [0.949_124_712_061_477_2, 0.0, 0.050_875_287_938_522_806]),
    (0.01, 1, [0.780_545_704_146_36, 0.209_665_315_119_185_4, 0.009_788_980_734_454_555]),
    (0.02, 2, [0.439_262_333_870_025_8, 0.553_107_702_018_618_9, 0.007_629_964_111_355_303]),
    (0.1, 1, [8.229_180_685_030_398e-6, 0.999_991_370_581_510_4, 4.002_378_045_653_287_6e-7]),
];

fn test(runs: usize) -> CorrectedT {
    corrected_cross_validation_t(&FIRST, &SECOND, FIRST.len() / runs, 0.95).expect("valid")
}

#[test]
fn probabilities_are_those_of_baycomp() {
    for (region, runs, [above, within, below]) in REFERENCES {
        let found = test(runs).practical_difference(region);
        for (found, expected) in [(found.above, above), (found.within, within), (found.below, below)] {
            assert!((found - expected).abs() < 1e-12 + 1e-9 * expected, "{found}, not {expected}");
        }
    }
}

#[test]
fn equal_differences_leave_no_doubt() {
    let same = corrected_cross_validation_t(&FIRST, &FIRST, 5, 0.95).expect("valid");
    assert_eq!(same.practical_difference(0.0).within, 1.0);
    let lower = FIRST.map(|score| score - 0.25);
    let better = corrected_cross_validation_t(&FIRST, &lower, 5, 0.95).expect("valid");
    assert_eq!(better.practical_difference(0.1).above, 1.0);
    assert_eq!(better.practical_difference(0.5).within, 1.0);
    assert_eq!(better.practical_difference(f64::NAN), better.practical_difference(-1.0));
}

proptest! {
    #[test]
    fn exchanged_classifiers_exchange_the_probabilities(
        scores in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 4..20),
        region in 0.0..0.3_f64,
    ) {
        let (first, second): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
        let n = first.len();
        let one = corrected_cross_validation_t(&first, &second, n, 0.9).expect("valid").practical_difference(region);
        let other = corrected_cross_validation_t(&second, &first, n, 0.9).expect("valid").practical_difference(region);
        prop_assert!((one.above - other.below).abs() < 1e-12 && (one.within - other.within).abs() < 1e-12);
        prop_assert!((one.above + one.within + one.below - 1.0).abs() < 1e-12);
    }
}
