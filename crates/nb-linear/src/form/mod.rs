//! The linear form: a score per class that is affine in features of the columns.

mod binary;
mod boundary;
mod column;
mod features;
mod informative;
mod posterior;
mod scores;

pub use binary::{BinaryForm, LabelCode};
pub use boundary::{BoundaryLine, Hyperplane};
pub use features::{CenteredForm, EncodedColumn, Encoding};
pub use informative::Informative;

use nb_core::{Classifier, Missing, error::ParameterError};
use ndarray::ArrayView2;

use self::{column::Column, scores::Zeros};
use exact_sums::Compensated;

use crate::{ColumnTerm, FormError, Linear, LinearColumn};

/// A linear classifier over labels `L`: every class scores `w_c · φ(x) + b_c`, and the posterior
/// probabilities are the softmax of the scores.
///
/// It is made from a naive Bayes classifier of a linear family, or by
/// [`LogisticRegression`](crate::LogisticRegression). The features `φ` are the columns themselves, indicators
/// of a threshold, or one-hot indicators of categories ([`features`](Self::features)).
///
/// # Precision
/// The form is kept around the center of the data ([`centered`](Self::centered)), so that scores keep their
/// digits at an offset of 1e9; the usual `w · x + b` ([`coef`](Self::coef), [`intercept`](Self::intercept))
/// is computed from it and does not. The scores equal those of the naive Bayes classifier up to a term per
/// row that no class depends on (for [`SharedGaussian`](crate::SharedGaussian) the common quadratic part, for
/// [`Poisson`](nb_core::Poisson) `-log x!`, else nothing), so that labels, log-odds and probabilities are the
/// same up to rounding.
///
/// Sums are compensated; what is rounded are the terms, `weight (x - center)` and the constants, to about
/// `1e-16` of their sizes. One center serves all classes: two close classes of three whose third is `k`
/// standard deviations away have terms of size `k²`, and their log-odds errors of `1e-16 k²`.
///
/// # Missing and impossible cells
/// What the family refuses or skips the form does, too, and a skipped cell adds nothing to any class. (The
/// form is less strict in one respect: fractional counts are scored for every family of counts. It is
/// stricter in another: a column whose weights no double holds, such as one of values of 1e-310, cannot be
/// scored.) A class that cannot have produced a row scores negative infinity. No answer is ever NaN.
///
/// # References
/// Ng and Jordan (2002), *On discriminative vs. generative classifiers*, NIPS 14; Mitchell, *Generative and
/// discriminative classifiers* (2005), section 3.1, whose intercept includes the log prior odds, as here.
///
/// ```
/// use nb_core::NaiveBayes;
/// use nb_linear::{LinearForm, SharedGaussian};
/// use ndarray::array;
///
/// let x = array![[1.0], [3.0], [3.0], [5.0]];
/// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
/// let form = LinearForm::new(&classifier);
/// // Means 2 and 4, variance 1: log-odds (4 - 2)/1 (x - 3).
/// assert_eq!(form.log_odds(&array![[3.0], [4.0]], 0, 1)?, array![0.0, 2.0]); // "high" against "low"
/// assert_eq!(form.predict(&array![[2.0], [4.0]])?, ["low", "high"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A Gaussian family with a variance per class has no linear form, and asking for it does not compile:
///
/// ```compile_fail,E0277
/// use nb_core::{Gaussian, NaiveBayes};
/// use nb_linear::LinearForm;
/// use ndarray::array;
///
/// let x = array![[1.0], [3.0], [3.0], [5.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"]).unwrap();
/// let form = LinearForm::new(&classifier);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LinearForm<L> {
    classes: Vec<L>,
    columns: Vec<Column>,
    /// What does not depend on any column: the log-priors.
    priors: Vec<f64>,
    /// The log-priors and the constants of all columns.
    intercepts: Vec<Compensated>,
    /// The scores of a row of zeros, for sparse rows.
    zeros: Zeros,
}

impl<L: Clone> LinearForm<L> {
    /// The linear form of a fitted classifier.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_linear::{LinearForm, SharedGaussian};
    /// # use ndarray::array;
    /// let x = array![[1.0], [3.0], [3.0], [5.0]];
    /// let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &["low", "low", "top", "top"])?;
    /// let form = LinearForm::new(&classifier);
    /// assert_eq!(form.predict(&x)?, classifier.predict(&x)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<F: Linear>(classifier: &Classifier<L, F>) -> Self {
        let (classes, n_columns) = (classifier.classes().to_vec(), classifier.n_columns());
        let mut columns = classifier.likelihood().linear_columns(classes.len(), n_columns);
        let ignored = LinearColumn { term: ColumnTerm::Ignored, missing: Missing::Skip };
        columns.resize(n_columns, ignored);
        Self::from_parts(classes, classifier.log_prior().to_vec(), columns)
    }

    /// A form of real columns from coefficients that come from elsewhere, such as those of a logistic
    /// regression in another package: labels in increasing order, one center per column (zeros for the
    /// usual `w · x + b`), weights, `n_classes × n_columns`, and the scores at the center (`b` where the
    /// center is zero). Where there is only one `w · x + b` for two classes, the first class has zeros.
    ///
    /// ```
    /// use nb_linear::LinearForm;
    /// use ndarray::array;
    ///
    /// let weights = array![[0.0, 0.0], [2.0, -1.0]];
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0, 0.0], &weights.view(), &[0.0, -3.0])?;
    /// assert_eq!(form.predict(&array![[1.0, 1.0], [3.0, 1.0]])?, ["no", "yes"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if shapes do not go together, labels do not increase, or a number is not finite.
    pub fn from_parameters(
        classes: Vec<L>,
        center: &[f64],
        weights: &ArrayView2<'_, f64>,
        scores_at_center: &[f64],
    ) -> Result<Self, ParameterError>
    where
        L: Ord,
    {
        let shape = |name, expected, found| {
            if expected == found { Ok(()) } else { Err(ParameterError::Shape { name, expected, found }) }
        };
        let (n_classes, n_columns) = weights.dim();
        shape("the table of labels", (1, n_classes.max(1)), (1, classes.len()))?;
        shape("the table of scores at the center", (1, n_classes), (1, scores_at_center.len()))?;
        shape("the center", (1, n_columns), (1, center.len()))?;
        if let Some(position) = classes.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(ParameterError::Labels { position: position + 1 });
        }
        let finite = |name, row, values: &mut dyn Iterator<Item = f64>| match values
            .enumerate()
            .find(|(_, value)| !value.is_finite())
        {
            Some((column, value)) => {
                Err(ParameterError::Value { name, row, column, value, must_be: "finite" })
            }
            None => Ok(()),
        };
        finite("a center", 0, &mut center.iter().copied())?;
        finite("a score at the center", 0, &mut scores_at_center.iter().copied())?;
        for (class, weights) in weights.rows().into_iter().enumerate() {
            finite("a weight", class, &mut weights.iter().copied())?;
        }
        let columns = center.iter().zip(weights.columns()).map(|(&center, weights)| LinearColumn {
            term: ColumnTerm::Real {
                center,
                spread: 1.0,
                weights: weights.to_vec(),
                constants: vec![0.0; n_classes],
            },
            missing: Missing::Error,
        });
        Ok(Self::from_parts(classes, scores_at_center.to_vec(), columns.collect()))
    }

    /// The form of these columns; `priors` are added to the scores of the classes.
    pub(crate) fn from_parts(classes: Vec<L>, priors: Vec<f64>, columns: Vec<LinearColumn>) -> Self {
        let n_classes = classes.len();
        let columns: Vec<Column> = columns.into_iter().map(|column| Column::new(column, n_classes)).collect();
        let mut intercepts: Vec<Compensated> = priors.iter().copied().map(Compensated::from).collect();
        for constants in columns.iter().filter_map(Column::constants) {
            intercepts.iter_mut().zip(constants).for_each(|(sum, &constant)| sum.add(constant));
        }
        let zeros = Zeros::new(&columns, &intercepts);
        Self { classes, columns, priors, intercepts, zeros }
    }
}

impl<L: Clone, F: Linear> From<&Classifier<L, F>> for LinearForm<L> {
    fn from(classifier: &Classifier<L, F>) -> Self {
        Self::new(classifier)
    }
}

impl<L> LinearForm<L> {
    /// The labels, in order. Classes are numbered in this order everywhere.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.classes(), ["no", "yes"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The number of columns that rows must have.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.n_columns(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// How a column enters the scores; `None` if there is no such column.
    ///
    /// ```
    /// # use nb_linear::{ColumnTerm, LinearForm};
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// let term = form.column(0).map(|column| &column.term);
    /// assert!(matches!(term, Some(ColumnTerm::Real { weights, .. }) if weights[1] == 2.0));
    /// assert_eq!(form.column(7), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn column(&self, column: usize) -> Option<&LinearColumn> {
        self.columns.get(column).map(|column| &column.linear)
    }

    /// Refuses a class that does not exist.
    fn check_class(&self, class: usize) -> Result<(), FormError> {
        let n_classes = self.classes.len();
        if class < n_classes { Ok(()) } else { Err(FormError::NoSuchClass { class, n_classes }) }
    }

    /// Refuses classes that do not exist or are the same.
    fn check_pair(&self, class: usize, against: usize) -> Result<(), FormError> {
        self.check_class(class)?;
        self.check_class(against)?;
        if class == against { Err(FormError::SameClass { class }) } else { Ok(()) }
    }

    /// Refuses a column that does not exist.
    fn check_column(&self, column: usize) -> Result<(), FormError> {
        let n_columns = self.columns.len();
        if column < n_columns { Ok(()) } else { Err(FormError::NoSuchColumn { column, n_columns }) }
    }
}
