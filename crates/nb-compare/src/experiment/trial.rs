//! The measures of one classifier, or why there are none.

use serde::Serialize;

use crate::{Outcome, Unit, Values};

/// One classifier: trained on some rows, and tested on others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "nearly all are measures")]
pub enum Trial {
    /// Its measures.
    Done(Values),
    /// Why there is none.
    None(String),
}

impl Trial {
    /// The measures of all tested rows of a unit together.
    pub(super) fn pooled(unit: &Unit) -> Self {
        Self::reasoned(&unit.outcome)
            .unwrap_or_else(|| Self::Done(unit.done().map(|done| done.pooled.clone()).unwrap_or_default()))
    }

    /// The measures of each fold of a unit.
    pub(super) fn folds(unit: &Unit) -> Vec<Self> {
        match Self::reasoned(&unit.outcome) {
            Some(none) => vec![none],
            None => unit.done().into_iter().flat_map(|done| &done.folds).cloned().map(Self::Done).collect(),
        }
    }

    fn reasoned(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Done(_) => None,
            Outcome::NotApplicable { reason } => Some(Self::None(format!("not applicable: {reason}"))),
            Outcome::Failed { reason } => Some(Self::None(reason.clone())),
        }
    }

    /// The measures, if there are any.
    pub fn values(&self) -> Option<&Values> {
        if let Self::Done(values) = self { Some(values) } else { None }
    }

    /// Why there are none.
    pub fn reason(&self) -> Option<&str> {
        if let Self::None(reason) = self { Some(reason) } else { None }
    }
}
