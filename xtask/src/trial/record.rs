//! What was tried with one table and one label, and what is wrong with it.

use serde_json::{Value, json};

use super::process::{Ended, Finished};

/// A model is worse than the prior if its log-loss on held-out rows is above that of the prior by more than
/// this.
const WORSE_LOSS: f64 = 0.01;

/// A model is worse than the majority class if its accuracy is below by more than this.
const WORSE_ACCURACY: f64 = 0.02;

/// One process, and what its output says.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) command: &'static str,
    pub(crate) finished: Finished,
    /// A value of the output that is no number and should be one.
    pub(crate) not_a_number: Option<String>,
}

/// Measures of held-out rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measures {
    pub(crate) rows: u64,
    /// Infinite if a row is impossible under its class.
    pub(crate) log_loss: f64,
    pub(crate) log_loss_of_prior: f64,
    pub(crate) accuracy: f64,
    pub(crate) majority: f64,
}

/// All processes for a table and a label; without a label, those that looked for one.
#[derive(Debug)]
pub(crate) struct Record {
    /// The table, from the folder of all tables on.
    pub(crate) table: String,
    pub(crate) label: Option<String>,
    pub(crate) steps: Vec<Step>,
    pub(crate) measures: Option<Measures>,
}

impl Step {
    pub(crate) fn is_success(&self) -> bool {
        self.finished.ended == Ended::Success
    }

    /// Why the program must be mended, if it must.
    pub(crate) fn defect(&self) -> Option<String> {
        match &self.finished.ended {
            Ended::Crashed(message) => Some(format!("crash: {message}")),
            Ended::TimedOut => Some(format!("time-out after {:.0} s", self.finished.seconds)),
            Ended::Success => self.not_a_number.as_ref().map(|place| format!("not a number: {place}")),
            Ended::Refused(_) => None,
        }
    }

    fn to_json(&self) -> Value {
        let (outcome, message) = match &self.finished.ended {
            Ended::Success => ("success", None),
            Ended::Refused(message) => ("refused", Some(message)),
            Ended::Crashed(message) => ("crashed", Some(message)),
            Ended::TimedOut => ("timed out", None),
        };
        json!({
            "command": self.command,
            "outcome": outcome,
            "status": self.finished.status,
            "message": message,
            "not_a_number": self.not_a_number,
            "seconds": self.finished.seconds,
        })
    }
}

impl Measures {
    /// By how much the log-loss is above that of the prior, if by too much.
    pub(crate) fn worse_loss(&self) -> Option<f64> {
        Some(self.log_loss - self.log_loss_of_prior).filter(|&excess| excess > WORSE_LOSS)
    }

    /// By how much the accuracy is below that of the majority class, if by too much.
    pub(crate) fn worse_accuracy(&self) -> Option<f64> {
        Some(self.majority - self.accuracy).filter(|&lack| lack > WORSE_ACCURACY)
    }
}

impl Record {
    /// The table and the label.
    pub(crate) fn name(&self) -> String {
        let label = self.label.as_ref();
        label.map_or_else(|| self.table.clone(), |label| format!("{} --label {label:?}", self.table))
    }

    /// The record for machines; an infinite log-loss is null.
    pub(crate) fn to_json(&self) -> Value {
        let measures = self.measures.as_ref().map(|measures| {
            json!({
                "rows": measures.rows,
                "log_loss": measures.log_loss,
                "log_loss_of_prior": measures.log_loss_of_prior,
                "accuracy": measures.accuracy,
                "majority": measures.majority,
                "worse_log_loss": measures.worse_loss().is_some(),
                "worse_accuracy": measures.worse_accuracy().is_some(),
            })
        });
        json!({
            "table": self.table,
            "label": self.label,
            "steps": self.steps.iter().map(Step::to_json).collect::<Vec<_>>(),
            "held_out": measures,
        })
    }
}
