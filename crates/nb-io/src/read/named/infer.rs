//! Learning the kinds of the columns of a text table from all of its rows.
//!
//! A pass keeps little per column: whether there are numbers, the first text that is none, and, for a column that
//! begins with text, the distinct texts. A column that begins with numbers and turns out to have text as well needs
//! its categories from the first row on, so there is a second pass for it.

use std::collections::BTreeSet;

use super::{
    cell::{self, Missing},
    columns::Columns,
    levels::{MOST_LEVEL_BYTES, MOST_LEVELS},
};
use crate::{
    Column, Kind, Schema,
    read::{
        CellProblem, Inference, Inferred, KindChoice, Overrides, Reason, error::shortened, number::number,
    },
};

/// What is known of a column.
#[derive(Debug, Default)]
struct Profile {
    name: String,
    choice: Option<KindChoice>,
    /// Known from an earlier pass to be categorical.
    mixed: bool,
    has_numbers: bool,
    first_text: Option<(u64, String)>,
    levels: BTreeSet<String>,
}

/// What is known of all columns.
#[derive(Debug)]
pub(in crate::read) struct Profiles {
    columns: Vec<Profile>,
    level_bytes: usize,
    n_rows: usize,
}

impl Profiles {
    pub(in crate::read) fn new(header: &[String], columns: &Columns, overrides: &Overrides) -> Self {
        let profile = |&place: &usize| Profile {
            name: header[place].clone(),
            choice: overrides.kinds.get(&header[place]).copied(),
            ..Profile::default()
        };
        Self { columns: columns.features.iter().map(profile).collect(), level_bytes: 0, n_rows: 0 }
    }

    /// Looks at the cell of a column in the next row.
    pub(in crate::read) fn look(
        &mut self,
        column: usize,
        text: &str,
        line: impl FnOnce() -> u64,
        missing: &Missing,
    ) -> Result<(), CellProblem> {
        let profile = &mut self.columns[column];
        if missing.contains(text) {
            return Ok(());
        }
        match profile.choice {
            Some(KindChoice::Categorical) => return profile.keep(text, &mut self.level_bytes),
            Some(KindChoice::Numeric) => return number(text).map(drop),
            Some(KindChoice::Count) => return number(text).and_then(cell::count).map(drop),
            None if profile.mixed => return profile.keep(text, &mut self.level_bytes),
            None => {}
        }
        // What is infinite is meant as a number: the reader then refuses the cell by name.
        if number(text) == Err(CellProblem::NotANumber) {
            profile.first_text.get_or_insert_with(|| (line(), shortened(text)));
        } else {
            profile.has_numbers = true;
        }
        let begins_with_text =
            profile.first_text.is_some() && (!profile.has_numbers || !profile.levels.is_empty());
        if begins_with_text { profile.keep(text, &mut self.level_bytes) } else { Ok(()) }
    }

    /// Whether all that matters of the next cell of a column is that it is a number.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn expects_number(&self, column: usize) -> bool {
        let profile = &self.columns[column];
        match profile.choice {
            Some(choice) => choice == KindChoice::Numeric,
            None => !profile.mixed && profile.first_text.is_none(),
        }
    }

    /// Looks at a cell that is a number and not missing, in a column where that is all that matters.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn look_at_number(&mut self, column: usize) {
        self.columns[column].has_numbers = true;
    }

    /// Says that all cells of a row were looked at.
    pub(in crate::read) fn end_row(&mut self) {
        self.n_rows += 1;
    }

    pub(in crate::read) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// After a pass over all rows: whether another one is needed.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn needs_another_pass(&mut self) -> bool {
        let mut any = false;
        for profile in &mut self.columns {
            let is_new = profile.choice.is_none()
                && !profile.mixed
                && profile.first_text.is_some()
                && profile.levels.is_empty();
            profile.mixed |= is_new;
            any |= is_new;
        }
        if any {
            self.n_rows = 0;
        }
        any
    }

    /// The schema.
    pub(in crate::read) fn finish(self, label: &str) -> Inferred {
        let n_rows = self.n_rows;
        let columns: Vec<Inference> = self.columns.into_iter().map(Profile::finish).collect();
        let of_schema =
            columns.iter().map(|column| Column { name: column.column.clone(), kind: column.kind.clone() });
        Inferred {
            schema: Schema { columns: of_schema.collect(), label: label.into(), text: None },
            columns,
            n_rows,
        }
    }
}

impl Profile {
    /// Keeps a text as the name of a category.
    fn keep(&mut self, text: &str, level_bytes: &mut usize) -> Result<(), CellProblem> {
        if self.levels.contains(text) {
            return Ok(());
        }
        if self.levels.len() >= MOST_LEVELS || *level_bytes + text.len() > MOST_LEVEL_BYTES {
            return Err(CellProblem::TooManyLevels { limit: self.levels.len() });
        }
        *level_bytes += text.len();
        self.levels.insert(text.into());
        Ok(())
    }

    fn finish(self) -> Inference {
        let reason = match (self.choice, self.first_text) {
            (Some(_), _) => Reason::Override,
            (None, Some((line, value))) if self.has_numbers => Reason::Mixed { line, value },
            (None, Some(_)) => Reason::Text,
            (None, None) if self.has_numbers => Reason::AllNumbers,
            (None, None) => Reason::AllMissing,
        };
        let is_categorical = match self.choice {
            Some(choice) => choice == KindChoice::Categorical,
            None => matches!(reason, Reason::Mixed { .. } | Reason::Text),
        };
        let kind = match self.choice {
            Some(KindChoice::Count) => Kind::Count,
            _ if is_categorical => Kind::Categorical { levels: self.levels.into_iter().collect() },
            _ => Kind::Numeric,
        };
        Inference { column: self.name, kind, reason }
    }
}
