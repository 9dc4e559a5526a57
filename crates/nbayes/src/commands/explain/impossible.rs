//! Rows that no class can have: they get no label, and there are no log-odds to explain.

use nb_core::Explanation;
use nb_io::Model;
use serde::Serialize;

use crate::model::first_term;
use crate::output::{Screen, Table, visible};

/// Why a row is impossible under every class.
#[derive(Serialize)]
pub(super) struct NoLabel {
    row: usize,
    /// There is none, as in predictions.
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    impossible: Vec<Under>,
    /// What the scores begin with.
    #[serde(skip)]
    first_term: &'static str,
}

/// Why a row is impossible under one class.
#[derive(Serialize)]
struct Under {
    class: String,
    features: Vec<Cell>,
}

#[derive(Serialize)]
struct Cell {
    name: String,
    value: String,
}

impl NoLabel {
    /// `values` has name and value of every feature.
    pub(super) fn new(
        model: &Model,
        row: usize,
        actual: Option<String>,
        explanation: &Explanation<String>,
        values: &[(String, String)],
    ) -> Self {
        let classes = explanation.classes.iter().enumerate().map(|(class, label)| {
            let contributions = explanation.contributions.row(class).into_iter().zip(values);
            let impossible =
                contributions.filter(|(log_likelihood, _)| **log_likelihood == f64::NEG_INFINITY);
            let cells =
                impossible.map(|(_, (name, value))| Cell { name: name.clone(), value: value.clone() });
            Under { class: label.clone(), features: cells.collect() }
        });
        Self { row, label: None, actual, impossible: classes.collect(), first_term: first_term(model) }
    }

    pub(super) fn show(&self, screen: Screen) -> anyhow::Result<()> {
        screen.show(self, || self.text())
    }

    fn text(&self) -> String {
        let mut text = format!("row {}: no label, as the row is impossible under every class\n", self.row);
        if let Some(actual) = &self.actual {
            text.push_str(&format!("actual label: {} (not predicted)\n", visible(actual)));
        }
        let mut table = Table::new(["class", "probability 0 because of"]);
        for Under { class, features } in &self.impossible {
            let cells: Vec<String> =
                features.iter().map(|Cell { name, value }| format!("{name} = {value}")).collect();
            let because =
                if cells.is_empty() { format!("its {}", self.first_term) } else { cells.join(", ") };
            table.row([class, &because]);
        }
        format!(
            "{text}\n{table}\nWith additive smoothing above 0 (`--smoothing`) no category or count is impossible."
        )
    }
}
