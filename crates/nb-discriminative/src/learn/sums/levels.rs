//! Terms of levels into scores, and scores into sums of levels.

use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

/// How many columns are worked on at a time: so few that their tables stay in the nearest cache.
pub(super) const TOGETHER: usize = 4;

/// Calls `self.rows::<N>()`, which knows the number of classes, if they are few, and else
/// `self.any_rows::<V>()`. The operations on each number and their order are the same.
macro_rules! by_classes {
    ($self:ident, $n_classes:expr, $vector:ty) => {
        match $n_classes {
            2 => $self.rows::<2>(),
            3 => $self.rows::<3>(),
            4 => $self.rows::<4>(),
            _ => $self.any_rows::<$vector>(),
        }
    };
}
pub(super) use by_classes;

/// Adds the terms of the level that each row has in each column to its scores, in the order of columns.
pub(in crate::learn) fn add_terms(columns: &[&[u32]], terms: &[f64], n_classes: usize, scores: &mut [f64]) {
    let set = InstructionSet::current();
    let (groups, rest) = columns.as_chunks::<TOGETHER>();
    for &columns in groups {
        set.run(AddTerms { columns, terms, n_classes, scores });
    }
    for &column in rest {
        set.run(AddTerms { columns: [column], terms, n_classes, scores });
    }
}

/// Adds the scores of each row to the sums of the level that it has in each column. No two columns have a
/// level in common.
pub(in crate::learn) fn add_scores(columns: &[&[u32]], scores: &[f64], n_classes: usize, sums: &mut [f64]) {
    let set = InstructionSet::current();
    let (groups, rest) = columns.as_chunks::<TOGETHER>();
    for &columns in groups {
        set.run(AddScores { columns, scores, n_classes, sums });
    }
    for &column in rest {
        set.run(AddScores { columns: [column], scores, n_classes, sums });
    }
}

struct AddTerms<'a, const G: usize> {
    columns: [&'a [u32]; G],
    terms: &'a [f64],
    n_classes: usize,
    scores: &'a mut [f64],
}

impl<const G: usize> AddTerms<'_, G> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let (terms, scores) = (self.terms.as_chunks::<N>().0, self.scores.as_chunks_mut::<N>().0);
        let columns = self.columns.map(|column| &column[..scores.len()]);
        for (row, scores) in scores.iter_mut().enumerate() {
            let mut own = *scores;
            for column in &columns {
                for (score, term) in own.iter_mut().zip(&terms[column[row] as usize]) {
                    *score += term;
                }
            }
            *scores = own;
        }
    }

    #[inline(always)]
    fn any_rows<V: Vector>(self) {
        let n_classes = self.n_classes;
        for (row, scores) in self.scores.chunks_exact_mut(n_classes).enumerate() {
            let terms = self.columns.map(|column| {
                let start = column[row] as usize * n_classes;
                self.terms[start..start + n_classes].as_chunks::<LANES>()
            });
            let (vectors, rest) = scores.as_chunks_mut::<LANES>();
            for (place, vector) in vectors.iter_mut().enumerate() {
                let mut own = V::load(vector);
                for (terms, _) in &terms {
                    own = own.add(V::load(&terms[place]));
                }
                own.store(vector);
            }
            for (place, score) in rest.iter_mut().enumerate() {
                for (_, terms) in &terms {
                    *score += terms[place];
                }
            }
        }
    }
}

impl<const G: usize> Kernel for AddTerms<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.n_classes, C::Vector);
    }
}

struct AddScores<'a, const G: usize> {
    columns: [&'a [u32]; G],
    scores: &'a [f64],
    n_classes: usize,
    sums: &'a mut [f64],
}

impl<const G: usize> AddScores<'_, G> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let (sums, scores) = (self.sums.as_chunks_mut::<N>().0, self.scores.as_chunks::<N>().0);
        let columns = self.columns.map(|column| &column[..scores.len()]);
        for (row, &scores) in scores.iter().enumerate() {
            for column in &columns {
                for (sum, score) in sums[column[row] as usize].iter_mut().zip(scores) {
                    *sum += score;
                }
            }
        }
    }

    #[inline(always)]
    fn any_rows<V: Vector>(self) {
        let n_classes = self.n_classes;
        for (row, scores) in self.scores.chunks_exact(n_classes).enumerate() {
            for column in &self.columns {
                let start = column[row] as usize * n_classes;
                let (sums, rest_of_sums) = self.sums[start..start + n_classes].as_chunks_mut::<LANES>();
                let (vectors, rest) = scores.as_chunks::<LANES>();
                for (sums, vector) in sums.iter_mut().zip(vectors) {
                    V::load(sums).add(V::load(vector)).store(sums);
                }
                for (sum, score) in rest_of_sums.iter_mut().zip(rest) {
                    *sum += score;
                }
            }
        }
    }
}

impl<const G: usize> Kernel for AddScores<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.n_classes, C::Vector);
    }
}
