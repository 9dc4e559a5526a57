//! How the dates of a column are written, as all of its cells say together.

use crate::{
    DateOrder,
    read::{
        cells::written_date::{Orders, days_of},
        columns::inferred::Reason,
    },
};

/// How the dates of a column are written, and which cell shows it: what [`Reason::WrittenDates`] and
/// [`Reason::ChosenDates`] have.
///
/// A number above 12 is no month, so that one such cell settles whether day or month is first for all of
/// them. Where no cell does, it is the month after slashes and else the day, unless
/// [`Overrides::date_order`](crate::read::Overrides::date_order) says otherwise.
///
/// ```
/// use nb_table::{DateOrder, read::{Csv, Overrides, Reason}};
///
/// let reason = |cells: &'static str| {
///     let inferred = Csv::default().infer_from(|| Ok(cells.as_bytes()), "visits", "y", &Overrides::default());
///     inferred.map(|inferred| inferred.columns[0].reason.clone())
/// };
/// let Reason::WrittenDates(dates) = reason("day,y\n03/04/2020,a\n27/09/2020,b\n")? else { panic!() };
/// assert_eq!((dates.order(), dates.is_settled()), (DateOrder::DayMonthYear, true));
/// assert_eq!(dates.to_string(), "day first: line 3 has \"27/09/2020\"");
/// let Reason::WrittenDates(dates) = reason("day,y\n03/04/2020,a\n05/09/2020,b\n")? else { panic!() };
/// assert_eq!((dates.order(), dates.is_settled()), (DateOrder::MonthDayYear, false));
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenDates {
    /// The orders in which all cells are dates.
    pub(super) possible: Orders,
    /// The order of the column that the caller has given.
    pub(super) given: Option<DateOrder>,
    /// The order that the caller wants where the cells leave a choice.
    pub(super) wanted: Option<DateOrder>,
    /// The line and text of the first cell that is not as ISO 8601 writes it; line 0 if the file has no
    /// lines.
    pub(super) first: Option<(u64, String)>,
    /// The same of the cell that leaves one order.
    pub(super) settled_by: Option<(u64, String)>,
}

impl WrittenDates {
    /// The order in which they are read.
    ///
    /// ```
    /// use nb_table::{DateOrder, read::{Csv, Overrides}};
    ///
    /// let cells = "day,y\n03.04.2020,a\n05.04.2020,b\n";
    /// let inferred = Csv::default().infer_from(|| Ok(cells.as_bytes()), "visits", "y", &Overrides::default())?;
    /// assert_eq!(inferred.columns[0].reason.dates().unwrap().order(), DateOrder::DayMonthYear);
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    pub fn order(&self) -> DateOrder {
        let likely = self.possible.likely();
        if let Some(order) = self.given.or(likely.single()) {
            return order;
        }
        if let Some(order) = self.wanted.filter(|order| self.possible.contains(*order)) {
            return order;
        }
        let has_slashes = self.first.as_ref().is_some_and(|(_, text)| text.contains('/'));
        let default = if has_slashes { DateOrder::MonthDayYear } else { DateOrder::DayMonthYear };
        if likely.contains(default) {
            return default;
        }
        DateOrder::ALL.into_iter().find(|order| likely.contains(*order)).unwrap_or(default)
    }

    /// Whether the cells say it, or the caller has said it of this column.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// let cells = "day,y\n03.04.2020,a\n05.04.2020,b\n";
    /// let inferred = Csv::default().infer_from(|| Ok(cells.as_bytes()), "visits", "y", &Overrides::default())?;
    /// assert!(!inferred.columns[0].reason.dates().unwrap().is_settled());
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    pub fn is_settled(&self) -> bool {
        self.given.is_some() || self.possible.likely().single().is_some()
    }

    /// The same with the cells of another file; `None` if they have no order in common.
    pub(super) fn union(self, other: Self) -> Option<Self> {
        let possible = self.possible.and(other.possible);
        let settled_by = self.settled_by.or(other.settled_by);
        (!possible.is_empty()).then_some(Self {
            possible,
            given: self.given.or(other.given),
            wanted: self.wanted.or(other.wanted),
            first: self.first.or(other.first),
            settled_by,
        })
    }

    /// The cell that says most of the order.
    pub(super) fn cell(&self) -> Option<&(u64, String)> {
        self.settled_by.as_ref().or(self.first.as_ref())
    }
}

impl std::fmt::Display for WrittenDates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let order = self.order();
        if self.given.is_some() {
            return write!(f, "{order} as requested");
        }
        let asked = if self.wanted == Some(order) { " as requested" } else { "" };
        if self.is_settled() {
            write!(f, "{order}")?;
        } else {
            write!(f, "{} is not settled by the cells: read as {order}{asked}", self.possible)?;
        }
        let separator = if self.is_settled() { ":" } else { ";" };
        match self.cell() {
            Some((0, text)) => write!(f, ", such as {text:?}"),
            Some((line, text)) => write!(f, "{separator} line {line} has {text:?}"),
            None => Ok(()),
        }
    }
}

/// Why a column of two files has dates, if one of them has dates that are not all as ISO 8601 writes them.
///
/// # Errors
/// What both have, if their cells have no order in common.
pub(super) fn of_both(first: &Reason, second: &Reason) -> Option<Result<Reason, [WrittenDates; 2]>> {
    let is_iso = |reason: &Reason| matches!(reason, Reason::Dates | Reason::Override);
    match (first, second) {
        (
            Reason::WrittenDates(own) | Reason::ChosenDates(own),
            Reason::WrittenDates(other) | Reason::ChosenDates(other),
        ) => {
            let both = own.clone().union(other.clone());
            let both = both.map(|both| match first {
                Reason::ChosenDates(_) => Reason::ChosenDates(both),
                _ => Reason::WrittenDates(both),
            });
            Some(both.ok_or_else(|| [own.clone(), other.clone()]))
        }
        (written @ (Reason::WrittenDates(_) | Reason::ChosenDates(_)), iso)
        | (iso, written @ (Reason::WrittenDates(_) | Reason::ChosenDates(_)))
            if is_iso(iso) =>
        {
            Some(Ok(written.clone()))
        }
        (Reason::WrittenDates(dates), other) | (other, Reason::WrittenDates(dates)) => {
            Some(Ok(with_numbers(dates, other)))
        }
        _ => None,
    }
}

/// Why a column has its kind that has dates in one file and numbers in another.
fn with_numbers(dates: &WrittenDates, other: &Reason) -> Reason {
    let is_date = |value: &str| days_of(value, Some(DateOrder::Compact)).is_some();
    match other {
        _ if dates.order() != DateOrder::Compact => Reason::WrittenDates(dates.clone()),
        Reason::Constant { value } if is_date(value) => Reason::WrittenDates(dates.clone()),
        Reason::MarkedNumbers { .. } | Reason::MostlyNumeric { .. } => other.clone(),
        _ => Reason::AllNumbers,
    }
}

/// Whether the dates of a column of several files can be read in one order.
pub(in crate::read) fn have_one_order<'a>(reasons: impl IntoIterator<Item = &'a Reason>) -> bool {
    let dates = reasons.into_iter().filter_map(Reason::dates);
    !dates.fold(Orders::ALL, |possible, dates| possible.and(dates.possible)).is_empty()
}
