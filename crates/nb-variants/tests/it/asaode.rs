//! Attribute selective AODE: what leave-one-out chooses, beside training again without each row.

use nb_core::{FeatureModel, NaiveBayes};
use nb_variants::{Aode, Asaode, Kdb, PairCounts};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

use super::{
    aode::{counts_of, set},
    counting::{check_laws, law_counts},
    selective::{by_training_again, numbered, rows},
};

#[test]
fn it_keeps_the_laws() {
    let x = array![[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]];
    for counts in law_counts() {
        check_laws(&Asaode::learn(counts.clone(), 1.0, &x, &[0, 0, 1, 1]).expect("learns"));
        check_laws(
            &Asaode::new(counts, 1.0, vec![true, false, false], vec![false, true, true]).expect("valid"),
        );
    }
}

#[test]
fn with_all_columns_it_is_aode() {
    let (x, y) = set("housevotes84");
    let counts = counts_of(&x, 1.0);
    let all = || vec![true; x.ncols()];
    let selective = Asaode::new(counts.clone(), 5.0, all(), all()).expect("valid");
    let found = NaiveBayes::new(selective).fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
    let aode = Aode { minimum_count: 5.0, ..Aode::new(counts) };
    let expected = NaiveBayes::new(aode).fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
    assert_eq!(found, expected);
}

/// Columns without a role are as if they were not there, also where no value is a parent.
#[test]
fn columns_without_a_role_are_as_if_left_out() {
    let (x, y) = set("lymphography");
    for minimum_count in [1.0, 20.0, 1e6] {
        let counts = counts_of(&x, 1.0);
        let roles: Vec<bool> = (0..x.ncols()).map(|column| column % 3 > 0).collect();
        let some: Vec<usize> = (0..x.ncols()).filter(|&column| roles[column]).collect();
        let selective = Asaode::new(counts, minimum_count, roles.clone(), roles).expect("valid");
        let found = NaiveBayes::new(selective).fit(&x, &y).expect("fits").predict_proba(&x).expect("scores");
        let x = x.select(Axis(1), &some);
        let aode = Aode { minimum_count, ..Aode::new(counts_of(&x, 1.0)) };
        let expected = NaiveBayes::new(aode).fit(&x, &y).expect("fits").predict_proba(&x).expect("scores");
        assert!((found - expected).iter().all(|difference| difference.abs() < 1e-12));
    }
}

/// Parents and children that are tried: the first of the order of columns, which is that of the number of
/// parents with a limit that none reaches.
fn tried(counts: &PairCounts, x: &Array2<f64>, y: &[usize]) -> Vec<(Vec<bool>, Vec<bool>)> {
    let n_columns = x.ncols();
    let unlimited = Kdb::learn(counts.clone(), n_columns, x, y).expect("learns");
    let mut order: Vec<usize> = (0..n_columns).collect();
    order.sort_by_key(|&column| unlimited.parents()[column].len());
    let first =
        |n: usize| -> Vec<bool> { (0..n_columns).map(|column| order[..n].contains(&column)).collect() };
    let all = (1..=n_columns).flat_map(|r| (1..=n_columns).map(move |s| (r, s)));
    all.map(|(r, s)| (first(r), first(s))).collect()
}

fn check(counts: &PairCounts, minimum_count: f64, x: &Array2<f64>, y: &[usize]) {
    let chosen = Asaode::learn(counts.clone(), minimum_count, x, y).expect("learns");
    let all = tried(counts, x, y);
    let loss = |(parents, children): &(Vec<bool>, Vec<bool>)| {
        let family = Asaode::new(counts.clone(), minimum_count, parents.clone(), children.clone());
        by_training_again(&family.expect("valid"), x, y)
    };
    let losses: Vec<f64> = all.iter().map(loss).collect();
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    let first = losses.iter().position(|loss| *loss <= least + 1e-12).expect("there is one");
    assert_eq!((chosen.parents(), chosen.children()), (&all[first].0[..], &all[first].1[..]), "{losses:?}");
}

#[test]
fn the_choice_is_that_of_training_again_without_each_row() {
    for (name, step, minimum_count) in [("lenses", 1, 1.0), ("playtennis", 1, 4.0), ("housevotes84", 12, 8.0)]
    {
        let (x, y) = set(name);
        let rows: Vec<usize> = (0..y.len()).step_by(step).collect();
        let labels = numbered(&y);
        let labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        // Votes have missing cells.
        let columns: Vec<usize> = (0..x.ncols().min(5)).collect();
        let x = x.select(Axis(0), &rows).select(Axis(1), &columns);
        check(&counts_of(&x, 1.0), minimum_count, &x, &labels);
    }
}

#[test]
fn too_few_roles_are_refused() {
    let error = Asaode::new(PairCounts::new(vec![2, 2]), 1.0, vec![true], vec![true, true]).unwrap_err();
    assert!(error.to_string().contains("list of parents"), "{error}");
    assert!(Asaode::new(PairCounts::new(vec![2]), -1.0, vec![true], vec![true]).is_err());
    assert!(Asaode::default().layout(2).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Codes that a single row has, classes of a single row and missing cells among them.
    #[test]
    fn any_rows_are_judged_by_the_others((x, y) in rows(), m in prop_oneof![Just(0.0), Just(2.0), Just(5.0)]) {
        check(&counts_of(&x, 1.0), m, &x, &y);
    }

    #[test]
    fn the_order_of_rows_does_not_matter((x, y) in rows()) {
        let counts = counts_of(&x, 0.5);
        let back: Vec<usize> = (0..y.len()).rev().collect();
        let labels: Vec<usize> = back.iter().map(|&row| y[row]).collect();
        let one = Asaode::learn(counts.clone(), 1.0, &x, &y).expect("learns");
        let other = Asaode::learn(counts, 1.0, &x.select(Axis(0), &back), &labels).expect("learns");
        prop_assert_eq!(one, other);
    }
}
