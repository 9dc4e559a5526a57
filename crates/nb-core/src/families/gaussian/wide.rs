//! Columns of any size: moments whose squares no double holds, and densities in units of a power of two.
//!
//! # Idea
//! A column whose standard deviation is far from one is scored in units of a power of two near it: `x 2^k`
//! has a variance that is a double with all its digits, and `log p(x) = log p(x 2^k) + k ln 2`. Multiplying
//! by a power of two is exact, so that only the exponents differ from what other columns have. What is summed
//! of such columns is in the [wide](exact_sums::ExactSums::add_wide) terms of their sums; columns without any
//! go the usual way.

use exact_sums::{Dyadic, ExactSums};
use ndarray::{Array2, ArrayView2};

use crate::{
    families::gaussian::{
        FittedGaussian, VarianceEstimator, VarianceSmoothing, moments, smoothing::USABLE_VARIANCES,
    },
    model::{ClassSums, FamilyError, FamilyProblem, Missing, remaining::remaining},
};

/// [`Moments`](super::Moments) of any size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WideMoments {
    /// The weight `n` of the observed cells.
    pub weight: Dyadic,
    /// `Σ w x`.
    pub sum: Dyadic,
    /// `Σ w x²`.
    pub squares: Dyadic,
}

impl WideMoments {
    /// The moments of a column in one class.
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn of_class(class: &ClassSums<'_>, column: usize) -> Self {
        let [sum, squares, missing] = [moments::SUM, moments::SQUARES, moments::MISSING]
            .map(|part| class.part(part).get_dyadic(column));
        Self { weight: remaining(&Dyadic::from(class.weight()), &missing), sum, squares }
    }

    /// The moments of a column over all classes together.
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn of_all(classes: &[ClassSums<'_>], column: usize) -> Self {
        let all = classes.iter().map(|class| Self::of_class(class, column));
        all.fold(Self::default(), |total, class| Self {
            weight: &total.weight + &class.weight,
            sum: &total.sum + &class.sum,
            squares: &total.squares + &class.squares,
        })
    }

    /// `n Σ w x² - (Σ w x)²`, which is `n` times the sum of squared deviations from the mean.
    #[must_use]
    pub fn deviation(&self) -> Dyadic {
        remaining(&(&self.weight * &self.squares), &(&self.sum * &self.sum))
    }

    /// Refuses moments from which nothing can be estimated.
    ///
    /// # Errors
    /// [`FamilyProblem`] if no cell was observed, the moments are impossible, or scaling has taken the weight
    /// out of the range of doubles.
    pub fn check(&self) -> Result<(), FamilyProblem> {
        /// Sums of weights are less, except for scaled ones, which may have left the range of doubles.
        const LARGEST: i64 = 1020;
        let Some(exponent) = self.weight.exponent() else { return Err(FamilyProblem::NoData) };
        if exponent > LARGEST {
            return Err(FamilyProblem::WeightRange { weight: self.weight.to_f64() });
        }
        match [&self.weight, &self.deviation()].into_iter().find(|sum| sum.is_negative()) {
            Some(sum) => Err(FamilyProblem::Impossible { sum: sum.to_f64() }),
            None => Ok(()),
        }
    }

    /// The mean, with a relative error below `2^-103`; zero without any weight.
    #[must_use]
    pub fn mean(&self) -> Dyadic {
        self.sum.divided_by(&self.weight)
    }

    /// The variance, with a relative error below `2^-103`; zero without any weight.
    ///
    /// # Errors
    /// [`FamilyProblem`] if that needs more than one row, and there are not.
    pub fn variance(&self, estimator: VarianceEstimator) -> Result<Dyadic, FamilyProblem> {
        let divisor = match estimator {
            VarianceEstimator::MaximumLikelihood => self.weight.clone(),
            VarianceEstimator::Unbiased => &self.weight - &Dyadic::from(1.0),
        };
        if estimator == VarianceEstimator::Unbiased && (divisor.is_zero() || divisor.is_negative()) {
            return Err(FamilyProblem::SingleRow { weight: self.weight.to_f64() });
        }
        Ok(self.deviation().divided_by(&(&self.weight * &divisor)))
    }

    /// `Σ w (x - c)²` around a center: `Σ w x² - c (2 Σ w x - n c)`.
    #[must_use]
    pub fn squares_about(&self, center: &Dyadic) -> Dyadic {
        let slope = &self.sum.times_power_of_two(1) - &(&self.weight * center);
        &self.squares - &(center * &slope)
    }
}

/// What [`VarianceFloor`](super::VarianceFloor) is for variances of any size.
#[derive(Clone, Debug, PartialEq)]
pub enum WideFloor {
    /// The column is constant over all rows: leave it out of the scores.
    Uninformative,
    /// A variance is at least this.
    AtLeast(Dyadic),
    /// This is added to a variance.
    Plus(Dyadic),
}

impl WideFloor {
    /// A variance after smoothing; `None` if the column is left out.
    ///
    /// # Errors
    /// [`FamilyProblem`] if the variance is zero.
    pub fn apply(&self, variance: Dyadic) -> Result<Option<Dyadic>, FamilyProblem> {
        let variance = match self {
            Self::Uninformative => return Ok(None),
            Self::AtLeast(least) => variance.max(least.clone()),
            Self::Plus(plus) => &variance + plus,
        };
        if variance.is_zero() { Err(FamilyProblem::ZeroVariance) } else { Ok(Some(variance)) }
    }
}

impl VarianceSmoothing {
    /// What [`floors`](Self::floors) gives, for variances of any size.
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn wide_floors(self, classes: &[ClassSums<'_>], n_columns: usize) -> Vec<WideFloor> {
        let variances = || {
            (0..n_columns).map(|column| {
                let moments = WideMoments::of_all(classes, column);
                moments.variance(VarianceEstimator::MaximumLikelihood).unwrap_or_default()
            })
        };
        let times = |share: f64, variance: &Dyadic| &Dyadic::from(share) * variance;
        match self {
            Self::RelativeFloor(share) if share > 0.0 => variances()
                .map(|variance| {
                    if variance.is_zero() {
                        WideFloor::Uninformative
                    } else {
                        WideFloor::AtLeast(times(share, &variance))
                    }
                })
                .collect(),
            Self::LargestVariance(share) => {
                let largest = variances().max().unwrap_or_default();
                vec![WideFloor::Plus(times(share, &largest)); n_columns]
            }
            Self::AbsoluteFloor(floor) => vec![WideFloor::AtLeast(floor.into()); n_columns],
            Self::RelativeFloor(_) | Self::None => vec![WideFloor::AtLeast(Dyadic::ZERO); n_columns],
        }
    }
}

/// Whether what is computed from the sums of some classes needs numbers of any size: they have wide terms, or
/// the weights have bits so small that products with them leave the range of doubles.
pub fn has_wide(classes: &[ClassSums<'_>]) -> bool {
    /// Weights from `2^-60` on, also if scaled, have no bits that small.
    const LEAST_PART: f64 = f64::from_bits((1023 - 300) << 52);
    let has_small_bits = |parts: &[f64]| match parts {
        [first, .., last] => last.abs() < LEAST_PART && *first > LEAST_PART,
        _ => false,
    };
    classes.iter().any(|class| {
        has_small_bits(class.weight().components()) || class.parts().iter().any(ExactSums::has_wide)
    })
}

/// The exponent `k` of the unit `2^-k` in which a column is scored, given the moments of the classes and
/// their variances after smoothing: zero if the column can be scored as it is. The least variance and the
/// largest mean square are then about as far below one as above.
#[must_use]
pub fn unit_exponent<'a>(
    moments: impl IntoIterator<Item = &'a WideMoments>,
    variances: impl IntoIterator<Item = &'a Dyadic>,
) -> i64 {
    /// Variances and mean squares between these powers of two, either way, are in the range of doubles with
    /// all their digits, and so are squares of differences.
    const USUAL: i64 = 600;
    /// The middle of the variances that densities can be computed with.
    const MIDDLE: i64 = -45;
    let variances: Vec<i64> = variances.into_iter().filter_map(Dyadic::exponent).collect();
    let mean_square = |moments: &WideMoments| Some(moments.squares.exponent()? - moments.weight.exponent()?);
    let largest = moments.into_iter().filter_map(mean_square).chain(variances.iter().copied()).max();
    let Some(largest) = largest else { return 0 };
    let least = variances.iter().copied().min().unwrap_or(largest);
    if least >= -USUAL && largest <= USUAL { 0 } else { (MIDDLE - least.midpoint(largest)).div_euclid(2) }
}

/// `value * 2^exponent`, where that is a double.
#[must_use]
pub fn in_units(value: f64, exponent: i64) -> f64 {
    let power = |exponent: i64| f64::from_bits(u64::try_from(1023 + exponent).unwrap_or(0) << 52);
    let first = exponent.clamp(-1000, 1000);
    value * power(first) * power((exponent - first).clamp(-1000, 1000))
}

/// The parameters of one class and column: the mean, and the variance unless the column carries no
/// information.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideParameters {
    pub(crate) mean: Dyadic,
    pub(crate) variance: Option<Dyadic>,
}

/// The exponent of the unit of a column, and the parameters of its classes.
pub(crate) fn with_unit(
    moments: &[WideMoments],
    parameters: Vec<WideParameters>,
) -> (i64, Vec<WideParameters>) {
    let variances = parameters.iter().filter_map(|parameters| parameters.variance.as_ref());
    (unit_exponent(moments, variances), parameters)
}

/// A fitted family from the parameters of each class, column after column, and the exponents of their units.
///
/// # Errors
/// [`FamilyProblem::VarianceRange`] where the variance of a class is so far from those of the others that
/// there is no unit for all of them.
pub(crate) fn fitted(
    columns: &[(i64, Vec<WideParameters>)],
    n_classes: usize,
    missing: Missing,
) -> Result<FittedGaussian, FamilyError> {
    let shape = (n_classes, columns.len());
    let fitted = FittedGaussian::of_parameters(shape, missing, |class, column| {
        let (exponent, parameters) = &columns[column];
        let WideParameters { mean, variance } = &parameters[class];
        let scaled = variance.as_ref().map(|variance| variance.times_power_of_two(2 * exponent).to_f64());
        match scaled {
            Some(scaled) if !USABLE_VARIANCES.contains(&scaled) => {
                let variance = variance.as_ref().map_or(0.0, Dyadic::to_f64);
                Err(FamilyError { class, column, problem: FamilyProblem::VarianceRange { variance } })
            }
            _ => Ok((mean.times_power_of_two(*exponent).to_pair(), scaled)),
        }
    })?;
    if columns.iter().all(|(exponent, _)| *exponent == 0) {
        return Ok(fitted);
    }
    let each = |value: &dyn Fn(&WideParameters) -> f64| {
        Array2::from_shape_fn(shape, |(class, column)| value(&columns[column].1[class]))
    };
    let variance =
        |parameters: &WideParameters| parameters.variance.as_ref().map_or(f64::INFINITY, Dyadic::to_f64);
    Ok(fitted.with_units(Units {
        exponents: columns.iter().map(|(exponent, _)| *exponent).collect(),
        means: each(&|parameters| parameters.mean.to_pair().0),
        mean_rests: each(&|parameters| parameters.mean.to_pair().1),
        variances: each(&variance),
    }))
}

/// The units of columns in which a fitted family scores, and its parameters without them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Units {
    /// The `k` of each column: its cells are multiplied by `2^k`.
    pub(crate) exponents: Vec<i64>,
    means: Array2<f64>,
    mean_rests: Array2<f64>,
    variances: Array2<f64>,
}

impl Units {
    pub(crate) fn means(&self) -> ArrayView2<'_, f64> {
        self.means.view()
    }

    pub(crate) fn mean_rests(&self) -> ArrayView2<'_, f64> {
        self.mean_rests.view()
    }

    pub(crate) fn variances(&self) -> ArrayView2<'_, f64> {
        self.variances.view()
    }

    /// A cell in the units of its column.
    pub(crate) fn of_cell(&self, column: usize, value: f64) -> f64 {
        in_units(value, self.exponents[column])
    }
}
