//! What the likelihood depends on: how many rows have each count in each column, and each total.

use std::collections::BTreeMap;

use nb_core::error::{ValueError, ValueProblem};

/// The largest count.
const LARGEST: f64 = 4_294_967_296.0;

/// Rows by count, larger than 0.
type ByCount = BTreeMap<u64, f64>;

/// The rows of a class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts {
    n_rows: f64,
    columns: Vec<ByCount>,
    totals: ByCount,
}

/// Refuses cells that are no whole counts.
pub(super) fn check_counts(row: usize, cells: &[f64]) -> Result<(), ValueError> {
    let problem = |value: f64| {
        if value.is_nan() {
            Some(ValueProblem::Missing)
        } else if value < 0.0 {
            Some(ValueProblem::Negative)
        } else if value > LARGEST {
            Some(ValueProblem::Other("is beyond 2^32, the largest count; clip or drop the row".into()))
        } else {
            (value.fract() != 0.0).then_some(ValueProblem::Fractional)
        }
    };
    let found = cells.iter().enumerate().find_map(|(column, &value)| Some((column, value, problem(value)?)));
    found.map_or(Ok(()), |(column, value, reason)| Err(ValueError { row, column, value, reason }))
}

impl Counts {
    pub(super) fn new(n_columns: usize) -> Self {
        Self { n_rows: 0.0, columns: vec![ByCount::new(); n_columns], totals: ByCount::new() }
    }

    /// Adds a row that was checked.
    pub(super) fn add(&mut self, cells: &[f64]) {
        self.n_rows += 1.0;
        let mut total = 0;
        for (column, &count) in self.columns.iter_mut().zip(cells) {
            if count > 0.0 {
                *column.entry(count as u64).or_default() += 1.0;
                total += count as u64;
            }
        }
        if total > 0 {
            *self.totals.entry(total).or_default() += 1.0;
        }
    }

    /// The number of rows.
    pub(super) fn n_rows(&self) -> f64 {
        self.n_rows
    }

    /// With this many more rows for each column that have a single occurrence of it.
    pub(super) fn smoothed(&self, rows: f64) -> Self {
        let mut smoothed = self.clone();
        for column in &mut smoothed.columns {
            *column.entry(1).or_default() += rows;
        }
        *smoothed.totals.entry(1).or_default() += rows * self.columns.len() as f64;
        smoothed
    }

    /// The sum of the counts of each column.
    pub(super) fn sums(&self) -> Vec<f64> {
        let sum = |column: &ByCount| column.iter().map(|(&count, rows)| count as f64 * rows).sum();
        self.columns.iter().map(sum).collect()
    }

    /// `Σ_rows f(x)` over each column, for a function that is 0 at 0.
    pub(super) fn by_column<'a>(
        &'a self,
        alphas: &'a [f64],
        f: impl Fn(u64, f64) -> f64 + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        self.columns.iter().zip(alphas).map(move |(column, &alpha)| of_counts(column, alpha, &f))
    }

    /// The same over the totals.
    pub(super) fn by_total(&self, alpha: f64, f: impl Fn(u64, f64) -> f64) -> f64 {
        of_counts(&self.totals, alpha, &f)
    }
}

fn of_counts(counts: &ByCount, alpha: f64, f: &impl Fn(u64, f64) -> f64) -> f64 {
    counts.iter().map(|(&count, rows)| rows * f(count, alpha)).sum()
}
