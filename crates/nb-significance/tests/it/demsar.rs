//! The worked examples of Demšar 2006, *Statistical comparisons of classifiers over multiple data sets*,
//! Journal of Machine Learning Research 7, 1-30: AUC of C4.5 and variants of it on fourteen data sets (table
//! 6).

use nb_significance::{
    Better, Friedman, Method, StudentizedRange, Zeros, critical_difference, friedman, groups_by_difference,
    groups_by_p_values, nemenyi, rank_p_values, rank_tests, rank_tests_against, wilcoxon,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// C4.5, C4.5+m, C4.5+cf, C4.5+m+cf.
pub(crate) const AUC: [[f64; 4]; 14] = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
];

pub(crate) fn test() -> Result<Friedman, nb_significance::FriedmanError> {
    friedman(&AUC, Better::Larger)
}

fn column(classifier: usize) -> Vec<f64> {
    AUC.iter().map(|scores| scores[classifier]).collect()
}

#[track_caller]
fn close(value: f64, reference: f64, tolerance: f64) {
    assert!((value - reference).abs() <= tolerance * reference.abs(), "{value:e} instead of {reference:e}");
}

/// Rounds as the paper prints.
#[track_caller]
fn printed(value: f64, reference: f64, unit: f64) {
    assert!((value - reference).abs() <= 0.501 * unit, "{value} instead of {reference}");
}

#[test]
fn friedman_as_printed() -> Outcome {
    let test = test()?;
    for (rank, reference) in test.average_ranks.iter().zip([3.143, 2.000, 2.893, 1.964]) {
        printed(*rank, reference, 0.001);
    }
    printed(test.chi_squared_uncorrected, 9.28, 0.01);
    let most = 14.0 * 3.0;
    printed(13.0 * test.chi_squared_uncorrected / (most - test.chi_squared_uncorrected), 3.69, 0.01);
    assert_eq!(test.f_degrees_of_freedom, (3.0, 39.0));
    Ok(())
}

#[test]
fn friedman_with_ties_as_scipy() -> Outcome {
    // SciPy 1.17.1: `friedmanchisquare`, and `f.sf` of the F from its statistic.
    let test = test()?;
    close(test.chi_squared, 10.228_346_456_692_925, 1e-14);
    close(test.p, 0.016_721_580_328_441_323, 1e-12);
    close(test.f, 4.185_130_111_524_17, 1e-13);
    close(test.p_f, 0.011_620_659_515_310_975, 1e-12);
    close(test.kendalls_w, 0.243_532_058_492_688_7, 1e-14);
    Ok(())
}

#[test]
fn critical_differences_as_printed() -> Outcome {
    // Table 5 (a), the quantiles for two to ten classifiers. With this number of data sets the standard error
    // is 1. What the table rounds from tabulated quantiles of three decimals is off by up to one in the
    // last place.
    let at_5 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
    let at_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
    for (alpha, row) in [(0.05, at_5), (0.10, at_10)] {
        for (k, reference) in (2..).zip(row) {
            let q = StudentizedRange::new(k)?.quantile(alpha)? / 2.0_f64.sqrt();
            assert!((q - reference).abs() < 1.05e-3, "{k} at {alpha}: {q}");
        }
    }
    printed(critical_difference(4, 14, 0.05)?, 1.25, 0.01);
    printed(critical_difference(4, 14, 0.10)?, 1.12, 0.01);
    Ok(())
}

#[test]
fn nemenyi_as_scipy() -> Outcome {
    // SciPy 1.17.1: `studentized_range.sf(|R_i - R_j| / se * sqrt(2), 4, inf)`, which is good to about ten
    // digits.
    let p_values = nemenyi(&test()?, 0.05)?.p_values;
    let reference = [
        0.088_672_709_288_882_7,
        0.956_177_175_221_810_7,
        0.074_184_795_068_744_2,
        0.259_228_070_154_728_6,
        0.999_859_449_385_133,
        0.226_696_886_026_415_25,
    ];
    for (p, reference) in p_values.values().iter().zip(reference) {
        close(*p, reference, 1e-9);
    }
    assert_eq!(p_values.get(3, 0), Some(p_values.values()[2]));
    Ok(())
}

#[test]
fn rank_tests_as_statsmodels() -> Outcome {
    // SciPy 1.17.1: `2 * norm.sf(|z|)`; statsmodels 0.15.0: `multipletests(p, method="holm")`.
    let test = test()?;
    let tests = rank_tests(&test);
    let raw = [
        0.019_172_484_755_223_106,
        0.608_407_800_232_998_5,
        0.015_719_980_210_024_593,
        0.067_277_960_538_349_02,
        0.941_652_930_161_035_8,
        0.057_039_874_249_055_53,
    ];
    let adjusted = [
        0.095_862_423_776_115_54,
        1.0,
        0.094_319_881_260_147_56,
        0.228_159_496_996_222_12,
        1.0,
        0.228_159_496_996_222_12,
    ];
    for (test, (raw, adjusted)) in tests.iter().zip(raw.into_iter().zip(adjusted)) {
        close(test.p, raw, 1e-11);
        close(test.p_holm, adjusted, 1e-11);
    }
    let p_values = rank_p_values(&test);
    assert!(tests.iter().zip(p_values.values()).all(|(test, p)| test.p_holm == *p));

    // Section 3.2.2 compares all with C4.5, by ranks and a standard error rounded to three decimals.
    let against = rank_tests_against(&test, 0)?;
    for (test, (z, p)) in against.iter().zip([(2.342, 0.019), (0.512, 0.607), (2.416, 0.016)]) {
        printed(test.z, z, 0.003);
        printed(test.p, p, 0.003);
    }
    assert_eq!(against[2].p_holm, 3.0 * against[2].p);
    // Twice its own p-value would be less than the one before it.
    assert_eq!(against[0].p_holm, against[2].p_holm);
    assert_eq!(against[1].p_holm, against[1].p);
    Ok(())
}

#[test]
fn groups_as_drawn() -> Outcome {
    // Figure 1 (a): at 10 % C4.5 differs from the two variants with m, and nothing else does.
    let test = test()?;
    let bars = groups_by_difference(&test.average_ranks, critical_difference(4, 14, 0.10)?)?;
    assert_eq!(bars, [vec![3, 1, 2], vec![2, 0]]);
    assert_eq!(groups_by_p_values(&test.average_ranks, &nemenyi(&test, 0.10)?.p_values, 0.10)?, bars);
    let bars = groups_by_difference(&test.average_ranks, critical_difference(4, 14, 0.05)?)?;
    assert_eq!(bars, [vec![3, 1, 2, 0]]);
    Ok(())
}

#[test]
fn the_signed_rank_test_of_two_of_them() -> Outcome {
    // Table 2: C4.5 and C4.5+m; R+ = 93, R- = 12, z = -2.54. Two data sets are tied at 0 and two at 0.005,
    // which as differences of doubles are not the same.
    let split = wilcoxon(&column(0), &column(1), Zeros::Split)?;
    assert_eq!((split.rank_sum_first, split.rank_sum_second), (12.0, 93.0));
    assert_eq!((split.n_pairs, split.n_ranked, split.n_first_larger, split.n_second_larger), (14, 14, 2, 10));
    let mean = 14.0 * 15.0 / 4.0;
    let deviation = (14.0 * 15.0 * 29.0 / 24.0_f64).sqrt();
    printed((split.rank_sum_first - mean) / deviation, -2.54, 0.01);

    // SciPy 1.17.1: `wilcoxon` of the scores times 10 000, rounded,
    // `method=PermutationMethod(n_resamples=10**6)`, which goes through all sign patterns,
    // `zero_method="zsplit"` and `"wilcox"`.
    assert_eq!((split.p, split.method), (0.007_812_5, Method::Exact));
    let dropped = wilcoxon(&column(0), &column(1), Zeros::Drop)?;
    assert_eq!((dropped.p, dropped.rank_sum_first, dropped.n_ranked), (0.007_324_218_75, 6.5, 12));
    Ok(())
}
