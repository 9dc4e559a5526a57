//! The fitted classifier and its answers.

use nb_core::{Rows, error::PredictError};
use ndarray::{Array2, ArrayView2};

use super::{counts::check_counts, fit::log_rise};
use crate::walk::each_row;

/// A fitted classifier with a Dirichlet-multinomial distribution per class. Classes are in label order, and a
/// tie goes to the first.
///
/// ```
/// use nb_variants::DirichletMultinomial;
/// use ndarray::array;
///
/// let x = array![[3.0, 0.0], [2.0, 1.0], [0.0, 4.0], [1.0, 2.0]];
/// let classifier = DirichletMultinomial::default().fit(&x, &["a", "a", "b", "b"])?;
/// assert_eq!((classifier.classes(), classifier.n_columns()), (&["a", "b"][..], 2));
/// let alpha = classifier.concentrations();
/// assert!(alpha[[0, 0]] > alpha[[0, 1]] && alpha[[1, 0]] < alpha[[1, 1]]);
/// assert_eq!(classifier.predict(&array![[2.0, 0.0], [0.0, 2.0]])?, ["a", "b"]);
/// // A row without any word has the probabilities of the classes in training.
/// let log_p = classifier.predict_log_proba(&array![[0.0, 0.0]])?;
/// assert!((log_p[[0, 0]] - 0.5_f64.ln()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DirichletMultinomialClassifier<L> {
    classes: Vec<L>,
    log_prior: Vec<f64>,
    /// `n_classes × n_columns`.
    concentrations: Array2<f64>,
    /// Their sums by class.
    totals: Vec<f64>,
}

impl<L: Clone> DirichletMultinomialClassifier<L> {
    pub(super) fn new(classes: Vec<L>, log_prior: Vec<f64>, concentrations: Array2<f64>) -> Self {
        let totals = concentrations.rows().into_iter().map(|row| row.sum()).collect();
        Self { classes, log_prior, concentrations, totals }
    }

    /// The labels, in order.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The number of columns that rows must have.
    pub fn n_columns(&self) -> usize {
        self.concentrations.ncols()
    }

    /// The `α_i` of each class, `n_classes × n_columns`. The smaller their sum, the more a word that has
    /// occurred occurs again.
    pub fn concentrations(&self) -> ArrayView2<'_, f64> {
        self.concentrations.view()
    }

    /// `log p(class | row)` of each row of counts, `n_rows × n_classes`, in natural logarithms.
    ///
    /// # Errors
    /// [`PredictError`] names a cell that is no whole number from 0 to 2^32, or the number of columns.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let (expected, found) = (self.n_columns(), rows.n_columns());
        if expected != found {
            return Err(PredictError::Columns { expected, found });
        }
        let mut all = Array2::zeros((rows.n_rows(), self.classes.len()));
        each_row(rows, |row, cells| {
            check_counts(row, cells)?;
            let total: u64 = cells.iter().map(|&count| count as u64).sum();
            let occurring = || cells.iter().enumerate().filter(|&(_, &count)| count > 0.0);
            let mut scores = all.row_mut(row);
            for (class, score) in scores.iter_mut().enumerate() {
                let alphas = self.concentrations.row(class);
                let own: f64 =
                    occurring().map(|(column, &count)| log_rise(count as u64, alphas[column])).sum();
                *score = self.log_prior[class] + own - log_rise(total, self.totals[class]);
            }
            let best = (1..scores.len()).fold(0, |best, c| if scores[c] > scores[best] { c } else { best });
            let largest = scores[best];
            let others = scores.iter().enumerate().filter(|&(class, _)| class != best);
            let odds: f64 = others.map(|(_, score)| libm::exp(score - largest)).sum();
            scores.mapv_inplace(|score| (score - largest) - libm::log1p(odds));
            Ok::<(), PredictError>(())
        })?;
        Ok(all)
    }

    /// The most probable label of each row of counts.
    ///
    /// # Errors
    /// As of [`predict_log_proba`](Self::predict_log_proba).
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError> {
        let all = self.predict_log_proba(rows)?;
        let best = |row: ndarray::ArrayView1<'_, f64>| {
            (1..row.len()).fold(0, |best, class| if row[class] > row[best] { class } else { best })
        };
        Ok(all.rows().into_iter().map(|row| self.classes[best(row)].clone()).collect())
    }
}
