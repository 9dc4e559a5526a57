//! Maps for two classes, made into maps for many.
//!
//! Each class against all others is a problem of two classes, whose scores are the log-odds of the class. The
//! probabilities that their maps give are divided by their sum. (Zadrozny and Elkan (2002), *Transforming
//! classifier scores into accurate multiclass probability estimates*, KDD, 694-699, section 5.) Two classes
//! need one map.

use crate::{
    CalibrationError,
    rows::CheckedRows,
    softmax::{best, normalise, to_log_odds},
};

/// A map from log-odds, which may be infinite, to probabilities.
pub(crate) trait LogOddsMap {
    /// The logarithms of the probabilities of no and of yes.
    fn log_probabilities(&self, log_odds: f64) -> [f64; 2];
}

/// Log-odds of a class in one row, and whether it is the true class.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) log_odds: f64,
    pub(crate) is_class: bool,
    pub(crate) weight: f64,
}

/// One map for each class, or for the second of two.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OneAgainstRest<B> {
    pub(crate) maps: Vec<B>,
}

impl<B: LogOddsMap> OneAgainstRest<B> {
    /// `fit_one` gets the number of a class and its log-odds in all rows.
    pub(crate) fn fit(
        rows: &CheckedRows<'_>,
        mut fit_one: impl FnMut(usize, &[Case]) -> Result<B, CalibrationError>,
    ) -> Result<Self, CalibrationError> {
        let n_classes = rows.n_classes();
        let mut table = Vec::new();
        for row in rows.iter() {
            let first = table.len();
            table.extend(row.scores.iter().copied());
            let scores = &mut table[first..];
            let best = best(&*scores).ok_or(CalibrationError::NoClass { row: row.number })?;
            to_log_odds(scores, best);
        }
        let mut maps = Vec::new();
        let mut cases = Vec::new();
        for class in classes_of_maps(n_classes) {
            let log_odds = table.iter().skip(class).step_by(n_classes);
            cases.clear();
            cases.extend(rows.iter().zip(log_odds).map(|(row, &log_odds)| Case {
                log_odds,
                is_class: row.truth == class,
                weight: row.weight,
            }));
            maps.push(fit_one(class, &cases)?);
        }
        Ok(Self { maps })
    }

    pub(crate) fn n_classes(&self) -> usize {
        if self.maps.len() == 1 { 2 } else { self.maps.len() }
    }

    /// Where all maps say zero, which only those without smoothing can, all classes get the same, as in
    /// scikit-learn.
    pub(crate) fn apply_row(&self, scores: &mut [f64]) {
        let Some(best) = best(&*scores) else { return };
        to_log_odds(scores, best);
        if let ([map], [_, log_odds]) = (&self.maps[..], &*scores) {
            let answer = map.log_probabilities(*log_odds);
            return scores.copy_from_slice(&answer);
        }
        for (score, map) in scores.iter_mut().zip(&self.maps) {
            [_, *score] = map.log_probabilities(*score);
        }
        if !normalise(scores) {
            scores.fill(-libm::log(scores.len() as f64));
        }
    }
}

/// The classes that have their own map.
fn classes_of_maps(n_classes: usize) -> std::ops::Range<usize> {
    if n_classes == 2 { 1..2 } else { 0..n_classes }
}
