//! The answers of a classifier to labelled rows.

use std::ops::Range;

use anyhow::{Context, Result};
use nb_core::{Classifier, RowSubset, Rows};
use nb_io::FittedFamily;

/// What a classifier says of a row.
pub(crate) struct Answer<'a> {
    /// The place of the row among these.
    pub(crate) row: usize,
    /// The class of the row; none if the classifier does not know its label.
    pub(crate) truth: Option<usize>,
    /// The most probable class; none if the row is impossible under every class.
    pub(crate) most_probable: Option<usize>,
    /// One per class; all are infinite if the row is impossible under every class.
    pub(crate) log_posterior: &'a [f64],
}

/// Calls `visit` for each of some rows, of which the labels are known, and the most probable ones.
pub(crate) fn for_each_answer(
    classifier: &Classifier<String, FittedFamily>,
    rows: &(impl Rows + ?Sized),
    labels: &[String],
    predicted: &[Option<String>],
    mut visit: impl FnMut(Answer<'_>) -> Result<()>,
) -> Result<()> {
    let place = |label: &String| classifier.classes().binary_search(label).ok();
    let none = vec![f64::NEG_INFINITY; classifier.classes().len()];
    for piece in pieces(predicted.len(), classifier.classes().len()) {
        let possible: Vec<usize> = piece.clone().filter(|&row| predicted[row].is_some()).collect();
        let rows = RowSubset::new(rows, &possible).context("there is not one label per row")?;
        let answers = classifier.predict_log_proba(&rows)?;
        let mut answers = answers.rows().into_iter();
        for row in piece {
            let label = predicted[row].as_ref();
            let posterior = label.and_then(|_| answers.next()).map(|posterior| posterior.to_vec());
            visit(Answer {
                row,
                truth: labels.get(row).and_then(place),
                most_probable: label.and_then(place),
                log_posterior: posterior.as_deref().unwrap_or(&none),
            })?;
        }
    }
    Ok(())
}

/// Ranges of rows for which the answers for all classes are about a million numbers.
pub(crate) fn pieces(n_rows: usize, n_classes: usize) -> impl Iterator<Item = Range<usize>> {
    const NUMBERS: usize = 1 << 20;
    let length = (NUMBERS / n_classes.max(1)).max(1);
    (0..n_rows).step_by(length).map(move |first| first..n_rows.min(first + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_rows() {
        let all: Vec<usize> = pieces(10, 1 << 18).flatten().collect();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(pieces(10, 1 << 18).next(), Some(0..4));
        assert_eq!(pieces(3, 1 << 30).count(), 3);
        assert_eq!(pieces(0, 2).count(), 0);
    }
}
