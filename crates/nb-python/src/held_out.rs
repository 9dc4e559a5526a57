//! Rows judged by the sums of the others.

use std::collections::BTreeMap;

use nb_core::{NaiveBayes, Prior, RowSubset, Rows, SufficientStats};
use nb_io::Family;
use numpy::ndarray::Array2;
use pyo3::{PyErr, PyResult, Python, exceptions::PyValueError};

use crate::errors;

/// Rows with their classes and weights, as they were added to the sums.
pub(crate) struct Added<'a> {
    pub(crate) rows: &'a dyn Rows,
    pub(crate) classes: &'a [i64],
    pub(crate) weights: Option<&'a [f64]>,
}

/// The log-posteriors of rows that are among those of the sums: each row by the sums without all rows of its
/// fold, which are taken out and put back exactly. A class that has no other rows is impossible.
pub(crate) fn log_posteriors(
    stats: &SufficientStats<i64>,
    family: &Family,
    prior: &Prior,
    added: &Added<'_>,
    folds: &[i64],
) -> PyResult<Array2<f64>> {
    let Added { rows, classes, weights } = added;
    let n_rows = rows.n_rows();
    if [folds.len(), classes.len()] != [n_rows; 2] || weights.is_some_and(|weights| weights.len() != n_rows) {
        return Err(PyValueError::new_err("there must be one class, weight and fold for each row"));
    }
    let mut members: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (row, &fold) in folds.iter().enumerate() {
        members.entry(fold).or_default().push(row);
    }
    let all: Vec<i64> = stats.classes().copied().collect();
    let mut stats = stats.clone();
    let mut answers = Array2::from_elem((n_rows, all.len()), f64::NEG_INFINITY);
    for chosen in members.values() {
        let gone = || PyValueError::new_err("a row is gone");
        let subset = RowSubset::new(*rows, chosen).ok_or_else(gone)?;
        let of_fold: Vec<i64> = chosen.iter().map(|&row| classes[row]).collect();
        let weights: Vec<f64> =
            chosen.iter().map(|&row| weights.map_or(1.0, |weights| weights[row])).collect();
        stats.retract_weighted(family, &subset, &of_fold, &weights).map_err(errors::value)?;
        let without = |error| -> PyErr {
            let message = errors::message(&error);
            let row = chosen[0];
            PyValueError::new_err(format!("without the fold of row {row} there is no classifier: {message}"))
        };
        let classifier =
            NaiveBayes { model: family, prior: prior.clone() }.fit_stats(&stats).map_err(without)?;
        let posteriors = classifier.predict_log_proba(&subset).map_err(errors::value)?;
        for (&row, answer) in chosen.iter().zip(posteriors.rows()) {
            for (class, &value) in classifier.classes().iter().zip(answer) {
                if let Ok(place) = all.binary_search(class) {
                    answers[[row, place]] = value;
                }
            }
        }
        stats.update_weighted(family, &subset, &of_fold, &weights).map_err(errors::value)?;
        // So that a long run can be stopped. (The path of the method is not general enough for a closure.)
        #[expect(clippy::redundant_closure_for_method_calls)]
        Python::attach(|py| py.check_signals())?;
    }
    Ok(answers)
}
