//! Text to numbers.

use super::CellProblem;

/// The number that a text spells, to the nearest double. Spaces around it are allowed; thousands separators, units,
/// and names of infinity are not.
pub(super) fn number(text: &str) -> Result<f64, CellProblem> {
    let value: f64 = text.trim().parse().map_err(|_| CellProblem::NotANumber)?;
    if value.is_nan() {
        return Err(CellProblem::NotANumber);
    }
    if value.is_infinite() { Err(CellProblem::Infinite) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
