//! Power, against SciPy and by simulation.

use nb_significance::{
    CorrectedT, PowerError, ScoreError, corrected_cross_validation_t, corrected_resampled_t, data_sets_needed,
};

const FIRST: [f64; 5] = [0.81, 0.79, 0.84, 0.80, 0.82];
const SECOND: [f64; 5] = [0.78, 0.80, 0.80, 0.79, 0.78];

fn test() -> CorrectedT {
    corrected_cross_validation_t(&FIRST, &SECOND, 5, 0.95).expect("valid")
}

/// SciPy 1.17: for degrees of freedom, parameter and level, `nct.sf(c, df, d) + nct.cdf(-c, df, d)` with
/// `c = t.ppf(1 - alpha/2, df)`.
const REFERENCES: [(usize, f64, f64, f64); 6] = [
    (1, 2.0, 0.05, 0.125_756_317_757_052_8),
    (4, 0.5, 0.05, 0.067_855_590_100_152_48),
    (4, 3.0, 0.05, 0.619_261_459_402_330_6),
    (9, 1.5, 0.1, 0.399_374_018_100_698_95),
    (99, 2.8, 0.05, 0.791_828_327_399_771_5),
    (999, 4.0, 0.01, 0.921_835_298_042_786_9),
];

#[test]
fn power_is_that_of_scipy() {
    for (degrees, parameter, alpha, expected) in REFERENCES {
        let alternating: Vec<f64> = (0..=degrees).map(|place| f64::from(u8::from(place % 2 == 0))).collect();
        let zeros = vec![0.0; degrees + 1];
        let test = corrected_resampled_t(&alternating, &zeros, 0.1, 1.0 - alpha).expect("valid");
        let found = test.power(parameter * test.standard_error);
        assert!((found - expected).abs() < 1e-9, "{degrees}, {parameter}: {found}, not {expected}");
        assert_eq!(test.power(-parameter * test.standard_error), found);
    }
}

/// By the same loops over SciPy's distribution.
#[test]
fn numbers_are_those_of_scipy() {
    for (difference, expected) in [(0.05, Some(6)), (0.04, Some(11)), (0.1, Some(3)), (0.01, None)] {
        assert_eq!(test().splits_needed(difference, 0.8), expected, "{difference}");
    }
    // 30 for the t-test.
    let (first, second) = ([0.80, 0.71, 0.93, 0.65, 0.88, 0.79], [0.78, 0.70, 0.90, 0.61, 0.83, 0.73]);
    assert_eq!(data_sets_needed(&first, &second, 0.01, 0.05, 0.8), Ok(Some(32)));
}

#[test]
fn what_is_detectable_needs_no_more_splits() {
    for power in [0.1, 0.5, 0.8, 0.99] {
        let difference = test().detectable_difference(power);
        assert!((test().power(difference) - power).abs() < 1e-9);
        assert_eq!(test().splits_needed(difference * 1.000_001, power), Some(5));
    }
    for power in [0.01, 1.0, f64::NAN] {
        assert_eq!(test().detectable_difference(power), f64::INFINITY);
    }
}

#[test]
fn what_does_not_vary_is_always_found() {
    let same = corrected_cross_validation_t(&FIRST, &FIRST, 5, 0.95).expect("valid");
    assert_eq!((same.power(0.001), same.detectable_difference(0.8)), (1.0, 0.0));
    assert_eq!(same.splits_needed(0.001, 0.8), Some(2));
    assert_eq!(data_sets_needed(&FIRST, &FIRST, 0.01, 0.05, 0.8), Ok(Some(3)));
}

#[test]
fn numbers_out_of_range_are_refused() {
    let needed = |difference, alpha, power| data_sets_needed(&FIRST, &SECOND, difference, alpha, power);
    assert_eq!(needed(0.0, 0.05, 0.8), Err(PowerError::Difference { difference: 0.0 }));
    assert_eq!(needed(0.1, 1.0, 0.8), Err(PowerError::Alpha { alpha: 1.0 }));
    assert_eq!(needed(0.1, 0.05, 0.05), Err(PowerError::Power { power: 0.05, alpha: 0.05 }));
    let too_few = ScoreError::TooFew { found: 1, needed: 2 };
    assert_eq!(data_sets_needed(&[1.0], &[0.0], 0.1, 0.05, 0.8), Err(PowerError::Scores(too_few)));
    assert_eq!(needed(1e-30, 0.05, 0.8), Ok(None));
    assert_eq!((test().power(f64::NAN), test().power(f64::INFINITY)), (0.0, 1.0));
}
