//! Answers to one row at a time, without allocating.

use crate::{
    answers::{
        Classifier,
        predict::{Scratch, check_output},
    },
    data::{Block, Dense},
    model::{Likelihood, PredictError},
};

/// A classifier with memory for one row: for rows that come one by one and want an answer at once.
///
/// The answers are those of [`Classifier::predict`] and the others, bit for bit. After the first row nothing is
/// allocated.
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
#[derive(Debug)]
pub struct Predictor<'a, L, F> {
    classifier: &'a Classifier<L, F>,
    scratch: Scratch,
}

impl<L, F> Classifier<L, F> {
    /// Answers to one row at a time.
    pub fn predictor(&self) -> Predictor<'_, L, F> {
        Predictor { classifier: self, scratch: Scratch::default() }
    }
}

impl<'a, L: Clone + Sync, F: Likelihood> Predictor<'a, L, F> {
    /// The most probable label of a row of `n_columns` cells; a tie goes to the first in label order.
    ///
    /// # Errors
    /// [`PredictError`] as from [`Classifier::predict`], with row number 0.
    pub fn label(&mut self, row: &[f64]) -> Result<&'a L, PredictError> {
        let class = self.scratch.label_row(self.classifier, &self.block(row)?)?;
        class.map(|class| &self.classifier.classes()[class]).ok_or(PredictError::Impossible { row: 0 })
    }

    /// `p(class | row)` of each class, into a slot of `n_classes` numbers.
    ///
    /// # Errors
    /// [`PredictError`] as from [`Classifier::predict_proba_into`], with row number 0.
    pub fn posteriors_into(&mut self, row: &[f64], out: &mut [f64]) -> Result<(), PredictError> {
        self.write(row, false, out)
    }

    /// `log p(class | row)` of each class, into a slot of `n_classes` numbers.
    ///
    /// # Errors
    /// [`PredictError`] as from [`Classifier::predict_log_proba_into`], with row number 0.
    pub fn log_posteriors_into(&mut self, row: &[f64], out: &mut [f64]) -> Result<(), PredictError> {
        self.write(row, true, out)
    }

    fn write(&mut self, row: &[f64], logarithms: bool, out: &mut [f64]) -> Result<(), PredictError> {
        check_output((1, self.classifier.classes().len()), (1, out.len()))?;
        self.scratch.posteriors_of_row(self.classifier, &self.block(row)?, logarithms, out)
    }

    fn block<'r>(&self, row: &'r [f64]) -> Result<Block<'r>, PredictError> {
        self.classifier.check_width(row.len())?;
        let block = Dense::new(row, 1, row.len());
        Ok(Block::F64(block.unwrap_or_else(|| unreachable!("one row is as long as itself"))))
    }
}
