//! Answers for rows as families see them, for families that are made of a classifier.

use nb_simd::InstructionSet;

use crate::{
    answers::{
        Classifier,
        posterior::Posteriors,
        scorer::{Scratch, check_output},
    },
    data::Block,
    model::{Likelihood, PredictError},
};

impl<L: Clone + Sync, F: Likelihood> Classifier<L, F> {
    /// `log p(class | row)` for the rows of a block, `n_rows × n_classes`, row by row, in natural logarithms:
    /// the bits of [`predict_log_proba_into`](Self::predict_log_proba_into).
    ///
    /// It is for families whose scores are made of the posteriors of a classifier, such as calibrated ones;
    /// rows of all other kinds go to [`predict_log_proba`](Self::predict_log_proba).
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// use nb_core::family::{Block, Dense};
    ///
    /// let cells = [1.0, 3.0, 7.0, 9.0];
    /// let mut logs = [0.0; 8]; // 4 rows × 2 classes
    /// let rows = Block::F64(Dense::new(&cells, 4, 1).unwrap());
    /// classifier.log_posteriors_of_block(&rows, &mut logs)?;
    /// assert_eq!(Some(logs.as_slice()), classifier.predict_log_proba(&x)?.as_slice());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or says what size `out` must have.
    pub fn log_posteriors_of_block(&self, rows: &Block<'_>, out: &mut [f64]) -> Result<(), PredictError> {
        let n_classes = self.classes.len();
        check_output((rows.n_rows() * n_classes, 1), (out.len(), 1))?;
        self.check_width(rows.n_columns())?;
        if rows.n_rows() == 0 {
            return Ok(());
        }
        let mut scratch = Scratch::default();
        scratch.sum_scores(self.scorer(), rows)?;
        let Scratch { high, low, .. } = &mut scratch;
        Posteriors { high, low, n_classes, logarithms: true, out }.write(InstructionSet::current());
        Ok(())
    }
}
