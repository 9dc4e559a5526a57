//! Why a design cannot be carried out.

use crate::PlanError;

/// Why a design cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The text is no TOML, or has entries that are not understood.
    #[error("the design cannot be read: {0}")]
    Toml(String),
    /// The page or the results are none of a comparison.
    #[error(
        "it is no report of a comparison with its results within; a design is also read from a file of TOML"
    )]
    NoReport,
    /// There is no such suite.
    #[error("there is no suite `{name}`; there is {}", known.join(", "))]
    Suite {
        /// The name.
        name: String,
        /// Those that exist.
        known: Vec<&'static str>,
    },
    /// Something is missing.
    #[error("the design has no {0}")]
    Nothing(&'static str),
    /// Two variants or two data sets have the same name.
    #[error("`{0}` is duplicated in the design; give one of them another name (`name=`)")]
    Twice(String),
    /// The baseline is no variant.
    #[error("the baseline `{baseline}` is not one of the variants {}", variants.join(", "))]
    Baseline {
        /// The name.
        baseline: String,
        /// Those that exist.
        variants: Vec<String>,
    },
    /// Significance level of the tests is no probability.
    #[error("alpha is {0}, but must be above 0 and below 1")]
    Alpha(f64),
    /// The region of practical equivalence is none.
    #[error("region is {0}, but must be 0 or more, such as 0.01")]
    Region(f64),
    /// The measure is of a positive class, and there is none.
    #[error("{0} is of a positive class; name it (`positive`)")]
    Positive(&'static str),
    /// The plan is out of range.
    #[error(transparent)]
    Plan(#[from] PlanError),
}
