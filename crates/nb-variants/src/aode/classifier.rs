//! The fitted classifier, and its answers.

use nb_core::{
    Classifier, Likelihood, Rows,
    error::PredictError,
    family::{Block, Dense},
};
use ndarray::Array2;

use super::{FittedPairCounts, tables::Tables};
use crate::{
    compensated::{Compensated, largest, others},
    walk::each_row,
};

/// A fitted average of one-dependence estimators over labels `L`.
///
/// Its score is no sum over columns, so that it is no [`Classifier`] of nb-core; its answers have the same
/// shapes and errors. Classes are numbered in label order, and a tie goes to the first.
#[derive(Clone, Debug, PartialEq)]
pub struct AodeClassifier<L> {
    naive_bayes: Classifier<L, FittedPairCounts>,
    tables: Tables,
    minimum_count: f64,
}

impl<L> AodeClassifier<L> {
    pub(super) fn new(
        naive_bayes: Classifier<L, FittedPairCounts>,
        tables: Tables,
        minimum_count: f64,
    ) -> Self {
        Self { naive_bayes, tables, minimum_count }
    }

    /// The labels, in order.
    pub fn classes(&self) -> &[L] {
        self.naive_bayes.classes()
    }

    /// The number of columns that rows must have.
    pub fn n_columns(&self) -> usize {
        self.naive_bayes.n_columns()
    }

    /// The naive Bayes classifier of the same evidence, which scores rows without a parent.
    pub fn naive_bayes(&self) -> &Classifier<L, FittedPairCounts> {
        &self.naive_bayes
    }

    /// The most probable label of each row; a tie goes to the first in label order.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under every class.
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError>
    where
        L: Clone,
    {
        let labels = self.try_predict_each(rows)?.into_iter().enumerate();
        labels.map(|(row, label)| label.ok_or(PredictError::Impossible { row })).collect()
    }

    /// The most probable label of each row, or `None` for a row that is impossible under every class, which
    /// only maximum likelihood without smoothing can bring about.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn try_predict_each(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<Option<L>>, PredictError>
    where
        L: Clone,
    {
        let mut labels = Vec::with_capacity(rows.n_rows());
        self.for_each_scored(rows, |_, scores| {
            labels.push(largest(scores).map(|class| self.classes()[class].clone()));
        })?;
        Ok(labels)
    }

    /// `log P(class, row)`, `n_rows × n_classes`, in natural logarithms. Negative infinity where a class cannot
    /// have produced a row.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn joint_log_likelihood(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, |scores, out| {
            out.iter_mut().zip(scores).for_each(|(out, score)| *out = score.value());
        })
    }

    /// `log P(class | row)`, `n_rows × n_classes`, in natural logarithms. The logarithms of sure rows keep
    /// their digits. All entries of a row that is impossible under every class are negative infinity.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, |scores, out| {
            let Some(best) = largest(scores) else { return out.fill(f64::NEG_INFINITY) };
            let total = libm::log1p(others(scores, best));
            out.iter_mut().zip(scores).for_each(|(out, score)| *out = score.minus(scores[best]) - total);
        })
    }

    /// `P(class | row)`, `n_rows × n_classes`. Rows add up to one, except that the entries of a row that is
    /// impossible under every class are all zero.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, |scores, out| {
            let Some(best) = largest(scores) else { return out.fill(0.0) };
            let total = 1.0 + others(scores, best);
            let odds = scores.iter().map(|score| libm::exp(score.minus(scores[best])));
            out.iter_mut().zip(odds).for_each(|(out, odds)| *out = odds / total);
        })
    }

    /// One output row of `n_classes` doubles per input row.
    fn matrix(
        &self,
        rows: &(impl Rows + ?Sized),
        write: impl Fn(&[Compensated], &mut [f64]),
    ) -> Result<Array2<f64>, PredictError> {
        let n_classes = self.classes().len();
        let mut out = vec![0.0; rows.n_rows() * n_classes];
        self.for_each_scored(rows, |row, scores| {
            write(scores, &mut out[row * n_classes..(row + 1) * n_classes]);
        })?;
        Ok(Array2::from_shape_vec((rows.n_rows(), n_classes), out)
            .unwrap_or_else(|_| unreachable!("there is a place for every row and class")))
    }

    /// Calls `visit` with every row number and the scores of the row, one per class.
    fn for_each_scored(
        &self,
        rows: &(impl Rows + ?Sized),
        mut visit: impl FnMut(usize, &[Compensated]),
    ) -> Result<(), PredictError> {
        if rows.n_columns() != self.n_columns() {
            return Err(PredictError::Columns { expected: self.n_columns(), found: rows.n_columns() });
        }
        let mut scores = vec![Compensated::default(); self.classes().len()];
        let mut scratch = Scratch::default();
        each_row(rows, |row, cells| {
            if let Some(block) = Dense::new(cells, 1, cells.len()) {
                let checked = self.naive_bayes.likelihood().check(&Block::F64(block));
                checked.map_err(|mut error| {
                    error.row = row;
                    error
                })?;
            }
            self.score(cells, &mut scratch, &mut scores);
            visit(row, &scores);
            Ok(())
        })
    }

    /// The scores of a checked row.
    fn score(&self, cells: &[f64], scratch: &mut Scratch, scores: &mut [Compensated]) {
        let Scratch { categories, parents, terms } = scratch;
        self.tables.place(cells, categories);
        self.tables.parents(categories, self.minimum_count, parents);
        for (class, score) in scores.iter_mut().enumerate() {
            if !parents.is_empty() {
                *score = self.tables.log_joint(class, categories, parents, terms);
                continue;
            }
            *score = Compensated::default();
            score.add(self.naive_bayes.log_prior()[class]);
            for (column, &value) in cells.iter().enumerate() {
                score.add(self.naive_bayes.likelihood().log_likelihood(class, column, value));
            }
        }
    }
}

/// Memory for scoring a row.
#[derive(Default)]
struct Scratch {
    categories: Vec<usize>,
    parents: Vec<usize>,
    terms: Vec<Compensated>,
}
