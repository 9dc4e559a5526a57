//! Which class a query chooses.

use nb_calibration::DecisionRule;
use nb_io::Model;

use crate::{Dialect, PredictError, predict::pairwise};

/// The label of a row, of which the query knows the joint log-probabilities `j1`, `j2`, ..., the largest of
/// them as `best`, and as `excess` how much the logarithm of their sum is above it.
pub(crate) struct Choice {
    /// The expected costs, to be computed beside `excess`.
    pub(crate) costs: Vec<String>,
    /// The cases after that of rows without an answer.
    cases: String,
    /// Whether a row without joint probabilities could meet one of the cases.
    needs_guard: bool,
}

impl Choice {
    pub(crate) fn new(model: &Model, dialect: Dialect, classes: &[String]) -> Result<Self, PredictError> {
        let joint = |class: usize| format!("j{}", class + 1);
        let text = |class: usize| dialect.text(&classes[class]);
        // The first of the classes whose value is the greatest, or the least.
        let cases = |function: &str, values: &[(usize, String)]| {
            let all: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
            let best =
                if let [one] = all[..] { one.to_owned() } else { format!("{function}({})", all.join(", ")) };
            let cases =
                values.iter().map(|(class, value)| format!("WHEN {value} = {best} THEN {}", text(*class)));
            cases.collect::<Vec<_>>().join(" ")
        };
        let all = 0..classes.len();
        let most_probable = || {
            let cases = all.clone().map(|class| format!("WHEN {} = best THEN {}", joint(class), text(class)));
            cases.collect::<Vec<_>>().join(" ")
        };
        let Some(decision) = model.decision() else {
            return Ok(Self { costs: Vec::new(), cases: most_probable(), needs_guard: false });
        };
        model.check_decision()?;
        if decision.sets().is_some() {
            return Err(PredictError::Sets);
        }
        let mut costs = Vec::new();
        let chosen = match decision.rule() {
            DecisionRule::Weights(weights) => {
                let weighted = weights.iter().enumerate().map(|(class, weight)| {
                    (class, format!("({} + {})", joint(class), dialect.double(weight.ln())))
                });
                cases("GREATEST", &weighted.collect::<Vec<_>>())
            }
            DecisionRule::Costs(matrix) => {
                let (least, negligible) = (dialect.double(f64::NEG_INFINITY), dialect.double(-700.0));
                for (class, row) in matrix.chunks(classes.len()).enumerate() {
                    let terms = row.iter().enumerate().map(|(actual, cost)| {
                        format!(
                            "{} * exp(GREATEST({} - best, {negligible}))",
                            dialect.double(*cost),
                            joint(actual)
                        )
                    });
                    let expected = pairwise(terms.collect());
                    costs.push(format!("CASE WHEN best > {least} THEN {expected} END AS c{}", class + 1));
                }
                cases(
                    "LEAST",
                    &all.clone().map(|class| (class, format!("c{}", class + 1))).collect::<Vec<_>>(),
                )
            }
            &DecisionRule::Threshold { positive, threshold } => {
                let is_positive =
                    format!("({} - best) - excess >= {}", joint(positive), dialect.double(threshold.ln()));
                let others: Vec<_> = all
                    .clone()
                    .filter(|&class| class != positive)
                    .map(|class| (class, joint(class)))
                    .collect();
                format!("WHEN {is_positive} THEN {} {}", text(positive), cases("GREATEST", &others))
            }
            DecisionRule::MostProbable => most_probable(),
        };
        let unsure = decision.abstention().map(|abstention| {
            let label = abstention.label.as_ref().map_or_else(|| "NULL".into(), |label| dialect.text(label));
            format!("WHEN exp(-excess) < {} THEN {label} ", dialect.double(abstention.min_probability))
        });
        Ok(Self { costs, cases: unsure.unwrap_or_default() + &chosen, needs_guard: true })
    }

    /// The expression; `least` is negative infinity.
    pub(crate) fn label(&self, least: &str) -> String {
        let guard = if self.needs_guard { "best IS NULL OR " } else { "" };
        format!("CASE WHEN {guard}best = {least} THEN NULL {} END", self.cases)
    }
}
