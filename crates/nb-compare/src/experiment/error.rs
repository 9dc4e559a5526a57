//! Why an experiment has no results.

use nb_core::error::{FitRowsError, LayoutError, PredictError, UpdateError};
use nb_linear::LogisticError;

use crate::{MethodError, PlanError, TableError};

/// Why an experiment has no results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// There is no experiment of this name.
    #[error("there is no experiment `{name}`; choose one of {}", names.join(", "))]
    NoSuchExperiment {
        /// The name requested.
        name: String,
        /// Those that exist.
        names: Vec<&'static str>,
    },
    /// An experiment has no problem of this name.
    #[error("there is no problem `{name}`; choose some of: {}", names.join("; "))]
    NoSuchProblem {
        /// The name requested.
        name: String,
        /// Those that exist.
        names: Vec<&'static str>,
    },
    /// An option is out of range.
    #[error("{name} is {value}, but must be {must_be}")]
    Option {
        /// Which option.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        must_be: &'static str,
    },
    /// The callback for progress broke off.
    #[error(
        "the experiment was interrupted before its end; it has no results until it is run again to its end"
    )]
    Interrupted,
    /// Rows cannot be split as the options say.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A data set is not what the experiment needs.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A learner failed.
    #[error("{what}: {error}")]
    Learner {
        /// On what it failed.
        what: String,
        /// Why.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ExperimentError {
    /// A learner that failed on something.
    pub(crate) fn learner(what: impl Into<String>) -> impl FnOnce(LearnerError) -> Self {
        let what = what.into();
        move |LearnerError(error)| Self::Learner { what, error }
    }
}

/// Why a learner failed, before it is known on what.
#[derive(Debug)]
pub(crate) struct LearnerError(Box<dyn std::error::Error + Send + Sync>);

macro_rules! from {
    ($($error:ty),*) => {
        $(impl From<$error> for LearnerError {
            fn from(error: $error) -> Self {
                Self(Box::new(error))
            }
        })*
    };
}

from!(
    LayoutError,
    UpdateError,
    FitRowsError,
    PredictError,
    LogisticError,
    MethodError,
    nb_core::error::FitError,
    nb_core::error::ParameterError,
    nb_linear::FormError
);

impl From<&'static str> for LearnerError {
    fn from(error: &'static str) -> Self {
        Self(error.into())
    }
}
