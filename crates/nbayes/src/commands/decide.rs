//! `nbayes decide`: how the probabilities of a model become labels.

mod costs;
pub(super) mod held_out;
mod outcome;
mod thresholds;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nb_calibration::{Abstention, Decision, DecisionRule, PredictionSets};
use nb_io::Model;
use nb_train::ThresholdGoal;
use serde::Serialize;

use crate::{
    cli::probability,
    data::ReadArgs,
    failure::usage,
    model::{Lock, LockArgs, fitted, load},
    output::{Screen, refuse_inputs},
    words::decision_words,
};
use held_out::HeldOutAnswers;
use outcome::Outcome;
use thresholds::Goal;

const EXAMPLES: &str = "\
Examples:
  nbayes decide model.nb --weights 'spam=1,ham=5'
  nbayes decide model.nb --costs 'ham|spam=1,spam|ham=10'
  nbayes decide model.nb --positive spam --threshold 0.3
  nbayes decide model.nb validation.csv --positive spam --maximise f1
  nbayes decide model.nb validation.csv --positive spam --recall-at-precision 0.95
  nbayes decide model.nb --min-probability 0.8 --abstain unsure
  nbayes decide model.nb validation.csv --coverage 0.9 -o sets.nb
  nbayes decide model.nb --none";

/// Choose how probabilities become labels: class weights, a cost matrix, a threshold, abstention, prediction
/// sets.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("rule"))]
pub(crate) struct Decide {
    /// The model; it is replaced unless --output is given. The rule that it had is replaced, too.
    model: PathBuf,
    /// Data files with labels, held out from training: thresholds and prediction sets are chosen by them,
    /// and the outcome is shown.
    files: Vec<String>,
    /// Class weights, `label=weight,...`: the label is the class with the largest weighted probability;
    /// other classes have the weight 1.
    #[arg(long, value_name = "WEIGHTS", group = "rule")]
    weights: Option<String>,
    /// A cost matrix, `predicted|actual=cost,...` or a CSV file with the columns predicted, actual and cost:
    /// the label is the class with the least expected cost. Other mistakes cost 1, right answers
    /// nothing.
    #[arg(long, value_name = "COSTS", group = "rule")]
    costs: Option<String>,
    /// The class that --threshold, --maximise and --recall-at-precision are about.
    #[arg(long, value_name = "LABEL")]
    positive: Option<String>,
    /// Predict the positive class where its probability is at least this.
    #[arg(long, value_name = "PROBABILITY", group = "rule", requires = "positive", value_parser = probability)]
    threshold: Option<f64>,
    /// Choose the threshold that is best in this on the held-out rows.
    #[arg(
        long,
        alias = "maximize",
        value_enum,
        value_name = "MEASURE",
        group = "rule",
        requires = "positive"
    )]
    maximise: Option<Goal>,
    /// Choose the threshold with the largest recall among those of which at least this precision can be
    /// promised: the lower end of its 95 % interval on the held-out rows.
    #[arg(long, value_name = "PRECISION", group = "rule", requires = "positive", value_parser = probability)]
    recall_at_precision: Option<f64>,
    /// Give no label to rows whose most probable class has a smaller probability than this.
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    min_probability: Option<f64>,
    /// The label of such rows [default: an empty cell].
    #[arg(long, value_name = "LABEL", requires = "min_probability")]
    abstain: Option<String>,
    /// Make prediction sets that have the true class with this probability (split conformal prediction), by
    /// the held-out rows.
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    coverage: Option<f64>,
    /// Remove the rule: the label is the most probable class.
    #[arg(long, conflicts_with_all = ["files", "rule", "positive", "min_probability", "coverage"])]
    none: bool,
    /// The output file.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    lock: LockArgs,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct Decided {
    output: PathBuf,
    decision: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
}

impl Decide {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let has_rule = self.weights.is_some() || self.costs.is_some() || self.has_threshold();
        if self.positive.is_some() && !self.has_threshold() {
            return Err(usage(
                "--positive needs a threshold: --threshold, --maximise or --recall-at-precision",
            ));
        }
        if !self.none && !has_rule && self.min_probability.is_none() && self.coverage.is_none() {
            return Err(usage(
                "no rule given; choose one of --weights, --costs, --threshold, --maximise, --recall-at-precision, --min-probability and \
                 --coverage, or --none",
            ));
        }
        let needs = [
            (self.maximise.is_some(), "--maximise"),
            (self.recall_at_precision.is_some(), "--recall-at-precision"),
            (self.coverage.is_some(), "--coverage"),
        ];
        if let Some((_, option)) = needs.iter().find(|(is_given, _)| *is_given && self.files.is_empty()) {
            return Err(usage(format!(
                "{option} needs a file of held-out rows: nbayes decide MODEL FILE {option} ..."
            )));
        }
        let output = self.output.clone().unwrap_or_else(|| self.model.clone());
        refuse_inputs(Some(&output), self.files.iter().map(Path::new))?;
        let lock = Lock::of(&output, self.lock, screen)?;
        let model = load(&self.model)?;
        let (model, outcome) =
            if self.none { (model.with_decision(None)?, None) } else { self.decided(model, screen)? };
        let decision = model.decision().map(decision_words).unwrap_or_default();
        if let Some(outcome) = &outcome {
            outcome.note_costs(screen);
        }
        lock.save(&model)?;
        let result = Decided { output, decision, outcome };
        screen.report(&result, || text(&result))
    }

    fn has_threshold(&self) -> bool {
        self.threshold.is_some() || self.maximise.is_some() || self.recall_at_precision.is_some()
    }

    /// The model with the rule, and what becomes of the held-out rows.
    fn decided(&self, model: Model, screen: Screen) -> Result<(Model, Option<Outcome>)> {
        let classifier = fitted(&model).with_context(|| format!("the model {}", self.model.display()))?;
        let classes = classifier.classes().to_vec();
        let held_out = HeldOutAnswers::of(&model, &classifier, &self.files, (&self.read, &[]), screen)?;
        let mut decision = Decision::new(classes.clone(), self.rule(&classes, &held_out, screen)?)?;
        if let Some(min_probability) = self.min_probability {
            let abstention = Abstention { min_probability, label: self.abstain.clone() };
            decision = decision.with_abstention(Some(abstention))?;
        }
        if let Some(coverage) = self.coverage {
            decision = decision.with_sets(Some(PredictionSets::calibrated(held_out.of_truth(), coverage)?));
        }
        let outcome = if held_out.rows.is_empty() { None } else { Some(Outcome::of(&decision, &held_out)?) };
        let decision = (!decision.is_trivial()).then_some(decision);
        Ok((model.with_decision(decision)?, outcome))
    }

    fn rule(&self, classes: &[String], held_out: &HeldOutAnswers, screen: Screen) -> Result<DecisionRule> {
        if let Some(weights) = &self.weights {
            return Ok(DecisionRule::Weights(costs::weights(weights, classes)?));
        }
        if let Some(costs) = &self.costs {
            return Ok(DecisionRule::Costs(costs::costs(costs, classes, screen)?));
        }
        let Some(positive) = &self.positive else { return Ok(DecisionRule::MostProbable) };
        let positive = costs::place(positive, classes)?;
        let threshold = match (self.threshold, self.maximise, self.recall_at_precision) {
            (Some(threshold), ..) => threshold,
            (_, Some(goal), _) => held_out.threshold(positive, goal.into())?,
            (.., Some(precision)) => {
                held_out.threshold(positive, ThresholdGoal::RecallAtPrecision(precision))?
            }
            (None, None, None) => return Ok(DecisionRule::MostProbable),
        };
        Ok(DecisionRule::Threshold { positive, threshold })
    }
}

fn text(result: &Decided) -> String {
    let mut text = match &result.decision[..] {
        [] => "the label is the most probable class\n".into(),
        words => format!("{}\n", words.join("\n")),
    };
    if let Some(outcome) = &result.outcome {
        text.push_str(&format!("\n{}\n", outcome.text()));
    }
    text.push_str(&format!("wrote {}", result.output.display()));
    text
}
