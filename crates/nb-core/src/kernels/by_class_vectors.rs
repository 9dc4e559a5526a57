//! Full scores row by row, with the classes of a row along the lanes: for rows whose cells say where to look.
//!
//! ```text
//!  scores of eight rows ──turn──▶ classes in vectors ──cell by cell──▶ sums in registers ──turn──▶ scores
//! ```

use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

use crate::model::Scores;

/// What rows add to the scores of classes.
pub(crate) trait RowTerms {
    /// Adds the terms of a row for `N` vectors of classes, in order; `one` is 1, for
    /// [`add_compensated`](nb_simd::add_compensated). Lanes beyond the last class are left out afterwards.
    fn add<V: Vector, const N: usize>(&self, row: usize, first_class: usize, sums: &mut Sums<V, N>, one: V);
}

/// The sums of some vectors of classes, and their compensations.
pub(crate) struct Sums<V, const N: usize> {
    pub(crate) high: [V; N],
    pub(crate) low: [V; N],
}

/// Adds the terms of all rows.
pub(crate) fn score_rows(terms: &impl RowTerms, scores: &mut Scores<'_>) {
    let set = InstructionSet::current();
    match set {
        InstructionSet::Avx512 | InstructionSet::Avx512Ifma => set.run(ScoreRows::<_, 3> { terms, scores }),
        InstructionSet::Avx2 | InstructionSet::Portable => set.run(ScoreRows::<_, 2> { terms, scores }),
    }
}

/// `MOST` vectors of classes at a time at most: what there are registers for.
pub(crate) struct ScoreRows<'a, 'b, T, const MOST: usize> {
    pub(crate) terms: &'a T,
    pub(crate) scores: &'a mut Scores<'b>,
}

impl<T: RowTerms, const MOST: usize> Kernel for ScoreRows<'_, '_, T, MOST> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { terms, scores } = self;
        let n_classes = scores.n_classes();
        for first_row in (0..scores.n_rows()).step_by(LANES) {
            let mut first = 0;
            while first < n_classes {
                let vectors = (n_classes - first).div_ceil(LANES).min(MOST);
                match vectors {
                    1 => add_strip::<C, T, 1>(terms, scores, first_row, first),
                    2 => add_strip::<C, T, 2>(terms, scores, first_row, first),
                    _ => add_strip::<C, T, MOST>(terms, scores, first_row, first),
                }
                first += vectors * LANES;
            }
        }
    }
}

/// Adds the terms of up to eight rows.
#[inline(always)]
fn add_strip<C: Isa, T: RowTerms, const N: usize>(
    terms: &T,
    scores: &mut Scores<'_>,
    first_row: usize,
    first_class: usize,
) {
    let one = C::Vector::splat(std::hint::black_box(1.0));
    let (mut high, mut low) = ([[[0.0; LANES]; LANES]; N], [[[0.0; LANES]; LANES]; N]);
    for vector in 0..N {
        [high[vector], low[vector]] = scores.turned::<C>(first_row, first_class + vector * LANES);
    }
    for row in 0..LANES.min(scores.n_rows() - first_row) {
        let zero = [C::Vector::splat(0.0); N];
        let mut sums = Sums { high: zero, low: zero };
        for vector in 0..N {
            sums.high[vector] = C::Vector::load(&high[vector][row]);
            sums.low[vector] = C::Vector::load(&low[vector][row]);
        }
        terms.add(first_row + row, first_class, &mut sums, one);
        for vector in 0..N {
            sums.high[vector].store(&mut high[vector][row]);
            sums.low[vector].store(&mut low[vector][row]);
        }
    }
    for vector in 0..N {
        scores.set_turned::<C>(first_row, first_class + vector * LANES, [&high[vector], &low[vector]]);
    }
}
