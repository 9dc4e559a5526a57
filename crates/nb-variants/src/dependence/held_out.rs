//! The loss by which leave-one-out cross-validation chooses structures.

use nb_core::exact::ExactSums;

/// Mean losses of rows that differ by no more than this are equal but for rounding.
const ROUNDING: f64 = 1e-12;

/// `(1 - P(y | x))²` of a row of class `own`, with the joint probabilities of all classes as logarithms of a
/// scale and multiples of it; 1 where all of them are 0.
pub(super) fn squared_loss(joint: &[(f64, f64)], own: usize) -> f64 {
    let largest = joint.iter().map(|(log, _)| *log).fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return 1.0;
    }
    let part = |&(log, factor): &(f64, f64)| factor * libm::exp(log - largest);
    let all: f64 = joint.iter().map(part).sum();
    // Of the others, so that confident predictions keep their digits.
    let others: f64 = joint.iter().enumerate().filter(|(class, _)| *class != own).map(|(_, p)| part(p)).sum();
    (others / all).powi(2)
}

/// The first of sums of losses of this number of rows that is the least but for rounding.
pub(super) fn first_least(losses: &ExactSums, n_rows: usize) -> usize {
    let losses: Vec<f64> = (0..losses.len()).map(|tried| losses.get(tried).to_f64()).collect();
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    losses.iter().position(|&loss| loss <= least + ROUNDING * n_rows as f64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_that_of_the_definition() {
        let joint = [(0.2_f64.ln(), 1.0), (0.1_f64.ln(), 3.0), (f64::NEG_INFINITY, 1.0)];
        assert!((squared_loss(&joint, 0) - 0.36).abs() < 1e-15);
        assert!((squared_loss(&joint, 1) - 0.16).abs() < 1e-15);
        assert_eq!(squared_loss(&joint, 2), 1.0);
        assert_eq!(squared_loss(&[(f64::NEG_INFINITY, 1.0); 2], 0), 1.0);
        assert!((squared_loss(&[(-900.0, 1.0), (-930.0, 1.0)], 0) / (-60.0_f64).exp() - 1.0).abs() < 1e-12);
    }
}
