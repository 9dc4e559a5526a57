//! A column of dates as several columns of the model.

use std::sync::LazyLock;

use crate::{Kind, read::cells::date::text_of_days};

/// A feature that a column of dates makes. Dates with a time zone are those of Coordinated Universal Time; a
/// date without a time of day is its midnight.
///
/// ```
/// use nb_table::DatePart;
///
/// assert_eq!("weekday".parse(), Ok(DatePart::Weekday));
/// assert!("week".parse::<DatePart>().unwrap_err().to_string().contains("year, month, weekday, hour, days"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatePart {
    /// The year, a number.
    Year,
    /// The month, one of twelve categories from `1` to `12`.
    Month,
    /// The day of the week, one of seven categories from `Monday` to `Sunday`.
    Weekday,
    /// The hour of the day, one of 24 categories from `0` to `23`.
    Hour,
    /// The days since 1970-01-01, a number; the time of day is its fraction.
    Days,
}

/// Why a text is not the name of a part of dates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a part of dates; the parts are year, month, weekday, hour, days")]
pub struct UnknownDatePart {
    /// The text.
    pub name: String,
}

impl DatePart {
    /// All parts, in their order in a model.
    pub const ALL: [Self; 5] = [Self::Year, Self::Month, Self::Weekday, Self::Hour, Self::Days];

    /// What names of features and options call it.
    ///
    /// ```
    /// assert_eq!(nb_table::DatePart::Weekday.name(), "weekday");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
            Self::Days => "days",
        }
    }

    /// What the values of the feature mean.
    pub(crate) fn kind(self) -> &'static Kind {
        static KINDS: LazyLock<[Kind; 3]> = LazyLock::new(|| {
            let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
            [
                (1..=12).map(|month: u8| month.to_string()).collect(),
                days.map(String::from).into(),
                (0..24).map(|hour: u8| hour.to_string()).collect(),
            ]
            .map(|levels| Kind::Categorical { levels })
        });
        match self {
            Self::Year | Self::Days => &Kind::Numeric,
            Self::Month => &KINDS[0],
            Self::Weekday => &KINDS[1],
            Self::Hour => &KINDS[2],
        }
    }
}

impl std::str::FromStr for DatePart {
    type Err = UnknownDatePart;

    fn from_str(name: &str) -> Result<Self, UnknownDatePart> {
        let part = Self::ALL.into_iter().find(|part| part.name() == name);
        part.ok_or_else(|| UnknownDatePart { name: name.into() })
    }
}

impl std::fmt::Display for DatePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Which features a column of dates makes: a set of parts.
///
/// ```
/// use nb_table::{DatePart, DateParts};
///
/// let parts = DateParts::from_iter([DatePart::Days, DatePart::Month]);
/// assert_eq!(parts.iter().collect::<Vec<_>>(), [DatePart::Month, DatePart::Days]);
/// assert_eq!(parts.to_string(), "month, days");
/// assert!(!DateParts::default().contains(DatePart::Year));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateParts(u8);

impl Default for DateParts {
    /// Month, weekday, hour and days: the year says little that the days do not, and would count twice.
    fn default() -> Self {
        [DatePart::Month, DatePart::Weekday, DatePart::Hour, DatePart::Days].into_iter().collect()
    }
}

impl FromIterator<DatePart> for DateParts {
    fn from_iter<I: IntoIterator<Item = DatePart>>(parts: I) -> Self {
        Self(parts.into_iter().fold(0, |set, part| set | 1 << part as u8))
    }
}

impl DateParts {
    /// The parts, in their order in a model.
    pub fn iter(self) -> impl Iterator<Item = DatePart> {
        DatePart::ALL.into_iter().filter(move |part| self.contains(*part))
    }

    /// Whether a part is among them.
    pub fn contains(self, part: DatePart) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The date with these values of the features, to the second, as ISO 8601 writes it; nothing if the days
    /// are not among the parts or missing.
    ///
    /// ```
    /// use nb_table::{DatePart, DateParts};
    ///
    /// let parts = DateParts::from_iter([DatePart::Weekday, DatePart::Days]);
    /// assert_eq!(parts.text(&[2.0, 19_753.5]).as_deref(), Some("2024-01-31T12:00:00"));
    /// assert_eq!(DateParts::from_iter([DatePart::Month]).text(&[0.0]), None);
    /// ```
    pub fn text(self, values: &[f64]) -> Option<String> {
        let days = self.iter().zip(values).find(|(part, _)| *part == DatePart::Days);
        days.filter(|(_, days)| days.is_finite()).map(|(_, &days)| text_of_days(days))
    }

    /// The part at a place; nothing if there are not as many.
    pub(crate) fn get(self, place: usize) -> Option<DatePart> {
        self.iter().nth(place)
    }

    /// The parts of both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The same for a column without times of day: the hour is left out, unless it is all there is.
    #[cfg_attr(not(any(feature = "csv", feature = "arrow")), expect(dead_code, reason = "for readers"))]
    pub(crate) fn without_hour(self) -> Self {
        let rest = Self(self.0 & !(1 << DatePart::Hour as u8));
        if rest.is_empty() { self } else { rest }
    }
}

impl std::fmt::Display for DateParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.iter().map(DatePart::name).collect();
        f.write_str(&names.join(", "))
    }
}
