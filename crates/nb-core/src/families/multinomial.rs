//! Multinomial: counts of events of several kinds, such as words in documents.

mod description;

use ndarray::{Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, Poisson as PoissonDistribution};

use exact_sums::{Dyadic, Exact, ExactSums, domain::MAX_ABS_VALUE};

use exact_sums::Compensated;

use crate::{
    data::Block,
    families::{gaussian::has_wide, sum_form::for_each_count},
    kernels::linear::{
        CountAccumulator, Counted, Divisor, Linear, Table, Value, add_counts, checked_counts,
        checked_wide_counts, overflows, tables_of_logs, times_log, whole_total,
    },
    model::{
        Accumulator, ClassSums, Density, Estimates, FamilyError, FamilyProblem, FeatureModel, LayoutError,
        Likelihood, Missing, Observed, ParameterError, Scores, Smoothing, SumForm, SumLayout, SumRule,
        ValueError, Weights, domain::check_counts, log_ratio::LogRatio, parameters::check_log_probabilities,
    },
};

/// The multinomial family: counts of events of several kinds, such as words in documents.
///
/// # Model
/// `log p(x | c) = Σ_j x_j log θ_cj`, without the multinomial coefficient, which no class depends on (it
/// enters only [`log_evidence`](crate::Classifier::log_evidence)). Counts may be fractional, such as tf-idf
/// weights.
///
/// # Sums kept
/// Per class and column `Σ w x`.
///
/// # Estimator
/// `θ_cj = (Σ x_j + l_j) / (Σ_j Σ x_j + Σ_j l_j)`: maximum likelihood for `l = 0`, else the posterior mean
/// under a Dirichlet prior.
///
/// # References
/// McCallum and Nigam (1998), *A comparison of event models for naive Bayes text classification*; Manning,
/// Raghavan and Schütze, *Introduction to Information Retrieval* (2008), 13.2.
///
/// # Example
///
/// ```
/// use nb_core::{CsrView, Multinomial, NaiveBayes};
///
/// // Introduction to Information Retrieval, example 13.1; columns:
/// // Beijing, Chinese, Japan, Macao, Shanghai, Tokyo
/// let x = CsrView::new(6, &[0, 2, 4, 6, 9], &[0, 1, 1, 4, 1, 3, 1, 2, 5], &[1.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])?;
/// let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, &["china", "china", "china", "not china"])?;
/// let chinese = classifier.likelihood().log_probabilities()[[0, 1]];
/// assert_eq!(chinese, (6.0_f64 / 14.0).ln());
///
/// let new = CsrView::new(6, &[0, 3], &[1, 2, 5], &[3.0, 1.0, 1.0])?;
/// assert_eq!(classifier.predict(&new)?, ["china"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct Multinomial {
    /// The pseudo-count `l`, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl FeatureModel for Multinomial {
    type Fitted = FittedMultinomial;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check_columns(n_columns)?;
        let rule = SumRule::Amounts { part: 0, of: Observed::All };
        Ok(SumLayout::new("multinomial", [("sum", n_columns)]).with_rules([rule]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check_counts(rows, self.missing).map(|_| ())
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        add_counts(rows, weights, &mut sums[0]);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        Some(Box::new(CountAccumulator::new(Counted::Value(self.missing), n_columns)))
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedMultinomial, FamilyError> {
        if let Some(fitted) = self.fit_whole(classes) {
            return Ok(fitted);
        }
        if has_wide(classes) {
            return self.fit_wide(classes);
        }
        let n_columns = classes.first().map_or(0, |class| class.part(0).len());
        let mut log_probabilities = Table::zeros(classes.len(), n_columns);
        let mut mean_totals = Vec::with_capacity(classes.len());
        let pseudo_counts = self.smoothing.total(n_columns);
        for (class, sums) in classes.iter().enumerate() {
            let counts = checked_counts(class, sums.part(0))?;
            let total = Exact::sum(counts.iter().flat_map(Exact::components).copied());
            let smoothed_total = &total + &pseudo_counts;
            if !smoothed_total.to_f64().is_finite() {
                return Err(FamilyError { class, column: 0, problem: FamilyProblem::TotalRange });
            }
            if smoothed_total.is_zero() {
                // All documents of the class are empty, and there is no prior to fall back on.
                return Err(FamilyError { class, column: 0, problem: FamilyProblem::NoData });
            }
            for (column, count) in counts.iter().enumerate() {
                let smoothed = count + &Exact::from(self.smoothing.get(column));
                log_probabilities.set(class, column, smoothed.ln_ratio(&smoothed_total));
            }
            mean_totals.push(total.to_f64() / sums.weight().to_f64());
        }
        let log_probabilities = Linear::without_base(log_probabilities);
        Ok(FittedMultinomial { missing: self.missing, log_probabilities, mean_totals })
    }
}

impl Multinomial {
    /// [`fit`](FeatureModel::fit) for counts of any size.
    fn fit_wide(&self, classes: &[ClassSums<'_>]) -> Result<FittedMultinomial, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(0).len());
        let mut log_probabilities = Table::zeros(classes.len(), n_columns);
        let mut mean_totals = Vec::with_capacity(classes.len());
        let pseudo_counts = Dyadic::from(&self.smoothing.total(n_columns));
        for (class, sums) in classes.iter().enumerate() {
            let counts = checked_wide_counts(class, sums.part(0))?;
            let total = counts.iter().fold(Dyadic::ZERO, |total, count| &total + count);
            let smoothed_total = &total + &pseudo_counts;
            if smoothed_total.is_zero() {
                return Err(FamilyError { class, column: 0, problem: FamilyProblem::NoData });
            }
            for (column, count) in counts.iter().enumerate() {
                let smoothed = count + &Dyadic::from(self.smoothing.get(column));
                log_probabilities.set(class, column, smoothed.ln_ratio(&smoothed_total));
            }
            mean_totals.push(total.divided_by(&Dyadic::from(sums.weight())).to_f64());
        }
        let log_probabilities = Linear::without_base(log_probabilities);
        Ok(FittedMultinomial { missing: self.missing, log_probabilities, mean_totals })
    }

    /// The same fit where all sums are whole numbers, without exact arithmetic for each; `None` if they are
    /// not, or there is an error to report.
    fn fit_whole(&self, classes: &[ClassSums<'_>]) -> Option<FittedMultinomial> {
        let n_columns = classes.first()?.part(0).len();
        let counts: Vec<&[f64]> =
            classes.iter().map(|class| class.part(0).as_plain()).collect::<Option<_>>()?;
        let totals: Vec<f64> = counts.iter().map(|counts| whole_total(counts)).collect::<Option<_>>()?;
        let pseudo_counts = self.smoothing.total(n_columns);
        let divisors = totals.iter().map(|&total| {
            let smoothed = &Exact::from(total) + &pseudo_counts;
            (!smoothed.is_zero()).then(|| Divisor::new(smoothed))
        });
        let divisors: Vec<Divisor> = divisors.collect::<Option<_>>()?;
        let [log_probabilities] = tables_of_logs(
            (classes.len(), n_columns),
            &self.smoothing,
            |class, column| counts[class][column],
            |class, count, l| [divisors[class].ln_ratio(count, l)],
        );
        let mean = |(class, total): (&ClassSums<'_>, &f64)| total / class.weight().to_f64();
        Some(FittedMultinomial {
            missing: self.missing,
            log_probabilities: Linear::without_base(log_probabilities),
            mean_totals: classes.iter().zip(&totals).map(mean).collect(),
        })
    }
}

/// A fitted multinomial family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedMultinomial {
    missing: Missing,
    /// `log θ`.
    log_probabilities: Linear,
    /// The mean row total of each class, for sampling.
    mean_totals: Vec<f64>,
}

impl FittedMultinomial {
    /// A fitted family from `log θ`, `n_classes × n_columns`. It is sampled with a mean row total of one.
    ///
    /// # Errors
    /// [`ParameterError`] if an entry is not the logarithm of a probability.
    pub fn new(log_probabilities: Array2<f64>, missing: Missing) -> Result<Self, ParameterError> {
        check_log_probabilities("log θ", &log_probabilities.view())?;
        let mean_totals = vec![1.0; log_probabilities.nrows()];
        let log_probabilities = Linear::without_base(Table::of(log_probabilities));
        Ok(Self { missing, log_probabilities, mean_totals })
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// `log θ`, the logarithms of the probabilities of the columns in each class, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{Multinomial, NaiveBayes};
    /// # use ndarray::array;
    /// let x = array![[2.0, 0.0], [1.0, 3.0]];
    /// let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, &["a", "b"])?;
    /// // (count + 1) / (total + 2 columns)
    /// let expected = array![[0.75, 0.25], [2.0 / 6.0, 4.0 / 6.0]].mapv(f64::ln);
    /// assert!((&classifier.likelihood().log_probabilities() - &expected).iter().all(|difference| difference.abs() < 1e-15));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_probabilities(&self) -> ArrayView2<'_, f64> {
        self.log_probabilities.table().view()
    }
}

impl Likelihood for FittedMultinomial {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.log_probabilities.table().dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        if check_counts(rows, self.missing)? {
            let table = self.log_probabilities.table();
            let logs = |column| (0..table.dim().0).map(move |class| table.get(class, column));
            return ValueError::first(rows.find_stored(|column, value| overflows(value, logs(column))));
        }
        Ok(())
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        times_log(value, self.log_probabilities.table().get(class, column))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        if check_counts(rows, self.missing)? {
            self.check(rows)?;
            scores.add_cells(rows, |class, column, value| self.log_likelihood(class, column, value));
            return Ok(());
        }
        // What is zero or not stored adds nothing to any class.
        self.log_probabilities.score(rows, scores);
        Ok(())
    }

    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.log_probabilities.estimate(rows, Value, estimates)
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedMultinomial {
    fn sum_layout(&self) -> Option<SumLayout> {
        Multinomial::default().layout(self.log_probabilities.table().dim().1).ok()
    }

    /// `Σ_j (Σ w x_j) log θ_cj`.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let table = self.log_probabilities.table();
        let [counts] = sums.parts() else { return None };
        let mut total = Compensated::default();
        for_each_count(counts, table.dim().1, |column, count| {
            // Most counts of a text model are zero; then the table is not asked.
            if count != 0.0 {
                total.add(times_log(count, table.get(class, column)));
            }
        })?;
        Some(total.value())
    }
}

impl Density for FittedMultinomial {
    /// The multinomial says nothing of the row total. It is taken to be Poisson with the mean of the class,
    /// which makes the columns independent Poisson variables.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        match libm::exp(self.log_probabilities.table().get(class, column)) {
            0.0 => 0.0,
            probability => poisson(self.mean_totals[class] * probability, rng),
        }
    }

    /// The multinomial coefficient `(Σ x)! / Π x!`, by way of the gamma function where counts are fractional:
    /// with it the density is that of the row given its total.
    fn add_log_base_measure(&self, rows: &Block<'_>, log_density: &mut [f64]) {
        let mut totals = vec![0.0; rows.n_rows()];
        let mut has_huge = false;
        rows.for_each_stored(|_, _, value| has_huge |= value > MAX_ABS_VALUE);
        if has_huge {
            rows.for_each_row(|row, cells| log_density[row] += huge_log_coefficient(cells));
            return;
        }
        rows.for_each_stored(|row, _, value| {
            if value > 0.0 {
                totals[row] += value;
                log_density[row] -= libm::lgamma(value + 1.0);
            }
        });
        for (density, total) in log_density.iter_mut().zip(totals) {
            *density += libm::lgamma(total + 1.0);
        }
    }
}

/// The logarithm of the multinomial coefficient of counts that may be beyond `2^400`, so that large terms do
/// not overflow one by one: `-Σ x log(x / n)` and, of Stirling's formula, what is left.
fn huge_log_coefficient(counts: &[f64]) -> f64 {
    /// Sums of so small a share of counts do not overflow.
    const SHARE: f64 = 1.0 / (1_u64 << 40) as f64;
    let rest = |count: f64| libm::lgamma(count + 1.0) - count * libm::log(count) + count;
    let half_log = |log: f64| 0.5 * (std::f64::consts::TAU.ln() + log);
    let rest = |count: f64| if count < 1e15 { rest(count) } else { half_log(libm::log(count)) };
    let counts = || counts.iter().copied().filter(|count| *count > 0.0);
    let total: f64 = counts().map(|count| count * SHARE).sum();
    let log_total = libm::log(total) - libm::log(SHARE);
    let entropy: f64 = counts().map(|count| count * (log_total - libm::log(count))).sum();
    let rests: f64 = counts().map(rest).sum();
    let own_rest = if total < 1e15 * SHARE { rest(total / SHARE) } else { half_log(log_total) };
    // Finite, so that an impossible row stays one.
    (entropy + own_rest - rests).clamp(-f64::MAX, f64::MAX)
}

/// A draw from the Poisson distribution; the mean itself where it is zero or beyond what can be drawn.
pub(crate) fn poisson(mean: f64, rng: &mut dyn Rng) -> f64 {
    PoissonDistribution::new(mean).map_or(mean, |distribution| distribution.sample(rng))
}
