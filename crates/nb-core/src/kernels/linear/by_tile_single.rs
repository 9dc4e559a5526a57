//! The dots of [`by_tile`](super::by_tile) in single precision: half the operations, for labels that need few
//! digits.
//!
//! # Bound
//! With `u = 2^-24`, rounding a value and what an entry differs from the mean makes their product wrong by
//! `2u` of it, the product and the addition by another `2u` and, in a sum of `n` columns, by `n u` of all
//! sizes together. That is `(n + 4) u Σ x D`, for the largest differences `D` of the columns, and with what
//! is of higher order less than `(n + 8) u Σ x D`. What is too small for single precision is below `2^-149` a
//! value, a product or a difference; what is too large is infinite or not a number, and so is the bound.

use std::ops::Range;

use crate::kernels::linear::{
    centered::Centered,
    scores::{Count, Linear},
    seen::Seen,
};
use nb_simd::{
    Isa, LANES, LANES_F32, Vector, VectorF32,
    prefetch::Prefetcher,
    tile::{Rows8, TILE_ROWS, VECTORS},
};

use crate::{data::Dense, model::Estimates};

/// The most classes that are summed together: with a value and a weight, their sums fit into registers.
const MOST_CLASSES: usize = 10;

/// Sums of a panel may be so wrong, or else they are left to double precision: as much as hardly ever
/// matters.
const WIDEST: f64 = 1.0 / 256.0;

/// A panel of a tile in single precision, and what is summed with it.
pub(crate) struct SingleTile<'a> {
    linear: &'a Linear,
    centered: &'a Centered,
    /// How many classes to sum together at most: as many as there are registers for.
    most_classes: usize,
    columns: Vec<Strip>,
}

/// One column of a tile: a whole line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Strip([f32; LANES_F32]);

const _: () = assert!(LANES_F32 == TILE_ROWS);

impl<'a> SingleTile<'a> {
    /// Memory for a panel of this many columns.
    pub(crate) fn new(linear: &'a Linear, centered: &'a Centered, most_classes: usize, panel: usize) -> Self {
        Self {
            linear,
            centered,
            most_classes: most_classes.min(MOST_CLASSES),
            columns: vec![Strip([0.0; LANES_F32]); panel],
        }
    }

    /// Adds `Σ x w` of some columns of the tile that starts at a row to the estimates of all classes, and
    /// adds to their bounds; or does nothing, and returns that, if they would be too wrong.
    #[inline(always)]
    pub(crate) fn add<C: Isa, K: Count>(
        &mut self,
        (rows, first_row, columns): (&Dense<'_, f64>, usize, Range<usize>),
        count: K,
        prefetcher: &mut Prefetcher<'_, f64>,
        estimates: &mut Estimates<'_>,
    ) -> bool {
        let mut filled = [SumBound::default(); VECTORS];
        for (vector, filled) in filled.iter_mut().enumerate() {
            let rows = Rows8::of(&rows.row_major(), first_row + vector * LANES, columns.clone());
            *filled = self.fill::<C, K>(&rows, vector, columns.start, count);
        }
        // A comparison that fails for what is not a number.
        if !filled.iter().flat_map(|filled| filled.bounds).all(|bound| bound <= WIDEST) {
            return false;
        }
        for (filled, first_row) in filled.iter().zip((first_row..).step_by(LANES)) {
            estimates.add_errors(first_row, &filled.errors);
            estimates.add_errors(first_row, &filled.bounds);
        }
        self.add_dots::<C>(&filled, first_row, columns, prefetcher, estimates);
        true
    }

    /// Adds `Σ x w` of the columns that were turned.
    #[inline(always)]
    fn add_dots<C: Isa>(
        &self,
        filled: &[SumBound; VECTORS],
        first_row: usize,
        Range { start: first_column, end }: Range<usize>,
        prefetcher: &mut Prefetcher<'_, f64>,
        estimates: &mut Estimates<'_>,
    ) {
        let Self { linear, centered, most_classes, .. } = *self;
        let (n_classes, _) = linear.table().dim();
        let n_groups = n_classes.div_ceil(most_classes);
        let columns = &self.columns[..end - first_column];
        prefetcher.start_tile(first_row, first_column, n_groups * columns.len());
        let mut first = 0;
        for group in 0..n_groups {
            let n = (n_classes - first).div_ceil(n_groups - group);
            let rests = centered.rests(first_column);
            let mut sums = [[0.0; LANES_F32]; MOST_CLASSES];
            match n {
                1 => dots::<C, 1>(columns, rests, first, &mut sums, prefetcher),
                2 => dots::<C, 2>(columns, rests, first, &mut sums, prefetcher),
                3 => dots::<C, 3>(columns, rests, first, &mut sums, prefetcher),
                4 => dots::<C, 4>(columns, rests, first, &mut sums, prefetcher),
                5 => dots::<C, 5>(columns, rests, first, &mut sums, prefetcher),
                6 => dots::<C, 6>(columns, rests, first, &mut sums, prefetcher),
                7 => dots::<C, 7>(columns, rests, first, &mut sums, prefetcher),
                8 => dots::<C, 8>(columns, rests, first, &mut sums, prefetcher),
                9 => dots::<C, 9>(columns, rests, first, &mut sums, prefetcher),
                _ => dots::<C, MOST_CLASSES>(columns, rests, first, &mut sums, prefetcher),
            }
            for (class, sums) in (first..first + n).zip(&sums) {
                let base = if first_column == 0 { linear.base(class) } else { 0.0 };
                let (values, _) = estimates.class_mut(class)[first_row..][..TILE_ROWS].as_chunks_mut();
                let (sums, _) = sums.as_chunks();
                for vector in 0..VECTORS {
                    let shared = C::Vector::load(&filled[vector].shared).add(C::Vector::splat(base));
                    let sum = C::Vector::load_f32(&sums[vector]).add(shared);
                    C::Vector::load(&values[vector]).add(sum).store(&mut values[vector]);
                }
            }
            first += n;
        }
    }

    /// Turns the columns of eight rows and rounds what is counted: the rows of one vector of a tile.
    ///
    /// All at once, while the values are in registers: with AVX-512 and AVX2 labels take an eighth less time
    /// than if tiles are turned first, with portable code a twentieth more.
    #[inline(always)]
    fn fill<C: Isa, K: Count>(
        &mut self,
        rows: &Rows8<'_>,
        vector: usize,
        first_column: usize,
        count: K,
    ) -> SumBound {
        let zero = C::Vector::splat(0.0);
        let mut seen = Seen::<C::Vector, K>::empty(count);
        let (mut shared, mut spread) = (zero, zero);
        let parameters = self.centered.columns(first_column);
        let strips = &mut self.columns[..];
        rows.for_each_transposed::<C>(
            #[inline(always)]
            |columns, turned| {
                let parameters = &parameters[columns.clone()];
                for ((values, [mean, most]), Strip(singles)) in
                    turned.iter().zip(parameters).zip(&mut strips[columns])
                {
                    let value = seen.take_count(values);
                    shared = value.mul_add(C::Vector::splat(*mean), shared);
                    spread = value.mul_add(C::Vector::splat(*most), spread);
                    let (singles, _) = singles.as_chunks_mut();
                    value.store_f32(&mut singles[vector]);
                }
            },
        );
        let mut filled = SumBound { errors: seen.errors(self.linear), ..SumBound::default() };
        shared.store(&mut filled.shared);
        spread.store(&mut filled.bounds);
        let n_columns = rows.n_columns() as f64;
        let factor = (n_columns + 8.0) * UNIT;
        for bound in &mut filled.bounds {
            *bound = factor * *bound + n_columns * (2.0 * self.linear.largest() + 3.0) * TOO_SMALL;
        }
        filled
    }
}

/// What is known of eight rows whose values were rounded.
#[derive(Clone, Copy, Default)]
struct SumBound {
    /// What all classes share of the sums.
    shared: [f64; LANES],
    /// How wrong sums of what is counted can be in double precision: infinitely where a value may not be
    /// trusted.
    errors: [f64; LANES],
    /// How much more wrong sums of the rounded ones can be.
    bounds: [f64; LANES],
}

/// Rounding to single precision.
const UNIT: f64 = (f32::EPSILON / 2.0) as f64;

/// `2^-149`.
const TOO_SMALL: f64 = f64::from_bits((1023 - 149) << 52);

/// `Σ x d` of each row for `N` classes from the first on.
#[inline(always)]
fn dots<'a, C: Isa, const N: usize>(
    columns: &[Strip],
    rests: impl Iterator<Item = &'a [f32]>,
    first: usize,
    out: &mut [[f32; LANES_F32]; MOST_CLASSES],
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    let mut sums = [C::VectorF32::splat(0.0); N];
    let mut walk = prefetcher.walk(columns.len());
    for (Strip(values), rests) in columns.iter().zip(rests) {
        walk.step();
        let Some(rests) = rests.get(first..).and_then(|rests| rests.first_chunk::<N>()) else { break };
        let values = C::VectorF32::load(values);
        for class in 0..N {
            sums[class] = values.mul_add(C::VectorF32::splat(rests[class]), sums[class]);
        }
    }
    prefetcher.end(walk);
    for (out, sum) in out.iter_mut().zip(sums) {
        sum.store(out);
    }
}
