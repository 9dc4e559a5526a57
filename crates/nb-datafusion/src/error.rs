//! What keeps a table from becoming a model.

use datafusion::error::DataFusionError;
use nb_core::description::SettingError;
use nb_io::{LoadError, ModelError, SaveError};

/// Why a model could not be fitted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The query failed; the engine says why.
    #[error(transparent)]
    Query(#[from] DataFusionError),
    /// A design cannot be understood.
    #[error("the design {design:?} is neither the name of a family nor JSON as it should be: {reason}")]
    Design {
        /// The design.
        design: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A column that is named is not there.
    #[error("the design names the column {column:?}, which is not among the features: {known}")]
    NoColumn {
        /// The column.
        column: String,
        /// The columns that are there.
        known: String,
    },
    /// A column to keep has the name of an answer.
    #[error("the column {name:?} to keep has the name of a column of answers; rename one of them")]
    TwoMeanings {
        /// The name.
        name: String,
    },
    /// A hyper-parameter cannot be set.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Families and columns do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There are no rows to learn from.
    #[error("there are no rows, so that there is no model")]
    NoRows,
    /// What the query gave is no model.
    #[error("the query gave no model: {0}")]
    Load(LoadError),
    /// A model without rows cannot be sent along with a query.
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl From<LoadError> for FitError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}
