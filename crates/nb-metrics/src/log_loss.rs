//! Log-loss: how surprising the truth was.

use crate::{
    sum::{Sum, ratio},
    tally::{Counter, Tally},
};

/// The logarithm of a posterior below which it counts as 0: `-2^900`. Weighted losses above it cannot
/// overflow, however many there are.
const IMPOSSIBLE: f64 = -f64::from_bits((1023 + 900) << 52);

/// The sum of `-log p` of the true classes where `p` is positive, and how many are not.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogLoss {
    losses: Sum,
    possible: Counter,
    impossible: Counter,
}

impl LogLoss {
    /// Adds a row whose true class has this log-posterior, if it has one.
    pub(crate) fn add(&mut self, log_posterior: Option<f64>, weight: f64) {
        match log_posterior {
            Some(log_posterior) if log_posterior >= IMPOSSIBLE => {
                self.losses.add(weight * -log_posterior);
                self.possible.add(weight);
            }
            _ => self.impossible.add(weight),
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.losses.merge(&other.losses);
        self.possible.merge(&other.possible);
        self.impossible.merge(&other.impossible);
    }

    pub(crate) fn impossible(&self) -> Tally {
        self.impossible.tally()
    }

    /// The mean over all rows.
    pub(crate) fn mean(&self) -> Option<f64> {
        if self.impossible.is_empty() { self.mean_of_possible() } else { Some(f64::INFINITY) }
    }

    /// The mean over the rows whose true class was possible.
    pub(crate) fn mean_of_possible(&self) -> Option<f64> {
        ratio(self.losses.value(), self.possible.tally().weight)
    }
}
