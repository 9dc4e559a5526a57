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
    squares: Sum,
}

impl Counter {
    pub(crate) fn add(&mut self, weight: f64) {
        self.rows = self.rows.saturating_add(1);
        self.weight.add(weight);
        self.squares.add(weight * weight);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.rows = self.rows.saturating_add(other.rows);
        self.weight.merge(&other.weight);
        self.squares.merge(&other.squares);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The number of rows of equal weight whose mean is as uncertain: `(Σ w)² / Σ w²`, which is the number of
    /// rows if all have the same weight (Kish 1965, *Survey Sampling*, section 11.7); 0 without rows.
    pub(crate) fn effective(&self) -> f64 {
        let (weight, squares) = (self.weight.value(), self.squares.value());
        if squares > 0.0 { weight * (weight / squares) } else { 0.0 }
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally { rows: self.rows, weight: self.weight.value() }
    }
}
