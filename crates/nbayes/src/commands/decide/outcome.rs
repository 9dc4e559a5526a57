//! What a decision does to held-out rows.

use anyhow::Result;
use nb_calibration::{Decision, DecisionRule};
use nb_metrics::{Evaluation, Measures, Settings};
use serde::Serialize;

use super::held_out::HeldOutAnswers;
use crate::output::{Screen, Table, counted, short};

/// What becomes of held-out rows, with the most probable class and with the decision.
#[derive(Serialize)]
pub(super) struct Outcome {
    rows: usize,
    most_probable: Labels,
    decision: Labels,
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Sets>,
}

#[derive(Serialize)]
struct Labels {
    accuracy: Option<f64>,
    balanced_accuracy: Option<f64>,
    macro_f1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_cost: Option<f64>,
    /// The share of rows with a label.
    decided: f64,
    /// Of the rows with a label, the share of right ones.
    accuracy_of_decided: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f1: Option<f64>,
}

#[derive(Serialize)]
struct Sets {
    /// The share of rows whose true class is in the set.
    coverage: f64,
    mean_size: f64,
    empty: f64,
    single: f64,
}

impl Outcome {
    pub(super) fn of(decision: &Decision<String>, held_out: &HeldOutAnswers) -> Result<Self> {
        let n_rows = held_out.rows.len() as f64;
        let positive = match decision.rule() {
            DecisionRule::Threshold { positive, .. } => Some(*positive),
            _ => None,
        };
        let sets = decision.sets().map(|sets| {
            let all: Vec<Vec<usize>> = held_out.rows.iter().map(|row| sets.set(&row.log_posterior)).collect();
            let covered = all.iter().zip(&held_out.rows);
            let covered =
                covered.filter(|(set, row)| row.truth.is_some_and(|truth| set.contains(&truth))).count();
            let share = |size: usize| all.iter().filter(|set| set.len() == size).count() as f64 / n_rows;
            Sets {
                coverage: covered as f64 / n_rows,
                mean_size: all.iter().map(Vec::len).sum::<usize>() as f64 / n_rows,
                empty: share(0),
                single: share(1),
            }
        });
        let chosen = held_out.rows.iter().map(|row| decision.choose(row.most_probable?, &row.log_posterior));
        Ok(Self {
            rows: held_out.rows.len(),
            most_probable: labels(
                decision,
                held_out,
                positive,
                held_out.rows.iter().map(|row| row.most_probable),
            )?,
            decision: labels(decision, held_out, positive, chosen)?,
            positive: positive.map(|positive| decision.classes()[positive].clone()),
            sets,
        })
    }
}

fn labels(
    decision: &Decision<String>,
    held_out: &HeldOutAnswers,
    positive: Option<usize>,
    chosen: impl Iterator<Item = Option<usize>>,
) -> Result<Labels> {
    let n_classes = decision.classes().len();
    let mut evaluation = Evaluation::with(n_classes, Settings::default().with_keep_scores(false));
    let (mut decided, mut cost, mut right) = (0_u64, 0.0, 0_u64);
    let mut has_cost = true;
    for (row, chosen) in held_out.rows.iter().zip(chosen) {
        evaluation.add_label(row.truth, chosen, 1.0)?;
        let Some(chosen) = chosen else { continue };
        decided += 1;
        right += u64::from(row.truth == Some(chosen));
        match (row.truth, decision.rule()) {
            (Some(truth), DecisionRule::Weights(weights)) if truth != chosen => cost += weights[truth],
            (Some(truth), DecisionRule::Costs(costs)) => cost += costs[chosen * n_classes + truth],
            (Some(_), DecisionRule::Weights(_)) => {}
            _ => has_cost = false,
        }
    }
    let Measures { accuracy, balanced_accuracy, macro_f1, classes, .. } = evaluation.measures();
    let class = positive.and_then(|positive| classes.get(positive));
    let n_rows = held_out.rows.len();
    Ok(Labels {
        accuracy,
        balanced_accuracy,
        macro_f1,
        mean_cost: (has_cost && decided > 0).then(|| cost / decided as f64),
        decided: decided as f64 / n_rows as f64,
        accuracy_of_decided: (decided > 0).then(|| right as f64 / decided as f64),
        precision: class.and_then(|class| class.precision),
        recall: class.and_then(|class| class.recall),
        f1: class.and_then(|class| class.f1),
    })
}

impl Outcome {
    /// Says that the rule costs more than none, if it does.
    pub(super) fn note_costs(&self, screen: Screen) {
        if let (Some(before), Some(after)) = (self.most_probable.mean_cost, self.decision.mean_cost)
            && after > before
        {
            screen.note(&format!(
                "on the held-out rows the rule costs more, {} for each row, than the most probable class, {}; `--none` takes it out again",
                short(after),
                short(before)
            ));
        }
    }

    pub(super) fn text(&self) -> String {
        let number = |value: Option<f64>| value.map_or_else(|| "undefined".into(), short);
        let (before, after) = (&self.most_probable, &self.decision);
        let rows = counted(self.rows, "held-out row", "held-out rows");
        let mut table = Table::new(["held-out rows", ">most probable class", ">decision rule"]);
        let mut row = |name: String, of: fn(&Labels) -> Option<f64>| {
            table.row([name, number(of(before)), number(of(after))]);
        };
        row("accuracy".into(), |labels| labels.accuracy);
        row("balanced accuracy".into(), |labels| labels.balanced_accuracy);
        row("macro F1".into(), |labels| labels.macro_f1);
        if let Some(positive) = &self.positive {
            row(format!("precision of {positive}"), |labels| labels.precision);
            row(format!("recall of {positive}"), |labels| labels.recall);
            row(format!("F1 of {positive}"), |labels| labels.f1);
        }
        if before.mean_cost.is_some() || after.mean_cost.is_some() {
            row("mean cost".into(), |labels| labels.mean_cost);
        }
        if after.decided < before.decided {
            row("share of rows with a label".into(), |labels| Some(labels.decided));
            row("accuracy of these".into(), |labels| labels.accuracy_of_decided);
        }
        let mut text = format!("{rows}\n\n{table}");
        if let Some(sets) = &self.sets {
            text.push_str(&format!(
                "\nprediction sets have the true class in {} of the rows, and {} classes on average; one class: {}, none: {}\n",
                short(sets.coverage),
                short(sets.mean_size),
                short(sets.single),
                short(sets.empty)
            ));
        }
        text
    }
}
