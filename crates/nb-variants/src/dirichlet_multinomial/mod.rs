//! Naive Bayes for counts that come in bursts: a Dirichlet-multinomial distribution of the rows of each
//! class.

mod classifier;
mod counts;
mod fit;

use std::collections::BTreeMap;

pub use classifier::DirichletMultinomialClassifier;

use nb_core::{Rows, error::ValueError};
use ndarray::Array2;

use self::counts::{Counts, check_counts};
use crate::walk::each_row;

/// Naive Bayes with a Dirichlet-multinomial distribution per class, for rows of whole counts.
///
/// # Model
/// A row of class `c` with `n` occurrences in all has counts `x` with probability
///
/// `p(x | n, c) = n! / Π x_i! · Γ(A) / Γ(A + n) · Π_i Γ(x_i + α_i) / Γ(α_i)`, `A = Σ_i α_i`,
///
/// a multinomial distribution whose parameters are drawn for each row from a Dirichlet distribution: a word
/// that occurs once in a text is likely to occur again. The factor `n! / Π x_i!` is common to all classes and
/// left out. Madsen, Kauchak and Elkan 2005, *Modeling word burstiness using the Dirichlet distribution*,
/// ICML, 545-552, where it is called DCM; Minka 2000, *Estimating a Dirichlet distribution*.
///
/// # Why it is no family
/// It is no exponential family with sums of a fixed number: its likelihood depends on how many rows have each
/// count in each column, and each total. These numbers are sums, and all that is kept of the rows, but their
/// number grows with the data.
///
/// # Estimator
/// The maximum of the likelihood by alternating Minka's fixed point,
///
/// `α_i ← α_i Σ_rows [ψ(x_i + α_i) - ψ(α_i)] / Σ_rows [ψ(n + A) - ψ(A)]` (equation 55),
///
/// which never lowers it, with its maximum over `A` at the same shares `α_i / A`, of which there is one
/// (Levin and Reeds 1977, *Compound multinomial likelihood functions are unimodal*, Annals of Statistics 5).
/// Smoothing adds `l` rows for each column, with a single occurrence of it: a Dirichlet prior on the shares
/// `α_i / A`, and the smoothing of [`Multinomial`](nb_core::Multinomial), which is the limit of large `A`.
/// `A` is at most 10⁸, where the two are the same except for the eighth digit; classes without any burst are
/// there.
///
/// # Example
///
/// ```
/// use nb_variants::DirichletMultinomial;
/// use ndarray::array;
///
/// // The first two words come in bursts in "a": one of them often, the other not at all.
/// let x = array![[6.0, 0.0, 1.0], [0.0, 7.0, 2.0], [5.0, 0.0, 1.0], [2.0, 2.0, 1.0], [3.0, 2.0, 2.0], [2.0, 3.0, 1.0]];
/// let y = ["a", "a", "a", "b", "b", "b"];
/// let classifier = DirichletMultinomial::default().fit(&x, &y)?;
/// assert_eq!(classifier.predict(&array![[0.0, 4.0, 1.0], [2.0, 2.0, 2.0]])?, ["a", "b"]);
/// assert!(classifier.concentrations().row(0).sum() < classifier.concentrations().row(1).sum());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirichletMultinomial {
    /// How many rows with a single occurrence are added for each column, from 2^-60 to 2^60. The default
    /// is 1.
    pub smoothing: f64,
}

/// Why there is no such classifier.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DirichletMultinomialError {
    /// The smoothing is out of its range.
    #[error(
        "the smoothing is {smoothing}; it must be from 2^-60 to 2^60, since a column without smoothing may have no maximum"
    )]
    Smoothing {
        /// The smoothing.
        smoothing: f64,
    },
    /// There is not one label per row.
    #[error("rows: {rows}, labels: {labels}; give one label per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of labels.
        labels: usize,
    },
    /// There are no rows, or no columns.
    #[error("there are {rows} rows of {columns} columns; give at least one of each")]
    NoData {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A cell is no whole count.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The iteration has not come to an end.
    #[error("class {class} (in label order): the likelihood still rises after {steps} steps; smooth more")]
    NotConverged {
        /// Position of the class in label order.
        class: usize,
        /// The number of steps.
        steps: usize,
    },
}

impl Default for DirichletMultinomial {
    fn default() -> Self {
        Self { smoothing: 1.0 }
    }
}

impl DirichletMultinomial {
    /// Fits rows of counts, `n_rows × n_columns`, with one label per row. Priors are the shares of the rows.
    /// The order of the rows does not matter, to the last bit.
    ///
    /// ```
    /// # use nb_variants::DirichletMultinomial;
    /// # use ndarray::array;
    /// let x = array![[3.0, 0.0], [2.0, 1.0], [0.0, 4.0], [1.0, 2.0]];
    /// let classifier = DirichletMultinomial::default().fit(&x, &["a", "a", "b", "b"])?;
    /// assert_eq!(classifier.predict(&array![[2.0, 0.0], [0.0, 2.0]])?, ["a", "b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DirichletMultinomialError`] if there are no rows or columns, labels or smoothing are invalid, a cell
    /// is no whole number from 0 to 2^32, or the likelihood has not come to its maximum.
    pub fn fit<L: Ord + Clone>(
        &self,
        rows: &(impl Rows + ?Sized),
        labels: &[L],
    ) -> Result<DirichletMultinomialClassifier<L>, DirichletMultinomialError> {
        let smoothing = self.smoothing;
        let bound = libm::exp2(60.0);
        if !(1.0 / bound..=bound).contains(&smoothing) {
            return Err(DirichletMultinomialError::Smoothing { smoothing });
        }
        let (n_rows, n_columns) = (rows.n_rows(), rows.n_columns());
        if n_rows != labels.len() {
            return Err(DirichletMultinomialError::Labels { rows: n_rows, labels: labels.len() });
        }
        if n_rows == 0 || n_columns == 0 {
            return Err(DirichletMultinomialError::NoData { rows: n_rows, columns: n_columns });
        }
        let mut classes: BTreeMap<&L, Counts> = BTreeMap::new();
        each_row(rows, |row, cells| {
            check_counts(row, cells)?;
            classes.entry(&labels[row]).or_insert_with(|| Counts::new(n_columns)).add(cells);
            Ok::<(), DirichletMultinomialError>(())
        })?;
        let mut concentrations = Array2::zeros((classes.len(), n_columns));
        let mut log_prior = Vec::with_capacity(classes.len());
        for (class, counts) in classes.values().enumerate() {
            let found = fit::concentrations(&counts.smoothed(smoothing))
                .map_err(|steps| DirichletMultinomialError::NotConverged { class, steps })?;
            concentrations.row_mut(class).iter_mut().zip(found).for_each(|(to, from)| *to = from);
            log_prior.push(libm::log(counts.n_rows() / n_rows as f64));
        }
        let classes = classes.into_keys().cloned().collect();
        Ok(DirichletMultinomialClassifier::new(classes, log_prior, concentrations))
    }
}
