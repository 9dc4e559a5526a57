//! What is known of a column without its cells.

use crate::DesignError;

/// Half the number of steps of the grid of numbers, so that cells are from `-HALF` to `HALF`.
pub(crate) const HALF: i64 = 1 << 15;
/// The largest square of a cell, in steps of the grid of squares.
pub(crate) const LARGEST_SQUARE: i64 = 1 << 16;
/// The power of two by which squares of cells are divided.
const SQUARE_SHIFT: u32 = 14;

/// The most categories of a column.
const MOST_CATEGORIES: usize = 1 << 20;

/// What is known of a column without its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Column {
    /// Numbers. Cells below `low` count as `low`, and those above `high` as `high`: the closer the bounds,
    /// the less the noise. Cells are rounded to 65,536 steps between the bounds.
    Number {
        /// The least number.
        low: f64,
        /// The largest number.
        high: f64,
    },
    /// Categories, coded `0, 1, ...`.
    Categories {
        /// How many there are.
        n: usize,
    },
}

impl Column {
    pub(crate) fn check(&self, column: usize) -> Result<(), DesignError> {
        match *self {
            Self::Number { low, high } if !(low < high && (high - low).is_finite()) => {
                Err(DesignError::Bounds { column, low, high })
            }
            Self::Categories { n } if !(1..=MOST_CATEGORIES).contains(&n) => {
                Err(DesignError::Categories { column, n })
            }
            _ => Ok(()),
        }
    }

    /// By how much one row changes the sums of this column: for each sum, where each row changes only one of
    /// the sums of categories.
    pub(crate) fn sensitivities(&self) -> Vec<i64> {
        match *self {
            Self::Number { .. } => vec![HALF, LARGEST_SQUARE],
            Self::Categories { n } => vec![1; n],
        }
    }

    /// How many sums it has.
    pub(crate) fn n_sums(&self) -> usize {
        match *self {
            Self::Number { .. } => 2,
            Self::Categories { n } => n,
        }
    }

    /// How many of the sums one row can change.
    pub(crate) fn n_changed(&self) -> usize {
        match self {
            Self::Number { .. } => 2,
            Self::Categories { .. } => 1,
        }
    }

    /// Adds a cell to the sums of this column; `false` if it cannot be in it.
    pub(crate) fn add(&self, cell: f64, sums: &mut [i64]) -> bool {
        match *self {
            Self::Number { low, high } => {
                let [sum, squares] = sums else { return false };
                if cell.is_nan() {
                    return false;
                }
                let steps = (cell.clamp(low, high) - low) / (high - low) * (2 * HALF) as f64;
                let step = (steps.round() as i64).min(2 * HALF) - HALF;
                *sum += step;
                *squares += (step * step + (1 << (SQUARE_SHIFT - 1))) >> SQUARE_SHIFT;
                true
            }
            Self::Categories { .. } => {
                let code = cell as usize;
                let sum = sums.get_mut(code).filter(|_| code as f64 == cell);
                sum.map(|sum| *sum += 1).is_some()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Column, HALF, LARGEST_SQUARE};

    proptest! {
        /// What the noise must hide is never more than what it is made for.
        #[test]
        fn a_cell_changes_sums_by_at_most_the_sensitivity(
            low in -1e300_f64..1e300, width in 1e-3_f64..1e300, cell in prop::num::f64::ANY,
        ) {
            let column = Column::Number { low, high: low + width };
            prop_assume!(column.check(0).is_ok());
            let mut sums = [0, 0];
            prop_assert_eq!(column.add(cell, &mut sums), !cell.is_nan());
            prop_assert!(sums[0].abs() <= HALF && (0..=LARGEST_SQUARE).contains(&sums[1]));
        }

        #[test]
        fn a_code_changes_one_sum_by_one(n in 1_usize..9, cell in prop::num::f64::ANY) {
            let mut sums = vec![0; n];
            let is_code = Column::Categories { n }.add(cell, &mut sums);
            prop_assert_eq!(sums.iter().sum::<i64>(), i64::from(is_code));
        }
    }

    #[test]
    fn bounds_are_the_ends_of_the_grid() {
        let column = Column::Number { low: 2.0, high: 4.0 };
        let of = |cell| {
            let mut sums = [0, 0];
            assert!(column.add(cell, &mut sums));
            sums
        };
        assert_eq!(of(2.0), [-HALF, LARGEST_SQUARE]);
        assert_eq!(of(f64::INFINITY), [HALF, LARGEST_SQUARE]);
        assert_eq!(of(3.0), [0, 0]);
        assert_eq!(of(3.5), [HALF / 2, LARGEST_SQUARE / 4]);
    }
}
