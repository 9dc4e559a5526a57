//! The results of a run, and their JSON form.

use serde_json::{Value, json};

use super::check::{Group, Outcome};
use super::table;

/// A check that has run.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) outcome: Outcome,
}

/// All results of a run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) lines: Vec<Line>,
    pub(crate) seconds: f64,
}

impl Report {
    /// Whether every check passed.
    pub(crate) fn passed(&self) -> bool {
        self.failed() == 0
    }

    pub(crate) fn failed(&self) -> usize {
        self.lines.iter().filter(|line| !line.outcome.passed).count()
    }

    /// The table for people.
    pub(crate) fn to_table(&self) -> String {
        table::render(self)
    }

    /// One object for machines: the checks, and a summary.
    pub(crate) fn to_json(&self) -> Result<String, serde_json::Error> {
        let checks: Vec<Value> = self.lines.iter().map(Line::to_json).collect();
        serde_json::to_string_pretty(&json!({
            "checks": checks,
            "summary": {
                "checks": self.lines.len(),
                "passed": self.lines.len() - self.failed(),
                "failed": self.failed(),
                "seconds": self.seconds,
            },
        }))
    }
}

impl Line {
    fn to_json(&self) -> Value {
        json!({
            "group": self.group.title(),
            "check": self.name,
            "source": self.source,
            "expected": self.outcome.expected,
            "got": self.outcome.got,
            "error": self.outcome.error,
            "verdict": if self.outcome.passed { "pass" } else { "fail" },
            "remarks": self.outcome.remarks,
        })
    }
}
