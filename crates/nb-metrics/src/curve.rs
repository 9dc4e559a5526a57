//! How rows of a class are found as more and more rows are taken, the most probable ones first: the points of
//! ROC curves, precision-recall curves and cumulative gains.

use crate::sum::{Sum, ratio};

/// What is found if all rows with a score of at least a threshold are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Taken {
    /// The least score that is taken; infinite at first, where no row is.
    pub threshold: f64,
    /// The weight of the rows of the class that are taken.
    pub positives: f64,
    /// The weight of the others that are taken.
    pub negatives: f64,
}

/// A class against all others, by a score such as the posterior of the class or its log-odds: a point for
/// every different score, from the highest down, so that ties are taken together.
///
/// ```
/// use nb_metrics::RankingCurve;
///
/// let rows = [(0.9, true), (0.8, false), (0.7, true), (0.7, false), (0.1, false)];
/// let curve = RankingCurve::new(rows.map(|(score, is_positive)| (score, is_positive, 1.0)));
/// assert_eq!(curve.points().len(), 5); // with the one where no row is taken
/// assert_eq!(curve.auc(), Some(4.5 / 6.0));
/// assert_eq!(curve.roc().nth(3), Some((2.0 / 3.0, 1.0)));
/// assert_eq!(curve.precision_recall().next(), Some((1.0, 0.5)));
/// assert_eq!(curve.gain().nth(1), Some((0.2, 0.5)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RankingCurve {
    points: Vec<Taken>,
}

impl RankingCurve {
    /// The curve of rows: score, whether the row is of the class, and weight. Rows whose score is not a
    /// number are taken last.
    pub fn new(rows: impl IntoIterator<Item = (f64, bool, f64)>) -> Self {
        let last = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score + 0.0 };
        let mut rows: Vec<(f64, bool, f64)> =
            rows.into_iter().map(|(score, is_positive, weight)| (last(score), is_positive, weight)).collect();
        rows.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let (mut positives, mut negatives) = (Sum::default(), Sum::default());
        let mut points = vec![Taken { threshold: f64::INFINITY, positives: 0.0, negatives: 0.0 }];
        for tied in rows.chunk_by(|a, b| a.0 == b.0) {
            for &(_, is_positive, weight) in tied {
                if is_positive { positives.add(weight) } else { negatives.add(weight) }
            }
            let threshold = tied[0].0;
            points.push(Taken { threshold, positives: positives.value(), negatives: negatives.value() });
        }
        Self { points }
    }

    /// The points, from that where no row is taken to that where all are.
    pub fn points(&self) -> &[Taken] {
        &self.points
    }

    /// The weight of the rows of the class and of the others.
    pub fn weights(&self) -> (f64, f64) {
        self.points.last().map_or((0.0, 0.0), |all| (all.positives, all.negatives))
    }

    /// False positive rate and true positive rate (recall) of every point; none without rows of both kinds.
    pub fn roc(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let (positives, negatives) = self.weights();
        self.points.iter().filter_map(move |point| {
            Some((ratio(point.negatives, negatives)?, ratio(point.positives, positives)?))
        })
    }

    /// Precision and recall of every point but the first, where nothing is taken; none without rows of the
    /// class.
    pub fn precision_recall(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let (positives, _) = self.weights();
        self.points.iter().filter_map(move |point| {
            let precision = ratio(point.positives, point.positives + point.negatives)?;
            Some((precision, ratio(point.positives, positives)?))
        })
    }

    /// The share of all rows that are taken, and the share of the rows of the class among them; none without
    /// rows of the class.
    pub fn gain(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let (positives, negatives) = self.weights();
        self.points.iter().filter_map(move |point| {
            let taken = ratio(point.positives + point.negatives, positives + negatives)?;
            Some((taken, ratio(point.positives, positives)?))
        })
    }

    /// The area under the ROC curve; ties count half.
    pub fn auc(&self) -> Option<f64> {
        let (positives, negatives) = self.weights();
        let strips = self.points.windows(2).map(|pair| {
            let width = pair[1].negatives - pair[0].negatives;
            width * 0.5 * (pair[0].positives + pair[1].positives)
        });
        ratio(strips.sum::<Sum>().value(), positives * negatives)
    }

    /// Average precision: the mean of the precisions at the rows of the class, which is the area under the
    /// precision-recall curve in steps.
    ///
    /// ```
    /// # use nb_metrics::RankingCurve;
    /// let curve = RankingCurve::new([(3.0, true, 1.0), (2.0, false, 1.0), (1.0, true, 1.0)]);
    /// assert_eq!(curve.average_precision(), Some((1.0 + 2.0 / 3.0) / 2.0));
    /// ```
    pub fn average_precision(&self) -> Option<f64> {
        let (positives, _) = self.weights();
        let steps = self.points.windows(2).filter_map(|pair| {
            let precision = ratio(pair[1].positives, pair[1].positives + pair[1].negatives)?;
            Some((pair[1].positives - pair[0].positives) * precision)
        });
        ratio(steps.sum::<Sum>().value(), positives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;

    #[test]
    fn the_area_is_that_of_the_ranks() {
        let mut evaluation = Evaluation::new(2);
        let mut rows = Vec::new();
        for row in 0..200_u32 {
            // Ties, and unequal weights.
            let p = f64::from(row * 37 % 19 + 1) / 21.0;
            let (truth, weight) = (usize::from(row * row % 7 < 3), f64::from(row % 4 + 1));
            evaluation.add(truth, usize::from(p > 0.5), &[(1.0 - p).ln(), p.ln()], weight).unwrap();
            rows.push((p.ln() - (1.0 - p).ln(), truth == 1, weight));
        }
        let curve = RankingCurve::new(rows);
        let auc = evaluation.measures().auc.unwrap();
        assert!((curve.auc().unwrap() - auc).abs() < 1e-12, "{auc}");
        assert_eq!(curve.points().len(), 20);
        assert_eq!(curve.roc().last(), Some((1.0, 1.0)));
        assert_eq!(curve.gain().last(), Some((1.0, 1.0)));
    }

    #[test]
    fn one_kind_of_rows_has_no_area() {
        let curve = RankingCurve::new([(1.0, true, 1.0), (f64::NAN, true, 2.0)]);
        assert_eq!((curve.auc(), curve.average_precision()), (None, Some(1.0)));
        assert_eq!((curve.roc().count(), curve.weights()), (0, (3.0, 0.0)));
        let none = RankingCurve::new([]);
        assert_eq!((none.auc(), none.average_precision(), none.gain().count()), (None, None, 0));
    }

    #[test]
    fn signs_of_zero_tie() {
        assert_eq!(RankingCurve::new([(0.0, true, 1.0), (-0.0, false, 1.0)]).auc(), Some(0.5));
    }
}
