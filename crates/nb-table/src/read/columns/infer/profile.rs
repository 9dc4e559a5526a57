//! What the cells of a column say of it.

use super::{Profile, TextState};
use crate::{
    Kind, category_name,
    read::{
        CellProblem, FileProblem, Inference, KindChoice, NonNumeric, Reason,
        cells::{date::NumbersOrDates, number::count},
        columns::{
            few::FewValues,
            free_text::{ENOUGH, Evidence, n_words},
            levels::MOST_LEVEL_BYTES,
            row_numbers::names_rows,
        },
        error::shortened,
    },
    text::TextLearner,
};

impl Profile {
    /// Looks at a number.
    pub(super) fn look_at(&mut self, value: f64) {
        self.has_numbers = true;
        self.codes.look_at_number(value);
        // Most numbers of a file are looked at no further.
        if self.closely.is_open {
            self.closely.look(value);
        }
    }

    /// Looks at a number of a column of numbers from 0; NaN is a missing one.
    pub(super) fn look_at_non_negative(&mut self, value: f64) -> Result<(), CellProblem> {
        self.n_fractions += usize::from(!value.is_nan() && count(value).is_err());
        if value < 0.0 { Err(CellProblem::Negative) } else { Ok(()) }
    }

    /// Keeps a text as the name of a category, unless that is what it turns out not to be.
    pub(super) fn keep(
        &mut self,
        text: &str,
        most_levels: usize,
        level_bytes: &mut usize,
    ) -> Result<(), CellProblem> {
        // Names are kept in one spelling, so that most texts are found as they are.
        if self.levels.contains(text) || self.levels.contains(category_name(text)) {
            return Ok(());
        }
        let text = category_name(text);
        let is_full = self.levels.len() >= most_levels || *level_bytes + text.len() > MOST_LEVEL_BYTES;
        if self.choice.is_none() {
            self.evidence.distinct += 1;
            self.evidence.words += n_words(text);
            if (self.evidence.distinct >= ENOUGH || is_full) && self.is_free_text() {
                *level_bytes -= self.find_text();
                return Ok(());
            }
            if is_full {
                *level_bytes -= self.drop_levels();
                self.text = TextState::TooManyLevels { limit: self.evidence.distinct - 1 };
                return Ok(());
            }
        }
        if is_full {
            return Err(CellProblem::TooManyLevels { limit: self.levels.len() });
        }
        *level_bytes += text.len();
        self.levels.insert(text.into());
        Ok(())
    }

    /// Says that the column has texts: its terms are counted in another pass. How many bytes of memory that
    /// frees.
    pub(super) fn find_text(&mut self) -> usize {
        self.text = TextState::Found(self.evidence);
        self.drop_levels()
    }

    /// Forgets the categories. How many bytes of memory that frees.
    pub(super) fn drop_levels(&mut self) -> usize {
        std::mem::take(&mut self.levels).iter().map(String::len).sum()
    }

    /// Begins to count terms.
    pub(super) fn learn_text(&mut self, evidence: Option<Evidence>) -> Result<(), FileProblem> {
        let learner = TextLearner::new(&self.options)
            .map_err(|error| FileProblem::Text { column: self.name.clone(), error })?;
        self.text = TextState::Learning(learner, evidence);
        Ok(())
    }

    /// After a pass over all rows: whether another one is needed.
    pub(super) fn end_pass(
        &mut self,
        level_bytes: &mut usize,
        n_rows: usize,
        non_numeric: NonNumeric,
    ) -> Result<bool, FileProblem> {
        match std::mem::replace(&mut self.text, TextState::None) {
            TextState::Learning(learner, evidence) | TextState::Learnt(learner, evidence) => {
                self.text = TextState::Learnt(learner, evidence);
                return Ok(false);
            }
            TextState::Found(evidence) => {
                self.learn_text(Some(evidence))?;
                return Ok(true);
            }
            too_many @ TextState::TooManyLevels { .. } => {
                self.text = too_many;
                return Ok(false);
            }
            TextState::None => {}
        }
        if !self.closely.row_numbers.is_done() {
            self.closely.row_numbers.end_pass();
            self.code = self.find_code(n_rows);
        }
        if self.choice.is_some() || self.mostly_numeric.is_some() || self.has_dates() {
            return Ok(false);
        }
        if self.code.is_none() && non_numeric != NonNumeric::Categories && self.is_mostly_numeric(n_rows) {
            let cells = n_rows - self.n_missing;
            if let (NonNumeric::Error, Some((line, text))) = (non_numeric, self.first_texts.first()) {
                let (column, line, text) = (self.name.clone(), *line, text.clone());
                return Err(FileProblem::NonNumeric { column, line, text, texts: self.n_texts, cells });
            }
            *level_bytes -= self.drop_levels();
            self.mostly_numeric = Some(cells);
            return Ok(false);
        }
        if self.is_free_text() {
            *level_bytes -= self.find_text();
            self.learn_text(Some(self.evidence))?;
            return Ok(true);
        }
        let has_names = self.code.is_some() || !self.first_texts.is_empty();
        let is_mixed = !self.mixed && has_names && self.levels.is_empty();
        self.mixed |= is_mixed;
        Ok(is_mixed)
    }

    /// After the first pass: whether all cells with a value are dates.
    pub(super) fn has_dates(&self) -> bool {
        const FEWEST: usize = 2;
        !self.mixed
            && !self.has_numbers
            && self.n_dates == self.n_texts
            && (self.n_dates >= FEWEST || self.date_finder.is_given())
            && self.date_finder.are_enough()
    }

    /// After the first pass: the line and text of the first code, if the cells are codes and do not number
    /// the rows.
    pub(super) fn find_code(&self, n_rows: usize) -> Option<(u64, String)> {
        let may_be = self.choice.is_none() && self.has_numbers && self.closely.row_numbers.reason().is_none();
        self.codes.first(n_rows.saturating_sub(self.n_missing)).filter(|_| may_be).cloned()
    }

    /// Whether the categories are texts. What names the rows is not read as text, however long.
    pub(super) fn is_free_text(&self) -> bool {
        self.evidence.is_free_text() && !names_rows(&self.name)
    }

    /// After the first pass: whether all cells but a few are numbers.
    pub(super) fn is_mostly_numeric(&self, n_rows: usize) -> bool {
        const FEWEST_NUMBERS: usize = 20;
        const MOST_PERCENT: usize = 10;
        let cells = n_rows.saturating_sub(self.n_missing);
        !self.mixed
            && self.n_texts > 0
            && cells.saturating_sub(self.n_texts) >= FEWEST_NUMBERS
            && 100 * self.n_texts <= MOST_PERCENT * cells
    }

    pub(super) fn finish(self, n_rows: usize, is_part: bool) -> Result<Inference, FileProblem> {
        let has_dates = self.choice.is_none() && self.has_dates();
        let name = self.name;
        if let TextState::Learning(learner, evidence) | TextState::Learnt(learner, evidence) = self.text {
            let text = if is_part { Ok(learner.unfinished()) } else { learner.finish() };
            let text = text.map_err(|error| FileProblem::Text { column: name.clone(), error })?;
            let reason = evidence.map_or(Reason::Override, |Evidence { cells, distinct, words }| {
                Reason::FreeText { cells, distinct, words }
            });
            return Ok(Inference {
                column: name,
                kind: Kind::Text(text.into()),
                reason,
                few_values: Vec::new(),
            });
        }
        if let TextState::TooManyLevels { limit } = self.text {
            let (kind, reason) =
                (Kind::Categorical { levels: Vec::new() }, Reason::TooManyCategories { limit });
            return Ok(Inference { column: name, kind, reason, few_values: Vec::new() });
        }
        let first_text = self.first_texts.first().cloned();
        let mixed_dates = self.date_finder.conflict();
        let written = self.date_finder.finish().filter(|_| has_dates || self.choice.is_some());
        let compact = self.closely.compact_dates.found().filter(|_| self.choice.is_none());
        let reason = match (self.choice, first_text) {
            _ if has_dates => written.map_or(Reason::Dates, Reason::WrittenDates),
            (None, _) if self.mostly_numeric.is_some() => {
                let cells = self.mostly_numeric.unwrap_or_default();
                Reason::MostlyNumeric { cells, texts: self.n_texts, first: self.first_texts }
            }
            (Some(KindChoice::Dates), _) => written.map_or(Reason::Override, Reason::ChosenDates),
            (Some(KindChoice::Numeric), _) if self.numbers == NumbersOrDates::Dates => {
                written.map_or(Reason::Override, Reason::ChosenDates)
            }
            (Some(_), _) => Reason::Override,
            _ if self.code.is_some() => {
                let (line, value) = self.code.unwrap_or_default();
                Reason::Codes { line, value }
            }
            (None, Some((line, value))) if self.has_numbers => Reason::Mixed { line, value },
            (None, Some(_)) => match mixed_dates {
                Some([first, other]) => {
                    Reason::MixedDates { first, other, is_diverse: self.evidence.is_diverse() }
                }
                None => Reason::Text,
            },
            (None, None) if self.has_numbers => {
                match (self.closely.row_numbers.reason(), self.first_marked) {
                    _ if compact.is_some() => compact.map_or(Reason::AllNumbers, Reason::WrittenDates),
                    (Some(reason), _) => reason,
                    (None, Some((line, first))) => {
                        Reason::MarkedNumbers { cells: self.n_marked, line, first }
                    }
                    (None, None) => Reason::AllNumbers,
                }
            }
            (None, None) => Reason::AllMissing,
        };
        let is_categorical = match self.choice {
            Some(choice) => choice == KindChoice::Categorical,
            None => {
                self.mixed
                    || matches!(
                        reason,
                        Reason::Mixed { .. }
                            | Reason::Codes { .. }
                            | Reason::Text
                            | Reason::MixedDates { .. }
                    )
            }
        };
        let kind = match self.choice {
            Some(KindChoice::Count) => Kind::Count,
            Some(KindChoice::NonNegative) if self.n_fractions == 0 => Kind::Count,
            Some(KindChoice::Dates) if self.n_times > 0 => Kind::Dates(self.dates),
            Some(KindChoice::Dates) => Kind::Dates(self.dates.without_hour()),
            _ if is_categorical => Kind::Categorical { levels: self.levels.into_iter().collect() },
            _ => Kind::Numeric,
        };
        let useless = match &kind {
            _ if self.choice.is_some() || self.mostly_numeric.is_some() || n_rows < 2 => None,
            _ if matches!(reason, Reason::MixedDates { .. } | Reason::WrittenDates(_)) => None,
            Kind::Categorical { levels } => of_categories(&name, levels, self.evidence),
            Kind::Numeric => of_numbers(&self.closely.few_values, self.closely.may_identify),
            _ => None,
        };
        let reason = useless.unwrap_or(reason);
        let few_values = if kind == Kind::Numeric { self.closely.few_values.finish() } else { Vec::new() };
        Ok(Inference { column: name, kind, reason, few_values })
    }
}

/// Why numbers, in a column whose kind is not given, say nothing of other rows; `may_identify` if all are
/// whole and the name of the column is one of identifiers.
pub(in crate::read) fn of_numbers(values: &FewValues, may_identify: bool) -> Option<Reason> {
    match values.constant() {
        Some(value) => Some(Reason::Constant { value: value.to_string() }),
        None if may_identify && values.is_closed() => Some(Reason::Identifier),
        None => None,
    }
}

/// Why categories, in a column whose kind is not given, say nothing of other rows.
pub(in crate::read) fn of_categories(name: &str, levels: &[String], evidence: Evidence) -> Option<Reason> {
    match levels {
        [value] => Some(Reason::Constant { value: format!("{:?}", shortened(value)) }),
        [_, _, ..] if evidence.distinct == evidence.cells && names_rows(name) => Some(Reason::RowNumbers),
        _ if evidence.is_diverse() => {
            Some(Reason::ManyCategories { cells: evidence.cells, distinct: evidence.distinct })
        }
        _ => None,
    }
}
