//! What holds of all rows.

use nb_metrics::{Evaluation, Interval, Measures, Z_95};
use proptest::prelude::*;

use crate::cases::{Row, evaluate};

/// Rows in `n_classes` classes, some of them unseen, unanswered or impossible, many of them with equal
/// scores.
#[derive(Clone, Debug)]
struct Case {
    n_classes: usize,
    rows: Vec<Row>,
    cuts: (usize, usize),
    order: Vec<usize>,
    classes: Vec<usize>,
}

/// Posteriors from whole numbers, of which equal ones are frequent, or from numbers of very different sizes.
fn posteriors(n_classes: usize) -> impl Strategy<Value = Vec<f64>> {
    let whole = prop::collection::vec((0..4_u8).prop_map(f64::from), n_classes);
    let uneven = prop::collection::vec((-300.0..0.0_f64).prop_map(f64::exp), n_classes);
    prop_oneof![2 => whole.boxed(), 1 => uneven.boxed()].prop_map(|sizes| {
        let sum: f64 = sizes.iter().sum();
        sizes.iter().map(|size| if sum > 0.0 { size / sum } else { 0.0 }).collect()
    })
}

fn row(n_classes: usize) -> impl Strategy<Value = Row> {
    let truth = prop_oneof![9 => (0..n_classes).prop_map(Some), 1 => Just(None)];
    let weight = prop_oneof![Just(0.0), Just(1.0), Just(2.0), 0.001..3.0_f64];
    (truth, posteriors(n_classes), weight, 0..10_u8).prop_map(|(truth, posteriors, weight, answer)| {
        let mut row = Row::new(truth, &posteriors, weight);
        // Most rows answer with the most probable class, some with another or not at all.
        row.predicted = match answer {
            0 => None,
            1 => Some(posteriors.len() - 1),
            _ => row.predicted.filter(|&class| posteriors[class] > 0.0),
        };
        row
    })
}

fn cases() -> impl Strategy<Value = Case> {
    (1..6_usize, 0..24_usize).prop_flat_map(|(n_classes, n_rows)| {
        (
            prop::collection::vec(row(n_classes), n_rows),
            (0..=n_rows, 0..=n_rows),
            Just((0..n_rows).collect::<Vec<_>>()).prop_shuffle(),
            Just((0..n_classes).collect::<Vec<_>>()).prop_shuffle(),
        )
            .prop_map(move |(rows, (a, b), order, classes)| {
                let cuts = (a.min(b), a.max(b));
                Case { n_classes, rows, cuts, order, classes }
            })
    })
}

/// All measures that are one number, with their names.
fn numbers(measures: &Measures) -> [(&'static str, Option<f64>); 16] {
    [
        ("accuracy", measures.accuracy),
        ("lower end", measures.accuracy_interval.map(|interval| interval.lower)),
        ("upper end", measures.accuracy_interval.map(|interval| interval.upper)),
        ("balanced accuracy", measures.balanced_accuracy),
        ("macro F1", measures.macro_f1),
        ("log-loss", measures.log_loss),
        ("log-loss of possible rows", measures.log_loss_of_possible),
        ("Brier score", measures.brier),
        ("AUC", measures.auc),
        ("pairwise AUC", measures.auc_pairwise),
        ("Matthews' correlation", measures.matthews),
        ("kappa", measures.kappa),
        ("root mean squared error", measures.root_mean_squared_error),
        ("expected calibration error", measures.expected_calibration_error),
        ("calibration error", measures.calibration_error),
        ("weight of the bins", Some(measures.reliability.iter().map(|bin| bin.rows.weight).sum())),
    ]
}

/// What depends on how many observations there are: a row of the weight 2 is one, two equal rows are two.
const OF_EFFECTIVE_ROWS: [&str; 3] = ["lower end", "upper end", "calibration error"];

/// Equal up to a relative error.
fn is_close(a: Option<f64>, b: Option<f64>, tolerance: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs()),
        (a, b) => a == b,
    }
}

/// What rows are compared by: the log-posterior; for two classes the log-odds, 0 where there are none.
fn score(row: &Row, class: usize) -> f64 {
    match row.log_posteriors[..] {
        [f64::NEG_INFINITY, f64::NEG_INFINITY] => 0.0,
        [first, second] => {
            if class == 0 {
                first - second
            } else {
                second - first
            }
        }
        _ => row.log_posteriors[class],
    }
}

/// The probability that a row of `class` has a larger score for it than one of `others`, by looking at all
/// pairs.
fn area_by_pairs(rows: &[Row], class: usize, others: impl Fn(usize) -> bool) -> Option<f64> {
    let (mut won, mut all) = (0.0, 0.0);
    for row in rows.iter().filter(|row| row.truth == Some(class)) {
        for other in rows.iter().filter(|row| row.truth.is_some_and(&others)) {
            let weight = row.weight * other.weight;
            let (score, other) = (score(row, class), score(other, class));
            all += weight;
            won += weight * if score > other { 1.0 } else { f64::from(u8::from(score == other)) / 2.0 };
        }
    }
    (all > 0.0).then(|| won / all)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_and_merges_do_not_show(case in cases()) {
        let whole = evaluate(case.n_classes, &case.rows).measures();
        let shuffled = evaluate(case.n_classes, case.order.iter().map(|&row| &case.rows[row]));
        prop_assert_eq!(&shuffled.measures(), &whole);

        let parts = [
            &case.rows[..case.cuts.0],
            &case.rows[case.cuts.0..case.cuts.1],
            &case.rows[case.cuts.1..],
        ];
        let [a, b, c] = parts.map(|rows| evaluate(case.n_classes, rows));
        let merged = |first: &Evaluation, second: &Evaluation| {
            let mut merged = first.clone();
            merged.merge(second).map(|()| merged)
        };
        let left = merged(&merged(&a, &b).unwrap(), &c).unwrap();
        let right = merged(&a, &merged(&b, &c).unwrap()).unwrap();
        let reversed = merged(&c, &merged(&b, &a).unwrap()).unwrap();
        for evaluation in [left, right, reversed, merged(&Evaluation::new(case.n_classes), &shuffled).unwrap()] {
            prop_assert_eq!(&evaluation.measures(), &whole);
            prop_assert!(evaluation.confusion().cells().eq(shuffled.confusion().cells()));
        }
    }

    #[test]
    fn the_unit_of_weights_does_not_matter(case in cases()) {
        let whole = evaluate(case.n_classes, &case.rows).measures();
        let scaled: Vec<Row> = case.rows.iter().map(|row| Row { weight: 8.0 * row.weight, ..row.clone() }).collect();
        let scaled = evaluate(case.n_classes, &scaled).measures();
        for (found, expected) in numbers(&scaled).into_iter().zip(numbers(&whole)) {
            if found.0 != "weight of the bins" {
                prop_assert_eq!(found, expected);
            }
        }
        // Kish: as uncertain as this number of rows of equal weight.
        let weights: Vec<f64> = case.rows.iter().map(|row| row.weight).collect();
        let (sum, squares) = (weights.iter().sum::<f64>(), weights.iter().map(|weight| weight * weight).sum::<f64>());
        let interval = whole.accuracy.and_then(|accuracy| {
            let effective = sum * sum / squares;
            Interval::wilson((accuracy * effective).min(effective), effective, Z_95)
        });
        let ends = |interval: Option<Interval>| interval.map_or([None; 2], |own| [Some(own.lower), Some(own.upper)]);
        for (found, expected) in ends(whole.accuracy_interval).into_iter().zip(ends(interval)) {
            prop_assert!(is_close(found, expected, 1e-9) || found.zip(expected).is_some_and(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn a_weight_of_two_is_twice(case in cases()) {
        let twice = evaluate(case.n_classes, case.rows.iter().chain(&case.rows)).measures();
        let doubled: Vec<Row> = case.rows.iter().map(|row| Row { weight: 2.0 * row.weight, ..row.clone() }).collect();
        let doubled = evaluate(case.n_classes, &doubled).measures();
        for (found, expected) in numbers(&doubled).into_iter().zip(numbers(&twice)) {
            if !OF_EFFECTIVE_ROWS.contains(&found.0) {
                prop_assert_eq!(found, expected);
            }
        }
        prop_assert_eq!(&doubled.classes, &twice.classes);
        prop_assert_eq!(doubled.rows.weight, twice.rows.weight);
        prop_assert_eq!(2 * doubled.rows.rows, twice.rows.rows);
    }

    #[test]
    fn a_weight_of_zero_is_none(case in cases()) {
        let with = evaluate(case.n_classes, &case.rows).measures();
        let without = evaluate(case.n_classes, case.rows.iter().filter(|row| row.weight > 0.0)).measures();
        prop_assert_eq!(with, without);
    }

    #[test]
    fn renaming_classes_only_renames_them(case in cases()) {
        let renamed: Vec<Row> = case.rows.iter().map(|row| {
            let mut log_posteriors = vec![0.0; case.n_classes];
            for (class, &value) in row.log_posteriors.iter().enumerate() {
                log_posteriors[case.classes[class]] = value;
            }
            let name = |class: Option<usize>| class.map(|class| case.classes[class]);
            Row { truth: name(row.truth), predicted: name(row.predicted), log_posteriors, weight: row.weight }
        }).collect();
        let before = evaluate(case.n_classes, &case.rows).measures();
        let after = evaluate(case.n_classes, &renamed).measures();
        // The squared errors of a row are added in the order of the classes, and of two classes one is ranked.
        for ((name, before), (_, after)) in numbers(&before).into_iter().zip(numbers(&after)) {
            prop_assert!(is_close(before, after, 1e-15), "{}: {:?} {:?}", name, before, after);
        }
        for (class, measures) in before.classes.iter().enumerate() {
            let renamed = &after.classes[case.classes[class]];
            prop_assert!(is_close(measures.auc, renamed.auc, 1e-15));
            prop_assert_eq!((measures.support, measures.predicted), (renamed.support, renamed.predicted));
            prop_assert_eq!((measures.precision, measures.recall), (renamed.precision, renamed.recall));
            prop_assert_eq!(measures.f1, renamed.f1);
        }
    }

    #[test]
    fn areas_are_those_of_all_pairs(case in cases()) {
        let rows: Vec<Row> = case.rows.into_iter().filter(|row| row.weight > 0.0).collect();
        let measures = evaluate(case.n_classes, &rows).measures();
        let classes = 0..case.n_classes;
        let each = classes.clone().map(|class| area_by_pairs(&rows, class, |other| other != class));
        let each: Vec<Option<f64>> = each.collect();
        for (class, &area) in each.iter().enumerate() {
            prop_assert!(is_close(measures.classes[class].auc, area, 1e-13));
        }
        let present: Vec<f64> = each.iter().copied().flatten().collect();
        prop_assert!(is_close(measures.auc, mean(&present), 1e-13));
        let pairs = classes.clone().flat_map(|i| classes.clone().map(move |j| (i, j)));
        let pairs = pairs.filter(|(i, j)| i != j);
        let pairs: Vec<f64> = pairs.filter_map(|(i, j)| area_by_pairs(&rows, i, |other| other == j)).collect();
        prop_assert!(is_close(measures.auc_pairwise, mean(&pairs), 1e-13));
    }

    #[test]
    fn measures_are_within_their_ranges(case in cases()) {
        let measures = evaluate(case.n_classes, &case.rows).measures();
        for (name, value) in numbers(&measures) {
            let largest = match name {
                "Brier score" => 2.0 + 1e-15,
                "root mean squared error" | "expected calibration error" => 1.0 + 1e-15,
                "log-loss" | "log-loss of possible rows" | "weight of the bins" => f64::INFINITY,
                _ => 1.0,
            };
            let least = if matches!(name, "Matthews' correlation" | "kappa") { -1.0 } else { 0.0 };
            prop_assert!(value.is_none_or(|value| (least..=largest).contains(&value)), "{}: {:?}", name, value);
        }
        if let (Some(accuracy), Some(interval)) = (measures.accuracy, measures.accuracy_interval) {
            prop_assert!(interval.lower <= accuracy && accuracy <= interval.upper);
        }
    }

    #[test]
    fn log_loss_asks_for_the_true_class_only(case in cases()) {
        let n_classes = case.n_classes + 2;
        let spread: Vec<Row> = case.rows.iter().map(|row| {
            // A posterior of a wrong class may be split among classes; another half of it changes places.
            let mut log_posteriors = row.log_posteriors.clone();
            log_posteriors.extend([f64::NEG_INFINITY; 2]);
            if let Some(wrong) = (0..case.n_classes).find(|&class| Some(class) != row.truth) {
                let half = log_posteriors[wrong] - std::f64::consts::LN_2;
                (log_posteriors[wrong], log_posteriors[case.n_classes]) = (half, half);
            }
            Row { log_posteriors, ..row.clone() }
        }).collect();
        let before = evaluate(case.n_classes, &case.rows).measures();
        let after = evaluate(n_classes, &spread).measures();
        prop_assert_eq!(before.log_loss, after.log_loss);
        prop_assert_eq!(before.log_loss_of_possible, after.log_loss_of_possible);
        prop_assert_eq!(before.impossible, after.impossible);
    }
}
