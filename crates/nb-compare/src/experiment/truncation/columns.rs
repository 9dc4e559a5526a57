//! Normal columns, many of them or in other units, with classes at a fixed distance.

use libm::sqrt;
use ndarray::{Array1, Array2};
use rand::RngExt;
use rand_distr::StandardNormal;
use serde::{Deserialize, Serialize};

use super::{Parameters, RULES};
use crate::plan::generator;

/// The distance of the means of the classes, in standard deviations along the line through both.
const DISTANCE: f64 = 2.0;

/// Errors of the rules at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RulePoint {
    /// The number of columns, or the power of ten of the unit.
    pub at: f64,
    /// The share of the rows that each rule gives the wrong class or no answer.
    pub errors: Vec<f64>,
    /// The share of the rows that each rule has no answer for.
    pub unanswered: Vec<f64>,
}

/// The error of the best rule: half the distance is `Φ(-Δ/2)` away from the boundary.
pub(super) fn bayes_error() -> f64 {
    0.5 * libm::erfc(DISTANCE / 2.0 * std::f64::consts::FRAC_1_SQRT_2)
}

/// Answers rows of both classes in turn. In every column the means of the classes are `Δ / √d` standard
/// deviations apart, so that the distance `Δ` is that of one column.
pub(super) fn point(n_columns: usize, at: f64, unit: f64, rows: usize, seed: u64) -> RulePoint {
    let shift = DISTANCE / sqrt(n_columns as f64);
    let parameters = Parameters {
        priors: vec![0.5; 2],
        means: Array2::from_shape_fn((2, n_columns), |(class, _)| unit * shift * class as f64),
        deviations: Array2::from_elem((2, n_columns), unit),
    };
    // The same rows in all units.
    let mut random = generator(seed, "normal columns", n_columns);
    let (mut wrong, mut unanswered) = ([0_usize; RULES.len()], [0_usize; RULES.len()]);
    for number in 0..rows {
        let class = number % 2;
        let row: Array1<f64> = (0..n_columns)
            .map(|_| {
                let value: f64 = random.sample(StandardNormal);
                unit * (value + shift * class as f64)
            })
            .collect();
        for (rule, (wrong, unanswered)) in RULES.iter().zip(wrong.iter_mut().zip(&mut unanswered)) {
            let posterior = rule.posterior(&parameters, &row.view());
            *unanswered += usize::from(posterior.is_nan());
            // A tie goes to the first class.
            *wrong += usize::from(posterior.is_nan() || (posterior > 0.5) != (class == 1));
        }
    }
    let shares = |counts: [usize; RULES.len()]| counts.map(|count| count as f64 / rows as f64).to_vec();
    RulePoint { at, errors: shares(wrong), unanswered: shares(unanswered) }
}
