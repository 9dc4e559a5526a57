//! Naive Bayes with calibrated posteriors.

use nb_core::{Classifier, FeatureModel, Likelihood, NaiveBayes, Rows, error::PredictError};
use ndarray::Array2;

use crate::{
    ApplyError, CalibratedError, Calibration, CalibrationMap, Calibrator, FittedCalibration,
    held_out::with_statistics, softmax::best,
};

/// Naive Bayes, a calibration and the number of folds that it is cross-validated with.
///
/// The rows are added once, to the statistics of `n_folds` folds. For each fold a classifier is fitted to the
/// others and scores it ([`HeldOutScores`](crate::HeldOutScores)); the calibration is fitted to these scores
/// of all rows, and the classifier to all rows. (That the classifier has seen a little more than those whose
/// scores were calibrated is the price of one classifier instead of `n_folds`; scikit-learn's
/// `CalibratedClassifierCV(ensemble=False)` does the same.)
///
/// ```
/// use nb_calibration::{Calibrated, Calibration};
/// use nb_core::{Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// // The same measurement three times: naive Bayes takes it for three.
/// let x = array![1.0, 2.0, 3.0, 4.0, 5.0, 2.5, 4.5, 6.0, 7.0, 8.0].insert_axis(ndarray::Axis(1));
/// let x = ndarray::concatenate![ndarray::Axis(1), x, x, x];
/// let y = ["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"];
/// let naive_bayes = NaiveBayes::new(Gaussian::default());
/// let sure = naive_bayes.fit(&x, &y)?.predict_proba(&x)?[[3, 0]];
/// let classifier = Calibrated::new(naive_bayes, Calibration::Temperature, 5).fit(&x, &y)?;
/// let modest = classifier.predict_proba(&x)?[[3, 0]];
/// assert!(modest < sure && modest > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated<M, C = Calibration> {
    /// The family and the prior.
    pub naive_bayes: NaiveBayes<M>,
    /// How scores are calibrated.
    pub calibration: C,
    /// The number of folds, from 2.
    pub n_folds: usize,
}

impl<M: FeatureModel, C: Calibrator> Calibrated<M, C> {
    /// Naive Bayes with a calibration that is fitted to scores of `n_folds`-fold cross-validation; 5 and 10
    /// are usual.
    ///
    /// ```
    /// # use nb_calibration::{Calibrated, Calibration};
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// let naive_bayes = NaiveBayes::new(Gaussian::default());
    /// let model = Calibrated::new(naive_bayes, Calibration::Isotonic, 10);
    /// assert_eq!(model.n_folds, 10);
    /// ```
    pub fn new(naive_bayes: NaiveBayes<M>, calibration: C, n_folds: usize) -> Self {
        Self { naive_bayes, calibration, n_folds }
    }

    /// Fits rows, `n_rows × n_columns`, with one label per row.
    ///
    /// ```
    /// # use nb_calibration::{Calibrated, Calibration};
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [2.0], [3.0], [4.0], [5.0], [2.5], [4.5], [6.0], [7.0], [8.0]];
    /// # let y = ["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"];
    /// let model = Calibrated::new(NaiveBayes::new(Gaussian::default()), Calibration::Temperature, 5);
    /// let classifier = model.fit(&x, &y)?;
    /// assert_eq!(classifier.predict(&array![[1.5], [7.5]])?, ["a", "b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CalibratedError`] if hyper-parameters, rows or labels are invalid or do not determine a model or a
    /// calibration.
    pub fn fit<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<CalibratedClassifier<L, M::Fitted, C::Fitted>, CalibratedError> {
        self.fit_rows(rows, labels, None)
    }

    /// Fits rows with weights: a row of weight 2 counts as two rows, both of which are in the same fold.
    ///
    /// ```
    /// # use nb_calibration::{Calibrated, Calibration};
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [2.0], [3.0], [4.0], [5.0], [2.5], [4.5], [6.0], [7.0], [8.0]];
    /// # let y = ["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"];
    /// let model = Calibrated::new(NaiveBayes::new(Gaussian::default()), Calibration::Temperature, 5);
    /// let weights = [3.0, 3.0, 3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    /// let classifier = model.fit_weighted(&x, &y, &weights)?;
    /// let prior = classifier.classifier().log_prior()[0].exp();
    /// assert!((prior - 15.0 / 20.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_weighted<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: &[f64],
    ) -> Result<CalibratedClassifier<L, M::Fitted, C::Fitted>, CalibratedError> {
        self.fit_rows(rows, labels, Some(weights))
    }

    fn fit_rows<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: Option<&[f64]>,
    ) -> Result<CalibratedClassifier<L, M::Fitted, C::Fitted>, CalibratedError> {
        let (scores, stats) = with_statistics(&self.naive_bayes, rows, labels, weights, self.n_folds)?;
        let classifier = self.naive_bayes.fit_stats(&stats)?;
        let weights = weights.map(|weights| scores.rows.iter().map(|&row| weights[row]).collect::<Vec<_>>());
        let map = self.calibration.fit(scores.log_posteriors.view(), &scores.truth, weights.as_deref());
        let map = map.map_err(|error| error.among(&scores.rows))?;
        Ok(CalibratedClassifier::new(classifier, map)?)
    }
}

/// A classifier whose posteriors are calibrated. Its answers have the shapes and errors of a
/// [`Classifier`]'s, and derive from the calibrated posteriors, so that labels may differ from those of the
/// classifier (with one temperature for all classes they do not).
///
/// ```
/// use nb_calibration::{CalibratedClassifier, FittedIsotonic, IsotonicStep};
/// use nb_core::{Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[1.0], [3.0], [4.0], [6.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "b", "b"])?;
/// // Held-out rows were "b" in 3 of 4 cases, whatever the score.
/// let step = IsotonicStep { first: 0.0, last: 0.0, probability: 0.75 };
/// let map = FittedIsotonic::from_steps(2, vec![vec![step]])?;
/// let calibrated = CalibratedClassifier::new(classifier, map)?;
/// assert_eq!(calibrated.classes(), ["a", "b"]);
/// assert_eq!(calibrated.classifier().predict(&x)?, ["a", "a", "b", "b"]);
/// assert_eq!(calibrated.calibration().steps(), [[step]]);
/// assert_eq!(calibrated.predict(&x)?, ["b"; 4]);
/// assert_eq!(calibrated.try_predict_each(&array![[1.0]])?, [Some("b")]);
/// assert!((calibrated.predict_log_proba(&x)?[[0, 1]] - 0.75_f64.ln()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CalibratedClassifier<L, F, C = FittedCalibration> {
    classifier: Classifier<L, F>,
    map: C,
}

impl<L, F, C: CalibrationMap> CalibratedClassifier<L, F, C> {
    /// A classifier and a map for its classes, in label order, which was fitted to scores of rows held out.
    ///
    /// ```
    /// # use nb_calibration::{CalibratedClassifier, FittedIsotonic, IsotonicStep};
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [4.0], [6.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "b", "b"])?;
    /// // Held-out rows were "b" in 3 of 4 cases, whatever the score.
    /// let step = IsotonicStep { first: 0.0, last: 0.0, probability: 0.75 };
    /// let map = FittedIsotonic::from_steps(2, vec![vec![step]])?;
    /// let calibrated = CalibratedClassifier::new(classifier, map)?;
    /// assert_eq!(calibrated.predict(&array![[1.0]])?, ["b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ApplyError::Classes`] if the map is for another number of classes.
    pub fn new(classifier: Classifier<L, F>, map: C) -> Result<Self, ApplyError> {
        let (expected, found) = (map.n_classes(), classifier.classes().len());
        if expected == found {
            Ok(Self { classifier, map })
        } else {
            Err(ApplyError::Classes { expected, found })
        }
    }

    /// The labels, in order.
    pub fn classes(&self) -> &[L] {
        self.classifier.classes()
    }

    /// The classifier without the calibration.
    pub fn classifier(&self) -> &Classifier<L, F> {
        &self.classifier
    }

    /// The calibration.
    pub fn calibration(&self) -> &C {
        &self.map
    }
}

impl<L: Clone + Sync, F: Likelihood, C: CalibrationMap> CalibratedClassifier<L, F, C> {
    /// The label of the largest calibrated posterior of each row; a tie goes to the first in label order.
    ///
    /// ```
    /// # use nb_calibration::{CalibratedClassifier, FittedIsotonic, IsotonicStep};
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [4.0], [6.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "b", "b"])?;
    /// # let step = IsotonicStep { first: 0.0, last: 0.0, probability: 0.75 };
    /// # let map = FittedIsotonic::from_steps(2, vec![vec![step]])?;
    /// let calibrated = CalibratedClassifier::new(classifier, map)?; // "b" with 3/4, whatever the row
    /// assert_eq!(calibrated.predict(&array![[1.0], [6.0]])?, ["b", "b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under every class.
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError> {
        let labels = self.try_predict_each(rows)?.into_iter().enumerate();
        labels.map(|(row, label)| label.ok_or(PredictError::Impossible { row })).collect()
    }

    /// The label of the largest calibrated posterior of each row, or `None` for a row that is impossible
    /// under every class.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn try_predict_each(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<Option<L>>, PredictError> {
        let log_posteriors = self.predict_log_proba(rows)?;
        let rows = log_posteriors.rows().into_iter();
        Ok(rows.map(|row| best(row).map(|class| self.classes()[class].clone())).collect())
    }

    /// Calibrated `log p(class | row)`, `n_rows × n_classes`, in natural logarithms; negative infinity in a
    /// row that is impossible under every class.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let mut log_posteriors = self.classifier.predict_log_proba(rows)?;
        let mut scores = vec![0.0; self.classes().len()];
        for mut row in log_posteriors.rows_mut() {
            scores.iter_mut().zip(&row).for_each(|(to, from)| *to = *from);
            self.map.apply_row(&mut scores);
            row.iter_mut().zip(&scores).for_each(|(to, from)| *to = *from);
        }
        Ok(log_posteriors)
    }

    /// Calibrated `p(class | row)`, `n_rows × n_classes`. Rows add up to one, except that the entries of a
    /// row that is impossible under every class are all zero.
    ///
    /// ```
    /// # use nb_calibration::{CalibratedClassifier, FittedIsotonic, IsotonicStep};
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [4.0], [6.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["a", "a", "b", "b"])?;
    /// # let step = IsotonicStep { first: 0.0, last: 0.0, probability: 0.75 };
    /// # let map = FittedIsotonic::from_steps(2, vec![vec![step]])?;
    /// let calibrated = CalibratedClassifier::new(classifier, map)?; // "b" with 3/4, whatever the row
    /// let p = calibrated.predict_proba(&array![[1.0]])?;
    /// assert!((p[[0, 1]] - 0.75).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let mut posteriors = self.predict_log_proba(rows)?;
        posteriors.mapv_inplace(libm::exp);
        Ok(posteriors)
    }
}
