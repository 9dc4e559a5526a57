//! Cuts by the MODL criterion: the most probable discretisation under a prior over all of them (Boullé 2006).
//!
//! Costs are minus logarithms of probabilities in fixed point, so that moving rows between intervals is
//! exact, and equal intervals have equal costs in whatever order they came about.

mod exact;
mod greedy;

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::columns::{Run, between};
use crate::ln_factorial::LnFactorials;

/// The most steps of one pass of the exact search: numbers of elementary intervals and of their counts,
/// multiplied.
const MOST_STEPS: usize = 1 << 24;

/// What the search shares between columns.
pub(super) struct Modl {
    /// `ln k!` for every count up to the number of rows and classes.
    ln_factorial: LnFactorials,
    n_classes: usize,
}

/// Whether the cuts of a column are the best of all.
pub(super) fn is_exact(runs: &[Run]) -> bool {
    Column::new(&Modl::new(0, 0), runs).is_small()
}

/// A column as elementary intervals: the values between neighbouring boundary points, which no best
/// discretisation divides.
struct Column<'a> {
    modl: &'a Modl,
    /// How many rows of a class an elementary interval has, by interval, then class; and where each interval
    /// begins.
    cells: Vec<Cell>,
    starts: Vec<usize>,
    /// The cut below each elementary interval but the first.
    cuts: Vec<f64>,
    n_rows: usize,
}

/// Rows of one class.
#[derive(Clone, Copy)]
struct Cell {
    class: usize,
    count: usize,
}

impl Modl {
    pub(super) fn new(n_rows: usize, n_classes: usize) -> Self {
        Self { ln_factorial: LnFactorials::up_to(n_rows.max(1) * 2 + n_classes), n_classes }
    }

    /// The cuts of a column, increasing.
    pub(super) fn cuts(&self, runs: &[Run]) -> Vec<f64> {
        let column = Column::new(self, runs);
        let mut boundaries = column.greedy();
        if column.is_small() {
            boundaries = column.optimum(boundaries);
        }
        column.cuts_at(&boundaries)
    }

    /// Those of the greedy search, which may not be the best.
    pub(super) fn greedy_cuts(&self, runs: &[Run]) -> Vec<f64> {
        let column = Column::new(self, runs);
        column.cuts_at(&column.greedy())
    }

    /// `ln C(n_i + J - 1, J - 1) + ln n_i! - Σ_j ln n_ij!`, of which the sum is given.
    fn cost(&self, n_rows: usize, sum: i128) -> i128 {
        let others = self.n_classes.saturating_sub(1);
        self.ln_factorial.ln_binomial(n_rows + others, others) + self.ln_factorial.of(n_rows) - sum
    }
}

impl<'a> Column<'a> {
    fn new(modl: &'a Modl, runs: &[Run]) -> Self {
        let (mut cells, mut starts, mut cuts) = (Vec::<Cell>::new(), Vec::new(), Vec::new());
        // The class of all rows of the elementary interval so far, if they are of one.
        let mut pure = None;
        let mut below = f64::NAN;
        for equal in runs.chunk_by(|a, b| a.value == b.value) {
            let own = (equal.len() == 1).then_some(equal[0].class);
            match cells.last_mut() {
                Some(last) if own.is_some() && own == pure => last.count += equal[0].count,
                last => {
                    if last.is_some() {
                        cuts.push(between(below, equal[0].value));
                    }
                    starts.push(cells.len());
                    cells.extend(equal.iter().map(|run| Cell { class: run.class, count: run.count }));
                }
            }
            (pure, below) = (own, equal[0].value);
        }
        starts.push(cells.len());
        Self { modl, starts, cuts, n_rows: cells.iter().map(|cell| cell.count).sum(), cells }
    }

    fn n_elementary(&self) -> usize {
        self.starts.len() - 1
    }

    /// The counts of elementary intervals.
    fn cells_of(&self, elementary: Range<usize>) -> &[Cell] {
        &self.cells[self.starts[elementary.start]..self.starts[elementary.end]]
    }

    /// `ln C(n + I - 1, I - 1)`: which bounds the intervals have, given how many there are.
    fn cost_of_bounds(&self, n_intervals: usize) -> i128 {
        self.modl.ln_factorial.ln_binomial(self.n_rows + n_intervals - 1, n_intervals - 1)
    }

    /// The cuts at boundaries, which are numbers of elementary intervals.
    fn cuts_at(&self, boundaries: &[usize]) -> Vec<f64> {
        boundaries.iter().map(|&boundary| self.cuts[boundary - 1]).collect()
    }

    /// Whether it is searched exactly.
    fn is_small(&self) -> bool {
        self.n_elementary().saturating_mul(self.cells.len()) <= MOST_STEPS
    }
}
