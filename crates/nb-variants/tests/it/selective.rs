//! Selective kDB: what leave-one-out chooses, beside training again without each row.

use nb_core::{FeatureModel, NaiveBayes};
use nb_variants::{Kdb, PairCounts, Parents};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

use super::aode::{counts_of, set};

/// The mean of `(1 - P(y | x))²` of rows, each predicted by a model of the others.
pub(super) fn by_training_again(family: &(impl FeatureModel + Clone), x: &Array2<f64>, y: &[usize]) -> f64 {
    let of_row = |row: usize| {
        let others: Vec<usize> = (0..y.len()).filter(|&other| other != row).collect();
        let labels: Vec<usize> = others.iter().map(|&other| y[other]).collect();
        let classifier = NaiveBayes::new(family.clone()).fit(&x.select(Axis(0), &others), &labels).unwrap();
        let found = classifier.predict_proba(&x.select(Axis(0), &[row])).unwrap();
        let place = classifier.classes().iter().position(|class| *class == y[row]);
        place.map_or(1.0, |place| (1.0 - found[[0, place]]).powi(2))
    };
    (0..y.len()).map(of_row).sum::<f64>() / y.len() as f64
}

/// All structures that are tried: the first parents of the first columns. The order of columns is that of the
/// number of parents with a limit that none reaches.
fn tried(counts: &PairCounts, k: usize, x: &Array2<f64>, y: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let n_columns = x.ncols();
    let full = Kdb::learn(counts.clone(), k, x, y).unwrap();
    let unlimited = Kdb::learn(counts.clone(), n_columns, x, y).unwrap();
    let mut order: Vec<usize> = (0..n_columns).collect();
    order.sort_by_key(|&column| unlimited.parents()[column].len());
    let mut all = Vec::new();
    for k in 0..=full.parents().iter().map(Vec::len).max().unwrap_or(0) {
        for n_used in 0..=n_columns {
            let mut parents = full.parents().to_vec();
            for own in &mut parents {
                own.truncate(k);
            }
            order[n_used..].iter().for_each(|&column| parents[column] = vec![column]);
            all.push(parents);
        }
    }
    all
}

/// The chosen structure has the least loss by training again, and is the first with it but for rounding.
fn check(counts: &PairCounts, k: usize, x: &Array2<f64>, y: &[usize]) {
    let chosen = Kdb::with_learnt(counts.clone(), Parents::Selective(k), x, y).unwrap();
    let all = tried(counts, k, x, y);
    let family = |parents: &Vec<Vec<usize>>| Kdb::new(counts.clone(), parents.clone()).unwrap();
    let losses: Vec<f64> = all.iter().map(|parents| by_training_again(&family(parents), x, y)).collect();
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    let first = losses.iter().position(|loss| *loss <= least + 1e-12).unwrap();
    assert_eq!(chosen.parents(), all[first], "{losses:?}");
}

pub(super) fn numbered(y: &[String]) -> Vec<usize> {
    let mut classes = y.to_vec();
    classes.sort_unstable();
    classes.dedup();
    y.iter().map(|label| classes.binary_search(label).unwrap()).collect()
}

#[test]
fn the_choice_is_that_of_training_again_without_each_row() {
    for (name, step, l) in [("lenses", 1, 1.0), ("playtennis", 1, 0.25), ("housevotes84", 12, 1.0)] {
        let (x, y) = set(name);
        let rows: Vec<usize> = (0..y.len()).step_by(step).collect();
        let labels = numbered(&y);
        let labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        // Votes have missing cells.
        let columns: Vec<usize> = (0..x.ncols().min(6)).collect();
        let x = x.select(Axis(0), &rows).select(Axis(1), &columns);
        let counts = counts_of(&x, l);
        check(&counts, 2, &x, &labels);
    }
}

#[test]
fn noise_is_left_out_and_what_depends_stays() {
    // The first column is the class but for one of ten rows, and the second, which says nothing by itself,
    // says which; the third is noise.
    let is_wrong = |row: usize| (row / 2).is_multiple_of(10);
    let x = Array2::from_shape_fn((320, 3), |(row, column)| match column {
        0 => ((row + usize::from(is_wrong(row))) % 2) as f64,
        1 => f64::from(u8::from(is_wrong(row))),
        _ => (row / 20 % 5) as f64,
    });
    let y: Vec<usize> = (0..320).map(|row| row % 2).collect();
    let counts = PairCounts::new(vec![2, 2, 5]);
    let family = Kdb::with_learnt(counts, Parents::Selective(3), &x, &y).unwrap();
    assert_eq!(family.parents(), [vec![], vec![0], vec![2]]);
    assert!(family.is_left_out(2));
    let fitted = NaiveBayes::new(family).fit(&x, &y).unwrap();
    assert_eq!(fitted.predict(&x).unwrap(), y);
    // The noise adds nothing, whatever it is, and its probability alone is 1.
    let posteriors = |noise: f64| fitted.predict_log_proba(&array![[0.0, 1.0, noise]]).unwrap();
    assert_eq!(posteriors(0.0), posteriors(4.0));
    assert_eq!(nb_core::Likelihood::log_likelihood(fitted.likelihood(), 0, 2, 3.0), 0.0);
}

#[test]
fn a_column_that_is_left_out_is_its_own_parent_alone() {
    let counts = || PairCounts::new(vec![2, 2, 3]);
    let family = |parents: [&[usize]; 3]| Kdb::new(counts(), parents.map(<[usize]>::to_vec).to_vec());
    // It keeps its own counts, and no others.
    assert_eq!(family([&[], &[0], &[2]]).unwrap().n_counts(), 2 + 2 * 3 + 3);
    assert!(family([&[], &[0], &[2, 0]]).is_err());
    let error = family([&[], &[2], &[2]]).unwrap_err().to_string();
    assert!(error.contains("a column that is not left out"), "{error}");
    for (text, rule) in [("selective:3", Parents::Selective(3)), ("selective", Parents::Selective(5))] {
        assert_eq!(text.parse(), Ok(rule));
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert!("selective:".parse::<Parents>().is_err() && "selective:-1".parse::<Parents>().is_err());
}

/// Codes of three columns, some missing, and a class for each row.
pub(super) fn rows() -> impl Strategy<Value = (Array2<f64>, Vec<usize>)> {
    let cell = prop_oneof![5 => (0..3_u8).prop_map(f64::from), 1 => Just(f64::NAN)];
    prop::collection::vec(((0..2_usize), prop::collection::vec(cell, 3)), 2..14).prop_map(|rows| {
        let x = Array2::from_shape_fn((rows.len(), 3), |(row, column)| rows[row].1[column]);
        (x, rows.iter().map(|row| row.0).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Codes that a single row has, classes of a single row and missing parents among them.
    #[test]
    fn any_rows_are_judged_by_the_others((x, y) in rows(), l in prop_oneof![Just(1.0), Just(0.5)]) {
        check(&counts_of(&x, l), 2, &x, &y);
    }

    #[test]
    fn the_order_of_rows_does_not_matter((x, y) in rows()) {
        let counts = counts_of(&x, 1.0);
        let learn = |x: &Array2<f64>, y: &[usize]| Kdb::with_learnt(counts.clone(), Parents::Selective(2), x, y).unwrap();
        let back: Vec<usize> = (0..y.len()).rev().collect();
        let labels: Vec<usize> = back.iter().map(|&row| y[row]).collect();
        let (one, other) = (learn(&x, &y), learn(&x.select(Axis(0), &back), &labels));
        prop_assert_eq!(one.parents(), other.parents());
    }
}
