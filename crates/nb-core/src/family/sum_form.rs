//! What the families share in scoring rows of which only the sums are known.

use exact_sums::ExactSums;

use crate::model::scores::add_compensated;

/// A sum of logarithms, with its rounding errors. Negative infinity stays.
#[derive(Debug, Default)]
pub(crate) struct Total {
    high: f64,
    low: f64,
}

impl Total {
    pub(crate) fn add(&mut self, term: f64) {
        add_compensated(&mut self.high, &mut self.low, term);
    }

    pub(crate) fn value(&self) -> f64 {
        self.high + self.low
    }
}

/// Calls `visit` with every index and the sum there, rounded to a double; `None` if there are not `len` sums.
pub(crate) fn for_each_count(sums: &ExactSums, len: usize, mut visit: impl FnMut(usize, f64)) -> Option<()> {
    if sums.len() != len {
        return None;
    }
    match sums.as_plain() {
        Some(plain) => plain.iter().enumerate().for_each(|(index, &sum)| visit(index, sum)),
        None => sums.iter().enumerate().for_each(|(index, sum)| visit(index, sum.to_f64())),
    }
    Some(())
}
