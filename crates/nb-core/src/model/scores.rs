//! Scores: for every row and class a log-likelihood under construction.

use nb_simd::{
    Isa, LANES,
    tile::{RowLanes, TILE_ROWS},
};

use super::Interactions;
use crate::data::Block;

/// The scores of a block of rows, `n_classes × n_rows`, each kept in two doubles.
///
/// The second double collects the rounding errors of the first, so that huge terms that are equal in all
/// classes cancel in the differences between classes without taking small terms with them.
#[derive(Debug)]
pub struct Scores<'a> {
    n_rows: usize,
    /// The distance from one class to the next: the rows, and some more up to a full tile.
    stride: usize,
    high: &'a mut [f64],
    low: &'a mut [f64],
}

impl<'a> Scores<'a> {
    /// Wraps two slices of `n_classes * padded(n_rows)` doubles, class after class, so that neighbouring rows
    /// can be worked on together: the scores and their compensations.
    pub(crate) fn new(n_rows: usize, high: &'a mut [f64], low: &'a mut [f64]) -> Self {
        debug_assert_eq!(high.len(), low.len());
        Self { n_rows, stride: padded(n_rows), high, low }
    }

    /// Calls `work` with scores that are all zero: to try a family out by itself.
    pub fn scratch<R>(n_rows: usize, n_classes: usize, work: impl FnOnce(&mut Scores<'_>) -> R) -> R {
        let size = n_classes * padded(n_rows);
        let (mut high, mut low) = (vec![0.0; size], vec![0.0; size]);
        work(&mut Scores::new(n_rows, &mut high, &mut low))
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.high.len() / self.stride.max(1)
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Adds `term` to the score of a row and class. Negative infinity stays: the class is impossible.
    ///
    /// # Panics
    /// If row or class do not exist.
    #[inline]
    pub fn add(&mut self, row: usize, class: usize, term: f64) {
        assert!(row < self.n_rows, "row {row} of {}", self.n_rows);
        let index = class * self.stride + row;
        add_compensated(&mut self.high[index], &mut self.low[index], term);
    }

    /// Adds the term of every class and cell to the scores of a block of rows.
    #[inline]
    pub(crate) fn add_cells(&mut self, rows: &Block<'_>, term: impl Fn(usize, usize, f64) -> f64) {
        rows.for_each_row(|row, cells| {
            for class in 0..self.n_classes() {
                for (column, &value) in cells.iter().enumerate() {
                    self.add(row, class, term(class, column, value));
                }
            }
        });
    }

    /// Adds what columns add together to the scores of a block of rows.
    pub(crate) fn add_interactions(&mut self, rows: &Block<'_>, interactions: Option<&dyn Interactions>) {
        let Some(interactions) = interactions else { return };
        rows.for_each_row(|row, cells| {
            for interaction in 0..interactions.n_interactions() {
                for (class, &term) in interactions.terms(interaction, cells).iter().enumerate() {
                    self.add(row, class, term);
                }
            }
        });
    }

    /// Adds terms to the scores of a block of rows: those that `terms` has for a column and cell, one for
    /// each class. It is as [`add_cells`](Self::add_cells), but looks at a cell once for all classes.
    #[inline]
    pub(crate) fn add_terms<'t>(&mut self, rows: &Block<'_>, terms: impl Fn(usize, f64) -> &'t [f64]) {
        let mut sums = vec![(0.0, 0.0); self.n_classes()];
        rows.for_each_row(|row, cells| {
            let places = (0..sums.len()).map(|class| class * self.stride + row);
            for (sum, place) in sums.iter_mut().zip(places.clone()) {
                *sum = (self.high[place], self.low[place]);
            }
            for (column, &value) in cells.iter().enumerate() {
                for ((high, low), &term) in sums.iter_mut().zip(terms(column, value)) {
                    add_compensated(high, low, term);
                }
            }
            for (&(high, low), place) in sums.iter().zip(places) {
                (self.high[place], self.low[place]) = (high, low);
            }
        });
    }

    /// The scores of all rows for one class, and of some that do not exist: the sums and their compensations.
    #[inline]
    pub(crate) fn class_mut(&mut self, class: usize) -> (&mut [f64], &mut [f64]) {
        let range = class * self.stride..(class + 1) * self.stride;
        (&mut self.high[range.clone()], &mut self.low[range])
    }

    /// The scores of a tile for one class: the sums and their compensations.
    #[inline(always)]
    pub(crate) fn tile_mut(&mut self, class: usize, first_row: usize) -> (&mut RowLanes, &mut RowLanes) {
        let start = class * self.stride + first_row;
        let (high, _) = self.high[start..].as_chunks_mut();
        let (low, _) = self.low[start..].as_chunks_mut();
        match (high.first_chunk_mut(), low.first_chunk_mut()) {
            (Some(high), Some(low)) => (high, low),
            _ => unreachable!("scores are padded"),
        }
    }

    /// The scores of eight rows for eight classes, by row: the sums and their compensations, zero for classes
    /// that do not exist.
    #[inline(always)]
    pub(crate) fn turned<C: Isa>(
        &mut self,
        first_row: usize,
        first_class: usize,
    ) -> [[[f64; LANES]; LANES]; 2] {
        let mut turned = [[[0.0; LANES]; LANES]; 2];
        for (turned, values) in turned.iter_mut().zip([&*self.high, &*self.low]) {
            let none = [0.0; LANES];
            let lanes: [&[f64; LANES]; LANES] = std::array::from_fn(|lane| {
                let start = (first_class + lane) * self.stride + first_row;
                values.get(start..).and_then(|values| values.first_chunk()).unwrap_or(&none)
            });
            *turned = C::transpose(&lanes);
        }
        turned
    }

    /// Puts back what [`turned`](Self::turned) gave. Infinite scores say it all: what they would leave over,
    /// which may not be a number, is dropped.
    #[inline(always)]
    pub(crate) fn set_turned<C: Isa>(
        &mut self,
        first_row: usize,
        first_class: usize,
        [high, low]: [&[[f64; LANES]; LANES]; 2],
    ) {
        let high = C::transpose(&high.each_ref());
        let low = C::transpose(&low.each_ref());
        for (lane, (new_high, new_low)) in high.iter().zip(&low).enumerate() {
            let start = (first_class + lane) * self.stride + first_row;
            let lanes = start..start + LANES;
            let places = (self.high.get_mut(lanes.clone()), self.low.get_mut(lanes));
            let (Some(high), Some(low)) = places else { break };
            high.copy_from_slice(new_high);
            for (place, (low, high)) in low.iter_mut().zip(new_low.iter().zip(new_high)) {
                *place = if high.is_finite() { *low } else { 0.0 };
            }
        }
    }

    /// Calls `work` with the scores of one row, gathered class by class, and puts them back.
    pub(crate) fn with_row(
        &mut self,
        row: usize,
        scratch: &mut RowOfScores,
        work: impl FnOnce(&mut [f64], &mut [f64]),
    ) {
        let stride = self.stride;
        scratch.high.clear();
        scratch.low.clear();
        scratch.high.extend(self.high[row..].iter().step_by(stride));
        scratch.low.extend(self.low[row..].iter().step_by(stride));
        work(&mut scratch.high, &mut scratch.low);
        self.high[row..].iter_mut().step_by(stride).zip(&scratch.high).for_each(|(to, from)| *to = *from);
        self.low[row..].iter_mut().step_by(stride).zip(&scratch.low).for_each(|(to, from)| *to = *from);
    }
}

/// The number of rows filled up to whole tiles.
pub(crate) fn padded(n_rows: usize) -> usize {
    n_rows.next_multiple_of(TILE_ROWS)
}

/// Memory for [`Scores::with_row`].
#[derive(Debug, Default)]
pub(crate) struct RowOfScores {
    high: Vec<f64>,
    low: Vec<f64>,
}

/// `high + low += term`, with the rounding error of `high` kept in `low` (Ogita, Rump and Oishi 2005, Sum2).
#[inline(always)]
pub(crate) fn add_compensated(high: &mut f64, low: &mut f64, term: f64) {
    let (sum, error) = nb_simd::error_free::two_sum(*high, term);
    *high = sum;
    // Where the sum is infinite, or the term as large as doubles are, the error is not a number: keep none.
    *low += if error.is_finite() { error } else { 0.0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_huge_terms_cancel_in_differences() {
        let (mut high, mut low) = ([0.0; 2 * TILE_ROWS], [0.0; 2 * TILE_ROWS]);
        let mut scores = Scores::new(1, &mut high, &mut low);
        for (class, small) in [(0, -0.25), (1, -0.75)] {
            scores.add(0, class, small);
            scores.add(0, class, -1e20);
            scores.add(0, class, small);
        }
        let other = TILE_ROWS;
        assert_eq!((high[0] - high[other]) + (low[0] - low[other]), 1.0);
    }

    #[test]
    fn an_impossible_class_stays_impossible() {
        let (mut high, mut low) = ([0.0; TILE_ROWS], [0.0; TILE_ROWS]);
        let mut scores = Scores::new(1, &mut high, &mut low);
        scores.add(0, 0, f64::NEG_INFINITY);
        scores.add(0, 0, 3.0);
        scores.add(0, 0, f64::NEG_INFINITY);
        assert_eq!((high[0], low[0]), (f64::NEG_INFINITY, 0.0));
    }
}
