//! Bernoulli: yes or no per column, such as whether a word occurs.

mod description;

use ndarray::{Array2, ArrayView2};
use rand::Rng;

use exact_sums::{Exact, ExactSums, domain::all_within};

use exact_sums::Compensated;

use crate::{
    data::Block,
    families::sum_form::for_each_count,
    kernels::{
        amortized::AmortizedLazy,
        linear::{
            Above, CountAccumulator, Counted, Divisor, Linear, Table, impossible, tables_of_logs, times_log,
            whole_total,
        },
        zero_row::Baseline,
    },
    model::{
        Accumulator, ClassSums, Density, Estimates, FamilyError, FamilyProblem, FeatureModel, LayoutError,
        Likelihood, Missing, Observed, ParameterError, Scores, Smoothing, SumForm, SumLayout, SumRule,
        ValueError, ValueProblem, Weights,
        domain::check_block,
        log_ratio::LogRatio,
        parameters::{check_log_probabilities, check_shape},
        random::uniform,
        remaining::remaining,
    },
};

/// The Bernoulli family: yes or no per column, such as whether a word occurs.
///
/// # Model
/// `x_j` above the threshold counts as 1, everything else as 0, and `log p(x | c) = Σ_j log p_cj` or `log(1 -
/// p_cj)`. Unlike in the multinomial model, what does not occur counts too.
///
/// # Sums kept
/// Per class and column the weight of the rows above the threshold, and that of missing cells.
///
/// # Estimator
/// `p_cj = (n_cj + l) / (n_c + 2l)`, with `n_c` the weight of the observed cells. `log(1 - p)` is computed
/// from the complementary count `n_c - n_cj + l` and is exact also where `p` is close to one.
///
/// # References
/// McCallum and Nigam (1998); Manning, Raghavan and Schütze, *Introduction to Information Retrieval* (2008),
/// 13.3.
///
/// # Example
///
/// ```
/// use nb_core::{Bernoulli, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
/// let classifier = NaiveBayes::new(Bernoulli::default()).fit(&x, &["a", "a", "b"])?;
/// assert_eq!(classifier.likelihood().log_probabilities()[[0, 0]], 0.75_f64.ln()); // (2 + 1) / (2 + 2)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct Bernoulli {
    /// A value above this counts as 1. The default is 0.
    pub threshold: f64,
    /// The pseudo-count `l` of either outcome, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

const ONES: usize = 0;
const MISSING: usize = 1;

impl FeatureModel for Bernoulli {
    type Fitted = FittedBernoulli;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        if !self.threshold.is_finite() {
            return Err(LayoutError::Parameter {
                name: "threshold",
                value: self.threshold,
                must_be: "finite",
            });
        }
        self.smoothing.check_columns(n_columns)?;
        // The sums depend on the threshold, so that it is part of the name. Adding 0 makes -0 and 0 the same.
        let family = format!("bernoulli above {:?}", self.threshold + 0.0);
        let layout = SumLayout::new(family, [("ones", n_columns), ("missing", n_columns)]);
        Ok(layout.with_rules([
            SumRule::Events { part: MISSING, of: Observed::All },
            SumRule::Events { part: ONES, of: Observed::Except(MISSING) },
        ]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows, self.missing)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [ones, missing] = sums else { return };
        let mut add = |row, column, value: f64| {
            if value > self.threshold {
                ones.add(column, weights.get(row));
            } else if value.is_nan() {
                missing.add(column, weights.get(row));
            }
        };
        if self.threshold >= 0.0 {
            rows.for_each_stored(add);
        } else {
            // Zeros that are not stored are above the threshold, too.
            rows.for_each_row(|row, cells| {
                cells.iter().enumerate().for_each(|(column, &value)| add(row, column, value));
            });
        }
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        Some(Box::new(CountAccumulator::new(Counted::Above(self.threshold), n_columns)))
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedBernoulli, FamilyError> {
        let [log_probabilities, log_complements] =
            self.fit_whole(classes).map_or_else(|| self.fit_exactly(classes), Ok)?;
        Ok(FittedBernoulli::of_tables(self.threshold, log_probabilities, log_complements, self.missing))
    }
}

impl Bernoulli {
    /// `log p` and `log(1 - p)`, whatever the sums.
    fn fit_exactly(&self, classes: &[ClassSums<'_>]) -> Result<[Table; 2], FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(ONES).len());
        let mut log_probabilities = Table::zeros(classes.len(), n_columns);
        let mut log_complements = Table::zeros(classes.len(), n_columns);
        for (class, sums) in classes.iter().enumerate() {
            for column in 0..n_columns {
                let l = Exact::from(self.smoothing.get(column));
                let ones = sums.part(ONES).get(column);
                let observed = sums.weight_without(MISSING, column);
                let zeros = remaining(&observed, &ones);
                if let Some(sum) = [&ones, &zeros].into_iter().find(|sum| sum.is_negative()) {
                    return Err(impossible(class, column, sum));
                }
                let total = &observed + &l.times(2.0);
                if total.is_zero() {
                    return Err(FamilyError { class, column, problem: FamilyProblem::NoData });
                }
                log_probabilities.set(class, column, (&ones + &l).ln_ratio(&total));
                log_complements.set(class, column, (&zeros + &l).ln_ratio(&total));
            }
        }
        Ok([log_probabilities, log_complements])
    }

    /// `log p` and `log(1 - p)` where all sums are whole numbers, no cell is missing and all columns are
    /// smoothed alike, without exact arithmetic for each; `None` if not, or there is an error to report.
    fn fit_whole(&self, classes: &[ClassSums<'_>]) -> Option<[Table; 2]> {
        let n_columns = classes.first()?.part(ONES).len();
        let l = Exact::from(self.smoothing.get(0));
        let mut ones = Vec::with_capacity(classes.len());
        let mut totals = Vec::with_capacity(classes.len());
        for class in classes {
            let (observed, counts) = (class.weight(), class.part(ONES).as_plain()?);
            let too_many = |count: &&f64| **count > observed.to_f64();
            let usable = class.part(MISSING).is_zero()
                && self.smoothing.as_slice().is_none()
                && observed.components().len() == 1
                && whole_total(&[observed.to_f64()]).is_some()
                && whole_total(counts).is_some()
                // Without a branch for each.
                && counts.iter().filter(too_many).count() == 0;
            let divisor = observed + &l.times(2.0);
            if !usable || divisor.is_zero() {
                return None;
            }
            ones.push(counts);
            totals.push((observed.to_f64(), Divisor::new(divisor)));
        }
        let shape = (classes.len(), n_columns);
        let counts = |class: usize, column: usize| ones[class][column];
        Some(tables_of_logs(shape, &self.smoothing, counts, |class, ones, l| {
            let (observed, divisor) = &totals[class];
            [divisor.ln_ratio(ones, l), divisor.ln_ratio(observed - ones, l)]
        }))
    }
}

/// A fitted Bernoulli family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedBernoulli {
    threshold: f64,
    missing: Missing,
    /// `log p`.
    log_probabilities: Table,
    /// `log(1 - p)`.
    log_complements: Table,
    /// The scores of a row of zeros.
    baseline: Baseline,
    /// Plain scores: those of a row of zeros, and what a one adds to them.
    odds: AmortizedLazy<Linear>,
}

impl FittedBernoulli {
    /// A fitted family from `log p` and `log(1 - p)`, both `n_classes × n_columns`.
    ///
    /// # Errors
    /// [`ParameterError`] if the shapes differ or an entry is not the logarithm of a probability.
    pub fn new(
        threshold: f64,
        log_probabilities: Array2<f64>,
        log_complements: Array2<f64>,
        missing: Missing,
    ) -> Result<Self, ParameterError> {
        check_shape("log(1 - p)", &log_complements.view(), log_probabilities.dim())?;
        check_log_probabilities("log p", &log_probabilities.view())?;
        check_log_probabilities("log(1 - p)", &log_complements.view())?;
        let tables = (Table::of(log_probabilities), Table::of(log_complements));
        Ok(Self::of_tables(threshold, tables.0, tables.1, missing))
    }

    fn of_tables(threshold: f64, log_probabilities: Table, log_complements: Table, missing: Missing) -> Self {
        let baseline = Baseline::new(&log_complements);
        Self {
            threshold,
            missing,
            log_probabilities,
            log_complements,
            baseline,
            odds: AmortizedLazy::default(),
        }
    }

    /// Plain scores if they pay for this many cells about to be estimated; none where a zero is impossible.
    fn odds(&self, n_cells: usize) -> Option<&Linear> {
        // Few rows are scored in full: the table has an entry for each class and column.
        let (_, cost) = self.log_probabilities.dim();
        let make = || Linear::new(self.log_probabilities.minus(&self.log_complements), self.baseline.plain());
        self.baseline.is_possible().then(|| self.odds.get(n_cells, cost, make))?
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// A value above this counts as 1.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// `log p`, the logarithms of the probabilities of a one, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{Bernoulli, Missing, NaiveBayes, fitted::FittedBernoulli};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [0.0], [1.0], [1.0]];
    /// # let classifier = NaiveBayes::new(Bernoulli::default()).fit(&x, &["a", "a", "b", "b"])?;
    /// // (ones + 1) / (rows + 2)
    /// assert_eq!(classifier.likelihood().log_probabilities(), array![[0.5_f64.ln()], [0.75_f64.ln()]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_probabilities(&self) -> ArrayView2<'_, f64> {
        self.log_probabilities.view()
    }

    /// `log(1 - p)`, the logarithms of the probabilities of a zero, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{Bernoulli, Missing, NaiveBayes, fitted::FittedBernoulli};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [0.0], [1.0], [1.0]];
    /// # let classifier = NaiveBayes::new(Bernoulli::default()).fit(&x, &["a", "a", "b", "b"])?;
    /// assert_eq!(classifier.likelihood().log_complements(), array![[0.5_f64.ln()], [0.25_f64.ln()]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_complements(&self) -> ArrayView2<'_, f64> {
        self.log_complements.view()
    }
}

/// Refuses the first stored cell that cannot be compared.
fn check(rows: &Block<'_>, missing: Missing) -> Result<(), ValueError> {
    if rows.doubles().is_some_and(|rows| all_within(rows.stored(), f64::MAX)) {
        return Ok(());
    }
    check_block(rows, |value| problem(value, missing))
}

/// The threshold compares any number, infinities included, so that only NaN can be wrong.
fn problem(value: f64, missing: Missing) -> Option<ValueProblem> {
    if value.is_infinite() {
        return Some(ValueProblem::Infinite);
    }
    (value.is_nan() && missing == Missing::Error).then_some(ValueProblem::Missing)
}

impl Likelihood for FittedBernoulli {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.log_probabilities.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows, self.missing)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value > self.threshold {
            self.log_probabilities.get(class, column)
        } else if value.is_nan() {
            0.0
        } else {
            self.log_complements.get(class, column)
        }
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        match rows {
            // Work proportional to what is stored: the scores of a row of zeros, corrected where there is no
            // zero.
            Block::Sparse(sparse) if self.threshold >= 0.0 => {
                let (zeros, ones) = (&self.log_complements, &self.log_probabilities);
                self.baseline.add_ones(zeros, ones, self.threshold, sparse, scores);
            }
            _ => {
                let nothing = vec![0.0; scores.n_classes()];
                // Chosen by index, as nobody can predict which it is.
                let tables = [&self.log_complements, &self.log_probabilities];
                scores.add_terms(rows, |column, value| {
                    let is_one = usize::from(value > self.threshold);
                    if value.is_nan() { &nothing } else { tables[is_one].column(column) }
                });
            }
        }
        Ok(())
    }

    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        // Zeros that are not stored are above a threshold that is negative.
        let usable = rows.doubles().filter(|_| self.threshold >= 0.0 || rows.is_dense());
        let odds = usable.and_then(|rows| self.odds(rows.stored().len()));
        odds.is_some_and(|odds| odds.estimate(rows, Above(self.threshold), estimates))
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedBernoulli {
    fn sum_layout(&self) -> Option<SumLayout> {
        let (_, n_columns) = self.log_probabilities.dim();
        Bernoulli { threshold: self.threshold, ..Bernoulli::default() }.layout(n_columns).ok()
    }

    /// `Σ_j n_cj log p_cj + (n_c - n_cj) log(1 - p_cj)`, with `n_c` the weight of the observed cells.
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let [ones, missing] = sums.parts() else { return None };
        let mut total = Compensated::default();
        let mut add = |column, ones, zeros| {
            total.add(times_log(ones, self.log_probabilities.get(class, column)));
            total.add(times_log(zeros, self.log_complements.get(class, column)));
        };
        let (_, n_columns) = self.log_probabilities.dim();
        match (ones.as_plain(), sums.weight().components()) {
            // The difference of two doubles rounds to zero only where it is zero.
            (Some(_), &[observed]) if missing.is_zero() => {
                for_each_count(ones, n_columns, |column, ones| add(column, ones, observed - ones))?;
            }
            _ if ones.len() == n_columns => {
                for (column, ones) in ones.iter().enumerate() {
                    let zeros = remaining(&remaining(sums.weight(), &missing.get(column)), &ones);
                    add(column, ones.to_f64(), zeros.to_f64());
                }
            }
            _ => return None,
        }
        Some(total.value())
    }
}

impl Density for FittedBernoulli {
    /// Draws 1 or 0, or where these are on the same side of the threshold, the threshold plus 1 or the
    /// threshold.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let usual = (0.0..1.0).contains(&self.threshold);
        let (one, zero) = if usual { (1.0, 0.0) } else { (self.threshold + 1.0, self.threshold) };
        if uniform(rng) < libm::exp(self.log_probabilities.get(class, column)) { one } else { zero }
    }
}
