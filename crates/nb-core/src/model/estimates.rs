//! Estimates of scores, with a bound on their error: enough to tell the label of nearly every row.
//!
//! A score is a compensated sum, which costs up to eight operations a term. The label only asks which score
//! is the largest, and a plain sum of two or three operations a term answers that wherever the two best
//! differ by more than it can be wrong. The few other rows are scored in full. A label is therefore always
//! the one that the scores say.

use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

use crate::model::scores::padded;

/// Estimated scores of a block of rows, `n_classes × n_rows`, and for each row how wrong they can be.
#[derive(Debug)]
pub struct Estimates<'a> {
    n_rows: usize,
    values: &'a mut [f64],
    /// As many as there are values for a class: the rows, and some more up to a full tile.
    errors: &'a mut [f64],
}

impl<'a> Estimates<'a> {
    /// Wraps `n_classes * padded(n_rows)` estimates, class after class, and as many bounds as for one class.
    pub(crate) fn new(n_rows: usize, values: &'a mut [f64], errors: &'a mut [f64]) -> Self {
        debug_assert_eq!(errors.len(), padded(n_rows));
        Self { n_rows, values, errors }
    }

    /// Calls `work` with estimates that are all zero: to try a family out by itself.
    pub fn scratch<R>(n_rows: usize, n_classes: usize, work: impl FnOnce(&mut Estimates<'_>) -> R) -> R {
        let (mut values, mut errors) = (vec![0.0; n_classes * padded(n_rows)], vec![0.0; padded(n_rows)]);
        work(&mut Estimates::new(n_rows, &mut values, &mut errors))
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.values.len() / self.errors.len().max(1)
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The estimates of all rows for one class, and of some that do not exist.
    pub(crate) fn class_mut(&mut self, class: usize) -> &mut [f64] {
        let stride = self.errors.len();
        &mut self.values[class * stride..(class + 1) * stride]
    }

    /// Adds to the bounds of rows from `first` on; those beyond the last row are left out.
    pub(crate) fn add_errors(&mut self, first: usize, errors: &[f64]) {
        self.errors[first..].iter_mut().zip(errors).for_each(|(total, error)| *total += error);
    }

    /// Adds one term for each class from `first_class` on to the estimates of a row, and to its bound
    /// `error`, which is how wrong a term can be, as far as that was not added with the classes before.
    #[inline(always)]
    pub(crate) fn add_classes(&mut self, row: usize, first_class: usize, terms: &[f64], error: f64) {
        let mut largest = 0.0;
        let stride = self.errors.len();
        let values = &mut self.values[first_class * stride + row..];
        for (value, term) in values.iter_mut().step_by(stride).zip(terms) {
            *value += term;
            let size = value.abs();
            // An impossible class is so for sure.
            largest = if size > largest && size < f64::INFINITY { size } else { largest };
        }
        self.errors[row] += error + 2.0 * f64::EPSILON * largest;
    }

    /// Adds to the bounds what `n_additions` to each estimate can round, as far as the estimate itself is
    /// concerned; how large the terms were that were added is in bounds of their own.
    #[inline(always)]
    pub(crate) fn add_rounding(&mut self, n_additions: usize) {
        let rounding = n_additions as f64 * f64::EPSILON;
        for values in self.values.chunks_exact(self.errors.len().max(1)) {
            for (error, value) in self.errors.iter_mut().zip(values) {
                let bound = rounding * value.abs();
                *error += if bound < f64::INFINITY { bound } else { 0.0 };
            }
        }
    }

    /// Adds one term for each class to the estimates of a row, and to its bound how wrong the terms can be
    /// together.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn add_row(&mut self, row: usize, terms: &[f64], error: f64) {
        assert!(row < self.n_rows, "row {row} of {}", self.n_rows);
        let mut largest = 0.0;
        let stride = self.errors.len();
        for (value, term) in self.values[row..].iter_mut().step_by(stride).zip(terms) {
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
    if let [class] = classes {
        *class = decide_row(estimates);
    } else {
        set.run(Decide { estimates, classes });
    }
}

/// The class of the only row, or [`UNSURE`].
fn decide_row(estimates: &Estimates<'_>) -> u32 {
    let (mut best, mut second, mut number) = (f64::NEG_INFINITY, f64::NEG_INFINITY, UNSURE);
    for (class, &value) in estimates.values.iter().step_by(estimates.errors.len()).enumerate() {
        if value > best {
            (second, best, number) = (best, value, class as u32);
        } else if value > second {
            second = value;
        }
    }
    let clear = best - second > 2.0 * estimates.errors[0] && best.abs() < f64::INFINITY;
    if clear { number } else { UNSURE }
}

struct Decide<'a> {
    estimates: &'a Estimates<'a>,
    classes: &'a mut [u32],
}

impl Kernel for Decide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { estimates: Estimates { values, errors, .. }, classes } = self;
        let stride = errors.len();
        let load = |values: &[f64], from: usize| -> C::Vector {
            let lanes = values[from..].first_chunk();
            C::Vector::load(lanes.unwrap_or_else(|| unreachable!("estimates are padded")))
        };
        let unsure = C::Vector::splat(f64::from(UNSURE));
        for (strip, classes) in classes.chunks_mut(LANES).enumerate() {
            let first = strip * LANES;
            let mut best = load(values, first);
            let mut second = C::Vector::splat(f64::NEG_INFINITY);
            let (mut number, mut class) = (C::Vector::splat(0.0), 0.0);
            for start in (first + stride..values.len()).step_by(stride) {
                let value = load(values, start);
                class += 1.0;
                let loser = value.select_gt(best, best, value);
                second = loser.select_gt(second, loser, second);
                number = value.select_gt(best, C::Vector::splat(class), number);
                best = value.select_gt(best, value, best);
            }
            // Twice the bound, as both can be wrong. Anything that is not a number is unsure; so is infinity,
            // be it the error or the best estimate.
            let error = load(errors, first);
            let number = best.sub(second).select_gt(error.add(error), number, unsure);
            let number = C::Vector::splat(f64::INFINITY).select_gt(best.abs(), number, unsure);
            let mut numbers = [0.0; LANES];
            number.store(&mut numbers);
            let mut decided = [0; LANES];
            for lane in 0..LANES {
                // Adding 2^52 leaves a whole number in the low bits: a conversion that every instruction set
                // has.
                decided[lane] = (numbers[lane] + 4_503_599_627_370_496.0).to_bits() as u32;
            }
            match classes.first_chunk_mut() {
                Some(all) => *all = decided,
                None => classes.copy_from_slice(&decided[..classes.len()]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_rows_are_decided() {
        // Rows: clear; within the error; a tie; an error that is no number or infinite; impossible; possible
        // in one class only; just clear; just not.
        let none = f64::NEG_INFINITY;
        let first = [-5.0, -5.0, -5.0, -5.0, -5.0, none, -5.0, -1.0, -1.0];
        let second = [-3.0, -4.9, -5.0, -3.0, -3.0, none, none, -7.0, -1.5];
        let mut errors = [0.9, 0.1, 0.0, f64::INFINITY, f64::NAN, 0.0, 0.0, 1.0, 0.25].to_vec();
        errors.resize(padded(9), 0.0);
        let pad = |values: [f64; 9]| values.into_iter().chain(std::iter::repeat_n(0.0, padded(9) - 9));
        let mut values: Vec<f64> = pad(first).chain(pad(second)).collect();
        for set in InstructionSet::ALL {
            let mut classes = [7; 9];
            decide(set, &Estimates::new(9, &mut values, &mut errors), &mut classes);
            assert_eq!(classes, [1, UNSURE, UNSURE, UNSURE, UNSURE, UNSURE, 0, 0, UNSURE], "{set:?}");
            for row in 0..9 {
                let mut values: Vec<f64> = [first[row], second[row]]
                    .into_iter()
                    .flat_map(|value| std::iter::repeat_n(value, padded(1)))
                    .collect();
                let mut errors = vec![errors[row]; padded(1)];
                let mut alone = [7];
                decide(set, &Estimates::new(1, &mut values, &mut errors), &mut alone);
                assert_eq!(alone[0], classes[row], "{set:?}, row {row}");
            }
        }
    }
}
