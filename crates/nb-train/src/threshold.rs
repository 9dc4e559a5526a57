//! The probability from which on a class is predicted, chosen by rows that were held out.

use nb_metrics::{Interval, Z_95};
use ndarray::ArrayView2;

/// What a threshold maximises.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ThresholdGoal {
    /// F1 of the class.
    F1,
    /// The share of rows that are labelled correctly.
    Accuracy,
    /// The mean of recall and specificity of the class (Youden's index is twice this, less 1).
    BalancedAccuracy,
    /// The recall of the class, among thresholds of which the precision on other rows is at least this: the
    /// lower end of its 95 % interval (Wilson 1927) counts, as the precision of a few rows promises
    /// nothing.
    RecallAtPrecision(f64),
}

/// Why no threshold is chosen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// There are no rows of the class, or no others.
    #[error(
        "a threshold is chosen by rows of the class and of others, and the held-out rows have only one kind"
    )]
    OneKind,
    /// All rows have the same probability.
    #[error("all held-out rows have the same probability of the class, so that no threshold separates any")]
    Flat,
    /// No threshold promises the precision.
    #[error(
        "no threshold promises a precision of {wanted}: on {n_positive} rows of the class and {n_others} others the lower end of the 95 % \
         interval is at most {highest:.4}, where the precision is {precision:.4}; ask for less, or hold out more rows"
    )]
    Precision {
        /// The precision that was asked for.
        wanted: f64,
        /// The highest lower end of an interval.
        highest: f64,
        /// The precision in the middle of that interval.
        precision: f64,
        /// The number of rows of the class.
        n_positive: usize,
        /// The number of other rows.
        n_others: usize,
    },
}

/// What a threshold does to the rows.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    threshold: f64,
    /// Rows of the class that are above the threshold, others that are, and rows below it that are right.
    hits: f64,
    false_alarms: f64,
    right_below: f64,
}

impl Outcome {
    fn precision(&self) -> f64 {
        self.hits / (self.hits + self.false_alarms)
    }

    /// The lower end of the interval of the precision.
    fn promised(&self) -> f64 {
        let interval = Interval::wilson(self.hits, self.hits + self.false_alarms, Z_95);
        interval.map_or(0.0, |interval| interval.lower)
    }
}

/// The threshold for the class at place `positive` that is best in a goal on some rows; the highest of equal
/// ones.
///
/// `log_posteriors` (rows × classes) are what the model says of rows from which it did not learn, and
/// `truths` the places of their classes, or `None` for a class that the model does not have. Below the
/// threshold the label is the most probable of the other classes. Thresholds are in the middle between the
/// probabilities of two rows.
///
/// ```
/// use nb_train::{ThresholdGoal, threshold};
/// use ndarray::array;
///
/// let log_posteriors = array![[0.1_f64, 0.9], [0.2, 0.8], [0.4, 0.6], [0.7, 0.3]].ln();
/// let truths = [Some(1), Some(1), Some(0), Some(0)];
/// let best = threshold(&log_posteriors.view(), &truths, 1, ThresholdGoal::F1)?;
/// assert!((best - 0.7).abs() < 1e-12);
/// # Ok::<(), nb_train::ThresholdError>(())
/// ```
///
/// # Errors
/// [`ThresholdError`] if the rows have no best threshold.
pub fn threshold(
    log_posteriors: &ArrayView2<'_, f64>,
    truths: &[Option<usize>],
    positive: usize,
    goal: ThresholdGoal,
) -> Result<f64, ThresholdError> {
    let n_positive = truths.iter().filter(|truth| **truth == Some(positive)).count();
    let n_others = truths.len() - n_positive;
    if n_positive == 0 || n_others == 0 {
        return Err(ThresholdError::OneKind);
    }
    let outcomes = outcomes(log_posteriors, truths, positive);
    let value = |outcome: &Outcome| match goal {
        ThresholdGoal::F1 => 2.0 * outcome.hits / (n_positive as f64 + outcome.hits + outcome.false_alarms),
        ThresholdGoal::Accuracy => (outcome.hits + outcome.right_below) / truths.len() as f64,
        ThresholdGoal::BalancedAccuracy => {
            (outcome.hits / n_positive as f64 + 1.0 - outcome.false_alarms / n_others as f64) / 2.0
        }
        ThresholdGoal::RecallAtPrecision(least) if outcome.promised() >= least && outcome.hits > 0.0 => {
            outcome.hits / n_positive as f64
        }
        ThresholdGoal::RecallAtPrecision(_) => f64::NEG_INFINITY,
    };
    let mut best = (f64::NEG_INFINITY, None);
    for outcome in &outcomes {
        let value = value(outcome);
        if value > best.0 {
            best = (value, Some(outcome.threshold));
        }
    }
    let surest = outcomes.iter().max_by(|a, b| a.promised().total_cmp(&b.promised()));
    match (best.1, goal, surest) {
        (Some(threshold), ..) => Ok(threshold),
        (None, ThresholdGoal::RecallAtPrecision(wanted), Some(surest)) => Err(ThresholdError::Precision {
            wanted,
            highest: surest.promised(),
            precision: surest.precision(),
            n_positive,
            n_others,
        }),
        _ => Err(ThresholdError::Flat),
    }
}

/// The thresholds between rows of different probabilities, from high to low.
fn outcomes(log_posteriors: &ArrayView2<'_, f64>, truths: &[Option<usize>], positive: usize) -> Vec<Outcome> {
    let mut rows: Vec<(f64, bool, bool)> = log_posteriors
        .rows()
        .into_iter()
        .zip(truths)
        .map(|(row, truth)| {
            let others = (0..row.len()).filter(|&class| class != positive);
            let best = others.reduce(|best, class| if row[class] > row[best] { class } else { best });
            let is_possible = row.iter().any(|log| *log > f64::NEG_INFINITY);
            let is_right_below = is_possible && truth.is_some() && *truth == best;
            (row[positive].exp(), *truth == Some(positive), is_right_below)
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut outcomes = Vec::new();
    let (mut hits, mut false_alarms) = (0.0, 0.0);
    let mut right_below = rows.iter().filter(|(.., is_right_below)| *is_right_below).count() as f64;
    for (place, &(probability, is_positive, is_right_below)) in rows.iter().enumerate() {
        hits += f64::from(u8::from(is_positive));
        false_alarms += f64::from(u8::from(!is_positive));
        right_below -= f64::from(u8::from(is_right_below));
        let next = rows.get(place + 1).map_or(0.0, |next| next.0);
        if next < probability {
            let middle = next + (probability - next) / 2.0;
            let threshold = if middle > next { middle } else { probability };
            if threshold < 1.0 {
                outcomes.push(Outcome { threshold, hits, false_alarms, right_below });
            }
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    fn best(of: &[(f64, bool)], goal: ThresholdGoal) -> Result<f64, ThresholdError> {
        let probability = |(row, class): (usize, usize)| if class == 1 { of[row].0 } else { 1.0 - of[row].0 };
        let log_posteriors = Array2::from_shape_fn((of.len(), 2), probability).ln();
        let truths: Vec<Option<usize>> = of.iter().map(|row| Some(usize::from(row.1))).collect();
        threshold(&log_posteriors.view(), &truths, 1, goal)
    }

    #[test]
    fn the_best_threshold_is_found() {
        let rows = [(0.9, true), (0.8, false), (0.7, true), (0.6, true), (0.3, false), (0.1, false)];
        // Above 0.45 are three of three rows of the class and one other.
        for goal in [ThresholdGoal::F1, ThresholdGoal::Accuracy, ThresholdGoal::BalancedAccuracy] {
            assert!((best(&rows, goal).unwrap() - 0.45).abs() < 1e-15, "{goal:?}");
        }
    }

    #[test]
    fn a_precision_is_promised_by_enough_rows_only() {
        // 127 rows of the class above all others: the lower end of their interval is 127 / (127 + 1.96²).
        let rows: Vec<(f64, bool)> =
            (0..254).map(|row| (1.0 - f64::from(row) / 300.0 - 0.001, row < 127)).collect();
        let promised = 127.0 / (127.0 + Z_95 * Z_95);
        assert!(best(&rows, ThresholdGoal::RecallAtPrecision(promised - 1e-9)).is_ok());
        let error = best(&rows, ThresholdGoal::RecallAtPrecision(0.999)).unwrap_err();
        let ThresholdError::Precision { wanted, highest, precision, n_positive, n_others } = error else {
            panic!("{error}");
        };
        assert_eq!((wanted, precision, n_positive, n_others), (0.999, 1.0, 127, 127));
        assert!((highest - promised).abs() < 1e-9, "{highest}");
    }

    #[test]
    fn what_cannot_be_chosen_is_said() {
        assert_eq!(best(&[(0.9, true), (0.8, true)], ThresholdGoal::F1), Err(ThresholdError::OneKind));
        assert_eq!(best(&[(0.0, true), (0.0, false)], ThresholdGoal::F1), Err(ThresholdError::Flat));
        // Probabilities of 1 and neighbours have a threshold below 1.
        let sure = [(1.0, true), (1.0 - f64::EPSILON / 2.0, false)];
        assert!(best(&sure, ThresholdGoal::F1).unwrap() < 1.0);
    }
}
