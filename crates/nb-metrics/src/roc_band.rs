//! A confidence band for a whole ROC curve.

use crate::RankingCurve;

/// Where the true positive rate lies at a false positive rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RocBand {
    /// The false positive rate.
    pub false_positives: f64,
    /// The true positive rate.
    pub found: f64,
    /// The lower end of the band.
    pub lower: f64,
    /// The upper end of the band.
    pub upper: f64,
}

impl RankingCurve {
    /// The points of the ROC curve with a band that the whole curve of the population lies in, with at least
    /// this probability: a simultaneous confidence band. None without rows of both kinds or for a level
    /// that is not above 0 and below 1. Weights are taken as numbers of rows.
    ///
    /// The scores of each class lie within `d = sqrt(ln(2/a) / 2n)` of their distribution with probability
    /// `1 - a` (Dvoretzky, Kiefer and Wolfowitz 1956 with the constant of Massart 1990, *The tight constant
    /// in the Dvoretzky-Kiefer-Wolfowitz inequality*, Annals of Probability 18), for both at once with
    /// `(1 - a)²`. So the curve is moved by `d` of the negatives to the side and by `d` of the positives
    /// up and down (Campbell 1994, *Advances in statistical methodology for the evaluation of diagnostic
    /// and laboratory tests*, Statistics in Medicine 13; Macskassy and Provost 2004, *Confidence bands
    /// for ROC curves*, ROCAI). The band is wider than one of intervals for single points.
    ///
    /// ```
    /// use nb_metrics::RankingCurve;
    ///
    /// let rows = (0..200).map(|row| (f64::from(row), row % 4 > 0 && row > 20, 1.0));
    /// let band = RankingCurve::new(rows).roc_band(0.95);
    /// assert!(band.iter().all(|at| at.lower <= at.found && at.found <= at.upper));
    /// ```
    pub fn roc_band(&self, level: f64) -> Vec<RocBand> {
        if !(level > 0.0 && level < 1.0) {
            return Vec::new();
        }
        let points: Vec<(f64, f64)> = self.roc().collect();
        let (positives, negatives) = self.weights();
        let tail = 1.0 - level.sqrt();
        let reach = |n: f64| ((2.0 / tail).ln() / (2.0 * n)).sqrt();
        let (up, aside) = (reach(positives), reach(negatives));
        let at = |&(false_positives, found): &(f64, f64)| RocBand {
            false_positives,
            found,
            lower: (least(&points, false_positives - aside) - up).clamp(0.0, found),
            upper: (most(&points, false_positives + aside) + up).clamp(found, 1.0),
        };
        points.iter().map(at).collect()
    }
}

/// The true positive rate of the first point with at least this false positive rate.
fn least(points: &[(f64, f64)], x: f64) -> f64 {
    points.get(points.partition_point(|point| point.0 < x)).map_or(1.0, |point| point.1)
}

/// The true positive rate of the last point with at most this false positive rate.
fn most(points: &[(f64, f64)], x: f64) -> f64 {
    let n_before = points.partition_point(|point| point.0 <= x);
    n_before.checked_sub(1).map_or(0.0, |last| points[last].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: `tail = 1 - sqrt(0.95)`, `sqrt(ln(2 / tail) / 100)`.
    #[test]
    fn the_band_is_as_wide_as_the_inequality_says() {
        // 50 of each kind, without any order: the curve is the diagonal.
        let rows = (0..50).flat_map(|score| [(f64::from(score), true, 1.0), (f64::from(score), false, 1.0)]);
        let band = RankingCurve::new(rows).roc_band(0.95);
        let middle = band.iter().find(|at| (at.found - 0.5).abs() < 1e-12).unwrap();
        let reach = 0.209_028_359_981_075_63;
        // To the side, 0.209 reaches the points 0.3 and 0.7: the curve has one at every 0.02.
        assert!((middle.lower - (0.3 - reach)).abs() < 1e-12, "{middle:?}");
        assert!((middle.upper - (0.7 + reach)).abs() < 1e-12, "{middle:?}");
        assert_eq!((band[0].lower, band[50].upper), (0.0, 1.0));
    }

    /// Scores of negatives are uniform and those of positives the larger of two uniform numbers, so that the
    /// curve of the population is `1 - (1 - x)²`.
    #[test]
    fn the_band_holds_the_curve_of_the_population() {
        let mut state = 1_u64;
        let mut uniform = || {
            // Knuth's linear congruential generator.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut n_held = 0;
        for _ in 0..200 {
            let rows: Vec<(f64, bool, f64)> = (0..100)
                .map(|row| {
                    let is_positive = row < 40;
                    let score = if is_positive { uniform().max(uniform()) } else { uniform() };
                    (score, is_positive, 1.0)
                })
                .collect();
            let band = RankingCurve::new(rows).roc_band(0.9);
            let is_held = |at: &RocBand| {
                let population = 1.0 - (1.0 - at.false_positives).powi(2);
                (at.lower..=at.upper).contains(&population)
            };
            n_held += usize::from(band.iter().all(is_held));
        }
        assert!((180..=200).contains(&n_held), "{n_held}");
    }

    #[test]
    fn no_rows_and_no_level_have_no_band() {
        let curve = RankingCurve::new([(0.7, true, 1.0), (0.2, false, 1.0)]);
        assert_eq!(curve.roc_band(0.95).len(), 3);
        for level in [0.0, 1.0, f64::NAN] {
            assert_eq!(curve.roc_band(level), []);
        }
        assert_eq!(RankingCurve::new([(0.7, true, 1.0)]).roc_band(0.95), []);
    }
}
