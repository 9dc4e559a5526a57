//! The promise itself, on two tables that differ in one row: how much more probable is any result?

use nb_private::{Budget, Column, Design};
use ndarray::{Array2, array};

use crate::rng;

const RELEASES: usize = 100_000;

/// The rows of a release of tables with and without a second row, many times.
fn weights(budget: Budget) -> [Vec<i64>; 2] {
    let design = Design::new(["a"], [Column::Categories { n: 1 }]).unwrap();
    let mut rng = rng(3);
    let mut of = |rows: Array2<f64>| -> Vec<i64> {
        let labels = vec!["a"; rows.nrows()];
        (0..RELEASES)
            .map(|_| design.release(&rows, &labels, budget, &mut rng).unwrap().n_rows().next().unwrap().1)
            .collect()
    };
    [of(array![[0.0]]), of(array![[0.0], [0.0]])]
}

/// The shares of releases with each number of rows from `from` to `to`.
fn shares(weights: &[i64], from: i64, to: i64) -> Vec<f64> {
    let share = |n| weights.iter().filter(|&&weight| weight == n).count() as f64 / RELEASES as f64;
    (from..=to).map(share).collect()
}

/// A row changes two sums, so that the number of rows alone may betray half of the budget: exactly that much,
/// in either direction, is what a test of 100,000 releases sees.
#[test]
fn pure_releases_are_as_private_as_they_say() {
    let epsilon = 1.0;
    let [without, with] = weights(Budget::Pure { epsilon });
    for (p, q) in shares(&without, -2, 5).into_iter().zip(shares(&with, -2, 5)) {
        let ratio = (p / q).ln().abs();
        assert!(ratio < epsilon / 2.0 + 0.06, "{p} and {q}: {ratio}");
    }
    let (p, q) = (shares(&without, -2, -2)[0], shares(&with, -2, -2)[0]);
    assert!(((p / q).ln() - epsilon / 2.0).abs() < 0.06, "more noise than the budget needs");
}

/// The variance of the privacy loss of discrete Gaussian noise is that of `Δ² / σ²`, here `ρ`: half of `2 ρ`.
#[test]
fn concentrated_releases_are_as_private_as_they_say() {
    let rho = 0.125;
    let [without, with] = weights(Budget::Concentrated { rho });
    // σ² = k Δ² / (2 ρ) = 8, so that the logarithm of the ratio at n is (3 - 2 n) / 16.
    for (n, (p, q)) in (-2..=5).zip(shares(&without, -2, 5).into_iter().zip(shares(&with, -2, 5))) {
        let expected = f64::from(3 - 2 * n) / 16.0;
        assert!(((p / q).ln() - expected).abs() < 0.07, "{n}: {p} and {q}");
    }
}
