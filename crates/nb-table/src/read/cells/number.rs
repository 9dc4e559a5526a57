//! Text to numbers.

use crate::read::CellProblem;

/// The number that a text spells, to the nearest double. Spaces around it are allowed; thousands separators,
/// units, and names of infinity are not.
pub(crate) fn number(text: &str) -> Result<f64, CellProblem> {
    let value: f64 = text.trim().parse().map_err(|_| CellProblem::NotANumber)?;
    if value.is_nan() {
        return Err(CellProblem::NotANumber);
    }
    if value.is_infinite() { Err(CellProblem::Infinite) } else { Ok(value) }
}

/// The same of a number with other decimals: a comma where `decimal` is one, and then no point.
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(crate) fn number_with(text: &str, decimal: u8) -> Result<f64, CellProblem> {
    if decimal != b',' {
        return number(text);
    }
    if text.contains('.') { Err(CellProblem::NotANumber) } else { number(&text.replacen(',', ".", 1)) }
}

/// The largest whole number up to which doubles hold all of them.
pub(crate) const LARGEST_COUNT: f64 = 9_007_199_254_740_992.0;

/// Refuses numbers that are not counts.
pub(crate) fn count(value: f64) -> Result<f64, CellProblem> {
    let is_count = (0.0..=LARGEST_COUNT).contains(&value) && value.fract() == 0.0;
    // Adding zero makes a negative zero positive.
    if is_count { Ok(value + 0.0) } else { Err(CellProblem::NotACount) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole() {
        assert_eq!(count(3.0), Ok(3.0));
        assert!(count(-0.0).is_ok_and(f64::is_sign_positive));
        for value in [-1.0, 0.5, 1e16] {
            assert_eq!(count(value), Err(CellProblem::NotACount));
        }
    }

    #[cfg(any(feature = "csv", feature = "arrow"))]
    #[test]
    fn decimals_behind_commas() {
        for (text, value) in [("1,5", 1.5), (" -0,25 ", -0.25), ("7", 7.0), ("1,5e3", 1500.0)] {
            assert_eq!(number_with(text, b','), Ok(value));
        }
        for text in ["1.5", "1.234,5", "1,2,3", ",", ""] {
            assert_eq!(number_with(text, b','), Err(CellProblem::NotANumber), "{text}");
        }
        assert_eq!(number_with("1.5", b'.'), Ok(1.5));
    }

    #[test]
    fn numbers_are_read_to_the_nearest_double() {
        assert_eq!(number(" 0.1\t"), Ok(0.1));
        assert_eq!(number("+1.5E-3"), Ok(0.0015));
        assert_eq!(number("5e-324"), Ok(f64::from_bits(1)));
        for text in ["", "1,000", "0x10", "1_000", "NaN", "-nan", "12 kg", "1.0.0", "١"] {
            assert_eq!(number(text), Err(CellProblem::NotANumber), "{text}");
        }
        for text in ["inf", "-Infinity", "1e309"] {
            assert_eq!(number(text), Err(CellProblem::Infinite), "{text}");
        }
    }
}
