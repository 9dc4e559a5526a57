//! Dates that are not as ISO 8601 writes them: days, months and years in other orders, and months by their
//! names.

use super::date::{
    Moment, days_of_date, days_of_month, digits, expect, moment, moment_of_text, seconds, zone,
};
use crate::DateOrder;

/// A date in this order or as ISO 8601 writes it, as days since 1970-01-01.
pub(crate) fn days_of(text: &str, order: Option<DateOrder>) -> Option<f64> {
    moment_of(text, order).map(Moment::days)
}

/// A date in this order or as ISO 8601 writes it.
pub(crate) fn moment_of(text: &str, order: Option<DateOrder>) -> Option<Moment> {
    let iso = moment_of_text(text);
    match order {
        Some(order) if iso.is_none() => Written::of(text)?.moment(order),
        _ => iso,
    }
}

/// Orders of dates: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) struct Orders(u8);

impl Orders {
    pub(in crate::read) const ALL: Self = Self(0b1111);

    pub(in crate::read) fn only(order: DateOrder) -> Self {
        Self(1 << order as u8)
    }

    pub(in crate::read) fn without(self, order: DateOrder) -> Self {
        Self(self.0 & !Self::only(order).0)
    }

    pub(in crate::read) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(in crate::read) fn contains(self, order: DateOrder) -> bool {
        self.and(Self::only(order)) != Self(0)
    }

    pub(in crate::read) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The orders among which there is a choice. Two-digit years are not looked for before months and days:
    /// `01/02/03` may have the day first or the month.
    pub(in crate::read) fn likely(self) -> Self {
        let others = self.without(DateOrder::YearMonthDay);
        if others.is_empty() { self } else { others }
    }

    /// The order, if there is one.
    pub(in crate::read) fn single(self) -> Option<DateOrder> {
        DateOrder::ALL.into_iter().find(|order| self == Self::only(*order))
    }
}

/// As messages name them: `day or month first`.
impl std::fmt::Display for Orders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let likely = self.likely();
        if likely.contains(DateOrder::DayMonthYear) && likely.contains(DateOrder::MonthDayYear) {
            return f.write_str("day or month first");
        }
        let order = DateOrder::ALL.into_iter().find(|order| likely.contains(*order));
        order.map_or(Ok(()), |order| order.fmt(f))
    }
}

/// What a text can mean that may be a date.
#[cfg(any(feature = "csv", feature = "arrow"))]
#[derive(Clone, Copy, Debug)]
pub(in crate::read) struct Reading {
    /// In which orders it is one.
    pub(in crate::read) orders: Orders,
    /// Whether it is as ISO 8601 writes it.
    pub(in crate::read) is_iso: bool,
    pub(in crate::read) has_short_year: bool,
    pub(in crate::read) has_time: bool,
}

/// In which orders a text is a date; `None` if in none.
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(in crate::read) fn reading_of(text: &str) -> Option<Reading> {
    if let Some(moment) = moment_of_text(text) {
        let (orders, has_time) = (Orders::ALL, moment.has_time());
        return Some(Reading { orders, is_iso: true, has_short_year: false, has_time });
    }
    let written = Written::of(text)?;
    let (mut orders, mut has_time) = (Orders(0), false);
    for order in DateOrder::ALL {
        if let Some(moment) = written.moment(order) {
            orders.0 |= Orders::only(order).0;
            has_time |= moment.has_time();
        }
    }
    let has_short_year = !written.fields.iter().any(|field| field.n_digits == 4);
    (!orders.is_empty()).then_some(Reading {
        orders,
        is_iso: false,
        has_short_year: has_short_year && written.separator != NONE,
        has_time,
    })
}

/// One of the three numbers of a date.
#[derive(Clone, Copy, Debug)]
struct Field {
    value: i64,
    /// Zero for the name of a month.
    n_digits: usize,
}

/// What is between the digits of `20240131`.
const NONE: u8 = 0;

/// A text that may be a date, taken apart.
#[derive(Clone, Copy, Debug)]
struct Written {
    fields: [Field; 3],
    separator: u8,
    /// The minutes and seconds since midnight, which with a time zone may be those of another day, and
    /// nanoseconds.
    minutes: i64,
    second: i64,
    nanos: i64,
}

impl Written {
    /// The parts of a text; most texts end at their first letter.
    fn of(text: &str) -> Option<Self> {
        let mut rest = text.trim().as_bytes();
        let rest = &mut rest;
        let (fields, separator) = match eight_digits(rest) {
            Some(fields) => (fields, NONE),
            None => fields(rest)?,
        };
        let (minutes, second, nanos) = if rest.is_empty() { (0, 0, 0) } else { time_of_day(rest)? };
        rest.is_empty().then_some(Self { fields, separator, minutes, second, nanos })
    }

    /// The moment that it is in an order.
    fn moment(&self, order: DateOrder) -> Option<Moment> {
        if (order == DateOrder::Compact) != (self.separator == NONE) {
            return None;
        }
        let [first, second, third] = self.fields;
        let (year, month, day) = match order {
            DateOrder::DayMonthYear => (third, second, first),
            DateOrder::MonthDayYear => (third, first, second),
            DateOrder::YearMonthDay | DateOrder::Compact => (first, second, third),
        };
        // A name is that of the month.
        if [year, day].iter().any(|field| field.n_digits == 0) || month.n_digits > 2 || day.n_digits > 2 {
            return None;
        }
        let year = match year.n_digits {
            4 => year.value,
            2 if self.separator == b'/'
                || month.n_digits == 0
                || (month.n_digits, day.n_digits) == (2, 2) =>
            {
                year.value + if year.value < 69 { 2000 } else { 1900 }
            }
            _ => return None,
        };
        let (month, day) = (month.value, day.value);
        let exists = (1..=12).contains(&month) && (1..=days_of_month(year, month)).contains(&day);
        exists.then(|| moment(days_of_date(year, month, day), 60 * self.minutes + self.second, self.nanos))
    }
}

/// Takes the eight digits of a date of 1900 to 2099.
fn eight_digits(rest: &mut &[u8]) -> Option<[Field; 3]> {
    let mut after = *rest;
    let fields =
        [4, 2, 2].map(|n_digits| digits(&mut after, n_digits).map(|value| Field { value, n_digits }));
    let [Some(year), Some(month), Some(day)] = fields else { return None };
    if after.first().is_some_and(u8::is_ascii_digit) || !(1900..2100).contains(&year.value) {
        return None;
    }
    *rest = after;
    Some([year, month, day])
}

/// Takes three numbers, of which one may be the name of a month, and what is between the first two.
fn fields(rest: &mut &[u8]) -> Option<([Field; 3], u8)> {
    let first = field(rest)?;
    let before = separator(rest)?;
    let second = field(rest)?;
    let behind = separator(rest)?;
    let third = field(rest)?;
    let has_name = [first, second, third].iter().any(|field| field.n_digits == 0);
    let is_even = before == behind && before != b',';
    (is_even || (has_name && before == b' ' && behind == b',')).then_some(([first, second, third], before))
}

/// Takes a number of up to four digits, or the name of a month.
fn field(rest: &mut &[u8]) -> Option<Field> {
    let n_digits = rest.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    match n_digits {
        0 => Some(Field { value: month(rest)?, n_digits: 0 }),
        1 | 2 | 4 => Some(Field { value: digits(rest, n_digits)?, n_digits }),
        _ => None,
    }
}

/// Takes what is between two numbers: one byte, spaces, or a comma and spaces.
fn separator(rest: &mut &[u8]) -> Option<u8> {
    let separator = expect(rest, b"/.- ,")?;
    if matches!(separator, b' ' | b',') {
        *rest = rest.trim_ascii_start();
    }
    Some(separator)
}

/// Takes the English name of a month, whole or its first three letters, which a point may follow before a
/// space.
fn month(rest: &mut &[u8]) -> Option<i64> {
    const NAMES: [&[u8]; 12] = [
        b"january",
        b"february",
        b"march",
        b"april",
        b"may",
        b"june",
        b"july",
        b"august",
        b"september",
        b"october",
        b"november",
        b"december",
    ];
    let n_letters = rest.iter().take(10).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (name, mut after) = rest.split_at_checked(n_letters.max(3))?;
    let is_start =
        |whole: &&[u8]| whole.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let place = NAMES.iter().position(is_start).filter(|&place| {
        [3, NAMES[place].len()].contains(&name.len()) || name.eq_ignore_ascii_case(b"sept")
    })?;
    if let [b'.', b' ', ..] = after {
        after = &after[1..];
    }
    *rest = after;
    i64::try_from(place).ok().map(|place| place + 1)
}

/// Takes a time of day and what is before it: minutes and seconds since midnight, and nanoseconds.
fn time_of_day(rest: &mut &[u8]) -> Option<(i64, i64, i64)> {
    if expect(rest, b"Tt").is_none() {
        expect(rest, b" ,")?;
        *rest = rest.trim_ascii_start();
    }
    let n_digits = rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let mut hour = if matches!(n_digits, 1 | 2) { digits(rest, n_digits)? } else { return None };
    expect(rest, b":")?;
    let minute = digits(rest, 2)?;
    let (second, nanos) = seconds(rest)?;
    let before_spaces = *rest;
    *rest = rest.trim_ascii_start();
    if let Some(half) = expect(rest, b"AaPp") {
        expect(rest, b"Mm")?;
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if half.eq_ignore_ascii_case(&b'p') { 12 } else { 0 };
        return (minute < 60).then_some((60 * hour + minute, second, nanos));
    }
    *rest = before_spaces;
    (hour < 24 && minute < 60).then_some(())?;
    Some((60 * hour + minute - zone(rest)?, second, nanos))
}

#[cfg(all(test, any(feature = "csv", feature = "arrow")))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY: DateOrder = DateOrder::DayMonthYear;
    const MONTH: DateOrder = DateOrder::MonthDayYear;
    const YEAR: DateOrder = DateOrder::YearMonthDay;
    const EIGHT: DateOrder = DateOrder::Compact;

    #[test]
    fn dates_are_read_in_their_order() {
        for (order, text, iso) in [
            (DAY, "27/09/2020", "2020-09-27"),
            (DAY, " 3.4.2020 ", "2020-04-03"),
            (DAY, "27-Sep-2020", "2020-09-27"),
            (DAY, "27 september 2020", "2020-09-27"),
            (DAY, "27 SEPT 2020", "2020-09-27"),
            (DAY, "27-Sep-20", "2020-09-27"),
            (DAY, "31.01.24", "2024-01-31"),
            (DAY, "1/1/68", "2068-01-01"),
            (DAY, "1/1/69", "1969-01-01"),
            (DAY, "29/02/2000", "2000-02-29"),
            (DAY, "27 09 2020", "2020-09-27"),
            (DAY, "2020-09-27", "2020-09-27"),
            (DAY, "27/09/2020 12:30", "2020-09-27T12:30:00"),
            (DAY, "27/09/2020, 9:05:01", "2020-09-27T09:05:01"),
            (DAY, "27/09/2020T09:05:59.75", "2020-09-27T09:06:00"),
            (DAY, "27/09/2020 12:05 AM", "2020-09-27T00:05:00"),
            (DAY, "27/09/2020 12:05pm", "2020-09-27T12:05:00"),
            (DAY, "27/09/2020 23:30-02:00", "2020-09-28T01:30:00"),
            (MONTH, "09/27/2020", "2020-09-27"),
            (MONTH, "Sep 27, 2020", "2020-09-27"),
            (MONTH, "Sep. 27 2020", "2020-09-27"),
            (MONTH, "May 7,2020", "2020-05-07"),
            (MONTH, "9/7/20 1:05 PM", "2020-09-07T13:05:00"),
            (YEAR, "2020/9/7", "2020-09-07"),
            (YEAR, "20/09/27", "2020-09-27"),
            (YEAR, "2020-Sep-27", "2020-09-27"),
            (YEAR, "2020-09-27 9:05", "2020-09-27T09:05:00"),
            (EIGHT, "20200927", "2020-09-27"),
            (EIGHT, "20200927T12:30", "2020-09-27T12:30:00"),
        ] {
            assert_eq!(order.to_iso(text).as_deref(), Some(iso), "{order}, {text}");
        }
        for (order, text) in [
            (DAY, "31/02/2020"),
            (DAY, "13/13/2020"),
            (DAY, "09/27/2020"),
            (DAY, "00/01/2020"),
            (DAY, "29/02/2021"),
            (DAY, "27/09.2020"),
            (DAY, "27/9/020"),
            (DAY, "27/9/20200"),
            (DAY, "3.9.10"),
            (DAY, "27/09/2020 25:00"),
            (DAY, "27/09/2020 13:00 PM"),
            (DAY, "27/09/2020 0:30 am"),
            (DAY, "27/09/2020 noon"),
            (DAY, "27/09/2020x"),
            (DAY, "27 Sepp 2020"),
            (DAY, "27 Se 2020"),
            (DAY, "Sep 27, 2020"),
            (DAY, "27, 09, 2020"),
            (DAY, "27 Sep"),
            (DAY, "20200927"),
            (DAY, "1.5"),
            (DAY, ""),
            (DAY, "Ä7/09/2020"),
            (MONTH, "27/09/2020"),
            (YEAR, "27/09/2020"),
            (EIGHT, "20200231"),
            (EIGHT, "202009271"),
            (EIGHT, "18991231"),
            (EIGHT, "2020-9-27"),
        ] {
            assert_eq!(order.to_iso(text), None, "{order}, {text}");
        }
    }

    #[test]
    fn the_orders_in_which_a_text_is_a_date() {
        let orders = |text: &str| reading_of(text).map(|reading| reading.orders.to_string());
        for (text, expected) in [
            ("27/09/2020", "day first"),
            ("09/27/2020", "month first"),
            ("03/04/2020", "day or month first"),
            ("03/04/05", "day or month first"),
            ("99/12/31", "year first"),
            ("2020/04/03", "year first"),
            ("20200403", "eight digits"),
            ("3 Apr 2020", "day first"),
            ("Apr 3, 2020", "month first"),
        ] {
            assert_eq!(orders(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(reading_of("2020-04-03").map(|reading| reading.orders), Some(Orders::ALL));
        for text in [
            "",
            "a",
            "7",
            "1.5",
            "10.4.1",
            "1.10.12",
            "192.168.10.12",
            "12-34-56",
            "555-1234",
            "Marc 3, 2020",
        ] {
            assert!(orders(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            year in 1900_i64..2100, month in 1_i64..=12, day in 1_i64..=31, seconds in 0_i64..86_400,
            separator in prop::sample::select(vec!['/', '.', '-', ' ']), name in any::<bool>(), wide in any::<bool>(),
        ) {
            const NAMES: [&str; 12] =
                ["Jan", "feb", "March", "APRIL", "May", "Jun", "july", "Aug", "Sept", "oct", "November", "dec"];
            let day = day.min(days_of_month(year, month));
            let digits = |number: i64| if wide { format!("{number:02}") } else { number.to_string() };
            let of_month = if name { NAMES[month as usize - 1].to_owned() } else { digits(month) };
            let fields = [digits(day), of_month, format!("{year:04}")];
            let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            let half = if hour < 12 { "am" } else { "PM" };
            let times = [
                String::new(),
                format!(" {hour}:{minute:02}:{second:02}"),
                format!("T{hour:02}:{minute:02}:{second:02}.000"),
                format!(", {}:{minute:02}:{second:02} {half}", (hour + 11) % 12 + 1),
            ];
            let expected = days_of_date(year, month, day);
            for (order, places) in [(DAY, [0, 1, 2]), (MONTH, [1, 0, 2]), (YEAR, [2, 1, 0])] {
                let date = places.map(|place: usize| fields[place].clone()).join(&separator.to_string());
                for time in &times {
                    let of_day = if time.is_empty() { 0 } else { seconds };
                    let (text, days) = (format!("{date}{time}"), expected as f64 + of_day as f64 / 86_400.0);
                    let found = days_of(&text, Some(order));
                    prop_assert!(found.is_some_and(|found| (found - days).abs() < 1e-9), "{order}, {text}: {found:?}");
                    prop_assert!(reading_of(&text).unwrap().orders.contains(order), "{order}, {text}");
                }
            }
            let text = format!("{year:04}{month:02}{day:02}");
            prop_assert_eq!(days_of(&text, Some(EIGHT)), Some(expected as f64));
        }

        #[test]
        fn no_text_panics(text in "[0-9A-Za-z/., :+-]{0,24}") {
            let _ = reading_of(&text);
        }
    }
}
