//! Profiles: parts merge to the whole, files of any length stay within their bounds, and no rows give NaN.

use std::fmt::Write;

use nb_io::{
    Kind,
    profile::{FindingKind, ProfileError, Profiler, TableProfile},
    read::{Csv, Inferred, Overrides, Reason, TableOptions},
};
use proptest::prelude::*;

fn infer(file: &str) -> Inferred {
    Csv::default().infer_from(|| Ok(file.as_bytes()), "rows.csv", "y", &Overrides::default()).unwrap()
}

fn add(profiler: &mut Profiler, file: &str) {
    let table = profiler.table_options(TableOptions::default().with_chunk_rows(7));
    let csv = Csv::default().with_table(table);
    profiler.read(&mut csv.read_from(file.as_bytes(), "rows.csv", &profiler.schema()).unwrap()).unwrap();
}

fn near(one: &TableProfile, other: &TableProfile) -> bool {
    let is_near = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0),
        (a, b) => a == b,
    };
    let mut other = other.clone();
    for (a, b) in one.columns.iter().zip(&mut other.columns) {
        if let (Some(a), Some(b)) = (&a.numbers, &mut b.numbers) {
            if !is_near(a.mean, b.mean)
                || !is_near(a.standard_deviation, b.standard_deviation)
                || !is_near(a.skewness, b.skewness)
            {
                return false;
            }
            (b.mean, b.standard_deviation, b.skewness) = (a.mean, a.standard_deviation, a.skewness);
        }
        // They have the digits of the skewness.
        b.findings.clone_from(&a.findings);
        if let (Some(a), Some(b)) = (a.information, &mut b.information) {
            if !is_near(Some(a.nats), Some(b.nats)) {
                return false;
            }
            (b.nats, b.share) = (a.nats, a.share);
        }
    }
    *one == other
}

proptest! {
    #[test]
    fn parts_merge_to_the_whole(
        rows in prop::collection::vec((0..40_u8, 0..5_u8, 0..4_u8), 1..120),
        split in 0..120_usize,
    ) {
        let lines: Vec<String> = rows.iter().map(|(x, kind, y)| {
            let x = if *x == 0 { String::new() } else { format!("{}.25", i32::from(*x) - 9) };
            let kind = ["red", "blue", "", "green", "7"][usize::from(*kind)];
            format!("{x},{kind},k{},{}\n", y, ["a", "b", "c", ""][usize::from(*y)])
        }).collect();
        let header = "x,kind,copy,y\n";
        let inferred = infer(&format!("{header}{}", lines.concat()));
        let empty = Profiler::new(&inferred).with_label("y");
        let split = split.min(lines.len());
        let (mut all, mut first, mut second) = (empty.clone(), empty.clone(), empty);
        add(&mut all, &format!("{header}{}", lines.concat()));
        add(&mut first, &format!("{header}{}", lines[..split].concat()));
        add(&mut second, &format!("{header}{}", lines[split..].concat()));
        let merged = first.merge(&second).unwrap();
        prop_assert!(near(&all.profile(), &merged.profile()), "{:#?}\n{:#?}", all.profile(), merged.profile());
    }
}

#[test]
fn texts_of_too_many_categories_are_counted() {
    let file = "x,y\nu1,a\nu2,b\nu1,b\n,a\n";
    let mut inferred = infer(file);
    inferred.columns[0].reason = Reason::TooManyCategories { limit: 1 };
    for kind in [&mut inferred.columns[0].kind, &mut inferred.schema.columns[0].kind] {
        *kind = Kind::Categorical { levels: Vec::new() };
    }
    let mut profiler = Profiler::new(&inferred).with_label("y");
    add(&mut profiler, file);
    let profile = profiler.profile();
    let column = &profile.columns[0];
    assert_eq!((column.distinct.n, column.n_missing), (2, 1));
    assert_eq!(column.findings[0].kind, FindingKind::Identifier);
    assert_eq!(profile.label.map(|label| label.classes.len()), Some(2));
}

#[test]
fn long_files_are_within_the_bounds_that_the_profile_states() {
    let n = 60_000_usize;
    let mut file = String::from("x,y\n");
    for row in 0..n {
        let x = (row * 7919 % n) as f64;
        writeln!(file, "{},{}", x * x + 0.5, if x < 15_000.0 { "low" } else { "high" }).unwrap();
    }
    let mut profiler = Profiler::new(&infer(&file)).with_label("y");
    add(&mut profiler, &file);
    let profile = profiler.profile();
    let column = &profile.columns[0];
    assert!(!column.distinct.is_exact && column.distinct.n.abs_diff(n as u64) < n as u64 / 15);
    let numbers = column.numbers.as_ref().unwrap();
    assert!(numbers.max_rank_error > 0.0 && numbers.max_rank_error < 0.02);
    for quantile in &numbers.quantiles {
        let rank = (quantile.value - 0.5).sqrt() / n as f64;
        let error = (rank - quantile.probability).abs();
        assert!(error <= numbers.max_rank_error + 1.0 / n as f64, "{quantile:?}: {error}");
    }
    // A quarter of the rows is low: all of two of ten groups, and half of another one.
    let information = column.information.unwrap();
    let entropy = -(0.25_f64 * 0.25_f64.ln() + 0.75 * 0.75_f64.ln());
    let expected = 1.0 - 0.1 * std::f64::consts::LN_2 / entropy;
    assert!((information.share - expected).abs() < 0.05, "{information:?}, {expected}");
}

#[test]
fn rows_of_any_size_give_no_nan() {
    let file = "x,z,e,y\n1e308,0,,a\n-1e308,0,,b\n5e-324,0,,a\n";
    let mut profiler = Profiler::new(&infer(file)).with_label("y");
    let empty = profiler.profile();
    assert!(empty.n_rows == 0 && empty.columns.iter().all(|column| column.numbers.is_none()));
    add(&mut profiler, file);
    let profile = profiler.profile();
    let text = format!("{profile:?}");
    assert!(!text.contains("NaN") && !text.contains("inf,"), "{text}");
}

#[test]
fn more_labels_than_classes_are_only_counted() {
    let mut file = String::from("x,y\n");
    (0..500).for_each(|row| writeln!(file, "{},{}", row % 9, row % 250).unwrap());
    let mut profiler = Profiler::new(&infer(&file)).with_label("y");
    add(&mut profiler, &file);
    let profile = profiler.profile();
    let label = profile.label.unwrap();
    assert_eq!((label.distinct.n, label.classes.len(), label.n_missing), (250, 10, 0));
    assert!(profile.columns[0].information.is_none());
    assert_eq!(profile.columns[0].distinct.n, 9);
}

#[test]
fn other_columns_do_not_merge() {
    let [one, other] =
        ["x,y\n1.5,a\n", "z,y\n1.5,a\n"].map(|file| Profiler::new(&infer(file)).with_label("y"));
    let (first, second) = ("x".into(), "z".into());
    assert_eq!(one.clone().merge(&other), Err(ProfileError::Columns { first, second }));
    assert_eq!(one.merge(&Profiler::new(&infer("x,y\n1.5,a\n"))), Err(ProfileError::Label));
    let [one, other] = ["x,y\n1.5,a\n", "x,y\nred,a\n"].map(|file| Profiler::new(&infer(file)));
    assert_eq!(one.merge(&other), Err(ProfileError::Kind { column: "x".into() }));
}
