//! The dots of [`by_tile`](super::by_tile) in single precision: half the operations, for labels that need few digits.
//!
//! Where there are registers enough, two tiles are taken before their dots are added, so that each weight that is read serves
//! thirty-two rows: there are more reads than multiplications otherwise.
//!
//! # Bound
//! With `u = 2^-24`, rounding a value and what an entry differs from the mean makes their product wrong by `2u` of it,
//! the product and the addition by another `2u` and, in a sum of `n` columns, by `n u` of all sizes together. That is
//! `(n + 4) u Σ x D`, for the largest differences `D` of the columns, and with what is of higher order less than
//! `(n + 8) u Σ x D`. What is too small for single precision is below `2^-149` a value, a product or a difference; what
//! is too large is infinite or not a number, and so is the bound.

use std::ops::Range;

use super::{
    centered::Centered,
    linear::{Count, Linear},
    seen::Seen,
};
use crate::{
    Dense, Estimates,
    instructions::{Code, LANES, SINGLES, Singles, Vector},
    prefetcher::Prefetcher,
    tiles::{EightRows, TILE_ROWS, Turned, VECTORS},
};

/// The most classes that are summed together: with a value and a weight, their sums fit into registers.
const MOST_CLASSES: usize = 10;

/// Sums of a panel may be so wrong, or else they are left to double precision: as much as hardly ever matters.
const WIDEST: f64 = 1.0 / 256.0;

/// Panels of some tiles in single precision, and what is summed with them.
pub(super) struct SingleTiles<'a, const TILES: usize> {
    linear: &'a Linear,
    centered: &'a Centered,
    /// How many classes to sum together at most: as many as there are registers for.
    most_classes: usize,
    /// The columns of the tiles side by side.
    columns: Vec<[Strip; TILES]>,
    /// The first rows of those that wait for their dots, and what all classes share of the sums of each row.
    waiting: [(usize, Turned); TILES],
    n_waiting: usize,
}

/// One column of a tile: a whole line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Strip([f32; SINGLES]);

const _: () = assert!(SINGLES == TILE_ROWS);

impl<'a, const TILES: usize> SingleTiles<'a, TILES> {
    /// Memory for a panel of so many columns.
    pub(super) fn new(linear: &'a Linear, centered: &'a Centered, most_classes: usize, panel: usize) -> Self {
        Self {
            linear,
            centered,
            most_classes: most_classes.min(MOST_CLASSES),
            columns: vec![[Strip([0.0; SINGLES]); TILES]; panel],
            waiting: [(0, Turned::default()); TILES],
            n_waiting: 0,
        }
    }

    /// Takes some columns of the tile that starts at a row, whose dots are to be added later, and adds to the bounds of the
    /// estimates; or does nothing if they would be too wrong, and says so. There must be room for it.
    #[inline(always)]
    pub(super) fn take<C: Code, K: Count>(
        &mut self,
        (rows, first_row, columns): (&Dense<'_, f64>, usize, Range<usize>),
        count: K,
        estimates: &mut Estimates<'_>,
    ) -> bool {
        let mut filled = [Filled::default(); VECTORS];
        for (vector, filled) in filled.iter_mut().enumerate() {
            let rows = EightRows::of(rows, first_row + vector * LANES, columns.clone());
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
        self.waiting[self.n_waiting] = (first_row, filled.map(|filled| filled.shared));
        self.n_waiting += 1;
        true
    }

    /// Whether there is no room for another tile.
    pub(super) fn is_full(&self) -> bool {
        self.n_waiting == TILES
    }

    /// Adds `Σ x w` of all panels that were taken to the estimates of all classes.
    #[inline(always)]
    pub(super) fn add<C: Code>(
        &mut self,
        (first_column, width): (usize, usize),
        prefetcher: &mut Prefetcher<'_, f64>,
        estimates: &mut Estimates<'_>,
    ) {
        const { assert!(TILES == 1 || TILES == 2) }
        if self.n_waiting == TILES {
            self.add_tiles::<C, TILES>((first_column, width), prefetcher, estimates);
        } else if self.n_waiting == 1 {
            self.add_tiles::<C, 1>((first_column, width), prefetcher, estimates);
        }
        self.n_waiting = 0;
    }

    /// The same for the first tiles.
    #[inline(always)]
    fn add_tiles<C: Code, const N_TILES: usize>(
        &self,
        (first_column, width): (usize, usize),
        prefetcher: &mut Prefetcher<'_, f64>,
        estimates: &mut Estimates<'_>,
    ) {
        let Self { linear, centered, most_classes, .. } = *self;
        let (n_classes, _) = linear.table().dim();
        let n_groups = n_classes.div_ceil(most_classes);
        prefetcher.start_tile(self.waiting[0].0, first_column, n_groups * width);
        let columns = &self.columns[..width];
        let mut first = 0;
        for group in 0..n_groups {
            let n = (n_classes - first).div_ceil(n_groups - group);
            let rests = centered.rests(first_column);
            let mut sums = [[[0.0; SINGLES]; N_TILES]; MOST_CLASSES];
            match n {
                1 => dots::<C, TILES, N_TILES, 1>(columns, rests, first, &mut sums, prefetcher),
                2 => dots::<C, TILES, N_TILES, 2>(columns, rests, first, &mut sums, prefetcher),
                3 => dots::<C, TILES, N_TILES, 3>(columns, rests, first, &mut sums, prefetcher),
                4 => dots::<C, TILES, N_TILES, 4>(columns, rests, first, &mut sums, prefetcher),
                5 => dots::<C, TILES, N_TILES, 5>(columns, rests, first, &mut sums, prefetcher),
                6 => dots::<C, TILES, N_TILES, 6>(columns, rests, first, &mut sums, prefetcher),
                7 => dots::<C, TILES, N_TILES, 7>(columns, rests, first, &mut sums, prefetcher),
                8 => dots::<C, TILES, N_TILES, 8>(columns, rests, first, &mut sums, prefetcher),
                9 => dots::<C, TILES, N_TILES, 9>(columns, rests, first, &mut sums, prefetcher),
                _ => dots::<C, TILES, N_TILES, MOST_CLASSES>(columns, rests, first, &mut sums, prefetcher),
            }
            for (class, sums) in (first..first + n).zip(&sums) {
                let base = if first_column == 0 { linear.base(class) } else { 0.0 };
                let values = estimates.class_mut(class);
                for (sums, (first_row, shared)) in sums.iter().zip(&self.waiting) {
                    let (values, _) = values[*first_row..][..TILE_ROWS].as_chunks_mut();
                    let (sums, _) = sums.as_chunks();
                    for vector in 0..VECTORS {
                        let shared = C::Vector::load(&shared[vector]).plus(C::Vector::splat(base));
                        let sum = C::Vector::load_single(&sums[vector]).plus(shared);
                        C::Vector::load(&values[vector]).plus(sum).store(&mut values[vector]);
                    }
                }
            }
            first += n;
        }
    }

    /// Turns the columns of eight rows and rounds what is counted: the rows of one vector of a tile.
    ///
    /// All at once, while the values are in registers: with AVX-512 and AVX2 labels take an eighth less time than if tiles are
    /// turned first, with portable code a twentieth more.
    #[inline(always)]
    fn fill<C: Code, K: Count>(
        &mut self,
        rows: &EightRows<'_>,
        vector: usize,
        first_column: usize,
        count: K,
    ) -> Filled {
        let zero = C::Vector::splat(0.0);
        let mut seen = Seen::<C::Vector, K>::of_nothing(count);
        let (mut shared, mut spread) = (zero, zero);
        let (parameters, tile) = (self.centered.columns(first_column), self.n_waiting);
        let strips = &mut self.columns[..];
        rows.turn_all::<C>(
            #[inline(always)]
            |columns, turned| {
                let parameters = &parameters[columns.clone()];
                for ((values, [mean, most]), strips) in
                    turned.iter().zip(parameters).zip(&mut strips[columns])
                {
                    let value = seen.take_count(values);
                    shared = value.times_plus(C::Vector::splat(*mean), shared);
                    spread = value.times_plus(C::Vector::splat(*most), spread);
                    let (singles, _) = strips[tile].0.as_chunks_mut();
                    value.store_single(&mut singles[vector]);
                }
            },
        );
        let mut filled = Filled { errors: seen.errors(self.linear), ..Filled::default() };
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

/// What there is to be known of eight rows whose values were rounded.
#[derive(Clone, Copy, Default)]
struct Filled {
    /// What all classes share of the sums.
    shared: [f64; LANES],
    /// How wrong sums of what is counted can be in double precision: infinitely where a value may not be trusted.
    errors: [f64; LANES],
    /// How much more wrong sums of the rounded ones can be.
    bounds: [f64; LANES],
}

/// Rounding to single precision.
const UNIT: f64 = (f32::EPSILON / 2.0) as f64;

/// `2^-149`.
const TOO_SMALL: f64 = f64::from_bits((1023 - 149) << 52);

/// `Σ x d` of each row of the first tiles for `N` classes from the first on.
#[inline(always)]
fn dots<'a, C: Code, const TILES: usize, const N_TILES: usize, const N: usize>(
    columns: &[[Strip; TILES]],
    rests: impl Iterator<Item = &'a [f32]>,
    first: usize,
    out: &mut [[[f32; SINGLES]; N_TILES]; MOST_CLASSES],
    prefetcher: &mut Prefetcher<'_, f64>,
) {
    let mut sums = [[C::Singles::splat(0.0); N_TILES]; N];
    let mut walk = prefetcher.walk(N_TILES * columns.len());
    for (strips, rests) in columns.iter().zip(rests) {
        for _ in 0..N_TILES {
            walk.step();
        }
        let Some(rests) = rests.get(first..).and_then(|rests| rests.first_chunk::<N>()) else { break };
        let mut values = [C::Singles::splat(0.0); N_TILES];
        for tile in 0..N_TILES {
            values[tile] = C::Singles::load(&strips[tile].0);
        }
        for class in 0..N {
            let rest = C::Singles::splat(rests[class]);
            for tile in 0..N_TILES {
                sums[class][tile] = values[tile].times_plus(rest, sums[class][tile]);
            }
        }
    }
    prefetcher.end(walk);
    for class in 0..N {
        for tile in 0..N_TILES {
            sums[class][tile].store(&mut out[class][tile]);
        }
    }
}
