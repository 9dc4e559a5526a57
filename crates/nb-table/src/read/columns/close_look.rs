//! What the numbers of a column say beside that they are numbers.

use super::{
    compact_dates::CompactDates, few::FewValues, identifier::names_identifier, row_numbers::RowNumbers,
};
use crate::read::KindChoice;

/// What may become of a column of numbers, until its numbers say that it is nothing of the kind.
#[derive(Debug)]
pub(in crate::read) struct CloseLook {
    pub(in crate::read) few_values: FewValues,
    pub(in crate::read) row_numbers: RowNumbers,
    pub(in crate::read) compact_dates: CompactDates,
    /// Whether the column may be one of identifiers: its name suggests it, and its numbers are whole.
    pub(in crate::read) may_identify: bool,
    /// Whether the next number matters to one of these. Most numbers of a file do not.
    pub(in crate::read) is_open: bool,
}

impl CloseLook {
    pub(in crate::read) fn new(name: &str, choice: Option<KindChoice>) -> Self {
        Self {
            few_values: FewValues::default(),
            row_numbers: RowNumbers::new(name, choice),
            compact_dates: CompactDates::new(name, choice),
            may_identify: choice.is_none() && names_identifier(name),
            is_open: true,
        }
    }

    /// Looks at the next number.
    pub(in crate::read) fn look(&mut self, value: f64) {
        self.few_values.look(value);
        self.row_numbers.look(value);
        self.compact_dates.look(value);
        self.may_identify = self.may_identify && value.fract() == 0.0;
        self.is_open = !self.few_values.is_closed()
            || self.row_numbers.is_open()
            || self.compact_dates.is_open()
            || self.may_identify;
    }
}
