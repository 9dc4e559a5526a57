//! Labels, probabilities and log-odds.

use nb_core::{Rows, error::PredictError};
use ndarray::{Array1, Array2};

use super::LinearForm;
use exact_sums::Compensated;

use crate::FormError;

impl<L: Clone> LinearForm<L> {
    /// The most probable label of each row; a tie goes to the first in label order.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.predict(&array![[2.0], [4.0]])?, ["no", "yes"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under every class.
    pub fn predict(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<L>, PredictError> {
        let labels = self.try_predict_each(rows)?.into_iter().enumerate();
        labels.map(|(row, label)| label.ok_or(PredictError::Impossible { row })).collect()
    }

    /// The most probable label of each row, or `None` for a row that is impossible under every class.
    ///
    /// ```
    /// # use nb_core::{Multinomial, NaiveBayes, Smoothing};
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// // Without smoothing, a word that a class has never had makes the class impossible.
    /// let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    /// let classifier = NaiveBayes::new(exact).fit(&array![[1.0, 0.0], [0.0, 1.0]], &["ham", "spam"])?;
    /// let form = LinearForm::new(&classifier);
    /// assert_eq!(form.try_predict_each(&array![[0.0, 3.0], [1.0, 1.0]])?, [Some("spam"), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn try_predict_each(&self, rows: &(impl Rows + ?Sized)) -> Result<Vec<Option<L>>, PredictError> {
        let mut labels = Vec::with_capacity(rows.n_rows());
        self.for_each_row(rows, |_, sums| labels.push(best(sums).map(|class| self.classes[class].clone())))?;
        Ok(labels)
    }
}

impl<L> LinearForm<L> {
    /// The softmax of the scores: `p(class | row)`, `n_rows × n_classes`. Rows add up to one, except that the
    /// entries of a row that is impossible under every class are all zero.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let p = form.predict_proba(&array![[3.0], [4.0]])?;
    /// assert_eq!(p.row(0), array![0.5, 0.5]);
    /// assert!((p[[1, 1]] - 1.0 / (1.0 + (-2.0_f64).exp())).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let mut out = Array2::zeros((rows.n_rows(), self.classes.len()));
        self.for_each_row(rows, |row, sums| {
            let Some(best) = best(sums) else { return };
            let total = 1.0 + odds_of_others(sums, best);
            for (out, sum) in out.row_mut(row).iter_mut().zip(sums) {
                *out = libm::exp(sum.minus(sums[best])) / total;
            }
        })?;
        Ok(out)
    }

    /// `log p(class | row)`, `n_rows × n_classes`, in natural logarithms; those of sure rows keep their
    /// digits. The entries of a row that is impossible under every class are all negative infinity.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let log_p = form.predict_log_proba(&array![[3.0], [503.0]])?;
    /// assert_eq!(log_p[[0, 0]], -(2.0_f64.ln()));
    /// assert_eq!(log_p[[1, 0]], -1000.0); // a probability below all doubles
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn predict_log_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let mut out = Array2::from_elem((rows.n_rows(), self.classes.len()), f64::NEG_INFINITY);
        self.for_each_row(rows, |row, sums| {
            let Some(best) = best(sums) else { return };
            let log_total = libm::log1p(odds_of_others(sums, best));
            for (out, sum) in out.row_mut(row).iter_mut().zip(sums) {
                *out = sum.minus(sums[best]) - log_total;
            }
        })?;
        Ok(out)
    }

    /// The log-odds `log p(class | row) - log p(against | row)` of each row; infinite where one of the
    /// classes cannot have produced the row, and zero where neither can: the row does not tell them
    /// apart.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.log_odds(&array![[3.0], [4.0]], 1, 0)?, array![0.0, 2.0]);
    /// assert_eq!(form.log_odds(&array![[4.0]], 0, 1)?, array![-2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError`] names the cell that cannot be scored, or a class that does not exist.
    pub fn log_odds(
        &self,
        rows: &(impl Rows + ?Sized),
        class: usize,
        against: usize,
    ) -> Result<Array1<f64>, FormError> {
        self.check_class(class)?;
        self.check_class(against)?;
        let mut out = Array1::zeros(rows.n_rows());
        self.for_each_row(rows, |row, sums| out[row] = difference(sums[class], sums[against]))?;
        Ok(out)
    }
}

/// The difference of two scores; zero if both are impossible.
pub(super) fn difference(a: Compensated, b: Compensated) -> f64 {
    if a.is_impossible() && b.is_impossible() { 0.0 } else { a.minus(b) }
}

/// The class with the largest score, the first of several; `None` if all are impossible.
pub(super) fn best(sums: &[Compensated]) -> Option<usize> {
    let mut best = None;
    for class in (0..sums.len()).filter(|&class| !sums[class].is_impossible()) {
        match best {
            Some(best) if sums[class].minus(sums[best]) <= 0.0 => {}
            _ => best = Some(class),
        }
    }
    best
}

/// The odds of all other classes together against the best.
fn odds_of_others(sums: &[Compensated], best: usize) -> f64 {
    let others = (0..sums.len()).filter(|&class| class != best);
    others.map(|class| libm::exp(sums[class].minus(sums[best]))).sum()
}
