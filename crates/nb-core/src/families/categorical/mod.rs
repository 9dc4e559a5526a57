//! Categorical: one of K categories per column.

mod description;

use ndarray::{Array2, ArrayView2};
use rand::Rng;

use nb_simd::InstructionSet;

use exact_sums::{Exact, ExactSums};

use crate::kernels::codes::{
    column::Column,
    histogram::{Histogram, ToCodes},
    lookup::{Estimate, Lookup, Terms},
    registers,
};
use exact_sums::Compensated;

use crate::{
    data::{Block, Dense},
    families::sum_form::for_each_count,
    kernels::{
        by_class_vectors::score_rows,
        linear::{checked_counts, times_log},
    },
    model::{
        Accumulator, ClassRows, ClassSums, Density, Estimates, FamilyError, FamilyProblem, FeatureModel,
        LayoutError, Likelihood, Missing, ParameterError, Scores, Smoothing, SumForm, SumLayout, SumRule,
        ValueError, ValueProblem, Weights,
        log_ratio::LogRatio,
        parameters::{check_log_probabilities, check_shape},
        random::draw_index,
    },
};

/// The largest category code. Larger ones are taken for a mistake, since every code up to the largest costs
/// memory.
pub const LARGEST_CODE: usize = (1 << 20) - 1;

/// The most categories that all columns together may declare.
const MOST_DECLARED: f64 = (1 << 24) as f64;

/// How many categories the columns have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Categories {
    /// `K_j` is the number of distinct codes that the training rows have in the column, over all classes.
    #[default]
    Inferred,
    /// `K_j` is given for each column; codes are below it. A category not seen in training is smoothed like
    /// any other.
    Declared(Vec<usize>),
}

/// What to do with a category not seen in training, when a row is scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Unseen {
    /// Refuse the row, naming the cell.
    #[default]
    Error,
    /// The cell adds nothing to any class, like a missing one.
    Ignore,
    /// Reserve one further category in every column for all that is unseen: `K_j` counts one more, and an
    /// unseen value has the probability `l / (n_cj + l K_j)`.
    Other,
}

/// The categorical family: one of K categories per column.
///
/// # Model
/// `log p(x_j = k | c) = log θ_cjk`, with categories coded as 0, 1, 2, ...
///
/// # Sums kept
/// Per class, column and category the weight of the rows.
///
/// # Estimator
/// `θ_cjk = (n_cjk + l) / (n_cj + l K_j)`, where `n_cj` is the weight of the rows of class `c` in which
/// column `j` was observed and `K_j` the number of categories of the column: maximum likelihood for `l = 0`,
/// else the posterior mean under a symmetric Dirichlet prior.
///
/// # References
/// Murphy, *Machine Learning: A Probabilistic Perspective* (2012), 3.5; Mitchell, *Machine Learning* (1997),
/// 6.9.
///
/// # Example
///
/// ```
/// use nb_core::{Categorical, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[0.0, 1.0], [0.0, 0.0], [1.0, 1.0], [2.0, 1.0]];
/// let classifier = NaiveBayes::new(Categorical::default()).fit(&x, &["a", "a", "b", "b"])?;
/// // Column 0 has three categories; two of two rows of "a" have category 0, so (2 + 1) / (2 + 3).
/// assert_eq!(classifier.likelihood().log_probability(0, 0, 0), Some(0.6_f64.ln()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct Categorical {
    /// How many categories the columns have.
    pub categories: Categories,
    /// The pseudo-count `l`, the same for all columns or one per column.
    pub smoothing: Smoothing,
    /// What to do with unseen categories in prediction.
    pub unseen: Unseen,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl Categories {
    /// The declared number of categories of a column, if there is one.
    pub fn declared(&self, column: usize) -> Option<usize> {
        match self {
            Self::Inferred => None,
            Self::Declared(counts) => counts.get(column).copied(),
        }
    }
}

impl Categorical {
    /// The codes that count as categories of a column: all declared ones, or those that any class has.
    fn known_codes(&self, column: usize, counts: &[Vec<Exact>]) -> Vec<usize> {
        if let Some(declared) = self.categories.declared(column) {
            return (0..declared).collect();
        }
        let longest = counts.iter().map(Vec::len).max().unwrap_or(0);
        let seen = |code: &usize| counts.iter().any(|class| class.get(*code).is_some_and(|n| !n.is_zero()));
        (0..longest).filter(seen).collect()
    }

    /// The probabilities of one column; `counts` are by class, then code.
    fn fit_column(&self, column: usize, counts: &[Vec<Exact>]) -> Result<Column, FamilyError> {
        let codes = self.known_codes(column, counts);
        let other = (self.unseen == Unseen::Other).then_some(codes.len());
        let n_categories = codes.len() + usize::from(other.is_some());
        let (l, never) = (Exact::from(self.smoothing.get(column)), Exact::ZERO);
        let mut log_probabilities = Array2::zeros((n_categories, counts.len()));
        for (class, counts) in counts.iter().enumerate() {
            let observed = Exact::sum(counts.iter().flat_map(Exact::components).copied());
            let total = &observed + &l.times(n_categories as f64);
            if total.is_zero() {
                return Err(FamilyError { class, column, problem: FamilyProblem::NoData });
            }
            for (category, out) in log_probabilities.column_mut(class).iter_mut().enumerate() {
                let count = codes.get(category).and_then(|&code| counts.get(code)).unwrap_or(&never);
                *out = (count + &l).ln_ratio(&total);
            }
        }
        Ok(Column::new(codes, other, log_probabilities))
    }
}

/// One part per column: the counts by code.
impl FeatureModel for Categorical {
    type Fitted = FittedCategorical;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check_columns(n_columns)?;
        if let Categories::Declared(counts) = &self.categories {
            if counts.len() != n_columns {
                return Err(LayoutError::Length {
                    name: "declared categories",
                    found: counts.len(),
                    n_columns,
                });
            }
            if let Some(&count) = counts.iter().find(|count| !(1..=LARGEST_CODE + 1).contains(*count)) {
                let (name, must_be) = ("a declared number of categories", "from 1 to 1048576");
                return Err(LayoutError::Parameter { name, value: count as f64, must_be });
            }
            // Every declared category costs memory in fitting, whether a row has it or not.
            let total: f64 = counts.iter().map(|&count| count as f64).sum();
            if total > MOST_DECLARED {
                let (name, must_be) = ("the total of declared categories", "at most 16777216");
                return Err(LayoutError::Parameter { name, value: total, must_be });
            }
        }
        // Parts grow with the largest code, so that declared and found categories have the same sums.
        let layout = SumLayout::new("categorical", (0..n_columns).map(|_| ("counts", 0)));
        Ok(layout.with_rules([SumRule::Categories { first: 0, n_columns }]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        ValueError::first(rows.find_stored(|column, value| {
            code_problem(value, self.missing).or_else(|| {
                let n_categories = self.categories.declared(column)?;
                (value >= n_categories as f64).then_some(ValueProblem::Undeclared { n_categories })
            })
        }))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        rows.for_each_row(|row, cells| {
            for (sums, &value) in sums.iter_mut().zip(cells) {
                if !value.is_nan() {
                    let code = value as usize;
                    sums.grow(code + 1);
                    sums.add(code, weights.get(row));
                }
            }
        });
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        let histogram = Histogram::new(n_columns);
        Some(Box::new(CodeAccumulator { categories: &self.categories, histogram, bytes: Vec::new() }))
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedCategorical, FamilyError> {
        let n_columns = classes.first().map_or(0, ClassSums::n_parts);
        let columns = (0..n_columns).map(|column| {
            let counts = classes.iter().enumerate().map(|(class, sums)| {
                checked_counts(class, sums.part(column)).map_err(|error| FamilyError { column, ..error })
            });
            self.fit_column(column, &counts.collect::<Result<Vec<_>, _>>()?)
        });
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(FittedCategorical::of_columns(columns, self.unseen, self.missing))
    }
}

/// Gathers rows all of whose codes fit into a byte. Those with others, missing cells or errors are left to
/// the family.
struct CodeAccumulator<'a> {
    categories: &'a Categories,
    histogram: Histogram,
    /// Memory for the codes of a block.
    bytes: Vec<u8>,
}

impl CodeAccumulator<'_> {
    fn are_declared(&self, codes: &Dense<'_, u8>) -> bool {
        let Categories::Declared(counts) = self.categories else { return true };
        let is_declared = |(&code, &count): (&u8, &usize)| usize::from(code) < count;
        counts.iter().all(|&count| count > 255)
            || codes.rows().all(|row| row.iter().zip(counts).all(is_declared))
    }

    /// Adds codes; whether it did.
    fn add_codes(&mut self, codes: &Dense<'_, u8>, rows: &ClassRows<'_>) -> bool {
        self.are_declared(codes) && self.histogram.add(codes, rows.n_classes(), |class| rows.of_class(class))
    }
}

impl Accumulator for CodeAccumulator<'_> {
    fn add(&mut self, rows: &ClassRows<'_>) -> Result<bool, ValueError> {
        let dense = match rows.block() {
            Block::U8(codes) => return Ok(self.add_codes(&codes, rows)),
            Block::F64(dense) => dense,
            _ => return Ok(false),
        };
        let mut bytes = std::mem::take(&mut self.bytes);
        let are_codes = InstructionSet::current().run(ToCodes { values: dense.values(), codes: &mut bytes });
        let codes = Dense::new(&bytes, dense.n_rows(), dense.n_columns());
        let added = codes.filter(|_| are_codes).is_some_and(|codes| self.add_codes(&codes, rows));
        self.bytes = bytes;
        Ok(added)
    }

    fn finish(&mut self, class: usize, sums: &mut [ExactSums]) {
        self.histogram.take(class, sums);
    }
}

/// A fitted categorical family.
#[derive(Clone, Debug)]
pub struct FittedCategorical {
    missing: Missing,
    unseen: Unseen,
    columns: Vec<Column>,
    /// The same for codes of one byte, unless it would be too large.
    lookup: Option<Lookup>,
}

/// The table for codes of one byte says what the columns say.
impl PartialEq for FittedCategorical {
    fn eq(&self, other: &Self) -> bool {
        (self.missing, self.unseen) == (other.missing, other.unseen) && self.columns == other.columns
    }
}

impl FittedCategorical {
    /// A fitted family from `log θ` of each column, `n_categories × n_classes`, for the codes 0, 1, 2, ...
    ///
    /// # Errors
    /// [`ParameterError`] if the columns differ in their classes or an entry is not the logarithm of a
    /// probability.
    pub fn new(
        log_probabilities: Vec<Array2<f64>>,
        unseen: Unseen,
        missing: Missing,
    ) -> Result<Self, ParameterError> {
        let n_classes = log_probabilities.first().map_or(0, Array2::ncols);
        let columns = log_probabilities.into_iter().map(|table| {
            check_shape("log θ of a column", &table.view(), (table.nrows(), n_classes))?;
            check_log_probabilities("log θ of a column", &table.view())?;
            let codes: Vec<usize> = (0..table.nrows()).collect();
            let categories = codes.iter().copied().map(Some).collect();
            Ok(Column { codes, categories, other: None, log_probabilities: table })
        });
        Ok(Self::of_columns(columns.collect::<Result<_, _>>()?, unseen, missing))
    }

    /// A fitted family from the category codes of each column, which increase, and `log θ`, `n_categories ×
    /// n_classes`: a row for each code, then with [`Unseen::Other`] one for the reserved other category.
    ///
    /// ```
    /// use nb_core::{Likelihood, Missing, Unseen, fitted::FittedCategorical};
    /// use ndarray::array;
    ///
    /// let column = (vec![0, 7], array![[0.25_f64.ln(), 0.5_f64.ln()], [0.75_f64.ln(), 0.5_f64.ln()]]);
    /// let fitted = FittedCategorical::of_codes(vec![column], Unseen::Ignore, Missing::Error)?;
    /// assert_eq!(fitted.log_likelihood(0, 0, 7.0), 0.75_f64.ln());
    /// assert_eq!(fitted.log_likelihood(0, 0, 3.0), 0.0);
    /// # Ok::<(), nb_core::error::ParameterError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if codes do not increase or are too large, a table has another number of rows or
    /// classes, or an entry is not the logarithm of a probability.
    pub fn of_codes(
        columns: Vec<(Vec<usize>, Array2<f64>)>,
        unseen: Unseen,
        missing: Missing,
    ) -> Result<Self, ParameterError> {
        let n_classes = columns.first().map_or(0, |(_, table)| table.ncols());
        let columns = columns.into_iter().enumerate().map(|(place, (codes, table))| {
            let other = (unseen == Unseen::Other).then_some(codes.len());
            let n_categories = codes.len() + usize::from(other.is_some());
            check_shape("log θ of a column", &table.view(), (n_categories, n_classes))?;
            check_log_probabilities("log θ of a column", &table.view())?;
            let is_valid = |position: usize| {
                codes[position] <= LARGEST_CODE && (position == 0 || codes[position - 1] < codes[position])
            };
            if let Some(row) = (0..codes.len()).find(|&position| !is_valid(position)) {
                let (name, must_be) =
                    ("the category code of a column", "above the one before, and at most 1048575");
                let value = codes[row] as f64;
                return Err(ParameterError::Value { name, row, column: place, value, must_be });
            }
            Ok(Column::new(codes, other, table))
        });
        Ok(Self::of_columns(columns.collect::<Result<_, _>>()?, unseen, missing))
    }

    fn of_columns(columns: Vec<Column>, unseen: Unseen, missing: Missing) -> Self {
        let mut fitted = Self { missing, unseen, columns, lookup: None };
        fitted.lookup = Lookup::new(&fitted.columns, fitted.unseen == Unseen::Error);
        fitted
    }

    #[cfg(test)]
    pub(crate) fn lookup(&self) -> Option<&Lookup> {
        self.lookup.as_ref()
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// What is done with categories not seen in training.
    pub fn unseen(&self) -> Unseen {
        self.unseen
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// `log θ` of a category code in a class and column; for a code that is no category that of the reserved
    /// other category. `None` if there is none or class or column do not exist.
    pub fn log_probability(&self, class: usize, column: usize, code: usize) -> Option<f64> {
        let column = self.columns.get(column)?;
        let category = column.categories.get(code).copied().flatten().or(column.other)?;
        column.log_probabilities.get([category, class]).copied()
    }

    /// `log θ` of a column, `n_categories × n_classes`: the categories in the order of
    /// [`codes`](Self::codes), then the reserved other category if there is one. `None` if there is no
    /// such column.
    pub fn log_probabilities(&self, column: usize) -> Option<ArrayView2<'_, f64>> {
        self.columns.get(column).map(|column| column.log_probabilities.view())
    }

    /// The category codes of a column, increasing; empty if there is no such column.
    pub fn codes(&self, column: usize) -> &[usize] {
        self.columns.get(column).map_or(&[], |column| &column.codes)
    }

    fn problem(&self, column: usize, value: f64) -> Option<ValueProblem> {
        code_problem(value, self.missing).or_else(|| {
            let refused = self.unseen == Unseen::Error && !value.is_nan();
            (refused && self.columns[column].category(value).is_none()).then_some(ValueProblem::Unseen)
        })
    }
}

/// What keeps a value from being a category code, if anything.
#[inline]
fn code_problem(value: f64, missing: Missing) -> Option<ValueProblem> {
    if value >= 0.0 && value <= LARGEST_CODE as f64 && value.fract() == 0.0 {
        return None;
    }
    Some(if value.is_nan() {
        return (missing == Missing::Error).then_some(ValueProblem::Missing);
    } else if value.is_infinite() {
        ValueProblem::Infinite
    } else if value < 0.0 {
        ValueProblem::Negative
    } else if value.fract() != 0.0 {
        ValueProblem::Fractional
    } else {
        ValueProblem::CodeTooLarge { largest: LARGEST_CODE }
    })
}

impl Likelihood for FittedCategorical {
    fn shape(&self) -> Option<(usize, usize)> {
        let n_classes = self.columns.first().map_or(0, |column| column.log_probabilities.ncols());
        Some((n_classes, self.columns.len()))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        if self.with_codes(rows, Lookup::knows_all) == Some(true) {
            return Ok(());
        }
        let stored = rows.find_stored(|column, value| self.problem(column, value));
        ValueError::first(stored)?;
        if let (Block::Sparse(_), Unseen::Error) = (rows, self.unseen) {
            // Cells that are not stored are category 0, which may be unseen, too.
            let mut found = None;
            rows.for_each_row(|row, cells| {
                if found.is_none() {
                    let mut cells = cells.iter().enumerate();
                    let unseen = cells.find(|&(column, &value)| self.problem(column, value).is_some());
                    found = unseen.map(|(column, &value)| (row, column, value, ValueProblem::Unseen));
                }
            });
            return ValueError::first(found);
        }
        Ok(())
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let column = &self.columns[column];
        let category = if value.is_nan() { None } else { column.category(value) };
        category.map_or(0.0, |category| column.log_probabilities[[category, class]])
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let added = self.with_codes(rows, |lookup, codes| {
            let has_all = lookup.has_all(codes);
            if has_all {
                score_rows(&Terms { lookup, codes }, scores);
            }
            has_all
        });
        if added != Some(true) {
            self.add_row_by_row(rows, scores);
        }
        Ok(())
    }

    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.with_codes(rows, |lookup, codes| {
            if !lookup.has_all(codes) {
                return false;
            }
            let set = InstructionSet::current();
            match lookup.in_registers(set, codes.n_rows()) {
                Some(tables) => set.run(registers::Estimate { tables, codes, estimates }),
                None => set.run(Estimate { lookup, codes, estimates }),
            }
            true
        }) == Some(true)
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedCategorical {
    fn sum_layout(&self) -> Option<SumLayout> {
        Categorical::default().layout(self.columns.len()).ok()
    }

    /// `Σ_j Σ_k n_cjk log θ_cjk`. A category not seen in training is impossible with [`Unseen::Error`], adds
    /// nothing with [`Unseen::Ignore`], and has the probability of the reserved category with
    /// [`Unseen::Other`].
    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        if sums.n_parts() != self.columns.len() {
            return None;
        }
        let unseen = if self.unseen == Unseen::Error { f64::NEG_INFINITY } else { 0.0 };
        let mut total = Compensated::default();
        for (column, counts) in self.columns.iter().zip(sums.parts()) {
            for_each_count(counts, counts.len(), |code, count| {
                let category = column.category(code as f64);
                let log = category.map_or(unseen, |category| column.log_probabilities[[category, class]]);
                total.add(times_log(count, log));
            })?;
        }
        Some(total.value())
    }
}

impl FittedCategorical {
    /// Calls `work` with the codes of a block, if all are single bytes and there is a table for these.
    fn with_codes<T>(&self, rows: &Block<'_>, work: impl FnOnce(&Lookup, &Dense<'_, u8>) -> T) -> Option<T> {
        let lookup = self.lookup.as_ref()?;
        let dense = match rows {
            Block::U8(codes) => return Some(work(lookup, codes)),
            Block::F64(dense) => dense,
            _ => return None,
        };
        let mut bytes = Vec::new();
        let are_codes = InstructionSet::current().run(ToCodes { values: dense.values(), codes: &mut bytes });
        let codes = Dense::new(&bytes, dense.n_rows(), dense.n_columns());
        codes.filter(|_| are_codes).map(|codes| work(lookup, &codes))
    }

    pub(crate) fn add_row_by_row(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        rows.for_each_row(|row, cells| {
            for (column, &value) in self.columns.iter().zip(cells) {
                let category = if value.is_nan() { None } else { column.category(value) };
                if let Some(category) = category {
                    for (class, &log) in column.log_probabilities.row(category).iter().enumerate() {
                        scores.add(row, class, log);
                    }
                }
            }
        });
    }
}

impl Density for FittedCategorical {
    /// Draws a category code. The reserved other category is drawn as one more than the largest code.
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let column = &self.columns[column];
        let probabilities = column.log_probabilities.column(class);
        let category = draw_index(probabilities.iter().map(|&log| libm::exp(log)), rng);
        column.codes.get(category).copied().unwrap_or(column.categories.len()) as f64
    }
}
