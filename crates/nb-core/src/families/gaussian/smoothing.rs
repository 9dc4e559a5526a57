//! Variance smoothing: what keeps variances away from zero.

use std::ops::Range;

use crate::families::gaussian::{
    Moments,
    quick::{Quick, QuickTotal},
};
use nb_simd::error_free::{two_prod, two_sum};

use exact_sums::{Exact, rounds_surely};

use crate::model::{ClassSums, FamilyProblem, LayoutError};

/// The variances that densities can be computed with: below, the reciprocal overflows; above, the exact
/// product with 2π does.
pub(crate) const USABLE_VARIANCES: std::ops::RangeInclusive<f64> = f64::MIN_POSITIVE..=1e280;

/// What keeps variances away from zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum VarianceSmoothing {
    /// A variance is at least this share of the column's own variance over all training rows. Free of units:
    /// changing the unit of one column changes no label. A column that is constant over all training rows
    /// carries no information and is left out of the scores.
    RelativeFloor(f64),
    /// scikit-learn's `var_smoothing`: this share of the largest column variance is added to every variance.
    /// One column in large units then blurs all the others.
    LargestVariance(f64),
    /// A variance is at least this number.
    AbsoluteFloor(f64),
    /// Nothing: a variance of exactly zero is an error.
    None,
}

impl Default for VarianceSmoothing {
    /// A relative floor of `1e-9`.
    fn default() -> Self {
        Self::RelativeFloor(1e-9)
    }
}

impl VarianceSmoothing {
    /// Refuses a share or floor that is out of range.
    ///
    /// # Errors
    /// [`LayoutError::Parameter`] unless it is from 0 to `1e60`.
    pub fn check(self) -> Result<(), LayoutError> {
        let (Self::RelativeFloor(value) | Self::LargestVariance(value) | Self::AbsoluteFloor(value)) = self
        else {
            return Ok(());
        };
        if (0.0..=1e60).contains(&value) {
            return Ok(());
        }
        Err(LayoutError::Parameter { name: "variance smoothing", value, must_be: "from 0 to 1e60" })
    }

    /// How the variances of all columns are smoothed, as far as that does not depend on the column; `totals`
    /// gives what quick moments say of all of them.
    pub(crate) fn quick_floors(
        self,
        classes: &[ClassSums<'_>],
        totals: impl FnOnce() -> Vec<QuickTotal>,
    ) -> QuickFloors {
        match self {
            Self::RelativeFloor(share) if share > 0.0 => QuickFloors::Relative { share },
            Self::RelativeFloor(_) | Self::None => QuickFloors::Same(VarianceFloor::AtLeast(0.0)),
            Self::AbsoluteFloor(floor) => QuickFloors::Same(VarianceFloor::AtLeast(floor)),
            Self::LargestVariance(share) => {
                let totals = totals();
                let least = totals.iter().map(|total| total.least).fold(0.0, f64::max);
                // Only these columns can have the largest variance.
                let candidates = (0..totals.len()).filter(|&column| totals[column].most >= least);
                let variances = candidates.map(|column| Moments::of_all(classes, column).variance());
                QuickFloors::Same(addition(share, variances))
            }
        }
    }

    /// What to do to the variances of each column, given the sums of all classes.
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn floors(self, classes: &[ClassSums<'_>], n_columns: usize) -> Vec<VarianceFloor> {
        let variances = || (0..n_columns).map(|column| Moments::of_all(classes, column).variance());
        match self {
            Self::RelativeFloor(share) if share > 0.0 => {
                variances().map(|(variance, _)| relative_floor(share, variance)).collect()
            }
            Self::LargestVariance(share) => vec![addition(share, variances()); n_columns],
            Self::AbsoluteFloor(floor) => vec![VarianceFloor::AtLeast(floor); n_columns],
            Self::RelativeFloor(_) | Self::None => vec![VarianceFloor::AtLeast(0.0); n_columns],
        }
    }
}

/// What [`VarianceSmoothing::floors`] gives, without exact arithmetic where quick moments show that a floor
/// does not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuickFloors {
    /// The same for all columns.
    Same(VarianceFloor),
    /// A share of each column's own variance over all rows.
    Relative { share: f64 },
}

impl QuickFloors {
    /// Those of some columns; `totals` gives what quick moments say of them. A floor that does not matter is
    /// some floor below all variances.
    pub(crate) fn of_columns(
        self,
        classes: &[ClassSums<'_>],
        columns: Range<usize>,
        totals: impl FnOnce() -> Vec<QuickTotal>,
    ) -> Vec<VarianceFloor> {
        match self {
            Self::Same(floor) => vec![floor; columns.len()],
            Self::Relative { share } => {
                let floor = |(total, column): (QuickTotal, usize)| {
                    if total.least_of_class > share * total.most {
                        return VarianceFloor::AtLeast(0.0);
                    }
                    relative_floor(share, Moments::of_all(classes, column).variance().0)
                };
                totals().into_iter().zip(columns).map(floor).collect()
            }
        }
    }
}

/// The floor of a column with this variance over all rows.
fn relative_floor(share: f64, variance: f64) -> VarianceFloor {
    if variance == 0.0 { VarianceFloor::Uninformative } else { VarianceFloor::AtLeast(share * variance) }
}

/// What is added to all variances where these are those of the columns.
fn addition(share: f64, variances: impl Iterator<Item = (f64, f64)>) -> VarianceFloor {
    let (high, low) = variances.fold((0.0, 0.0), |most, this| if this > most { this } else { most });
    let (product, error) = two_prod(share, high);
    VarianceFloor::Plus(product, error + share * low)
}

/// What smoothing does to the variances of one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VarianceFloor {
    /// The column is constant over all rows: leave it out of the scores.
    Uninformative,
    /// A variance is at least this.
    AtLeast(f64),
    /// This is added to a variance; two doubles, the second the rounding error of the first.
    Plus(f64, f64),
}

impl VarianceFloor {
    /// What [`apply`](Self::apply) gives for the variance, if that is certain and there is nothing to refuse.
    pub(crate) fn apply_quickly(self, quick: &Quick) -> Option<f64> {
        let (high, low) = quick.variance;
        let (variance, certain) = match self {
            Self::Uninformative => return None,
            Self::AtLeast(floor) => (high.max(floor), true),
            Self::Plus(plus, rest) => {
                let (sum, error) = two_sum(high, plus);
                let sum = two_sum(sum, error + (low + rest));
                (sum.0, rounds_surely(sum))
            }
        };
        (quick.certain && certain && USABLE_VARIANCES.contains(&variance)).then_some(variance)
    }

    /// A variance, given as two doubles, after smoothing; `None` if the column is left out.
    ///
    /// # Errors
    /// [`FamilyProblem`] if the variance is zero, or so small or large that densities cannot be computed with
    /// it.
    pub fn apply(self, (high, low): (f64, f64)) -> Result<Option<f64>, FamilyProblem> {
        let variance = match self {
            Self::Uninformative => return Ok(None),
            Self::AtLeast(floor) => high.max(floor),
            Self::Plus(plus, rest) => Exact::sum([high, low, plus, rest]).to_f64(),
        };
        match variance {
            0.0 => Err(FamilyProblem::ZeroVariance),
            _ if USABLE_VARIANCES.contains(&variance) => Ok(Some(variance)),
            _ => Err(FamilyProblem::VarianceRange { variance }),
        }
    }
}
