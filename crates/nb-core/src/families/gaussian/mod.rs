//! Gaussian: a normal distribution per class and column.

mod description;
mod fitted;
pub(super) mod moments;
mod of_sums;
mod piece;
mod quick;
mod refit;
mod smoothing;
#[cfg(test)]
mod ties;
mod wide;

pub use fitted::FittedGaussian;
pub use moments::Moments;
pub use smoothing::{VarianceFloor, VarianceSmoothing};
pub use wide::{WideFloor, WideMoments, has_wide, in_units, unit_exponent};

pub(crate) use wide::{WideParameters, fitted as fitted_wide, with_unit};

use std::ops::Range;

use piece::Piece;
use quick::{Quick, QuickMoments, QuickTotal, total_variances};
use smoothing::QuickFloors;

use nb_simd::InstructionSet;

use exact_sums::{
    Exact, ExactSums, add_moments,
    batch::{
        BinnedMoments, BinnedMomentsF32, BinnedSums, FixedMoments, FixedMomentsF32, PrefetchHint, RowView,
        Split,
    },
    domain,
};

use crate::{
    data::Block,
    kernels::column_partitions::Panels,
    model::{
        Accumulator, ClassRows, ClassSums, FamilyError, FamilyProblem, FeatureModel, LayoutError, Missing,
        Plan, SumLayout, ValueError, Weights, domain as observable, domain::check_block, threads,
    },
};

/// Which divisor the variance has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum VarianceEstimator {
    /// Maximum likelihood: divides by `n`, as scikit-learn does.
    #[default]
    MaximumLikelihood,
    /// Divides by `n - 1`, as R's `sd` does; a class needs a weight above one.
    Unbiased,
}

/// The Gaussian family: a normal distribution per class and column.
///
/// # Model
/// `x_j | c ~ N(μ_cj, v_cj)`, with `log p = -½ log(2π v) - (x - μ)² / (2v)`.
///
/// # Sums kept
/// Per class and column `Σ w x`, `Σ w x²` and the weight of missing cells, all exact.
///
/// # Estimators
/// `μ = Σ w x / n` and `v = Σ w (x - μ)² / (n - d)`, where `d` is 0 (maximum likelihood) or 1 (unbiased) and
/// `n` the weight of the observed cells; then variance smoothing. The sum of squared deviations is formed as
/// `(n Σ w x² - (Σ w x)²) / n` in exact arithmetic, so that nothing cancels: the variance is correctly
/// rounded at any offset, and the variance of a constant column is exactly zero.
///
/// # References
/// Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning* (2009), 6.6.3; Murphy, *Machine
/// Learning: A Probabilistic Perspective* (2012), 3.5.
///
/// # Example
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, VarianceEstimator};
/// use ndarray::array;
///
/// let gaussian = Gaussian { estimator: VarianceEstimator::Unbiased, ..Gaussian::default() };
/// let classifier = NaiveBayes::new(gaussian).fit(&array![[1.0], [3.0], [7.0], [9.0]], &['a', 'a', 'b', 'b'])?;
/// assert_eq!(classifier.likelihood().means()[[0, 0]], 2.0);
/// assert_eq!(classifier.likelihood().variances()[[0, 0]], 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(default, deny_unknown_fields)
)]
pub struct Gaussian {
    /// The divisor of the variance.
    pub estimator: VarianceEstimator,
    /// What keeps variances away from zero.
    pub smoothing: VarianceSmoothing,
    /// What to do with missing cells.
    pub missing: Missing,
}

impl FeatureModel for Gaussian {
    type Fitted = FittedGaussian;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.smoothing.check()?;
        let parts = [("sum", n_columns), ("sum of squares", n_columns), ("missing", n_columns)];
        Ok(SumLayout::new("gaussian", parts).with_rules(moments::rules()))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        match rows {
            Block::F64(dense) if domain::all_numbers(dense.values()) => Ok(()),
            _ => check_block(rows, |value| observable::real(value, self.missing)),
        }
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        let [sum, squares, missing] = sums else { return };
        if let (Block::F64(dense), Weights::Unit) = (rows, weights) {
            if dense.n_rows() <= FEW_ROWS && domain::all_numbers(dense.values()) {
                add_moments(sum, squares, dense.values());
                return;
            }
            let rows: Vec<u32> = (0..rows.n_rows() as u32).collect();
            let n_columns = sum.len();
            let mut windows = BinnedSums::<BinnedMoments>::new(InstructionSet::current(), n_columns);
            let ahead = PrefetchHint::of_block(dense.values(), 0, false);
            let rows = RowView { values: dense.values(), n_columns, rows: &rows, ahead };
            if windows.add(&rows, self.missing.nan()) {
                let ([more, more_squares], more_missing) = windows.finish();
                sum.merge_owned(more);
                squares.merge_owned(more_squares);
                missing.merge_owned(more_missing);
                return;
            }
        }
        rows.for_each_stored(|row, column, value| {
            let weight = weights.get(row);
            if value.is_nan() {
                missing.add(column, weight);
            } else {
                sum.add_weighted(column, weight, value);
                squares.add_weighted_square(column, weight, value);
            }
        });
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        let set = InstructionSet::current();
        Some(if set.has_ifma() {
            Box::new(GaussianAccumulator::<FixedMoments, FixedMomentsF32>::new(self, set, n_columns))
        } else {
            Box::new(GaussianAccumulator::<BinnedMoments, BinnedMomentsF32>::new(self, set, n_columns))
        })
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedGaussian, FamilyError> {
        let n_columns = classes.first().map_or(0, |class| class.part(moments::SUM).len());
        if has_wide(classes) {
            return self.fit_wide(classes, n_columns);
        }
        let floors = self.smoothing.quick_floors(classes, || self.quick_totals(classes, n_columns));
        let mut fitted = FittedGaussian::empty(classes.len(), n_columns, self.missing);
        let width = piece_columns(classes.len());
        if n_columns <= width {
            self.fit_piece(classes, floors, fitted.piece())?;
            return Ok(fitted.finish());
        }
        let results =
            threads::map(fitted.piece().split(width), |piece| self.fit_piece(classes, floors, piece));
        let first =
            results.into_iter().filter_map(Result::err).min_by_key(|error| (error.class, error.column));
        first.map_or_else(|| Ok(fitted.finish()), Err)
    }

    fn refit(&self, classes: &[ClassSums<'_>], class: usize, fitted: &mut FittedGaussian) -> bool {
        self.refit_class(classes, class, fitted).is_some()
    }
}

/// As many rows are added without bins.
const FEW_ROWS: usize = 4;

/// How many columns to fit at a time: the quick moments of all classes, 40 bytes each, stay in the
/// second-level cache.
fn piece_columns(n_classes: usize) -> usize {
    const MOMENTS: usize = 1 << 13;
    (MOMENTS / n_classes.max(1)).clamp(64, 1024)
}

/// The moments of each class under construction.
struct GaussianAccumulator<'a, D: Split, S: Split> {
    gaussian: &'a Gaussian,
    classes: Panels<D>,
    /// The same for rows of single precision.
    singles: Panels<S>,
}

impl<'a, D: Split, S: Split> GaussianAccumulator<'a, D, S> {
    fn new(gaussian: &'a Gaussian, set: InstructionSet, n_columns: usize) -> Self {
        let (classes, singles) = (Panels::new(set, n_columns), Panels::new(set, n_columns));
        Self { gaussian, classes, singles }
    }
}

impl<D, S> Accumulator for GaussianAccumulator<'_, D, S>
where
    D: Split<Cell = f64, Sums = [ExactSums; 2]>,
    S: Split<Cell = f32, Sums = [ExactSums; 2]>,
{
    fn add(&mut self, rows: &ClassRows<'_>) -> Result<bool, ValueError> {
        let (n_classes, missing) = (rows.n_classes(), self.gaussian.missing);
        let are_observable = match rows.block() {
            Block::F64(dense) => {
                self.classes.add(n_classes, |class| rows.row_set(dense.values(), class), missing.nan())
            }
            Block::F32(dense) => {
                self.singles.add(n_classes, |class| rows.row_set(dense.values(), class), missing.nan())
            }
            _ => return Ok(false),
        };
        if !are_observable {
            self.gaussian.check(&rows.block())?;
        }
        Ok(true)
    }

    fn plan(&self) -> Plan {
        Plan { n_threads: self.classes.n_threads(), many_f64: true, many_f32: true }
    }

    fn finish(&mut self, class: usize, sums: &mut [ExactSums]) {
        let (gathered, of_singles) = (self.classes.finish(class), self.singles.finish(class));
        for ([sum, squares], missing) in gathered.into_iter().chain(of_singles) {
            for (sums, gathered) in sums.iter_mut().zip([sum, squares, missing]) {
                sums.merge_owned(gathered);
            }
        }
    }
}

impl Gaussian {
    /// [`fit`](FeatureModel::fit) for cells of any size.
    fn fit_wide(&self, classes: &[ClassSums<'_>], n_columns: usize) -> Result<FittedGaussian, FamilyError> {
        let floors = self.smoothing.wide_floors(classes, n_columns);
        let columns = floors.iter().enumerate().map(|(column, floor)| {
            let moments: Vec<_> = classes.iter().map(|class| WideMoments::of_class(class, column)).collect();
            let parameters = moments.iter().enumerate().map(|(class, moments)| {
                self.wide_parameters(moments, floor).map_err(|problem| FamilyError { class, column, problem })
            });
            Ok(with_unit(&moments, parameters.collect::<Result<Vec<_>, _>>()?))
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        fitted_wide(&columns, classes.len(), self.missing)
    }

    /// Mean and variance of a class and column whose cells may have any size.
    pub(crate) fn wide_parameters(
        &self,
        moments: &WideMoments,
        floor: &WideFloor,
    ) -> Result<WideParameters, FamilyProblem> {
        moments.check()?;
        let variance = floor.apply(moments.variance(self.estimator)?)?;
        Ok(WideParameters { mean: moments.mean(), variance })
    }

    /// Sets the parameters of some columns; of several errors that of the first class is reported, and of its
    /// first column.
    fn fit_piece(
        &self,
        classes: &[ClassSums<'_>],
        floors: QuickFloors,
        mut piece: Piece<'_>,
    ) -> Result<(), FamilyError> {
        let (first, width) = (piece.first_column, piece.n_columns());
        let columns = first..first + width;
        let quick = self.quick_moments(classes, columns.clone());
        let floors = floors.of_columns(classes, columns, || total_variances(classes, &quick, width));
        for (class, sums) in classes.iter().enumerate() {
            piece.set_class(class, |column| {
                let quick = &quick[class * width + column];
                if let Some(variance) = floors[column].apply_quickly(quick) {
                    return Ok((quick.mean, Some(variance)));
                }
                let moments = Moments::of_class(sums, first + column);
                let variance = self.variance(&moments, floors[column]);
                let variance =
                    variance.map_err(|problem| FamilyError { class, column: first + column, problem })?;
                Ok((moments.mean(), variance))
            })?;
        }
        Ok(())
    }

    /// What quick moments say of all columns over all rows.
    fn quick_totals(&self, classes: &[ClassSums<'_>], n_columns: usize) -> Vec<QuickTotal> {
        let width = piece_columns(classes.len());
        let firsts = (0..n_columns).step_by(width);
        let totals = firsts.flat_map(|first| {
            let columns = first..n_columns.min(first + width);
            let quick = self.quick_moments(classes, columns.clone());
            total_variances(classes, &quick, columns.len())
        });
        totals.collect()
    }

    /// Moments of some columns, class after class, certain or not.
    fn quick_moments(&self, classes: &[ClassSums<'_>], columns: Range<usize>) -> Vec<Quick> {
        let mut quick = vec![Quick::default(); classes.len() * columns.len()];
        for (sums, out) in classes.iter().zip(quick.chunks_mut(columns.len().max(1))) {
            self.quick_moments_of_class(sums, columns.start, out);
        }
        quick
    }

    fn quick_moments_of_class(&self, sums: &ClassSums<'_>, first: usize, out: &mut [Quick]) {
        let [sum, squares, missing] =
            [moments::SUM, moments::SQUARES, moments::MISSING].map(|part| sums.part(part));
        let weight = sums.weight().to_f64();
        let divisor = match self.estimator {
            VarianceEstimator::MaximumLikelihood => weight,
            VarianceEstimator::Unbiased => weight - 1.0,
        };
        // Then both are exact, and small enough for every product.
        let is_count = sums.weight().components().len() == 1 && weight.fract() == 0.0 && weight < 1e15;
        if !is_count || divisor <= 0.0 {
            return;
        }
        InstructionSet::current().run(QuickMoments { weight, divisor, sums: sum, squares, first, out });

        // What was not taken into account: other weights, and what the planes of sums do not hold.
        let columns = first..first + out.len();
        let of_sums = sum.overflows(columns.clone()).map(|(column, _)| column);
        for column in missing.occupied(columns.clone()).chain(of_sums) {
            out[column - first].certain = false;
        }
        for (column, tail) in squares.overflows(columns) {
            out[column - first].neglect(tail / divisor);
        }
    }

    /// The variance of one class and column after smoothing; `None` if the column carries no information.
    pub(crate) fn variance(
        &self,
        moments: &Moments,
        floor: VarianceFloor,
    ) -> Result<Option<f64>, FamilyProblem> {
        moments.check()?;
        let Moments { weight, deviation, .. } = moments;
        let divisor = match self.estimator {
            VarianceEstimator::MaximumLikelihood => weight.clone(),
            VarianceEstimator::Unbiased => weight - &Exact::from(1.0),
        };
        if divisor.to_f64() <= 0.0 {
            return Err(FamilyProblem::SingleRow { weight: weight.to_f64() });
        }
        floor.apply(deviation.divided_by(&(weight * &divisor)))
    }
}
