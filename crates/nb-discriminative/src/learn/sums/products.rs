//! Numbers of rows times values of classes into scores, and scores times numbers into sums.

use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

use super::levels::{TOGETHER, by_classes};

/// What numbers are multiplied as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::learn) enum Power {
    /// The number.
    One,
    /// Its square.
    Two,
}

impl Power {
    #[inline(always)]
    pub(in crate::learn) fn of(self, number: f64) -> f64 {
        match self {
            Self::One => number,
            Self::Two => number * number,
        }
    }
}

/// Adds to the scores of each row its number in each column times the values that the column has for the
/// classes, in the order of columns.
pub(in crate::learn) fn add_products(
    columns: &[&[f64]],
    values: &[f64],
    n_classes: usize,
    scores: &mut [f64],
) {
    let set = InstructionSet::current();
    let (groups, rest) = columns.as_chunks::<TOGETHER>();
    let (of_groups, of_rest) = values.split_at(groups.len() * TOGETHER * n_classes);
    for (&columns, values) in groups.iter().zip(of_groups.chunks_exact(TOGETHER * n_classes)) {
        set.run(AddProducts { columns, values, n_classes, scores });
    }
    for (&column, values) in rest.iter().zip(of_rest.chunks_exact(n_classes)) {
        set.run(AddProducts { columns: [column], values, n_classes, scores });
    }
}

/// Adds to the sums that each column has for the classes the scores of each row times a power of its number
/// in the column.
pub(in crate::learn) fn add_product_scores(
    columns: &[&[f64]],
    power: Power,
    scores: &[f64],
    n_classes: usize,
    sums: &mut [f64],
) {
    let set = InstructionSet::current();
    let (groups, rest) = columns.as_chunks::<TOGETHER>();
    let (of_groups, of_rest) = sums.split_at_mut(groups.len() * TOGETHER * n_classes);
    for (&columns, sums) in groups.iter().zip(of_groups.chunks_exact_mut(TOGETHER * n_classes)) {
        set.run(AddProductScores { columns, power, scores, n_classes, sums });
    }
    for (&column, sums) in rest.iter().zip(of_rest.chunks_exact_mut(n_classes)) {
        set.run(AddProductScores { columns: [column], power, scores, n_classes, sums });
    }
}

struct AddProducts<'a, const G: usize> {
    columns: [&'a [f64]; G],
    /// `G × n_classes`.
    values: &'a [f64],
    n_classes: usize,
    scores: &'a mut [f64],
}

impl<const G: usize> AddProducts<'_, G> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let Some(&values) = self.values.as_chunks::<N>().0.first_chunk::<G>() else { return };
        let scores = self.scores.as_chunks_mut::<N>().0;
        let columns = self.columns.map(|column| &column[..scores.len()]);
        for (row, scores) in scores.iter_mut().enumerate() {
            let mut own = *scores;
            for (column, values) in columns.iter().zip(&values) {
                let number = column[row];
                for (score, value) in own.iter_mut().zip(values) {
                    *score += number * value;
                }
            }
            *scores = own;
        }
    }

    #[inline(always)]
    fn any_rows<V: Vector>(self) {
        let n_classes = self.n_classes;
        for (row, scores) in self.scores.chunks_exact_mut(n_classes).enumerate() {
            let mut numbers = [V::splat(0.0); G];
            for (number, column) in numbers.iter_mut().zip(&self.columns) {
                *number = V::splat(column[row]);
            }
            let (vectors, rest) = scores.as_chunks_mut::<LANES>();
            let first_of_rest = vectors.len() * LANES;
            for (place, vector) in vectors.iter_mut().enumerate() {
                let mut own = V::load(vector);
                for (number, values) in numbers.iter().zip(self.values.chunks_exact(n_classes)) {
                    if let Some(values) = values[place * LANES..].first_chunk() {
                        own = own.add(number.mul(V::load(values)));
                    }
                }
                own.store(vector);
            }
            for (place, score) in rest.iter_mut().enumerate() {
                for (column, values) in self.columns.iter().zip(self.values.chunks_exact(n_classes)) {
                    *score += column[row] * values[first_of_rest + place];
                }
            }
        }
    }
}

impl<const G: usize> Kernel for AddProducts<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.n_classes, C::Vector);
    }
}

struct AddProductScores<'a, const G: usize> {
    columns: [&'a [f64]; G],
    power: Power,
    scores: &'a [f64],
    n_classes: usize,
    /// `G × n_classes`.
    sums: &'a mut [f64],
}

impl<const G: usize> AddProductScores<'_, G> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let Some(sums) = self.sums.as_chunks_mut::<N>().0.first_chunk_mut::<G>() else { return };
        let scores = self.scores.as_chunks::<N>().0;
        let (columns, power) = (self.columns.map(|column| &column[..scores.len()]), self.power);
        let mut own = *sums;
        for (row, scores) in scores.iter().enumerate() {
            for (column, sums) in columns.iter().zip(&mut own) {
                let factor = power.of(column[row]);
                for (sum, score) in sums.iter_mut().zip(scores) {
                    *sum += factor * score;
                }
            }
        }
        *sums = own;
    }

    #[inline(always)]
    fn any_rows<V: Vector>(mut self) {
        let n_vectors = self.n_classes / LANES;
        for place in 0..n_vectors / 2 {
            self.vectors::<V, 2>(2 * place);
        }
        if n_vectors % 2 == 1 {
            self.vectors::<V, 1>(n_vectors - 1);
        }
        let Self { columns, power, scores, n_classes, sums } = self;
        for class in n_vectors * LANES..n_classes {
            let mut own = [0.0; G];
            for (own, sums) in own.iter_mut().zip(sums.chunks_exact(n_classes)) {
                *own = sums[class];
            }
            for (row, scores) in scores.chunks_exact(n_classes).enumerate() {
                for (own, column) in own.iter_mut().zip(&columns) {
                    *own += power.of(column[row]) * scores[class];
                }
            }
            for (own, sums) in own.iter().zip(sums.chunks_exact_mut(n_classes)) {
                sums[class] = *own;
            }
        }
    }

    /// The classes of some vectors, whose sums stay in registers.
    #[inline(always)]
    fn vectors<V: Vector, const N: usize>(&mut self, first: usize) {
        let Self { columns, power, scores, n_classes, ref mut sums } = *self;
        let classes = first * LANES..(first + N) * LANES;
        let mut own = [[V::splat(0.0); N]; G];
        for (own, sums) in own.iter_mut().zip(sums.chunks_exact(n_classes)) {
            for (own, sums) in own.iter_mut().zip(sums[classes.clone()].as_chunks::<LANES>().0) {
                *own = V::load(sums);
            }
        }
        for (row, scores) in scores.chunks_exact(n_classes).enumerate() {
            let mut loaded = [V::splat(0.0); N];
            for (loaded, scores) in loaded.iter_mut().zip(scores[classes.clone()].as_chunks::<LANES>().0) {
                *loaded = V::load(scores);
            }
            for (own, column) in own.iter_mut().zip(&columns) {
                let factor = V::splat(power.of(column[row]));
                for (own, &scores) in own.iter_mut().zip(&loaded) {
                    *own = own.add(factor.mul(scores));
                }
            }
        }
        for (own, sums) in own.iter().zip(sums.chunks_exact_mut(n_classes)) {
            for (own, sums) in own.iter().zip(sums[classes.clone()].as_chunks_mut::<LANES>().0) {
                own.store(sums);
            }
        }
    }
}

impl<const G: usize> Kernel for AddProductScores<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.n_classes, C::Vector);
    }
}
