//! One column, two classes, and a value that moves away from both.

use ndarray::array;
use serde::{Deserialize, Serialize};

use super::{Parameters, RULES};

/// What the rules say of one value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinePoint {
    /// The value.
    pub x: f64,
    /// The posterior of the second class for each rule; none where a rule divides zero by zero.
    pub posteriors: Vec<Option<f64>>,
}

/// Values from 0 to 60, between classes `N(0, 1)` and `N(15, 1)`. From 7.5 on the second is the likelier, by
/// more and more.
pub(super) fn points() -> Vec<LinePoint> {
    let parameters =
        Parameters { priors: vec![0.5; 2], means: array![[0.0], [15.0]], deviations: array![[1.0], [1.0]] };
    let point = |quarter: u32| {
        let x = f64::from(quarter) / 4.0;
        let posteriors = RULES.iter().map(|rule| rule.posterior(&parameters, &array![x].view()));
        LinePoint { x, posteriors: posteriors.map(|value| (!value.is_nan()).then_some(value)).collect() }
    };
    (0..=240).map(point).collect()
}
