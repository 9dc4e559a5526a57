//! Noised sums of several houses.

use nb_private::{Budget, Column, Design, MergeError, NoisedSums, People, Spent};
use ndarray::array;

use crate::rng;

fn release(seed: u64, budget: Budget) -> NoisedSums<&'static str> {
    let design = Design::new(["a", "b"], [Column::Number { low: 0.0, high: 1.0 }]).unwrap();
    design.release(&array![[0.2], [0.9]], &["a", "b"], budget, &mut rng(seed)).unwrap()
}

#[test]
fn sums_are_added_in_any_order() {
    let budget = Budget::Pure { epsilon: 1.0 };
    let [a, b, c] = [1, 2, 3].map(|seed| release(seed, budget));
    let mut left = a.clone();
    left.merge(&b, People::Apart).unwrap();
    left.merge(&c, People::Apart).unwrap();
    let mut right = c.clone();
    right.merge(&a, People::Apart).unwrap();
    right.merge(&b, People::Apart).unwrap();
    assert_eq!(left, right);
    let added: Vec<i64> = (0..2)
        .map(|class| [&a, &b, &c].iter().map(|sums| sums.n_rows().nth(class).unwrap().1).sum())
        .collect();
    assert_eq!(left.n_rows().map(|(_, n)| n).collect::<Vec<_>>(), added);
    assert!((left.n_rows_error() / a.n_rows_error() - 3_f64.sqrt()).abs() < 1e-12);
    assert_eq!(left.releases().len(), 3);
}

#[test]
fn what_was_spent_is_kept() {
    let pure = release(1, Budget::Pure { epsilon: 1.0 });
    let concentrated = release(2, Budget::Concentrated { rho: 0.1 });
    let merged = |people| {
        let mut sums = pure.clone();
        sums.merge(&concentrated, people).unwrap();
        sums.spent()
    };
    assert_eq!(merged(People::Apart), Spent { epsilon: 1.0, rho: 0.1 });
    assert_eq!(merged(People::Shared), Spent { epsilon: 1.0, rho: 0.1 });
    let twice = |people| {
        let mut sums = pure.clone();
        sums.merge(&release(3, Budget::Pure { epsilon: 0.5 }), people).unwrap();
        sums.spent().epsilon
    };
    assert_eq!((twice(People::Apart), twice(People::Shared)), (1.0, 1.5));
}

#[test]
fn rows_do_not_count_twice() {
    let budget = Budget::Pure { epsilon: 1.0 };
    let (mut a, b) = (release(1, budget), release(2, budget));
    a.merge(&b, People::Apart).unwrap();
    let before = a.clone();
    assert!(matches!(a.merge(&b, People::Shared), Err(MergeError::Twice { .. })));
    let other = Design::new(["a", "b"], [Column::Number { low: 0.0, high: 2.0 }]).unwrap();
    let other = other.release(&array![[0.2], [0.9]], &["a", "b"], budget, &mut rng(4)).unwrap();
    assert_eq!(a.merge(&other, People::Apart), Err(MergeError::Designs));
    assert_eq!(a, before);
}
