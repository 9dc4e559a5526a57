//! The boundary of a Gaussian family with a variance per class: quadratic, not linear.

use nb_core::{Classifier, error::PredictError, family::in_units, fitted::FittedGaussian};
use ndarray::ArrayView2;

use crate::FormError;

/// Where the boundary between two classes of a [`Gaussian`](nb_core::Gaussian) classifier crosses the line
/// along which one column varies, while the others have the values of the row `at` (whose own entry for the
/// column is not looked at): no point, one, or two, increasing.
///
/// With a variance per class the log-odds are quadratic in every column,
///
/// ```text
/// log-odds(x) = log π_c/π_a + Σ_j ½ log(v_aj/v_cj) + (x_j - μ_aj)²/(2 v_aj) - (x_j - μ_cj)²/(2 v_cj),
/// ```
///
/// so that the boundary is a quadric (an ellipse, parabola or hyperbola for two columns), and the class with
/// the larger variance wins far away on both sides. Where the variances are equal the square cancels and the
/// boundary is the plane of [`SharedGaussian`](crate::SharedGaussian).
///
/// No point is returned, either, where the log-odds are zero everywhere on the line.
///
/// # Precision
/// The discriminant is formed without cancellation, from `t = x - μ_c`, `δ = μ_c - μ_a` and `A = 1 -
/// v_a/v_c`: it is `δ² v_a/v_c - A E`, where `E` is `2 v_a` times the log-odds that are left at `δ = t = 0`;
/// of the two roots the one that would cancel is taken from their product.
///
/// # References
/// Duda, Hart and Stork, *Pattern Classification* (2nd ed., 2001), 2.6.3.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes};
/// use nb_linear::gaussian_crossings;
/// use ndarray::array;
///
/// // N(0, 1) against N(0, 4): the wide class wins beyond ±√(8/3 ln 2).
/// let x = array![[-1.0], [1.0], [-2.0], [2.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["narrow", "narrow", "wide", "wide"])?;
/// let points = gaussian_crossings(&classifier, 0, 1, 0, &[0.0])?;
/// let expected = (8.0 / 3.0 * 2.0_f64.ln()).sqrt();
/// assert!((points[0] + expected).abs() < 1e-15 && (points[1] - expected).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FormError`] if classes or column do not exist, the row cannot be scored, or a class has a prior of zero.
pub fn gaussian_crossings<L: Clone + Sync>(
    classifier: &Classifier<L, FittedGaussian>,
    class: usize,
    against: usize,
    column: usize,
    at: &[f64],
) -> Result<Vec<f64>, FormError> {
    let (n_classes, n_columns) = (classifier.classes().len(), classifier.n_columns());
    if let Some(class) = [class, against].into_iter().find(|&class| class >= n_classes) {
        return Err(FormError::NoSuchClass { class, n_classes });
    }
    if class == against {
        return Err(FormError::SameClass { class });
    }
    if column >= n_columns {
        return Err(FormError::NoSuchColumn { column, n_columns });
    }
    let fitted = classifier.likelihood();
    let (own, other) = ([class, column], [against, column]);
    let others = {
        let mut row = at.to_vec();
        // Any value that can be scored; its contribution is not used.
        if let Some(cell) = row.get_mut(column) {
            *cell = fitted.means()[own];
        }
        let found = row.len();
        let wrong_length = PredictError::Columns { expected: n_columns, found };
        let row = ArrayView2::from_shape((1, found), &row).map_err(|_| wrong_length)?;
        let explanation = classifier.explain(&row, 0)?;
        let prior = explanation.log_prior[class] - explanation.log_prior[against];
        let odds = explanation.log_odds(class, against).into_iter().enumerate();
        prior + odds.filter(|&(number, _)| number != column).map(|(_, odds)| odds).sum::<f64>()
    };
    if !others.is_finite() {
        return Err(FormError::Infinite);
    }
    let [means, rests, variances] = fitted.parameters_in_units();
    let (v_own, v_other) = (variances[own], variances[other]);
    if v_own.is_infinite() || v_other.is_infinite() {
        return Ok(Vec::new()); // the column is left out of the scores
    }
    let difference = (means[own] - means[other]) + (rests[own] - rests[other]);
    let mut points = roots(difference, v_own, v_other, others);
    for point in &mut points {
        *point = in_units(means[own] + (rests[own] + *point), -fitted.unit_exponent(column));
    }
    points.retain(|point| point.is_finite());
    points.sort_by(f64::total_cmp);
    points.dedup();
    Ok(points)
}

/// The `t = x - μ_c` at which the log-odds are zero; `others` is what does not depend on `x` besides the
/// variances.
fn roots(delta: f64, v_own: f64, v_other: f64, others: f64) -> Vec<f64> {
    let ratio = v_other / v_own;
    let (square, log_ratio) = ((v_own - v_other) / v_own, log_ratio(v_other, v_own));
    let rest = 2.0 * v_other * (others + 0.5 * log_ratio);
    let constant = delta * delta + rest; // square t² + 2 delta t + constant = 0
    if square == 0.0 {
        return if delta == 0.0 { Vec::new() } else { vec![-constant / (2.0 * delta)] };
    }
    let discriminant = delta * delta * ratio - square * rest;
    if discriminant < 0.0 || discriminant.is_nan() {
        return Vec::new();
    }
    let q = -(delta + libm::copysign(libm::sqrt(discriminant), delta));
    if q == 0.0 { vec![0.0] } else { vec![q / square, constant / q] }
}

/// `ln(a / b)`, also where the quotient is near one.
fn log_ratio(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if (0.5..2.0).contains(&quotient) { libm::log1p((a - b) / b) } else { libm::log(a) - libm::log(b) }
}
