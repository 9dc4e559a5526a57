//! stub docs

mod accumulate;
mod baseline;
mod bernoulli;
mod blocks;
mod categorical;
mod classifier;
mod complement;
mod counts;
mod error;
mod exact;
mod explanation;
mod gaussian;
mod missing;
mod model;
mod multinomial;
mod naive_bayes;
mod observable;
mod poisson;
mod prior;
mod rows;
mod sample;
mod scores;
mod smoothing;
mod sufficient_stats;

pub use ndarray;

pub use bernoulli::{Bernoulli, FittedBernoulli};
pub use blocks::{Blocks, BoxedModel, FittedBlocks};
pub use categorical::{Categorical, Categories, FittedCategorical, Unseen};
pub use classifier::Classifier;
pub use complement::{Complement, FittedComplement};
pub use error::{
    FamilyError, FamilyProblem, FitError, LayoutError, MismatchError, PredictError, PriorError, RetractError,
    SampleError, ScaleError, TrainError, UpdateError, ValueError, ValueProblem,
};
pub use exact::{Exact, ExactSums};
pub use explanation::Explanation;
pub use gaussian::{FittedGaussian, Gaussian, VarianceEstimator, VarianceSmoothing};
pub use missing::Missing;
pub use model::{ClassSums, Density, FeatureModel, Likelihood, SumLayout, SumPart, Weights};
pub use multinomial::{FittedMultinomial, Multinomial};
pub use naive_bayes::NaiveBayes;
pub use poisson::{FittedPoisson, Poisson};
pub use prior::Prior;
pub use rows::{Block, BlockBuffer, CsrError, CsrView, DenseBlock, Element, Index, Rows, SparseBlock};
pub use scores::Scores;
pub use smoothing::Smoothing;
pub use sufficient_stats::SufficientStats;
