//! Splits are by classes, pairs, and the same for a seed.

use nb_compare::{Features, Folds, Plan, PlanError, Table};
use proptest::prelude::*;

const TEN: Plan = Plan::CrossValidation { folds: 10, repeats: 3 };

fn iris() -> Table {
    Table::embedded("iris").unwrap()
}

fn sizes(folds: &Folds, table: &Table, class: usize) -> Vec<usize> {
    (0..folds.n_folds)
        .map(|fold| folds.test(fold).iter().filter(|&&row| table.labels[row] == class).count())
        .collect()
}

#[test]
fn each_fold_has_its_share_of_every_class() {
    for name in ["iris", "zoo", "soybean", "promoters"] {
        let table = Table::embedded(name).unwrap();
        let folds = TEN.folds(&table, 7, 1).unwrap();
        let all: Vec<usize> = (0..10).map(|fold| folds.test(fold).len()).collect();
        assert!(all.iter().max().unwrap() - all.iter().min().unwrap() <= 1, "{name}: {all:?}");
        for class in 0..table.classes.len() {
            let sizes = sizes(&folds, &table, class);
            assert!(
                sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1,
                "{name} {class}: {sizes:?}"
            );
        }
    }
}

#[test]
fn training_and_test_rows_are_all_rows() {
    let table = iris();
    let folds = TEN.folds(&table, 0, 0).unwrap();
    let mut rows = folds.test(3);
    rows.extend(folds.train(3));
    rows.sort_unstable();
    assert_eq!(rows, (0..150).collect::<Vec<_>>());
}

#[test]
fn seeds_repeats_and_contents_decide() {
    let table = iris();
    let folds = |seed, repeat| TEN.folds(&table, seed, repeat).unwrap();
    assert_eq!(folds(1, 0), folds(1, 0));
    assert_ne!(folds(1, 0), folds(2, 0));
    assert_ne!(folds(1, 0), folds(1, 1));
    let renamed = Table { name: "other".into(), ..table.clone() };
    assert_eq!(folds(1, 0), TEN.folds(&renamed, 1, 0).unwrap());
    let mut other = table.clone();
    let Features::Columns { x, .. } = &mut other.features else { panic!("iris has columns") };
    x[[149, 3]] += 0.1;
    assert_ne!(folds(1, 0), TEN.folds(&other, 1, 0).unwrap());
}

#[test]
fn splits_stay_what_they_are() {
    // Committed results can be repeated only while this holds.
    let folds = TEN.folds(&iris(), 42, 0).unwrap();
    let first: Vec<usize> = folds.of_row.iter().take(20).flatten().copied().collect();
    assert_eq!(first, SPLIT_OF_IRIS);
}

const SPLIT_OF_IRIS: [usize; 20] = [2, 6, 4, 6, 4, 6, 0, 4, 7, 3, 3, 7, 5, 7, 9, 1, 9, 5, 4, 5];

#[test]
fn what_cannot_be_split_is_refused() {
    let lenses = Table::embedded("playtennis").unwrap();
    let thirty = Plan::CrossValidation { folds: 30, repeats: 1 };
    assert_eq!(
        thirty.folds(&lenses, 0, 0),
        Err(PlanError::TooFewRows { table: "playtennis".into(), rows: 14, folds: 30 })
    );
    for plan in [
        Plan::CrossValidation { folds: 1, repeats: 1 },
        Plan::CrossValidation { folds: 2, repeats: 0 },
        Plan::HeldOut { test: 1.0, repeats: 1 },
        Plan::HeldOut { test: f64::NAN, repeats: 1 },
    ] {
        assert!(matches!(plan.folds(&lenses, 0, 0), Err(PlanError::Range { .. })), "{plan:?}");
    }
}

proptest! {
    #[test]
    fn held_out_parts_have_their_size(test in 0.004..0.99_f64, seed in 0..1000_u64) {
        let table = iris();
        let folds = Plan::HeldOut { test, repeats: 1 }.folds(&table, seed, 0).unwrap();
        let tested = folds.test(0).len();
        prop_assert!((1..150).contains(&tested));
        prop_assert!((tested as f64 - 150.0 * test).abs() <= 1.0, "{tested} for {test}");
        for class in 0..3 {
            let part = sizes(&folds, &table, class)[0] as f64;
            prop_assert!((part - 50.0 * test).abs() <= 1.0 + 1e-9, "{part} for {test}");
        }
    }
}
