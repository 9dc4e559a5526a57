//! Decision rules of models of tables, from what Python gives and as it is shown.

use nb_calibration::{Abstention, Decision, DecisionRule, PredictionSets};
use pyo3::{prelude::*, types::PyDict};

use crate::errors;

/// What sets of labels are made from: how often they have the true class, and its probability for rows that
/// were held out.
pub(crate) struct Sets {
    pub(crate) coverage: f64,
    pub(crate) of_truth: Vec<f64>,
}

/// A rule by name, with numbers in the order of the classes, or a threshold and the place of its class.
pub(crate) fn rule(name: &str, numbers: Vec<f64>, positive: usize) -> DecisionRule {
    match name {
        "weights" => DecisionRule::Weights(numbers),
        "costs" => DecisionRule::Costs(numbers),
        "threshold" => {
            DecisionRule::Threshold { positive, threshold: numbers.first().copied().unwrap_or(f64::NAN) }
        }
        _ => DecisionRule::MostProbable,
    }
}

/// The decision of a rule, of the least probability of a label and the label below it, and of sets; none if
/// it is the most probable class.
pub(crate) fn of(
    classes: Vec<String>,
    rule: DecisionRule,
    (min_probability, label): (Option<f64>, Option<String>),
    sets: Option<Sets>,
) -> PyResult<Option<Decision<String>>> {
    let decision = Decision::new(classes, rule).map_err(errors::value)?;
    let abstention = min_probability.map(|min_probability| Abstention { min_probability, label });
    let decision = decision.with_abstention(abstention).map_err(errors::value)?;
    let sets = sets.map(|sets| PredictionSets::calibrated(sets.of_truth, sets.coverage));
    let decision = decision.with_sets(sets.transpose().map_err(errors::value)?);
    Ok((!decision.is_trivial()).then_some(decision))
}

/// A decision as a dictionary.
pub(crate) fn described<'py>(py: Python<'py>, decision: &Decision<String>) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    match decision.rule() {
        DecisionRule::MostProbable => answer.set_item("rule", "most_probable")?,
        DecisionRule::Weights(weights) => {
            answer.set_item("rule", "weights")?;
            answer.set_item("weights", weights)?;
        }
        DecisionRule::Costs(costs) => {
            answer.set_item("rule", "costs")?;
            answer.set_item("costs", costs)?;
        }
        DecisionRule::Threshold { positive, threshold } => {
            answer.set_item("rule", "threshold")?;
            answer.set_item("positive", positive)?;
            answer.set_item("threshold", threshold)?;
        }
    }
    if let Some(abstention) = decision.abstention() {
        answer.set_item("min_probability", abstention.min_probability)?;
        answer.set_item("abstain", &abstention.label)?;
    }
    if let Some(sets) = decision.sets() {
        answer.set_item("coverage", sets.coverage())?;
        answer.set_item("least_probability", sets.least())?;
    }
    Ok(answer)
}
