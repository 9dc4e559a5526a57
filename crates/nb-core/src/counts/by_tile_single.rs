//! The dots of [`by_tile`](super::by_tile) in single precision: half the operations, for labels that need few digits.
//!
//! # Bound
//! With `u = 2^-24`, rounding a value and what an entry differs from the mean makes their product wrong by `2u` of it,
//! the product and the addition by another `2u` and, in a sum of `n` columns, by `n u` of all sizes together. That is
//! `(n + 4) u Σ x D`, for the largest differences `D` of the columns, and with what is of higher order less than
//! `(n + 8) u Σ x D`. What is too small for single precision is below `2^-149` a value, a product or a difference; what
//! is too large is infinite or not a number, and so is the bound.

use super::{centered::Centered, linear::Linear};
use crate::{
    Estimates,
    instructions::{Code, LANES, SINGLES, Singles, Vector},
    prefetcher::Prefetcher,
    tiles::{Column, TILE_ROWS, Turned, VECTORS},
};

/// The most classes that are summed together: with a value and a weight, their sums fit into registers.
const MOST_CLASSES: usize = 10;

/// Sums of a panel may be so wrong, or else they are left to double precision: as much as hardly ever matters.
const WIDEST: f64 = 1.0 / 256.0;

/// A panel of a tile in single precision, and what is summed with it.
pub(super) struct SingleTile<'a> {
    linear: &'a Linear,
    centered: &'a Centered,
    /// How many classes to sum together at most: as many as there are registers for.
    most_classes: usize,
    columns: Vec<Strip>,
}

/// One column of a tile: a whole line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Strip([f32; SINGLES]);

const _: () = assert!(SINGLES == TILE_ROWS);

impl<'a> SingleTile<'a> {
    /// Memory for a panel of so many columns.
    pub(super) fn new(linear: &'a Linear, centered: &'a Centered, most_classes: usize, panel: usize) -> Self {
        let columns = vec![Strip([0.0; SINGLES]); panel];
        Self { linear, centered, most_classes: most_classes.min(MOST_CLASSES), columns }
    }

    /// Adds `Σ x w` of a panel to the estimates of all classes, and to their bounds; or does nothing if that would be too
    /// wrong, and says so.
    #[inline(always)]
    pub(super) fn add_panel<C: Code>(
        &mut self,
        panel: &[Column],
        (first_row, first_column): (usize, usize),
        prefetcher: &mut Prefetcher<'_, f64>,
        estimates: &mut Estimates<'_>,
    ) -> bool {
        let Self { linear, centered, most_classes, .. } = *self;
        let (shared, spread) = self.fill::<C::Vector>(panel, centered.columns(first_column));
        let mut bounds = [0.0; TILE_ROWS];
        let factor = (panel.len() as f64 + 8.0) * UNIT;
        let (n_columns, largest) = (panel.len() as f64, linear.largest());
        for (bound, spread) in bounds.iter_mut().zip(spread.as_flattened()) {
            *bound = factor * spread + n_columns * (2.0 * largest + 3.0) * TOO_SMALL;
        }
        // A comparison that fails for what is not a number.
        if !bounds.iter().all(|&bound| bound <= WIDEST) {
            return false;
        }
        estimates.add_errors(first_row, &bounds);
        let (n_classes, _) = linear.table().dim();
        let n_groups = n_classes.div_ceil(most_classes);
        prefetcher.start_tile(first_row, first_column, n_groups * panel.len());
        let columns = &self.columns[..panel.len()];
        let mut first = 0;
        for group in 0..n_groups {
            let n = (n_classes - first).div_ceil(n_groups - group);
            let rests = centered.rests(first_column);
            let mut sums = [[0.0; SINGLES]; MOST_CLASSES];
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
                let values = &mut estimates.class_mut(class)[first_row..][..TILE_ROWS];
                for ((value, &sum), shared) in values.iter_mut().zip(sums).zip(shared.as_flattened()) {
                    *value += f64::from(sum) + (shared + base);
                }
            }
            first += n;
        }
        true
    }

    /// Rounds the values of a panel. What all classes share of the sums of each row, and `Σ x D`.
    #[inline(always)]
    fn fill<V: Vector>(&mut self, panel: &[Column], parameters: &[[f64; 2]]) -> (Turned, Turned) {
        let mut shared = [V::splat(0.0); VECTORS];
        let mut spread = shared;
        for ((Column(values), [mean, most]), Strip(singles)) in
            panel.iter().zip(parameters).zip(&mut self.columns)
        {
            let (mean, most) = (V::splat(*mean), V::splat(*most));
            for vector in 0..VECTORS {
                let value = V::load(&values[vector]);
                shared[vector] = value.times_plus(mean, shared[vector]);
                spread[vector] = value.times_plus(most, spread[vector]);
            }
            for (single, value) in singles.iter_mut().zip(values.as_flattened()) {
                *single = *value as f32;
            }
        }
        let (mut of_shared, mut of_spread) = ([[0.0; LANES]; VECTORS], [[0.0; LANES]; VECTORS]);
        for vector in 0..VECTORS {
            shared[vector].store(&mut of_shared[vector]);
            spread[vector].store(&mut of_spread[vector]);
        }
        (of_shared, of_spread)
    }
}

/// Rounding to single precision.
const UNIT: f64 = (f32::EPSILON / 2.0) as f64;

/// `2^-149`.
const TOO_SMALL: f64 = f64::from_bits((1023 - 149) << 52);

/// `Σ x d` of each row for `N` classes from the first on.
#[inline(always)]
fn dots<'a, C: Code, const N: usize>(
    columns: &[Strip],
    rests: impl Iterator<Item = &'a [f32]>,
    first: usize,
    out: &mut [[f32; SINGLES]; MOST_CLASSES],
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    let mut sums = [C::Singles::splat(0.0); N];
    let mut walk = prefetcher.walk(columns.len());
    for (Strip(values), rests) in columns.iter().zip(rests) {
        walk.step();
        let Some(rests) = rests.get(first..).and_then(|rests| rests.first_chunk::<N>()) else { break };
        let values = C::Singles::load(values);
        for class in 0..N {
            sums[class] = values.times_plus(C::Singles::splat(rests[class]), sums[class]);
        }
    }
    prefetcher.end(walk);
    for (out, sum) in out.iter_mut().zip(sums) {
        sum.store(out);
    }
}
