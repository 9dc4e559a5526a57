//! Labels that the model has no class for.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::output::counted;

/// The most labels that are counted one by one: a column of numbers may have as many as there are rows.
const MOST_COUNTED: usize = 1000;
/// The most labels that are named on the screen.
const MOST_NAMED: usize = 5;

/// How many rows have which of these labels.
#[derive(Debug, Default)]
pub(super) struct UnknownLabels(BTreeMap<String, u64>);

/// A label, and how many rows have it.
#[derive(Debug, Serialize)]
pub(crate) struct UnknownLabel {
    label: String,
    rows: u64,
}

impl UnknownLabels {
    /// Looks at the labels of rows. `classes` are in order.
    pub(super) fn look(&mut self, labels: &[String], classes: &[String]) {
        for label in labels.iter().filter(|label| classes.binary_search(label).is_err()) {
            if let Some(rows) = self.0.get_mut(label) {
                *rows += 1;
            } else if self.0.len() < MOST_COUNTED {
                self.0.insert(label.clone(), 1);
            }
        }
    }

    /// The labels, those of most rows first.
    pub(super) fn finish(self) -> Vec<UnknownLabel> {
        let labels = self.0.into_iter().map(|(label, rows)| UnknownLabel { label, rows });
        let mut labels: Vec<UnknownLabel> = labels.collect();
        labels.sort_by_key(|label| std::cmp::Reverse(label.rows));
        labels
    }
}

/// The first labels with their rows, of `all` rows that have such labels.
pub(crate) fn text(labels: &[UnknownLabel], all: u64) -> String {
    let named = &labels[..labels.len().min(MOST_NAMED)];
    let rest = all.saturating_sub(named.iter().map(|label| label.rows).sum());
    let named = named
        .iter()
        .map(|UnknownLabel { label, rows }| format!("{label:?} ({})", counted(*rows, "row", "rows")));
    let more = (rest > 0).then(|| format!("others ({})", counted(rest, "row", "rows")));
    named.chain(more).collect::<Vec<_>>().join(", ")
}
