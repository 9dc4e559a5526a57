//! Dates and times of day as numbers: days since 1970-01-01.

#[cfg(any(feature = "csv", feature = "arrow"))]
use crate::read::CellProblem;
use crate::{DatePart, DateParts};

/// How many nanoseconds a day has.
const DAY: i128 = 86_400 * NANOS;
/// How many nanoseconds a second has.
const NANOS: i128 = 1_000_000_000;

/// `ticks / ticks_per_day`, the days since 1970-01-01T00:00, rounded to the nearest double.
pub(in crate::read) fn days_since_epoch(ticks: i128, ticks_per_day: i128) -> f64 {
    const EXACT: i128 = 1 << f64::MANTISSA_DIGITS;
    const BITS: i32 = 63;
    if (-EXACT..=EXACT).contains(&ticks) && ticks_per_day <= EXACT {
        // Both are doubles, so that the only rounding is that of the division.
        return ticks as f64 / ticks_per_day as f64;
    }
    // 63 more bits than the quotient's own are more than a double holds; the lowest bit is sticky for the
    // remainder.
    let (size, per_day) = (ticks.unsigned_abs(), ticks_per_day.unsigned_abs());
    let rest = (size % per_day) << BITS;
    let quotient = (((size / per_day) << BITS) + rest / per_day) | u128::from(!rest.is_multiple_of(per_day));
    let days = quotient as f64 / 2_f64.powi(BITS);
    if ticks < 0 { -days } else { days }
}

/// A date and time, of Coordinated Universal Time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The days since 1970-01-01.
    day: i64,
    /// The nanoseconds since midnight.
    nanos: i64,
}

impl Moment {
    /// The days since 1970-01-01T00:00.
    pub(super) fn days(self) -> f64 {
        days_since_epoch(i128::from(self.day) * DAY + i128::from(self.nanos), DAY)
    }

    /// Whether it is not midnight.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn has_time(self) -> bool {
        self.nanos != 0
    }

    /// The values of features, in their order: numbers, and codes of categories.
    pub(crate) fn values(self, parts: DateParts) -> impl Iterator<Item = f64> {
        let (year, month, _) = date_of_days(self.day);
        parts.iter().map(move |part| match part {
            DatePart::Year => year as f64,
            DatePart::Month => (month - 1) as f64,
            // 1970-01-01 was a Thursday.
            DatePart::Weekday => (self.day + 3).rem_euclid(7) as f64,
            DatePart::Hour => (self.nanos / (3600 * NANOS as i64)) as f64,
            DatePart::Days => self.days(),
        })
    }
}

/// A date, or a date and time, as ISO 8601 writes it: `2024-01-31`, `2024-01-31 12:30`,
/// `2024-01-31T12:30:59.25Z`, `2024-01-31T12:30+02:00`. Fractions of seconds beyond nanoseconds are dropped.
/// `None` if the text is none.
pub(crate) fn moment_of_text(text: &str) -> Option<Moment> {
    let mut rest = text.trim().as_bytes();
    // Most texts are none.
    let rest = &mut rest;
    let year = digits(rest, 4)?;
    expect(rest, b"-")?;
    let month = digits(rest, 2)?;
    expect(rest, b"-")?;
    let day = digits(rest, 2)?;
    if !(1..=12).contains(&month) || !(1..=days_of_month(year, month)).contains(&day) {
        return None;
    }
    let days = days_of_date(year, month, day);
    if rest.is_empty() {
        return Some(Moment { day: days, nanos: 0 });
    }
    expect(rest, b"Tt ")?;
    let (hour, minute) = hours_and_minutes(rest)?;
    let (second, nanos) = seconds(rest)?;
    let minutes = 60 * hour + minute - zone(rest)?;
    rest.is_empty().then(|| moment(days, 60 * minutes + second, nanos))
}

/// Takes seconds and their fraction, as nanoseconds, if they follow.
pub(super) fn seconds(rest: &mut &[u8]) -> Option<(i64, i64)> {
    if expect(rest, b":").is_none() {
        return Some((0, 0));
    }
    let second = digits(rest, 2)?;
    // A leap second is the first one of the next minute.
    if second > 60 {
        return None;
    }
    let nanos = if expect(rest, b".,").is_some() { fraction(rest)? } else { 0 };
    Some((second, nanos))
}

/// Takes a time zone, if one follows: its minutes before Coordinated Universal Time.
pub(super) fn zone(rest: &mut &[u8]) -> Option<i64> {
    match expect(rest, b"Zz+-") {
        None | Some(b'Z' | b'z') => Some(0),
        Some(sign) => {
            let (hours, minutes) = hours_and_minutes(rest)?;
            Some(if sign == b'-' { -1 } else { 1 } * (60 * hours + minutes))
        }
    }
}

/// This many seconds and nanoseconds after the midnight of a day: a time zone or a leap second may lead into
/// another day.
pub(super) fn moment(days: i64, seconds: i64, nanos: i64) -> Moment {
    let (days_more, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    Moment { day: days + days_more, nanos: of_day * NANOS as i64 + nanos }
}

fn hours_and_minutes(rest: &mut &[u8]) -> Option<(i64, i64)> {
    let hour = digits(rest, 2)?;
    expect(rest, b":")?;
    let minute = digits(rest, 2)?;
    (hour < 24 && minute < 60).then_some((hour, minute))
}

/// Takes one of these bytes.
pub(super) fn expect(rest: &mut &[u8], any_of: &[u8]) -> Option<u8> {
    let (&first, others) = rest.split_first()?;
    any_of.contains(&first).then(|| {
        *rest = others;
        first
    })
}

/// Takes `n_digits` digits as a number.
pub(super) fn digits(rest: &mut &[u8], n_digits: usize) -> Option<i64> {
    let (digits, others) = rest.split_at_checked(n_digits)?;
    *rest = others;
    digits
        .iter()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| 10 * number + i64::from(digit - b'0')))
}

/// Takes the digits of a fraction: how many nanoseconds they are.
fn fraction(rest: &mut &[u8]) -> Option<i64> {
    const MOST: usize = 9;
    let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let kept = n_digits.min(MOST);
    let nanos = digits(rest, kept)? * 10_i64.pow((MOST - kept) as u32);
    *rest = &rest[n_digits - kept..];
    (n_digits > 0).then_some(nanos)
}

pub(super) fn days_of_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days between 1970-01-01 and a date of the proleptic Gregorian calendar.
pub(super) fn days_of_date(year: i64, month: i64, day: i64) -> i64 {
    // Years begin with March here, so that the leap day is the last of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + 365 * of_era + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, month and day of the month of the date `days` after 1970-01-01.
fn date_of_days(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year + i64::from(month <= 2), month, day)
}

/// The ISO 8601 text of the date `days` after 1970-01-01.
#[cfg(feature = "arrow")]
pub(in crate::read) fn date_text(days: i64) -> String {
    let (year, month, day) = date_of_days(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The ISO 8601 text of the time of day `ticks` after midnight.
#[cfg(any(feature = "arrow", feature = "excel"))]
pub(in crate::read) fn time_text(ticks: i64, ticks_per_second: i64) -> String {
    let (seconds, fraction) = (ticks.div_euclid(ticks_per_second), ticks.rem_euclid(ticks_per_second));
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{hour:02}:{minute:02}:{second:02}");
    if fraction != 0 {
        let width = ticks_per_second.ilog10() as usize;
        let fraction = format!("{fraction:0width$}");
        text.push('.');
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

/// The ISO 8601 text of the timestamp `ticks` after 1970-01-01T00:00.
#[cfg(feature = "arrow")]
pub(in crate::read) fn moment_text(ticks: i64, ticks_per_second: i64) -> String {
    let per_day = 86_400 * ticks_per_second;
    let (days, of_day) = (ticks.div_euclid(per_day), ticks.rem_euclid(per_day));
    format!("{}T{}", date_text(days), time_text(of_day, ticks_per_second))
}

/// The ISO 8601 text of the whole second nearest to a number of days since 1970-01-01: a date if it is
/// midnight.
pub(crate) fn text_of_days(days: f64) -> String {
    const SECONDS: i64 = 86_400;
    let seconds = (days * SECONDS as f64).round() as i64;
    let (year, month, day) = date_of_days(seconds.div_euclid(SECONDS));
    let of_day = seconds.rem_euclid(SECONDS);
    let date = format!("{year:04}-{month:02}-{day:02}");
    match of_day {
        0 => date,
        _ => format!("{date}T{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60),
    }
}

/// What a column of numbers has held so far: dates are numbers only where all cells are dates.
#[cfg(any(feature = "csv", feature = "arrow"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::read) enum NumbersOrDates {
    /// No cell with a value yet.
    #[default]
    Unknown,
    Numbers,
    Dates,
}

#[cfg(any(feature = "csv", feature = "arrow"))]
impl NumbersOrDates {
    /// The number of the next cell, given what it is as a number, NaN if it is missing, and what it is as a
    /// date: the days since 1970-01-01, or why it is none.
    pub(in crate::read) fn look(
        &mut self,
        number: Result<f64, CellProblem>,
        date: impl FnOnce() -> Result<f64, CellProblem>,
    ) -> Result<f64, CellProblem> {
        match (*self, number) {
            (_, Ok(missing)) if missing.is_nan() => Ok(missing),
            (Self::Dates, Ok(_)) => Err(date().err().unwrap_or(CellProblem::NotADate)),
            (_, Ok(value)) => {
                *self = Self::Numbers;
                Ok(value)
            }
            (Self::Unknown | Self::Dates, Err(CellProblem::NotANumber)) => match date() {
                Ok(days) => {
                    *self = Self::Dates;
                    Ok(days)
                }
                // Of a column whose cells are not known to be dates.
                Err(CellProblem::NotADate) if *self == Self::Unknown => Err(CellProblem::NotANumber),
                problem => problem,
            },
            (_, problem) => problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days_of_text(text: &str) -> Option<f64> {
        moment_of_text(text).map(Moment::days)
    }

    #[test]
    fn dates_and_times_are_days() {
        for (text, days) in [
            ("1970-01-01", 0.0),
            (" 1969-12-31 ", -1.0),
            ("2000-02-29", 11_016.0),
            ("2024-01-05", 19_727.0),
            ("0001-01-01", -719_162.0),
            ("9999-12-31", 2_932_896.0),
            ("1970-01-01T12:00", 0.5),
            ("1970-01-01 06:00:00Z", 0.25),
            ("1970-01-02T00:00:00.000", 1.0),
            ("1970-01-01T02:00:00+02:00", 0.0),
            ("1970-01-01t00:00-06:00", 0.25),
            ("1970-01-01T00:00:00.5", 0.5 / 86_400.0),
            ("1970-01-01T00:00:00,0000000019", 1.0 / 86_400e9),
            ("1969-12-31T23:59:60Z", 0.0),
        ] {
            assert_eq!(days_of_text(text), Some(days), "{text}");
        }
        for text in [
            "",
            "2024",
            "2024-01",
            "20240105",
            "2024-1-05",
            "2024-13-01",
            "2023-02-29",
            "2024-04-31",
            "2024-00-10",
            "05.01.2024",
            "2024-01-05T",
            "2024-01-05T24:00",
            "2024-01-05T12:60",
            "2024-01-05T12:30:61",
            "2024-01-05T12:30:59.",
            "2024-01-05T12:30+2:00",
            "2024-01-05T12:30Z0",
            "2024-01-05X12:30",
            "2024-01-05 12",
            "２０２４-01-05",
        ] {
            assert_eq!(days_of_text(text), None, "{text}");
        }
    }

    /// Every day of a thousand years, by counting.
    #[cfg(feature = "arrow")]
    #[test]
    fn days_follow_one_another() {
        let mut expected = days_of_date(1500, 1, 1);
        for year in 1500..2500 {
            for month in 1..=12 {
                for day in 1..=days_of_month(year, month) {
                    let text = date_text(expected);
                    assert_eq!(text, format!("{year:04}-{month:02}-{day:02}"));
                    assert_eq!(days_of_text(&text), Some(expected as f64));
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn parts_are_those_of_the_calendar() {
        let parts = |text: &str| {
            let all = DatePart::ALL.into_iter().collect();
            moment_of_text(text).unwrap().values(all).collect::<Vec<_>>()
        };
        // Codes count from 0: January, Monday, the first hour.
        assert_eq!(parts("1970-01-01"), [1970.0, 0.0, 3.0, 0.0, 0.0]);
        assert_eq!(parts("1969-12-31T23:59"), [1969.0, 11.0, 2.0, 23.0, -1.0 / 1440.0]);
        assert_eq!(parts("2024-02-29T12:00:00Z"), [2024.0, 1.0, 3.0, 12.0, 19_782.5]);
        // The time zone leads into the day before, the leap second into the next.
        assert_eq!(parts("2024-03-01T01:30+02:00")[..4], [2024.0, 1.0, 3.0, 23.0]);
        assert_eq!(parts("2016-12-31T23:59:60Z"), [2017.0, 0.0, 6.0, 0.0, 17_167.0]);
        assert_eq!(text_of_days(19_782.5), "2024-02-29T12:00:00");
        assert_eq!(text_of_days(-0.000_001), "1970-01-01");
    }

    #[test]
    fn ticks_are_rounded_once() {
        // 2^62 nanoseconds are 53375.995583650321560... days.
        assert_eq!(days_since_epoch(1 << 62, DAY), 53_375.995_583_650_32);
        assert_eq!(days_since_epoch(-(1 << 62), DAY), -53_375.995_583_650_32);
        assert_eq!(days_since_epoch(i128::from(i64::MAX), DAY), 106_751.991_167_300_64);
        assert_eq!(days_since_epoch(19_727 * DAY, DAY), 19_727.0);
        assert_eq!(days_since_epoch(1, 86_400), 1.0 / 86_400.0);
    }

    #[cfg(feature = "arrow")]
    #[test]
    fn moments_are_written_as_they_are_read() {
        assert_eq!(moment_text(0, 1), "1970-01-01T00:00:00");
        assert_eq!(moment_text(-1, 1_000_000_000), "1969-12-31T23:59:59.999999999");
        assert_eq!(moment_text(1_500, 1000), "1970-01-01T00:00:01.5");
        assert_eq!(time_text(43_200_000, 1000), "12:00:00");
        for ticks in [0, 1, -1, 86_399_999, i64::from(u32::MAX), 253_402_300_799_999] {
            let days = days_since_epoch(i128::from(ticks), 86_400_000);
            assert_eq!(days_of_text(&moment_text(ticks, 1000)), Some(days), "{ticks}");
        }
    }
}
