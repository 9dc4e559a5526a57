//! Poisson: independent counts per column.
//!
//! # Model
//! `log p(x | c) = Σ_j x_j log λ_cj - λ_cj - log x_j!`.
//!
//! # Sums kept
//! Per class and column `Σ w x`, and the weight of missing cells.
//!
//! # Estimator
//! `λ_cj = (Σ w x + l m_j) / (n + l)`, as if `l` more rows had had the rate `m_j`: maximum likelihood for `l = 0`, else the
//! posterior mean under a gamma prior of shape `l m_j` and rate `l`. `m_j` is the rate of the column over all classes, so that
//! labels do not depend on the unit of the counts, or one ([`RatePrior`]).
//!
//! # References
//! Gelman et al., *Bayesian Data Analysis* (3rd ed., 2013), 2.6.

mod description;

use ndarray::{Array2, ArrayView2};
use rand::Rng;

use exact_sums::{Dyadic, Exact, ExactSums, domain::MAX_ABS_VALUE};

use exact_sums::Compensated;

use crate::{
    data::Block,
    families::{
        RatePrior, gaussian::has_wide, multinomial::poisson, rate_prior::smoothed_rate,
        sum_form::for_each_count,
    },
    kernels::{
        linear::{CountAccumulator, Counted, Table, add_counts, impossible, times_log},
        zero_row::Baseline,
    },
    model::{
        Accumulator, ClassSums, Density, FamilyError, FamilyProblem, FeatureModel, LayoutError, Likelihood,
        Missing, Observed, Scores, Smoothing, SumForm, SumLayout, SumRule, ValueError, ValueProblem, Weights,
        domain as observable,
        domain::check_block,
        log_ratio::LogRatio,
        remaining::{Number, remaining},
    },
};

/// The Poisson family.
///
/// ```
/// use nb_core::{NaiveBayes, Poisson, Smoothing};
/// use ndarray::array;
///
/// let poisson = Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() };
/// let classifier = NaiveBayes::new(poisson).fit(&array![[2.0], [4.0], [9.0]], &["few", "few", "many"])?;
/// assert_eq!(classifier.likelihood().rates()[[0, 0]], 3.0);
/// assert_eq!(classifier.predict(&array![[5.0], [7.0]])?, ["few", "many"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct Poisson {
    /// The pseudo-count `l`, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What the rates are shrunk towards.
    pub rate_prior: RatePrior,
    /// What to do with missing cells.
    pub missing: Missing,
}

const SUM: usize = 0;
const MISSING: usize = 1;

impl FeatureModel for Poisson {
    type Fitted = FittedPoisson;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check_columns(n_columns)?;
        let layout = SumLayout::new("poisson", [("sum", n_columns), ("missing", n_columns)]);
        Ok(layout.with_rules([
            SumRule::Events { part: MISSING, of: Observed::All },
            SumRule::Amounts { part: SUM, of: Observed::Except(MISSING) },
        ]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_block(rows, |value| problem(value, self.missing))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [sum, missing] = sums else { return };
        add_counts(rows, weights, sum);
        rows.for_each_stored(|row, column, value| {
            if value.is_nan() {
                missing.add(column, weights.get(row));
            }
        });
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        Some(Box::new(CountAccumulator::new(Counted::Whole, n_columns)))
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedPoisson, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(SUM).len());
        let is_wide = has_wide(classes);
        let mut rates = Array2::zeros((classes.len(), n_columns));
        let mut log_rates = Array2::zeros((classes.len(), n_columns));
        for column in 0..n_columns {
            let l = self.smoothing.get(column);
            let fitted = if is_wide {
                self.rates_of(classes, column, &Dyadic::from(l))?
            } else {
                self.rates_of(classes, column, &Exact::from(l))?
            };
            for (class, fitted) in fitted.into_iter().enumerate() {
                (rates[[class, column]], log_rates[[class, column]]) = fitted;
            }
        }
        let log_zeros = Table::of(rates.mapv(|rate| -rate));
        let baseline = Baseline::new(&log_zeros);
        let has_huge = rates.iter().any(|&rate| rate > MAX_ABS_VALUE);
        Ok(FittedPoisson { missing: self.missing, rates, log_rates, log_zeros, baseline, has_huge })
    }
}

impl Poisson {
    /// The smoothed rate of each class, and its logarithm.
    fn rates_of<N: Number + LogRatio>(
        &self,
        classes: &[ClassSums<'_>],
        column: usize,
        l: &N,
    ) -> Result<Vec<(f64, f64)>, FamilyError> {
        let events = |class: &ClassSums<'_>| N::of(class.part(SUM), column);
        let observed = |class: &ClassSums<'_>| class.weight_without::<N>(MISSING, column);
        let total = |of: &dyn Fn(&ClassSums<'_>) -> N| {
            classes.iter().fold(N::from(0.0), |total, class| total.plus(&of(class)))
        };
        let prior = self.rate_prior.mean(l, || (total(&events), total(&observed)));
        let rates = classes.iter().enumerate().map(|(class, sums)| {
            let (sum, observed) = (events(sums), observed(sums));
            if let Some(sum) = [&sum, &observed].into_iter().find(|sum| sum.is_negative()) {
                return Err(impossible(class, column, &Exact::from(sum.to_f64())));
            }
            let (events, exposure) = smoothed_rate((&sum, &observed), l, &prior);
            if exposure.is_zero() {
                return Err(FamilyError { class, column, problem: FamilyProblem::NoData });
            }
            Ok((events.divided_by(&exposure), events.ln_ratio(&exposure)))
        });
        rates.collect()
    }
}

/// A fitted Poisson family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPoisson {
    missing: Missing,
    /// `λ`, `n_classes × n_columns`.
    rates: Array2<f64>,
    log_rates: Array2<f64>,
    /// `-λ`.
    log_zeros: Table,
    /// The scores of a row of zeros.
    baseline: Baseline,
    /// Whether there are rates so large that scores of rows of zeros could overflow.
    has_huge: bool,
}

impl FittedPoisson {
    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The rates `λ`, `n_classes × n_columns`.
    pub fn rates(&self) -> ArrayView2<'_, f64> {
        self.rates.view()
    }

    /// `log λ`, `n_classes × n_columns`.
    pub fn log_rates(&self) -> ArrayView2<'_, f64> {
        self.log_rates.view()
    }
}

/// `x log λ - λ - log x!`: for an `x` or a `λ` beyond `2^400` by Stirling's formula, and so that large terms do not overflow
/// one by one. Zero for a missing cell.
pub(crate) fn huge_log_mass(value: f64, rate: f64, log_rate: f64) -> f64 {
    if value.is_nan() {
        return 0.0;
    }
    if value.max(rate) <= MAX_ABS_VALUE {
        return times_log(value, log_rate) - rate - libm::lgamma(value + 1.0);
    }
    if value <= 1.0 {
        return times_log(value, log_rate) - rate;
    }
    let log = libm::log(value);
    let stirling = 0.5 * (std::f64::consts::TAU.ln() + log) + (1.0 / 12.0) / value;
    value * (log_rate - log + 1.0 - rate / value) - stirling
}

/// Refuses what is not a whole, non-negative number.
fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
    let fractional = || (value.is_finite() && value.fract() != 0.0).then_some(ValueProblem::Fractional);
    observable::count(value, missing).or_else(fractional)
}

impl FittedPoisson {
    /// Refuses the first cell that is no count; whether there are some beyond `2^400`.
    fn check_counts(&self, rows: &Block<'_>) -> Result<bool, ValueError> {
        let mut has_huge = false;
        check_block(rows, |value| {
            has_huge |= value > MAX_ABS_VALUE;
            problem(value, self.missing)
        })?;
        Ok(has_huge)
    }

    /// The log-likelihood of a value where neither it nor the rate is beyond `2^400`.
    #[inline(always)]
    fn usual_log_mass(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let events = times_log(value, self.log_rates[[class, column]]);
        events - self.rates[[class, column]] - libm::lgamma(value + 1.0)
    }
}

impl Likelihood for FittedPoisson {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.rates.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        if !self.check_counts(rows)? {
            return Ok(());
        }
        ValueError::first(rows.find_stored(|column, value| {
            let is_lost = |class| !self.log_likelihood(class, column, value).is_finite();
            (value > MAX_ABS_VALUE && (0..self.rates.nrows()).all(is_lost))
                .then_some(ValueProblem::Unscorable)
        }))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if self.has_huge || value > MAX_ABS_VALUE {
            return huge_log_mass(value, self.rates[[class, column]], self.log_rates[[class, column]]);
        }
        self.usual_log_mass(class, column, value)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        if self.check_counts(rows)? || self.has_huge {
            self.check(rows)?;
            scores.add_cells(rows, |class, column, value| self.log_likelihood(class, column, value));
            return Ok(());
        }
        match rows {
            Block::Sparse(sparse) => {
                let term = |class, column, value| Some(self.usual_log_mass(class, column, value));
                self.baseline.add_sparse(&self.log_zeros, sparse, scores, term);
            }
            _ => scores.add_cells(rows, |class, column, value| self.usual_log_mass(class, column, value)),
        }
        Ok(())
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedPoisson {
    fn sum_layout(&self) -> Option<SumLayout> {
        Poisson::default().layout(self.rates.ncols()).ok()
    }

    /// `Σ_j (Σ w x_j) log λ_cj - n_cj λ_cj`, with `n_cj` the weight of the observed cells. `Σ w log x_j!` is left out: the
    /// sums do not tell it, and no hyper-parameter changes it.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let [counts, missing] = sums.parts() else { return None };
        let mut total = Compensated::default();
        let none_missing = missing.is_zero().then(|| sums.weight().to_f64());
        for_each_count(counts, self.rates.ncols(), |column, count| {
            let at = [class, column];
            let observed = || remaining(sums.weight(), &missing.get(column)).to_f64();
            total.add(times_log(count, self.log_rates[at]));
            total.add(-none_missing.unwrap_or_else(observed) * self.rates[at]);
        })?;
        Some(total.value())
    }
}

impl Density for FittedPoisson {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        poisson(self.rates[[class, column]], rng)
    }
}
