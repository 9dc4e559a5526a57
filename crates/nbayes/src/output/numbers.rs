//! Numbers for people. What is read back is written with all digits instead.

use std::fmt::Display;

/// A number with five significant digits.
pub(crate) fn short(value: f64) -> String {
    significant(value, 5)
}

/// A number with two significant digits, as of a standard error.
pub(crate) fn rough(value: f64) -> String {
    significant(value, 2)
}

fn significant(value: f64, n_digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}").replace("NaN", "undefined");
    }
    let exponent = value.abs().log10().floor();
    if (-5.0..6.0).contains(&exponent) {
        let decimals = (n_digits as f64 - 1.0 - exponent).max(0.0) as usize;
        let text = format!("{value:.decimals$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        return text.to_owned();
    }
    format!("{value:.*e}", n_digits - 1)
}

/// A measure by its name. A calibration error of 0 is one that cannot be distinguished from chance, and not
/// exact probabilities.
pub(crate) fn measure(name: &str, value: f64) -> String {
    if name == "calibration error" && value == 0.0 { "≈ 0".into() } else { short(value) }
}

/// A number with as many digits as it takes to read it back, and with an exponent where that is shorter.
pub(crate) fn exact(value: f64) -> String {
    let mut text = String::new();
    push_exact(&mut text, value);
    text
}

/// Writes the same behind a text.
pub(crate) fn push_exact(text: &mut String, value: f64) {
    let mut buffer = ryu::Buffer::new();
    let digits = buffer.format(value);
    text.push_str(digits.strip_suffix(".0").unwrap_or(digits));
}

/// A number of things, as in a sentence.
pub(crate) fn counted<N: Copy + PartialEq + From<u8> + Display>(n: N, one: &str, many: &str) -> String {
    let noun = if n == N::from(1) { one } else { many };
    format!("{n} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_digits() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (2.345_678_9, "2.3457"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.2346e6"),
            (0.000_012_345_6, "0.000012346"),
            (1e-9, "1.0000e-9"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "undefined"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1_usize, "row", "rows"), "1 row");
        assert_eq!(counted(0_u64, "row", "rows"), "0 rows");
        assert_eq!(
            (counted(1.0, "row", "rows"), counted(1.5, "row", "rows")),
            ("1 row".into(), "1.5 rows".into())
        );
    }

    #[test]
    fn all_digits() {
        for (value, text) in
            [(0.1, "0.1"), (-1e-7, "-1e-7"), (5e-324, "5e-324"), (1e22, "1e22"), (150.0, "150")]
        {
            assert_eq!(exact(value), text);
            assert_eq!(text.parse(), Ok(value));
        }
    }

    proptest::proptest! {
        #[test]
        fn numbers_are_as_short_as_those_of_the_standard_library(bits in proptest::num::u64::ANY, near in -12_i32..25) {
            let whole = (bits >> 40) as f64;
            let fraction = f64::from_bits(bits >> 12 | 1023 << 52);
            for value in [f64::from_bits(bits), whole, whole * 10_f64.powi(near), fraction * 10_f64.powi(near)] {
                let is_plain = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
                let expected = if is_plain { value.to_string() } else { format!("{value:e}") };
                let found = exact(value);
                // Of two as short as each other and as near, either may be written.
                proptest::prop_assert_eq!(found.len(), expected.len(), "{} {}", found, expected);
                proptest::prop_assert_eq!(found.contains('e'), expected.contains('e'));
                let read: f64 = found.parse().unwrap();
                proptest::prop_assert!(read.to_bits() == value.to_bits() || value.is_nan());
            }
        }
    }
}
