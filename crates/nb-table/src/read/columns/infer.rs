//! Learning the kinds of the columns of a table from all of its rows.
//!
//! A pass keeps little per column: whether there are numbers, the first text that is none, and, for a column
//! that begins with text, the distinct texts. A column that begins with numbers and turns out to have text as
//! well needs its categories from the first row on, so there is a second pass for it; and where the
//! categories turn out to be texts, a further pass counts their terms.

pub(super) mod profile;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    MOST_LEVELS, close_look::CloseLook, codes::Codes, date_finder::DateFinder, free_text::Evidence,
    places::Columns,
};
use crate::{
    Column, DateParts, Schema,
    read::{
        CellProblem, FileProblem, Inference, Inferred, KindChoice, NonNumeric, Overrides,
        cells::{cell::Missing, date::NumbersOrDates, number::count},
        error::shortened,
    },
    text::{TextLearner, TextOptions},
};

/// How many texts among numbers are named.
const FIRST_TEXTS: usize = 3;

/// What is known of a column.
#[derive(Debug)]
struct Profile {
    name: String,
    choice: Option<KindChoice>,
    /// Known from an earlier pass, or from the type of the column, to have texts, so that each is kept.
    mixed: bool,
    has_numbers: bool,
    /// The same for a column that is declared as numbers, which may be dates.
    numbers: NumbersOrDates,
    closely: CloseLook,
    codes: Codes,
    /// The line and text of the first code, if all rows were looked at and the cells are codes.
    code: Option<(u64, String)>,
    /// How many cells are missing, and how many are texts, of a column whose kind is not known.
    n_missing: usize,
    n_texts: usize,
    /// How many of the first texts are dates: if all are, no text is kept as the name of a category.
    n_dates: usize,
    /// The features of a column that is declared as dates, and how many have a time of day.
    dates: DateParts,
    n_times: usize,
    /// How they are written, in texts and in numbers.
    date_finder: DateFinder,
    /// The lines and first texts.
    first_texts: Vec<(u64, String)>,
    /// How many numbers have grouped thousands, a currency or a percent sign, and the first of them with its
    /// line.
    n_marked: usize,
    first_marked: Option<(u64, String)>,
    /// The number of cells that are not missing, if so few are texts that the column is one of numbers.
    mostly_numeric: Option<usize>,
    /// How many cells of a column of numbers from 0 are no counts.
    n_fractions: usize,
    levels: BTreeSet<String>,
    evidence: Evidence,
    text: TextState,
    options: TextOptions,
}

/// How much is known of a column of texts.
#[derive(Debug)]
enum TextState {
    /// It is none, as far as is known.
    None,
    /// It is one, whose terms are counted in the next pass.
    Found(Evidence),
    /// It is one of more categories than can be kept.
    TooManyLevels { limit: usize },
    /// Terms are being counted; the evidence for free text, unless the user has chosen it.
    Learning(TextLearner, Option<Evidence>),
    /// The terms of all rows were counted.
    Learnt(TextLearner, Option<Evidence>),
}

impl TextState {
    /// The terms that were counted.
    fn learner(&self) -> Option<&TextLearner> {
        match self {
            Self::Learning(learner, _) | Self::Learnt(learner, _) => Some(learner),
            Self::None | Self::Found(_) | Self::TooManyLevels { .. } => None,
        }
    }
}

/// What is known of all columns.
#[derive(Debug)]
pub(in crate::read) struct Profiles {
    columns: Vec<Profile>,
    non_numeric: NonNumeric,
    /// Whether the terms of texts are counted together with those of other files.
    is_part: bool,
    most_levels: usize,
    level_bytes: usize,
    n_rows: usize,
}

impl Profiles {
    /// `has_texts` says of a position in the file whether the column there is known to have texts.
    pub(in crate::read) fn new(
        header: &[String],
        columns: &Columns,
        overrides: &Overrides,
        has_texts: impl Fn(usize) -> bool,
    ) -> Result<Self, FileProblem> {
        let profile = |&place: &usize| {
            let name = header[place].clone();
            let choice = overrides.kinds.get(&name).copied();
            let (date_order, for_all) = (overrides.date_orders.get(&name).copied(), overrides.date_order);
            let options = overrides.texts.get(&name).unwrap_or(&overrides.text).clone();
            let mut profile = Profile {
                name,
                choice,
                mixed: choice.is_none() && date_order.is_none() && has_texts(place),
                has_numbers: false,
                numbers: NumbersOrDates::default(),
                closely: CloseLook::new(&header[place], choice),
                codes: Codes::default(),
                code: None,
                n_missing: 0,
                n_texts: 0,
                n_dates: 0,
                dates: overrides.dates,
                n_times: 0,
                date_finder: DateFinder::new(date_order, for_all, choice == Some(KindChoice::Dates)),
                first_texts: Vec::new(),
                n_marked: 0,
                first_marked: None,
                mostly_numeric: None,
                n_fractions: 0,
                levels: BTreeSet::new(),
                evidence: Evidence::default(),
                text: TextState::None,
                options,
            };
            if choice == Some(KindChoice::Text) {
                profile.learn_text(None)?;
            }
            Ok(profile)
        };
        let columns: Vec<Profile> = columns.features.iter().map(profile).collect::<Result<_, _>>()?;
        let (non_numeric, is_part) = (overrides.non_numeric, overrides.is_part);
        Ok(Self { columns, non_numeric, is_part, most_levels: MOST_LEVELS, level_bytes: 0, n_rows: 0 })
    }

    /// Looks at the cell of a column in the next row.
    pub(in crate::read) fn look(
        &mut self,
        column: usize,
        text: &str,
        line: impl Fn() -> u64,
        missing: &Missing,
    ) -> Result<(), CellProblem> {
        let profile = &mut self.columns[column];
        match &mut profile.text {
            TextState::None => {}
            // Texts are taken literally.
            TextState::Learning(learner, _) => {
                return learner.look(text).map_err(CellProblem::TooManyTerms);
            }
            TextState::Found(_) | TextState::TooManyLevels { .. } | TextState::Learnt(..) => return Ok(()),
        }
        if profile.mostly_numeric.is_some() {
            return Ok(());
        }
        if missing.contains(text) {
            profile.n_missing += 1;
            profile.closely.row_numbers.give_up();
            return Ok(());
        }
        match profile.choice {
            Some(KindChoice::Categorical) => {
                return profile.keep(text, self.most_levels, &mut self.level_bytes);
            }
            Some(KindChoice::Numeric) => {
                let date = || profile.date_finder.look(text, &line).map(|_| 0.0);
                return profile.numbers.look(missing.number(text), date).map(drop);
            }
            Some(KindChoice::Count) => return missing.number(text).and_then(count).map(drop),
            Some(KindChoice::NonNegative) => {
                return missing.number(text).and_then(|value| profile.look_at_non_negative(value));
            }
            Some(KindChoice::Text) => return Ok(()),
            Some(KindChoice::Dates) => {
                profile.n_times += usize::from(profile.date_finder.look(text, &line)?);
                return Ok(());
            }
            None if profile.mixed => {
                profile.evidence.cells += 1;
                return profile.keep(text, self.most_levels, &mut self.level_bytes);
            }
            None => {}
        }
        // What is infinite is meant as a number: the reader then refuses the cell by name.
        let number = missing.parse(text);
        let marked = if number == Err(CellProblem::NotANumber) { missing.parse_marked(text) } else { None };
        match marked.map_or(number, Ok) {
            Err(CellProblem::NotANumber) => {
                if profile.n_dates == profile.n_texts {
                    match profile.date_finder.look(text, &line) {
                        Ok(_) => profile.n_dates += 1,
                        Err(problem) if profile.date_finder.is_given() => return Err(problem),
                        Err(_) => {}
                    }
                }
                profile.closely.compact_dates.give_up();
                profile.n_texts += 1;
                profile.closely.row_numbers.give_up();
                profile.codes.look_at_text(text, &line);
                if profile.first_texts.len() < FIRST_TEXTS {
                    profile.first_texts.push((line(), shortened(text)));
                }
            }
            value => {
                let value = value.unwrap_or(f64::INFINITY);
                if profile.date_finder.is_given() {
                    profile.date_finder.look(text, &line)?;
                }
                if marked.is_some() {
                    profile.closely.compact_dates.give_up();
                    profile.n_marked += 1;
                    if profile.first_marked.is_none() {
                        profile.first_marked = Some((line(), shortened(text)));
                    }
                }
                profile.codes.look_at_digits(text, &line);
                profile.look_at(value);
            }
        }
        let begins_with_text = profile.n_dates == 0
            && !profile.first_texts.is_empty()
            && (!profile.has_numbers || !profile.levels.is_empty());
        if !begins_with_text {
            return Ok(());
        }
        profile.evidence.cells += 1;
        profile.keep(text, self.most_levels, &mut self.level_bytes)
    }

    /// Whether all that matters of the next cell of a column is that it is a number.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn expects_number(&self, column: usize) -> bool {
        let profile = &self.columns[column];
        match profile.choice {
            Some(choice) => choice == KindChoice::Numeric && profile.numbers != NumbersOrDates::Dates,
            None if profile.mostly_numeric.is_some() => true,
            // These are looked at one by one.
            None if profile.closely.may_identify || profile.date_finder.is_given() => false,
            None => {
                !profile.mixed && profile.first_texts.is_empty() && matches!(profile.text, TextState::None)
            }
        }
    }

    /// Looks at a cell that is a number and not missing, in a column where that is all that matters.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn look_at_number(&mut self, column: usize, value: f64) {
        let profile = &mut self.columns[column];
        profile.numbers = NumbersOrDates::Numbers;
        profile.look_at(value);
    }

    /// Looks at a value of a column whose type is that of numbers.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn look_at_value(&mut self, column: usize, value: f64) {
        self.columns[column].look_at(value);
    }

    /// Looks at a missing cell of such a column.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn look_at_missing(&mut self, column: usize) {
        self.columns[column].closely.row_numbers.give_up();
    }

    /// Whether the values of a column whose type is that of numbers still matter.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn counts_values(&self, column: usize) -> bool {
        let profile = &self.columns[column];
        // Cells of a column declared as dates are texts.
        profile.closely.is_open && !profile.date_finder.is_given()
    }

    /// Whether a column is one of numbers from 0, of which each is looked at.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn is_non_negative(&self, column: usize) -> bool {
        self.columns[column].choice == Some(KindChoice::NonNegative)
    }

    /// Looks at a number of such a column, or at none if it is NaN.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn look_at_non_negative(
        &mut self,
        column: usize,
        value: f64,
    ) -> Result<(), CellProblem> {
        self.columns[column].look_at_non_negative(value)
    }

    /// Whether cells of a column are worth looking at, where the type of a number says all.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn looks_at_texts(&self, column: usize) -> bool {
        let profile = &self.columns[column];
        match profile.text {
            TextState::None => {
                profile.mixed
                    || profile.date_finder.is_given()
                    || matches!(profile.choice, Some(KindChoice::Categorical | KindChoice::Dates))
            }
            TextState::Learning(..) => true,
            TextState::Found(_) | TextState::TooManyLevels { .. } | TextState::Learnt(..) => false,
        }
    }

    /// Whether a column has texts, of which empty and missing ones are texts, too.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn is_text(&self, column: usize) -> bool {
        matches!(self.columns[column].text, TextState::Learning(..))
    }

    /// Says that all cells of a row were looked at.
    pub(in crate::read) fn end_row(&mut self) {
        self.n_rows += 1;
    }

    pub(in crate::read) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// After a pass over all rows: whether another one is needed.
    pub(in crate::read) fn needs_another_pass(&mut self) -> Result<bool, FileProblem> {
        let mut any = false;
        for profile in &mut self.columns {
            any |= profile.end_pass(&mut self.level_bytes, self.n_rows, self.non_numeric)?;
        }
        if any {
            self.n_rows = 0;
            self.columns.iter_mut().for_each(|profile| profile.evidence.cells = 0);
        }
        Ok(any)
    }

    /// The schema.
    pub(in crate::read) fn finish(self, label: &str) -> Result<Inferred, FileProblem> {
        let (n_rows, is_part) = (self.n_rows, self.is_part);
        let texts = if is_part {
            let learnt = |profile: &Profile| Some((profile.name.clone(), profile.text.learner()?.clone()));
            self.columns.iter().filter_map(learnt).collect()
        } else {
            BTreeMap::new()
        };
        let columns = self.columns.into_iter().map(|profile| profile.finish(n_rows, is_part));
        let columns: Vec<Inference> = columns.collect::<Result<_, _>>()?;
        let of_schema =
            columns.iter().map(|column| Column { name: column.column.clone(), kind: column.kind.clone() });
        let schema = Schema { columns: of_schema.collect(), label: label.into() };
        Ok(Inferred { texts, ..Inferred::new(schema, columns, n_rows) })
    }
}

#[cfg(all(test, feature = "csv"))]
mod tests;
