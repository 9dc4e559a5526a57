//! Negative binomial: independent counts whose variance is above their mean.

mod description;
mod fitted;
mod log_mass;

pub use fitted::FittedNegativeBinomial;

use ndarray::Array2;

use exact_sums::{Dyadic, Exact, ExactSums};

use crate::{
    data::Block,
    families::{
        Gaussian, Moments, RatePrior, VarianceEstimator, WideMoments,
        gaussian::{has_wide, moments},
        poisson::{Term, Terms},
        rate_prior::smoothed_rate,
    },
    kernels::linear::impossible,
    model::{
        ClassSums, FamilyError, FamilyProblem, FeatureModel, LayoutError, Missing, Observed, Smoothing,
        SumLayout, SumRule, ValueError, ValueProblem, Weights, domain as observable, domain::check_block,
        log_ratio::LogRatio, remaining::Number,
    },
};

/// The negative binomial family: counts that vary more than Poisson counts do.
///
/// # Model
/// `x_j | c` has the mean `μ_cj` and the variance `μ_cj + α_cj μ_cj²`, with the dispersion `α ≥ 0` and `r =
/// 1/α`: `log p = log Γ(x + r) - log Γ(r) - log x! + r log(r / (r + μ)) + x log(μ / (r + μ))`. For `α = 0` it
/// is the Poisson distribution, and scores as [`Poisson`](crate::Poisson) does.
///
/// # Sums kept
/// Per class and column `Σ w x`, `Σ w x²` and the weight of missing cells, all exact.
///
/// # Estimators
/// `μ = (Σ w x + l m) / (n + l)`, as in [`Poisson`](crate::Poisson), with `n` the weight of the observed
/// cells. The dispersion is that of the moments (Anscombe 1950): with `m = Σ w x / n` and `s² = Σ w (x - m)²
/// / (n - 1)`, `α = (s² - m) / m²`, of each class by itself or, as one number per column,
/// `α = Σ_c (n_c - 1)(s_c² - m_c) / Σ_c (n_c - 1) m_c²`, which weighs the classes by their degrees of freedom
/// (a common `k` in Bliss and Owen 1958). Where the variance is not above the mean, or a class has a weight
/// of one or less, `α = 0`.
///
/// Moments need sums only, so that models merge and forget. Maximum likelihood, which needs the rows, is more
/// efficient where dispersion is strong and the mean small (Anscombe 1950, section 5; Lawless 1987, section
/// 4).
///
/// # References
/// Anscombe, *Sampling theory of the negative binomial and logarithmic series distributions*, Biometrika 37
/// (1950), 358-382; Bliss and Owen, *Negative binomial distributions with a common k*, Biometrika 45 (1958),
/// 37-58; Lawless, *Negative binomial and mixed Poisson regression*, Canadian Journal of Statistics 15
/// (1987), 209-225.
///
/// # Example
///
/// ```
/// use nb_core::{NaiveBayes, NegativeBinomial, Smoothing};
/// use ndarray::array;
///
/// let smoothing = Smoothing::MAXIMUM_LIKELIHOOD;
/// let model = NegativeBinomial { smoothing, ..NegativeBinomial::default() };
/// let x = array![[0.0], [3.0], [9.0], [3.0], [4.0], [5.0]];
/// let classifier = NaiveBayes::new(model).fit(&x, &["wide", "wide", "wide", "narrow", "narrow", "narrow"])?;
/// let fitted = classifier.likelihood();
/// assert_eq!(fitted.means()[[1, 0]], 4.0);
/// assert_eq!(fitted.dispersions()[[0, 0]], 0.0); // a variance of 1 below the mean of 4: Poisson
/// assert_eq!(fitted.dispersions()[[1, 0]], (21.0 - 4.0) / 16.0);
/// assert_eq!(classifier.predict(&array![[4.0], [12.0]])?, ["narrow", "wide"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct NegativeBinomial {
    /// Whether classes share their dispersions.
    pub dispersion: Dispersion,
    /// The pseudo-count `l` of the mean, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What the means are shrunk towards.
    pub rate_prior: RatePrior,
    /// What to do with missing cells.
    pub missing: Missing,
}

/// How many dispersions a [`NegativeBinomial`] has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Dispersion {
    /// One per class and column.
    #[default]
    PerClass,
    /// One per column, shared by all classes: steadier where classes have few rows.
    Shared,
}

impl FeatureModel for NegativeBinomial {
    type Fitted = FittedNegativeBinomial;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check_columns(n_columns)?;
        // The parts are those of the Gaussian family, so that `Moments` reads them.
        let parts = [("sum", n_columns), ("sum of squares", n_columns), ("missing", n_columns)];
        let amounts = SumRule::Amounts { part: moments::SUM, of: Observed::Except(moments::MISSING) };
        Ok(SumLayout::new("negative binomial", parts)
            .with_rules(moments::rules().into_iter().chain([amounts])))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows, self.missing)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        Gaussian { missing: self.missing, ..Gaussian::default() }.update(rows, weights, sums);
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedNegativeBinomial, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(0).len());
        let is_wide = has_wide(classes);
        let mut terms = Vec::with_capacity(classes.len() * n_columns);
        let mut dispersions = Array2::zeros((classes.len(), n_columns));
        for column in 0..n_columns {
            let fitted =
                if is_wide { self.wide_column(classes, column)? } else { self.column(classes, column)? };
            for (class, (term, dispersion)) in fitted.into_iter().enumerate() {
                terms.push(term);
                dispersions[[class, column]] = dispersion;
            }
        }
        Ok(FittedNegativeBinomial::new(self.missing, Terms::new(classes.len(), terms), dispersions))
    }
}

/// The mean of a column in a class, with its logarithm, and the dispersion.
type OfClass = (Term, f64);

impl NegativeBinomial {
    /// A column in each class.
    fn column(&self, classes: &[ClassSums<'_>], column: usize) -> Result<Vec<OfClass>, FamilyError> {
        let l = Exact::from(self.smoothing.get(column));
        let prior = self.rate_prior.mean(&l, || {
            let Moments { sum, weight, .. } = Moments::of_all(classes, column);
            (sum, weight)
        });
        let (mut means, mut excesses) = (Vec::new(), Vec::new());
        for (class, sums) in classes.iter().enumerate() {
            let moments = Moments::of_class(sums, column);
            let of_class = [&moments.sum, &moments.weight, &moments.deviation];
            means.push(mean(of_class, (&l, &prior), class, column)?);
            if !moments.weight.is_zero() {
                moments.check().map_err(|problem| FamilyError { class, column, problem })?;
            }
            excesses.push(Excess::of(&moments));
        }
        let dispersions = self.dispersion.of_classes(&excesses, |some| Excess::dispersion(some));
        Ok(means.into_iter().zip(dispersions).collect())
    }

    /// [`column`](Self::column) for counts of any size.
    fn wide_column(&self, classes: &[ClassSums<'_>], column: usize) -> Result<Vec<OfClass>, FamilyError> {
        let l = Dyadic::from(self.smoothing.get(column));
        let prior = self.rate_prior.mean(&l, || {
            let WideMoments { sum, weight, .. } = WideMoments::of_all(classes, column);
            (sum, weight)
        });
        let (mut means, mut excesses) = (Vec::new(), Vec::new());
        for (class, sums) in classes.iter().enumerate() {
            let moments = WideMoments::of_class(sums, column);
            let of_class = [&moments.sum, &moments.weight, &moments.deviation()];
            means.push(mean(of_class, (&l, &prior), class, column)?);
            excesses.push(wide_excess(&moments));
        }
        let dispersions = self.dispersion.of_classes(&excesses, |some| wide_dispersion(some));
        Ok(means.into_iter().zip(dispersions).collect())
    }
}

impl Dispersion {
    /// The dispersion of each class, by what `of` says of the classes that share one.
    fn of_classes<E>(self, classes: &[E], of: impl Fn(&[E]) -> f64) -> Vec<f64> {
        match self {
            Self::PerClass => classes.chunks(1).map(of).collect(),
            Self::Shared => vec![of(classes); classes.len()],
        }
    }
}

/// The mean of a class, smoothed by a pseudo-count towards a prior, and its logarithm.
fn mean<N: Number + LogRatio>(
    [sum, weight, deviation]: [&N; 3],
    (l, prior): (&N, &(N, N)),
    class: usize,
    column: usize,
) -> Result<Term, FamilyError> {
    if let Some(sum) = [sum, weight, deviation].into_iter().find(|sum| sum.is_negative()) {
        return Err(impossible(class, column, &Exact::from(sum.to_f64())));
    }
    let (events, exposure) = smoothed_rate((sum, weight), l, prior);
    if exposure.is_zero() {
        return Err(FamilyError { class, column, problem: FamilyProblem::NoData });
    }
    Ok(Term::new(events.divided_by(&exposure), || events.ln_ratio(&exposure)))
}

/// [`Excess`] for counts of any size.
fn wide_excess(moments: &WideMoments) -> [Dyadic; 2] {
    let freedom = &moments.weight - &Dyadic::from(1.0);
    if freedom.is_zero() || freedom.is_negative() {
        return Default::default();
    }
    let mean = moments.mean();
    let excess = &moments.variance(VarianceEstimator::Unbiased).unwrap_or_default() - &mean;
    [&freedom * &excess, &freedom * &(&mean * &mean)]
}

/// [`Excess::dispersion`] for counts of any size.
fn wide_dispersion<'a>(classes: impl IntoIterator<Item = &'a [Dyadic; 2]>) -> f64 {
    let [mut variance, mut square] = [Dyadic::ZERO, Dyadic::ZERO];
    for class in classes {
        (variance, square) = (&variance + &class[0], &square + &class[1]);
    }
    let dispersion = variance.divided_by(&square).to_f64();
    if dispersion > LEAST_DISPERSION { dispersion } else { 0.0 }
}

/// Below, the reciprocal of a dispersion overflows.
const LEAST_DISPERSION: f64 = 1e-290;

/// By how much the variance of a class is above the mean, and the square of the mean, both times `n - 1`.
#[derive(Clone, Copy, Debug, Default)]
struct Excess {
    variance: f64,
    square: f64,
}

impl Excess {
    /// Nothing where one row says nothing of the variance.
    fn of(moments: &Moments) -> Self {
        let freedom = &moments.weight - &Exact::from(1.0);
        if freedom.to_f64() <= 0.0 {
            return Self::default();
        }
        let (mean, mean_rest) = moments.mean();
        let (variance, variance_rest) = moments.deviation.divided_by(&(&moments.weight * &freedom));
        // With two doubles each, little cancels where the variance is near the mean.
        let excess = Exact::sum([variance, variance_rest, -mean, -mean_rest]);
        let freedom = freedom.to_f64();
        Self { variance: freedom * excess.to_f64(), square: freedom * mean * mean }
    }

    /// The dispersion of some classes together, whatever their order; zero where nothing is above Poisson.
    fn dispersion<'a>(classes: impl IntoIterator<Item = &'a Self> + Clone) -> f64 {
        let variance = Exact::sum(classes.clone().into_iter().map(|excess| excess.variance)).to_f64();
        let square = Exact::sum(classes.into_iter().map(|excess| excess.square)).to_f64();
        let dispersion = variance / square;
        // Zero over zero is not a number.
        if dispersion > LEAST_DISPERSION { dispersion } else { 0.0 }
    }
}

/// Refuses what is not a whole, non-negative number.
fn check(rows: &Block<'_>, missing: Missing) -> Result<(), ValueError> {
    check_block(rows, |value| {
        let fractional = || (value.is_finite() && value.fract() != 0.0).then_some(ValueProblem::Fractional);
        observable::count(value, missing).or_else(fractional)
    })
}
