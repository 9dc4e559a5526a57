//! Whether a rule that labels all rows rightly may be a coincidence.

/// The probability, at most, with which chance finds a rule.
const RARE: f64 = 1e-3;

/// In how many orders the labels of all rows could be, as a logarithm: `n! / (n_1! ... n_k!)`.
pub(super) fn ln_orders(n_of_classes: &[u64]) -> f64 {
    ln_factorial(n_of_classes.iter().sum()) - n_of_classes.iter().map(|&n| ln_factorial(n)).sum::<f64>()
}

/// Whether chance is excluded as the reason why one of `exp(ln_rules)` rules predicts all labels. If labels
/// are randomly permuted, of which there are `exp(ln_orders)` ways, each rule fits one permutation at most,
/// so the probability is at most the ratio.
pub(super) fn is_excluded(ln_rules: f64, ln_orders: f64) -> bool {
    ln_rules - ln_orders < RARE.ln()
}

/// The logarithm of the number of ways to choose `k` of `n`.
pub(super) fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n { f64::NEG_INFINITY } else { ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) }
}

fn ln_factorial(n: u64) -> f64 {
    libm::lgamma(n as f64 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_orders_and_choices() {
        assert!((ln_orders(&[2, 3]).exp() - 10.0).abs() < 1e-9);
        assert!((ln_choose(5, 2).exp() - 10.0).abs() < 1e-9);
        assert_eq!(ln_choose(2, 5), f64::NEG_INFINITY);
        assert!(is_excluded(1.0, 9.0) && !is_excluded(3.0, 9.0));
    }
}
