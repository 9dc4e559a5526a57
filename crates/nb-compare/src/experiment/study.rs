//! What is varied in a study, and the conditions that this makes.

use serde::{Deserialize, Serialize};

use super::{
    learning_curve::LearningCurve,
    robustness::{Disturbance, Robustness},
};
use crate::{DesignError, Plan, PlanError, Table};

/// What is varied, beside variants, data sets and splits.
///
/// In the TOML of a design: `experiment = { kind = "learning-curve", sizes = [20, 50] }`, or `experiment = {
/// kind = "robustness", series = [{ disturbance = "missing", levels = [0.1, 0.2] }] }`. Without sizes or
/// series there are those of the default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Study {
    /// The number of training rows. The plan holds rows out, and its repeats are the splits.
    LearningCurve(LearningCurve),
    /// The state of the data.
    Robustness(Robustness),
}

/// Under which condition of a study a variant was trained and tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// On all training rows, as they are.
    #[default]
    Plain,
    /// On the first rows of a training set, of which there are as many.
    Size(usize),
    /// On rows that were disturbed.
    Disturbed {
        /// How.
        disturbance: Disturbance,
        /// By how much.
        level: f64,
    },
}

impl Condition {
    /// Whether nothing is varied.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

impl std::fmt::Display for Condition {
    /// Such as `20 rows` and `label-noise 0.2`; empty if nothing is varied.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Plain => Ok(()),
            Self::Size(size) => write!(f, "{size} rows"),
            Self::Disturbed { disturbance, level } => write!(f, "{} {level}", disturbance.name()),
        }
    }
}

impl Study {
    /// Refuses options that no table could be studied with.
    pub(crate) fn check(&self, plan: Plan) -> Result<(), DesignError> {
        match self {
            Self::LearningCurve(curve) => curve.check(plan),
            Self::Robustness(robustness) => robustness.check(),
        }
    }

    /// The conditions on a table of this [`Table::split_key`].
    pub(crate) fn conditions(
        &self,
        (plan, seed): (Plan, u64),
        table: &Table,
        key: &str,
    ) -> Result<Vec<Condition>, PlanError> {
        match self {
            Self::LearningCurve(curve) => {
                let sizes = curve.sizes_of((plan, seed), table, key)?;
                Ok(sizes.into_iter().map(Condition::Size).collect())
            }
            Self::Robustness(robustness) => robustness.conditions(plan, table),
        }
    }
}
