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

use nb_simd::InstructionSet;

use crate::{
    answers::{
        Classifier, Explanation,
        posterior::{Posteriors, RowScores, finish},
    },
    data::{Block, BlockBuffer, Rows, chunk_rows},
    model::{
        Density, Estimates, Likelihood, PredictError, Scores, ValueProblem,
        estimates::{UNSURE, decide},
        scores::padded,
    },
};

/// The number of a row that is impossible under every class.
const IMPOSSIBLE: u32 = u32::MAX - 1;

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
        let classes = self.predict_class(rows)?;
        // Collecting results would let the labels grow, and take twice their memory.
        let mut labels = Vec::with_capacity(classes.len());
        for (row, class) in classes.into_iter().enumerate() {
            let label = self.classes.get(class as usize).ok_or(PredictError::Impossible { row })?;
            labels.push(label.clone());
        }
        Ok(labels)
    }

    /// The most probable label of each row, or `None` for a row that is impossible under every class (which only
    /// maximum likelihood without smoothing, or a prior of zero, can bring about).
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
        let classes = self.predict_class(rows)?;
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
    /// [`PredictError`] as from [`predict`](Self::predict), or if `out` has not one place per row. Some of `out` may
    /// have been written then.
    pub fn predict_into(&self, rows: &(impl Rows + ?Sized), out: &mut [L]) -> Result<(), PredictError>
    where
        L: Send,
    {
        check_output((rows.n_rows(), 1), (out.len(), 1))?;
        self.for_each_chunk(rows, 1, out, |scratch, chunk, out| {
            let classes = scratch.labels(self, rows, chunk, out.len())?;
            for (row, (out, class)) in out.iter_mut().zip(classes).enumerate() {
                let label = self.classes.get(*class as usize);
                out.clone_from(label.ok_or(PredictError::Impossible { row: chunk + row })?);
            }
            Ok(())
        })
    }

    /// The number of the most probable class of each row, in label order, or [`IMPOSSIBLE`].
    fn predict_class(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<u32>, PredictError> {
        let mut classes = vec![0; rows.n_rows()];
        self.for_each_chunk(rows, 1, &mut classes, |scratch, chunk, out| {
            out.copy_from_slice(scratch.labels(self, rows, chunk, out.len())?);
            Ok(())
        })?;
        Ok(classes)
    }

    /// `log p(class) + log p(row | class)`, `n_rows × n_classes`, in natural logarithms. Negative infinity where a
    /// class cannot have produced a row.
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
    /// The logarithms of sure rows keep their digits: where the posterior of the best class is `1 - 1e-18`, its
    /// logarithm is `-1e-18` and not zero. A row that is impossible under every class has no posterior; all its
    /// entries are negative infinity, so that its probabilities add up to 0 instead of 1.
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

    /// `p(class | row)`, `n_rows × n_classes`. Rows add up to one, except that the entries of a row that is impossible
    /// under every class are all zero.
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

    /// Like [`joint_log_likelihood`](Self::joint_log_likelihood), into memory of the caller, `n_rows × n_classes`.
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
    /// [`PredictError`] names the cell that cannot be scored, or says what shape `out` must have. Some of `out` may
    /// have been written then.
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
        self.check_columns(rows)?;
        if !self.likelihood.is_additive() {
            return Err(PredictError::NotAdditive);
        }
        if row >= rows.n_rows() {
            return Err(PredictError::NoSuchRow { row, n_rows: rows.n_rows() });
        }
        let mut buffer = BlockBuffer::default();
        rows.copy_rows(&[row], &mut buffer);
        let mut scratch = Scratch::default();
        scratch.score(self, &buffer.block()).map_err(|error| at_row(error, |_| row))?;
        let mut contributions = Array2::zeros((self.classes.len(), self.n_columns));
        buffer.block().for_each_row(|_, cells| {
            for ((class, column), out) in contributions.indexed_iter_mut() {
                *out = self.likelihood.log_likelihood(class, column, cells[column]);
            }
        });
        Ok(Explanation {
            classes: self.classes.clone(),
            log_prior: self.log_prior.clone(),
            contributions,
            joint_log_likelihood: scratch.high.iter().copied().step_by(padded(1)).collect(),
        })
    }

    /// One output row of `n_classes` doubles per input row.
    fn matrix(&self, rows: &(impl Rows + ?Sized), which: Matrix) -> Result<Array2<f64>, PredictError> {
        let mut out = Array2::zeros((rows.n_rows(), self.classes.len()));
        if let Some(cells) = out.as_slice_mut() {
            self.fill(rows, which, cells)?;
        }
        Ok(out)
    }

    fn matrix_into(
        &self,
        rows: &(impl Rows + ?Sized),
        which: Matrix,
        mut out: ArrayViewMut2<'_, f64>,
    ) -> Result<(), PredictError> {
        check_output((rows.n_rows(), self.classes.len()), out.dim())?;
        if let Some(cells) = out.as_slice_mut() {
            return self.fill(rows, which, cells);
        }
        out.assign(&self.matrix(rows, which)?);
        Ok(())
    }

    fn fill(
        &self,
        rows: &(impl Rows + ?Sized),
        which: Matrix,
        cells: &mut [f64],
    ) -> Result<(), PredictError> {
        let n_classes = self.classes.len();
        let set = InstructionSet::current();
        self.for_each_chunk(rows, n_classes, cells, |scratch, chunk, out| {
            let n_rows = out.len() / n_classes;
            let mut buffer = std::mem::take(&mut scratch.buffer);
            let scored = scratch.sum_scores(self, &buffer.read(rows, chunk..chunk + n_rows));
            scratch.buffer = buffer;
            scored.map_err(|error| at_row(error, |row| chunk + row))?;
            let Scratch { high, low, .. } = scratch;
            match which {
                Matrix::Joint => {
                    finish(high, low);
                    for (row, out) in out.chunks_exact_mut(n_classes).enumerate() {
                        let scores = high[row..].iter().step_by(padded(n_rows));
                        out.iter_mut().zip(scores).for_each(|(to, from)| *to = *from);
                    }
                }
                Matrix::Posterior | Matrix::LogPosterior => {
                    let logarithms = which == Matrix::LogPosterior;
                    Posteriors { high, low, n_classes, logarithms, out }.write(set);
                }
            }
            Ok(())
        })
    }

    /// Walks through the rows in chunks, on all cores with the feature `rayon`; `width` outputs belong to each row.
    /// `work` gets the number of the first row and the outputs of the chunk. Of several errors that of the first row is
    /// reported.
    fn for_each_chunk<T: Send>(
        &self,
        rows: &(impl Rows + ?Sized),
        width: usize,
        out: &mut [T],
        work: impl Fn(&mut Scratch, usize, &mut [T]) -> Result<(), PredictError> + Sync,
    ) -> Result<(), PredictError> {
        self.check_columns(rows)?;
        let step = chunk_rows(rows.n_columns().max(self.classes.len()));
        #[cfg(feature = "rayon")]
        if out.len() > step * width {
            use rayon::prelude::*;
            let set = InstructionSet::current();
            let chunks = out.par_chunks_mut(step * width).enumerate();
            let errors = chunks.map_init(Scratch::default, |scratch, (number, out)| {
                set.with(|| work(scratch, number * step, out)).err()
            });
            return match errors.find_first(Option::is_some).flatten() {
                Some(error) => Err(error),
                None => Ok(()),
            };
        }
        let mut scratch = Scratch::default();
        let mut chunks = out.chunks_mut(step * width).enumerate();
        chunks.try_for_each(|(number, out)| work(&mut scratch, number * step, out))
    }

    fn check_columns(&self, rows: &(impl Rows + ?Sized)) -> Result<(), PredictError> {
        self.check_width(rows.n_columns())
    }

    pub(crate) fn check_width(&self, found: usize) -> Result<(), PredictError> {
        if found == self.n_columns {
            Ok(())
        } else {
            Err(PredictError::Columns { expected: self.n_columns, found })
        }
    }
}

impl<L: Clone + Sync, F: Density> Classifier<L, F> {
    /// `log p(row)`, the evidence of each row: the log-density under the fitted mixture of all classes, in natural
    /// logarithms, usable as an outlier score. Negative infinity for a row that is impossible under every class.
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
        let mut evidence = vec![0.0; rows.n_rows()];
        self.for_each_chunk(rows, 1, &mut evidence, |scratch, chunk, out| {
            let mut buffer = std::mem::take(&mut scratch.buffer);
            let block = buffer.read(rows, chunk..chunk + out.len());
            let scored = scratch.score(self, &block);
            scored.map_err(|error| at_row(error, |row| chunk + row))?;
            let n_rows = out.len();
            for (row, out) in out.iter_mut().enumerate() {
                *out = RowScores::new(&scratch.high, &scratch.low, row, n_rows).log_sum();
            }
            self.likelihood.add_log_base_measure(&block, out);
            scratch.buffer = buffer;
            Ok(())
        })?;
        Ok(Array1::from_vec(evidence))
    }
}

/// What a matrix of answers holds.
#[derive(Clone, Copy, PartialEq)]
enum Matrix {
    Joint,
    Posterior,
    LogPosterior,
}

/// Memory for the answers to one chunk of rows, used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    buffer: BlockBuffer,
    /// The rows that estimates leave unsure.
    unsure: BlockBuffer,
    unsure_rows: Vec<usize>,
    /// Scores or estimates, class after class.
    pub(super) high: Vec<f64>,
    pub(super) low: Vec<f64>,
    classes: Vec<u32>,
}

impl Scratch {
    /// The class of one row.
    pub(crate) fn label_row<L, F: Likelihood>(
        &mut self,
        classifier: &Classifier<L, F>,
        row: &Block<'_>,
    ) -> Result<Option<usize>, PredictError> {
        self.estimate(classifier, row);
        if self.classes[0] != UNSURE {
            return Ok(Some(self.classes[0] as usize));
        }
        self.score(classifier, row)?;
        Ok(RowScores::new(&self.high, &self.low, 0, 1).best())
    }

    /// The posteriors of one row, or their logarithms.
    pub(crate) fn posteriors_of_row<L, F: Likelihood>(
        &mut self,
        classifier: &Classifier<L, F>,
        row: &Block<'_>,
        logarithms: bool,
        out: &mut [f64],
    ) -> Result<(), PredictError> {
        self.score(classifier, row)?;
        RowScores::new(&self.high, &self.low, 0, 1).write(logarithms, out);
        Ok(())
    }

    /// Finished scores of checked rows.
    fn score<L, F: Likelihood>(
        &mut self,
        classifier: &Classifier<L, F>,
        block: &Block<'_>,
    ) -> Result<(), PredictError> {
        self.sum_scores(classifier, block)?;
        finish(&mut self.high, &mut self.low);
        Ok(())
    }

    /// Scores of checked rows, to be finished.
    pub(super) fn sum_scores<L, F: Likelihood>(
        &mut self,
        classifier: &Classifier<L, F>,
        block: &Block<'_>,
    ) -> Result<(), PredictError> {
        let likelihood = &classifier.likelihood;
        match likelihood.score(block, &mut self.start_scores(&classifier.log_prior, block.n_rows())) {
            Err(error) if error.reason == ValueProblem::Unscorable => {
                // Kernels give up where a class is too far; another class may be near.
                likelihood.check(block)?;
                let mut scores = self.start_scores(&classifier.log_prior, block.n_rows());
                scores
                    .add_cells(block, |class, column, value| likelihood.log_likelihood(class, column, value));
                Ok(())
            }
            scored => Ok(scored?),
        }
    }

    /// The log-priors as first scores.
    fn start_scores(&mut self, log_prior: &[f64], n_rows: usize) -> Scores<'_> {
        self.start(log_prior, n_rows);
        self.low.resize(self.high.len(), 0.0);
        self.low.fill(0.0);
        Scores::new(n_rows, &mut self.high, &mut self.low)
    }

    /// The log-priors as first scores or estimates.
    fn start(&mut self, log_prior: &[f64], n_rows: usize) {
        let stride = padded(n_rows);
        if self.high.len() == log_prior.len() * stride {
            for (high, &log_prior) in self.high.chunks_exact_mut(stride.max(1)).zip(log_prior) {
                high.fill(log_prior);
            }
        } else {
            // Memory of another size is not worth clearing first.
            self.high.clear();
            for &log_prior in log_prior {
                self.high.resize(self.high.len() + stride, log_prior);
            }
        }
    }

    /// The class numbers of `n_rows` rows from `first` on.
    fn labels<L, F: Likelihood>(
        &mut self,
        classifier: &Classifier<L, F>,
        rows: &(impl Rows + ?Sized),
        first: usize,
        n_rows: usize,
    ) -> Result<&[u32], PredictError> {
        let chunk = first..first + n_rows;
        let stored = rows.block(chunk.clone());
        let estimated = stored.is_some_and(|block| self.estimate(classifier, &block));
        if !estimated && !matches!(stored, Some(Block::F64(_) | Block::Sparse(_))) {
            let mut buffer = std::mem::take(&mut self.buffer);
            self.estimate(classifier, &buffer.read(rows, chunk));
            self.buffer = buffer;
        }
        if self.classes.contains(&UNSURE) {
            self.unsure_rows.clear();
            let unsure = self.classes.iter().enumerate().filter(|(_, class)| **class == UNSURE);
            self.unsure_rows.extend(unsure.map(|(row, _)| first + row));
            let mut unsure = std::mem::take(&mut self.unsure);
            let block = if self.unsure_rows.len() == n_rows {
                unsure.read(rows, first..first + n_rows)
            } else {
                rows.copy_rows(&self.unsure_rows, &mut unsure);
                unsure.block()
            };
            let scored = self.score(classifier, &block);
            self.unsure = unsure;
            scored.map_err(|error| at_row(error, |row| self.unsure_rows[row]))?;
            let n_unsure = self.unsure_rows.len();
            for (position, row) in self.unsure_rows.iter().enumerate() {
                let best = RowScores::new(&self.high, &self.low, position, n_unsure).best();
                self.classes[row - first] = best.map_or(IMPOSSIBLE, |class| class as u32);
            }
        }
        Ok(&self.classes)
    }

    /// The classes of the rows, as far as estimates tell them; whether there were estimates.
    fn estimate<L, F: Likelihood>(&mut self, classifier: &Classifier<L, F>, rows: &Block<'_>) -> bool {
        let n_rows = rows.n_rows();
        self.classes.clear();
        self.classes.resize(n_rows, UNSURE);
        self.start(&classifier.log_prior, n_rows);
        self.low.clear();
        self.low.resize(padded(n_rows), 0.0);
        let mut estimates = Estimates::new(n_rows, &mut self.high, &mut self.low);
        let estimated = classifier.likelihood.estimate(rows, &mut estimates);
        if estimated {
            decide(InstructionSet::current(), &estimates, &mut self.classes);
        }
        estimated
    }
}

/// The error with the row number of the whole table, given that within the block.
fn at_row(mut error: PredictError, row: impl Fn(usize) -> usize) -> PredictError {
    if let PredictError::Value(value) = &mut error {
        value.row = row(value.row);
    }
    error
}

pub(crate) fn check_output(expected: (usize, usize), found: (usize, usize)) -> Result<(), PredictError> {
    if found == expected { Ok(()) } else { Err(PredictError::Output { expected, found }) }
}
