//! Zero-inflated Gaussian: a point mass at one value beside a normal distribution of all others, such as
//! rainfall, costs or spectra, where many cells are exactly zero.

mod description;

use ndarray::{Array2, ArrayView2};
use rand::Rng;

use exact_sums::{Exact, ExactSums};

use exact_sums::Compensated;

use crate::{
    data::Block,
    families::{
        FittedGaussian, Gaussian, Moments, VarianceEstimator, VarianceFloor, VarianceSmoothing,
        gaussian::{WideMoments, WideParameters, fitted_wide, has_wide, with_unit},
    },
    kernels::linear::{impossible, times_log},
    model::{
        ClassSums, Density, FamilyError, FamilyProblem, FeatureModel, LayoutError, Likelihood, Missing,
        Observed, Smoothing, SumForm, SumLayout, SumRule, ValueError, Weights, domain as observable,
        domain::check_block, log_ratio::LogRatio, random::uniform, remaining::remaining,
    },
};

/// The zero-inflated Gaussian family: a point mass at one value beside a normal distribution of all others,
/// such as rainfall, costs or spectra, where many cells are exactly zero.
///
/// # Model
/// `x_j = v` with the probability `π_cj`, and else `x_j ~ N(μ_cj, σ²_cj)`: `log p = log π` for `x = v` and
/// `log(1 - π) - ½ log(2π σ²) - (x - μ)² / (2σ²)` for others. It is a density with respect to one measure,
/// which counts `v` and has lengths elsewhere, so that classes compare. That the normal distribution has `v`
/// itself, too, is an event of probability zero.
///
/// # Sums kept
/// Per class and column `Σ w x` and `Σ w x²` of the values other than `v`, their weight, and that of missing
/// cells, all exact. (The weight at `v` is what is left of the class; so only what sparse rows store is
/// touched where `v` is zero.)
///
/// # Estimators
/// `π = (n_v + l) / (n + 2l)`, the pseudo-count `l` being that of either outcome, with `n` the weight of the
/// observed cells and `n_v` that of the cells equal to `v`. Mean and variance are those of a
/// [`Gaussian`](crate::Gaussian) of the other cells, with the same floors, to which `v` does not belong
/// either. A class without any other cell has the mean and variance of all classes together; if no class has
/// one, other values are scored by `log(1 - π)` alone.
///
/// # References
/// Aitchison, *On the distribution of a positive random variable having a discrete probability mass at the
/// origin*, Journal of the American Statistical Association 50 (1955), 901-908; Duan et al., *A comparison of
/// alternative models for the demand for medical care*, Journal of Business & Economic Statistics 1 (1983),
/// 115-126 (two-part models).
///
/// # Example
///
/// ```
/// use nb_core::{NaiveBayes, ZeroInflatedGaussian};
/// use ndarray::array;
///
/// let x = array![[0.0], [0.0], [0.0], [4.0], [6.0], [0.0], [5.0], [7.0]];
/// let y = ["dry", "dry", "dry", "dry", "dry", "wet", "wet", "wet"];
/// let classifier = NaiveBayes::new(ZeroInflatedGaussian::default()).fit(&x, &y)?;
/// let fitted = classifier.likelihood();
/// let expected = (4.0_f64 / 7.0).ln(); // (3 + 1) / (5 + 2)
/// assert!((fitted.log_probabilities()[[0, 0]] - expected).abs() < 1e-15);
/// assert_eq!(fitted.gaussian().means()[[0, 0]], 5.0);
/// assert_eq!(classifier.predict(&array![[0.0], [6.5]])?, ["dry", "wet"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct ZeroInflatedGaussian {
    /// The value `v` with its own probability; the default is 0.
    pub value: f64,
    /// The pseudo-count `l` of being `v` and of not being it, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// The divisor of the variance.
    pub estimator: VarianceEstimator,
    /// What keeps variances away from zero.
    pub variance: VarianceSmoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

const SUM: usize = 0;
const SQUARES: usize = 1;
const ELSEWHERE: usize = 2;
const MISSING: usize = 3;

impl ZeroInflatedGaussian {
    /// The family of the values other than `v`.
    fn gaussian(&self) -> Gaussian {
        Gaussian { estimator: self.estimator, smoothing: self.variance, missing: self.missing }
    }

    /// Mean and variance of the values other than `v` of a class and column, of all classes if it has none.
    fn moments(
        &self,
        classes: &[ClassSums<'_>],
        class: usize,
        column: usize,
        floor: VarianceFloor,
    ) -> Result<((f64, f64), Option<f64>), FamilyProblem> {
        let mut moments = Moments::of_class(&classes[class], column);
        if moments.weight.is_zero() {
            moments = Moments::of_all(classes, column);
        }
        if moments.weight.is_zero() {
            return Ok(((0.0, 0.0), None));
        }
        let variance = self.gaussian().variance(&moments, floor)?;
        Ok((moments.mean(), variance))
    }

    /// The distribution of the values other than `v`, which may have any size.
    fn fit_wide(&self, classes: &[ClassSums<'_>], n_columns: usize) -> Result<FittedGaussian, FamilyError> {
        let floors = self.variance.wide_floors(classes, n_columns);
        let columns = floors.iter().enumerate().map(|(column, floor)| {
            let all = WideMoments::of_all(classes, column);
            let own = classes.iter().map(|class| WideMoments::of_class(class, column));
            let moments: Vec<_> =
                own.map(|own| if own.weight.is_zero() { all.clone() } else { own }).collect();
            let parameters = moments.iter().enumerate().map(|(class, moments)| {
                if moments.weight.is_zero() {
                    return Ok(WideParameters::default());
                }
                let parameters = self.gaussian().wide_parameters(moments, floor);
                parameters.map_err(|problem| FamilyError { class, column, problem })
            });
            Ok(with_unit(&moments, parameters.collect::<Result<Vec<_>, _>>()?))
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        fitted_wide(&columns, classes.len(), self.missing)
    }
}

impl FeatureModel for ZeroInflatedGaussian {
    type Fitted = FittedZeroInflatedGaussian;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        if observable::real(self.value, Missing::Error).is_some() {
            let must_be = "a finite number";
            return Err(LayoutError::Parameter { name: "the value", value: self.value, must_be });
        }
        self.smoothing.check_columns(n_columns)?;
        self.variance.check()?;
        // The sums depend on the value, so that it is part of the name. Adding 0 makes -0 and 0 the same.
        let family = format!("gaussian beside {:?}", self.value + 0.0);
        let parts = ["sum", "sum of squares", "elsewhere", "missing"].map(|name| (name, n_columns));
        Ok(SumLayout::new(family, parts).with_rules([
            SumRule::Events { part: MISSING, of: Observed::All },
            SumRule::Events { part: ELSEWHERE, of: Observed::Except(MISSING) },
            SumRule::Moments { sum: SUM, squares: SQUARES, of: Observed::In(ELSEWHERE) },
        ]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_block(rows, |value| observable::real(value, self.missing))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [sum, squares, elsewhere, missing] = sums else { return };
        let mut add = |row, column, value: f64| {
            let weight = weights.get(row);
            if value.is_nan() {
                missing.add(column, weight);
            } else if value != self.value {
                sum.add_weighted(column, weight, value);
                squares.add_weighted_square(column, weight, value);
                elsewhere.add(column, weight);
            }
        };
        if self.value == 0.0 {
            rows.for_each_stored(add);
        } else {
            rows.for_each_row(|row, cells| {
                cells.iter().enumerate().for_each(|(column, &value)| add(row, column, value));
            });
        }
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedZeroInflatedGaussian, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(SUM).len());
        let shape = (classes.len(), n_columns);
        let (mut log_probabilities, mut log_complements) = (Array2::zeros(shape), Array2::zeros(shape));
        for (class, sums) in classes.iter().enumerate() {
            for column in 0..n_columns {
                let l = Exact::from(self.smoothing.get(column));
                let observed = sums.weight_without(MISSING, column);
                let elsewhere = sums.part(ELSEWHERE).get(column);
                let at_value = remaining(&observed, &elsewhere);
                if let Some(sum) = [&elsewhere, &at_value].into_iter().find(|sum| sum.is_negative()) {
                    return Err(impossible(class, column, sum));
                }
                let total = &observed + &l.times(2.0);
                if total.is_zero() {
                    return Err(FamilyError { class, column, problem: FamilyProblem::NoData });
                }
                log_probabilities[[class, column]] = (&at_value + &l).ln_ratio(&total);
                log_complements[[class, column]] = (&elsewhere + &l).ln_ratio(&total);
            }
        }
        let parts: Vec<_> = classes.iter().map(parts_of_gaussian).collect();
        let others: Vec<_> =
            classes.iter().zip(&parts).map(|(class, parts)| ClassSums::new(class.weight(), parts)).collect();
        if has_wide(&others) {
            let gaussian = self.fit_wide(&others, n_columns)?;
            return Ok(FittedZeroInflatedGaussian {
                value: self.value,
                log_probabilities,
                log_complements,
                gaussian,
            });
        }
        let floors = self.variance.floors(&others, n_columns);
        let gaussian = FittedGaussian::of_parameters(shape, self.missing, |class, column| {
            let moments = self.moments(&others, class, column, floors[column]);
            moments.map_err(|problem| FamilyError { class, column, problem })
        })?;
        Ok(FittedZeroInflatedGaussian { value: self.value, log_probabilities, log_complements, gaussian })
    }
}

/// The sums of the values other than `v` as the Gaussian family keeps them: all other cells are missing
/// there.
fn parts_of_gaussian(class: &ClassSums<'_>) -> [ExactSums; 3] {
    let elsewhere = class.part(ELSEWHERE);
    let mut others = ExactSums::new(elsewhere.len());
    for (column, elsewhere) in elsewhere.iter().enumerate() {
        let rest = remaining(class.weight(), &elsewhere);
        rest.components().iter().for_each(|&component| others.add(column, component));
    }
    [class.part(SUM).clone(), class.part(SQUARES).clone(), others]
}

/// A fitted zero-inflated Gaussian family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedZeroInflatedGaussian {
    value: f64,
    /// `log π`.
    log_probabilities: Array2<f64>,
    /// `log(1 - π)`.
    log_complements: Array2<f64>,
    gaussian: FittedGaussian,
}

impl FittedZeroInflatedGaussian {
    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.gaussian.missing()
    }

    /// The value `v` with its own probability.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// `log π`, the logarithms of the probabilities of `v`, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{NaiveBayes, ZeroInflatedGaussian};
    /// # use ndarray::array;
    /// let rain = array![[0.0], [0.0], [3.0], [5.0], [0.0], [8.0], [9.0], [12.0]];
    /// let month = ["may", "may", "may", "may", "june", "june", "june", "june"];
    /// let classifier = NaiveBayes::new(ZeroInflatedGaussian::default()).fit(&rain, &month)?;
    /// let dry = classifier.likelihood().log_probabilities();
    /// assert!(dry[[1, 0]] > dry[[0, 0]]); // "may" is drier than "june", which comes first in label order
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_probabilities(&self) -> ArrayView2<'_, f64> {
        self.log_probabilities.view()
    }

    /// `log(1 - π)`, the logarithms of the probabilities of other values, `n_classes × n_columns`.
    pub fn log_complements(&self) -> ArrayView2<'_, f64> {
        self.log_complements.view()
    }

    /// The distribution of the values other than `v`. A variance is infinite where the column says nothing
    /// but whether it is `v`.
    ///
    /// ```
    /// # use nb_core::{NaiveBayes, ZeroInflatedGaussian};
    /// # use ndarray::array;
    /// let rain = array![[0.0], [0.0], [3.0], [5.0], [0.0], [8.0], [9.0], [12.0]];
    /// let month = ["may", "may", "may", "may", "june", "june", "june", "june"];
    /// let classifier = NaiveBayes::new(ZeroInflatedGaussian::default()).fit(&rain, &month)?;
    /// assert_eq!(classifier.likelihood().gaussian().means()[[1, 0]], 4.0); // of the two rainy days of "may"
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gaussian(&self) -> &FittedGaussian {
        &self.gaussian
    }
}

impl Likelihood for FittedZeroInflatedGaussian {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.log_probabilities.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        ValueError::first(rows.find_stored(|column, value| {
            if value == self.value { None } else { self.gaussian.problem(column, value) }
        }))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let at = [class, column];
        if value == self.value {
            self.log_probabilities[at]
        } else if value.is_nan() {
            0.0
        } else {
            self.log_complements[at] + self.gaussian.log_likelihood(class, column, value)
        }
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedZeroInflatedGaussian {
    fn sum_layout(&self) -> Option<SumLayout> {
        let family = ZeroInflatedGaussian { value: self.value, ..ZeroInflatedGaussian::default() };
        family.layout(self.log_probabilities.ncols()).ok()
    }

    /// `Σ_j n_v log π + n_e log(1 - π)`, with `n_v` and `n_e` the weights at `v` and elsewhere, and what the
    /// Gaussian family says of the latter.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let (_, n_columns) = self.log_probabilities.dim();
        if sums.n_parts() != 4 || sums.parts().iter().any(|part| part.len() != n_columns) {
            return None;
        }
        let mut total = Compensated::default();
        for column in 0..n_columns {
            let at = [class, column];
            let elsewhere = sums.part(ELSEWHERE).get(column);
            let at_value = remaining(&sums.weight_without(MISSING, column), &elsewhere);
            total.add(times_log(at_value.to_f64(), self.log_probabilities[at]));
            total.add(times_log(elsewhere.to_f64(), self.log_complements[at]));
        }
        let parts = parts_of_gaussian(sums);
        total.add(self.gaussian.of_sums(class, &ClassSums::new(sums.weight(), &parts))?);
        Some(total.value())
    }
}

impl Density for FittedZeroInflatedGaussian {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        if uniform(rng) < libm::exp(self.log_probabilities[[class, column]]) {
            self.value
        } else {
            self.gaussian.sample(class, column, rng)
        }
    }
}
