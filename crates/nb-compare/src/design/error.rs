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
    /// There is no disturbance of this name.
    #[error("there is no disturbance `{name}`; choose some of {}", names.join(", "))]
    NoSuchDisturbance {
        /// The name requested.
        name: String,
        /// Those that exist.
        names: Vec<&'static str>,
    },
    /// A level of a disturbance is out of range.
    #[error("level {level} of {disturbance} must be {must_be}")]
    Level {
        /// The disturbance.
        disturbance: &'static str,
        /// The level.
        level: f64,
        /// What it may be.
        must_be: &'static str,
    },
    /// An option of an experiment is out of range.
    #[error("{name} is {value}, but must be {must_be}")]
    Option {
        /// Which option.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        must_be: &'static str,
    },
    /// A variant of an experiment is answers of another program, which was not trained under its conditions.
    #[error("`{0}` is answers of another program, which experiments cannot train; leave it out")]
    Answers(String),
    /// A learning curve has another plan than held-out rows.
    #[error("a learning curve needs a plan that holds rows out (kind = \"held-out\")")]
    LearningCurve,
    /// The coverage of prediction sets is no probability.
    #[error("coverage is {0}, but must be above 0 and below 1, such as 0.9")]
    Coverage(f64),
    /// The measure is of prediction sets, and no coverage is wanted of them.
    #[error("{0} is of prediction sets; say which coverage they have (`coverage`, such as 0.9)")]
    NoCoverage(&'static str),
    /// The measure is of groups, and there is no column of them.
    #[error("{0} is of groups of rows; name the column that has them (`protected`)")]
    Protected(&'static str),
    /// Variants are not ranked by the measure.
    #[error("{0} is what prediction sets are made to have, whatever the variant; rank by set-size")]
    Unranked(&'static str),
    /// The plan is out of range.
    #[error(transparent)]
    Plan(#[from] PlanError),
}
