//! Parameters after one more row: those of its class, as long as no variance is raised to a floor.

use exact_sums::Exact;

use super::{
    FittedGaussian, Gaussian, Moments, VarianceFloor, VarianceSmoothing, quick::Quick, wide::has_wide,
};
use crate::model::ClassSums;

impl Gaussian {
    /// [`refit`](crate::FeatureModel::refit); `None` if all classes must be fitted.
    pub(super) fn refit_class(
        &self,
        classes: &[ClassSums<'_>],
        class: usize,
        fitted: &mut FittedGaussian,
    ) -> Option<()> {
        let (n_classes, n_columns) = fitted.variances.dim();
        if n_classes != classes.len() || fitted.units.is_some() || has_wide(classes) {
            return None;
        }
        let (floor, share) = match self.smoothing {
            VarianceSmoothing::RelativeFloor(share) => (0.0, share),
            VarianceSmoothing::AbsoluteFloor(floor) => (floor, 0.0),
            VarianceSmoothing::None => (0.0, 0.0),
            VarianceSmoothing::LargestVariance(_) => return None,
        };
        let (floor, sums) = (VarianceFloor::AtLeast(floor), &classes[class]);
        let mut quick = vec![Quick::default(); n_columns];
        self.quick_moments_of_class(sums, 0, &mut quick);
        let parameters = |column: usize| {
            let quick = &quick[column];
            if let Some(variance) = floor.apply_quickly(quick) {
                return Ok((quick.mean, Some(variance)));
            }
            let moments = Moments::of_class(sums, column);
            self.variance(&moments, floor).map(|variance| (moments.mean(), variance))
        };
        fitted.piece().set_class(class, parameters).ok()?;
        if share > 0.0 && !are_above_floors(classes, fitted, share) {
            return None;
        }
        fitted.finish_class(class);
        Some(())
    }
}

/// Whether all variances are surely above this share of the variance of their column over all rows, before
/// and after the last row was added.
fn are_above_floors(classes: &[ClassSums<'_>], fitted: &FittedGaussian, share: f64) -> bool {
    /// The sum of squared deviations does not become smaller with a row, so that the variance is not less
    /// than half of what it was.
    const BEFORE: f64 = 2.0;
    const ROUNDING: f64 = 1.0 + 1e-9;
    let (n_columns, share) = (fitted.variances.ncols(), BEFORE * ROUNDING * share);
    let weights: Vec<f64> = classes.iter().map(|class| Exact::to_f64(class.weight())).collect();
    let total: f64 = weights.iter().sum();
    let (mut squares, mut least) = (vec![0.0; n_columns], vec![f64::INFINITY; n_columns]);
    // Around the means of one class: no less than the variance over all rows.
    let origins = fitted.class(0).terms;
    for (class, weight) in weights.iter().enumerate() {
        let share = weight / total;
        let parameters = fitted.class(class).terms.iter().zip(fitted.variances.row(class));
        let columns = squares.iter_mut().zip(&mut least).zip(origins);
        for (((square, least), origin), (term, &variance)) in columns.zip(parameters) {
            let difference = term[0] - origin[0];
            // What rounding takes from the means is small, except far from the origin.
            let slack = 4.0 * f64::EPSILON * (term[0].abs() + origin[0].abs());
            *square += share * (variance + (difference.abs() + slack).powi(2));
            *least = least.min(variance);
        }
    }
    squares.iter().zip(&least).all(|(square, least)| *least > share * square)
}
