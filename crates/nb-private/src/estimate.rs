//! Weights, means, variances and counts from sums with noise.
//!
//! The noise of a sum has a known variance, and a class is one of several: an estimate of a class and that of
//! all classes together are averaged with the inverses of their variances as weights, as if a class differed
//! from all by about the spread of the column (the normal model of Efron and Morris 1975). Only numbers that
//! were released enter.

use nb_core::exact::{Exact, ExactSums};

use crate::{
    Column, NoisedSums,
    column::{HALF, LARGEST_SQUARE},
};

/// Weights are multiples of this, so that counts add up to them without rounding.
const STEP: f64 = 1.0 / (1 << 20) as f64;
/// The least variance in units of half the bounds, squared: the doubt about rounded squares.
const LEAST_VARIANCE: f64 = 0.5 / LARGEST_SQUARE as f64;
/// The least count of a category of all classes together.
const LEAST_COUNT: f64 = 1.0;

/// What is estimated of a class.
pub(crate) struct ClassEstimate {
    weight: f64,
    columns: Vec<ColumnEstimate>,
}

enum ColumnEstimate {
    /// In units of half the bounds, from their middle.
    Number { mean: f64, variance: f64 },
    /// The weights of the categories.
    Categories(Vec<f64>),
}

/// A sum of each class, with the variance of its noise.
struct Noised {
    values: Vec<f64>,
    variance: f64,
}

/// Estimates of all classes.
pub(crate) fn estimates<L>(sums: &NoisedSums<L>) -> Vec<ClassEstimate> {
    let noised = |place: usize, unit: f64| Noised {
        values: sums.sums.iter().map(|class| class[place] as f64 / unit).collect(),
        variance: sums.variances[place] / (unit * unit),
    };
    let rows = noised(0, 1.0);
    let least = rows.variance.sqrt().max(1.0);
    let weights = rows.values.iter().map(|&n| (n.max(least) / STEP).ceil() * STEP);
    let mut classes: Vec<ClassEstimate> =
        weights.map(|weight| ClassEstimate { weight, columns: Vec::new() }).collect();
    let weights: Vec<f64> = classes.iter().map(|class| class.weight).collect();
    let mut first = 1;
    for column in &sums.design.columns {
        let n_sums = column.n_sums();
        let columns = match column {
            Column::Number { .. } => numbers(
                &weights,
                rows.variance,
                &noised(first, HALF as f64),
                &noised(first + 1, LARGEST_SQUARE as f64),
            ),
            Column::Categories { .. } => {
                let counts: Vec<Noised> = (first..first + n_sums).map(|place| noised(place, 1.0)).collect();
                categories(&weights, &counts)
            }
        };
        for (class, column) in classes.iter_mut().zip(columns) {
            class.columns.push(column);
        }
        first += n_sums;
    }
    classes
}

/// Averages a value of a class, whose noise has the variance `noise`, with that of all classes, from which
/// classes differ by the variance `spread`.
fn drawn(own: f64, noise: f64, all: f64, spread: f64) -> f64 {
    if noise + spread > 0.0 { (own * spread + all * noise) / (noise + spread) } else { own }
}

/// Means and variances of a column of numbers, of which `sums` are those of the cells and `squares` those of
/// their squares.
fn numbers(weights: &[f64], of_weights: f64, sums: &Noised, squares: &Noised) -> Vec<ColumnEstimate> {
    let n: f64 = weights.iter().sum();
    let total = |noised: &Noised| noised.values.iter().sum::<f64>() / n;
    // The standard deviation of the noise in the mean square of all rows.
    let doubt = (squares.variance * weights.len() as f64).sqrt() / n;
    let mean_of_all = total(sums).clamp(-1.0, 1.0);
    let total_variance =
        (total(squares) - mean_of_all.powi(2)).clamp(doubt.min(1.0), 1.0).max(LEAST_VARIANCE);
    let means: Vec<(f64, f64)> = weights
        .iter()
        .zip(&sums.values)
        .map(|(n, sum)| {
            let own = (sum / n).clamp(-1.0, 1.0);
            let noise = (sums.variance + own * own * of_weights) / (n * n);
            let left = total_variance * noise / (total_variance + noise);
            (drawn(own, noise, mean_of_all, total_variance), left)
        })
        .collect();
    let between: f64 = weights.iter().zip(&means).map(|(n, (mean, _))| n * mean * mean).sum::<f64>() / n;
    let within = (total(squares) - between).clamp(doubt.min(total_variance), total_variance);
    let each = weights.iter().zip(&squares.values).zip(means);
    let estimates = each.map(|((n, squares_of_class), (mean, doubt_of_mean))| {
        let own = (squares_of_class / n - mean * mean).clamp(0.0, 1.0);
        let noise = (squares.variance + 4.0 * mean * mean * sums.variance) / (n * n);
        let variance = drawn(own, noise, within, within * within) + doubt_of_mean;
        ColumnEstimate::Number { mean, variance: variance.max(LEAST_VARIANCE) }
    });
    estimates.collect()
}

/// Counts of a column of categories, which add up to the weights of the classes or a little less.
fn categories(weights: &[f64], counts: &[Noised]) -> Vec<ColumnEstimate> {
    let of_all: Vec<f64> =
        counts.iter().map(|count| count.values.iter().sum::<f64>().max(LEAST_COUNT)).collect();
    let n: f64 = of_all.iter().sum();
    let of_class = |(class, &weight): (usize, &f64)| {
        let mut own: Vec<f64> = counts
            .iter()
            .zip(&of_all)
            .map(|(count, of_all)| {
                let p = of_all / n;
                let spread = weight * weight * p * (1.0 - p);
                drawn(count.values[class], count.variance, weight * p, spread).max(0.0)
            })
            .collect();
        let total: f64 = own.iter().sum();
        if total > 0.0 {
            for count in &mut own {
                *count = (*count * (weight / total) / STEP).floor() * STEP;
            }
        }
        ColumnEstimate::Categories(own)
    };
    weights.iter().enumerate().map(of_class).collect()
}

impl ClassEstimate {
    /// The sums of such a class: those of numbers first, as the blocks of the model are.
    pub(crate) fn into_parts<L>(self, label: L, columns: &[Column]) -> (L, Exact, Vec<ExactSums>) {
        let mut numbers = Vec::new();
        let mut categories = Vec::new();
        for (column, estimate) in columns.iter().zip(self.columns) {
            match (column, estimate) {
                (&Column::Number { low, high }, ColumnEstimate::Number { mean, variance }) => {
                    let half = (high - low) / 2.0;
                    numbers.push((low + half + half * mean, half * variance.sqrt()));
                }
                (_, ColumnEstimate::Categories(counts)) => categories.push(counts),
                (Column::Categories { .. }, ColumnEstimate::Number { .. }) => {}
            }
        }
        let mut parts = Vec::new();
        if !numbers.is_empty() {
            let (mut sums, mut squares) = (ExactSums::new(numbers.len()), ExactSums::new(numbers.len()));
            for (column, (mean, deviation)) in numbers.iter().enumerate() {
                // Two halves of the rows, a standard deviation to either side: exact at any offset.
                for value in [mean - deviation, mean + deviation] {
                    sums.add_weighted(column, self.weight / 2.0, value);
                    squares.add_weighted_square(column, self.weight / 2.0, value);
                }
            }
            parts.extend([sums, squares, ExactSums::new(numbers.len())]);
        }
        parts.extend(categories.iter().map(|counts| {
            let mut sums = ExactSums::new(counts.len());
            counts.iter().enumerate().for_each(|(code, &count)| sums.add(code, count));
            sums
        }));
        (label, Exact::from(self.weight), parts)
    }
}
