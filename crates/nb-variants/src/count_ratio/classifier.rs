//! The fitted classifier and its answers.

use nb_core::{Rows, error::PredictError};
use nb_linear::LinearForm;
use ndarray::{Array2, ArrayView2};

use super::features::{Features, check_counts};

/// A fitted classifier on log-count ratios.
///
/// Answers are in natural logarithms; classes are in label order, and a tie goes to the first.
///
/// ```
/// use nb_variants::CountRatio;
/// use ndarray::array;
///
/// let classifier = CountRatio::default().fit(&array![[1.0, 0.0], [0.0, 1.0]], &["good", "poor"])?;
/// assert_eq!(classifier.classes(), ["good", "poor"]);
/// assert_eq!(classifier.n_columns(), 2);
/// assert!((classifier.ratios()[[0, 1]] - 2.0_f64.ln()).abs() < 1e-15); // (1 + 1)/3 to (0 + 1)/3
/// assert_eq!(classifier.predict(&array![[3.0, 0.0]])?, ["good"]);
/// // The features of this row are 1 and 0: whether a word is there at all.
/// assert_eq!(classifier.form().predict(&array![[1.0, 0.0]])?, ["good"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CountRatioClassifier<L> {
    /// Of two classes the log-odds; of more, the score of each against all others.
    form: LinearForm<L>,
    ratios: Array2<f64>,
    binarize: bool,
}

impl<L: Clone> CountRatioClassifier<L> {
    pub(super) fn new(form: LinearForm<L>, ratios: Array2<f64>, binarize: bool) -> Self {
        Self { form, ratios, binarize }
    }

    /// The labels, in order.
    pub fn classes(&self) -> &[L] {
        self.form.classes()
    }

    /// The number of columns that rows must have.
    pub fn n_columns(&self) -> usize {
        self.form.n_columns()
    }

    /// The log-count ratios: of two classes those of the second against the first, `1 × n_columns`; of more,
    /// those of each class against all others, `n_classes × n_columns`.
    pub fn ratios(&self) -> ArrayView2<'_, f64> {
        self.ratios.view()
    }

    /// Weights and intercepts in the features, that is the indicators of counts above 0 or the counts
    /// themselves, with the ratios multiplied in. The scores of its classes are the `s_c` of
    /// [`predict_log_proba`](Self::predict_log_proba); of two classes the first scores 0, and the form
    /// answers as this classifier does, given features as rows.
    pub fn form(&self) -> &LinearForm<L> {
        &self.form
    }

    /// The most probable label of each row of counts.
    ///
    /// # Errors
    /// [`PredictError`] names a cell that is no count.
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError> {
        self.form.predict(&self.features(rows)?)
    }

    /// `log p(class | row)` of each row of counts, `n_rows × n_classes`. Of two classes `log σ(-s)` and `log
    /// σ(s)` with the log-odds `s` of the second; of more, `log σ(s_c) - log Σ_k σ(s_k)` with the
    /// log-odds `s_c` of each class against all others. Probabilities add up to one, and small ones keep
    /// their digits.
    ///
    /// ```
    /// use nb_variants::CountRatio;
    /// use ndarray::array;
    ///
    /// let x = array![[3.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 4.0]];
    /// let classifier = CountRatio::default().fit(&x, &["a", "a", "b", "b", "c"])?;
    /// let log_p = classifier.predict_log_proba(&x)?;
    /// assert_eq!(log_p.dim(), (5, 3));
    /// assert!(log_p.rows().into_iter().all(|row| (row.mapv(f64::exp).sum() - 1.0).abs() < 1e-14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names a cell that is no count.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let features = self.features(rows)?;
        if self.classes().len() == 2 {
            return self.form.predict_log_proba(&features);
        }
        let mut scores = self.form.scores(&features)?;
        for mut scores in scores.rows_mut() {
            let best = (1..scores.len()).fold(0, |best, c| if scores[c] > scores[best] { c } else { best });
            let largest = log_sigmoid(scores[best]);
            // Rounding does not keep the order of scores that are nearly the same; the best stays the best.
            scores.mapv_inplace(|score| log_sigmoid(score).min(largest));
            let others = scores.iter().enumerate().filter(|&(class, _)| class != best);
            let odds: f64 = others.map(|(_, score)| libm::exp(score - largest)).sum();
            scores.mapv_inplace(|score| (score - largest) - libm::log1p(odds));
        }
        Ok(scores)
    }

    /// The features of rows that were checked.
    fn features<'a, R: Rows + ?Sized>(&self, rows: &'a R) -> Result<Features<'a, R>, PredictError> {
        let (expected, found) = (self.n_columns(), rows.n_columns());
        if expected != found {
            return Err(PredictError::Columns { expected, found });
        }
        check_counts(rows)?;
        Ok(Features { rows, binarize: self.binarize, scale: None })
    }
}

/// `log σ(x) = -log(1 + exp(-x))`, without overflow.
fn log_sigmoid(x: f64) -> f64 {
    if x < 0.0 { x - libm::log1p(libm::exp(x)) } else { -libm::log1p(libm::exp(-x)) }
}
