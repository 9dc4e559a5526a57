//! Moments: what the Gaussian sums say of a column.

use exact_sums::Exact;

use crate::model::{ClassSums, FamilyProblem, Observed, SumRule, remaining::remaining};

pub(crate) const SUM: usize = 0;
pub(crate) const SQUARES: usize = 1;
pub(crate) const MISSING: usize = 2;

/// What the sums of numbers and of their squares satisfy, in the layout of [`Gaussian`](crate::Gaussian).
pub(crate) fn rules() -> [SumRule; 2] {
    [
        SumRule::Events { part: MISSING, of: Observed::All },
        SumRule::Moments { sum: SUM, squares: SQUARES, of: Observed::Except(MISSING) },
    ]
}

/// Weight, sum and squared deviations of a column, in one class or over all: what every family that keeps the
/// sums of [`Gaussian`](crate::Gaussian) reads off them. All exact, but of sums with cells of sizes whose
/// squares no double holds, which [`has_wide`](crate::family::has_wide) tells;
/// [`WideMoments`](crate::family::WideMoments) are of any size.
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
        let weight = total(&|class| class.weight_without(MISSING, column));
        let sum = total(&|class| class.part(SUM).get(column));
        let squares = total(&|class| class.part(SQUARES).get(column));
        let deviation = remaining(&(&weight * &squares), &(&sum * &sum));
        Self { weight, sum, deviation }
    }

    /// Refuses moments from which nothing can be estimated.
    ///
    /// # Errors
    /// [`FamilyProblem`] if no cell was observed, the moments are impossible, or scaling has taken the weight
    /// so far from one that products of sums leave the range of doubles.
    pub fn check(&self) -> Result<(), FamilyProblem> {
        const LIMIT: f64 = (1_u128 << 100) as f64;
        let (weight, deviation) = (self.weight.to_f64(), self.deviation.to_f64());
        if self.weight.is_zero() {
            return Err(FamilyProblem::NoData);
        }
        if weight < 0.0 || deviation < 0.0 {
            return Err(FamilyProblem::Impossible { sum: weight.min(deviation) });
        }
        if !(1.0 / LIMIT..=LIMIT).contains(&weight) {
            return Err(FamilyProblem::WeightRange { weight });
        }
        Ok(())
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
