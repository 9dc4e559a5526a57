//! Estimates of scores, with a bound on their error: enough to tell the label of nearly every row.
//!
//! A score is a compensated sum, which costs ten operations a term. The label only asks which score is the largest,
//! and a plain sum of three operations answers that wherever the two best differ by more than it can be wrong. The few
//! other rows are scored in full. A label is therefore always the one that the scores say.

use crate::instructions::{Code, InstructionSet, Kernel, LANES};

/// Estimated scores of a block of rows, `n_classes × n_rows`, and for each row how wrong they can be.
#[derive(Debug)]
pub struct Estimates<'a> {
    n_rows: usize,
    values: &'a mut [f64],
    errors: &'a mut [f64],
}

impl<'a> Estimates<'a> {
    /// Wraps `n_classes * n_rows` estimates, class after class, and `n_rows` bounds.
    pub(crate) fn new(values: &'a mut [f64], errors: &'a mut [f64]) -> Self {
        debug_assert!(errors.is_empty() || values.len().is_multiple_of(errors.len()));
        Self { n_rows: errors.len(), values, errors }
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.values.len() / self.n_rows.max(1)
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The estimates of all rows for one class, and the bounds of all rows.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn class_mut(&mut self, class: usize) -> (&mut [f64], &mut [f64]) {
        (&mut self.values[class * self.n_rows..(class + 1) * self.n_rows], self.errors)
    }

    /// Adds to the bounds of rows from `first` on; those beyond the last row are left out.
    pub(crate) fn add_errors(&mut self, first: usize, errors: &[f64]) {
        self.errors[first..].iter_mut().zip(errors).for_each(|(total, error)| *total += error);
    }

    /// Adds one term for each class from `first_class` on to the estimates of a row, and to its bound how wrong all terms
    /// of the row can be together if that is more than for the classes before.
    #[inline(always)]
    pub(crate) fn add_classes(&mut self, row: usize, first_class: usize, terms: &[f64], error: f64) {
        let mut largest = 0.0;
        let values = &mut self.values[first_class * self.n_rows + row..];
        for (value, term) in values.iter_mut().step_by(self.n_rows).zip(terms) {
            *value += term;
            let size = value.abs();
            // An impossible class is so for sure.
            largest = if size > largest && size < f64::INFINITY { size } else { largest };
        }
        self.errors[row] += error + 2.0 * f64::EPSILON * largest;
    }

    /// Adds to the bounds what `n_additions` to each estimate can round, as far as the estimate itself is concerned; how
    /// large the terms were that were added is in bounds of their own.
    pub(crate) fn add_rounding(&mut self, n_additions: usize) {
        let rounding = n_additions as f64 * f64::EPSILON;
        for values in self.values.chunks_exact(self.n_rows.max(1)) {
            for (error, value) in self.errors.iter_mut().zip(values) {
                let bound = rounding * value.abs();
                *error += if bound < f64::INFINITY { bound } else { 0.0 };
            }
        }
    }

    /// Adds one term for each class to the estimates of a row, and to its bound how wrong the terms can be together.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn add_row(&mut self, row: usize, terms: &[f64], error: f64) {
        assert!(row < self.n_rows, "row {row} of {}", self.n_rows);
        let mut largest = 0.0;
        for (value, term) in self.values[row..].iter_mut().step_by(self.n_rows).zip(terms) {
            *value += term;
            largest = f64::max(largest, value.abs());
        }
        // Adding to the estimate rounds, too.
        self.errors[row] += error + f64::EPSILON * largest;
    }
}

/// A row whose label the estimates cannot tell.
pub(crate) const UNSURE: u32 = u32::MAX;

/// The class of each row, or [`UNSURE`].
pub(crate) fn decide(set: InstructionSet, estimates: &Estimates<'_>, classes: &mut [u32]) {
    set.run(Decide { estimates, classes });
}

struct Decide<'a> {
    estimates: &'a Estimates<'a>,
    classes: &'a mut [u32],
}

impl Kernel for Decide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { estimates: Estimates { n_rows, values, errors }, classes } = self;
        for (strip, classes) in classes.chunks_mut(LANES).enumerate() {
            let first = strip * LANES;
            let (mut best, mut second) = ([f64::NEG_INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
            let mut number = [0.0; LANES];
            for (class, values) in values.chunks_exact(*n_rows).enumerate() {
                let lanes = match values[first..].first_chunk() {
                    Some(full) => *full,
                    None => some_lanes(&values[first..]),
                };
                for lane in 0..LANES {
                    let value = lanes[lane];
                    let better = value > best[lane];
                    let loser = if better { best[lane] } else { value };
                    second[lane] = if loser > second[lane] { loser } else { second[lane] };
                    number[lane] = if better { class as f64 } else { number[lane] };
                    best[lane] = if better { value } else { best[lane] };
                }
            }
            for (lane, class) in classes.iter_mut().enumerate() {
                // Twice the bound, as both can be wrong. Anything that is not a number is unsure; so is infinity, be it
                // the error or the best estimate.
                let margin = best[lane] - second[lane];
                let sure = margin > 2.0 * errors[first + lane] && best[lane].abs() < f64::INFINITY;
                *class = if sure { number[lane] as u32 } else { UNSURE };
            }
        }
    }
}

/// Fewer values than lanes. Out of line, or the compiler makes one copy of any length of this and the usual case.
#[cold]
#[inline(never)]
fn some_lanes(values: &[f64]) -> [f64; LANES] {
    let mut lanes = [0.0; LANES];
    lanes[..values.len()].copy_from_slice(values);
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_rows_are_decided() {
        // Rows: clear; within the error; a tie; an error that is no number or infinite; impossible; possible in one class
        // only; just clear; just not.
        let none = f64::NEG_INFINITY;
        let first = [-5.0, -5.0, -5.0, -5.0, -5.0, none, -5.0, -1.0, -1.0];
        let second = [-3.0, -4.9, -5.0, -3.0, -3.0, none, none, -7.0, -1.5];
        let mut errors = [0.9, 0.1, 0.0, f64::INFINITY, f64::NAN, 0.0, 0.0, 1.0, 0.25];
        let mut values = [first, second].concat();
        let estimates = Estimates::new(&mut values, &mut errors);
        for set in InstructionSet::ALL {
            let mut classes = [7; 9];
            decide(set, &estimates, &mut classes);
            assert_eq!(classes, [1, UNSURE, UNSURE, UNSURE, UNSURE, UNSURE, 0, 0, UNSURE], "{set:?}");
        }
    }
}
