//! A straight line beside the bins of a column.

use nb_core::error::LayoutError;

/// A number per class times the value of a cell, which is held within limits.
///
/// `per_unit[c] · (min(max(x, low), high) - center)` is added to the score of class `c`, and nothing for a
/// missing cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Values below it count as this.
    pub low: f64,
    /// Values above it count as this.
    pub high: f64,
    /// Where nothing is added.
    pub center: f64,
    /// One per class.
    pub per_unit: Vec<f64>,
}

impl Line {
    /// What is multiplied for a value that is not missing.
    ///
    /// ```
    /// # use nb_discriminative::Line;
    /// let line = Line { low: 0.0, high: 10.0, center: 4.0, per_unit: vec![0.0, 1.5] };
    /// assert_eq!([6.0, 99.0, -5.0].map(|value| line.distance(value)), [2.0, 6.0, -4.0]);
    /// ```
    pub fn distance(&self, value: f64) -> f64 {
        value.max(self.low).min(self.high) - self.center
    }

    /// The same for classes in another order, all times a factor.
    pub(super) fn mapped(&self, map: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        Self { per_unit: map(&self.per_unit), ..*self }
    }

    pub(super) fn check(&self, n_classes: usize) -> Result<(), LayoutError> {
        let parameter = |name, value: f64, must_be| Err(LayoutError::Parameter { name, value, must_be });
        if self.per_unit.len() != n_classes {
            return parameter("the number of slopes", self.per_unit.len() as f64, "that of the classes");
        }
        let numbers = [self.low, self.high, self.center];
        if let Some(&value) = self.per_unit.iter().chain(&numbers).find(|value| !value.is_finite()) {
            return parameter("a number of a line", value, "finite");
        }
        if self.low > self.high {
            return parameter("the lower limit of a line", self.low, "at most the upper one");
        }
        Ok(())
    }
}
