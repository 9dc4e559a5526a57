//! Cells of tables with named columns: texts to the numbers of their column.

use std::collections::BTreeSet;

use crate::read::columns::Levels;
use crate::{
    Column, DateOrder, DateParts, Kind, category_name,
    read::{
        CellProblem, TableOptions,
        cells::{
            date::NumbersOrDates,
            marked::marked_number,
            number::{count, number_with},
            written_date::{days_of, moment_of},
        },
    },
    text::TextCounter,
};

/// The weight that a number is.
pub(in crate::read) fn weight(number: Result<f64, CellProblem>) -> Result<f64, CellProblem> {
    number.ok().filter(|weight| *weight >= 0.0).ok_or(CellProblem::NotAWeight)
}

/// The texts that mean that a cell is missing, and how numbers are written.
#[derive(Debug)]
pub(in crate::read) struct Missing {
    /// In order; there are few, so that searching them is faster than hashing.
    spellings: Vec<String>,
    longest: usize,
    /// For each first byte the lengths of the spellings, as bits: most cells are numbers, which are told
    /// apart by this alone.
    lengths: Box<[u64; 256]>,
    /// Whether a number may mean that a cell is missing, such as -999.
    numbers: bool,
    /// What is before the decimals of numbers.
    decimal: u8,
}

impl Missing {
    /// The markers of delimited text.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn of_text(table: &TableOptions) -> Self {
        table.missing.as_ref().map_or_else(|| Self::new(&crate::read::missing_markers()), Self::new)
    }

    /// The markers of a format that has missing cells of its own.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn of_typed(table: &TableOptions) -> Self {
        table.missing.as_ref().map_or_else(|| Self::new(&BTreeSet::new()), Self::new)
    }

    fn new(spellings: &BTreeSet<String>) -> Self {
        let mut lengths = Box::new([0; 256]);
        for spelling in spellings {
            let first = spelling.as_bytes().first().map_or(0, |byte| usize::from(*byte));
            lengths[first] |= bit_of_length(spelling);
        }
        Self {
            spellings: spellings.iter().cloned().collect(),
            lengths,
            longest: spellings.iter().map(String::len).max().unwrap_or(0),
            numbers: spellings.iter().any(|spelling| number_with(spelling, b'.').is_ok()),
            decimal: b'.',
        }
    }

    /// The same for numbers with decimals behind this byte.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn with_decimal(self, decimal: u8) -> Self {
        let numbers = self.spellings.iter().any(|spelling| number_with(spelling, decimal).is_ok());
        Self { numbers, decimal, ..self }
    }

    /// The number that a text spells, whether or not it means that a cell is missing.
    pub(in crate::read) fn parse(&self, text: &str) -> Result<f64, CellProblem> {
        number_with(text, self.decimal)
    }

    /// The number that a text spells with grouped thousands, a currency or a percent sign.
    pub(in crate::read) fn parse_marked(&self, text: &str) -> Option<f64> {
        marked_number(text, self.decimal)
    }

    pub(in crate::read) fn contains(&self, text: &str) -> bool {
        let first = text.as_bytes().first().map_or(0, |byte| usize::from(*byte));
        text.len() <= self.longest
            && self.lengths[first] & bit_of_length(text) != 0
            && self.spellings.binary_search_by(|spelling| spelling.as_str().cmp(text)).is_ok()
    }

    /// Whether a number is more than its digits: it may mean that a cell is missing, or is written with a
    /// comma.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn needs_texts(&self) -> bool {
        self.numbers || self.decimal != b'.'
    }

    /// The number in a cell; NaN if it is missing. Most cells are numbers, so that is tried first where it
    /// can be.
    pub(in crate::read) fn number(&self, text: &str) -> Result<f64, CellProblem> {
        if self.numbers && self.contains(text) {
            return Ok(f64::NAN);
        }
        self.parse(text).or_else(|problem| match problem {
            _ if self.contains(text) => Ok(f64::NAN),
            CellProblem::NotANumber => self.parse_marked(text).or_else(|| truth(text)).ok_or(problem),
            _ => Err(problem),
        })
    }
}

/// The bit of the length of a text; that of 63 for all longer ones.
fn bit_of_length(text: &str) -> u64 {
    1 << text.len().min(63)
}

/// The number of a truth value in a column of numbers, as Arrow has it: pandas and workbooks write `True`
/// where others write 1.
fn truth(text: &str) -> Option<f64> {
    match category_name(text) {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => None,
    }
}

/// What turns the text of a cell into the number of its column.
#[derive(Debug)]
pub(in crate::read) enum Cell {
    /// What the cells before were: the dates of a column of dates, which may be written in an order, are the
    /// days since 1970-01-01.
    Numeric(NumbersOrDates, Option<DateOrder>),
    Count,
    Categorical(Levels),
    Text(Box<TextCell>),
    Dates(DateCell),
}

/// What turns a date into the values of its parts.
#[derive(Debug)]
pub(in crate::read) struct DateCell {
    parts: DateParts,
    order: Option<DateOrder>,
    /// The parts of the last date.
    values: Vec<f64>,
}

impl DateCell {
    /// Takes a date in the place of the one before; a missing one has no part.
    fn read(&mut self, text: Option<&str>) -> Result<(), CellProblem> {
        self.values.clear();
        match text {
            Some(text) => {
                let moment = moment_of(text, self.order).ok_or_else(|| not_a_date(self.order))?;
                self.values.extend(moment.values(self.parts));
            }
            None => self.values.resize(self.parts.len(), f64::NAN),
        }
        Ok(())
    }
}

/// The problem of a cell that is no date in this order.
pub(in crate::read) fn not_a_date(order: Option<DateOrder>) -> CellProblem {
    order.map_or(CellProblem::NotADate, |order| CellProblem::NotADateIn { order })
}

/// What turns a text into the values of its terms.
#[derive(Debug)]
pub(in crate::read) struct TextCell {
    counter: TextCounter,
    /// The terms of the last text.
    values: Vec<(usize, f64)>,
}

impl TextCell {
    /// Takes a text, which has no missing spellings, in the place of the one before.
    fn read(&mut self, text: &str) {
        self.counter.count(text, &mut self.values);
    }

    /// The places and values of the terms of the last text.
    fn values(&self) -> &[(usize, f64)] {
        &self.values
    }
}

impl Cell {
    /// What reads the cells of a column.
    pub(in crate::read) fn new(column: &Column, table: &TableOptions) -> Self {
        let (policy, order) = (table.new_levels, table.date_orders.get(&column.name).copied());
        match &column.kind {
            // Eight digits are a number.
            Kind::Numeric => {
                Self::Numeric(NumbersOrDates::default(), order.filter(|order| *order != DateOrder::Compact))
            }
            Kind::Count => Self::Count,
            Kind::Categorical { levels } => Self::Categorical(Levels::new(levels, policy)),
            Kind::Text(text) => {
                Self::Text(Box::new(TextCell { counter: text.counter(), values: Vec::new() }))
            }
            Kind::Dates(parts) => Self::Dates(DateCell { parts: *parts, order, values: Vec::new() }),
        }
    }

    /// Takes a cell without a text.
    #[cfg(feature = "arrow")]
    pub(in crate::read) fn parse_none(&mut self) -> Result<f64, CellProblem> {
        match self {
            Self::Dates(cell) => cell.read(None).map(|()| f64::NAN),
            _ => Ok(f64::NAN),
        }
    }

    /// Shows the features of the last cell, of which `value` is the number, and their values. `first` is the
    /// first feature.
    pub(in crate::read) fn for_each_feature(
        &self,
        first: usize,
        value: f64,
        mut show: impl FnMut(usize, f64),
    ) {
        match self {
            Self::Text(text) => text.values().iter().for_each(|&(term, value)| show(first + term, value)),
            Self::Dates(dates) => {
                dates.values.iter().enumerate().for_each(|(place, &value)| show(first + place, value));
            }
            _ => show(first, value),
        }
    }

    /// Checks a cell as [`parse`](Self::parse) does, without changing anything, and without the limit on the
    /// number of categories.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn check(
        &self,
        text: &str,
        missing: &Missing,
        names: &[String],
    ) -> Result<(), CellProblem> {
        match self {
            Self::Categorical(levels) if !missing.contains(text) => levels.check(text, names),
            Self::Dates(cell) if !missing.contains(text) && moment_of(text, cell.order).is_none() => {
                Err(not_a_date(cell.order))
            }
            Self::Categorical(_) | Self::Text(_) | Self::Dates(_) => Ok(()),
            Self::Count => {
                let value = missing.number(text)?;
                if value.is_nan() { Ok(()) } else { count(value).map(drop) }
            }
            Self::Numeric(before, order) => {
                let date = || days_of(text, *order).ok_or_else(|| not_a_date(*order));
                { *before }.look(missing.number(text), date).map(drop)
            }
        }
    }

    /// The number of a cell; zero for a text or date, whose numbers are in its terms or parts. `kind` is that
    /// of the schema, whose categories may grow.
    pub(in crate::read) fn parse(
        &mut self,
        text: &str,
        missing: &Missing,
        kind: &mut Kind,
    ) -> Result<f64, CellProblem> {
        match (self, kind) {
            (Self::Categorical(_), _) if missing.contains(text) => Ok(f64::NAN),
            (Self::Categorical(levels), Kind::Categorical { levels: names }) => levels.code(text, names),
            (Self::Text(cell), _) => {
                cell.read(text);
                Ok(0.0)
            }
            (Self::Dates(cell), _) => {
                cell.read(Some(text).filter(|text| !missing.contains(text))).map(|()| 0.0)
            }
            (Self::Count, _) => {
                let value = missing.number(text)?;
                if value.is_nan() { Ok(value) } else { count(value) }
            }
            (Self::Numeric(before, order), _) => {
                before.look(missing.number(text), || days_of(text, *order).ok_or_else(|| not_a_date(*order)))
            }
            _ => missing.number(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_can_mean_missing() {
        let missing = Missing::new(&[String::new(), "-999".into()].into());
        assert!(missing.number("-999").is_ok_and(f64::is_nan));
        assert!(missing.number("").is_ok_and(f64::is_nan));
        assert_eq!(missing.number("-998"), Ok(-998.0));
        assert_eq!(missing.number("NA"), Err(CellProblem::NotANumber));
        assert_eq!((missing.number("TRUE"), missing.number("False")), (Ok(1.0), Ok(0.0)));
        assert_eq!(missing.number("yes"), Err(CellProblem::NotANumber));
    }
}
