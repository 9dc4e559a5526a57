//! Measures of fairness, beside fairlearn and by their laws.

use nb_metrics::{GroupEvaluation, GroupMeasures};
use proptest::prelude::*;

/// A group, truth, prediction and weight.
type Row = (usize, bool, bool, f64);

fn measures(n_groups: usize, rows: &[Row]) -> GroupMeasures {
    evaluation(n_groups, rows).measures()
}

fn evaluation(n_groups: usize, rows: &[Row]) -> GroupEvaluation {
    let mut evaluation = GroupEvaluation::new(n_groups);
    for &(group, truth, predicted, weight) in rows {
        evaluation.add(group, truth, predicted, weight).unwrap();
    }
    evaluation
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-15, "{found} {expected}");
}

/// fairlearn 0.15.0 on the same numbers:
/// `demographic_parity_difference(t, p, sensitive_features=g, sample_weight=w)`, likewise
/// `equalized_odds_difference` and `equal_opportunity_difference`, and `MetricFrame(metrics={'s':
/// selection_rate, 't': true_positive_rate, 'f': false_positive_rate}, ...).by_group`.
#[test]
fn differences_and_rates_are_those_of_fairlearn() {
    // The generator of the C standard's example: `seed = (1103515245 seed + 12345) mod 2^31`, of which the
    // upper 15 bits.
    let mut seed = 5_u64;
    let mut next = || {
        seed = (1_103_515_245 * seed + 12_345) % (1 << 31);
        (seed >> 16) as usize
    };
    let groups: Vec<usize> = (0..200).map(|_| next() % 3).collect();
    let truths: Vec<bool> =
        groups.iter().map(|&group| next() % 10 < if group == 1 { 5 } else { 3 }).collect();
    let predictions: Vec<bool> = groups
        .iter()
        .zip(&truths)
        .map(|(&group, &truth)| next() % 10 < if truth { 6 } else { 2 } + usize::from(group == 2))
        .collect();
    let weights: Vec<f64> = groups.iter().map(|_| 1.0 + (next() % 4) as f64).collect();
    let rows = |weight: &dyn Fn(usize) -> f64| -> Vec<Row> {
        (0..200).map(|row| (groups[row], truths[row], predictions[row], weight(row))).collect()
    };
    let plain = measures(3, &rows(&|_| 1.0));
    close(plain.demographic_parity_difference, 0.059_155_442_300_691_696);
    close(plain.equalized_odds_difference, 0.168_091_168_091_168_09);
    close(plain.equal_opportunity_difference, 0.035_714_285_714_285_81);
    let weighted = measures(3, &rows(&|row| weights[row]));
    close(weighted.demographic_parity_difference, 0.060_451_977_401_129_95);
    close(weighted.equalized_odds_difference, 0.203_898_291_489_532_34);
    close(weighted.equal_opportunity_difference, 0.098_604_651_162_790_71);
    let rates = [
        [0.372_881_355_932_203_4, 0.581_395_348_837_209_3, 0.253_333_333_333_333_35],
        [0.379_518_072_289_156_6, 0.68, 0.131_868_131_868_131_87],
        [0.433_333_333_333_333_35, 0.616_438_356_164_383_6, 0.335_766_423_357_664_2],
    ];
    for (group, [selected, of_positives, of_others]) in weighted.groups.iter().zip(rates) {
        close(group.selection_rate, selected);
        close(group.true_positive_rate, of_positives);
        close(group.false_positive_rate, of_others);
    }
}

/// fairlearn takes the rate of a group without such rows for 0; here the group has none, and the others are
/// compared.
#[test]
fn groups_without_a_rate_are_left_out_of_its_difference() {
    let rows = [(0, true, true, 1.0), (0, false, false, 1.0), (1, true, true, 1.0), (1, false, true, 1.0)];
    let found = measures(3, &[&rows[..], &[(2, false, false, 1.0)]].concat());
    assert_eq!(found.groups[2].true_positive_rate, None);
    assert_eq!(found.equal_opportunity_difference, Some(0.0));
    assert_eq!(found.equalized_odds_difference, Some(1.0));
    assert_eq!(measures(1, &rows[..2]).demographic_parity_difference, None);
    let mut evaluation = GroupEvaluation::new(2);
    assert!(evaluation.add(0, true, true, f64::NAN).is_err());
    assert!(evaluation.merge(&GroupEvaluation::new(3)).is_err());
    assert_eq!(evaluation.measures().groups[0].rows.rows, 0);
}

fn rows() -> impl Strategy<Value = (Vec<Row>, usize)> {
    let row = (0..3_usize, any::<bool>(), any::<bool>(), prop_oneof![Just(0.0), Just(1.0), 0.001..3.0_f64]);
    (prop::collection::vec(row, 0..30), any::<prop::sample::Index>())
        .prop_map(|(rows, cut)| (cut.index(rows.len() + 1), rows))
        .prop_map(|(cut, rows)| (rows, cut))
}

proptest! {
    #[test]
    fn parts_merge_and_names_of_groups_do_not_matter((rows, cut) in rows()) {
        let whole = measures(3, &rows);
        let mut merged = evaluation(3, &rows[cut..]);
        merged.merge(&evaluation(3, &rows[..cut])).unwrap();
        prop_assert_eq!(&merged.measures(), &whole);
        let renamed: Vec<Row> = rows.iter().map(|&(g, t, p, w)| (2 - g, t, p, w)).collect();
        let renamed = measures(3, &renamed);
        prop_assert_eq!(renamed.equalized_odds_difference, whole.equalized_odds_difference);
        prop_assert_eq!(renamed.demographic_parity_difference, whole.demographic_parity_difference);
    }

    /// What is predicted right has the rates 1 and 0 everywhere; what is predicted without a look at rows has equal rates.
    #[test]
    fn right_and_constant_predictions_have_no_odds_apart((rows, _) in rows(), constant in any::<bool>()) {
        let right: Vec<Row> = rows.iter().map(|&(g, t, _, w)| (g, t, t, w)).collect();
        let same: Vec<Row> = rows.iter().map(|&(g, t, _, w)| (g, t, constant, w)).collect();
        for rows in [right, same] {
            prop_assert!(measures(3, &rows).equalized_odds_difference.is_none_or(|found| found == 0.0));
        }
        let constant = rows.iter().map(|&(g, t, _, w)| (g, t, constant, w)).collect::<Vec<Row>>();
        prop_assert!(measures(3, &constant).demographic_parity_difference.is_none_or(|found| found == 0.0));
    }

    #[test]
    fn equal_opportunity_is_part_of_equalised_odds((rows, _) in rows()) {
        let found = measures(3, &rows);
        if let (Some(odds), Some(opportunity)) = (found.equalized_odds_difference, found.equal_opportunity_difference) {
            prop_assert!(0.0 <= opportunity && opportunity <= odds && odds <= 1.0);
        }
    }
}
