//! Decision curves: what a classifier of two classes is worth, by the threshold at which one acts.

use crate::{RankingCurve, Taken, sum::ratio};

/// The net benefit at a threshold probability, in true positives per row.
///
/// Who acts from a probability `t` on holds a false positive for `t/(1 - t)` times as bad as a true positive
/// is good. The net benefit is what is gained by that account: `TP/n - FP/n · t/(1 - t)`. Acting on no row
/// has a net benefit of 0.
///
/// Vickers and Elkin 2006, *Decision curve analysis: a novel method for evaluating prediction models*,
/// Medical Decision Making 26, 565-574.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetBenefit {
    /// The threshold probability `t`, above 0 and below 1.
    pub threshold: f64,
    /// Of acting on the rows whose probability is at least the threshold.
    pub model: f64,
    /// Of acting on all rows.
    pub all: f64,
}

impl NetBenefit {
    /// What the model gains on the better of acting on all rows and on none.
    pub fn gain(&self) -> f64 {
        self.model - self.all.max(0.0)
    }
}

impl RankingCurve {
    /// What is taken if all rows with at least this score are.
    ///
    /// ```
    /// use nb_metrics::RankingCurve;
    ///
    /// let curve = RankingCurve::new([(0.9, true, 1.0), (0.5, false, 1.0), (0.1, true, 1.0)]);
    /// assert_eq!((curve.at_least(0.5).positives, curve.at_least(0.5).negatives), (1.0, 1.0));
    /// assert_eq!(curve.at_least(0.95).positives, 0.0);
    /// ```
    pub fn at_least(&self, threshold: f64) -> Taken {
        // Thresholds descend, and the first one, where nothing is taken, is infinite.
        let n_reached = self.points().partition_point(|point| point.threshold >= threshold);
        let none = Taken { threshold: f64::INFINITY, positives: 0.0, negatives: 0.0 };
        self.points().get(n_reached.max(1) - 1).copied().unwrap_or(none)
    }

    /// The decision curve of a ranking whose scores are probabilities of the class: the net benefit at these
    /// thresholds. Thresholds that are not above 0 and below 1 have none and are left out; without rows
    /// there is none at all.
    ///
    /// ```
    /// use nb_metrics::RankingCurve;
    ///
    /// let curve = RankingCurve::new([(0.9, true, 1.0), (0.6, false, 1.0), (0.3, true, 1.0), (0.1, false, 1.0)]);
    /// let found = curve.decision([0.5]);
    /// // One true and one false positive of four rows.
    /// assert_eq!((found[0].model, found[0].all), (0.25 - 0.25, 0.5 - 0.5));
    /// ```
    pub fn decision(&self, thresholds: impl IntoIterator<Item = f64>) -> Vec<NetBenefit> {
        let (positives, negatives) = self.weights();
        let all = Taken { threshold: f64::NEG_INFINITY, positives, negatives };
        let benefit = |taken: Taken, threshold: f64| {
            let odds = threshold / (1.0 - threshold);
            ratio(taken.positives - odds * taken.negatives, positives + negatives)
        };
        let at = |threshold: f64| {
            let model = benefit(self.at_least(threshold), threshold)?;
            Some(NetBenefit { threshold, model, all: benefit(all, threshold)? })
        };
        thresholds
            .into_iter()
            .filter(|threshold| *threshold > 0.0 && *threshold < 1.0)
            .filter_map(at)
            .collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const ROWS: [(f64, bool); 12] = [
        (0.95, true),
        (0.81, true),
        (0.74, false),
        (0.66, true),
        (0.58, false),
        (0.52, true),
        (0.41, false),
        (0.33, false),
        (0.24, true),
        (0.12, false),
        (0.07, false),
        (0.88, true),
    ];

    /// The Python package dcurves 1.1.7: `dca(data, outcome, modelnames, thresholds)`; and numpy: `y.mean() -
    /// (1 - y.mean())*t/(1-t)`.
    #[test]
    fn net_benefits_are_those_of_dcurves() {
        let curve = RankingCurve::new(ROWS.map(|(p, is_positive)| (p, is_positive, 1.0)));
        let expected = [
            (0.1, 0.453_703_703_703_703_7, 0.444_444_444_444_444_4),
            (0.2, 0.416_666_666_666_666_7, 0.375),
            (0.3, 0.273_809_523_809_523_84, 0.285_714_285_714_285_7),
            (0.5, 0.25, 0.0),
            (0.6, 0.208_333_333_333_333_3, -0.25),
            (0.8, 0.25, -1.5),
        ];
        let found = curve.decision(expected.map(|(threshold, _, _)| threshold));
        assert_eq!(found.len(), expected.len());
        for (found, (threshold, model, all)) in found.iter().zip(expected) {
            assert_eq!(found.threshold, threshold);
            assert!((found.model - model).abs() < 1e-15 && (found.all - all).abs() < 1e-14, "{found:?}");
        }
        assert!((found[2].gain() - (0.273_809_523_809_523_84 - 0.285_714_285_714_285_7)).abs() < 1e-15);
        assert_eq!(found[5].gain(), found[5].model);
    }

    #[test]
    fn weights_are_numbers_of_rows() {
        let twice = ROWS.iter().flat_map(|&(p, y)| [(p, y, 1.0), (p, y, 1.0)]);
        let weighted = RankingCurve::new(ROWS.map(|(p, y)| (p, y, 2.0)));
        let thresholds = [0.07, 0.24, 0.5, 0.95];
        assert_eq!(RankingCurve::new(twice).decision(thresholds), weighted.decision(thresholds));
    }

    #[test]
    fn thresholds_at_the_ends_and_no_rows_have_no_benefit() {
        let curve = RankingCurve::new(ROWS.map(|(p, y)| (p, y, 1.0)));
        assert_eq!(curve.decision([0.0, 1.0, -0.5, f64::NAN]), []);
        assert_eq!(RankingCurve::new([]).decision([0.5]), []);
        // A probability at the threshold is acted on; beyond the largest none is.
        assert_eq!(curve.at_least(0.95).positives, 1.0);
        assert_eq!(curve.at_least(0.96).positives, 0.0);
        assert_eq!(curve.at_least(f64::NEG_INFINITY).negatives, 6.0);
        // Of one class only.
        let positives = RankingCurve::new([(0.7, true, 1.0)]);
        assert_eq!(positives.decision([0.5])[0].model, 1.0);
    }
}
