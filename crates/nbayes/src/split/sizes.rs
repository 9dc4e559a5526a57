//! How many rows are held out.

use std::str::FromStr;

use anyhow::Result;

use crate::failure::usage;

/// A number of rows, or a share of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    Rows(usize),
    Share(f64),
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rows = text.parse().ok().filter(|&rows| rows > 0).map(Self::Rows);
        let share = || text.parse().ok().filter(|&share: &f64| share > 0.0 && share < 1.0).map(Self::Share);
        let size = rows.or_else(share);
        size.ok_or_else(|| {
            "it must be a share between 0 and 1, such as 0.2, or a number of rows, such as 1000".into()
        })
    }
}

impl Size {
    /// How many rows of all that is, one at least.
    fn of(self, n_rows: usize) -> usize {
        match self {
            Self::Rows(rows) => rows,
            Self::Share(share) => ((share * n_rows as f64).round() as usize).max(1),
        }
    }
}

/// How many rows are held out for testing and validation. Some must be left for training.
pub(crate) fn held_out(sizes: &[Size], n_rows: usize) -> Result<Vec<usize>> {
    let rows: Vec<usize> = sizes.iter().map(|size| size.of(n_rows)).collect();
    if rows.iter().try_fold(0_usize, |sum, &rows| sum.checked_add(rows)).is_none_or(|sum| sum >= n_rows) {
        let words: Vec<String> = rows.iter().map(ToString::to_string).collect();
        return Err(usage(format!(
            "{} of {n_rows} rows cannot be held out, as none would be left for training; choose smaller sizes",
            words.join(" and ")
        )));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shares_or_numbers() {
        assert_eq!("0.25".parse(), Ok(Size::Share(0.25)));
        assert_eq!("25".parse(), Ok(Size::Rows(25)));
        for wrong in ["0", "1.0", "-1", "2.5", "NaN", "inf", ""] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
        assert_eq!(held_out(&[Size::Share(0.2), Size::Rows(3)], 10).unwrap(), [2, 3]);
        assert_eq!(held_out(&[Size::Share(0.01)], 10).unwrap(), [1]);
        assert!(held_out(&[Size::Rows(10)], 10).is_err());
        assert!(held_out(&[Size::Rows(usize::MAX), Size::Rows(2)], 10).is_err());
    }
}
