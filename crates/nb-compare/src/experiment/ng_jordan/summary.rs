//! Means over the splits, and what they say about the paper's two claims.

use serde::{Deserialize, Serialize};

use super::{
    crossing::Crossing,
    curve::{Layout, Wrong},
    problem::{Inputs, Problem},
    sensitivity::{Setting, numbers},
};
use crate::plan::generator;

/// The 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// How near a curve has come to its end: an error within so much of that at the largest size.
pub const NEAR: f64 = 0.02;

/// A mean over splits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error over random splits of these rows. It says nothing of other rows.
    pub standard_error: f64,
}

/// Mean errors at one size of the training set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The number of training rows `m`.
    pub size: usize,
    /// The number of splits whose training rows are of both classes; the others are left out.
    pub splits: usize,
    /// The test error of naive Bayes.
    pub naive_bayes: Mean,
    /// The test error of logistic regression.
    pub logistic: Mean,
    /// The error of naive Bayes minus that of logistic regression on the same split.
    pub difference: Mean,
}

/// Who is ahead where. Ahead means that zero is outside of the 95 % interval of the mean difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Naive Bayes is ahead at some size, logistic regression at the largest.
    Overtaken,
    /// Naive Bayes is ahead at some size; at the largest neither is.
    CaughtUp,
    /// Naive Bayes is ahead at the largest size.
    NotCaughtUp,
    /// Naive Bayes is significantly ahead at no size.
    NeverAhead,
}

/// What came of one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The problem, as the paper calls it.
    pub problem: String,
    /// What its inputs are.
    pub inputs: Inputs,
    /// The number of rows.
    pub n_rows: usize,
    /// The number of inputs `n`.
    pub n_columns: usize,
    /// The number of rows tested in each split.
    pub n_test: usize,
    /// The learning curves, by ascending size.
    pub points: Vec<Point>,
    /// Where they cross.
    pub crossing: Crossing,
    /// Who is ahead where.
    pub pattern: Pattern,
    /// The smallest sizes from which on the errors of naive Bayes and of logistic regression stay within
    /// [`NEAR`] of their errors at the largest size.
    pub near: [usize; 2],
    /// The same with fewer splits, then with other penalties.
    pub sensitivity: Vec<Setting>,
}

impl Mean {
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, standard_error: (squares / (n - 1.0) / n).sqrt() }
    }

    /// The 95 % interval, by the normal distribution.
    pub fn interval(&self) -> [f64; 2] {
        [-1.0, 1.0].map(|side: f64| self.mean + side * NORMAL_QUANTILE * self.standard_error)
    }
}

impl Point {
    /// Minus one if naive Bayes is ahead, one if logistic regression is, zero if the interval says neither.
    fn ahead(&self) -> i8 {
        let [low, high] = self.difference.interval();
        i8::from(low > 0.0) - i8::from(high < 0.0)
    }
}

impl Curve {
    /// Sums up the splits of a problem. Sizes for which fewer than two splits have both classes are left out.
    /// Of other penalties there are some of the splits each.
    pub(super) fn new(
        problem: &Problem,
        layout: &Layout,
        splits: &[Wrong],
        (l2, others): (f64, &[(f64, Vec<Wrong>)]),
        seed: u64,
    ) -> Option<Self> {
        let points = points(&layout.sizes, layout.n_test, splits);
        let sizes: Vec<usize> = points.iter().map(|point| point.size).collect();
        let n_test = layout.n_test as f64;
        let difference =
            |[naive_bayes, logistic]: [u32; 2]| (f64::from(naive_bayes) - f64::from(logistic)) / n_test;
        let used: Vec<usize> =
            (0..layout.sizes.len()).filter(|&at| sizes.contains(&layout.sizes[at])).collect();
        let differences: Vec<Vec<Option<f64>>> =
            splits.iter().map(|wrong| used.iter().map(|&at| wrong[at].map(difference)).collect()).collect();
        let mut random = generator(seed, problem.source.name, splits.len());
        let fewer = numbers(splits.len()).into_iter().map(|number| (l2, &splits[..number]));
        let others = others.iter().map(|(l2, splits)| (*l2, splits.as_slice()));
        let setting = |(l2, splits)| Setting::new(l2, &layout.sizes, layout.n_test, splits);
        Some(Self {
            problem: problem.source.name.to_owned(),
            inputs: problem.source.inputs,
            n_rows: problem.labels.len(),
            n_columns: problem.x.ncols(),
            n_test: layout.n_test,
            crossing: Crossing::new(&sizes, &differences, &mut random),
            pattern: Pattern::of(&points)?,
            near: [near(&points, |point| point.naive_bayes)?, near(&points, |point| point.logistic)?],
            sensitivity: fewer.chain(others).filter_map(setting).collect(),
            points,
        })
    }
}

/// Means at the sizes at which two splits or more have both classes.
pub(super) fn points(sizes: &[usize], n_test: usize, splits: &[Wrong]) -> Vec<Point> {
    let point = |(at, &size): (usize, &usize)| {
        let errors = |wrong: [u32; 2]| wrong.map(|wrong| f64::from(wrong) / n_test as f64);
        let found: Vec<[f64; 2]> = splits.iter().filter_map(|wrong| wrong[at].map(errors)).collect();
        let mean = |value: fn(&[f64; 2]) -> f64| Mean::of(&found.iter().map(value).collect::<Vec<_>>());
        (found.len() >= 2).then(|| Point {
            size,
            splits: found.len(),
            naive_bayes: mean(|errors| errors[0]),
            logistic: mean(|errors| errors[1]),
            difference: mean(|errors| errors[0] - errors[1]),
        })
    };
    sizes.iter().enumerate().filter_map(point).collect()
}

impl Pattern {
    pub(super) fn of(points: &[Point]) -> Option<Self> {
        let last = points.last()?.ahead();
        let was_ahead = points.iter().any(|point| point.ahead() < 0);
        Some(match (was_ahead, last) {
            (_, ..0) => Self::NotCaughtUp,
            (true, 0) => Self::CaughtUp,
            (true, _) => Self::Overtaken,
            (false, _) => Self::NeverAhead,
        })
    }
}

/// The smallest size from which on all errors are near the last.
fn near(points: &[Point], error: fn(&Point) -> Mean) -> Option<usize> {
    let last = error(points.last()?).mean;
    let is_far = |point: &Point| (error(point).mean - last).abs() > NEAR;
    let first = points.iter().rposition(is_far).map_or(0, |far| far + 1);
    points.get(first).map(|point| point.size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(differences: &[f64]) -> Vec<Point> {
        let mean = |mean| Mean { mean, standard_error: 0.01 };
        let point = |(position, &difference): (usize, &f64)| Point {
            size: 2 << position,
            splits: 10,
            naive_bayes: mean(0.3 + difference),
            logistic: mean(0.3),
            difference: mean(difference),
        };
        differences.iter().enumerate().map(point).collect()
    }

    #[test]
    fn a_mean_has_the_textbook_standard_error() {
        // numpy 2: x = [0.1, 0.2, 0.4]; x.mean(), x.std(ddof=1) / sqrt(3)
        let mean = Mean::of(&[0.1, 0.2, 0.4]);
        assert!((mean.mean - 0.233_333_333_333_333_34).abs() < 1e-15);
        assert!((mean.standard_error - 0.088_191_710_368_819_68).abs() < 1e-15);
    }

    #[test]
    fn patterns() {
        let pattern = |differences: &[f64]| Pattern::of(&points(differences));
        assert_eq!(pattern(&[-0.1, 0.0, 0.1]), Some(Pattern::Overtaken));
        assert_eq!(pattern(&[-0.1, 0.0, 0.01]), Some(Pattern::CaughtUp));
        assert_eq!(pattern(&[0.1, -0.1]), Some(Pattern::NotCaughtUp));
        assert_eq!(pattern(&[0.1, -0.01]), Some(Pattern::NeverAhead));
        assert_eq!(pattern(&[]), None);
    }

    #[test]
    fn a_curve_is_near_its_end_from_where_it_stays_there() {
        let points = points(&[0.01, 0.1, 0.015, 0.0]);
        assert_eq!(near(&points, |point| point.naive_bayes), Some(8));
        assert_eq!(near(&points, |point| point.logistic), Some(2));
    }
}
