//! The trait of linear families: whose log-odds are affine in features of the columns.

use nb_core::{Density, Likelihood, Missing};

/// A fitted family whose scores are affine: `log p(row | class) = Σ w_c · (φ(row) - center) + b_c`, up to a
/// term that no class depends on, with features `φ` of one column each.
///
/// Which families these are is a fact of types: [`LinearForm::new`](crate::LinearForm::new) accepts no
/// others. A Gaussian family with a variance per class has a quadratic form instead; see
/// [`gaussian_crossings`](crate::gaussian_crossings).
///
/// Implement it for a family of your own to give it a linear form: the waiting times of the nb-core
/// documentation have `log p = log λ - λ x`, which is a [`ColumnTerm::Real`] with center 0, weights `-λ` and
/// constants `log λ`.
#[diagnostic::on_unimplemented(
    message = "the scores of `{Self}` are not linear in features of the columns",
    note = "linear are the fitted `SharedGaussian`, `Multinomial`, `Bernoulli`, `Complement`, `Poisson`, `Categorical`, and `Blocks` of these",
    note = "a `Gaussian` family has a variance per class and so a quadratic boundary; `SharedGaussian` has a linear one"
)]
pub trait Linear: Likelihood {
    /// How each column enters the scores: `n_columns` entries, whose vectors have `n_classes` entries.
    fn linear_columns(&self, n_classes: usize, n_columns: usize) -> Vec<LinearColumn>;
}

/// A linear family that is a distribution of rows, so that it can stand in [`Blocks`](nb_core::Blocks) of
/// different families.
pub trait LinearDensity: Linear + Density {}

impl<T: Linear + Density + ?Sized> LinearDensity for T {}

/// A column of a linear form.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearColumn {
    /// How the column enters the scores.
    pub term: ColumnTerm,
    /// What to do with missing cells. A skipped cell adds nothing to any class: its constants are left out,
    /// too.
    pub missing: Missing,
}

/// How a column enters the scores. Vectors have one entry per class, in label order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnTerm {
    /// `weight (x - center) + constant`, for any real number `x`.
    Real {
        /// Near the data, so that differences from it keep their digits.
        center: f64,
        /// How much the column varies, such as its standard deviation; only for comparisons of columns.
        spread: f64,
        /// Finite.
        weights: Vec<f64>,
        /// The scores at the center. Finite.
        constants: Vec<f64>,
    },
    /// `weight x + constant`, for `x` from 0.
    Count {
        /// Finite, or negative infinity: the class cannot have `x` above 0.
        weights: Vec<f64>,
        /// The scores of a zero. Finite.
        constants: Vec<f64>,
    },
    /// One score above a threshold, and another up to it.
    Threshold {
        /// What `x` is compared with.
        threshold: f64,
        /// The scores of `x <= threshold`.
        below: Vec<f64>,
        /// The scores of `x > threshold`.
        above: Vec<f64>,
    },
    /// A score per category code: linear in one-hot features.
    Categories {
        /// The codes, increasing.
        codes: Vec<usize>,
        /// The scores of each code.
        scores: Vec<Vec<f64>>,
        /// The scores of all other codes; `None` refuses them.
        other: Option<Vec<f64>>,
    },
    /// The column is not used.
    Ignored,
}

impl<T: Linear + ?Sized> Linear for Box<T> {
    fn linear_columns(&self, n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
        (**self).linear_columns(n_classes, n_columns)
    }
}
