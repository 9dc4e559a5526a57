//! The fitted classifier, and every answer it gives.
//!
//! All answers derive from one primitive, [`Likelihood::log_likelihood`], in log space; nothing multiplies
//! probabilities, truncates or floors them.

use ndarray::{Array1, Array2};

use crate::{
    Block, BlockBuffer, Density, Explanation, Likelihood, ParameterError, PredictError, Rows, Scores,
    rows::{block_of, chunk_rows},
    scores::add_compensated,
};

/// A fitted naive Bayes classifier over labels `L` with a fitted family `F`.
///
/// Classes are numbered in label order everywhere, and a tie goes to the first.
#[derive(Clone, Debug)]
pub struct Classifier<L, F> {
    classes: Vec<L>,
    log_prior: Vec<f64>,
    likelihood: F,
    n_columns: usize,
}

impl<L, F> Classifier<L, F> {
    pub(crate) fn new(classes: Vec<L>, log_prior: Vec<f64>, likelihood: F, n_columns: usize) -> Self {
        Self { classes, log_prior, likelihood, n_columns }
    }

    /// A classifier from parameters that come from elsewhere: labels in increasing order, the logarithms of their prior
    /// probabilities, and a fitted family over `n_columns` columns and as many classes.
    ///
    /// # Errors
    /// [`ParameterError`] if there is no class, there is not one prior per class, labels do not increase, a prior is not
    /// the logarithm of a probability, or the family [says](Likelihood::shape) that it has other classes or columns.
    pub fn from_parts(
        classes: Vec<L>,
        log_prior: Vec<f64>,
        likelihood: F,
        n_columns: usize,
    ) -> Result<Self, ParameterError>
    where
        L: Ord,
        F: Likelihood,
    {
        let (expected, found) = ((1, classes.len().max(1)), (1, log_prior.len()));
        if found != expected {
            return Err(ParameterError::Shape { name: "the table of log-priors", expected, found });
        }
        let expected = (classes.len(), n_columns);
        match likelihood.shape() {
            Some(found) if found != expected => {
                return Err(ParameterError::Shape { name: "the fitted family", expected, found });
            }
            _ => {}
        }
        if let Some(position) = classes.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(ParameterError::Labels { position: position + 1 });
        }
        if let Some(column) = log_prior.iter().position(|log| log.is_nan() || *log > 1e-9) {
            let (name, value, must_be) =
                ("the log-prior", log_prior[column], "the logarithm of a probability");
            return Err(ParameterError::Value { name, row: 0, column, value, must_be });
        }
        Ok(Self::new(classes, log_prior, likelihood, n_columns))
    }

    /// The labels, in order.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The natural logarithm of the prior probability of each class.
    pub fn log_prior(&self) -> &[f64] {
        &self.log_prior
    }

    /// The fitted family, with its parameters.
    pub fn likelihood(&self) -> &F {
        &self.likelihood
    }

    /// The number of columns that rows must have.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }
}

impl<L: Clone + Sync, F: Likelihood> Classifier<L, F> {
    /// The most probable label of each row; a tie goes to the first in label order.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under every class.
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError> {
        let classes = self.predict_class(rows)?;
        classes
            .into_iter()
            .enumerate()
            .map(|(row, class)| match class {
                Some(class) => Ok(self.classes[class].clone()),
                None => Err(PredictError::Impossible { row }),
            })
            .collect()
    }

    /// The most probable label of each row, or `None` for a row that is impossible under every class (which only
    /// maximum likelihood without smoothing, or a prior of zero, can bring about).
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_possible(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<Option<L>>, PredictError> {
        let classes = self.predict_class(rows)?;
        Ok(classes.into_iter().map(|class| class.map(|class| self.classes[class].clone())).collect())
    }

    /// The number of the most probable class of each row, in label order.
    fn predict_class(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<Option<usize>>, PredictError> {
        let mut classes = vec![None; rows.n_rows()];
        self.for_each_row(rows, 1, &mut classes, |scores, class| class[0] = scores.best())?;
        Ok(classes)
    }

    /// `log p(class) + log p(row | class)`, `n_rows × n_classes`, in natural logarithms. Negative infinity where a
    /// class cannot have produced a row.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn joint_log_likelihood(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, |scores, out| out.copy_from_slice(scores.high))
    }

    /// `log p(class | row)`, `n_rows × n_classes`, in natural logarithms.
    ///
    /// The logarithms of sure rows keep their digits: where the posterior of the best class is `1 - 1e-18`, its
    /// logarithm is `-1e-18` and not zero. A row that is impossible under every class has no posterior; all its
    /// entries are negative infinity, so that its probabilities add up to 0 instead of 1.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, |scores, out| {
            let Some(best) = scores.best() else {
                return out.fill(f64::NEG_INFINITY);
            };
            let log_others = libm::log1p(scores.others(best));
            for (class, out) in out.iter_mut().enumerate() {
                *out = if class == best { 0.0 } else { scores.difference(class, best) } - log_others;
            }
        })
    }

    /// `p(class | row)`, `n_rows × n_classes`. Rows add up to one, except that the entries of a row that is impossible
    /// under every class are all zero.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        self.matrix(rows, |scores, out| {
            let Some(best) = scores.best() else {
                return out.fill(0.0);
            };
            let total = 1.0 + scores.others(best);
            for (class, out) in out.iter_mut().enumerate() {
                let odds = if class == best { 1.0 } else { libm::exp(scores.difference(class, best)) };
                *out = odds / total;
            }
        })
    }

    /// Why a row got its label: the log-prior and what each column adds to each class.
    ///
    /// # Errors
    /// [`PredictError`] if there is no such row or a cell of it cannot be scored.
    pub fn explain(&self, rows: &(impl Rows + ?Sized), row: usize) -> Result<Explanation<L>, PredictError> {
        self.check_columns(rows)?;
        if row >= rows.n_rows() {
            return Err(PredictError::NoSuchRow { row, n_rows: rows.n_rows() });
        }
        let mut buffer = BlockBuffer::default();
        rows.copy_rows(&[row], &mut buffer);
        let block = buffer.block();
        self.check(&block, row)?;
        let mut contributions = Array2::zeros((self.classes.len(), self.n_columns));
        block.for_each_row(|_, cells| {
            for ((class, column), out) in contributions.indexed_iter_mut() {
                *out = self.likelihood.log_likelihood(class, column, cells[column]);
            }
        });
        let (mut joint, mut rest) = (self.log_prior.clone(), vec![0.0; self.classes.len()]);
        self.likelihood
            .add_log_likelihood(&block, &mut Scores::new(self.classes.len(), &mut joint, &mut rest));
        joint.iter_mut().zip(&rest).for_each(|(joint, rest)| *joint += rest);
        Ok(Explanation {
            classes: self.classes.clone(),
            log_prior: self.log_prior.clone(),
            contributions,
            joint_log_likelihood: joint,
        })
    }

    /// One output row of `n_classes` doubles per input row.
    fn matrix(
        &self,
        rows: &(impl Rows + ?Sized),
        write: impl Fn(&RowScores<'_>, &mut [f64]) + Sync,
    ) -> Result<Array2<f64>, PredictError> {
        let mut out = Array2::zeros((rows.n_rows(), self.classes.len()));
        if let Some(cells) = out.as_slice_mut() {
            self.for_each_row(rows, self.classes.len(), cells, write)?;
        }
        Ok(out)
    }

    /// Scores all rows and lets `write` fill `width` outputs for each.
    fn for_each_row<T: Send>(
        &self,
        rows: &(impl Rows + ?Sized),
        width: usize,
        out: &mut [T],
        write: impl Fn(&RowScores<'_>, &mut [T]) + Sync,
    ) -> Result<(), PredictError> {
        self.for_each_chunk(rows, width, out, |block, out| {
            let n_classes = self.classes.len();
            let mut high = self.log_prior.repeat(block.n_rows());
            let mut low = vec![0.0; high.len()];
            self.likelihood.add_log_likelihood(block, &mut Scores::new(n_classes, &mut high, &mut low));
            let scores = high.chunks_exact_mut(n_classes).zip(low.chunks_exact_mut(n_classes));
            for ((high, low), out) in scores.zip(out.chunks_exact_mut(width)) {
                for (high, low) in high.iter_mut().zip(low.iter_mut()) {
                    let rest = std::mem::take(low);
                    add_compensated(high, low, rest);
                }
                write(&RowScores { high, low }, out);
            }
        })
    }

    /// Walks through the rows in checked blocks, on all cores with the feature `rayon`; `width` outputs belong to each
    /// row. Of several errors that of the first row is reported.
    fn for_each_chunk<T: Send>(
        &self,
        rows: &(impl Rows + ?Sized),
        width: usize,
        out: &mut [T],
        work: impl Fn(&Block<'_>, &mut [T]) + Sync,
    ) -> Result<(), PredictError> {
        self.check_columns(rows)?;
        let step = chunk_rows(rows.n_columns().max(self.classes.len()));
        let chunk = |buffer: &mut BlockBuffer, number: usize, out: &mut [T]| {
            let first = number * step;
            let block = block_of(rows, first, first + out.len() / width, buffer);
            self.check(&block, first)?;
            work(&block, out);
            Ok(())
        };
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let errors = out.par_chunks_mut(step * width).enumerate();
            let errors = errors
                .map_init(BlockBuffer::default, |buffer, (number, out)| chunk(buffer, number, out).err());
            match errors.find_first(Option::is_some).flatten() {
                Some(error) => Err(error),
                None => Ok(()),
            }
        }
        #[cfg(not(feature = "rayon"))]
        {
            let mut buffer = BlockBuffer::default();
            out.chunks_mut(step * width)
                .enumerate()
                .try_for_each(|(number, out)| chunk(&mut buffer, number, out))
        }
    }

    /// Refuses cells that cannot be scored, with row numbers of the whole table.
    fn check(&self, block: &Block<'_>, first_row: usize) -> Result<(), PredictError> {
        self.likelihood.check(block).map_err(|mut error| {
            error.row += first_row;
            error.into()
        })
    }

    fn check_columns(&self, rows: &(impl Rows + ?Sized)) -> Result<(), PredictError> {
        if rows.n_columns() == self.n_columns {
            Ok(())
        } else {
            Err(PredictError::Columns { expected: self.n_columns, found: rows.n_columns() })
        }
    }
}

impl<L: Clone + Sync, F: Density> Classifier<L, F> {
    /// `log p(row)`, the evidence of each row: the log-density under the fitted mixture of all classes, in natural
    /// logarithms, usable as an outlier score. Negative infinity for a row that is impossible under every class.
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn log_evidence(&self, rows: &(impl Rows + ?Sized)) -> Result<Array1<f64>, PredictError> {
        let mut evidence = vec![0.0; rows.n_rows()];
        self.for_each_row(rows, 1, &mut evidence, |scores, out| {
            out[0] = match scores.best() {
                Some(best) => scores.high[best] + libm::log1p(scores.others(best)),
                None => f64::NEG_INFINITY,
            }
        })?;
        self.for_each_chunk(rows, 1, &mut evidence, |block, out| {
            self.likelihood.add_log_base_measure(block, out);
        })?;
        Ok(Array1::from_vec(evidence))
    }
}

/// The finished scores of one row: `high` rounded, `low` what was rounded off.
struct RowScores<'a> {
    high: &'a [f64],
    low: &'a [f64],
}

impl RowScores<'_> {
    /// The class with the largest score, the first of several; `None` if all are impossible.
    fn best(&self) -> Option<usize> {
        let mut best = None;
        for class in 0..self.high.len() {
            if self.high[class] == f64::NEG_INFINITY {
                continue;
            }
            match best {
                Some(best) if self.difference(class, best) <= 0.0 => {}
                _ => best = Some(class),
            }
        }
        best
    }

    /// The score of `class` minus that of `other`, which must be possible: a log-odds.
    fn difference(&self, class: usize, other: usize) -> f64 {
        (self.high[class] - self.high[other]) + (self.low[class] - self.low[other])
    }

    /// The odds of all other classes together against the best: `Σ exp(score - best score)`. Log-sum-exp is then
    /// `best + log1p(others)`, which keeps the digits of tiny odds.
    fn others(&self, best: usize) -> f64 {
        let classes = (0..self.high.len()).filter(|&class| class != best);
        classes.map(|class| libm::exp(self.difference(class, best))).sum()
    }
}
