//! Missing values.

use exact_sums::domain::Nan;

/// What a family does with a missing cell, a NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Missing {
    /// Refuse the row, naming the cell.
    #[default]
    Error,
    /// Leave the cell out: it adds nothing to the sums in fitting and nothing to the scores in prediction,
    /// which is the exact marginal under the naive Bayes assumption when cells are missing at random. A
    /// row without any observed cell has the prior as its posterior.
    Skip,
}

impl Missing {
    /// What exact sums do with NaN then.
    pub(crate) fn nan(self) -> Nan {
        match self {
            Self::Error => Nan::Refuse,
            Self::Skip => Nan::Count,
        }
    }
}
