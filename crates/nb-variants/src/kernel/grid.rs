//! Grids: the points that keep the mass of a column.

use nb_core::{
    Missing, Rows,
    error::ValueError,
    exact::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO},
};

use crate::{observable::real, walk::each_row};

/// The most points that a grid may have.
const MOST_POINTS: usize = 1 << 16;

/// Places between two points are rounded to this share of a step. Shares of mass are then multiples of it,
/// too, so that rows without weights are counted in one double a point, like whole numbers.
const SHARE: f64 = 1.0 / (1_u32 << 20) as f64;

/// Equally spaced points: `origin + k step` for `k` from 0 to `n_points - 1`.
///
/// ```
/// use nb_variants::Grid;
///
/// let grid = Grid::new(-1.0, 0.5, 9)?; // from -1 to 3
/// assert_eq!((grid.origin(), grid.step(), grid.n_points()), (-1.0, 0.5, 9));
/// # Ok::<(), nb_variants::GridError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    origin: f64,
    step: f64,
    n_points: usize,
}

/// Why there is no such grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// Too few points or too many.
    #[error("a grid cannot have {found} points; choose from 2 to {MOST_POINTS}")]
    Points {
        /// The number of points.
        found: usize,
    },
    /// The first point is out of range.
    #[error("the first point of a grid is {origin:e}; it must be from -2^400 to 2^400")]
    Origin {
        /// The first point.
        origin: f64,
    },
    /// The distance of neighbouring points is out of range.
    #[error("the step of a grid is {step:e}; it must be from 2^-360 to 2^400")]
    Step {
        /// The step.
        step: f64,
    },
    /// A column has no values to tell a grid from.
    #[error("column {column} has no values to tell a grid from; drop the column, or give a grid")]
    NoData {
        /// The column.
        column: usize,
    },
    /// A cell cannot be observed.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl Grid {
    /// The grid of `n_points` points, `step` apart, the first at `origin`; both in the unit of the column.
    ///
    /// ```
    /// # use nb_variants::{Grid, GridError};
    /// assert_eq!(Grid::new(-1.0, 0.5, 9)?.n_points(), 9);
    /// assert_eq!(Grid::new(-1.0, 0.5, 1), Err(GridError::Points { found: 1 }));
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError`] unless there are 2 to 65536 points, `origin` is at most `2^400` in size and `step` from
    /// `2^-360` to `2^400`.
    pub fn new(origin: f64, step: f64, n_points: usize) -> Result<Self, GridError> {
        if !(2..=MOST_POINTS).contains(&n_points) {
            return Err(GridError::Points { found: n_points });
        }
        if !(-MAX_ABS_VALUE..=MAX_ABS_VALUE).contains(&origin) {
            return Err(GridError::Origin { origin });
        }
        if !(MIN_ABS_NONZERO..=MAX_ABS_VALUE).contains(&step) {
            return Err(GridError::Step { step });
        }
        // Adding 0 makes -0 and 0 the same, as their names must be.
        Ok(Self { origin: origin + 0.0, step, n_points })
    }

    /// One grid per column, from its smallest to its largest value and an eighth of the range further on
    /// either side.
    pub(super) fn of_rows(
        rows: &(impl Rows + ?Sized),
        n_points: usize,
        missing: Missing,
    ) -> Result<Vec<Self>, GridError> {
        let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); rows.n_columns()];
        each_row(rows, |row, cells| {
            for (column, (&value, range)) in cells.iter().zip(&mut ranges).enumerate() {
                if let Some(reason) = real(value, missing) {
                    return Err(ValueError { row, column, value, reason });
                }
                // Comparisons with NaN keep the other number.
                *range = (range.0.min(value), range.1.max(value));
            }
            Ok(())
        })?;
        let grids = ranges.into_iter().enumerate().map(|(column, (least, most))| {
            if least > most {
                Err(GridError::NoData { column })
            } else {
                Self::of_range(least, most, n_points)
            }
        });
        grids.collect()
    }

    fn of_range(least: f64, most: f64, n_points: usize) -> Result<Self, GridError> {
        let range = most - least;
        let n_steps = n_points.saturating_sub(1).max(1) as f64;
        // A constant column shows no scale. Any step does, as long as it is not lost next to the value.
        let margin = if range > 0.0 { range / 8.0 } else { (n_steps / 2.0) * least.abs().max(1.0) / 1024.0 };
        let step = (range + 2.0 * margin) / n_steps;
        Self::new(
            (least - margin).clamp(-MAX_ABS_VALUE, MAX_ABS_VALUE),
            step.clamp(MIN_ABS_NONZERO, MAX_ABS_VALUE),
            n_points,
        )
    }

    /// The first point.
    pub fn origin(&self) -> f64 {
        self.origin
    }

    /// The distance of neighbouring points.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The number of points.
    pub fn n_points(&self) -> usize {
        self.n_points
    }

    /// The point at or below a value that is not missing, but not the last, and the share of the mass that
    /// goes to the point after it. Values beyond the ends are taken for the ends.
    #[inline]
    pub(super) fn place(&self, value: f64) -> (usize, f64) {
        let last = (self.n_points - 1) as f64;
        let position = ((value - self.origin) / self.step).clamp(0.0, last);
        let index = (position as usize).min(self.n_points - 2);
        let share = ((position - index as f64) / SHARE).round() * SHARE;
        (index, share)
    }

    /// How far a point is from the first.
    pub(super) fn offset(&self, point: usize) -> f64 {
        point as f64 * self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_placed_between_points() {
        let grid = Grid::new(10.0, 0.5, 5).expect("valid");
        assert_eq!(grid.place(10.0), (0, 0.0));
        assert_eq!(grid.place(10.875), (1, 0.75));
        assert_eq!(grid.place(12.0), (3, 1.0));
        for (beyond, end) in [(-1e100, (0, 0.0)), (9.9, (0, 0.0)), (12.1, (3, 1.0)), (1e100, (3, 1.0))] {
            assert_eq!(grid.place(beyond), end, "{beyond}");
        }
        // Both shares are multiples of 2^-20, so that they add up to one without rounding.
        let (_, share) = grid.place(10.1 + 1e-9);
        assert_eq!((share / SHARE).fract(), 0.0);
        assert_eq!((1.0 - share) + share, 1.0);
    }

    #[test]
    fn grids_of_rows_cover_them() {
        let rows = ndarray::array![[1.0, -5e9, f64::NAN], [9.0, -5e9, 3.0]];
        let grids = Grid::of_rows(&rows, 11, Missing::Skip).expect("valid");
        assert_eq!(grids[0], Grid::new(0.0, 1.0, 11).expect("valid"));
        for (grid, value) in grids.iter().zip([9.0, -5e9, 3.0]) {
            let end = grid.origin() + grid.offset(grid.n_points() - 1);
            assert!(grid.origin() < value && value < end, "{grid:?}");
        }
        let refused = Grid::of_rows(&rows, 11, Missing::Error).unwrap_err();
        assert!(refused.to_string().starts_with("row 0, column 2: NaN is missing"), "{refused}");
        let empty = Grid::of_rows(&ndarray::array![[f64::NAN]], 11, Missing::Skip);
        assert_eq!(empty, Err(GridError::NoData { column: 0 }));
        assert_eq!(Grid::of_rows(&rows, 1, Missing::Skip), Err(GridError::Points { found: 1 }));
    }

    #[test]
    fn extreme_ranges_have_grids() {
        for (least, most) in [
            (-MAX_ABS_VALUE, MAX_ABS_VALUE),
            (5e-324, 1e-323),
            (MAX_ABS_VALUE, MAX_ABS_VALUE),
            (0.0, MIN_ABS_NONZERO),
        ] {
            let grid = Grid::of_range(least, most, 512).expect("valid");
            let (index, share) = grid.place(most);
            assert!(index < 511 && (0.0..=1.0).contains(&share), "{grid:?}");
        }
    }

    #[test]
    fn impossible_grids_are_refused() {
        assert_eq!(Grid::new(0.0, 1.0, 1), Err(GridError::Points { found: 1 }));
        assert_eq!(Grid::new(0.0, 1.0, 1 << 17), Err(GridError::Points { found: 1 << 17 }));
        assert_eq!(Grid::new(1e200, 1.0, 2), Err(GridError::Origin { origin: 1e200 }));
        for step in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(Grid::new(0.0, step, 2), Err(GridError::Step { step }));
        }
        assert!(Grid::new(f64::NAN, 1.0, 2).is_err() && Grid::new(0.0, f64::NAN, 2).is_err());
    }
}
