//! The scale on which values are transformed.

use nb_core::{
    Missing,
    error::{LayoutError, ValueProblem},
};

use super::Transform;
use crate::observable::real;

/// What a value is shifted and divided by before it is transformed: `(x - center) / scale`. A power of Yeo
/// and Johnson depends on the unit and the offset of a column, and so does whether it is of any use; on a
/// standardised column it does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// What is taken off, in the unit of the column.
    pub center: f64,
    /// What it is then divided by, above 0, in the unit of the column.
    pub scale: f64,
}

/// The values as they are.
impl Default for Units {
    fn default() -> Self {
        Self { center: 0.0, scale: 1.0 }
    }
}

impl Units {
    /// Mean and standard deviation, over all rows; of equal values the distance is 1.
    pub(super) fn standard(values: &[f64]) -> Self {
        let n = values.len().max(1) as f64;
        let center = values.iter().map(|value| value / n).sum::<f64>();
        let largest = values.iter().map(|value| (value - center).abs()).fold(0.0, f64::max);
        if values.iter().all(|value| *value == values[0]) {
            return Self { center: values.first().copied().unwrap_or(0.0), scale: 1.0 };
        }
        // Divided by the largest, no square overflows.
        let squares: f64 = values.iter().map(|value| ((value - center) / largest).powi(2)).sum();
        Self { center: center + 0.0, scale: libm::sqrt(squares / n) * largest }
    }

    /// The geometric mean of positive values, as Box and Cox (1964), equation 8, scale theirs.
    pub(super) fn geometric(values: &[f64]) -> Self {
        let n = values.len().max(1) as f64;
        Self { center: 0.0, scale: libm::exp(values.iter().map(|&value| libm::log(value) / n).sum()) }
    }

    fn apply(self, value: f64) -> f64 {
        (value - self.center) / self.scale
    }

    pub(super) fn check(self) -> Result<(), LayoutError> {
        let numbers = [
            ("the center of a transform", self.center, self.center.is_finite(), "a finite number"),
            ("the scale of a transform", self.scale, self.scale > 0.0 && self.scale.is_finite(), "above 0"),
        ];
        match numbers.into_iter().find(|(_, _, is_valid, _)| !is_valid) {
            Some((name, value, _, must_be)) => Err(LayoutError::Parameter { name, value, must_be }),
            None => Ok(()),
        }
    }
}

/// A column as it is transformed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) transform: Transform,
    pub(super) units: Units,
}

impl Curve {
    pub(super) fn apply(self, value: f64) -> f64 {
        self.transform.apply(self.units.apply(value))
    }

    pub(super) fn invert(self, transformed: f64) -> f64 {
        self.transform.invert(transformed) * self.units.scale + self.units.center
    }

    /// The logarithm of the slope.
    pub(super) fn log_derivative(self, value: f64) -> f64 {
        self.transform.log_derivative(self.units.apply(value)) - libm::log(self.units.scale)
    }

    /// What keeps a value from being transformed to a number of which there are exact moments, if anything.
    pub(super) fn problem(self, value: f64, missing: Missing) -> Option<ValueProblem> {
        real(value, missing).or_else(|| self.transform.problem(self.units.apply(value), missing))
    }

    /// What tells this curve from others in the name of a layout.
    pub(super) fn name(self) -> String {
        let Units { center, scale } = self.units;
        let name = self.transform.name();
        if self.units == Units::default() {
            name
        } else {
            format!("{name} of (x - {:e}) / {scale:e}", center + 0.0)
        }
    }
}
