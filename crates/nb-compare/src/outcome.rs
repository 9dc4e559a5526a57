//! What a variant did on a data set.

use serde::{Deserialize, Serialize};

use crate::{Condition, Values};

/// What a variant did on a data set in one repeat of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The data set.
    pub set: String,
    /// The variant.
    pub variant: String,
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// Under which condition, if the design has an experiment.
    #[serde(default, skip_serializing_if = "Condition::is_plain")]
    pub condition: Condition,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of training and testing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Predictions of all tested rows.
    Done(Box<Done>),
    /// The variant is not for such data.
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// The variant is for such data and gave no classifier or no answer.
    Failed {
        /// Why.
        reason: String,
    },
}

/// Predictions of all tested rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// The measures of each fold, except for the calibration error, of which a fold has too few rows; one
    /// for all rows together where a fold is a single row (leave-one-out).
    pub folds: Vec<Values>,
    /// The measures of all tested rows together.
    pub pooled: Values,
    /// The label given to each row, a position among the classes; none for rows without an answer and for
    /// those that were not tested. Empty, as are `tested` and `reliability`, if the design has an
    /// experiment and keeps no predictions: there are many conditions, and nothing that asks for labels.
    pub labels: Vec<Option<u32>>,
    /// Whether each row was tested; empty if all were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tested: Vec<bool>,
    /// The log-posterior of each class for each tested row, row by row, if the design keeps predictions.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::json::list")]
    pub log_posteriors: Vec<f64>,
    /// What was chosen for each fold, if the variant is tuned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<String>,
    /// The values that could not be tried, if the variant is tuned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedValues>,
    /// The columns whose power was cut off where doubles end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<PowerLimit>,
    /// How often rows of a posterior came true, for a reliability diagram.
    pub reliability: Vec<Reliability>,
    /// How the log-loss is spread over the rows; none if only labels were predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub losses: Option<Losses>,
    /// The number of numbers that the classifiers of the folds keep, on average; none for answers of other
    /// programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_parameters: Option<f64>,
    /// The prediction sets, if the design wants any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<SetOutcome>,
    /// What was predicted of the groups of the protected column, if the design has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupOutcome>,
    /// How long it took, if it was done here. These are the only values of a run that another run does not
    /// repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

impl Done {
    /// The measures alone.
    pub(crate) fn without_rows(self) -> Self {
        Self { labels: Vec::new(), tested: Vec::new(), reliability: Vec::new(), ..self }
    }
}

/// The prediction sets of all tested rows of a repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SetOutcome {
    /// The share of rows whose class is in the set.
    pub coverage: f64,
    /// The least such share of the rows of a class.
    pub least_coverage: Option<f64>,
    /// The mean number of classes of a set.
    pub mean_size: f64,
    /// The share of sets of one class.
    pub single: f64,
    /// The share of sets without a class.
    pub empty: f64,
}

/// What was predicted of the rows of a protected group in a repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupOutcome {
    /// The name of the group.
    pub group: String,
    /// The number of tested rows.
    pub rows: u64,
    /// The share that was predicted to be of the positive class.
    pub selection_rate: Option<f64>,
    /// The share of the rows of the positive class that was predicted to be.
    pub true_positive_rate: Option<f64>,
    /// The share of the other rows that was predicted to be of the positive class.
    pub false_positive_rate: Option<f64>,
}

/// Values of a tuned variant with which it could not learn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedValues {
    /// The values.
    pub values: String,
    /// On the training rows of how many folds.
    pub n_folds: usize,
    /// Why, on the first of them.
    pub reason: String,
}

impl FailedValues {
    /// Adds folds to those of the same values.
    pub(crate) fn count(all: &mut Vec<Self>, more: &Self) {
        match all.iter_mut().find(|failed| failed.values == more.values) {
            Some(failed) => failed.n_folds += more.n_folds,
            None => all.push(more.clone()),
        }
    }
}

/// A column whose power is the last one at which doubles tell its values apart, although one beyond it fits
/// better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerLimit {
    /// The name of the column.
    pub column: String,
    /// On the training rows of how many folds.
    pub n_folds: usize,
    /// The power `λ` of the first of them.
    pub lambda: f64,
}

impl PowerLimit {
    /// Adds folds to those of the same column.
    pub(crate) fn count(all: &mut Vec<Self>, more: &Self) {
        match all.iter_mut().find(|limit| limit.column == more.column) {
            Some(limit) => limit.n_folds += more.n_folds,
            None => all.push(more.clone()),
        }
    }
}

/// How `-ln p(true class)` is spread over tested rows, of which the log-loss is the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// The median; the larger one of two in the middle.
    #[serde(with = "crate::json::number")]
    pub median: f64,
    /// The number of rows whose true class had posterior 0: each makes the mean infinite.
    pub n_impossible: usize,
    /// The least number of rows that make up half of the sum over the other rows.
    pub n_half: usize,
}

impl Losses {
    /// Of the losses of rows.
    pub(crate) fn of(mut losses: Vec<f64>) -> Self {
        losses.sort_by(f64::total_cmp);
        let median = losses.get(losses.len() / 2).copied().unwrap_or_default();
        let finite = losses.iter().take_while(|loss| loss.is_finite()).count();
        let half = losses[..finite].iter().sum::<f64>() / 2.0;
        let mut sum = 0.0;
        let n_half = losses[..finite].iter().rev().take_while(|&&loss| {
            let is_needed = sum < half;
            sum += loss;
            is_needed
        });
        Self { median, n_impossible: losses.len() - finite, n_half: n_half.count() }
    }
}

/// A bin of a reliability diagram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// The largest posterior that belongs to the bin.
    pub upper: f64,
    /// The number of rows.
    pub rows: u64,
    /// The mean posterior of the predicted class.
    pub confidence: f64,
    /// The part of the rows whose class was predicted.
    pub accuracy: f64,
}

/// How long training and answering took, by the clock, while other threads may have been at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Seconds for each row trained on: of training on the first fold's rows, without retraction.
    pub fit_per_row: f64,
    /// Seconds for each row answered, log-posteriors of all classes included.
    pub predict_per_row: f64,
}

impl Unit {
    /// What tells units of a design apart.
    pub(crate) fn key(&self) -> (String, String, usize, String) {
        (self.set.clone(), self.variant.clone(), self.repeat, self.condition.to_string())
    }

    /// Reads a unit from a line of JSON.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_json(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line)
    }

    /// Writes the unit as a line of JSON.
    pub fn to_json(&self) -> String {
        // All keys are texts, and infinite measures are texts as well, so that there is nothing to fail on.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The predictions, if it came to any.
    pub fn done(&self) -> Option<&Done> {
        match &self.outcome {
            Outcome::Done(done) => Some(done),
            Outcome::NotApplicable { .. } | Outcome::Failed { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_drive_a_loss() {
        let losses = Losses::of(vec![0.1, 700.0, 0.2, 0.1, f64::INFINITY, 0.3]);
        assert_eq!(losses, Losses { median: 0.3, n_impossible: 1, n_half: 1 });
        assert_eq!(Losses::of(vec![1.0; 5]), Losses { median: 1.0, n_impossible: 0, n_half: 3 });
        assert_eq!(Losses::of(vec![0.0; 2]).n_half, 0);
        let impossible = Losses::of(vec![f64::INFINITY; 3]);
        let text = serde_json::to_string(&impossible).unwrap();
        assert_eq!(text, r#"{"median":"inf","n_impossible":3,"n_half":0}"#);
        assert_eq!(serde_json::from_str::<Losses>(&text).unwrap(), impossible);
    }
}
