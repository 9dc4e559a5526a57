//! Finding how the dates of a column are written, cell by cell.

use super::written_dates::WrittenDates;
use crate::{
    DateOrder,
    read::{
        CellProblem, OtherDateOrder,
        cells::written_date::{Orders, reading_of},
        error::shortened,
    },
};

/// The minimum number of different dates with two-digit years: fewer may be codes.
const FEWEST_SHORT: usize = 3;

/// What the cells of a column so far say of the order of its dates.
#[derive(Debug)]
pub(in crate::read) struct DateFinder {
    found: WrittenDates,
    /// The first cells with two-digit years, each once.
    short: Vec<String>,
    has_iso_only: bool,
    /// The line and text of the first cell that has no order in common with those before.
    conflict: Option<(u64, String)>,
}

impl DateFinder {
    /// `given` is the order of the column, and `wanted` that where the cells leave a choice. Eight digits are
    /// a number unless the column is said to have dates.
    pub(in crate::read) fn new(
        given: Option<DateOrder>,
        wanted: Option<DateOrder>,
        has_eight_digits: bool,
    ) -> Self {
        let possible = match given {
            Some(order) => Orders::only(order),
            None if has_eight_digits => Orders::ALL,
            None => Orders::ALL.without(DateOrder::Compact),
        };
        let found = WrittenDates { possible, given, wanted, first: None, settled_by: None };
        Self { found, short: Vec::new(), has_iso_only: true, conflict: None }
    }

    /// Looks at a cell: whether it has a time of day.
    pub(in crate::read) fn look(&mut self, text: &str, line: impl Fn() -> u64) -> Result<bool, CellProblem> {
        let not_a_date = match self.found.given {
            Some(order) => CellProblem::NotADateIn { order },
            None => CellProblem::NotADate,
        };
        let Some(reading) = reading_of(text) else {
            return Err(match self.order() {
                Some(order) if self.found.given.is_none() => CellProblem::NotADateIn { order },
                _ => not_a_date,
            });
        };
        if reading.is_iso {
            return Ok(reading.has_time);
        }
        let possible = self.found.possible.and(reading.orders);
        if possible.is_empty() {
            if self.found.given.is_some() || self.found.first.is_none() {
                return Err(not_a_date);
            }
            self.conflict.get_or_insert_with(|| (line(), shortened(text)));
            let (line, cell) = self.found.cell().cloned().unwrap_or_default();
            let in_words = |orders: Orders| match orders.single() {
                Some(DateOrder::Compact) => orders.to_string(),
                _ => format!("the {orders}"),
            };
            let (order, before) = (in_words(reading.orders), in_words(self.found.possible));
            return Err(CellProblem::OtherDateOrder(OtherDateOrder { order, before, line, cell }.into()));
        }
        self.has_iso_only = false;
        if self.found.first.is_none() {
            self.found.first = Some((line(), shortened(text)));
        }
        let is_single = |orders: Orders| orders.likely().single().is_some();
        if self.found.settled_by.is_none() && is_single(possible) {
            self.found.settled_by = Some((line(), shortened(text)));
        }
        self.found.possible = possible;
        let is_new = reading.has_short_year && self.short.len() < FEWEST_SHORT;
        if is_new && !self.short.iter().any(|known| known == text) {
            self.short.push(text.into());
        }
        Ok(reading.has_time)
    }

    /// Whether the order is given by the caller, so that other cells are refused.
    pub(in crate::read) fn is_given(&self) -> bool {
        self.found.given.is_some()
    }

    /// Whether the dates with two-digit years are enough to be no codes.
    pub(in crate::read) fn are_enough(&self) -> bool {
        self.short.is_empty() || self.short.len() == FEWEST_SHORT
    }

    /// The order so far, if a cell needed one.
    fn order(&self) -> Option<DateOrder> {
        (!self.has_iso_only).then(|| self.found.order())
    }

    /// The cells of different orders: one of those before, and the first that has no order in common with
    /// them.
    pub(in crate::read) fn conflict(&self) -> Option<[(u64, String); 2]> {
        Some([self.found.cell()?.clone(), self.conflict.clone()?])
    }

    /// How the dates are written; nothing if all are as ISO 8601 writes them and the caller says no more.
    pub(in crate::read) fn finish(self) -> Option<WrittenDates> {
        (!self.has_iso_only || self.is_given()).then_some(self.found)
    }
}
