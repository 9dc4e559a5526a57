//! Decimals and times as numbers and as texts.

use std::fmt::Display;

use arrow_array::{
    Array, ArrowPrimitiveType, PrimitiveArray,
    cast::AsArray,
    types::{
        Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
        DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
        Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
        TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    },
};
use arrow_schema::{DataType, TimeUnit};

use super::values::Values;
use crate::read::cells::date::{date_text, days_since_epoch, moment_text, time_text};

/// The values of an array of decimals, dates or times; none if it is of another type.
pub(super) fn of(array: &dyn Array) -> Option<Values<'_>> {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    Some(match array.data_type() {
        &DataType::Decimal32(_, scale) => decimal::<Decimal32Type>(array, scale),
        &DataType::Decimal64(_, scale) => decimal::<Decimal64Type>(array, scale),
        &DataType::Decimal128(_, scale) => decimal::<Decimal128Type>(array, scale),
        &DataType::Decimal256(_, scale) => decimal::<Decimal256Type>(array, scale),
        DataType::Date32 => shown::<Date32Type>(array, 1, date_text),
        DataType::Date64 => shown::<Date64Type>(array, 86_400_000, |ticks| {
            if ticks % 86_400_000 == 0 { date_text(ticks / 86_400_000) } else { moment_text(ticks, 1000) }
        }),
        DataType::Timestamp(unit, zone) => {
            let zone = if zone.is_some() { "Z" } else { "" };
            match unit {
                Second => moments::<TimestampSecondType>(array, 1, zone),
                Millisecond => moments::<TimestampMillisecondType>(array, 1000, zone),
                Microsecond => moments::<TimestampMicrosecondType>(array, 1_000_000, zone),
                Nanosecond => moments::<TimestampNanosecondType>(array, 1_000_000_000, zone),
            }
        }
        DataType::Time32(Second) => times::<Time32SecondType>(array, 1),
        DataType::Time32(Millisecond) => times::<Time32MillisecondType>(array, 1000),
        DataType::Time64(Microsecond) => times::<Time64MicrosecondType>(array, 1_000_000),
        DataType::Time64(Nanosecond) => times::<Time64NanosecondType>(array, 1_000_000_000),
        DataType::Duration(Second) => durations::<DurationSecondType>(array, 1),
        DataType::Duration(Millisecond) => durations::<DurationMillisecondType>(array, 1000),
        DataType::Duration(Microsecond) => durations::<DurationMicrosecondType>(array, 1_000_000),
        DataType::Duration(Nanosecond) => durations::<DurationNanosecondType>(array, 1_000_000_000),
        _ => return None,
    })
}

fn value<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    array.is_valid(row).then(|| array.value(row))
}

fn decimal<T: ArrowPrimitiveType<Native: Display>>(array: &dyn Array, scale: i8) -> Values<'_> {
    let array = array.as_primitive::<T>();
    Values::Shown {
        number: Box::new(move |row| {
            value(array, row).map(|digits| decimal_number(&digits.to_string(), scale))
        }),
        text: Box::new(move |row| value(array, row).map(|digits| decimal_text(&digits.to_string(), scale))),
    }
}

/// The double nearest to `digits · 10^-scale`.
fn decimal_number(digits: &str, scale: i8) -> f64 {
    // The standard library rounds once, to the nearest double. Digits with an exponent always are a number.
    format!("{digits}e{}", -i32::from(scale)).parse().unwrap_or(f64::NAN)
}

/// The decimal without zeros at its end.
fn decimal_text(digits: &str, scale: i8) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let Ok(n_decimals) = usize::try_from(scale) else {
        let zeros = if digits == "0" { 0 } else { usize::from(scale.unsigned_abs()) };
        return format!("{sign}{digits}{:0<zeros$}", "");
    };
    let digits = format!("{digits:0>width$}", width = n_decimals + 1);
    let (whole, decimals) = digits.split_at(digits.len() - n_decimals);
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }
}

fn shown<'a, T: ArrowPrimitiveType<Native: Into<i64>>>(
    array: &'a dyn Array,
    ticks_per_day: i128,
    show: impl Fn(i64) -> String + 'a,
) -> Values<'a> {
    let array = array.as_primitive::<T>();
    let ticks = move |row| value(array, row).map(Into::<i64>::into);
    Values::Shown {
        number: Box::new(move |row| Some(days_since_epoch(ticks(row)?.into(), ticks_per_day))),
        text: Box::new(move |row| ticks(row).map(&show)),
    }
}

fn moments<'a, T: ArrowPrimitiveType<Native: Into<i64>>>(
    array: &'a dyn Array,
    per_second: i64,
    zone: &'static str,
) -> Values<'a> {
    shown::<T>(array, 86_400 * i128::from(per_second), move |ticks| moment_text(ticks, per_second) + zone)
}

fn times<T: ArrowPrimitiveType<Native: Into<i64>>>(array: &dyn Array, per_second: i64) -> Values<'_> {
    shown::<T>(array, 86_400 * i128::from(per_second), move |ticks| time_text(ticks, per_second))
}

fn durations<T: ArrowPrimitiveType<Native: Into<i64>>>(array: &dyn Array, per_second: i64) -> Values<'_> {
    let per_day = 86_400 * i128::from(per_second);
    shown::<T>(array, per_day, move |ticks| days_since_epoch(ticks.into(), per_day).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_the_nearest_doubles() {
        for (digits, scale, number, text) in [
            ("1", 1, 0.1, "0.1"),
            ("-1", 1, -0.1, "-0.1"),
            ("0", 3, 0.0, "0"),
            ("1500", 3, 1.5, "1.5"),
            ("12", 0, 12.0, "12"),
            ("12", -3, 12_000.0, "12000"),
            ("0", -3, 0.0, "0"),
            // Halfway between two doubles goes to the even one, and anything more to the next.
            ("9007199254740993", 0, 9_007_199_254_740_992.0, "9007199254740993"),
            (
                "90071992547409930000000000000000000001",
                22,
                9_007_199_254_740_994.0,
                "9007199254740993.0000000000000000000001",
            ),
            // A division of rounded doubles would give 0.30000000000000004.
            ("300000000000000000000000000000000001", 36, 0.3, "0.300000000000000000000000000000000001"),
            (
                "123456789012345678901234567890123456789012345678901234567890",
                30,
                1.234_567_890_123_456_8e29,
                "123456789012345678901234567890.12345678901234567890123456789",
            ),
            ("1", 127, 1e-127, &format!("0.{}1", "0".repeat(126))),
            ("1", -128, 1e128, &format!("1{}", "0".repeat(128))),
        ] {
            assert_eq!(decimal_number(digits, scale), number, "{digits}, {scale}");
            assert_eq!(decimal_text(digits, scale), text, "{digits}, {scale}");
        }
    }
}
