//! Moments: what the Gaussian sums say of a column.

use crate::{ClassSums, Exact};

pub(super) const SUM: usize = 0;
pub(super) const SQUARES: usize = 1;
pub(super) const MISSING: usize = 2;

/// Weight, sum and squared deviations of a column, in one class or over all: what every family that keeps the sums of
/// [`Gaussian`](crate::Gaussian) reads off them. All exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// The weight `n` of the observed cells.
    pub weight: Exact,
    /// `Σ w x`.
    pub sum: Exact,
    /// `n Σ w x² - (Σ w x)²`, which is `n` times the sum of squared deviations from the mean.
    pub deviation: Exact,
}

impl Moments {
    /// The moments of a column in one class.
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn of_class(class: &ClassSums<'_>, column: usize) -> Self {
        Self::of_all(std::slice::from_ref(class), column)
    }

    /// The moments of a column over all classes together.
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn of_all(classes: &[ClassSums<'_>], column: usize) -> Self {
        let total = |part: &dyn Fn(&ClassSums<'_>) -> Exact| {
            classes.iter().fold(Exact::ZERO, |total, class| &total + &part(class))
        };
        let weight = total(&|class| class.weight() - &class.part(MISSING).get(column));
        let sum = total(&|class| class.part(SUM).get(column));
        let squares = total(&|class| class.part(SQUARES).get(column));
        let deviation = &(&weight * &squares) - &(&sum * &sum);
        Self { weight, sum, deviation }
    }

    /// The mean, as two doubles. The weight must not be zero.
    pub fn mean(&self) -> (f64, f64) {
        self.sum.divided_by(&self.weight)
    }

    /// The maximum-likelihood variance, as two doubles; zero without any weight.
    pub fn variance(&self) -> (f64, f64) {
        if self.weight.is_zero() {
            (0.0, 0.0)
        } else {
            self.deviation.divided_by(&(&self.weight * &self.weight))
        }
    }
}
