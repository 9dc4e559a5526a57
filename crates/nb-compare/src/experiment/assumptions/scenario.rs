//! Distributions of two columns in two classes, whose rules and errors are known exactly.

use libm::{erfc, exp, sqrt};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

/// A normal distribution of two columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normal {
    mean: [f64; 2],
    /// The variances of the columns.
    variances: [f64; 2],
    /// The correlation of the columns.
    correlation: f64,
}

/// Two classes of the same prior. A class is an even mixture of normal distributions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// Which assumption holds or does not.
    pub(super) assumption: &'static str,
    pub(super) classes: [&'static [Normal]; 2],
}

const fn normal(mean: [f64; 2], variances: [f64; 2], correlation: f64) -> Normal {
    Normal { mean, variances, correlation }
}

/// The scenarios. The means of the classes differ by `(1.2, 2)` in all but the last.
pub(super) const SCENARIOS: [Scenario; 4] = [
    Scenario {
        name: "all assumptions hold",
        assumption: "normal, independent columns with variances common to both classes",
        classes: [&[normal([0.0, 0.0], [1.0, 4.0], 0.0)], &[normal([1.2, 2.0], [1.0, 4.0], 0.0)]],
    },
    Scenario {
        name: "variances differ",
        assumption: "normal and independent, but the variances of the classes differ",
        classes: [&[normal([0.0, 0.0], [0.25, 2.0], 0.0)], &[normal([1.2, 2.0], [3.0, 8.0], 0.0)]],
    },
    Scenario {
        name: "columns are correlated",
        assumption: "normal with common variances, but the columns have the correlation 0.7 within each class",
        classes: [&[normal([0.0, 0.0], [1.0, 4.0], 0.7)], &[normal([1.2, 2.0], [1.0, 4.0], 0.7)]],
    },
    Scenario {
        name: "not normal",
        assumption: "independent with common variances, but a quarter of the rows of each class lie far out in the first \
                     column, on the side away from the other class",
        classes: [
            &[
                normal([-6.0, 0.0], [0.5, 4.0], 0.0),
                normal([0.0, 0.0], [0.5, 4.0], 0.0),
                normal([0.0, 0.0], [0.5, 4.0], 0.0),
                normal([0.0, 0.0], [0.5, 4.0], 0.0),
            ],
            &[
                normal([1.5, 2.0], [0.5, 4.0], 0.0),
                normal([1.5, 2.0], [0.5, 4.0], 0.0),
                normal([1.5, 2.0], [0.5, 4.0], 0.0),
                normal([7.5, 2.0], [0.5, 4.0], 0.0),
            ],
        ],
    },
];

impl Normal {
    fn sample(&self, random: &mut impl Rng) -> [f64; 2] {
        let [first, second]: [f64; 2] = [random.sample(StandardNormal), random.sample(StandardNormal)];
        let other = self.correlation * first + sqrt(1.0 - self.correlation * self.correlation) * second;
        [self.mean[0] + sqrt(self.variances[0]) * first, self.mean[1] + sqrt(self.variances[1]) * other]
    }

    fn density(&self, x: [f64; 2]) -> f64 {
        let [first, second] =
            [0, 1].map(|column| (x[column] - self.mean[column]) / sqrt(self.variances[column]));
        let rest = 1.0 - self.correlation * self.correlation;
        let square = (first * first - 2.0 * self.correlation * first * second + second * second) / rest;
        exp(-square / 2.0) / (std::f64::consts::TAU * sqrt(rest * self.variances[0] * self.variances[1]))
    }

    /// The probability that `w · x + b` is positive: the score is normal.
    fn positive(&self, [first, second, intercept]: [f64; 3]) -> f64 {
        let mean = first * self.mean[0] + second * self.mean[1] + intercept;
        let covariance = self.correlation * sqrt(self.variances[0] * self.variances[1]);
        let variance = first * first * self.variances[0]
            + 2.0 * first * second * covariance
            + second * second * self.variances[1];
        if variance > 0.0 { phi(mean / sqrt(variance)) } else { f64::from(u8::from(mean > 0.0)) }
    }
}

/// The standard normal distribution function.
pub(super) fn phi(x: f64) -> f64 {
    0.5 * erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

impl Scenario {
    /// A row of a class.
    pub(super) fn sample(&self, class: usize, random: &mut impl Rng) -> [f64; 2] {
        let parts = self.classes[class];
        parts[random.random_range(0..parts.len())].sample(random)
    }

    /// The density of a class.
    pub(super) fn density(&self, class: usize, x: [f64; 2]) -> f64 {
        let parts = self.classes[class];
        parts.iter().map(|part| part.density(x)).sum::<f64>() / parts.len() as f64
    }

    /// Mean and variance of a column in a class.
    pub(super) fn moments(&self, class: usize, column: usize) -> (f64, f64) {
        let parts = self.classes[class];
        let n = parts.len() as f64;
        let mean = parts.iter().map(|part| part.mean[column]).sum::<f64>() / n;
        let spread = |part: &Normal| part.variances[column] + (part.mean[column] - mean).powi(2);
        (mean, parts.iter().map(spread).sum::<f64>() / n)
    }

    /// The probability that the linear rule `w · x + b > 0` for the second class is wrong, exactly.
    pub(super) fn error(&self, rule: [f64; 3]) -> f64 {
        let positive = |class: usize| {
            let parts = self.classes[class];
            parts.iter().map(|part| part.positive(rule)).sum::<f64>() / parts.len() as f64
        };
        f64::midpoint(positive(0), 1.0 - positive(1))
    }

    /// The error of the best rule of any kind, half the integral of the smaller density, by the midpoint
    /// rule.
    pub(super) fn bayes_error(&self) -> f64 {
        self.grid(801).map(|(x, area)| 0.5 * area * self.density(0, x).min(self.density(1, x))).sum()
    }

    /// The midpoints of a grid with this many cells along each side, and the area of a cell. It covers eight
    /// standard deviations on either side of all means.
    pub(super) fn grid(&self, n: usize) -> impl Iterator<Item = ([f64; 2], f64)> {
        let range = [0, 1].map(|column| {
            let parts = || self.classes.into_iter().flatten();
            let reach = |part: &Normal| 8.0 * sqrt(part.variances[column]);
            let low = parts().map(|part| part.mean[column] - reach(part)).fold(f64::INFINITY, f64::min);
            let high = parts().map(|part| part.mean[column] + reach(part)).fold(f64::NEG_INFINITY, f64::max);
            (low, (high - low) / n as f64)
        });
        let at = move |column: usize, cell: usize| range[column].0 + (cell as f64 + 0.5) * range[column].1;
        let area = range[0].1 * range[1].1;
        (0..n * n).map(move |cell| ([at(0, cell / n), at(1, cell % n)], area))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::generator;

    #[test]
    fn densities_integrate_to_one_and_errors_are_those_of_the_samples() {
        for scenario in &SCENARIOS {
            let rule = [0.7, 0.4, -0.9];
            let mut random = generator(3, scenario.name, 0);
            let mut wrong = 0;
            for class in [0, 1] {
                let whole: f64 = scenario.grid(201).map(|(x, area)| area * scenario.density(class, x)).sum();
                assert!((whole - 1.0).abs() < 1e-9, "{}: {whole}", scenario.name);
                for _ in 0..20_000 {
                    let x = scenario.sample(class, &mut random);
                    wrong += usize::from((rule[0] * x[0] + rule[1] * x[1] + rule[2] > 0.0) != (class == 1));
                }
            }
            let error = scenario.error(rule);
            let deviation = sqrt(error * (1.0 - error) / 40_000.0);
            assert!((wrong as f64 / 40_000.0 - error).abs() < 4.0 * deviation, "{}", scenario.name);
        }
    }

    #[test]
    fn the_best_error_is_known_where_covariances_are_common() {
        // scipy 1.17.1: norm.cdf(-sqrt(d @ inv(S) @ d) / 2), d = (1.2, 2), S = [[1, 4 r / 2], [2 r, 4]], r =
        // 0 and 0.7.
        for (at, expected) in [(0, 0.217_393_905_071_109_17), (2, 0.270_809_051_029_127)] {
            let found = SCENARIOS[at].bayes_error();
            assert!((found - expected).abs() < 2e-5, "{found}");
        }
    }
}
