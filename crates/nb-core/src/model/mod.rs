//! The vocabulary: what a family has to say, and the types in which it is said.

pub(crate) mod domain;
pub(crate) mod error;
pub(crate) mod estimates;
pub(crate) mod forward;
pub(crate) mod log_ratio;
pub(crate) mod missing;
pub(crate) mod parameters;
pub(crate) mod prior;
pub(crate) mod random;
pub(crate) mod remaining;
pub(crate) mod scores;
pub(crate) mod smoothing;
pub(crate) mod sum_rule;
#[cfg(test)]
pub(crate) mod test_rng;
pub(crate) mod threads;
pub(crate) mod traits;

pub(crate) use domain::MAX_WEIGHT;
pub(crate) use error::{
    CrossValidationError, FamilyError, FamilyProblem, FitError, FitRowsError, FoldError, LayoutError,
    LikelihoodError, MismatchError, ParameterError, PredictError, PriorError, RetractError, SampleError,
    ScaleError, StatsError, UpdateError, ValueError, ValueProblem,
};
pub use estimates::Estimates;
pub use log_ratio::LogRatio;
pub use missing::Missing;
pub use prior::Prior;
pub use scores::Scores;
pub use smoothing::Smoothing;
pub use sum_rule::{ImpossibleSums, Observed, SumProblem, SumRule};
pub use traits::{
    Accumulator, ClassRows, ClassSums, Density, FeatureModel, Interactions, Likelihood, Plan, SumForm,
    SumLayout, SumPart, Weights,
};
