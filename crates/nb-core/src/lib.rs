//! Naive Bayes from exact sufficient statistics.
//!
//! # Should I be using this crate?
//!
//! Yes, to train and apply naive Bayes classifiers on ndarray or sparse matrices from Rust. Other crates of
//! the workspace add what this one leaves out on purpose: it does no input or output and knows no
//! serialisation.
//!
//! ```
//! use nb_core::{Gaussian, NaiveBayes};
//! use ndarray::array;
//!
//! let x = array![[5.1, 3.5], [4.9, 3.0], [7.0, 3.2], [6.4, 3.2]];
//! let y = ["setosa", "setosa", "versicolor", "versicolor"];
//! let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y)?;
//! assert_eq!(classifier.predict(&array![[5.0, 3.3]])?, ["setosa"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | columns | family |
//! | --- | --- |
//! | real numbers | [`Gaussian`] |
//! | real numbers of which many are exactly zero | [`ZeroInflatedGaussian`] |
//! | one of K categories | [`Categorical`] |
//! | counts of events, such as words | [`Multinomial`], [`Complement`], [`Poisson`], [`NegativeBinomial`] |
//! | yes or no | [`Bernoulli`] |
//! | some of these together | [`Blocks`] |
//!
//! # Three stages, three types
//!
//! ```text
//! rows, labels ──update──▶ SufficientStats ──NaiveBayes::fit_stats──▶ Classifier ──▶ predict, explain, sample, ...
//!                           │  ▲  merge, subtract, retract, scale
//!                           ▼  │
//!                          other SufficientStats
//! ```
//!
//! [`NaiveBayes`] holds hyper-parameters, [`SufficientStats`] evidence, [`Classifier`] parameters;
//! [`NaiveBayes::fit`] is the short way through all three. The statistics are exact sums
//! ([`exact::ExactSums`]), so that batches, streams, merge trees and threads give the same bits, and rows can
//! be taken out again without a trace.
//!
//! # Choosing hyper-parameters
//!
//! [`FoldedStats`](selection::FoldedStats) keeps the statistics of folds, from which any number of
//! hyper-parameters are [cross-validated](selection::FoldedStats::cross_validate_each) without the rows.
//!
//! # Missing values, impossible rows, ties
//!
//! NaN is a missing cell: an error, or left out ([`Missing`]). With `l = 0` a class that cannot have produced
//! a row scores negative infinity, and no other class is touched; a row that no class can have produced has
//! no label ([`Classifier::try_predict_each`] says `None`, [`Classifier::predict`] an error). Ties go to the
//! first class in label order. No answer is ever NaN.
//!
//! # A family of your own
//!
//! A family says which sums it keeps, which values it can observe, what a row adds, and how to read its
//! parameters:
//!
//! ```
//! use nb_core::{
//!     FeatureModel, Likelihood, NaiveBayes,
//!     error::{FamilyError, FamilyProblem, LayoutError, ValueError, ValueProblem},
//!     exact::ExactSums,
//!     family::{Block, ClassSums, SumLayout, Weights},
//! };
//!
//! /// Waiting times: `log p = log λ - λ x`.
//! struct Exponential;
//!
//! struct FittedExponential(Vec<Vec<f64>>); // λ by class and column
//!
//! fn check(rows: &Block<'_>) -> Result<(), ValueError> {
//!     ValueError::first(rows.find_cell(|_column, value| {
//!         let usable = (0.0..1e100).contains(&value);
//!         (!usable).then(|| ValueProblem::Other("is not a waiting time".into()))
//!     }))
//! }
//!
//! impl FeatureModel for Exponential {
//!     type Fitted = FittedExponential;
//!
//!     fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
//!         Ok(SumLayout::new("exponential", [("sum", n_columns)]))
//!     }
//!
//!     fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
//!         check(rows)
//!     }
//!
//!     fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
//!         rows.for_each_cell(|row, column, value| sums[0].add_weighted(column, weights.get(row), value));
//!     }
//!
//!     fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedExponential, FamilyError> {
//!         let rate = |class, sums: &ClassSums<'_>, column| {
//!             let sum = sums.part(0).get(column);
//!             let problem = FamilyProblem::Other("all waiting times are 0".into());
//!             if sum.is_zero() { Err(FamilyError { class, column, problem }) } else { Ok(sums.weight().divided_by(&sum).0) }
//!         };
//!         let rates = classes.iter().enumerate().map(|(class, sums)| {
//!             (0..sums.part(0).len()).map(|column| rate(class, sums, column)).collect()
//!         });
//!         Ok(FittedExponential(rates.collect::<Result<_, _>>()?))
//!     }
//! }
//!
//! impl Likelihood for FittedExponential {
//!     fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
//!         check(rows)
//!     }
//!
//!     fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
//!         let rate = self.0[class][column];
//!         rate.ln() - rate * value
//!     }
//! }
//!
//! let x = ndarray::array![[1.0], [3.0], [20.0], [40.0]];
//! let classifier = NaiveBayes::new(Exponential).fit(&x, &["short", "short", "long", "long"])?;
//! assert_eq!(classifier.predict(&ndarray::array![[2.0], [15.0]])?, ["short", "long"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`for_each_cell`](family::Block::for_each_cell) and [`find_cell`](family::Block::find_cell) also visit the
//! zeros that sparse rows do not store. Where a zero is fine and adds nothing to any sum, as here,
//! `for_each_stored` and `find_stored` give the same and are faster on sparse rows.
//!
//! Implement [`Density`] as well, and it can be sampled and used in [`Blocks`]. The crate `nb-laws` tests
//! that a family keeps the laws that all of this relies on.
//!
//! # Features
//!
//! `rayon`: [`SufficientStats::update`], [`SufficientStats::merge`] and fitting of wide Gaussian models, and
//! the answers of [`Classifier`] use all cores. The results have the same bits.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answers;
mod data;
mod estimator;
mod families;
mod kernels;
mod model;
pub mod selection;
mod stats;

pub use ndarray;

/// Exact sums and dot products of doubles: the crate exact-sums.
pub use exact_sums as exact;

pub use answers::{Classifier, Explanation, Interaction, Predictor};
pub use data::{CsrView, RowSubset, Rows};
pub use estimator::{NaiveBayes, OnlineClassifier};
pub use families::{
    Bernoulli, Blocks, Categorical, Categories, Complement, Dispersion, Gaussian, Multinomial,
    NegativeBinomial, Poisson, RatePrior, Unseen, VarianceEstimator, VarianceSmoothing, ZeroInflatedGaussian,
    description,
};
pub use model::{Density, FeatureModel, Likelihood, Missing, Prior, Smoothing};
pub use stats::{Stream, SufficientStats};

/// What tables of rows are made of: the numbers in them, and what is a table beside those of ndarray.
pub mod rows {
    pub use crate::data::{Element, Index, RowSlices};
}

/// The families with the parameters that they were fitted with: what a [`Classifier`] of them is made of.
pub mod fitted {
    pub use crate::families::{
        FittedBernoulli, FittedBlocks, FittedCategorical, FittedComplement, FittedGaussian,
        FittedMultinomial, FittedNegativeBinomial, FittedPoisson, FittedZeroInflatedGaussian,
    };
}

/// The vector instructions that are used, on which no result depends.
pub mod simd {
    pub use nb_simd::InstructionSet;
}

/// What the author of a family needs: how rows come, what is summed, and how scores are added.
///
/// Four methods make a family ([`FeatureModel`]), two more its fitted form ([`Likelihood`]), and one lets it
/// be sampled ([`Density`]). The rest is for families that want to be faster
/// ([`Accumulator`](family::Accumulator), [`Estimates`](family::Estimates)), to be scored from sums
/// ([`SumForm`](family::SumForm)), or to hide their type ([`BoxedModel`](family::BoxedModel)).
pub mod family {
    #[doc(inline)]
    pub use crate::{
        __forward_density as forward_density, __forward_family as forward_family,
        __forward_likelihood as forward_likelihood,
    };
    #[doc(hidden)]
    pub use rand::Rng as __Rng;

    pub use crate::{
        data::{Block, BlockBuffer, Dense, Indices, Sparse},
        families::{
            BoxedDensity, BoxedModel, LARGEST_CODE, Moments, VarianceFloor, WideFloor, WideMoments,
            gaussian::{has_wide, in_units, unit_exponent},
        },
        model::{
            Accumulator, ClassRows, ClassSums, Density, Estimates, FeatureModel, Interactions, Likelihood,
            LogRatio, Observed, Plan, Scores, SumForm, SumLayout, SumPart, SumRule, Weights,
        },
    };
}

/// What can go wrong: one enum per operation, with fields that say where.
pub mod error {
    pub use nb_simd::ForcedError;

    pub use crate::data::{CsrError, RowLengthError};
    pub use crate::model::error::{
        CrossValidationError, FamilyError, FamilyProblem, FitError, FitRowsError, FoldError, LayoutError,
        LikelihoodError, MismatchError, ParameterError, PredictError, PriorError, RetractError, SampleError,
        ScaleError, StatsError, UpdateError, ValueError, ValueProblem,
    };
    pub use crate::model::{ImpossibleSums, SumProblem};
}

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
