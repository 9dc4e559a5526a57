//! Models of noised sums: what noise leaves of them.

use nb_core::{Blocks, Categorical, Gaussian, NaiveBayes};
use nb_private::{Budget, Column, Design};
use ndarray::{Array2, array};
use proptest::prelude::*;

use crate::rng;

/// Almost no noise: the model is that of the rows, to the step of the grid.
#[test]
fn without_much_noise_the_model_is_that_of_the_rows() {
    let x =
        array![[1.0, 0.0, 1e9 + 1.0], [3.0, 1.0, 1e9 + 2.0], [4.0, 2.0, 1e9 + 4.0], [8.0, 2.0, 1e9 + 7.0]];
    let (x, y) = repeated(&x, &["a", "a", "b", "b"], 5000);
    let columns = [
        Column::Number { low: 0.0, high: 10.0 },
        Column::Categories { n: 3 },
        Column::Number { low: 1e9, high: 1e9 + 8.0 },
    ];
    let design = Design::new(["a", "b"], columns).unwrap();
    let sums = design.release(&x, &y, Budget::Pure { epsilon: 1000.0 }, &mut rng(5)).unwrap();
    let noised = NaiveBayes::new(sums.model()).fit_stats(&sums.stats().unwrap()).unwrap();
    let blocks = Blocks::new().with([0, 2], Gaussian::default()).with([1], Categorical::default());
    let exact = NaiveBayes::new(blocks).fit(&x, &y).unwrap();
    let (noised, exact) = (noised.predict_log_proba(&x).unwrap(), exact.predict_log_proba(&x).unwrap());
    let far = noised.iter().zip(&exact).map(|(a, b)| (a - b).abs() / b.abs().max(1.0));
    assert!(far.fold(0.0, f64::max) < 2e-3, "{noised} {exact}");
}

fn repeated(x: &Array2<f64>, y: &[&'static str], times: usize) -> (Array2<f64>, Vec<&'static str>) {
    let rows =
        Array2::from_shape_fn((x.nrows() * times, x.ncols()), |(row, column)| x[[row % x.nrows(), column]]);
    (rows, y.repeat(times))
}

/// Nothing but noise: the classes have the probabilities of their weights, and no row is sure.
#[test]
fn nothing_but_noise_has_weak_opinions() {
    let columns = [Column::Number { low: -1.0, high: 1.0 }; 5];
    let design = Design::new(["a", "b"], columns).unwrap();
    let x = Array2::from_shape_fn((20, 5), |(row, column)| ((row * 7 + column * 3) % 11) as f64 / 5.0 - 1.0);
    let y: Vec<&str> = (0..20).map(|row| ["a", "b"][row % 2]).collect();
    for seed in 0..50 {
        let sums = design.release(&x, &y, Budget::Pure { epsilon: 0.01 }, &mut rng(seed)).unwrap();
        let classifier = NaiveBayes::new(sums.model()).fit_stats(&sums.stats().unwrap()).unwrap();
        let posteriors = classifier.predict_proba(&x).unwrap();
        assert!(posteriors.iter().all(|p| (0.001..0.999).contains(p)), "seed {seed}: {posteriors}");
    }
}

proptest! {
    /// Whatever the noise, there is a model, and its answers are probabilities.
    #[test]
    fn there_is_always_a_model(
        n_rows in 0_usize..12, seed in 0_u64..1_000_000, budget in -6.0_f64..3.0, n in 1_usize..4,
        low in -1e6_f64..1e6, width in prop_oneof![Just(1e-3), Just(1.0), Just(1e6)], is_pure: bool,
    ) {
        let columns = [Column::Categories { n }, Column::Number { low, high: low + width }];
        let design = Design::new(0..3, columns).unwrap();
        let x = Array2::from_shape_fn((n_rows, 2), |(row, column)| {
            if column == 0 { (row % n) as f64 } else { low + width * row as f64 / 7.0 }
        });
        let y: Vec<usize> = (0..n_rows).map(|row| row * row % 3).collect();
        let budget = 10_f64.powf(budget);
        let budget = if is_pure { Budget::Pure { epsilon: budget } } else { Budget::Concentrated { rho: budget } };
        let sums = design.release(&x, &y, budget, &mut rng(seed)).unwrap();
        let classifier = NaiveBayes::new(sums.model()).fit_stats(&sums.stats().unwrap()).unwrap();
        let rows = array![[0.0, low], [0.0, low + width]];
        let posteriors = classifier.predict_proba(&rows).unwrap();
        for row in posteriors.rows() {
            prop_assert!((row.sum() - 1.0).abs() < 1e-12 && row.iter().all(|p| *p >= 0.0), "{posteriors}");
        }
    }
}
