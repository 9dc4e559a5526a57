//! Naive Bayes and logistic regression: where the assumptions hold they converge to the same coefficients,
//! and where they do not they part (Ng and Jordan 2002; Mitchell 2005).

use nb_core::NaiveBayes;
use nb_linear::{LinearForm, LogisticRegression, SharedGaussian};
use ndarray::{Array1, Array2, array};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rand_distr::{Distribution, StandardNormal};

/// Rows of two classes of equal size; `row(class, normals)` makes one from standard normal variables.
fn draw(
    n_rows: usize,
    n_columns: usize,
    rng: &mut StdRng,
    row: impl Fn(usize, &[f64]) -> Vec<f64>,
) -> (Array2<f64>, Vec<usize>) {
    let mut x = Array2::zeros((n_rows, n_columns));
    let labels: Vec<usize> = (0..n_rows).map(|_| usize::from(rng.random::<bool>())).collect();
    for (mut cells, &class) in x.rows_mut().into_iter().zip(&labels) {
        let normals: Vec<f64> = (0..n_columns).map(|_| StandardNormal.sample(rng)).collect();
        cells.assign(&Array1::from_vec(row(class, &normals)));
    }
    (x, labels)
}

/// The weights of the log-odds of the second class, by naive Bayes and by logistic regression without a
/// penalty.
fn weights(x: &Array2<f64>, labels: &[usize]) -> [Array1<f64>; 2] {
    let naive_bayes = NaiveBayes::new(SharedGaussian::default()).fit(x, labels).expect("fits");
    let logistic = LogisticRegression::default().with_l2(0.0);
    let forms = [LinearForm::new(&naive_bayes), logistic.fit(x, labels).expect("fits")];
    forms.map(|form| form.hyperplane(1, 0).expect("finite").normal)
}

fn distance(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).mapv(|difference| difference * difference).sum().sqrt()
}

/// The root mean square distance of the two weight vectors over some draws.
fn mean_distance(n_rows: usize, n_columns: usize, row: impl Fn(usize, &[f64]) -> Vec<f64>) -> f64 {
    let n_draws = 40;
    let squares = (0..n_draws).map(|seed| {
        let (x, labels) = draw(n_rows, n_columns, &mut StdRng::seed_from_u64(seed), &row);
        let [naive_bayes, logistic] = weights(&x, &labels);
        distance(&naive_bayes, &logistic).powi(2)
    });
    (squares.sum::<f64>() / n_draws as f64).sqrt()
}

/// Independent normal columns with class means ∓½ and ∓1, standard deviations 1 and 2: `w = (1, 0.5)`.
fn assumptions_hold(class: usize, normals: &[f64]) -> Vec<f64> {
    let sign = class as f64 - 0.5;
    vec![sign + normals[0], 2.0 * sign + 2.0 * normals[1]]
}

#[test]
fn where_the_assumptions_hold_both_converge_to_the_truth() {
    let distances = [250, 1_000, 4_000].map(|n_rows| mean_distance(n_rows, 2, assumptions_hold));
    // Quadrupling the rows halves the distance: it shrinks like 1/√n.
    for pair in distances.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.6..2.5).contains(&ratio), "{distances:?}");
    }
    assert!(distances[2] < 0.03, "{distances:?}");
    let (x, labels) = draw(100_000, 2, &mut StdRng::seed_from_u64(99), assumptions_hold);
    for weights in weights(&x, &labels) {
        assert!(distance(&weights, &array![1.0, 0.5]) < 0.03, "{weights}");
    }
}

#[test]
fn naive_bayes_is_nearer_to_the_truth_than_regression_while_rows_are_few() {
    // The generative fit uses that columns are normal and independent; where it is true, it needs fewer rows.
    let truth = array![1.0, 0.5];
    let (mut naive, mut logistic) = (0.0, 0.0);
    for seed in 0..40 {
        let (x, labels) = draw(200, 2, &mut StdRng::seed_from_u64(seed), assumptions_hold);
        let [by_naive, by_logistic] = weights(&x, &labels);
        naive += distance(&by_naive, &truth).powi(2);
        logistic += distance(&by_logistic, &truth).powi(2);
    }
    assert!(naive < logistic, "{naive} {logistic}");
}

/// Parts where the rows are many: the distance stays, however many they are.
fn parts(n_columns: usize, row: impl Fn(usize, &[f64]) -> Vec<f64>) {
    let [few, many] = [1_000, 4_000].map(|n_rows| mean_distance(n_rows, n_columns, &row));
    assert!(many > 0.2, "{few} {many}");
    assert!((few / many - 1.0).abs() < 0.2, "{few} {many}");
}

#[test]
fn dependent_columns_part_them() {
    // The second column is the first with noise: naive Bayes counts the evidence twice.
    parts(2, |class, normals| {
        let first = class as f64 - 0.5 + normals[0];
        vec![first, first + 0.5 * normals[1]]
    });
}

#[test]
fn unequal_variances_part_them() {
    parts(1, |class, normals| vec![if class == 0 { normals[0] / 3.0 } else { 1.0 + normals[0] }]);
}

#[test]
fn columns_that_are_not_normal_part_them() {
    // Skewed within each class: exponentials of normals.
    parts(1, |class, normals| vec![2.0 * class as f64 + normals[0].exp()]);
}
