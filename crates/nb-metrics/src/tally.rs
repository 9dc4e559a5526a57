//! How many rows, and with what weight.

use crate::sum::Sum;

/// Rows of some kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Their number; those of weight 0 do not count.
    pub rows: u64,
    /// Their weight.
    pub weight: f64,
}

/// A tally that grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter {
    rows: u64,
    weight: Sum,
}

impl Counter {
    pub(crate) fn add(&mut self, weight: f64) {
        self.rows = self.rows.saturating_add(1);
        self.weight.add(weight);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.rows = self.rows.saturating_add(other.rows);
        self.weight.merge(&other.weight);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally { rows: self.rows, weight: self.weight.value() }
    }
}
