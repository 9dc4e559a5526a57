//! Three ways to leave log space, or to half leave it.

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};

use super::{
    Parameters,
    density::{density, r_dnorm},
};

/// How densities become posteriors, wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum WrongRule {
    /// Densities are multiplied as they are. With some hundred columns, or in small units, the products of
    /// all classes are zero or infinite, and zero by zero is no posterior.
    Product,
    /// The rule of klaR's `NaiveBayes` (version 1.7-3, with its default threshold): a density that underflows
    /// to zero is replaced by the threshold, which is far *more* than most densities in the tails; and
    /// joint likelihoods leave log space before they are normalised, so that they all may be zero.
    Klar {
        /// What stands in the place of a density of zero; klaR's default is 0.001.
        threshold: f64,
    },
    /// A small number is added to each density before its logarithm is taken. A density has a unit, the
    /// inverse of its column's, and a number without one that is added to it decides wherever densities
    /// are smaller.
    Epsilon {
        /// The number.
        epsilon: f64,
    },
}

impl WrongRule {
    /// klaR's rule with its default.
    pub const KLAR: Self = Self::Klar { threshold: 0.001 };

    /// The three rules with their usual numbers.
    pub const ALL: [Self; 3] = [Self::Product, Self::KLAR, Self::Epsilon { epsilon: 1e-9 }];

    /// The name in tables, which says that it is wrong.
    pub fn name(&self) -> String {
        match self {
            Self::Product => "wrong: product of densities".to_owned(),
            Self::Klar { threshold } => format!("wrong: klaR's threshold {threshold}"),
            Self::Epsilon { epsilon } => format!("wrong: log(density + {epsilon:e})"),
        }
    }

    /// What the rule takes for the posteriors of the classes; NaN where it divides zero by zero or infinity
    /// by infinity.
    pub(crate) fn posteriors(&self, parameters: &Parameters, row: &ArrayView1<'_, f64>) -> Vec<f64> {
        let classes = || parameters.priors.iter().enumerate();
        let joint: Vec<f64> = match *self {
            Self::Product => classes()
                .map(|(class, prior)| prior * parameters.cells(row, class).map(density).product::<f64>())
                .collect(),
            Self::Klar { threshold } => classes()
                .map(|(class, prior)| {
                    let log = |density: f64| libm::log(if density == 0.0 { threshold } else { density });
                    let logs = parameters.cells(row, class).map(|cell| log(r_dnorm(cell)));
                    libm::exp(libm::log(*prior) + logs.sum::<f64>())
                })
                .collect(),
            Self::Epsilon { epsilon } => {
                let log_joint = classes().map(|(class, prior)| {
                    let logs = parameters.cells(row, class).map(|cell| libm::log(density(cell) + epsilon));
                    libm::log(*prior) + logs.sum::<f64>()
                });
                let log_joint: Vec<f64> = log_joint.collect();
                let most = log_joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                log_joint.into_iter().map(|joint| libm::exp(joint - most)).collect()
            }
        };
        let total: f64 = joint.iter().sum();
        joint.iter().map(|joint| joint / total).collect()
    }
}
