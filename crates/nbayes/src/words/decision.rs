//! Decision rules in words.

use nb_calibration::{Abstention, Decision, DecisionRule};

use crate::output::{counted, short};

/// What a decision does, one entry for each of its parts.
pub(crate) fn decision_words(decision: &Decision<String>) -> Vec<String> {
    const MOST: usize = 12;
    let classes = decision.classes();
    let mut words = Vec::new();
    let listed = |entries: Vec<String>| match entries.len().saturating_sub(MOST) {
        0 => entries.join(", "),
        rest => format!("{} and {rest} more", entries[..MOST].join(", ")),
    };
    match decision.rule() {
        DecisionRule::Weights(weights) => {
            let weights =
                classes.iter().zip(weights).map(|(class, weight)| format!("{class}={}", short(*weight)));
            words.push(format!("largest weighted probability; weights {}", listed(weights.collect())));
        }
        DecisionRule::Costs(costs) => {
            let n_classes = classes.len();
            let costs = costs.iter().enumerate().filter(|(place, cost)| {
                let usual = if place / n_classes == place % n_classes { 0.0 } else { 1.0 };
                **cost != usual
            });
            let costs = costs.map(|(place, cost)| {
                format!("{}|{}={}", classes[place / n_classes], classes[place % n_classes], short(*cost))
            });
            words.push(format!(
                "least expected cost; costs (predicted|actual) {}, other mistakes 1",
                listed(costs.collect())
            ));
        }
        DecisionRule::Threshold { positive, threshold } => words.push(format!(
            "{:?} from a probability of {} on, otherwise the most probable other class",
            classes[*positive],
            short(*threshold)
        )),
        DecisionRule::MostProbable => {}
    }
    if let Some(Abstention { min_probability, label }) = decision.abstention() {
        let label = label.as_ref().map_or_else(|| "no label".into(), |label| format!("label {label:?}"));
        words.push(format!(
            "{label} where the most probable class has a probability below {}",
            short(*min_probability)
        ));
    }
    if let Some(sets) = decision.sets() {
        words.push(format!(
            "prediction sets for a coverage of {}: all classes with a probability of at least {} (from {})",
            short(sets.coverage()),
            short(sets.least()),
            counted(sets.n_rows(), "held-out row", "held-out rows"),
        ));
    }
    words
}
