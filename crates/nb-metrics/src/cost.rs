//! Cost curves: what a classifier of two classes costs, by the share of the cost that its positives have.

use crate::{RankingCurve, Taken, sum::ratio};

/// The expected cost at an operating condition, on a scale where being always wrong costs 1.
///
/// The condition is `c = p₊ C₋ / (p₊ C₋ + p₋ C₊)`: the share that missed positives have in the largest
/// expected cost, with `p₊` their frequency in use, `C₋` the cost of missing one and `C₊` that of a false
/// positive. A classifier with a false negative rate FNR and a false positive rate FPR costs `c · FNR + (1 -
/// c) · FPR`, a straight line.
///
/// Drummond and Holte 2006, *Cost curves: an improved method for visualizing classifier performance*, Machine
/// Learning 65, 95-130.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedCost {
    /// The condition `c`, from 0 to 1.
    pub condition: f64,
    /// With the best threshold for the condition among these rows: the lower envelope of the lines of all
    /// thresholds.
    pub lowest: f64,
    /// Of always giving the same answer, the better one: `min(c, 1 - c)`.
    pub trivial: f64,
}

impl RankingCurve {
    /// The cost curve at these conditions; those that are not from 0 to 1 are left out. There is none without
    /// rows of both kinds.
    ///
    /// ```
    /// use nb_metrics::RankingCurve;
    ///
    /// let curve = RankingCurve::new([(0.9, true, 1.0), (0.6, false, 1.0), (0.3, true, 1.0), (0.1, false, 1.0)]);
    /// let cost = curve.costs([0.5])[0];
    /// assert_eq!((cost.lowest, cost.trivial), (0.25, 0.5));
    /// ```
    pub fn costs(&self, conditions: impl IntoIterator<Item = f64>) -> Vec<ExpectedCost> {
        let rates: Vec<(f64, f64)> = self.roc().collect();
        let lines = || rates.iter().map(|&(false_positives, found)| [1.0 - found, false_positives]);
        let at = |condition: f64| {
            let costs =
                lines().map(|[missed, false_alarms]| condition * missed + (1.0 - condition) * false_alarms);
            let lowest = costs.fold(f64::INFINITY, f64::min);
            let trivial = condition.min(1.0 - condition);
            lowest.is_finite().then_some(ExpectedCost { condition, lowest, trivial })
        };
        conditions.into_iter().filter(|condition| (0.0..=1.0).contains(condition)).filter_map(at).collect()
    }

    /// The expected cost of taking all rows with at least this score, at a condition from 0 to 1; `None`
    /// without rows of both kinds.
    ///
    /// ```
    /// # use nb_metrics::RankingCurve;
    /// let curve = RankingCurve::new([(0.9, true, 1.0), (0.6, false, 1.0), (0.3, true, 1.0), (0.1, false, 1.0)]);
    /// assert_eq!(curve.cost_of(0.5, 0.2), Some(0.2 * 0.5 + 0.8 * 0.5));
    /// ```
    pub fn cost_of(&self, threshold: f64, condition: f64) -> Option<f64> {
        let Taken { positives: found, negatives: false_alarms, .. } = self.at_least(threshold);
        let (positives, negatives) = self.weights();
        let (missed, alarms) = (ratio(positives - found, positives)?, ratio(false_alarms, negatives)?);
        Some(condition * missed + (1.0 - condition) * alarms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::tests::ROWS;

    /// scikit-learn 1.9: `fpr, tpr, _ = roc_curve(y, p, drop_intermediate=False)`, `min((1 - tpr)*c +
    /// fpr*(1 - c))`.
    #[test]
    fn costs_are_those_of_scikit_learn() {
        let curve = RankingCurve::new(ROWS.map(|(p, is_positive)| (p, is_positive, 1.0)));
        let expected = [(0.1, 0.05), (0.3, 0.15), (0.5, 0.25), (0.7, 0.2), (0.9, 0.066_666_666_666_666_65)];
        for (cost, (condition, lowest)) in curve.costs(expected.map(|(at, _)| at)).iter().zip(expected) {
            assert!((cost.lowest - lowest).abs() < 1e-15, "{cost:?}");
            assert_eq!((cost.condition, cost.trivial), (condition, condition.min(1.0 - condition)));
        }
    }

    #[test]
    fn the_envelope_is_the_least_of_all_thresholds() {
        let curve = RankingCurve::new(ROWS.map(|(p, is_positive)| (p, is_positive, 1.0)));
        for cost in curve.costs((0..=20).map(|step| f64::from(step) / 20.0)) {
            let of_rows = ROWS.iter().map(|(p, _)| *p).chain([f64::INFINITY]);
            let costs = of_rows.filter_map(|threshold| curve.cost_of(threshold, cost.condition));
            assert!((costs.fold(1.0, f64::min) - cost.lowest).abs() < 1e-15, "{cost:?}");
            assert!(cost.lowest <= cost.trivial);
        }
        assert_eq!(curve.costs([-0.1, 1.1, f64::NAN]), []);
    }

    #[test]
    fn one_kind_of_rows_has_no_costs() {
        let curve = RankingCurve::new([(0.7, true, 1.0)]);
        assert_eq!((curve.costs([0.5]), curve.cost_of(0.5, 0.5)), (vec![], None));
    }
}
