//! Splits are by classes, pairs, and the same for a seed.

use nb_compare::{Dealing, Design, Features, Folds, Plan, PlanError, SplitBy, Splits, Table};
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

/// Iris with groups of rows that come from all classes.
fn grouped(n_groups: usize) -> Table {
    let of_row = (0..150).map(|row| row * 7 % n_groups).collect();
    iris().with_dealing(Dealing::Groups { column: "plot".into(), of_row }).unwrap()
}

#[test]
fn groups_stay_whole() {
    let table = grouped(23);
    let Dealing::Groups { of_row: groups, .. } = &table.dealing else { panic!() };
    let is_whole = |folds: &Folds| {
        (0..150).all(|row| {
            (0..row).all(|other| groups[row] != groups[other] || folds.of_row[row] == folds.of_row[other])
        })
    };
    let folds = TEN.folds(&table, 1, 0).unwrap();
    assert!(is_whole(&folds) && folds.of_row.iter().all(Option::is_some));
    // Groups have six or seven rows, so that folds have two or three of them.
    assert!(folds.sizes().iter().all(|size| (12..=21).contains(size)), "{:?}", folds.sizes());
    assert_eq!(folds, TEN.folds(&table, 1, 0).unwrap());
    assert_ne!(folds, TEN.folds(&table, 1, 1).unwrap());
    assert_ne!(table.fingerprint(), iris().fingerprint());

    let third = Plan::HeldOut { test: 0.3, repeats: 1 }.folds(&table, 1, 0).unwrap();
    assert!(is_whole(&third) && (41..=49).contains(&third.test(0).len()), "{:?}", third.test(0).len());
    let each = Plan::LeaveOneOut {}.folds(&table, 1, 0).unwrap();
    assert_eq!((each.n_folds, each.of_row[8]), (23, Some(groups[8])));
    assert!(!each.is_leave_one_out());
    let splits = Splits::new(Plan::LeaveOneOut {}, &table);
    assert_eq!((splits.folds, splits.test_to_train), (23, 1.0 / 22.0));
    assert_eq!(splits.by, SplitBy::Groups { column: "plot".into(), groups: 23 });

    assert_eq!(
        TEN.folds(&grouped(9), 0, 0),
        Err(PlanError::Groups { table: "iris".into(), column: "plot".into(), groups: 9, parts: 10 })
    );
}

#[test]
fn few_groups_are_dealt_in_many_ways_and_evenly() {
    // Eight groups: repeats are other splits, as far as there are others.
    let held_out = Plan::HeldOut { test: 0.3, repeats: 20 };
    let table = grouped(8);
    let mut found: Vec<Folds> = (0..20).map(|repeat| held_out.folds(&table, 0, repeat).unwrap()).collect();
    found.sort_by(|one, other| one.of_row.cmp(&other.of_row));
    found.dedup();
    assert!(found.len() >= 10, "{} different splits", found.len());

    // Fifty groups of three rows, each of one class: no fold is left with less than its share.
    let of_row = (0..150).map(|row| row / 3).collect();
    let table = iris().with_dealing(Dealing::Groups { column: "plot".into(), of_row }).unwrap();
    let sizes = TEN.folds(&table, 3, 0).unwrap().sizes();
    assert!(sizes.iter().all(|size| (12..=18).contains(size)), "{sizes:?}");

    // Two groups of 90 and 10 rows: what is tested is one of them, and not 30 rows.
    let of_row: Vec<usize> = (0..150).map(|row| usize::from(row % 10 == 0)).collect();
    let table = iris().with_dealing(Dealing::Groups { column: "plot".into(), of_row }).unwrap();
    let design = Design::new(
        vec![nb_compare::Set::Embedded("iris".into())],
        vec![nb_compare::Variant::parse("gaussian").unwrap()],
    );
    let mut design = design.unwrap();
    design.plan = Plan::HeldOut { test: 0.3, repeats: 1 };
    let tested = design.plan.folds(&table, 0, 0).unwrap().test(0).len();
    let data = &nb_compare::Comparison::new(design, &[table], Vec::new()).data[0];
    assert_eq!(
        (data.splits.tested, data.splits.test_to_train),
        (tested, tested as f64 / (150 - tested) as f64)
    );
}

#[test]
fn given_splits_are_used() {
    let repeats =
        [3, 5].map(|n_folds| Folds { of_row: (0..150).map(|row| Some(row % n_folds)).collect(), n_folds });
    let table = iris().with_dealing(Dealing::Given(repeats.to_vec())).unwrap();
    assert_eq!(TEN.folds(&table, 8, 1).unwrap(), repeats[1]);
    assert!(matches!(TEN.folds(&table, 0, 2), Err(PlanError::NoRepeat { repeat: 2, repeats: 2, .. })));
    let splits = Splits::new(TEN, &table);
    // 300 rows are tested, and 2 · 150 + 4 · 150 trained on.
    assert_eq!((splits.repeats, splits.folds, splits.test_to_train), (2, 3, 300.0 / 900.0));

    let refused = |of_row: Vec<Option<usize>>, n_folds| {
        let given = Dealing::Given(vec![Folds { of_row, n_folds }]);
        iris().with_dealing(given).unwrap_err().to_string()
    };
    assert!(refused(vec![Some(0); 149], 1).contains("splits 149 rows, and there are 150"));
    assert!(refused(vec![Some(0); 150], 1).contains("fold 0 of repeat 0 tests all rows"));
    let mut some = vec![None; 150];
    assert!(refused(some.clone(), 0).contains("repeat 0 tests no row"));
    some[3] = Some(1);
    assert!(refused(some.clone(), 2).contains("fold 0 of repeat 0 tests no row"));
    assert!(refused(some, 1).contains("has rows of fold 1 and 1 folds"));
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
