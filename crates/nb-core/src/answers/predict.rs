//! Every answer of a classifier.
//!
//! All answers derive from one primitive, [`Likelihood::log_likelihood`], in log space; nothing multiplies
//! probabilities, truncates or floors them.
//!
//! ```text
//!  rows ─chunk─▶ Block ─┬─ estimates ── clear ─────────────────────────▶ labels
//!                       │      └──────── not clear ─┐
//!                       └─ check ──────────────────▶ scores ──▶ labels, joint log-likelihoods, posteriors, evidence
//! ```

use ndarray::{Array1, Array2, ArrayViewMut2};

use crate::{
    answers::{
        Classifier, Explanation, Interaction,
        scorer::{Matrix, Scratch, at_row, check_output},
    },
    data::{BlockBuffer, Rows},
    model::{Density, Likelihood, PredictError, scores::padded},
};

impl<L: Clone + Sync, F: Likelihood> Classifier<L, F> {
    /// The most probable label of each row; a tie goes to the first in label order.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.predict(&array![[2.5], [6.0]])?, ["low", "high"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under every class.
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError> {
        let classes = self.scorer().erased().predict_class(&rows)?;
        // Collecting results would let the labels grow, and take twice their memory.
        let mut labels = Vec::with_capacity(classes.len());
        for (row, class) in classes.into_iter().enumerate() {
            let label = self.classes.get(class as usize).ok_or(PredictError::Impossible { row })?;
            labels.push(label.clone());
        }
        Ok(labels)
    }

    /// The most probable label of each row, or `None` for a row that is impossible under every class (which
    /// only maximum likelihood without smoothing, or a prior of zero, can bring about).
    ///
    /// ```
    /// use nb_core::{Multinomial, NaiveBayes, Smoothing};
    /// use ndarray::array;
    ///
    /// // Without smoothing, what a class has never had is impossible.
    /// let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    /// let classifier = NaiveBayes::new(exact).fit(&array![[1, 0, 0], [0, 1, 0]], &["a", "b"])?;
    /// assert_eq!(classifier.try_predict_each(&array![[1, 0, 0], [0, 0, 1]])?, [Some("a"), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn try_predict_each(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<Option<L>>, PredictError> {
        let classes = self.scorer().erased().predict_class(&rows)?;
        Ok(classes.into_iter().map(|class| self.classes.get(class as usize).cloned()).collect())
    }

    /// Like [`predict`](Self::predict), into memory of the caller: one label per row.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut labels = [""; 2]; // memory that is used again
    /// classifier.predict_into(&array![[2.5], [6.0]], &mut labels)?;
    /// assert_eq!(labels, ["low", "high"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] as from [`predict`](Self::predict), or if `out` has not one place per row. Some of
    /// `out` may have been written then.
    pub fn predict_into(&self, rows: &(impl Rows + ?Sized), out: &mut [L]) -> Result<(), PredictError>
    where
        L: Send,
    {
        check_output((rows.n_rows(), 1), (out.len(), 1))?;
        let scorer = self.scorer().erased();
        scorer.for_each_chunk(&rows, 1, out, |scratch, chunk, out| {
            let classes = scratch.labels(scorer, &rows, chunk, out.len())?;
            for (row, (out, class)) in out.iter_mut().zip(classes).enumerate() {
                let label = self.classes.get(*class as usize);
                out.clone_from(label.ok_or(PredictError::Impossible { row: chunk + row })?);
            }
            Ok(())
        })
    }

    /// `log p(class) + log p(row | class)`, `n_rows × n_classes`, in natural logarithms. Negative infinity
    /// where a class cannot have produced a row.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let joint = classifier.joint_log_likelihood(&array![[2.0]])?; // log p(class, row)
    /// let expected = 0.5_f64.ln() - 0.5 * std::f64::consts::TAU.ln(); // at the mean of "low", variance 1
    /// assert!((joint[[0, 1]] - expected).abs() < 1e-8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn joint_log_likelihood(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, Matrix::Joint)
    }

    /// `log p(class | row)`, `n_rows × n_classes`, in natural logarithms.
    ///
    /// The logarithms of sure rows keep their digits: where the posterior of the best class is `1 - 1e-18`,
    /// its logarithm is `-1e-18` and not zero. A row that is impossible under every class has no
    /// posterior; all its entries are negative infinity, so that its probabilities add up to 0 instead
    /// of 1.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let logs = classifier.predict_log_proba(&array![[100.0]])?;
    /// assert!(logs[[0, 1]] < -500.0); // "low": its probability is below the least double
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, Matrix::LogPosterior)
    }

    /// `p(class | row)`, `n_rows × n_classes`. Rows add up to one, except that the entries of a row that is
    /// impossible under every class are all zero.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let posteriors = classifier.predict_proba(&array![[5.0], [8.0]])?; // n_rows × n_classes
    /// assert_eq!(posteriors.row(0), array![0.5, 0.5]); // halfway
    /// assert!(posteriors[[1, 0]] > 0.999_999);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, Matrix::Posterior)
    }

    /// Like [`joint_log_likelihood`](Self::joint_log_likelihood), into memory of the caller, `n_rows ×
    /// n_classes`.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut joint = ndarray::Array2::zeros((1, 2));
    /// classifier.joint_log_likelihood_into(&array![[2.0]], joint.view_mut())?;
    /// assert_eq!(joint, classifier.joint_log_likelihood(&array![[2.0]])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or says what shape `out` must have. Some of
    /// `out` may have been written then.
    pub fn joint_log_likelihood_into(
        &self,
        rows: &(impl Rows + ?Sized),
        out: ArrayViewMut2<'_, f64>,
    ) -> Result<(), PredictError> {
        self.matrix_into(rows, Matrix::Joint, out)
    }

    /// Like [`predict_log_proba`](Self::predict_log_proba), into memory of the caller, `n_rows × n_classes`.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut logs = ndarray::Array2::zeros((1, 2));
    /// classifier.predict_log_proba_into(&array![[2.0]], logs.view_mut())?;
    /// assert_eq!(logs, classifier.predict_log_proba(&array![[2.0]])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As from [`joint_log_likelihood_into`](Self::joint_log_likelihood_into).
    pub fn predict_log_proba_into(
        &self,
        rows: &(impl Rows + ?Sized),
        out: ArrayViewMut2<'_, f64>,
    ) -> Result<(), PredictError> {
        self.matrix_into(rows, Matrix::LogPosterior, out)
    }

    /// Like [`predict_proba`](Self::predict_proba), into memory of the caller, `n_rows × n_classes`.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut posteriors = ndarray::Array2::zeros((1, 2));
    /// classifier.predict_proba_into(&array![[5.0]], posteriors.view_mut())?;
    /// assert_eq!(posteriors, array![[0.5, 0.5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As from [`joint_log_likelihood_into`](Self::joint_log_likelihood_into).
    pub fn predict_proba_into(
        &self,
        rows: &(impl Rows + ?Sized),
        out: ArrayViewMut2<'_, f64>,
    ) -> Result<(), PredictError> {
        self.matrix_into(rows, Matrix::Posterior, out)
    }

    /// Why a row got its label: the log-prior and what each column adds to each class.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let explanation = classifier.explain(&array![[2.5]], 0)?;
    /// let sum = explanation.log_prior[1] + explanation.contributions.row(1).sum(); // of "low"
    /// assert!((sum - explanation.joint_log_likelihood[1]).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] if there is no such row, a cell of it cannot be scored, or the family is not
    /// [additive](Likelihood::is_additive).
    pub fn explain(&self, rows: &(impl Rows + ?Sized), row: usize) -> Result<Explanation<L>, PredictError> {
        self.check_width(rows.n_columns())?;
        if !self.likelihood.is_additive() {
            return Err(PredictError::NotAdditive);
        }
        if row >= rows.n_rows() {
            return Err(PredictError::NoSuchRow { row, n_rows: rows.n_rows() });
        }
        let mut buffer = BlockBuffer::default();
        rows.copy_rows(&[row], &mut buffer);
        let mut scratch = Scratch::default();
        scratch.score(self.scorer(), &buffer.block()).map_err(|error| at_row(error, |_| row))?;
        let mut contributions = Array2::zeros((self.classes.len(), self.n_columns));
        let mut interactions = Vec::new();
        buffer.block().for_each_row(|_, cells| {
            for ((class, column), out) in contributions.indexed_iter_mut() {
                *out = self.likelihood.log_likelihood(class, column, cells[column]);
            }
            let Some(of_columns) = self.likelihood.interactions() else { return };
            for interaction in 0..of_columns.n_interactions() {
                let mut contributions = of_columns.terms(interaction, cells).to_vec();
                contributions.resize(self.classes.len(), 0.0);
                let columns = of_columns.columns(interaction).to_vec();
                interactions.push(Interaction { columns, contributions });
            }
        });
        Ok(Explanation {
            classes: self.classes.clone(),
            log_prior: self.log_prior.clone(),
            contributions,
            interactions,
            joint_log_likelihood: scratch.high.iter().copied().step_by(padded(1)).collect(),
        })
    }

    /// One output row of `n_classes` doubles per input row.
    fn matrix(&self, rows: &(impl Rows + ?Sized), which: Matrix) -> Result<Array2<f64>, PredictError> {
        let mut out = Array2::zeros((rows.n_rows(), self.classes.len()));
        self.matrix_into(rows, which, out.view_mut())?;
        Ok(out)
    }

    fn matrix_into(
        &self,
        rows: &(impl Rows + ?Sized),
        which: Matrix,
        out: ArrayViewMut2<'_, f64>,
    ) -> Result<(), PredictError> {
        self.scorer().erased().matrix_into(&rows, which, out)
    }

    pub(crate) fn check_width(&self, found: usize) -> Result<(), PredictError> {
        self.scorer().check_width(found)
    }
}

impl<L: Clone + Sync, F: Density> Classifier<L, F> {
    /// `log p(row)`, the evidence of each row: the log-density under the fitted mixture of all classes, in
    /// natural logarithms, usable as an outlier score. Negative infinity for a row that is impossible
    /// under every class.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let log_evidence = classifier.log_evidence(&array![[5.0], [500.0]])?; // log p(row)
    /// assert!(log_evidence[1] < log_evidence[0] - 1e4); // unlike all that was seen
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn log_evidence(&self, rows: &(impl Rows + ?Sized)) -> Result<Array1<f64>, PredictError> {
        let evidence = self.scorer().erased().log_evidence(&rows, &self.likelihood)?;
        Ok(Array1::from_vec(evidence))
    }
}
