//! Limited-memory BFGS, for many coefficients.

use std::collections::VecDeque;

use super::{LogisticError, newton::not_converged, problem::Problem};

/// How many steps are remembered.
const MEMORY: usize = 10;

/// A step, the change of the gradient along it, and the inverse of their product.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// Moves `coefficients` to the minimum (Nocedal and Wright, *Numerical Optimization*, 2nd ed., algorithm
/// 7.5).
///
/// # Errors
/// [`LogisticError`] if there is none or it is not found.
pub(super) fn minimise(
    problem: &Problem,
    coefficients: &mut [f64],
    max_iterations: usize,
    tolerance: f64,
) -> Result<(), LogisticError> {
    let mut gradient = vec![0.0; coefficients.len()];
    let mut value = problem.gradient(coefficients, &mut gradient);
    let mut pairs = VecDeque::with_capacity(MEMORY);
    for _ in 0..max_iterations {
        if gradient.iter().all(|gradient| gradient.abs() <= tolerance * problem.total_weight()) {
            return if moves_on(problem, pairs.back()) { Err(LogisticError::Separable) } else { Ok(()) };
        }
        if !problem.is_penalised() && problem.margins(coefficients).0 > 0.0 {
            return Err(LogisticError::Separable);
        }
        let mut direction = direction(&gradient, &pairs);
        if pairs.is_empty() {
            // Nothing is known of the curvature: with standardised columns it is at most a quarter of the
            // weight.
            scale(&mut direction, 4.0 / problem.total_weight());
        }
        let Some(next) = line_search(problem, coefficients, &direction, value, &gradient) else {
            if pairs.is_empty() {
                return Err(not_converged(problem, coefficients, max_iterations));
            }
            // The remembered curvature misleads; start afresh.
            pairs.clear();
            continue;
        };
        let step: Vec<f64> =
            next.coefficients.iter().zip(&*coefficients).map(|(new, old)| new - old).collect();
        let change: Vec<f64> = next.gradient.iter().zip(&gradient).map(|(new, old)| new - old).collect();
        let curvature = dot(&step, &change);
        if curvature > f64::EPSILON * dot(&change, &change).sqrt() * dot(&step, &step).sqrt() {
            if pairs.len() == MEMORY {
                pairs.pop_front();
            }
            pairs.push_back(Pair { step, change, inverse: 1.0 / curvature });
        }
        coefficients.copy_from_slice(&next.coefficients);
        (value, gradient) = (next.value, next.gradient);
    }
    Err(not_converged(problem, coefficients, max_iterations))
}

/// Whether the gradient has vanished although the scores still move, in a direction that hardly any row
/// speaks against: the way of quasi-separated classes to infinity.
fn moves_on(problem: &Problem, last: Option<&Pair>) -> bool {
    let moves = |pair: &Pair| {
        let (least, most) = problem.margins(&pair.step);
        most > 1e-2 && least >= -1e-2 * most
    };
    !problem.is_penalised() && last.is_some_and(moves)
}

/// Minus the approximate inverse Hessian times the gradient (algorithm 7.4, the two loops).
fn direction(gradient: &[f64], pairs: &VecDeque<Pair>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|gradient| -gradient).collect();
    let mut shares = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let share = pair.inverse * dot(&pair.step, &direction);
        add(&mut direction, -share, &pair.change);
        shares.push(share);
    }
    if let Some(last) = pairs.back() {
        scale(&mut direction, 1.0 / (last.inverse * dot(&last.change, &last.change)));
    }
    for (pair, share) in pairs.iter().zip(shares.into_iter().rev()) {
        let correction = share - pair.inverse * dot(&pair.change, &direction);
        add(&mut direction, correction, &pair.step);
    }
    direction
}

/// Where a line search ended.
struct Point {
    coefficients: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// A point along the direction that meets the weak Wolfe conditions, found by doubling and bisection; `None`
/// if the direction does not lead down.
fn line_search(
    problem: &Problem,
    coefficients: &[f64],
    direction: &[f64],
    value: f64,
    gradient: &[f64],
) -> Option<Point> {
    let slope = dot(gradient, direction);
    if slope.is_nan() || slope >= 0.0 {
        return None;
    }
    // Near the minimum the differences of the objective are smaller than its rounding errors.
    let slack = 4.0 * f64::EPSILON * value.abs();
    let (mut length, mut low, mut high) = (1.0, 0.0, f64::INFINITY);
    for _ in 0..60 {
        let mut moved = coefficients.to_vec();
        add(&mut moved, length, direction);
        let mut gradient = vec![0.0; coefficients.len()];
        let new = problem.gradient(&moved, &mut gradient);
        // The value may be NaN, if the step was so long that scores overflow.
        let falls = new <= value + 1e-4 * length * slope + slack;
        if !falls {
            high = length;
        } else if dot(&gradient, direction) < 0.9 * slope {
            low = length;
        } else {
            return Some(Point { coefficients: moved, value: new, gradient });
        }
        length = if high.is_finite() { f64::midpoint(low, high) } else { 2.0 * length };
    }
    None
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a *= factor`.
fn scale(a: &mut [f64], factor: f64) {
    for a in a {
        *a *= factor;
    }
}

/// `a += factor b`.
fn add(a: &mut [f64], factor: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
}
