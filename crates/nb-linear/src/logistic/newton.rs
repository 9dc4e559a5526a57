//! Damped Newton's method (iteratively reweighted least squares).

use super::{LogisticError, cholesky, hessian::hessian, problem::Problem};

/// How many coefficients are taken: their Hessian fills 800 MB.
const MOST_COEFFICIENTS: usize = 10_000;

/// Moves `coefficients` to the minimum.
///
/// # Errors
/// [`LogisticError`] if there is none, it is not unique, or it is not found.
pub(super) fn minimise(
    problem: &Problem,
    coefficients: &mut [f64],
    max_iterations: usize,
    tolerance: f64,
) -> Result<(), LogisticError> {
    let size = problem.n_coefficients();
    if size > MOST_COEFFICIENTS {
        return Err(LogisticError::TooManyCoefficients { n_coefficients: size, most: MOST_COEFFICIENTS });
    }
    let mut gradient = vec![0.0; size];
    for taken in 0..max_iterations {
        let value = problem.gradient(coefficients, &mut gradient);
        let mut step: Vec<f64> = gradient.iter().map(|gradient| -gradient).collect();
        let (factor, is_damped) = factor(problem, coefficients)
            .map_err(|row| singular(problem, coefficients, &gradient, taken, row))?;
        cholesky::solve(&factor, size, &mut step);
        if !problem.is_penalised() && separates(problem, coefficients, &step) {
            return Err(LogisticError::Separable);
        }
        let slope: f64 = gradient.iter().zip(&step).map(|(gradient, step)| gradient * step).sum();
        let Some(length) = line_search(problem, coefficients, &step, value, slope) else {
            // Rounding errors, or worse, have made the step useless.
            let flat = 1e-6 * problem.total_weight();
            return if largest(&gradient) <= flat {
                Ok(())
            } else {
                Err(not_converged(problem, coefficients, taken))
            };
        };
        coefficients.iter_mut().zip(&step).for_each(|(coefficient, step)| *coefficient += length * step);
        if !is_damped && largest(&step) <= tolerance * largest(coefficients).max(1.0) {
            return Ok(());
        }
    }
    Err(not_converged(problem, coefficients, max_iterations))
}

/// The Cholesky factor of the Hessian, and whether the Hessian was damped: where all rows of a class are
/// fitted perfectly, the curvature along its intercept, which has no penalty, is lost to rounding. A penalty
/// on the weights determines the minimum all the same, and a diagonal that is added leads there (Levenberg
/// 1944; Marquardt 1963).
///
/// # Errors
/// The first row that depends on those before it.
fn factor(problem: &Problem, coefficients: &[f64]) -> Result<(Vec<f64>, bool), usize> {
    let size = problem.n_coefficients();
    let mut factor = hessian(problem, coefficients);
    let Err(row) = cholesky::factorise(&mut factor, size) else { return Ok((factor, false)) };
    if problem.is_penalised() {
        for damping in [1e-8, 1e-4, 1.0] {
            let mut factor = hessian(problem, coefficients);
            for index in 0..size {
                factor[index * (size + 1)] += damping * problem.total_weight();
            }
            if cholesky::factorise(&mut factor, size).is_ok() {
                return Ok((factor, true));
            }
        }
    }
    Err(row)
}

/// How much of the step to take: all of it, unless the objective does not fall as much as it should (Armijo);
/// `None` if it falls nowhere along the step.
fn line_search(problem: &Problem, coefficients: &[f64], step: &[f64], value: f64, slope: f64) -> Option<f64> {
    // Near the minimum the differences of the objective are smaller than its rounding errors.
    let slack = 4.0 * f64::EPSILON * value.abs();
    let mut length = 1.0;
    for _ in 0..60 {
        let moved: Vec<f64> =
            coefficients.iter().zip(step).map(|(coefficient, step)| coefficient + length * step).collect();
        if problem.value(&moved) <= value + 1e-4 * length * slope + slack {
            return Some(length);
        }
        length /= 2.0;
    }
    None
}

/// The largest size of an entry; infinite if one is not a number.
fn largest(values: &[f64]) -> f64 {
    let size = |value: &f64| if value.is_nan() { f64::INFINITY } else { value.abs() };
    values.iter().map(size).fold(0.0, f64::max)
}

/// Whether the coefficients separate the classes, or the direction in which they move quasi-separates them,
/// so that they would move on forever.
fn separates(problem: &Problem, coefficients: &[f64], step: &[f64]) -> bool {
    let (least, most) = problem.margins(step);
    problem.margins(coefficients).0 > 0.0 || most > 1e-3 && least >= -1e-9 * most
}

/// What a Hessian means that was found singular in this row after this many steps: a column that depends on
/// others makes the first one singular; a later one vanishes where all rows are fitted perfectly.
fn singular(
    problem: &Problem,
    coefficients: &[f64],
    gradient: &[f64],
    taken: usize,
    row: usize,
) -> LogisticError {
    let vanishes = taken > 0 && largest(gradient) <= 1e-6 * problem.total_weight();
    if vanishes || problem.margins(coefficients).0 > 0.0 {
        return LogisticError::Separable;
    }
    // Where the intercept depends on the columns, the last of them depends on the others and a constant.
    let last = problem.design.n_columns().saturating_sub(1);
    LogisticError::Collinear { column: (row % problem.stride()).min(last) }
}

/// The error after the last iteration.
pub(super) fn not_converged(problem: &Problem, coefficients: &[f64], iterations: usize) -> LogisticError {
    let mut gradient = vec![0.0; coefficients.len()];
    problem.gradient(coefficients, &mut gradient);
    LogisticError::NotConverged { iterations, gradient: largest(&gradient) / problem.total_weight() }
}
