//! Thresholds chosen by held-out rows.

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::output::short;

/// What a threshold is to be best in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Goal {
    /// F1 of the class.
    F1,
    /// The share of rows that are labelled correctly.
    Accuracy,
    /// The mean of recall and specificity of the class (Youden's index is twice this, less 1).
    BalancedAccuracy,
}

/// A held-out row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The probability of the class.
    pub(super) probability: f64,
    pub(super) is_positive: bool,
    /// Whether the row is labelled correctly where the class is not chosen.
    pub(super) is_right_otherwise: bool,
}

/// What a threshold does to the rows.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    threshold: f64,
    /// Positive rows that are above the threshold, others that are, and rows below it that are right.
    hits: f64,
    false_alarms: f64,
    right_below: f64,
}

/// The thresholds between rows of different probabilities, from high to low.
fn outcomes(rows: &[Row]) -> Vec<Outcome> {
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let mut outcomes = Vec::new();
    let (mut hits, mut false_alarms) = (0.0, 0.0);
    let mut right_below = rows.iter().filter(|row| row.is_right_otherwise).count() as f64;
    for (place, row) in rows.iter().enumerate() {
        hits += f64::from(u8::from(row.is_positive));
        false_alarms += f64::from(u8::from(!row.is_positive));
        right_below -= f64::from(u8::from(row.is_right_otherwise));
        let next = rows.get(place + 1).map_or(0.0, |next| next.probability);
        if next < row.probability {
            let middle = next + (row.probability - next) / 2.0;
            let threshold = if middle > next { middle } else { row.probability };
            if threshold < 1.0 {
                outcomes.push(Outcome { threshold, hits, false_alarms, right_below });
            }
        }
    }
    outcomes
}

/// The threshold that is best in something; the highest of equal ones.
pub(super) fn best(rows: &[Row], goal: Goal) -> Result<f64> {
    let positive = positives(rows)?;
    let negative = rows.len() as f64 - positive;
    let value = |outcome: &Outcome| match goal {
        Goal::F1 => 2.0 * outcome.hits / (positive + outcome.hits + outcome.false_alarms),
        Goal::Accuracy => (outcome.hits + outcome.right_below) / rows.len() as f64,
        Goal::BalancedAccuracy => (outcome.hits / positive + 1.0 - outcome.false_alarms / negative) / 2.0,
    };
    let mut best: Option<(f64, f64)> = None;
    for outcome in outcomes(rows) {
        let value = value(&outcome);
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((outcome.threshold, value));
        }
    }
    found(best.map(|(threshold, _)| threshold))
}

/// The threshold with the largest recall among those with at least this precision; the highest of equal ones.
pub(super) fn recall_at_precision(rows: &[Row], least: f64) -> Result<f64> {
    positives(rows)?;
    let precision = |outcome: &Outcome| outcome.hits / (outcome.hits + outcome.false_alarms);
    let all = outcomes(rows);
    let mut best: Option<(f64, f64)> = None;
    for outcome in all.iter().filter(|outcome| precision(outcome) >= least && outcome.hits > 0.0) {
        if best.is_none_or(|(_, most)| outcome.hits > most) {
            best = Some((outcome.threshold, outcome.hits));
        }
    }
    if best.is_none() {
        let highest = all.iter().map(precision).fold(0.0, f64::max);
        bail!(
            "no threshold has a precision of {} on these rows; the highest precision is {}; ask for less",
            short(least),
            short(highest)
        );
    }
    found(best.map(|(threshold, _)| threshold))
}

/// The number of rows of the class. There must be rows of others, too.
fn positives(rows: &[Row]) -> Result<f64> {
    let positive = rows.iter().filter(|row| row.is_positive).count();
    if positive == 0 || positive == rows.len() {
        bail!(
            "a threshold is chosen by rows of the class and of others, and the held-out rows have only one kind"
        );
    }
    Ok(positive as f64)
}

fn found(threshold: Option<f64>) -> Result<f64> {
    match threshold {
        Some(threshold) => Ok(threshold),
        None => bail!(
            "all held-out rows have the same probability of the class, so that no threshold separates any"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: &[(f64, bool)]) -> Vec<Row> {
        of.iter()
            .map(|&(probability, is_positive)| Row {
                probability,
                is_positive,
                is_right_otherwise: !is_positive,
            })
            .collect()
    }

    #[test]
    fn the_best_threshold_is_found() {
        let rows = rows(&[(0.9, true), (0.8, false), (0.7, true), (0.6, true), (0.3, false), (0.1, false)]);
        // Above 0.45 are three of three positive rows and one other.
        assert!((best(&rows, Goal::F1).unwrap() - 0.45).abs() < 1e-15);
        assert!((best(&rows, Goal::Accuracy).unwrap() - 0.45).abs() < 1e-15);
        assert!((best(&rows, Goal::BalancedAccuracy).unwrap() - 0.45).abs() < 1e-15);
        assert!((recall_at_precision(&rows, 0.7).unwrap() - 0.45).abs() < 1e-15);
        assert!((recall_at_precision(&rows, 0.95).unwrap() - 0.85).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_chosen_is_said() {
        assert!(best(&rows(&[(0.9, true), (0.8, true)]), Goal::F1).is_err());
        let error = recall_at_precision(&rows(&[(0.9, false), (0.8, true)]), 0.9).unwrap_err().to_string();
        assert!(error.contains("the highest precision is 0.5"), "{error}");
        // Probabilities of 1 and neighbours have a threshold below 1.
        let sure = rows(&[(1.0, true), (1.0 - f64::EPSILON / 2.0, false)]);
        assert!(best(&sure, Goal::F1).unwrap() < 1.0);
    }
}
