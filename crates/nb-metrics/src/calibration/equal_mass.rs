//! The calibration error over bins of about equal mass.

use std::{collections::BTreeMap, num::NonZeroU32};

use super::{Bin, CalibrationError};
use crate::sum::Sum;

/// The fewest effective rows of a bin: with fewer, the correction for the bias is as uncertain as what it
/// corrects.
const LEAST: f64 = 10.0;

/// The fewest effective rows in all: the variance of a single one cannot be estimated.
const LEAST_OF_ALL: f64 = 2.0;

/// What rounding may take off an effective number of rows.
const SLACK: f64 = 1e-9;

/// Digits of a double that are left out of the number of a cell: 6 are kept, so that it is at most 1/64 wide,
/// relative to the nearer of the posterior's distances from 0 and 1.
const SHIFT: u32 = 46;

/// Rows in fine cells of the posterior of the predicted class, from which bins are joined when the error is
/// read. The cells are the same for all rows, so that sums of parts add up, and memory does not grow with the
/// rows.
#[derive(Clone, Debug, Default)]
pub(super) struct EqualMass {
    cells: BTreeMap<u64, Bin>,
}

impl EqualMass {
    pub(super) fn add(&mut self, log_posterior: f64, is_right: bool, weight: f64) {
        self.cells.entry(cell(log_posterior)).or_default().add(log_posterior, is_right, weight);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (&number, theirs) in &other.cells {
            self.cells.entry(number).or_default().merge(theirs);
        }
    }

    /// `√max(0, Σ_b n_b/n ((accuracy_b - confidence_b)² - accuracy_b (1 - accuracy_b)/(n_b - 1)))`.
    pub(super) fn error(&self, n_bins: NonZeroU32) -> Option<CalibrationError> {
        let total = self.cells.values().map(weight).sum::<Sum>().value();
        let mut all = Bin::default();
        self.cells.values().for_each(|cell| all.merge(cell));
        let effective = all.rows.effective();
        if !(effective >= LEAST_OF_ALL - SLACK && total.is_finite()) {
            return None;
        }
        let bins = self.bins(n_bins, total, LEAST * (total / effective));
        let square: Sum = bins.iter().map(|bin| weight(bin) / total * debiased(bin)).sum();
        let value = square.value().max(0.0).sqrt();
        value.is_finite().then_some(CalibrationError { value, n_bins: bins.len() as u32 })
    }

    /// Neighbouring cells are joined until a bin has about its share of the remaining weight, which is no
    /// less than `least`, and [`LEAST`] effective rows.
    fn bins(&self, n_bins: NonZeroU32, total: f64, least: f64) -> Vec<Bin> {
        let mut bins: Vec<Bin> = Vec::new();
        let mut open = Bin::default();
        let mut left = total;
        for cell in self.cells.values() {
            let n_left = f64::from(n_bins.get()) - bins.len() as f64;
            let share = least.max(left / n_left);
            let mass = weight(&open);
            let is_nearer_without = mass + weight(cell) - share > share - mass;
            if n_left > 1.0 && has_least(&open) && is_nearer_without {
                left -= mass;
                bins.push(std::mem::take(&mut open));
            }
            open.merge(cell);
        }
        match bins.last_mut() {
            // What is left is too little for its own bin.
            Some(last) if !has_least(&open) => last.merge(&open),
            _ => bins.push(open),
        }
        bins
    }
}

fn weight(bin: &Bin) -> f64 {
    bin.rows.tally().weight
}

fn has_least(bin: &Bin) -> bool {
    bin.rows.effective() >= LEAST - SLACK
}

/// The squared gap of a bin, less the variance of its accuracy, by which the square is too large on average.
fn debiased(bin: &Bin) -> f64 {
    let n = weight(bin);
    let accuracy = bin.right.value() / n;
    (bin.gap.value() / n).powi(2) - accuracy * (1.0 - accuracy) / (bin.rows.effective() - 1.0)
}

/// The cell of a log-posterior, rising with it. Below 1/2 cells are those of the posterior, above of what it
/// lacks of 1, so that sure rows are in their own cells.
fn cell(log_posterior: f64) -> u64 {
    let half = 0.5_f64.to_bits() >> SHIFT;
    let (posterior, doubt) = (log_posterior.exp(), -log_posterior.exp_m1());
    if posterior < 0.5 {
        posterior.to_bits() >> SHIFT
    } else {
        2 * half + 1 - (doubt.max(0.0).to_bits() >> SHIFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(rows: &[(f64, bool, f64)], n_bins: u32) -> Option<CalibrationError> {
        let mut sums = EqualMass::default();
        for &(posterior, is_right, weight) in rows {
            sums.add(posterior.ln(), is_right, weight);
        }
        sums.error(NonZeroU32::new(n_bins)?)
    }

    #[test]
    fn cells_rise_with_the_posterior() {
        let logs = [f64::NEG_INFINITY, -700.0, -1.0, -0.7, -0.69, -0.5, -1e-3, -1e-17, -1e-300, 0.0];
        assert!(logs.windows(2).all(|pair| cell(pair[0]) < cell(pair[1])));
    }

    #[test]
    fn one_bin_by_hand() {
        // 3 of 4 right at a posterior of 0.5: 1/16 less 3/16 by 3 is 0.
        let rows = [(0.5, true, 1.0), (0.5, true, 1.0), (0.5, true, 1.0), (0.5, false, 1.0)];
        assert_eq!(error(&rows, 15), Some(CalibrationError { value: 0.0, n_bins: 1 }));
        // None of 4: 1/4, from an accuracy without variance.
        assert_eq!(error(&[(0.5, false, 1.0); 4], 15), Some(CalibrationError { value: 0.5, n_bins: 1 }));
        assert_eq!(error(&[(0.5, false, 1.0)], 15), None);
        assert_eq!(error(&[], 15), None);
    }

    #[test]
    fn bins_share_the_rows() {
        let rows = |n: u32| {
            (0..n).map(|row| (0.5 + 0.5 * f64::from(row) / f64::from(n), true, 1.0)).collect::<Vec<_>>()
        };
        let n_bins = |n, most| error(&rows(n), most).map(|error| error.n_bins);
        assert_eq!(n_bins(30, 15), Some(3));
        assert_eq!(n_bins(29, 15), Some(2));
        assert_eq!(n_bins(3000, 15), Some(15));
        assert_eq!(n_bins(3000, 1), Some(1));
        // Most rows are in one cell.
        let mut skewed = rows(40);
        skewed.extend(std::iter::repeat_n((0.999_999, true, 1.0), 1000));
        assert_eq!(error(&skewed, 15).map(|error| error.n_bins), Some(2));
    }

    #[test]
    fn only_ratios_of_weights_matter() {
        let of = |factor: f64| {
            let weight = |row: u32| factor * f64::from(1 + row % 3);
            let rows: Vec<_> =
                (0..90).map(|row| (0.5 + f64::from(row) / 200.0, row % 4 > 0, weight(row))).collect();
            error(&rows, 15).unwrap()
        };
        assert_eq!(of(1.0), of(1024.0));
        // One row is one row, whatever its weight.
        assert_eq!(error(&[(0.5, false, 4.0)], 15), None);
    }

    const TIMES: usize = 400;

    /// A calibrated model of 500 rows: the square of the error is 0 on average, that without the correction
    /// is not.
    #[test]
    fn the_error_of_a_calibrated_model_has_no_bias() {
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut square, mut plain) = (0.0, 0.0);
        for _ in 0..TIMES {
            let mut sums = EqualMass::default();
            for _ in 0..500 {
                let posterior = 0.5 + 0.5 * uniform();
                sums.add(posterior.ln(), uniform() < posterior, 1.0);
            }
            for bin in sums.bins(NonZeroU32::new(15).unwrap(), 500.0, LEAST) {
                let n = weight(&bin);
                square += n / 500.0 * debiased(&bin) / TIMES as f64;
                plain += n / 500.0 * (bin.gap.value() / n).powi(2) / TIMES as f64;
            }
        }
        assert!(square.abs() < 2e-4 && plain > 4e-3, "{square} {plain}");
    }
}
