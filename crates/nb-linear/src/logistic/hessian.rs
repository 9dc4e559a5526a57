//! The Hessian of the objective, for Newton steps.

use super::problem::{Problem, others};

/// The Hessian, of which the lower triangle is filled, row after row: for classes `a` and `b` the blocks
/// `Σ w p_a ([a = b] - p_b) z zᵀ`, and the penalties on the diagonal.
pub(super) fn hessian(problem: &Problem, coefficients: &[f64]) -> Vec<f64> {
    let (size, stride, n_free) = (problem.n_coefficients(), problem.stride(), problem.n_free());
    let first = problem.n_classes() - n_free;
    let mut hessian = vec![0.0; size * size];
    let mut entries = Vec::with_capacity(stride);
    problem.for_each_row(coefficients, |row, weight, probabilities| {
        entries.clear();
        problem.design.for_each_entry(row, |position, value| entries.push((position, value)));
        let free = &probabilities[first..];
        for (a, &p_a) in free.iter().enumerate() {
            for (b, &p_b) in free.iter().enumerate().take(a) {
                add_block(
                    &mut hessian[a * stride * size + b * stride..],
                    size,
                    &entries,
                    -weight * p_a * p_b,
                );
            }
            // The complement as a sum keeps its digits where the probability is near one.
            let curvature = weight * p_a * others(probabilities, first + a);
            add_block(&mut hessian[a * stride * size + a * stride..], size, &entries, curvature);
        }
    });
    for index in 0..size {
        hessian[index * size + index] += problem.penalty(index % stride);
    }
    if problem.n_classes() > 2 {
        fill_common_directions(problem, &mut hessian);
    }
    for (column, _) in problem.design.scale().iter().enumerate().filter(|(_, scale)| **scale == 0.0) {
        // A constant column: nothing depends on its weight, which stays zero.
        for a in 0..n_free {
            hessian[(a * stride + column) * (size + 1)] = 1.0;
        }
    }
    hessian
}

/// Adds `factor z zᵀ` to the block that begins the matrix, whose rows are `size` apart.
fn add_block(block: &mut [f64], size: usize, entries: &[(usize, f64)], factor: f64) {
    for &(i, value) in entries {
        let (row, scaled) = (&mut block[i * size..], factor * value);
        for &(j, other) in entries {
            row[j] += scaled * other;
        }
    }
}

/// Adding the same to the coefficients of all classes changes nothing where there is no penalty: there the
/// Hessian is singular. Since gradients have no part in these directions either, any curvature may be added,
/// and is.
fn fill_common_directions(problem: &Problem, hessian: &mut [f64]) {
    let (size, stride, n_free) = (problem.n_coefficients(), problem.stride(), problem.n_free());
    for position in (0..stride).filter(|&position| problem.penalty(position) == 0.0) {
        let diagonal = |a: usize| hessian[(a * stride + position) * (size + 1)];
        let mean = (0..n_free).map(diagonal).sum::<f64>() / n_free as f64;
        for a in 0..n_free {
            for b in 0..=a {
                hessian[(a * stride + position) * size + b * stride + position] += mean;
            }
        }
    }
}
