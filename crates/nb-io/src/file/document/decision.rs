//! Decision rules on the wire.

use nb_calibration::{Abstention, Decision, DecisionError, DecisionRule, PredictionSets};
use serde::{Deserialize, Serialize};

/// The first version of the format that has decision rules.
pub(in crate::file) const DECISION_VERSION: u16 = 9;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct DecisionDocument {
    classes: Vec<String>,
    rule: RuleDocument,
    abstention: Option<AbstentionDocument>,
    sets: Option<SetsDocument>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum RuleDocument {
    MostProbable,
    Weights(Vec<f64>),
    Costs(Vec<f64>),
    Threshold { positive: u64, threshold: f64 },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AbstentionDocument {
    min_probability: f64,
    label: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SetsDocument {
    coverage: f64,
    least: f64,
    n_rows: u64,
}

impl DecisionDocument {
    pub(super) fn of(decision: &Decision<String>) -> Self {
        let rule = match decision.rule() {
            DecisionRule::MostProbable => RuleDocument::MostProbable,
            DecisionRule::Weights(weights) => RuleDocument::Weights(weights.clone()),
            DecisionRule::Costs(costs) => RuleDocument::Costs(costs.clone()),
            &DecisionRule::Threshold { positive, threshold } => {
                RuleDocument::Threshold { positive: positive as u64, threshold }
            }
        };
        let abstention = decision.abstention().cloned();
        let sets = decision.sets();
        Self {
            classes: decision.classes().to_vec(),
            rule,
            abstention: abstention
                .map(|Abstention { min_probability, label }| AbstentionDocument { min_probability, label }),
            sets: sets.map(|sets| SetsDocument {
                coverage: sets.coverage(),
                least: sets.least(),
                n_rows: sets.n_rows(),
            }),
        }
    }

    pub(super) fn into_decision(self) -> Result<Decision<String>, DecisionError> {
        let rule = match self.rule {
            RuleDocument::MostProbable => DecisionRule::MostProbable,
            RuleDocument::Weights(weights) => DecisionRule::Weights(weights),
            RuleDocument::Costs(costs) => DecisionRule::Costs(costs),
            RuleDocument::Threshold { positive, threshold } => DecisionRule::Threshold {
                positive: usize::try_from(positive).unwrap_or(usize::MAX),
                threshold,
            },
        };
        let abstention = self
            .abstention
            .map(|AbstentionDocument { min_probability, label }| Abstention { min_probability, label });
        let sets = self
            .sets
            .map(|SetsDocument { coverage, least, n_rows }| PredictionSets::new(coverage, least, n_rows));
        Ok(Decision::new(self.classes, rule)?.with_abstention(abstention)?.with_sets(sets.transpose()?))
    }
}
