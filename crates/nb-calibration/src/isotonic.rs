//! Isotonic regression: any map that does not fall.

mod pool;

use ndarray::ArrayView2;

use crate::{
    CalibrationError, CalibrationMap, Calibrator, StepsError,
    one_against_rest::{LogOddsMap, OneAgainstRest},
    rows::CheckedRows,
};

/// Isotonic regression on the log-odds, for more than two classes of each against the rest.
///
/// An impossible class has the lowest score there is, and a class that is alone in being possible the
/// highest. As only the order counts, they are learnt from as any other: if some rows that the model called
/// impossible in a class are of this class, it becomes possible, as it does with smoothed ends in any case.
///
/// # Model
/// `p(c | row) = g(f)` with the log-odds `f` of the class against all others and a function `g` that does not
/// fall: only the order of the scores counts.
///
/// # Estimator
/// The `g` of the smallest weighted sum of squares, which is also that of the largest likelihood, by pooling
/// adjacent violators: equal scores are pooled first, then neighbours whose means fall. Between the blocks
/// `g` is linear, and beyond them constant, as in scikit-learn's `IsotonicRegression(out_of_bounds="clip")`.
///
/// # References
/// Ayer, Brunk, Ewing, Reid and Silverman (1955), *An empirical distribution function for sampling with
/// incomplete information*, Annals of Mathematical Statistics 26, 641-647; Zadrozny and Elkan (2002),
/// *Transforming classifier scores into accurate multiclass probability estimates*, KDD, 694-699, 3.2 and
/// section 5 for more than two classes; Robertson, Wright and Dykstra (1988), *Order Restricted Statistical
/// Inference*, 1.2 and 1.5.
///
/// # Example
///
/// ```
/// use nb_calibration::{Calibrator, Ends, Isotonic};
/// use ndarray::array;
///
/// let scores = array![[0.0, -3.0], [0.0, -1.0], [0.0, 1.0], [0.0, 2.0], [0.0, 4.0]];
/// let map = Isotonic { ends: Ends::Exact }.fit(scores.view(), &[0, 1, 0, 1, 1], None)?;
/// let blocks: Vec<_> = map.steps()[0].iter().map(|step| (step.first, step.last, step.probability)).collect();
/// assert_eq!(blocks, [(-3.0, -3.0, 0.0), (-1.0, 1.0, 0.5), (2.0, 4.0, 1.0)]);
/// # Ok::<(), nb_calibration::CalibrationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Isotonic {
    /// What happens at the lowest and the highest scores.
    pub ends: Ends,
}

/// The probabilities of the lowest and the highest scores, which would be 0 and 1 as soon as the row of the
/// lowest score is not of the class and that of the highest is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// One row of the class and one of the rest are added at the lowest score, and at the highest, before
    /// pooling. So the block at an end with `n₊` of `n` rows says `(n₊ + 1)/(n + 2)`, Laplace's rule of
    /// succession, which is also Platt's (1999, section 2.2) target; a single block is at both ends and
    /// says `(n₊ + 2)/(n + 4)`. No probability is 0 or 1, no log-loss infinite, and the map does not
    /// fall.
    #[default]
    Smoothed,
    /// Nothing is added. Probabilities are 0 and 1 at the ends almost always, and a single new row on the
    /// wrong side makes the log-loss infinite.
    Exact,
}

/// A block of neighbouring scores with one probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsotonicStep {
    /// The lowest log-odds; may be negative infinity.
    pub first: f64,
    /// The highest log-odds; may be infinity.
    pub last: f64,
    /// The probability of the class from `first` to `last`.
    pub probability: f64,
}

/// A function that does not fall for each class, or for the second of two.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedIsotonic(OneAgainstRest<Vec<IsotonicStep>>);

impl FittedIsotonic {
    /// The blocks of each class against the rest, upwards, between which the function is linear; of two
    /// classes those of the second alone, from which the first follows.
    ///
    /// ```
    /// # use nb_calibration::{Calibrator, Ends, Isotonic};
    /// # use ndarray::array;
    /// let scores = array![[0.0, -1.0], [0.0, 1.0]];
    /// let map = Isotonic { ends: Ends::Exact }.fit(scores.view(), &[0, 1], None)?;
    /// assert_eq!((map.steps()[0][0].last, map.steps()[0][0].probability), (-1.0, 0.0));
    /// assert_eq!((map.steps()[0][1].first, map.steps()[0][1].probability), (1.0, 1.0));
    /// # Ok::<(), nb_calibration::CalibrationError>(())
    /// ```
    pub fn steps(&self) -> &[Vec<IsotonicStep>] {
        &self.0.maps
    }

    /// The map with these blocks, as from [`steps`](Self::steps): to read a map from where it was stored.
    ///
    /// ```
    /// use nb_calibration::{Calibrator, FittedIsotonic, Isotonic};
    /// use ndarray::array;
    ///
    /// let scores = array![[0.0, -3.0], [0.0, -1.0], [0.0, 1.0], [0.0, 2.0], [0.0, 4.0]];
    /// let map = Isotonic::default().fit(scores.view(), &[0, 1, 0, 1, 1], None)?;
    /// assert_eq!(FittedIsotonic::from_steps(2, map.steps().to_vec())?, map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StepsError`] if there is not one list of blocks for each class (for two classes: one), a list is
    /// empty, or its blocks do not rise: log-odds from block to block, probabilities between 0 and 1.
    pub fn from_steps(n_classes: usize, steps: Vec<Vec<IsotonicStep>>) -> Result<Self, StepsError> {
        let expected = if n_classes == 2 { 1 } else { n_classes };
        if n_classes < 2 || steps.len() != expected {
            return Err(StepsError::Maps { n_classes, found: steps.len() });
        }
        for (map, steps) in steps.iter().enumerate() {
            check(steps).map_err(|step| StepsError::Step { map, step })?;
        }
        Ok(Self(OneAgainstRest { maps: steps }))
    }
}

impl CalibrationMap for FittedIsotonic {
    fn n_classes(&self) -> usize {
        self.0.n_classes()
    }

    fn apply_row(&self, log_posteriors: &mut [f64]) {
        self.0.apply_row(log_posteriors);
    }
}

impl Calibrator for Isotonic {
    type Fitted = FittedIsotonic;

    /// Fits the functions.
    ///
    /// # Errors
    /// [`CalibrationError`]: rows that are wrong, or a row that is impossible in every class.
    fn fit(
        &self,
        log_posteriors: ArrayView2<'_, f64>,
        truth: &[usize],
        weights: Option<&[f64]>,
    ) -> Result<FittedIsotonic, CalibrationError> {
        let rows = CheckedRows::new(&log_posteriors, truth, weights)?;
        Ok(FittedIsotonic(OneAgainstRest::fit(&rows, |_class, cases| Ok(pool::steps(cases, self.ends)))?))
    }
}

/// Blocks that do not rise: the number of the first that is wrong.
fn check(steps: &[IsotonicStep]) -> Result<(), usize> {
    if steps.is_empty() {
        return Err(0);
    }
    let mut below: Option<&IsotonicStep> = None;
    for (number, step) in steps.iter().enumerate() {
        let is_block = step.first <= step.last && (0.0..=1.0).contains(&step.probability);
        let rises =
            below.is_none_or(|below| below.last < step.first && below.probability <= step.probability);
        if !(is_block && rises) {
            return Err(number);
        }
        below = Some(step);
    }
    Ok(())
}

impl LogOddsMap for Vec<IsotonicStep> {
    fn log_probabilities(&self, log_odds: f64) -> [f64; 2] {
        let probability = probability(self, log_odds);
        [libm::log1p(-probability), libm::log(probability)]
    }
}

/// The function at some log-odds: that of the block they are in, a line between two, the nearest beyond all.
fn probability(steps: &[IsotonicStep], log_odds: f64) -> f64 {
    let above = steps.partition_point(|step| step.last < log_odds);
    let (lower, upper) = match (above.checked_sub(1).map(|below| steps[below]), steps.get(above)) {
        (Some(lower), Some(upper)) if log_odds < upper.first => (lower, upper),
        (_, Some(upper)) => return upper.probability,
        (Some(lower), None) => return lower.probability,
        (None, None) => unreachable!("there is a block, as there was a row"),
    };
    // An infinite neighbour is infinitely farther away than a finite one.
    let share = match (lower.last.is_finite(), upper.first.is_finite()) {
        // Halves, so that the largest differences do not overflow.
        (true, true) => (0.5 * log_odds - 0.5 * lower.last) / (0.5 * upper.first - 0.5 * lower.last),
        (true, false) => 0.0,
        (false, true) => 1.0,
        (false, false) => 0.5,
    };
    let line = lower.probability + share * (upper.probability - lower.probability);
    line.min(upper.probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_do_not_rise_are_refused() {
        let step = |first, last, probability| IsotonicStep { first, last, probability };
        let infinity = f64::INFINITY;
        let good = vec![step(-infinity, -1.0, 0.25), step(0.0, infinity, 0.75)];
        assert!(FittedIsotonic::from_steps(2, vec![good.clone()]).is_ok());
        assert!(FittedIsotonic::from_steps(3, vec![good.clone(); 3]).is_ok());
        for (n_classes, n_maps) in [(0, 0), (1, 1), (2, 2), (3, 1), (3, 2)] {
            let error = FittedIsotonic::from_steps(n_classes, vec![good.clone(); n_maps]).unwrap_err();
            assert_eq!(error, StepsError::Maps { n_classes, found: n_maps });
        }
        for (number, wrong) in [
            (0, vec![]),
            (0, vec![step(1.0, 0.0, 0.5)]),
            (0, vec![step(f64::NAN, 0.0, 0.5)]),
            (0, vec![step(0.0, 1.0, 1.5)]),
            (0, vec![step(0.0, 1.0, f64::NAN)]),
            (1, vec![step(0.0, 1.0, 0.5), step(1.0, 2.0, 0.75)]),
            (1, vec![step(0.0, 1.0, 0.5), step(1.5, 2.0, 0.25)]),
        ] {
            let error = FittedIsotonic::from_steps(2, vec![wrong]).unwrap_err();
            assert_eq!(error, StepsError::Step { map: 0, step: number });
        }
    }

    #[test]
    fn lines_between_blocks_and_infinite_ends() {
        let step = |first, last, probability| IsotonicStep { first, last, probability };
        let infinity = f64::INFINITY;
        let steps = [step(-infinity, -infinity, 0.125), step(-1.0, 1.0, 0.25), step(3.0, infinity, 0.75)];
        let at = |log_odds| probability(&steps, log_odds);
        assert_eq!([-infinity, -1e300, -1.0, 0.0, 1.0].map(at), [0.125, 0.25, 0.25, 0.25, 0.25]);
        assert_eq!([2.0, 2.5, 3.0, 9.0, infinity].map(at), [0.5, 0.625, 0.75, 0.75, 0.75]);
        let between = [step(-infinity, -infinity, 0.25), step(infinity, infinity, 0.75)];
        assert_eq!(probability(&between, 7.0), 0.5);
        let far = [step(-f64::MAX, -f64::MAX, 0.0), step(f64::MAX, f64::MAX, 1.0)];
        assert_eq!(probability(&far, 0.0), 0.5);
        assert_eq!(probability(&steps[1..], -7.0), 0.25);
    }
}
