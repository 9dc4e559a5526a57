//! Limited-memory BFGS with bounds below and a preconditioner.

use std::collections::VecDeque;

/// How many steps are remembered.
const MEMORY: usize = 8;

/// The most steps.
const MOST_STEPS: usize = 200;

/// A step and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// One over their product.
    inverse: f64,
    /// By how much the preconditioner should be multiplied to have the curvature along the step.
    scale: f64,
}

/// Moves `x` to the minimum of a convex function, of which `evaluate(x, gradient)` returns the value, with
/// the first `n_bounded` entries not negative.
///
/// Entries at their bound from which the gradient leads further out are left there (Bertsekas 1982,
/// *Projected Newton methods for optimization problems with simple constraints*), the others follow the two
/// loops of limited-memory BFGS (Nocedal and Wright 2006, *Numerical Optimization*, algorithm 7.4), in which
/// `precondition` multiplies with the first inverse Hessian except for a factor (their equation 7.20). A step
/// that lowers the value by less than the share `precision` of it is the last one.
///
/// ```
/// use nb_variants::minimise::minimise;
///
/// let mut x = vec![1.0];
/// let value = minimise(&mut x, 0, 1e-12, |_| (), |x, gradient| {
///     gradient[0] = 2.0 * (x[0] + 3.0);
///     (x[0] + 3.0).powi(2) + 2.0
/// });
/// assert!((x[0] + 3.0).abs() < 1e-6 && (value - 2.0).abs() < 1e-12);
/// ```
pub fn minimise(
    x: &mut Vec<f64>,
    n_bounded: usize,
    precision: f64,
    precondition: impl Fn(&mut [f64]),
    mut evaluate: impl FnMut(&[f64], &mut [f64]) -> f64,
) -> f64 {
    let mut gradient = vec![0.0; x.len()];
    let mut value = evaluate(x, &mut gradient);
    let mut pairs: VecDeque<Pair> = VecDeque::with_capacity(MEMORY);
    let mut changed = vec![0.0; x.len()];
    for _ in 0..MOST_STEPS {
        let is_free = |entry: usize| entry >= n_bounded || x[entry] > 0.0 || gradient[entry] < 0.0;
        let free: Vec<bool> = (0..x.len()).map(is_free).collect();
        let direction = direction(&gradient, &free, &pairs, &precondition);
        let Some((next, next_value)) =
            search(x, n_bounded, &direction, value, &gradient, &mut changed, &mut evaluate)
        else {
            if pairs.is_empty() {
                break;
            }
            // The remembered curvature misleads; start afresh.
            pairs.clear();
            continue;
        };
        let step: Vec<f64> = next.iter().zip(&*x).map(|(new, old)| new - old).collect();
        let change: Vec<f64> = changed.iter().zip(&gradient).map(|(new, old)| new - old).collect();
        let product = dot(&step, &change);
        if product > f64::EPSILON * (dot(&change, &change) * dot(&step, &step)).sqrt() {
            if pairs.len() == MEMORY {
                pairs.pop_front();
            }
            let mut scaled = change.clone();
            precondition(&mut scaled);
            let scale = product / dot(&scaled, &change);
            pairs.push_back(Pair { step, change, inverse: 1.0 / product, scale });
        }
        let gain = value - next_value;
        *x = next;
        value = next_value;
        std::mem::swap(&mut gradient, &mut changed);
        if gain <= precision * value.abs().max(1.0) {
            break;
        }
    }
    value
}

/// Minus the approximate inverse Hessian times the gradient, in the entries that are free to move.
fn direction(
    gradient: &[f64],
    free: &[bool],
    pairs: &VecDeque<Pair>,
    precondition: impl Fn(&mut [f64]),
) -> Vec<f64> {
    let masked = |values: &mut [f64]| {
        for (value, &free) in values.iter_mut().zip(free) {
            if !free {
                *value = 0.0;
            }
        }
    };
    let mut direction: Vec<f64> = gradient.iter().map(|gradient| -gradient).collect();
    masked(&mut direction);
    let mut shares = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let share = pair.inverse * dot(&pair.step, &direction);
        add(&mut direction, -share, &pair.change);
        shares.push(share);
    }
    precondition(&mut direction);
    if let Some(last) = pairs.back() {
        for entry in &mut direction {
            *entry *= last.scale;
        }
    }
    for (pair, share) in pairs.iter().zip(shares.into_iter().rev()) {
        let other = pair.inverse * dot(&pair.change, &direction);
        add(&mut direction, share - other, &pair.step);
    }
    masked(&mut direction);
    direction
}

/// The first of ever smaller steps that lowers the value enough (Armijo 1966), with its gradient in
/// `changed`.
fn search(
    x: &[f64],
    n_bounded: usize,
    direction: &[f64],
    value: f64,
    gradient: &[f64],
    changed: &mut [f64],
    evaluate: &mut impl FnMut(&[f64], &mut [f64]) -> f64,
) -> Option<(Vec<f64>, f64)> {
    if dot(direction, gradient) >= 0.0 {
        return None;
    }
    let mut length = 1.0;
    for _ in 0..40 {
        let moved = x.iter().zip(direction).enumerate().map(|(entry, (x, direction))| {
            let moved = x + length * direction;
            if entry < n_bounded { moved.max(0.0) } else { moved }
        });
        let next: Vec<f64> = moved.collect();
        let decrease: f64 =
            next.iter().zip(x).zip(gradient).map(|((new, old), gradient)| (new - old) * gradient).sum();
        let next_value = evaluate(&next, changed);
        if decrease < 0.0 && next_value <= value + 1e-4 * decrease {
            return Some((next, next_value));
        }
        length *= 0.5;
    }
    None
}

/// Divides by the diagonal of the Hessian, for [`minimise`].
///
/// ```
/// let mut gradient = [3.0, 8.0];
/// nb_variants::minimise::divide_by(&[1.0, 2.0])(&mut gradient);
/// assert_eq!(gradient, [3.0, 4.0]);
/// ```
pub fn divide_by(curvature: &[f64]) -> impl Fn(&mut [f64]) + '_ {
    move |values| {
        for (value, curvature) in values.iter_mut().zip(curvature) {
            *value /= curvature;
        }
    }
}

/// Sums of every eighth product, which are added up at the end: they do not wait for one another.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (of_a, rest_of_a) = a.as_chunks::<8>();
    let (of_b, rest_of_b) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in of_a.iter().zip(of_b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f64 = rest_of_a.iter().zip(rest_of_b).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

fn add(to: &mut [f64], factor: f64, values: &[f64]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += factor * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRECISION: f64 = 1e-7;

    #[test]
    fn a_quadratic_function_has_its_minimum_within_the_bounds() {
        // (x - 3)² + 10 (y + 1)² + x y with x, y ≥ 0: y stays at its bound, x is 3.
        let mut x = vec![1.0, 1.0];
        let value = minimise(&mut x, 2, PRECISION, divide_by(&[2.0, 20.0]), |x, gradient| {
            gradient[0] = 2.0 * (x[0] - 3.0) + x[1];
            gradient[1] = 20.0 * (x[1] + 1.0) + x[0];
            (x[0] - 3.0).powi(2) + 10.0 * (x[1] + 1.0).powi(2) + x[0] * x[1]
        });
        assert!((x[0] - 3.0).abs() < 1e-3 && x[1] == 0.0 && (value - 10.0).abs() < 1e-6, "{x:?} {value}");
    }

    #[test]
    fn a_badly_scaled_function_is_followed_to_its_minimum() {
        let scales: Vec<f64> = (0..30).map(|place| 10.0_f64.powi(place % 7 - 3)).collect();
        let mut x = vec![5.0; 30];
        minimise(
            &mut x,
            0,
            PRECISION,
            |_| (),
            |x, gradient| {
                let mut value = 0.0;
                for ((gradient, x), scale) in gradient.iter_mut().zip(x).zip(&scales) {
                    *gradient = 2.0 * scale * (x - 1.0);
                    value += scale * (x - 1.0).powi(2);
                }
                value
            },
        );
        let left: f64 = x.iter().zip(&scales).map(|(x, scale)| scale * (x - 1.0).powi(2)).sum();
        assert!(left < 1e-5, "{left}");
    }
}
