//! Plain decimals, such as `-12.345678`, straight from the bytes of a file.
//!
//! Eight bytes are looked at as one integer: where the digits end and what they spell takes a few operations
//! on a whole word (SWAR; the reading of eight digits by three multiplications is Daniel Lemire's, "Quickly
//! parsing eight digits", 2018), and no branch depends on the digits, on their number or on the sign, which
//! nothing could predict. The digits are a whole number below 2^53 and the power of ten that divides it is at
//! most the 15th: both are doubles, so that the one rounding is that of the division, and the result is the
//! nearest double (Clinger, "How to read floating point numbers accurately", 1990). Numbers of more digits or
//! with an exponent, as programs print doubles in full, are found by their bytes and read by the standard
//! library (Eisel and Lemire's method: Lemire, "Number parsing at a gigabyte per second", 2021). Whatever
//! else there is is left to [`number`](super::number::number), and so are digits with zeros in front, which
//! may be a code.

/// How many bytes are looked at.
pub(in crate::read) const WINDOW: usize = 32;
/// The most bytes of a plain decimal.
const LONGEST: usize = 15;
/// The most bytes of any other number; a double in full has 24.
const LONGEST_OTHER: usize = 40;

const ONES: u64 = u64::from_le_bytes([1; 8]);
const ZEROS: u64 = ONES * b'0' as u64;
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const WHOLE_POWERS: [u64; 16] =
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 0, 0, 0, 0, 0, 0, 0];

/// Reads one cell after the other, as many as there are numbers to be stored and as there are numbers, each
/// with an `end` behind it: how many there were, and the position behind the last.
pub(in crate::read) fn read_cells(
    bytes: &[u8],
    mut start: usize,
    end: u8,
    numbers: &mut [f64],
) -> (usize, usize) {
    let mut n_read = 0;
    loop {
        let (n_plain, next) = read_plain(bytes, start, end, &mut numbers[n_read..]);
        (n_read, start) = (n_read + n_plain, next);
        let rest = bytes.get(start..).unwrap_or_default();
        match numbers.get_mut(n_read).and_then(|number| Some((number, other(rest, end)?))) {
            Some((number, (value, length))) => {
                *number = value;
                (n_read, start) = (n_read + 1, start + length + 1);
            }
            None => return (n_read, start),
        }
    }
}

/// The same as long as there are plain decimals.
///
/// A separate loop, so that what it works with stays in registers.
#[inline(never)]
fn read_plain(bytes: &[u8], mut start: usize, end: u8, numbers: &mut [f64]) -> (usize, usize) {
    for (n_read, number) in numbers.iter_mut().enumerate() {
        let cell = bytes.get(start..).and_then(<[u8]>::first_chunk).and_then(|window| leading(window, end));
        let Some((value, length)) = cell else { return (n_read, start) };
        *number = value;
        start += length + 1;
    }
    (numbers.len(), start)
}

/// The number before the first `end`, and how many bytes it has; `None` if that is no plain decimal of at
/// most fifteen characters, of which at most seven are before the point.
#[inline(always)]
fn leading(window: &[u8; WINDOW], end: u8) -> Option<(f64, usize)> {
    // The next cell waits for nothing but this.
    let length = position(window, end);
    let start = values_at(window, 0);
    let negative = u64::from(start as u8 == b'-' ^ b'0');
    // A sign counts as a leading zero.
    let start = start & !(0xFF * negative);
    let point = (not_digits(start).trailing_zeros() / 8) as usize;
    if point <= negative as usize || point == 8 || length > LONGEST {
        return None;
    }
    let whole = number_of(start, point);
    let value = if point == length {
        if start as u8 == 0 && point > 1 && negative == 0 {
            return None;
        }
        whole.cast_signed() as f64
    } else {
        let n_decimals = length.wrapping_sub(point + 1);
        if window[point] != b'.' {
            return None;
        }
        if n_decimals.wrapping_sub(1) >= 8 {
            many_decimals(window, point + 1, n_decimals, whole)?
        } else {
            let word = values_at(window, point + 1) << (64 - 8 * n_decimals);
            if not_digits(word) != 0 {
                return None;
            }
            let mantissa = whole * WHOLE_POWERS[n_decimals & 15] + number_of(word, 8);
            mantissa.cast_signed() as f64 / POWERS[n_decimals & 15]
        }
    };
    Some((f64::from_bits(value.to_bits() | negative << 63), length))
}

/// The number with this whole part and no or at least nine decimals from `start` on.
#[inline(never)]
fn many_decimals(window: &[u8; WINDOW], start: usize, n_decimals: usize, whole: u64) -> Option<f64> {
    if n_decimals == 0 {
        return Some(whole as f64);
    }
    let first = values_at(window, start);
    let rest =
        values_at(window, start + 8) << (64 - 8 * n_decimals.checked_sub(8).filter(|&rest| rest < 8)?);
    if not_digits(first) | not_digits(rest) != 0 {
        return None;
    }
    let mantissa = (whole * WHOLE_POWERS[8] + number_of(first, 8))
        .checked_mul(WHOLE_POWERS[n_decimals - 8])?
        .checked_add(number_of(rest, 8))?;
    if mantissa > 1 << f64::MANTISSA_DIGITS {
        return None;
    }
    Some(mantissa as f64 / POWERS[n_decimals])
}

/// The number before the first `end`, and how many bytes it has, if there are more digits than a plain
/// decimal has, or an exponent.
#[inline(never)]
fn other(rest: &[u8], end: u8) -> Option<(f64, usize)> {
    let near = &rest[..rest.len().min(LONGEST_OTHER + 1)];
    let length = near.iter().position(|&byte| !IN_NUMBERS[usize::from(byte)])?;
    let cell = &near[..length];
    let is_number = match cell.strip_prefix(b"-").unwrap_or(cell) {
        // It may be a code.
        [b'0', b'0'..=b'9', ..] => false,
        digits => digits.first().is_some_and(u8::is_ascii_digit),
    };
    if near[length] != end || !is_number {
        return None;
    }
    let value: f64 = str::from_utf8(cell).ok()?.parse().ok()?;
    value.is_finite().then_some((value, length))
}

/// Which bytes are in numbers.
const IN_NUMBERS: [bool; 256] = {
    let (mut is_in, bytes) = ([false; 256], b"0123456789.-+eE");
    let mut place = 0;
    while place < bytes.len() {
        is_in[bytes[place] as usize] = true;
        place += 1;
    }
    is_in
};

/// The position of the first `byte`; 16 if it is not among as many bytes.
#[inline(always)]
fn position(window: &[u8; WINDOW], byte: u8) -> usize {
    let marks = |at: usize| {
        let differences = values_at(window, at) ^ (ONES * u64::from(byte ^ b'0'));
        // The lowest bit is at the first byte that is zero; those above may be wrong.
        differences.wrapping_sub(ONES) & !differences & (ONES << 7)
    };
    let (first, second) = (marks(0), marks(8));
    (u128::from(first) | u128::from(second) << 64).trailing_zeros() as usize / 8
}

/// Eight characters; digits have become their values, others something above nine.
#[inline(always)]
fn values_at(window: &[u8; WINDOW], position: usize) -> u64 {
    window[position..].first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes)) ^ ZEROS
}

/// The highest bit of each value that is not a digit, and perhaps of some behind the first.
#[inline(always)]
fn not_digits(values: u64) -> u64 {
    // A byte above nine reaches its highest bit with this added, or has it already.
    (values.wrapping_add(ONES * 0x76) | values) & (ONES << 7)
}

/// The number that the first one to eight values spell, the most significant first.
#[inline(always)]
fn number_of(values: u64, n_digits: usize) -> u64 {
    // With zeros before them they are eight.
    let digits = values << (64 - 8 * n_digits);
    let pairs = (digits.wrapping_mul(10 * 0x100 + 1) >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100 * 0x1_0000 + 1) >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::cells::number::number;

    /// What is read from a cell with `end` and something else behind it.
    fn read(cell: &str, end: u8) -> Option<(f64, usize)> {
        let mut bytes = cell.as_bytes().to_vec();
        bytes.push(end);
        bytes.extend(*b"9.9,9\n9-.,9\n99999999999999999999999999999");
        let mut numbers = [f64::NAN];
        match read_cells(&bytes, 0, end, &mut numbers) {
            (1, next) => Some((numbers[0], next - 1)),
            _ => None,
        }
    }

    /// It is the nearest double, or is left to the general parser.
    fn check(cell: &str) {
        if let Some((value, length)) = read(cell, b',') {
            let cell = cell.split(',').next().unwrap_or_default();
            assert_eq!(length, cell.len(), "{cell:?}");
            assert_eq!(number(cell).map(f64::to_bits), Ok(value.to_bits()), "{cell:?}");
        }
    }

    #[test]
    fn numbers_are_read() {
        for (cell, value) in [
            ("0", 0.0),
            ("7", 7.0),
            ("-1.120374", -1.120_374),
            ("12.345678", 12.345_678),
            ("1234567.1234567", 1_234_567.123_456_7),
            ("0.1234567890123", 0.123_456_789_012_3),
            ("5.", 5.0),
            ("007.50", 7.5),
            ("0.00000001", 1e-8),
            ("900719.12345678", 900_719.123_456_78),
            ("12345678", 12_345_678.0),
            ("1e5", 1e5),
            ("1.2345678901234567", 1.234_567_890_123_456_7),
            ("-9.99999999999999", -9.999_999_999_999_99),
            ("-2.2250738585072014e-308", -f64::MIN_POSITIVE),
            ("0.1000000000000000055511151231257827", 0.1),
        ] {
            assert_eq!(read(cell, b','), Some((value, cell.len())), "{cell}");
            assert_eq!(read(cell, b'\r'), Some((value, cell.len())), "{cell}");
        }
        assert!(read("-0.0", b',').is_some_and(|(zero, _)| zero.is_sign_negative()));
    }

    #[test]
    fn others_are_left_alone() {
        for cell in [
            "",
            "-",
            ".",
            "-.",
            "+1",
            " 1",
            "1 ",
            "--1",
            "1-",
            "1..2",
            "1.2.3",
            "1.-2",
            "NA",
            "1\n2",
            "1\r",
            ".5",
            "-.5",
            "1e400",
            "1e",
            "00.5e1",
            "1.2345678901234567890123456789012345678901234567890",
            "inf",
            "1_0",
            "0x1",
            "007",
            "00",
            "\u{661}",
        ] {
            assert_eq!(read(cell, b','), None, "{cell:?}");
        }
        // The end of the last cell is not in memory.
        assert_eq!(read_cells(b"1,2,3", 0, b',', &mut [0.0; 3]), (2, 4));
        assert_eq!(read_cells(b"1,2,3", 9, b',', &mut [0.0; 2]), (0, 9));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_characters(cell in "[0-9.,eE+ \n\r-]{0,20}") {
            check(&cell);
        }

        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            if let Ok(cell) = std::str::from_utf8(&bytes) {
                check(cell);
            }
        }

        #[test]
        fn any_decimal(cell in "-?[0-9]{1,8}(\\.[0-9]{0,14})?") {
            check(&cell);
        }

        /// Decimals next to the middle between two doubles are where a second rounding would show.
        #[test]
        fn doubles_and_their_neighbours(bits in any::<u64>(), n_decimals in 0..15_usize, scale in -4..7) {
            let value = f64::from_bits(bits >> 12 | 1023 << 52) * 10_f64.powi(scale);
            check(&format!("{value:.n_decimals$}"));
            check(&format!("{value}"));
        }

        #[test]
        fn doubles_in_full(bits in any::<u64>(), n_decimals in 15..20_usize) {
            let value = f64::from_bits(bits);
            check(&format!("{value:e}"));
            check(&format!("{value:.n_decimals$e}"));
        }
    }
}
