//! Calibration: whether answers are right as often as their posteriors say, as a reliability diagram and as
//! an error.

mod equal_mass;

use std::{collections::BTreeMap, num::NonZeroU32};

use equal_mass::EqualMass;

use crate::{
    Interval, Z_95,
    sum::{Sum, ratio},
    tally::{Counter, Tally},
};

/// One bar of a reliability diagram: the rows whose posterior of the predicted class lies in an interval.
///
/// DeGroot and Fienberg 1983, *The comparison and evaluation of forecasters*, The Statistician 32, 12-22.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReliabilityBin {
    /// The lower edge, which belongs to the bin below (to this one, if it is 0).
    pub lower: f64,
    /// The upper edge, which belongs to this bin.
    pub upper: f64,
    /// The rows.
    pub rows: Tally,
    /// The number of rows of equal weight whose accuracy is as uncertain, `(Σ w)² / Σ w²` (Kish 1965).
    pub effective_rows: f64,
    /// The mean posterior of their predicted classes.
    pub confidence: f64,
    /// The part of them that was predicted right.
    pub accuracy: f64,
    /// The 95 % score interval of the accuracy ([`Interval::wilson`]), with `effective_rows` as the number
    /// of trials.
    pub interval: Interval,
    /// Accuracy minus confidence, from differences that were taken row by row: above 0, the model is too
    /// modest.
    pub gap: f64,
}

/// A calibration error with what it was computed over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CalibrationError {
    pub(crate) value: f64,
    pub(crate) n_bins: u32,
}

/// Rows by the posterior of their predicted class.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    n_bins: NonZeroU32,
    bins: BTreeMap<u32, Bin>,
    equal_mass: EqualMass,
}

/// Sums of one bin.
#[derive(Clone, Debug, Default)]
struct Bin {
    rows: Counter,
    confidence: Sum,
    right: Sum,
    gap: Sum,
}

impl Bin {
    /// Adds a row by the log-posterior of its predicted class.
    fn add(&mut self, log_posterior: f64, is_right: bool, weight: f64) {
        let confidence = log_posterior.exp();
        self.rows.add(weight);
        self.confidence.add(weight * confidence);
        if is_right {
            self.right.add(weight);
            self.gap.add(weight * -log_posterior.exp_m1());
        } else {
            self.gap.add(weight * -confidence);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.rows.merge(&other.rows);
        self.confidence.merge(&other.confidence);
        self.right.merge(&other.right);
        self.gap.merge(&other.gap);
    }
}

impl Calibration {
    pub(crate) fn new(n_bins: NonZeroU32) -> Self {
        Self { n_bins, bins: BTreeMap::new(), equal_mass: EqualMass::default() }
    }

    /// Adds a row by the log-posterior of its predicted class.
    pub(crate) fn add(&mut self, log_posterior: f64, is_right: bool, weight: f64) {
        let number = bin_of(log_posterior.exp(), self.n_bins.get());
        self.bins.entry(number).or_default().add(log_posterior, is_right, weight);
        self.equal_mass.add(log_posterior, is_right, weight);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (&number, theirs) in &other.bins {
            self.bins.entry(number).or_default().merge(theirs);
        }
        self.equal_mass.merge(&other.equal_mass);
    }

    /// The calibration error, and over how many bins of about equal mass.
    pub(crate) fn error(&self) -> Option<CalibrationError> {
        self.equal_mass.error(self.n_bins)
    }

    /// The mean distance of accuracy and confidence over bins of equal width.
    pub(crate) fn expected_error(&self) -> Option<f64> {
        let gaps: f64 = self.bins.values().map(|bin| bin.gap.value().abs()).sum();
        ratio(gaps, self.bins.values().map(|bin| bin.rows.tally().weight).sum())
    }

    /// The bins that have rows.
    pub(crate) fn bins(&self) -> Vec<ReliabilityBin> {
        let bins = self.bins.iter().filter_map(|(&number, bin)| {
            let rows = bin.rows.tally();
            let accuracy = ratio(bin.right.value(), rows.weight)?;
            let effective = bin.rows.effective();
            let right = (accuracy * effective).min(effective);
            Some(ReliabilityBin {
                lower: edge(number, self.n_bins.get()),
                upper: edge(number + 1, self.n_bins.get()),
                rows,
                effective_rows: effective,
                confidence: ratio(bin.confidence.value(), rows.weight)?,
                accuracy,
                interval: Interval::wilson(right, effective, Z_95)?,
                gap: ratio(bin.gap.value(), rows.weight)?,
            })
        });
        bins.collect()
    }
}

/// The lower edge of a bin.
fn edge(number: u32, n_bins: u32) -> f64 {
    f64::from(number) / f64::from(n_bins)
}

/// The bin of a number from 0 to 1: the last whose lower edge is below it. What the multiplication rounds
/// across an edge is brought back.
fn bin_of(confidence: f64, n_bins: u32) -> u32 {
    let guess = (confidence * f64::from(n_bins)).ceil() as u32;
    let mut number = guess.saturating_sub(1).min(n_bins - 1);
    while number > 0 && confidence <= edge(number, n_bins) {
        number -= 1;
    }
    while number + 1 < n_bins && confidence > edge(number + 1, n_bins) {
        number += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_belongs_to_the_bin_below() {
        for n_bins in (1..=60).chain([1000]) {
            assert_eq!(bin_of(0.0, n_bins), 0);
            for number in 0..n_bins {
                let upper = edge(number + 1, n_bins);
                assert_eq!(bin_of(upper, n_bins), number, "{upper} of {n_bins}");
                assert_eq!(bin_of(upper.next_down(), n_bins), number, "below {upper} of {n_bins}");
                assert_eq!(
                    bin_of(upper.next_up(), n_bins),
                    (number + 1).min(n_bins - 1),
                    "above {upper} of {n_bins}"
                );
            }
        }
        assert_eq!(bin_of(1.0, u32::MAX), u32::MAX - 1);
    }

    #[test]
    fn the_gap_of_sure_rows_keeps_its_digits() {
        let mut calibration = Calibration::new(NonZeroU32::MIN);
        let doubt = 2.0_f64.powi(-70);
        calibration.add(-doubt, true, 1.0);
        calibration.add(-3.0 * doubt, true, 1.0);
        assert_eq!(calibration.error(), Some(CalibrationError { value: 2.0 * doubt, n_bins: 1 }));
    }

    /// Of 9 in 10: scipy 1.17 `binomtest(9, 10).proportion_ci(0.95, "wilson")`. One row of weight 3 and ten
    /// of 1 are as uncertain as 169/19 rows of one weight.
    #[test]
    fn intervals_are_those_of_the_effective_number_of_rows() {
        let mut calibration = Calibration::new(NonZeroU32::MIN);
        for row in 0..10 {
            calibration.add(-0.1, row > 0, 1.0);
        }
        let interval = calibration.bins()[0].interval;
        assert!((interval.lower - 0.595_849_973_204_761_5).abs() < 1e-12, "{interval:?}");
        assert!((interval.upper - 0.982_123_786_904_927_1).abs() < 1e-12, "{interval:?}");
        calibration.add(-0.1, true, 3.0);
        let effective = 169.0 / 19.0;
        let expected = Interval::wilson(effective * 12.0 / 13.0, effective, Z_95).unwrap();
        assert!((calibration.bins()[0].interval.lower - expected.lower).abs() < 1e-14);
    }
}
