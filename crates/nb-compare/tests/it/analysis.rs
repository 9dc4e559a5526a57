//! Laws of analyses, for results that were made up.

use std::collections::BTreeSet;

use nb_compare::{
    Analysis, Comparison, Condition, Design, Done, Losses, Measure, Outcome, Overall, Plan, Set, Table,
    Times, Unit, Values, Variant,
};
use ndarray::Array2;
use proptest::prelude::*;

const N_FOLDS: usize = 3;
const N_ROWS: usize = 8;

/// What a variant did on a data set.
#[derive(Clone, Debug)]
struct Trial {
    /// The accuracy of each fold, in eighths, so that there are ties.
    accuracies: [u8; N_FOLDS],
    /// Whether each row was labelled rightly.
    is_right: [bool; N_ROWS],
}

/// A row for each data set, with the trial of each variant.
type Results = Vec<Vec<Trial>>;

fn results() -> impl Strategy<Value = Results> {
    let trial = (any::<[bool; N_ROWS]>(), prop::array::uniform3(0..9_u8))
        .prop_map(|(is_right, accuracies)| Trial { accuracies, is_right });
    (2..6_usize, 2..6_usize).prop_flat_map(move |(n_sets, n_variants)| {
        prop::collection::vec(prop::collection::vec(trial.clone(), n_variants), n_sets)
    })
}

/// The same numbers in another order.
fn shuffled(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<usize>>()).prop_shuffle()
}

/// A comparison that gave these results.
fn comparison(results: &Results) -> Comparison {
    let labels: Vec<usize> = (0..N_ROWS).map(|row| row % 2).collect();
    let classes = vec!["no".to_owned(), "yes".to_owned()];
    let table = |set: usize| {
        let cells = Array2::zeros((N_ROWS, 0));
        Table::new(format!("set {set}"), Vec::new(), cells, classes.clone(), labels.clone()).unwrap()
    };
    let tables: Vec<Table> = (0..results.len()).map(table).collect();
    let sets = tables.iter().map(|table| Set::Embedded(table.name.clone())).collect();
    let variant = |variant: usize| Variant::parse(&format!("gaussian:name=variant {variant}")).unwrap();
    let mut design = Design::new(sets, (0..results[0].len()).map(variant).collect()).unwrap();
    design.plan = Plan::CrossValidation { folds: N_FOLDS, repeats: 1 };

    let mut units = Vec::new();
    for (table, of_set) in tables.iter().zip(results) {
        for (variant, trial) in design.variants.iter().zip(of_set) {
            units.push(Unit {
                condition: Condition::default(),
                set: table.name.clone(),
                variant: variant.name.clone(),
                repeat: 0,
                outcome: Outcome::Done(Box::new(done(trial, &labels))),
            });
        }
    }
    Comparison::new(design, &tables, units)
}

fn done(trial: &Trial, labels: &[usize]) -> Done {
    let values = |accuracy: f64| {
        let mut values = Values::default();
        values.0[Measure::Accuracy.position()] = Some(accuracy);
        values
    };
    let given = labels.iter().zip(trial.is_right).map(|(&label, is_right)| {
        let label = if is_right { label } else { 1 - label };
        Some(label as u32)
    });
    Done {
        folds: trial.accuracies.iter().map(|&eighths| values(f64::from(eighths) / 8.0)).collect(),
        pooled: values(0.5),
        labels: given.collect(),
        tested: Vec::new(),
        log_posteriors: Vec::new(),
        chosen: Vec::new(),
        failed: Vec::new(),
        limits: Vec::new(),
        reliability: Vec::new(),
        losses: Some(Losses::default()),
        n_parameters: Some(1.0),
        times: Some(Times::default()),
        sets: None,
        groups: Vec::new(),
    }
}

/// Equal except for the order in which sums were rounded.
fn is_close(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= 1e-12 * (1.0 + one.abs())
}

/// The p-value of Wilcoxon's test of two variants.
fn wilcoxon(overall: &Overall, first: usize, second: usize) -> f64 {
    let pair = (first.min(second), first.max(second));
    let place = nb_significance::pairs(overall.variants.len()).position(|known| known == pair).unwrap();
    overall.wilcoxon[place].as_ref().unwrap().p
}

proptest! {
    #[test]
    fn the_order_of_variants_does_not_matter(
        (results, order) in results().prop_flat_map(|results| {
            let n_variants = results[0].len();
            (Just(results), shuffled(n_variants))
        })
    ) {
        let reordered: Results =
            results.iter().map(|of_set| order.iter().map(|&variant| of_set[variant].clone()).collect()).collect();
        let (before, after) = (comparison(&results), comparison(&reordered));
        let (before, after) = (Analysis::new(&before), Analysis::new(&after));
        let (one, other) = (before.ranking().unwrap(), after.ranking().unwrap());
        prop_assert!(is_close(one.friedman.p, other.friedman.p));
        prop_assert!(is_close(one.friedman.p_f, other.friedman.p_f));
        prop_assert_eq!(one.nemenyi.critical_difference, other.nemenyi.critical_difference);

        let groups = |overall: &Overall, name: &dyn Fn(usize) -> usize| -> BTreeSet<BTreeSet<usize>> {
            overall.groups.iter().map(|group| group.iter().map(|&variant| name(variant)).collect()).collect()
        };
        prop_assert_eq!(groups(one, &|variant| variant), groups(other, &|variant| order[variant]));

        for (first, &first_before) in order.iter().enumerate() {
            prop_assert_eq!(other.friedman.average_ranks[first], one.friedman.average_ranks[first_before]);
            for (second, &second_before) in order.iter().enumerate().take(first) {
                let p_values = |overall: &Overall, first, second| [
                    overall.nemenyi.p_values.get(first, second).unwrap(),
                    overall.holm.get(first, second).unwrap(),
                    wilcoxon(overall, first, second),
                ];
                let found = p_values(other, first, second).into_iter();
                for (found, expected) in found.zip(p_values(one, first_before, second_before)) {
                    prop_assert!(is_close(found, expected), "{} is not {}", found, expected);
                }
                for set in 0..results.len() {
                    let (found, is_turned) = after.pair(set, first, second).unwrap();
                    let (expected, was_turned) = before.pair(set, first_before, second_before).unwrap();
                    let sign = if is_turned == was_turned { 1.0 } else { -1.0 };
                    let (found_t, expected_t) = (found.t.as_ref().unwrap(), expected.t.as_ref().unwrap());
                    prop_assert_eq!(found_t.mean_difference, sign * expected_t.mean_difference);
                    prop_assert!(is_close(found_t.p, expected_t.p));
                    let p = |pair: &nb_compare::Pair| pair.mcnemar.as_ref().unwrap().p_exact;
                    prop_assert!(is_close(p(found), p(expected)));
                }
            }
        }
    }

    #[test]
    fn the_order_of_data_sets_does_not_matter(
        (results, order) in results().prop_flat_map(|results| {
            let n_sets = results.len();
            (Just(results), shuffled(n_sets))
        })
    ) {
        let reordered = order.iter().map(|&set| results[set].clone()).collect();
        let (before, after) = (comparison(&results), comparison(&reordered));
        let (before, after) = (Analysis::new(&before), Analysis::new(&after));
        let (one, other) = (before.ranking().unwrap(), after.ranking().unwrap());
        prop_assert_eq!(&one.friedman, &other.friedman);
        prop_assert_eq!(&one.nemenyi, &other.nemenyi);
        for (first, second) in nb_significance::pairs(results[0].len()) {
            prop_assert!(is_close(wilcoxon(one, first, second), wilcoxon(other, first, second)));
            for (set, &set_before) in order.iter().enumerate() {
                prop_assert_eq!(after.pair(set, first, second), before.pair(set_before, first, second));
            }
        }
    }

    #[test]
    fn a_copy_ties_with_its_original(results in results(), original in any::<prop::sample::Index>()) {
        let n_variants = results[0].len();
        let original = original.index(n_variants);
        let mut with_copy = results.clone();
        for of_set in &mut with_copy {
            of_set.push(of_set[original].clone());
        }
        let comparison = comparison(&with_copy);
        let analysis = Analysis::new(&comparison);
        let overall = analysis.ranking().unwrap();
        let copy = n_variants;
        prop_assert_eq!(overall.friedman.average_ranks[original], overall.friedman.average_ranks[copy]);
        prop_assert_eq!(overall.nemenyi.p_values.get(original, copy), Some(1.0));
        prop_assert_eq!(overall.holm.get(original, copy), Some(1.0));
        prop_assert_eq!(wilcoxon(overall, original, copy), 1.0);
        prop_assert!(overall.groups.iter().all(|group| group.contains(&original) == group.contains(&copy)));
        for set in 0..with_copy.len() {
            let (pair, _) = analysis.pair(set, original, copy).unwrap();
            let t = pair.t.as_ref().unwrap();
            prop_assert_eq!((t.mean_difference, t.p), (0.0, 1.0));
            prop_assert_eq!(pair.mcnemar.as_ref().unwrap().p_exact, 1.0);
        }
    }
}
