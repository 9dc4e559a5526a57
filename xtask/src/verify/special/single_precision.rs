//! Two million rows of `f32` with mean 1000 and standard deviation 1: sums in `f32` lose everything here.

use nb_core::{Gaussian, NaiveBayes, VarianceSmoothing};
use ndarray::Array2;

use super::special;
use crate::splitmix::SplitMix64;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::ulps_between;

const N_ROWS: usize = 2_000_000;

/// Every `f32` between 512 and 2048 is a whole multiple of `1 / GRID`.
const GRID: f64 = 16384.0;

pub(super) fn checks() -> Vec<Check> {
    vec![special("f32 input, 2 million rows, mean 1000, sd 1", "integer arithmetic", verify)]
}

fn verify() -> Result<Outcome, Problem> {
    let mut generator = SplitMix64(2);
    let cells = (0..N_ROWS).map(|_| (1000.0 + generator.normal()) as f32);
    let table = Array2::from_shape_vec((N_ROWS, 1), cells.collect())?;
    let labels: Vec<usize> = (0..N_ROWS).map(|row| row % 2).collect();
    let model = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let classifier = NaiveBayes::new(model).fit(&table, &labels)?;
    let fitted = classifier.likelihood();

    let (mut worst, mut description) = (0, [String::new(), String::new()]);
    for class in 0..2 {
        let own = || table.iter().skip(class).step_by(2).copied();
        let (mean, variance) = exact_moments(own())?;
        let got = (fitted.means()[[class, 0]], fitted.variances()[[class, 0]]);
        worst = worst.max(ulps_between(mean, got.0)).max(ulps_between(variance, got.1));
        if class == 0 {
            description = [(mean, variance), got].map(|(mean, variance)| format!("{mean:.9}, {variance:.9}"));
        }
    }
    let [expected, got] = description;
    let (mean, variance) = moments_in_f32(table.iter().step_by(2).copied());
    Ok(Outcome::equal(expected, got)
        .with_error(format!("{worst} of 4 ulp"))
        .and(worst <= 4, "mean or variance differ")
        .remark(format!("sums in f32: {mean:.9}, {variance:.9}")))
}

/// Mean and maximum-likelihood variance, exact except for the final division.
fn exact_moments(values: impl Iterator<Item = f32>) -> Result<(f64, f64), Problem> {
    let (mut n, mut sum, mut squares) = (0_i128, 0_i128, 0_i128);
    for value in values {
        let steps = f64::from(value) * GRID;
        if steps.fract() != 0.0 {
            return Err(format!("{value} is not on the grid of the check").into());
        }
        let steps = steps as i128;
        (n, sum, squares) = (n + 1, sum + steps, squares + steps * steps);
    }
    let mean = sum as f64 / (n as f64 * GRID);
    let variance = (n * squares - sum * sum) as f64 / ((n * n) as f64 * GRID * GRID);
    Ok((mean, variance))
}

/// How not to do it.
fn moments_in_f32(values: impl Iterator<Item = f32>) -> (f32, f32) {
    let (n, sum, squares) = values.fold((0.0_f32, 0.0_f32, 0.0_f32), |(n, sum, squares), value| {
        (n + 1.0, sum + value, squares + value * value)
    });
    let mean = sum / n;
    (mean, squares / n - mean * mean)
}
