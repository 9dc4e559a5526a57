//! Contributions of levels to the log-likelihood, of training rows by leave-one-out.

use std::ops::Range;

use super::{
    coding::{Coding, Levels},
    columns::Columns,
    row_weights::RowWeights,
};

/// The counts of levels by class, and the smoothed log-probabilities that follow.
///
/// With `n_kc` of the `n_c` rows of class `c` that are not missing at level `k` of `K`, and the pseudo-count
/// `l` of every level, `log p(k | c) = log((n_kc + l) / (n_c + l K))`. Leaving out a row of class `y` with
/// level `k` changes this for its own class alone, to `log((n_ky - 1 + l) / (n_y - 1 + l K))`: exactly what
/// training without the row would give. A missing cell contributes 0. Rows with weights count as often as
/// these say, and a row is left out with all of its weight: with `w` in place of 1.
pub(super) struct Contributions {
    pub(super) n_classes: usize,
    /// `log p(k | c)`, `levels × classes`.
    pub(super) all: Vec<f64>,
    own: Own,
    /// The log prior, smoothed so that a class without rows has one.
    pub(super) log_prior: Vec<f64>,
}

/// What a level contributes to the class of a row that is itself taken out.
enum Own {
    /// Of rows that count alike: `levels × classes`.
    ByLevel(Vec<f64>),
    /// For each column, of each row.
    ByRow(Vec<Vec<f64>>),
}

impl Contributions {
    pub(super) fn new(
        (columns, coding): (&Columns, &Coding),
        levels: &Levels,
        labels: &[usize],
        row_weights: RowWeights<'_>,
        n_classes: usize,
    ) -> Self {
        let mut counts = vec![0.0; coding.n_all * n_classes];
        for column in &levels.columns {
            for (row, (&level, &label)) in column.iter().zip(labels).enumerate() {
                counts[level as usize * n_classes + label] += row_weights.of(row);
            }
        }
        let (mut all, mut by_level, mut by_row) =
            (vec![0.0; counts.len()], vec![0.0; counts.len()], Vec::new());
        for (column, of_rows) in levels.columns.iter().enumerate() {
            if columns.rising[column].is_some() {
                // Bins of counts are monotone by chance only.
                by_row.push(vec![0.0; of_rows.len()]);
                continue;
            }
            let n_levels = coding.n_levels[column] as f64;
            let l = pseudo_count(coding.n_levels[column]);
            let at = |level: usize, class: usize| level * n_classes + class;
            let total = |class: usize| -> f64 {
                coding.of_column(column).map(|level| counts[at(level, class)]).sum()
            };
            let totals: Vec<f64> = (0..n_classes).map(total).collect();
            let without = |count: f64, total: f64, weight: f64| {
                let rest = (count - weight).max(0.0);
                libm::log((rest + l) / ((total - weight).max(0.0) + l * n_levels))
            };
            for (class, &total) in totals.iter().enumerate() {
                for level in coding.of_column(column) {
                    let count = counts[at(level, class)];
                    all[at(level, class)] = libm::log((count + l) / (total + l * n_levels));
                    by_level[at(level, class)] = without(count, total, 1.0);
                }
            }
            if let Some(weights) = row_weights.given() {
                let missing = coding.missing(column);
                let own = of_rows.iter().zip(labels).zip(weights).map(|((&level, &label), &weight)| {
                    let level = level as usize;
                    if level == missing {
                        0.0
                    } else {
                        without(counts[at(level, label)], totals[label], weight)
                    }
                });
                by_row.push(own.collect());
            }
        }
        let own = if row_weights.given().is_some() { Own::ByRow(by_row) } else { Own::ByLevel(by_level) };
        Self { n_classes, all, own, log_prior: log_prior(labels, row_weights, n_classes) }
    }

    /// What the level of a row contributes to its own class if the row is left out.
    #[inline]
    pub(super) fn own(&self, column: usize, row: usize, level: u32, label: usize) -> f64 {
        match &self.own {
            Own::ByLevel(own) => own[level as usize * self.n_classes + label],
            Own::ByRow(own) => own[column][row],
        }
    }

    /// Calls `work` with what leaving out each of some rows changes for its own class, from the levels of
    /// these rows in a column and their labels.
    #[inline]
    pub(super) fn for_each_left_out(
        &self,
        column: usize,
        rows: Range<usize>,
        levels: &[u32],
        labels: &[usize],
        mut work: impl FnMut(usize, f64),
    ) {
        let at = |level: u32, label: usize| level as usize * self.n_classes + label;
        let rows_of = levels[rows.clone()].iter().zip(&labels[rows.clone()]).enumerate();
        match &self.own {
            Own::ByLevel(own) => {
                for (row, (&level, &label)) in rows_of {
                    work(row, own[at(level, label)] - self.all[at(level, label)]);
                }
            }
            Own::ByRow(own) => {
                for ((row, (&level, &label)), own) in rows_of.zip(&own[column][rows]) {
                    work(row, own - self.all[at(level, label)]);
                }
            }
        }
    }
}

/// The pseudo-count of each of `n` levels: one row for all of them (Perks 1947).
pub(super) fn pseudo_count(n_levels: usize) -> f64 {
    1.0 / n_levels.max(1) as f64
}

fn log_prior(labels: &[usize], row_weights: RowWeights<'_>, n_classes: usize) -> Vec<f64> {
    let mut counts = vec![1.0 / n_classes as f64; n_classes];
    for (row, &label) in labels.iter().enumerate() {
        counts[label] += row_weights.of(row);
    }
    let total = row_weights.total(labels.len()) + 1.0;
    counts.iter().map(|count| libm::log(count / total)).collect()
}
