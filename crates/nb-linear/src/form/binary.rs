//! Two classes: one function `f(x) = w · φ + b`, whose sign is the label.

use nb_core::{Rows, error::PredictError};
use ndarray::Array1;

use super::{
    Hyperplane, LinearForm,
    posterior::{best, difference},
};
use crate::FormError;

/// How two classes are written as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelCode {
    /// 0 for the first class in label order, 1 for the second: `P(y = 1 | x) = 1 / (1 + exp(-f(x)))`.
    #[default]
    ZeroOne,
    /// -1 for the first class, +1 for the second: `P(y | x) = 1 / (1 + exp(-y f(x)))`.
    MinusPlus,
}

impl LabelCode {
    /// The numbers of the first and the second class.
    ///
    /// ```
    /// # use nb_linear::LabelCode;
    /// assert_eq!(LabelCode::ZeroOne.numbers(), [0, 1]);
    /// assert_eq!(LabelCode::MinusPlus.numbers(), [-1, 1]);
    /// ```
    pub fn numbers(self) -> [i8; 2] {
        match self {
            Self::ZeroOne => [0, 1],
            Self::MinusPlus => [-1, 1],
        }
    }
}

/// A linear form of two classes: `f(x) = w · φ + b`, the log-odds of the second class against the first, log
/// prior odds included. [`coef`](Self::coef) and [`intercept`](Self::intercept) are `w` and `b`;
/// [`hyperplane`](Self::hyperplane) has the same function around its center, for features far from zero.
///
/// ```
/// use nb_core::{NaiveBayes, Prior};
/// use nb_linear::{BinaryForm, LabelCode, LinearForm, SharedGaussian};
/// use ndarray::array;
///
/// let x = array![[1.0], [3.0], [3.0], [5.0]];
/// let naive_bayes = NaiveBayes { model: SharedGaussian::default(), prior: Prior::Given(vec![0.8, 0.2]) };
/// let form = BinaryForm::new(LinearForm::new(&naive_bayes.fit(&x, &["ham", "ham", "spam", "spam"])?))?;
///
/// // f(x) = (4 - 2)/1 (x - 3) + log(0.2/0.8)
/// assert_eq!(form.coef()?, array![2.0]);
/// assert!((form.intercept()? - (-6.0 + (0.2_f64 / 0.8).ln())).abs() < 1e-14);
///
/// let rows = array![[3.0], [4.0]];
/// assert_eq!(form.predict(&rows, LabelCode::ZeroOne)?, [0, 1]);
/// assert_eq!(form.predict(&rows, LabelCode::MinusPlus)?, [-1, 1]);
/// assert!((form.predict_proba(&rows)?[0] - 0.2).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BinaryForm<L> {
    form: LinearForm<L>,
}

impl<L> BinaryForm<L> {
    /// The binary view of a form of two classes. For a pair of more classes see
    /// [`hyperplane`](LinearForm::hyperplane) and [`log_odds`](LinearForm::log_odds).
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, FormError, LinearForm};
    /// # use ndarray::Array2;
    /// let zeros = Array2::zeros((3, 1));
    /// let form = LinearForm::from_parameters(vec!['a', 'b', 'c'], &[0.0], &zeros.view(), &[0.0; 3])?;
    /// assert_eq!(BinaryForm::new(form), Err(FormError::NotTwoClasses { n_classes: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::NotTwoClasses`] if there are fewer or more.
    pub fn new(form: LinearForm<L>) -> Result<Self, FormError> {
        match form.classes.len() {
            2 => Ok(Self { form }),
            n_classes => Err(FormError::NotTwoClasses { n_classes }),
        }
    }

    /// The form with a score for each of the two classes.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// assert_eq!(binary.form().classes(), ["no", "yes"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn form(&self) -> &LinearForm<L> {
        &self.form
    }

    /// The `w` of `f(x) = w · φ + b`, one entry per feature.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// assert_eq!(binary.coef()?, array![2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::Infinite`] if a class cannot have produced some rows, so that coefficients are infinite.
    pub fn coef(&self) -> Result<Array1<f64>, FormError> {
        Ok(self.hyperplane()?.normal)
    }

    /// The `b` of `f(x) = w · φ + b`, log prior odds included, with the loss of digits far from zero that
    /// [`LinearForm::intercept`] documents.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// assert_eq!(binary.intercept()?, -6.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::Infinite`] as for [`coef`](Self::coef).
    pub fn intercept(&self) -> Result<f64, FormError> {
        Ok(self.hyperplane()?.intercept())
    }

    /// The boundary `f(x) = 0`, around its center.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// let plane = binary.hyperplane()?;
    /// assert_eq!((plane.normal, plane.log_odds_at_center), (array![2.0], -6.0)); // the center is 0 here
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::Infinite`] if a class cannot have produced some rows, so that weights are infinite.
    pub fn hyperplane(&self) -> Result<Hyperplane, FormError> {
        self.form.hyperplane(1, 0)
    }

    /// `f(x)`, the log-odds of the second class, for each row; see [`LinearForm::log_odds`].
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// assert_eq!(binary.decision(&array![[2.0], [4.0]])?, array![-2.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn decision(&self, rows: &(impl Rows + ?Sized)) -> Result<Array1<f64>, PredictError> {
        let mut out = Array1::zeros(rows.n_rows());
        self.form.for_each_row(rows, |row, sums| out[row] = difference(sums[1], sums[0]))?;
        Ok(out)
    }

    /// The probability of the second class, `1 / (1 + exp(-f(x)))`, for each row.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// assert_eq!(binary.predict_proba(&array![[3.0], [503.0]])?, array![0.5, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under both classes.
    pub fn predict_proba(&self, rows: &(impl Rows + ?Sized)) -> Result<Array1<f64>, PredictError> {
        self.each_possible(rows, |log_odds, _| logistic(log_odds))
    }

    /// The label of each row as a number. A tie goes to the first class.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LabelCode, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// assert_eq!(binary.predict(&array![[2.0], [4.0]], LabelCode::MinusPlus)?, [-1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored, or a row that is impossible under both classes.
    pub fn predict(&self, rows: &(impl Rows + ?Sized), code: LabelCode) -> Result<Vec<i8>, PredictError> {
        Ok(self.each_possible(rows, |_, best| code.numbers()[best])?.to_vec())
    }

    /// The margin of each labelled row: `f(x)` with the sign of the label's class, positive where the form is
    /// right. With labels -1 and +1 this is `y f(x)`.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LabelCode, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// let margins = binary.margins(&array![[2.0], [5.0]], &[1, 1], LabelCode::ZeroOne)?;
    /// assert_eq!(margins, array![-2.0, 4.0]); // the first row is on the wrong side
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError`] names the cell that cannot be scored or the label that is none.
    pub fn margins(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[i8],
        code: LabelCode,
    ) -> Result<Array1<f64>, FormError> {
        let [negative, positive] = code.numbers();
        if labels.len() != rows.n_rows() {
            return Err(FormError::Labels { rows: rows.n_rows(), labels: labels.len() });
        }
        let known = |label: &i8| *label == negative || *label == positive;
        if let Some(row) = labels.iter().position(|label| !known(label)) {
            return Err(FormError::Label { row, label: labels[row], negative, positive });
        }
        let mut margins = self.decision(rows)?;
        for (margin, _) in margins.iter_mut().zip(labels).filter(|(_, label)| **label == negative) {
            *margin = -*margin;
        }
        Ok(margins)
    }

    /// The log-loss `Σ log(1 + exp(-margin))` of labelled rows: minus their conditional log-likelihood. The
    /// same number in either code, `-Σ y log p + (1 - y) log(1 - p)` for labels 0 and 1.
    ///
    /// ```
    /// # use nb_linear::{BinaryForm, LabelCode, LinearForm};
    /// # use ndarray::array;
    /// # let weights = array![[0.0], [2.0]];
    /// # let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let binary = BinaryForm::new(form)?; // f(x) = 2 x - 6
    /// let loss = binary.log_loss(&array![[3.0], [503.0]], &[1, 1], LabelCode::ZeroOne)?;
    /// assert_eq!(loss, 2.0_f64.ln()); // -log 1/2 - log 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`margins`](Self::margins).
    pub fn log_loss(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[i8],
        code: LabelCode,
    ) -> Result<f64, FormError> {
        Ok(self.margins(rows, labels, code)?.into_iter().map(|margin| log1p_exp(-margin)).sum())
    }

    /// What `answer` says of the log-odds and the best class of each row.
    fn each_possible<T>(
        &self,
        rows: &(impl Rows + ?Sized),
        answer: impl Fn(f64, usize) -> T,
    ) -> Result<Array1<T>, PredictError> {
        let (mut answers, mut impossible) = (Vec::with_capacity(rows.n_rows()), None);
        self.form.for_each_row(rows, |row, sums| match best(sums) {
            Some(best) => answers.push(answer(difference(sums[1], sums[0]), best)),
            None => impossible = impossible.or(Some(row)),
        })?;
        match impossible {
            Some(row) => Err(PredictError::Impossible { row }),
            None => Ok(answers.into()),
        }
    }
}

/// `1 / (1 + exp(-x))`, without overflow and with the digits of small results.
pub(crate) fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + libm::exp(-x))
    } else {
        let odds = libm::exp(x);
        odds / (1.0 + odds)
    }
}

/// `log(1 + exp(x))`, without overflow.
pub(crate) fn log1p_exp(x: f64) -> f64 {
    if x > 0.0 { x + libm::log1p(libm::exp(-x)) } else { libm::log1p(libm::exp(x)) }
}
