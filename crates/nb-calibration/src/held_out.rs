//! Scores of rows by models that have not seen them.

use std::collections::BTreeMap;

use nb_core::{
    Classifier, FeatureModel, NaiveBayes, RowSubset, Rows, SufficientStats,
    error::{FoldError, PredictError, UpdateError},
    selection::{FoldAssignment, FoldedStats},
};
use ndarray::{Array2, Axis};

use crate::HeldOutError;

/// Log-posteriors of rows by naive Bayes classifiers that were fitted without them: what a calibration is
/// fitted to.
///
/// Rows are dealt to folds as by [`FoldAssignment::Stratified`] and added once; for each fold a classifier is
/// read off the statistics of all others, which are exact, so that its scores are those of a fit to the other
/// rows, bit for bit. (Platt (1999), section 2.2, and Zadrozny and Elkan (2002) use such scores, as those of
/// rows that a model has seen are too sure.)
///
/// Rows of weight 0 are dealt, but not scored. Folds without rows are passed over, so that more folds than
/// rows do no harm.
///
/// ```
/// use nb_calibration::{Calibrator, HeldOutScores, Platt};
/// use nb_core::{Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[1.0], [2.0], [4.0], [3.0], [3.5], [5.0], [6.0], [2.5]];
/// let y = ["a", "a", "a", "a", "b", "b", "b", "b"];
/// let scores = HeldOutScores::new(&NaiveBayes::new(Gaussian::default()), &x, &y, None, 4)?;
/// assert_eq!(scores.log_posteriors.dim(), (8, 2));
/// let map = Platt.fit(scores.log_posteriors.view(), &scores.truth, None)?;
/// assert!(map.sigmoids()[0].slope > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeldOutScores<L> {
    /// The labels, in order.
    pub classes: Vec<L>,
    /// The numbers of the rows that were scored, those with a weight above 0, in order.
    pub rows: Vec<usize>,
    /// `log p(class | row)`, a row for each of `rows` and a column for each of `classes`, in natural
    /// logarithms.
    pub log_posteriors: Array2<f64>,
    /// The true class of each of `rows`, a position in `classes`.
    pub truth: Vec<usize>,
}

impl<L: Ord + Clone + Send + Sync> HeldOutScores<L> {
    /// Scores rows, `n_rows × n_columns`, with one label per row and, if they are given, one weight per row.
    ///
    /// ```
    /// # use nb_calibration::HeldOutScores;
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// let x = array![[1.0], [2.0], [4.0], [9.0], [3.0], [5.0], [6.0]];
    /// let y = ["a", "a", "a", "a", "b", "b", "b"];
    /// let weights = [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0];
    /// let naive_bayes = NaiveBayes::new(Gaussian::default());
    /// let scores = HeldOutScores::new(&naive_bayes, &x, &y, Some(&weights), 3)?;
    /// assert_eq!((scores.rows, scores.truth), (vec![0, 1, 2, 4, 5, 6], vec![0, 0, 0, 1, 1, 1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`HeldOutError`] if hyper-parameters, rows, labels or weights are invalid, all rows of a class are in
    /// one fold, or the others do not determine a classifier.
    pub fn new<M: FeatureModel>(
        naive_bayes: &NaiveBayes<M>,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: Option<&[f64]>,
        n_folds: usize,
    ) -> Result<Self, HeldOutError> {
        Ok(with_statistics(naive_bayes, rows, labels, weights, n_folds)?.0)
    }
}

/// The scores, and the statistics of all rows.
pub(crate) fn with_statistics<L: Ord + Clone + Send + Sync, M: FeatureModel>(
    naive_bayes: &NaiveBayes<M>,
    rows: &(impl Rows + ?Sized),
    labels: &[L],
    weights: Option<&[f64]>,
    n_folds: usize,
) -> Result<(HeldOutScores<L>, SufficientStats<L>), HeldOutError> {
    let model = &naive_bayes.model;
    let mut stats = FoldedStats::new(model, rows.n_columns(), n_folds, FoldAssignment::Stratified)?;
    if labels.len() != rows.n_rows() {
        return Err(UpdateError::Labels { rows: rows.n_rows(), labels: labels.len() }.into());
    }
    let fold_of_row = FoldAssignment::Stratified.deal(labels, n_folds);
    match weights {
        Some(weights) => stats.update_assigned_weighted(model, rows, labels, weights, &fold_of_row),
        None => stats.update_assigned(model, rows, labels, &fold_of_row),
    }
    .map_err(|error| match error {
        FoldError::Update(error) => HeldOutError::Update(error),
        _ => unreachable!("there is a fold for each row"),
    })?;
    let whole = stats.whole();
    let classes: Vec<L> = whole.classes().cloned().collect();
    let scored: Vec<usize> =
        (0..labels.len()).filter(|&row| weights.is_none_or(|weights| weights[row] > 0.0)).collect();
    if scored.is_empty() {
        return Err(HeldOutError::NoRows);
    }
    let mut log_posteriors = Array2::zeros((scored.len(), classes.len()));
    for (fold, positions) in positions_of_folds(&scored, &fold_of_row) {
        let Some(others) = stats.without(fold) else { continue };
        let classifier = fit_without(naive_bayes, &classes, &others, fold)?;
        let numbers: Vec<usize> = positions.iter().map(|&position| scored[position]).collect();
        let scores =
            score(&classifier, rows, &numbers).map_err(|error| HeldOutError::Predict { fold, error })?;
        for (position, scores) in positions.into_iter().zip(scores.axis_iter(Axis(0))) {
            log_posteriors.row_mut(position).assign(&scores);
        }
    }
    let class = |&row: &usize| {
        classes
            .binary_search(&labels[row])
            .unwrap_or_else(|_| unreachable!("a row with a weight has a class"))
    };
    let truth = scored.iter().map(class).collect();
    Ok((HeldOutScores { classes, rows: scored, log_posteriors, truth }, whole))
}

/// The folds that have rows, each with the positions of its rows.
fn positions_of_folds(rows: &[usize], fold_of_row: &[usize]) -> BTreeMap<usize, Vec<usize>> {
    let mut positions: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (position, &row) in rows.iter().enumerate() {
        positions.entry(fold_of_row[row]).or_default().push(position);
    }
    positions
}

/// A classifier of the other folds, which must know every class.
fn fit_without<L: Ord + Clone, M: FeatureModel>(
    naive_bayes: &NaiveBayes<M>,
    classes: &[L],
    others: &SufficientStats<L>,
    fold: usize,
) -> Result<Classifier<L, M::Fitted>, HeldOutError> {
    let mut known = others.classes();
    if let Some(class) = classes.iter().position(|class| known.next() != Some(class)) {
        return Err(HeldOutError::ClassInOneFold { class, fold });
    }
    naive_bayes.fit_stats(others).map_err(|error| HeldOutError::Fit { fold, error })
}

/// The log-posteriors of some rows.
fn score<L: Clone + Sync, F: nb_core::Likelihood>(
    classifier: &Classifier<L, F>,
    rows: &(impl Rows + ?Sized),
    numbers: &[usize],
) -> Result<Array2<f64>, PredictError> {
    let Some(chosen) = RowSubset::new(rows, numbers) else { unreachable!("the numbers are those of rows") };
    classifier.predict_log_proba(&chosen).map_err(|mut error| {
        if let PredictError::Value(value) = &mut error {
            value.row = numbers[value.row];
        }
        error
    })
}

#[cfg(test)]
mod tests {
    use nb_core::Gaussian;
    use ndarray::array;

    use super::*;

    #[test]
    fn errors_count_among_all_rows() {
        let x = array![[1.0], [2.0], [f64::MAX], [3.0]];
        let labels = ["a", "b", "a", "b"];
        let classifier =
            NaiveBayes::new(Gaussian::default()).fit(&array![[1.0], [2.0], [3.0], [5.0]], &labels);
        let error = score(&classifier.expect("valid"), &x, &[1, 2]).expect_err("too large");
        assert!(error.to_string().starts_with("row 2, column 0"), "{error}");
    }
}
