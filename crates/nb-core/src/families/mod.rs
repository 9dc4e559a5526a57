//! The families, one a file or folder: model, sums kept, estimator, references, code, in this order. Each is
//! a leaf: nothing outside this folder names one.

pub(crate) mod bernoulli;
pub(crate) mod blocks;
pub(crate) mod categorical;
pub(crate) mod complement;
pub mod description;
pub(crate) mod erased;
pub(crate) mod gaussian;
pub(crate) mod multinomial;
pub(crate) mod negative_binomial;
pub(crate) mod poisson;
pub(crate) mod rate_prior;
pub(crate) mod saddle_point;
pub(crate) mod sum_form;
pub(crate) mod zero_inflated_gaussian;

pub use bernoulli::{Bernoulli, FittedBernoulli};
pub use blocks::{Blocks, FittedBlocks};
pub use categorical::{Categorical, Categories, FittedCategorical, LARGEST_CODE, Unseen};
pub use complement::{Complement, FittedComplement};
pub use erased::{BoxedDensity, BoxedModel};
pub use gaussian::{
    FittedGaussian, Gaussian, Moments, VarianceEstimator, VarianceFloor, VarianceSmoothing, WideFloor,
    WideMoments,
};
pub use multinomial::{FittedMultinomial, Multinomial};
pub use negative_binomial::{Dispersion, FittedNegativeBinomial, NegativeBinomial};
pub use poisson::{FittedPoisson, Poisson};
pub use rate_prior::RatePrior;
pub use zero_inflated_gaussian::{FittedZeroInflatedGaussian, ZeroInflatedGaussian};
