//! Columns that number or name the rows, and columns whose numbers are in the order of the rows.

use std::collections::HashSet;

use crate::read::{KindChoice, Reason};

/// The minimum number of rows whose numbers are not in order by chance: for n rows in random order the
/// probability is 2/n!, for 11 rows 5e-8. Columns of fewer rows have no more different values than
/// [`FewValues`](super::few::FewValues) keeps.
const FEWEST_IN_ORDER: usize = 11;
/// The most numbers that are kept to see whether all are different.
const MOST_KEPT: usize = 1 << 20;

/// Whether the numbers of a column number the rows.
#[derive(Debug)]
pub(in crate::read) struct RowNumbers {
    /// The numbers so far, if the name is one of columns that number rows.
    different: Option<HashSet<u64>>,
    rises: bool,
    falls: bool,
    last: f64,
    n: usize,
    /// Whether all rows were looked at.
    is_done: bool,
}

impl RowNumbers {
    pub(in crate::read) fn new(name: &str, choice: Option<KindChoice>) -> Self {
        let is_open = choice.is_none();
        let different = (is_open && numbers_rows(name)).then(HashSet::new);
        Self { different, rises: is_open, falls: is_open, last: f64::NAN, n: 0, is_done: false }
    }

    pub(in crate::read) fn look(&mut self, value: f64) {
        if self.is_done || !self.is_open() {
            return;
        }
        // Infinite numbers have no whole part.
        if value.fract() != 0.0 || value.is_infinite() {
            return self.give_up();
        }
        if self.n > 0 {
            self.rises &= value > self.last;
            self.falls &= value < self.last;
        }
        (self.last, self.n) = (value, self.n + 1);
        // Adding zero makes a negative zero positive.
        if let Some(different) = &mut self.different
            && different.len() < MOST_KEPT
            && !different.insert((value + 0.0).to_bits())
        {
            self.different = None;
        }
    }

    /// There is a cell that is no number.
    pub(in crate::read) fn give_up(&mut self) {
        if !self.is_done {
            (self.different, self.rises, self.falls) = (None, false, false);
        }
    }

    /// Whether the next number matters.
    pub(in crate::read) fn is_open(&self) -> bool {
        self.rises || self.falls || self.different.is_some()
    }

    pub(in crate::read) fn is_done(&self) -> bool {
        self.is_done
    }

    /// All rows were looked at; if they are again, nothing changes.
    pub(in crate::read) fn end_pass(&mut self) {
        self.is_done = true;
    }

    /// What they are, if they say nothing of other rows.
    pub(in crate::read) fn reason(&self) -> Option<Reason> {
        // One row alone numbers nothing.
        if self.different.is_some() && self.n > 1 {
            return Some(Reason::RowNumbers);
        }
        let is_in_order = (self.rises || self.falls) && self.n >= FEWEST_IN_ORDER;
        is_in_order.then_some(Reason::InOrder { rises: self.rises })
    }
}

/// Whether a name is one of a column that numbers the rows.
fn numbers_rows(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "",
        "index",
        "idx",
        "level0",
        "obs",
        "obsno",
        "row",
        "rowid",
        "rowindex",
        "rowno",
        "rownum",
        "rownumber",
        "seqno",
        "recno",
    ];
    let name = name.trim().to_lowercase();
    // As pandas and readr name a column without a name.
    let is_unnamed = ["unnamed:", "__index_level_", "..."].iter().any(|start| name.starts_with(start));
    is_unnamed || NAMES.contains(&letters(&name).as_str()) || names_rows(&name)
}

/// Whether a name is one of a column of the names of rows.
pub(in crate::read) fn names_rows(name: &str) -> bool {
    ["rowname", "rownames"].contains(&letters(&name.trim().to_lowercase()).as_str())
}

/// A name without what separates its words.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| !" _-.".contains(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(name: &str, values: impl IntoIterator<Item = f64>) -> Option<Reason> {
        let mut numbers = RowNumbers::new(name, None);
        values.into_iter().for_each(|value| numbers.look(value));
        numbers.reason()
    }

    #[test]
    fn numbers_in_the_order_of_rows() {
        let rising = |n: u32| (0..n).map(|row| f64::from(row * row + 5));
        assert_eq!(reason("year", rising(11)), Some(Reason::InOrder { rises: true }));
        assert_eq!(reason("year", rising(11).map(|value| -value)), Some(Reason::InOrder { rises: false }));
        // Few rows may be in order by chance, and measurements have decimals.
        assert_eq!(reason("year", rising(10)), None);
        assert_eq!(reason("year", rising(50).map(|value| value + 0.5)), None);
        // A value that comes again, or one out of order.
        assert_eq!(reason("year", rising(50).chain([2406.0])), None);
        assert_eq!(reason("year", rising(50).chain([0.0])), None);
        assert_eq!(reason("year", rising(50).chain([f64::INFINITY])), None);
    }

    #[test]
    fn names_make_row_numbers_in_any_order() {
        for name in [
            "",
            " ",
            "Unnamed: 0",
            "Unnamed: 0.1",
            "__index_level_0__",
            "...1",
            "rownames",
            "Row Names",
            "row.names",
            "row_number",
            "INDEX",
            "obs",
            "seqno",
        ] {
            assert_eq!(reason(name, [70.0, 12.0, 31.0]), Some(Reason::RowNumbers), "{name}");
            assert_eq!(reason(name, [70.0, 12.0, 70.0]), None, "{name}");
            assert_eq!(reason(name, [0.0, -0.0]), None, "{name}");
            assert_eq!(reason(name, [1.0, 2.5]), None, "{name}");
            assert_eq!(reason(name, [1.0]), None, "{name}");
        }
        for name in ["x", "indexed", "rows", "observer", "1", "unnamed", "age"] {
            assert_eq!(reason(name, [70.0, 12.0, 31.0]), None, "{name}");
        }
    }

    #[test]
    fn a_second_pass_and_the_word_of_the_caller() {
        let mut numbers = RowNumbers::new("index", None);
        (0..2).for_each(|value| numbers.look(f64::from(value)));
        numbers.end_pass();
        (0..2).for_each(|value| numbers.look(f64::from(value)));
        assert_eq!(numbers.reason(), Some(Reason::RowNumbers));
        let mut chosen = RowNumbers::new("index", Some(KindChoice::Numeric));
        (0..50).for_each(|value| chosen.look(f64::from(value)));
        assert_eq!(chosen.reason(), None);
    }
}
