//! Inputs at the edge: no variance, no differences, nothing to compare, and what is refused.

use nb_significance::{
    Better, CorrectedTError, FriedmanError, GroupError, McNemarError, Method, NemenyiError, PairwiseError,
    PairwisePValues, ScoreError, Zeros, corrected_cross_validation_t, corrected_resampled_t,
    critical_difference, discordant, friedman, groups_by_difference, groups_by_p_values, holm, mcnemar,
    nemenyi, paired_effect, rank_tests, rank_tests_against, wilcoxon, wins_ties_losses,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn equal_differences_have_limits() -> Outcome {
    // As doubles these three differences are not equal.
    let test = corrected_resampled_t(&[0.9, 0.8, 0.3], &[0.8, 0.7, 0.2], 0.1, 0.95)?;
    assert_eq!((test.standard_error, test.t, test.p), (0.0, f64::INFINITY, 0.0));
    assert!((test.interval.lower - 0.1).abs() < 1e-15 && test.interval.lower == test.interval.upper);
    let test = corrected_resampled_t(&[0.9, 0.8], &[0.9, 0.8], 0.1, 0.95)?;
    assert_eq!((test.t, test.p, test.mean_difference), (0.0, 1.0, 0.0));
    // One bit is no difference.
    let test = corrected_resampled_t(&[0.1 + 0.2; 4], &[0.3; 4], 0.1, 0.95)?;
    assert_eq!((test.t, test.p), (0.0, 1.0));
    let effect = paired_effect(&[0.8, 0.7, 0.2], &[0.9, 0.8, 0.3])?;
    assert_eq!((effect.d_z, effect.g_z), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    Ok(())
}

#[test]
fn huge_and_tiny_scores_are_no_trouble() -> Outcome {
    let reference = corrected_resampled_t(&[3.0, 5.0, 1.0], &[0.0; 3], 0.1, 0.95)?;
    for unit in [1e-300, 1e300] {
        let test = corrected_resampled_t(&[3.0 * unit, 5.0 * unit, unit], &[0.0; 3], 0.1, 0.95)?;
        assert!(
            (test.t / reference.t - 1.0).abs() < 1e-14 && (test.p - reference.p).abs() < 1e-14,
            "{test:?}"
        );
    }
    Ok(())
}

#[test]
fn refused_splits() {
    let scores = [0.5, 0.6, 0.7, 0.8];
    for ratio in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = corrected_resampled_t(&scores, &scores, ratio, 0.95);
        assert!(matches!(refused, Err(CorrectedTError::Ratio { .. })), "{refused:?}");
    }
    for level in [0.0, 1.0, 95.0, f64::NAN] {
        let refused = corrected_resampled_t(&scores, &scores, 0.1, level);
        assert!(matches!(refused, Err(CorrectedTError::Level { .. })), "{refused:?}");
    }
    for n_folds in [0, 1, 3] {
        let refused = corrected_cross_validation_t(&scores, &scores, n_folds, 0.95);
        assert_eq!(refused, Err(CorrectedTError::Folds { found: 4, n_folds }));
    }
    let short = corrected_resampled_t(&[0.5], &[0.5], 0.1, 0.95);
    assert_eq!(short, Err(CorrectedTError::Scores(ScoreError::TooFew { found: 1, needed: 2 })));
    let uneven = corrected_cross_validation_t(&scores, &scores[1..], 4, 0.95);
    assert_eq!(uneven, Err(CorrectedTError::Scores(ScoreError::Lengths { first: 4, second: 3 })));
    assert!(paired_effect(&scores[..2], &scores[..2]).is_err());
}

#[test]
fn without_discordant_rows_there_is_no_difference_to_see() -> Outcome {
    let test = mcnemar(0, 0, 0.95)?;
    assert_eq!(
        (test.p_exact, test.p_mid, test.p_chi_squared, test.p_chi_squared_corrected),
        (1.0, 1.0, 1.0, 1.0)
    );
    assert_eq!(test.odds_ratio, None);
    assert_eq!((test.odds_ratio_interval.lower, test.odds_ratio_interval.upper), (0.0, f64::INFINITY));
    assert_eq!(mcnemar(3, 0, 0.95)?.odds_ratio, Some(f64::INFINITY));
    assert_eq!(mcnemar(3, 0, 0.95)?.odds_ratio_interval.upper, f64::INFINITY);
    Ok(())
}

#[test]
fn many_discordant_rows_take_no_age() -> Outcome {
    let test = mcnemar(1 << 39, 1 << 39, 0.95)?;
    // 1 less half the probability of as many heads as tails, which is about √(2 / πn).
    let middle = (2.0 / (std::f64::consts::PI * 2.0_f64.powi(40))).sqrt();
    assert!((1.0 - test.p_mid - 0.5 * middle).abs() < 1e-12, "{}", test.p_mid);
    // With that many, the logarithm of the odds is normal with standard error √(1/b + 1/c), 2^-19.
    let z = test.odds_ratio_interval.lower.ln() * 2.0_f64.powi(19);
    assert!((z + 1.959_964).abs() < 1e-5, "{z}");
    assert!(matches!(mcnemar(1 << 40, 1, 0.95), Err(McNemarError::TooMany { .. })));
    assert!(matches!(mcnemar(u64::MAX, u64::MAX, 0.95), Err(McNemarError::TooMany { .. })));
    Ok(())
}

#[test]
fn refused_rows() {
    assert_eq!(discordant(&[true], &[]), Err(McNemarError::Lengths { first: 1, second: 0 }));
    assert_eq!(discordant(&[], &[]), Err(McNemarError::NoRows));
    assert!(matches!(mcnemar(1, 2, f64::NAN), Err(McNemarError::Level { .. })));
}

#[test]
fn equal_scores_show_no_difference() -> Outcome {
    for zeros in [Zeros::Split, Zeros::Drop] {
        for n in [1, 2, 80] {
            let test = wilcoxon(&vec![0.5; n], &vec![0.5; n], zeros)?;
            assert_eq!((test.p, test.rank_biserial), (1.0, 0.0));
        }
    }
    // Many zeros and one difference: the signs of one difference say nothing.
    let mut scores = vec![0.5; 81];
    scores[7] = 0.6;
    assert_eq!(wilcoxon(&scores, &[0.5; 81], Zeros::Split)?.p, 1.0);
    // A hundred thousand zeros have ranks as well.
    let mut scores = vec![0.5; 100_000];
    scores[..30].fill(0.6);
    let test = wilcoxon(&scores, &vec![0.5; 100_000], Zeros::Split)?;
    assert!(test.p < 1e-6 && matches!(test.method, Method::Normal { .. }), "{test:?}");
    assert_eq!(wilcoxon(&[], &[], Zeros::Split), Err(ScoreError::TooFew { found: 0, needed: 1 }));
    Ok(())
}

#[test]
fn agreement_and_ties_of_data_sets() -> Outcome {
    let tied = friedman(&[[0.5, 0.5, 0.5]; 4], Better::Larger)?;
    assert_eq!((tied.chi_squared, tied.p, tied.f, tied.p_f, tied.kendalls_w), (0.0, 1.0, 0.0, 1.0, 0.0));
    let alike = friedman(&[[0.5, 0.7, 0.6]; 4], Better::Larger)?;
    assert_eq!((alike.kendalls_w, alike.f, alike.p_f), (1.0, f64::INFINITY, 0.0));
    assert_eq!(alike.chi_squared, 8.0);
    let infinite = friedman(&[[f64::INFINITY, 0.7, f64::INFINITY], [0.2, 0.1, 0.3]], Better::Smaller)?;
    assert_eq!(infinite.average_ranks, [2.25, 1.0, 2.75]);
    Ok(())
}

#[test]
fn refused_tables() -> Outcome {
    let larger = Better::Larger;
    assert_eq!(friedman::<[f64; 3]>(&[], larger), Err(FriedmanError::DataSets { found: 0 }));
    assert_eq!(friedman(&[[1.0, 2.0]], larger), Err(FriedmanError::DataSets { found: 1 }));
    assert_eq!(friedman(&[[1.0]; 3], larger), Err(FriedmanError::Classifiers { found: 1 }));
    assert_eq!(
        friedman(&[vec![1.0, 2.0], vec![1.0]], larger),
        Err(FriedmanError::Length { data_set: 1, found: 1, n_classifiers: 2 })
    );
    assert_eq!(
        friedman(&[[1.0, 2.0], [1.0, f64::NAN]], larger),
        Err(FriedmanError::NotANumber { data_set: 1, classifier: 1 })
    );
    let test = friedman(&[[1.0, 2.0], [2.0, 1.0]], larger)?;
    assert!(matches!(nemenyi(&test, 0.0), Err(NemenyiError::Alpha { .. })));
    assert!(rank_tests_against(&test, 2).is_err());
    assert!(rank_tests(&test).iter().all(|test| test.p_holm == 1.0));
    assert_eq!(critical_difference(1, 5, 0.05), Err(NemenyiError::Classifiers { found: 1 }));
    assert_eq!(critical_difference(3, 0, 0.05), Err(NemenyiError::NoDataSets));
    Ok(())
}

#[test]
fn refused_p_values() {
    assert!(holm(&[0.5, f64::NAN]).is_err() && holm(&[1.5]).is_err() && holm(&[-0.1]).is_err());
    assert_eq!(holm(&[]), Ok(vec![]));
    let refused = PairwisePValues::new(3, vec![0.5; 2]);
    assert_eq!(refused, Err(PairwiseError::Length { found: 2, needed: 3, n_classifiers: 3 }));
    assert!(matches!(PairwisePValues::new(2, vec![2.0]), Err(PairwiseError::PValue(_))));
}

#[test]
fn pairs_are_found_in_either_order() -> Outcome {
    for k in 0..7 {
        let values: Vec<f64> = (0..nb_significance::pairs(k).count()).map(|i| i as f64 / 100.0).collect();
        let p_values = PairwisePValues::new(k, values.clone())?;
        for ((i, j), value) in nb_significance::pairs(k).zip(values) {
            assert_eq!((p_values.get(i, j), p_values.get(j, i)), (Some(value), Some(value)));
        }
        assert_eq!((p_values.get(0, 0), p_values.get(0, k), p_values.get(k, k + 1)), (None, None, None));
    }
    Ok(())
}

#[test]
fn bars_at_the_edge() -> Outcome {
    assert_eq!(groups_by_difference(&[], 1.0)?, Vec::<Vec<usize>>::new());
    assert_eq!(groups_by_difference(&[1.0], 1.0)?, Vec::<Vec<usize>>::new());
    // A difference as large as the critical one is significant.
    assert_eq!(groups_by_difference(&[1.0, 2.0, 2.5], 1.0)?, [vec![1, 2]]);
    assert_eq!(groups_by_difference(&[2.0, 2.0, 2.0], 1.0)?, [vec![0, 1, 2]]);
    // The first and the last do not differ, but both differ from the one between them: no bar.
    let p_values = PairwisePValues::new(3, vec![0.01, 0.9, 0.01])?;
    assert_eq!(groups_by_p_values(&[1.0, 2.0, 3.0], &p_values, 0.05)?, Vec::<Vec<usize>>::new());
    assert!(matches!(
        groups_by_difference(&[1.0, f64::NAN], 1.0),
        Err(GroupError::Rank { classifier: 1, .. })
    ));
    assert!(matches!(groups_by_difference(&[1.0], f64::NAN), Err(GroupError::CriticalDifference { .. })));
    assert!(matches!(groups_by_p_values(&[1.0], &p_values, 0.05), Err(GroupError::Length { .. })));
    assert!(matches!(groups_by_p_values(&[1.0; 3], &p_values, 1.0), Err(GroupError::Alpha { .. })));
    Ok(())
}

#[test]
fn all_tests_of_a_report_see_the_same_ties() {
    // Accuracies of three classifiers, as fractions of 200 rows in 10 folds; the first two are equal on the
    // first two data sets, except for the last bit of the means.
    let mean = |right: [u32; 10]| right.map(|right| f64::from(right) / 20.0).iter().sum::<f64>() / 10.0;
    let (one, other) =
        (mean([8, 6, 12, 7, 19, 18, 19, 16, 10, 7]), mean([19, 4, 16, 17, 4, 18, 12, 11, 7, 14]));
    assert_ne!(one, other);
    let scores = [[one, other, 0.5], [other, one, 0.7], [0.9, 0.8, 0.7], [0.75, 0.7, 0.65]];
    let exact = [[0.61, 0.61, 0.5], [0.61, 0.61, 0.7], [0.9, 0.8, 0.7], [0.75, 0.7, 0.65]];
    let (test, expected) =
        (friedman(&scores, Better::Larger).unwrap(), friedman(&exact, Better::Larger).unwrap());
    assert_eq!(test, expected);
    assert_eq!(test.average_ranks, [1.5, 2.0, 2.5]); // (1.5, 1.5, 3), (2.5, 2.5, 1), (1, 2, 3), (1, 2, 3)
    assert_eq!(nemenyi(&test, 0.05).unwrap(), nemenyi(&expected, 0.05).unwrap());
    let column = |place: usize| scores.map(|row| row[place]);
    let pair = wilcoxon(&column(0), &column(1), Zeros::Split).unwrap();
    assert_eq!((pair.n_first_larger, pair.n_second_larger), (2, 0));
    let counts = wins_ties_losses(&column(0), &column(1), Better::Larger).unwrap();
    assert_eq!((counts.wins, counts.ties, counts.losses), (2, 2, 0));
}
