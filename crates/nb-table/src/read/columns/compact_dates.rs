//! Telling dates of eight digits, such as 20240131, from numbers.

use super::{identifier::names_identifier, written_dates::WrittenDates};
use crate::{
    DateOrder,
    read::{
        KindChoice,
        cells::written_date::{Orders, days_of},
    },
};

/// The minimum number of different dates. Of random numbers with eight digits one in 1230 is a date of these
/// years, so that three are by chance with a probability of 5e-10.
const FEWEST: usize = 3;

/// The first different numbers of a column, as long as all are dates of 1900 to 2099. Columns with the name
/// of identifiers have none.
#[derive(Debug)]
pub(in crate::read) struct CompactDates {
    is_open: bool,
    different: Vec<f64>,
}

impl CompactDates {
    pub(in crate::read) fn new(name: &str, choice: Option<KindChoice>) -> Self {
        Self { is_open: choice.is_none() && !names_identifier(name), different: Vec::new() }
    }

    /// Looks at the next number.
    pub(in crate::read) fn look(&mut self, value: f64) {
        if !self.is_open {
            return;
        }
        if !is_date(value) {
            self.is_open = false;
        } else if self.different.len() < FEWEST && !self.different.contains(&value) {
            self.different.push(value);
        }
    }

    /// The same: whether the numbers may still be dates.
    #[cfg(feature = "csv")]
    pub(in crate::read) fn looks(&mut self, value: f64) -> bool {
        self.look(value);
        self.is_open
    }

    /// There is a cell that is no plain number.
    pub(in crate::read) fn give_up(&mut self) {
        self.is_open = false;
    }

    /// Whether the next number matters.
    pub(in crate::read) fn is_open(&self) -> bool {
        self.is_open
    }

    /// The dates, if all numbers are dates and enough of them are different.
    pub(in crate::read) fn found(&self) -> Option<WrittenDates> {
        let first = self.different.first().filter(|_| self.is_open && self.different.len() == FEWEST)?;
        Some(WrittenDates {
            possible: Orders::only(DateOrder::Compact),
            given: None,
            wanted: None,
            first: Some((0, first.to_string())),
            settled_by: None,
        })
    }
}

fn is_date(value: f64) -> bool {
    // Most columns end here.
    (19_000_101.0..=20_991_231.0).contains(&value)
        && value.fract() == 0.0
        && days_of(&value.to_string(), Some(DateOrder::Compact)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_dates() {
        let is_found = |name: &str, values: &[f64]| {
            let mut dates = CompactDates::new(name, None);
            for &value in values {
                dates.look(value);
            }
            dates.found().is_some()
        };
        assert!(is_found("day", &[20_240_131.0, 20_240_131.0, 19_991_231.0, 20_000_229.0]));
        // Too few different ones, no date, other years, decimals, and the name of an identifier.
        assert!(!is_found("day", &[20_240_131.0, 20_240_131.0, 19_991_231.0]));
        assert!(!is_found("day", &[20_240_131.0, 20_240_230.0, 19_991_231.0, 20_000_229.0]));
        assert!(!is_found("day", &[20_240_131.0, 21_240_130.0, 19_991_231.0, 20_000_229.0]));
        assert!(!is_found("day", &[20_240_131.5, 20_240_130.0, 19_991_231.0, 20_000_229.0]));
        assert!(!is_found("order_id", &[20_240_131.0, 20_240_130.0, 19_991_231.0, 20_000_229.0]));
        assert!(!is_found("day", &[]));
    }
}
