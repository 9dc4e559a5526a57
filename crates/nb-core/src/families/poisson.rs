//! Poisson: independent counts per column.

mod description;
mod log_mass;
mod log_pair;
mod terms;

pub(crate) use log_mass::{huge_log_mass, log_mass};
pub(crate) use terms::{Term, Terms, add_pair};

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
    kernels::linear::{CountAccumulator, Counted, add_counts, impossible},
    model::{
        Accumulator, ClassSums, Density, FamilyError, FamilyProblem, FeatureModel, LayoutError, Likelihood,
        Missing, Observed, Scores, Smoothing, SumForm, SumLayout, SumRule, ValueError, ValueProblem, Weights,
        domain as observable,
        domain::check_block,
        log_ratio::LogRatio,
        remaining::{Number, remaining},
        scores::RowOfScores,
    },
};

/// The Poisson family: independent counts per column.
///
/// # Model
/// `log p(x | c) = Σ_j x_j log λ_cj - λ_cj - log x_j!`, computed as `-D(x_j, λ_cj) - δ(x_j)` with the
/// deviance `D(x, λ) = x log(x / λ) + λ - x` and a small `δ`, as the terms of the definition cancel for large
/// counts (Loader 2000), and of one class only: the others by their differences from it, so that posteriors
/// keep their digits for counts of any size.
///
/// # Sums kept
/// Per class and column `Σ w x`, and the weight of missing cells.
///
/// # Estimator
/// `λ_cj = (Σ w x + l m_j) / (n + l)`, as if `l` more rows had had the rate `m_j`: maximum likelihood for
/// `l = 0`, else the posterior mean under a gamma prior of shape `l m_j` and rate `l`. `m_j` is the rate of the
/// column over all classes, so that labels do not depend on the unit of the counts, or one ([`RatePrior`]).
///
/// # References
/// Gelman et al., *Bayesian Data Analysis* (3rd ed., 2013), 2.6; Loader, *Fast and accurate computation of
/// binomial probabilities* (2000).
///
/// # Example
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
        let mut terms = Vec::with_capacity(classes.len() * n_columns);
        for column in 0..n_columns {
            let l = self.smoothing.get(column);
            terms.extend(if is_wide {
                self.terms_of(classes, column, &Dyadic::from(l))?
            } else {
                self.terms_of(classes, column, &Exact::from(l))?
            });
        }
        Ok(FittedPoisson::new(self.missing, Terms::new(classes.len(), terms)))
    }
}

impl Poisson {
    /// The smoothed rate of each class, and its logarithm.
    fn terms_of<N: Number + LogRatio>(
        &self,
        classes: &[ClassSums<'_>],
        column: usize,
        l: &N,
    ) -> Result<Vec<Term>, FamilyError> {
        let events = |class: &ClassSums<'_>| N::of(class.part(SUM), column);
        let observed = |class: &ClassSums<'_>| class.weight_without::<N>(MISSING, column);
        let total = |of: &dyn Fn(&ClassSums<'_>) -> N| {
            classes.iter().fold(N::from(0.0), |total, class| total.plus(&of(class)))
        };
        let prior = self.rate_prior.mean(l, || (total(&events), total(&observed)));
        let terms = classes.iter().enumerate().map(|(class, sums)| {
            let (sum, observed) = (events(sums), observed(sums));
            if let Some(sum) = [&sum, &observed].into_iter().find(|sum| sum.is_negative()) {
                return Err(impossible(class, column, &Exact::from(sum.to_f64())));
            }
            let (events, exposure) = smoothed_rate((&sum, &observed), l, &prior);
            if exposure.is_zero() {
                return Err(FamilyError { class, column, problem: FamilyProblem::NoData });
            }
            Ok(Term::new(events.divided_by(&exposure), || events.ln_ratio(&exposure)))
        });
        terms.collect()
    }
}

/// A fitted Poisson family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPoisson {
    missing: Missing,
    /// `λ`, `n_classes × n_columns`.
    rates: Array2<f64>,
    log_rates: Array2<f64>,
    /// The same with what rounding took from them.
    terms: Terms,
    /// The scores of a row of zeros, in two doubles.
    zeros: Vec<(f64, f64)>,
    /// Whether there are rates so large that scores of rows of zeros could overflow.
    has_huge: bool,
}

impl FittedPoisson {
    fn new(missing: Missing, terms: Terms) -> Self {
        let (rates, log_rates) = (terms.table(|term| term.rate.0), terms.table(|term| term.log_rate.0));
        let has_huge = rates.iter().any(|&rate| rate > MAX_ABS_VALUE);
        Self { missing, rates, log_rates, zeros: terms.zeros(), terms, has_huge }
    }

    /// What a column adds in a class.
    fn term(&self, class: usize, column: usize) -> &Term {
        self.terms.get(class, column)
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The rates `λ`, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{NaiveBayes, Poisson, Smoothing};
    /// # use ndarray::array;
    /// let poisson = Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() };
    /// let classifier = NaiveBayes::new(poisson).fit(&array![[2.0], [4.0], [1.0]], &["a", "a", "b"])?;
    /// assert_eq!(classifier.likelihood().rates(), array![[3.0], [1.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rates(&self) -> ArrayView2<'_, f64> {
        self.rates.view()
    }

    /// `log λ`, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{NaiveBayes, Poisson, Smoothing};
    /// # use ndarray::array;
    /// let poisson = Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() };
    /// let classifier = NaiveBayes::new(poisson).fit(&array![[2.0], [4.0], [1.0]], &["a", "a", "b"])?;
    /// assert_eq!(classifier.likelihood().log_rates()[[0, 0]], 3.0_f64.ln());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_rates(&self) -> ArrayView2<'_, f64> {
        self.log_rates.view()
    }
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
        let term = self.term(class, column);
        huge_log_mass(value, term.rate, term.log_rate.0)
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        if self.check_counts(rows)? || self.has_huge {
            self.check(rows)?;
            scores.add_cells(rows, |class, column, value| self.log_likelihood(class, column, value));
            return Ok(());
        }
        let mut scratch = RowOfScores::default();
        if let Block::Sparse(sparse) = rows {
            for (row, (columns, values)) in sparse.rows().enumerate() {
                scores.with_row(row, &mut scratch, |high, low| {
                    for ((high, low), &zeros) in high.iter_mut().zip(low.iter_mut()).zip(&self.zeros) {
                        add_pair(high, low, zeros);
                    }
                    for (column, &value) in columns.iter().zip(values) {
                        self.terms.add(column, value, true, high, low);
                    }
                });
            }
            return Ok(());
        }
        rows.for_each_row(|row, cells| {
            scores.with_row(row, &mut scratch, |high, low| {
                for (column, &value) in cells.iter().enumerate() {
                    self.terms.add(column, value, false, high, low);
                }
            });
        });
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

    /// `Σ_j (Σ w x_j) log λ_cj - n_cj λ_cj`, with `n_cj` the weight of the observed cells. `Σ w log x_j!` is
    /// left out: the sums do not tell it, and no hyper-parameter changes it.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let [counts, missing] = sums.parts() else { return None };
        let mut total = Compensated::default();
        let none_missing = missing.is_zero().then(|| sums.weight().to_f64());
        for_each_count(counts, self.rates.ncols(), |column, count| {
            let Term { rate: (rate, rate_rest), log_rate: (log, log_rest) } = *self.term(class, column);
            let observed = || remaining(sums.weight(), &missing.get(column)).to_f64();
            let observed = none_missing.unwrap_or_else(observed);
            if count > 0.0 && log.is_finite() {
                total.add_product(count, log);
                total.add(count * log_rest);
            } else if count > 0.0 {
                total.add(log);
            }
            total.add_product(-observed, rate);
            total.add(-observed * rate_rest);
        })?;
        Some(total.value())
    }
}

impl Density for FittedPoisson {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        poisson(self.rates[[class, column]], rng)
    }
}
