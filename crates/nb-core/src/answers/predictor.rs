//! Answers to one row at a time, without allocating.

use std::ops::Deref;

use crate::{
    answers::{
        Classifier,
        scorer::{Scratch, check_output},
    },
    data::{Block, Dense},
    model::{Likelihood, PredictError},
};

/// A classifier with memory for one row: for rows that come one by one and want an answer at once.
///
/// The answers are those of [`Classifier::predict`] and the others, bit for bit. After the first row nothing
/// is allocated.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// let x = array![[1.0, 5.0], [2.0, 6.0], [8.0, 1.0], [9.0, 2.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
/// let mut predictor = classifier.predictor();
/// assert_eq!(*predictor.label(&[1.5, 5.5])?, "low");
/// let mut posteriors = [0.0; 2];
/// predictor.posteriors_into(&[8.5, 1.5], &mut posteriors)?;
/// assert!(posteriors[0] > 0.999); // "high" comes first in label order
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A predictor that is to outlive the function that makes it owns its classifier, or shares it with others:
///
/// ```
/// use std::sync::Arc;
///
/// use nb_core::{Gaussian, NaiveBayes, Predictor};
/// use ndarray::array;
///
/// let x = array![[1.0, 5.0], [2.0, 6.0], [8.0, 1.0], [9.0, 2.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
/// let shared = Arc::new(classifier);
/// let threads = [[1.5, 5.5], [8.5, 1.5]].map(|row| {
///     let mut predictor = Predictor::new(Arc::clone(&shared));
///     std::thread::spawn(move || predictor.label(&row).copied())
/// });
/// let labels = threads.map(|thread| thread.join().unwrap());
/// assert_eq!(labels, [Ok("low"), Ok("high")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Predictor<C> {
    classifier: C,
    scratch: Scratch,
}

impl<L, F> Classifier<L, F> {
    /// Answers to one row at a time.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes, Predictor};
    /// # let x = ndarray::array![[1.0], [2.0], [8.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(*classifier.predictor().label(&[7.0])?, "high");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predictor(&self) -> Predictor<&Self> {
        Predictor { classifier: self, scratch: Scratch::default() }
    }

    /// Answers to one row at a time, from a classifier that they own.
    ///
    /// ```
    /// use nb_core::{
    ///     Classifier, Gaussian, NaiveBayes, Predictor,
    ///     error::FitRowsError,
    ///     fitted::FittedGaussian,
    /// };
    /// use ndarray::array;
    ///
    /// fn detector() -> Result<Predictor<Box<Classifier<bool, FittedGaussian>>>, FitRowsError> {
    ///     let x = array![[1.0], [2.0], [8.0], [9.0]];
    ///     Ok(NaiveBayes::new(Gaussian::default()).fit(&x, &[false, false, true, true])?.into_predictor())
    /// }
    /// assert!(*detector()?.label(&[7.0])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_predictor(self) -> Predictor<Box<Self>> {
        Predictor::new(Box::new(self))
    }
}

impl<C> Predictor<C> {
    /// Answers to one row at a time, of a classifier behind a reference, a `Box` or an `Arc`.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes, Predictor};
    /// # let x = ndarray::array![[1.0], [2.0], [8.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut predictor = Predictor::new(&classifier);
    /// assert_eq!(*predictor.label(&[7.0])?, "high");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(classifier: C) -> Self {
        Self { classifier, scratch: Scratch::default() }
    }
}

impl<C, L, F> Predictor<C>
where
    C: Deref<Target = Classifier<L, F>>,
    L: Clone + Sync,
    F: Likelihood,
{
    /// The classifier.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # let x = ndarray::array![[1.0], [2.0], [8.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.predictor().classifier().classes(), ["high", "low"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classifier(&self) -> &Classifier<L, F> {
        &self.classifier
    }

    /// The most probable label of a row of `n_columns` cells; a tie goes to the first in label order.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # let x = ndarray::array![[1.0], [2.0], [8.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(*classifier.predictor().label(&[3.0])?, "low");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] as from [`Classifier::predict`], with row number 0.
    pub fn label<'a>(&'a mut self, row: &[f64]) -> Result<&'a L, PredictError>
    where
        F: 'a,
    {
        let block = self.block(row)?;
        let class = self.scratch.label_row(self.classifier.scorer(), &block)?;
        class.map(|class| &self.classifier.classes()[class]).ok_or(PredictError::Impossible { row: 0 })
    }

    /// `p(class | row)` of each class, into a slot of `n_classes` numbers.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # let x = ndarray::array![[1.0], [2.0], [8.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut posteriors = [0.0; 2];
    /// classifier.predictor().posteriors_into(&[5.0], &mut posteriors)?;
    /// assert_eq!(posteriors, [0.5, 0.5]); // halfway
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] as from [`Classifier::predict_proba_into`], with row number 0.
    pub fn posteriors_into(&mut self, row: &[f64], out: &mut [f64]) -> Result<(), PredictError> {
        self.write(row, false, out)
    }

    /// `log p(class | row)` of each class, into a slot of `n_classes` numbers.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # let x = ndarray::array![[1.0], [2.0], [8.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// let mut logs = [0.0; 2];
    /// classifier.predictor().log_posteriors_into(&[100.0], &mut logs)?;
    /// assert!(logs[1] < -2_000.0); // "low", which a probability could not tell from 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] as from [`Classifier::predict_log_proba_into`], with row number 0.
    pub fn log_posteriors_into(&mut self, row: &[f64], out: &mut [f64]) -> Result<(), PredictError> {
        self.write(row, true, out)
    }

    fn write(&mut self, row: &[f64], logarithms: bool, out: &mut [f64]) -> Result<(), PredictError> {
        check_output((1, self.classifier.classes().len()), (1, out.len()))?;
        let block = self.block(row)?;
        self.scratch.posteriors_of_row(self.classifier.scorer(), &block, logarithms, out)
    }

    fn block<'r>(&self, row: &'r [f64]) -> Result<Block<'r>, PredictError> {
        self.classifier.check_width(row.len())?;
        let block = Dense::new(row, 1, row.len());
        Ok(Block::F64(block.unwrap_or_else(|| unreachable!("one row is as long as itself"))))
    }
}
