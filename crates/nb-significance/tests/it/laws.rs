//! What holds of all inputs.

use nb_significance::{
    Better, StudentizedRange, Zeros, corrected_resampled_t, friedman, groups_by_difference,
    groups_by_p_values, holm, mcnemar, nemenyi, paired_effect, wilcoxon,
};
use proptest::prelude::*;

/// Scores of `k` classifiers over data sets, whole numbers so that many are tied.
fn tables() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (2..6_usize, 2..9_usize).prop_flat_map(|(k, n)| {
        prop::collection::vec(prop::collection::vec((0..7_u8).prop_map(f64::from), k), n)
    })
}

/// A table and an order of its classifiers.
fn shuffled_tables() -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<usize>)> {
    tables().prop_flat_map(|table| {
        let classifiers: Vec<usize> = (0..table[0].len()).collect();
        (Just(table), Just(classifiers).prop_shuffle())
    })
}

/// Whole differences up to 12 of them, many tied and some 0.
fn differences() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-5..6_i8).prop_map(f64::from), 1..13)
}

/// Midranks by counting: how many are less, and half of those that are equal.
fn midranks(sizes: &[f64]) -> Vec<f64> {
    let rank = |size: &f64| {
        let less = sizes.iter().filter(|other| *other < size).count() as f64;
        let equal = sizes.iter().filter(|other| *other == size).count() as f64;
        less + f64::midpoint(equal, 1.0)
    };
    sizes.iter().map(rank).collect()
}

/// The two-sided p-value of the signed-rank test by going through all signs of the differences other than 0.
fn wilcoxon_by_brute_force(differences: &[f64], zeros: Zeros) -> f64 {
    let mut kept: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    let n_signs = kept.len();
    let n_zeros = differences.len() - n_signs;
    if zeros == Zeros::Split {
        kept.resize(n_signs + n_zeros / 2 * 2, 0.0);
    }
    let ranks = midranks(&kept.iter().map(|d| d.abs()).collect::<Vec<_>>());
    let distance = |is_positive: &dyn Fn(usize) -> bool| -> f64 {
        (0..n_signs).map(|i| if is_positive(i) { ranks[i] } else { -ranks[i] }).sum::<f64>().abs()
    };
    let observed = distance(&|i| kept[i] > 0.0);
    let as_far = (0..1_u32 << n_signs).filter(|signs| distance(&|i| signs >> i & 1 == 1) >= observed).count();
    as_far as f64 / f64::from(1_u32 << n_signs)
}

proptest! {
    #[test]
    fn permuting_classifiers_permutes_the_result((table, order) in shuffled_tables(), larger in any::<bool>()) {
        let better = if larger { Better::Larger } else { Better::Smaller };
        let permuted: Vec<Vec<f64>> =
            table.iter().map(|scores| order.iter().map(|&classifier| scores[classifier]).collect()).collect();
        let (ours, theirs) = (friedman(&table, better)?, friedman(&permuted, better)?);
        let ranks: Vec<f64> = order.iter().map(|&classifier| ours.average_ranks[classifier]).collect();
        prop_assert_eq!(&ranks, &theirs.average_ranks);
        prop_assert_eq!((ours.chi_squared, ours.p, ours.p_f), (theirs.chi_squared, theirs.p, theirs.p_f));
        let (ours, theirs) = (nemenyi(&ours, 0.05)?.p_values, nemenyi(&theirs, 0.05)?.p_values);
        for i in 0..order.len() {
            for j in 0..order.len() {
                prop_assert_eq!(ours.get(order[i], order[j]), theirs.get(i, j));
            }
        }
    }

    #[test]
    fn levels_of_data_sets_do_not_matter(table in tables(), levels in prop::collection::vec(-9..9_i8, 9)) {
        let moved: Vec<Vec<f64>> = table
            .iter()
            .zip(&levels)
            .map(|(scores, level)| scores.iter().map(|score| score + f64::from(*level)).collect())
            .collect();
        prop_assert_eq!(friedman(&table, Better::Larger)?, friedman(&moved, Better::Larger)?);
    }

    #[test]
    fn friedman_is_within_its_bounds(table in tables()) {
        let test = friedman(&table, Better::Larger)?;
        let k = test.average_ranks.len() as f64;
        let mean = test.average_ranks.iter().sum::<f64>() / k;
        prop_assert!((mean - f64::midpoint(k, 1.0)).abs() < 1e-12);
        prop_assert!((0.0..=1.0).contains(&test.kendalls_w));
        prop_assert!((0.0..=1.0).contains(&test.p) && (0.0..=1.0).contains(&test.p_f));
        prop_assert!(test.f >= 0.0 && test.chi_squared >= test.chi_squared_uncorrected - 1e-9);
        // The mirrored question has mirrored ranks.
        let mirrored = friedman(&table, Better::Smaller)?;
        prop_assert!((mirrored.chi_squared - test.chi_squared).abs() < 1e-9);
        for (ours, theirs) in test.average_ranks.iter().zip(&mirrored.average_ranks) {
            prop_assert!((ours + theirs - (k + 1.0)).abs() < 1e-12);
        }
    }

    #[test]
    fn both_kinds_of_bars_are_the_same(table in tables(), alpha in 0.01..0.5_f64) {
        let test = friedman(&table, Better::Larger)?;
        let nemenyi = nemenyi(&test, alpha)?;
        let bars = groups_by_difference(&test.average_ranks, nemenyi.critical_difference)?;
        prop_assert_eq!(&bars, &groups_by_p_values(&test.average_ranks, &nemenyi.p_values, alpha)?);
        for (i, bar) in bars.iter().enumerate() {
            prop_assert!(bar.len() > 1);
            prop_assert!(bars.iter().enumerate().all(|(j, other)| i == j || !bar.iter().all(|c| other.contains(c))));
        }
        // Two classifiers share a bar just if they do not differ significantly.
        for (i, j) in nb_significance::pairs(test.average_ranks.len()) {
            let is_shared = bars.iter().any(|bar| bar.contains(&i) && bar.contains(&j));
            prop_assert_eq!(is_shared, nemenyi.p_values.get(i, j).is_some_and(|p| p > alpha));
        }
    }

    #[test]
    fn adjusted_p_values_are_no_smaller_and_keep_their_order(p in prop::collection::vec(0.0..=1.0_f64, 0..9)) {
        let adjusted = holm(&p)?;
        prop_assert_eq!(adjusted.len(), p.len());
        for i in 0..p.len() {
            prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
            for j in 0..p.len() {
                prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
            }
        }
    }

    #[test]
    fn exact_signed_ranks_are_brute_force(differences in differences(), split in any::<bool>()) {
        let zeros = if split { Zeros::Split } else { Zeros::Drop };
        let test = wilcoxon(&differences, &vec![0.0; differences.len()], zeros)?;
        prop_assert!((test.p - wilcoxon_by_brute_force(&differences, zeros)).abs() < 1e-15, "{:?}", test);
        let n = test.n_ranked as f64;
        prop_assert_eq!(test.rank_sum_first + test.rank_sum_second, n * (n + 1.0) / 2.0);
    }

    #[test]
    fn exchanging_the_classifiers_exchanges_the_signs(differences in differences()) {
        let zeros = vec![0.0; differences.len()];
        let (ours, theirs) =
            (wilcoxon(&differences, &zeros, Zeros::Split)?, wilcoxon(&zeros, &differences, Zeros::Split)?);
        prop_assert_eq!(ours.p, theirs.p);
        prop_assert_eq!(ours.rank_biserial, -theirs.rank_biserial);
        prop_assert_eq!(ours.rank_sum_first, theirs.rank_sum_second);
        if differences.len() > 2 {
            let (ours, theirs) = (paired_effect(&differences, &zeros)?, paired_effect(&zeros, &differences)?);
            prop_assert_eq!((ours.d_z, ours.g_z), (-theirs.d_z, -theirs.g_z));
        }
        if differences.len() > 1 {
            let ours = corrected_resampled_t(&differences, &zeros, 0.1, 0.9)?;
            let theirs = corrected_resampled_t(&zeros, &differences, 0.1, 0.9)?;
            prop_assert_eq!((ours.t, ours.p, ours.interval.lower), (-theirs.t, theirs.p, -theirs.interval.upper));
        }
    }

    #[test]
    fn the_interval_excludes_0_where_the_test_is_significant(differences in differences(), level in 0.5..0.999_f64) {
        prop_assume!(differences.len() > 1);
        let test = corrected_resampled_t(&differences, &vec![0.0; differences.len()], 0.25, level)?;
        let is_outside = test.interval.lower > 0.0 || test.interval.upper < 0.0;
        prop_assert_eq!(is_outside, test.p < 1.0 - level, "{:?}", test);
    }

    #[test]
    fn mcnemar_is_symmetric(b in 0..400_u64, c in 0..400_u64, level in 0.5..0.999_f64) {
        let (ours, theirs) = (mcnemar(b, c, level)?, mcnemar(c, b, level)?);
        prop_assert_eq!((ours.p_exact, ours.p_mid), (theirs.p_exact, theirs.p_mid));
        prop_assert_eq!(ours.p_chi_squared_corrected, theirs.p_chi_squared_corrected);
        prop_assert_eq!(ours.odds_ratio_interval.upper, 1.0 / theirs.odds_ratio_interval.lower);
        prop_assert!(ours.p_mid <= ours.p_exact && ours.p_chi_squared <= ours.p_chi_squared_corrected);
        prop_assert!(ours.p_mid > 0.0 && ours.p_exact <= 1.0);
        if let Some(ratio) = ours.odds_ratio {
            prop_assert!(ours.odds_ratio_interval.lower <= ratio && ratio <= ours.odds_ratio_interval.upper);
        }
        // The interval turns the exact test around.
        let excludes_1 = ours.odds_ratio_interval.lower > 1.0 || ours.odds_ratio_interval.upper < 1.0;
        prop_assert_eq!(excludes_1, ours.p_exact < 1.0 - level);
    }

    #[test]
    fn quantiles_turn_tails_around(k in 2..200_usize, q in 1.5..20.0_f64) {
        let range = StudentizedRange::new(k)?;
        let tail = range.tail(q);
        // Where nearly all of the distribution lies beyond `q`, its tail does not determine it.
        prop_assume!(tail < 0.999);
        let again = range.quantile(tail)?;
        prop_assert!((again / q - 1.0).abs() < 1e-10, "{} instead of {}", again, q);
        prop_assert!(range.tail(q + 0.01) < tail);
        prop_assert!(StudentizedRange::new(k + 1)?.tail(q) > tail);
    }
}
