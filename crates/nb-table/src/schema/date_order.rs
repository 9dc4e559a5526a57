//! How the dates of a column are written.

use crate::read::cells::written_date::days_of;

/// How the dates of a column are written, where they are not as ISO 8601 writes them. Dates of ISO 8601
/// (`2024-01-31`, `2024-01-31T12:30:00Z`) are read in every column of dates, whatever its order.
///
/// Between the numbers are slashes, points, hyphens or spaces. Days and months have one digit or two, years
/// four or two: `00` to `68` are 2000 to 2068, `69` to `99` are 1969 to 1999, as POSIX has it. A two-digit
/// year goes with two-digit days and months (`31.01.24`), but after slashes or with the name of a month
/// (`1/31/24`), so that version numbers are no dates. A month may have its English name, of three letters or
/// all, in any case. A time of day may follow a space, a comma or a `T`: `12:30`, `12:30:59.25`, `1:05 PM`;
/// it may have a time zone, as in ISO 8601.
///
/// ```
/// use nb_table::DateOrder;
///
/// let iso = |order: DateOrder, text| order.to_iso(text);
/// assert_eq!(iso(DateOrder::DayMonthYear, "03/04/2020").as_deref(), Some("2020-04-03"));
/// assert_eq!(iso(DateOrder::MonthDayYear, "03/04/2020").as_deref(), Some("2020-03-04"));
/// assert_eq!(iso(DateOrder::MonthDayYear, "Sep 27, 2020 1:05 pm").as_deref(), Some("2020-09-27T13:05:00"));
/// assert_eq!(iso(DateOrder::DayMonthYear, "Sep 27, 2020"), None);
/// assert_eq!("day-first".parse(), Ok(DateOrder::DayMonthYear));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateOrder {
    /// The day, the month, the year: `31/01/2024`, `31.01.2024`, `31 Jan 2024`.
    DayMonthYear,
    /// The month, the day, the year: `01/31/2024`, `Jan 31, 2024`.
    MonthDayYear,
    /// The year, the month, the day: `2024/01/31`, `2024.1.31`.
    YearMonthDay,
    /// Eight digits, first those of the year: `20240131`.
    Compact,
}

/// Why a text is not the name of an order of dates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not an order of dates; the orders are day-first, month-first, year-first, eight-digits")]
pub struct UnknownDateOrder {
    /// The text.
    pub name: String,
}

impl DateOrder {
    /// All orders.
    pub const ALL: [Self; 4] = [Self::DayMonthYear, Self::MonthDayYear, Self::YearMonthDay, Self::Compact];

    /// What options call it.
    ///
    /// ```
    /// assert_eq!(nb_table::DateOrder::MonthDayYear.name(), "month-first");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::DayMonthYear => "day-first",
            Self::MonthDayYear => "month-first",
            Self::YearMonthDay => "year-first",
            Self::Compact => "eight-digits",
        }
    }

    /// The ISO 8601 text of a date in this order, or already in ISO 8601, to the second; nothing if it is
    /// none.
    ///
    /// ```
    /// use nb_table::DateOrder;
    ///
    /// assert_eq!(DateOrder::DayMonthYear.to_iso("31.01.2024 09:05").as_deref(), Some("2024-01-31T09:05:00"));
    /// assert_eq!(DateOrder::DayMonthYear.to_iso("31.02.2024"), None);
    /// ```
    pub fn to_iso(self, text: &str) -> Option<String> {
        days_of(text, Some(self)).map(crate::read::cells::date::text_of_days)
    }

    /// A date in this order, for messages.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::DayMonthYear => "31/01/2024",
            Self::MonthDayYear => "01/31/2024",
            Self::YearMonthDay => "2024/01/31",
            Self::Compact => "20240131",
        }
    }
}

impl std::str::FromStr for DateOrder {
    type Err = UnknownDateOrder;

    fn from_str(name: &str) -> Result<Self, UnknownDateOrder> {
        let order = Self::ALL.into_iter().find(|order| order.name() == name);
        order.ok_or_else(|| UnknownDateOrder { name: name.into() })
    }
}

impl std::fmt::Display for DateOrder {
    /// In words: `day first`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::DayMonthYear => "day first",
            Self::MonthDayYear => "month first",
            Self::YearMonthDay => "year first",
            Self::Compact => "eight digits",
        })
    }
}
