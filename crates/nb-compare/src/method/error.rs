//! Why a method gives no classifier or no answer.

/// Why a method gives no classifier, or no answer for a row.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// The method is not for tables of this kind.
    #[error("not applicable: {reason}")]
    NotApplicable {
        /// What the table is, and what it should be.
        reason: String,
    },
    /// The rows determine no classifier, or a row has no score.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl MethodError {
    /// A method that is not for tables of this kind.
    pub fn not_applicable(reason: impl Into<String>) -> Self {
        Self::NotApplicable { reason: reason.into() }
    }

    /// A method that cannot go on.
    pub fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }
}
