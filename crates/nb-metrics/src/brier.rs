//! The Brier score: squared distances between posteriors and the truth.

use crate::{
    sum::{Sum, ratio},
    tally::Counter,
};

/// Squared errors of the posteriors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Brier {
    errors: Sum,
    rows: Counter,
}

impl Brier {
    pub(crate) fn add(&mut self, truth: Option<usize>, log_posteriors: &[f64], weight: f64) {
        self.errors.add(weight * squared_error(truth, log_posteriors));
        self.rows.add(weight);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.errors.merge(&other.errors);
        self.rows.merge(&other.rows);
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        ratio(self.errors.value(), self.rows.tally().weight)
    }
}

/// `Σ_c (p_c - [c is the truth])²`. A class that the model never saw is one more, whose posterior is 0.
fn squared_error(truth: Option<usize>, log_posteriors: &[f64]) -> f64 {
    let mut error = if truth.is_none() { 1.0 } else { 0.0 };
    for (class, &log_posterior) in log_posteriors.iter().enumerate() {
        // `p - 1` from the logarithm keeps the digits that `p` near 1 has lost.
        let distance = if truth == Some(class) { log_posterior.exp_m1() } else { log_posterior.exp() };
        error += distance * distance;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sure_rows_keep_their_digits() {
        let doubt = 3e-20_f64;
        let error = squared_error(Some(0), &[(-doubt).ln_1p(), doubt.ln()]);
        assert!((error / (2.0 * doubt * doubt) - 1.0).abs() < 1e-13, "{error:e}");
    }

    #[test]
    fn the_worst_is_two() {
        assert_eq!(squared_error(Some(0), &[f64::NEG_INFINITY, 0.0]), 2.0);
        assert_eq!(squared_error(None, &[f64::NEG_INFINITY, 0.0]), 2.0);
        assert_eq!(squared_error(Some(1), &[f64::NEG_INFINITY, 0.0]), 0.0);
    }
}
