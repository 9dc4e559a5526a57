//! Naive Bayes as a linear classifier.
//!
//! # Should I be using this crate?
//!
//! Yes, to see a naive Bayes classifier as the linear function that it is: its weights, its boundary, the
//! distances from it, the features that count; or to compare it with logistic regression, which fits the same
//! function to the labels. To train and apply naive Bayes the crate `nb-core` is enough. Everything here uses
//! its public interface only.
//!
//! ```
//! use nb_core::NaiveBayes;
//! use nb_linear::{LinearForm, LogisticRegression, SharedGaussian};
//! use ndarray::array;
//!
//! let x = array![[1.0, 5.0], [2.0, 4.0], [3.0, 6.0], [3.0, 2.0], [4.0, 3.0], [2.5, 5.5]];
//! let y = ["no", "no", "no", "yes", "yes", "yes"];
//!
//! // Generative: a normal distribution per class, with common variances.
//! let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &y)?;
//! let naive_bayes = LinearForm::new(&classifier);
//! assert_eq!(naive_bayes.predict(&x)?, classifier.predict(&x)?);
//!
//! // Discriminative: the same kind of function, fitted to the labels.
//! let logistic = LogisticRegression::default().fit(&x, &y)?;
//! for form in [naive_bayes, logistic] {
//!     let plane = form.hyperplane(1, 0)?; // "yes" against "no"
//!     assert!(plane.coef()[0] > 0.0 && plane.coef()[1] < 0.0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which families are linear
//!
//! The score of a class is `w_c · (φ(x) - m) + b_c`, up to a term that no class depends on:
//!
//! | family | feature `φ` | weight | constant | left out |
//! | --- | --- | --- | --- | --- |
//! | [`SharedGaussian`] | `x` | `(μ_c - m)/v` | `-(μ_c - m)²/2v` | `-½ log 2πv - (x - m)²/2v` |
//! | [`Multinomial`](nb_core::Multinomial) | `x` | `log θ_c` | | |
//! | [`Complement`](nb_core::Complement) | `x` | `w_c` | | |
//! | [`Poisson`](nb_core::Poisson) | `x` | `log λ_c` | `-λ_c` | `-log x!` |
//! | [`Bernoulli`](nb_core::Bernoulli) | `[x > t]` | `log p_c/(1 - p_c)` | `log(1 - p_c)` | |
//! | [`Categorical`](nb_core::Categorical) | `[x = k]` for every `k` | `log θ_ck` | | |
//! | [`Blocks`](nb_core::Blocks) of these | those of the blocks | | | |
//!
//! Here `m` is the center of the column, zero in all families but the first. `b_c` is the log-prior plus all
//! constants; some textbooks forget the log-prior. [`LinearForm::centered`] has the numbers of this formula,
//! [`LinearForm::coef`] and [`LinearForm::intercept`] those of `w_c · φ(x) + b_c`.
//!
//! That a family is linear is a fact of types, the trait [`Linear`]. A [`Gaussian`](nb_core::Gaussian) family
//! with a variance per class is not: its boundary is quadratic ([`gaussian_crossings`]).
//!
//! # Two classes, two codes
//!
//! For two classes one function `f(x) = w · φ(x) + b` is left, the log-odds of the second class
//! ([`BinaryForm`]). With labels 0 and 1, `P(y = 1 | x) = 1/(1 + exp(-f(x)))`; with labels -1 and +1,
//! `P(y | x) = 1/(1 + exp(-y f(x)))` ([`LabelCode`]).
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod families;
mod form;
mod linear;
mod linear_model;
mod logistic;
mod quadratic;
mod shared_gaussian;

pub use error::FormError;
pub use form::{
    BinaryForm, BoundaryLine, CenteredForm, EncodedColumn, Encoding, Hyperplane, Informative, LabelCode,
    LinearForm,
};
pub use linear::{ColumnTerm, Linear, LinearColumn, LinearDensity};
pub use linear_model::LinearModel;
pub use logistic::{LogisticError, LogisticRegression, Solver};
pub use quadratic::gaussian_crossings;
pub use shared_gaussian::{FittedSharedGaussian, SharedGaussian};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
