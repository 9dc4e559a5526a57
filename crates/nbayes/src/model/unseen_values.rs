//! What new rows have that training did not: categories that were not seen, numbers beyond those of training,
//! texts in columns of numbers, and texts without a known word.

use std::collections::BTreeMap;

use nb_io::{
    BeyondRanges, Family, Kind, Model, Schema,
    read::{Chunk, Table},
};

use super::{first_term, note_beyond};
use crate::output::{Screen, counted, visible};

/// Counts over all rows.
pub(crate) struct Unfamiliar<'a> {
    schema: &'a Schema,
    beyond: BeyondRanges,
    /// The weight of the rows of the model.
    weight: f64,
    /// For each feature, the least code that is no category of the model; infinite for other features.
    limits: Vec<f64>,
    /// For each feature, whether it is a term; empty if none is.
    is_term: Vec<bool>,
    /// What a row without words is labelled by.
    remains: String,
    rows: u64,
    /// How many cells have categories not seen in training, by feature.
    unseen_categories: BTreeMap<usize, u64>,
    n_non_numeric: usize,
    rows_without_words: u64,
}

impl<'a> Unfamiliar<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        let schema = model.schema();
        let limits = schema.features().map(|feature| match feature.kind() {
            Kind::Categorical { levels } => levels.len() as f64,
            _ => f64::INFINITY,
        });
        let is_text = |kind: &Kind| matches!(kind, Kind::Text(_));
        let mut is_term = Vec::new();
        if schema.has_text() {
            is_term.extend(schema.features().map(|feature| is_text(&feature.column.kind)));
        }
        let remains = if schema.columns.iter().any(|column| !is_text(&column.kind)) {
            "only their other columns count".into()
        } else if counts_absence(model.family()) || has_absent_texts(model) {
            "their label is that of a text without words".into()
        } else {
            format!("their label is that of the {}", first_term(model))
        };
        let limits = limits.collect();
        Self {
            schema,
            beyond: BeyondRanges::new(model),
            weight: super::weight(model),
            limits,
            is_term,
            remains,
            rows: 0,
            unseen_categories: BTreeMap::new(),
            n_non_numeric: 0,
            rows_without_words: 0,
        }
    }

    pub(crate) fn look(&mut self, chunk: &Chunk) {
        self.n_non_numeric += chunk.n_non_numeric;
        self.beyond.look(&chunk.rows);
        match &chunk.rows {
            Table::Dense(rows) => {
                for row in rows.rows() {
                    self.look_at_row(row.into_iter().copied().enumerate());
                }
            }
            Table::Sparse(rows) => {
                for bounds in rows.indptr().windows(2) {
                    let cells = bounds[0]..bounds[1];
                    let features = rows.indices()[cells.clone()].iter().copied();
                    self.look_at_row(features.zip(rows.values()[cells].iter().copied()));
                }
            }
        }
    }

    /// `cells` are features and values; those that are not there are zero.
    fn look_at_row(&mut self, cells: impl Iterator<Item = (usize, f64)>) {
        let mut has_word = self.is_term.is_empty();
        for (feature, value) in cells {
            if value >= self.limits[feature] {
                *self.unseen_categories.entry(feature).or_default() += 1;
            }
            has_word |= value != 0.0 && self.is_term.get(feature) == Some(&true);
        }
        self.rows += 1;
        self.rows_without_words += u64::from(!has_word);
    }

    /// Names the columns with the most such cells.
    fn note_unseen_categories(&self, screen: Screen) {
        const MOST: usize = 5;
        let mut columns: Vec<(usize, u64)> =
            self.unseen_categories.iter().map(|(&feature, &cells)| (feature, cells)).collect();
        columns.sort_by_key(|&(_, cells)| std::cmp::Reverse(cells));
        for &(feature, cells) in columns.iter().take(MOST) {
            let name = self.schema.feature_name(feature).unwrap_or_default();
            let cells = counted(cells, "cell has a category", "cells have categories");
            screen.note(&format!("{}: {cells} not seen in training", visible(&name)));
        }
        if columns.len() > MOST {
            screen.note(&format!("... and {}", counted(columns.len() - MOST, "more column", "more columns")));
        }
    }

    /// Says what there was.
    pub(crate) fn note(&self, screen: Screen) {
        self.note_unseen_categories(screen);
        note_beyond(&self.beyond, self.weight, screen);
        note_non_numeric(self.n_non_numeric, screen);
        if self.rows_without_words > 0 {
            let (without, rows) = (self.rows_without_words, counted(self.rows, "row", "rows"));
            screen.note(&format!(
                "{without} of {rows} {} no known word; {}",
                if without == 1 { "has" } else { "have" },
                if without == 1 { self.remains.replacen("their", "its", 1) } else { self.remains.clone() },
            ));
        }
    }
}

/// Says how many texts there were among numbers, in columns that had some in training.
pub(crate) fn note_non_numeric(n_cells: usize, screen: Screen) {
    if n_cells > 0 {
        let cells = counted(n_cells as f64, "cell", "cells");
        let are = if n_cells == 1 { "is not a number and counts" } else { "are not numbers and count" };
        screen.note(&format!(
            "{cells} in numeric columns {are} as missing, as in training; --strict refuses them"
        ));
    }
}

/// Whether something is added for a text of which no word is known.
fn has_absent_texts(model: &Model) -> bool {
    model.refinement().is_some_and(|refinement| !refinement.columns.absent_texts.is_empty())
}

/// Whether it counts that a word is absent.
fn counts_absence(family: &Family) -> bool {
    match family {
        Family::Bernoulli(_) => true,
        Family::Blocks(blocks) => blocks.iter().any(|(_, family)| counts_absence(family)),
        _ => false,
    }
}
