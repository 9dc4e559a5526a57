//! From scores to posteriors: log-sum-exp by differences, a tile of rows at a time.
//!
//! `p(c | x) = exp(s_c - s_b) / (1 + Σ_{c ≠ b} exp(s_c - s_b))` with `b` the best class: nothing overflows,
//! and with `log1p` the logarithms of sure rows keep their digits. (Blanchard, Higham and Higham 2021,
//! *Accurately computing the log-sum-exp and softmax functions*, IMA J. Numer. Anal. 41.)

use nb_simd::{
    InstructionSet, Isa, Kernel, LANES, Vector, add_compensated, all_vectors_le,
    math::{Lanes, Number, exp_of_negative, log1p_of_positive},
    prefetch::prefetch,
    tile::{TILE_ROWS, VECTORS},
};

use crate::model::scores::padded;

/// Moves the compensations into the scores: afterwards `high` is the score rounded and `low` the rest. Both
/// are padded.
pub(crate) fn finish(high: &mut [f64], low: &mut [f64]) {
    InstructionSet::current().run(Finish { high, low });
}

struct Finish<'a> {
    high: &'a mut [f64],
    low: &'a mut [f64],
}

impl Kernel for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let one = C::Vector::splat(std::hint::black_box(1.0));
        let (highs, _) = self.high.as_chunks_mut();
        let (lows, _) = self.low.as_chunks_mut();
        for (high, low) in highs.iter_mut().zip(lows) {
            let (finished, rest) = finished(C::Vector::load(high), C::Vector::load(low), one);
            finished.store(high);
            rest.store(low);
        }
    }
}

/// A score rounded, and the rest; `one` is 1.
#[inline(always)]
fn finished<V: Vector>(mut high: V, low: V, one: V) -> (V, V) {
    let zero = V::splat(0.0);
    let mut rest = zero;
    add_compensated(&mut high, &mut rest, low, one);
    // Where the sum is infinite the error is not a number; the infinity says it all.
    (high, V::splat(f64::INFINITY).select_gt(high.abs(), rest, zero))
}

/// Finished scores of one row, a class every `stride` numbers.
#[derive(Clone, Copy)]
pub(crate) struct RowScores<'a> {
    high: &'a [f64],
    low: &'a [f64],
    stride: usize,
}

impl<'a> RowScores<'a> {
    /// The scores of `row` of `n_rows`, all given class after class, padded.
    pub(crate) fn new(high: &'a [f64], low: &'a [f64], row: usize, n_rows: usize) -> Self {
        Self { high: &high[row..], low: &low[row..], stride: padded(n_rows) }
    }

    fn n_classes(&self) -> usize {
        self.high.len().div_ceil(self.stride)
    }

    /// The score of a class, rounded.
    pub(crate) fn high(&self, class: usize) -> f64 {
        self.high[class * self.stride]
    }

    fn low(&self, class: usize) -> f64 {
        self.low[class * self.stride]
    }

    /// The class with the largest score, the first of several; `None` if all are impossible.
    pub(crate) fn best(&self) -> Option<usize> {
        let mut best = None;
        for class in 0..self.n_classes() {
            if self.high(class) == f64::NEG_INFINITY {
                continue;
            }
            match best {
                Some(best) if self.difference(class, best) <= 0.0 => {}
                _ => best = Some(class),
            }
        }
        best
    }

    /// The score of `class` minus that of `other`, which must be possible: a log-odds.
    fn difference(&self, class: usize, other: usize) -> f64 {
        (self.high(class) - self.high(other)) + (self.low(class) - self.low(other))
    }

    /// The odds of all other classes together against the best: `Σ exp(score - best score)`. Log-sum-exp is
    /// then `best + log1p(others)`, which keeps the digits of tiny odds.
    fn others(&self, best: usize) -> f64 {
        let mut odds = 0.0;
        for class in 0..self.n_classes() {
            if class != best {
                odds += exp_of_negative(self.difference(class, best));
            }
        }
        odds
    }

    /// `ln Σ exp(score)`; negative infinity if all classes are impossible.
    pub(crate) fn log_sum(&self) -> f64 {
        match self.best() {
            Some(best) => self.high(best) + log1p_of_positive(self.others(best)),
            None => f64::NEG_INFINITY,
        }
    }

    /// The posteriors of the row, or their logarithms; nothing is possible where no class is.
    pub(crate) fn write(&self, logarithms: bool, out: &mut [f64]) {
        let Some(best) = self.best() else {
            return out.fill(if logarithms { f64::NEG_INFINITY } else { 0.0 });
        };
        let others = self.others(best);
        for (class, out) in out.iter_mut().enumerate() {
            let difference = if class == best { 0.0 } else { self.difference(class, best) };
            *out = if logarithms {
                difference - log1p_of_positive(others)
            } else {
                exp_of_negative(difference) / (1.0 + others)
            };
        }
    }
}

/// Posteriors, or their logarithms, of all rows of a block: `high` and `low` are scores to be finished, class
/// after class, padded; `out` is `n_rows × n_classes`.
pub(crate) struct Posteriors<'a> {
    pub(crate) high: &'a mut [f64],
    pub(crate) low: &'a mut [f64],
    pub(crate) n_classes: usize,
    pub(crate) logarithms: bool,
    pub(crate) out: &'a mut [f64],
}

impl Posteriors<'_> {
    /// Fills `out`.
    pub(crate) fn write(self, set: InstructionSet) {
        if self.n_classes > 0 {
            set.run(self);
        }
    }

    /// The rows of `N` vectors from `first` on; false if one has an impossible class, which takes branches.
    #[inline(always)]
    fn write_tile<C: Isa, const N: usize>(
        &mut self,
        first: usize,
        n_rows: usize,
        answers: &mut [[[f64; LANES]; N]],
    ) -> bool {
        let stride = padded(n_rows);
        // Two classes have a quicker way.
        if let Ok(answers) = answers.try_into() {
            let scores = [self.finish(first), self.finish(stride + first)];
            return self.write_tile_of_two::<C::Vector, N>(scores, first, n_rows, answers);
        }
        let (zero, one) = (Lanes::from(0.0), Lanes::from(1.0));
        let (mut best, mut best_rest) = self.finish(first);
        let (mut smallest, mut number) = (best, zero);
        for class in 1..self.n_classes {
            let (high, low) = self.finish(class * stride + first);
            let difference = (high - best) + (low - best_rest);
            smallest = smallest.select_gt(high, high, smallest);
            number = difference.select_gt(zero, Lanes::from(class as f64), number);
            best = difference.select_gt(zero, high, best);
            best_rest = difference.select_gt(zero, low, best_rest);
        }
        if !are_finite(smallest) {
            return false;
        }
        // The odds of the best against itself are 1. They are left out, as adding them to the others would
        // take the others' digits.
        let mut others = zero;
        for (class, answers) in answers.iter_mut().enumerate() {
            let place = class * stride + first;
            let (high, low) = (load(self.high, place), load(self.low, place));
            let difference = (high - best) + (low - best_rest);
            let odds = exp_of_negative(difference);
            others = others + odds.zero_where_eq(number, Lanes::from(class as f64));
            if self.logarithms { difference } else { odds }.store(answers);
            // The places of the tile to come.
            for line in 0..N {
                prefetch(&self.out[first * self.n_classes..], (N * (self.n_classes + class) + line) * LANES);
            }
        }
        let total = if self.logarithms { log1p_of_positive(others) } else { one + others };
        for answers in answers.iter_mut() {
            let answer = Lanes::<C::Vector, N>::load(answers);
            let answer = if self.logarithms { answer - total } else { answer / total };
            answer.store(answers);
        }
        let out = &mut self.out[first * self.n_classes..n_rows.min(first + N * LANES) * self.n_classes];
        turn_back::<C, N>(answers, out);
        true
    }

    /// The same for two classes: one is the other, so that a single exponential does for both.
    #[inline(always)]
    fn write_tile_of_two<V: Vector, const N: usize>(
        &mut self,
        [(high, low), (second_high, second_low)]: [(Lanes<V, N>, Lanes<V, N>); 2],
        first: usize,
        n_rows: usize,
        [of_first, of_second]: &mut [[[f64; LANES]; N]; 2],
    ) -> bool {
        if !(are_finite(high) && are_finite(second_high)) {
            return false;
        }
        let zero = Lanes::from(0.0);
        let difference = (second_high - high) + (second_low - low);
        let of_other = zero - difference.abs();
        let odds = exp_of_negative(of_other);
        let (best, other) = if self.logarithms {
            let total = log1p_of_positive(odds);
            (zero - total, of_other - total)
        } else {
            let one = Lanes::from(1.0);
            let total = one + odds;
            (one / total, odds / total)
        };
        difference.select_gt(zero, other, best).store(of_first);
        difference.select_gt(zero, best, other).store(of_second);
        let (out, _) = self.out[first * 2..n_rows.min(first + N * LANES) * 2].as_chunks_mut();
        let answers = of_first.as_flattened().iter().zip(of_second.as_flattened());
        for (out, (&of_first, &of_second)) in out.iter_mut().zip(answers) {
            *out = [of_first, of_second];
        }
        true
    }

    /// Finishes the scores of a class from `start` on.
    #[inline(always)]
    fn finish<V: Vector, const N: usize>(&mut self, start: usize) -> (Lanes<V, N>, Lanes<V, N>) {
        let one = V::splat(std::hint::black_box(1.0));
        let (mut high, mut low) = (load(self.high, start), load(self.low, start));
        for (high, low) in high.0.iter_mut().zip(&mut low.0) {
            (*high, *low) = finished(*high, *low, one);
        }
        high.store(lanes(self.high, start));
        low.store(lanes(self.low, start));
        (high, low)
    }
}

/// Writes the answers of classes, whose rows lie along the lanes, row by row: `out` is as many rows as there
/// are left, at most `N` vectors, by classes.
#[inline(always)]
fn turn_back<C: Isa, const N: usize>(answers: &[[[f64; LANES]; N]], out: &mut [f64]) {
    let n_classes = answers.len();
    for (vector, out) in out.chunks_mut(LANES * n_classes).enumerate() {
        let mut done = 0;
        while done < n_classes && n_classes >= LANES {
            // The last square takes its full width from the classes before it.
            let left = done.min(n_classes - LANES);
            let square: [_; LANES] = std::array::from_fn(|class| &answers[left + class][vector]);
            for (out, turned) in out.chunks_exact_mut(n_classes).zip(C::transpose(&square)) {
                out[left..left + LANES].copy_from_slice(&turned);
            }
            done = left + LANES;
        }
        for (class, answers) in answers.iter().enumerate().skip(done) {
            for (out, answer) in out.chunks_exact_mut(n_classes).zip(answers[vector]) {
                out[class] = answer;
            }
        }
    }
}

/// The padded scores from `start` on.
#[inline(always)]
fn load<V: Vector, const N: usize>(scores: &[f64], start: usize) -> Lanes<V, N> {
    let (lanes, _) = scores[start..].as_chunks();
    Lanes::load(lanes.first_chunk().unwrap_or_else(|| unreachable!("scores are padded")))
}

/// The places of the padded scores from `start` on.
#[inline(always)]
fn lanes<const N: usize>(scores: &mut [f64], start: usize) -> &mut [[f64; LANES]; N] {
    let (lanes, _) = scores[start..].as_chunks_mut();
    lanes.first_chunk_mut().unwrap_or_else(|| unreachable!("scores are padded"))
}

#[inline(always)]
fn are_finite<V: Vector, const N: usize>(scores: Lanes<V, N>) -> bool {
    all_vectors_le(&scores.abs().0, V::splat(f64::MAX))
}

impl Kernel for Posteriors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(mut self) {
        const WIDE: usize = 2 * VECTORS;
        let n_rows = self.out.len() / self.n_classes;
        let mut one_tile = vec![[[0.0; LANES]; VECTORS]; self.n_classes];
        let is_wide = C::HAS_32_REGISTERS && n_rows > TILE_ROWS;
        let mut two_tiles = vec![[[0.0; LANES]; WIDE]; if is_wide { self.n_classes } else { 0 }];
        let mut first = 0;
        while first < n_rows {
            // An exponential is a long chain of operations; those of two tiles need not wait for one another.
            // Where registers are few that gains nothing, and portable code takes a tenth longer
            // for it.
            let (n_tiles, is_written) = if is_wide && n_rows - first > TILE_ROWS {
                (2, self.write_tile::<C, WIDE>(first, n_rows, &mut two_tiles))
            } else {
                (1, self.write_tile::<C, VECTORS>(first, n_rows, &mut one_tile))
            };
            let end = n_rows.min(first + n_tiles * TILE_ROWS);
            if !is_written {
                for row in first..end {
                    let out = &mut self.out[row * self.n_classes..(row + 1) * self.n_classes];
                    RowScores::new(self.high, self.low, row, n_rows).write(self.logarithms, out);
                }
            }
            first = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_and_rows_agree_bit_for_bit() {
        // Two tiles and two more; two and one.
        for n_rows in [53, 41] {
            for n_classes in [2, 4, 8, 11] {
                tiles_and_rows_agree(n_classes, n_rows);
            }
        }
    }

    fn tiles_and_rows_agree(n_classes: usize, n_rows: usize) {
        let stride = padded(n_rows);
        let value = |index: usize| -((index * 7919 % 1013) as f64) / 17.0;
        let mut high: Vec<f64> = (0..stride * n_classes).map(value).collect();
        let mut low: Vec<f64> = (0..stride * n_classes).map(|index| value(index + 5) * 1e-18).collect();
        // A tie of the two best, an impossible class in a later tile, and a row without any possible class.
        (high[2], high[stride + 2], low[2], low[stride + 2]) = (1.0, 1.0, 0.0, 0.0);
        high[stride + 32] = f64::NEG_INFINITY;
        (0..n_classes).for_each(|class| high[class * stride + 33] = f64::NEG_INFINITY);
        let unfinished = (high.clone(), low.clone());
        finish(&mut high, &mut low);
        for logarithms in [false, true] {
            let mut expected = vec![0.0; n_rows * n_classes];
            for (row, out) in expected.chunks_exact_mut(n_classes).enumerate() {
                RowScores::new(&high, &low, row, n_rows).write(logarithms, out);
            }
            for set in InstructionSet::ALL {
                let mut out = vec![7.0; n_rows * n_classes];
                let (mut high, mut low) = unfinished.clone();
                let (high, low) = (&mut high, &mut low);
                Posteriors { high, low, n_classes, logarithms, out: &mut out }.write(set);
                let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&out), bits(&expected), "{set:?}");
            }
        }
    }
}
