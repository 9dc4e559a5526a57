//! Complement: multinomial text classification by what the other classes are like.

mod description;

use ndarray::{Array2, ArrayView2};

use exact_sums::{Dyadic, Exact, ExactSums};

use crate::{
    data::Block,
    families::gaussian::has_wide,
    kernels::linear::{
        CountAccumulator, Counted, Divisor, Linear, Table, Value, add_counts, checked_counts,
        checked_wide_counts, tables_of_logs, times_log, whole_total,
    },
    model::{
        Accumulator, ClassSums, Estimates, FamilyError, FamilyProblem, FeatureModel, LayoutError, Likelihood,
        Missing, Observed, ParameterError, Scores, Smoothing, SumLayout, SumRule, ValueError, ValueProblem,
        Weights, domain::check_counts, log_ratio::LogRatio, parameters::check_values,
    },
};

/// The complement family: multinomial text classification by what the other classes are like.
///
/// # Model
/// Class `c` scores `Σ_j x_j w_cj` with `w_cj = -log θ'_cj`, where `θ'_cj` is the multinomial estimate from
/// the rows of all *other* classes. It is meant for classes of very different sizes. The scores are not
/// likelihoods: there is no evidence and nothing to sample, so [`FittedComplement`] is no
/// [`Density`](crate::Density). Rennie et al. leave the prior out; use
/// [`Prior::Uniform`](crate::Prior::Uniform) for that.
///
/// The score of a class is linear in the sums of rows, but what it adds up to is
/// no [log-likelihood of these rows](crate::family::SumForm), and there is none: it has no upper
/// bound and grows for the true class and all others together as `l` goes to zero, so that comparing it
/// between hyper-parameters would say nothing. Compare complement models by the labels that they give to rows
/// held out.
///
/// # Sums kept
/// Per class and column `Σ w x`, as for the multinomial family.
///
/// # Estimator
/// `θ'_cj = (N_j - N_cj + l_j) / Σ_j (N_j - N_cj + l_j)`; with weight normalisation `w_cj / Σ_j |w_cj|`.
///
/// # References
/// Rennie, Shih, Teevan and Karger (2003), *Tackling the poor assumptions of naive Bayes text classifiers*,
/// ICML, sections 3.1 and 3.2.
///
/// # Example
///
/// ```
/// use nb_core::{Complement, NaiveBayes, Prior};
/// use ndarray::array;
///
/// let x = array![[3.0, 0.0, 1.0], [2.0, 1.0, 0.0], [0.0, 4.0, 1.0]];
/// let naive_bayes = NaiveBayes { model: Complement::default(), prior: Prior::Uniform };
/// let classifier = naive_bayes.fit(&x, &["a", "a", "b"])?;
/// assert_eq!(classifier.predict(&array![[1.0, 0.0, 0.0]])?, ["a"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct Complement {
    /// The pseudo-count `l`, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// Whether the weights of each class are divided by the sum of their sizes (Rennie et al., 3.2).
    pub normalize: bool,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl FeatureModel for Complement {
    type Fitted = FittedComplement;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check_columns(n_columns)?;
        // The sums are those of the multinomial family, and either can be fitted from them.
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

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedComplement, FamilyError> {
        if classes.len() < 2 {
            return Err(FamilyError { class: 0, column: 0, problem: FamilyProblem::OneClass });
        }
        if let Some(weights) = self.fit_whole(classes) {
            return Ok(self.finish(weights));
        }
        if has_wide(classes) {
            return Ok(self.finish(self.fit_wide(classes)?));
        }
        let n_columns = classes[0].part(0).len();
        let counts = classes.iter().enumerate().map(|(class, sums)| checked_counts(class, sums.part(0)));
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let totals: Vec<Exact> = (0..n_columns)
            .map(|column| Exact::sum(counts.iter().flat_map(|class| class[column].components()).copied()))
            .collect();
        let mut weights = Table::zeros(classes.len(), n_columns);
        for (class, counts) in counts.iter().enumerate() {
            let smoothed = |column: usize| {
                &(&totals[column] - &counts[column]) + &Exact::from(self.smoothing.get(column))
            };
            let others: Vec<Exact> = (0..n_columns).map(smoothed).collect();
            if let Some(column) = others.iter().position(Exact::is_zero) {
                return Err(FamilyError { class, column, problem: FamilyProblem::InfiniteWeight });
            }
            let total = Exact::sum(others.iter().flat_map(Exact::components).copied());
            if !total.to_f64().is_finite() {
                return Err(FamilyError { class, column: 0, problem: FamilyProblem::TotalRange });
            }
            for (column, other) in others.iter().enumerate() {
                weights.set(class, column, -other.ln_ratio(&total));
            }
        }
        Ok(self.finish(weights))
    }
}

impl Complement {
    /// The weights `-log θ'` for counts of any size.
    fn fit_wide(&self, classes: &[ClassSums<'_>]) -> Result<Table, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(0).len());
        let counts = classes.iter().enumerate().map(|(class, sums)| checked_wide_counts(class, sums.part(0)));
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let sum =
            |terms: &mut dyn Iterator<Item = &Dyadic>| terms.fold(Dyadic::ZERO, |sum, term| &sum + term);
        let totals: Vec<Dyadic> =
            (0..n_columns).map(|column| sum(&mut counts.iter().map(|class| &class[column]))).collect();
        let mut weights = Table::zeros(classes.len(), n_columns);
        for (class, counts) in counts.iter().enumerate() {
            let smoothed = |column: usize| {
                &(&totals[column] - &counts[column]) + &Dyadic::from(self.smoothing.get(column))
            };
            let others: Vec<Dyadic> = (0..n_columns).map(smoothed).collect();
            if let Some(column) = others.iter().position(Dyadic::is_zero) {
                return Err(FamilyError { class, column, problem: FamilyProblem::InfiniteWeight });
            }
            let total = sum(&mut others.iter());
            for (column, other) in others.iter().enumerate() {
                weights.set(class, column, -other.ln_ratio(&total));
            }
        }
        Ok(weights)
    }

    /// The weights `-log θ'` where all sums are whole numbers, without exact arithmetic for each; `None` if
    /// they are not, or there is an error to report.
    fn fit_whole(&self, classes: &[ClassSums<'_>]) -> Option<Table> {
        let n_columns = classes.first()?.part(0).len();
        let counts: Vec<&[f64]> =
            classes.iter().map(|class| class.part(0).as_plain()).collect::<Option<_>>()?;
        let class_totals: Vec<f64> =
            counts.iter().map(|counts| whole_total(counts)).collect::<Option<_>>()?;
        let mut totals = vec![0.0; n_columns];
        for counts in &counts {
            totals.iter_mut().zip(*counts).for_each(|(total, count)| *total += count);
        }
        // Whole and small as a sum, so that no sum of some of them has rounded.
        let total = whole_total(&totals)?;
        let pseudo_counts = self.smoothing.total(n_columns);
        let divisors: Vec<Divisor> = class_totals
            .iter()
            .map(|class_total| Divisor::new(&Exact::from(total - class_total) + &pseudo_counts))
            .collect();
        let others = |class: usize, column: usize| totals[column] - counts[class][column];
        let shape = (classes.len(), n_columns);
        let [weights] = tables_of_logs(shape, &self.smoothing, others, |class, count, l| {
            [-divisors[class].ln_ratio(count, l)]
        });
        weights.entries().iter().all(|weight| weight.is_finite()).then_some(weights)
    }

    fn finish(&self, mut weights: Table) -> FittedComplement {
        if self.normalize {
            for class in 0..weights.dim().0 {
                let size = Exact::sum(weights.class(class)).to_f64();
                for column in 0..weights.dim().1 {
                    // With a single column every weight is log 1 = 0, and so is their sum.
                    let weight = if size == 0.0 { 0.0 } else { weights.get(class, column) / size };
                    weights.set(class, column, weight);
                }
            }
        }
        FittedComplement { missing: self.missing, weights: Linear::without_base(weights) }
    }
}

/// A fitted complement family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedComplement {
    missing: Missing,
    weights: Linear,
}

impl FittedComplement {
    /// A fitted family from weights, `n_classes × n_columns`.
    ///
    /// # Errors
    /// [`ParameterError`] if a weight is not finite.
    pub fn new(weights: Array2<f64>, missing: Missing) -> Result<Self, ParameterError> {
        check_values("a weight", &weights.view(), "finite", f64::is_finite)?;
        Ok(Self { missing, weights: Linear::without_base(Table::of(weights)) })
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The weights `w`, `n_classes × n_columns`; the class with the largest `Σ x w` wins.
    ///
    /// ```
    /// # use nb_core::{Complement, NaiveBayes};
    /// # use ndarray::array;
    /// let x = array![[2.0, 0.0], [0.0, 3.0]];
    /// let classifier = NaiveBayes::new(Complement::default()).fit(&x, &["a", "b"])?;
    /// let weights = classifier.likelihood().weights();
    /// assert!(weights[[0, 0]] > weights[[1, 0]]); // the first column speaks for "a"
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weights(&self) -> ArrayView2<'_, f64> {
        self.weights.table().view()
    }

    /// The first cell up to which a row has an infinite score for some class, which would beat all others.
    fn first_overflow(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        let table = self.weights.table();
        let mut scores = vec![0.0; table.dim().0];
        let (mut current, mut first) = (0, None);
        rows.for_each_stored(|row, column, count| {
            if row != current {
                current = row;
                scores.fill(0.0);
            }
            if count.is_nan() || first.is_some() {
                return;
            }
            for (class, score) in scores.iter_mut().enumerate() {
                *score += times_log(count, table.get(class, column));
            }
            if scores.iter().any(|score| !score.is_finite()) {
                first = Some(ValueError { row, column, value: count, reason: ValueProblem::Unscorable });
            }
        });
        first.map_or(Ok(()), Err)
    }
}

impl Likelihood for FittedComplement {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.weights.table().dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        if check_counts(rows, self.missing)? {
            return self.first_overflow(rows);
        }
        Ok(())
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        times_log(value, self.weights.table().get(class, column))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        if check_counts(rows, self.missing)? {
            self.check(rows)?;
            scores.add_cells(rows, |class, column, value| self.log_likelihood(class, column, value));
            return Ok(());
        }
        self.weights.score(rows, scores);
        Ok(())
    }

    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.weights.estimate(rows, Value, estimates)
    }
}
