//! The fitted Gaussian family: parameters and densities.

use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2, IntoDimension, ShapeBuilder};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::{
    families::gaussian::{
        in_units,
        piece::{Piece, limit_of},
        wide::Units,
    },
    kernels::gaussian::{
        double::{Estimate, PANEL, Score},
        single::{EstimateSingle, SinglePrecision},
        table::{Class, GaussianTable, Term, distance, far_distance, minus_distances},
    },
};
use nb_simd::InstructionSet;

use exact_sums::{Exact, domain, total};

use crate::{
    data::Block,
    families::Gaussian,
    kernels::amortized::AmortizedLazy,
    model::{
        ClassSums, Density, Estimates, FeatureModel, Likelihood, Missing, ParameterError, Scores, SumForm,
        SumLayout, ValueError, ValueProblem, domain as observable,
        parameters::{check_shape, check_values},
        scores::{RowOfScores, add_compensated},
    },
};

/// A fitted Gaussian family.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedGaussian {
    missing: Missing,
    /// What kernels read, in units.
    table: GaussianTable,
    /// `n_classes × n_columns`, in units. Positive; infinite where the column carries no information.
    pub(super) variances: Array2<f64>,
    /// `-½ log(2πv)` without units; zero where the column carries no information.
    log_norms: Array2<f64>,
    /// Up to this size in units the values of a column can surely be scored.
    limits: Vec<f64>,
    /// Those of the columns, if some are not one.
    pub(super) units: Option<Box<Units>>,
    /// For estimates, where single precision is enough; made when it pays.
    single: AmortizedLazy<Option<SinglePrecision>>,
}

impl FittedGaussian {
    /// A fitted family from parameters that come from elsewhere, both `n_classes × n_columns`.
    ///
    /// # Errors
    /// [`ParameterError`] if the shapes differ, a mean is not finite or too large, or a variance is not
    /// positive or not one that can be divided by.
    pub fn new(
        means: &ArrayView2<'_, f64>,
        variances: &ArrayView2<'_, f64>,
        missing: Missing,
    ) -> Result<Self, ParameterError> {
        check_shape("the table of variances", variances, means.dim())?;
        check_values("a mean", means, "from -2^400 to 2^400", |mean| mean.abs() <= domain::MAX_ABS_VALUE)?;
        let range = super::smoothing::USABLE_VARIANCES;
        check_values("a variance", variances, "from 2.3e-308 to 1e280", |variance| {
            range.contains(&variance)
        })?;
        Self::of_parameters(means.dim(), missing, |class, column| {
            Ok(((means[[class, column]], 0.0), Some(variances[[class, column]])))
        })
    }

    /// The same family with what rounding to doubles took from the means, as [`mean_rests`](Self::mean_rests)
    /// says it: scores keep their digits at huge offsets.
    ///
    /// ```
    /// # use nb_core::{Likelihood, Missing, fitted::FittedGaussian};
    /// # use ndarray::array;
    /// let (means, variances) = (array![[1e16]], array![[1.0]]);
    /// let fitted = FittedGaussian::new(&means.view(), &variances.view(), Missing::Error)?;
    /// let rounded = fitted.log_likelihood(0, 0, 1e16); // of the mean itself
    /// let fitted = fitted.with_mean_rests(&array![[1.0]].view())?;
    /// assert_eq!(fitted.log_likelihood(0, 0, 1e16), rounded - 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if the shape is another, or a number is larger than what rounding can take.
    pub fn with_mean_rests(mut self, rests: &ArrayView2<'_, f64>) -> Result<Self, ParameterError> {
        let means = self.means();
        check_shape("what rounding took from means", rests, means.dim())?;
        for ((row, column), &value) in rests.indexed_iter() {
            if value.is_nan() || value.abs() > means[[row, column]].abs() * f64::EPSILON {
                let (name, must_be) = ("what rounding took from a mean", "at most an epsilon of it");
                return Err(ParameterError::Value { name, row, column, value, must_be });
            }
        }
        for (term, rest) in self.table.terms.iter_mut().zip(rests) {
            term[1] = *rest;
        }
        Ok(self.finish())
    }

    /// A fitted family from the parameters of each class and column: the mean as two doubles, and the
    /// variance unless the column carries no information.
    pub(crate) fn of_parameters<E>(
        (n_classes, n_columns): (usize, usize),
        missing: Missing,
        parameters: impl Fn(usize, usize) -> Result<((f64, f64), Option<f64>), E>,
    ) -> Result<Self, E> {
        let mut fitted = Self::empty(n_classes, n_columns, missing);
        let mut piece = fitted.piece();
        for class in 0..n_classes {
            piece.set_class(class, |column| parameters(class, column))?;
        }
        Ok(fitted.finish())
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The means, `n_classes × n_columns`.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.likelihood().means(), array![[8.0], [2.0]]); // in label order
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn means(&self) -> ArrayView2<'_, f64> {
        self.units.as_ref().map_or_else(|| self.entries(0), |units| units.means())
    }

    /// What rounding to a double took from each mean: the exact mean is `means + mean_rests` to about 106
    /// bits.
    pub fn mean_rests(&self) -> ArrayView2<'_, f64> {
        self.units.as_ref().map_or_else(|| self.entries(1), |units| units.mean_rests())
    }

    /// One entry of all terms.
    fn entries(&self, entry: usize) -> ArrayView2<'_, f64> {
        let numbers = self.table.terms.as_flattened().get(entry..).unwrap_or(&[]);
        let strides = (3 * self.table.n_columns, 3);
        ArrayView2::from_shape(self.variances.raw_dim().strides(strides.into_dimension()), numbers)
            .unwrap_or_else(|_| unreachable!("there is a term for every class and column"))
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.variances.nrows()
    }

    /// What kernels read.
    #[cfg(test)]
    pub(crate) fn table(&self) -> &GaussianTable {
        &self.table
    }

    pub(crate) fn class(&self, class: usize) -> Class<'_> {
        self.table.class(class)
    }

    pub(crate) fn term(&self, class: usize, column: usize) -> &Term {
        self.table.term(class, column)
    }

    /// `-½ log(2πv)` without units; zero where the column carries no information.
    pub(crate) fn log_norm(&self, class: usize, column: usize) -> f64 {
        self.log_norms[[class, column]]
    }

    #[cfg(test)]
    pub(crate) fn single(&self) -> Option<&SinglePrecision> {
        self.single_if(usize::MAX)
    }

    /// The variances after smoothing, `n_classes × n_columns`; infinite where the column was constant over
    /// all training rows and is left out of the scores.
    ///
    /// A variance beyond the range of doubles, as that of values of 1e-310 or 1e300 is, is 0 or infinite
    /// here; [`standard_deviations`](Self::standard_deviations) have all their digits, and so have
    /// scores.
    pub fn variances(&self) -> ArrayView2<'_, f64> {
        self.units.as_ref().map_or_else(|| self.variances.view(), |units| units.variances())
    }

    /// The square roots of the variances, `n_classes × n_columns`; infinite where the column carries no
    /// information.
    pub fn standard_deviations(&self) -> Array2<f64> {
        let mut deviations = self.variances.mapv(libm::sqrt);
        for (column, mut deviations) in deviations.columns_mut().into_iter().enumerate() {
            let exponent = self.unit_exponent(column);
            deviations.mapv_inplace(|deviation| in_units(deviation, -exponent));
        }
        deviations
    }

    /// The `k` of a column that is scored in units of `2^-k`; zero for one that is scored as it is.
    pub fn unit_exponent(&self, column: usize) -> i64 {
        self.units.as_ref().map_or(0, |units| units.exponents[column])
    }

    /// Means, what rounding took from them, and variances in the units of
    /// [`unit_exponent`](Self::unit_exponent), so that a log-density is that of `x 2^k` plus `k ln 2`.
    pub fn parameters_in_units(&self) -> [ArrayView2<'_, f64>; 3] {
        [self.entries(0), self.entries(1), self.variances.view()]
    }

    /// All parameters zero, to be set by [`piece`](Self::piece)s and [`finish`](Self::finish)ed.
    pub(crate) fn empty(n_classes: usize, n_columns: usize, missing: Missing) -> Self {
        let zeros = || Array2::zeros((n_classes, n_columns));
        Self {
            missing,
            table: GaussianTable::zeros(n_classes, n_columns),
            variances: zeros(),
            log_norms: zeros(),
            limits: vec![domain::MAX_ABS_VALUE; n_columns],
            units: None,
            single: AmortizedLazy::default(),
        }
    }

    /// The same family, whose parameters are in these units.
    pub(crate) fn with_units(mut self, units: Units) -> Self {
        for (column, mut log_norms) in self.log_norms.columns_mut().into_iter().enumerate() {
            let shift = units.exponents[column] as f64 * std::f64::consts::LN_2;
            for (log_norm, variance) in log_norms.iter_mut().zip(self.variances.column(column)) {
                *log_norm += if variance.is_finite() { shift } else { 0.0 };
            }
        }
        self.units = Some(Box::new(units));
        self.finish()
    }

    /// A cell in the units of its column.
    #[inline]
    fn in_units(&self, column: usize, value: f64) -> f64 {
        self.units.as_ref().map_or(value, |units| units.of_cell(column, value))
    }

    /// All columns, for their parameters to be set.
    pub(crate) fn piece(&mut self) -> Piece<'_> {
        let terms = ArrayViewMut2::from_shape(self.variances.raw_dim(), &mut self.table.terms);
        Piece {
            first_column: 0,
            terms: terms.unwrap_or_else(|_| unreachable!("there is a term for every class and column")),
            variances: self.variances.view_mut(),
            log_norms: self.log_norms.view_mut(),
            limits: &mut self.limits,
        }
    }

    /// Derives what scoring needs of all parameters together.
    pub(crate) fn finish(mut self) -> Self {
        let sum = |row: ArrayView1<'_, f64>| {
            row.as_slice().map_or_else(|| Exact::sum(row.iter().copied()), total).to_pair()
        };
        let least_limit = self.limits.iter().copied().fold(domain::MAX_ABS_VALUE, f64::min);
        self.table.derive(least_limit, self.log_norms.rows().into_iter().map(sum).collect());
        self
    }

    /// Derives the same after the parameters of one class were set.
    pub(crate) fn finish_class(&mut self, class: usize) {
        self.limits.fill(domain::MAX_ABS_VALUE);
        for number in 0..self.n_classes() {
            let parameters = self.table.class_terms(number).iter().zip(self.variances.row(number));
            for (limit, (term, variance)) in self.limits.iter_mut().zip(parameters) {
                *limit = limit_of(*limit, term, variance.sqrt());
            }
        }
        let least_limit = self.limits.iter().copied().fold(domain::MAX_ABS_VALUE, f64::min);
        let sum = self.log_norms.row(class).as_slice().map_or(Exact::ZERO, total).to_pair();
        self.table.derive_class(class, least_limit, sum);
        self.single = AmortizedLazy::default();
    }

    pub(crate) fn problem(&self, column: usize, value: f64) -> Option<ValueProblem> {
        if self.in_units(column, value).abs() <= self.limits[column] {
            return None; // the common case, in one comparison that NaN fails
        }
        observable::real(value, self.missing).or_else(|| {
            let overflows = |class| self.log_likelihood(class, column, value).is_infinite();
            (!value.is_nan() && (0..self.n_classes()).all(overflows)).then_some(ValueProblem::Unscorable)
        })
    }

    /// What keeps a value from being scored by kernels, if anything: those need squares of differences that
    /// are finite in every class.
    fn problem_of_kernels(&self, column: usize, value: f64) -> Option<ValueProblem> {
        if value.abs() <= self.limits[column] {
            return None;
        }
        observable::real(value, self.missing).or_else(|| {
            let overflows = |class| {
                value.abs() > domain::MAX_ABS_VALUE || distance(value, self.term(class, column)).is_infinite()
            };
            (0..self.n_classes()).any(overflows).then_some(ValueProblem::Unscorable)
        })
    }

    /// Whether kernels can score rows.
    fn check_for_kernels(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        match rows {
            Block::F64(dense) if domain::all_within(dense.values(), self.table.least_limit) => Ok(()),
            _ => ValueError::first(rows.find_stored(|column, value| self.problem_of_kernels(column, value))),
        }
    }

    /// The scores of rows of any values, cell by cell.
    fn score_cells(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        scores.add_cells(rows, |class, column, value| self.log_likelihood(class, column, value));
        Ok(())
    }
}

impl Likelihood for FittedGaussian {
    fn shape(&self) -> Option<(usize, usize)> {
        Some(self.variances.dim())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        match rows {
            Block::F64(dense)
                if self.units.is_none() && domain::all_within(dense.values(), self.table.least_limit) =>
            {
                Ok(())
            }
            _ => ValueError::first(rows.find_stored(|column, value| self.problem(column, value))),
        }
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let (value, term) = (self.in_units(column, value), self.term(class, column));
        let distance = distance(value, term);
        let distance = if distance.is_finite() { distance } else { far_distance(value, term) };
        self.log_norms[[class, column]] - distance
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        if self.units.is_some() {
            return self.score_cells(rows, scores);
        }
        if let Block::F64(dense) = rows
            && dense.n_rows() > 1
        {
            let set = InstructionSet::current();
            if self.missing == Missing::Error {
                // The kernel looks at all values anyway, which saves a walk through them.
                let are_scored = set.run(Score { table: &self.table, rows: dense, scores });
                return if are_scored { Ok(()) } else { self.check_for_kernels(rows) };
            }
            if !any_missing(dense.values()) {
                self.check_for_kernels(rows)?;
                set.run(Score { table: &self.table, rows: dense, scores });
                return Ok(());
            }
        }
        self.check_for_kernels(rows)?;
        self.add_row_by_row(rows, scores);
        Ok(())
    }

    fn estimate(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        if self.units.is_some() {
            return false;
        }
        let set = InstructionSet::current();
        let single = || self.single_for(set, rows.n_rows());
        match rows {
            Block::F64(dense) if dense.n_rows() == 1 => self.estimate_row(dense.values(), estimates),
            Block::F64(dense) => match single() {
                Some(single) => {
                    set.run(EstimateSingle { table: &self.table, single, cells: dense.values(), estimates });
                }
                None => set.run(Estimate { table: &self.table, rows: dense, estimates }),
            },
            Block::F32(dense) => {
                let Some(single) = single() else { return false };
                set.run(EstimateSingle { table: &self.table, single, cells: dense.values(), estimates });
            }
            _ => return false,
        }
        true
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        Some(self)
    }
}

impl SumForm for FittedGaussian {
    fn sum_layout(&self) -> Option<SumLayout> {
        Gaussian::default().layout(self.table.n_columns).ok()
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        self.of_sums(class, sums)
    }
}

/// Whether a cell is missing.
fn any_missing(cells: &[f64]) -> bool {
    cells.iter().any(|value| value.is_nan())
}

impl FittedGaussian {
    /// The parameters in single precision for `n_rows` rows, where they suffice and the registers are wide
    /// enough to gain from them.
    fn single_for(&self, set: InstructionSet, n_rows: usize) -> Option<&SinglePrecision> {
        if set > InstructionSet::Portable { self.single_if(n_rows) } else { None }
    }

    /// The same, whatever the registers.
    fn single_if(&self, n_rows: usize) -> Option<&SinglePrecision> {
        /// For this many rows they are worth what making them costs.
        const ROWS: usize = 64;
        let make = || SinglePrecision::new(&self.table);
        self.single.get(n_rows, ROWS, make)?.as_ref()
    }

    /// The estimates of one row, without the trouble of a tile; the bound is that of `kernels::Estimate`.
    fn estimate_row(&self, cells: &[f64], estimates: &mut Estimates<'_>) {
        let rounding = (cells.len() as f64 + 16.0) * f64::EPSILON;
        let largest = cells
            .iter()
            .fold(0.0, |largest, value| if value.abs() > largest { value.abs() } else { largest });
        let mut worst = if largest > self.table.least_limit { f64::INFINITY } else { 0.0 };
        for number in 0..self.n_classes() {
            let Class { terms, norm, .. } = self.class(number);
            let sum: f64 = cells.iter().zip(terms).map(|(&value, term)| distance(value, term)).sum();
            let value = &mut estimates.class_mut(number)[0];
            let bound = rounding * (sum + value.abs() + norm.0.abs() + 1.0);
            *value = (*value - sum) + norm.0;
            worst = if worst > bound { worst } else { bound };
        }
        estimates.add_errors(0, &[worst]);
    }

    pub(crate) fn add_row_by_row(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        let mut scratch = RowOfScores::default();
        rows.for_each_row(|row, cells| {
            // Where that is an error the rows were checked, and none is.
            let any_missing = self.missing == Missing::Skip && any_missing(cells);
            scores.with_row(row, &mut scratch, |high, low| {
                for (class, (high, low)) in high.iter_mut().zip(low).enumerate() {
                    if any_missing {
                        for (column, &value) in cells.iter().enumerate() {
                            add_compensated(high, low, self.log_likelihood(class, column, value));
                        }
                        continue;
                    }
                    let Class { terms, norm, needs_mean_low } = self.class(class);
                    add_compensated(high, low, norm.0);
                    *low += if high.is_finite() { norm.1 } else { 0.0 };
                    for (cells, terms) in cells.chunks(PANEL).zip(terms.chunks(PANEL)) {
                        let (sum, rest) = minus_distances(cells, terms, needs_mean_low);
                        add_compensated(high, low, sum);
                        *low += if high.is_finite() { rest } else { 0.0 };
                    }
                }
            });
        });
    }
}

impl Density for FittedGaussian {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        let at = [class, column];
        // A column without information is constant over all training rows.
        let deviation = if self.variances[at].is_finite() { libm::sqrt(self.variances[at]) } else { 0.0 };
        let normal: f64 = StandardNormal.sample(rng);
        let [mean, mean_rest, _] = self.term(class, column);
        in_units(mean + (mean_rest + deviation * normal), -self.unit_exponent(column))
    }
}
