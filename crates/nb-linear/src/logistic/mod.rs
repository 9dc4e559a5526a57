//! Logistic regression: the discriminative twin of the linear form.

mod cholesky;
mod design;
mod error;
mod hessian;
mod lbfgs;
mod newton;
mod problem;
mod start;

pub use error::LogisticError;

use nb_core::{Missing, Rows};

use self::{design::Design, problem::Problem};
use crate::{ColumnTerm, LinearColumn, LinearForm};

/// L2-penalised logistic regression, for two or more classes, from dense or sparse rows.
///
/// The fit starts from the naive Bayes solution ([`SharedGaussian`](crate::SharedGaussian)). Columns are
/// centered (unless sparse) and scaled inside, which changes the arithmetic and not the objective. A column
/// that is constant over all rows gets the weight 0.
///
/// # Model
/// `P(class | x) = softmax(w_c · x + b_c)`, the very form of the linear naive Bayes families, but fitted to
/// the labels given the rows and not to the rows given the labels.
///
/// # Objective
/// `Σ_i -log P(y_i | x_i) + ½ l2 Σ |w|²`, the intercepts without penalty. For two classes there is one weight
/// vector, for more there is one per class. This is scikit-learn's `LogisticRegression` with `C = 1 / l2`;
/// for `l2 = 0` it is maximum likelihood, as R's `glm(family = binomial)` fits.
///
/// # References
/// Ng and Jordan (2002), *On discriminative vs. generative classifiers*, NIPS 14; Hastie, Tibshirani and
/// Friedman, *The Elements of Statistical Learning* (2009), 4.4; Albert and Anderson (1984), *On the
/// existence of maximum likelihood estimates in logistic regression models*, Biometrika 71.
///
/// # Example
///
/// ```
/// use nb_linear::LogisticRegression;
/// use ndarray::array;
///
/// let x = array![[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]];
/// let form = LogisticRegression::default().with_l2(0.0)
///     .fit(&x, &["fail", "fail", "pass", "fail", "pass", "pass"])?;
/// assert_eq!(form.predict(&array![[1.0], [4.0]])?, ["fail", "pass"]);
/// let odds = form.log_odds(&array![[2.5]], 1, 0)?[0];
/// assert!(odds.abs() < 1e-12); // symmetric data: the boundary is in the middle
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogisticRegression {
    /// The penalty `l2` on the squares of the weights; scikit-learn's `1 / C`. The default is 1.
    pub l2: f64,
    /// How the minimum is found.
    pub solver: Solver,
    /// After this many iterations without convergence there is an error. The default is 5000.
    pub max_iterations: usize,
    /// When the minimum is found, for standardised columns: for Newton's method, when a step changes no
    /// coefficient by more than this share of the largest one, or of 1 (the error that is left is about
    /// its square); for L-BFGS, when no component of the gradient of the mean log-loss exceeds it. The
    /// default is `1e-8`.
    pub tolerance: f64,
}

/// How logistic regression finds its minimum. Both solvers find the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solver {
    /// Newton's method for up to 500 coefficients while that is cheap, else L-BFGS.
    #[default]
    Auto,
    /// Damped Newton steps (iteratively reweighted least squares): few iterations, full precision, but time
    /// and memory in the cube and the square of the number of coefficients, of which there may be 10,000.
    Newton,
    /// Limited-memory BFGS: time and memory in proportion to the stored cells.
    Lbfgs,
}

/// How many coefficients Newton's method is meant for.
const NEWTON_COEFFICIENTS: usize = 500;

/// How many products a Hessian may cost: about a second.
const NEWTON_PRODUCTS: usize = 1 << 30;

impl Default for LogisticRegression {
    fn default() -> Self {
        Self { l2: 1.0, solver: Solver::Auto, max_iterations: 5000, tolerance: 1e-8 }
    }
}

/// # Options
///
/// ```
/// use nb_linear::{LogisticRegression, Solver};
///
/// let exact = LogisticRegression::default().with_l2(0.5).with_solver(Solver::Newton);
/// assert_eq!((exact.l2, exact.solver), (0.5, Solver::Newton));
/// let quick = LogisticRegression::default().with_max_iterations(50).with_tolerance(1e-3);
/// assert_eq!((quick.max_iterations, quick.tolerance), (50, 1e-3));
/// ```
impl LogisticRegression {
    /// The same with this [`l2`](Self::l2).
    #[must_use]
    pub fn with_l2(mut self, l2: f64) -> Self {
        self.l2 = l2;
        self
    }

    /// The same with this [`solver`](Self::solver).
    #[must_use]
    pub fn with_solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// The same with this [`max_iterations`](Self::max_iterations).
    #[must_use]
    pub fn with_max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// The same with this [`tolerance`](Self::tolerance).
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }
}

impl LogisticRegression {
    /// Fits rows, `n_rows × n_columns`, with one label per row. The log-odds of the form are those of the
    /// regression; its scores are zero for the first of two classes, and add up to zero over more.
    ///
    /// ```
    /// # use nb_linear::LogisticRegression;
    /// # use ndarray::array;
    /// // 1 of 4 are "yes" at 0, 3 of 4 at 1: log-odds of -log 3 and log 3.
    /// let x = array![[0.0], [0.0], [0.0], [0.0], [1.0], [1.0], [1.0], [1.0]];
    /// let y = ["no", "no", "no", "yes", "no", "yes", "yes", "yes"];
    /// let form = LogisticRegression::default().with_l2(0.0).fit(&x, &y)?;
    /// assert!((form.predict_proba(&array![[1.0]])?[[0, 1]] - 0.75).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LogisticError`] if rows, labels or parameters are invalid or there is no minimum: without a penalty,
    /// classes that a hyperplane separates have none.
    pub fn fit<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<LinearForm<L>, LogisticError> {
        self.fit_rows(rows, labels, None)
    }

    /// Fits rows with weights: a row of weight 2 counts as two rows.
    ///
    /// ```
    /// # use nb_linear::LogisticRegression;
    /// # use ndarray::array;
    /// // The table 3 "no", 1 "yes" at 0 and 1 "no", 3 "yes" at 1.
    /// let (x, y) = (array![[0.0], [0.0], [1.0], [1.0]], ["no", "yes", "no", "yes"]);
    /// let form = LogisticRegression::default().with_l2(0.0).fit_weighted(&x, &y, &[3.0, 1.0, 1.0, 3.0])?;
    /// assert!((form.predict_proba(&array![[1.0]])?[[0, 1]] - 0.75).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_weighted<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: &[f64],
    ) -> Result<LinearForm<L>, LogisticError> {
        self.fit_rows(rows, labels, Some(weights))
    }

    fn fit_rows<L: Ord + Clone + Send + Sync>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
        weights: Option<&[f64]>,
    ) -> Result<LinearForm<L>, LogisticError> {
        self.check()?;
        let naive_bayes = start::naive_bayes(rows, labels, weights)?;
        if naive_bayes.classes().len() < 2 {
            return Err(LogisticError::OneClass);
        }
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let used: Vec<usize> = (0..labels.len()).filter(|&row| weight(row) > 0.0).collect();
        let class = |row: &usize| naive_bayes.classes().binary_search(&labels[*row]).unwrap_or_default();
        let classes = used.iter().map(class).collect();
        let row_weights: Vec<f64> = used.iter().map(|&row| weight(row)).collect();
        let start = start::columns(&naive_bayes);
        // The log-loss has a curvature of up to a quarter per row.
        let ridge = 4.0 * self.l2 / row_weights.iter().sum::<f64>();
        let design = Design::new(rows, &used, &start, ridge);
        let problem = Problem::new(design, classes, row_weights, naive_bayes.classes().len(), self.l2);
        let mut coefficients = start::coefficients(&naive_bayes, &problem);
        if self.uses_newton(problem.n_coefficients(), used.len()) {
            newton::minimise(&problem, &mut coefficients, self.max_iterations, self.tolerance)?;
        } else {
            lbfgs::minimise(&problem, &mut coefficients, self.max_iterations, self.tolerance)?;
        }
        Ok(form(&naive_bayes, &problem, &coefficients, &start))
    }

    /// Refuses parameters out of their range.
    fn check(&self) -> Result<(), LogisticError> {
        let error = |name, value, must_be| Err(LogisticError::Parameter { name, value, must_be });
        if !(0.0..=1e100).contains(&self.l2) {
            return error("l2", self.l2, "from 0 to 1e100");
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return error("tolerance", self.tolerance, "between 0 and 1");
        }
        if self.max_iterations == 0 {
            return error("max_iterations", 0.0, "at least 1");
        }
        Ok(())
    }

    fn uses_newton(&self, n_coefficients: usize, n_rows: usize) -> bool {
        match self.solver {
            Solver::Auto => {
                let products = n_coefficients.saturating_pow(2).saturating_mul(n_rows);
                n_coefficients <= NEWTON_COEFFICIENTS && products <= NEWTON_PRODUCTS
            }
            Solver::Newton => true,
            Solver::Lbfgs => false,
        }
    }
}

/// The linear form of the coefficients, in the units of the columns.
fn form<L: Clone>(
    naive_bayes: &LinearForm<L>,
    problem: &Problem,
    coefficients: &[f64],
    start: &[start::Column],
) -> LinearForm<L> {
    let n_classes = naive_bayes.classes().len();
    let of_class = |class: usize, position: usize| {
        problem.free(class).map_or(0.0, |free| coefficients[free * problem.stride() + position])
    };
    let (center, scale) = (problem.design.center(), problem.design.scale());
    let columns = (0..start.len()).map(|column| {
        let weight = |class| of_class(class, column) * scale[column];
        LinearColumn {
            term: ColumnTerm::Real {
                center: center[column],
                spread: start[column].spread,
                weights: (0..n_classes).map(weight).collect(),
                constants: vec![0.0; n_classes],
            },
            missing: Missing::Error,
        }
    });
    let intercepts = (0..n_classes).map(|class| of_class(class, start.len())).collect();
    LinearForm::from_parts(naive_bayes.classes().to_vec(), intercepts, columns.collect())
}
